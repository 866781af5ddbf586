//! The output of programs that only say what they are told: `echo`, `printf`, `cat`, `pwd`, `which`, `mktemp`.

use super::Reader;
use super::ansi::{Style, unescape};
use super::builtin::operands;
use super::glance::Glance;
use super::path;
use super::redirects::push_literal;
use super::simple::Call;
use super::state::{self, Value};
use super::walk::Input;
use crate::command::{Cwd, Part, Stdin, Unknown, Word};

type Printer = fn(&mut Reader, &Call<'_>) -> Option<Word>;

/// Programs whose output follows from their arguments and input, by name, sorted.
const PRINTERS: [(&str, Printer); 28] = [
    (":", Reader::nothing),
    ("basename", Reader::basename),
    ("cat", Reader::cat),
    ("command", Reader::which),
    ("cp", Reader::copied),
    ("dirname", Reader::dirname),
    ("echo", Reader::echo),
    ("false", Reader::nothing),
    ("grep", Reader::filter),
    ("head", Reader::filter),
    ("install", Reader::copied),
    ("ln", Reader::copied),
    ("mktemp", Reader::mktemp),
    ("mv", Reader::copied),
    ("print", Reader::echo),
    ("printf", Reader::printf),
    ("pwd", Reader::pwd),
    ("readlink", Reader::realpath),
    ("realpath", Reader::realpath),
    ("seq", Reader::seq),
    ("sort", Reader::filter),
    ("tac", Reader::filter),
    ("tail", Reader::filter),
    ("tee", Reader::tee),
    ("true", Reader::nothing),
    ("type", Reader::which),
    ("uniq", Reader::filter),
    ("which", Reader::which),
];

impl Reader {
    /// The output of a printing program; `None` where the program is none or prints what is not known.
    pub(super) fn printed(&mut self, call: &Call<'_>) -> Option<Word> {
        static GLANCE: Glance = Glance::of_rows(&PRINTERS);
        if !GLANCE.may_hold(call.name) {
            return None;
        }
        let index = PRINTERS.binary_search_by(|(name, _)| (*name).cmp(call.name)).ok()?;
        PRINTERS[index].1(self, call)
    }

    fn nothing(&mut self, _: &Call<'_>) -> Option<Word> {
        Some(Word::default())
    }

    fn echo(&mut self, call: &Call<'_>) -> Option<Word> {
        if !call.want {
            return None;
        }
        let mut words = &call.argv[1..];
        let (mut newline, mut escapes) = (true, false);
        while let Some(text) = words.first().and_then(Word::as_literal)
            && text.len() > 1
            && text.starts_with('-')
            && text[1..].bytes().all(|byte| matches!(byte, b'n' | b'e' | b'E' | b'r' | b'l'))
        {
            newline &= !text.contains('n');
            escapes |= text.contains('e');
            words = &words[1..];
        }
        let mut out = super::builtin::joined(words);
        if escapes {
            for part in &mut out.parts {
                if let Part::Literal(text) = part {
                    *text = unescape(text, Style::Echo);
                }
            }
        }
        if newline {
            push_literal(&mut out, "\n");
        }
        Some(out)
    }

    fn printf(&mut self, call: &Call<'_>) -> Option<Word> {
        let mut words = &call.argv[1..];
        let mut variable = None;
        if words.first().and_then(Word::as_literal) == Some("-v") {
            variable = Some(words.get(1)?.as_literal()?.to_owned());
            words = words.get(2..)?;
        } else if !call.want {
            return None;
        }
        if words.first().and_then(Word::as_literal) == Some("--") {
            words = &words[1..];
        }
        let (format, arguments) = words.split_first()?;
        let out = self.format(format, arguments);
        match variable {
            Some(name) => {
                let value = out.unwrap_or_else(|| state::unknown(Unknown::Other));
                self.state.set(&name, Value::Text(value));
                Some(Word::default())
            }
            None => out,
        }
    }

    /// `printf`'s output: the format, again and again while there are arguments.
    fn format(&mut self, format: &Word, arguments: &[Word]) -> Option<Word> {
        let mut out = Word::default();
        let mut rest = arguments.iter();
        let mut taken = 0;
        loop {
            if !self.pay(1 + super::param::cost(format)) {
                return None;
            }
            let before = taken;
            for part in &format.parts {
                let Part::Literal(text) = part else {
                    out.parts.push(part.clone());
                    continue;
                };
                let mut text = text.as_str();
                while let Some(at) = text.find('%') {
                    push_literal(&mut out, &unescape(&text[..at], Style::Ansi));
                    let spec = &text[at + 1..];
                    let length = spec.find(|char: char| !matches!(char, '-' | '+' | ' ' | '#' | '.' | '0'..='9' | 'l'));
                    let Some(length) = length else {
                        text = "";
                        break;
                    };
                    let mut chars = spec[length..].chars();
                    let conversion = chars.next().unwrap_or('%');
                    text = chars.as_str();
                    if conversion == '%' {
                        push_literal(&mut out, "%");
                        continue;
                    }
                    let argument = rest.next();
                    taken += usize::from(argument.is_some());
                    let Some(argument) = argument else { continue };
                    match conversion {
                        'b' => {
                            for part in &argument.parts {
                                match part {
                                    Part::Literal(text) => push_literal(&mut out, &unescape(text, Style::Echo)),
                                    other => out.parts.push(other.clone()),
                                }
                            }
                        }
                        'q' | 's' | 'd' | 'i' | 'u' | 'c' => append(&mut out, argument),
                        'x' | 'X' | 'o' => match argument.as_literal().and_then(|text| text.parse::<i64>().ok()) {
                            Some(number) if conversion == 'o' => push_literal(&mut out, &format!("{number:o}")),
                            Some(number) => push_literal(&mut out, &format!("{number:x}")),
                            None => out.parts.push(Part::Unknown(Unknown::Number)),
                        },
                        _ => out.parts.push(Part::Unknown(Unknown::Other)),
                    }
                }
                push_literal(&mut out, &unescape(text, Style::Ansi));
            }
            if rest.len() == 0 || taken == before {
                break;
            }
        }
        out.parts.retain(|part| !matches!(part, Part::Literal(text) if text.is_empty()));
        Some(out)
    }

    fn cat(&mut self, call: &Call<'_>) -> Option<Word> {
        if !call.want {
            return None;
        }
        let files: Vec<&Word> = operands(call).collect();
        if files.is_empty() {
            return known_text(call.input);
        }
        let mut out = Word::default();
        for file in files {
            if file.as_literal() == Some("-") {
                append(&mut out, &known_text(call.input)?);
                continue;
            }
            let key = path::key(self.state.folder(self.choice), file)?;
            let text = self.state.file(&key)?.text.clone();
            if !self.pay(super::param::cost(&text)) {
                return None;
            }
            append(&mut out, &text);
        }
        Some(out)
    }

    /// `tee FILE`: the input, which the files hold too.
    fn tee(&mut self, call: &Call<'_>) -> Option<Word> {
        let text = known_text(call.input)?;
        let add = call.argv.iter().any(|word| matches!(word.as_literal(), Some("-a" | "--append")));
        for file in operands(call) {
            if let Some(key) = path::key(self.state.folder(self.choice), file)
                && self.pay(1 + super::param::cost(&text))
            {
                self.state.write_file(key, text.clone(), add);
            }
        }
        Some(text)
    }

    /// `cp /bin/X Y`: the program is there under another name too.
    fn copied_program(&mut self, call: &Call<'_>) {
        let operands: Vec<&Word> = operands(call).collect();
        let Some((target, sources)) = operands.split_last() else { return };
        for source in sources.iter().take(16) {
            let Some(source) = source.as_literal().filter(|source| super::run::is_system(source)) else { continue };
            let name = path::base_name(source);
            let below = Word::literal(format!("{}/{name}", target.as_literal().unwrap_or("").trim_end_matches('/')));
            for target in [*target, &below] {
                if let Some(key) = path::key(self.state.folder(self.choice), target) {
                    self.state.make_program(key, name);
                }
            }
        }
    }

    /// `cp A B`, `mv A B`, `ln A B`: a file that this text wrote is there under another name too.
    fn copied(&mut self, call: &Call<'_>) -> Option<Word> {
        self.copied_program(call);
        let input = call.input.text.is_some();
        if self.state.files.is_empty() && !input {
            return None;
        }
        let operands: Vec<&Word> = operands(call).collect();
        let (target, sources) = operands.split_last()?;
        for source in sources.iter().take(16) {
            let folder = self.state.folder(self.choice).clone();
            let text = if source.as_literal() == Some("/dev/stdin") {
                known_text(call.input)
            } else {
                path::key(&folder, source).and_then(|key| self.state.file(&key)).map(|file| file.text.clone())
            };
            let Some(text) = text else { continue };
            let name = source.as_literal().map_or("", path::base_name);
            let below = Word::literal(format!("{}/{name}", target.as_literal().unwrap_or("").trim_end_matches('/')));
            for target in [*target, &below] {
                if let Some(key) = path::key(&folder, target)
                    && self.pay(1 + super::param::cost(&text))
                {
                    self.state.write_file(key, text.clone(), false);
                }
            }
        }
        None
    }

    /// Programs that let some lines of their input through: all that is known may come.
    fn filter(&mut self, call: &Call<'_>) -> Option<Word> {
        let most = usize::from(call.name == "grep");
        let operands = operands(call).filter(|word| {
            // `head -n 3`: a number behind an option is no file.
            !word.as_literal().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if !call.want || operands.count() > most {
            return None;
        }
        if call.name == "grep"
            && call.argv.iter().any(|word| word.prefix().starts_with("-c") || word.prefix().starts_with("-q"))
        {
            return None;
        }
        known_text(call.input)
    }

    fn pwd(&mut self, _: &Call<'_>) -> Option<Word> {
        match self.state.folder(self.choice) {
            Cwd::Known(folder) => Some(Word::literal(format!("{folder}\n"))),
            Cwd::Unknown => None,
        }
    }

    fn basename(&mut self, call: &Call<'_>) -> Option<Word> {
        let mut operands = operands(call);
        let text = operands.next()?.as_literal()?;
        let suffix = operands.next().and_then(Word::as_literal).unwrap_or("");
        let name = text.trim_end_matches('/').rsplit('/').next()?;
        Some(Word::literal(name.strip_suffix(suffix).unwrap_or(name)))
    }

    fn dirname(&mut self, call: &Call<'_>) -> Option<Word> {
        let text = operands(call).next()?.as_literal()?;
        let text = text.trim_end_matches('/');
        Some(Word::literal(match text.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((folder, _)) => folder,
            None if text.is_empty() => "/",
            None => ".",
        }))
    }

    fn realpath(&mut self, call: &Call<'_>) -> Option<Word> {
        let word = operands(call).last()?;
        let text = word.as_literal()?;
        match path::join(self.state.folder(self.choice), text) {
            Cwd::Known(path) => Some(Word::literal(path)),
            Cwd::Unknown => None,
        }
    }

    /// `which X`, `command -v X`: the program's path. Where it lies nobody knows; its name counts, and that it is no file here.
    fn which(&mut self, call: &Call<'_>) -> Option<Word> {
        let asks = match call.name {
            "which" => true,
            "command" => call.argv.iter().any(|word| matches!(word.as_literal(), Some("-v" | "-V"))),
            _ => call.argv.iter().any(|word| matches!(word.as_literal(), Some("-p" | "-P"))),
        };
        if !asks {
            return None;
        }
        let name = operands(call).next()?;
        match name.as_literal() {
            Some(bare) if !bare.is_empty() && !bare.contains('/') => Some(Word::literal(format!("/usr/bin/{bare}"))),
            _ => Some(name.clone()),
        }
    }

    /// A fresh name in the folder for temporary files, or after a template.
    fn mktemp(&mut self, call: &Call<'_>) -> Option<Word> {
        const FRESH: &str = "tmp.XXXXXXXXXX";
        let mut folder = None;
        let mut template = None;
        let mut in_tmp = false;
        let mut words = call.argv[1..].iter();
        while let Some(word) = words.next() {
            match word.prefix() {
                "-p" => folder = words.next().cloned(),
                "--suffix" => drop(words.next()),
                "-t" => in_tmp = true,
                text if text.starts_with("--tmpdir=") => {
                    let mut rest = word.clone();
                    if let Some(Part::Literal(first)) = rest.parts.first_mut() {
                        *first = first["--tmpdir=".len()..].to_owned();
                    }
                    folder = Some(rest);
                }
                "--tmpdir" => in_tmp = true,
                text if text.starts_with('-') && text.len() > 1 => {
                    in_tmp |= text.contains('t') && !text.starts_with("--")
                }
                _ => template = Some(word.clone()),
            }
        }
        let default = || match self.vars.iter().find(|(name, _)| **name == *"TMPDIR") {
            Some((_, folder)) => Word::literal(&**folder),
            None => Word::literal("/tmp"),
        };
        let folder = match (&folder, &template) {
            (Some(folder), _) => Some(folder.clone()),
            (None, None) => Some(default()),
            (None, Some(_)) => in_tmp.then(default),
        };
        let template = template.unwrap_or_else(|| Word::literal(FRESH));
        let mut out = Word::default();
        if let Some(folder) = folder {
            append(&mut out, &folder);
            push_literal(&mut out, "/");
        }
        append(&mut out, &template);
        Some(out)
    }

    fn seq(&mut self, call: &Call<'_>) -> Option<Word> {
        let _ = call;
        Some(state::unknown(Unknown::Number))
    }

    /// Below which folders the lines of some commands' output lie, if they are paths.
    pub(super) fn roots(&self, commands: &[usize]) -> Vec<Word> {
        let mut roots = Vec::new();
        let mut queue: Vec<usize> = commands.to_vec();
        let mut seen = 0;
        while let Some(index) = queue.pop() {
            seen += 1;
            let Some(command) = self.commands.get(index).filter(|_| seen < 64) else { break };
            let name = command.argv.first().and_then(Word::as_literal).map_or("", path::base_name);
            match name {
                "find" | "gfind" | "bfs" => {
                    let before = roots.len();
                    roots.extend(super::run::find_roots(&command.argv));
                    if roots.len() == before {
                        roots.push(Word::literal("."));
                    }
                }
                "fd" | "fdfind" => roots.extend(super::run::fd_roots(&command.argv)),
                "ls" | "du" | "tree" => {
                    let paths: Vec<Word> =
                        command.argv[1..].iter().filter(|word| !word.prefix().starts_with('-')).cloned().collect();
                    if paths.is_empty() {
                        roots.push(Word::literal("."));
                    } else {
                        roots.extend(paths);
                    }
                }
                "git" if command.argv.iter().any(|word| word.as_literal() == Some("ls-files")) => {
                    roots.push(Word::literal("."));
                }
                "rg" | "grep" | "sort" | "uniq" | "head" | "tail" | "sed" | "awk" | "tr" | "cut" | "tee" | "cat"
                | "shuf" | "tac" | "xargs" | "fzf" => {
                    if let Stdin::Pipe(before) = &command.stdin {
                        queue.extend(before);
                    }
                }
                _ => {}
            }
        }
        roots
    }
}

/// The text of an input, if any of it is known.
pub(super) fn known_text(input: &Input) -> Option<Word> {
    let text = input.text.as_ref()?;
    let known = text.parts.iter().any(|part| !matches!(part, Part::Unknown(_)));
    (known || text.parts.is_empty()).then(|| Word::clone(text))
}

fn append(out: &mut Word, word: &Word) {
    for part in &word.parts {
        match part {
            Part::Literal(text) => push_literal(out, text),
            other => out.parts.push(other.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted_by_name() {
        assert!(super::PRINTERS.is_sorted_by(|left, right| left.0 < right.0));
    }
}
