//! Comparing names with patterns, and patterns with patterns. No regular expressions.

/// A `*` that the shell expands: any characters of one file name.
pub(crate) const STAR: char = '\u{E000}';
/// A `?` or bracket that the shell expands: one character of a file name.
pub(crate) const ONE: char = '\u{E001}';
/// Text that nobody knows: anything, also nothing, also slashes.
pub(crate) const ANYTHING: char = '\u{E002}';
/// A number that nobody knows: something, and no slash.
pub(crate) const NUMBER: char = '\u{E003}';

/// Whether `text` is like `pattern`, in which `*` stands for anything. Letters of both cases are the same.
pub(crate) fn like(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    // Most pairs differ in their first letter.
    match (pattern.first(), text.first()) {
        (Some(&b'*'), _) => {}
        (Some(left), Some(right)) if left.eq_ignore_ascii_case(right) => {}
        (left, right) => return left == right,
    }
    // Most patterns with a star are endings.
    if let Some(end) = pattern.strip_prefix(b"*")
        && !end.contains(&b'*')
    {
        return text.len() >= end.len() && text[text.len() - end.len()..].eq_ignore_ascii_case(end);
    }
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            retry = Some((p + 1, t));
            p += 1;
        } else if p < pattern.len() && pattern[p].eq_ignore_ascii_case(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((after, from)) = retry {
            p = after;
            t = from + 1;
            retry = Some((after, t));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

/// Whether one file name could be meant by both `name`, as a command writes it (with [`STAR`], [`ONE`], [`NUMBER`]), and
/// `pattern` of a table (with `*`). A pattern of the shell does not match a leading dot.
#[inline]
pub(crate) fn may_be(name: &str, pattern: &str) -> bool {
    // Most pairs differ in their first letter. All marks share their first byte, which is rare in names.
    match (name.as_bytes().first(), pattern.as_bytes().first()) {
        (Some(left), Some(right)) if *left != 0xEE && *right != b'*' && !left.eq_ignore_ascii_case(right) => false,
        _ => meet(name, pattern),
    }
}

fn meet(name: &str, pattern: &str) -> bool {
    if !name.as_bytes().contains(&0xEE) {
        return like(pattern, name);
    }
    if !has_pattern(name) {
        return !name.contains(NUMBER) && like(pattern, name);
    }
    if name.starts_with([STAR, ONE]) && pattern.starts_with('.') {
        return false;
    }
    if ends_apart(name, pattern) {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    // Longer ones are nobody's file name; the bound keeps the comparison cheap.
    if name.len() > 200 || pattern.len() > 200 {
        return true;
    }
    overlap(&name, &pattern)
}

/// Whether what stands before the first wildcard of two patterns, or behind the last, can't be of one name: of most pairs.
fn ends_apart(name: &str, pattern: &str) -> bool {
    let wild = [STAR, ONE];
    let heads = (name.split(wild).next().unwrap_or(name), pattern.split('*').next().unwrap_or(pattern));
    let tails = (name.rsplit(wild).next().unwrap_or(name), pattern.rsplit('*').next().unwrap_or(pattern));
    let heads_meet = heads.0.starts_with(heads.1) || heads.1.starts_with(heads.0);
    let tails_meet = tails.0.ends_with(tails.1) || tails.1.ends_with(tails.0);
    !(heads_meet && tails_meet)
}

/// Whether two patterns have a name in common: a row of the table per character of the first.
fn overlap(name: &[char], pattern: &[char]) -> bool {
    let mut row = vec![false; pattern.len() + 1];
    row[0] = true;
    for at in 1..=pattern.len() {
        row[at] = row[at - 1] && pattern[at - 1] == '*';
    }
    for &left in name {
        let mut next = vec![false; pattern.len() + 1];
        next[0] = row[0] && left == STAR;
        for at in 1..=pattern.len() {
            let right = pattern[at - 1];
            next[at] = if left == STAR {
                row[at] || next[at - 1] || row[at - 1]
            } else if right == '*' {
                row[at] || next[at - 1]
            } else {
                row[at - 1] && (left == ONE || left == right)
            };
        }
        row = next;
    }
    row[pattern.len()]
}

/// Whether a table's `pattern` holds a star. They have a dozen bytes: a search that prepares itself would cost more.
pub(crate) fn has_star(pattern: &str) -> bool {
    pattern.as_bytes().contains(&b'*')
}

/// Whether `name` holds a pattern of the shell.
pub(crate) fn has_pattern(name: &str) -> bool {
    name.as_bytes().contains(&0xEE) && name.contains([STAR, ONE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_is_a_star_and_case_blind() {
        assert!(like("*.ENV", "a.env") && like("*", "x") && !like("*.env", "env") && !like("*b", "bc"));
        assert!(like("delete-*", "delete-stack") && like("*", "") && like("a*c", "ABBC"));
        assert!(!like("delete-*", "undelete-stack") && !like("a", "ab") && !like("", "a"));
    }

    #[test]
    fn patterns_meet() {
        let star = |text: &str| text.replace('*', &STAR.to_string()).replace('?', &ONE.to_string());
        assert!(may_be(&star(".en*"), ".env"));
        assert!(may_be(&star("*.json"), "settings*.json"));
        assert!(may_be(&star("id_???"), "id_*"));
        assert!(!may_be(&star("*"), ".env"), "a star does not match a leading dot");
        assert!(!may_be(&star("*.md"), "*.sql"));
        assert!(!may_be("settings.md", "settings*.json"));
        assert!(may_be(&star("a*"), "*b") && may_be(&star("a?c"), "abc") && may_be(&star("*"), "x*"));
        assert!(!may_be(&star("a?c"), "abd") && !may_be(&star("ab*"), "ac*") && !may_be(&star("*.rs"), "*.r"));
    }
}
