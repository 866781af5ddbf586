//! What the policy may ask of the world, and what a project is: bounded looks at the file system.

use std::fs;
use std::path::{Path, PathBuf};

use hookguard_core::Event;
use hookguard_policy::Question;

/// How far up a `.git` is looked for.
const MAX_UP: usize = 64;
/// A `.git` file or HEAD is a line; more than this is something else.
const MAX_HEAD_BYTES: u64 = 4096;

/// The project's root: the agent's own where it names one, else the nearest folder with a `.git` at or above the working
/// directory, else that directory. Never the home folder, something above it, or `/`: deleting there is no project's work.
pub(crate) fn project_root(event: &Event<'_>, cwd: Option<&str>, home: Option<&str>) -> Option<String> {
    let fit = |root: &str| root.starts_with('/') && root.len() > 1 && !home.is_some_and(|home| within(home, root));
    let tidy = |root: &str| root.trim_end_matches('/').to_owned();
    if let Some(root) = event.roots.iter().map(|root| tidy(root)).find(|root| fit(root)) {
        return Some(root);
    }
    let cwd = tidy(event.cwd.as_deref().or(cwd)?);
    let git = Path::new(&cwd).ancestors().take(MAX_UP).find(|folder| folder.join(".git").symlink_metadata().is_ok());
    git.and_then(Path::to_str).map(str::to_owned).filter(|root| fit(root)).or_else(|| fit(&cwd).then_some(cwd))
}

/// Whether `path` is `folder` or below it.
fn within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers one question; `None` where the world does not say.
pub(crate) fn answer(question: &Question) -> Option<String> {
    match question {
        Question::Branch { dir } => branch(Path::new(dir)),
    }
}

fn branch(dir: &Path) -> Option<String> {
    let git =
        dir.ancestors().take(MAX_UP).map(|folder| folder.join(".git")).find(|git| git.symlink_metadata().is_ok())?;
    let folder = if git.is_dir() { git } else { linked(&git)? };
    let head = small(&folder.join("HEAD"))?;
    head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
}

/// The folder that a work tree's `.git` file names.
fn linked(file: &Path) -> Option<PathBuf> {
    let text = small(file)?;
    let named = Path::new(text.trim().strip_prefix("gitdir: ")?);
    Some(if named.is_absolute() { named.to_owned() } else { file.parent()?.join(named) })
}

fn small(file: &Path) -> Option<String> {
    let fits = fs::metadata(file).ok().is_some_and(|metadata| metadata.is_file() && metadata.len() <= MAX_HEAD_BYTES);
    if fits { fs::read_to_string(file).ok() } else { None }
}
