//! Redirects: what a command reads instead of its input, and which files its output goes to.

use std::rc::Rc;

use super::source::Source;
use super::walk::{Input, Out};
use super::{Reader, path};
use crate::command::{Command, Part, Redirect, RedirectKind, Stdin, Unknown, Word};
use crate::syntax::{Kind, RedirectOp};

/// The redirects of one command, evaluated.
#[derive(Debug, Clone, Default)]
pub(super) struct Opened {
    pub(super) redirects: Vec<Redirect>,
    /// What it reads instead.
    pub(super) input: Option<Input>,
    /// Where its standard output goes: a file, and whether at its end.
    output: Option<(Word, bool)>,
    /// Standard output goes somewhere that is no file of a name (`>&2`, `> >(…)`, `>&-`).
    elsewhere: bool,
    /// The command that stands for the redirects of a compound command.
    command: Option<usize>,
}

impl Opened {
    /// Whether what is written matters to what is read later.
    pub(super) fn wants_text(&self) -> bool {
        self.output.is_some()
    }
}

impl Reader {
    /// The redirects of a compound command, as a command of their own where they name files.
    pub(super) fn open_redirects(&mut self, source: &Rc<Source>, from: usize, to: usize, input: &Input) -> Opened {
        if from == to {
            return Opened::default();
        }
        let index = self.commands.len();
        self.commands.push(Command::default());
        let mut opened = Opened::default();
        let mut at = from;
        let mut end = from;
        while at < to {
            if matches!(source.node(at).kind, Kind::Redirect(_)) {
                self.redirect(source, at, &mut opened);
                end = at;
            }
            at = source.node(at).next as usize;
        }
        if opened.redirects.is_empty() && index + 1 == self.commands.len() {
            self.commands.pop();
            return opened;
        }
        let span = crate::command::Span { start: source.node(from).start as usize, end: source.node(end).end as usize };
        let stdin = opened.input.as_ref().unwrap_or(input).stdin.clone();
        self.commands[index] = self.command(source, span, Vec::new(), stdin);
        self.commands[index].redirects = opened.redirects.clone();
        opened.command = Some(index);
        opened
    }

    /// The output of a compound command, behind its redirects.
    pub(super) fn close_redirects(&mut self, opened: &Opened, out: Out) -> Out {
        if let Some(index) = opened.command
            && (opened.output.is_some() || opened.elsewhere)
            && matches!(self.commands[index].stdin, Stdin::Inherited)
        {
            self.commands[index].stdin = Stdin::Pipe(out.commands.clone());
        }
        self.deliver(opened, out)
    }

    /// Gives the output that is left for a pipe or a substitution; what goes to files is remembered.
    pub(super) fn deliver(&mut self, opened: &Opened, out: Out) -> Out {
        if let Some((target, append)) = &opened.output {
            if let Some(key) = path::key(self.state.folder(self.choice), target) {
                self.state.write_file(key, out.text, *append);
            }
            return Out::default();
        }
        if opened.elsewhere { Out::default() } else { out }
    }

    /// Evaluates one redirect.
    pub(super) fn redirect(&mut self, source: &Rc<Source>, at: usize, opened: &mut Opened) {
        let node = source.node(at);
        let Kind::Redirect(op) = node.kind else { return };
        let descriptor = source.slice(node).bytes().take_while(u8::is_ascii_digit).count();
        let descriptor = &source.slice(node)[..descriptor];
        if matches!(op, RedirectOp::HereDoc | RedirectOp::HereDocTabs) {
            let text = Rc::new(self.here_text(source, at));
            opened.input = Some(Input { stdin: Stdin::Text(Word::clone(&text)), text: Some(text) });
            return;
        }
        let before = self.commands.len();
        if op == RedirectOp::HereString {
            let mut text = self.value(source, at + 1);
            opened.input = Some(Input { stdin: Stdin::Text(text.clone()), text: None });
            push_literal(&mut text, "\n");
            if let Some(input) = &mut opened.input {
                input.text = Some(Rc::new(text));
            }
            return;
        }
        let target = self.fields(source, at + 1).into_iter().next().unwrap_or_default();
        let process = match target.parts.as_slice() {
            [Part::Unknown(Unknown::Process)] => Some(self.process_out.take().unwrap_or_default()),
            _ => None,
        };
        let _ = before;
        let number = target.as_literal().is_some_and(|text| {
            !text.is_empty() && text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit())
        });
        let kind = match op {
            RedirectOp::Read => RedirectKind::Read,
            RedirectOp::ReadWrite => RedirectKind::ReadWrite,
            RedirectOp::Append | RedirectOp::BothAppend => RedirectKind::Append,
            RedirectOp::DupIn if number => return,
            RedirectOp::DupIn => RedirectKind::Read,
            RedirectOp::DupOut if number => {
                if matches!(descriptor, "" | "1") && target.as_literal() != Some("1") {
                    opened.elsewhere = true;
                }
                return;
            }
            _ => RedirectKind::Write,
        };
        match kind {
            RedirectKind::Read | RedirectKind::ReadWrite if matches!(descriptor, "" | "0") => {
                opened.input = Some(match process {
                    Some(out) => out.into_input(),
                    None => {
                        let key = path::key(self.state.folder(self.choice), &target);
                        let text = key.and_then(|key| self.state.file(&key)).map(|file| Rc::new(file.text.clone()));
                        Input { stdin: Stdin::File(target.clone()), text }
                    }
                });
            }
            RedirectKind::Write | RedirectKind::Append if matches!(descriptor, "" | "1") => {
                if process.is_some() {
                    opened.elsewhere = true;
                } else {
                    opened.output = Some((target.clone(), kind == RedirectKind::Append));
                }
            }
            _ => {}
        }
        opened.redirects.push(Redirect { kind, target });
    }

    /// The text of the here-document of a redirect.
    fn here_text(&mut self, source: &Rc<Source>, at: usize) -> Word {
        let end = source.node(at).next as usize;
        let mut child = at + 1;
        while child < end {
            let node = source.node(child);
            if node.kind == Kind::Body && node.start > 0 && (node.start as usize) < source.script.nodes.len() {
                return self.quoted_value(source, node.start as usize);
            }
            child = node.next as usize;
        }
        Word::default()
    }
}

/// Adds known text to a word.
pub(super) fn push_literal(word: &mut Word, text: &str) {
    match word.parts.last_mut() {
        Some(Part::Literal(last)) => last.push_str(text),
        _ => word.parts.push(Part::Literal(text.to_owned())),
    }
}
