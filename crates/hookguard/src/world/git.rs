//! What a repository's own files say: which branch is checked out, whether a merge is unfinished. git is never started.

use std::fs;
use std::path::{Path, PathBuf};

use super::{MAX_UP, small};

/// A `.git` file or HEAD is a line; more than this is something else.
const MAX_HEAD_BYTES: u64 = 4096;
/// A configuration of git that is longer is not read: then nobody says what a push would push.
const MAX_CONFIG_BYTES: u64 = 64 * 1024;

/// A repository with more branches and tags in files of their own is not looked through.
const MAX_REFS: usize = 2000;
/// The same for those that stand together, in bytes.
const MAX_PACKED_BYTES: u64 = 1 << 20;

/// A repository, found from a folder in its work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    /// The top of the work tree.
    pub(super) top: PathBuf,
    /// Its own git folder: of a linked work tree, the one in the main repository's `worktrees`.
    pub(super) folder: PathBuf,
}

impl Repository {
    /// The repository whose work tree holds `dir`.
    pub(super) fn of(dir: &Path) -> Option<Repository> {
        let git = dir
            .ancestors()
            .take(MAX_UP)
            .map(|folder| folder.join(".git"))
            .find(|git| git.symlink_metadata().is_ok())?;
        let top = git.parent()?.to_owned();
        let folder = if git.is_dir() { git } else { linked(&git)? };
        Some(Repository { top, folder })
    }

    /// The git folder that linked work trees share.
    pub(super) fn common(&self) -> PathBuf {
        match small(&self.folder.join("commondir"), MAX_HEAD_BYTES) {
            Some(path) => self.folder.join(path.trim()),
            None => self.folder.clone(),
        }
    }

    /// The branch that is checked out, if that is what a push without a branch pushes.
    pub(super) fn branch(&self, users: &[PathBuf]) -> Option<String> {
        let head = small(&self.folder.join("HEAD"), MAX_HEAD_BYTES)?;
        let branch = head.trim().strip_prefix("ref: refs/heads/")?;
        let own = [self.common().join("config"), self.folder.join("config.worktree")];
        let other = |file: &PathBuf, included: bool| match fs::symlink_metadata(file) {
            Ok(_) => small(file, MAX_CONFIG_BYTES).is_none_or(|text| pushes_other(&text, included)),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        let doubt = own.iter().any(|file| other(file, true)) || users.iter().any(|file| other(file, false));
        (!doubt).then(|| branch.to_owned())
    }

    /// Other names that hold the commits of `branches`, if all of them are held or not there.
    pub(super) fn held(&self, branches: &[String]) -> Option<String> {
        let common = self.common();
        // Another way to store them.
        if common.join("reftable").symlink_metadata().is_ok() {
            return None;
        }
        let refs = refs(&common)?;
        let going: Vec<String> = branches.iter().map(|branch| format!("refs/heads/{branch}")).collect();
        let mut holders = Vec::new();
        for name in &going {
            // `@{-1}` and its like name a branch by something else.
            if name.contains(['@', '~', '^', ':', ' ']) {
                return None;
            }
            let Some((_, tip)) = refs.iter().find(|(other, _)| other == name) else { continue };
            let (holder, _) = refs.iter().find(|(other, to)| to == tip && !going.contains(other))?;
            holders.push(holder.clone());
        }
        Some(holders.join(" "))
    }

    /// The commit that is checked out, and its branch, if it is on one.
    pub(super) fn checked_out(&self) -> Option<(String, Option<String>)> {
        let head = small(&self.folder.join("HEAD"), MAX_HEAD_BYTES)?;
        let head = head.trim();
        let Some(name) = head.strip_prefix("ref: ") else { return Some((head.to_owned(), None)) };
        let (_, tip) = refs(&self.common())?.into_iter().find(|(other, _)| other == name)?;
        Some((tip, Some(name.to_owned())))
    }

    /// Another name than `but` that holds `commit`.
    pub(super) fn named_elsewhere(&self, commit: &str, but: Option<&str>) -> Option<String> {
        let refs = refs(&self.common())?;
        let name = refs.into_iter().find(|(name, to)| to == commit && Some(name.as_str()) != but)?.0;
        Some(name)
    }

    /// What is unfinished.
    pub(super) fn unfinished(&self) -> Option<String> {
        const SIGNS: [(&str, &str); 5] = [
            ("MERGE_HEAD", "merge"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
        ];
        let found = SIGNS.iter().find(|(name, _)| self.folder.join(name).symlink_metadata().is_ok());
        found.map(|(_, what)| (*what).to_owned())
    }
}

/// Whether neither a repository nor a bare one holds `dir`, which need not be there.
pub(super) fn is_none(dir: &Path) -> bool {
    let there = dir.ancestors().find(|folder| folder.is_dir()).and_then(|folder| fs::canonicalize(folder).ok());
    let holds = |folder: &Path| {
        folder.join(".git").symlink_metadata().is_ok()
            || folder.join("HEAD").exists() && folder.join("objects").exists()
    };
    there.is_some_and(|there| !there.ancestors().any(holds))
}

/// Whether a configuration of git has a bare push push something else than the branch that is checked out. `included`:
/// other files that it takes in may say so, too.
fn pushes_other(text: &str, included: bool) -> bool {
    let mut section = String::new();
    for line in text.lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = rest.split_once(']') else { continue };
            section = name.split([' ', '\t', '.']).next().unwrap_or_default().to_ascii_lowercase();
            line = after.trim();
            if included && matches!(section.as_str(), "include" | "includeif") {
                return true;
            }
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        let value = value.trim().trim_matches('"').to_ascii_lowercase();
        let other = match (section.as_str(), key.trim().to_ascii_lowercase().as_str()) {
            ("push", "default") => !matches!(value.as_str(), "simple" | "current" | "nothing"),
            ("remote", "push") => true,
            ("remote", "mirror") => value != "false",
            _ => false,
        };
        if other {
            return true;
        }
    }
    false
}

/// All branches, remote branches and tags of a repository with what they point to; `None` where they are too many.
fn refs(common: &Path) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open: Vec<String> = ["refs/heads", "refs/remotes", "refs/tags"].map(str::to_owned).to_vec();
    while let Some(name) = open.pop() {
        let Ok(entries) = fs::read_dir(common.join(&name)) else { continue };
        for entry in entries.flatten() {
            let name = format!("{name}/{}", entry.file_name().to_str()?);
            if entry.file_type().ok()?.is_dir() {
                open.push(name);
            } else if let Some(text) = small(&entry.path(), MAX_HEAD_BYTES) {
                found.push((name, text.trim().to_owned()));
            }
            if found.len() + open.len() > MAX_REFS {
                return None;
            }
        }
    }
    // A name that has a file of its own stands there.
    let loose = found.len();
    let packed = common.join("packed-refs");
    if packed.symlink_metadata().is_ok() {
        for line in small(&packed, MAX_PACKED_BYTES)?.lines() {
            let Some((to, name)) = line.split_once(' ').filter(|(to, _)| !to.starts_with(['#', '^'])) else { continue };
            if !found[..loose].iter().any(|(other, _)| other == name) {
                found.push((name.to_owned(), to.to_owned()));
            }
        }
    }
    Some(found)
}

/// The folder that a work tree's `.git` file names.
fn linked(file: &Path) -> Option<PathBuf> {
    let text = small(file, MAX_HEAD_BYTES)?;
    let named = Path::new(text.trim().strip_prefix("gitdir: ")?);
    Some(if named.is_absolute() { named.to_owned() } else { file.parent()?.join(named) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_configuration_has_a_push_push() {
        for other in [
            "[push]\n\tdefault = matching\n",
            "[push] default = \"upstream\"",
            "[remote \"origin\"]\n  url = x\n  push = refs/heads/*:refs/heads/*\n",
            "[Remote \"o\"]\nmirror\n",
            "[include]\n path = x\n",
        ] {
            assert!(pushes_other(other, true), "{other}");
        }
        for same in ["", "[push]\ndefault = current\n", "[user]\ndefault = matching\n[remote \"o\"]\nurl = u\n"] {
            assert!(!pushes_other(same, true), "{same}");
        }
        assert!(!pushes_other("[include]\npath = x\n", false));
    }

    #[test]
    fn a_commit_is_held_by_another_name() {
        let base = tempfile::tempdir().unwrap();
        let git = base.path().join(".git");
        let (one, two, three) = ("1".repeat(40), "2".repeat(40), "3".repeat(40));
        for (name, to) in [
            ("HEAD", "ref: refs/heads/main"),
            ("refs/heads/main", &one),
            ("refs/heads/pushed", &two),
            ("refs/heads/mine", &three),
            ("refs/heads/fix/deep", &one),
            ("refs/remotes/origin/pushed", &two),
        ] {
            fs::create_dir_all(git.join(name).parent().unwrap()).unwrap();
            fs::write(git.join(name), format!("{to}\n")).unwrap();
        }
        // The packed value of `mine` is an old one, and holds nothing.
        fs::write(
            git.join("packed-refs"),
            format!("# pack-refs\n{three} refs/tags/v1\n^{one}\n{two} refs/heads/mine\n"),
        )
        .unwrap();
        let held = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            Repository::of(base.path()).unwrap().held(&names)
        };
        assert_eq!(held(&["pushed"]).as_deref(), Some("refs/remotes/origin/pushed"));
        assert_eq!(held(&["fix/deep"]).as_deref(), Some("refs/heads/main"));
        assert_eq!(held(&["mine"]).as_deref(), Some("refs/tags/v1"));
        assert_eq!(held(&["none"]).as_deref(), Some(""));
        assert_eq!(held(&["main", "fix/deep"]), None, "both go");
        assert_eq!(held(&["@{-1}"]), None);
        fs::remove_file(git.join("packed-refs")).unwrap();
        assert_eq!(held(&["mine"]), None);
        assert_eq!(held(&["pushed", "mine"]), None);
        fs::create_dir(git.join("reftable")).unwrap();
        assert_eq!(held(&["pushed"]), None);
        assert!(!is_none(&base.path().join("new/deep")) && !is_none(&git.join("refs")));
        let other = tempfile::tempdir().unwrap();
        assert!(is_none(other.path()) && is_none(&other.path().join("new/deep")));
        std::os::unix::fs::symlink(base.path(), other.path().join("link")).unwrap();
        assert!(!is_none(&other.path().join("link/new")));
        fs::write(other.path().join("HEAD"), "").unwrap();
        fs::create_dir(other.path().join("objects")).unwrap();
        assert!(!is_none(&other.path().join("new")), "a bare one");
    }

    #[test]
    fn a_linked_work_tree_has_its_own_head_and_shares_the_configuration() {
        let base = tempfile::tempdir().unwrap();
        let (main, tree) = (base.path().join("main/.git"), base.path().join("tree"));
        let own = main.join("worktrees/tree");
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(tree.join("src")).unwrap();
        fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        fs::write(own.join("HEAD"), "ref: refs/heads/topic\n").unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        let found = Repository::of(&tree.join("src")).unwrap();
        assert_eq!(found, Repository { top: tree, folder: own.clone() });
        assert_eq!(found.branch(&[]), Some("topic".to_owned()));
        assert_eq!(found.unfinished(), None);
        fs::write(main.join("config"), "[push]\n default = matching\n").unwrap();
        assert_eq!(found.branch(&[]), None);
        fs::create_dir(own.join("rebase-merge")).unwrap();
        assert_eq!(found.unfinished(), Some("rebase".to_owned()));
    }
}
