//! The text of a script, where it is the agent's own: changed in this session, or not as git has it.

use std::fs::{self, File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hookguard_judge::ledger::{Record, What};
use memchr::memmem;
use serde::Deserialize;

use super::git::Repository;
use super::index::{Tracked, tracked};

/// A longer script, in bytes, is not read: text alone decides then.
const MAX_SCRIPT: u64 = 64 * 1024;
/// How many records of a ledger that name a file are looked at.
const MAX_MENTIONS: usize = 200;
/// How much of the first line shells look at, in bytes.
const FIRST_LINE: usize = 80;
/// A longer index of git's, in bytes, is not read: then nobody says that a file is tracked.
pub(super) const MAX_INDEX: u64 = 32 << 20;
/// How much of the end of a session's ledger is searched for edits, in bytes.
const MAX_LEDGER: u64 = 4 << 20;

/// What is known of the session's own changes.
#[derive(Debug, Default)]
pub(super) struct Session {
    ledger: Option<PathBuf>,
    read: Option<Ledger>,
    /// The index that was read last, and where it lies: scripts of one call are mostly of one repository.
    index: Option<(PathBuf, Vec<u8>)>,
}

#[derive(Debug, Default)]
struct Ledger {
    /// When the first thing happened, in milliseconds since 1970.
    started: Option<i64>,
    bytes: Vec<u8>,
}

impl Session {
    pub(super) fn new(ledger: Option<PathBuf>) -> Session {
        Session { ledger, ..Session::default() }
    }

    /// The bytes of an index; none where it is too long or can't be read.
    fn index(&mut self, file: PathBuf) -> Option<&[u8]> {
        if self.index.as_ref().is_none_or(|(known, _)| *known != file) {
            let fits = fs::metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_INDEX);
            let bytes = fits.then(|| fs::read(&file).ok()).flatten()?;
            self.index = Some((file, bytes));
        }
        self.index.as_ref().map(|(_, bytes)| bytes.as_slice())
    }

    fn ledger(&mut self) -> &Ledger {
        let file = self.ledger.take();
        self.read.get_or_insert_with(|| file.as_deref().and_then(Ledger::read).unwrap_or_default())
    }
}

impl Ledger {
    fn read(file: &Path) -> Option<Ledger> {
        #[derive(Deserialize)]
        struct First {
            t: i64,
        }
        let mut file = File::open(file).ok()?;
        let length = file.metadata().ok().filter(Metadata::is_file)?.len();
        let mut start = vec![0; length.min(16 * 1024) as usize];
        file.read_exact(&mut start).ok()?;
        let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let started = serde_json::from_slice::<First>(first).ok().map(|first| first.t);
        file.seek(SeekFrom::Start(length.saturating_sub(MAX_LEDGER))).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_LEDGER).read_to_end(&mut bytes).ok()?;
        Some(Ledger { started, bytes })
    }

    /// Whether an edit of the session's changed `path`.
    fn edited(&self, path: &Path) -> bool {
        let Some(name) = path.to_str().and_then(|path| serde_json::to_string(path).ok()) else { return false };
        memmem::find_iter(&self.bytes, name.as_bytes()).any(|at| {
            let start = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |line| line + 1);
            memmem::find(&self.bytes[start..at], b"\"what\":\"edit\"").is_some()
        })
    }
}

impl Ledger {
    /// Whether a command of the session's wrote a file of this name, as far as its text tells at a glance.
    fn written(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.len() > 1) else {
            return false;
        };
        let mut at = 0;
        for _ in 0..MAX_MENTIONS {
            let Some(found) = memmem::find(&self.bytes[at..], name.as_bytes()) else { return false };
            let start = memchr::memrchr(b'\n', &self.bytes[..at + found]).map_or(0, |line| line + 1);
            let end =
                memchr::memchr(b'\n', &self.bytes[at + found..]).map_or(self.bytes.len(), |line| at + found + line);
            let record = serde_json::from_slice::<Record>(&self.bytes[start..end]);
            if let Ok(Record { what: What::Command { command, .. }, .. }) = record
                && writes(&command, name)
            {
                return true;
            }
            at = end;
        }
        false
    }
}

/// Whether a command line writes a file of this name: by a redirect, `tee`, or a copy.
fn writes(command: &str, name: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let bare = word.trim_matches(|char| matches!(char, '>' | '|' | '"' | '\'' | '&' | ';'));
        let before = |back: usize| at.checked_sub(back).map(|at| words[at]).unwrap_or_default();
        bare.rsplit('/').next() == Some(name)
            && (word.contains('>')
                || before(1).ends_with('>')
                || matches!(before(1), "tee" | "-a" | "sponge")
                || matches!(before(2), "cp" | "mv" | "install" | "ln" | "-s" | "-sf" | "-f" | "-a"))
    })
}

/// The text of the script `path`. `edited`: only where an edit of the session's changed it.
pub(super) fn text(path: &Path, edited: bool, session: &mut Session) -> Option<String> {
    let real = fs::canonicalize(path).ok()?;
    let metadata = fs::metadata(&real).ok()?;
    if !metadata.is_file() || metadata.len() == 0 || metadata.len() > MAX_SCRIPT {
        return None;
    }
    if !is_the_agents(path, &real, &metadata, edited, session) {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(&real).ok()?.take(MAX_SCRIPT).read_to_end(&mut bytes).ok()?;
    // A program, and no script: by its first line, as shells tell. Elsewhere they pass over such bytes.
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len()).min(FIRST_LINE);
    if memchr::memchr(0, &bytes[..line]).is_some() {
        return None;
    }
    bytes.retain(|byte| *byte != 0);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_the_agents(path: &Path, real: &Path, metadata: &Metadata, edited: bool, session: &mut Session) -> bool {
    let ledger = session.ledger();
    if ledger.edited(path) || ledger.edited(real) {
        return true;
    }
    if edited {
        return ledger.written(path);
    }
    // `ctime` can't be set back: neither by `touch`, nor by adding the file to git.
    let changed_at = metadata.ctime() * 1000 + metadata.ctime_nsec() / 1_000_000;
    let started = ledger.started;
    if started.is_some_and(|started| changed_at >= started) {
        return true;
    }
    let Some(repository) = real.parent().and_then(Repository::of) else { return true };
    let Ok(name) = real.strip_prefix(&repository.top) else { return true };
    let Some(index) = session.index(repository.folder.join("index")) else { return true };
    // Without a session's start, git's own note of the last change must do.
    let same = tracked(index, name.as_os_str().as_encoded_bytes(), metadata, started.is_none());
    same != Some(Tracked::Unchanged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_writes_at_a_glance() {
        for command in [
            "cat > activate <<'E'\nrm x\nE",
            "cat >build/activate",
            "echo x >> ./activate",
            "x | tee -a activate",
            "cp /tmp/x .venv/bin/activate; ls",
            "mv \"a\" \"activate\"",
        ] {
            assert!(writes(command, "activate"), "{command}");
        }
        for command in ["source activate", ". ./activate && x > log", "cat activate", "grep -n x activate > out"] {
            assert!(!writes(command, "activate"), "{command}");
        }
    }

    #[test]
    fn a_script_with_an_odd_byte_is_a_script() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.sh");
        let mut session = Session::default();
        fs::write(&file, b"#!/bin/sh\nrm x\n\0").unwrap();
        assert_eq!(text(&file, false, &mut session).as_deref(), Some("#!/bin/sh\nrm x\n"));
        fs::write(&file, b"\x7fELF\0\0rm x\n").unwrap();
        assert_eq!(text(&file, false, &mut session), None);
        assert_eq!(text(&folder.path().join("none"), false, &mut session), None);
        assert_eq!(text(folder.path(), false, &mut session), None);
    }
}
