//! Comparing paths with patterns of tables, name by name. A pattern is the names between its slashes: `*` inside a name
//! for any text, `**` as the last name for anything below.

use crate::glob::{ANYTHING, NUMBER, has_pattern, like, may_be};

/// Whether every name that `part` can mean is like `pattern`: a pattern of the shell must end as the table's does.
pub(crate) fn names_only(part: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(end) if !end.contains('*') => part.len() >= end.len() && part.ends_with(end),
        _ if has_pattern(part) => false,
        _ => !part.contains([NUMBER, ANYTHING]) && like(pattern, part),
    }
}

/// A name that looks like a file: a dot, then a short ending with a letter in it.
pub(crate) fn has_letter_extension(name: &str) -> bool {
    match name.rsplit_once('.') {
        Some((stem, extension)) => {
            !stem.is_empty()
                && (1..=12).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
        }
        None => false,
    }
}

/// The names of a pattern before a final `**`, and whether it has one.
fn fixed<'p>(pattern: &'p [&'p str]) -> (&'p [&'p str], bool) {
    match pattern.split_last() {
        Some((&"**", fixed)) => (fixed, true),
        _ => (pattern, false),
    }
}

/// Whether `parts` is like the path `pattern`.
pub(crate) fn path_like(parts: &[&str], pattern: &[&str]) -> bool {
    let (fixed, below) = fixed(pattern);
    let long_enough = if below { parts.len() > fixed.len() } else { parts.len() == fixed.len() };
    long_enough && parts.iter().zip(fixed).all(|(part, name)| may_be(part, name))
}

/// Whether `parts` is a folder that holds what `pattern` is about.
pub(crate) fn covers(parts: &[&str], pattern: &[&str]) -> bool {
    parts.len() < pattern.len() && parts.iter().zip(pattern).all(|(part, name)| may_be(part, name))
}

/// Whether the end of `parts` (or, with `**`, any stretch of it) is like `pattern`.
pub(crate) fn ends_like(parts: &[&str], pattern: &[&str]) -> bool {
    let (fixed, below) = fixed(pattern);
    let Some(last) = parts.len().checked_sub(fixed.len()) else { return false };
    let fits = |at: usize| parts[at..].iter().zip(fixed).all(|(part, name)| may_be(part, name));
    if below { (0..=last).any(fits) } else { fits(last) }
}

/// Whether `parts` is the very folder in which `pattern`'s files lie.
pub(crate) fn holds(parts: &[&str], pattern: &[&str]) -> bool {
    match pattern.split_last() {
        Some((_, folder)) if folder.first().is_some_and(|first| first.starts_with('.')) => ends_like(parts, folder),
        _ => false,
    }
}
