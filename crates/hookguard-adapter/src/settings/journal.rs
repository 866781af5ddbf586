//! The journal: what a settings file was before we wrote it, so that uninstalling can give the very bytes back.
//!
//! JSON lines, one for every file written. The whole contents are kept, before and after, so that no checksum decides
//! whether a file is still as we left it. The binary keeps the journal readable for its owner only: settings can hold
//! tokens.

use serde::{Deserialize, Serialize};

/// One write of a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// The file that was written, after symbolic links, as the operating system spells it.
    pub path: Vec<u8>,
    /// What it held; `None` where there was no file.
    pub before: Option<Vec<u8>>,
    /// What was written.
    pub after: Vec<u8>,
    /// When, in seconds since 1970.
    pub time: u64,
}

/// What gives a file back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undo {
    /// Write these bytes; `None`: delete the file, there was none.
    Restore(Option<Vec<u8>>),
    /// Somebody has changed the file since: take out our entries and leave the rest
    /// ([`hooks::remove`](super::hooks::remove)).
    RemoveOurs,
}

/// An entry as it is written.
#[derive(Serialize, Deserialize)]
struct Line {
    version: u32,
    time: u64,
    path: Stored,
    before: Option<Stored>,
    after: Stored,
}

/// Bytes in JSON: text where they are text, so that a person can read the journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Text(String),
    Hex(String),
}

impl From<&[u8]> for Stored {
    fn from(bytes: &[u8]) -> Stored {
        match std::str::from_utf8(bytes) {
            Ok(text) => Stored::Text(text.to_owned()),
            Err(_) => Stored::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    }
}

impl Stored {
    fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Stored::Text(text) => Some(text.into_bytes()),
            Stored::Hex(hex) if hex.len() % 2 == 0 && hex.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok()).collect()
            }
            Stored::Hex(_) => None,
        }
    }
}

impl JournalEntry {
    /// The entry as a line of the journal, with its line end.
    ///
    /// ```
    /// use hookguard_adapter::settings::journal::{JournalEntry, read};
    ///
    /// let entry = JournalEntry { path: b"/s.json".into(), before: None, after: b"{}\n\xff".into(), time: 1 };
    /// let line = entry.to_line();
    /// assert_eq!(
    ///     line,
    ///     "{\"version\":1,\"time\":1,\"path\":{\"text\":\"/s.json\"},\"before\":null,\"after\":{\"hex\":\"7b7d0aff\"}}\n"
    /// );
    /// assert_eq!(read(line.as_bytes()).entries, [entry]);
    /// ```
    pub fn to_line(&self) -> String {
        let line = Line {
            version: 1,
            time: self.time,
            path: self.path.as_slice().into(),
            before: self.before.as_deref().map(Stored::from),
            after: self.after.as_slice().into(),
        };
        // A struct of strings and numbers always serialises.
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }

    fn from_line(line: &[u8]) -> Option<JournalEntry> {
        let line: Line = serde_json::from_slice(line).ok().filter(|line: &Line| line.version == 1)?;
        let before = match line.before {
            Some(before) => Some(before.bytes()?),
            None => None,
        };
        Some(JournalEntry { path: line.path.bytes()?, before, after: line.after.bytes()?, time: line.time })
    }
}

/// A journal that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Journal {
    /// Its entries, the oldest first.
    pub entries: Vec<JournalEntry>,
    /// How many lines could not be read: torn ones, or of a later version.
    pub skipped: usize,
}

/// Reads a journal. A line that can't be read is skipped: the worst it costs is that our entries are taken out instead
/// of the old bytes put back.
pub fn read(bytes: &[u8]) -> Journal {
    let mut journal = Journal::default();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match JournalEntry::from_line(line) {
            Some(entry) => journal.entries.push(entry),
            None => journal.skipped += 1,
        }
    }
    journal
}

/// How one write is undone: with the old bytes only if the file holds exactly what was written.
///
/// ```
/// use hookguard_adapter::settings::journal::{JournalEntry, Undo, undo};
///
/// let entry = JournalEntry { path: b"/s.json".into(), before: Some(b"{ }".into()), after: b"{\"a\": 1}".into(), time: 1 };
/// assert_eq!(undo(&entry, b"{\"a\": 1}"), Undo::Restore(Some(b"{ }".into())));
/// assert_eq!(undo(&entry, b"{\"a\": 2}"), Undo::RemoveOurs);
/// ```
pub fn undo(entry: &JournalEntry, current: &[u8]) -> Undo {
    if entry.after == current { Undo::Restore(entry.before.clone()) } else { Undo::RemoveOurs }
}

/// How all writes of a file are undone, back to the last state in which nothing of ours stood: an upgrade writes a file
/// that an installation wrote before. `is_clean` says whether bytes hold no entry of ours.
///
/// ```
/// use hookguard_adapter::settings::journal::{JournalEntry, Undo, undo_all};
///
/// let write = |before: &[u8], after: &[u8]| {
///     JournalEntry { path: b"/s.json".into(), before: Some(before.into()), after: after.into(), time: 1 }
/// };
/// let journal = [write(b"theirs", b"ours 1"), write(b"ours 1", b"ours 2")];
/// let is_clean = |bytes: &[u8]| !bytes.starts_with(b"ours");
/// assert_eq!(undo_all(&journal, b"/s.json", b"ours 2", &is_clean), Undo::Restore(Some(b"theirs".into())));
/// ```
pub fn undo_all(journal: &[JournalEntry], path: &[u8], current: &[u8], is_clean: &dyn Fn(&[u8]) -> bool) -> Undo {
    let mut state = current;
    for entry in journal.iter().rev().filter(|entry| entry.path == path) {
        if entry.after != state {
            continue;
        }
        match &entry.before {
            Some(before) if !is_clean(before) => state = before,
            before => return Undo::Restore(before.clone()),
        }
    }
    Undo::RemoveOurs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn write(path: &str, before: Option<&str>, after: &str) -> JournalEntry {
        JournalEntry { path: path.into(), before: before.map(Into::into), after: after.into(), time: 7 }
    }

    #[test]
    fn only_an_unchanged_file_gets_its_old_bytes() {
        let clean = |bytes: &[u8]| !bytes.contains(&b'!');
        let none: Option<Vec<u8>> = None;
        let old = |text: &str| Undo::Restore(Some(text.into()));
        for (journal, current, undone) in [
            (vec![write("a", None, "x!")], "x!", Undo::Restore(none.clone())),
            (vec![write("a", None, "x!")], "x!y", Undo::RemoveOurs),
            (vec![write("a", Some(""), "x!")], "x!", old("")),
            (vec![write("b", None, "x!")], "x!", Undo::RemoveOurs),
            (vec![], "x!", Undo::RemoveOurs),
            // Two writes of ours, with others' files between.
            (
                vec![write("a", Some("x"), "x!"), write("b", None, "x!!"), write("a", Some("x!"), "x!!")],
                "x!!",
                old("x"),
            ),
            // Somebody changed the file between them.
            (vec![write("a", Some("x"), "x!"), write("a", Some("y!"), "y!!")], "y!!", Undo::RemoveOurs),
            // Ours stood in it before the first write that is known.
            (vec![write("a", Some("x!"), "x!!")], "x!!", Undo::RemoveOurs),
            // Installed, undone, installed again.
            (vec![write("a", None, "x!"), write("a", Some("x"), "x!")], "x!", old("x")),
            // The older of two states, put back by hand.
            (vec![write("a", Some("x"), "x!"), write("a", Some("x!"), "x!!")], "x!", old("x")),
        ] {
            assert_eq!(undo_all(&journal, b"a", current.as_bytes(), &clean), undone, "{journal:?}");
        }
    }

    #[test]
    fn lines_that_cannot_be_read_are_counted() {
        let good = write("a", Some("é\n\0"), "b").to_line();
        let later = good.replace("\"version\":1", "\"version\":2");
        let odd = good.replace("\"text\":\"b\"", "\"hex\":\"abc\"");
        let text = format!("{good}{}\n{later}{odd}\n{good}", &good[..20]);
        let journal = read(text.as_bytes());
        assert_eq!((journal.entries.len(), journal.skipped), (2, 3));
        assert_eq!(journal.entries[1], write("a", Some("é\n\0"), "b"));
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(
            path in prop::collection::vec(any::<u8>(), 0..8),
            before in prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
            after in "\\PC*",
            time in any::<u64>(),
        ) {
            let entry = JournalEntry { path, before, after: after.into_bytes(), time };
            let line = entry.to_line();
            prop_assert_eq!(line.matches('\n').count(), 1);
            prop_assert_eq!(read(line.as_bytes()), Journal { entries: vec![entry], skipped: 0 });
        }
    }
}
