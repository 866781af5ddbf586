//! Redirects: `2>file`, `{fd}>file`, `&>file`, `<<EOF`, `<<<word`.

use super::parser::{Parse, Parser, is_name, is_name_start};
use super::tape::{Kind, RedirectOp};

/// The operators, longest first.
const OPERATORS: [(&[u8], RedirectOp); 12] = [
    (b"<<<", RedirectOp::HereString),
    (b"<<-", RedirectOp::HereDocTabs),
    (b"&>>", RedirectOp::BothAppend),
    (b"<<", RedirectOp::HereDoc),
    (b"<&", RedirectOp::DupIn),
    (b"<>", RedirectOp::ReadWrite),
    (b">>", RedirectOp::Append),
    (b">&", RedirectOp::DupOut),
    (b">|", RedirectOp::Clobber),
    (b"&>", RedirectOp::Both),
    (b"<", RedirectOp::Read),
    (b">", RedirectOp::Write),
];

impl Parser<'_> {
    /// The length of the descriptor before a redirect operator that begins here; `None` where no redirect begins.
    pub(super) fn redirect_ahead(&self) -> Option<usize> {
        let arrow = |offset| {
            matches!(self.byte(offset), Some(b'<' | b'>'))
                // `<(` and `>(` are words, but `2>(` is none either way.
                && self.byte(offset + 1) != Some(b'(')
        };
        match self.peek()? {
            b'<' | b'>' => arrow(0).then_some(0),
            b'&' => (self.byte(1) == Some(b'>')).then_some(0),
            b'0'..=b'9' => {
                let digits = (0..).take_while(|&offset| self.byte(offset).is_some_and(|b| b.is_ascii_digit())).count();
                arrow(digits).then_some(digits)
            }
            b'{' if self.byte(1).is_some_and(is_name_start) => {
                let name = (1..).take_while(|&offset| self.byte(offset).is_some_and(is_name)).count();
                (self.byte(name + 1) == Some(b'}') && arrow(name + 2)).then_some(name + 2)
            }
            _ => None,
        }
    }

    /// Reads the redirect that begins here; `descriptor` is what [`redirect_ahead`](Self::redirect_ahead) gave.
    pub(super) fn redirect(&mut self, descriptor: usize) -> Parse {
        let start = self.at;
        self.skip(descriptor);
        let rest = &self.text[self.at..self.end];
        let Some((text, op)) = OPERATORS.iter().find(|(text, _)| rest.starts_with(text)) else {
            return Err(self.fail(start, "a redirect operator is missing"));
        };
        self.skip(text.len());
        let node = self.push(Kind::Redirect(*op), start, self.at);
        self.blanks();
        if !self.word_ahead() {
            return Err(self.fail(start, "a redirect without a target"));
        }
        let target = self.at;
        self.word()?;
        let end = self.at;
        if matches!(op, RedirectOp::HereDoc | RedirectOp::HereDocTabs) {
            self.ask_heredoc(target, end, *op == RedirectOp::HereDocTabs);
        }
        self.close(node, end);
        Ok(())
    }

    /// Reads all redirects that follow.
    pub(super) fn redirects(&mut self) -> Parse {
        loop {
            self.blanks();
            match self.redirect_ahead() {
                Some(descriptor) => self.redirect(descriptor)?,
                None => return Ok(()),
            }
        }
    }

    /// Whether a word begins here.
    pub(super) fn word_ahead(&self) -> bool {
        match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.byte(1) == Some(b'('),
            Some(byte) => !super::parser::is_meta(byte),
        }
    }
}
