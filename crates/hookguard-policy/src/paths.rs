//! Which classes a path belongs to, by its text alone: where it lies, and what sort of file it is.

use crate::glob::{ANYTHING, ONE, STAR, has_pattern, has_star, like, may_be};
use crate::path_names::{covers, ends_like, has_letter_extension, holds, names_only, path_like};
use crate::settings::Settings;
use crate::tables;

/// A set of path classes.
pub(crate) type Classes = u32;

/// The classes, bit by bit, in the order of [`crate::pack::CLASSES`].
pub(crate) mod class {
    pub(crate) const ROOT: u32 = 1;
    pub(crate) const SYSTEM: u32 = 1 << 1;
    pub(crate) const HOME: u32 = 1 << 2;
    pub(crate) const BELOW_HOME: u32 = 1 << 3;
    pub(crate) const PROJECT_ROOT: u32 = 1 << 4;
    pub(crate) const PROJECT: u32 = 1 << 5;
    pub(crate) const TEMP_ROOT: u32 = 1 << 6;
    pub(crate) const TEMP: u32 = 1 << 7;
    pub(crate) const OUTSIDE: u32 = 1 << 8;
    pub(crate) const DEVICE: u32 = 1 << 9;
    pub(crate) const NULL: u32 = 1 << 10;
    pub(crate) const UNKNOWN: u32 = 1 << 11;
    pub(crate) const UNKNOWN_ROOT: u32 = 1 << 12;
    pub(crate) const ARTEFACT: u32 = 1 << 13;
    pub(crate) const LITTER: u32 = 1 << 14;
    pub(crate) const ENV_FILE: u32 = 1 << 15;
    pub(crate) const SECRET: u32 = 1 << 16;
    pub(crate) const SECRET_FOLDER: u32 = 1 << 17;
    pub(crate) const START_FILE: u32 = 1 << 18;
    pub(crate) const GUARD: u32 = 1 << 19;
    pub(crate) const GUARD_FOLDER: u32 = 1 << 20;
    pub(crate) const GIT_FOLDER: u32 = 1 << 21;
    pub(crate) const GIT_HOOK: u32 = 1 << 22;
    pub(crate) const DATA: u32 = 1 << 23;
    pub(crate) const CACHE: u32 = 1 << 24;
    pub(crate) const ACCESS_FILE: u32 = 1 << 25;
    pub(crate) const BARE_GLOB: u32 = 1 << 26;
    pub(crate) const GLOB: u32 = 1 << 27;
    pub(crate) const FILE: u32 = 1 << 28;
    pub(crate) const CREATED: u32 = 1 << 29;
    pub(crate) const REMOTE: u32 = 1 << 30;
    pub(crate) const EMPTY: u32 = 1 << 31;
}
use class::*;

/// The folders that classes are measured by.
#[derive(Debug, Default)]
pub(crate) struct World<'a> {
    pub(crate) home: Option<Vec<&'a str>>,
    pub(crate) root: Option<Vec<&'a str>>,
    pub(crate) tmpdir: Option<Vec<&'a str>>,
    pub(crate) guard_paths: Vec<Vec<&'a str>>,
    pub(crate) settings: &'a Settings<'a>,
    pub(crate) links: crate::links::Links<'a>,
}

/// The components of an absolute path.
pub(crate) fn components(path: &str) -> Vec<&str> {
    names(path).collect()
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

/// How one path lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// They may be the same.
    Same,
    /// The first may hold the second.
    Above,
    /// The first lies in the second.
    Below,
    Apart,
}

fn relation(path: &[&str], of: &[&str]) -> Relation {
    let meet = |(left, right): (&&str, &&str)| left == right || (has_pattern(left) && may_be(left, right));
    if !path.iter().zip(of).all(meet) {
        return Relation::Apart;
    }
    match path.len().cmp(&of.len()) {
        std::cmp::Ordering::Equal => Relation::Same,
        std::cmp::Ordering::Less => Relation::Above,
        std::cmp::Ordering::Greater => Relation::Below,
    }
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
    rest: Vec<&'p str>,
}

/// Whether a component is a pattern that takes (nearly) everything: `*`, `.*`, `.[!.]*`, `..?*`.
fn takes_all(part: &str) -> bool {
    part.contains(STAR) && part.chars().all(|char| matches!(char, STAR | ONE | '.'))
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
    for part in path.split('/') {
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
            part if part.contains(ANYTHING) => {
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

impl<'a> World<'a> {
    /// The classes of `path` (marked, see [`crate::glob`]) for a command in `cwd`.
    pub(crate) fn classes(&self, path: &str, cwd: Option<&str>) -> Classes {
        if path.is_empty() {
            return EMPTY;
        }
        if let Some(user) = path.strip_prefix('~') {
            // The shell expands what it can; what is left is another user's home.
            if !user.is_empty() && !user.starts_with('/') {
                return OUTSIDE | HOME;
            }
        }
        let walked = walk(path, cwd);
        let mut classes = self.location(&walked, path);
        if path.chars().any(|char| matches!(char, STAR | ONE)) {
            classes |= GLOB;
            if !path.contains('/') && walked.contents {
                classes |= BARE_GLOB;
            }
        }
        classes | self.kind(&walked, path, classes)
    }

    fn location(&self, walked: &Walked<'_>, path: &str) -> Classes {
        let parts = walked.parts.as_slice();
        if path.starts_with(ANYTHING) {
            // What is left when the unknown parts are empty?
            let left: String = path.chars().filter(|char| *char != ANYTHING).collect();
            let empties = path.contains('/') && components(&left).iter().all(|part| takes_all(part));
            return if empties { UNKNOWN_ROOT | UNKNOWN } else { UNKNOWN };
        }
        if !walked.absolute {
            return UNKNOWN;
        }
        // A path that goes on below an unknown part lies somewhere below the known one.
        let exact = !walked.unknown || walked.rest.is_empty();
        let doubt = if walked.unknown { UNKNOWN } else { 0 };
        if parts.is_empty() {
            return match (walked.unknown, exact) {
                (true, true) => UNKNOWN_ROOT | UNKNOWN,
                (true, false) => OUTSIDE | UNKNOWN,
                _ => ROOT,
            };
        }
        if let Some(found) = special(parts) {
            return found;
        }
        if let Some(root) = &self.root {
            match relation(parts, root) {
                Relation::Same | Relation::Above if exact && !walked.unknown => {
                    let home = self.home.as_deref().map(|home| relation(parts, home));
                    let above = if matches!(home, Some(Relation::Same | Relation::Above)) { HOME } else { 0 };
                    return PROJECT_ROOT | above;
                }
                Relation::Same if exact => return PROJECT | doubt,
                Relation::Same | Relation::Below => return PROJECT | doubt,
                _ => {}
            }
        }
        if let Some(found) = temp(parts, walked, self.tmpdir.as_deref().into_iter()) {
            return found | doubt;
        }
        for root in self.settings.lists.temp_roots {
            if let Some(found) = temp(parts, walked, std::iter::once(components(root).as_slice())) {
                return found | doubt;
            }
        }
        let in_table = temp(parts, walked, tables::TEMP_ROOTS.iter().copied());
        // A home below a temporary folder (a test's, a container's) is a home all the same; Windows' temporary folder lies
        // in the home.
        let home_is_temporary = || {
            let home = self.home.as_deref().unwrap_or_default();
            tables::TEMP_ROOTS.iter().any(|root| relation(home, root) == Relation::Below)
        };
        if let Some(found) = in_table
            && !home_is_temporary()
        {
            return found | doubt;
        }
        if let Some(home) = &self.home {
            match relation(parts, home) {
                Relation::Same | Relation::Above if exact => return HOME | doubt,
                Relation::Same | Relation::Below => return BELOW_HOME | doubt,
                _ => {}
            }
        }
        if let Some(found) = in_table {
            return found | doubt;
        }
        let system = tables::SYSTEM_FOLDERS
            .iter()
            .any(|folder| matches!(relation(parts, folder), Relation::Same | Relation::Below));
        if system { SYSTEM | doubt } else { OUTSIDE | doubt }
    }

    fn kind(&self, walked: &Walked<'_>, path: &str, location: Classes) -> Classes {
        let mut all: Vec<&str> = walked.parts.clone();
        if walked.unknown {
            all.extend(walked.rest.iter().map(|part| if part.contains(ANYTHING) { "\u{E002}" } else { part }));
        }
        let below_root = match &self.root {
            Some(root) if location & PROJECT != 0 => root.len().min(all.len()),
            _ => 0,
        };
        let mut kind = 0;
        let inside = &all[below_root..];
        let Some(&last) = inside.last() else { return 0 };
        // Relative to a folder that is not known, an artefact is one all the same; below an unknown path it may be anybody's.
        let relative = location & UNKNOWN != 0 && !path.starts_with(ANYTHING);
        let here = location & (PROJECT | TEMP) != 0 || relative;
        if here && has_artefact(inside, self.settings.lists.artefacts) {
            kind |= ARTEFACT;
        }
        if !walked.contents {
            let ends = last.as_bytes().last().map(u8::to_ascii_lowercase);
            let ends_alike = |pattern: &&&str| {
                let end = pattern.as_bytes().last().map(u8::to_ascii_lowercase);
                end == ends || end == Some(b'*')
            };
            if tables::LITTER.iter().filter(ends_alike).any(|pattern| names_only(last, pattern)) {
                kind |= LITTER;
            }
            if tables::DATA_FILES.iter().filter(ends_alike).any(|pattern| names_only(last, pattern)) {
                kind |= DATA;
            }
            if has_letter_extension(last) && !path.ends_with('/') {
                kind |= FILE;
            }
            let example = || tables::ENV_EXAMPLES.iter().any(|word| last.contains(word));
            // A pattern such as `*.json` is rarely meant for the one secret among many files; `.en*` is.
            let named = |pattern: &&str| may_be(last, pattern) && (pattern.starts_with(".env") || !has_pattern(last));
            if tables::ENV_FILES.iter().any(named) && !example() {
                kind |= ENV_FILE;
            }
        }
        kind |= self.home_kind(&all, walked, last);
        kind |= git_kind(inside, walked.contents);
        kind |= self.guard_kind(&all, walked.contents);
        kind
    }

    /// Start files, credentials, caches: by their place in a home folder, or (keys) by their name anywhere.
    fn home_kind(&self, all: &[&str], walked: &Walked<'_>, last: &str) -> Classes {
        let mut kind = 0;
        let public = last.ends_with(".pub");
        if !walked.contents && !public && tables::KEY_FILES.iter().any(|pattern| may_be(last, pattern)) {
            kind |= SECRET;
        }
        if !walked.absolute {
            return kind;
        }
        let in_home = match &self.home {
            Some(home) if relation(all, home) == Relation::Below => Some(&all[home.len()..]),
            _ if all.first() == Some(&"root") && all.len() > 1 => Some(&all[1..]),
            _ => None,
        };
        let Some(inside) = in_home else {
            if tables::SYSTEM_SECRETS.iter().any(|pattern| path_like(all, pattern)) {
                kind |= SECRET;
            }
            if tables::ACCESS_FILES.iter().any(|pattern| path_like(all, pattern)) {
                kind |= ACCESS_FILE;
            }
            if matches!(&self.home, Some(home) if relation(all, home) == Relation::Same) {
                kind |= SECRET_FOLDER;
            }
            return kind;
        };
        if !public && tables::HOME_SECRETS.iter().any(|pattern| path_like(inside, pattern)) {
            let harmless = tables::HOME_NO_SECRETS.iter().any(|pattern| path_like(inside, pattern));
            // A pattern that takes a whole folder of keys takes the keys.
            if !harmless || has_pattern(last) {
                kind |= SECRET;
            }
        }
        if tables::HOME_SECRETS.iter().any(|pattern| covers(inside, pattern)) {
            // A pattern that takes all that is in a folder of secrets takes the secrets.
            kind |= if walked.contents { SECRET_FOLDER | SECRET } else { SECRET_FOLDER };
        }
        if tables::ACCESS_FILES_HOME.iter().any(|pattern| path_like(inside, pattern)) {
            kind |= ACCESS_FILE;
        }
        let dot_file = inside.len() == 1 && inside[0].starts_with('.');
        if dot_file || tables::START_FILES.iter().any(|pattern| path_like(inside, pattern)) {
            kind |= START_FILE;
        }
        if tables::CACHES.iter().any(|pattern| path_like(inside, pattern)) {
            kind |= CACHE;
        }
        kind
    }

    fn guard_kind(&self, all: &[&str], contents: bool) -> Classes {
        let mut kind = 0;
        let starts = Starts::of(all);
        for pattern in tables::GUARD_FILES {
            // Most have a first name that begins as none of the path's does.
            if !pattern.first().is_some_and(|name| starts.may_hold(name)) {
                continue;
            }
            if contents && holds(all, pattern) {
                kind |= GUARD | GUARD_FOLDER;
            } else if ends_like(all, pattern) {
                kind |= GUARD;
            } else if holds(all, pattern) {
                kind |= GUARD_FOLDER;
            }
        }
        for path in &self.guard_paths {
            match relation(all, path) {
                Relation::Same | Relation::Below => kind |= GUARD,
                Relation::Above => kind |= GUARD_FOLDER,
                Relation::Apart => {}
            }
        }
        kind
    }
}

/// Whether a path is one of the temporary folders `roots`, or lies in one.
fn temp<'r>(parts: &[&str], walked: &Walked<'_>, roots: impl Iterator<Item = &'r [&'r str]>) -> Option<Classes> {
    for root in roots {
        // `*` in a table's path is one folder of any name.
        let named: Vec<&str>;
        let root = if parts.len() >= root.len() && root.iter().any(|part| part.contains('*')) {
            named = root.iter().zip(parts).map(|(of, part)| if like(of, part) { *part } else { *of }).collect();
            named.as_slice()
        } else {
            root
        };
        match relation(parts, root) {
            // An unknown name right below may be empty: then the root itself is meant.
            Relation::Same if walked.unknown && !walked.rest.is_empty() => return Some(TEMP),
            Relation::Same => return Some(TEMP_ROOT),
            Relation::Below => return Some(TEMP),
            _ => {}
        }
    }
    None
}

/// Devices and their harmless kin, by their place.
fn special(parts: &[&str]) -> Option<Classes> {
    let under = parts.first().is_some_and(|first| *first == "dev" || *first == "proc");
    if !under || parts.len() < 2 {
        return None;
    }
    if tables::NULL_FILES.iter().any(|pattern| path_like(parts, pattern)) {
        return Some(NULL);
    }
    if parts[0] == "dev" && tables::DEVICES.iter().any(|pattern| may_be(parts[1], pattern)) {
        return Some(DEVICE | SYSTEM);
    }
    None
}

/// Whether a folder of this name is one that a build brings back.
pub fn is_build_folder(name: &str) -> bool {
    has_artefact(&[name], tables::ARTEFACTS)
}

/// The bytes that the names of a path begin with, letters as small ones.
#[derive(Debug, Clone, Copy)]
struct Starts {
    ascii: u128,
    /// One of them begins with a mark, or no ASCII.
    other: bool,
}

impl Starts {
    fn of(names: &[&str]) -> Starts {
        let mut starts = Starts { ascii: 0, other: false };
        for first in names.iter().filter_map(|name| name.as_bytes().first()) {
            if first.is_ascii() {
                starts.ascii |= 1 << first.to_ascii_lowercase();
            } else {
                starts.other = true;
            }
        }
        starts
    }

    /// Whether one of the names may be like `pattern`.
    fn may_hold(self, pattern: &str) -> bool {
        match pattern.as_bytes().first() {
            Some(first) if first.is_ascii() && *first != b'*' => {
                self.other || self.ascii & (1 << first.to_ascii_lowercase()) != 0
            }
            _ => true,
        }
    }
}

/// Whether one of the names of a path is an artefact's.
fn has_artefact(names: &[&str], artefacts: &[&str]) -> bool {
    let starts = Starts::of(names);
    let like_one = |artefact: &str, name: &str| {
        if has_pattern(name) { names_only(name, artefact) } else { like(artefact, name) }
    };
    let may_be_one = |artefact: &&&str| starts.may_hold(artefact);
    artefacts.iter().filter(may_be_one).any(|artefact| {
        names.contains(artefact) || has_star(artefact) && names.iter().any(|name| like_one(artefact, name))
    })
}

fn git_kind(inside: &[&str], contents: bool) -> Classes {
    let mut kind = 0;
    if let Some(at) = inside.iter().position(|part| *part == ".git") {
        let below = &inside[at + 1..];
        let core = |part: &str| tables::GIT_CORE.iter().any(|name| may_be(part, name));
        if below.is_empty() || (below.len() == 1 && core(below[0])) {
            kind |= GIT_FOLDER;
        }
        // Git runs hooks by their exact names: a `pre-push.sample` or `.bak` is none.
        let named = below.get(1).is_none_or(|name| !name.contains('.') || has_pattern(name));
        if below.first() == Some(&"hooks") && (contents || named) {
            kind |= GIT_HOOK;
        }
    }
    if let Some(at) = inside.iter().position(|part| *part == ".husky")
        && inside.get(at + 1).is_none_or(|next| *next != "_")
    {
        kind |= GIT_HOOK;
    }
    kind
}

#[cfg(test)]
mod tests;
