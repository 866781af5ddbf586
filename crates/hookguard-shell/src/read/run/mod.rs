//! What a program runs: its arguments, its input, a file, or nothing.

mod editors;
mod filters;
mod foreach;
mod git;
mod languages;
mod makefile;
mod options;
mod remote;
mod rows;
mod scripts;
mod shells;
mod wrap;
mod wrappers;

use super::Reader;
use super::glance::Glance;
use super::simple::Call;
use super::walk::{Input, Out};
use super::{path, state};
use crate::command::{Runs, Step, Unknown, Word};

/// How many scripts deep scripts are followed.
const MAX_SCRIPTS: usize = 8;

/// A program that is no plain wrapper: gives its output.
type Program = fn(&mut Reader, &Call<'_>) -> Out;

/// Programs that need more than a row of the table of wrappers, sorted by name.
const PROGRAMS: [(&str, Program); 101] = [
    ("ansible", Reader::ansible),
    ("ash", Reader::shell),
    ("at", Reader::at),
    ("autossh", Reader::ssh),
    ("awk", Reader::awk),
    ("bash", Reader::shell),
    ("batch", Reader::at),
    ("bfs", Reader::find),
    ("borg", Reader::command_option),
    ("bsdtar", Reader::command_option),
    ("cmd", Reader::cmd),
    ("colima", Reader::machine),
    ("composer", Reader::package_script),
    ("crontab", Reader::crontab),
    ("csh", Reader::shell),
    ("dash", Reader::shell),
    ("distrobox", Reader::machine),
    ("docker", Reader::docker),
    ("docker-compose", Reader::docker),
    ("duckdb", Reader::console),
    ("ed", Reader::vim),
    ("emacs", Reader::scripted),
    ("emacsclient", Reader::scripted),
    ("ex", Reader::vim),
    ("fd", Reader::fd),
    ("fdfind", Reader::fd),
    ("find", Reader::find),
    ("fish", Reader::shell),
    ("fly", Reader::remote_option),
    ("flyctl", Reader::remote_option),
    ("ftp", Reader::console),
    ("fzf", Reader::command_option),
    ("gawk", Reader::awk),
    ("gcloud", Reader::remote_option),
    ("gdb", Reader::console),
    ("gfind", Reader::find),
    ("git", Reader::git),
    ("gmake", Reader::make),
    ("gnuplot", Reader::console),
    ("gsed", Reader::sed),
    ("gtar", Reader::command_option),
    ("gxargs", Reader::xargs),
    ("heroku", Reader::machine),
    ("incus", Reader::machine),
    ("just", Reader::task),
    ("ksh", Reader::shell),
    ("kubectl", Reader::kubectl),
    ("less", Reader::vim),
    ("limactl", Reader::machine),
    ("lldb", Reader::console),
    ("lxc", Reader::machine),
    ("machinectl", Reader::machine),
    ("make", Reader::make),
    ("man", Reader::command_option),
    ("mariadb", Reader::console),
    ("mawk", Reader::awk),
    ("mksh", Reader::shell),
    ("multipass", Reader::machine),
    ("mysql", Reader::console),
    ("nawk", Reader::awk),
    ("nerdctl", Reader::docker),
    ("npm", Reader::package_script),
    ("nu", Reader::shell),
    ("nvim", Reader::vim),
    ("oc", Reader::kubectl),
    ("osascript", Reader::scripted),
    ("parallel", Reader::parallel),
    ("pnpm", Reader::package_script),
    ("podman", Reader::docker),
    ("podman-compose", Reader::docker),
    ("powershell", Reader::powershell),
    ("psql", Reader::console),
    ("pwsh", Reader::powershell),
    ("rake", Reader::task),
    ("rbash", Reader::shell),
    ("restic", Reader::command_option),
    ("rg", Reader::command_option),
    ("rsync", Reader::rsync),
    ("scp", Reader::scp),
    ("screen", Reader::tmux),
    ("sed", Reader::sed),
    ("sftp", Reader::scp),
    ("sh", Reader::shell),
    ("sort", Reader::command_option),
    ("split", Reader::command_option),
    ("sqlite3", Reader::console),
    ("ssh", Reader::ssh),
    ("tar", Reader::command_option),
    ("task", Reader::task),
    ("tcpdump", Reader::command_option),
    ("tcsh", Reader::shell),
    ("tmux", Reader::tmux),
    ("toolbox", Reader::machine),
    ("vagrant", Reader::remote_option),
    ("vi", Reader::vim),
    ("view", Reader::vim),
    ("vim", Reader::vim),
    ("xargs", Reader::xargs),
    ("yarn", Reader::package_script),
    ("zip", Reader::command_option),
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
        if let Some(out) = self.git_by_name(call) {
            return out;
        }
        static GLANCE: Glance = Glance::of_rows(&PROGRAMS);
        if GLANCE.may_hold(call.name)
            && let Ok(index) = PROGRAMS.binary_search_by(|(name, _)| (*name).cmp(call.name))
            && !rows::is_missing(call.name)
        {
            return PROGRAMS[index].1(self, call);
        }
        if let Some(out) = self.interpreter(call) {
            return out;
        }
        // `uv run x.py`
        let runner =
            self.context.via.last().is_some_and(|via| matches!(via.program.as_str(), "uv" | "pdm" | "rye" | "hatch"));
        if runner && call.name.ends_with(".py") {
            return self.run_file(call, &call.argv[0], call.argv[1..].to_vec(), "python", false);
        }
        self.script_file(call);
        self.unknown_out(call.index, call.want)
    }

    /// A program by its path is a file that may have been written in this text, or by an agent before.
    fn script_file(&mut self, call: &Call<'_>) {
        let program = &call.argv[0];
        let Some(text) = program.as_literal() else { return };
        // `@scope/name` is a package that a runner was told to run.
        if text.contains('/') && !text.starts_with('@') && !is_system(text) {
            self.commands[call.index].runs = Some(Runs::File { path: program.clone(), args: call.argv[1..].to_vec() });
        }
    }

    fn written_program(&mut self, call: &Call<'_>) -> Option<Out> {
        let program = call.argv.first()?;
        if self.state.has_programs() {
            let made = match program.as_literal() {
                Some(name) if !name.contains('/') => self.state.program(name),
                _ => path::key(self.state.folder(self.choice), program).and_then(|key| self.state.program(&key)),
            };
            if let Some(made) = made.filter(|made| *made != call.name) {
                let mut argv = call.argv.to_vec();
                argv[0] = Word::literal(made);
                return Some(self.run_words(call, Step::Wrapper, argv, call.input, call.want));
            }
        }
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
        self.run_code_by(call, code, (step, call.name), args, input, same_shell)
    }

    /// The same, with another step or name for who runs it.
    fn run_code_by(
        &mut self,
        call: &Call<'_>,
        code: &Word,
        (step, by): (Step, &str),
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
        let mut traps = Vec::new();
        if !same_shell {
            self.state.set_arguments(Some(std::rc::Rc::new(args.unwrap_or_default())));
            traps = std::mem::take(&mut self.state.traps);
        }
        let mut out = self.code(code, step, by, input, call.want);
        if !same_shell {
            // A shell's handlers run when it ends, with its own variables.
            self.run_traps();
            self.state.traps = traps;
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
        if matches!(file.as_literal(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")) {
            if let Some(text) = super::output::known_text(call.input) {
                if language.is_empty() || shells::is_shell(language) {
                    return self.run_code(call, &text, Step::Input, Some(args), Input::default(), same_shell);
                }
                self.foreign(call, &text, language, Step::Input);
                return self.unknown_out(call.index, call.want);
            }
            self.commands[call.index].runs = Some(Runs::Stdin);
            return self.unknown_out(call.index, call.want);
        }
        let key = path::key(self.state.folder(self.choice), file);
        let found = key.and_then(|key| self.state.file(&key));
        let before = found.is_some_and(|file| file.before);
        let mut text = found.map(|file| file.text.clone());
        if matches!(file.parts.as_slice(), [crate::command::Part::Unknown(Unknown::Process)]) {
            text = self.process_out.take().map(|out| out.text);
        }
        self.commands[call.index].runs = Some(Runs::File { path: file.clone(), args: args.clone() });
        let known = text
            .as_ref()
            .is_some_and(|text| text.parts.iter().any(|part| !matches!(part, crate::command::Part::Unknown(_))));
        let (Some(text), true) = (text, known) else {
            return self.unknown_out(call.index, call.want);
        };
        let language = if language.is_empty() { shells::language(&text, file) } else { language.to_owned() };
        let (step, by) =
            if before { (Step::Script, file.display()) } else { (Step::WrittenFile, call.name.to_owned()) };
        if step == Step::Script && !self.enters_script(&by) {
            return self.unknown_out(call.index, call.want);
        }
        if !shells::is_shell(&language) {
            let runs = self.commands[call.index].runs.clone();
            self.foreign_by(call, &text, &language, step, &by);
            self.commands[call.index].runs = runs;
            return self.unknown_out(call.index, call.want);
        }
        let runs = self.commands[call.index].runs.clone();
        let mark = self.state.mark();
        if !same_shell {
            self.state.set("0", state::Value::Text(file.clone()));
        }
        self.state.set("BASH_SOURCE", state::Value::Text(file.clone()));
        let out = self.run_code_by(call, &text, (step, &by), Some(args), call.input.clone(), same_shell);
        if !same_shell {
            self.state.roll_back(mark);
        }
        self.commands[call.index].runs = runs;
        out
    }

    /// Whether a script that was there before is followed from here: not into itself, and not for ever.
    fn enters_script(&self, by: &str) -> bool {
        let mut scripts = self.context.via.iter().filter(|via| via.step == Step::Script);
        scripts.clone().count() < MAX_SCRIPTS && scripts.all(|via| via.program != by)
    }
}

pub(super) use foreach::fd_roots;
pub(super) use options::tail;

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
pub(super) fn is_system(path: &str) -> bool {
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

/// An item that is put in a word at run time.
fn item(roots: Vec<Word>, commands: Vec<usize>) -> Word {
    state::unknown(Unknown::Item { roots, commands })
}

#[cfg(test)]
mod tests;
