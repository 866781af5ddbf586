//! The words that one word of the text becomes.

use crate::command::{Part, Unknown, Word};

/// Collects the fields of an expansion.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) done: Vec<Word>,
    parts: Vec<Part>,
    /// Something quoted was seen: the field is there even if it is empty.
    quoted: bool,
}

impl Fields {
    pub(super) fn lit(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(Part::Literal(last)) = self.parts.last_mut() {
            last.push_str(text);
        } else {
            self.parts.push(Part::Literal(text.to_owned()));
        }
    }

    pub(super) fn glob(&mut self, text: &str) {
        self.parts.push(Part::Glob(text.to_owned()));
    }

    pub(super) fn unknown(&mut self, unknown: Unknown) {
        self.parts.push(Part::Unknown(unknown));
    }

    pub(super) fn part(&mut self, part: &Part) {
        match part {
            Part::Literal(text) => self.lit(text),
            _ => self.parts.push(part.clone()),
        }
    }

    pub(super) fn quoted(&mut self) {
        self.quoted = true;
    }

    /// Whether the current field has nothing yet.
    pub(super) fn at_start(&self) -> bool {
        self.parts.is_empty() && !self.quoted
    }

    /// Ends the current field, if there is one.
    pub(super) fn split(&mut self) {
        if !self.at_start() {
            self.done.push(Word { parts: std::mem::take(&mut self.parts) });
            self.quoted = false;
        }
    }

    /// Text outside of quotes: its patterns stand for names.
    pub(super) fn pattern(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut plain = 0;
        let mut at = 0;
        while at < bytes.len() {
            let end = match bytes[at] {
                b'*' | b'?' => at + 1,
                b'[' => match bracket(&bytes[at..]) {
                    Some(length) => at + length,
                    None => {
                        at += 1;
                        continue;
                    }
                },
                _ => {
                    at += 1;
                    continue;
                }
            };
            self.lit(&text[plain..at]);
            let mut end = end;
            while matches!(bytes.get(end), Some(b'*' | b'?')) {
                end += 1;
            }
            self.glob(&text[at..end]);
            plain = end;
            at = end;
        }
        self.lit(&text[plain..]);
    }

    /// A value outside of quotes: split at blanks, patterns stand for names.
    pub(super) fn unquoted(&mut self, value: &Word) {
        for part in &value.parts {
            match part {
                Part::Literal(text) => {
                    let mut rest = text.as_str();
                    while let Some(at) = rest.find([' ', '\t', '\n']) {
                        self.pattern(&rest[..at]);
                        self.split();
                        rest = rest[at + 1..].trim_start_matches([' ', '\t', '\n']);
                    }
                    self.pattern(rest);
                }
                _ => self.part(part),
            }
        }
    }

    /// A value inside quotes.
    pub(super) fn verbatim(&mut self, value: &Word) {
        for part in &value.parts {
            self.part(part);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Word> {
        self.split();
        self.done
    }

    /// Everything as one word.
    pub(super) fn join(mut self) -> Word {
        if self.done.is_empty() {
            return Word { parts: self.parts };
        }
        self.split();
        let mut all = Fields::default();
        for (index, word) in self.done.iter().enumerate() {
            if index > 0 {
                all.lit(" ");
            }
            all.verbatim(word);
        }
        Word { parts: all.parts }
    }
}

/// The length of the bracket expression that begins `bytes`, if it is closed.
fn bracket(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    if matches!(bytes.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    // Bounded, so that a text of opening brackets costs no more than any other.
    while at < bytes.len().min(256) {
        match bytes[at] {
            b']' => return Some(at + 1),
            b'/' => return None,
            _ => at += 1,
        }
    }
    None
}
