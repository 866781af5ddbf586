//! One text, put to one judge or to all, or a question of one's own.

use std::fmt::Write as _;
use std::io::Read as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use hookguard_adapter::decode;
use hookguard_judge::backend::Kind;
use hookguard_judge::prompt::{fields_of, own};
use hookguard_judge::{Facts, Judge};

use super::super::exit;
use super::super::output::{Usage, json, print, say, visible};
use super::{Arguments, request};
use crate::judge::bench::Bench;
use crate::judge::panel::Panel;
use crate::judge::{Asked, Says};
use hookguard_config::Judges;

pub(super) fn run(arguments: &Arguments, settings: &Judges) -> anyhow::Result<u8> {
    let bench = Bench::of(settings);
    let judges = bench.judges();
    let wanted = |judge: &&Judge<'_>| arguments.judge.as_deref().is_none_or(|id| id == judge.id);
    let wanted: Vec<&Judge<'_>> = judges.iter().filter(wanted).collect();
    if wanted.is_empty() {
        let ids: Vec<&str> = judges.iter().map(|judge| judge.id).collect();
        let name = arguments.judge.as_deref().unwrap_or_default();
        return Err(Usage(format!("no judge is called {name:?}; there are: {}", ids.join(", "))).into());
    }
    let text = std::io::stdin().lock();
    let mut bytes = Vec::new();
    text.take(MAX_TEXT).read_to_end(&mut bytes).context("failed to read standard input")?;
    let text = decode(&bytes);
    let Some(file) = &arguments.prompt else { return put(arguments, settings, &wanted, &text) };

    let prompt = std::fs::read_to_string(file).map_err(|error| Usage(format!("{}: {error}", file.display())))?;
    let mut settings = settings.clone();
    settings.backends.retain(|backend| backend.kind != Kind::Builtin);
    if settings.backends.is_empty() {
        let why =
            "a question of your own needs a model: name a --backend, or a file with judge.backends by HOOKGUARD_CONFIG";
        return Err(Usage(why.to_owned()).into());
    }
    let asks = match arguments.judge {
        Some(_) => Judge { prompt: &prompt, ..wanted[0].clone() },
        None => own("prompt", &prompt, &fields_of(&prompt)),
    };
    if asks.fields.is_empty() {
        let why =
            "the prompt names no field: write each as \"name\": true|false, or name a --judge whose fields it is about";
        return Err(Usage(why.to_owned()).into());
    }
    put(arguments, &settings, &[&asks], &text)
}

/// The longest text that is read, in bytes.
const MAX_TEXT: u64 = 32 << 20;

fn put(arguments: &Arguments, settings: &Judges, judges: &[&Judge<'_>], text: &str) -> anyhow::Result<u8> {
    if arguments.show_request {
        return request::show(settings, judges, text, arguments.json);
    }
    let panel = Panel { settings, state: None };
    let facts = Facts::unknown();
    let until = Instant::now() + Duration::from_millis(settings.deadline_ms);
    // A question of one's own has no words or facts that could settle it.
    let asked = if arguments.ask || arguments.prompt.is_some() {
        panel.ask(judges, text, &facts, until)
    } else {
        panel.rule(judges, text, &facts, until)
    };
    if arguments.json {
        print(&json(&asked)?)?;
    } else {
        show(&asked)?;
    }
    let strictest = asked.rulings.iter().map(|ruling| ruling.says).min_by_key(|says| *says as u8);
    Ok(match strictest {
        Some(Says::Violation) => exit::DENIED,
        Some(Says::Advise) => exit::ASK,
        Some(Says::Allow) | None if !asked.rulings.iter().any(|ruling| ruling.says == Says::Fail) => exit::OK,
        _ => exit::INTERNAL,
    })
}

fn show(asked: &Asked) -> anyhow::Result<()> {
    let mut out = String::new();
    for ruling in &asked.rulings {
        let says = match ruling.says {
            Says::Violation => "violation",
            Says::Advise => "advise",
            Says::Allow => "allow",
            Says::Fail => "fail",
        };
        writeln!(out, "{}: {says} ({})", ruling.judge, ruling.layer)?;
        let fields: Vec<String> = ruling.fields.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if !fields.is_empty() {
            writeln!(out, "  {}", fields.join(", "))?;
        }
        if let Some(reason) = &ruling.reason {
            writeln!(out, "  because: {}", visible(reason))?;
        }
    }
    print(&out)?;
    for failed in &asked.tries {
        say(&format!("{} gave no verdict: {}", failed.backend, visible(&failed.why)));
    }
    if let Some(backend) = &asked.backend {
        let model = asked.model.as_ref().map(|model| format!(", model {model}")).unwrap_or_default();
        say(&format!("asked {backend}{model}: {} ms", asked.latency_ms));
    }
    for (kind, count) in &asked.redactions {
        say(&format!("taken out before it was sent: {count} of kind {kind}"));
    }
    if asked.injection_suspected {
        say("the text holds a verdict of its own, or imitates the markers around it");
    }
    Ok(())
}
