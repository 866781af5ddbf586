//! `hookguard judge new`: a judge's file to start from, with comments.

use std::path::PathBuf;

use super::super::output::{Usage, print, say};
use super::super::{exit, settings};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What it is called, in lower case and with hyphens: no-screenshot
    name: String,
    /// Where it is written [default: NAME.toml here]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print it and write nothing
    #[arg(long)]
    dry_run: bool,
}

const STARTER: &str = include_str!("starter.toml");

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let text = STARTER.replace("\"NAME\"", &format!("{:?}", arguments.name));
    // The name is the only thing that can be wrong with it.
    let file = hookguard_judge::judge::parse(&text).map_err(|fault| Usage(fault.to_string()))?;
    hookguard_judge::judge::distinct([file.id.as_str()]).map_err(|fault| Usage(fault.to_string()))?;
    if arguments.dry_run {
        print(&text)?;
        return Ok(exit::OK);
    }
    let path = arguments.file.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", arguments.name)));
    // A bare name lies in no folder that could be made.
    let path = std::path::absolute(&path)?;
    if path.symlink_metadata().is_ok() {
        return Err(Usage(format!("{} is there already; nothing was written", path.display())).into());
    }
    settings::put(&path, None, Some(text.as_bytes()))?;
    say(&format!("wrote {}\nEdit it, then: hookguard judge test {}", path.display(), path.display()));
    Ok(exit::OK)
}
