//! `hookguard status`: which agents are on this machine, and which of them call hookguard.

use std::fmt::Write;
use std::path::Path;

use hookguard_adapter::{Adapter, Installed, PlanRequest, Scope, State, Trust};
use serde::Serialize;

use super::output::print;
use super::{exit, settings};
use crate::agents::AGENTS;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write it as JSON
    #[arg(long)]
    json: bool,
}

/// One agent's row.
#[derive(Debug, Serialize)]
struct Row {
    agent: &'static str,
    name: &'static str,
    /// The program, where it is on PATH.
    program: Option<String>,
    /// Whether there are traces of it in the home folder.
    found: bool,
    /// The settings file.
    file: Option<String>,
    /// `installed`, `not_installed`, `incomplete`, or `unreadable`.
    state: &'static str,
    /// What is wrong or has to be done, each a sentence.
    notes: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let binary = settings::binary()?;
    let rows: Vec<Row> = AGENTS.iter().map(|adapter| row(*adapter, &binary, &surroundings)).collect();
    print(&if arguments.json { serde_json::to_string_pretty(&rows)? } else { text(&rows)? })?;
    Ok(exit::OK)
}

fn row(adapter: &dyn Adapter, binary: &str, surroundings: &Surroundings) -> Row {
    let profile = adapter.profile();
    let program = profile.detection.binaries.iter().find_map(|name| which::which(name).ok());
    let in_home =
        |folder: &&'static str| surroundings.home.as_ref().is_some_and(|home| Path::new(home).join(folder).is_dir());
    let mut row = Row {
        agent: profile.id,
        name: profile.name,
        found: program.is_some() || profile.detection.folders.iter().any(in_home),
        program: program.map(|path| path.display().to_string()),
        file: None,
        state: "not_installed",
        notes: Vec::new(),
    };
    let looked = settings::read(profile, Scope::User, surroundings).and_then(|files| {
        row.file = files.first().map(|file| file.path.clone());
        let ask = PlanRequest { scope: Scope::User, binary, remove: false, journal: &[] };
        Ok(adapter.inspect(&ask, &files)?)
    });
    match looked {
        Ok(installed) => judge(&mut row, &installed, adapter),
        Err(error) => {
            row.state = "unreadable";
            row.notes.push(format!("{error:#}"));
        }
    }
    row
}

fn judge(row: &mut Row, installed: &Installed, adapter: &dyn Adapter) {
    let in_state = |state: State| -> Vec<&str> {
        installed.events.iter().filter(|event| event.state == state).map(|event| event.event).collect()
    };
    let (current, missing) = (in_state(State::Current), in_state(State::Missing));
    if missing.len() == installed.events.len() {
        return;
    }
    row.state = if current.len() == installed.events.len() { "installed" } else { "incomplete" };
    let mend = format!("run `hookguard install --agent {}`", row.agent);
    for (events, what) in [
        (missing, "not registered"),
        (in_state(State::Differs), "registered for another binary, or otherwise than now"),
        (in_state(State::Doubled), "registered more than once"),
    ] {
        if !events.is_empty() {
            row.notes.push(format!("{what}: {}; {mend}", events.join(", ")));
        }
    }
    if let Some(setting) = &installed.disabled {
        row.notes.push(format!("{setting} is set: no hook runs"));
    }
    match (installed.trust, adapter.profile().trusting) {
        (Some(Trust::Untrusted), Some(trusting)) => row.notes.push(format!("{}. {}", trusting.until, trusting.how)),
        (Some(Trust::Unknown), Some(trusting)) => {
            row.notes.push(format!(
                "whether its hooks are trusted can't be read; if they are not, nothing runs. {}",
                trusting.how
            ));
        }
        _ => {}
    }
}

fn text(rows: &[Row]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for row in rows {
        let program = row.program.as_deref().unwrap_or(if row.found { "not on PATH" } else { "not found" });
        writeln!(out, "{:<12} {:<14} {program}", row.name, row.state.replace('_', " "))?;
        if let Some(file) = row.file.as_ref().filter(|_| row.state != "not_installed") {
            writeln!(out, "  settings  {file}")?;
        }
        for note in &row.notes {
            writeln!(out, "  note      {note}")?;
        }
    }
    Ok(out)
}
