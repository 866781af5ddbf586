//! `hookguard init`: a commented file to start from, and what to do next for the agents that are here.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::output::{Usage, print, say};
use super::{exit, settings};
use crate::agents::AGENTS;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write the user's own file, for all projects, in place of the project's hookguard.toml
    #[arg(long)]
    user: bool,
    /// Print it and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// What is written: everything in it is a comment but the version, so nothing changes until somebody says so.
const STARTER: &str = include_str!("starter.toml");

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    if arguments.dry_run {
        print(STARTER)?;
        return Ok(exit::OK);
    }
    let file = target(arguments, &surroundings)?;
    if file.symlink_metadata().is_ok() {
        let what = format!("{} is there already; nothing was written. See `hookguard config show`", file.display());
        return Err(Usage(what).into());
    }
    settings::make_folders([file.to_string_lossy().as_ref()].into_iter())?;
    settings::put(&file, None, Some(STARTER.as_bytes()))?;
    say(&format!("wrote {}", file.display()));
    say(&next(&surroundings));
    Ok(exit::OK)
}

fn target(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<PathBuf> {
    if arguments.user {
        let folder =
            surroundings.config.as_ref().context(Usage("neither HOME nor XDG_CONFIG_HOME is set".to_owned()))?;
        return Ok(folder.join("config.toml"));
    }
    let root = settings::project(surroundings).context(Usage(
        "there is no project here: this folder is HOME or above it; `hookguard init --user` writes the user's own file"
            .to_owned(),
    ))?;
    Ok(Path::new(&root).join("hookguard.toml"))
}

/// What to do next.
fn next(surroundings: &Surroundings) -> String {
    let mut lines = vec!["Edit it, then: hookguard config validate && hookguard test".to_owned()];
    let here: Vec<&str> =
        AGENTS.iter().map(|adapter| adapter.profile()).filter(|of| surroundings.finds(of)).map(|of| of.id).collect();
    match here.as_slice() {
        [] => lines.push("No agent that hookguard knows was found here; `hookguard agents` lists them.".to_owned()),
        agents => lines.extend(agents.iter().map(|agent| format!("Found {agent}: hookguard install --agent {agent}"))),
    }
    lines.join("\n")
}
