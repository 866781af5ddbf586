//! Runs what a row of the table of wrappers says.

use super::super::builtin::joined;
use super::super::simple::Call;
use super::super::walk::Out;
use super::super::{Reader, path};
use super::options;
use super::wrappers::{self, Inner, Wrapper};
use crate::command::{Cwd, Part, Runs, Stdin, Step, Word};

/// Wrappers that start elsewhere, and the options that say where.
const FOLDERS: [(&str, &[&str]); 9] = [
    ("conda", &["cwd"]),
    ("env", &["C", "chdir"]),
    ("mise", &["C", "cd"]),
    ("pnpm", &["C", "dir"]),
    ("poetry", &["C", "directory"]),
    ("run0", &["chdir"]),
    ("sudo", &["D", "chdir"]),
    ("systemd-run", &["working-directory"]),
    ("uv", &["directory"]),
];

/// Wrappers that start a shell where no command is given, always or with one of these options.
const SHELLS: [(&str, &[&str]); 10] = [
    ("chroot", &[]),
    ("doas", &["s"]),
    ("fakeroot", &[]),
    ("newgrp", &[]),
    ("nsenter", &[]),
    ("run0", &[]),
    ("script", &[]),
    ("su", &[]),
    ("sudo", &["s", "i", "shell", "login"]),
    ("unshare", &[]),
];

/// Wrappers whose program may have a version behind it.
const VERSIONED: [&str; 10] = ["bun", "bunx", "npm", "npx", "pipx", "pnpm", "pnpx", "uv", "uvx", "yarn"];

impl Reader {
    /// Opens a wrapper; `None` where the program is none, or runs nothing this time.
    pub(super) fn wrapper(&mut self, call: &Call<'_>) -> Option<Out> {
        let rows = wrappers::find(call.name);
        for row in rows {
            if wrappers::is_missing(row) {
                continue;
            }
            if let Some(out) = self.wrap(call, row) {
                return Some(out);
            }
        }
        None
    }

    fn wrap(&mut self, call: &Call<'_>, row: &Wrapper) -> Option<Out> {
        let argv = call.argv;
        let mut read = options::read(argv, 1, &row.options);
        if !row.sub.is_empty() {
            let rest = argv.get(read.rest..).unwrap_or_default();
            let length = row.sub.iter().find_map(|sub| starts_with(rest, sub))?;
            let mut inner = options::read(argv, read.rest + length, &row.options);
            inner.code.splice(0..0, read.code.drain(..));
            read = inner;
        }
        if !row.marker.is_empty() {
            let marked = |word: &Word| word.as_literal().is_some_and(|text| row.marker.contains(&text));
            // `--` may have been read as the end of the options already.
            let before = argv.get(read.rest.wrapping_sub(1)).is_some_and(marked);
            if !before {
                let at = argv.get(read.rest..)?.iter().position(marked)?;
                read.rest += at + 1;
            }
        }
        // `runuser -u USER COMMAND` names the user already.
        let named = row.name == "runuser" && read.has(&["u", "user"]);
        for _ in 0..if named { 0 } else { row.skip } {
            if read.rest < argv.len() {
                let more = options::read(argv, read.rest + 1, &row.options);
                read.code.extend(more.code);
                read.assignments.extend(more.assignments);
                read.rest = more.rest;
            }
        }
        let rest = argv.get(read.rest..).unwrap_or_default();
        let place = self.context.place.clone();
        let assignments = self.context.assignments.len();
        self.context.place.elevated |= row.elevated;
        self.context.assignments.append(&mut read.assignments);
        let mark = self.state.mark();
        let folder = FOLDERS.iter().find(|(name, _)| *name == call.name).and_then(|(_, names)| read.value(names));
        if let Some(folder) = folder {
            let folder = match folder.as_literal() {
                Some(text) => path::join(self.state.folder(self.choice), text),
                None => Cwd::Unknown,
            };
            self.state.go(vec![folder]);
        }
        let moved = folder.is_some();
        let alone = SHELLS.iter().find(|(name, _)| *name == call.name).is_some_and(|(_, names)| {
            names.is_empty() && !matches!(call.input.stdin, Stdin::Inherited) || row.name == "su" || read.has(names)
        });
        let out = if rest.is_empty() && read.code.is_empty() && alone {
            Some(self.run_input(call, Vec::new()))
        } else {
            self.open_inner(call, row, &read.code, rest)
        };
        if moved {
            self.state.roll_back(mark);
        }
        self.context.assignments.truncate(assignments);
        self.context.place = place;
        out
    }

    fn open_inner(&mut self, call: &Call<'_>, row: &Wrapper, code: &[Word], rest: &[Word]) -> Option<Out> {
        if !code.is_empty() {
            if row.inner == Inner::Words && call.name == "env" {
                // `env -S 'words'` splits; what stands behind follows.
                let all: Vec<Word> = code.iter().chain(rest).cloned().collect();
                return Some(self.run_code(call, &joined(&all), Step::Code, None, call.input.clone(), false));
            }
            let mut out = Out::default();
            for code in code {
                let more = self.run_code(call, code, Step::Code, None, call.input.clone(), false);
                out.append(more);
            }
            return Some(out);
        }
        if rest.is_empty() {
            return None;
        }
        match row.inner {
            Inner::Words => {
                self.commands[call.index].runs = Some(Runs::Opened);
                let mut words = rest.to_vec();
                if VERSIONED.contains(&row.name) {
                    drop_version(&mut words[0]);
                }
                Some(self.run_words(call, Step::Wrapper, words, call.input, call.want))
            }
            Inner::Program if rest.len() > 1 => {
                self.commands[call.index].runs = Some(Runs::Opened);
                Some(self.run_words(call, Step::Wrapper, rest.to_vec(), call.input, call.want))
            }
            Inner::Code | Inner::Program => {
                Some(self.run_code(call, &joined(rest), Step::Code, None, call.input.clone(), false))
            }
            Inner::Codes => {
                let mut out = Out::default();
                for code in rest {
                    out.append(self.run_code(call, code, Step::Code, None, call.input.clone(), false));
                }
                Some(out)
            }
            Inner::Option => None,
        }
    }
}

/// `rimraf@5` is `rimraf`, `ruff==0.5` is `ruff`; `@scope/name` stays.
fn drop_version(program: &mut Word) {
    if let Some(Part::Literal(text)) = program.parts.first_mut()
        && let Some(end) = text.get(1..).and_then(|rest| rest.find(['@', '=']))
    {
        text.truncate(end + 1);
        program.parts.truncate(1);
    }
}

/// How many words a subcommand has, if the words begin with it.
fn starts_with(words: &[Word], sub: &str) -> Option<usize> {
    let mut count = 0;
    for part in sub.split(' ') {
        if words.get(count)?.as_literal()? != part {
            return None;
        }
        count += 1;
    }
    Some(count)
}
