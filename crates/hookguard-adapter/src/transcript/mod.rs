//! Transcripts: what an agent keeps of a session, read record by record into neutral words.
//!
//! A reader is fed lines and gives what they say. It keeps a bounded memory of what came before, and no line is fatal: one
//! that is no record is [`Seen::Broken`], one that says nothing of interest is [`Seen::Nothing`].

mod lines;
mod time;

use hookguard_core::{ToolCall, ToolOutcome};
use serde::Serialize;

use crate::{TurnSource, TurnText};

pub use lines::{Lines, MAX_LINE_BYTES};
pub use time::milliseconds;

/// One thing that a transcript says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    /// When, in milliseconds since 1970 (UTC), where the transcript says.
    pub at: Option<u64>,
    /// Whether a subagent did it, in the same transcript.
    pub subagent: bool,
    /// What.
    pub said: Said,
}

/// What a record says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// Whose session it is, and where it runs; again where that changes.
    Session {
        /// The agent's id of the session.
        id: Option<String>,
        /// The working directory.
        cwd: Option<String>,
    },
    /// What the user wrote: a turn begins.
    UserText(String),
    /// What the agent or a hook wrote in the user's place.
    MachineText(String),
    /// What the assistant said.
    AssistantText(String),
    /// A tool is called, run or refused.
    Call {
        /// The agent's id of the call.
        id: Option<String>,
        /// The call, as a hook would have seen it.
        tool: ToolCall,
        /// The working directory.
        cwd: Option<String>,
    },
    /// How a call ended; again where more is known later. Its output is cut ([`cut`]).
    Result {
        /// The call's id; none of a call without one, after which it stands.
        id: Option<String>,
        /// How it ended.
        outcome: ToolOutcome,
        /// Whether it ran, as far as the agent says: not where it was refused, or rejected for what it asks.
        ran: bool,
    },
}

/// What a line was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It said something.
    Said,
    /// A record that says nothing of interest, perhaps of a kind that is not known.
    Nothing,
    /// No record: half a line, or no JSON.
    Broken,
}

/// A reader of one transcript.
pub trait Transcript {
    /// Reads one line, without its end. What it says goes to `each`, in order.
    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(Record)) -> Seen;

    /// Whether a line may hold what the assistant said: a look that costs next to nothing, and may take others for one.
    fn may_speak(&self, _line: &[u8]) -> bool {
        true
    }

    /// The transcript has ended: what was held back comes out.
    fn end(&mut self, _each: &mut dyn FnMut(Record)) {}
}

/// Where an agent keeps its transcripts, below the folder of the user's settings
/// ([`Profile::home_variable`](crate::Profile::home_variable)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TranscriptPlace {
    /// The settings' folder below the home folder, where no variable names another.
    pub folder: &'static str,
    /// The folder below that.
    pub below: &'static str,
    /// What a transcript's name begins with; folders between may have any name.
    pub start: &'static str,
    /// What it ends in.
    pub end: &'static str,
}

/// How long a text may be, in bytes.
const MAX_TEXT: usize = 32 << 10;
/// How long an output may be, in bytes.
const MAX_OUTPUT: usize = 8 << 10;

/// A text of a record: longer ones are cut in the middle.
pub fn text(text: &str) -> String {
    cut(text, MAX_TEXT)
}

/// The output of a call: longer ones are cut in the middle, for a summary stands at the end.
pub fn output(text: &str) -> String {
    cut(text, MAX_OUTPUT)
}

/// The start and the end of a text that is longer than `most` bytes, at characters' boundaries.
pub fn cut(text: &str, most: usize) -> String {
    hookguard_core::cut(text, most, "\n[…]\n")
}

/// What the assistant said since the user's last turn, from the end of a transcript and the payload's last message.
pub fn last_turn(reader: Box<dyn Transcript>, source: &TurnSource<'_>) -> TurnText {
    said(&records(reader, source.transcript_tail), source.last_message)
}

/// What the end of a transcript says, cut anywhere: lines that are no complete records are passed over.
pub fn records(reader: Box<dyn Transcript>, tail: &[u8]) -> Vec<Record> {
    records_of(reader, tail, false)
}

/// The same, where only what the assistant said is asked for: most of a transcript, what tools printed, is not read then.
pub fn speech(reader: Box<dyn Transcript>, tail: &[u8]) -> Vec<Record> {
    records_of(reader, tail, true)
}

fn records_of(mut reader: Box<dyn Transcript>, tail: &[u8], only_speech: bool) -> Vec<Record> {
    let mut records = Vec::new();
    let mut each = |record| records.push(record);
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', tail).chain([tail.len()]);
    for end in ends {
        let line = &tail[start..end];
        start = end + 1;
        if !line.is_empty() && (!only_speech || reader.may_speak(line)) {
            reader.line(line, &mut each);
        }
    }
    reader.end(&mut each);
    records
}

/// What the assistant said since the user's last turn, by the transcript's records and the payload's last message.
pub fn said(records: &[Record], last_message: Option<&str>) -> TurnText {
    let mut turn = TurnText::default();
    for record in records {
        match &record.said {
            Said::UserText(_) => turn = TurnText { texts: Vec::new(), complete: true },
            Said::AssistantText(text) if !record.subagent => turn.texts.push(text.clone()),
            _ => {}
        }
    }
    if let Some(last) = last_message.filter(|last| turn.texts.last().is_none_or(|text| text != last)) {
        turn.texts.push(last.to_owned());
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_two_ends() {
        assert_eq!(cut("short", 10), "short");
        let long = format!("{}{}", "é".repeat(500), "ü".repeat(500));
        let kept = cut(&long, 101);
        assert!(kept.len() <= 101 && kept.starts_with('é') && kept.ends_with('ü') && kept.contains("[…]"), "{kept}");
        assert_eq!(cut(&long, 0), "\n[…]\n");
    }
}
