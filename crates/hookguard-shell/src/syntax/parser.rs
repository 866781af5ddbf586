//! The parser's state: where it stands, what is open, what it has found.

use super::arith::Parens;
use super::heredoc::Pending;
use super::tape::{Error, Inner, Kind, Node, Script};
use crate::limits::MAX_DEPTH;

/// Reading stops here; the error stands in [`Parser::errors`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop;

/// What every parsing step gives.
pub(super) type Parse<T = ()> = Result<T, Stop>;

/// A compound command or function definition that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) opener: Opener,
    /// Its node.
    pub(super) node: u32,
    /// How far it has come: an `if` in its condition, its body, its `else`; a loop before and after its `do`.
    pub(super) stage: Stage,
}

/// What can be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    Subshell,
    Group,
    If,
    While,
    Until,
    For,
    /// `for …; { … }`
    ForBrace,
    Select,
    Case,
    Function,
}

/// How far an open compound command has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Condition,
    Body,
    Else,
}

/// What ends a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The end of the text.
    End,
    /// `)`
    Paren,
    /// `}`
    Brace,
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t [u8],
    pub(super) source: &'t str,
    pub(super) at: usize,
    /// Where the text, or the part of it that is being read, ends.
    pub(super) end: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) errors: Vec<Error>,
    pub(super) inner: Vec<Inner>,
    pub(super) depth: usize,
    pub(super) zsh: bool,
    pub(super) stack: Vec<Frame>,
    pub(super) pending: Vec<Pending>,
    pub(super) parens: Parens,
    /// How many nodes stand in complete lists of the outermost level.
    pub(super) kept: usize,
    /// How many nodes stand in complete lines of the outermost level.
    pub(super) complete: usize,
    failed: bool,
    outer_depth: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(source: &'t str, depth: usize, zsh: bool) -> Self {
        Parser {
            text: source.as_bytes(),
            source,
            at: 0,
            end: source.len(),
            nodes: Vec::with_capacity(source.len() / 6 + 16),
            errors: Vec::new(),
            inner: Vec::new(),
            depth,
            zsh,
            stack: Vec::new(),
            pending: Vec::new(),
            parens: Parens::default(),
            kept: 0,
            complete: 0,
            failed: false,
            outer_depth: depth,
        }
    }

    /// Reads the whole text.
    pub(super) fn program(&mut self) {
        if self.source.len() > u32::MAX as usize / 2 {
            self.fail(0, "the text is too long");
            self.failed = true;
            return;
        }
        self.failed = self.script(Until::End).is_err();
        if !self.failed {
            self.heredocs();
        }
    }

    pub(super) fn finish(mut self) -> Script {
        let complete = if self.failed {
            self.nodes.truncate(self.kept);
            self.complete
        } else {
            self.nodes.len()
        };
        Script { nodes: self.nodes, errors: self.errors, inner: self.inner, complete }
    }

    /// Whether a `}` stands here that in zsh ends the group that is open: there it need not stand where a command may.
    pub(super) fn ends_group_of_zsh(&self) -> bool {
        self.zsh
            && self.peek() == Some(b'}')
            && self.byte(1).is_none_or(is_meta)
            && self.stack.last().is_some_and(|frame| frame.opener == Opener::Group)
    }

    /// Whether what is read now stands in no substitution and no compound command.
    pub(super) fn outermost(&self) -> bool {
        self.stack.is_empty() && self.depth == self.outer_depth
    }

    pub(super) fn fail(&mut self, at: usize, what: &'static str) -> Stop {
        self.errors.push(Error { at, what });
        Stop
    }

    /// One construct deeper; every `enter` that succeeds has its [`leave`](Self::leave).
    pub(super) fn enter(&mut self) -> Parse {
        if self.depth >= MAX_DEPTH {
            return Err(self.fail(self.at, "nested too deep"));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        if self.at < self.end { Some(self.text[self.at]) } else { None }
    }

    #[inline]
    pub(super) fn byte(&self, offset: usize) -> Option<u8> {
        let at = self.at + offset;
        if at < self.end { Some(self.text[at]) } else { None }
    }

    /// Moves on by `count` bytes, but never past the end.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.end);
    }

    /// Adds a node without children; whoever gives it some sets its `next`.
    #[inline]
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { kind, start: start as u32, end: end as u32, next: index as u32 + 1 });
        index
    }

    /// All nodes added since `index` are its children, and its range ends at `end`.
    #[inline]
    pub(super) fn close(&mut self, index: usize, end: usize) {
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[index];
        node.next = next;
        node.end = end as u32;
    }

    /// Skips blanks, line continuations and a comment.
    pub(super) fn blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.byte(1) == Some(b'\n') => self.at += 2,
                b'#' => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => break,
            }
        }
    }

    /// Skips blanks, comments and newlines.
    pub(super) fn lines(&mut self) {
        loop {
            self.blanks();
            if self.peek() != Some(b'\n') {
                break;
            }
            self.at += 1;
            self.heredocs();
        }
    }

    /// The length of the character that begins at `at`, at least one byte and never past the end.
    pub(super) fn char_len(&self, at: usize) -> usize {
        let len = match self.text.get(at) {
            Some(0xC0..=0xDF) => 2,
            Some(0xE0..=0xEF) => 3,
            Some(0xF0..) => 4,
            _ => 1,
        };
        len.min(self.end.saturating_sub(at)).max(1)
    }
}

/// Whether a byte may begin a name.
#[inline]
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether a byte may stand in a name.
#[inline]
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a byte ends an unquoted word.
#[inline]
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}
