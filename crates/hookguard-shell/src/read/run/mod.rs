//! What a program runs: its arguments, its input, a file, or nothing.

mod options;
mod shells;
mod wrap;
mod wrappers;

use super::Reader;
use super::simple::Call;
use super::walk::{Input, Out};
use super::{path, state};
use crate::command::{Runs, Step, Unknown, Word};

/// A program that is no plain wrapper: gives its output.
type Program = fn(&mut Reader, &Call<'_>) -> Out;

/// Programs that need more than a row of the table of wrappers, sorted by name.
const PROGRAMS: [(&str, Program); 10] = [
    ("ash", Reader::shell),
    ("bash", Reader::shell),
    ("dash", Reader::shell),
    ("fish", Reader::shell),
    ("ksh", Reader::shell),
    ("mksh", Reader::shell),
    ("rbash", Reader::shell),
    ("sh", Reader::shell),
    ("tcsh", Reader::shell),
    ("zsh", Reader::shell),
];

impl Reader {
    /// Runs a command: opens what it runs, and gives its output.
    pub(super) fn run(&mut self, call: &Call<'_>) -> Out {
        if let Some(out) = self.written_program(call) {
            return out;
        }
        if let Some(out) = self.builtin(call) {
            return out;
        }
        if let Some(text) = self.printed(call) {
            let mut out = self.unknown_out(call.index, false);
            out.text = text;
            return out;
        }
        if let Some(out) = self.wrapper(call) {
            return out;
        }
        if let Ok(index) = PROGRAMS.binary_search_by(|(name, _)| (*name).cmp(call.name)) {
            return PROGRAMS[index].1(self, call);
        }
        self.script_file(call);
        self.unknown_out(call.index, call.want)
    }

    /// A program by its path is a file that may have been written in this text, or by an agent before.
    fn script_file(&mut self, call: &Call<'_>) {
        let program = &call.argv[0];
        let Some(text) = program.as_literal() else { return };
        if text.contains('/') && !is_system(text) {
            self.commands[call.index].runs = Some(Runs::File { path: program.clone(), args: call.argv[1..].to_vec() });
        }
    }

    fn written_program(&mut self, call: &Call<'_>) -> Option<Out> {
        let program = call.argv.first()?;
        if self.state.files.is_empty() || !program.prefix().contains('/') {
            return None;
        }
        let key = path::key(self.state.folder(self.choice), program)?;
        self.state.file(&key)?;
        Some(self.run_file(call, program, call.argv[1..].to_vec(), "", false))
    }

    /// Runs code that a command was given. `same_shell`: what it sets stays set.
    pub(super) fn run_code(
        &mut self,
        call: &Call<'_>,
        code: &Word,
        step: Step,
        args: Option<Vec<Word>>,
        input: Input,
        same_shell: bool,
    ) -> Out {
        let known = code.parts.iter().any(|part| match part {
            crate::command::Part::Literal(text) | crate::command::Part::Glob(text) => !text.trim().is_empty(),
            crate::command::Part::Unknown(_) => false,
        });
        if !known {
            let unknown = code.has_unknown();
            self.commands[call.index].runs = Some(if unknown { Runs::Unknown } else { Runs::Opened });
            return self.unknown_out(call.index, call.want);
        }
        self.commands[call.index].runs = Some(Runs::Opened);
        let span = self.context.span;
        self.context.span = span.or(Some(self.commands[call.index].span));
        let mark = self.state.mark();
        if !same_shell {
            self.state.set_arguments(Some(std::rc::Rc::new(args.unwrap_or_default())));
        }
        let mut out = self.code(code, step, call.name, input, call.want);
        if !same_shell {
            self.state.roll_back(mark);
        }
        self.context.span = span;
        if out.commands.is_empty() {
            out.commands.push(call.index);
        }
        out
    }

    /// Runs a file: its text, if this text wrote it.
    pub(super) fn run_file(
        &mut self,
        call: &Call<'_>,
        file: &Word,
        args: Vec<Word>,
        language: &str,
        same_shell: bool,
    ) -> Out {
        let key = path::key(self.state.folder(self.choice), file);
        let text = key.and_then(|key| self.state.file(&key)).map(|file| file.text.clone());
        self.commands[call.index].runs = Some(Runs::File { path: file.clone(), args: args.clone() });
        let known = text
            .as_ref()
            .is_some_and(|text| text.parts.iter().any(|part| !matches!(part, crate::command::Part::Unknown(_))));
        let (Some(text), true) = (text, known) else {
            return self.unknown_out(call.index, call.want);
        };
        let language = if language.is_empty() { shells::language(&text, file) } else { language.to_owned() };
        if !shells::is_shell(&language) {
            return self.foreign_file(call, &text, &language);
        }
        let runs = self.commands[call.index].runs.clone();
        let out = self.run_code(call, &text, Step::WrittenFile, Some(args), call.input.clone(), same_shell);
        self.commands[call.index].runs = runs;
        out
    }

    /// A written file in another language.
    fn foreign_file(&mut self, call: &Call<'_>, text: &Word, language: &str) -> Out {
        let _ = (text, language);
        self.unknown_out(call.index, call.want)
    }
}

/// The roots of a `find`: its operands before the first test.
pub(super) fn find_roots(argv: &[Word]) -> Vec<Word> {
    let mut roots = Vec::new();
    let mut skip = false;
    for word in argv.iter().skip(1) {
        let text = word.prefix();
        if std::mem::take(&mut skip) {
            continue;
        }
        match text {
            "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s" | "-d" => {}
            "-D" => skip = true,
            "-f" => {}
            _ if text.starts_with("-O") && text.len() == 3 => {}
            _ if text.starts_with('-') || matches!(text, "(" | "!" | ",") => break,
            _ => roots.push(word.clone()),
        }
    }
    roots
}

/// Whether a program's path is one that the system's packages put there.
fn is_system(path: &str) -> bool {
    const FOLDERS: [&str; 9] = [
        "/bin/",
        "/sbin/",
        "/usr/bin/",
        "/usr/sbin/",
        "/usr/local/bin/",
        "/opt/homebrew/bin/",
        "/usr/local/sbin/",
        "/usr/lib/",
        "/snap/bin/",
    ];
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}

#[expect(dead_code, reason = "next: find, xargs")]
/// An item that is put in a word at run time.
pub(super) fn item(roots: Vec<Word>, commands: Vec<usize>) -> Word {
    state::unknown(Unknown::Item { roots, commands })
}
