//! Reserved words: where they stand, and what they open, join and close.

use super::parser::{Opener, Parse, Parser, Stage, is_meta, is_name, is_name_start};
use super::script::Expect;
use super::tape::{Compound, Kind, Mark};

/// Reserved words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    Do,
    Done,
    For,
    Select,
    Case,
    Esac,
    Function,
    Coproc,
    Time,
    Not,
    OpenBrace,
    CloseBrace,
    Test,
}

const RESERVED: [(&[u8], Reserved); 20] = [
    (b"if", Reserved::If),
    (b"then", Reserved::Then),
    (b"elif", Reserved::Elif),
    (b"else", Reserved::Else),
    (b"fi", Reserved::Fi),
    (b"while", Reserved::While),
    (b"until", Reserved::Until),
    (b"do", Reserved::Do),
    (b"done", Reserved::Done),
    (b"for", Reserved::For),
    (b"select", Reserved::Select),
    (b"case", Reserved::Case),
    (b"esac", Reserved::Esac),
    (b"function", Reserved::Function),
    (b"coproc", Reserved::Coproc),
    (b"time", Reserved::Time),
    (b"!", Reserved::Not),
    (b"{", Reserved::OpenBrace),
    (b"}", Reserved::CloseBrace),
    (b"[[", Reserved::Test),
];

impl Reserved {
    /// Whether it can stand right behind a compound command, without a separator.
    pub(super) fn closes(self) -> bool {
        matches!(
            self,
            Reserved::Then
                | Reserved::Elif
                | Reserved::Else
                | Reserved::Fi
                | Reserved::Do
                | Reserved::Done
                | Reserved::Esac
                | Reserved::CloseBrace
        )
    }

    /// Whether a compound command begins with it.
    fn opens(self) -> bool {
        matches!(
            self,
            Reserved::If
                | Reserved::While
                | Reserved::Until
                | Reserved::For
                | Reserved::Select
                | Reserved::Case
                | Reserved::OpenBrace
                | Reserved::Test
        )
    }
}

impl Parser<'_> {
    /// The reserved word that stands here, with its length.
    pub(super) fn reserved_ahead(&self) -> Option<(Reserved, usize)> {
        let first = self.peek()?;
        if !matches!(first, b'i' | b't' | b'e' | b'f' | b'w' | b'u' | b'd' | b's' | b'c' | b'!' | b'{' | b'}' | b'[') {
            return None;
        }
        let mut length = 1;
        while let Some(byte) = self.byte(length) {
            if is_meta(byte) {
                break;
            }
            length += 1;
            if length > 8 {
                return None;
            }
        }
        let word = &self.text[self.at..self.at + length];
        let reserved = RESERVED.iter().find(|(text, _)| *text == word).map(|(_, reserved)| *reserved)?;
        (reserved != Reserved::Time || !self.is_program_time(length)).then_some((reserved, length))
    }

    /// `time` before an option that is not the shell's own is the program: bash fails there, but dash has no other `time`.
    fn is_program_time(&self, length: usize) -> bool {
        let after = &self.text[self.at + length..self.end];
        let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = &after[blanks..];
        let option = &rest[..rest.iter().position(|byte| is_meta(*byte)).unwrap_or(rest.len())];
        option.starts_with(b"-") && option != b"-p" && option != b"--"
    }

    /// Takes the reserved word that stands here; gives what may follow.
    pub(super) fn take_reserved(
        &mut self,
        reserved: Reserved,
        length: usize,
        expect: Expect,
        base: usize,
    ) -> Parse<Expect> {
        let at = self.at;
        if reserved.closes() && !matches!(expect, Expect::Next | Expect::AfterCompound) {
            return Err(self.fail(at, "a command is missing"));
        }
        if expect == Expect::Body && !reserved.opens() {
            return Err(self.fail(at, "a function's body is missing"));
        }
        self.skip(length);
        match reserved {
            Reserved::If => self.begin(Compound::If, Opener::If, at),
            Reserved::While => self.begin(Compound::While, Opener::While, at),
            Reserved::Until => self.begin(Compound::Until, Opener::Until, at),
            Reserved::OpenBrace => self.begin(Compound::Group, Opener::Group, at),
            Reserved::Then | Reserved::Elif | Reserved::Else => self.branch(reserved, at, base),
            Reserved::Do => self.begin_body(at, base),
            Reserved::Fi => self.end(at, base, &[Opener::If]),
            Reserved::Done => self.end(at, base, &[Opener::While, Opener::Until, Opener::For, Opener::Select]),
            Reserved::CloseBrace => self.end(at, base, &[Opener::Group, Opener::ForBrace]),
            Reserved::Esac => self.end(at, base, &[Opener::Case]),
            Reserved::For => self.loop_over(Compound::For, Opener::For),
            Reserved::Select => self.loop_over(Compound::Select, Opener::Select),
            Reserved::Case => self.case(at, base),
            Reserved::Test => self.test(at, base),
            Reserved::Function => self.function_word(),
            Reserved::Not => {
                self.push(Kind::Mark(Mark::Not), at, self.at);
                Ok(Expect::AfterMark)
            }
            Reserved::Time => {
                self.push(Kind::Mark(Mark::Time), at, self.at);
                for option in [b"-p", b"--"] {
                    self.blanks();
                    if self.text[self.at..self.end].starts_with(option) && self.byte(2).is_none_or(is_meta) {
                        self.skip(2);
                    }
                }
                Ok(Expect::AfterMark)
            }
            Reserved::Coproc => self.coproc(at),
        }
    }

    fn begin(&mut self, compound: Compound, opener: Opener, at: usize) -> Parse<Expect> {
        let node = self.push(Kind::Open(compound), at, self.at);
        self.open(opener, node, Stage::Condition);
        Ok(Expect::First)
    }

    /// The innermost open compound command, if it was opened in this script and is one of `openers`.
    fn innermost(&mut self, at: usize, base: usize, openers: &[Opener]) -> Parse<usize> {
        match self.stack.last() {
            Some(frame) if self.stack.len() > base && openers.contains(&frame.opener) => Ok(self.stack.len() - 1),
            _ => Err(self.fail(at, "an unexpected reserved word")),
        }
    }

    fn branch(&mut self, reserved: Reserved, at: usize, base: usize) -> Parse<Expect> {
        let frame = self.innermost(at, base, &[Opener::If])?;
        let (from, to, mark) = match reserved {
            Reserved::Then => (Stage::Condition, Stage::Body, Mark::Then),
            Reserved::Elif => (Stage::Body, Stage::Condition, Mark::Elif),
            _ => (Stage::Body, Stage::Else, Mark::Else),
        };
        if self.stack[frame].stage != from {
            return Err(self.fail(at, "an unexpected reserved word"));
        }
        self.stack[frame].stage = to;
        self.push(Kind::Mark(mark), at, self.at);
        Ok(Expect::First)
    }

    fn begin_body(&mut self, at: usize, base: usize) -> Parse<Expect> {
        let frame = self.innermost(at, base, &[Opener::While, Opener::Until])?;
        if self.stack[frame].stage != Stage::Condition {
            return Err(self.fail(at, "an unexpected do"));
        }
        self.stack[frame].stage = Stage::Body;
        self.push(Kind::Mark(Mark::Do), at, self.at);
        Ok(Expect::First)
    }

    fn end(&mut self, at: usize, base: usize, openers: &[Opener]) -> Parse<Expect> {
        let index = self.innermost(at, base, openers)?;
        let frame = self.stack[index];
        let unfinished = match frame.opener {
            Opener::If | Opener::While | Opener::Until => frame.stage == Stage::Condition,
            _ => false,
        };
        if unfinished {
            return Err(self.fail(at, "an unexpected reserved word"));
        }
        self.end_frame(base)
    }

    /// Closes the innermost compound command, reads its redirects, and closes the functions that it is the body of.
    pub(super) fn end_frame(&mut self, base: usize) -> Parse<Expect> {
        let Some(frame) = self.stack.pop() else {
            return Err(self.fail(self.at, "nothing is open"));
        };
        let node = frame.node as usize;
        if let Kind::Open(compound) = self.nodes[node].kind {
            self.push(Kind::Close(compound), self.at, self.at);
        }
        self.nodes[node].next = self.nodes.len() as u32;
        self.after_compound(base)
    }

    /// What follows any compound command: its redirects, and the end of the function that it is the body of.
    pub(super) fn after_compound(&mut self, base: usize) -> Parse<Expect> {
        self.redirects()?;
        while self.stack.len() > base && self.stack.last().is_some_and(|frame| frame.opener == Opener::Function) {
            if let Some(function) = self.stack.pop() {
                self.nodes[function.node as usize].next = self.nodes.len() as u32;
            }
        }
        Ok(Expect::AfterCompound)
    }

    /// `for` and `select`, up to the first command of their body.
    fn loop_over(&mut self, compound: Compound, opener: Opener) -> Parse<Expect> {
        self.blanks();
        let at = self.at;
        let node = self.push(Kind::Open(compound), at, at);
        if compound == Compound::For && self.peek() == Some(b'(') && self.byte(1) == Some(b'(') {
            self.enter()?;
            self.skip(2);
            self.arithmetic(b')')?;
            self.leave();
        } else {
            if !self.word_ahead() {
                return Err(self.fail(at, "a loop without a variable"));
            }
            while self.peek().is_some_and(|byte| !is_meta(byte)) {
                self.at += 1;
            }
            self.nodes[node].end = self.at as u32;
            self.lines();
            if self.text[self.at..self.end].starts_with(b"in") && self.byte(2).is_none_or(is_meta) {
                self.skip(2);
                loop {
                    self.blanks();
                    if !self.word_ahead() {
                        break;
                    }
                    self.word()?;
                }
                if !matches!(self.peek(), Some(b';' | b'\n')) {
                    return Err(self.fail(self.at, "an unexpected character in a loop's list"));
                }
            }
        }
        self.blanks();
        if self.peek() == Some(b';') {
            self.skip(1);
        }
        self.lines();
        let opener = match self.reserved_ahead() {
            Some((Reserved::Do, length)) => {
                self.skip(length);
                opener
            }
            Some((Reserved::OpenBrace, length)) => {
                self.skip(length);
                Opener::ForBrace
            }
            _ => return Err(self.fail(self.at, "a loop without do")),
        };
        self.push(Kind::Mark(Mark::Do), self.at, self.at);
        self.open(opener, node, Stage::Body);
        Ok(Expect::First)
    }

    fn case(&mut self, at: usize, base: usize) -> Parse<Expect> {
        let node = self.push(Kind::Open(Compound::Case), at, self.at);
        self.blanks();
        if !self.word_ahead() {
            return Err(self.fail(self.at, "a case without a subject"));
        }
        self.word()?;
        self.lines();
        if !(self.text[self.at..self.end].starts_with(b"in") && self.byte(2).is_none_or(is_meta)) {
            return Err(self.fail(self.at, "a case without in"));
        }
        self.skip(2);
        self.open(Opener::Case, node, Stage::Body);
        self.case_arm(base)
    }

    /// The patterns of the next arm, or the end of the `case`.
    pub(super) fn case_arm(&mut self, base: usize) -> Parse<Expect> {
        self.lines();
        if let Some((Reserved::Esac, length)) = self.reserved_ahead() {
            self.skip(length);
            return self.end_frame(base);
        }
        if self.peek() == Some(b'(') {
            self.skip(1);
            self.blanks();
        }
        loop {
            if !self.word_ahead() {
                return Err(self.fail(self.at, "a case arm without a pattern"));
            }
            self.word()?;
            self.blanks();
            match self.peek() {
                Some(b'|') => {
                    self.skip(1);
                    self.blanks();
                }
                Some(b')') => break,
                _ => return Err(self.fail(self.at, "a case pattern without )")),
            }
        }
        self.skip(1);
        self.push(Kind::Mark(Mark::Arm), self.at, self.at);
        Ok(Expect::Next)
    }

    fn test(&mut self, at: usize, base: usize) -> Parse<Expect> {
        let node = self.push(Kind::Open(Compound::Test), at, self.at);
        let mut regex = false;
        let mut operands = 0usize;
        loop {
            self.lines();
            let rest = &self.text[self.at..self.end];
            match rest.first() {
                None => return Err(self.fail(at, "unclosed [[")),
                Some(b'&') if rest.starts_with(b"&&") => self.skip(2),
                Some(b'|') if rest.starts_with(b"||") && !regex => self.skip(2),
                Some(b'(') if regex => self.operand_word(&mut regex)?,
                Some(b'(' | b')' | b'<' | b'>') if !self.word_ahead() => self.skip(1),
                Some(b'&' | b'|' | b';') => return Err(self.fail(self.at, "an unexpected operator in [[")),
                Some(b']') if rest.starts_with(b"]]") && rest.get(2).copied().is_none_or(is_meta) && operands > 0 => {
                    self.skip(2);
                    break;
                }
                Some(b'=') if rest.starts_with(b"=~") && rest.get(2).copied().is_none_or(is_meta) => {
                    self.skip(2);
                    regex = true;
                }
                Some(_) => {
                    operands += 1;
                    self.operand_word(&mut regex)?;
                }
            }
        }
        self.push(Kind::Close(Compound::Test), self.at, self.at);
        self.nodes[node].next = self.nodes.len() as u32;
        self.after_compound(base)
    }

    fn operand_word(&mut self, regex: &mut bool) -> Parse {
        let is_regex = std::mem::take(regex);
        self.word_with(is_regex).map(drop)
    }

    /// `function NAME`, with or without `()`.
    fn function_word(&mut self) -> Parse<Expect> {
        self.blanks();
        let start = self.at;
        while self.peek().is_some_and(|byte| !is_meta(byte)) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.fail(start, "a function without a name"));
        }
        let node = self.push(Kind::Function, start, self.at);
        self.open(Opener::Function, node, Stage::Body);
        self.blanks();
        if self.peek() == Some(b'(') {
            let paren = self.at;
            self.skip(1);
            self.blanks();
            if self.peek() == Some(b')') {
                self.skip(1);
            } else {
                // `function f (list)`: the body is a subshell.
                self.at = paren;
            }
        }
        Ok(Expect::Body)
    }

    /// `coproc`, and its name where a compound command follows.
    fn coproc(&mut self, at: usize) -> Parse<Expect> {
        self.push(Kind::Mark(Mark::Coproc), at, self.at);
        self.blanks();
        if self.reserved_ahead().is_none() && self.peek().is_some_and(is_name_start) {
            let mut offset = 1;
            while self.byte(offset).is_some_and(is_name) {
                offset += 1;
            }
            let name = self.at;
            self.skip(offset);
            self.blanks();
            let compound = self.peek() == Some(b'(') || self.reserved_ahead().is_some_and(|(word, _)| word.opens());
            if !compound {
                self.at = name;
            }
        }
        Ok(Expect::Operand)
    }
}
