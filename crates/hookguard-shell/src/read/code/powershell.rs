//! PowerShell and `cmd`: recognised, their destructive verbs read, the rest unknown.

use super::super::Reader;
use super::super::builtin::joined;
use super::super::simple::Call;
use super::super::walk::{Input, Out};
use crate::command::{Part, Runs, Step, Unknown, Word};

/// Verbs by name, what they are in the shell's words, and the options (by their beginning) that make them recursive.
const VERBS: [(&str, &str, &[&str]); 24] = [
    ("remove-item", "rm", &["-r"]),
    ("ri", "rm", &["-r"]),
    ("rm", "rm", &["-r"]),
    ("rmdir", "rm", &["-r", "/s"]),
    ("rd", "rm", &["-r", "/s"]),
    ("del", "rm", &["-r", "/s"]),
    ("erase", "rm", &["-r", "/s"]),
    ("clear-content", "truncate -s 0", &[]),
    ("move-item", "mv", &[]),
    ("move", "mv", &[]),
    ("mi", "mv", &[]),
    ("copy-item", "cp", &["-r"]),
    ("copy", "cp", &[]),
    ("set-content", "tee", &[]),
    ("add-content", "tee -a", &[]),
    ("out-file", "tee", &[]),
    ("get-content", "cat", &[]),
    ("gc", "cat", &[]),
    ("type", "cat", &[]),
    ("stop-computer", "shutdown", &[]),
    ("restart-computer", "reboot", &[]),
    ("format-volume", "mkfs", &[]),
    ("clear-disk", "mkfs", &[]),
    ("format", "mkfs", &[]),
];

/// Options of PowerShell's verbs that take a value which is a path.
const PATHS: [&str; 4] = ["-path", "-literalpath", "-destination", "-filepath"];

/// Options of its verbs that take another value.
const VALUES: [&str; 7] = ["-include", "-exclude", "-filter", "-value", "-erroraction", "-ea", "-encoding"];

impl Reader {
    /// `pwsh -Command CODE`, `powershell -c CODE`
    pub(in super::super) fn powershell(&mut self, call: &Call<'_>) -> Out {
        let mut at = 1;
        while let Some(word) = call.argv.get(at) {
            let text = word.prefix().to_ascii_lowercase();
            at += 1;
            match text.trim_start_matches(['-', '/']) {
                "c" | "command" | "cwa" | "commandwithargs" => {
                    let code = joined(call.argv.get(at..).unwrap_or_default());
                    return self.verbs(call, &code, Step::Code);
                }
                "e" | "ec" | "enc" | "encodedcommand" => {
                    self.commands[call.index].runs = Some(Runs::Unknown);
                    return self.unknown_out(call.index, call.want);
                }
                "f" | "file" => {
                    if let Some(file) = call.argv.get(at) {
                        self.commands[call.index].runs =
                            Some(Runs::File { path: file.clone(), args: call.argv[at + 1..].to_vec() });
                    }
                    return self.unknown_out(call.index, call.want);
                }
                "ex" | "ep" | "executionpolicy" | "w" | "windowstyle" | "wd" | "workingdirectory" | "version" | "o"
                | "outputformat" | "inputformat" | "configurationname" => at += 1,
                _ if text.starts_with('-') => {}
                _ => {
                    let code = joined(&call.argv[at - 1..]);
                    return self.verbs(call, &code, Step::Code);
                }
            }
        }
        if let Some(text) = super::super::output::known_text(call.input) {
            return self.verbs(call, &text, Step::Input);
        }
        self.run_input(call, Vec::new())
    }

    /// `cmd /c CODE`
    pub(in super::super) fn cmd(&mut self, call: &Call<'_>) -> Out {
        let at = call
            .argv
            .iter()
            .position(|word| matches!(word.prefix().to_ascii_lowercase().as_str(), "/c" | "/k" | "/r" | "//c" | "//k"));
        match at {
            Some(at) => {
                let code = joined(&call.argv[at + 1..]);
                self.verbs(call, &code, Step::Code)
            }
            None => self.run_input(call, Vec::new()),
        }
    }

    fn verbs(&mut self, call: &Call<'_>, code: &Word, step: Step) -> Out {
        self.commands[call.index].runs = Some(Runs::Partly);
        let span = self.commands[call.index].span;
        for (called, statement) in statements(code) {
            let statement: Vec<Word> = statement.into_iter().map(|word| self.at_home(word)).collect();
            let statement = if called { statement } else { command_of(statement) };
            let Some(program) = statement.first() else { continue };
            let name = program.prefix().to_ascii_lowercase();
            let argv = match VERBS.iter().find(|(verb, ..)| *verb == name) {
                Some((_, program, recursive)) => translate(program, recursive, &statement[1..]),
                // Programs are the same everywhere; other verbs of PowerShell stay what they are.
                None => statement,
            };
            if !self.pay(argv.len()) {
                break;
            }
            self.within(step, call.name, |reader| {
                let command = reader.bare_command(span, argv, crate::command::Stdin::Inherited);
                let index = reader.commands.len();
                reader.commands.push(command);
                reader.dispatch_program(index, &Input::default(), false);
            });
        }
        self.unknown_out(call.index, call.want)
    }

    /// A word with the home folder for its `~` or `$HOME`.
    fn at_home(&mut self, word: Word) -> Word {
        let rest = match word.parts.first() {
            Some(Part::Literal(text)) if text == "~" || text.starts_with("~/") => super::super::run::tail(&word, 1),
            Some(Part::Unknown(Unknown::Variable { name, .. })) if name == "HOME" => {
                Word { parts: word.parts[1..].to_vec() }
            }
            _ => return word,
        };
        super::value::join(&self.lookup("HOME"), &rest)
    }
}

/// The command in a statement: PowerShell runs no variable that is not called by `&`; of an assignment the right side may be
/// a command, perhaps behind a cast or as a list.
fn command_of(mut statement: Vec<Word>) -> Vec<Word> {
    let variable = |word: &Word| matches!(word.parts.first(), Some(Part::Unknown(Unknown::Variable { .. })));
    if !statement.first().is_some_and(variable) {
        return statement;
    }
    if !matches!(statement.get(1).and_then(Word::as_literal), Some("=" | "+=")) {
        return Vec::new();
    }
    let value = statement.split_off(2);
    let wraps = |word: &&Word| word.prefix() == "@" || word.prefix().starts_with('[') && word.prefix().ends_with(']');
    let skip = value.iter().take_while(wraps).count();
    // A name is a command, as far as it can be told from a quoted text.
    let named = value.get(skip).is_some_and(|word| word.prefix().starts_with(char::is_alphabetic));
    if named { value[skip..].to_vec() } else { Vec::new() }
}

/// A verb with its arguments in the shell's words.
fn translate(program: &str, recursive: &[&str], args: &[Word]) -> Vec<Word> {
    let mut argv: Vec<Word> = program.split(' ').map(Word::literal).collect();
    let mut operands = Vec::new();
    let mut args = args.iter();
    while let Some(word) = args.next() {
        let text = word.prefix().to_ascii_lowercase();
        let switch = text.starts_with('-') || (text.starts_with('/') && text.len() <= 3);
        if !switch {
            operands.push(word.clone());
        } else if recursive.iter().any(|option| text.starts_with(option)) {
            argv.push(Word::literal("-rf"));
        } else if PATHS.contains(&text.as_str()) {
            operands.extend(args.next().cloned());
        } else if VALUES.contains(&text.as_str()) {
            args.next();
        }
    }
    argv.extend(operands);
    argv
}

/// Statements, and whether `&` calls their first word: split at `;`, `|`, `&&`, braces, newlines; words at blanks, with both kinds
/// of quotes and PowerShell's commas.
fn statements(code: &Word) -> Vec<(bool, Vec<Word>)> {
    let mut statements = vec![(false, Vec::new())];
    let mut word = Word::default();
    let mut quoted = false;
    let end_word = |statements: &mut Vec<(bool, Vec<Word>)>, word: &mut Word, quoted: &mut bool| {
        if !word.parts.is_empty() || *quoted {
            if let Some((_, last)) = statements.last_mut() {
                last.push(std::mem::take(word));
            }
            *quoted = false;
        }
    };
    for part in &code.parts {
        let (Part::Literal(text) | Part::Glob(text)) = part else {
            word.parts.push(part.clone());
            continue;
        };
        let mut quote = None;
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match (quote, char) {
                (Some(open), _) if char == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(char);
                    quoted = true;
                }
                (None, ' ' | '\t' | ',' | '(' | ')') => end_word(&mut statements, &mut word, &mut quoted),
                (None, ';' | '|' | '&' | '\n' | '\r' | '{' | '}') => {
                    end_word(&mut statements, &mut word, &mut quoted);
                    let second =
                        char == '&' && statements.last().is_some_and(|(called, words)| *called && words.is_empty());
                    statements.push((char == '&' && !second, Vec::new()));
                }
                (None, '*' | '?') => word.parts.push(Part::Glob(char.to_string())),
                (_, '$') => {
                    let mut name = String::new();
                    let braces = chars.next_if_eq(&'{').is_some();
                    while let Some(next) =
                        chars.peek().filter(|char| char.is_alphanumeric() || matches!(char, '_' | ':'))
                    {
                        name.push(*next);
                        chars.next();
                    }
                    if braces {
                        chars.next_if_eq(&'}');
                    }
                    let name = name.strip_prefix("env:").unwrap_or(&name).to_owned();
                    let home = name.eq_ignore_ascii_case("home") || name.eq_ignore_ascii_case("userprofile");
                    let name = if home { "HOME".to_owned() } else { name };
                    word.parts.push(Part::Unknown(super::super::state::unset(&name)));
                }
                (_, '\\') => super::super::redirects::push_literal(&mut word, "/"),
                _ => super::super::redirects::push_literal(&mut word, char.encode_utf8(&mut [0; 4])),
            }
        }
    }
    end_word(&mut statements, &mut word, &mut quoted);
    statements.retain(|(_, statement)| !statement.is_empty());
    statements
}
