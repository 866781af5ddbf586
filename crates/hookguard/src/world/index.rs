//! git's index, read without git: whether a file is tracked, and whether it looks as it did when it was.
//!
//! Format: git's documentation, `gitformat-index`. Versions 2 to 4, names of 20 or 32 bytes.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use memchr::memmem;

/// What stands in front of an entry's object name: two times, device, inode, mode, owner, group, size.
const STAT_BYTES: usize = 40;
const FIRST_ENTRY: usize = 12;
/// In the second two bytes of flags: the file was named by `add -N`, and is not stored.
const INTENT_TO_ADD: usize = 0x2000;

/// What the index says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tracked {
    /// It is not in it.
    No,
    /// It is, and was changed since.
    Changed,
    /// It is, with the same size and time.
    Unchanged,
}

/// What `index` says of the file `name` (from the top of the work tree); `None` where it can't be read. `by_change`: the time
/// of the last change of anything about the file must be the same, too.
pub(super) fn tracked(index: &[u8], name: &[u8], metadata: &Metadata, by_change: bool) -> Option<Tracked> {
    if index.get(..4)? != b"DIRC" || name.is_empty() {
        return None;
    }
    let entry = match number(index, 4)? {
        2 | 3 => find(index, name),
        4 => walk(index, name)?,
        _ => return None,
    };
    // The entries of a split index lie in another file.
    if entry.is_none() && memmem::find(index, b"link\0\0\0").is_some() {
        return None;
    }
    let Some(entry) = entry else { return Some(Tracked::No) };
    compared(index, entry, metadata, by_change)
}

/// Whether the file of the entry at `entry` is as it was.
pub(super) fn compared(index: &[u8], entry: usize, metadata: &Metadata, by_change: bool) -> Option<Tracked> {
    let same = number(index, entry + 8)? == metadata.mtime() as u32
        && number(index, entry + 12)? == metadata.mtime_nsec() as u32
        && number(index, entry + 36)? == metadata.size() as u32;
    let unchanged =
        number(index, entry)? == metadata.ctime() as u32 && number(index, entry + 4)? == metadata.ctime_nsec() as u32;
    Some(if same && (unchanged || !by_change) { Tracked::Unchanged } else { Tracked::Changed })
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

/// Where the entry of `name` begins, in versions 2 and 3: names stand whole, after fields of fixed length, so the name is
/// searched and what stands before it is checked.
fn find(index: &[u8], name: &[u8]) -> Option<usize> {
    memmem::find_iter(index, name).find_map(|at| {
        if index.get(at + name.len()) != Some(&0) {
            return None;
        }
        // Object name and flags; version 3 may have two more bytes of flags.
        [20 + 2, 20 + 4, 32 + 2, 32 + 4].into_iter().find_map(|between| {
            let entry = at.checked_sub(STAT_BYTES + between).filter(|entry| *entry >= FIRST_ENTRY)?;
            let extended = matches!(between, 24 | 36);
            let flags = half(index, at - if extended { 4 } else { 2 })?;
            let fits = flags & 0xFFF == name.len().min(0xFFF)
                && (flags & 0x4000 != 0) == extended
                && (entry - FIRST_ENTRY).is_multiple_of(8)
                && matches!(number(index, entry + 24)? >> 12, 0o10 | 0o12);
            // `add -N` names a file without storing it.
            let stored = !extended || half(index, at - 2)? & INTENT_TO_ADD == 0;
            (fits && stored).then_some(entry)
        })
    })
}

/// The same in version 4, where each name tells how much of the last one it keeps: entry by entry.
#[expect(clippy::option_option, reason = "not to be read is not the same as not to be there")]
fn walk(index: &[u8], name: &[u8]) -> Option<Option<usize>> {
    let count = number(index, 8)? as usize;
    let mut at = FIRST_ENTRY;
    let mut current: Vec<u8> = Vec::new();
    for _ in 0..count {
        let entry = at;
        at = next(index, entry, 4, &mut current)?;
        if current == name {
            let flags = half(index, entry + STAT_BYTES + 20)?;
            let stored = flags & 0x4000 == 0 || half(index, entry + STAT_BYTES + 22)? & INTENT_TO_ADD == 0;
            return Some(stored.then_some(entry));
        }
    }
    Some(None)
}

/// Reads the name of the entry at `entry` into `name`, which holds that of the one before; where the next one begins.
fn next(index: &[u8], entry: usize, version: u32, name: &mut Vec<u8>) -> Option<usize> {
    let flags = half(index, entry + STAT_BYTES + 20)?;
    let mut at = entry + STAT_BYTES + 20 + if flags & 0x4000 != 0 { 4 } else { 2 };
    if version < 4 {
        let end = at + memchr::memchr(0, index.get(at..)?)?;
        name.clear();
        name.extend_from_slice(&index[at..end]);
        // Filled up with one to eight zeros.
        return Some(entry + (end - entry + 8) / 8 * 8);
    }
    let mut byte = *index.get(at)?;
    let mut strip = usize::from(byte & 0x7F);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *index.get(at)?;
        strip = (strip + 1).checked_mul(128)? + usize::from(byte & 0x7F);
    }
    at += 1;
    let end = at + memchr::memchr(0, index.get(at..)?)?;
    name.truncate(name.len().checked_sub(strip)?);
    name.extend_from_slice(&index[at..end]);
    Some(end + 1)
}

/// All files of an index with names of 20 bytes, with their entries' places, and where the entries end; `None` where there are
/// more than `most`, or one that is not simply stored: in conflict, in a submodule, left out.
pub(super) fn names(index: &[u8], most: usize) -> Option<(Vec<(PathBuf, usize)>, usize)> {
    let (version, count) = (number(index, 4)?, number(index, 8)? as usize);
    if index.get(..4)? != b"DIRC" || !(2..=4).contains(&version) || count > most {
        return None;
    }
    let (mut found, mut at, mut name) = (Vec::with_capacity(count), FIRST_ENTRY, Vec::new());
    for _ in 0..count {
        let entry = at;
        at = next(index, entry, version, &mut name)?;
        // Nothing but the name's length: no stage, nothing assumed, no more flags.
        let plain = half(index, entry + STAT_BYTES + 20)? & 0xF000 == 0;
        if !plain || !matches!(number(index, entry + 24)? >> 12, 0o10 | 0o12) {
            return None;
        }
        found.push((PathBuf::from(OsStr::from_bytes(&name)), entry));
    }
    Some((found, at))
}

/// The tree that the whole index would make, where that is known, from its `extensions`; in hexadecimal digits.
pub(super) fn root_tree(mut extensions: &[u8]) -> Option<String> {
    loop {
        let (sort, length) = (extensions.get(..4)?, number(extensions, 4)? as usize);
        let text = extensions.get(8..8 + length)?;
        match sort {
            b"TREE" => {
                // The empty path, how many entries, how many trees in it, the name.
                let counts = text.strip_prefix(&[0])?;
                let end = memchr::memchr(b'\n', counts)?;
                let name = counts.get(end + 1..end + 21)?;
                return (counts[0] != b'-').then(|| name.iter().map(|byte| format!("{byte:02x}")).collect());
            }
            // Entries lie in another file.
            b"link" => return None,
            _ => extensions = extensions.get(8 + length..)?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::tests::git;
    use std::fs;

    #[test]
    fn what_git_itself_wrote_is_read() {
        for (format, version) in [("sha1", "2"), ("sha1", "3"), ("sha1", "4"), ("sha256", "2")] {
            let folder = tempfile::tempdir().unwrap();
            let dir = folder.path();
            git(dir, &["init", "-q", &format!("--object-format={format}")]);
            fs::create_dir_all(dir.join("tools/deep")).unwrap();
            let names = ["a.sh", "tools/a.sh", "tools/b.sh", "tools/deep/long-name-of-a-script.sh", "z.sh"];
            for name in names {
                fs::write(dir.join(name), format!("echo {name}\n")).unwrap();
            }
            git(dir, &["add", "."]);
            fs::write(dir.join("new.sh"), "echo new\n").unwrap();
            if version == "3" {
                git(dir, &["add", "-N", "new.sh"]);
                fs::write(dir.join("later.sh"), "echo\n").unwrap();
            }
            git(dir, &["update-index", "--index-version", version]);
            let index = fs::read(dir.join(".git/index")).unwrap();
            let of = |name: &str| tracked(&index, name.as_bytes(), &fs::metadata(dir.join(name)).unwrap(), true);
            for name in names {
                assert_eq!(of(name), Some(Tracked::Unchanged), "{format} {version} {name}");
            }
            let new = if version == "3" { "later.sh" } else { "new.sh" };
            assert_eq!(of(new), Some(Tracked::No), "{format} {version}");
            assert_eq!(of("new.sh"), Some(Tracked::No), "{format} {version}");
            fs::write(dir.join("tools/b.sh"), "rm x\n").unwrap();
            assert_eq!(of("tools/b.sh"), Some(Tracked::Changed), "{format} {version}");
        }
    }

    #[test]
    fn what_is_no_index_says_nothing() {
        let metadata = fs::metadata("/").unwrap();
        for bytes in
            [&b""[..], b"DIRC", b"DIRC\0\0\0\x05\0\0\0\0", b"DIRC\0\0\0\x04\0\0\0\x09rest", b"nothing at all here"]
        {
            assert_eq!(tracked(bytes, b"a", &metadata, false), None, "{bytes:?}");
        }
        assert_eq!(tracked(b"DIRC\0\0\0\x02\0\0\0\0a\0", b"a", &metadata, false), Some(Tracked::No));
    }
}
