//! Comparing paths with patterns of tables, name by name. A pattern is the names between its slashes: `*` inside a name
//! for any text, `**` as the last name for anything below.

use crate::glob::{ANYTHING, NUMBER, STAR, has_pattern, has_star, like, may_be};
use crate::paths::{World, components, walk};

/// Whether every name that `part` can mean is like `pattern`: a pattern of the shell must end as the table's does.
pub(crate) fn names_only(part: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(end) if !has_star(end) => part.len() >= end.len() && part.ends_with(end),
        _ if has_pattern(part) => false,
        _ => !part.contains([NUMBER, ANYTHING]) && like(pattern, part),
    }
}

/// A name that looks like a file: a dot, then a short ending with a letter in it.
pub(crate) fn has_letter_extension(name: &str) -> bool {
    match name.bytes().rposition(|byte| byte == b'.') {
        Some(dot) => {
            let extension = &name[dot + 1..];
            dot > 0
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

/// Whether all that `path` can mean lies where `pattern` of a configuration says: from the project's root, or absolute, or
/// from the home folder with `~/`; `*` inside a name, `**` for folders.
pub(crate) fn within(path: &str, cwd: Option<&str>, pattern: &str, world: &World<'_>) -> bool {
    placed(path, cwd, pattern, world, |part, name| match has_pattern(part) || part.contains([NUMBER, ANYTHING]) {
        // What the shell expands stays inside the folder, and only `*` takes every name in it.
        true => name == "*",
        false => name == part || name.contains('*') && like(name, part),
    })
}

/// Whether something that `path` can mean lies where `pattern` of a configuration says.
pub(crate) fn touches(path: &str, cwd: Option<&str>, pattern: &str, world: &World<'_>) -> bool {
    placed(path, cwd, pattern, world, may_be)
}

fn placed(path: &str, cwd: Option<&str>, pattern: &str, world: &World<'_>, same: impl Fn(&str, &str) -> bool) -> bool {
    let walked = walk(path, cwd);
    let base = match (pattern.starts_with('/'), pattern.strip_prefix("~/")) {
        (true, _) => Some(&[][..]),
        (_, Some(_)) => world.home.as_deref(),
        _ => world.root.as_deref(),
    };
    let Some(base) = base.filter(|_| walked.absolute && !walked.unknown) else { return false };
    let below = components(pattern.strip_prefix("~/").unwrap_or(pattern));
    let mut parts = walked.parts;
    let star = STAR.to_string();
    if walked.contents {
        parts.push(&star);
    }
    let Some((head, rest)) = parts.split_at_checked(base.len()) else { return false };
    head == base && stretch(rest, &below, same)
}

/// Whether `parts` are like `pattern`, `**` being any number of names: `a/**` is the folder `a` and all that is in it.
fn stretch(parts: &[&str], pattern: &[&str], same: impl Fn(&str, &str) -> bool) -> bool {
    // How many of the parts the pattern so far can take.
    let mut taken = vec![false; parts.len() + 1];
    taken[0] = true;
    for name in pattern {
        let mut next = vec![false; taken.len()];
        if *name == "**" {
            let mut reached = false;
            for (count, taken) in taken.iter().enumerate() {
                reached |= taken;
                next[count] = reached;
            }
        } else {
            for count in 1..taken.len() {
                next[count] = taken[count - 1] && same(parts[count - 1], name);
            }
        }
        taken = next;
    }
    taken.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_configuration_says() {
        let world = World { root: Some(components("/p")), home: Some(components("/h/me")), ..World::default() };
        let star = |text: &str| text.replace('*', &STAR.to_string());
        let rows: &[(&str, &str, bool, bool)] = &[
            // path, pattern, within, touches
            ("gen/a/b.js", "gen/**", true, true),
            ("gen", "gen/**", true, true),
            ("gen/../src/a.js", "gen/**", false, false),
            ("gen/*", "gen/**", true, true),
            ("gen/*.js", "gen/*", true, true),
            ("gen/*.js", "gen/*.js", false, true),
            ("*/a", "gen/**", false, true),
            ("/p/gen/a", "gen/*", true, true),
            ("/q/gen/a", "gen/*", false, false),
            ("/q/gen/a", "/q/**", true, true),
            ("/h/me/x/y", "~/x/*", true, true),
            ("src/a/b/test.snap", "**/*.snap", true, true),
            ("test.snap", "**/*.snap", true, true),
            ("src/a/b", "src/**/b", true, true),
            ("src/b", "src/**/b", true, true),
        ];
        for (path, pattern, all, some) in rows {
            let path = star(path);
            assert_eq!(within(&path, Some("/p"), pattern, &world), *all, "{path} within {pattern}");
            assert_eq!(touches(&path, Some("/p"), pattern, &world), *some, "{path} touches {pattern}");
        }
        assert!(!within(&format!("gen/{ANYTHING}"), Some("/p"), "gen/**", &world), "it may be ../");
    }
}
