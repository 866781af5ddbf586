//! Options of programs that run what stands behind them.

use crate::command::{Assignment, Part, Word};

/// Which options take a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// Letters of short options with a value.
    pub(super) short: &'static str,
    /// Long options with a value in the next word.
    pub(super) long: &'static [&'static str],
    /// Options whose value is shell code, as written (`-c`, `--command`).
    pub(super) code: &'static [&'static str],
    /// `NAME=value` may stand among them.
    pub(super) assigns: bool,
}

/// Options of a command, read.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Index of the first operand.
    pub(super) rest: usize,
    /// Values of the options that are code.
    pub(super) code: Vec<Word>,
    pub(super) assignments: Vec<Assignment>,
    /// Short options as letters, long ones without dashes, in order; with their values.
    pub(super) seen: Vec<(String, Option<Word>)>,
}

impl Read {
    /// The value of the last option of one of these names.
    pub(super) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.seen.iter().rev().find(|(name, _)| names.contains(&name.as_str())).and_then(|(_, value)| value.as_ref())
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.seen.iter().any(|(name, _)| names.contains(&name.as_str()))
    }
}

/// Reads the options that begin at `from`, up to the first operand.
pub(super) fn read(argv: &[Word], from: usize, options: &Options) -> Read {
    let mut read = Read { rest: from, ..Read::default() };
    while let Some(word) = argv.get(read.rest) {
        let text = word.prefix();
        if text == "--" && word.parts.len() == 1 {
            read.rest += 1;
            break;
        }
        if options.assigns
            && let Some(assignment) = assignment(word)
        {
            read.assignments.push(assignment);
            read.rest += 1;
            continue;
        }
        if !text.starts_with('-') || text.len() == 1 {
            break;
        }
        read.rest += 1;
        if text.starts_with("--") {
            long(argv, word, options, &mut read);
        } else {
            short(argv, word, options, &mut read);
        }
    }
    read.rest = read.rest.min(argv.len());
    read
}

fn long(argv: &[Word], word: &Word, options: &Options, read: &mut Read) {
    let text = word.prefix();
    let (name, value) = match text.find('=') {
        Some(equals) => (&text[..equals], Some(tail(word, equals + 1))),
        None => (text, None),
    };
    let is_code = options.code.contains(&name);
    let value = match value {
        Some(value) => Some(value),
        None if is_code || options.long.contains(&name) => {
            read.rest += 1;
            argv.get(read.rest - 1).cloned()
        }
        None => None,
    };
    if is_code && let Some(value) = &value {
        read.code.push(value.clone());
    }
    read.seen.push((name.trim_start_matches('-').to_owned(), value));
}

fn short(argv: &[Word], word: &Word, options: &Options, read: &mut Read) {
    let text = word.prefix();
    // A whole word may be an option of its own (`-c`, and also `-exec`-like ones in `long`).
    if options.long.contains(&text) || options.code.contains(&text) {
        let value = argv.get(read.rest).cloned();
        read.rest += 1;
        if options.code.contains(&text)
            && let Some(value) = &value
        {
            read.code.push(value.clone());
        }
        read.seen.push((text.trim_start_matches('-').to_owned(), value));
        return;
    }
    for (at, letter) in text.char_indices().skip(1) {
        let after = at + letter.len_utf8();
        let is_code = options.code.iter().any(|code| code.strip_prefix('-') == Some(&text[at..after]));
        if !is_code && !options.short.contains(letter) {
            read.seen.push((letter.to_string(), None));
            continue;
        }
        let value = if after < text.len() || word.parts.len() > 1 {
            Some(tail(word, after))
        } else {
            read.rest += 1;
            argv.get(read.rest - 1).cloned()
        };
        if is_code && let Some(value) = &value {
            read.code.push(value.clone());
        }
        read.seen.push((letter.to_string(), value));
        return;
    }
}

/// `NAME=value` as an assignment.
pub(super) fn assignment(word: &Word) -> Option<Assignment> {
    let text = word.prefix();
    let equals = text.find('=')?;
    let name = &text[..equals];
    let is_name = !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| Assignment { name: name.to_owned(), value: tail(word, equals + 1) })
}

/// A word without the first bytes of its first part.
pub(in super::super) fn tail(word: &Word, from: usize) -> Word {
    let mut parts = Vec::with_capacity(word.parts.len());
    if let Some(Part::Literal(first)) = word.parts.first()
        && from < first.len()
    {
        parts.push(Part::Literal(first[from..].to_owned()));
    }
    parts.extend(word.parts.iter().skip(1).cloned());
    Word { parts }
}
