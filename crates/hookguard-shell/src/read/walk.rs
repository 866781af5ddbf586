//! The walk along the tape: pipelines, lists, compound commands, and what scope their changes have.

use std::rc::Rc;

use super::Reader;
use super::redirects::Opened;
use super::source::Source;
use super::state::{self, Arms, Function, Value, Variable};
use crate::command::{Part, Stdin, Unknown, Word};
use crate::syntax::{Compound, Kind, Mark};

/// What stands on a command's standard input.
#[derive(Debug, Clone, Default)]
pub(super) struct Input {
    pub(super) stdin: Stdin,
    /// Its text, where all or some of it is known.
    pub(super) text: Option<Rc<Word>>,
}

/// What commands put on their standard output.
#[derive(Debug, Clone, Default)]
pub(super) struct Out {
    /// Those that do.
    pub(super) commands: Vec<usize>,
    /// The text, with an unknown part for the output of each command that is not known. Only kept where it is wanted.
    pub(super) text: Word,
}

impl Out {
    pub(super) fn append(&mut self, other: Out) {
        if self.commands.is_empty() {
            self.commands = other.commands;
        } else {
            self.commands.extend(other.commands);
        }
        if self.text.parts.is_empty() {
            self.text = other.text;
            return;
        }
        for part in other.text.parts {
            match (self.text.parts.last_mut(), part) {
                (Some(Part::Literal(last)), Part::Literal(text)) => last.push_str(&text),
                (_, part) => self.text.parts.push(part),
            }
        }
    }

    /// As the input of the next command of a pipeline.
    pub(super) fn into_input(self) -> Input {
        Input { stdin: Stdin::Pipe(self.commands), text: Some(Rc::new(self.text)) }
    }
}

/// A list that is being walked: the script's own, or that of a compound command.
struct Level {
    compound: Option<Compound>,
    /// The index of its node.
    node: usize,
    /// What its first commands read.
    input: Input,
    /// What the current command of a pipeline reads.
    element: Input,
    out: Out,
    current: Out,
    want: bool,
    /// Where its output goes, and the command that stands for its redirects.
    opened: Opened,
    /// Where the journal stood when the level, its current list and its current pipeline began.
    scope: usize,
    list: usize,
    pipeline: usize,
    piped: bool,
    coproc: bool,
    /// The arms of an `if` or `case`.
    arms: Arms,
    covered: bool,
    /// The arms of `&&` and `||`.
    and_or: Arms,
    sides: (bool, bool),
    /// The last command was a test.
    tested: bool,
}

impl Level {
    fn new(compound: Option<Compound>, node: usize, input: Input, want: bool, mark: usize) -> Level {
        Level {
            compound,
            node,
            element: input.clone(),
            input,
            out: Out::default(),
            current: Out::default(),
            want,
            opened: Opened::default(),
            scope: mark,
            list: mark,
            pipeline: mark,
            piped: false,
            coproc: false,
            arms: Arms::default(),
            covered: false,
            and_or: Arms::default(),
            sides: (false, false),
            tested: false,
        }
    }
}

impl Reader {
    /// Runs a whole text: its complete lines, if it has an error.
    pub(super) fn run_source(&mut self, source: &Rc<Source>, input: Input, want: bool) -> Out {
        for error in &source.script.errors {
            let at = if source.outermost { error.at } else { self.context.span.map_or(error.at, |span| span.start) };
            self.error(at, error.what);
        }
        self.walk(source, 0, source.script.complete, input, want)
    }

    /// Walks the statements between two nodes.
    pub(super) fn walk(&mut self, source: &Rc<Source>, from: usize, to: usize, input: Input, want: bool) -> Out {
        if !self.enter() {
            return Out::default();
        }
        let mut levels = vec![Level::new(None, 0, input, want, self.state.mark())];
        let mut at = from;
        while at < to {
            if !self.pay(1) {
                break;
            }
            at = self.step(source, at, &mut levels);
        }
        while levels.len() > 1 {
            self.close(&mut levels);
        }
        let mut out = Out::default();
        if let Some(mut level) = levels.pop() {
            self.end_list(&mut level);
            out = level.out;
        }
        self.leave();
        out
    }

    /// One node; gives the next.
    fn step(&mut self, source: &Rc<Source>, at: usize, levels: &mut Vec<Level>) -> usize {
        let node = source.node(at);
        let next = node.next as usize;
        let Some(level) = levels.last_mut() else { return next };
        match node.kind {
            Kind::Simple => {
                let want = level.want || is_pipe(source, next);
                let input = level.element.clone();
                level.tested = is_test(source, at);
                let out = self.simple(source, at, &input, want);
                level.current.append(out);
                next
            }
            Kind::Pipe => {
                self.state.roll_back(level.pipeline);
                level.piped = true;
                level.element = std::mem::take(&mut level.current).into_input();
                next
            }
            Kind::And => {
                let tested = level.tested;
                self.end_pipeline(level);
                if tested {
                    self.state.begin_arm(&mut level.and_or);
                    level.sides.0 = true;
                    level.pipeline = self.state.mark();
                }
                next
            }
            Kind::Or => {
                self.end_pipeline(level);
                self.state.begin_arm(&mut level.and_or);
                level.sides.1 = true;
                level.pipeline = self.state.mark();
                next
            }
            Kind::Sequence => {
                self.end_list(level);
                next
            }
            Kind::Background => {
                level.coproc = true;
                self.end_list(level);
                next
            }
            Kind::Mark(mark) => {
                self.mark(mark, level);
                next
            }
            Kind::Open(compound) => self.open(source, at, compound, levels),
            Kind::Close(_) => {
                self.close(levels);
                at + 1
            }
            Kind::Function => {
                let name = source.slice(node).to_owned();
                let function = Function { source: Rc::clone(source), from: at + 1, to: next };
                self.state.define(&name, Some(function));
                next
            }
            Kind::Word(_) => {
                // A pattern of a `case`, an operand of `[[`.
                if level.compound == Some(Compound::Case) && source.slice(node) == "*" {
                    level.covered = true;
                }
                drop(self.value(source, at));
                next
            }
            Kind::Redirect(_) | Kind::HereText => next,
            _ => {
                // An expansion inside of arithmetic.
                self.touch(source, at);
                next
            }
        }
    }

    fn mark(&mut self, mark: Mark, level: &mut Level) {
        match mark {
            Mark::Not | Mark::Time => {}
            Mark::Coproc => level.coproc = true,
            Mark::Do => self.end_list(level),
            Mark::Then | Mark::Arm => {
                self.end_list(level);
                self.state.begin_arm(&mut level.arms);
                self.start_list(level);
            }
            Mark::Elif | Mark::ArmEnd => {
                self.end_list(level);
                self.state.end_arm(&mut level.arms);
                self.start_list(level);
            }
            Mark::Else => {
                self.end_list(level);
                self.state.begin_arm(&mut level.arms);
                level.covered = true;
                self.start_list(level);
            }
        }
    }

    fn start_list(&mut self, level: &mut Level) {
        level.list = self.state.mark();
        level.pipeline = level.list;
    }

    fn end_pipeline(&mut self, level: &mut Level) {
        if level.piped {
            self.state.roll_back(level.pipeline);
            level.piped = false;
            level.element = level.input.clone();
        }
        let out = std::mem::take(&mut level.current);
        level.out.append(out);
        level.pipeline = self.state.mark();
        level.tested = false;
    }

    fn end_list(&mut self, level: &mut Level) {
        self.end_pipeline(level);
        if level.sides != (false, false) {
            let covered = level.sides == (true, true);
            self.state.merge(std::mem::take(&mut level.and_or), covered);
            level.sides = (false, false);
        }
        if level.coproc {
            self.state.roll_back(level.list);
            level.coproc = false;
        }
        self.start_list(level);
    }

    /// A compound command begins.
    fn open(&mut self, source: &Rc<Source>, at: usize, compound: Compound, levels: &mut Vec<Level>) -> usize {
        let node = source.node(at);
        let next = node.next as usize;
        let Some(parent) = levels.last_mut() else { return next };
        parent.tested = matches!(compound, Compound::Test | Compound::Arithmetic);
        let redirects_end = redirects_end(source, next);
        let piped = is_pipe(source, redirects_end);
        let outer = parent.element.clone();
        let parent_want = parent.want;
        let opened = self.open_redirects(source, next, redirects_end, &outer);
        let want = parent_want || piped || opened.wants_text();
        let input = opened.input.clone().unwrap_or(outer);
        let mut level = Level::new(Some(compound), at, input, want, self.state.mark());
        level.opened = opened;
        let mut first = at + 1;
        self.loops += usize::from(is_loop(compound));
        match compound {
            Compound::For | Compound::Select => first = self.bind_loop(source, at),
            Compound::Arithmetic => self.arithmetic_changes(source, source.slice(node)),
            _ => {}
        }
        levels.push(level);
        first
    }

    /// A compound command ends.
    fn close(&mut self, levels: &mut Vec<Level>) {
        let Some(mut level) = levels.pop() else { return };
        self.end_list(&mut level);
        self.loops -= usize::from(level.compound.is_some_and(is_loop));
        match level.compound {
            Some(Compound::Subshell) => self.state.roll_back(level.scope),
            Some(Compound::If | Compound::Case) => self.state.merge(std::mem::take(&mut level.arms), level.covered),
            _ => {}
        }
        let out = self.close_redirects(&level.opened, level.out);
        if let Some(parent) = levels.last_mut() {
            parent.current.append(out);
        }
        let _ = level.node;
    }

    /// The variable of a `for` has the list's words as its possible values. Gives the first node of the body.
    fn bind_loop(&mut self, source: &Rc<Source>, at: usize) -> usize {
        let node = source.node(at);
        let name = source.slice(node).to_owned();
        let mut items = Vec::new();
        let mut child = at + 1;
        let mut listed = false;
        while child < source.script.nodes.len() {
            match source.node(child).kind {
                Kind::Word(_) => {
                    listed = true;
                    items.extend(self.fields(source, child));
                }
                Kind::Mark(Mark::Do) => break,
                _ => self.touch(source, child),
            }
            child = source.node(child).next as usize;
        }
        if name.is_empty() {
            // `for ((i=0; …))`: a number.
            let text = &source.text[node.start as usize..];
            let head = text.split(')').next().unwrap_or("").to_owned();
            self.arithmetic_changes(source, &head);
            return child;
        }
        if !listed {
            items = match self.state.arguments() {
                Some(arguments) => arguments.as_ref().clone(),
                None => vec![state::unknown(state::unset("@"))],
            };
        }
        self.bind_items(&name, items);
        child
    }

    /// A variable that takes each of `items` in turn.
    pub(super) fn bind_items(&mut self, name: &str, items: Vec<Word>) {
        let mut values: Vec<Value> = Vec::new();
        if items.len() > state::MAX_ALTERNATIVES {
            // Too many to tell apart: any of them.
            let item = Unknown::Item { roots: items, commands: Vec::new() };
            values.push(Value::Text(state::unknown(item)));
        } else {
            for item in items {
                let value = Value::Text(item);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        if values.is_empty() {
            values.push(Value::Text(Word::default()));
        }
        self.state.put(name, Some(Variable { values, exported: false }));
    }

    /// Variables that arithmetic assigns to are numbers from then on.
    pub(super) fn arithmetic_changes(&mut self, source: &Source, text: &str) {
        let _ = source;
        if !(text.contains('=') || text.contains("++") || text.contains("--")) {
            return;
        }
        let mut seen = 0;
        for name in text.split(|char: char| !(char.is_ascii_alphanumeric() || char == '_')) {
            if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
                continue;
            }
            seen += 1;
            if seen > 64 {
                break;
            }
            self.state.set(name, Value::Text(state::unknown(Unknown::Number)));
        }
    }
}

/// Where the redirects that begin at a node end.
fn redirects_end(source: &Source, mut at: usize) -> usize {
    while let Some(node) = source.script.nodes.get(at) {
        match node.kind {
            Kind::Redirect(_) | Kind::HereText => at = node.next as usize,
            _ => break,
        }
    }
    at
}

/// Whether a pipe follows.
fn is_pipe(source: &Source, at: usize) -> bool {
    source.script.nodes.get(at).is_some_and(|node| node.kind == Kind::Pipe)
}

/// Whether a simple command only tests something.
fn is_test(source: &Source, at: usize) -> bool {
    matches!(source.script.nodes.get(at + 1), Some(node) if matches!(node.kind, Kind::Word(_))
        && matches!(source.slice(*node), "[" | "test" | "false"))
}

/// Whether the commands of a compound one run again and again.
fn is_loop(compound: Compound) -> bool {
    matches!(compound, Compound::For | Compound::Select | Compound::While | Compound::Until)
}
