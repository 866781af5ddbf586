//! A text with its nodes: the outermost one, or code that was found in it.

use super::fish;
use crate::command::{Part, Word};
use crate::syntax::{self, Inner, Node, Script};

/// Stands in an inner text for a part that is not known; the character behind it tells which.
pub(super) const HOLE: char = '\u{FDD0}';
/// The first of the characters that number the parts.
const FIRST: u32 = 0xF_0000;
/// How many parts can be numbered.
const MANY: usize = 0xFFFD;

/// A text and what it holds.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) text: Box<str>,
    pub(super) script: Script,
    /// The parts that [`HOLE`]s in the text stand for.
    pub(super) holes: Vec<Part>,
    /// Whether its positions are those of the outermost text.
    pub(super) outermost: bool,
}

impl Source {
    pub(super) fn outermost(text: &str) -> Source {
        Source { text: text.into(), script: syntax::parse(text), holes: Vec::new(), outermost: true }
    }

    /// Code that evaluation gave, `depth` constructs deep; as the shell of that name reads it, else as bash does.
    pub(super) fn code(word: &Word, depth: usize, shell: Option<&str>) -> Source {
        let (mut text, holes) = encode(word);
        if shell == Some("fish") {
            text = fish::as_shell(&text);
        }
        let script = syntax::parse_nested(&text, depth, shell == Some("zsh"));
        Source { text: text.into(), script, holes, outermost: false }
    }

    /// The text of backticks.
    pub(super) fn inner(&self, inner: &Inner) -> Source {
        Source {
            text: inner.text.as_str().into(),
            script: inner.script.clone(),
            holes: self.holes.clone(),
            outermost: false,
        }
    }

    #[inline]
    pub(super) fn node(&self, at: usize) -> Node {
        self.script.nodes[at]
    }

    /// A piece of the text as parts of a word, holes and all.
    pub(super) fn parts(&self, text: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        split_holes(text, &self.holes, |piece| match piece {
            Ok(text) => match parts.last_mut() {
                Some(Part::Literal(last)) => last.push_str(text),
                _ => parts.push(Part::Literal(text.to_owned())),
            },
            Err(part) => parts.push(part.clone()),
        });
        parts
    }

    #[inline]
    pub(super) fn slice(&self, node: Node) -> &str {
        &self.text[node.start as usize..node.end as usize]
    }
}

/// A word as text, with a hole for every part that is not known.
pub(super) fn encode(word: &Word) -> (String, Vec<Part>) {
    let mut text = String::new();
    let mut holes = Vec::new();
    for part in &word.parts {
        match part {
            Part::Literal(known) | Part::Glob(known) => text.push_str(known),
            Part::Unknown(_) if holes.len() < MANY => {
                text.push(HOLE);
                text.push(char::from_u32(FIRST + holes.len() as u32).unwrap_or(HOLE));
                holes.push(part.clone());
            }
            Part::Unknown(_) => text.push(HOLE),
        }
    }
    (text, holes)
}

/// Splits text at its holes.
pub(super) fn split_holes<'t>(text: &'t str, holes: &[Part], mut each: impl FnMut(Result<&'t str, &Part>)) {
    let mut rest = text;
    while let Some(at) = rest.find(HOLE) {
        let mut after = rest[at..].chars();
        after.next();
        let index = after.next().map(|number| (number as u32).wrapping_sub(FIRST) as usize);
        if at > 0 {
            each(Ok(&rest[..at]));
        }
        match index.and_then(|index| holes.get(index)) {
            Some(part) => each(Err(part)),
            None => each(Ok(&rest[at..at + HOLE.len_utf8()])),
        }
        rest =
            if index.is_some_and(|index| index < holes.len()) { after.as_str() } else { &rest[at + HOLE.len_utf8()..] };
    }
    if !rest.is_empty() {
        each(Ok(rest));
    }
}
