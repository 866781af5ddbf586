//! `hookguard trust`: the user's word for what a project's files loosen or run.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use hookguard_adapter::settings::diff::unified;
use hookguard_config::ContentHash;

use super::output::{Usage, agreed, print, say, visible_lines};
use super::{exit, human, settings};
use crate::config::{self, Found, Read, trust};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// One of the project's files [default: hookguard.toml and hookguard.local.toml]
    file: Option<PathBuf>,
    /// Take your word back
    #[arg(long, conflicts_with = "hash")]
    revoke: bool,
    /// Print the files' hashes, for `trusted` in an administrator's managed.toml; nothing is trusted
    #[arg(long)]
    hash: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let root = settings::project(&surroundings).context(Usage(
        "there is no project here: no folder with a .git at or above this one, and it is HOME or above it".to_owned(),
    ))?;
    let read = config::read(&surroundings, Some(&root));
    let files = chosen(&read, arguments.file.as_deref())?;
    if arguments.hash {
        for file in files {
            print(&format!("{}  {}", ContentHash::of(file.bytes.as_deref().unwrap_or_default()), file.path.display()))?;
        }
        return Ok(exit::OK);
    }
    let state = config::state(&surroundings, Some(&root)).context(Usage(
        "there is no state folder to keep your word in: HOME is not set, or the state folder lies inside the project"
            .to_owned(),
    ))?;
    // Taking it back only makes the policy stricter: anybody may.
    if arguments.revoke {
        for file in files {
            let was = trust::unpin(state, &file.path)
                .with_context(|| format!("failed to take back the trust in {}", file.path.display()))?;
            say(&format!(
                "{} {}",
                file.path.display(),
                if was { "is not trusted any more" } else { "was not trusted" }
            ));
        }
        return Ok(exit::OK);
    }
    if let Some(why) = human::missing() {
        say(&format!("refused: {why}.\nOpen a terminal of your own, outside of any agent, and run it there."));
        return Ok(exit::DENIED);
    }
    for file in files {
        let done = one(&read, file, state)?;
        if done != exit::OK {
            return Ok(done);
        }
    }
    Ok(exit::OK)
}

/// The project's files that are there, or the one that is named.
fn chosen<'r>(read: &'r Read, named: Option<&Path>) -> anyhow::Result<Vec<&'r Found>> {
    let projects = read.files.iter().filter(|file| file.layer.is_projects());
    let Some(named) = named else {
        let there: Vec<&Found> = projects.filter(|file| file.bytes.is_some()).collect();
        if there.is_empty() {
            return Err(Usage("the project has no hookguard.toml; there is nothing to trust".to_owned()).into());
        }
        return Ok(there);
    };
    let same = |file: &&Found| match (file.path.canonicalize(), named.canonicalize()) {
        (Ok(file), Ok(named)) => file == named,
        _ => false,
    };
    let found = projects.filter(|file| file.bytes.is_some()).find(same).ok_or_else(|| {
        Usage(format!("{} is none of this project's files: hookguard.toml, hookguard.local.toml", named.display()))
    })?;
    Ok(vec![found])
}

/// Shows what is new in a file and asks.
fn one(read: &Read, file: &Found, state: &Path) -> anyhow::Result<u8> {
    let name = file.path.display();
    if let Some(fault) = &file.fault {
        return Err(Usage(format!("{name}:{}; mend it first", config::with_hint(fault))).into());
    }
    let bytes = file.bytes.as_deref().unwrap_or_default();
    let before = trust::content(Some(state), &file.path);
    if before.as_deref() == Some(bytes) {
        say(&format!("{name} is trusted as it is"));
        return Ok(exit::OK);
    }
    let held: Vec<_> = read.stack.held.iter().filter(|held| held.origin.layer == file.layer).collect();
    if held.is_empty() && before.is_none() {
        say(&format!("{name} only tightens the policy: it counts already, and needs nobody's word"));
        return Ok(exit::OK);
    }
    // What is trusted is what is shown, whatever happens to the file meanwhile.
    print(&visible_lines(&unified(&name.to_string(), before.as_deref(), Some(bytes))))?;
    for held in held {
        say(&visible_lines(&format!("{}: {}: {}", read.stack.place(&held.origin), held.what, held.why)));
    }
    if !agreed(&format!("Trust {name} with just this content?"))? {
        say("nothing was trusted");
        return Ok(exit::DENIED);
    }
    trust::pin(state, &file.path, bytes).with_context(|| format!("failed to keep the trust in {name}"))?;
    say(&format!("{name} is trusted; a change of it asks for your word again"));
    Ok(exit::OK)
}
