//! What a reading is made of: commands, their words, where their input comes from and how they were reached.

/// What a text can run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Every command that can be reached, in the order of the text; a command stands before those found inside its words
    /// or its code. Both arms of `&&`, `||`, `if`, `case` and loops count as reached.
    pub commands: Vec<Command>,
    /// What could not be read. Commands before the first error are complete; bash runs them.
    pub errors: Vec<SyntaxError>,
}

/// One command that can be reached.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Command {
    /// The words after expansion, the program first. Empty for a lone redirect or assignment.
    pub argv: Vec<Word>,
    /// `NAME=value` before the program, and those that `env` or `export` set for it.
    pub assignments: Vec<Assignment>,
    /// Its redirects, in order (here-documents and here-strings are in `stdin`).
    pub redirects: Vec<Redirect>,
    /// Where its standard input comes from.
    pub stdin: Stdin,
    /// The folder it runs in, as far as the text tells; for `git -C` the one that it goes to first.
    pub cwd: Cwd,
    /// On which machine, and as whom.
    pub place: Place,
    /// What it runs, if it is an interpreter or runs its arguments: opened already, or unknown.
    pub runs: Option<Runs>,
    /// How it was reached, outermost first; empty for a command of the text itself.
    pub via: Vec<Via>,
    /// Whether it stands in a loop of the shell: then it may run again after those that follow it in the text.
    pub repeats: bool,
    /// Where it stands in the outermost text, in bytes: its own words there, or those of the command it was reached through.
    pub span: Span,
}

/// A range of bytes of the outermost text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// `NAME=value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: Word,
}

/// A word after expansion: known text, unquoted patterns, and parts that nobody can know from the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Word {
    /// Its parts in order, adjacent literals joined. An empty list is the empty word.
    pub parts: Vec<Part>,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text that is known.
    Literal(String),
    /// An unquoted pattern as written (`*`, `?`, `[a-z]`, `@(a|b)`): the shell puts file names here.
    Glob(String),
    /// What cannot be known from the text.
    Unknown(Unknown),
}

/// Why a part of a word is not known.
#[derive(Debug, Clone, PartialEq)]
pub enum Unknown {
    /// A variable that the text does not set. `required` is `${X:?}`: the shell stops where it is empty.
    Variable {
        /// Its name; `*`, `@`, `#`, digits and the like for the special ones.
        name: String,
        /// Whether it is written `${NAME:?…}`.
        required: bool,
    },
    /// The output of commands that stand in the reading themselves.
    Substitution {
        /// Those whose output it is, by index into [`Reading::commands`].
        commands: Vec<usize>,
    },
    /// A file that a process substitution stands for (`<(…)`, `>(…)`).
    Process,
    /// An item that is put here at run time: a line for `xargs` or `read`, a path for `find -exec`.
    Item {
        /// Roots below which the paths lie (`find ROOT …`); empty where they are not known.
        roots: Vec<Word>,
        /// The commands whose output the items are, by index into [`Reading::commands`]: the `find` itself for `-exec`.
        commands: Vec<usize>,
    },
    /// The result of arithmetic: a number.
    Number,
    /// Anything else.
    Other,
}

impl Word {
    /// A word of known text.
    pub fn literal(text: impl Into<String>) -> Word {
        let text = text.into();
        Word { parts: if text.is_empty() { Vec::new() } else { vec![Part::Literal(text)] } }
    }

    /// The whole word, if all of it is known text.
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The known text at its start; empty where it starts with something else.
    pub fn prefix(&self) -> &str {
        match self.parts.first() {
            Some(Part::Literal(text)) => text,
            _ => "",
        }
    }

    /// The program that it names as a command's first word: its text, or what follows an unknown folder where that ends in
    /// a `bin` of installed programs (`"$VENV/bin/python"`).
    pub fn as_program(&self) -> Option<&str> {
        let [first, .., Part::Literal(tail)] = self.parts.as_slice() else { return self.as_literal() };
        let (folder, name) = tail.rsplit_once('/')?;
        let installed = matches!(folder.rsplit_once('/'), Some((_, "bin" | ".bin")));
        (matches!(first, Part::Unknown(_)) && installed && !name.is_empty() && !self.has_glob()).then_some(name)
    }

    /// Whether any part is unknown (a pattern is not: it stands for names that are there).
    pub fn has_unknown(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Unknown(_)))
    }

    /// Whether any part is an unquoted pattern.
    pub fn has_glob(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Glob(_)))
    }

    /// The word for people and logs: patterns as written, `$NAME` for variables, `$(…)` for other unknowns.
    pub fn display(&self) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) | Part::Glob(text) => out.push_str(text),
                Part::Unknown(Unknown::Variable { name, .. }) => {
                    out.push('$');
                    out.push_str(name);
                }
                Part::Unknown(Unknown::Item { .. }) => out.push_str("{}"),
                Part::Unknown(_) => out.push_str("$(…)"),
            }
        }
        out
    }
}

/// A redirect to or from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Redirect {
    /// What it does to the file.
    pub kind: RedirectKind,
    /// The file.
    pub target: Word,
}

/// What a redirect does to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>|`, `&>`, `>&file`
    Write,
    /// `>>`, `&>>`
    Append,
    /// `<>`
    ReadWrite,
}

/// Where a command's standard input comes from.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Stdin {
    /// From where the text's own comes.
    #[default]
    Inherited,
    /// From a pipe: the commands, by index into [`Reading::commands`], whose output it is.
    Pipe(Vec<usize>),
    /// A here-document or here-string.
    Text(Word),
    /// A file.
    File(Word),
}

/// The folder that a command runs in.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Cwd {
    /// Known, absolute, normalised.
    Known(String),
    /// A `cd` went somewhere that the text does not tell.
    #[default]
    Unknown,
}

/// On which machine a command runs, and as whom.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Place {
    /// Another machine (`ssh HOST …`), by its name as far as it is known.
    pub remote: Option<Word>,
    /// A container (`docker exec`, `docker run`, `kubectl exec`).
    pub container: Option<Container>,
    /// Whether it runs with other rights: `sudo`, `doas`, `su`.
    pub elevated: bool,
}

/// A container that a command runs in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Container {
    /// Folders of the host that it sees: the host's side, the container's side.
    pub mounts: Vec<(Word, Word)>,
    /// Whether it lives on after the command (`exec`; `run` without a mount is thrown away).
    pub lasting: bool,
    /// Whether it has the host's rights (`--privileged`, `--pid=host`).
    pub privileged: bool,
}

/// What an interpreter, or another program that runs code, runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Runs {
    /// Code in this text: it was opened, its commands follow in the reading, with this command in their `via`.
    Opened,
    /// Code in a language that was only partly opened: what could be read of it follows in the reading.
    Partly,
    /// A file (`bash x.sh`, `./x.sh`, `source x`), by its path as written, with the arguments it gets.
    File {
        /// The file.
        path: Word,
        /// Its arguments.
        args: Vec<Word>,
    },
    /// A named script of a project: `npm run NAME`, `make NAME`.
    Script {
        /// The name, if one is given.
        name: Option<Word>,
    },
    /// Whatever comes on its standard input, which is not known here (a pipe, a file): [`Command::stdin`] says from where.
    Stdin,
    /// Code that cannot be known from the text: `eval "$X"`, `sh -c "$Y"`.
    Unknown,
    /// Nothing yet: an interactive shell or read-eval loop that reads what is typed later.
    Interactive,
}

/// One step on the way to a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Via {
    /// What kind of step.
    pub step: Step,
    /// The program that takes it, as a bare name (`sudo`, `bash`, `xargs`); empty where none does.
    pub program: String,
}

/// The kinds of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// `$(…)`, backticks, `${ …; }`
    Substitution,
    /// `<(…)`, `>(…)`
    ProcessSubstitution,
    /// A wrapper that runs its arguments: `sudo`, `env`, `timeout`, `nice` …
    Wrapper,
    /// A wrapper that runs its arguments for many items: `xargs`, `find -exec`, `parallel`.
    ForEach,
    /// Text given to an interpreter as an argument: `sh -c`, `eval`, `python -c`, `ssh HOST '…'`.
    Code,
    /// Text that reaches an interpreter on its standard input.
    Input,
    /// A file that the same text writes and runs.
    WrittenFile,
    /// A file or named script that was there before, and whose text is known ([`crate::Known`]).
    Script,
    /// A function or alias that the same text defines.
    Function,
    /// A handler that runs later: `trap`, `PROMPT_COMMAND`.
    Trap,
}

/// Something in the text that is not shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where, in bytes of the text it stands in (the outermost text, if `via` of the surrounding command is empty).
    pub at: usize,
    /// What is wrong, as a fragment: "unclosed double quote".
    pub what: &'static str,
}
