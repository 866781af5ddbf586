//! `hookguard judge --batch`: cases as JSON lines in, rulings as JSON lines out.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use hookguard_adapter::decode;
use hookguard_judge::layer1::Layer;
use hookguard_judge::turn::{Command, Deed, EditedFile, Turn};
use hookguard_judge::{Facts, Judge, facts};
use serde::{Deserialize, Serialize};

use super::super::exit;
use super::super::output::Usage;
use crate::judge::Says;
use crate::judge::bench::{Bench, verification};
use crate::judge::panel::Panel;
use hookguard_config::Judges;

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    id: serde_json::Value,
    judge: Option<String>,
    text: Option<String>,
    session: Option<Session>,
}

/// A turn as a file of cases tells it.
#[derive(Deserialize)]
struct Session {
    user: String,
    #[serde(default)]
    events: Vec<Event>,
    #[serde(rename = "final", default)]
    last: String,
}

#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Event {
    Edit {
        path: String,
        #[serde(default)]
        added: String,
        ok: Option<bool>,
    },
    Shell {
        cmd: String,
        exit: Option<i32>,
        #[serde(default)]
        out: String,
    },
    Read {
        path: String,
    },
    Say {
        text: String,
    },
    Background {
        cmd: String,
    },
    Subagent {
        report: String,
    },
    #[serde(other)]
    Other,
}

impl Session {
    fn turn(&self) -> Turn {
        let deed = |event: &Event| {
            Some(match event {
                Event::Edit { path, added, ok } => Deed::Edit {
                    files: vec![EditedFile { path: path.clone(), added: added.clone(), cut: false }],
                    ok: *ok,
                },
                Event::Shell { cmd, exit, out } => Deed::Command(Command {
                    command: cmd.clone(),
                    exit: *exit,
                    output: out.clone(),
                    ..Command::default()
                }),
                Event::Background { cmd } => {
                    Deed::Command(Command { command: cmd.clone(), background: true, ..Command::default() })
                }
                Event::Read { path } => Deed::Read { paths: vec![path.clone()] },
                Event::Say { text } => Deed::Said(text.clone()),
                Event::Subagent { report } => Deed::Subagent { report: report.clone() },
                Event::Other => return None,
            })
        };
        Turn { prompt: Some(self.user.clone()), deeds: self.events.iter().filter_map(deed).collect() }
    }

    /// What the assistant said in the turn.
    fn texts(&self) -> Vec<String> {
        let said = |event: &Event| if let Event::Say { text } = event { Some(text.clone()) } else { None };
        self.events.iter().filter_map(said).chain([self.last.clone()]).collect()
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a serde_json::Value,
    verdict: Says,
    layer: String,
    fields: &'a serde_json::Map<String, serde_json::Value>,
}

#[derive(Serialize)]
struct Answers<'a> {
    id: &'a serde_json::Value,
    verdicts: serde_json::Map<String, serde_json::Value>,
    layers: serde_json::Map<String, serde_json::Value>,
}

pub(super) fn run(settings: &Judges) -> anyhow::Result<u8> {
    let bench = Bench::of(settings);
    let judges = bench.judges();
    let verification = verification(settings);
    let all: Vec<&Judge<'_>> = judges.iter().collect();
    // Nothing is kept: the same line twice is asked twice.
    let panel = Panel { settings, state: None };
    let until = || Instant::now() + Duration::from_millis(settings.deadline_ms);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (number, line) in std::io::stdin().lock().split(b'\n').enumerate() {
        let bytes = line.context("failed to read standard input")?;
        let line = decode(&bytes);
        if line.trim().is_empty() {
            continue;
        }
        let fault = |why: String| Usage(format!("failed to read line {} of standard input: {why}", number + 1));
        let case: Case = serde_json::from_str(&line).map_err(|error| fault(error.to_string()))?;
        match (&case.session, &case.text) {
            (Some(session), _) => {
                let found = facts(&session.turn(), &verification);
                let asked = panel.rule(&all, &session.texts().join("\n\n"), &found, until());
                let verdicts = asked.rulings.iter().map(|one| Ok((one.judge.clone(), serde_json::to_value(one.says)?)));
                let layers = asked.rulings.iter().map(|one| (one.judge.clone(), one.layer.to_string().into()));
                let answers = Answers {
                    id: &case.id,
                    verdicts: verdicts.collect::<anyhow::Result<_>>()?,
                    layers: layers.collect(),
                };
                serde_json::to_writer(&mut out, &answers)?;
            }
            (None, Some(said)) => {
                let wanted = |judge: &&Judge<'_>| case.judge.as_deref().is_none_or(|id| id == judge.id);
                let wanted: Vec<&Judge<'_>> = judges.iter().filter(wanted).collect();
                let asked = panel.rule(&wanted, said, &Facts::unknown(), until());
                // Put to several, the one that objects most answers; of those that let it go, one that had to be asked.
                let ruling = asked.rulings.iter().min_by_key(|one| (one.says as u8, one.layer != Layer::Judge));
                let ruling = ruling.ok_or_else(|| fault(format!("no judge is called {:?}", case.judge)))?;
                let layer = ruling.layer.to_string();
                let answer = Answer { id: &case.id, verdict: ruling.says, layer, fields: &ruling.fields };
                serde_json::to_writer(&mut out, &answer)?;
            }
            (None, None) => return Err(fault("neither \"text\" nor \"session\" is given".to_owned()).into()),
        }
        // Whoever waits for one answer before the next question gets it.
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(exit::OK)
}
