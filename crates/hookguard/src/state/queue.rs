//! What a model could not be told at once: it waits in its session's queue for the next stop or refusal.

use hookguard_core::Event;
use serde::Serialize;

use super::{append_line, now_ms};
use crate::surroundings::Surroundings;

/// One line of a queue. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Waiting<'a> {
    /// The format's version.
    v: u8,
    /// When, in milliseconds since 1970 (UTC).
    t: u64,
    /// The call that it is about: doubled hooks write the same one twice, and it is told once.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    /// What the model is to be told.
    text: &'a str,
}

/// Appends `text` to the queue of the event's session; without a session or a state folder it is lost, and the decision log
/// has it all the same.
pub(crate) fn append(surroundings: &Surroundings, event: &Event<'_>, text: &str) {
    let (Some(state), Some(session)) = (&surroundings.state, &event.session) else { return };
    let folder = state.join("session").join(format!("{}-{}", event.agent, file_name(session)));
    let waiting = Waiting { v: 1, t: now_ms(), call: event.call_id.as_deref(), text };
    if let Ok(mut line) = serde_json::to_string(&waiting) {
        line.push('\n');
        let _ = append_line(&folder.join("queue.jsonl"), &line);
    }
}

/// A session's id as a file's name: it comes from the payload, so nothing of it may be a path.
fn file_name(session: &str) -> String {
    session.chars().take(100).map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect()
}
