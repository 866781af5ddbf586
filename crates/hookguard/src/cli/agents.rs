//! `hookguard agents`: what hookguard knows of each agent, and what it can do there.

use std::fmt::Write;

use hookguard_adapter::{Effects, EventRow, Profile, Support};
use hookguard_core::EventKind;

use super::exit;
use super::output::print;
use crate::agents::AGENTS;

/// What each agent can be told, as hookguard knows it
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Print the whole profiles as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let profiles: Vec<&Profile> = AGENTS.iter().map(|adapter| adapter.profile()).collect();
    if arguments.json {
        print(&serde_json::to_string_pretty(&profiles)?)?;
        return Ok(exit::OK);
    }
    let mut out = String::new();
    for profile in profiles {
        let Profile { id, name, source, .. } = profile;
        writeln!(out, "{name} ({id}), as of {} on {}", source.agent_version, source.verified_on)?;
        for (moment, kind) in
            [("before a tool", EventKind::PreTool), ("after it", EventKind::PostTool), ("at stop", EventKind::Stop)]
        {
            let rows = profile.events.iter().filter(|row| row.kind == kind && row.registered.is_some());
            let abilities: Vec<String> = rows.map(abilities).collect();
            if !abilities.is_empty() {
                writeln!(out, "  {moment:<14}{}", abilities.join("; "))?;
            }
        }
        if let Some(trusting) = profile.trusting {
            writeln!(out, "  {:<14}{}. {}", "trust", trusting.until, trusting.how)?;
        }
        for unhooked in profile.unhooked {
            writeln!(out, "  {:<14}{} ({})", "not seen", unhooked.what, unhooked.advice)?;
        }
    }
    print(&out)?;
    Ok(exit::OK)
}

fn abilities(row: &EventRow) -> String {
    let classes = row.by_class.iter().map(|(class, effects)| format!("{class}: {}", words(effects)));
    let all = std::iter::once(words(&row.effects)).chain(classes).collect::<Vec<_>>().join("; ");
    format!("{} ({all})", row.native)
}

fn words(effects: &Effects) -> String {
    let Effects { deny, ask, rewrite, context, feedback, resume, note } = *effects;
    let named = [
        ("deny", deny),
        ("ask", ask),
        ("rewrite", rewrite),
        ("context", context),
        ("feedback", feedback),
        ("resume", resume),
        ("note", note),
    ];
    let able: Vec<String> = named
        .into_iter()
        .filter_map(|(word, support)| match support {
            Support::No => None,
            Support::Yes => Some(word.to_owned()),
            Support::Attended => Some(format!("{word} while a human is there")),
        })
        .collect();
    if able.is_empty() { "observed only".to_owned() } else { able.join(", ") }
}
