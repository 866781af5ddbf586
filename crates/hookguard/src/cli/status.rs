//! `hookguard status`: which agents are on this machine, and which of them call hookguard.

use std::fmt::Write;

use hookguard_adapter::{Adapter, Installed, PlanRequest, Scope, State, Trust};
use serde::Serialize;

use super::output::print;
use super::{exit, settings};
use crate::agents::AGENTS;
use crate::surroundings::{Surroundings, program};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write it as JSON
    #[arg(long)]
    json: bool,
}

/// One agent's row: at user scope always, at the project's where something of ours stands or can't be read.
#[derive(Debug, Serialize)]
struct Row {
    agent: &'static str,
    name: &'static str,
    scope: Scope,
    /// The program, where it is on PATH.
    program: Option<String>,
    /// Whether there are traces of it on the machine.
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
    let mut rows = Vec::new();
    for adapter in AGENTS {
        for scope in settings::SCOPES {
            let shown = |row: &Row| scope == Scope::User || row.state != "not_installed";
            rows.extend(row(*adapter, scope, &surroundings).filter(shown));
        }
    }
    print(&if arguments.json { serde_json::to_string_pretty(&rows)? } else { text(&rows)? })?;
    Ok(exit::OK)
}

/// None where the agent has no settings at the scope, or there is no project here.
fn row(adapter: &dyn Adapter, scope: Scope, surroundings: &Surroundings) -> Option<Row> {
    let profile = adapter.profile();
    let has_place = profile.settings.iter().any(|place| place.scope == scope);
    if scope != Scope::User && (!has_place || settings::project(surroundings).is_none()) {
        return None;
    }
    let mut row = Row {
        agent: profile.id,
        name: profile.name,
        scope,
        found: surroundings.finds(profile),
        program: program(profile).map(|path| path.display().to_string()),
        file: None,
        state: "not_installed",
        notes: Vec::new(),
    };
    let looked = settings::binary(scope).and_then(|binary| {
        let files = settings::read(profile, scope, surroundings)?;
        row.file = files.iter().find(|file| file.scope == scope).map(|file| file.path.clone());
        let ask = PlanRequest { scope, binary: &binary, require: false, remove: false, journal: &[] };
        Ok(adapter.inspect(&ask, &files)?)
    });
    match looked {
        Ok(installed) => judge(&mut row, &installed, adapter),
        Err(error) => {
            row.state = "unreadable";
            row.notes.push(format!("{error:#}"));
        }
    }
    Some(row)
}

fn judge(row: &mut Row, installed: &Installed, adapter: &dyn Adapter) {
    let in_state = |state: State| -> Vec<&str> {
        installed.events.iter().filter(|event| event.state == state).map(|event| event.event).collect()
    };
    let (current, missing) = (in_state(State::Current), in_state(State::Missing));
    if missing.len() == installed.events.len() {
        return;
    }
    if let Some(entry) = installed.entries.first() {
        row.file = Some(entry.file.clone());
    }
    row.state = if current.len() == installed.events.len() { "installed" } else { "incomplete" };
    let scope = if row.scope == Scope::User { String::new() } else { format!(" --scope {}", row.scope) };
    let mend = format!("run `hookguard install --agent {}{scope}`", row.agent);
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
        row.notes.push(format!("{setting}: no hook runs"));
    }
    row.notes.extend(installed.warnings.iter().cloned());
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
        match row.scope {
            Scope::User => writeln!(out, "{:<14} {:<14} {program}", row.name, row.state.replace('_', " "))?,
            scope => writeln!(out, "  {:<12} {:<14}", scope.to_string(), row.state.replace('_', " "))?,
        }
        if let Some(file) = row.file.as_ref().filter(|_| row.state != "not_installed") {
            writeln!(out, "  settings  {file}")?;
        }
        for note in &row.notes {
            writeln!(out, "  note      {note}")?;
        }
    }
    Ok(out)
}
