//! The ledger's record: one JSON line for each thing that happened in a session, appended and never changed.
//!
//! The format is fixed here, so that files written by one version are read by the next: fields are added, never renamed,
//! and a reader passes over what it does not know. Lines lie in the session's folder of the state folder,
//! `session/<agent>-<session>/ledger.jsonl`, mode 0600; they go with the session's end or after seven days.

use serde::{Deserialize, Serialize};

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The format's version: 1.
    pub v: u8,
    /// When, in milliseconds since 1970 (UTC).
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    /// A prompt of the user: a turn starts.
    Turn {
        /// Its text, redacted, at most 2,000 bytes.
        prompt: String,
    },
    /// Files were changed by an editing tool.
    Edit {
        /// Their paths.
        files: Vec<String>,
        /// Whether the tool said that it went well; `None` where it did not say.
        ok: Option<bool>,
    },
    /// A command ran.
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
    },
    /// The agent wanted to stop.
    Stop {
        /// Whether hookguard made it go on.
        resumed: bool,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_fixed() {
        let record = Record {
            v: 1,
            t: 1_796_017_421_498,
            turn: Some("t1".into()),
            call: Some("c1".into()),
            subagent: None,
            what: What::Command { command: "cargo test".into(), cwd: None, exit: Some(0), ok: Some(true), tail: None },
        };
        let line = r#"{"v":1,"t":1796017421498,"turn":"t1","call":"c1","what":"command","command":"cargo test","cwd":null,"exit":0,"ok":true,"tail":null}"#;
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
        let newer = line.replace("\"tail\":null", "\"tail\":null,\"later\":1");
        assert_eq!(serde_json::from_str::<Record>(&newer).unwrap(), record);
    }
}
