//! Which classes a path belongs to, by its text alone: where it lies, and what sort of file it is.

use crate::glob::{ANYTHING, has_pattern, has_star, like, may_be};
use crate::path_names::{covers, ends_like, has_letter_extension, holds, names_only, path_like};
use crate::settings::Settings;
use crate::sketch::{Names, Paths, Sketch};
use crate::tables;

mod walk;

pub(crate) use self::walk::{Walked, components, walk};
use self::walk::{is_empty_or_takes_all, pieces};

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

/// The tables that every path is compared with, or every path in a home folder.
static LITTER: Names = Names::new(tables::LITTER);
static DATA_FILES: Names = Names::new(tables::DATA_FILES);
static ENV_FILES: Names = Names::new(tables::ENV_FILES);
static KEY_FILES: Names = Names::new(tables::KEY_FILES);
static GUARD_FILES: Paths = Paths::new(tables::GUARD_FILES);
static SYSTEM_SECRETS: Paths = Paths::new(tables::SYSTEM_SECRETS);
static ACCESS_FILES: Paths = Paths::new(tables::ACCESS_FILES);
static HOME_SECRETS: Paths = Paths::new(tables::HOME_SECRETS);
static ACCESS_FILES_HOME: Paths = Paths::new(tables::ACCESS_FILES_HOME);
static START_FILES: Paths = Paths::new(tables::START_FILES);
static CACHES: Paths = Paths::new(tables::CACHES);
static SYSTEM_FOLDERS: Paths = Paths::new(tables::SYSTEM_FOLDERS);

/// The folders that classes are measured by.
#[derive(Debug, Default)]
pub(crate) struct World<'a> {
    pub(crate) home: Option<Vec<&'a str>>,
    pub(crate) root: Option<Vec<&'a str>>,
    pub(crate) tmpdir: Option<Vec<&'a str>>,
    pub(crate) guard_paths: Vec<Vec<&'a str>>,
    /// What the artefacts of the settings look like.
    pub(crate) artefacts: Sketch,
    pub(crate) settings: &'a Settings<'a>,
    pub(crate) links: crate::links::Links<'a>,
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
    let meet = |(left, right): (&&str, &&str)| left == right || may_be(left, right) && has_pattern(left);
    if !path.iter().zip(of).all(meet) {
        return Relation::Apart;
    }
    match path.len().cmp(&of.len()) {
        std::cmp::Ordering::Equal => Relation::Same,
        std::cmp::Ordering::Less => Relation::Above,
        std::cmp::Ordering::Greater => Relation::Below,
    }
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
        if has_pattern(path) {
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
            let empties = path.contains('/') && pieces(path).all(is_empty_or_takes_all);
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
        let system = SYSTEM_FOLDERS.any(Sketch::of_names(&parts[..1]), |folder| {
            matches!(relation(parts, folder), Relation::Same | Relation::Below)
        });
        if system { SYSTEM | doubt } else { OUTSIDE | doubt }
    }

    fn kind(&self, walked: &Walked<'_>, path: &str, location: Classes) -> Classes {
        let joined: Vec<&str>;
        let all = if walked.rest.is_empty() {
            walked.parts.as_slice()
        } else {
            let unknown = walked.rest.iter().map(|part| if part.contains(ANYTHING) { "\u{E002}" } else { part });
            joined = walked.parts.iter().copied().chain(unknown).collect();
            joined.as_slice()
        };
        let below_root = match &self.root {
            Some(root) if location & PROJECT != 0 => root.len().min(all.len()),
            _ => 0,
        };
        let mut kind = 0;
        let inside = &all[below_root..];
        let Some(&last) = inside.last() else { return 0 };
        let (sketch, last_sketch) = (Sketch::of_names(all), Sketch::of_name(last));
        // Relative to a folder that is not known, an artefact is one all the same; below an unknown path it may be anybody's.
        let relative = location & UNKNOWN != 0 && !path.starts_with(ANYTHING);
        let here = location & (PROJECT | TEMP) != 0 || relative;
        if here
            && sketch.may_be_in(self.artefacts)
            && has_artefact(inside, self.settings.lists.artefacts, self.artefacts)
        {
            kind |= ARTEFACT;
        }
        if !walked.contents {
            if LITTER.any(last_sketch, |pattern| names_only(last, pattern)) {
                kind |= class::LITTER;
            }
            if DATA_FILES.any(last_sketch, |pattern| names_only(last, pattern)) {
                kind |= DATA;
            }
            if has_letter_extension(last) && !path.ends_with('/') {
                kind |= FILE;
            }
            let example = || tables::ENV_EXAMPLES.iter().any(|word| last.contains(word));
            // A pattern such as `*.json` is rarely meant for the one secret among many files; `.en*` is.
            let named = |pattern: &str| may_be(last, pattern) && (pattern.starts_with(".env") || !has_pattern(last));
            if ENV_FILES.any(last_sketch, named) && !example() {
                kind |= ENV_FILE;
            }
            let public = last.ends_with(".pub");
            if !public && KEY_FILES.any(last_sketch, |pattern| may_be(last, pattern)) {
                kind |= SECRET;
            }
        }
        if walked.absolute {
            kind |= self.home_kind(all, walked.contents, last);
        }
        kind |= git_kind(inside, walked.contents);
        kind |= self.guard_kind(all, sketch, walked.contents);
        kind
    }

    /// Start files, credentials, caches, by their place in a home folder or among the system's files.
    fn home_kind(&self, all: &[&str], contents: bool, last: &str) -> Classes {
        let mut kind = 0;
        let home = self.home.as_deref().map(|home| (home, relation(all, home)));
        let in_home = match home {
            Some((home, Relation::Below)) => Some(&all[home.len()..]),
            _ if all.first() == Some(&"root") && all.len() > 1 => Some(&all[1..]),
            _ => None,
        };
        let first = |names: &[&str]| Sketch::of_names(names.get(..1).unwrap_or_default());
        let Some(inside) = in_home else {
            let first = first(all);
            if SYSTEM_SECRETS.any(first, |pattern| path_like(all, pattern)) {
                kind |= SECRET;
            }
            if ACCESS_FILES.any(first, |pattern| path_like(all, pattern)) {
                kind |= ACCESS_FILE;
            }
            if matches!(home, Some((_, Relation::Same))) {
                kind |= SECRET_FOLDER;
            }
            return kind;
        };
        let first = first(inside);
        if !last.ends_with(".pub") && HOME_SECRETS.any(first, |pattern| path_like(inside, pattern)) {
            let harmless = tables::HOME_NO_SECRETS.iter().any(|pattern| path_like(inside, pattern));
            // A pattern that takes a whole folder of keys takes the keys.
            if !harmless || has_pattern(last) {
                kind |= SECRET;
            }
        }
        if HOME_SECRETS.any(first, |pattern| covers(inside, pattern)) {
            // A pattern that takes all that is in a folder of secrets takes the secrets.
            kind |= if contents { SECRET_FOLDER | SECRET } else { SECRET_FOLDER };
        }
        if ACCESS_FILES_HOME.any(first, |pattern| path_like(inside, pattern)) {
            kind |= ACCESS_FILE;
        }
        let dot_file = inside.len() == 1 && inside[0].starts_with('.');
        if dot_file || START_FILES.any(first, |pattern| path_like(inside, pattern)) {
            kind |= START_FILE;
        }
        if CACHES.any(first, |pattern| path_like(inside, pattern)) {
            kind |= CACHE;
        }
        kind
    }

    fn guard_kind(&self, all: &[&str], sketch: Sketch, contents: bool) -> Classes {
        let mut kind = 0;
        for pattern in GUARD_FILES.about(sketch) {
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
        if parts.len() < root.len() {
            continue;
        }
        // `*` in a table's path is one folder of any name.
        let named: Vec<&str>;
        let root = if root.iter().any(|part| has_star(part)) {
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
    static ARTEFACTS: Sketch = Sketch::of_patterns(tables::ARTEFACTS);
    has_artefact(&[name], tables::ARTEFACTS, ARTEFACTS)
}

/// Whether one of the names of a path is an artefact's.
fn has_artefact(names: &[&str], artefacts: &[&str], sketch: Sketch) -> bool {
    let like_one = |artefact: &str, name: &str| {
        if has_pattern(name) { names_only(name, artefact) } else { like(artefact, name) }
    };
    names.iter().any(|name| {
        let own = Sketch::of_name(name);
        own.may_be_in(sketch)
            && (artefacts.contains(name)
                || own.may_be_open_in(sketch)
                    && artefacts
                        .iter()
                        .any(|artefact| own.may_be(artefact) && has_star(artefact) && like_one(artefact, name)))
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
