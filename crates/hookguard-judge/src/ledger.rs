//! The ledger's record: one JSON line for each thing that happened in a session, appended and never changed.
//!
//! The format is fixed here, so that files written by one version are read by the next: fields are added, never renamed,
//! and a reader passes over what it does not know. Lines lie in the session's folder of the state folder,
//! `session/<agent>-<session>/ledger.jsonl`, mode 0600; they go with the session's end or after seven days.

use std::ops::Not;

use serde::{Deserialize, Serialize};

/// What the call ids of our own stop checks begin with: their results are no change that the model made.
pub const OWN_CALL: &str = "hookguard:check:";

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Line")]
pub struct Record {
    /// The format's version: 1.
    pub v: u8,
    /// When it was told of, in milliseconds since 1970 (UTC): agents that report a command's start tell of it then, others when it
    /// has ended.
    pub t: u64,
    /// The agent's id of the user's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The agent's id of the call: doubled hooks write the same one twice, and readers count it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The subagent that made it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    /// A prompt of the user: a turn starts.
    Turn {
        /// Its text, redacted, at most 2,000 bytes.
        prompt: String,
    },
    /// Files were changed, by an editing tool or by a command.
    Edit {
        /// Their paths. A file that moves is there twice: whence, then whither.
        files: Vec<String>,
        /// Of each of them the text that was added, in whole lines, redacted, at most 2,000 bytes: nothing of one that was
        /// deleted, and of one that moves where it went. Empty as a whole where it is not known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Vec<String>,
        /// Whether more was added than `added` holds.
        #[serde(default, skip_serializing_if = "Not::not")]
        cut: bool,
        /// Whether the tool said that it went well; `None` where it did not say.
        ok: Option<bool>,
    },
    /// A command ran, or at least started: of one whose end the agent never reported, only the start is there, and then
    /// neither `exit` nor `ok` nor `tail` is known. Where both are told, there are two lines with the same call, which
    /// readers take for one.
    Command {
        /// The command, redacted, at most 2,000 bytes.
        command: String,
        /// Where it ran.
        cwd: Option<String>,
        /// Its exit code, where the agent gave one.
        exit: Option<i32>,
        /// Whether the agent said that it went well; `None` where it did not say.
        ok: Option<bool>,
        /// The end of its output, redacted, at most 2,000 bytes: runners' summaries stand there.
        tail: Option<String>,
        /// Whether it went on in the background: then there is no result yet, and `tail` is what it printed so far.
        #[serde(default, skip_serializing_if = "Not::not")]
        background: bool,
    },
    /// A subagent ended; [`Record::subagent`] says which.
    Subagent {
        /// What it reported last, redacted, at most 2,000 bytes.
        report: String,
    },
    /// The agent wanted to stop.
    Stop {
        /// Whether hookguard made it go on.
        resumed: bool,
    },
}

/// A line as it is read: all fields of all kinds side by side, for a reader that has to keep a line until it knows its kind takes
/// ten times as long, and a stop reads a whole turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    v: u8,
    t: u64,
    turn: Option<String>,
    call: Option<String>,
    subagent: Option<String>,
    what: String,
    prompt: String,
    files: Vec<String>,
    added: Vec<String>,
    cut: bool,
    ok: Option<bool>,
    command: String,
    cwd: Option<String>,
    exit: Option<i32>,
    tail: Option<String>,
    background: bool,
    report: String,
    resumed: bool,
}

impl TryFrom<Line> for Record {
    type Error = String;

    fn try_from(line: Line) -> Result<Record, String> {
        let Line { v, t, turn, call, subagent, ok, .. } = line;
        let what = match line.what.as_str() {
            "turn" => What::Turn { prompt: line.prompt },
            "edit" => What::Edit { files: line.files, added: line.added, cut: line.cut, ok },
            "command" => What::Command {
                command: line.command,
                cwd: line.cwd,
                exit: line.exit,
                ok,
                tail: line.tail,
                background: line.background,
            },
            "subagent" => What::Subagent { report: line.report },
            "stop" => What::Stop { resumed: line.resumed },
            other => return Err(format!("`{other}` is not known here")),
        };
        Ok(Record { v, t, turn, call, subagent, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(what: What) -> Record {
        Record { v: 1, t: 1_796_017_421_498, turn: Some("t1".into()), call: Some("c1".into()), subagent: None, what }
    }

    fn command(background: bool) -> Record {
        record(What::Command {
            command: "cargo test".into(),
            cwd: None,
            exit: Some(0),
            ok: Some(true),
            tail: None,
            background,
        })
    }

    fn edit(added: &[&str], cut: bool) -> Record {
        let added = added.iter().map(|text| (*text).to_owned()).collect();
        record(What::Edit { files: vec!["/p/a.rs".into()], added, cut, ok: None })
    }

    /// The lines are what files hold: those of versions before `added`, `cut` and `background` are among them.
    #[test]
    fn the_format_is_fixed() {
        let start = r#"{"v":1,"t":1796017421498,"turn":"t1","call":"c1","what":"#;
        let ran = r#""command","command":"cargo test","cwd":null,"exit":0,"ok":true,"tail":null"#;
        for (record, line) in [
            (command(false), format!("{start}{ran}}}")),
            (command(true), format!("{start}{ran},\"background\":true}}")),
            (edit(&[], false), format!(r#"{start}"edit","files":["/p/a.rs"],"ok":null}}"#)),
            (
                edit(&["// x"], true),
                format!(r#"{start}"edit","files":["/p/a.rs"],"added":["// x"],"cut":true,"ok":null}}"#),
            ),
            (record(What::Subagent { report: "done".into() }), format!(r#"{start}"subagent","report":"done"}}"#)),
        ] {
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
            assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
            let newer = line.replacen("{\"v\"", "{\"later\":1,\"v\"", 1);
            assert_eq!(serde_json::from_str::<Record>(&newer).unwrap(), record, "{newer}");
        }
    }
}
