//! The decision log: a JSON line for each call, one file a day, redacted.

use std::path::PathBuf;

use hookguard_adapter::{Failure, Posture};
use hookguard_core::{Change, Event, Mode, ToolCall, clip};
use hookguard_judge::redact;
use hookguard_policy::Outcome;
use serde::Serialize;

use super::{append_line, now_ms};
use crate::hook::told_name;
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
    /// How long it took, in microseconds, from the start of `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) micros: Option<u128>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Entry {
    /// The entry of a call that was judged.
    pub(crate) fn of(event: &Event<'_>, judged: &Judged) -> Entry {
        let subject = event.tool.as_ref().and_then(subject);
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

/// The entry as a line.
pub(crate) fn line(entry: &Entry) -> String {
    let mut line = serde_json::to_string(entry).unwrap_or_default();
    line.push('\n');
    line
}

/// Appends the entry. A full disk, a missing folder or a forbidden one costs the line, never the verdict.
pub(crate) fn append(surroundings: &Surroundings, entry: &Entry) {
    if let Some(file) = file(surroundings) {
        let _ = append_line(&file, &line(entry));
    }
}
