//! Word groups in a sentence: `without .. test*|suite` is "without" and, at most four words later, a word of the second group.
//!
//! `|` parts alternatives, `*` stands for any ending, `_` joins a phrase, `..` is a gap; what stands side by side is adjacent.
//! In scripts that put no blanks between words the same groups are looked for as text, with a gap of some characters.

use super::super::bigrams::Bigrams;

/// How many words, or characters where there are no words, a `..` may skip.
const GAP: usize = 4;
const GAP_CHARS: usize = 14;

/// A sentence, in lower case.
#[derive(Debug, Clone)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<&'a str>,
    /// The first word of each clause: of the sentence, and behind each comma.
    pub(super) clauses: Vec<usize>,
}

/// The sentences of `text`, which is in lower case.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '\n' | '!' | '?' | ';' | '。' | '！' | '？' | '；' | '¿' | '¡' => true,
            '.' | ':' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            push(text.get(start..at), &mut found);
            start = at + c.len_utf8();
        }
    }
    push(text.get(start..), &mut found);
    found
}

fn push<'a>(text: Option<&'a str>, found: &mut Vec<Sentence<'a>>) {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return };
    let (mut words, mut clauses) = (Vec::new(), Vec::new());
    for clause in text.split([',', '(', '–', '—']) {
        clauses.push(words.len());
        words.extend(clause.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()));
    }
    found.push(Sentence { text, words, clauses });
}

/// A word group that a text may hold: an alternative of the first group that stands in it, and the groups behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    phrase: &'static str,
    rest: &'static str,
}

/// The alternatives of `groups` of which the first word stands somewhere in a text: most are ruled out at once, and once for
/// all of its sentences.
pub(super) fn heads(
    groups: &[&'static str],
    spaced: bool,
    text: &str,
    pairs: &Bigrams,
    sentences: &[Sentence<'_>],
) -> Vec<Head> {
    let mut found = Vec::new();
    for pattern in groups {
        let (first, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
        for phrase in first.split('|') {
            if let [first, second, ..] = phrase.as_bytes()
                && second.is_ascii_alphanumeric()
                && !pairs.has(*first, *second)
            {
                continue;
            }
            let end =
                phrase.bytes().position(|byte| spaced && matches!(byte, b'_' | b'\'' | b'*')).unwrap_or(phrase.len());
            let (word, open) = (phrase.get(..end).unwrap_or(phrase), phrase.as_bytes().get(end) == Some(&b'*'));
            let first_byte = word.as_bytes().first();
            let fits = |one: &&str| {
                one.as_bytes().first() == first_byte && if open { one.starts_with(word) } else { *one == word }
            };
            let stands = || match spaced {
                true => sentences.iter().any(|sentence| sentence.words.iter().any(fits)),
                false => text.contains(word),
            };
            if pairs.may_hold(word) && stands() {
                found.push(Head { phrase, rest });
            }
        }
    }
    found
}

/// Whether `text` is in a script without blanks between words.
pub(super) fn is_unspaced(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
}

impl Sentence<'_> {
    /// Whether one of `heads` stands in the sentence, with what must follow it.
    pub(super) fn has(&self, heads: &[Head]) -> bool {
        heads.iter().any(|head| (0..self.words.len()).any(|start| self.matches(start, head)))
    }

    /// Whether one of `heads` starts at the word `start`.
    pub(super) fn starts(&self, start: usize, heads: &[Head]) -> bool {
        heads.iter().any(|head| self.matches(start, head))
    }

    /// The same for scripts without blanks.
    pub(super) fn holds(&self, heads: &[Head]) -> bool {
        heads.iter().any(|head| {
            let behind = |at: usize| self.text.get(at + head.phrase.len()..).unwrap_or_default();
            self.text.match_indices(head.phrase).any(|(at, _)| follows(behind(at), head.rest))
        })
    }

    /// Whether `head` and the groups behind it stand from the word `start` on.
    fn matches(&self, start: usize, head: &Head) -> bool {
        let Some(mut here) = self.phrase(start, head.phrase) else { return false };
        let mut gap = false;
        for group in head.rest.split(' ').filter(|group| !group.is_empty()) {
            if group == ".." {
                gap = true;
                continue;
            }
            let most = if std::mem::take(&mut gap) { here + GAP } else { here };
            let Some(next) = (here..=most).find_map(|at| group.split('|').find_map(|phrase| self.phrase(at, phrase)))
            else {
                return false;
            };
            here = next;
        }
        true
    }

    /// The word behind `phrase`, where it stands at the word `at`.
    fn phrase(&self, at: usize, phrase: &str) -> Option<usize> {
        if self.words.get(at)?.as_bytes().first() != phrase.as_bytes().first() {
            return None;
        }
        let mut here = at;
        for part in phrase.split(['_', '\'']) {
            let word = self.words.get(here)?;
            let fits = match part.strip_suffix('*') {
                Some(start) => word.starts_with(start),
                None => *word == part,
            };
            if !fits {
                return None;
            }
            here += 1;
        }
        Some(here)
    }
}

/// Whether a word of each of `groups` stands in `text`, each near the one before.
fn follows(text: &str, groups: &str) -> bool {
    let groups = groups.trim_start_matches("..").trim_start();
    if groups.is_empty() {
        return true;
    }
    let (group, rest) = groups.split_once(' ').unwrap_or((groups, ""));
    let near = |between: Option<&str>| between.is_some_and(|between| between.chars().count() <= GAP_CHARS);
    group.split('|').any(|word| {
        let at = text.find(word).filter(|at| near(text.get(..*at)));
        at.and_then(|at| text.get(at + word.len()..)).is_some_and(|text| follows(text, rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, pattern: &'static str) -> bool {
        let sentences = sentences(text);
        let heads = heads(&[pattern], !is_unspaced(text), text, &Bigrams::of(text), &sentences);
        sentences.iter().any(|one| if is_unspaced(text) { one.holds(&heads) } else { one.has(&heads) })
    }

    #[test]
    fn groups_are_found_near_each_other() {
        assert!(has("commit without running the tests", "without .. test*"));
        assert!(!has("without doubt this is the one that needs some tests", "without .. test*"));
        assert!(has("it doesn't open", "doesn't open"));
        assert!(!has("it doesn't ever open", "doesn't open"));
        assert!(has("you do not need to", "do_not|don't .. need"));
        assert!(!has("without. tests", "without .. tests"));
        assert!(has("version 0.9 is wrong", "0"));
    }

    #[test]
    fn text_without_blanks_is_searched() {
        assert!(has("不用跑测试，直接提交。", "不用|无需 .. 测试"));
        assert!(!has("不用跑测试，直接提交。", "提交 .. 测试"));
    }
}
