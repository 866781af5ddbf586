//! Here-documents: asked for at `<<`, read at the next newline, also inside a substitution.

use super::parser::{Parse, Parser};
use super::tape::Kind;

/// A here-document that was asked for and not read yet.
pub(super) struct Pending {
    /// Its `Body` node.
    body: usize,
    delimiter: Vec<u8>,
    tabs: bool,
    literal: bool,
}

impl Parser<'_> {
    /// Remembers a here-document whose delimiter is the range `start..end` of the text, quotes and all.
    pub(super) fn ask_heredoc(&mut self, start: usize, end: usize, tabs: bool) {
        let body = self.push(Kind::Body, 0, 0);
        let (delimiter, literal) = unquote(&self.text[start..end]);
        self.pending.push(Pending { body, delimiter, tabs, literal });
    }

    /// Reads the here-documents that were asked for; the parser stands at the beginning of a line (or at the end).
    pub(super) fn heredocs(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        for pending in std::mem::take(&mut self.pending) {
            let start = self.at;
            let (end, after) = self.find_end(start, &pending.delimiter, pending.tabs);
            let node = self.push(Kind::HereText, start, end);
            self.nodes[pending.body].start = node as u32;
            if pending.literal {
                self.literal_body(start, end, pending.tabs);
            } else {
                self.expanding_body(start, end, pending.tabs);
            }
            self.close(node, end);
            self.at = after;
        }
    }

    /// Where the body that begins at `start` ends, and where the line after its delimiter begins.
    fn find_end(&self, start: usize, delimiter: &[u8], tabs: bool) -> (usize, usize) {
        let mut line = start;
        while line < self.end {
            let stop = self.text[line..self.end].iter().position(|&byte| byte == b'\n').map(|length| line + length);
            let mut text = &self.text[line..stop.unwrap_or(self.end)];
            if tabs {
                while let [b'\t', rest @ ..] = text {
                    text = rest;
                }
            }
            if text == delimiter {
                return (line, stop.map_or(self.end, |stop| stop + 1));
            }
            match stop {
                Some(stop) => line = stop + 1,
                None => break,
            }
        }
        (self.end.max(start), self.end.max(start))
    }

    fn literal_body(&mut self, start: usize, end: usize, tabs: bool) {
        if !tabs {
            if start < end {
                self.push(Kind::Quoted, start, end);
            }
            return;
        }
        let mut line = start;
        while line < end {
            while line < end && self.text[line] == b'\t' {
                line += 1;
            }
            let stop =
                self.text[line..end].iter().position(|&byte| byte == b'\n').map_or(end, |length| line + length + 1);
            if line < stop {
                self.push(Kind::Quoted, line, stop);
            }
            line = stop;
        }
    }

    /// A body whose expansions run. An error inside is bash's only when it gets there: what stood before is kept, the rest
    /// is text.
    fn expanding_body(&mut self, start: usize, end: usize, tabs: bool) {
        let (outer_end, depth, frames) = (self.end, self.depth, self.stack.len());
        self.at = start;
        self.end = end;
        let nodes = self.nodes.len();
        let read = self.enter().and_then(|()| self.quoted_parts(None, tabs));
        if read.is_err() {
            self.nodes.truncate(nodes);
            self.stack.truncate(frames);
            self.pending.clear();
            if start < end {
                self.push(Kind::Quoted, start, end);
            }
        }
        self.depth = depth;
        self.end = outer_end;
    }

    /// Reads quoted text with its expansions: up to the closing `"` (and past it), or, for a here-document, up to the end.
    pub(super) fn quoted_parts(&mut self, close: Option<u8>, tabs: bool) -> Parse {
        let opened = self.at;
        if tabs {
            self.leading_tabs();
        }
        let mut text = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' if close.is_some() => {
                    self.text_until(text, Kind::Quoted);
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => match self.byte(1) {
                    Some(b'\n') => {
                        self.text_until(text, Kind::Quoted);
                        self.at += 2;
                        text = self.at;
                    }
                    Some(next) if matches!(next, b'$' | b'`' | b'\\') || (next == b'"' && close.is_some()) => {
                        self.text_until(text, Kind::Quoted);
                        text = self.at + 1;
                        self.at += 2;
                    }
                    _ => self.at += 1,
                },
                b'$' if self.is_expansion(true) => {
                    self.text_until(text, Kind::Quoted);
                    self.dollar(true)?;
                    text = self.at;
                }
                b'`' => {
                    self.text_until(text, Kind::Quoted);
                    self.backtick(close.is_some())?;
                    text = self.at;
                }
                b'\n' if tabs => {
                    self.at += 1;
                    self.text_until(text, Kind::Quoted);
                    self.leading_tabs();
                    text = self.at;
                }
                _ => self.at += 1,
            }
        }
        if close.is_some() {
            return Err(self.fail(opened.saturating_sub(1), "unclosed double quote"));
        }
        self.text_until(text, Kind::Quoted);
        Ok(())
    }

    fn leading_tabs(&mut self) {
        while self.peek() == Some(b'\t') {
            self.at += 1;
        }
    }

    /// Adds the text from `start` to here, if there is any.
    #[inline]
    pub(super) fn text_until(&mut self, start: usize, kind: Kind) {
        if start < self.at {
            self.push(kind, start, self.at);
        }
    }
}

/// A delimiter without its quotes, and whether it had any.
fn unquote(raw: &[u8]) -> (Vec<u8>, bool) {
    let mut plain = Vec::with_capacity(raw.len());
    let mut quoted = false;
    let mut quote = 0u8;
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\'' | b'"' if quote == 0 => {
                quoted = true;
                quote = byte;
            }
            _ if byte == quote && quote != 0 => quote = 0,
            b'\\' if quote != b'\'' => {
                quoted = true;
                match bytes.next() {
                    Some(b'\n') | None => {}
                    Some(next) => plain.push(next),
                }
            }
            b'$' if quote == 0 && matches!(bytes.peek(), Some(b'\'' | b'"')) => {}
            _ => plain.push(byte),
        }
    }
    (plain, quoted)
}
