//! Files of the state folder that are replaced as a whole, and believed: nobody else may have written them.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Result, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// What `file` holds, up to `limit` bytes; none where it is not there, longer, a link, no file, or another's.
pub(crate) fn read(file: &Path, limit: u64) -> Option<Vec<u8>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(file).ok()?;
    let of = opened.metadata().ok()?;
    let own = of.uid() == rustix::process::geteuid().as_raw() && of.mode() & 0o077 == 0;
    if !of.is_file() || !own || of.len() > limit {
        return None;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(of.len()).unwrap_or(0) + 1);
    opened.take(limit).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Replaces `file`: readers see all of it or what was there before.
pub(crate) fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    let beside = file.with_extension(format!("{}.tmp", std::process::id()));
    let _ = fs::remove_file(&beside);
    let written = open_new(&beside).and_then(|mut new| new.write_all(bytes)).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Makes an empty `file`.
///
/// # Errors
/// It is there already (`AlreadyExists`), or can't be made.
pub(crate) fn create(file: &Path) -> Result<()> {
    open_new(file).map(|_| ())
}

fn open_new(file: &Path) -> Result<File> {
    let open = || OpenOptions::new().write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW).open(file);
    match open() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if let Some(folder) = file.parent() {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            open()
        }
        opened => opened,
    }
}
