//! Writing the ledger: what happened in a session, as it is reported. What it means is the judges' business.
//!
//! Nothing is written before a tool runs, with one exception: a command of an agent that does not report every end.

mod read;
mod rebuild;

pub(crate) use read::{Turn, session, turn};
pub(crate) use rebuild::{Whole, completed, whole};

use std::fs;
use std::path::{Path, PathBuf};

use hookguard_adapter::Profile;
use hookguard_core::{Change, Event, EventKind, FileChange, Outcome, PromptAuthor, Told, ToolCall, ToolOutcome, clip};
use hookguard_judge::ledger::{Record, What};
use hookguard_judge::redact;
use hookguard_policy::patched;

use crate::state::{append_line, now_ms};
use crate::surroundings::Surroundings;

/// How much of a text a record holds, in bytes: the format's own limit.
const MAX_TEXT: usize = 2000;
/// How much of what was added a record holds, in bytes: a patch of a thousand files must not make a ledger too long to read.
const MAX_ADDED: usize = 64 * 1024;
/// A ledger longer than this, in bytes, is neither written nor read: the session goes on as one without a state folder.
const MAX_LEDGER: u64 = 32 << 20;
/// How many files of one call are recorded.
const MAX_FILES: usize = 1000;

/// The ledger in a session's folder.
pub(crate) fn file(folder: &Path) -> PathBuf {
    folder.join("ledger.jsonl")
}

/// Records what `event` says, after it was answered with `told`. A session's start and end keep the folder of sessions in
/// order. What can't be written is not written.
pub(crate) fn record(surroundings: &Surroundings, profile: &Profile, event: &Event<'_>, told: &Told) {
    match event.kind {
        EventKind::SessionStart => return crate::state::session::sweep(surroundings),
        EventKind::SessionEnd => return crate::state::session::forget(surroundings, event),
        _ => {}
    }
    let what = if event.kind == EventKind::PreTool { started(profile, event, told) } else { happened(event) };
    if what.is_empty() {
        return;
    }
    let Some(folder) = crate::state::session::folder(surroundings, event) else { return };
    for what in what {
        let _ = append(&folder, event, event.call_id.clone(), what);
    }
}

/// Appends one record about `event`.
pub(crate) fn append(folder: &Path, event: &Event<'_>, call: Option<String>, what: What) -> std::io::Result<()> {
    let file = file(folder);
    if fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.len() > MAX_LEDGER) {
        return Err(std::io::Error::from(std::io::ErrorKind::FileTooLarge));
    }
    let subagent = event.subagent.as_ref().map(|subagent| subagent.id.clone());
    let record = Record { v: 1, t: now_ms(), turn: event.turn.clone(), call, subagent, what };
    append_line(&file, &format!("{}\n", serde_json::to_string(&record)?))
}

/// What is known of a command before it runs, where its end may never be told: itself, and the files that a patch in it edits.
fn started(profile: &Profile, event: &Event<'_>, told: &Told) -> Vec<What> {
    match (told, &event.tool) {
        // What runs then is nothing, or something else.
        (Told::Deny(_) | Told::Rewrite { .. }, _) => Vec::new(),
        (_, Some(ToolCall::Shell { command, cwd, .. })) if profile.ends_unseen() => ran(event, command, cwd.as_deref()),
        _ => Vec::new(),
    }
}

/// What an event is to the ledger: nothing, one thing, or a command and the files that it edits.
fn happened(event: &Event<'_>) -> Vec<What> {
    match (event.kind, &event.tool) {
        (EventKind::Prompt, _) => match &event.prompt {
            Some(prompt) if prompt.author == PromptAuthor::User && !prompt.text.trim().is_empty() => {
                vec![What::Turn { prompt: start_of(&prompt.text) }]
            }
            _ => Vec::new(),
        },
        (EventKind::SubagentStop, _) => {
            // An end that names no subagent is nobody's report: a compaction's, for one.
            let last = event.stop.as_ref().filter(|_| event.subagent.is_some());
            let report = last.and_then(|stop| stop.last_message.as_deref()).map(start_of);
            report.map(|report| What::Subagent { report }).into_iter().collect()
        }
        (EventKind::PostTool, Some(ToolCall::Edit { files })) if !files.is_empty() => {
            vec![edit(event, files.iter().map(|file| (event.cwd.as_deref(), file)))]
        }
        (EventKind::PostTool, Some(ToolCall::Shell { command, cwd, .. })) => ran(event, command, cwd.as_deref()),
        _ => Vec::new(),
    }
}

/// A command, and before it the files that it edits. What the agent saw change is better than what the command's text says.
fn ran(event: &Event<'_>, command: &str, cwd: Option<&str>) -> Vec<What> {
    let outcome = event.outcome.as_ref();
    let cwd = cwd.or(event.cwd.as_deref());
    let edits = match outcome.map(|outcome| outcome.changed.as_slice()) {
        Some(changed @ [_, ..]) => {
            let files = changed.iter().take(MAX_FILES).cloned().collect();
            Some(What::Edit { files, added: Vec::new(), cut: false, ok: ok(event) })
        }
        _ => {
            let changes = patched(command, cwd);
            (!changes.is_empty()).then(|| edit(event, changes.iter().map(|(cwd, change)| (cwd.as_deref(), change))))
        }
    };
    let command = What::Command {
        command: start_of(command),
        cwd: cwd.map(str::to_owned),
        exit: outcome.and_then(|outcome| outcome.exit_code),
        ok: ok(event),
        tail: outcome.and_then(printed),
        background: outcome.is_some_and(|outcome| outcome.background),
    };
    edits.into_iter().chain([command]).collect()
}

/// The edit of files, each with the folder that its path starts from.
fn edit<'a>(event: &Event<'_>, changes: impl Iterator<Item = (Option<&'a str>, &'a FileChange)>) -> What {
    let (mut files, mut added) = (Vec::new(), Vec::new());
    let (mut cut, mut left) = (false, MAX_ADDED);
    for (cwd, change) in changes.take(MAX_FILES) {
        files.push(absolute(cwd, &change.path));
        if let Change::Move { to } = &change.change {
            files.push(absolute(cwd, to));
            added.push(String::new());
        }
        let (text, is_cut) = lines_of(&change.added, MAX_TEXT.min(left));
        left -= text.len();
        cut |= is_cut;
        added.push(text);
    }
    What::Edit { files, added, cut, ok: ok(event) }
}

/// The end of what a command printed, if it printed something.
fn printed(outcome: &ToolOutcome) -> Option<String> {
    outcome.output.as_deref().filter(|output| !output.trim().is_empty()).map(|output| end_of(output, MAX_TEXT))
}

fn ok(event: &Event<'_>) -> Option<bool> {
    match event.outcome.as_ref()?.outcome {
        Outcome::Ok => Some(true),
        Outcome::Failed => Some(false),
        Outcome::Unknown => None,
    }
}

fn absolute(cwd: Option<&str>, path: &str) -> String {
    match cwd {
        Some(cwd) if !path.starts_with(['/', '~']) => {
            format!("{}/{}", cwd.trim_end_matches('/'), path.trim_start_matches("./"))
        }
        _ => path.to_owned(),
    }
}

/// The start of a text, without secrets. They are looked for in more than is kept: one must not be cut into unlikeness.
fn start_of(text: &str) -> String {
    clip(&redact(&clip(text, 8 * MAX_TEXT)).text, MAX_TEXT)
}

/// The first whole lines of a text, without secrets, at most `most` bytes, and whether that is not all: half a line may look
/// like another thing than it is.
fn lines_of(text: &str, most: usize) -> (String, bool) {
    let redacted = redact(head(text, 8 * MAX_TEXT)).text;
    let kept = head(&redacted, most);
    if kept.len() == redacted.len() && text.len() <= 8 * MAX_TEXT {
        return (redacted.into_owned(), false);
    }
    (kept[..kept.rfind('\n').unwrap_or(0)].to_owned(), true)
}

/// The end of a text without secrets, at most `most` bytes and cut at a character, from the start of a line where one is near.
pub(crate) fn end_of(text: &str, most: usize) -> String {
    let text = text.trim_end();
    let redacted = redact(tail(text, 8 * most)).text;
    let kept = tail(&redacted, most);
    if kept.len() == redacted.len() {
        return kept.to_owned();
    }
    match kept.find('\n') {
        Some(line) if line < most / 4 => kept[line + 1..].to_owned(),
        _ => kept.to_owned(),
    }
}

fn head(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn tail(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

#[cfg(test)]
mod tests;
