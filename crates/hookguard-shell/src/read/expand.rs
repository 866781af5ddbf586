//! Words: from the parts that are written to the fields that a command gets.

use std::rc::Rc;

use super::Reader;
use super::ansi::{Style, unescape};
use super::brace::{self, Piece};
use super::fields::Fields;
use super::source::{Source, split_holes};
use super::state::{self, Value};
use super::walk::{Input, Out};
use crate::command::{Part, Stdin, Step, Unknown, Via, Word};
use crate::syntax::Kind;

/// What a substitution of the current command gave when its commands were listed.
pub(super) struct Memo {
    source: *const Source,
    node: usize,
    out: Out,
    /// Its text depends on the choice among alternatives.
    depends: bool,
}

/// So many substitutions of one command are remembered; more are listed again for each alternative.
const MAX_MEMOS: usize = 256;

/// How a word is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// As an argument: braces, tilde, fields, patterns.
    Fields,
    /// As the value of an assignment: one word, no patterns.
    Value,
}

impl Reader {
    /// A word as arguments.
    pub(super) fn fields(&mut self, source: &Rc<Source>, at: usize) -> Vec<Word> {
        let node = source.node(at);
        let Kind::Word(flags) = node.kind else { return Vec::new() };
        if !self.pay(1) {
            return Vec::new();
        }
        let end = node.next as usize;
        if flags & crate::syntax::FLAG_BRACE != 0 {
            let pieces = if end > at + 1 {
                source.script.nodes[at + 1..end].iter().map(|node| node.next as usize).collect::<Vec<_>>()
            } else {
                Vec::new()
            };
            drop(pieces);
            match brace::expand(source, at) {
                brace::Expansion::None => {}
                brace::Expansion::Words(words) => {
                    let mut fields = Fields::default();
                    for word in words {
                        if !self.pay(word.len()) {
                            break;
                        }
                        for piece in &word {
                            match piece {
                                Piece::Lit(start, end) => {
                                    self.unquoted_text(source, &source.text[*start..*end], Mode::Fields, &mut fields);
                                }
                                Piece::Text(text) => fields.pattern(text),
                                Piece::Glob => fields.glob("*"),
                                Piece::Node(node) => self.part(source, *node, Mode::Fields, &mut fields),
                            }
                        }
                        fields.split();
                    }
                    return fields.finish();
                }
                brace::Expansion::TooMany => self.error(node.start as usize, "too many words in braces"),
            }
        }
        let mut fields = Fields::default();
        if end == at + 1 {
            if flags == 0 && source.holes.is_empty() {
                return vec![Word::literal(source.slice(node))];
            }
            self.unquoted_text(source, source.slice(node), Mode::Fields, &mut fields);
        } else {
            self.parts(source, at, Mode::Fields, &mut fields);
        }
        fields.finish()
    }

    /// A word as one value.
    pub(super) fn value(&mut self, source: &Rc<Source>, at: usize) -> Word {
        let node = source.node(at);
        let mut fields = Fields::default();
        if node.next as usize == at + 1 {
            self.unquoted_text(source, source.slice(node), Mode::Value, &mut fields);
        } else {
            self.parts(source, at, Mode::Value, &mut fields);
        }
        fields.join()
    }

    /// The children of a node as quoted text.
    pub(super) fn quoted_value(&mut self, source: &Rc<Source>, at: usize) -> Word {
        let mut fields = Fields::default();
        self.quoted_parts(source, at, &mut fields);
        fields.join()
    }

    fn parts(&mut self, source: &Rc<Source>, at: usize, mode: Mode, fields: &mut Fields) {
        let end = source.node(at).next as usize;
        let mut child = at + 1;
        while child < end {
            self.part(source, child, mode, fields);
            child = source.node(child).next as usize;
        }
    }

    fn quoted_parts(&mut self, source: &Rc<Source>, at: usize, fields: &mut Fields) {
        let end = source.node(at).next as usize;
        let mut child = at + 1;
        while child < end {
            let node = source.node(child);
            match node.kind {
                Kind::Lit | Kind::Quoted => self.quoted_text(source, source.slice(node), fields),
                _ => self.expansion(source, child, true, fields),
            }
            child = node.next as usize;
        }
    }

    pub(super) fn part(&mut self, source: &Rc<Source>, at: usize, mode: Mode, fields: &mut Fields) {
        let node = source.node(at);
        match node.kind {
            Kind::Lit => self.unquoted_text(source, source.slice(node), mode, fields),
            Kind::Quoted => {
                fields.quoted();
                self.quoted_text(source, source.slice(node), fields);
            }
            Kind::Ansi => {
                fields.quoted();
                let text = unescape(source.slice(node), Style::Ansi);
                self.quoted_text(source, &text, fields);
            }
            Kind::Double => {
                // `"$@"` with no arguments is no field at all.
                let only_list = node.next as usize == at + 2 && self.is_empty_list(source, at + 1);
                if !only_list {
                    fields.quoted();
                }
                self.quoted_parts(source, at, fields);
            }
            Kind::ExtGlob => {
                let end = node.next as usize;
                let mut child = at + 1;
                while child < end {
                    self.touch(source, child);
                    child = source.node(child).next as usize;
                }
                if mode == Mode::Fields { fields.glob(source.slice(node)) } else { fields.lit(source.slice(node)) }
            }
            Kind::Array => self.touch(source, at),
            _ => self.expansion(source, at, mode == Mode::Value, fields),
        }
    }

    fn quoted_text(&mut self, source: &Source, text: &str, fields: &mut Fields) {
        if source.holes.is_empty() {
            fields.lit(text);
        } else {
            split_holes(text, &source.holes, |piece| match piece {
                Ok(text) => fields.lit(text),
                Err(part) => fields.part(part),
            });
        }
    }

    /// Text outside of quotes: tilde, patterns.
    fn unquoted_text(&mut self, source: &Source, text: &str, mode: Mode, fields: &mut Fields) {
        let mut text = text;
        if fields.at_start() && text.starts_with('~') {
            text = self.tilde(text, fields);
        }
        if mode == Mode::Value && text.contains(":~") {
            let mut rest = text;
            while let Some(at) = rest.find(":~") {
                fields.lit(&rest[..=at]);
                rest = self.tilde(&rest[at + 1..], fields);
            }
            text = rest;
        }
        if mode == Mode::Fields
            && let Some(equals) = text.find("=~")
            && text[..equals].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        {
            // `export X=~/y` expands; so do others' `--prefix=~/y` in the shells that read it so.
            fields.lit(&text[..=equals]);
            text = self.tilde(&text[equals + 1..], fields);
        }
        if source.holes.is_empty() {
            if mode == Mode::Fields {
                fields.pattern(text)
            } else {
                fields.lit(text)
            }
            return;
        }
        split_holes(text, &source.holes, |piece| match piece {
            Ok(text) if mode == Mode::Fields => fields.pattern(text),
            Ok(text) => fields.lit(text),
            Err(part) => fields.part(part),
        });
    }

    /// A `~` at the start of `text`; gives the rest.
    fn tilde<'t>(&mut self, text: &'t str, fields: &mut Fields) -> &'t str {
        let end = text.find(['/', ':']).unwrap_or(text.len());
        let (prefix, rest) = text.split_at(end);
        match &prefix[1..] {
            "" => {
                let home = self.lookup("HOME");
                fields.verbatim(&home);
            }
            "+" => {
                let folder = self.lookup("PWD");
                fields.verbatim(&folder);
            }
            "-" => {
                let folder = self.lookup("OLDPWD");
                fields.verbatim(&folder);
            }
            "root" => fields.lit("/root"),
            name if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) => {
                // Homes of one machine lie side by side.
                let beside = self.home.as_deref().and_then(|home| home.trim_end_matches('/').rsplit_once('/'));
                match beside {
                    Some((folder, own)) if own == name || !folder.is_empty() => {
                        fields.lit(folder);
                        fields.lit("/");
                        fields.lit(name);
                    }
                    _ => {
                        fields.lit("/home/");
                        fields.lit(name);
                    }
                }
            }
            _ => fields.lit(prefix),
        }
        rest
    }

    /// A variable's value as one word.
    pub(super) fn lookup(&mut self, name: &str) -> Word {
        match self.known(name) {
            Some(Value::Text(word)) => word,
            Some(Value::List(words)) => words.into_iter().next().unwrap_or_default(),
            Some(Value::Map(_)) => state::unknown(Unknown::Other),
            None => state::unknown(state::unset(name)),
        }
    }

    /// A variable's value, if the text or the environment tells it. Sees how many alternatives there are.
    pub(super) fn known(&mut self, name: &str) -> Option<Value> {
        if let Some(variable) = self.state.variable(name) {
            let count = variable.values.len();
            let value = variable.values.get(self.choice % count.max(1)).cloned();
            self.alternatives = self.alternatives.max(count);
            return value;
        }
        match name {
            "PWD" => {
                self.alternatives = self.alternatives.max(self.state.folders().len());
                if let crate::command::Cwd::Known(folder) = self.state.folder(self.choice) {
                    return Some(Value::Text(Word::literal(folder.as_str())));
                }
                None
            }
            "OLDPWD" => match self.state.previous().and_then(|folders| folders.into_iter().next()) {
                Some(crate::command::Cwd::Known(folder)) => Some(Value::Text(Word::literal(folder))),
                _ => None,
            },
            "HOME" if self.home.is_some() => self.home.as_deref().map(|home| Value::Text(Word::literal(home))),
            "IFS" => Some(Value::Text(Word::literal(" \t\n"))),
            _ => self
                .vars
                .iter()
                .find(|(other, _)| **other == *name)
                .map(|(_, value)| Value::Text(Word::literal(&**value))),
        }
    }

    /// An expansion: `$X`, `${…}`, `$(…)`, `<(…)`, `$((…))`.
    pub(super) fn expansion(&mut self, source: &Rc<Source>, at: usize, quoted: bool, fields: &mut Fields) {
        if !self.pay(1) {
            return;
        }
        let node = source.node(at);
        match node.kind {
            Kind::Variable => {
                let name = source.slice(node).to_owned();
                self.variable(&name, quoted, fields);
            }
            Kind::Param => self.parameter(source, at, quoted, fields),
            Kind::Substitution | Kind::FunSub | Kind::Backtick => {
                let out = self.substitution(source, at);
                let word = trimmed(out.text);
                if quoted { fields.verbatim(&word) } else { fields.unquoted(&word) }
            }
            Kind::ProcessIn | Kind::ProcessOut => {
                let outer = self.alternatives;
                let reading = node.kind == Kind::ProcessIn;
                let mark = self.state.mark();
                let out = self.within(Step::ProcessSubstitution, "", |reader| {
                    let input = if reading {
                        Input::default()
                    } else {
                        Input { stdin: Stdin::Pipe(vec![reader.writer.0]), text: reader.writer.1.clone() }
                    };
                    reader.walk(source, at + 1, node.next as usize, input, reading)
                });
                self.state.roll_back(mark);
                self.alternatives = self.alternatives.max(outer);
                self.process_out = Some(out);
                fields.unknown(Unknown::Process);
            }
            Kind::Arithmetic => {
                self.touch_children(source, at);
                let text = source.slice(node).to_owned();
                self.arithmetic_changes(source, text.trim_start_matches(['$', '(', '[']));
                fields.unknown(Unknown::Number);
            }
            Kind::Double => {
                fields.quoted();
                self.quoted_parts(source, at, fields);
            }
            Kind::Lit => self.unquoted_text(source, source.slice(node), Mode::Value, fields),
            Kind::Quoted => self.quoted_text(source, source.slice(node), fields),
            Kind::Ansi => fields.lit(&unescape(source.slice(node), Style::Ansi)),
            _ => self.touch_children(source, at),
        }
    }

    /// Evaluates a node only for the commands in it.
    pub(super) fn touch(&mut self, source: &Rc<Source>, at: usize) {
        match source.node(at).kind {
            Kind::Subscript | Kind::Array | Kind::ExtGlob => self.touch_children(source, at),
            Kind::Word(_) => drop(self.value(source, at)),
            Kind::Lit | Kind::Quoted | Kind::Ansi => {}
            _ => self.expansion(source, at, true, &mut Fields::default()),
        }
    }

    pub(super) fn touch_children(&mut self, source: &Rc<Source>, at: usize) {
        let end = source.node(at).next as usize;
        let mut child = at + 1;
        while child < end {
            self.touch(source, child);
            child = source.node(child).next as usize;
        }
    }

    /// Runs a substitution's commands and gives their output. They are listed once, whatever the alternatives.
    fn substitution(&mut self, source: &Rc<Source>, at: usize) -> Out {
        let pointer = Rc::as_ptr(source);
        let listed = self.memo.iter().position(|memo| memo.source == pointer && memo.node == at);
        let index = match listed {
            Some(index) => index,
            None => {
                let outer = std::mem::replace(&mut self.alternatives, 1);
                let choice = if self.fixed { self.choice } else { std::mem::replace(&mut self.choice, 0) };
                let memo = std::mem::take(&mut self.memo);
                let out = self.run_substitution(source, at);
                self.memo = memo;
                self.choice = choice;
                let depends = self.alternatives > 1 && !self.fixed;
                self.alternatives = self.alternatives.max(outer);
                if self.memo.len() >= MAX_MEMOS {
                    return out;
                }
                self.memo.push(Memo { source: pointer, node: at, out, depends });
                self.memo.len() - 1
            }
        };
        if !self.memo[index].depends {
            return self.memo[index].out.clone();
        }
        // Again, for the current choice only; what it lists is listed already.
        let commands = self.commands.len();
        let fixed = std::mem::replace(&mut self.fixed, true);
        let memo = std::mem::take(&mut self.memo);
        let mut out = self.run_substitution(source, at);
        self.memo = memo;
        self.fixed = fixed;
        self.commands.truncate(commands);
        let first = &self.memo[index].out;
        for part in &mut out.text.parts {
            if let Part::Unknown(Unknown::Substitution { commands: of }) = part {
                of.clone_from(&first.commands);
            }
        }
        out.commands.clone_from(&first.commands);
        out
    }

    fn run_substitution(&mut self, source: &Rc<Source>, at: usize) -> Out {
        let node = source.node(at);
        let (inner, from, to) = match node.kind {
            Kind::Backtick => {
                let inner = Rc::new(source.inner(&source.script.inner[node.start as usize]));
                let to = inner.script.complete;
                (inner, 0, to)
            }
            _ => (Rc::clone(source), at + 1, node.next as usize),
        };
        let span = self.context.span;
        if source.outermost && !inner.outermost {
            self.context.span = Some(crate::command::Span { start: node.end as usize, end: node.end as usize + 1 });
        }
        let mark = self.state.mark();
        let out = self.within(Step::Substitution, "", |reader| {
            if from < to
                && let Some(file) = reader.only_read(&inner, from, to)
            {
                return file;
            }
            reader.walk(&inner, from, to, Input::default(), true)
        });
        if node.kind != Kind::FunSub {
            self.state.roll_back(mark);
        }
        self.context.span = span;
        out
    }

    /// `$(<file)`: the file's text.
    fn only_read(&mut self, source: &Rc<Source>, from: usize, to: usize) -> Option<Out> {
        let simple = source.node(from);
        let redirect = source.script.nodes.get(from + 1)?;
        if simple.kind != Kind::Simple
            || redirect.kind != Kind::Redirect(crate::syntax::RedirectOp::Read)
            || redirect.next != simple.next
            || (simple.next as usize) < to
        {
            return None;
        }
        let input = Input::default();
        let index = self.commands.len();
        self.simple(source, from, &input, true);
        let Some(command) = self.commands.get(index) else { return Some(Out::default()) };
        let target = command.redirects.first().map(|redirect| redirect.target.clone()).unwrap_or_default();
        let text = super::path::key(self.state.folder(self.choice), &target)
            .and_then(|key| self.state.file(&key))
            .map(|file| file.text.clone())
            .unwrap_or_else(|| state::unknown(Unknown::Substitution { commands: vec![index] }));
        Some(Out { commands: vec![index], text })
    }

    /// Runs something one step further away.
    pub(super) fn within<T>(&mut self, step: Step, program: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        self.context.via.push(Via { step, program: program.to_owned() });
        let result = run(self);
        self.context.via.pop();
        result
    }
}

/// Output as a substitution gives it: without its last newlines.
pub(super) fn trimmed(mut word: Word) -> Word {
    while let Some(Part::Literal(text)) = word.parts.last_mut() {
        let length = text.trim_end_matches('\n').len();
        text.truncate(length);
        if length > 0 {
            break;
        }
        word.parts.pop();
    }
    word
}
