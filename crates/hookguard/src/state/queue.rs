//! What a model could not be told at once: it waits in its session's queue for the next stop or refusal.
//!
//! The queue is only appended to: a text, and later a line that it was told. What was told stays known, so that a doubled hook
//! which queues the same call's text late does not have it told twice.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use hookguard_core::{Event, MAX_MESSAGE_BYTES, clip};
use serde::{Deserialize, Serialize};

use super::{append_line, now_ms, session};
use crate::surroundings::Surroundings;

/// Queues longer than this, in bytes, are not read.
const MAX_QUEUE: u64 = 4 << 20;
/// A text is told only where so many bytes of a message are left for it.
const LEAST_ROOM: usize = 120;

/// One line of a queue. Fields are added, never renamed.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// The format's version.
    v: u8,
    /// When, in milliseconds since 1970 (UTC).
    t: u64,
    /// The call that it is about: doubled hooks write the same one twice, and it is told once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    /// What the model is to be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The keys of texts that were told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    told: Vec<String>,
}

/// A text that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    key: String,
    text: String,
}

/// Appends `text` to the queue of the event's session; without a session or a state folder it is lost, and the decision log
/// has it all the same.
pub(crate) fn append(surroundings: &Surroundings, event: &Event<'_>, text: &str) {
    let Some(folder) = session::folder(surroundings, event) else { return };
    let (call, text) = (event.call_id.clone(), Some(text.to_owned()));
    let _ = write(&folder, &Line { v: 1, t: now_ms(), call, text, told: Vec::new() });
}

/// What waits in a session's folder, oldest first. Lines that can't be read are passed over.
pub(crate) fn waiting(folder: &Path) -> Vec<Waiting> {
    let lines = lines(folder);
    let told: Vec<&String> = lines.iter().flat_map(|line| &line.told).collect();
    let mut waiting: Vec<Waiting> = Vec::new();
    for line in &lines {
        let Some(text) = &line.text else { continue };
        let key = key(line.call.as_deref(), text);
        if !told.contains(&&key) && !waiting.iter().any(|other| other.key == key) {
            waiting.push(Waiting { key, text: text.clone() });
        }
    }
    waiting
}

fn lines(folder: &Path) -> Vec<Line> {
    let file = folder.join("queue.jsonl");
    if !fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_QUEUE) {
        return Vec::new();
    }
    let bytes = fs::read(file).unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Whether no other hook has told the model `text` about this call after it ran; from now on one has. Doubled hooks judge a
/// call twice and at the same time, and what they find is told once. Where that can't be known it is told.
pub(crate) fn first_to_tell(folder: &Path, call: &str, text: &str) -> bool {
    let key = format!("after:{call}:{:016x}", hash(text));
    let Some(_lock) = session::lock(folder) else { return true };
    if lines(folder).iter().any(|line| line.told.contains(&key)) {
        return false;
    }
    let _ = write(folder, &Line { v: 1, t: now_ms(), call: None, text: None, told: vec![key] });
    true
}

/// A call is told of once; without its id, a text is.
fn key(call: Option<&str>, text: &str) -> String {
    match call {
        Some(call) => format!("call:{call}"),
        None => format!("text:{:016x}", hash(text)),
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Adds to `message` what waits, as far as there is room, and marks it told. Where that can't be written down nothing is
/// added: it would be told again and again. The caller holds the session's lock.
pub(crate) fn tell(folder: &Path, message: &mut String) {
    let mut told = Vec::new();
    let mut longer = message.clone();
    for waiting in waiting(folder) {
        let room = MAX_MESSAGE_BYTES.saturating_sub(longer.len() + 1);
        if room < LEAST_ROOM.min(waiting.text.len()) {
            break;
        }
        if !longer.is_empty() {
            longer.push('\n');
        }
        longer.push_str(&clip(&waiting.text, room));
        told.push(waiting.key);
    }
    if !told.is_empty() && write(folder, &Line { v: 1, t: now_ms(), call: None, text: None, told }).is_ok() {
        *message = longer;
    }
}

fn write(folder: &Path, line: &Line) -> std::io::Result<()> {
    let line = serde_json::to_string(line)?;
    append_line(&folder.join("queue.jsonl"), &format!("{line}\n"))
}
