//! A path's names: taken apart, and followed as far as the text tells.

use crate::glob::{ANYTHING, ONE, STAR};

/// The components of an absolute path.
pub(crate) fn components(path: &str) -> Vec<&str> {
    names(path).collect()
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    pieces(path).filter(|part| !part.is_empty() && *part != ".")
}

/// What stands between the slashes of a path. Names are short: a search that prepares itself, as `split` does, costs more.
pub(super) fn pieces(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let text = rest?;
        match text.bytes().position(|byte| byte == b'/') {
            Some(slash) => {
                rest = Some(&text[slash + 1..]);
                Some(&text[..slash])
            }
            None => rest.take(),
        }
    })
}

/// A path as far as the text tells: the folder it starts from made part of it, `.`, `..` and doubled slashes resolved.
pub(crate) struct Walked<'p> {
    pub(crate) parts: Vec<&'p str>,
    /// It starts at `/`; otherwise from a folder that is not known.
    pub(crate) absolute: bool,
    /// It ends in a pattern that takes everything in its folder, and that pattern was taken off.
    pub(crate) contents: bool,
    /// Where its first unknown part stood, if it has one; it is cut off there.
    pub(crate) unknown: bool,
    /// The parts after the unknown one.
    pub(super) rest: Vec<&'p str>,
}

pub(crate) fn walk<'p>(path: &'p str, cwd: Option<&'p str>) -> Walked<'p> {
    // `C:/…` is absolute where there are drives.
    let drive = path.as_bytes().get(1) == Some(&b':')
        && path.as_bytes()[0].is_ascii_uppercase()
        && path.as_bytes().get(2) == Some(&b'/');
    let mut absolute = path.starts_with('/') || drive;
    let mut parts: Vec<&str> = Vec::with_capacity(12);
    if !absolute
        && !path.starts_with(ANYTHING)
        && let Some(cwd) = cwd
    {
        absolute = true;
        parts.extend(names(cwd));
    }
    let (mut unknown, mut rest) = (false, Vec::new());
    // All marks share their first byte.
    let marked = path.as_bytes().contains(&0xEE);
    for part in pieces(path) {
        match part {
            "" | "." => {}
            ".." if !rest.is_empty() => {
                rest.pop();
            }
            // Above an unknown folder is an unknown folder; above a folder that nobody knows, too.
            ".." if unknown => parts.clear(),
            ".." => {
                if parts.pop().is_none() && !absolute {
                    unknown = true;
                }
            }
            part if unknown => rest.push(part),
            part if marked && part.contains(ANYTHING) => {
                unknown = true;
                // A part with known text in it is a name of its own and can't be empty.
                if part.chars().any(|char| char != ANYTHING) {
                    rest.push(part);
                }
            }
            part => parts.push(part),
        }
    }
    let mut contents = false;
    let list = if unknown { &mut rest } else { &mut parts };
    while list.last().is_some_and(|part| takes_all(part)) {
        list.pop();
        contents = true;
    }
    Walked { parts, absolute, contents, unknown, rest }
}

/// Whether a component is a pattern that takes (nearly) everything: `*`, `.*`, `.[!.]*`, `..?*`.
fn takes_all(part: &str) -> bool {
    matches!(part.as_bytes().first(), Some(0xEE | b'.'))
        && part.contains(STAR)
        && part.chars().all(|char| matches!(char, STAR | ONE | '.'))
}

/// Whether a component without its unknown parts is none, or a pattern that takes (nearly) everything.
pub(super) fn is_empty_or_takes_all(part: &str) -> bool {
    let known = || part.chars().filter(|char| *char != ANYTHING);
    let pattern = part.contains(STAR) && known().all(|char| matches!(char, STAR | ONE | '.'));
    pattern || known().all(|char| char == '.') && known().count() < 2
}
