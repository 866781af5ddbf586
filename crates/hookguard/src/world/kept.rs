//! Whether git has what lies at a path: then it can be put back.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use hookguard_policy::is_build_folder;

use super::content;
use super::git::Repository;
use super::index::{Tracked, tracked};
use super::scripts::MAX_INDEX;

/// A folder with more files is asked about without counting them.
const MAX_FILES: usize = 500;
/// How many bytes of the index may be searched for all files together.
const MAX_SEARCHED: u64 = 256 << 20;

/// The number of files that git has, if it has all that lies at `paths`.
pub(super) fn kept(paths: &[String]) -> Option<String> {
    let mut files = 0;
    for path in paths {
        all_at(Path::new(path), &mut files)?;
    }
    Some(files.to_string())
}

fn all_at(path: &Path, files: &mut usize) -> Option<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        // What is not there is not lost.
        Err(error) => return (error.kind() == ErrorKind::NotFound).then_some(()),
    };
    // The way to it must hold no links: git knows files by their places.
    let real = fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?);
    let repository = Repository::of(real.parent()?)?;
    let index = repository.folder.join("index");
    let bytes = content(&index, MAX_INDEX)?;
    let length = bytes.len() as u64;
    let mut open = vec![(real, metadata)];
    while let Some((path, metadata)) = open.pop() {
        if metadata.is_dir() {
            // A repository of its own is not in this one.
            if path.join(".git").symlink_metadata().is_ok() {
                return None;
            }
            for entry in fs::read_dir(&path).ok()? {
                let entry = entry.ok()?;
                let metadata = entry.metadata().ok()?;
                if !(metadata.is_dir() && entry.file_name().to_str().is_some_and(is_build_folder)) {
                    open.push((entry.path(), metadata));
                }
            }
            continue;
        }
        *files += 1;
        if *files > MAX_FILES || *files as u64 * length > MAX_SEARCHED {
            return None;
        }
        let name = path.strip_prefix(&repository.top).ok()?.as_os_str().as_encoded_bytes();
        if tracked(&bytes, name, &metadata, true) != Some(Tracked::Unchanged) {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn only_what_git_has_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let git = |words: &[&str]| {
            let done = Command::new("git")
                .args(words)
                .current_dir(&top)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .env("GIT_CONFIG_SYSTEM", "/dev/null")
                .output()
                .unwrap();
            assert!(done.status.success(), "{done:?}");
        };
        let write = |name: &str, text: &str| {
            let path = top.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let all = |names: &[&str]| {
            let paths: Vec<String> = names.iter().map(|name| top.join(name).to_str().unwrap().to_owned()).collect();
            kept(&paths)
        };
        git(&["init", "-q"]);
        for name in ["src/a.rs", "src/deep/b.rs", "docs/c.md"] {
            write(name, name);
        }
        git(&["add", "."]);
        assert_eq!(all(&["src"]), Some("2".into()));
        assert_eq!(all(&["src/", "docs/c.md", "gone"]), Some("3".into()));
        write("src/node_modules/x/index.js", "x");
        assert_eq!(all(&["src"]), Some("2".into()), "a build brings it back");
        write("src/.env", "KEY=1");
        assert_eq!(all(&["src"]), None, "not tracked");
        fs::remove_file(top.join("src/.env")).unwrap();
        write("src/a.rs", "changed");
        assert_eq!(all(&["src"]), None, "changed");
        assert_eq!(all(&["src/deep", "docs"]), Some("2".into()));
        write("docs/new.md", "x");
        git(&["add", "-N", "docs/new.md"]);
        assert_eq!(all(&["docs"]), None, "named, not stored");
        write("inner/.git/HEAD", "ref: refs/heads/x");
        assert_eq!(all(&["inner"]), None, "another repository");
        std::os::unix::fs::symlink("src/deep", top.join("link")).unwrap();
        assert_eq!(all(&["link/b.rs"]), Some("1".into()));
        assert_eq!(all(&["link"]), None, "a link that is not tracked");
    }
}
