//! Strict JSON (RFC 8259) read with positions and edited byte for byte.
//!
//! What `JSON.parse` accepts is accepted, what it rejects is rejected with the line and column: no comments, no trailing
//! commas. Two things come before `JSON.parse` in agents written in JavaScript and are accepted likewise: a UTF-8 byte
//! order mark (Claude Code 2.1.332 reads such a file, seen 2026-11-30), and strings that are no UTF-8. Agents written in
//! Rust are stricter; for them, ask [`accepted_by`] first.
//!
//! ```
//! use hookguard_adapter::settings::json::{Document, NewValue};
//!
//! let mut document = Document::parse(b"{\r\n\t\"a\": 1\r\n}")?;
//! document.insert(&["b".into()], "c", &NewValue::from(2))?;
//! assert_eq!(document.bytes(), b"{\r\n\t\"a\": 1,\r\n\t\"b\": {\r\n\t\t\"c\": 2\r\n\t}\r\n}");
//! document.remove(&["b".into()])?;
//! assert_eq!(document.bytes(), b"{\r\n\t\"a\": 1\r\n}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod edit;
mod scan;
mod style;
#[cfg(test)]
pub(in crate::settings) mod tests;

use std::ops::Range;

pub use edit::EditError;
pub use style::NewValue;

use scan::{BOM, Node};

/// A JSON text and where everything in it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    bytes: Vec<u8>,
    /// In the order of the text, a container before what is in it; the first is the root.
    nodes: Vec<Node>,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Kind {
    /// `null`
    #[strum(serialize = "null")]
    Null,
    /// `true` or `false`
    #[strum(serialize = "a boolean")]
    Bool,
    /// A number of any size; it is never converted.
    #[strum(serialize = "a number")]
    Number,
    /// A string.
    #[strum(serialize = "a string")]
    String,
    /// `[…]`
    #[strum(serialize = "an array")]
    Array,
    /// `{…}`
    #[strum(serialize = "an object")]
    Object,
}

/// A place in a text, as editors count: both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line. `\n`, `\r\n` and a lone `\r` end one.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {what}")]
pub struct JsonError {
    /// Where.
    pub position: Position,
    /// What is wrong there.
    pub what: String,
}

/// A step from a container to something in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// To the member with this key. Where a key stands twice, the last counts, as in `JSON.parse`.
    Key(&'a str),
    /// To the element with this index, from 0.
    Index(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Self {
        Step::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Step::Index(index)
    }
}

/// What the agent reads its settings with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// `JSON.parse`, after decoding that drops a byte order mark and replaces what is no UTF-8.
    JavaScript,
    /// serde_json: also refuses a byte order mark (Codex 0.171.0 runs no hook of such a file, seen 2026-11-30),
    /// what is no UTF-8, lone surrogates, numbers beyond a double and more than 127 levels (serde_json's own limits; not
    /// tried in an agent).
    Rust,
}

/// Whether an agent with this `reader` takes `bytes` for JSON. A file that it would ignore must not be edited, for the
/// hooks in it would not run.
///
/// ```
/// use hookguard_adapter::settings::json::{accepted_by, Reader};
///
/// assert!(accepted_by(b"\xef\xbb\xbf{}", Reader::JavaScript).is_ok());
/// assert_eq!(accepted_by(b"\xef\xbb\xbf{}", Reader::Rust).unwrap_err().position.to_string(), "1:1");
/// ```
///
/// # Errors
///
/// The first thing that it would not take.
pub fn accepted_by(bytes: &[u8], reader: Reader) -> Result<(), JsonError> {
    Document::parse(bytes)?;
    if reader == Reader::JavaScript {
        return Ok(());
    }
    if bytes.starts_with(BOM) {
        let what = "a byte order mark, which this agent does not read".to_owned();
        return Err(JsonError { position: Position { line: 1, column: 1 }, what });
    }
    serde_json::from_slice::<serde_json::Value>(bytes).map(drop).map_err(|error| {
        // Its own text ends with the position, which stands in front of ours.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
        let line: usize =
            bytes.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        let at = (line + error.column().saturating_sub(1)).min(bytes.len());
        JsonError { position: scan::position(bytes, at), what }
    })
}

impl Document {
    /// Reads a JSON text.
    ///
    /// # Errors
    ///
    /// The first place where `JSON.parse` would give up.
    pub fn parse(bytes: &[u8]) -> Result<Document, JsonError> {
        let nodes = scan::scan(bytes)?;
        Ok(Document { bytes: bytes.to_vec(), nodes })
    }

    /// The text as it stands now.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text, given away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether it begins with a UTF-8 byte order mark.
    pub fn has_bom(&self) -> bool {
        self.bytes.starts_with(BOM)
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value { document: self, node: 0 }
    }

    /// The value at the end of a path; `None` where the path leads nowhere.
    ///
    /// ```
    /// # use hookguard_adapter::settings::json::Document;
    /// let document = Document::parse(br#"{"a": 0, "a": [true, {"b\u0063": "x"}]}"#)?;
    /// let found = document.find(&["a".into(), 1.into(), "bc".into()]).unwrap();
    /// assert_eq!(found.as_str().as_deref(), Some("x"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, path: &[Step<'_>]) -> Option<Value<'_>> {
        path.iter().try_fold(self.root(), |value, step| value.step(*step))
    }
}

/// A value in a [`Document`].
#[derive(Debug, Clone, Copy)]
pub struct Value<'d> {
    document: &'d Document,
    node: usize,
}

impl<'d> Value<'d> {
    fn of(&self) -> &'d Node {
        &self.document.nodes[self.node]
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.of().kind
    }

    /// Its bytes in the text, without the key.
    pub fn span(&self) -> Range<usize> {
        self.of().span.clone()
    }

    /// Where it begins.
    pub fn position(&self) -> Position {
        scan::position(&self.document.bytes, self.of().span.start)
    }

    /// The values in it, with their keys if it is an object, in the order of the text and with doubled keys.
    pub fn children(&self) -> impl Iterator<Item = Value<'d>> + use<'d> {
        let document = self.document;
        let end = self.of().next;
        let mut node = self.node + 1;
        std::iter::from_fn(move || {
            let value = (node < end).then_some(Value { document, node })?;
            node = value.of().next;
            Some(value)
        })
    }

    /// Its key, if it is a member of an object, decoded.
    pub fn key(&self) -> Option<String> {
        self.of().key.clone().map(|key| scan::decode(&self.document.bytes[key]))
    }

    /// The member with this key; the last one where there are several.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        self.children().filter(|child| child.key().as_deref() == Some(key)).last()
    }

    fn step(&self, step: Step<'_>) -> Option<Value<'d>> {
        match step {
            Step::Key(key) => self.get(key),
            Step::Index(index) if self.kind() == Kind::Array => self.children().nth(index),
            Step::Index(_) => None,
        }
    }

    /// The text of a string, decoded. Lone surrogates and bytes that are no UTF-8 become U+FFFD.
    pub fn as_str(&self) -> Option<String> {
        (self.kind() == Kind::String).then(|| scan::decode(&self.document.bytes[self.span()]))
    }

    /// A whole number written without fraction and exponent.
    pub fn as_u64(&self) -> Option<u64> {
        let text = &self.document.bytes[self.span()];
        (self.kind() == Kind::Number).then_some(text).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok())
    }

    /// `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| &self.document.bytes[self.span()] == b"true")
    }

    /// The value as serde_json has it; `None` where it can't (a number like `1e400`, a lone surrogate, great depth).
    pub fn to_serde(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.document.bytes[self.span()]).ok()
    }
}
