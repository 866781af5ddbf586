//! Shells: `sh -c CODE`, `sh FILE`, code on their input.

use super::super::Reader;
use super::super::output::known_text;
use super::super::path;
use super::super::simple::Call;
use super::super::walk::Out;
use super::options::tail;
use crate::command::{Runs, Stdin, Step, Word};

/// Options of shells that take a value in the next word.
const VALUES: [&str; 6] = ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"];

impl Reader {
    pub(super) fn shell(&mut self, call: &Call<'_>) -> Out {
        let argv = call.argv;
        let mut at = 1;
        let (mut command, mut input, mut interactive, mut parse_only) = (false, false, false, false);
        while let Some(word) = argv.get(at) {
            let text = word.prefix();
            if matches!(text, "--" | "-") && word.parts.len() == 1 {
                at += 1;
                break;
            }
            if !text.starts_with(['-', '+']) || text.len() < 2 {
                break;
            }
            at += 1;
            let glued = text.find('=').filter(|_| text.starts_with("--"));
            let name = glued.map_or(text, |equals| &text[..equals]);
            if call.name == "fish" && matches!(name, "-C" | "--init-command") {
                let code = glued.map(|equals| tail(word, equals + 1)).or_else(|| argv.get(at).cloned());
                at += usize::from(glued.is_none());
                if let Some(code) = code {
                    self.run_code(call, &code, Step::Code, None, super::super::walk::Input::default(), false);
                }
            } else if let (Some(equals), "--command") = (glued, name) {
                return self.run_code(call, &tail(word, equals + 1), Step::Code, None, call.input.clone(), false);
            } else if VALUES.contains(&text) {
                if text.ends_with("file")
                    && let Some(file) = argv.get(at)
                {
                    self.run_file(call, file, Vec::new(), "bash", false);
                }
                at += 1;
            } else if text == "--command" {
                command = true;
            } else if !text.starts_with("--") {
                let letters = &text[1..];
                command |= letters.contains('c');
                input |= letters.contains('s');
                interactive |= letters.contains('i');
                parse_only |= text.starts_with('-') && letters.contains('n');
                // `-o pipefail` may be bundled: `-euo pipefail`.
                if letters.ends_with('o') {
                    at += 1;
                }
            }
        }
        let rest = argv.get(at..).unwrap_or_default();
        if parse_only {
            return self.unknown_out(call.index, call.want);
        }
        if command {
            let Some((code, args)) = rest.split_first() else { return Out::default() };
            let args = args.get(1..).unwrap_or_default().to_vec();
            return self.run_code(call, code, Step::Code, Some(args), call.input.clone(), false);
        }
        if !input && let Some((file, args)) = rest.split_first() {
            let language = if call.name == "fish" { "fish" } else { "bash" };
            return self.run_file(call, file, args.to_vec(), language, false);
        }
        let _ = interactive;
        self.run_input(call, rest.to_vec())
    }

    /// Code on standard input.
    pub(in super::super) fn run_input(&mut self, call: &Call<'_>, args: Vec<Word>) -> Out {
        if let Some(text) = known_text(call.input) {
            let input = super::super::walk::Input::default();
            return self.run_code(call, &text, Step::Input, Some(args), input, false);
        }
        let runs = match &call.input.stdin {
            Stdin::Inherited => Runs::Interactive,
            Stdin::File(file) if file.as_literal() == Some("/dev/null") => return self.unknown_out(call.index, false),
            _ => Runs::Stdin,
        };
        self.commands[call.index].runs = Some(runs);
        self.unknown_out(call.index, call.want)
    }
}

/// Whether a language's name is a shell's.
pub(super) fn is_shell(language: &str) -> bool {
    matches!(language, "sh" | "bash" | "dash" | "zsh" | "ksh" | "mksh" | "ash" | "fish" | "tcsh" | "rbash")
}

/// The language of a file that is run by its path: by its first line, by its name, else the shell's.
pub(super) fn language(text: &Word, file: &Word) -> String {
    let first = text.prefix().lines().next().unwrap_or("");
    if let Some(line) = first.strip_prefix("#!") {
        let mut words = line.split_whitespace();
        let program = words.next().map(path::base_name).unwrap_or("");
        let program = if program == "env" {
            words.find(|word| !word.starts_with('-') && !word.contains('=')).map(path::base_name).unwrap_or("")
        } else {
            program
        };
        return program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.').to_owned();
    }
    let name = file.display();
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("py") => "python",
        Some("js" | "mjs" | "cjs" | "ts") => "node",
        Some("rb") => "ruby",
        Some("pl") => "perl",
        Some("php") => "php",
        Some("fish") => "fish",
        _ => "sh",
    }
    .to_owned()
}
