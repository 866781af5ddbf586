//! How a file is written, and new values written the same way.

use super::scan::BOM;
use super::{Document, Kind};

/// A value to be written. Members keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    /// An object.
    Object(Vec<(String, NewValue)>),
    /// An array.
    Array(Vec<NewValue>),
    /// Anything else, as JSON text.
    Scalar(String),
}

impl<T: Into<serde_json::Value>> From<T> for NewValue {
    fn from(value: T) -> NewValue {
        match value.into() {
            serde_json::Value::Object(members) => {
                NewValue::Object(members.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
            serde_json::Value::Array(elements) => NewValue::Array(elements.into_iter().map(NewValue::from).collect()),
            scalar => NewValue::Scalar(scalar.to_string()),
        }
    }
}

/// How the values of a container are set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// Each on a line of its own, with this indentation.
    Lines { indent: String },
    /// All on one line, with this between a bracket and what it holds.
    Line { pad: &'static str },
}

/// A file's own habits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) newline: &'static str,
    /// What one level of depth adds to the indentation.
    pub(super) unit: String,
    /// What stands between a key and its value.
    pub(super) colon: String,
    /// What stands between values on one line.
    pub(super) comma: &'static str,
}

impl Style {
    pub(super) fn of(document: &Document) -> Style {
        let gap = |node| String::from_utf8_lossy(document.gap_before(node)).into_owned();
        let nodes = 1..document.nodes.len();
        let colon = nodes.clone().find_map(|node| {
            let node = &document.nodes[node];
            let colon = &document.bytes[node.key.as_ref()?.end..node.span.start];
            (!has_newline(colon)).then(|| String::from_utf8_lossy(colon).into_owned())
        });
        let colon = colon.unwrap_or_else(|| ": ".to_owned());
        let comma = nodes.map(gap).find(|gap| gap.contains(',') && !has_newline(gap.as_bytes()));
        let spaced = comma.map_or(colon.ends_with(' '), |comma| comma.ends_with(' '));
        Style { newline: newline(&document.bytes), unit: unit(document), colon, comma: if spaced { ", " } else { "," } }
    }

    /// A member or an element, as text.
    pub(super) fn write(&self, key: Option<&str>, value: &NewValue, layout: &Layout) -> String {
        let mut text = String::new();
        self.write_to(&mut text, key, value, layout);
        text
    }

    fn write_to(&self, text: &mut String, key: Option<&str>, value: &NewValue, layout: &Layout) {
        if let Some(key) = key {
            text.push_str(&serde_json::Value::from(key).to_string());
            text.push_str(&self.colon);
        }
        let (open, close, parts): (_, _, Vec<(Option<&str>, &NewValue)>) = match value {
            NewValue::Scalar(scalar) => return text.push_str(scalar),
            NewValue::Object(members) => {
                ('{', '}', members.iter().map(|(key, value)| (Some(key.as_str()), value)).collect())
            }
            NewValue::Array(elements) => ('[', ']', elements.iter().map(|element| (None, element)).collect()),
        };
        let inner = match layout {
            Layout::Lines { indent } => Layout::Lines { indent: format!("{indent}{}", self.unit) },
            line => line.clone(),
        };
        text.push(open);
        for (index, (key, value)) in parts.iter().enumerate() {
            match &inner {
                Layout::Lines { indent } => {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(self.newline);
                    text.push_str(indent);
                }
                Layout::Line { pad } => text.push_str(if index > 0 { self.comma } else { pad }),
            }
            self.write_to(text, *key, value, &inner);
        }
        if !parts.is_empty() {
            match layout {
                Layout::Lines { indent } => {
                    text.push_str(self.newline);
                    text.push_str(indent);
                }
                Layout::Line { pad } => text.push_str(pad),
            }
        }
        text.push(close);
    }
}

pub(super) fn has_newline(bytes: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', bytes).is_some()
}

/// The line end the file uses first; `\n` if it has none.
fn newline(bytes: &[u8]) -> &'static str {
    match memchr::memchr2(b'\n', b'\r', bytes).map(|at| &bytes[at..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    }
}

/// The indentation of the first container that shows one; two spaces if none does.
fn unit(document: &Document) -> String {
    let mut units = document.nodes.iter().enumerate().filter_map(|(index, node)| {
        let filled = matches!(node.kind, Kind::Object | Kind::Array) && node.next > index + 1;
        let gap = filled.then(|| document.gap_before(index + 1)).filter(|gap| has_newline(gap))?;
        after_newline(gap).strip_prefix(line_indent(&document.bytes, node.span.start).as_str()).map(str::to_owned)
    });
    let first = units.next();
    match first {
        // A file that does not indent at its root may do so deeper down.
        Some(unit) if unit.is_empty() => units.find(|unit| !unit.is_empty()).unwrap_or_default(),
        Some(unit) => unit,
        None => "  ".to_owned(),
    }
}

/// The blanks after the last line break.
pub(super) fn after_newline(gap: &[u8]) -> String {
    let line = memchr::memrchr2(b'\n', b'\r', gap).map_or(gap, |at| &gap[at + 1..]);
    leading_blanks(line)
}

/// The blanks at the beginning of the line in which the byte `at` stands.
pub(super) fn line_indent(bytes: &[u8], at: usize) -> String {
    let before = &bytes[..at];
    let line = memchr::memrchr2(b'\n', b'\r', before).map_or(before, |newline| &before[newline + 1..]);
    leading_blanks(line.strip_prefix(BOM).unwrap_or(line))
}

fn leading_blanks(line: &[u8]) -> String {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).map(|byte| char::from(*byte)).collect()
}
