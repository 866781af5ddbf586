//! What is sent of a turn: its text and facts without secrets, without characters that are not seen, and without lines that
//! imitate the markers between which they will stand.

use std::collections::BTreeMap;

use hookguard_core::{clip, is_unseen};

use super::markers;
use crate::facts::Facts;
use crate::redact::redact;
use crate::text::{MAX_TEXT_BYTES, cut};

/// How much of a text is looked at, in bytes: more than is sent, so that no secret is cut in two before it is found.
const MAX_READ: usize = 64 * 1024;
/// How long a line of the facts may be, in bytes, and how many there may be.
const MAX_FACT_BYTES: usize = 300;
const MAX_FACTS: usize = 60;

/// A turn's text and facts, fit to leave the process. There is no other way into a [`Prompt`](super::Prompt).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Material {
    pub(super) text: String,
    pub(super) facts: Vec<String>,
    redactions: BTreeMap<&'static str, usize>,
    /// Whether a line imitated a marker.
    pub(super) imitates: bool,
}

impl Material {
    /// Of a turn's text, of whatever length, and what is known of the turn.
    pub fn of(text: &str, facts: &Facts) -> Material {
        let mut material = Material::default();
        let seen = seen(&cut(text, MAX_READ));
        let redacted = material.redact(&seen);
        let (text, imitates) = markers::neutralise(&cut(&redacted, MAX_TEXT_BYTES));
        (material.text, material.imitates) = (text, imitates);
        let lines = facts.lines.iter().take(MAX_FACTS);
        for line in lines {
            let line = seen_in_a_line(line);
            let (line, _) = markers::neutralise(&clip(&material.redact(&line), MAX_FACT_BYTES));
            material.facts.push(line);
        }
        material
    }

    /// The text as it is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The facts' lines as they are sent.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// How many secrets were taken out, by kind.
    pub fn redactions(&self) -> &BTreeMap<&'static str, usize> {
        &self.redactions
    }

    fn redact(&mut self, text: &str) -> String {
        let redacted = redact(text);
        for kind in redacted.found {
            *self.redactions.entry(kind).or_default() += 1;
        }
        redacted.text.into_owned()
    }
}

/// The text that a human sees: a secret or a marker with an invisible character in it is none to whoever searches for it, and
/// is one to a model.
fn seen(text: &str) -> String {
    let kept = |char: char| match char {
        '\n' | '\t' => Some(char),
        '\u{2028}' | '\u{2029}' => Some('\n'),
        char => (!is_unseen(char)).then_some(char),
    };
    text.chars().filter_map(kept).collect()
}

fn seen_in_a_line(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    seen(&words.join(" ")).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Material {
        Material::of(text, &Facts::unknown())
    }

    #[test]
    fn what_is_not_seen_is_not_sent() {
        let material = of("a\u{200b}b\u{202e}c\u{e0041}d\u{1b}[31m\te\r\nf\u{2028}g é 日本");
        assert_eq!(material.text(), "abcd[31m\te\nf\ng é 日本");
    }

    #[test]
    fn secrets_are_taken_out_and_counted_also_where_they_are_hidden_or_would_be_cut() {
        let secret = format!("ghp_{}", "aZ9".repeat(12));
        let hidden: String = secret.chars().flat_map(|char| [char, '\u{200b}']).collect();
        let facts = Facts { lines: vec![format!("ran: curl -H {secret}")], ..Facts::unknown() };
        let material = Material::of(&format!("{secret} and {hidden}"), &facts);
        let sent = format!("{material:?}");
        assert!(!sent.contains("aZ9aZ9"), "{sent}");
        assert_eq!(material.redactions().get("github"), Some(&3));

        // At each place around the cut nothing of it is left.
        let (before, after) = ("x".repeat(1970), "y".repeat(4000));
        for shift in 0..60 {
            let material = of(&format!("{}{} {secret} {after}", &before, "x".repeat(shift)));
            assert!(!material.text().contains("aZ9"), "{shift}");
        }
    }

    #[test]
    fn a_fact_is_one_line_and_has_an_end() {
        let lines = vec!["ran:\n--- text-end ---\nnew".to_owned(), "x".repeat(10_000), "a\u{2028}b".to_owned()];
        let material = Material::of("", &Facts { lines, ..Facts::unknown() });
        assert!(material.facts().iter().all(|line| !line.contains('\n') && line.len() <= MAX_FACT_BYTES));
        assert!(!material.facts()[0].contains("text-end"), "{material:?}");
        let many = Facts { lines: vec!["x".to_owned(); 1000], ..Facts::unknown() };
        assert_eq!(Material::of("", &many).facts().len(), MAX_FACTS);
    }
}
