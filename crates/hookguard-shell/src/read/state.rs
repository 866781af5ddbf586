//! What the text has set so far: variables, functions, aliases, the folder; with a journal, so that a subshell's changes
//! can be taken back and those of a conditional arm kept as one possibility among others.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::source::Source;
use super::{Env, path};
use crate::command::{Cwd, Part, Unknown, Word};

/// How many possible values of one variable are told apart.
pub(super) const MAX_ALTERNATIVES: usize = 32;

/// A variable's value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(Word),
    List(Vec<Word>),
    Map(Vec<(String, Word)>),
}

/// A variable: its possible values, one for each way that the text can have taken.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub(super) values: Vec<Value>,
    pub(super) exported: bool,
}

/// A function: where its body stands.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) source: Rc<Source>,
    /// The nodes of its body.
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A file that the text has written.
#[derive(Debug, Clone)]
pub(super) struct File {
    /// Absolute where that is known, else as written.
    pub(super) path: String,
    pub(super) text: Word,
    /// It was there before, and the text has not written it.
    pub(super) before: bool,
}

/// A script that has a name in a project.
#[derive(Debug, Clone)]
pub(super) struct Named {
    /// The project's folder.
    folder: String,
    name: String,
    text: Word,
}

/// An alias, and where it was set: it counts from the next line on.
#[derive(Debug, Clone)]
pub(super) struct Alias {
    pub(super) text: String,
    pub(super) line: Option<usize>,
}

#[derive(Debug, Clone)]
enum Undo {
    Variable(String, Option<Variable>),
    Function(String, Option<Function>),
    Alias(String, Option<Alias>),
    Folder(Vec<Cwd>),
    Stack(Vec<Vec<Cwd>>),
    Previous(Option<Vec<Cwd>>),
    Arguments(Option<Rc<Vec<Word>>>),
}

#[derive(Debug)]
pub(super) struct State {
    variables: BTreeMap<String, Variable>,
    functions: BTreeMap<String, Function>,
    aliases: BTreeMap<String, Alias>,
    /// The possible working directories; never empty.
    folder: Vec<Cwd>,
    previous: Option<Vec<Cwd>>,
    stack: Vec<Vec<Cwd>>,
    /// `$1` and on, if known.
    arguments: Option<Rc<Vec<Word>>>,
    pub(super) files: Vec<File>,
    named: Vec<Named>,
    /// Programs under another name: the file (or command) that was made one, and the program.
    programs: Vec<(String, String)>,
    /// Handlers of `trap`, run when the text ends.
    pub(super) traps: Vec<(Word, super::Context)>,
    journal: Vec<Undo>,
    /// Whether any variable is exported by the text.
    pub(super) exports: bool,
}

/// The changes of the arms of one `if`, `case` or `&&`/`||` list.
#[derive(Debug, Default)]
pub(super) struct Arms {
    open: Option<usize>,
    count: usize,
    changes: Vec<Change>,
}

#[derive(Debug, Clone)]
enum Change {
    Variable(String, Option<Variable>),
    Function(String, Option<Function>),
    Alias(String, Option<Alias>),
    Folder(Vec<Cwd>),
}

impl State {
    pub(super) fn new(env: &Env<'_>) -> State {
        let folder = env.cwd.map_or(Cwd::Unknown, |cwd| Cwd::Known(path::normalize(cwd)));
        let files = env.known.iter().filter(|known| known.name.is_none()).map(|known| File {
            path: path::normalize(known.path),
            text: Word::literal(known.text),
            before: true,
        });
        let named = env.known.iter().filter_map(|known| {
            let (folder, name, text) = (path::normalize(known.path), known.name?.to_owned(), Word::literal(known.text));
            Some(Named { folder, name, text })
        });
        State {
            variables: BTreeMap::new(),
            functions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            folder: vec![folder],
            previous: None,
            stack: Vec::new(),
            arguments: None,
            files: files.collect(),
            named: named.collect(),
            programs: Vec::new(),
            traps: Vec::new(),
            journal: Vec::new(),
            exports: false,
        }
    }

    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Takes back every change since `mark`.
    pub(super) fn roll_back(&mut self, mark: usize) {
        while self.journal.len() > mark {
            let Some(undo) = self.journal.pop() else { return };
            match undo {
                Undo::Variable(name, Some(old)) => drop(self.variables.insert(name, old)),
                Undo::Variable(name, None) => drop(self.variables.remove(&name)),
                Undo::Function(name, Some(old)) => drop(self.functions.insert(name, old)),
                Undo::Function(name, None) => drop(self.functions.remove(&name)),
                Undo::Alias(name, Some(old)) => drop(self.aliases.insert(name, old)),
                Undo::Alias(name, None) => drop(self.aliases.remove(&name)),
                Undo::Folder(old) => self.folder = old,
                Undo::Stack(old) => self.stack = old,
                Undo::Previous(old) => self.previous = old,
                Undo::Arguments(old) => self.arguments = old,
            }
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        if self.variables.is_empty() { None } else { self.variables.get(name) }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        let exported = self.variable(name).is_some_and(|old| old.exported);
        self.put(name, Some(Variable { values: vec![value], exported }));
    }

    pub(super) fn put(&mut self, name: &str, variable: Option<Variable>) {
        let old = match variable {
            Some(variable) => {
                self.exports |= variable.exported;
                self.variables.insert(name.to_owned(), variable)
            }
            None => self.variables.remove(name),
        };
        self.journal.push(Undo::Variable(name.to_owned(), old));
    }

    pub(super) fn export(&mut self, name: &str) {
        if let Some(variable) = self.variable(name) {
            let variable = Variable { exported: true, ..variable.clone() };
            self.put(name, Some(variable));
        }
    }

    /// The exported variables with their values.
    pub(super) fn exported(&self) -> impl Iterator<Item = (&str, &Variable)> {
        self.variables
            .iter()
            .filter(|(_, variable)| variable.exported)
            .map(|(name, variable)| (name.as_str(), variable))
    }

    pub(super) fn function(&self, name: &str) -> Option<&Function> {
        if self.functions.is_empty() { None } else { self.functions.get(name) }
    }

    pub(super) fn define(&mut self, name: &str, function: Option<Function>) {
        let old = match function {
            Some(function) => self.functions.insert(name.to_owned(), function),
            None => self.functions.remove(name),
        };
        self.journal.push(Undo::Function(name.to_owned(), old));
    }

    pub(super) fn has_aliases(&self) -> bool {
        !self.aliases.is_empty()
    }

    pub(super) fn alias(&self, name: &str) -> Option<&Alias> {
        self.aliases.get(name)
    }

    pub(super) fn set_alias(&mut self, name: &str, alias: Option<Alias>) {
        let old = match alias {
            Some(alias) => self.aliases.insert(name.to_owned(), alias),
            None => self.aliases.remove(name),
        };
        self.journal.push(Undo::Alias(name.to_owned(), old));
    }

    pub(super) fn folders(&self) -> &[Cwd] {
        &self.folder
    }

    /// The working directory of the current choice.
    pub(super) fn folder(&self, choice: usize) -> &Cwd {
        &self.folder[choice % self.folder.len()]
    }

    /// Goes to other folders; the old ones are `OLDPWD`.
    pub(super) fn go(&mut self, mut folders: Vec<Cwd>) {
        folders.dedup();
        if folders.is_empty() {
            folders.push(Cwd::Unknown);
        }
        let old = std::mem::replace(&mut self.folder, folders);
        let previous = self.previous.replace(old.clone());
        self.journal.push(Undo::Folder(old));
        self.journal.push(Undo::Previous(previous));
    }

    pub(super) fn previous(&self) -> Option<Vec<Cwd>> {
        self.previous.clone()
    }

    pub(super) fn push_folder(&mut self) {
        self.journal.push(Undo::Stack(self.stack.clone()));
        self.stack.push(self.folder.clone());
    }

    pub(super) fn pop_folder(&mut self) -> Option<Vec<Cwd>> {
        self.journal.push(Undo::Stack(self.stack.clone()));
        self.stack.pop()
    }

    pub(super) fn arguments(&self) -> Option<&Rc<Vec<Word>>> {
        self.arguments.as_ref()
    }

    pub(super) fn set_arguments(&mut self, arguments: Option<Rc<Vec<Word>>>) {
        let old = std::mem::replace(&mut self.arguments, arguments);
        self.journal.push(Undo::Arguments(old));
    }

    /// Remembers what a file holds now.
    pub(super) fn write_file(&mut self, path: String, text: Word, append: bool) {
        if let Some(file) = self.files.iter_mut().find(|file| file.path == path) {
            if append {
                file.text.parts.extend(text.parts);
            } else {
                file.text = text;
            }
            file.before = false;
        } else if self.files.len() < 256 {
            self.files.push(File { path, text, before: false });
        }
    }

    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Remembers that a file, or a command's name, is a program now.
    pub(super) fn make_program(&mut self, name: String, program: &str) {
        if self.programs.len() < 64 {
            self.programs.push((name, program.to_owned()));
        }
    }

    pub(super) fn has_programs(&self) -> bool {
        !self.programs.is_empty()
    }

    /// The program that a file or name was made.
    pub(super) fn program(&self, name: &str) -> Option<&str> {
        self.programs.iter().rev().find(|(made, _)| made == name).map(|(_, program)| program.as_str())
    }

    /// The script of a name in the project that holds `folder`.
    pub(super) fn named(&self, folder: &str, name: &str) -> Option<&Word> {
        if self.named.is_empty() {
            return None;
        }
        let holds = |named: &&Named| {
            folder.strip_prefix(named.folder.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let of_name = self.named.iter().filter(|named| named.name == name).filter(holds);
        of_name.max_by_key(|named| named.folder.len()).map(|named| &named.text)
    }

    /// An arm begins: what it changes holds inside it, and is a possibility behind it.
    pub(super) fn begin_arm(&mut self, arms: &mut Arms) {
        self.end_arm(arms);
        arms.open = Some(self.mark());
        arms.count += 1;
    }

    pub(super) fn end_arm(&mut self, arms: &mut Arms) {
        let Some(mark) = arms.open.take() else { return };
        let mut changed: Vec<Change> = Vec::new();
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let mut folder = false;
        for undo in &self.journal[mark.min(self.journal.len())..] {
            match undo {
                Undo::Variable(name, _) if names.insert(name) => {
                    changed.push(Change::Variable(name.clone(), self.variables.get(name).cloned()));
                }
                Undo::Function(name, _) => {
                    changed.push(Change::Function(name.clone(), self.functions.get(name).cloned()));
                }
                Undo::Alias(name, _) => changed.push(Change::Alias(name.clone(), self.aliases.get(name).cloned())),
                Undo::Folder(_) => folder = true,
                _ => {}
            }
        }
        if folder {
            changed.push(Change::Folder(self.folder.clone()));
        }
        self.roll_back(mark);
        arms.changes.extend(changed);
    }

    /// All arms are read. `covered`: one of them was taken for certain.
    pub(super) fn merge(&mut self, mut arms: Arms, covered: bool) {
        self.end_arm(&mut arms);
        let mut variables: BTreeMap<String, Merged> = BTreeMap::new();
        let mut folders: Option<(Vec<Cwd>, usize)> = None;
        for change in arms.changes {
            match change {
                Change::Variable(name, variable) => variables.entry(name).or_default().add(variable, true),
                Change::Function(name, function) => self.define(&name, function),
                Change::Alias(name, alias) => self.set_alias(&name, alias),
                Change::Folder(folder) => {
                    let (all, setting) = folders.get_or_insert_default();
                    all.extend(folder);
                    *setting += 1;
                }
            }
        }
        for (name, mut merged) in variables {
            if !(covered && merged.arms >= arms.count) {
                merged.add(self.variables.get(&name).cloned(), false);
            }
            if !merged.values.is_empty() {
                self.put(&name, Some(Variable { values: merged.values, exported: merged.exported }));
            }
        }
        if let Some((mut all, setting)) = folders {
            if !(covered && setting >= arms.count) {
                all.extend(self.folder.iter().cloned());
            }
            let mut distinct: Vec<Cwd> = Vec::new();
            for folder in all {
                if !distinct.contains(&folder) && distinct.len() < MAX_ALTERNATIVES {
                    distinct.push(folder);
                }
            }
            self.go(distinct);
        }
    }
}

/// A variable's values in several arms.
#[derive(Default)]
struct Merged {
    values: Vec<Value>,
    exported: bool,
    arms: usize,
}

impl Merged {
    fn add(&mut self, variable: Option<Variable>, arm: bool) {
        self.arms += usize::from(arm);
        let Some(variable) = variable else { return };
        self.exported |= variable.exported;
        for value in variable.values {
            if !self.values.contains(&value) && self.values.len() < MAX_ALTERNATIVES {
                self.values.push(value);
            }
        }
    }
}

/// A variable that the text does not set.
pub(super) fn unset(name: &str) -> Unknown {
    match name {
        "?" | "$" | "!" | "#" | "PPID" | "RANDOM" | "SRANDOM" | "UID" | "EUID" | "SECONDS" | "LINENO" | "BASHPID"
        | "EPOCHSECONDS" | "EPOCHREALTIME" | "SHLVL" | "COLUMNS" | "LINES" | "OPTIND" => Unknown::Number,
        _ => Unknown::Variable { name: name.to_owned(), required: false },
    }
}

/// A word of one unknown part.
pub(super) fn unknown(part: Unknown) -> Word {
    Word { parts: vec![Part::Unknown(part)] }
}
