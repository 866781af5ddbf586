//! Following links: where a path really lies, one name after the other.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// How many links and names are followed for one path; the kernel follows 40 links.
const MAX_LINKS: usize = 40;
const MAX_NAMES: usize = 256;
/// How many folders are remembered.
const MAX_KNOWN: usize = 64;

/// Where paths really lie; what one path shares with the last is not looked up again.
#[derive(Debug, Default)]
pub(super) struct Links {
    known: Vec<(PathBuf, PathBuf)>,
}

impl Links {
    /// Where `path` really lies, if that is another place than its name says. What is not there lies where its name says.
    pub(super) fn real(&mut self, path: &Path) -> Option<String> {
        let mut plain = PathBuf::from("/");
        for part in path.components() {
            match part {
                Component::ParentDir => drop(plain.pop()),
                Component::Normal(name) => plain.push(name),
                _ => {}
            }
        }
        let real = self.follow(path)?;
        (real != plain).then(|| real.to_str().map(str::to_owned))?
    }

    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return resolve(path, Path::new("/"));
        };
        let folder = match self.known.iter().find(|(folder, _)| folder == parent) {
            Some((_, real)) => real.clone(),
            None => {
                let real = resolve(parent, Path::new("/"))?;
                if self.known.len() < MAX_KNOWN {
                    self.known.push((parent.to_owned(), real.clone()));
                }
                real
            }
        };
        resolve(&folder.join(name), &folder)
    }
}

/// `path` with its links followed; what is `above` holds none any more.
fn resolve(path: &Path, above: &Path) -> Option<PathBuf> {
    let mut done = above.to_str()?.trim_end_matches('/').to_owned();
    let mut left: Vec<String> = Vec::new();
    push(path.strip_prefix(above).ok()?.to_str()?, &mut left);
    let (mut links, mut names) = (0, 0);
    while let Some(name) = left.pop() {
        names += 1;
        if names > MAX_NAMES {
            return None;
        }
        let before = done.len();
        if name == ".." {
            done.truncate(done.rfind('/').unwrap_or(0));
            continue;
        }
        done.push('/');
        done.push_str(&name);
        let Ok(target) = fs::read_link(&done) else { continue };
        links += 1;
        if links > MAX_LINKS {
            return None;
        }
        done.truncate(if target.is_absolute() { 0 } else { before });
        push(target.to_str()?, &mut left);
    }
    Some(PathBuf::from(if done.is_empty() { "/".to_owned() } else { done }))
}

/// Puts the names of `path` on the pile, the first on top.
fn push(path: &str, left: &mut Vec<String>) {
    left.extend(path.rsplit('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_name_by_name() {
        let base = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(base.path()).unwrap();
        fs::create_dir_all(base.join("p/src")).unwrap();
        fs::create_dir_all(base.join("away/deep")).unwrap();
        symlink(base.join("away"), base.join("p/build")).unwrap();
        symlink("../away/deep", base.join("p/relative")).unwrap();
        symlink("loop", base.join("p/loop")).unwrap();
        symlink("../away/missing", base.join("p/dangling")).unwrap();
        let mut links = Links::default();
        let mut real =
            |path: &str| links.real(&base.join(path)).map(|real| real[base.to_str().unwrap().len()..].to_owned());
        assert_eq!(real("p/src/a.rs"), None);
        assert_eq!(real("p/src/b.rs"), None);
        assert_eq!(real("p/build/x/y").as_deref(), Some("/away/x/y"));
        assert_eq!(real("p/build/x").as_deref(), Some("/away/x"));
        assert_eq!(real("p/build/z").as_deref(), Some("/away/z"));
        assert_eq!(real("p/build").as_deref(), Some("/away"));
        assert_eq!(real("p/relative/../x").as_deref(), Some("/away/x"));
        assert_eq!(real("p/dangling").as_deref(), Some("/away/missing"));
        assert_eq!(real("p/loop/x"), None);
        assert_eq!(real("p/none/../src"), None);
    }
}
