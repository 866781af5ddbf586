//! Whether all of a work tree is committed, without git: its files are as the index has them, the index has the tree of the
//! commit that is checked out, and another name holds that commit.

use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

use hookguard_policy::is_build_folder;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use super::git::Repository;
use super::index::{self, Tracked};
use super::scripts::MAX_INDEX;
use super::{content, file, small};

/// A work tree with more files is not looked through.
const MAX_FILES: usize = 20_000;
/// Nor is a repository with more packs.
const MAX_PACKS: usize = 64;
/// How much of an object is read.
const OBJECT_BYTES: usize = 1024;
/// The longest line that names a folder.
const MAX_LINE: u64 = 8192;
/// Where a commit names its tree: `tree `, and forty digits.
const TREE_LINE: usize = 45;

/// Something that is not empty, if it is so: see [`hookguard_policy::Question::Committed`].
pub(super) fn committed(dir: &Path, whole: bool, held: bool) -> Option<String> {
    let repository = Repository::of(dir)?;
    let path = repository.folder.join("index");
    let bytes = content(&path, MAX_INDEX)?;
    let (names, end) = index::names(&bytes, MAX_FILES)?;
    let tree = index::root_tree(bytes.get(end..)?)?;
    let (commit, branch) = repository.checked_out()?;
    // Longer names are of another format, which the index's entries then have, too.
    if commit.len() != 40 || tree_of(&repository.common(), &commit)? != tree {
        return None;
    }
    for (name, entry) in &names {
        let metadata = fs::symlink_metadata(repository.top.join(name)).ok()?;
        if index::compared(&bytes, *entry, &metadata, true)? != Tracked::Unchanged {
            return None;
        }
    }
    if whole {
        let names: HashSet<&Path> = names.iter().map(|(name, _)| name.as_path()).collect();
        nothing_else(&repository.top, &names)?;
    }
    // What is checked out without a branch has no name of its own.
    if held || whole && branch.is_none() {
        repository.named_elsewhere(&commit, branch.as_deref())?;
    }
    Some(commit)
}

/// That the work tree holds nothing else than `names`, but for folders that a build brings back.
fn nothing_else(top: &Path, names: &HashSet<&Path>) -> Option<()> {
    let (mut open, mut seen) = (vec![top.to_owned()], 0);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).ok()? {
            let entry = entry.ok()?;
            seen += 1;
            if seen > MAX_FILES {
                return None;
            }
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type().ok()?.is_dir() {
                match name.to_str() {
                    Some(".git") if folder == top => {}
                    Some(".git") => return None,
                    Some(name) if is_build_folder(name) => {}
                    _ => open.push(path),
                }
            } else if !names.contains(path.strip_prefix(top).ok()?) && (folder != top || name != ".git") {
                return None;
            }
        }
    }
    Some(())
}

/// The tree of a commit, both by their names in hexadecimal digits.
fn tree_of(common: &Path, commit: &str) -> Option<String> {
    let objects = common.join("objects");
    let (folder, rest) = commit.split_at_checked(2)?;
    let text = match file(&objects.join(folder).join(rest)) {
        Some(file) => {
            let text = beginning(&some_of(&file, 0)?, 200)?;
            let body = memchr::memchr(0, &text)? + 1;
            text.starts_with(b"commit ").then(|| text[body..].to_vec())?
        }
        None => packed(&objects.join("pack"), commit)?,
    };
    let line = std::str::from_utf8(text.get(..TREE_LINE)?).ok()?;
    line.strip_prefix("tree ").map(str::to_owned)
}

/// Some bytes of a file from `at` on.
fn some_of(file: &File, at: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; OBJECT_BYTES];
    let count = file.read_at(&mut bytes, at).ok()?;
    bytes.truncate(count);
    Some(bytes)
}

/// The beginning of a commit that stands in a pack, unless it is stored as a difference.
fn packed(folder: &Path, commit: &str) -> Option<Vec<u8>> {
    let id = hex(commit)?;
    let indexes = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut indexes = indexes.filter(|path| path.extension().is_some_and(|end| end == "idx")).take(MAX_PACKS);
    let (pack, at) = indexes.find_map(|path| Some((path.with_extension("pack"), place(&path, &id)?)))?;
    let bytes = some_of(&file(&pack)?, at)?;
    // Three bits of the first byte are the kind: a commit's is 1.
    if bytes.first()? >> 4 & 7 != 1 {
        return None;
    }
    let head = bytes.iter().position(|byte| byte & 0x80 == 0)? + 1;
    beginning(bytes.get(head..)?, TREE_LINE)
}

/// Where in its pack an object stands (`gitformat-pack`, index of version 2).
fn place(index: &Path, id: &[u8; 20]) -> Option<u64> {
    const NAMES: u64 = 8 + 256 * 4;
    let file = file(index)?;
    let number = |at: u64| {
        let mut bytes = [0; 4];
        file.read_exact_at(&mut bytes, at).ok()?;
        Some(u32::from_be_bytes(bytes))
    };
    if number(0)? != 0xFF74_4F63 || number(4)? != 2 {
        return None;
    }
    let first = u64::from(id[0]);
    let count = u64::from(number(8 + 255 * 4)?);
    let mut from = if first == 0 { 0 } else { u64::from(number(8 + (first - 1) * 4)?) };
    let mut to = u64::from(number(8 + first * 4)?);
    while from < to {
        let middle = from.midpoint(to);
        let mut name = [0; 20];
        file.read_exact_at(&mut name, NAMES + middle * 20).ok()?;
        match name.cmp(id) {
            std::cmp::Ordering::Less => from = middle + 1,
            std::cmp::Ordering::Greater => to = middle,
            std::cmp::Ordering::Equal => {
                let at = number(NAMES + count * 24 + middle * 4)?;
                // The offsets of large packs stand elsewhere.
                return (at & 0x8000_0000 == 0).then_some(u64::from(at));
            }
        }
    }
    None
}

fn hex(name: &str) -> Option<[u8; 20]> {
    let mut id = [0; 20];
    if name.len() != 40 || !name.is_ascii() {
        return None;
    }
    for (at, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&name[at * 2..at * 2 + 2], 16).ok()?;
    }
    Some(id)
}

/// Something that is not empty, if all `paths` lie in other work trees of the repository that holds `dir`.
pub(super) fn in_work_trees(dir: &Path, paths: &[String]) -> Option<String> {
    let common = fs::canonicalize(Repository::of(dir)?.common()).ok()?;
    for path in paths {
        let path = Path::new(path);
        // A link leads elsewhere.
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            return None;
        }
        let there = path.ancestors().find(|folder| folder.is_dir())?;
        let there = fs::canonicalize(there).ok()?;
        let tree = Repository::of(&there)?;
        let back = small(&tree.folder.join("gitdir"), MAX_LINE)?;
        let linked = fs::canonicalize(&tree.folder).ok()?.parent()? == common.join("worktrees");
        if !linked || fs::canonicalize(back.trim()).ok()? != tree.top.join(".git") {
            return None;
        }
    }
    Some(common.to_str()?.to_owned())
}

/// The first `wanted` bytes of what zlib has compressed, or all if it is less; `None` where it ends before, or is no zlib.
fn beginning(bytes: &[u8], wanted: usize) -> Option<Vec<u8>> {
    let mut state = InflateState::new_boxed(DataFormat::Zlib);
    let mut out = vec![0; wanted];
    let done = inflate(&mut state, bytes, &mut out, MZFlush::None);
    let whole = done.status == Ok(MZStatus::StreamEnd);
    out.truncate(done.bytes_written);
    (whole || done.bytes_written == wanted).then_some(out)
}

#[cfg(test)]
#[path = "committed_tests.rs"]
mod tests;
