//! Named scripts of a project: `npm run NAME`, `make NAME`; and recipes that `make` reads from its input.

use super::super::Reader;
use super::super::builtin::lines;
use super::super::output::known_text;
use super::super::path;
use super::super::simple::Call;
use super::super::walk::{Input, Out};
use super::options::{self, Options};
use crate::command::{Part, Runs, Step, Word};

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
            Some(sub) if LIFECYCLE.contains(&sub) && call.name != "deno" => {
                Some(Word::literal(if sub.starts_with('t') { "test" } else { sub }))
            }
            Some("workspace") if *bare => {
                // `yarn workspace NAME SCRIPT-OR-PROGRAM …`
                at += 2;
                call.argv.get(at).cloned()
            }
            Some(sub) if *bare && !OWN.contains(&sub) => Some(Word::literal(sub)),
            _ => return self.unknown_out(call.index, call.want),
        };
        let words = call.argv.get(at..).unwrap_or_default();
        let own =
            words.first().and_then(Word::as_literal).is_none_or(|word| OWN.contains(&word) || runners.contains(&word));
        if *bare && !own && !LIFECYCLE.contains(&words[0].prefix()) {
            // Where the project has no script of the name, the program of the name is run.
            self.run_words(call, Step::Wrapper, words.to_vec(), call.input, call.want);
        }
        self.commands[call.index].runs = Some(Runs::Script { name });
        self.unknown_out(call.index, call.want)
    }

    pub(super) fn make(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &MAKE);
        let file = read.value(&["f", "file", "makefile"]).cloned();
        let dry = read.has(&["n", "dry-run", "just-print", "recon", "q", "question", "version", "help"]);
        if dry {
            return self.unknown_out(call.index, call.want);
        }
        let text = match file.as_ref().map(|file| (file.as_literal(), file)) {
            Some((Some("-" | "/dev/stdin"), _)) => match known_text(call.input) {
                Some(text) => Some(text),
                None => {
                    self.commands[call.index].runs = Some(Runs::Stdin);
                    return self.unknown_out(call.index, call.want);
                }
            },
            Some((_, file)) => self.written_file(file),
            None => {
                ["Makefile", "makefile", "GNUmakefile"].iter().find_map(|name| self.written_file(&Word::literal(*name)))
            }
        };
        if let Some(text) = text {
            let code = recipes(&text);
            return self.run_code(call, &code, Step::Input, None, Input::default(), false);
        }
        let name = call.argv.get(read.rest).cloned();
        self.commands[call.index].runs = Some(Runs::Script { name });
        self.unknown_out(call.index, call.want)
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

/// The recipes of a makefile as shell code, its variables as the shell writes them.
fn recipes(text: &Word) -> Word {
    let mut parts = Vec::new();
    let push = |text: &str, parts: &mut Vec<Part>| match parts.last_mut() {
        Some(Part::Literal(last)) => last.push_str(text),
        _ => parts.push(Part::Literal(text.to_owned())),
    };
    for line in lines(text) {
        let first = line.prefix();
        let recipe = match first.strip_prefix('\t') {
            Some(_) => 1,
            // `target: deps ; recipe`
            None => match (first.find(':'), first.find(';')) {
                (Some(colon), Some(semicolon)) if colon < semicolon => semicolon + 1,
                _ => continue,
            },
        };
        let line = options::tail(&line, recipe);
        let start = line.prefix().len() - line.prefix().trim_start_matches(['@', '-', '+', ' ', '\t']).len();
        for part in options::tail(&line, start).parts {
            match part {
                Part::Literal(text) => {
                    // `$(X)` is a variable of make, `$$x` the shell's.
                    let mut rest = text.as_str();
                    while let Some(at) = rest.find('$') {
                        push(&rest[..at], &mut parts);
                        rest = &rest[at + 1..];
                        if let Some(after) = rest.strip_prefix('$') {
                            push("$", &mut parts);
                            rest = after;
                        } else if let Some(name) = rest.strip_prefix('(')
                            && let Some(end) = name.find(')')
                            && name[..end].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                        {
                            push(&format!("${{{}}}", &name[..end]), &mut parts);
                            rest = &name[end + 1..];
                        } else {
                            push("$", &mut parts);
                        }
                    }
                    push(rest, &mut parts);
                }
                other => parts.push(other),
            }
        }
        push("\n", &mut parts);
    }
    Word { parts }
}
