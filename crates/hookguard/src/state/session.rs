//! A session's folder in the state folder: where it is, a lock on it, and when it goes.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hookguard_core::Event;
use rustix::fs::{FlockOperation, flock};

use super::private;
use crate::surroundings::Surroundings;

/// How long a session's folder outlives the last thing that was written to it.
const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How many folders are looked at, and removed, when a session starts: it must stay a matter of milliseconds.
const MAX_LOOKED_AT: usize = 2_000;
const MAX_REMOVED: usize = 50;
/// How long a lock is waited for: whoever has it needs it for a read and a write.
const PATIENCE: Duration = Duration::from_millis(500);

/// The folder of the event's session; none without a session or a state folder. It may not be there yet.
pub(crate) fn folder(surroundings: &Surroundings, event: &Event<'_>) -> Option<PathBuf> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    Some(all(surroundings)?.join(format!("{}-{}", event.agent, file_name(session))))
}

fn all(surroundings: &Surroundings) -> Option<PathBuf> {
    Some(surroundings.state.as_ref()?.join("session"))
}

/// The project's root for the event's session: the one that was found when it was first seen, for a `git init` in a folder below
/// must not take the project's file out of the way, and a `cd` must not make another folder the project. An agent that
/// names its roots itself is believed.
pub(crate) fn pinned_root(surroundings: &Surroundings, event: &Event<'_>, found: Option<String>) -> Option<String> {
    let Some(folder) = folder(surroundings, event).filter(|_| event.roots.is_empty()) else { return found };
    let file = folder.join("root");
    let pinned = private::read(&file, MAX_ROOT_BYTES).and_then(|bytes| String::from_utf8(bytes).ok());
    if let Some(pinned) = pinned.filter(|root| root.starts_with('/')) {
        return Some(pinned);
    }
    if let Some(root) = &found {
        let _ = private::write(&file, root.as_bytes());
    }
    found
}

/// The longest path, in bytes.
const MAX_ROOT_BYTES: u64 = 4096;

/// A session's id as a file's name: it comes from the payload, so nothing of it may be a path.
fn file_name(session: &str) -> String {
    session.chars().take(100).map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect()
}

/// The lock of a session, until it is dropped. `None` where there can't be one, or somebody does not let go of it.
pub(crate) fn lock(folder: &Path) -> Option<File> {
    let path = folder.join("lock");
    // Not blocking: a pipe in its place would hang us for ever. With nobody reading from it, it can't be opened at all.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let open = || OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(&path);
    let file = match open() {
        Ok(file) => file,
        Err(_) => {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
            open().ok()?
        }
    };
    let mut waited = Duration::ZERO;
    while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        if waited >= PATIENCE {
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
        waited += Duration::from_millis(2);
    }
    Some(file)
}

/// Removes what is known of the event's session: it has ended.
pub(crate) fn forget(surroundings: &Surroundings, event: &Event<'_>) {
    if let Some(folder) = folder(surroundings, event) {
        let _ = fs::remove_dir_all(folder);
    }
}

/// Removes sessions that nothing was written to for seven days: their ends were never told. Some of them each time.
pub(crate) fn sweep(surroundings: &Surroundings) {
    let Some(entries) = all(surroundings).and_then(|all| fs::read_dir(all).ok()) else { return };
    let mut removed = 0;
    for entry in entries.flatten().take(MAX_LOOKED_AT) {
        if removed >= MAX_REMOVED {
            return;
        }
        let folder = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_old(&folder) && fs::remove_dir_all(&folder).is_ok() {
            removed += 1;
        }
    }
}

/// Whether neither the folder nor a file in it was written to lately.
fn is_old(folder: &Path) -> bool {
    let old = |path: &Path| {
        let modified = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > MAX_AGE))
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().take(16);
    old(folder) && files.into_iter().all(|file| old(&file.path()))
}
