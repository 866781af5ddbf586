//! `hookguard check`: judge a command line without running it, one or many.

use std::io::{BufRead, Read as _, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use hookguard_adapter::decode;
use hookguard_config::Policy;
use hookguard_core::{Decision, Event, EventKind, Mode, ToolCall};
use hookguard_policy::{Outcome, Question};
use serde::{Deserialize, Serialize};

use super::output::{Usage, json, print, say, visible};
use super::{exit, settings};
use crate::config;
use crate::pipeline::{Place, decide_at};
use crate::surroundings::Surroundings;
use crate::world;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The command line, quoted as one word; `-` reads it from standard input
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    command: Option<String>,
    /// Read JSON lines {"id", "cmd", "cwd"?} from standard input, write {"id", "decision", "rule", "evidence"?, "questions"?,
    /// "may_settle"?}: what was seen, what would be asked of the disk, and whether that could make the verdict milder; the disk
    /// is not looked at
    #[arg(long)]
    batch: bool,
    /// Write the verdict as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Where a command is judged, where that is not here.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct PlaceArguments {
    /// The project's root [default: as the hook would find it]
    #[arg(long, value_name = "DIR")]
    project_root: Option<String>,
    /// The home folder [default: $HOME]
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    home: Option<String>,
    /// The working directory [default: the current one, or the project's root if that is given]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// A configuration to judge by, instead of the files of this place [default: $HOOKGUARD_CONFIG, else those files]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// A folder that is named from the root: any other would be nobody's home.
pub(super) fn absolute(folder: &str) -> Result<String, String> {
    if folder.starts_with('/') { Ok(folder.to_owned()) } else { Err("it must be an absolute path".to_owned()) }
}

impl PlaceArguments {
    /// The surroundings that the arguments describe.
    pub(super) fn surroundings(&self) -> Surroundings {
        let mut surroundings = match &self.home {
            Some(home) => Surroundings::of_home(home),
            None => Surroundings::of_process(),
        };
        if let Some(cwd) = self.cwd.as_ref().or(self.project_root.as_ref()) {
            surroundings.cwd = Some(cwd.clone());
        }
        surroundings
    }

    /// Whether it is this machine's own place: only there the disk is looked at.
    fn is_here(&self) -> bool {
        self.project_root.is_none() && self.home.is_none()
    }

    /// The configuration to judge by: the one that is named, else this place's files, else none.
    ///
    /// # Errors
    /// The one that is named can't be used.
    pub(super) fn policy(&self, surroundings: &Surroundings) -> anyhow::Result<&'static Policy> {
        let read = self.read(surroundings)?;
        for text in read.iter().flat_map(told) {
            say(&format!("note: {}", visible(&text)));
        }
        Ok(read.as_ref().map_or(&hookguard_config::BUILTIN, config::of_read))
    }

    /// The files of that configuration; none where the built-in policy alone holds.
    ///
    /// # Errors
    /// As for [`PlaceArguments::policy`].
    pub(super) fn read(&self, surroundings: &Surroundings) -> anyhow::Result<Option<config::Read>> {
        let here = || config::read(surroundings, settings::project(surroundings).as_deref());
        let named = config::named(self.config.as_deref()).transpose().map_err(Usage)?;
        Ok(named.or_else(|| self.is_here().then(here)))
    }

    /// The place of `event` in the surroundings, judged by `policy`.
    pub(super) fn place<'a>(&self, surroundings: &'a Surroundings, event: &Event<'_>, policy: &'a Policy) -> Place<'a> {
        let found = || world::project_root(event, surroundings.cwd.as_deref(), surroundings.home.as_deref());
        let root = self.project_root.clone().or_else(found);
        Place { surroundings, root, look: self.is_here(), settings: &policy.settings }
    }
}

/// What a person who judges by a configuration should know of it.
fn told(read: &config::Read) -> Vec<String> {
    let mut all: Vec<String> = read.notices().into_iter().map(|notice| notice.text).collect();
    let asked: Vec<&str> = read.stack.policies.iter().map(|(policy, _)| policy.id.as_str()).collect();
    if !asked.is_empty() {
        all.push(format!("the hook also asks {}, which is not run here", asked.join(", ")));
    }
    if read.stack.mode.value == Mode::Observe {
        all.push("the policy is only observed here: the hook stops nothing".to_owned());
    }
    all
}

/// A command line about to run, reported by nobody in particular.
pub(super) fn event(command: &str, cwd: Option<String>) -> Event<'static> {
    let mut event = Event::new(EventKind::PreTool, "check", "check", b"");
    event.tool = Some(ToolCall::shell(command));
    event.cwd = cwd;
    event
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = arguments.place.surroundings();
    let policy = arguments.place.policy(&surroundings)?;
    let typed = match arguments.command.as_deref() {
        Some("-") => Some(read_command()?),
        command => command.map(str::to_owned),
    };
    let Some(command) = &typed else { return batch(&arguments.place, &surroundings, policy) };
    let event = event(command, surroundings.cwd.clone());
    let outcome = decide_at(&event, &arguments.place.place(&surroundings, &event, policy));
    print(&if arguments.json { json(&outcome.verdict)? } else { text(&outcome) })?;
    // What is only observed is stopped by nobody.
    Ok(if outcome.mode == Mode::Observe { exit::OK } else { code(outcome.verdict.decision) })
}

/// The command line on standard input.
fn read_command() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("failed to read standard input")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The exit code for a decision.
pub(super) fn code(decision: Decision) -> u8 {
    match decision {
        Decision::None | Decision::Allow | Decision::Warn => exit::OK,
        Decision::Ask => exit::ASK,
        Decision::Deny => exit::DENIED,
    }
}

fn text(outcome: &Outcome) -> String {
    let verdict = &outcome.verdict;
    match verdict.decision {
        Decision::None | Decision::Allow => "allow".to_owned(),
        decision => format!(
            "{decision}{}  {}\n  {}\n  what    {}\n  instead {}",
            if outcome.mode == Mode::Observe { " (only observed)" } else { "" },
            visible(&verdict.rule),
            visible(&verdict.reason),
            visible(&verdict.evidence),
            visible(&verdict.instead)
        ),
    }
}

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    id: serde_json::Value,
    cmd: String,
    cwd: Option<String>,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a serde_json::Value,
    decision: &'static str,
    rule: Option<&'a str>,
    /// The part of the command that the rule saw.
    #[serde(skip_serializing_if = "str::is_empty")]
    evidence: &'a str,
    /// What a look at the disk could settle.
    #[serde(skip_serializing_if = "<[Question]>::is_empty")]
    questions: &'a [Question],
    /// Whether that could make the verdict milder.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    may_settle: bool,
}

fn batch(place: &PlaceArguments, surroundings: &Surroundings, policy: &Policy) -> anyhow::Result<u8> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut stdin = std::io::stdin().lock();
    let mut bytes = Vec::new();
    for number in 0.. {
        bytes.clear();
        if stdin.read_until(b'\n', &mut bytes).context("failed to read standard input")? == 0 {
            break;
        }
        // As the hook reads a payload: bytes that are no text, and halves of characters, are judged as they will arrive.
        let line = decode(&bytes);
        if line.trim().is_empty() {
            continue;
        }
        let case: Case = serde_json::from_str(&line).map_err(|error| {
            Usage(format!(
                "failed to read line {} of standard input: {error}; each line is {{\"id\", \"cmd\", \"cwd\"?}}",
                number + 1
            ))
        })?;
        let event = event(&case.cmd, case.cwd.clone().or_else(|| surroundings.cwd.clone()));
        let outcome = decide_at(&event, &Place { look: false, ..place.place(surroundings, &event, policy) });
        let rule = outcome.verdict.rule.as_ref();
        let decision = match outcome.verdict.decision {
            Decision::None | Decision::Allow | Decision::Warn => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        };
        let answer = Answer {
            id: &case.id,
            decision,
            rule: (!rule.is_empty()).then_some(rule),
            evidence: &outcome.verdict.evidence,
            questions: &outcome.questions,
            may_settle: outcome.questions.iter().any(Question::may_settle),
        };
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(exit::OK)
}
