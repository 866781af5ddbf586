//! The settings files of agents, read and written: what `install`, `uninstall` and `status` share.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use hookguard_adapter::settings::journal::{self, JournalEntry};
use hookguard_adapter::{FileEdit, Profile, Scope, SettingsFile, SettingsFiles};

use super::output::Usage;
use crate::state::now_ms;
use crate::surroundings::Surroundings;

/// The settings files of `profile` at `scope`, as they are.
pub(super) fn read(profile: &Profile, scope: Scope, surroundings: &Surroundings) -> anyhow::Result<SettingsFiles> {
    let mut files = Vec::new();
    for place in profile.settings.iter().filter(|place| place.scope == scope) {
        let path = folder(profile, place.folder, scope, surroundings)?.join(place.path);
        let bytes = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("failed to read {}", path.display())),
        };
        tracing::debug!(path = %path.display(), length = ?bytes.as_ref().map(Vec::len), "read settings");
        let path = path.to_str().with_context(|| format!("{} is no UTF-8", path.display()))?.to_owned();
        files.push(SettingsFile { path, place: place.path, bytes });
    }
    Ok(files)
}

fn folder(profile: &Profile, folder: &str, scope: Scope, surroundings: &Surroundings) -> anyhow::Result<PathBuf> {
    if scope != Scope::User {
        let cwd = surroundings.cwd.as_ref().context("there is no working directory")?;
        return Ok(Path::new(cwd).join(folder));
    }
    if let Some(named) = profile.home_variable.and_then(std::env::var_os).filter(|value| !value.is_empty()) {
        return std::path::absolute(&named).with_context(|| format!("failed to use {}", Path::new(&named).display()));
    }
    match &surroundings.home {
        Some(home) => Ok(Path::new(home).join(folder)),
        None => bail!(Usage("HOME is not set, so there is no user whose settings could be edited".to_owned())),
    }
}

/// The binary as the settings name it: an absolute path, so that no PATH can put another in its place.
pub(super) fn binary() -> anyhow::Result<String> {
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
pub(super) fn write(edit: &FileEdit, surroundings: &Surroundings) -> anyhow::Result<()> {
    // A dotfile that is a link stays one: what it points to is replaced.
    let path = fs::canonicalize(&edit.path).unwrap_or_else(|_| PathBuf::from(&edit.path));
    if fs::read(&path).ok() != edit.before {
        bail!("{} has changed in the meantime; nothing was written, run the command again", edit.path);
    }
    tracing::debug!(path = %path.display(), length = ?edit.after.as_ref().map(Vec::len), "write settings");
    match &edit.after {
        Some(bytes) => {
            remember(edit, bytes, surroundings)?;
            replace(&path, bytes)
        }
        None => fs::remove_file(&path).with_context(|| format!("failed to remove {}", path.display())),
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

/// Atomically: a new file beside it, flushed, renamed over it. Its mode stays.
fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("failed to write {}", path.display());
    let folder = path.parent().with_context(failed)?;
    fs::create_dir_all(folder).with_context(failed)?;
    let name = path.file_name().with_context(failed)?.to_string_lossy();
    let beside = folder.join(format!(".{name}.hookguard-{}", std::process::id()));
    let mode = fs::metadata(path).map_or(0o600, |metadata| metadata.permissions().mode() & 0o7777);
    let written = OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        File::open(folder)?.sync_all()
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.with_context(failed)
}
