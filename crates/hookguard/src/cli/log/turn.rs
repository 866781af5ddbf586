//! `log turn`: what is known of a session's last turn, as stops are judged by it.

use std::fmt::Write;

use hookguard_core::{Event, EventKind};
use hookguard_judge::ledger::What;
use serde_json::json;

use crate::agents;
use crate::cli::exit;
use crate::cli::output::{Usage, print, visible};
use crate::ledger::{self, Whole};
use crate::state::session;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The agent
    agent: String,
    /// The session's id, as the agent spells it
    session: String,
    /// The agent's transcript of the session: it knows what hooks were not told
    #[arg(long, value_name = "FILE")]
    transcript: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<u8> {
    let adapter = agents::by_id(&arguments.agent)
        .ok_or_else(|| Usage(format!("no agent is called {:?}; known are: {}", arguments.agent, agents::ids())))?;
    let mut event = Event::new(EventKind::Stop, adapter.profile().id, "", b"");
    event.session = Some(arguments.session.clone());
    event.transcript.clone_from(&arguments.transcript);
    let turn = session::folder(surroundings, &event).and_then(|folder| ledger::turn(&folder)).unwrap_or_default();
    let Whole { turn, said } = ledger::whole(turn, adapter, &event);
    if arguments.json {
        print(&json!({ "records": turn.records, "said": said.texts, "said_all": said.complete }).to_string())?;
        return Ok(exit::OK);
    }
    let mut out = String::new();
    for record in &turn.records {
        line(&mut out, &record.what)?;
    }
    for text in &said.texts {
        writeln!(out, "said         {}", visible(text))?;
    }
    print(&out)?;
    Ok(exit::OK)
}

fn line(out: &mut String, what: &What) -> std::fmt::Result {
    let result = |ok: &Option<bool>| match ok {
        Some(true) => "ok",
        Some(false) => "failed",
        None => "?",
    };
    match what {
        What::Turn { prompt } => writeln!(out, "prompt       {}", visible(prompt)),
        What::Edit { files, ok, .. } => writeln!(out, "edit {:<7} {}", result(ok), visible(&files.join(", "))),
        What::Command { command, ok, background, .. } => {
            let where_to = if *background { "  (in the background)" } else { "" };
            writeln!(out, "ran  {:<7} {}{where_to}", result(ok), visible(command))
        }
        What::Subagent { report } => writeln!(out, "subagent     {}", visible(report)),
        What::Stop { resumed } => writeln!(out, "stop {}", if *resumed { "resumed" } else { "" }),
    }
}
