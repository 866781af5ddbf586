//! Paths as text: joined and normalised without asking any disk.

use crate::command::{Cwd, Part, Word};

/// An absolute path without `.`, `..` and doubled slashes.
pub(super) fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let mut out = String::with_capacity(path.len());
    for part in &parts {
        out.push('/');
        out.push_str(part);
    }
    if out.is_empty() {
        out.push('/');
    }
    out
}

/// Longer paths, in bytes, lead nowhere: the kernel takes none (PATH_MAX), and a text of many `cd` could make each command's
/// folder as long as itself.
const MAX_PATH: usize = 4096;

/// Where a path leads from a folder.
pub(super) fn join(cwd: &Cwd, path: &str) -> Cwd {
    let here = match cwd {
        Cwd::Known(folder) => folder.len(),
        Cwd::Unknown => 0,
    };
    if here + path.len() > MAX_PATH {
        return Cwd::Unknown;
    }
    if path.starts_with('/') {
        return Cwd::Known(normalize(path));
    }
    match cwd {
        Cwd::Known(folder) => Cwd::Known(normalize(&format!("{folder}/{path}"))),
        Cwd::Unknown => Cwd::Unknown,
    }
}

/// A name under which a file can be found again: absolute where that is known, else as written.
pub(super) fn key(cwd: &Cwd, path: &Word) -> Option<String> {
    if let Some(text) = path.as_literal() {
        return Some(match join(cwd, text) {
            Cwd::Known(path) => path,
            Cwd::Unknown => text.trim_start_matches("./").to_owned(),
        });
    }
    // The same unknown folder twice is the same folder: `$T/x`.
    let written = path.parts.iter().all(|part| !matches!(part, Part::Glob(_)));
    written.then(|| path.display())
}

/// The last component of a program's path, without a Windows ending.
pub(super) fn base_name(program: &str) -> &str {
    let folder = program.bytes().rposition(|byte| matches!(byte, b'/' | b'\\'));
    let name = folder.map_or(program, |slash| &program[slash + 1..]);
    let ending = name.len().wrapping_sub(4);
    match name.get(ending..) {
        Some(exe) if ending > 0 && exe.eq_ignore_ascii_case(".exe") => &name[..ending],
        _ => name,
    }
}
