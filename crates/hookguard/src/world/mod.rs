//! What the policy may ask of the world, and what a project is: bounded looks at the file system.

mod committed;
mod git;
mod index;
mod kept;
mod links;
mod scripts;

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use hookguard_core::Event;
use hookguard_policy::Question;

use crate::ledger;
use crate::state::session;
use crate::surroundings::Surroundings;
use git::Repository;
use links::Links;
use scripts::Session;

/// How far up a `.git` is looked for.
const MAX_UP: usize = 64;

/// The project's root: the agent's own where it names one, else the nearest folder with a `.git` at or above the working
/// directory, else that directory. Never the home folder, something above it, or `/`: deleting there is no project's work.
pub(crate) fn project_root(event: &Event<'_>, cwd: Option<&str>, home: Option<&str>) -> Option<String> {
    // A home that is a link has two names; a root below the one that is known needs no look.
    let linked = || home.and_then(|home| fs::read_link(home).ok().and_then(|_| fs::canonicalize(home).ok()));
    let below_home = |root: &str| home.is_some_and(|home| within(root, home));
    let fit = |root: &str| {
        let other = || linked().is_some_and(|real| real.starts_with(root));
        is_root(root, home) && (below_home(root) || !other())
    };
    let tidy = |root: &str| root.trim_end_matches('/').to_owned();
    if let Some(root) = event.roots.iter().map(|root| tidy(root)).find(|root| fit(root)) {
        return Some(root);
    }
    let cwd = tidy(event.cwd.as_deref().or(cwd)?);
    let git = Path::new(&cwd).ancestors().take(MAX_UP).find(|folder| folder.join(".git").symlink_metadata().is_ok());
    git.and_then(Path::to_str).map(str::to_owned).filter(|root| fit(root)).or_else(|| fit(&cwd).then_some(cwd))
}

/// The root of a project in which an agent was started at `cwd`, by the text alone.
pub(crate) fn root_of_text(cwd: &str, home: Option<&str>) -> Option<String> {
    let cwd = cwd.trim_end_matches('/');
    is_root(cwd, home).then(|| cwd.to_owned())
}

/// Whether a folder can be a project's: it is not the home folder, something above it, or `/`.
fn is_root(folder: &str, home: Option<&str>) -> bool {
    folder.starts_with('/') && folder.len() > 1 && !home.is_some_and(|home| within(home, folder))
}

/// Whether `path` is `folder` or below it.
fn within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What answers the questions about one call.
#[derive(Debug)]
pub(crate) struct Look<'a> {
    surroundings: &'a Surroundings,
    links: Links,
    session: Session,
}

impl<'a> Look<'a> {
    pub(crate) fn new(surroundings: &'a Surroundings, event: &Event<'_>) -> Look<'a> {
        let folder = session::folder(surroundings, event);
        let session = Session::new(folder.as_deref().map(ledger::file));
        Look { surroundings, links: Links::default(), session }
    }

    /// Answers one question; `None` where the world does not say.
    pub(crate) fn answer(&mut self, question: &Question) -> Option<String> {
        match question {
            Question::Branch { dir } => Repository::of(Path::new(dir))?.branch(&self.git_settings()),
            Question::Unfinished { dir } => Repository::of(Path::new(dir))?.unfinished(),
            Question::Held { dir, branches } => match Repository::of(Path::new(dir)) {
                Some(repository) => repository.held(branches),
                // Where no repository is, nothing is lost: the text itself makes one.
                None => git::is_none(Path::new(dir)).then(String::new),
            },
            Question::Kept { paths } => kept::kept(paths),
            Question::Committed { dir, whole, held } => committed::committed(Path::new(dir), *whole, *held),
            Question::WorkTree { dir, paths } => committed::in_work_trees(Path::new(dir), paths),
            Question::Real { path } => self.links.real(Path::new(path)),
            Question::Script { path, edited } => scripts::text(Path::new(path), *edited, &mut self.session),
        }
    }

    /// The user's and the machine's settings of git.
    fn git_settings(&self) -> Vec<PathBuf> {
        let home = self.surroundings.home.as_deref().map(|home| Path::new(home).join(".gitconfig"));
        let xdg = self.surroundings.config.as_deref().and_then(Path::parent).map(|folder| folder.join("git/config"));
        [home, xdg, Some("/etc/gitconfig".into())].into_iter().flatten().collect()
    }
}

/// A file of a repository, opened: whoever made the repository may have put a pipe or a device there.
fn file(path: &Path) -> Option<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    file.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(file)
}

/// What a file holds, if it is no more than `most` bytes.
fn content(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = file(path)?;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(most)).unwrap_or(0));
    (length <= most).then(|| file.take(most).read_to_end(&mut bytes).ok())??;
    Some(bytes)
}

/// The text of a small file.
fn small(path: &Path, most: u64) -> Option<String> {
    String::from_utf8(content(path, most)?).ok()
}

#[cfg(test)]
mod tests {
    use hookguard_core::EventKind;

    use super::*;

    /// Runs the real git in `dir`, without anybody's settings.
    pub(super) fn git(dir: &std::path::Path, words: &[&str]) {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x@example.com"])
            .args(words)
            .current_dir(dir)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }

    #[test]
    fn a_home_by_its_other_name_is_no_project() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir_all(path("real/acme")).unwrap();
        std::os::unix::fs::symlink(path("real"), path("home")).unwrap();
        let root = |cwd: &str| {
            let mut event = Event::new(EventKind::PreTool, "test", "test", b"");
            event.cwd = Some(path(cwd));
            project_root(&event, None, Some(&path("home")))
        };
        assert_eq!((root("real"), root("home")), (None, None));
        assert_eq!((root("real/acme"), root("home/acme")), (Some(path("real/acme")), Some(path("home/acme"))));
    }
}
