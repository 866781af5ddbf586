//! `hookguard judge facts`: the facts that a judge's file can name.

use std::fmt::Write as _;

use hookguard_judge::Fact;
use strum::{EnumMessage as _, IntoEnumIterator as _};

use super::super::exit;
use super::super::output::{json, print};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the rows of a table in Markdown, for the documents
    #[arg(long)]
    markdown: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let about =
        |fact: &Fact| fact.get_documentation().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let facts: Vec<(String, String)> = Fact::iter().map(|fact| (fact.to_string(), about(&fact))).collect();
    if arguments.json {
        let named = facts.iter().map(|(name, about)| serde_json::json!({ "name": name, "about": about }));
        print(&json(&named.collect::<Vec<_>>())?)?;
        return Ok(exit::OK);
    }
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = if arguments.markdown { "| fact | holds when |\n|---|---|\n".to_owned() } else { String::new() };
    for (name, about) in facts {
        match arguments.markdown {
            true => writeln!(out, "| `{name}` | {} |", about.trim_end_matches('.'))?,
            false => writeln!(out, "{name:<width$}  {about}")?,
        }
    }
    print(&out)?;
    Ok(exit::OK)
}
