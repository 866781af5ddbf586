//! Programs whose small language can run commands: awk, sed, vim, tar, psql, tmux and their like.

use super::super::Reader;
use super::super::output::known_text;
use super::super::simple::Call;
use super::super::walk::{Input, Out};
use super::options::{self, Options, tail};
use crate::command::{Part, Runs, Stdin, Step, Word};

const AWK: Options = Options {
    short: "Ffve",
    long: &["--file", "--assign", "--field-separator", "--source", "--include"],
    code: &[],
    assigns: false,
};

const SED: Options =
    Options { short: "efl", long: &["--expression", "--file", "--line-length"], code: &[], assigns: false };

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
    /// awk: `system("…")`, `"…" | getline`, `print | "…"`.
    pub(super) fn awk(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &AWK);
        let mut programs: Vec<Word> = read
            .seen
            .iter()
            .filter(|(name, _)| name == "e" || name == "source")
            .filter_map(|(_, value)| value.clone())
            .collect();
        if programs.is_empty() && !read.has(&["f", "file"]) {
            programs.extend(call.argv.get(read.rest).cloned());
        }
        for program in programs {
            for code in awk_commands(&program) {
                self.run_code(call, &code, Step::Code, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// sed: GNU's `e` command and flag, and files that `w` writes.
    pub(super) fn sed(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &SED);
        let mut scripts: Vec<Word> = read
            .seen
            .iter()
            .filter(|(name, _)| name == "e" || name == "expression")
            .filter_map(|(_, value)| value.clone())
            .collect();
        if scripts.is_empty() && !read.has(&["f", "file"]) {
            scripts.extend(call.argv.get(read.rest).cloned());
        }
        for script in scripts {
            let Some(text) = script.as_literal() else { continue };
            for code in sed_commands(text) {
                if code.is_empty() {
                    // The pattern space itself is run: whatever the input is.
                    match known_text(call.input) {
                        Some(text) => drop(self.run_code(call, &text, Step::Input, None, Input::default(), false)),
                        None => self.commands[call.index].runs = Some(Runs::Stdin),
                    }
                } else {
                    self.run_code(call, &Word::literal(code), Step::Code, None, Input::default(), false);
                }
            }
        }
        self.unknown_out(call.index, call.want)
    }

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
            ("gnuplot", &["!", "system"]),
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
                None => text.strip_prefix("--checkpoint-action=exec=").map(|rest| tail(word, text.len() - rest.len())),
            };
            if let Some(code) = value
                && code.prefix().contains(' ')
            {
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

    /// `osascript -e 'do shell script "…"'`
    pub(super) fn osascript(&mut self, call: &Call<'_>) -> Out {
        let mut texts: Vec<Word> = call.argv.iter().skip(1).cloned().collect();
        texts.extend(known_text(call.input));
        for text in texts {
            if let Some(text) = text.as_literal()
                && let Some(at) = text.find("do shell script")
                && let Some(code) = quoted_argument(text[at + "do shell script".len()..].trim_start(), "")
            {
                self.run_code(call, &Word::literal(code), Step::Code, None, Input::default(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// `ansible HOSTS -m shell -a CODE`
    pub(super) fn ansible(&mut self, call: &Call<'_>) -> Out {
        let options = Options { short: "maiuelftKMPBCT", long: &["--module-name", "--args", "--inventory"], ..AWK };
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

/// The commands of an awk program.
fn awk_commands(program: &Word) -> Vec<Word> {
    let Some(text) = program.as_literal() else { return Vec::new() };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("system(") {
        rest = &rest[at + "system(".len()..];
        match quoted_argument(rest.trim_start(), "") {
            Some(code) => found.push(Word::literal(code)),
            None => found.push(Word { parts: vec![Part::Unknown(crate::command::Unknown::Other)] }),
        }
    }
    // `"command" | getline`, `print | "command"`: the string next to a single bar.
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices('|') {
        if bytes.get(at + 1) == Some(&b'|') || (at > 0 && bytes[at - 1] == b'|') {
            continue;
        }
        let after = text[at + 1..].trim_start_matches(['&', ' ']);
        if let Some(code) = quoted_argument(after, "") {
            found.push(Word::literal(code));
        } else if after.starts_with("getline") {
            let before = text[..at].trim_end();
            if let Some(inner) = before.strip_suffix('"')
                && let Some(open) = inner.rfind('"')
            {
                found.push(Word::literal(&inner[open + 1..]));
            }
        }
        if found.len() > 64 {
            break;
        }
    }
    found
}

/// The commands that a sed script runs: those of `e`, and an empty one where `e` runs the pattern space.
fn sed_commands(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in script.split('\n').flat_map(|line| line.split(';')) {
        let line = line.trim_start();
        // The address: numbers, `$`, `/regex/`, a comma.
        let mut rest = line;
        loop {
            rest = rest.trim_start_matches(|char: char| {
                char.is_ascii_digit() || matches!(char, '$' | ',' | '!' | ' ' | '~' | '+' | '{')
            });
            match rest.strip_prefix('/').and_then(|inner| inner.find('/').map(|end| &inner[end + 1..])) {
                Some(after) => rest = after,
                None => break,
            }
        }
        if let Some(code) = rest.strip_prefix('e')
            && (code.is_empty() || code.starts_with(' '))
        {
            found.push(code.trim().to_owned());
            continue;
        }
        let Some(substitution) = rest.strip_prefix('s') else { continue };
        let Some(separator) = substitution.chars().next().filter(|char| !char.is_alphanumeric() && *char != ' ') else {
            continue;
        };
        let mut parts = Vec::new();
        let mut current = String::new();
        let mut chars = substitution[separator.len_utf8()..].chars();
        while let Some(char) = chars.next() {
            if char == '\\' {
                if let Some(next) = chars.next() {
                    if next != separator {
                        current.push('\\');
                    }
                    current.push(next);
                }
            } else if char == separator && parts.len() < 2 {
                parts.push(std::mem::take(&mut current));
            } else {
                current.push(char);
            }
        }
        if let [_, replacement] = parts.as_slice()
            && current.chars().take_while(|char| !matches!(char, ' ' | '}' | 'w')).any(|char| char == 'e')
        {
            found.push(replacement.clone());
        }
    }
    found
}

/// The string in quotes that follows `before`.
fn quoted_argument(text: &str, before: &str) -> Option<String> {
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
