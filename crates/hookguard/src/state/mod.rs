//! hookguard's state folder: `$XDG_STATE_HOME/hookguard`, else `$HOME/.local/state/hookguard`, else none. Folders 0700,
//! files 0600, never a symbolic link followed. What can't be written is not
//! written. Nothing here changes a verdict but a human's code, which lets an ask pass.
//!
//! ```text
//! log/2026-11-30.jsonl                  the decision log, one file a day (UTC)
//! session/<agent>-<session>/queue.jsonl what a model has not been told yet
//! session/<agent>-<session>/ledger.jsonl what happened (hookguard-judge's ledger::Record)
//! session/<agent>-<session>/root        the project's root when the session was first seen
//! session/<agent>-<session>/lock        held while one of doubled hooks decides whether to speak at stop
//! config/<project>.bin                  a project's configuration, compiled
//! config/<file>.good.toml               the last version of a configuration file that could be used
//! config/<notice>.told                  that people were told of something in it
//! trust/<file>.toml                     the content of a project's file that the user has trusted
//! allow/codes.json                      what waits for a human's `hookguard allow CODE` (replaced as a whole)
//! allow/lock                            held while it is read and replaced
//! ```

pub(crate) mod codes;
pub(crate) mod decision_log;
pub(crate) mod private;
pub(crate) mod queue;
pub(crate) mod retention;
pub(crate) mod session;

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in milliseconds since 1970 (UTC).
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Appends one line in a single write, which the system keeps whole among writers. The folders are made when the file
/// can't be opened for want of them: nearly never.
pub(crate) fn append_line(file: &Path, line: &str) -> std::io::Result<()> {
    let mut log = match open(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if let Some(folder) = file.parent() {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            open(file)?
        }
        opened => opened?,
    };
    log.write_all(line.as_bytes())
}

fn open(file: &Path) -> std::io::Result<File> {
    // Not blocking: a pipe in the file's place would hang us for ever, and is no file.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let opened = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(file)?;
    let kind = opened.metadata()?.file_type();
    if kind.is_file() || kind.is_char_device() { Ok(opened) } else { Err(std::io::ErrorKind::InvalidInput.into()) }
}
