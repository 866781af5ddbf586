//! Lists: what may stand where between commands, and the parentheses that group them.

use super::parser::{Opener, Parse, Parser, Stage, Until};
use super::reserved::Reserved;
use super::tape::{Compound, Kind, Mark};

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// The first command of a compound command's list: the list must not be empty.
    First,
    /// A command, or what ends the list.
    Next,
    /// The right side of `&&`, `||` or `|`: a command, on a later line if need be.
    Operand,
    /// A command, or nothing: behind `!` and `time`.
    AfterMark,
    /// A function's body.
    Body,
    /// A separator: behind a simple command.
    AfterSimple,
    /// A separator, or a reserved word that closes: behind a compound command.
    AfterCompound,
}

impl Expect {
    /// Whether a command has just been completed.
    fn after_command(self) -> bool {
        matches!(self, Expect::AfterSimple | Expect::AfterCompound | Expect::AfterMark)
    }
}

impl Parser<'_> {
    /// Reads commands up to `until`, and past it.
    pub(super) fn script(&mut self, until: Until) -> Parse {
        let base = self.stack.len();
        let mut expect = Expect::Next;
        loop {
            self.blanks();
            let at = self.at;
            let Some(byte) = self.peek() else {
                return self.end_of_text(until, base, expect);
            };
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.heredocs();
                    if expect.after_command() {
                        self.push(Kind::Sequence, at, at + 1);
                        expect = Expect::Next;
                    }
                    if expect == Expect::Next && self.outermost() {
                        self.kept = self.nodes.len();
                        self.complete = self.nodes.len();
                    }
                }
                b';' => expect = self.semicolon(expect, base)?,
                b'&' if self.byte(1) == Some(b'&') => expect = self.operator(Kind::And, 2, expect)?,
                b'|' if self.byte(1) == Some(b'|') => expect = self.operator(Kind::Or, 2, expect)?,
                b'|' => {
                    let length = if self.byte(1) == Some(b'&') { 2 } else { 1 };
                    expect = self.operator(Kind::Pipe, length, expect)?;
                }
                b'&' if self.byte(1) != Some(b'>') => {
                    self.operator(Kind::Background, 1, expect)?;
                    expect = Expect::Next;
                    self.keep();
                }
                b')' => {
                    if self.stack.len() == base {
                        if until != Until::Paren || !(expect.after_command() || expect == Expect::Next) {
                            return Err(self.fail(at, "an unexpected )"));
                        }
                        self.at += 1;
                        return Ok(());
                    }
                    let subshell = self.stack.last().is_some_and(|frame| frame.opener == Opener::Subshell);
                    if !subshell || !(expect.after_command() || expect == Expect::Next) {
                        return Err(self.fail(at, "an unexpected )"));
                    }
                    self.at += 1;
                    expect = self.end_frame(base)?;
                }
                b'(' => {
                    if matches!(expect, Expect::AfterSimple | Expect::AfterCompound) {
                        return Err(self.fail(at, "an unexpected ("));
                    }
                    expect = self.parenthesis(base)?;
                }
                _ => match self.command(until, expect, base)? {
                    Some(next) => expect = next,
                    None => return Ok(()),
                },
            }
        }
    }

    /// A reserved word or a simple command; `None` where the `}` of a `${ …; }` was reached.
    fn command(&mut self, until: Until, expect: Expect, base: usize) -> Parse<Option<Expect>> {
        let at = self.at;
        // In zsh a `}` ends a command as `;` does.
        let expect = if expect == Expect::AfterSimple && self.ends_group_of_zsh() { Expect::Next } else { expect };
        if expect != Expect::AfterSimple
            && let Some((reserved, length)) = self.reserved_ahead()
            && (expect != Expect::AfterCompound || reserved.closes())
        {
            if reserved == Reserved::CloseBrace && until == Until::Brace && self.stack.len() == base {
                self.skip(length);
                return Ok(None);
            }
            return self.take_reserved(reserved, length, expect, base).map(Some);
        }
        // `!(list)`: without a blank it is a pattern only where a name may stand.
        if self.peek() == Some(b'!') && self.byte(1) == Some(b'(') && !expect.after_command() {
            self.push(Kind::Mark(Mark::Not), at, at + 1);
            self.at += 1;
            return Ok(Some(Expect::AfterMark));
        }
        // `${ …; }` glued to what follows: `}x`, `}"`.
        if until == Until::Brace && self.stack.len() == base && self.peek() == Some(b'}') && expect == Expect::Next {
            self.at += 1;
            return Ok(None);
        }
        match expect {
            Expect::AfterSimple | Expect::AfterCompound => Err(self.fail(at, "an unexpected word")),
            Expect::Body => Err(self.fail(at, "a function's body is missing")),
            _ => Ok(Some(if self.simple()? { Expect::Body } else { Expect::AfterSimple })),
        }
    }

    fn end_of_text(&mut self, until: Until, base: usize, expect: Expect) -> Parse {
        let what = match (self.stack.get(base..).and_then(|open| open.last()), expect, until) {
            (Some(frame), ..) => match frame.opener {
                Opener::Subshell => "unclosed (",
                Opener::Group | Opener::ForBrace => "unclosed {",
                Opener::If => "if without fi",
                Opener::While | Opener::Until | Opener::For | Opener::Select => "a loop without done",
                Opener::Case => "case without esac",
                Opener::Function => "a function's body is missing",
            },
            (None, Expect::Operand | Expect::Body | Expect::First, _) => "a command is missing",
            (None, _, Until::Paren) => "unclosed substitution",
            (None, _, Until::Brace) => "unclosed ${",
            (None, _, Until::End) => return Ok(()),
        };
        Err(self.fail(self.at, what))
    }

    /// `;`, or one of `;;`, `;&`, `;;&` behind the arm of a `case`.
    fn semicolon(&mut self, expect: Expect, base: usize) -> Parse<Expect> {
        let at = self.at;
        let arm_end = matches!(self.byte(1), Some(b';' | b'&'));
        if arm_end {
            let in_case =
                self.stack.len() > base && self.stack.last().is_some_and(|frame| frame.opener == Opener::Case);
            if !in_case || !(expect.after_command() || expect == Expect::Next) {
                return Err(self.fail(at, "an unexpected ;;"));
            }
            let length = if self.text[at..self.end].starts_with(b";;&") { 3 } else { 2 };
            self.skip(length);
            self.push(Kind::Mark(Mark::ArmEnd), at, self.at);
            return self.case_arm(base);
        }
        if !expect.after_command() {
            return Err(self.fail(at, "an unexpected ;"));
        }
        self.at += 1;
        self.push(Kind::Sequence, at, self.at);
        self.keep();
        Ok(Expect::Next)
    }

    fn operator(&mut self, kind: Kind, length: usize, expect: Expect) -> Parse<Expect> {
        let at = self.at;
        if !expect.after_command() {
            return Err(self.fail(at, "an unexpected operator"));
        }
        self.skip(length);
        self.push(kind, at, self.at);
        Ok(Expect::Operand)
    }

    /// `(`: a subshell, or `((` arithmetic.
    fn parenthesis(&mut self, base: usize) -> Parse<Expect> {
        let at = self.at;
        if self.byte(1) == Some(b'(') && self.closes_double(at) {
            let node = self.push(Kind::Open(Compound::Arithmetic), at, at);
            self.enter()?;
            self.skip(2);
            self.arithmetic(b')')?;
            self.leave();
            self.push(Kind::Close(Compound::Arithmetic), self.at, self.at);
            self.nodes[node].next = self.nodes.len() as u32;
            return self.after_compound(base);
        }
        let node = self.push(Kind::Open(Compound::Subshell), at, at + 1);
        self.at += 1;
        self.open(Opener::Subshell, node, Stage::Body);
        Ok(Expect::First)
    }

    /// What has been read so far is a complete list, if it stands outside of everything.
    fn keep(&mut self) {
        if self.outermost() {
            self.kept = self.nodes.len();
        }
    }
}
