//! Words of a command, or a part of one, as the rules look at them.

use std::borrow::Cow;

use hookguard_shell::{Part, Reading, Unknown, Word};

use crate::glob::{ANYTHING, NUMBER, ONE, STAR};

/// A word from its byte `skip` on: a whole word, or the value in `--option=value`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'r> {
    pub(crate) word: &'r Word,
    pub(crate) skip: usize,
}

impl<'r> From<&'r Word> for Text<'r> {
    fn from(word: &'r Word) -> Text<'r> {
        Text { word, skip: 0 }
    }
}

impl<'r> Text<'r> {
    /// The text without its first `more` bytes, which must be known text.
    pub(crate) fn after(self, more: usize) -> Text<'r> {
        Text { word: self.word, skip: self.skip + more }
    }

    /// The whole text, if it is known.
    pub(crate) fn known(self) -> Option<&'r str> {
        self.word.as_literal()?.get(self.skip..)
    }

    /// The known text at its start.
    pub(crate) fn prefix(self) -> &'r str {
        self.word.prefix().get(self.skip..).unwrap_or_default()
    }

    /// All its known text, in order, with nothing where it is not known.
    pub(crate) fn known_parts(self) -> Cow<'r, str> {
        if let Some(text) = self.known() {
            return Cow::Borrowed(text);
        }
        let mut out = String::new();
        for part in &self.word.parts {
            match part {
                Part::Literal(text) | Part::Glob(text) => out.push_str(text),
                Part::Unknown(_) => out.push(ANYTHING),
            }
        }
        Cow::Owned(out.get(self.skip..).unwrap_or_default().to_owned())
    }

    /// Whether any of it is unknown.
    pub(crate) fn has_unknown(self) -> bool {
        self.word.has_unknown()
    }

    /// The first variable that the text holds and does not set.
    pub(crate) fn variables(self) -> impl Iterator<Item = &'r str> {
        self.word.parts.iter().filter_map(|part| match part {
            Part::Unknown(Unknown::Variable { name, .. }) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The text as a path: patterns and unknown parts as marks of [`crate::glob`].
    pub(crate) fn marked(self, reading: &Reading) -> Cow<'r, str> {
        if let Some(text) = self.known() {
            return Cow::Borrowed(text);
        }
        let mut out = String::new();
        for part in &self.word.parts {
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Glob(text) => mark_glob(text, &mut out),
                Part::Unknown(Unknown::Number) => out.push(NUMBER),
                // It can't be empty: the shell stops before.
                Part::Unknown(Unknown::Variable { required: true, .. }) => out.extend([ANYTHING, NUMBER]),
                Part::Unknown(Unknown::Variable { name, .. }) => match name.as_str() {
                    "TMPDIR" => out.push_str("/tmp"),
                    "$" | "!" | "?" | "#" | "PPID" | "BASHPID" | "RANDOM" | "SECONDS" | "UID" | "EUID" => {
                        out.push(NUMBER);
                    }
                    _ => out.push(ANYTHING),
                },
                Part::Unknown(Unknown::Substitution { commands }) if is_temporary(commands, reading) => {
                    out.push_str("/tmp/mktemp");
                }
                Part::Unknown(_) => out.push(ANYTHING),
            }
        }
        Cow::Owned(out.get(self.skip..).unwrap_or_default().to_owned())
    }

    /// The text for people.
    pub(crate) fn display(self) -> String {
        let text = self.word.display();
        text.get(self.skip..).unwrap_or_default().to_owned()
    }
}

/// Whether an output is the name of a file that `mktemp` makes where temporary files belong.
fn is_temporary(commands: &[usize], reading: &Reading) -> bool {
    !commands.is_empty()
        && commands.iter().all(|&at| {
            let argv = reading.commands.get(at).map(|command| command.argv.as_slice()).unwrap_or_default();
            let mktemp =
                argv.first().and_then(Word::as_literal).is_some_and(|name| crate::call::bare(name) == "mktemp");
            let elsewhere = argv.iter().skip(1).any(|word| {
                let start = word.prefix();
                !start.starts_with('-') && start.contains('/') && !start.starts_with("/tmp/")
            });
            mktemp && !elsewhere
        })
}

/// A pattern as marks: `*` and extended patterns any text, `?` and brackets one character.
fn mark_glob(text: &str, out: &mut String) {
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '*' | '+' | '@' | '!' | '?' if chars.peek() == Some(&'(') => {
                let mut depth = 0;
                for inner in chars.by_ref() {
                    match inner {
                        '(' => depth += 1,
                        ')' if depth == 1 => break,
                        ')' => depth -= 1,
                        _ => {}
                    }
                }
                out.push(STAR);
            }
            '*' => out.push(STAR),
            '?' => out.push(ONE),
            '[' => {
                let mut first = true;
                for inner in chars.by_ref() {
                    if inner == ']' && !first {
                        break;
                    }
                    first = matches!((first, inner), (true, '!' | '^'));
                }
                out.push(ONE);
            }
            other => out.push(other),
        }
    }
}

/// Whether a name holds a word that means production: split at anything that is no letter or digit, one part is such a
/// word (one of `words`) and is not preceded by `non` or `pre`.
pub(crate) fn is_prod(text: &str, words: &[&str]) -> bool {
    let mut before = "";
    for part in text.split(|char: char| !char.is_alphanumeric()) {
        let prod = words.iter().any(|word| word.eq_ignore_ascii_case(part));
        let negated = crate::tables::PROD_NEGATIONS.iter().any(|word| word.eq_ignore_ascii_case(before));
        if prod && !negated {
            return true;
        }
        before = part;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::PROD_WORDS;

    #[test]
    fn production_is_a_word_of_its_own() {
        for name in ["prod", "acme-production", "PROD_DB_URL", "values.prod.yaml", "deploy:live", "eu/prd/1"] {
            assert!(is_prod(name, PROD_WORDS), "{name}");
        }
        for name in ["non-prod", "pre-prod", "preprod", "product", "producer", "reproduction", "nonprod"] {
            assert!(!is_prod(name, PROD_WORDS), "{name}");
        }
    }

    #[test]
    fn patterns_become_marks() {
        let mut out = String::new();
        mark_glob("*.[ch]?!(a|(b))z", &mut out);
        assert_eq!(out, format!("{STAR}.{ONE}{ONE}{STAR}z"));
    }
}
