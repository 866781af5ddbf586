//! The compiled configuration of each project, kept in the state folder. It is read only where nobody but its user can have
//! written it, and it is of just these files and this build; what can't be kept is compiled anew at every call.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hookguard_config::{Key, Policy, Source, name_of, seal, unseal};

use crate::state::private;

/// A file that was changed so lately may change again without looking different.
const SETTLED_NS: i128 = 100_000_000;
/// The largest that is read, in bytes: a thousand rules come to half of it.
const MAX_BYTES: u64 = 4 << 20;

/// The file for the project at `root`.
pub(super) fn file(state: &Path, root: Option<&str>) -> PathBuf {
    state.join("config").join(format!("{}.bin", name_of(root.unwrap_or_default())))
}

/// What `file` holds, if it may be used.
pub(super) fn load(file: &Path, sources: &[Source]) -> Option<&'static Policy> {
    let bytes: &'static [u8] = private::read(file, MAX_BYTES)?.leak();
    Policy::load(unseal(bytes, &Key::of(sources))?)
}

/// Keeps `compiled`. What can't be written is not, and costs a compilation a call.
pub(super) fn store(file: &Path, sources: &[Source], compiled: &[u8]) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i128);
    let settled = |at: (i64, i64)| now - (i128::from(at.0) * 1_000_000_000 + i128::from(at.1)) > SETTLED_NS;
    let all_settled =
        sources.iter().filter_map(|source| source.marks).all(|marks| marks.changed.into_iter().all(settled));
    if all_settled {
        let _ = private::write(file, &seal(&Key::of(sources), compiled));
    }
}
