//! awk and sed: what of their programs is run by a shell.

use super::super::Reader;
use super::super::output::known_text;
use super::super::redirects::push_literal;
use super::super::simple::Call;
use super::super::state;
use super::super::walk::{Input, Out};
use super::options::{self, Options};
use crate::command::{Part, Runs, Stdin, Step, Unknown, Word};

const AWK: Options = Options {
    short: "Ffve",
    long: &["--file", "--assign", "--field-separator", "--source", "--include"],
    code: &[],
    assigns: false,
};

const SED: Options =
    Options { short: "efl", long: &["--expression", "--file", "--line-length"], code: &[], assigns: false };

/// More commands of one program than this are not looked at.
const MAX_FOUND: usize = 64;

/// A command that an awk or sed program runs.
struct Found {
    code: Word,
    /// It reads what the program prints.
    reads: bool,
}

impl Reader {
    /// awk: `system("…")`, `"…" | getline`, `print | "…"`.
    pub(super) fn awk(&mut self, call: &Call<'_>) -> Out {
        for program in scripts(call, &AWK, &["e", "source"], &["f", "file"]) {
            for found in awk_commands(&program) {
                let stdin = if found.reads { Stdin::Pipe(vec![call.index]) } else { Stdin::Inherited };
                self.run_code(call, &found.code, Step::Code, None, Input { stdin, text: None }, false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// sed: GNU's `e` command and flag.
    pub(super) fn sed(&mut self, call: &Call<'_>) -> Out {
        for script in scripts(call, &SED, &["e", "expression"], &["f", "file"]) {
            for code in sed_commands(&script.display()) {
                if code.parts.is_empty() {
                    // The pattern space itself is run: whatever the input is.
                    match known_text(call.input) {
                        Some(text) => drop(self.run_code(call, &text, Step::Input, None, Input::default(), false)),
                        None => self.commands[call.index].runs = Some(Runs::Stdin),
                    }
                } else {
                    self.run_code(call, &code, Step::Code, None, Input::default(), false);
                }
            }
        }
        self.unknown_out(call.index, call.want)
    }
}

/// The programs among a command's words: the values of `options`, or the first operand where there are none and no file.
fn scripts(call: &Call<'_>, table: &Options, names: &[&str], files: &[&str]) -> Vec<Word> {
    let read = options::read(call.argv, 1, table);
    let mut scripts: Vec<Word> = read
        .seen
        .iter()
        .filter(|(name, _)| names.contains(&name.as_str()))
        .filter_map(|(_, value)| value.clone())
        .collect();
    if scripts.is_empty() && !read.has(files) {
        scripts.extend(call.argv.get(read.rest).cloned());
    }
    scripts
}

/// The commands of an awk program.
fn awk_commands(program: &Word) -> Vec<Found> {
    let text = program.display();
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("system(")
        && found.len() < MAX_FOUND
    {
        rest = &rest[at + "system(".len()..];
        found.push(Found { code: concatenated(rest), reads: false });
    }
    // `"command" | getline`, `print | "command"`: what stands next to a single bar.
    let outside = outside_strings(&text);
    let bytes = outside.as_bytes();
    for (at, _) in outside.match_indices('|') {
        if bytes.get(at + 1) == Some(&b'|') || (at > 0 && bytes[at - 1] == b'|') || found.len() >= MAX_FOUND {
            continue;
        }
        let after = text[at + 1..].trim_start_matches(['&', ' ']);
        if after.starts_with('"') {
            found.push(Found { code: concatenated(after), reads: true });
        } else if after.starts_with("getline") {
            // The expression before it begins behind the last brace, semicolon, parenthesis or line.
            let before = text[..at].trim_end();
            let start = outside[..before.len()].rfind(['{', ';', '(', '\n', '}']).map_or(0, |start| start + 1);
            found.push(Found { code: concatenated(before[start..].trim_start()), reads: false });
        }
    }
    found
}

/// A text with its strings blanked, byte for byte.
fn outside_strings(text: &str) -> String {
    let mut inside = false;
    let mut escaped = false;
    text.bytes()
        .map(|byte| {
            let quote = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            inside ^= quote;
            if inside || quote || !byte.is_ascii() { '_' } else { byte as char }
        })
        .collect()
}

/// awk's concatenation at the start of a text: its strings, and an unknown part for all else between them.
fn concatenated(text: &str) -> Word {
    let mut out = Word::default();
    let mut depth = 0_usize;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => {
                let mut piece = String::new();
                while let Some(char) = chars.next() {
                    match char {
                        '"' => break,
                        '\\' => match chars.next() {
                            Some('n') => piece.push('\n'),
                            Some('t') => piece.push('\t'),
                            Some(char) => piece.push(char),
                            None => {}
                        },
                        _ => piece.push(char),
                    }
                }
                push_literal(&mut out, &piece);
            }
            ')' if depth == 0 => break,
            ';' | '}' | '\n' | '|' => break,
            ')' => depth -= 1,
            '(' => depth += 1,
            ' ' | '\t' => {}
            _ => {
                if !matches!(out.parts.last(), Some(Part::Unknown(_))) {
                    out.parts.push(Part::Unknown(Unknown::Other));
                }
            }
        }
    }
    if out.parts.is_empty() { state::unknown(Unknown::Other) } else { out }
}

/// The commands that a sed script runs: those of `e`, and an empty one where `e` runs the pattern space.
fn sed_commands(script: &str) -> Vec<Word> {
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
            found.push(Word::literal(code.trim()));
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
            found.push(replaced(replacement));
        }
    }
    found
}

/// The replacement of a substitution: `&` and `\\1` stand for what was matched.
fn replaced(text: &str) -> Word {
    let mut out = Word::default();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '&' => out.parts.push(Part::Unknown(Unknown::Other)),
            '\\' if chars.peek().is_some_and(char::is_ascii_digit) => {
                chars.next();
                out.parts.push(Part::Unknown(Unknown::Other));
            }
            '\\' => push_literal(&mut out, chars.next().unwrap_or('\\').encode_utf8(&mut [0; 4])),
            char => push_literal(&mut out, char.encode_utf8(&mut [0; 4])),
        }
    }
    out
}
