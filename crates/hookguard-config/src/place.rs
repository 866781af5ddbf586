//! Where a key stands in a file: for messages, and for the origin of every value.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// A place in a text, counted from 1; the column in characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Place {
    /// The place of a byte of `text`.
    pub(crate) fn of(text: &str, byte: usize) -> Place {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Place { line: u32::try_from(line).unwrap_or(u32::MAX), column: u32::try_from(column).unwrap_or(u32::MAX) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The places of all keys of a file, by path: `rules.git.push.force`, `except.0.command`.
///
/// They are looked for when the first is asked for: a hook that has nothing to say of a file needs none.
#[derive(Debug, Clone, Default)]
pub struct Places {
    text: String,
    found: OnceCell<BTreeMap<String, Place>>,
}

impl Places {
    /// Those of `text`, as far as it is TOML.
    pub(crate) fn of(text: &str) -> Places {
        Places { text: text.to_owned(), found: OnceCell::new() }
    }

    /// The paths of all keys.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.found.get_or_init(|| find(&self.text)).keys().cloned().collect()
    }

    /// Where `path` stands; the nearest above it that is there, else the start of the file.
    pub fn get(&self, path: &str) -> Place {
        let found = self.found.get_or_init(|| find(&self.text));
        let mut path = path;
        loop {
            match (found.get(path), path.rsplit_once('.')) {
                (Some(place), _) => return *place,
                (None, Some((above, _))) => path = above,
                (None, None) => return Place { line: 1, column: 1 },
            }
        }
    }
}

fn find(text: &str) -> BTreeMap<String, Place> {
    let mut spans = BTreeMap::new();
    if let Ok(table) = DeTable::parse(text) {
        walk("", table.get_ref(), &mut spans);
    }
    // In the order of the text, so that each is counted from the one before.
    let mut in_order: Vec<(String, usize)> = spans.into_iter().map(|(path, span)| (path, span.start)).collect();
    in_order.sort_unstable_by_key(|(_, start)| *start);
    let (mut line, mut line_start, mut at) = (1_u32, 0, 0);
    let mut found = BTreeMap::new();
    for (path, start) in in_order {
        for (offset, byte) in text.as_bytes()[at..start].iter().enumerate() {
            if *byte == b'\n' {
                line += 1;
                line_start = at + offset + 1;
            }
        }
        at = start;
        let column = text[line_start..start].chars().count() + 1;
        found.insert(path, Place { line, column: u32::try_from(column).unwrap_or(u32::MAX) });
    }
    found
}

fn walk(above: &str, table: &DeTable<'_>, spans: &mut BTreeMap<String, Range<usize>>) {
    for (key, value) in table {
        let path = join(above, key.get_ref());
        spans.entry(path.clone()).or_insert_with(|| key.span());
        match value.get_ref() {
            DeValue::Table(table) => walk(&path, table, spans),
            DeValue::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let path = join(&path, &at.to_string());
                    spans.insert(path.clone(), item.span());
                    if let DeValue::Table(table) = item.get_ref() {
                        walk(&path, table, spans);
                    }
                }
            }
            _ => {}
        }
    }
}

fn join(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}
