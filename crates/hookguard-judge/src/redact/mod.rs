//! Secrets out of text that leaves the process: into a log, or to a model.
//!
//! A text is gone through once ([`scan`]). Secrets are known by how they begin ([`tokens`]), by their form ([`forms`],
//! [`armour`], [`url`]), by the header or the option that carries them ([`headers`], [`programs`]), or by the name of what
//! they are assigned to ([`names`], [`extent`]) together with how they look ([`values`], [`shape`]). What is found is replaced by its
//! beginning, `***` and its length; no end of it is kept. Nothing is compiled (`PERFORMANCE.md` 6.2).

mod armour;
mod bytes;
mod extent;
mod forms;
mod headers;
mod names;
mod programs;
mod scan;
mod shape;
mod tokens;
mod url;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;

use hookguard_core::is_unseen;

/// What a secret is of: a vendor, or `named`, `url`, `private_key`, ...
type Kind = &'static str;

/// A text without secrets, and which were taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The kind of each secret it held.
    pub found: Vec<&'static str>,
}

/// A secret: the bytes from `start` to `end`. What tells its kind stands before and is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Find {
    start: usize,
    end: usize,
    kind: Kind,
}

/// Takes the secrets out of `text`; borrowed where there are none. Doing it again changes nothing.
pub fn redact(text: &str) -> Redacted<'_> {
    let finds = match Seen::of(text) {
        None => scan::scan(text.as_bytes()),
        Some(seen) => scan::scan(seen.text.as_bytes()).into_iter().map(|find| seen.original(find)).collect(),
    };
    if finds.is_empty() {
        return Redacted { text: Cow::Borrowed(text), found: Vec::new() };
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Find { start, end, .. } in &finds {
        // A secret begins behind and ends before an ASCII character or an end, so these are characters' boundaries; were
        // one not, the whole character would go.
        let (start, end) = (text.floor_char_boundary(*start), text.ceil_char_boundary(*end));
        out.push_str(&text[done..start]);
        // Writing into a string does not fail.
        let _ = write!(out, "***{}", end - start);
        done = end;
    }
    out.push_str(&text[done..]);
    Redacted { text: Cow::Owned(out), found: finds.into_iter().map(|find| find.kind).collect() }
}

/// A text without the characters that nobody sees: with them a secret is still one for whoever copies it.
struct Seen {
    text: String,
    /// After how many bytes of `text` how many bytes are left out in all, in order.
    gaps: Vec<(usize, usize)>,
}

impl Seen {
    /// `None` where all is seen.
    fn of(text: &str) -> Option<Seen> {
        let unseen = |char: char| !char.is_ascii() && is_unseen(char);
        if text.is_ascii() || !text.contains(unseen) {
            return None;
        }
        let mut seen = Seen { text: String::with_capacity(text.len()), gaps: Vec::new() };
        let mut left_out = 0;
        for char in text.chars() {
            if unseen(char) {
                left_out += char.len_utf8();
                seen.gaps.push((seen.text.len(), left_out));
            } else {
                seen.text.push(char);
            }
        }
        Some(seen)
    }

    /// What stands at `at` of the seen text, in the original.
    fn place(&self, at: usize) -> usize {
        let gaps = self.gaps.partition_point(|(after, _)| *after <= at);
        at + gaps.checked_sub(1).map_or(0, |gap| self.gaps[gap].1)
    }

    fn original(&self, find: Find) -> Find {
        Find { start: self.place(find.start), end: self.place(find.end - 1) + 1, ..find }
    }
}
