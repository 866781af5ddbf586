//! Programs whose small language can run commands: vim, tar, psql, tmux and their like.

use super::super::Reader;
use super::super::output::known_text;
use super::super::simple::Call;
use super::super::walk::{Input, Out};
use super::options::{self, Options, tail};
use crate::command::{Part, Runs, Stdin, Step, Word};

const TMUX: Options = Options { short: "cfLSntsxyeFlp", long: &[], code: &[], assigns: false };

/// Options of programs whose value is a command: program, options.
const COMMAND_OPTIONS: [(&str, &[&str]); 16] = [
    (
        "tar",
        &[
            "--to-command",
            "--use-compress-program",
            "-I",
            "--rsh-command",
            "--info-script",
            "--new-volume-script",
            "-F",
        ],
    ),
    ("gtar", &["--to-command", "--use-compress-program", "-I", "--rsh-command"]),
    ("bsdtar", &["--use-compress-program"]),
    ("zip", &["-TT", "--unzip-command"]),
    ("man", &["-P", "--pager"]),
    ("sort", &["--compress-program"]),
    ("split", &["--filter"]),
    ("rg", &["--pre"]),
    ("fzf", &["--preview", "--execute"]),
    ("less", &["-k"]),
    ("tcpdump", &["-z"]),
    ("logrotate", &["--mail"]),
    ("logsave", &[]),
    ("borg", &["--rsh"]),
    ("restic", &["--password-command"]),
    ("ansible", &[]),
];

impl Reader {
    /// vim, nvim, ed, ex: `!command` and `system('…')` of `-c` and `+`, and of a script on ed's input.
    pub(super) fn vim(&mut self, call: &Call<'_>) -> Out {
        let mut codes = Vec::new();
        let mut words = call.argv.iter().skip(1);
        while let Some(word) = words.next() {
            match word.prefix() {
                "-c" | "--cmd" => codes.extend(words.next().cloned()),
                text if text.starts_with('+') && text.len() > 1 => codes.push(tail(word, 1)),
                _ => {}
            }
        }
        if matches!(call.name, "ed" | "ex" | "red")
            && let Some(text) = known_text(call.input)
        {
            codes.extend(super::super::builtin::lines(&text));
        }
        for code in codes {
            let text = code.prefix().trim_start_matches([':', ' ', '%', '.']).to_owned();
            let skip = code.prefix().len() - code.prefix().trim_start_matches([':', ' ', '%', '.']).len();
            let bang = [
                "silent!", "silent", "execute", "exe", "call", "norm", "r", "w", "read", "write", "argdo", "bufdo",
                "term", "terminal", "sil",
            ]
            .iter()
            .find_map(|word| text.strip_prefix(word))
            .map_or(text.as_str(), |rest| rest.trim_start_matches([' ', '"', '\'']));
            let offset = skip + text.len() - bang.len();
            if bang.starts_with('!') {
                let code = tail(&code, offset + 1);
                self.run_code(call, &code, Step::Code, None, Input::default(), false);
            } else if let Some(inner) = quoted_argument(bang, "system(") {
                self.run_code(call, &Word::literal(inner), Step::Code, None, Input::default(), false);
            } else if text.starts_with("term") && !bang.is_empty() {
                self.run_code(call, &Word::literal(bang), Step::Code, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// psql, sqlite3, mysql, gdb: lines of their own language that start a shell.
    pub(super) fn console(&mut self, call: &Call<'_>) -> Out {
        const MARKS: [(&str, &[&str]); 10] = [
            ("psql", &["\\!"]),
            ("sqlite3", &[".shell", ".system"]),
            ("mysql", &["system", "\\!"]),
            ("mariadb", &["system", "\\!"]),
            ("gdb", &["shell", "!"]),
            ("lldb", &["platform shell", "shell"]),
            ("ftp", &["!"]),
            ("sftp", &["!"]),
            ("duckdb", &[".shell", ".system"]),
            ("gnuplot", &["!"]),
        ];
        let marks = MARKS.iter().find(|(name, _)| *name == call.name).map_or(&[][..], |(_, marks)| *marks);
        let mut texts: Vec<Word> = call.argv.iter().skip(1).cloned().collect();
        texts.extend(known_text(call.input));
        for text in texts {
            for line in super::super::builtin::lines(&text) {
                let trimmed = line.prefix().trim_start();
                let skip = line.prefix().len() - trimmed.len();
                // `-c'\! …'`, `--command=\! …`
                let skip = match trimmed.strip_prefix("--command=").or_else(|| trimmed.strip_prefix("-c")) {
                    Some(rest) => line.prefix().len() - rest.trim_start().len(),
                    None => skip,
                };
                let rest = &line.prefix()[skip..];
                if let Some(mark) = marks.iter().find(|mark| rest.starts_with(**mark)) {
                    let code = tail(&line, skip + mark.len());
                    if code.prefix().starts_with([' ', '\t']) || *mark == "\\!" || *mark == "!" {
                        self.run_code(call, &code, Step::Code, None, Input::default(), false);
                    }
                }
                if call.name == "gnuplot"
                    && let Some(inner) = line
                        .as_literal()
                        .and_then(|text| quoted_argument(text, "system(").or_else(|| quoted_argument(text, "system ")))
                {
                    self.run_code(call, &Word::literal(inner), Step::Code, None, Input::default(), false);
                }
                // `COPY t TO PROGRAM 'command'`
                if marks.contains(&"\\!")
                    && let Some(text) = line.as_literal()
                    && let Some(at) = find_word(text, "program")
                    && let Some(inner) = quoted_argument(text[at..].trim_start(), "")
                {
                    self.run_code(call, &Word::literal(inner), Step::Code, None, Input::default(), false);
                }
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// tar and others: options whose value is a command; tar's checkpoint actions.
    pub(super) fn command_option(&mut self, call: &Call<'_>) -> Out {
        let options =
            COMMAND_OPTIONS.iter().find(|(name, _)| *name == call.name).map_or(&[][..], |(_, options)| *options);
        let mut words = call.argv.iter().skip(1);
        while let Some(word) = words.next() {
            let text = word.prefix();
            let value = match options.iter().find(|option| {
                text.strip_prefix(**option)
                    .is_some_and(|rest| rest.is_empty() || (option.starts_with("--") && rest.starts_with('=')))
            }) {
                Some(option) if text.len() > option.len() => Some(tail(word, option.len() + 1)),
                Some(_) => words.next().cloned(),
                None if text == "--checkpoint-action" => words.next().and_then(|word| {
                    word.prefix().strip_prefix("exec=").map(|rest| tail(word, word.prefix().len() - rest.len()))
                }),
                None => text.strip_prefix("--checkpoint-action=exec=").map(|rest| tail(word, text.len() - rest.len())),
            };
            if let Some(code) = value {
                self.run_code(call, &code, Step::Code, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// tmux and screen: the command of a new session or window, and keys sent to one.
    pub(super) fn tmux(&mut self, call: &Call<'_>) -> Out {
        if call.name == "screen" {
            let options = Options { short: "cehpsStT", long: &[], ..TMUX };
            let read = options::read(call.argv, 1, &options);
            if let Some(at) = call.argv.iter().position(|word| word.as_literal() == Some("stuff")) {
                let keys = call.argv.get(at + 1..).unwrap_or_default();
                return self.keys(call, keys);
            }
            let rest = call.argv.get(read.rest..).unwrap_or_default();
            if rest.is_empty() || read.has(&["X"]) {
                return self.unknown_out(call.index, call.want);
            }
            self.commands[call.index].runs = Some(Runs::Opened);
            return self.run_words(call, Step::Wrapper, rest.to_vec(), call.input, call.want);
        }
        for command in call.argv[1..].split(|word| word.as_literal() == Some(";")) {
            let read = options::read(command, 0, &Options { short: "cfLS", ..TMUX });
            let sub = command.get(read.rest).and_then(Word::as_literal).unwrap_or("");
            let inner = options::read(command, read.rest + 1, &TMUX);
            let rest = command.get(inner.rest..).unwrap_or_default();
            match sub {
                "new-session" | "new" | "new-window" | "neww" | "split-window" | "splitw" | "respawn-pane"
                | "respawnp" | "respawn-window" | "run-shell" | "run" | "pipe-pane" | "popup" | "display-popup"
                | "if-shell" | "if"
                    if !rest.is_empty() =>
                {
                    let code = super::super::builtin::joined(rest);
                    self.run_code(call, &code, Step::Code, None, Input::default(), false);
                }
                "send-keys" | "send" => drop(self.keys(call, rest)),
                _ => {}
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// Keys typed into a shell.
    fn keys(&mut self, call: &Call<'_>, keys: &[Word]) -> Out {
        const ENTER: [&str; 5] = ["Enter", "C-m", "KPEnter", "C-j", "^M"];
        for line in keys.split(|word| word.as_literal().is_some_and(|text| ENTER.contains(&text))) {
            let mut code = super::super::builtin::joined(line);
            for part in &mut code.parts {
                if let Part::Literal(text) = part {
                    *text = text.replace("\\n", "\n").replace("^M", "\n");
                }
            }
            if !line.is_empty() {
                self.run_code(call, &code, Step::Code, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// `osascript -e 'do shell script "…"'`, `emacs --eval '(shell-command "…")'`
    pub(super) fn scripted(&mut self, call: &Call<'_>) -> Out {
        let mark = if call.name == "osascript" { "do shell script" } else { "shell-command" };
        let mut texts: Vec<Word> = call.argv.iter().skip(1).cloned().collect();
        texts.extend(known_text(call.input));
        for text in texts {
            if let Some(text) = text.as_literal()
                && let Some(at) = text.find(mark)
                && let Some(code) = quoted_argument(text[at + mark.len()..].trim_start(), "")
            {
                self.run_code(call, &Word::literal(code), Step::Code, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// `ansible HOSTS -m shell -a CODE`
    pub(super) fn ansible(&mut self, call: &Call<'_>) -> Out {
        let options = Options { short: "maiuelftKMPBCT", long: &["--module-name", "--args", "--inventory"], ..TMUX };
        let read = options::read(call.argv, 1, &options);
        let more = options::read(call.argv, read.rest + 1, &options);
        let value = |names: &[&str]| more.value(names).or_else(|| read.value(names)).cloned();
        let module = value(&["m", "module-name"]);
        let is_shell =
            module.as_ref().and_then(Word::as_literal).is_none_or(|name| matches!(name, "shell" | "command" | "raw"));
        if let (true, Some(code)) = (is_shell, value(&["a", "args"])) {
            let host = call.argv.get(read.rest).cloned().unwrap_or_default();
            let place = crate::command::Place { remote: Some(host), ..self.context.place.clone() };
            let outer = std::mem::replace(&mut self.context.place, place);
            self.run_code(call, &code, Step::Code, None, Input { stdin: Stdin::Inherited, text: None }, false);
            self.context.place = outer;
        }
        self.unknown_out(call.index, call.want)
    }
}

/// The string in quotes that follows `before`.
pub(super) fn quoted_argument(text: &str, before: &str) -> Option<String> {
    let rest = match text.find(before) {
        Some(at) => text[at + before.len()..].trim_start(),
        None => return None,
    };
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    let mut out = String::new();
    let mut chars = rest[1..].chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => out.extend(chars.next()),
            _ if char == quote => return Some(out),
            _ => out.push(char),
        }
    }
    None
}

/// Where a word ends in a text, whatever its case.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    lower.find(word).map(|at| at + word.len())
}
