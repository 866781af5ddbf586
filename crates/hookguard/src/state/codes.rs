//! The calls that wait for a human's word where nobody can be asked, each under a short code.
//!
//! One small file, replaced as a whole under a lock: hooks run twice and in parallel, and must agree. A code is made from the
//! call, so a call that is repeated has the same one; it is no secret, for all that releases is what [`grant`] writes here.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{now_ms, private, session};
use crate::surroundings::Surroundings;

/// How long a code can be allowed after its call was last refused, in milliseconds.
const WAITS_MS: u64 = 24 * 60 * 60 * 1000;
/// How long an allowed call may take to come, in milliseconds.
const GRANT_MS: u64 = 60 * 60 * 1000;
/// How long what is over is remembered, so that a human is told what became of a code, in milliseconds.
const REMEMBERED_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// How many codes are kept.
const MAX_CODES: usize = 100;
/// How many calls that have passed are remembered of one code: doubled hooks of a call may be late.
const MAX_PASSED: usize = 8;
/// How late a doubled hook of a call that has passed may be, in milliseconds: agents give a hook some seconds. A model that
/// uses an id again later does not pass by it.
const DOUBLED_MS: u64 = 30 * 1000;
/// A file longer than this, in bytes, is none that was written here.
const MAX_FILE: u64 = 4 << 20;

/// A call that somebody must be asked about, with what a human is shown of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// The short code.
    pub(crate) code: String,
    /// What tells exactly this call from every other, in hexadecimal digits.
    pub(crate) call: String,
    pub(crate) agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cwd: Option<String>,
    /// The class of the tool.
    pub(crate) tool: String,
    /// The whole of the command, the file, the address; redacted.
    pub(crate) subject: String,
    pub(crate) rule: String,
    pub(crate) reason: String,
}

/// One code. Fields are added, never renamed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Code {
    #[serde(flatten)]
    pub(crate) asked: Asked,
    /// When the call was last refused, in milliseconds since 1970 (UTC).
    pub(crate) t: u64,
    /// Whether it waits: it was refused, and has not passed since.
    pub(crate) open: bool,
    /// When a human allowed it, until it passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) granted: Option<u64>,
    /// Calls that have passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) passed: Vec<Passed>,
}

/// A call that has passed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Passed {
    /// The agent's id of it.
    id: String,
    /// The session that the id is of: some models count their calls from one in each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// When, in milliseconds since 1970 (UTC).
    t: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Book {
    v: u8,
    codes: Vec<Code>,
}

/// What comes of a call that somebody must be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knock {
    /// A human has allowed it: it passes.
    Passes,
    /// It waits under its code.
    Waits,
    /// It can't be kept: there is no code.
    Nowhere,
}

/// Why a code can't be allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    Unknown,
    Expired,
    /// Its call has passed.
    Used,
    /// The file can't be read or written.
    Failed(String),
}

impl Code {
    /// Whether a human can still allow it.
    pub(crate) fn waits(&self, now: u64) -> bool {
        self.open && now.saturating_sub(self.t) < WAITS_MS
    }

    /// Whether a human has allowed it, and it has not passed.
    pub(crate) fn is_granted(&self, now: u64) -> bool {
        self.granted.is_some_and(|at| now.saturating_sub(at) < GRANT_MS)
    }
}

fn folder(state: &Path) -> PathBuf {
    state.join("allow")
}

fn file(state: &Path) -> PathBuf {
    folder(state).join("codes.json")
}

/// A call that somebody must be asked about comes: it passes if a human has allowed it, and by its id it passes again, for
/// doubled hooks; else it waits.
pub(crate) fn knock(state: &Path, asked: Asked, id: Option<&str>) -> Knock {
    let Some(_lock) = session::lock(&folder(state)) else { return Knock::Nowhere };
    let now = now_ms();
    let session = asked.session.clone();
    let mut book = read(state);
    let code = match book.codes.iter_mut().find(|code| code.asked.code == asked.code) {
        // Another call has the same code: it was there first.
        Some(code) if code.asked.call != asked.call => return Knock::Nowhere,
        Some(code) => code,
        None => {
            book.codes.push(Code { asked, t: now, open: true, granted: None, passed: Vec::new() });
            return if write(state, book, now).is_ok() { Knock::Waits } else { Knock::Nowhere };
        }
    };
    let is_it = |passed: &Passed| {
        id == Some(&passed.id) && passed.session == session && now.saturating_sub(passed.t) < DOUBLED_MS
    };
    if code.passed.iter().any(is_it) {
        return Knock::Passes;
    }
    let passes = code.is_granted(now);
    code.granted = None;
    code.open = !passes;
    if passes {
        code.passed.extend(id.map(|id| Passed { id: id.to_owned(), session, t: now }));
        let over = code.passed.len().saturating_sub(MAX_PASSED);
        code.passed.drain(..over);
    } else {
        code.t = now;
    }
    // What can't be written down would pass again and again.
    match (write(state, book, now), passes) {
        (Ok(()), true) => Knock::Passes,
        (Ok(()), false) => Knock::Waits,
        (Err(_), _) => Knock::Nowhere,
    }
}

/// Lets the call with this code pass once.
pub(crate) fn grant(state: &Path, code: &str) -> Result<Code, Refusal> {
    // No file, no codes: and no folder is made for a code that was mistyped.
    if fs::symlink_metadata(file(state)).is_err() {
        return Err(Refusal::Unknown);
    }
    let failed = |why: &str| Refusal::Failed(format!("{}: {why}", file(state).display()));
    let _lock = session::lock(&folder(state)).ok_or_else(|| failed("it can't be locked"))?;
    let now = now_ms();
    let mut book = read(state);
    let code = book.codes.iter_mut().find(|known| known.asked.code == code).ok_or(Refusal::Unknown)?;
    if !code.open {
        return Err(Refusal::Used);
    }
    if !code.waits(now) {
        return Err(Refusal::Expired);
    }
    code.granted = Some(now);
    let granted = code.clone();
    write(state, book, now).map_err(|error| failed(&error.to_string()))?;
    Ok(granted)
}

/// The codes that a human can still allow, and those that were allowed and have not passed; the oldest first.
pub(crate) fn open(state: &Path) -> Vec<Code> {
    let now = now_ms();
    let mut codes: Vec<Code> = read(state).codes.into_iter().filter(|code| code.waits(now)).collect();
    codes.sort_by_key(|code| code.t);
    codes
}

/// Forgets what is long over.
pub(crate) fn sweep(surroundings: &Surroundings) {
    let Some(state) = surroundings.state.as_deref().filter(|state| fs::symlink_metadata(file(state)).is_ok()) else {
        return;
    };
    let Some(_lock) = session::lock(&folder(state)) else { return };
    let (now, book) = (now_ms(), read(state));
    if book.codes.iter().any(|code| now.saturating_sub(code.t) >= REMEMBERED_MS) {
        let _ = write(state, book, now);
    }
}

/// What can't be read is empty: then nothing is released.
fn read(state: &Path) -> Book {
    private::read(&file(state), MAX_FILE).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn write(state: &Path, mut book: Book, now: u64) -> std::io::Result<()> {
    book.v = 1;
    book.codes.retain(|code| now.saturating_sub(code.t) < REMEMBERED_MS);
    // What a human has allowed goes last, what has passed first.
    book.codes.sort_by_key(|code| (code.is_granted(now), code.open, code.t));
    let over = book.codes.len().saturating_sub(MAX_CODES);
    book.codes.drain(..over);
    private::write(&file(state), &serde_json::to_vec(&book)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(code: &str, call: &str) -> Asked {
        Asked {
            code: code.into(),
            call: call.into(),
            agent: "codex".into(),
            session: None,
            cwd: None,
            tool: "shell".into(),
            subject: "sudo ls".into(),
            rule: "system.sudo".into(),
            reason: "why".into(),
        }
    }

    /// Makes every time in the file older.
    fn age(state: &Path, by: u64) {
        let mut book = read(state);
        for code in &mut book.codes {
            code.t -= by;
            code.granted = code.granted.map(|at| at - by);
            for passed in &mut code.passed {
                passed.t -= by;
            }
        }
        fs::write(file(state), serde_json::to_vec(&book).unwrap()).unwrap();
    }

    #[test]
    fn it_passes_once_and_again_only_by_the_same_id() {
        let state = tempfile::tempdir().unwrap();
        let state = state.path();
        assert_eq!(knock(state, asked("A", "1"), Some("c1")), Knock::Waits);
        assert_eq!(knock(state, asked("A", "1"), Some("c1")), Knock::Waits, "its doubled hook");
        grant(state, "A").unwrap();
        assert_eq!(knock(state, asked("A", "1"), Some("c2")), Knock::Passes);
        assert_eq!(knock(state, asked("A", "1"), Some("c2")), Knock::Passes, "its doubled hook");
        assert_eq!(grant(state, "A").unwrap_err(), Refusal::Used);
        assert_eq!(knock(state, asked("A", "1"), Some("c3")), Knock::Waits, "a replay");
        assert_eq!(knock(state, asked("A", "1"), Some("c2")), Knock::Passes, "its doubled hook, late");
        let elsewhere = Asked { session: Some("another".into()), ..asked("A", "1") };
        assert_eq!(knock(state, elsewhere, Some("c2")), Knock::Waits, "another session's call of the same id");
        grant(state, "A").unwrap();
        // Without an id there is no telling a doubled hook from a replay.
        assert_eq!(knock(state, asked("A", "1"), None), Knock::Passes);
        assert_eq!(knock(state, asked("A", "1"), None), Knock::Waits);
    }

    #[test]
    fn a_code_releases_the_call_that_it_was_made_for() {
        let state = tempfile::tempdir().unwrap();
        let state = state.path();
        assert_eq!(knock(state, asked("A", "1"), None), Knock::Waits);
        assert_eq!(knock(state, asked("A", "2"), None), Knock::Nowhere, "another call under the same code");
        grant(state, "A").unwrap();
        assert_eq!(knock(state, asked("A", "2"), None), Knock::Nowhere);
        assert_eq!(knock(state, asked("B", "3"), None), Knock::Waits);
        assert_eq!(knock(state, asked("A", "1"), None), Knock::Passes);
        assert_eq!(grant(state, "C").unwrap_err(), Refusal::Unknown);
    }

    #[test]
    fn codes_and_grants_expire() {
        let state = tempfile::tempdir().unwrap();
        let state = state.path();
        knock(state, asked("A", "1"), None);
        age(state, WAITS_MS);
        assert_eq!(grant(state, "A").unwrap_err(), Refusal::Expired);
        assert!(open(state).is_empty());
        knock(state, asked("A", "1"), None);
        grant(state, "A").unwrap();
        age(state, GRANT_MS);
        assert_eq!(knock(state, asked("A", "1"), None), Knock::Waits, "allowed too long ago");
        grant(state, "A").unwrap();
        assert_eq!(knock(state, asked("A", "1"), Some("c")), Knock::Passes);
        age(state, DOUBLED_MS);
        assert_eq!(knock(state, asked("A", "1"), Some("c")), Knock::Waits, "no hook is so late: the id is used again");
    }

    #[test]
    fn the_number_is_bounded_and_what_is_allowed_stays() {
        let state = tempfile::tempdir().unwrap();
        let state = state.path();
        knock(state, asked("A", "1"), None);
        grant(state, "A").unwrap();
        for number in 0..MAX_CODES + 20 {
            knock(state, asked(&format!("N{number}"), &number.to_string()), None);
        }
        assert_eq!(read(state).codes.len(), MAX_CODES);
        assert_eq!(knock(state, asked("A", "1"), None), Knock::Passes);
    }

    #[test]
    fn a_file_that_is_none_of_ours_releases_nothing() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (state, other) = (folder.path().join("state"), folder.path().join("other"));
        knock(&other, asked("A", "1"), None);
        grant(&other, "A").unwrap();
        fs::create_dir_all(state.join("allow")).unwrap();
        symlink(file(&other), file(&state)).unwrap();
        let before = fs::read(file(&other)).unwrap();
        assert_eq!(knock(&state, asked("A", "1"), None), Knock::Waits);
        assert_eq!(fs::read(file(&other)).unwrap(), before);
        for garbage in ["", "{", "[]", "{\"codes\":7}"] {
            fs::write(file(&state), garbage).unwrap();
            assert_eq!(knock(&state, asked("A", "1"), None), Knock::Waits, "{garbage}");
        }
    }
}
