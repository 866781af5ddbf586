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
}

/// The current turn of the session in `folder`; nothing yet where there is no ledger. `None` where it can't be read.
pub(crate) fn turn(folder: &Path) -> Option<Turn> {
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

/// A line that is torn or unknown is passed over. Doubled hooks write a call twice, and a patch is told of before and after
/// it ran: it happened where it was first told of, and as it was last.
fn of(bytes: &[u8]) -> Turn {
    let mut records: Vec<Record> = Vec::new();
    let mut start = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(record) = serde_json::from_slice::<Record>(line) else { continue };
        if matches!(record.what, What::Turn { .. }) {
            start = records.len();
            continue;
        }
        let same = |other: &&mut Record| {
            record.call.is_some()
                && other.call == record.call
                && std::mem::discriminant(&other.what) == std::mem::discriminant(&record.what)
        };
        // A doubled hook is late by moments; a call of an earlier turn that is told of again was no new one.
        match records.iter_mut().rev().take(200).find(same) {
            Some(known) => *known = record,
            None => records.push(record),
        }
    }
    Turn { records: records.split_off(start) }
}

impl Turn {
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
        assert_eq!(turn.records[0].t, 7, "as it was last told");
        assert_eq!(turn.edited(), ["/p/b.rs", "/p/c.md"]);
    }

    #[test]
    fn a_session_without_a_prompt_is_one_turn() {
        let lines: String = LINES.lines().filter(|line| !line.contains("\"turn\"")).collect::<Vec<_>>().join("\n");
        assert_eq!(of(lines.as_bytes()).records.len(), 5);
        assert_eq!(of(b"").records.len(), 0);
    }
}
