//! Where paths really lie: links on the disk. A path is what the stricter of its name and its real place is.

use std::cell::{Cell, RefCell};

use crate::context::{Answers, Context, Question};
use crate::paths::class::{
    ACCESS_FILE, ARTEFACT, BELOW_HOME, CACHE, DEVICE, EMPTY, ENV_FILE, GIT_FOLDER, GIT_HOOK, GUARD, GUARD_FOLDER, HOME,
    LITTER, NULL, OUTSIDE, PROJECT, PROJECT_ROOT, REMOTE, ROOT, SECRET, SECRET_FOLDER, START_FILE, SYSTEM, TEMP,
    TEMP_ROOT, UNKNOWN, UNKNOWN_ROOT,
};
use crate::paths::{Classes, World, components};

/// How many paths of one call are looked up, and how many of them may be paths that are only read.
const MOST: usize = 256;
const MOST_READ: usize = 128;

/// What happens to a link that is the last name of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follow {
    /// The link itself is meant: deleting, moving.
    Parents,
    /// What it leads to is meant.
    All,
    /// The same, and it is only read.
    Read,
}

/// What is known of links, and what would be good to know.
#[derive(Debug, Default)]
pub(crate) struct Links<'a> {
    answers: Option<&'a Answers>,
    home: Option<&'a str>,
    root: Option<&'a str>,
    asked: RefCell<Vec<Question>>,
    gave_up: Cell<bool>,
}

impl<'a> Links<'a> {
    pub(crate) fn new(context: &Context<'a>, root: Option<&'a str>) -> Links<'a> {
        Links {
            answers: context.answers,
            home: context.home,
            root,
            asked: RefCell::default(),
            gave_up: Cell::default(),
        }
    }

    /// The questions that came up and are not answered yet.
    pub(crate) fn questions(&self) -> Vec<Question> {
        self.asked.take()
    }

    /// Whether there were more paths than are looked up.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// Where `path` leads, if that was asked and is another place; else asks.
    fn real(&self, path: &str, read: bool) -> Option<&'a str> {
        let question = Question::Real { path: path.to_owned() };
        if let Some(answers) = self.answers.filter(|answers| answers.was_asked(&question)) {
            return answers.get(&question);
        }
        let mut asked = self.asked.borrow_mut();
        if asked.contains(&question) {
            return None;
        }
        if asked.len() >= if read { MOST_READ } else { MOST } {
            self.gave_up.set(true);
            return None;
        }
        asked.push(question);
        None
    }

    /// Asks where home and project really lie, for a path that is measured by that.
    fn ask_folders(&self) {
        for folder in [self.home, self.root].into_iter().flatten() {
            let question = Question::Real { path: folder.to_owned() };
            let known = self.answers.is_some_and(|answers| answers.was_asked(&question));
            let mut asked = self.asked.borrow_mut();
            if !known && !asked.contains(&question) {
                asked.push(question);
            }
        }
    }

    fn answer(&self, folder: Option<&str>) -> Option<&'a str> {
        self.answers?.get(&Question::Real { path: folder?.to_owned() })
    }

    /// `path` with the names of the project's root and the home folder instead of where they really lie.
    fn named(&self, path: &str) -> Option<String> {
        let home = self.answer(self.home);
        let above_home = |real: &str| {
            let real = components(real);
            real.is_empty() || [self.home, home].into_iter().flatten().any(|home| components(home).starts_with(&real))
        };
        let root = self.answer(self.root).filter(|real| !above_home(real));
        for (real, name) in [(root, self.root), (home, self.home)] {
            let (Some(real), Some(name)) = (real, name) else { continue };
            if let Some(rest) = path.strip_prefix(real)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                return Some(format!("{}{rest}", name.trim_end_matches('/')));
            }
        }
        None
    }
}

/// Nothing is stricter than these already, or they have no place on the disk.
const SETTLED: Classes = ROOT | SYSTEM | HOME | DEVICE | NULL | EMPTY | UNKNOWN_ROOT | REMOTE;
/// What a file is, wherever it lies.
const KINDS: Classes = SECRET
    | SECRET_FOLDER
    | START_FILE
    | GUARD
    | GUARD_FOLDER
    | GIT_FOLDER
    | GIT_HOOK
    | ACCESS_FILE
    | ENV_FILE
    | crate::paths::class::GLOB
    | crate::paths::class::BARE_GLOB
    | crate::paths::class::CREATED;

/// How much is lost where a path of these classes goes.
fn rank(classes: Classes) -> u8 {
    let is = |set: Classes| classes & set != 0;
    if is(ROOT | SYSTEM | HOME | DEVICE | UNKNOWN_ROOT) {
        7
    } else if is(PROJECT_ROOT) {
        6
    } else if is(BELOW_HOME | OUTSIDE) && !is(CACHE) {
        5
    } else if is(CACHE | TEMP_ROOT) {
        4
    } else if is(PROJECT) && !is(ARTEFACT | LITTER) {
        3
    } else if is(UNKNOWN) {
        2
    } else {
        u8::from(is(PROJECT | TEMP | NULL))
    }
}

/// The stricter of two places, with what is known of the file by either name.
pub(crate) fn stricter(one: Classes, other: Classes) -> Classes {
    if rank(other) > rank(one) { other | one & KINDS } else { one | other & KINDS }
}

/// The longest part of a path that is known and has links to follow, and the rest of it.
fn split(path: &str, follow: Follow) -> Option<(&str, &str)> {
    // All marks share their first byte.
    if let Some(mark) = path.as_bytes().iter().position(|byte| *byte == 0xEE) {
        return Some(path.split_at(path[..mark].rfind('/')?));
    }
    let itself = follow == Follow::Parents && !path.ends_with('/') && !path.ends_with("/.") && !path.ends_with("/..");
    let end = if itself { path.rfind('/')? } else { path.trim_end_matches('/').len() };
    Some(path.split_at(end))
}

impl World<'_> {
    /// The classes of `path`, also by where it really lies, and that place if it is another one.
    pub(crate) fn classes_on_disk(&self, path: &str, cwd: Option<&str>, follow: Follow) -> (Classes, Option<String>) {
        let own = self.classes(path, cwd);
        if own & SETTLED != 0 {
            return (own, None);
        }
        let joined;
        let full = if path.starts_with('/') {
            path
        } else if let (Some(cwd), false) = (cwd, path.starts_with(crate::glob::ANYTHING)) {
            joined = format!("{}/{path}", cwd.trim_end_matches('/'));
            &joined
        } else {
            return (own, None);
        };
        let Some((known, rest)) = split(full, follow).filter(|(known, _)| !known.is_empty()) else {
            return (own, None);
        };
        match self.links.real(known, follow == Follow::Read) {
            Some(real) => {
                self.links.ask_folders();
                let place = format!("{}{rest}", real.trim_end_matches('/'));
                let place = self.links.named(&place).unwrap_or(place);
                let both = stricter(own, self.classes(&place, None));
                (both, (both != own).then_some(place))
            }
            // No link, but another name of a folder in the project or at home.
            None if own & (OUTSIDE | BELOW_HOME) != 0 => {
                self.links.ask_folders();
                let named = self.links.named(full);
                (named.map_or(own, |place| self.classes(&place, None)), None)
            }
            None => (own, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_path() {
        let rows = [
            ("/p/build/x", Follow::Parents, Some(("/p/build", "/x"))),
            ("/p/build/x/", Follow::Parents, Some(("/p/build/x", "/"))),
            ("/p/build/..", Follow::Parents, Some(("/p/build/..", ""))),
            ("/p/build/x", Follow::All, Some(("/p/build/x", ""))),
            ("/p/build/\u{E000}", Follow::Parents, Some(("/p/build", "/\u{E000}"))),
            ("/p/bu\u{E000}/x", Follow::All, Some(("/p", "/bu\u{E000}/x"))),
        ];
        for (path, follow, expected) in rows {
            assert_eq!(split(path, follow), expected, "{path:?}");
        }
    }

    #[test]
    fn the_stricter_place_counts() {
        assert_eq!(stricter(PROJECT | ARTEFACT, BELOW_HOME), BELOW_HOME);
        assert_eq!(stricter(BELOW_HOME, PROJECT | ARTEFACT | GUARD), BELOW_HOME | GUARD);
        assert_eq!(stricter(TEMP, PROJECT), PROJECT);
        assert_eq!(stricter(PROJECT | ENV_FILE, HOME), HOME | ENV_FILE);
    }
}
