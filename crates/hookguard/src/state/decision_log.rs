//! The decision log: a JSON line for each call, one file a day, redacted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hookguard_adapter::{Failure, Posture};
use hookguard_core::{Change, Event, Mode, ToolCall, clip};
use hookguard_judge::answer::Rung;
use hookguard_judge::layer1::Layer;
use hookguard_judge::{Fact, redact};
use hookguard_policy::Outcome;
use serde::Serialize;

use super::{append_line, now_ms};
use crate::hook::told_name;
use crate::judge::{Asked, Says};
use crate::pipeline::Judged;
use crate::surroundings::Surroundings;

/// How much of an id, a folder or a name is kept, in bytes.
const MAX_NAME_BYTES: usize = 512;
/// How much of a command is kept, in bytes.
const MAX_SUBJECT_BYTES: usize = 2048;

/// One line of the log. Fields are added, never renamed; absent ones are left out.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Entry {
    /// The format's version.
    pub(crate) v: u8,
    /// When, in milliseconds since 1970 (UTC).
    pub(crate) t: u64,
    pub(crate) agent: String,
    pub(crate) event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subagent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<String>,
    /// What the call was about: the command, the files, the address; redacted and cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<String>,
    /// How many secrets were taken out of it.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) redacted: usize,
    pub(crate) decision: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) rule: String,
    /// Rules that found something and are only observed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) observed: Vec<&'static str>,
    /// `observe` where the whole policy is only observed: the decision is what it would have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<&'static str>,
    /// What the agent was told.
    pub(crate) told: &'static str,
    /// What went wrong, or disagreed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// What settled each judge at a stop: signal, bypass, facts or judge. Those that found something have a line of their own
    /// ([`Ruled`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) judged: BTreeMap<String, Layer>,
    /// How long it took, in microseconds, from the start of `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) micros: Option<u128>,
}

/// A judge's ruling, as a line of its own: people mark each as right or wrong. What is quiet has none.
#[derive(Debug, Serialize)]
pub(crate) struct Ruled<'a> {
    v: u8,
    t: u64,
    agent: &'a str,
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    /// violation, advise, allow or fail.
    decision: Says,
    /// `judge.` and the judge's id.
    rule: String,
    /// What came of it: resume, note or nothing.
    told: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    judge: RuledBy,
}

/// How a ruling came about.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RuledBy {
    /// What settled it.
    pub(crate) layer: Layer,
    /// The booleans of the answer.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub(crate) fields: serde_json::Map<String, serde_json::Value>,
    /// Why, in the backend's words: redacted, for people only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The facts that held.
    pub(crate) facts: Vec<Fact>,
    /// The text that was judged, redacted.
    pub(crate) text: String,
    /// The call, where somebody was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) asked: Option<AskedBy>,
}

/// A call of a backend, as the log keeps it.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct AskedBy {
    /// Who answered; none where nobody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) backend: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// How long all tries took together, in milliseconds.
    pub(crate) ms: u64,
    /// Whether it was answered before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cached: bool,
    /// Who was tried, and why each failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tries: Vec<String>,
    /// How many secrets were taken out of what was sent, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) redactions: BTreeMap<String, usize>,
    /// By which step the answer was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read_by: Option<Rung>,
    /// Whether a boolean of it was a text.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) coerced: bool,
    /// Whether the text itself held a verdict, or imitated the markers around it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) injection_suspected: bool,
}

impl AskedBy {
    /// What the log keeps of it.
    pub(crate) fn of(asked: &Asked) -> AskedBy {
        AskedBy {
            backend: asked.backend.clone(),
            model: asked.model.clone(),
            ms: asked.latency_ms,
            cached: asked.cached,
            tries: asked.tries.iter().map(|of| format!("{}: {}", of.backend, of.why)).collect(),
            redactions: asked.redactions.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect(),
            read_by: asked.ladder,
            coerced: asked.coerced,
            injection_suspected: asked.injection_suspected,
        }
    }
}

impl<'a> Ruled<'a> {
    /// The line of a ruling of `judge` about `event`.
    pub(crate) fn of(event: &Event<'a>, judge: &str, decision: Says, told: &'static str, by: RuledBy) -> Ruled<'a> {
        Ruled {
            v: 1,
            t: now_ms(),
            agent: event.agent,
            event: short(&event.native_event),
            session: event.session.as_deref().map(short),
            turn: event.turn.as_deref().map(short),
            cwd: event.cwd.as_deref().map(short),
            decision,
            rule: format!("judge.{judge}"),
            told,
            note: None,
            judge: by,
        }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Entry {
    /// The entry of a call that was judged.
    pub(crate) fn of(event: &Event<'_>, judged: &Judged) -> Entry {
        let subject = event.tool.as_ref().and_then(subject);
        // A secret that begins in what is kept is looked for to its end.
        let subject = subject.map(|subject| clip(&subject, MAX_SUBJECT_BYTES + MAX_NAME_BYTES));
        let redacted = subject.as_deref().map(redact);
        Entry {
            session: event.session.as_deref().map(short),
            turn: event.turn.as_deref().map(short),
            call: event.call_id.as_deref().map(short),
            subagent: event.subagent.as_ref().map(|subagent| short(&subagent.id)),
            cwd: event.cwd.as_deref().map(short),
            tool: event.tool.as_ref().map(|tool| tool.class().to_string()),
            redacted: redacted.as_ref().map_or(0, |redacted| redacted.found.len()),
            subject: redacted.map(|redacted| clip(&redacted.text, MAX_SUBJECT_BYTES)),
            decision: judged.outcome.verdict.decision.to_string(),
            rule: judged.outcome.verdict.rule.to_string(),
            observed: observed(&judged.outcome),
            mode: (judged.outcome.mode == Mode::Observe).then_some("observe"),
            told: told_name(&judged.fitted.told),
            note: event.mismatch.as_deref().map(|note| short(&redact(note).text)),
            ..Entry::new(event.agent, &event.native_event)
        }
    }

    /// The entry of a call that could not be judged.
    pub(crate) fn of_failure(agent: &str, event: &str, failure: &Failure, posture: Posture) -> Entry {
        let (rule, why) = match failure {
            Failure::Unreadable(why) => ("hook.unreadable", why),
            Failure::Broken(how) => ("hook.failed", how),
        };
        // What the agent is told is the adapter's word: a question where a human is present, else a refusal.
        let told = match posture {
            Posture::Closed => "ask_or_deny",
            Posture::Open => "nothing",
        };
        Entry {
            decision: "failed".to_owned(),
            rule: rule.to_owned(),
            told,
            note: Some(why.clone()),
            ..Entry::new(agent, event)
        }
    }

    fn new(agent: &str, event: &str) -> Entry {
        Entry { v: 1, t: now_ms(), agent: agent.to_owned(), event: short(event), ..Entry::default() }
    }
}

fn observed(outcome: &Outcome) -> Vec<&'static str> {
    let mut rules: Vec<_> = outcome.findings.iter().filter(|of| of.observed).map(|of| of.rule).collect();
    rules.dedup();
    rules
}

/// Ids, folders and names as the agent gave them, cut: nobody says how long they are. They are not searched for secrets,
/// which would cost as much as the verdict.
fn short(text: &str) -> String {
    clip(text, MAX_NAME_BYTES)
}

/// What a call is about, in a line.
pub(crate) fn subject(tool: &ToolCall) -> Option<String> {
    Some(match tool {
        ToolCall::Shell { command, .. } => command.clone(),
        ToolCall::Edit { files } => {
            let name = |file: &hookguard_core::FileChange| match &file.change {
                Change::Move { to } => format!("{} -> {to}", file.path),
                _ => file.path.clone(),
            };
            files.iter().map(name).collect::<Vec<_>>().join(" ")
        }
        ToolCall::Read { paths } => paths.join(" "),
        ToolCall::Fetch { url } => url.clone(),
        ToolCall::Mcp { server, tool, .. } => format!("{server} {tool}"),
        ToolCall::Other { name, .. } => name.clone(),
        ToolCall::Input { .. } => return None,
    })
}

/// Today's file; none where there is no state folder.
pub(crate) fn file(surroundings: &Surroundings) -> Option<PathBuf> {
    let now = jiff::Timestamp::from_millisecond(i64::try_from(now_ms()).ok()?).ok()?;
    let day = jiff::tz::TimeZone::UTC.to_datetime(now).date();
    Some(surroundings.state.as_ref()?.join("log").join(format!("{day}.jsonl")))
}

/// The entry, or a judge's ruling, as a line.
pub(crate) fn line(entry: &impl Serialize) -> String {
    let mut line = serde_json::to_string(entry).unwrap_or_default();
    line.push('\n');
    line
}

/// Appends lines. A full disk, a missing folder or a forbidden one costs them, never the verdict.
pub(crate) fn append<'l>(surroundings: &Surroundings, lines: impl Iterator<Item = &'l String>) {
    if let Some(file) = file(surroundings) {
        for line in lines {
            let _ = append_line(&file, line);
        }
    }
}
