//! `hookguard explain`: how a command line is read, what each rule finds, and what each agent would be told.

use std::fmt::Write;

use hookguard_core::Event;
use hookguard_policy::Outcome;
use hookguard_shell::{Command, Cwd, Reading, Via};
use serde_json::{Value, json};

use super::check::{PlaceArguments, code, event};
use super::output::print;
use crate::agents::AGENTS;
use crate::pipeline::{decide_at, fitted};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The command line
    command: String,
    /// Write everything as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = arguments.place.surroundings();
    let event = event(&arguments.command, surroundings.cwd.clone());
    let place = arguments.place.place(&surroundings, &event, arguments.place.policy(&surroundings)?);
    let outcome = decide_at(&event, &place);
    print(&if arguments.json {
        serde_json::to_string_pretty(&as_json(&event, &outcome, place.root.as_deref()))?
    } else {
        as_text(&event, &outcome, place.root.as_deref())?
    })?;
    Ok(code(outcome.verdict.decision))
}

/// What each agent would see: standard output of the hook, with and without a human present.
fn answers(event: &Event<'_>, outcome: &Outcome) -> Vec<(String, String)> {
    let mut answers = Vec::new();
    for adapter in AGENTS {
        let profile = adapter.profile();
        let Some(row) = profile.events.iter().find(|row| row.kind == event.kind) else { continue };
        let mut seen = Vec::new();
        for (attended, how) in [(true, "a human present"), (false, "nobody present")] {
            let event = Event { native_event: row.native.to_owned(), attended, ..event.clone() };
            let reply = adapter.render(&event, &fitted(*adapter, &event, outcome));
            seen.push((how, if reply.stdout.is_empty() { "nothing".to_owned() } else { reply.stdout }));
        }
        match seen.as_slice() {
            [(_, with), (_, without)] if with == without => answers.push((profile.name.to_owned(), with.clone())),
            _ => answers.extend(seen.into_iter().map(|(how, text)| (format!("{}, {how}", profile.name), text))),
        }
    }
    answers
}

fn as_text(event: &Event<'_>, outcome: &Outcome, root: Option<&str>) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "project  {}", root.unwrap_or("none"))?;
    let empty = Reading::default();
    let reading = outcome.reading.as_ref().unwrap_or(&empty);
    writeln!(out, "reads as")?;
    for (index, command) in reading.commands.iter().enumerate() {
        writeln!(out, "  {:<3} {}{}", index + 1, chain(&command.via), line(command))?;
    }
    for error in &reading.errors {
        writeln!(out, "  !   {} at byte {}", error.what, error.at)?;
    }
    writeln!(out, "finds")?;
    for finding in &outcome.findings {
        let of = finding.command.map_or_else(String::new, |index| format!(" in {}", index + 1));
        writeln!(out, "  {} {}{of}: {}", finding.decision, finding.rule, finding.evidence)?;
        writeln!(out, "      {}\n      instead: {}", finding.reason, finding.instead)?;
    }
    if outcome.findings.is_empty() {
        writeln!(out, "  nothing")?;
    }
    writeln!(out, "verdict  {} {}", outcome.verdict.decision, outcome.verdict.rule)?;
    for (agent, answer) in answers(event, outcome) {
        writeln!(out, "tells {agent}\n  {answer}")?;
    }
    Ok(out)
}

fn chain(via: &[Via]) -> String {
    via.iter().fold(String::new(), |chain, via| {
        let name = if via.program.is_empty() { format!("{:?}", via.step).to_lowercase() } else { via.program.clone() };
        chain + &name + " → "
    })
}

fn line(command: &Command) -> String {
    let mut words: Vec<String> =
        command.assignments.iter().map(|set| format!("{}={}", set.name, set.value.display())).collect();
    words.extend(command.argv.iter().map(hookguard_shell::Word::display));
    words.extend(command.redirects.iter().map(|redirect| format!("{:?}:{}", redirect.kind, redirect.target.display())));
    if command.cwd == Cwd::Unknown {
        words.push("(in an unknown folder)".to_owned());
    }
    words.join(" ")
}

fn as_json(event: &Event<'_>, outcome: &Outcome, root: Option<&str>) -> Value {
    let commands = outcome.reading.iter().flat_map(|reading| &reading.commands).map(|command| {
        let cwd = match &command.cwd {
            Cwd::Known(cwd) => Some(cwd),
            Cwd::Unknown => None,
        };
        let chain: Vec<String> = command.via.iter().map(|via| format!("{:?} {}", via.step, via.program)).collect();
        json!({
            "argv": command.argv.iter().map(hookguard_shell::Word::display).collect::<Vec<_>>(),
            "cwd": cwd,
            "via": chain,
            "span": [command.span.start, command.span.end],
        })
    });
    let errors = outcome.reading.iter().flat_map(|reading| &reading.errors);
    json!({
        "project": root,
        "commands": commands.collect::<Vec<_>>(),
        "errors": errors.map(|error| json!({"at": error.at, "what": error.what})).collect::<Vec<_>>(),
        "findings": outcome.findings,
        "verdict": outcome.verdict,
        "agents": answers(event, outcome).into_iter().map(|(agent, answer)| json!({"agent": agent, "stdout": answer})).collect::<Vec<_>>(),
    })
}
