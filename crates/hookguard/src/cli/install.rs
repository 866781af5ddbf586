//! `hookguard install` and `hookguard uninstall`: an agent's settings, byte for byte.

use hookguard_adapter::settings::diff::unified;
use hookguard_adapter::{PlanRequest, Scope};

use super::exit;
use super::output::{Usage, print, say};
use super::settings;
use crate::agents;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The agent
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments, remove: bool) -> anyhow::Result<u8> {
    let adapter = agents::by_id(&arguments.agent)
        .ok_or_else(|| Usage(format!("no agent is called {:?}; known are: {}", arguments.agent, agents::ids())))?;
    let profile = adapter.profile();
    let surroundings = Surroundings::of_process();
    let files = settings::read(profile, Scope::User, &surroundings)?;
    let (binary, journal) = (settings::binary()?, settings::journal(&surroundings));
    let ask = PlanRequest { scope: Scope::User, binary: &binary, remove, journal: &journal };
    let plan = adapter.plan(&ask, &files).map_err(|error| Usage(in_full(&error)))?;

    for edit in &plan.edits {
        if arguments.dry_run {
            print(&unified(&edit.path, edit.before.as_deref(), edit.after.as_deref()))?;
        } else {
            settings::write(edit, &surroundings)?;
        }
    }
    if !arguments.dry_run {
        let state = match (plan.edits.first(), remove) {
            (None, false) => "was installed already; nothing changed".to_owned(),
            (None, true) => "was not installed; nothing changed".to_owned(),
            (Some(edit), false) => format!("now calls hookguard ({})", edit.path),
            (Some(edit), true) => format!("no longer calls hookguard ({})", edit.path),
        };
        say(&format!("{} {state}", profile.name));
        for note in &plan.notes {
            say(note);
        }
    }
    Ok(exit::OK)
}

/// An error with everything that led to it.
fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        if !text.contains(&cause.to_string()) {
            text = format!("{text}: {cause}");
        }
        source = cause.source();
    }
    text
}
