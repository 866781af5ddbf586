//! The settings files of agents, read and written: what `install`, `uninstall`, `status` and `doctor` share.

mod replace;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use hookguard_adapter::settings::journal::{self, JournalEntry};
use hookguard_adapter::{FileEdit, Profile, Scope, SettingsFile, SettingsFiles};
use hookguard_core::{Event, EventKind};

use super::output::Usage;
use crate::state::now_ms;
use crate::surroundings::Surroundings;
use crate::world;

pub(super) use replace::{Changed, lock, make_folders};

/// Every scope, in the order in which people are shown them.
pub(super) const SCOPES: [Scope; 3] = [Scope::User, Scope::Project, Scope::Local];

/// The settings files of `profile`, of every scope, as they are. A file of `scope` that can't be read is an error; one of
/// another scope is left out, for nothing is asked of it.
pub(super) fn read(profile: &Profile, scope: Scope, surroundings: &Surroundings) -> anyhow::Result<SettingsFiles> {
    let mut files = Vec::new();
    for place in profile.settings {
        let folder = match folder(profile, place.folder, place.scope, surroundings) {
            Err(error) if place.scope == scope => return Err(error),
            Err(_) => continue,
            Ok(folder) => folder,
        };
        let path = folder.join(place.path);
        let bytes = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            Err(_) if place.scope != scope => continue,
            Err(error) => bail!(Usage(format!("failed to read {}: {error}", path.display()))),
        };
        tracing::debug!(path = %path.display(), length = ?bytes.as_ref().map(Vec::len), "read settings");
        let path = path.to_str().with_context(|| format!("{} is no UTF-8", path.display()))?.to_owned();
        files.push(SettingsFile { scope: place.scope, path, place: place.path, bytes });
    }
    Ok(files)
}

fn folder(profile: &Profile, folder: &str, scope: Scope, surroundings: &Surroundings) -> anyhow::Result<PathBuf> {
    if scope != Scope::User {
        let root = project(surroundings).context(Usage(
            "there is no project here: no folder with a .git at or above this one, and it is HOME or above it"
                .to_owned(),
        ))?;
        return Ok(Path::new(&root).join(folder));
    }
    if let Some(named) = profile.home_variable.and_then(std::env::var_os).filter(|value| !value.is_empty()) {
        return std::path::absolute(&named).with_context(|| format!("failed to use {}", Path::new(&named).display()));
    }
    match &surroundings.home {
        Some(home) => Ok(Path::new(home).join(folder)),
        None => bail!(Usage("HOME is not set, so there is no user whose settings could be edited".to_owned())),
    }
}

/// The root of the project that the process is in, as the hook would find it.
pub(super) fn project(surroundings: &Surroundings) -> Option<String> {
    let nobody = Event::new(EventKind::Other, "", "", b"");
    world::project_root(&nobody, surroundings.cwd.as_deref(), surroundings.home.as_deref())
}

/// The binary as the settings of `scope` name it: an absolute path, so that no PATH can put another in its place; but a
/// project's file is shared among machines, which have it in different places.
pub(super) fn binary(scope: Scope) -> anyhow::Result<String> {
    if scope == Scope::Project {
        return Ok("hookguard".to_owned());
    }
    let path = std::env::current_exe().context("failed to find hookguard's own binary")?;
    path.to_str().map(str::to_owned).with_context(|| format!("{} is no UTF-8", path.display()))
}

/// What hookguard has written to settings files before; none without a state folder.
pub(super) fn journal(surroundings: &Surroundings) -> Vec<JournalEntry> {
    let bytes = journal_file(surroundings).and_then(|file| fs::read(file).ok()).unwrap_or_default();
    journal::read(&bytes).entries
}

fn journal_file(surroundings: &Surroundings) -> Option<PathBuf> {
    Some(surroundings.state.as_ref()?.join("settings-journal.jsonl"))
}

/// Writes what a plan says, if the file still is what the plan was made for, and remembers the bytes of before.
///
/// # Errors
/// [`Changed`] where the file is another one by now; [`Usage`] where it may not be written.
pub(super) fn write(edit: &FileEdit, surroundings: &Surroundings) -> anyhow::Result<()> {
    // A dotfile that is a link stays one: what it points to is replaced.
    let path = replace::target(Path::new(&edit.path));
    replace::still(&path, edit.before.as_deref())?;
    tracing::debug!(path = %path.display(), length = ?edit.after.as_ref().map(Vec::len), "write settings");
    match &edit.after {
        Some(bytes) => {
            replace::writable(&path)?;
            remember(edit, bytes, surroundings)?;
            replace::replace(&path, edit.before.as_deref(), bytes)
        }
        None => replace::remove(&path),
    }
}

/// Writes a file that is no agent's settings: replaced as one, and only if it still holds `before`; removed for `None`.
///
/// # Errors
/// As for [`write`].
pub(super) fn put(path: &Path, before: Option<&[u8]>, after: Option<&[u8]>) -> anyhow::Result<()> {
    let path = replace::target(path);
    replace::still(&path, before)?;
    match after {
        Some(bytes) => replace::writable(&path).and_then(|()| replace::replace(&path, before, bytes)),
        None => replace::remove(&path),
    }
}

fn remember(edit: &FileEdit, after: &[u8], surroundings: &Surroundings) -> anyhow::Result<()> {
    let Some(file) = journal_file(surroundings) else { return Ok(()) };
    let entry = JournalEntry {
        path: edit.path.clone().into_bytes(),
        before: edit.before.clone(),
        after: after.to_vec(),
        time: now_ms(),
    };
    crate::state::append_line(&file, &format!("{}\n", entry.to_line().trim_end())).with_context(|| {
        format!("failed to write {}, which uninstall needs to give back the file as it was", file.display())
    })
}
