//! Words: quotes, escapes, and what expands inside them.

use super::parser::{Frame, Opener, Parse, Parser, Stage, Until, is_name, is_name_start};
use super::tape::{FLAG_BRACE, FLAG_GLOB, FLAG_PARTS, FLAG_QUOTED, FLAG_TILDE, Inner, Kind};

/// Bytes that stand for themselves wherever they stand in an unquoted word.
const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let special = b" \t\n;&|()<>\\'\"$`{*?[+@!";
    let mut index = 0;
    while index < special.len() {
        plain[special[index] as usize] = false;
        index += 1;
    }
    plain
};

impl Parser<'_> {
    /// Reads the word that begins here; gives its node.
    pub(super) fn word(&mut self) -> Parse<usize> {
        self.word_with(false)
    }

    /// Reads a word; `regex` is for the right side of `=~`, where parentheses and `|` are text.
    pub(super) fn word_with(&mut self, regex: bool) -> Parse<usize> {
        let start = self.at;
        let node = self.push(Kind::Word(0), start, start);
        let mut flags = if self.peek() == Some(b'~') { FLAG_TILDE } else { 0 };
        let mut text = start;
        let mut parens = 0usize;
        loop {
            while self.at < self.end && PLAIN[self.text[self.at] as usize] {
                self.at += 1;
            }
            let Some(byte) = self.peek() else { break };
            match byte {
                b'{' => {
                    flags |= FLAG_BRACE;
                    self.at += 1;
                }
                b'*' | b'?' | b'[' | b'+' | b'@' | b'!' => {
                    if byte != b'[' && self.byte(1) == Some(b'(') && !regex {
                        self.text_until(text, Kind::Lit);
                        self.ext_glob()?;
                        text = self.at;
                        flags |= FLAG_PARTS | FLAG_GLOB;
                    } else {
                        if matches!(byte, b'*' | b'?' | b'[') {
                            flags |= FLAG_GLOB;
                        }
                        self.at += 1;
                    }
                }
                b'\\' | b'\'' | b'"' | b'$' | b'`' => {
                    if byte == b'$' && !self.is_expansion(false) {
                        self.at += 1;
                        continue;
                    }
                    self.text_until(text, Kind::Lit);
                    flags |= FLAG_PARTS;
                    self.part(byte, &mut flags)?;
                    text = self.at;
                }
                b'<' | b'>' if self.byte(1) == Some(b'(') && !regex => {
                    self.text_until(text, Kind::Lit);
                    flags |= FLAG_PARTS;
                    self.process(byte)?;
                    text = self.at;
                }
                b'(' if regex => {
                    parens += 1;
                    self.at += 1;
                }
                b')' if regex && parens > 0 => {
                    parens -= 1;
                    self.at += 1;
                }
                b'|' | b'<' | b'>' if regex => self.at += 1,
                b' ' | b'\t' | b'\n' | b';' | b'&' if regex && parens > 0 => self.at += 1,
                _ => break,
            }
        }
        if self.at == start {
            return Err(self.fail(start, "an unexpected character"));
        }
        if flags & FLAG_PARTS != 0 {
            self.text_until(text, Kind::Lit);
        }
        self.close(node, self.at);
        self.nodes[node].kind = Kind::Word(flags);
        Ok(node)
    }

    /// A part that begins with a quote, a backslash, an expanding `$`, or a backtick.
    fn part(&mut self, byte: u8, flags: &mut u8) -> Parse {
        match byte {
            b'\\' => self.escape(flags),
            b'\'' => {
                *flags |= FLAG_QUOTED;
                self.single()
            }
            b'"' => {
                *flags |= FLAG_QUOTED;
                self.double()
            }
            b'`' => self.backtick(false),
            _ => {
                if matches!(self.byte(1), Some(b'\'' | b'"')) {
                    *flags |= FLAG_QUOTED;
                }
                self.dollar(false).map(drop)
            }
        }
    }

    fn escape(&mut self, flags: &mut u8) -> Parse {
        match self.byte(1) {
            Some(b'\n') => self.skip(2),
            None => {
                self.push(Kind::Quoted, self.at, self.at + 1);
                self.skip(1);
            }
            Some(_) => {
                *flags |= FLAG_QUOTED;
                let start = self.at + 1;
                let length = self.char_len(start);
                self.push(Kind::Quoted, start, start + length);
                self.skip(1 + length);
            }
        }
        Ok(())
    }

    fn single(&mut self) -> Parse {
        let start = self.at + 1;
        match self.text[start.min(self.end)..self.end].iter().position(|&byte| byte == b'\'') {
            Some(length) => {
                self.push(Kind::Quoted, start, start + length);
                self.at = start + length + 1;
                Ok(())
            }
            None => Err(self.fail(self.at, "unclosed single quote")),
        }
    }

    fn double(&mut self) -> Parse {
        let node = self.push(Kind::Double, self.at, self.at);
        self.enter()?;
        self.at += 1;
        self.quoted_parts(Some(b'"'), false)?;
        self.leave();
        self.close(node, self.at);
        Ok(())
    }

    fn ansi(&mut self) -> Parse {
        let start = self.at + 2;
        let mut at = start;
        while at < self.end {
            match self.text[at] {
                b'\\' => at += 2,
                b'\'' => {
                    self.push(Kind::Ansi, start, at);
                    self.at = at + 1;
                    return Ok(());
                }
                _ => at += 1,
            }
        }
        Err(self.fail(self.at, "unclosed single quote"))
    }

    /// Whether the `$` here begins an expansion (or, outside of quotes, a quoted string).
    pub(super) fn is_expansion(&self, quoted: bool) -> bool {
        match self.byte(1) {
            Some(b'(' | b'{' | b'[' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => true,
            Some(b'\'' | b'"') => !quoted,
            Some(byte) => is_name(byte),
            None => false,
        }
    }

    /// Reads the expansion at the `$` here; false where there is none.
    pub(super) fn dollar(&mut self, quoted: bool) -> Parse<bool> {
        if !self.is_expansion(quoted) {
            return Ok(false);
        }
        match self.byte(1) {
            Some(b'(') => {
                if self.byte(2) == Some(b'(') && self.closes_double(self.at + 1) {
                    self.arithmetic_expansion(3, b')')?;
                } else {
                    self.nested(Kind::Substitution, 2, Until::Paren)?;
                }
            }
            Some(b'{') => {
                if matches!(self.byte(2), Some(b' ' | b'\t' | b'\n' | b'|')) {
                    self.nested(Kind::FunSub, 3, Until::Brace)?;
                } else {
                    self.parameter(quoted)?;
                }
            }
            Some(b'[') => self.arithmetic_expansion(2, b']')?,
            Some(b'\'') => self.ansi()?,
            Some(b'"') => {
                self.at += 1;
                self.double()?;
            }
            Some(byte) if is_name_start(byte) => {
                let start = self.at + 1;
                self.at = start + 1;
                while self.peek().is_some_and(is_name) {
                    self.at += 1;
                }
                self.push(Kind::Variable, start, self.at);
            }
            _ => {
                self.push(Kind::Variable, self.at + 1, self.at + 2);
                self.skip(2);
            }
        }
        Ok(true)
    }

    fn process(&mut self, arrow: u8) -> Parse {
        let kind = if arrow == b'<' { Kind::ProcessIn } else { Kind::ProcessOut };
        self.nested(kind, 2, Until::Paren)
    }

    /// A script inside a word.
    fn nested(&mut self, kind: Kind, opening: usize, until: Until) -> Parse {
        let start = self.at;
        let node = self.push(kind, start, start);
        self.enter()?;
        self.skip(opening);
        self.script(until)?;
        self.leave();
        self.close(node, self.at);
        Ok(())
    }

    /// A substitution in backticks: its text ends at the next backtick that no backslash escapes, whatever quotes say.
    pub(super) fn backtick(&mut self, quoted: bool) -> Parse {
        let start = self.at;
        let mut escaped = false;
        let mut at = start + 1;
        loop {
            match self.text.get(at).filter(|_| at < self.end) {
                None => return Err(self.fail(start, "unclosed backtick")),
                Some(b'`') => break,
                Some(b'\\') => {
                    let next = self.text.get(at + 1);
                    escaped |= matches!(next, Some(b'$' | b'`' | b'\\')) || (quoted && next == Some(&b'"'));
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        self.enter()?;
        if escaped {
            let text = unescape_backticks(&self.source[start + 1..at], quoted);
            let script = super::parse_nested(&text, self.depth, self.zsh);
            self.errors.extend(script.errors.first().map(|error| super::Error { at: start, what: error.what }));
            self.push(Kind::Backtick, self.inner.len(), start);
            self.inner.push(Inner { text, script });
        } else {
            let node = self.push(Kind::Substitution, start, at + 1);
            let outer_end = std::mem::replace(&mut self.end, at);
            self.at = start + 1;
            self.script(Until::End)?;
            self.end = outer_end;
            self.close(node, at + 1);
        }
        self.leave();
        self.at = at + 1;
        Ok(())
    }

    /// `@(…)`, `!(…)` and the like, to the matching parenthesis; expansions inside count.
    fn ext_glob(&mut self) -> Parse {
        let start = self.at;
        let node = self.push(Kind::ExtGlob, start, start);
        let mut depth = 0usize;
        self.skip(1);
        while let Some(byte) = self.peek() {
            match byte {
                b'(' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        self.close(node, self.at);
                        return Ok(());
                    }
                }
                b'\\' | b'\'' | b'"' | b'`' => self.part(byte, &mut 0)?,
                b'$' if self.is_expansion(false) => self.part(byte, &mut 0)?,
                _ => self.at += 1,
            }
        }
        Err(self.fail(start, "unclosed pattern"))
    }

    /// `${…}`.
    fn parameter(&mut self, quoted: bool) -> Parse {
        let start = self.at;
        let node = self.push(Kind::Param, start, start);
        self.enter()?;
        self.skip(2);
        if let Some(prefix @ (b'!' | b'#')) = self.peek()
            && self.byte(1).is_some_and(|next| {
                is_name(next)
                    || (matches!(next, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') && self.byte(2) == Some(b'}'))
                    || (prefix == b'!' && matches!(next, b'@' | b'*' | b'#'))
            })
        {
            self.push(Kind::Prefix, self.at, self.at + 1);
            self.at += 1;
        }
        let name = self.at;
        match self.peek() {
            Some(byte) if byte.is_ascii_digit() => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.at += 1;
                }
            }
            Some(byte) if is_name_start(byte) => {
                while self.peek().is_some_and(is_name) {
                    self.at += 1;
                }
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => self.at += 1,
            _ => {}
        }
        self.push(Kind::Name, name, self.at);
        if self.peek() == Some(b'[') {
            self.subscript(quoted)?;
        }
        let operator = self.at;
        if self.peek().is_some_and(|byte| byte != b'}') {
            self.skip(operator_len(&self.text[self.at..self.end]));
            self.push(Kind::Operator, operator, self.at);
        }
        let pattern = matches!(self.text.get(operator), Some(b'#' | b'%' | b'/' | b'^' | b','));
        self.operand(start, quoted, quoted && !pattern)?;
        self.leave();
        self.close(node, self.at);
        Ok(())
    }

    /// `[…]` behind a name, from its `[`.
    pub(super) fn subscript(&mut self, quoted: bool) -> Parse {
        let start = self.at;
        let node = self.push(Kind::Subscript, start, start);
        self.enter()?;
        self.skip(1);
        let mut depth = 0usize;
        let mut text = self.at;
        loop {
            match self.peek() {
                None => return Err(self.fail(start, "unclosed subscript")),
                Some(b']') if depth == 0 => break,
                Some(b']') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(byte @ (b'\\' | b'\'' | b'"' | b'`')) => {
                    self.text_until(text, Kind::Quoted);
                    match byte {
                        b'`' => self.backtick(quoted)?,
                        _ => self.part(byte, &mut 0)?,
                    }
                    text = self.at;
                }
                Some(b'$') if self.is_expansion(quoted) => {
                    self.text_until(text, Kind::Quoted);
                    self.dollar(quoted)?;
                    text = self.at;
                }
                Some(_) => self.at += 1,
            }
        }
        self.text_until(text, Kind::Quoted);
        self.at += 1;
        self.leave();
        self.close(node, self.at);
        Ok(())
    }

    /// The operand of `${…}`, up to its `}` and past it. `quoted`: it stands in double quotes; `literal_single`: there a
    /// single quote is text.
    fn operand(&mut self, start: usize, quoted: bool, literal_single: bool) -> Parse {
        let kind = if quoted { Kind::Quoted } else { Kind::Lit };
        let mut text = self.at;
        loop {
            let Some(byte) = self.peek() else {
                return Err(self.fail(start, "unclosed ${"));
            };
            match byte {
                b'}' => {
                    self.text_until(text, kind);
                    self.at += 1;
                    return Ok(());
                }
                b'\'' if literal_single => self.at += 1,
                b'\\' | b'\'' | b'"' | b'`' => {
                    self.text_until(text, kind);
                    match byte {
                        b'`' => self.backtick(quoted)?,
                        _ => self.part(byte, &mut 0)?,
                    }
                    text = self.at;
                }
                b'$' if self.is_expansion(literal_single) => {
                    self.text_until(text, kind);
                    self.dollar(literal_single)?;
                    text = self.at;
                }
                b'<' | b'>' if !quoted && self.byte(1) == Some(b'(') => {
                    self.text_until(text, kind);
                    self.process(byte)?;
                    text = self.at;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Opens a frame on the stack.
    pub(super) fn open(&mut self, opener: Opener, node: usize, stage: Stage) {
        self.stack.push(Frame { opener, node: node as u32, stage });
    }
}

/// How long the operator of `${NAME…}` is.
fn operator_len(rest: &[u8]) -> usize {
    match rest {
        [b':', b'-' | b'=' | b'+' | b'?', ..]
        | [b'#', b'#', ..]
        | [b'%', b'%', ..]
        | [b'/', b'/' | b'#' | b'%', ..]
        | [b'^', b'^', ..]
        | [b',', b',', ..] => 2,
        [b'-' | b'=' | b'+' | b'?' | b'#' | b'%' | b'/' | b'^' | b',' | b':' | b'@' | b'*', ..] => 1,
        _ => 0,
    }
}

/// The text between backticks without the backslashes that only protect it there.
fn unescape_backticks(raw: &str, quoted: bool) -> String {
    let mut plain = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some(&next @ ('$' | '`' | '\\'))) => {
                plain.push(next);
                chars.next();
            }
            ('\\', Some('"')) if quoted => {
                plain.push('"');
                chars.next();
            }
            _ => plain.push(char),
        }
    }
    plain
}
