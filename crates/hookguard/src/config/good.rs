//! The last version of each file that could be used: it stands while the file is broken.

use std::path::{Path, PathBuf};

use hookguard_config::{MAX_FILE_BYTES, name_of};

use crate::state::private;

/// The first line, before the content: the name of the file is only a number.
fn head(of: &Path) -> String {
    format!("# the last good version of {}\n", of.display())
}

/// A file's content and the longest path.
const MAX_BYTES: u64 = MAX_FILE_BYTES as u64 + 8192;

fn file(state: &Path, of: &Path) -> PathBuf {
    state.join("config").join(format!("{}.good.toml", name_of(&of.to_string_lossy())))
}

/// Keeps `bytes` as the last good version of the file `of`.
pub(super) fn keep(state: Option<&Path>, of: &Path, bytes: &[u8]) {
    let Some(state) = state else { return };
    let file = file(state, of);
    let head = head(of).into_bytes();
    let kept = private::read(&file, MAX_BYTES);
    if kept.is_none_or(|kept| kept.strip_prefix(head.as_slice()) != Some(bytes)) {
        let _ = private::write(&file, &[&head, bytes].concat());
    }
}

/// The last good version of the file `of`.
pub(super) fn last(state: Option<&Path>, of: &Path) -> Option<Vec<u8>> {
    let kept = private::read(&file(state?, of), MAX_BYTES)?;
    kept.strip_prefix(head(of).as_bytes()).map(<[u8]>::to_vec)
}
