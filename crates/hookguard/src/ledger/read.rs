//! Reading the ledger: the records since the user's last prompt, each call once.

use std::fs;
use std::path::Path;

use hookguard_judge::ledger::{Record, What};

use super::{MAX_LEDGER, file};

/// The records since the user's last prompt. All of a session's, where no prompt is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// In the order in which they happened, without the prompt itself.
    pub(crate) records: Vec<Record>,
    /// When that prompt came, in milliseconds since 1970.
    pub(crate) since: Option<u64>,
    /// The prompt, as it was recorded.
    pub(crate) prompt: Option<String>,
}

/// The current turn of the session in `folder`; nothing yet where there is no ledger. `None` where it can't be read.
pub(crate) fn turn(folder: &Path) -> Option<Turn> {
    read(folder, of)
}

/// The whole session in `folder` as one turn, that of its last prompt.
pub(crate) fn session(folder: &Path) -> Option<Turn> {
    read(folder, |bytes| all(bytes).0)
}

fn read(folder: &Path, of: fn(&[u8]) -> Turn) -> Option<Turn> {
    let file = file(folder);
    let length = match fs::symlink_metadata(&file) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(Turn::default()),
        Err(_) => return None,
    };
    if length > MAX_LEDGER {
        return None;
    }
    Some(of(&fs::read(file).ok()?))
}

/// A line that is torn or unknown is passed over. Doubled hooks write a call twice, and some commands are told of before and
/// after they ran: they happened where and when they were first told of.
fn of(bytes: &[u8]) -> Turn {
    let (mut session, start) = all(since_last_prompt(bytes));
    session.records.drain(..start);
    session
}

/// The lines from the last prompt on, and as many before it as may hold a call that is told of again: a session of days has
/// many times as many.
fn since_last_prompt(bytes: &[u8]) -> &[u8] {
    // As it is written: in a text the quotes have a backslash before them.
    const TURN: &[u8] = b"\"what\":\"turn\"";
    let line_at = |at: usize| memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
    let is_record = |start: usize| {
        let line = &bytes[start..];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        serde_json::from_slice::<Record>(line).is_ok_and(|record| matches!(record.what, What::Turn { .. }))
    };
    let mut from = bytes.len();
    while let Some(at) = memchr::memmem::rfind(&bytes[..from], TURN) {
        from = line_at(at);
        if is_record(from) {
            let mut ends = memchr::memrchr_iter(b'\n', &bytes[..from]);
            return ends.nth(TOLD_AGAIN).map_or(bytes, |end| &bytes[end + 1..]);
        }
    }
    bytes
}

/// How many records back a call is looked for that is told of again: a doubled hook is late by moments.
const TOLD_AGAIN: usize = 200;

/// All records, and where those of the last turn begin.
fn all(bytes: &[u8]) -> (Turn, usize) {
    let mut records: Vec<Record> = Vec::new();
    let (mut start, mut since, mut prompt) = (0, None, None);
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let Ok(record) = serde_json::from_slice::<Record>(line) else { continue };
        if let What::Turn { prompt: text } = record.what {
            (start, since, prompt) = (records.len(), Some(record.t), Some(text));
            continue;
        }
        let same = |other: &&mut Record| {
            record.call.is_some()
                && other.call == record.call
                && std::mem::discriminant(&other.what) == std::mem::discriminant(&record.what)
        };
        // A call of an earlier turn that is told of again was no new one.
        match records.iter_mut().rev().take(TOLD_AGAIN).find(same) {
            Some(known) => learn(known, record),
            None => records.push(record),
        }
    }
    (Turn { records, since, prompt }, start)
}

/// Takes in what is told of a call again. The start says nothing of how it ended, in whatever order the two come.
fn learn(known: &mut Record, again: Record) {
    if tells_end(&again.what) || !tells_end(&known.what) {
        *known = Record { t: known.t, ..again };
    }
}

/// Whether a record needs nothing of what a transcript could tell.
pub(super) fn is_settled(what: &What) -> bool {
    match what {
        What::Command { exit, ok, background, .. } => !background && (exit.is_some() || ok.is_some()),
        What::Edit { added, ok, .. } => ok.is_some() && !added.is_empty(),
        What::Turn { .. } | What::Subagent { .. } | What::Stop { .. } => true,
    }
}

pub(super) fn tells_end(what: &What) -> bool {
    match what {
        What::Command { exit, ok, tail, background, .. } => {
            exit.is_some() || ok.is_some() || tail.is_some() || *background
        }
        What::Edit { ok, .. } => ok.is_some(),
        What::Turn { .. } | What::Subagent { .. } | What::Stop { .. } => true,
    }
}

impl Turn {
    /// The turn as judges read it, in the project at `root`.
    pub(crate) fn judged(&self, root: Option<&str>) -> hookguard_judge::Turn {
        let turn = hookguard_judge::Turn::of_records(&self.records, root);
        hookguard_judge::Turn { prompt: self.prompt.clone(), ..turn }
    }

    /// Whether all of it is known: its prompt, and how each thing in it ended.
    pub(crate) fn is_known(&self) -> bool {
        self.prompt.is_some() && self.records.iter().all(|record| is_settled(&record.what))
    }

    /// The files that were edited, each once.
    pub(crate) fn edited(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for record in &self.records {
            if let What::Edit { files: edited, ok, .. } = &record.what
                && *ok != Some(false)
            {
                files.extend(edited.iter().map(String::as_str));
            }
        }
        files.sort_unstable();
        files.dedup();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = r#"{"v":1,"t":1,"turn":"t1","what":"turn","prompt":"do it"}
{"v":1,"t":2,"call":"c1","what":"edit","files":["/p/a.rs"],"ok":true}
{"v":1,"t":3,"what":"turn","prompt":"and this"}
{"v":1,"t":4,"call":"c2","what":"edit","files":["/p/b.rs","/p/c.md"],"ok":null}
not a record
{"v":1,"t":5,"call":"c3","what":"command","command":"ls","cwd":null,"exit":null,"ok":true,"tail":null}
{"v":1,"t":6,"what":"stop","resumed":true}
{"v":1,"t":7,"call":"c2","what":"edit","files":["/p/b.rs","/p/c.md"],"ok":true}
{"v":1,"t":8,"call":"c4","what":"edit","files":["/p/d.rs"],"ok":false}
{"v":2,"t":9,"what":"something later","x":1}
{"v":1,"t":10,"what":"st"#;

    #[test]
    fn the_last_turn_and_each_call_once() {
        let turn = of(LINES.as_bytes());
        let calls: Vec<_> = turn.records.iter().map(|record| record.call.as_deref().unwrap_or("-")).collect();
        assert_eq!(calls, ["c2", "c3", "-", "c4"]);
        assert_eq!(turn.records[0].t, 4, "when it was first told of");
        assert!(matches!(turn.records[0].what, What::Edit { ok: Some(true), .. }), "as it was last told");
        assert_eq!(turn.edited(), ["/p/b.rs", "/p/c.md"]);
    }

    /// Commands that run at the same time, and hooks that are doubled: the order of the starts, whatever comes when.
    #[test]
    fn a_command_is_where_it_started_and_as_it_ended() {
        let line = |call: &str, end: &str| {
            format!(r#"{{"v":1,"t":1,"call":"{call}","what":"command","command":"{call}","cwd":null,{end}}}"#)
        };
        let start = |call: &str| line(call, r#""exit":null,"ok":null,"tail":null"#);
        let red = line("a", r#""exit":null,"ok":null,"tail":"1 failed""#);
        let lines =
            [start("a"), start("a"), start("b"), line("b", r#""exit":0,"ok":true,"tail":null"#), red, start("a")];
        let turn = of(lines.join("\n").as_bytes());
        let known: Vec<_> = turn
            .records
            .iter()
            .map(|record| match &record.what {
                What::Command { command, exit, tail, .. } => (command.as_str(), *exit, tail.as_deref()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(known, [("a", None, Some("1 failed")), ("b", Some(0), None)]);
    }

    /// Only the end of a long session is read, and it reads as it would in the whole.
    #[test]
    fn a_long_session_reads_as_its_end() {
        let line = |call: usize| {
            format!(
                r#"{{"v":1,"t":1,"call":"c{call}","what":"command","command":"a","cwd":null,"exit":0,"ok":true,"tail":"{{\"what\":\"turn\"}}"}}"#
            )
        };
        let prompt = |text: &str| format!(r#"{{"v":1,"t":7,"what":"turn","prompt":"{text}"}}"#);
        let mut lines: Vec<String> = (0..1000).map(line).collect();
        lines.insert(500, prompt("before"));
        lines.push(prompt("now"));
        lines.extend([
            line(999),
            line(1000),
            r#"{"what":"turn","torn"#.to_owned(),
            r#"{"x":{"what":"turn"}}"#.to_owned(),
        ]);
        let text = lines.join("\n");
        assert!(since_last_prompt(text.as_bytes()).len() < text.len() / 3);
        let turn = of(text.as_bytes());
        assert_eq!((turn.prompt.as_deref(), turn.records.len()), (Some("now"), 1), "one was of the turn before");
        assert_eq!(turn.records[0].call.as_deref(), Some("c1000"));
        let (mut whole, start) = all(text.as_bytes());
        whole.records.drain(..start);
        assert_eq!(turn, whole);
    }

    #[test]
    fn a_session_without_a_prompt_is_one_turn() {
        let lines: String = LINES.lines().filter(|line| !line.contains("\"turn\"")).collect::<Vec<_>>().join("\n");
        assert_eq!(of(lines.as_bytes()).records.len(), 5);
        assert_eq!(of(b"").records.len(), 0);
    }
}
