//! Arithmetic: `((…))`, `$((…))`, `$[…]`. Only the expansions inside matter; and `((` may be two subshells after all.

use std::collections::BTreeSet;

use super::parser::{Parse, Parser};
use super::tape::Kind;

/// Which `((` close with `))`, for the stretch of text that was looked through last.
#[derive(Default)]
pub(super) struct Parens {
    from: usize,
    to: usize,
    arithmetic: BTreeSet<usize>,
}

impl Parser<'_> {
    /// Whether the `((` at `at` closes with `))`. Looks ahead once for a whole nest of them, so that the sum over a text
    /// stays linear.
    pub(super) fn closes_double(&mut self, at: usize) -> bool {
        if at < self.parens.from || at >= self.parens.to {
            self.look_through(at);
        }
        self.parens.arithmetic.contains(&at)
    }

    fn look_through(&mut self, from: usize) {
        self.parens.arithmetic.clear();
        self.parens.from = from;
        let mut open: Vec<usize> = Vec::new();
        let mut at = from;
        while at < self.end {
            match self.text[at] {
                b'\\' => at += 1,
                b'(' => open.push(at),
                b')' => {
                    let inner = open.pop();
                    if let (Some(inner), Some(&outer)) = (inner, open.last())
                        && inner == outer + 1
                        && self.text.get(at + 1) == Some(&b')')
                    {
                        self.parens.arithmetic.insert(outer);
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.parens.to = at.max(from + 1);
    }

    /// Reads the inside of arithmetic, from behind its opening to behind its closing: `))` where `close` is a parenthesis,
    /// else `]`.
    pub(super) fn arithmetic(&mut self, close: u8) -> Parse {
        let start = self.at;
        let open = if close == b')' { b'(' } else { b'[' };
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.skip(2),
                b'$' => {
                    if !self.dollar(true)? {
                        self.at += 1;
                    }
                }
                b'`' => self.backtick(true)?,
                _ if byte == open => {
                    depth += 1;
                    self.at += 1;
                }
                _ if byte == close && depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b')' if close == b')' => {
                    if self.byte(1) != Some(b')') {
                        return Err(self.fail(self.at, "unclosed arithmetic"));
                    }
                    self.at += 2;
                    return Ok(());
                }
                b']' if close == b']' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => self.at += 1,
            }
        }
        Err(self.fail(start, "unclosed arithmetic"))
    }

    /// `$((…))` or `$[…]`, from its `$`.
    pub(super) fn arithmetic_expansion(&mut self, opening: usize, close: u8) -> Parse {
        let node = self.push(Kind::Arithmetic, self.at, self.at);
        self.enter()?;
        self.skip(opening);
        self.arithmetic(close)?;
        self.leave();
        self.close(node, self.at);
        Ok(())
    }
}
