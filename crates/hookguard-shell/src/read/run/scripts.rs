//! Named scripts of a project: `npm run NAME`, `make NAME`; and recipes that `make` reads from its input.

use super::super::Reader;
use super::super::builtin::lines;
use super::super::output::known_text;
use super::super::path;
use super::super::redirects::push_literal;
use super::super::simple::Call;
use super::super::walk::{Input, Out};
use super::makefile;
use super::options::{self, Options};
use crate::command::{Cwd, Part, Runs, Step, Word};

/// Package managers: which words before a script's name run it; whether the name alone does.
const RUNNERS: [(&str, &[&str], bool); 6] = [
    ("npm", &["run", "run-script", "rum", "urn"], false),
    ("yarn", &["run"], true),
    ("pnpm", &["run", "run-script"], true),
    ("bun", &["run"], false),
    ("deno", &["task"], false),
    ("composer", &["run", "run-script"], false),
];

/// Subcommands that run the script of the same name.
const LIFECYCLE: [&str; 6] = ["test", "start", "stop", "restart", "t", "tst"];

/// Subcommands of `yarn` and `pnpm` that are no scripts.
const OWN: [&str; 58] = [
    "add",
    "audit",
    "autoclean",
    "bin",
    "cache",
    "check",
    "config",
    "constraints",
    "create",
    "dedupe",
    "deploy",
    "dlx",
    "env",
    "exec",
    "explain",
    "fetch",
    "global",
    "help",
    "i",
    "import",
    "info",
    "init",
    "install",
    "licenses",
    "link",
    "list",
    "login",
    "logout",
    "ls",
    "node",
    "npm",
    "outdated",
    "owner",
    "pack",
    "patch",
    "plugin",
    "policies",
    "prune",
    "publish",
    "rebuild",
    "remove",
    "rm",
    "root",
    "run",
    "search",
    "self-update",
    "server",
    "set",
    "setup",
    "stage",
    "store",
    "tag",
    "uninstall",
    "unlink",
    "up",
    "update",
    "upgrade",
    "version",
];

/// Subcommands that install what a project needs, and run its scripts for that.
const INSTALLS: [&str; 8] = ["install", "i", "ci", "add", "clean-install", "install-test", "it", "rebuild"];

/// The names of a makefile, in the order in which make looks for them.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

const PACKAGE: Options = Options {
    short: "CFw",
    long: &["--prefix", "--workspace", "--filter", "--cwd", "--dir", "--loglevel", "--if-present"],
    code: &[],
    assigns: false,
};

const MAKE: Options = Options {
    short: "CfIoWEj",
    long: &["--directory", "--file", "--makefile", "--include-dir", "--old-file", "--what-if", "--eval", "--jobs"],
    code: &[],
    assigns: true,
};

impl Reader {
    pub(super) fn package_script(&mut self, call: &Call<'_>) -> Out {
        let Some((_, runners, bare)) = RUNNERS.iter().find(|(name, ..)| *name == call.name) else {
            return self.unknown_out(call.index, call.want);
        };
        let read = options::read(call.argv, 1, &PACKAGE);
        let mut at = read.rest;
        let sub = call.argv.get(at).and_then(Word::as_literal);
        let name = match sub {
            Some(sub) if runners.contains(&sub) => {
                let read = options::read(call.argv, read.rest + 1, &PACKAGE);
                call.argv.get(read.rest).cloned()
            }
            Some(sub) if LIFECYCLE.contains(&sub) && call.name != "deno" && !(call.name == "bun" && sub == "test") => {
                Some(Word::literal(if sub.starts_with('t') { "test" } else { sub }))
            }
            Some("workspace") if *bare => {
                // `yarn workspace NAME SCRIPT-OR-PROGRAM …`
                at += 2;
                call.argv.get(at).cloned()
            }
            Some(sub) if *bare && !OWN.contains(&sub) => Some(Word::literal(sub)),
            Some(sub) if INSTALLS.contains(&sub) => {
                self.named_script(call, &read, "install", &[]);
                self.commands[call.index].runs = None;
                return self.unknown_out(call.index, call.want);
            }
            _ => return self.unknown_out(call.index, call.want),
        };
        let words = call.argv.get(at..).unwrap_or_default();
        let own =
            words.first().and_then(Word::as_literal).is_none_or(|word| OWN.contains(&word) || runners.contains(&word));
        if *bare && !own && !LIFECYCLE.contains(&words[0].prefix()) {
            // Where the project has no script of the name, the program of the name is run.
            self.run_words(call, Step::Wrapper, words.to_vec(), call.input, call.want);
        }
        if let Some(script) = name.as_ref().and_then(Word::as_literal).map(str::to_owned) {
            let after = call.argv.iter().position(|word| word.as_literal() == Some(script.as_str()));
            let args = after.and_then(|at| call.argv.get(at + 1..)).unwrap_or_default();
            self.named_script(call, &read, &script, args);
        }
        self.commands[call.index].runs = Some(Runs::Script { name });
        self.unknown_out(call.index, call.want)
    }

    pub(super) fn make(&mut self, call: &Call<'_>) -> Out {
        let mut read = options::read(call.argv, 1, &MAKE);
        // Options stand among targets.
        let mut rest: Vec<Word> = Vec::new();
        while let Some(word) = call.argv.get(read.rest) {
            rest.push(word.clone());
            let more = options::read(call.argv, read.rest + 1, &MAKE);
            read.seen.extend(more.seen);
            read.rest = more.rest;
        }
        let file = read.value(&["f", "file", "makefile"]).cloned();
        let dry = read.has(&["n", "dry-run", "just-print", "recon", "q", "question", "version", "help"]);
        if dry {
            return self.unknown_out(call.index, call.want);
        }
        let other_shell = self.make_options(call, &read);
        let text = match file.as_ref().map(|file| (file.as_literal(), file)) {
            Some((Some("-" | "/dev/stdin"), _)) => match known_text(call.input) {
                Some(text) => Some((text, false)),
                None => {
                    self.commands[call.index].runs = Some(Runs::Stdin);
                    return self.unknown_out(call.index, call.want);
                }
            },
            Some((_, file)) => self.in_folder(&read, file),
            None => MAKEFILES.iter().find_map(|name| self.in_folder(&read, &Word::literal(*name))),
        };
        if let Some((text, before)) = text {
            let targets: Vec<&Word> = rest.iter().filter(|word| options::assignment(word).is_none()).collect();
            let mut set = Word::default();
            for assignment in call.argv.iter().skip(1).filter_map(options::assignment) {
                push_literal(&mut set, &format!("{}=", assignment.name));
                set.parts.extend(quoted(&assignment.value).parts);
                push_literal(&mut set, "\n");
            }
            let mut code = makefile::recipes(&text, &targets, &set);
            if let Some(folder) = read.value(&["C", "directory"]) {
                let mut moved = Word::literal("cd ");
                moved.parts.extend(quoted(folder).parts);
                push_literal(&mut moved, "\n");
                moved.parts.extend(code.parts);
                code = moved;
            }
            let runs = before.then(|| Runs::Script { name: rest.first().cloned() });
            let by = if before {
                call.argv[..call.argv.len().min(3)].iter().map(Word::display).collect::<Vec<_>>().join(" ")
            } else {
                call.name.to_owned()
            };
            if before && !self.enters_script(&by) {
                self.commands[call.index].runs = runs;
                return self.unknown_out(call.index, call.want);
            }
            let step = if before { Step::Script } else { Step::Input };
            let out = self.run_code_by(call, &code, (step, &by), None, Input::default(), false);
            if runs.is_some() {
                self.commands[call.index].runs = runs;
            }
            if other_shell {
                self.commands[call.index].runs = Some(Runs::Unknown);
            }
            return out;
        }
        let name = rest.first().cloned();
        self.commands[call.index].runs = Some(if other_shell { Runs::Unknown } else { Runs::Script { name } });
        self.unknown_out(call.index, call.want)
    }

    /// What the command line itself has `make` run: the text of `--eval`, and another shell. Whether that is one.
    fn make_options(&mut self, call: &Call<'_>, read: &options::Read) -> bool {
        let mut unknown = false;
        for (name, value) in &read.seen {
            if let (true, Some(text)) = (matches!(name.as_str(), "eval" | "E"), value) {
                let code = makefile::recipes(text, &[], &Word::default());
                self.run_code(call, &code, Step::Code, None, Input::default(), false);
            }
        }
        for assignment in call.argv.iter().skip(1).filter_map(options::assignment) {
            let shell = assignment.value.as_literal().is_some_and(|shell| {
                let place = !shell.contains('/') || super::is_system(shell);
                place && super::shells::is_shell(path::base_name(shell))
            });
            if assignment.name == "SHELL" && !shell {
                self.run_code(call, &assignment.value, Step::Code, None, Input::default(), false);
                unknown = true;
            }
        }
        unknown
    }

    /// The text of a file, in the folder that the options name, and whether it was there before.
    fn in_folder(&self, read: &options::Read, file: &Word) -> Option<(Word, bool)> {
        let folder = match read.value(&["C", "directory"]) {
            Some(folder) => path::join(self.state.folder(self.choice), folder.as_literal()?),
            None => self.state.folder(self.choice).clone(),
        };
        let key = path::key(&folder, file)?;
        self.state.file(&key).map(|file| (file.text.clone(), file.before))
    }

    /// Runs a script of the project that is known by its name.
    fn named_script(&mut self, call: &Call<'_>, read: &options::Read, name: &str, args: &[Word]) -> Option<Out> {
        let here = self.state.folder(self.choice);
        let folder = match read.value(&["C", "prefix", "cwd", "dir"]) {
            Some(folder) => path::join(here, folder.as_literal()?),
            None => here.clone(),
        };
        let Cwd::Known(folder) = folder else { return None };
        // Those of other projects in the same repository are not looked up.
        let elsewhere = |word: &Word| {
            let name = word.prefix().split('=').next().unwrap_or_default();
            matches!(
                name,
                "-r" | "--recursive" | "-F" | "--filter" | "-w" | "--workspace" | "--workspaces" | "-ws" | "--parallel"
            )
        };
        if call.argv.iter().take_while(|word| word.as_literal() != Some("--")).any(elsewhere) {
            return None;
        }
        let mut code = self.state.named(&folder, name)?.clone();
        let args = if args.first().is_some_and(|word| word.as_literal() == Some("--")) { &args[1..] } else { args };
        for word in args {
            push_literal(&mut code, " ");
            for part in quoted(word).parts {
                match part {
                    Part::Literal(text) => push_literal(&mut code, &text),
                    other => code.parts.push(other),
                }
            }
        }
        let by = call.argv.iter().take(3).map(Word::display).collect::<Vec<_>>().join(" ");
        if !self.enters_script(&by) {
            return None;
        }
        Some(self.run_code_by(call, &code, (Step::Script, &by), None, Input::default(), false))
    }

    /// `just NAME`, `task NAME`, `rake NAME`.
    pub(super) fn task(&mut self, call: &Call<'_>) -> Out {
        let name = call.argv.iter().skip(1).find(|word| !word.prefix().starts_with('-')).cloned();
        self.commands[call.index].runs = Some(Runs::Script { name });
        self.unknown_out(call.index, call.want)
    }

    /// `at`, `batch`: the input is code for later.
    pub(super) fn at(&mut self, call: &Call<'_>) -> Out {
        let listing =
            call.argv.iter().skip(1).any(|word| matches!(word.as_literal(), Some("-l" | "-c" | "-r" | "-d" | "-V")));
        let file =
            call.argv.iter().position(|word| word.as_literal() == Some("-f")).and_then(|at| call.argv.get(at + 1));
        match file {
            Some(file) => self.run_file(call, file, Vec::new(), "sh", false),
            None if listing => self.unknown_out(call.index, call.want),
            None => self.run_input(call, Vec::new()),
        }
    }

    /// `crontab -`: the lines of the input are code for later, behind five fields of time or one `@word`.
    pub(super) fn crontab(&mut self, call: &Call<'_>) -> Out {
        let operand = super::super::builtin::operands(call).last();
        let text = match operand.map(|word| (word.as_literal(), word)) {
            Some((Some("-" | "/dev/stdin"), _)) => known_text(call.input),
            None if call.argv.len() == 1 => known_text(call.input),
            Some((_, file)) => self.written_file(file),
            None => None,
        };
        for mut line in text.iter().flat_map(lines) {
            // What `crontab -l` printed before is there already.
            let known = line.parts.iter().position(|part| matches!(part, Part::Literal(_))).unwrap_or(line.parts.len());
            line.parts.drain(..known);
            let first = line.prefix().trim_start();
            if first.starts_with('#')
                || options::assignment(&options::tail(&line, line.prefix().len() - first.len())).is_some()
            {
                continue;
            }
            let fields = if first.starts_with('@') { 1 } else { 5 };
            let mut rest = first;
            for _ in 0..fields {
                rest = rest.split_once([' ', '\t']).map_or("", |(_, rest)| rest.trim_start());
            }
            let code = options::tail(&line, line.prefix().len() - rest.len());
            if !rest.is_empty() {
                self.run_code(call, &code, Step::Input, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// The text of a file that this text wrote.
    pub(super) fn written_file(&self, file: &Word) -> Option<Word> {
        let key = path::key(self.state.folder(self.choice), file)?;
        self.state.file(&key).map(|file| file.text.clone())
    }
}

/// A word in quotes, so that the shell reads it as it is.
fn quoted(word: &Word) -> Word {
    let parts = word.parts.iter().map(|part| match part {
        Part::Literal(text) => Part::Literal(format!("'{}'", text.replace('\'', "'\\''"))),
        other => other.clone(),
    });
    Word { parts: parts.collect() }
}
