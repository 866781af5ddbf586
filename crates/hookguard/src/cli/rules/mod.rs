//! `hookguard rules`: the rules, for people and for a model's own instructions.

mod block;
mod page;

use std::fmt::Write;
use std::path::PathBuf;

use clap::Subcommand;
use hookguard_core::Level;
use hookguard_policy::{Rule, builtin};
use serde::Serialize;

use super::output::{Usage, print, say};
use super::{exit, settings};
use crate::config;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Write them as JSON
    #[arg(long, group = "form")]
    json: bool,
    /// Write all pages as one Markdown document, as docs/rules.md has it
    #[arg(long, group = "form")]
    markdown: bool,
    /// Keep them in an agent's instructions (AGENTS.md, CLAUDE.md), in a marked block
    #[arg(long, value_name = "FILE", group = "form")]
    write: Option<PathBuf>,
    /// With --write: take the block out again
    #[arg(long, requires = "write")]
    remove: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Show one rule: what it catches, why, what to do instead, and examples
    Show {
        /// The rule's id, such as git.push.force
        id: String,
    },
}

/// A rule as it counts here.
#[derive(Debug, Clone, Copy)]
struct Listed {
    rule: &'static Rule,
    level: Level,
    /// Whether a configuration says so, and not the rule itself.
    set: bool,
}

/// The built-in rules and those of the configuration, as seriously as this place takes them.
fn listed() -> Vec<Listed> {
    let surroundings = Surroundings::of_process();
    let read = config::read(&surroundings, settings::project(&surroundings).as_deref());
    let own = config::of_read(&read).settings.rules;
    let own = (0..u16::MAX).map_while(|at| own?.get(at));
    let level = |rule: &'static Rule| {
        let valued = read.stack.levels.get(rule.id);
        let set =
            valued.and_then(|valued| valued.origin.as_ref()).is_some_and(|origin| origin.path.starts_with("rules."));
        Listed { rule, level: valued.map_or(Level::Observe, |valued| valued.value), set }
    };
    builtin().iter().chain(own).map(level).collect()
}

/// A rule, for `--json`.
#[derive(Debug, Serialize)]
struct Row {
    id: &'static str,
    level: String,
    /// The rule's own level, where a configuration sets another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    own_level: Option<String>,
    what: Vec<String>,
    reason: &'static str,
    instead: &'static str,
    limits: Vec<&'static str>,
    examples: Examples,
}

#[derive(Debug, Serialize)]
struct Examples {
    deny: &'static [&'static str],
    ask: &'static [&'static str],
    allow: &'static [&'static str],
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    if let Some(Verb::Show { id }) = &arguments.verb {
        let rules = listed();
        let found = rules.iter().find(|listed| listed.rule.id == id.as_str());
        let Listed { rule, level, set } = found.ok_or_else(|| Usage(unknown(id, &rules)))?;
        print(&page::text(rule, *level, *set))?;
    } else if let Some(file) = &arguments.write {
        write(file, arguments.remove)?;
    } else if arguments.markdown {
        print(&page::document(builtin()))?;
    } else if arguments.json {
        let row = |Listed { rule, level, set }: Listed| Row {
            id: rule.id,
            level: level.to_string(),
            own_level: set.then(|| rule.level.to_string()),
            what: page::what(rule),
            reason: rule.reason,
            instead: rule.instead,
            limits: page::limits(rule),
            examples: Examples { deny: rule.examples.deny, ask: rule.examples.ask, allow: rule.examples.allow },
        };
        print(&serde_json::to_string_pretty(&listed().into_iter().map(row).collect::<Vec<_>>())?)?;
    } else {
        print(&list()?)?;
    }
    Ok(exit::OK)
}

fn list() -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let rules = listed();
    let width = rules.iter().map(|listed| listed.rule.id.len()).max().unwrap_or_default();
    for Listed { rule, level, set } in &rules {
        // What a configuration has set is marked.
        let level = format!("{level}{}", if *set { "*" } else { "" });
        writeln!(out, "{:<width$}  {level:<5} {}", rule.id, rule.reason)?;
    }
    if rules.iter().any(|listed| listed.set) {
        writeln!(out, "\n* set by a configuration: `hookguard config show --origin` says by which")?;
    }
    Ok(out)
}

/// The family that was meant, if one can be seen.
fn unknown(id: &str, rules: &[Listed]) -> String {
    let family = id.split('.').next().unwrap_or_default();
    let ids = rules.iter().map(|listed| listed.rule.id);
    let near: Vec<_> = ids.filter(|known| known.split('.').next() == Some(family)).collect();
    match near.is_empty() {
        true => format!("no rule is called {id:?}; `hookguard rules` lists them"),
        false => format!("no rule is called {id:?}; of that family there are: {}", near.join(", ")),
    }
}

fn write(file: &PathBuf, remove: bool) -> anyhow::Result<()> {
    let path = std::path::absolute(file)?;
    let before = match std::fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Usage(format!("failed to read {}: {error}", path.display())).into()),
    };
    let text = before.as_deref().map(std::str::from_utf8).transpose();
    let text = text.map_err(|error| Usage(format!("failed to read {}: {error}", path.display())))?;
    let after = if remove { block::without(text) } else { block::with(text, &block::made(&listed())).map(Some) };
    let after = after.map_err(|why| Usage(format!("failed to edit {}: {why}", path.display())))?;
    let changed = after.as_deref() != text;
    if changed {
        settings::put(&path, before.as_deref(), after.as_deref().map(str::as_bytes))?;
    }
    let said = match (changed, remove) {
        (false, _) => "nothing changed in",
        (true, false) => "the rules stand in",
        (true, true) => "the rules are out of",
    };
    say(&format!("{said} {}", path.display()));
    Ok(())
}
