//! Simple commands: assignments, words, redirects; and the function definitions that begin like one.

use super::parser::{Opener, Parse, Parser, Stage, is_name, is_name_start};
use super::tape::{FLAG_PARTS, Kind};

/// Builtins whose arguments may be array assignments.
const DECLARATIONS: [&[u8]; 6] = [b"declare", b"export", b"local", b"readonly", b"typeset", b"alias"];

/// How far ahead the end of a subscript is looked for, to tell `a[i]=x` from a pattern.
const SUBSCRIPT_BYTES: usize = 1024;

impl Parser<'_> {
    /// Reads the simple command that begins here. True if it was a function's name with `()`: its body comes next.
    pub(super) fn simple(&mut self) -> Parse<bool> {
        let node = self.push(Kind::Simple, self.at, self.at);
        let mut end = self.at;
        let mut words = 0usize;
        let mut others = false;
        let mut declaration = false;
        loop {
            self.blanks();
            let Some(byte) = self.peek() else { break };
            if let Some(descriptor) = self.redirect_ahead() {
                self.redirect(descriptor)?;
                others = true;
                end = self.at;
                continue;
            }
            match byte {
                b'\n' | b';' | b'&' | b'|' | b')' => break,
                b'(' => {
                    if words == 1 && !others {
                        return self.function(node);
                    }
                    return Err(self.fail(self.at, "an unexpected ("));
                }
                b'}' if self.ends_group_of_zsh() => break,
                _ => {}
            }
            if words == 0 && self.assignment()? {
                others = true;
            } else if declaration && self.array_argument()? {
                words += 1;
            } else {
                let word = self.word()?;
                words += 1;
                if words == 1 {
                    let word = self.nodes[word];
                    declaration = DECLARATIONS.contains(&&self.text[word.start as usize..word.end as usize]);
                }
            }
            end = self.at;
        }
        self.close(node, end);
        Ok(false)
    }

    /// The `()` behind a function's name; `node` is what was taken for a simple command.
    fn function(&mut self, node: usize) -> Parse<bool> {
        self.at += 1;
        self.blanks();
        if self.peek() != Some(b')') {
            return Err(self.fail(self.at, "an unexpected ("));
        }
        self.at += 1;
        let name = self.nodes[node + 1];
        self.nodes.truncate(node);
        self.push(Kind::Function, name.start as usize, name.end as usize);
        self.open(Opener::Function, node, Stage::Body);
        Ok(true)
    }

    /// The length of `NAME=`, `NAME+=`, or of `NAME` where a subscript and `=` follow; then whether there is a subscript.
    fn assignment_ahead(&self) -> Option<(usize, bool)> {
        if !self.peek().is_some_and(is_name_start) {
            return None;
        }
        let name = (1..).take_while(|&offset| self.byte(offset).is_some_and(is_name)).count() + 1;
        match self.byte(name)? {
            b'=' => Some((name, false)),
            b'+' if self.byte(name + 1) == Some(b'=') => Some((name, false)),
            b'[' => {
                let mut depth = 0usize;
                for offset in name..name + SUBSCRIPT_BYTES {
                    match self.byte(offset)? {
                        b'[' => depth += 1,
                        b']' => {
                            depth -= 1;
                            if depth == 0 {
                                let rest = (self.byte(offset + 1), self.byte(offset + 2));
                                return matches!(rest, (Some(b'='), _) | (Some(b'+'), Some(b'=')))
                                    .then_some((name, true));
                            }
                        }
                        b'\n' | b';' => return None,
                        _ => {}
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// Reads the assignment that begins here, if one does.
    fn assignment(&mut self) -> Parse<bool> {
        let Some((name, subscript)) = self.assignment_ahead() else { return Ok(false) };
        let start = self.at;
        let node = self.push(Kind::Assign, start, start);
        self.skip(name);
        let mut end = self.at;
        if subscript {
            self.subscript(false)?;
        }
        if self.peek() == Some(b'+') {
            self.at += 1;
            end += 1;
        }
        self.at += 1;
        if self.peek() == Some(b'(') {
            self.array()?;
        } else if self.word_ahead() {
            self.word()?;
        } else {
            let empty = self.at;
            self.push(Kind::Word(FLAG_PARTS), empty, empty);
        }
        self.close(node, end);
        Ok(true)
    }

    /// `NAME=(…)` as an argument of `declare` and the like.
    fn array_argument(&mut self) -> Parse<bool> {
        let Some((name, false)) = self.assignment_ahead() else { return Ok(false) };
        let equals = if self.byte(name) == Some(b'+') { name + 2 } else { name + 1 };
        if self.byte(equals) != Some(b'(') {
            return Ok(false);
        }
        let start = self.at;
        let node = self.push(Kind::Word(FLAG_PARTS), start, start);
        self.push(Kind::Lit, start, start + equals);
        self.skip(equals);
        self.array()?;
        self.close(node, self.at);
        Ok(true)
    }

    /// `(…)` of an array assignment.
    fn array(&mut self) -> Parse {
        let start = self.at;
        let node = self.push(Kind::Array, start, start);
        self.skip(1);
        loop {
            self.lines();
            match self.peek() {
                None => return Err(self.fail(start, "unclosed array")),
                Some(b')') => break,
                Some(_) if self.word_ahead() => {
                    self.word()?;
                }
                Some(_) => return Err(self.fail(self.at, "an unexpected character in an array")),
            }
        }
        self.at += 1;
        self.close(node, self.at);
        Ok(())
    }
}
