//! Simple commands: their words are expanded, their assignments kept, and what they run is opened.

use std::rc::Rc;

use super::redirects::Opened;
use super::source::Source;
use super::state::{self, Alias, Function, Value, Variable};
use super::walk::{Input, Out};
use super::{Reader, path};
use crate::command::{Assignment, Command, Part, Runs, Span, Stdin, Step, Unknown, Via, Word};
use crate::syntax::Kind;

/// A command that is being run.
pub(super) struct Call<'a> {
    /// Its place in the reading.
    pub(super) index: usize,
    /// The program's bare name.
    pub(super) name: &'a str,
    pub(super) argv: &'a [Word],
    pub(super) input: &'a Input,
    /// Its output is wanted.
    pub(super) want: bool,
}

impl Reader {
    /// Runs a simple command: once for each alternative of the variables in it.
    pub(super) fn simple(&mut self, source: &Rc<Source>, at: usize, input: &Input, want: bool) -> Out {
        if self.state.has_aliases()
            && let Some(out) = self.alias(source, at, input, want)
        {
            return out;
        }
        let folders = self.state.folders().len();
        let outer = std::mem::replace(&mut self.alternatives, folders);
        let memo = std::mem::take(&mut self.memo);
        let out = if self.fixed {
            self.simple_once(source, at, input, want)
        } else {
            let choice = std::mem::replace(&mut self.choice, 0);
            let mut out = self.simple_once(source, at, input, want);
            for other in 1..self.alternatives.min(state::MAX_ALTERNATIVES) {
                if !self.pay(1) {
                    break;
                }
                self.choice = other;
                let more = self.simple_once(source, at, input, want);
                out.append(more);
            }
            self.choice = choice;
            out
        };
        self.memo = memo;
        self.alternatives = self.alternatives.max(outer);
        out
    }

    fn simple_once(&mut self, source: &Rc<Source>, at: usize, input: &Input, want: bool) -> Out {
        // A command is listed with the whole way to it.
        if !self.pay(2 * self.context.via.len()) {
            return Out::default();
        }
        let node = source.node(at);
        let end = node.next as usize;
        let index = self.commands.len();
        self.commands.push(Command::default());
        self.process_out = None;
        let mut argv: Vec<Word> = Vec::with_capacity(count_words(source, at + 1, end));
        let mut assigned: Vec<(String, Option<Variable>)> = Vec::new();
        let mut deferred: Vec<usize> = Vec::new();
        let mut words = None;
        let mut assignments: Vec<Assignment> = Vec::new();
        let mut opened = Opened::default();
        let mut child = at + 1;
        while child < end {
            let part = source.node(child);
            match part.kind {
                Kind::Word(0) if source.holes.is_empty() && self.pay(1) => {
                    argv.push(Word::literal(source.slice(part)));
                }
                Kind::Word(_) => {
                    self.writer = (index, printed_through(&argv, input));
                    self.command_word = argv.is_empty();
                    let mut words = self.fields(source, child);
                    self.command_word = false;
                    if argv.is_empty() {
                        argv.append(&mut words);
                    } else {
                        if let Some(declared) = self.declared_array(source, child, &argv) {
                            words = vec![declared];
                        }
                        argv.append(&mut words);
                    }
                }
                // Before a command they are evaluated when its words are: `X=1 prog $X` gets the `X` of before.
                Kind::Assign if *words.get_or_insert_with(|| has_words(source, child, end)) => deferred.push(child),
                Kind::Assign => self.keep(source, child, &mut assignments, None),
                Kind::Redirect(_) => {
                    self.writer = (index, None);
                    self.redirect(source, child, &mut opened);
                }
                _ => {}
            }
            child = part.next as usize;
        }
        for child in deferred {
            self.keep(source, child, &mut assignments, Some(&mut assigned));
        }
        let span = Span { start: node.start as usize, end: node.end as usize };
        let stdin = opened.input.as_ref().unwrap_or(input).stdin.clone();
        let lone = argv.is_empty();
        let mut command = self.command(source, span, argv, stdin);
        command.assignments.extend(assignments.iter().cloned());
        command.redirects = std::mem::take(&mut opened.redirects);
        self.commands[index] = command;
        self.name_substitutions(index);
        let input = opened.input.clone().unwrap_or_else(|| input.clone());
        let want = want || opened.wants_text();
        if !lone {
            self.later(index, &assignments, false);
        }
        // What stands before a command is in the environment of all that it runs.
        let outer = self.context.assignments.len();
        if !lone && !assignments.is_empty() {
            self.context.assignments.extend(assignments.iter().cloned());
        }
        let out = self.dispatch(index, &input, want);
        self.context.assignments.truncate(outer);
        if lone {
            let command = &self.commands[index];
            if command.assignments.is_empty() && command.redirects.is_empty() && index + 1 == self.commands.len() {
                self.commands.pop();
                return out;
            }
            self.later(index, &assignments, true);
        } else {
            // Assignments before a command hold for it alone.
            for (name, old) in assigned.into_iter().rev() {
                self.state.put(&name, old);
            }
        }
        self.deliver(&opened, out)
    }

    /// A command as it is reached now.
    pub(super) fn command(&self, source: &Source, span: Span, argv: Vec<Word>, stdin: Stdin) -> Command {
        let span = if source.outermost { span } else { self.context.span.unwrap_or(span) };
        self.bare_command(span, argv, stdin)
    }

    pub(super) fn bare_command(&self, span: Span, argv: Vec<Word>, stdin: Stdin) -> Command {
        let mut assignments = self.context.assignments.clone();
        if self.state.exports {
            for (name, variable) in self.state.exported() {
                if let Some(Value::Text(value)) = variable.values.get(self.choice % variable.values.len().max(1)) {
                    assignments.push(Assignment { name: name.to_owned(), value: value.clone() });
                }
            }
        }
        Command {
            argv,
            assignments,
            redirects: Vec::new(),
            stdin,
            cwd: self.state.folder(self.choice).clone(),
            place: self.context.place.clone(),
            runs: None,
            via: self.context.via.clone(),
            repeats: self.loops > 0,
            span,
        }
    }

    /// Tells the substitutions in a command's words whose words they are in.
    fn name_substitutions(&mut self, index: usize) {
        if index + 1 >= self.commands.len() {
            return;
        }
        let depth = self.context.via.len();
        let (outer, inner) = self.commands.split_at_mut(index + 1);
        let name = outer[index].argv.first().and_then(Word::as_literal).map_or("", path::base_name);
        for command in inner {
            if let Some(Via { step: Step::Substitution | Step::ProcessSubstitution, program }) =
                command.via.get_mut(depth)
                && program.is_empty()
            {
                name.clone_into(program);
            }
        }
    }

    /// Runs what a command of the reading runs; gives its output.
    pub(super) fn dispatch(&mut self, index: usize, input: &Input, want: bool) -> Out {
        let Some(first) = self.commands[index].argv.first() else { return Out::default() };
        if let Some(name) = program(first)
            && let Some(function) = self.state.function(name).cloned()
            && !self.context.calls.iter().any(|call| call == name)
        {
            let name = name.to_owned();
            return self.call(index, &name, &function, input, want);
        }
        self.dispatch_program(index, input, want)
    }

    /// The output of a command of which nothing is known.
    pub(super) fn unknown_out(&self, index: usize, want: bool) -> Out {
        let text = if want { state::unknown(Unknown::Substitution { commands: vec![index] }) } else { Word::default() };
        Out { commands: vec![index], text }
    }

    /// Calls a function of the text. The call is no command: its name may be that of a program that is not run.
    fn call(&mut self, index: usize, name: &str, function: &Function, input: &Input, want: bool) -> Out {
        let mut argv = std::mem::take(&mut self.commands[index].argv);
        let span = self.commands[index].span;
        if index + 1 == self.commands.len()
            && self.commands[index].redirects.is_empty()
            && self.commands[index].assignments.is_empty()
        {
            self.commands.pop();
        }
        argv.remove(0);
        let outer_span = self.context.span;
        if !function.source.outermost {
            self.context.span = outer_span.or(Some(span));
        }
        let arguments = self.state.arguments().cloned();
        self.state.set_arguments(Some(Rc::new(argv)));
        self.context.calls.push(name.to_owned());
        let choice = if self.fixed { self.choice } else { std::mem::replace(&mut self.choice, 0) };
        let out = self.within(Step::Function, name, |reader| {
            reader.walk(&function.source, function.from, function.to, input.clone(), want)
        });
        self.choice = choice;
        self.context.calls.pop();
        self.state.set_arguments(arguments);
        self.context.span = outer_span;
        out
    }

    /// A command whose first word is an alias: the alias's text stands in its place.
    fn alias(&mut self, source: &Rc<Source>, at: usize, input: &Input, want: bool) -> Option<Out> {
        let node = source.node(at);
        let end = node.next as usize;
        let mut child = at + 1;
        while child < end && !matches!(source.node(child).kind, Kind::Word(_)) {
            child = source.node(child).next as usize;
        }
        let word = source.script.nodes.get(child).filter(|_| child < end)?;
        if !matches!(word.kind, Kind::Word(0)) {
            return None;
        }
        let name = source.slice(*word);
        let Alias { text, line } = self.state.alias(name)?.clone();
        let called = format!("alias {name}");
        if self.context.calls.contains(&called) {
            return None;
        }
        // An alias counts from the next line on.
        if source.outermost
            && let Some(defined) = line
            && !source.text.get(defined..node.start as usize).is_some_and(|between| between.contains('\n'))
        {
            return None;
        }
        let before = &source.text[node.start as usize..word.start as usize];
        let after = &source.text[word.end as usize..node.end as usize];
        let code = Word { parts: source.parts(&format!("{before}{text} {after}")) };
        let span = self.context.span;
        if source.outermost {
            self.context.span = Some(Span { start: node.start as usize, end: node.end as usize });
        }
        self.context.calls.push(called);
        let name = name.to_owned();
        let out = self.code(&code, Step::Function, &name, input.clone(), want);
        self.context.calls.pop();
        self.context.span = span;
        Some(out)
    }

    /// Reads code one step further away, in the same shell.
    pub(super) fn code(&mut self, code: &Word, step: Step, program: &str, input: Input, want: bool) -> Out {
        let length: usize = code
            .parts
            .iter()
            .map(|part| match part {
                Part::Literal(text) | Part::Glob(text) => text.len(),
                Part::Unknown(_) => 1,
            })
            .sum();
        if !self.pay(1 + length / 8) || !self.enter() {
            return Out::default();
        }
        // The innermost shell that reads it; a function is read by the one that it stands in.
        let readers = self.context.via.iter().rev().filter(|via| matches!(via.step, Step::Code | Step::Input));
        let by_code = matches!(step, Step::Code | Step::Input).then_some(program);
        let shell = by_code.or_else(|| readers.map(|via| &*via.program).next());
        // A file is read by who runs it: fish by its name or the file's.
        let by_file = matches!(step, Step::WrittenFile | Step::Script) && !matches!(program, "." | "source");
        let shell = match shell {
            _ if by_file && (program == "fish" || program.ends_with(".fish")) => Some("fish"),
            Some("fish") if by_file => None,
            shell => shell,
        };
        let source = Rc::new(Source::code(code, self.depth, shell));
        let choice = if self.fixed { self.choice } else { std::mem::replace(&mut self.choice, 0) };
        let alternatives = std::mem::replace(&mut self.alternatives, 1);
        let memo = std::mem::take(&mut self.memo);
        let out = self.within(step, program, |reader| reader.run_source(&source, input, want));
        self.memo = memo;
        self.choice = choice;
        self.alternatives = alternatives;
        self.leave();
        out
    }

    /// Runs words as a command of their own, one step further away.
    pub(super) fn run_words(&mut self, call: &Call<'_>, step: Step, argv: Vec<Word>, input: &Input, want: bool) -> Out {
        if argv.is_empty() || !self.pay(1 + argv.len() + 2 * self.context.via.len()) {
            return Out::default();
        }
        let span = self.commands[call.index].span;
        self.within(step, call.name, |reader| {
            let command = reader.bare_command(span, argv, input.stdin.clone());
            let index = reader.commands.len();
            reader.commands.push(command);
            // A wrapper starts programs, never functions or aliases of the shell.
            reader.dispatch_program(index, input, want)
        })
    }

    /// As [`dispatch`](Self::dispatch), without functions.
    pub(super) fn dispatch_program(&mut self, index: usize, input: &Input, want: bool) -> Out {
        let argv = std::mem::take(&mut self.commands[index].argv);
        let out = match argv.first().and_then(program) {
            Some(program) if self.enter() => {
                let call = Call { index, name: path::base_name(program), argv: &argv, input, want };
                let out = self.run(&call);
                self.leave();
                out
            }
            program => {
                self.commands[index].runs = Some(Runs::Unknown);
                if program.is_some() { Out::default() } else { self.unknown_out(index, want) }
            }
        };
        self.commands[index].argv = argv;
        out
    }
}

/// How many words a command has as it is written.
fn count_words(source: &Source, from: usize, end: usize) -> usize {
    let (mut at, mut count) = (from, 0);
    while at < end {
        let node = source.node(at);
        count += usize::from(matches!(node.kind, Kind::Word(_)));
        at = node.next as usize;
    }
    count
}

/// Whether a command's words stand behind a node.
fn has_words(source: &Source, from: usize, end: usize) -> bool {
    let mut at = from;
    while at < end {
        if matches!(source.node(at).kind, Kind::Word(_)) {
            return true;
        }
        at = source.node(at).next as usize;
    }
    false
}

/// What a command is known to print before it is run: what `tee` reads.
fn printed_through(argv: &[Word], input: &Input) -> Option<Rc<Word>> {
    if argv.first().and_then(Word::as_literal) == Some("tee") { input.text.clone() } else { None }
}

/// The program that a command's first word names; a variable that holds the user's own shell is one.
fn program(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Unknown(Unknown::Variable { name, .. })] if matches!(name.as_str(), "SHELL" | "BASH") => Some("bash"),
        _ => word.as_program(),
    }
}
