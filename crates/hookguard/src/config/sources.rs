//! The files that a configuration is made of: where they lie, what stands in them, and what they look like.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use hookguard_config::{Layer, MAX_FILE_BYTES, Marks, Place, Source};

use super::trust;
use crate::surroundings::Surroundings;

/// Where a file as a whole stands.
pub(super) const START: Place = Place { line: 1, column: 1 };

/// The administrator's file.
#[cfg(not(target_os = "macos"))]
const MANAGED: &str = "/etc/hookguard/managed.toml";
#[cfg(target_os = "macos")]
const MANAGED: &str = "/Library/Application Support/hookguard/managed.toml";

/// The administrator's file. Only the build for tests of failures takes another one, for no test may write to /etc.
pub(crate) fn managed_file() -> PathBuf {
    #[cfg(feature = "fault-injection")]
    if let Some(file) = std::env::var_os("HOOKGUARD_TEST_MANAGED") {
        return file.into();
    }
    PathBuf::from(MANAGED)
}

/// The files, from the one with the most authority on.
pub(super) fn places(surroundings: &Surroundings, root: Option<&str>) -> Vec<(Layer, PathBuf)> {
    let mut places = vec![(Layer::Managed, surroundings.managed.clone())];
    places.extend(surroundings.config.as_ref().map(|folder| (Layer::User, folder.join("config.toml"))));
    if let Some(root) = root.map(Path::new) {
        places.push((Layer::Project, root.join("hookguard.toml")));
        places.push((Layer::Local, root.join("hookguard.local.toml")));
    }
    places
}

/// What a file holds; none where there is none.
///
/// # Errors
/// It is there and can't be read: why, as a fragment.
pub(super) fn content(path: &Path) -> Result<Option<Vec<u8>>, String> {
    // A pipe in the file's place must not hang us.
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(format!("it can't be read: {error}")),
    };
    let metadata = file.metadata().map_err(|error| format!("it can't be read: {error}"))?;
    if !metadata.is_file() {
        return Err("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(|error| format!("it can't be read: {error}"))?;
    Ok(Some(bytes))
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// What the files look like now; none where there is none of them, and the built-in policy stands as it is.
pub(super) fn of(surroundings: &Surroundings, root: Option<&str>, state: Option<&Path>) -> Option<Vec<Source>> {
    let mut sources = Vec::with_capacity(6);
    let mut pins = Vec::new();
    for (layer, path) in places(surroundings, root) {
        let marks = marks(&path);
        // A pin only says something of a file that is there.
        if layer.is_projects() && marks.is_some() {
            pins.extend(state.map(|state| trust::file(state, &path)));
        }
        sources.push(source(&path, marks));
    }
    if sources.iter().all(|source| source.marks.is_none()) {
        return None;
    }
    sources.extend(pins.iter().map(|pin| source(pin, marks(pin))));
    Some(sources)
}

fn source(path: &Path, marks: Option<Marks>) -> Source {
    Source { path: path.to_string_lossy().into_owned(), marks }
}

/// A file's marks. One that can't be looked at is there all the same: it is a fault, and not the same as none.
fn marks(path: &Path) -> Option<Marks> {
    match fs::metadata(path) {
        Ok(of) => Some(Marks {
            id: (of.dev(), of.ino()),
            size: of.len(),
            changed: [(of.mtime(), of.mtime_nsec()), (of.ctime(), of.ctime_nsec())],
        }),
        Err(error) if is_absent(&error) => None,
        Err(_) => Some(Marks { id: (0, 0), size: 0, changed: [(0, 0); 2] }),
    }
}
