//! `hookguard doctor`: whether each agent really calls hookguard, and whether it would be refused what must be refused.

mod canary;
mod config;
mod finding;
mod seen;
mod settings;
mod version;

use std::fmt::Write;

use hookguard_adapter::Adapter;
use serde::Serialize;

use self::finding::{Finding, State};
use super::exit;
use super::output::{Usage, print};
use crate::agents::{self, AGENTS};
use crate::surroundings::{Surroundings, program};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Only this agent [default: every agent that is on this machine or calls hookguard]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Write it as JSON
    #[arg(long)]
    json: bool,
}

/// One agent's examination.
#[derive(Debug, Serialize)]
struct Report {
    agent: &'static str,
    name: &'static str,
    findings: Vec<Finding>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    crate::state::retention::sweep(&surroundings);
    let mut reports = Vec::new();
    match &arguments.agent {
        Some(name) => {
            let adapter = agents::by_id(name)
                .ok_or_else(|| Usage(format!("no agent is called {name:?}; known are: {}", agents::ids())))?;
            reports.push(Report { agent: "hookguard", name: "hookguard", findings: config::look(&surroundings) });
            reports.push(examine(adapter, &surroundings, true));
        }
        None => {
            reports.push(Report { agent: "hookguard", name: "hookguard", findings: config::look(&surroundings) });
            let examined = AGENTS.iter().map(|adapter| examine(*adapter, &surroundings, false));
            reports.extend(examined.filter(|report| !report.findings.is_empty()));
        }
    }
    print(&if arguments.json { serde_json::to_string_pretty(&reports)? } else { text(&reports)? })?;
    let broken = reports.iter().flat_map(|report| &report.findings).any(|finding| finding.state == State::Broken);
    Ok(if broken { exit::DENIED } else { exit::OK })
}

/// Everything about one agent; nothing where it is neither on the machine nor asked for by name.
fn examine(adapter: &dyn Adapter, surroundings: &Surroundings, named: bool) -> Report {
    let profile = adapter.profile();
    let mut findings = Vec::new();
    let stands = settings::look(adapter, surroundings);
    if named || stands.any() || surroundings.finds(profile) {
        findings.push(version::of(profile, program(profile).as_deref()));
        findings.extend(stands.findings(adapter, named));
        if !stands.entries.is_empty() {
            findings.extend(canary::run(adapter, &stands, surroundings));
            findings.extend(seen::of(adapter, surroundings));
        }
    }
    Report { agent: profile.id, name: profile.name, findings }
}

fn text(reports: &[Report]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for report in reports {
        writeln!(out, "{} ({})", report.name, report.agent)?;
        for finding in &report.findings {
            writeln!(out, "  {:<7} {:<10} {}", finding.state.to_string(), finding.check, finding.what)?;
            if let Some(remedy) = &finding.remedy {
                writeln!(out, "  {:<18} -> {remedy}", "")?;
            }
        }
    }
    if reports.iter().all(|report| report.agent == "hookguard") {
        writeln!(out, "No agent that hookguard knows is on this machine; known are: {}", agents::ids())?;
    }
    Ok(out)
}
