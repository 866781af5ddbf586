//! From the tape of nodes to commands: a text is evaluated as far as it can be known, in the order in which bash would.

mod ansi;
mod assign;
mod brace;
mod builtin;
mod code;
mod expand;
mod fields;
mod fish;
mod glance;
mod later;
mod output;
mod param;
mod path;
mod pattern;
mod redirects;
mod run;
mod simple;
mod source;
mod state;
mod walk;

use std::rc::Rc;

use crate::command::{Assignment, Command, Place, Reading, Span, Step, SyntaxError, Via};
use crate::limits::{MAX_COMMANDS, MAX_DEPTH, MAX_FUEL, MAX_TEXT_BYTES};
use crate::syntax::Kind;
use source::Source;
use state::State;

/// What is known of the shell that gets the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Env<'a> {
    /// Its working directory, absolute.
    pub cwd: Option<&'a str>,
    /// The user's home folder, absolute.
    pub home: Option<&'a str>,
    /// Variables whose values are known (`PWD`, `USER`, `TMPDIR`); `HOME` and `PWD` need not be among them.
    pub vars: &'a [(&'a str, &'a str)],
    /// Files and named scripts whose text is known: where the text runs one, it is read too.
    pub known: &'a [Known<'a>],
}

/// A file, or a script that has a name in a project (`npm run NAME`), and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known<'a> {
    /// The file, absolute; of a named script, the folder of the project that names it.
    pub path: &'a str,
    /// The script's name; none for a file.
    pub name: Option<&'a str>,
    /// Its text.
    pub text: &'a str,
}

/// Reads a command line: every command that it can reach.
///
/// Texts over [`MAX_TEXT_BYTES`] are refused with an error; a text that reaches more than [`MAX_COMMANDS`] or takes too
/// much evaluation is read up to there, with an error.
pub fn read(text: &str, env: &Env<'_>) -> Reading {
    if text.len() > MAX_TEXT_BYTES {
        let error = SyntaxError { at: MAX_TEXT_BYTES, what: "the text is too long" };
        return Reading { errors: vec![error], ..Reading::default() };
    }
    let mut reader = Reader::new(env);
    let source = Rc::new(Source::outermost(text));
    reader.commands.reserve(source.script.nodes.iter().filter(|node| node.kind == Kind::Simple).count());
    reader.run_source(&source, walk::Input::default(), false);
    reader.run_traps();
    Reading { commands: reader.commands, errors: reader.errors }
}

/// The evaluation of one text.
struct Reader {
    home: Option<Box<str>>,
    vars: Vec<(Box<str>, Box<str>)>,
    commands: Vec<Command>,
    /// In how many loops of the shell the walk is.
    loops: usize,
    errors: Vec<SyntaxError>,
    state: State,
    context: Context,
    /// Which of the alternatives of a variable counts now.
    choice: usize,
    /// How many alternatives the words of the current command have.
    alternatives: usize,
    /// Values are computed for the current choice only, commands found on the way are dropped again.
    fixed: bool,
    /// What the substitutions of the current command gave when their commands were listed.
    memo: Vec<expand::Memo>,
    /// The word being expanded is a command's first.
    command_word: bool,
    /// What the last process substitution printed.
    process_out: Option<walk::Out>,
    /// The command at hand, whose output a `>(…)` in its words reads; and the text of it, where it is known (`tee`).
    writer: (usize, Option<Rc<crate::command::Word>>),
    /// What evaluation may still cost: about one for a word.
    fuel: usize,
    depth: usize,
}

/// How the commands that are found now are reached.
#[derive(Debug, Clone, Default)]
struct Context {
    via: Vec<Via>,
    place: Place,
    /// Where they stand in the outermost text, if they are in an inner one.
    span: Option<Span>,
    /// What a wrapper sets in their environment.
    assignments: Vec<Assignment>,
    /// The functions and aliases being run, to stop at recursion.
    calls: Vec<String>,
}

impl Reader {
    fn new(env: &Env<'_>) -> Self {
        Reader {
            home: env.home.map(Into::into),
            vars: env.vars.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            commands: Vec::new(),
            loops: 0,
            errors: Vec::new(),
            state: State::new(env),
            context: Context::default(),
            choice: 0,
            alternatives: 1,
            fixed: false,
            memo: Vec::new(),
            command_word: false,
            process_out: None,
            writer: (0, None),
            fuel: MAX_FUEL,
            depth: 0,
        }
    }

    /// Pays for some evaluation; false when nothing is left, and then an error says so.
    fn pay(&mut self, cost: usize) -> bool {
        if self.fuel > cost && self.commands.len() < MAX_COMMANDS {
            self.fuel -= cost;
            return true;
        }
        if self.fuel > 0 {
            self.fuel = 0;
            self.error(0, "the text takes too much to evaluate");
        }
        false
    }

    fn error(&mut self, at: usize, what: &'static str) {
        // A script that can't be read to its end is not this text's fault.
        if self.fuel > 0 && self.context.via.iter().any(|via| via.step == Step::Script) {
            return;
        }
        let error = SyntaxError { at, what };
        if !self.errors.contains(&error) && self.errors.len() < 64 {
            self.errors.push(error);
        }
    }

    /// One level deeper; false where that is too deep, and then an error says so.
    fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.error(0, "nested too deep");
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
