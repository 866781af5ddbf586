//! The scanner: from bytes to the place of every value. Iterative, so that depth costs no stack.

use std::ops::Range;

use super::{JsonError, Kind, Position};

/// The UTF-8 byte order mark.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// A value and where it stands. In a list of nodes, what is in a container follows it directly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Its bytes, with quotes or brackets.
    pub(super) span: Range<usize>,
    /// The bytes of its key, with quotes.
    pub(super) key: Option<Range<usize>>,
    /// Where the text before it begins: after the value before it, or after the bracket.
    pub(super) before: usize,
    /// The container it stands in; the root's is itself.
    pub(super) parent: usize,
    /// The index after the last node inside it: its next sibling, if it has one.
    pub(super) next: usize,
}

impl Node {
    /// Where it begins, its key included.
    pub(super) fn start(&self) -> usize {
        self.key.as_ref().unwrap_or(&self.span).start
    }
}

/// What may come next.
enum Expect {
    /// The first key of an object, or its end.
    FirstKey,
    /// A key, after the comma at this place.
    Key(usize),
    /// The first element of an array, or its end.
    FirstElement,
    /// An element, after the comma at this place.
    Element(usize),
    /// The value of this key, or the root.
    Value(Option<Range<usize>>),
    /// What follows a complete value.
    After,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The containers that are open, and where the next value's [`Node::before`] is.
    open: Vec<(usize, usize)>,
}

/// Where every value of a JSON text stands.
pub(super) fn scan(bytes: &[u8]) -> Result<Vec<Node>, JsonError> {
    let at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut scanner = Scanner { bytes, at, nodes: Vec::new(), open: Vec::new() };
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(scanner.error(0, "the file is UTF-16, not UTF-8"));
    }
    let mut expect = Expect::Value(None);
    loop {
        while matches!(scanner.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            scanner.at += 1;
        }
        let byte = scanner.peek();
        expect = match expect {
            Expect::FirstKey if byte == Some(b'}') => scanner.close(),
            Expect::FirstElement if byte == Some(b']') => scanner.close(),
            Expect::Key(comma) if byte == Some(b'}') => return Err(scanner.trailing(comma)),
            Expect::Element(comma) if byte == Some(b']') => return Err(scanner.trailing(comma)),
            Expect::FirstKey => scanner.key("a key in double quotes or '}'")?,
            Expect::Key(_) => scanner.key("a key in double quotes")?,
            Expect::FirstElement => scanner.value(None, "a value or ']'")?,
            Expect::Element(_) => scanner.value(None, "a value")?,
            Expect::Value(key) => scanner.value(key, "a value")?,
            Expect::After => match scanner.open.last().map(|open| scanner.nodes[open.0].kind) {
                None if byte.is_none() => return Ok(scanner.nodes),
                None => return Err(scanner.expected("nothing after the value")),
                Some(Kind::Object) => match byte {
                    Some(b'}') => scanner.close(),
                    Some(b',') => Expect::Key(scanner.step()),
                    _ => return Err(scanner.expected("',' or '}'")),
                },
                Some(_) => match byte {
                    Some(b']') => scanner.close(),
                    Some(b',') => Expect::Element(scanner.step()),
                    _ => return Err(scanner.expected("',' or ']'")),
                },
            },
        };
    }
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes on by one byte; where it was.
    fn step(&mut self) -> usize {
        self.at += 1;
        self.at - 1
    }

    fn close(&mut self) -> Expect {
        self.at += 1;
        if let Some((open, _)) = self.open.pop() {
            self.nodes[open].span.end = self.at;
            self.nodes[open].next = self.nodes.len();
        }
        self.after()
    }

    /// After a complete value.
    fn after(&mut self) -> Expect {
        if let Some((_, before)) = self.open.last_mut() {
            *before = self.at;
        }
        Expect::After
    }

    fn key(&mut self, expected: &str) -> Result<Expect, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.expected(expected));
        }
        let key = self.string()?;
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        if self.peek() != Some(b':') {
            return Err(self.expected("':' after the key"));
        }
        self.at += 1;
        Ok(Expect::Value(Some(key)))
    }

    fn value(&mut self, key: Option<Range<usize>>, expected: &str) -> Result<Expect, JsonError> {
        let start = self.at;
        let rest = &self.bytes[start..];
        let kind = match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ if rest.starts_with(b"null") => Kind::Null,
            _ if rest.starts_with(b"true") || rest.starts_with(b"false") => Kind::Bool,
            _ => return Err(self.expected(expected)),
        };
        match kind {
            Kind::Object | Kind::Array => self.at += 1,
            Kind::String => self.at = self.string()?.end,
            Kind::Number => self.number()?,
            Kind::Null => self.at += 4,
            Kind::Bool => self.at += if rest[0] == b't' { 4 } else { 5 },
        }
        let index = self.nodes.len();
        let (parent, before) = self.open.last().copied().unwrap_or((0, 0));
        self.nodes.push(Node { kind, span: start..self.at, key, before, parent, next: index + 1 });
        Ok(match kind {
            Kind::Object => {
                self.open.push((index, self.at));
                Expect::FirstKey
            }
            Kind::Array => {
                self.open.push((index, self.at));
                Expect::FirstElement
            }
            _ => self.after(),
        })
    }

    fn string(&mut self) -> Result<Range<usize>, JsonError> {
        let start = self.step();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(start..self.at);
                }
                Some(b'\\') => {
                    let hex = self.bytes.get(self.at + 2..self.at + 6);
                    self.at += match self.bytes.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if hex.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => 6,
                        Some(b'u') => {
                            return Err(self.error(self.at, "a \\u that four hexadecimal digits don't follow"));
                        }
                        _ => return Err(self.error(self.at, "an escape that JSON does not have")),
                    };
                }
                Some(b'\n' | b'\r') => return Err(self.error(self.at, "a line break inside a string")),
                Some(byte) if byte < b' ' => {
                    return Err(self.error(self.at, &format!("the control character 0x{byte:02x} inside a string")));
                }
                Some(_) => self.at += 1,
                None => return Err(self.error(start, "a string that does not end")),
            }
        }
    }

    fn number(&mut self) -> Result<(), JsonError> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.error(self.at - 1, "a number with a leading zero"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn error(&self, at: usize, what: &str) -> JsonError {
        JsonError { position: position(self.bytes, at), what: what.to_owned() }
    }

    fn trailing(&self, comma: usize) -> JsonError {
        self.error(comma, "a trailing comma, which strict JSON does not have")
    }

    fn expected(&self, expected: &str) -> JsonError {
        let rest = &self.bytes[self.at..];
        let found = match rest {
            [] => "the end of the file".to_owned(),
            [b'/', b'/' | b'*', ..] | [b'#', ..] => "a comment, which strict JSON does not have".to_owned(),
            [b'\'', ..] => "a single quote".to_owned(),
            [byte, ..] if byte.is_ascii_graphic() => format!("'{}'", char::from(*byte)),
            [byte, ..] if byte.is_ascii() => format!("the byte 0x{byte:02x}"),
            _ => {
                let text = String::from_utf8_lossy(&rest[..rest.len().min(4)]);
                format!("U+{:04X}", text.chars().next().map_or(0, u32::from))
            }
        };
        self.error(self.at, &format!("expected {expected}, found {found}"))
    }
}

/// Line and column of a byte.
pub(super) fn position(bytes: &[u8], at: usize) -> Position {
    let from = if bytes.starts_with(BOM) { BOM.len().min(at) } else { 0 };
    let mut place = Position { line: 1, column: 1 };
    let mut before = 0;
    for &byte in &bytes[from..at] {
        match byte {
            b'\n' if before == b'\r' => {}
            b'\n' | b'\r' => place = Position { line: place.line + 1, column: 1 },
            // The later bytes of a character in UTF-8 are no columns of their own.
            0x80..=0xbf => {}
            _ => place.column += 1,
        }
        before = byte;
    }
    place
}

/// The text of a string that was scanned, quotes included. What is no Unicode becomes U+FFFD.
pub(super) fn decode(quoted: &[u8]) -> String {
    let raw = &quoted[1..quoted.len() - 1];
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(escape) = memchr::memchr(b'\\', rest) {
        text.push_str(&String::from_utf8_lossy(&rest[..escape]));
        let letter = rest[escape + 1];
        rest = &rest[escape + 2..];
        match letter {
            b'b' => text.push('\u{8}'),
            b'f' => text.push('\u{c}'),
            b'n' => text.push('\n'),
            b'r' => text.push('\r'),
            b't' => text.push('\t'),
            b'u' => {
                let first = unit(rest);
                rest = &rest[4..];
                let low = rest.strip_prefix(b"\\u").filter(|_| (0xd800..0xdc00).contains(&first)).map(unit);
                if let Some(low) = low.filter(|low| (0xdc00..0xe000).contains(low)) {
                    rest = &rest[6..];
                    let both = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
                    text.push(char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER));
                } else {
                    text.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
            }
            other => text.push(char::from(other)),
        }
    }
    text.push_str(&String::from_utf8_lossy(rest));
    text
}

/// The number that four hexadecimal digits make.
fn unit(digits: &[u8]) -> u32 {
    digits.iter().take(4).fold(0, |sum, digit| sum * 16 + char::from(*digit).to_digit(16).unwrap_or(0))
}
