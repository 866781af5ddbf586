//! Edits that touch only the bytes they must, each the exact opposite of another.
//!
//! Removing what was inserted gives the old bytes back, although the same text can come from several originals: `{}`,
//! `{ }` and no object at all look alike once a member stands in them. So the blanks of an empty container are kept in
//! front of its first member, and a container that was there before is told from one that came with the insertion by an
//! empty line after its bracket (or two spaces, on one line). No settings file needs that line; it is how the way back
//! is remembered where nothing but the file can remember it.

use super::style::{Layout, NewValue, Style, after_newline, has_newline, line_indent};
use super::{Document, Kind, Position, Step, scan};

/// Between the bracket of a container that was there and its first member, on one line.
const MARK: &str = "  ";

/// Why an edit is not possible. The document is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Something else stands where a container has to be.
    #[error("{position}: expected {expected}, found {found}")]
    Kind {
        /// Where.
        position: Position,
        /// What has to stand there.
        expected: Kind,
        /// What does.
        found: Kind,
    },
    /// The path leads nowhere.
    #[error("no such place in the document")]
    Missing,
}

impl Document {
    /// Puts a member at the end of the object at `path`; the objects that are missing on the way are made. Where the
    /// object has the key already, that member gets the new value and stays where it is.
    ///
    /// # Errors
    ///
    /// Something other than an object stands on the way, or an index leads nowhere.
    pub fn insert(&mut self, path: &[Step<'_>], key: &str, value: &NewValue) -> Result<(), EditError> {
        let mut object = self.root();
        for (done, step) in path.iter().enumerate() {
            match (object.step(*step), step) {
                (Some(next), _) => object = next,
                (None, Step::Index(_)) => return Err(EditError::Missing),
                (None, Step::Key(_)) => {
                    let mut nested = NewValue::Object(vec![(key.to_owned(), value.clone())]);
                    for step in path[done + 1..].iter().rev() {
                        let Step::Key(key) = step else { return Err(EditError::Missing) };
                        nested = NewValue::Object(vec![((*key).to_owned(), nested)]);
                    }
                    let Step::Key(first) = step else { return Err(EditError::Missing) };
                    let object = object.node;
                    return self.add(object, Some(first), &nested);
                }
            }
        }
        match object.get(key).map(|member| member.node) {
            Some(member) => {
                self.exchange(member, value);
                Ok(())
            }
            None => {
                let object = object.node;
                self.add(object, Some(key), value)
            }
        }
    }

    /// Puts an element at the end of the array at `path`.
    ///
    /// # Errors
    ///
    /// There is nothing at `path`, or it is no array.
    pub fn append(&mut self, path: &[Step<'_>], value: &NewValue) -> Result<(), EditError> {
        let array = self.find(path).ok_or(EditError::Missing)?.node;
        self.add(array, None, value)
    }

    /// Replaces the value at `path`, on one line if the old one stood on one.
    ///
    /// # Errors
    ///
    /// There is nothing at `path`.
    pub fn replace(&mut self, path: &[Step<'_>], value: &NewValue) -> Result<(), EditError> {
        let node = self.find(path).ok_or(EditError::Missing)?.node;
        self.exchange(node, value);
        Ok(())
    }

    /// Removes the member or element at `path`. A container that becomes empty stays.
    ///
    /// # Errors
    ///
    /// There is nothing at `path`, or it is the root.
    pub fn remove(&mut self, path: &[Step<'_>]) -> Result<(), EditError> {
        let node = self.find(path).ok_or(EditError::Missing)?.node;
        if node == 0 {
            return Err(EditError::Missing);
        }
        let here = &self.nodes[node];
        let parent = here.parent;
        let inside = self.nodes[parent].span.start + 1..self.nodes[parent].span.end - 1;
        let has_next = here.next < self.nodes[parent].next;
        if node != parent + 1 {
            self.splice(here.before..here.span.end, "");
        } else if has_next {
            self.splice(here.start()..self.nodes[here.next].start(), "");
        } else {
            let blanks = self.blanks_before_first(parent).to_owned();
            self.splice(inside, &blanks);
        }
        Ok(())
    }

    /// Whether the container at `path` was there, and empty, before [`insert`](Document::insert) or
    /// [`append`](Document::append) put its first value into it. `false` for one that they made.
    pub fn was_empty(&self, path: &[Step<'_>]) -> bool {
        self.find(path).is_some_and(|container| self.marked(container.node).is_some())
    }

    fn add(&mut self, container: usize, key: Option<&str>, value: &NewValue) -> Result<(), EditError> {
        let expected = if key.is_some() { Kind::Object } else { Kind::Array };
        let found = self.nodes[container].kind;
        if found != expected {
            let position = scan::position(&self.bytes, self.nodes[container].span.start);
            return Err(EditError::Kind { position, expected, found });
        }
        let style = Style::of(self);
        let span = self.nodes[container].span.clone();
        if let Some(last) = self.last_child(container) {
            let layout = self.layout_of(last);
            let mut text = match &layout {
                Layout::Lines { indent } => format!(",{}{indent}", style.newline),
                Layout::Line { .. } => style.comma.to_owned(),
            };
            text.push_str(&style.write(key, value, &layout));
            let end = self.nodes[last].span.end;
            self.splice(end..end, &text);
            return Ok(());
        }
        let inside = span.start + 1..span.end - 1;
        let blanks = String::from_utf8_lossy(&self.bytes[inside.clone()]).into_owned();
        let lines = container == 0 || has_newline(blanks.as_bytes()) || has_newline(self.gap_before(container));
        let text = if lines {
            let outer = line_indent(&self.bytes, span.start);
            let indent = format!("{outer}{}", style.unit);
            // The root can't have come with the insertion: no need to tell.
            let mark = if container == 0 { "" } else { style.newline };
            let newline = style.newline;
            let value = style.write(key, value, &Layout::Lines { indent: indent.clone() });
            format!("{blanks}{mark}{newline}{indent}{value}{newline}{outer}")
        } else {
            format!("{blanks}{MARK}{}", style.write(key, value, &self.layout_of(container)))
        };
        self.splice(inside, &text);
        Ok(())
    }

    fn exchange(&mut self, node: usize, value: &NewValue) {
        let span = self.nodes[node].span.clone();
        let layout = if has_newline(&self.bytes[span.clone()]) {
            Layout::Lines { indent: line_indent(&self.bytes, span.start) }
        } else if self.nodes[node].next > node + 1 {
            Layout::Line { pad: self.pad(node) }
        } else {
            self.layout_of(node)
        };
        let text = Style::of(self).write(None, value, &layout);
        self.splice(span, &text);
    }

    /// How a value is set among its siblings.
    fn layout_of(&self, node: usize) -> Layout {
        let gap = self.gap_before(node);
        if has_newline(gap) {
            return Layout::Lines { indent: after_newline(gap) };
        }
        Layout::Line { pad: if node == 0 { "" } else { self.pad(self.nodes[node].parent) } }
    }

    /// What stands after the bracket of a filled container on one line.
    fn pad(&self, container: usize) -> &'static str {
        if self.gap_before(container + 1) == b" " { " " } else { "" }
    }

    fn last_child(&self, container: usize) -> Option<usize> {
        let end = self.nodes[container].next;
        let mut child = Some(container + 1).filter(|child| *child < end)?;
        while self.nodes[child].next < end {
            child = self.nodes[child].next;
        }
        Some(child)
    }

    /// The text between a value (with its key) and what comes before it in its container.
    pub(super) fn gap_before(&self, node: usize) -> &[u8] {
        &self.bytes[self.nodes[node].before..self.nodes[node].start()]
    }

    /// What stood in a container before its first value came: the opposite of [`Document::add`].
    fn blanks_before_first(&self, container: usize) -> &str {
        if let Some(blanks) = self.marked(container) {
            return blanks;
        }
        let blanks = std::str::from_utf8(self.gap_before(container + 1)).unwrap_or_default();
        if container == 0 { without_line(blanks, Style::of(self).newline).unwrap_or_default() } else { "" }
    }

    /// The blanks that the container held before, if it is marked as one that was there.
    fn marked(&self, container: usize) -> Option<&str> {
        if container == 0 || self.nodes[container].next == container + 1 {
            return None;
        }
        let blanks = std::str::from_utf8(self.gap_before(container + 1)).ok()?;
        if has_newline(blanks.as_bytes()) {
            let newline = Style::of(self).newline;
            without_line(blanks, newline)?.strip_suffix(newline)
        } else {
            blanks.strip_suffix(MARK)
        }
    }

    fn splice(&mut self, at: std::ops::Range<usize>, text: &str) {
        let mut bytes = Vec::with_capacity(self.bytes.len() + text.len());
        bytes.extend_from_slice(&self.bytes[..at.start]);
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&self.bytes[at.end..]);
        match scan::scan(&bytes) {
            Ok(nodes) => *self = Document { bytes, nodes },
            // Only complete values go in and out, so this can't be; should it be, the document stays valid.
            Err(error) => debug_assert!(false, "an edit made invalid JSON: {error}"),
        }
    }
}

/// `blanks` without its last line: indentation and the line end before it.
fn without_line<'a>(blanks: &'a str, newline: &str) -> Option<&'a str> {
    blanks.trim_end_matches([' ', '\t']).strip_suffix(newline)
}
