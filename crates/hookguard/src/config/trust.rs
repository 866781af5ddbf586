//! The user's word for a project's file: which content was trusted, and when.

use std::path::{Path, PathBuf};

use hookguard_config::{MAX_FILE_BYTES, name_of};

use crate::state::private;

/// The first line of a pin, before the content that is trusted: what it is about, for people.
const HEAD: &str = "# trusted: ";

/// Where the word for the file `of` is kept.
pub(crate) fn file(state: &Path, of: &Path) -> PathBuf {
    state.join("trust").join(format!("{}.toml", name_of(&of.to_string_lossy())))
}

/// The content of the file `of` that the user has trusted.
pub(crate) fn content(state: Option<&Path>, of: &Path) -> Option<Vec<u8>> {
    let pin = private::read(&file(state?, of), MAX_FILE_BYTES as u64 + 8192)?;
    let end = pin.iter().position(|byte| *byte == b'\n')?;
    let head = format!("{HEAD}{}", of.display());
    (pin[..end] == *head.as_bytes()).then(|| pin[end + 1..].to_vec())
}

/// Keeps the user's word for `bytes`.
///
/// # Errors
/// It can't be written.
pub(crate) fn pin(state: &Path, of: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut pin = format!("{HEAD}{}\n", of.display()).into_bytes();
    pin.extend_from_slice(bytes);
    private::write(&file(state, of), &pin)
}

/// Takes the user's word back; whether there was one.
///
/// # Errors
/// It can't be removed.
pub(crate) fn unpin(state: &Path, of: &Path) -> std::io::Result<bool> {
    match std::fs::remove_file(file(state, of)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
