//! Names and patterns at a glance: whether one of these names may be like one of those patterns. Nearly always none may, and
//! then no pattern of the table is looked at.

/// What some names look like, or those that some patterns are about. What is like a pattern has a bit in common with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// Whole names, by their length, first and last letter; see [`whole`].
    whole: u128,
    /// First letters: of names that are known whole; of patterns those before a star.
    starts: u64,
    /// Last letters: of names that are known whole; of patterns those behind a star that they begin with.
    ends: u64,
    /// First letters of the names whose end is a mark of [`crate::glob`], and of all patterns.
    heads: u64,
    /// Last letters of the other names with marks in them, and of all patterns.
    tails: u64,
    /// Nothing is known of one of them: a name with marks at both ends, or a pattern with stars there.
    any: bool,
}

/// By default nothing is known.
impl Default for Sketch {
    fn default() -> Sketch {
        Sketch { any: true, ..Sketch::NONE }
    }
}

/// The bit of a whole name. Both cases of a letter count as one, as in [`crate::glob::like`].
const fn whole(first: u8, last: u8, length: usize) -> u128 {
    1 << ((first.to_ascii_lowercase() as usize * 7 + last.to_ascii_lowercase() as usize * 31 + length * 5) % 128)
}

/// The bit of an ASCII character, both cases as one; a dot shares its with `n`, a digit with another letter.
const fn letter(byte: u8) -> u64 {
    1 << (byte.to_ascii_lowercase() % 64)
}

impl Sketch {
    const NONE: Sketch = Sketch { whole: 0, starts: 0, ends: 0, heads: 0, tails: 0, any: false };

    /// Of the names of a path.
    pub(crate) fn of_names(names: &[&str]) -> Sketch {
        names.iter().fold(Sketch::NONE, |all, name| all.with_name(name.as_bytes()))
    }

    /// Of one name.
    pub(crate) fn of_name(name: &str) -> Sketch {
        Sketch::NONE.with_name(name.as_bytes())
    }

    fn with_name(mut self, name: &[u8]) -> Sketch {
        match (name.first(), name.last()) {
            // All marks share their first byte.
            (Some(first), Some(last)) if !name.contains(&0xEE) && first.is_ascii() && last.is_ascii() => {
                self.whole |= whole(*first, *last, name.len());
                self.starts |= letter(*first);
                self.ends |= letter(*last);
            }
            (_, Some(last)) if last.is_ascii() => self.tails |= letter(*last),
            (Some(first), _) if first.is_ascii() => self.heads |= letter(*first),
            _ => self.any = true,
        }
        self
    }

    /// Of the patterns of a table (`*` for anything).
    pub(crate) const fn of_patterns(patterns: &[&str]) -> Sketch {
        let (mut all, mut at) = (Sketch::NONE, 0);
        while at < patterns.len() {
            all = all.with_pattern(patterns[at].as_bytes());
            at += 1;
        }
        all
    }

    /// Of the first names of a table of paths.
    pub(crate) const fn of_first_names(paths: &[&[&str]]) -> Sketch {
        let (mut all, mut at) = (Sketch::NONE, 0);
        while at < paths.len() {
            all = match paths[at] {
                [first, ..] => all.with_pattern(first.as_bytes()),
                [] => Sketch { any: true, ..all },
            };
            at += 1;
        }
        all
    }

    const fn with_pattern(mut self, pattern: &[u8]) -> Sketch {
        let (mut star, mut at) = (false, 0);
        while at < pattern.len() {
            star |= pattern[at] == b'*';
            at += 1;
        }
        let (Some(&first), Some(&last)) = (pattern.first(), pattern.last()) else {
            return Sketch { any: true, ..self };
        };
        if !first.is_ascii() || !last.is_ascii() {
            return Sketch { any: true, ..self };
        }
        match (star, first, last) {
            (false, ..) => self.whole |= whole(first, last, pattern.len()),
            (true, b'*', b'*') => self.any = true,
            (true, b'*', _) => self.ends |= letter(last),
            (true, ..) => self.starts |= letter(first),
        }
        self.heads |= if first == b'*' { u64::MAX } else { letter(first) };
        self.tails |= if last == b'*' { u64::MAX } else { letter(last) };
        self
    }

    /// Whether one of these names may be like `pattern`.
    pub(crate) fn may_be(self, pattern: &str) -> bool {
        let (Some(&first), Some(&last)) = (pattern.as_bytes().first(), pattern.as_bytes().last()) else { return true };
        if self.any || !first.is_ascii() || !last.is_ascii() {
            return true;
        }
        let begins = first == b'*' || (self.starts | self.heads) & letter(first) != 0 || self.tails != 0;
        let ends = last == b'*' || (self.ends | self.tails) & letter(last) != 0 || self.heads != 0;
        begins && ends
    }

    /// Whether one of these names may be like a pattern of `table`.
    pub(crate) const fn may_be_in(self, table: Sketch) -> bool {
        self.whole & table.whole != 0 && self.starts & table.heads != 0 || self.may_be_open_in(table)
    }

    /// The same, of more than names that are known whole and patterns without a star.
    pub(crate) const fn may_be_open_in(self, table: Sketch) -> bool {
        self.any
            || table.any
            || self.starts & table.starts != 0
            || self.ends & table.ends != 0
            || self.heads & table.heads != 0
            || self.tails & table.tails != 0
    }
}

/// A table of patterns of names.
pub(crate) struct Names {
    patterns: &'static [&'static str],
    sketch: Sketch,
}

impl Names {
    pub(crate) const fn new(patterns: &'static [&'static str]) -> Names {
        Names { patterns, sketch: Sketch::of_patterns(patterns) }
    }

    /// Whether one of the patterns passes `test`, which none does that is not like a name of `sketch`.
    pub(crate) fn any(&self, sketch: Sketch, test: impl Fn(&str) -> bool) -> bool {
        sketch.may_be_in(self.sketch) && self.patterns.iter().any(|pattern| sketch.may_be(pattern) && test(pattern))
    }
}

/// A table of paths, by the names between their slashes.
pub(crate) struct Paths {
    patterns: &'static [&'static [&'static str]],
    sketch: Sketch,
}

impl Paths {
    pub(crate) const fn new(patterns: &'static [&'static [&'static str]]) -> Paths {
        Paths { patterns, sketch: Sketch::of_first_names(patterns) }
    }

    /// The paths whose first name may be like a name of `sketch`.
    pub(crate) fn about(&self, sketch: Sketch) -> impl Iterator<Item = &'static [&'static str]> {
        let some = if sketch.may_be_in(self.sketch) { self.patterns } else { &[] };
        some.iter().copied().filter(move |path| path.first().is_none_or(|first| sketch.may_be(first)))
    }

    /// Whether one of the paths passes `test`, which none does whose first name is not like a name of `sketch`.
    pub(crate) fn any(&self, sketch: Sketch, test: impl Fn(&[&str]) -> bool) -> bool {
        self.about(sketch).any(test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glob::{ANYTHING, STAR, may_be};

    /// Names of all shapes: what is like a pattern must meet it, and most of what is not must not.
    #[test]
    fn what_is_like_a_pattern_meets_it() {
        let patterns =
            ["*.log", "a", ".env", ".env.*", "*", "*KEY*", "settings*.json", "Library", "id_rsa", "cmake-build-*"];
        let star = |text: &str| text.replace('*', &STAR.to_string()).replace('?', &ANYTHING.to_string());
        let names = [
            "x.log",
            "X.LOG",
            "A",
            "a",
            ".ENV",
            ".env.local",
            "",
            "api_key_1",
            "settings.json",
            "library",
            "id_rsa",
            "é",
            "*.log",
            "?.log",
            "set*",
            "?",
            "CMake-Build-x",
            "src",
            "lib.rs",
            "id_rsb",
            "part1.tar.gz",
            "*.json",
            "settings*",
            "?_rsa",
            "??",
            "id_*",
            "*.rs",
            "cmake*",
        ];
        let (mut alike, mut apart) = (0, 0);
        for pattern in patterns {
            for name in names.map(star) {
                let sketch = Sketch::of_name(&name);
                let meets = sketch.may_be_in(Sketch::of_patterns(&[pattern]));
                assert!(sketch.may_be(pattern) || !may_be(&name, pattern), "{name:?} may be {pattern:?}");
                assert!(meets || !may_be(&name, pattern), "{name:?} may be {pattern:?}");
                alike += usize::from(meets);
                apart += usize::from(!meets);
            }
        }
        assert!(alike > 40 && apart > 90, "{alike} {apart}");
    }

    #[test]
    fn a_table_meets_what_one_of_its_patterns_does() {
        static PATHS: Paths = Paths::new(&[&[".ssh", "**"], &["Library", "Keys"]]);
        let sketch = |names: &[&str]| Sketch::of_names(names);
        assert_eq!(PATHS.about(sketch(&["src", ".SSH"])).count(), 1);
        assert_eq!(PATHS.about(sketch(&["src", "lib.rs"])).count(), 0);
        assert!(sketch(&["x"]).may_be_in(Sketch::default()) && !sketch(&["x"]).may_be_in(Sketch::of_patterns(&[])));
    }
}
