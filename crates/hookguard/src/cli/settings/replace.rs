//! Putting new bytes in the place of a settings file: links followed, nothing lost between two writers, never half a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::super::output::Usage;

/// How long another installation is waited for; one takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(5);

/// How many links a path may go through, as in Linux.
const MAX_LINKS: usize = 40;

/// The file is not what the plan was made for: make another.
#[derive(Debug, thiserror::Error)]
#[error("{0} has changed in the meantime; nothing was written, run the command again")]
pub(crate) struct Changed(String);

/// While it lives, no other hookguard plans or writes in the same folders.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "the locks live as long as the files are open")] Vec<File>);

/// Waits for the folders of these files: they themselves are locked, so nothing is left behind. Where a folder can't be locked
/// (some network file systems), comparing before the write still keeps two writers apart.
///
/// # Errors
/// Another installation does not end.
pub(crate) fn lock<'p>(paths: impl Iterator<Item = &'p str>) -> anyhow::Result<Lock> {
    let mut folders: Vec<PathBuf> =
        paths.filter_map(|path| Some(target(Path::new(path)).parent()?.to_owned())).collect();
    // The same order for all, or two would wait for each other.
    folders.sort();
    folders.dedup();
    let start = Instant::now();
    let mut held = Vec::new();
    for folder in folders {
        let Ok(file) = File::open(&folder) else { continue };
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            if start.elapsed() > PATIENCE {
                bail!(Usage(format!(
                    "another process has been writing in {} for a while; try again",
                    folder.display()
                )));
            }
            std::thread::sleep(LOOK);
        }
        held.push(file);
    }
    Ok(Lock(held))
}

/// Makes the folders of these files: where there is none, there is nothing to lock.
///
/// # Errors
/// One can't be made.
pub(crate) fn make_folders<'p>(paths: impl Iterator<Item = &'p str>) -> anyhow::Result<()> {
    for folder in paths.filter_map(|path| Some(target(Path::new(path)).parent()?.to_owned())) {
        fs::create_dir_all(&folder)
            .map_err(|error| Usage(format!("failed to make {}: {error}; nothing was written", folder.display())))?;
    }
    Ok(())
}

/// What a path leads to, through every link, whether it is there or not.
pub(super) fn target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(link) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| link.clone(), |folder| folder.join(&link));
    }
    match (path.parent().map(fs::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Fails with [`Changed`] unless the file holds `before`.
pub(super) fn still(path: &Path, before: Option<&[u8]>) -> anyhow::Result<()> {
    if fs::read(path).ok().as_deref() != before {
        bail!(Changed(path.display().to_string()));
    }
    Ok(())
}

/// Fails where the file says that nobody is to write it: replacing it would be possible, and not what its owner meant.
pub(super) fn writable(path: &Path) -> anyhow::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        bail!(Usage(format!(
            "{} is read-only; nothing was written. Make it writable (chmod u+w), or, if a program makes it, have that \
             program add the entries that `hookguard install --dry-run` shows",
            path.display()
        )));
    }
    Ok(())
}

/// A new file beside it, flushed, renamed over it. Its mode and owner stay.
pub(super) fn replace(path: &Path, before: Option<&[u8]>, bytes: &[u8]) -> anyhow::Result<()> {
    let written = write(path, before, bytes);
    let io_of = |error: &anyhow::Error| {
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        kind.or_else(|| error.downcast_ref::<Errno>().map(|errno| errno.kind()))
    };
    written.map_err(|error| match io_of(&error) {
        Some(io) if forbidden(io) => {
            Usage(format!("failed to write {}: {error}; nothing was written", path.display())).into()
        }
        Some(_) => error.context(format!("failed to write {}", path.display())),
        None => error,
    })
}

fn write(path: &Path, before: Option<&[u8]>, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().context("it has no folder")?;
    fs::create_dir_all(folder)?;
    let name = path.file_name().context("it has no name")?.to_string_lossy();
    let beside = folder.join(format!(".{name}.hookguard-{}", std::process::id()));
    let old = fs::metadata(path).ok();
    let mode = old.as_ref().map_or(0o600, |metadata| metadata.permissions().mode() & 0o7777);
    let renamed = || -> anyhow::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
        file.write_all(bytes)?;
        if let Some(old) = &old
            && file.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid()))
        {
            // Only root can; a user who can't has the file as their own from now on, which they could read anyway.
            let _ = std::os::unix::fs::fchown(&file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.sync_all()?;
        still(path, before)?;
        put(&beside, path, before)?;
        Ok(File::open(folder)?.sync_all()?)
    }();
    let _ = fs::remove_file(&beside);
    renamed
}

/// Puts the new file in its place only if that still holds `before`: another program may have written since we looked.
fn put(new: &Path, path: &Path, before: Option<&[u8]>) -> anyhow::Result<()> {
    let swap = |flags| renameat_with(CWD, new, CWD, path, flags);
    let Some(before) = before else {
        return match swap(RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => bail!(Changed(path.display().to_string())),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(fs::rename(new, path)?),
            done => Ok(done?),
        };
    };
    match swap(RenameFlags::EXCHANGE) {
        // The two have changed places: what comes out is what there was in that very moment.
        Ok(()) if fs::read(new).is_ok_and(|out| out == before) => Ok(()),
        Ok(()) => {
            swap(RenameFlags::EXCHANGE)?;
            bail!(Changed(path.display().to_string()))
        }
        Err(Errno::NOENT) => bail!(Changed(path.display().to_string())),
        // A file system that can't: then what was compared a moment ago has to do.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(fs::rename(new, path)?),
        Err(error) => Err(error.into()),
    }
}

/// Removes the file that install made.
pub(super) fn remove(path: &Path) -> anyhow::Result<()> {
    fs::remove_file(path).map_err(|error| match forbidden(error.kind()) {
        true => Usage(format!("failed to remove {}: {error}", path.display())).into(),
        false => anyhow::Error::new(error).context(format!("failed to remove {}", path.display())),
    })
}

fn forbidden(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::NotADirectory
            | ErrorKind::AlreadyExists
    )
}
