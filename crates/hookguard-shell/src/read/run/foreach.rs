//! Programs that run a command for many items: `find -exec`, `fd -x`, `xargs`, `parallel`.

use super::super::Reader;
use super::super::builtin::joined;
use super::super::simple::Call;
use super::super::walk::{Input, Out};
use super::options::{self, Options};
use super::{find_roots, item};
use crate::command::{Part, Runs, Step, Word};

/// How many known items are run one by one; more stand as one that may be any of them.
const MAX_ITEMS: usize = 32;

const XARGS: Options = Options {
    short: "IJLRSEnPsda",
    long: &[
        "--max-args",
        "--max-procs",
        "--max-chars",
        "--max-lines",
        "--delimiter",
        "--arg-file",
        "--process-slot-var",
    ],
    code: &[],
    assigns: false,
};

const PARALLEL: Options = Options {
    short: "jIaSLnNdPEs",
    long: &[
        "--jobs",
        "--max-procs",
        "--arg-file",
        "--sshlogin",
        "--delay",
        "--timeout",
        "--joblog",
        "--results",
        "--colsep",
        "--delimiter",
        "--max-args",
        "--retries",
        "--load",
        "--memfree",
        "--tmpdir",
        "--workdir",
        "--wd",
        "--halt",
    ],
    code: &[],
    assigns: false,
};

const FD: Options = Options {
    short: "dtecEjSoC",
    long: &[
        "--max-depth",
        "--min-depth",
        "--exact-depth",
        "--type",
        "--extension",
        "--exclude",
        "--color",
        "--threads",
        "--size",
        "--owner",
        "--base-directory",
        "--search-path",
        "--changed-within",
        "--changed-before",
        "--format",
        "--and",
        "--ignore-file",
        "--max-results",
    ],
    code: &[],
    assigns: false,
};

impl Reader {
    pub(super) fn find(&mut self, call: &Call<'_>) -> Out {
        let mut roots = find_roots(call.argv);
        if roots.is_empty() {
            roots.push(Word::literal("."));
        }
        let found = item(roots, vec![call.index]);
        let mut at = 1;
        while let Some(word) = call.argv.get(at) {
            at += 1;
            if !matches!(word.as_literal(), Some("-exec" | "-execdir" | "-ok" | "-okdir")) {
                continue;
            }
            let rest = &call.argv[at..];
            let end = rest.iter().position(|word| matches!(word.as_literal(), Some(";" | "+"))).unwrap_or(rest.len());
            if !self.pay(end) {
                break;
            }
            let words = rest[..end].iter().map(|word| replace(word, &["{}"], &found).0).collect();
            self.commands[call.index].runs = Some(Runs::Opened);
            self.run_words(call, Step::ForEach, words, &Input::default(), false);
            at += end + 1;
        }
        self.unknown_out(call.index, call.want)
    }

    pub(super) fn fd(&mut self, call: &Call<'_>) -> Out {
        let exec = call
            .argv
            .iter()
            .position(|word| matches!(word.as_literal(), Some("-x" | "--exec" | "-X" | "--exec-batch")));
        if let Some(exec) = exec {
            let found = item(fd_roots(&call.argv[..exec]), vec![call.index]);
            let rest = &call.argv[exec + 1..];
            let end = rest.iter().position(|word| word.as_literal() == Some(";")).unwrap_or(rest.len());
            let words = with_item(&rest[..end], &["{}", "{.}", "{/.}", "{//}", "{/}"], &found);
            self.commands[call.index].runs = Some(Runs::Opened);
            self.run_words(call, Step::ForEach, words, &Input::default(), false);
        }
        self.unknown_out(call.index, call.want)
    }

    pub(super) fn xargs(&mut self, call: &Call<'_>) -> Out {
        let mut options = XARGS;
        // `-i` and `-e` and `-l` take their value in the same word only.
        options.assigns = false;
        let read = options::read(call.argv, 1, &options);
        let mut words = call.argv.get(read.rest..).unwrap_or_default().to_vec();
        if words.is_empty() {
            words.push(Word::literal("echo"));
        }
        let mark = match read.value(&["I", "J", "replace"]) {
            Some(word) => Some(word.as_literal().unwrap_or("{}").to_owned()),
            None if read.has(&["i", "replace"]) => Some("{}".to_owned()),
            None => None,
        };
        let split = !read.has(&["0", "null", "d", "delimiter"]) && mark.is_none();
        self.commands[call.index].runs = Some(Runs::Opened);
        let items =
            if read.has(&["a", "arg-file"]) { Err(item(Vec::new(), Vec::new())) } else { self.items(call.input) };
        let items = match items {
            Ok(lines) if split => Ok(lines.iter().flat_map(split_blanks).collect()),
            items => items,
        };
        match (items, mark) {
            (Ok(items), None) => {
                words.extend(items);
                self.run_words(call, Step::ForEach, words, &Input::default(), call.want)
            }
            (Err(item), None) => {
                words.push(item);
                self.run_words(call, Step::ForEach, words, &Input::default(), call.want)
            }
            (Ok(items), Some(mark)) if items.len() <= MAX_ITEMS => {
                let mut out = Out::default();
                for item in &items {
                    let words = words.iter().map(|word| replace(word, &[&mark], item).0).collect();
                    out.append(self.run_words(call, Step::ForEach, words, &Input::default(), call.want));
                }
                out
            }
            (items, Some(mark)) => {
                let item = items.map_or_else(|item| item, |items| item(items, Vec::new()));
                let words = words.iter().map(|word| replace(word, &[&mark], &item).0).collect();
                self.run_words(call, Step::ForEach, words, &Input::default(), call.want)
            }
        }
    }

    pub(super) fn parallel(&mut self, call: &Call<'_>) -> Out {
        const MARKS: [&str; 7] = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}"];
        let read = options::read(call.argv, 1, &PARALLEL);
        let rest = call.argv.get(read.rest..).unwrap_or_default();
        let is_list = |word: &Word| matches!(word.as_literal(), Some(":::" | ":::+" | "::::" | "::::+"));
        let end = rest.iter().position(is_list).unwrap_or(rest.len());
        let (words, lists) = rest.split_at(end);
        let items = if lists.is_empty() {
            if read.has(&["a", "arg-file"]) { Err(item(Vec::new(), Vec::new())) } else { self.items(call.input) }
        } else if lists.iter().any(|word| matches!(word.as_literal(), Some("::::" | "::::+"))) {
            Err(item(Vec::new(), Vec::new()))
        } else {
            Ok(lists.iter().filter(|word| !is_list(word)).cloned().collect())
        };
        if words.is_empty() {
            // The items are the commands.
            return match items {
                Ok(items) => {
                    let mut out = Out::default();
                    for code in items.iter().take(MAX_ITEMS * 4) {
                        out.append(self.run_code(call, code, Step::Code, None, Input::default(), false));
                    }
                    out
                }
                Err(_) => {
                    self.commands[call.index].runs = Some(Runs::Stdin);
                    self.unknown_out(call.index, call.want)
                }
            };
        }
        let run = |reader: &mut Reader, item: &Word| {
            let code = joined(&with_item(words, &MARKS, &quoted(item)));
            reader.for_each_code(call, &code)
        };
        match items {
            Ok(items) if items.len() <= MAX_ITEMS => {
                let mut out = Out::default();
                for item in &items {
                    out.append(run(self, item));
                }
                out
            }
            Ok(items) => run(self, &item(items, Vec::new())),
            Err(item) => run(self, &item),
        }
    }

    fn for_each_code(&mut self, call: &Call<'_>, code: &Word) -> Out {
        self.run_code(call, code, Step::ForEach, None, Input::default(), false)
    }
}

/// The folders that `fd` looks in: its operands behind the pattern.
pub(in super::super) fn fd_roots(argv: &[Word]) -> Vec<Word> {
    let mut operands = Vec::new();
    let mut roots = Vec::new();
    let mut at = 1;
    while at < argv.len() {
        let read = options::read(argv, at, &FD);
        roots.extend(read.value(&["C", "base-directory", "search-path"]).cloned());
        at = read.rest;
        if let Some(word) = argv.get(at) {
            if !matches!(word.as_literal(), Some("-x" | "-X" | "--exec" | "--exec-batch")) {
                operands.push(word.clone());
            } else {
                break;
            }
        }
        at += 1;
    }
    roots.extend(operands.into_iter().skip(1));
    if roots.is_empty() {
        roots.push(Word::literal("."));
    }
    roots
}

/// Words with an item in the place of its marks, or behind them if there is no mark.
fn with_item(words: &[Word], marks: &[&str], item: &Word) -> Vec<Word> {
    let mut any = false;
    let mut out: Vec<Word> = words
        .iter()
        .map(|word| {
            let (word, found) = replace(word, marks, item);
            any |= found;
            word
        })
        .collect();
    if !any {
        out.push(item.clone());
    }
    out
}

/// A word with every mark replaced; and whether there was one.
fn replace(word: &Word, marks: &[&str], item: &Word) -> (Word, bool) {
    let mut out = Word::default();
    let mut found = false;
    for part in &word.parts {
        let Part::Literal(text) = part else {
            out.parts.push(part.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some((at, mark)) =
            marks.iter().filter_map(|mark| rest.find(mark).map(|at| (at, mark))).min_by_key(|(at, _)| *at)
        {
            found = true;
            push(&mut out, &rest[..at]);
            for part in &item.parts {
                match part {
                    Part::Literal(text) => push(&mut out, text),
                    other => out.parts.push(other.clone()),
                }
            }
            rest = &rest[at + mark.len()..];
        }
        push(&mut out, rest);
    }
    (out, found)
}

fn push(word: &mut Word, text: &str) {
    if !text.is_empty() {
        super::super::redirects::push_literal(word, text);
    }
}

/// A known item as one word of shell code.
fn quoted(item: &Word) -> Word {
    let mut out = Word::default();
    for part in &item.parts {
        match part {
            Part::Literal(text)
                if text.bytes().any(|byte| !(byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte))) =>
            {
                push(&mut out, &format!("'{}'", text.replace('\'', "'\\''")));
            }
            Part::Literal(text) => push(&mut out, text),
            other => out.parts.push(other.clone()),
        }
    }
    out
}

/// A line as `xargs` splits it: at blanks, quotes taken off.
fn split_blanks(line: &Word) -> Vec<Word> {
    let Some(text) = line.as_literal() else { return vec![line.clone()] };
    let mut words = Vec::new();
    let mut current = String::new();
    let mut inside = false;
    let mut quote = None;
    for char in text.chars() {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some(_), _) => current.push(char),
            (None, '\'' | '"') => {
                quote = Some(char);
                inside = true;
            }
            (None, ' ' | '\t') => {
                if inside || !current.is_empty() {
                    words.push(Word::literal(std::mem::take(&mut current)));
                }
                inside = false;
            }
            _ => current.push(char),
        }
    }
    if inside || !current.is_empty() {
        words.push(Word::literal(current));
    }
    words
}
