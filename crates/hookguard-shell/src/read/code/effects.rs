//! What calls do, as commands in the shell's vocabulary.

use super::Language;
use super::calls::{self, Effect};
use super::eval::{Eval, module_name, name_of};
use super::value::Value;
use crate::command::{Cwd, Part, Redirect, RedirectKind, Stdin, Unknown, Word};

use super::super::run::tail;
use super::super::walk::Input;
use super::super::{path, state};

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Read,
    Write,
    Append,
}

impl Eval<'_, '_> {
    /// Calls a function by its path.
    pub(super) fn invoke(&mut self, callee: &Value, args: Vec<Value>) -> Value {
        let name = name_of(callee);
        let Some(effect) = calls::find(&name, self.language) else {
            return self.other_call(&name, args);
        };
        let first = args.first().cloned().unwrap_or(Value::Unknown);
        match effect {
            Effect::Remove | Effect::RemoveTree => {
                let paths = paths(&args);
                let paths = if paths.is_empty() && self.language == Language::Perl {
                    vec![self.names.get("_").cloned().unwrap_or(Value::Unknown)]
                } else {
                    paths
                };
                for path in paths {
                    self.remove(&path, effect == Effect::RemoveTree);
                }
            }
            Effect::RemoveOption => {
                let recursive = args.iter().any(|arg| {
                    matches!(arg.field("recursive"), Some(value) if value.literal() != Some("false") && *value != Value::Name("false".to_owned()))
                });
                self.remove(&first, recursive);
            }
            Effect::Run => return self.run_call(&args),
            Effect::Spawn => {
                let mut words = vec![first];
                match args.get(1) {
                    Some(Value::List(rest)) if self.language == Language::Python => words.clone_from(rest),
                    Some(Value::List(rest)) => words.extend(rest.iter().cloned()),
                    _ => {}
                }
                let shell = args.iter().any(|arg| matches!(arg.field("shell"), Some(Value::True)));
                return match (words.as_slice(), shell) {
                    ([code], _)
                        if args.len() <= 1
                            && self.language == Language::JavaScript
                            && code.literal().is_some_and(|text| text.contains(' ')) =>
                    {
                        self.shell(&code.clone())
                    }
                    (_, true) => {
                        let code = words.into_iter().reduce(|left, right| left.append(Value::text(" ")).append(right));
                        self.shell(&code.unwrap_or(Value::Unknown))
                    }
                    _ => self.words(&Value::List(words)),
                };
            }
            Effect::ExecWords => {
                let skip = usize::from(!name.contains("subprocess"));
                return self.words(&Value::List(
                    args.into_iter().skip(skip).filter(|arg| !matches!(arg, Value::Fields(_))).collect(),
                ));
            }
            Effect::Open => {
                let mode = args.get(1).and_then(Value::literal).map(str::to_owned);
                let mode = mode.or_else(|| args.iter().find_map(|arg| arg.field("mode")?.literal().map(str::to_owned)));
                let mode = mode.unwrap_or_else(|| "r".to_owned());
                return self.open(&first, &mode);
            }
            Effect::PerlOpen => self.perl_open(&args),
            Effect::Write => {
                let append = args
                    .iter()
                    .any(|arg| arg.field("flag").and_then(Value::literal).is_some_and(|flag| flag.starts_with('a')))
                    || matches!(args.get(2), Some(Value::Name(name)) if name == "FILE_APPEND");
                self.file(&first, if append { Target::Append } else { Target::Write });
            }
            Effect::Append => drop(self.file(&first, Target::Append)),
            Effect::Read => return self.file(&first, Target::Read),
            Effect::Move => self.command("mv", &args[..args.len().min(2)]),
            Effect::Copy => self.command("cp -r", &args[..args.len().min(2)]),
            Effect::Link => self.command("ln -s", &args[..args.len().min(2)]),
            Effect::Chmod => {
                let mode = octal(args.get(1));
                self.command("chmod", &[mode, first]);
            }
            Effect::ModeChmod => {
                let program = if name.ends_with("_R") { "chmod -R" } else { "chmod" };
                let mut words = vec![octal(args.first())];
                words.extend(args.into_iter().skip(1).filter(|arg| !matches!(arg, Value::Fields(_))));
                self.command(program, &words);
            }
            Effect::Net => return self.network(&args),
            // `new Function('a', 'b', code)`
            Effect::Code if name.ends_with("Function") => return self.code(args.last().unwrap_or(&first)),
            Effect::Code => return self.code(&first),
            Effect::ChangeFolder => {
                let folder = match first.literal() {
                    Some(text) => path::join(self.reader.state.folder(self.reader.choice), text),
                    None => Cwd::Unknown,
                };
                self.reader.state.go(vec![folder]);
            }
            Effect::Decode => {
                return if name.ends_with("loads") && !name.contains("marshal") && !name.contains("pickle") {
                    Value::Unknown
                } else {
                    Value::Decoded
                };
            }
            Effect::Print => {
                if args.iter().any(holds_environment) {
                    // A value made of it (`JSON.stringify(process.env)`) is shown or sent by whoever gets it.
                    if matches!(name.rsplit('.').next(), Some("stringify" | "dumps" | "json_encode")) {
                        return Value::Environment;
                    }
                    self.command("printenv", &[]);
                }
                return first;
            }
            Effect::Require => {
                if self.language == Language::JavaScript || self.language == Language::Python {
                    return first.literal().map_or(Value::Unknown, |module| Value::Name(module_name(module)));
                }
            }
            Effect::Attribute => {
                if let (Value::Name(module), Some(name)) = (&first, args.get(1).and_then(Value::literal)) {
                    return Value::Name(format!("{module}.{name}"));
                }
            }
            Effect::Environment => {
                return match first.literal() {
                    Some(name) => self.environment(name),
                    None if args.is_empty() => Value::Environment,
                    None => Value::Unknown,
                };
            }
            Effect::Home => return self.environment("HOME"),
            Effect::Folder => return self.folder(),
            Effect::TempFolder => return Value::text("/tmp"),
            Effect::Temp => return Value::text("/tmp/tmp.XXXXXXXXXX"),
            Effect::Join => {
                let mut parts = args.into_iter().filter(|arg| !matches!(arg, Value::Fields(_)));
                let start = parts.next().unwrap_or_else(|| Value::text("."));
                return parts.fold(start, |path, part| path.below(&part));
            }
            Effect::Resolve => {
                let start = self.folder();
                return args.iter().fold(start, |path, part| path.below(part));
            }
            Effect::Expand => {
                let path = self.expanded(&first);
                return match args.get(1) {
                    Some(folder) => folder.clone().below(&path),
                    None => path,
                };
            }
            Effect::Same => return first,
            Effect::Glob => return self.glob(&first),
            Effect::Children => {
                let folder = if args.is_empty() { Value::text(".") } else { first };
                return self.children(&folder);
            }
            Effect::Split => {
                let mut fields = super::super::fields::Fields::default();
                fields.unquoted(&first.word());
                return Value::List(fields.finish().into_iter().map(Value::Text).collect());
            }
            Effect::Kill => {
                let (signal, process) = if self.language == Language::Python || self.language == Language::JavaScript {
                    (args.get(1), args.first())
                } else {
                    (args.first(), args.get(1))
                };
                let signal = signal.map(|signal| Value::text("-").append(signal.clone()));
                let words: Vec<Value> = signal.into_iter().chain(process.cloned()).collect();
                self.command("kill", &words);
            }
        }
        Value::Unknown
    }

    /// A call that no table has: `shell.rm('-rf', x)` of shelljs; else what it gives may hold what it got.
    pub(super) fn other_call(&mut self, name: &str, args: Vec<Value>) -> Value {
        if let Some((module, program @ ("rm" | "mv" | "cp" | "chmod" | "ln"))) = name.rsplit_once('.')
            && matches!(module.rsplit('.').next(), Some("shell" | "shelljs" | "sh"))
        {
            let words: Vec<Value> = args.into_iter().filter(|arg| !matches!(arg, Value::Fields(_))).collect();
            self.command(program, &words);
            return Value::Unknown;
        }
        if name == "Buffer.from"
            && args.get(1).and_then(Value::literal).is_some_and(|kind| kind == "base64" || kind == "hex")
        {
            return Value::Decoded;
        }
        self.passed_function(&args);
        if args.contains(&Value::Decoded) {
            Value::Decoded
        } else if args.iter().any(holds_environment) {
            Value::Environment
        } else {
            Value::Unknown
        }
    }

    pub(super) fn remove(&mut self, path: &Value, tree: bool) {
        self.command(if tree { "rm -rf" } else { "rm" }, std::slice::from_ref(path));
    }

    /// A command for each possible value of its words.
    pub(super) fn command(&mut self, program: &str, args: &[Value]) {
        let count = args
            .iter()
            .map(|arg| match arg {
                Value::Any(values) => values.len().min(state::MAX_ALTERNATIVES),
                _ => 1,
            })
            .max()
            .unwrap_or(1);
        for choice in 0..count.max(1) {
            let mut words: Vec<Word> = program.split(' ').map(Word::literal).collect();
            for arg in args {
                match arg {
                    Value::Any(values) if !values.is_empty() => words.extend(values[choice % values.len()].words()),
                    Value::List(_) => words.extend(arg.words()),
                    other => words.push(other.word()),
                }
            }
            self.emit(words, None, Stdin::Inherited);
        }
    }

    /// `open(path, mode)`
    pub(super) fn open(&mut self, path: &Value, mode: &str) -> Value {
        let target = if mode.contains(['w', 'x', 'c']) {
            Target::Write
        } else if mode.contains('a') {
            Target::Append
        } else if mode.contains('+') {
            Target::Write
        } else {
            Target::Read
        };
        self.file(path, target)
    }

    /// Reads or writes a file; gives what is read.
    pub(super) fn file(&mut self, path: &Value, target: Target) -> Value {
        let kind = match target {
            Target::Read => RedirectKind::Read,
            Target::Write => RedirectKind::Write,
            Target::Append => RedirectKind::Append,
        };
        let index = self.reader.commands.len();
        for word in possible(path) {
            self.emit(Vec::new(), Some(Redirect { kind, target: word }), Stdin::Inherited);
        }
        if target == Target::Read && self.reader.commands.len() > index {
            return Value::Text(state::unknown(Unknown::Substitution { commands: vec![index] }));
        }
        Value::Unknown
    }

    /// `open(F, '>', path)`, `open(F, ">path")`, `open(F, "rm x |")`
    pub(super) fn perl_open(&mut self, args: &[Value]) {
        let mode = args.get(1).map(|mode| mode.word()).unwrap_or_default();
        let text = mode.prefix().trim_start().to_owned();
        let path = args.get(2).cloned();
        if text.starts_with("-|") || text.starts_with("|-") {
            let rest: Vec<Value> = args.iter().skip(2).cloned().collect();
            if let [code] = rest.as_slice() {
                self.shell(code);
            } else {
                self.words(&Value::List(rest));
            }
            return;
        }
        if path.is_none() && (text.starts_with('|') || mode.display().trim_end().ends_with('|')) {
            let code = mode.display();
            self.shell(&Value::text(code.trim().trim_matches('|')));
            return;
        }
        let (target, skip) = match text.as_str() {
            text if text.starts_with(">>") => (Target::Append, 2),
            text if text.starts_with("+<") => (Target::Write, 2),
            text if text.starts_with('>') => (Target::Write, 1),
            text if text.starts_with('<') => (Target::Read, 1),
            _ => (Target::Read, 0),
        };
        let path = path.unwrap_or_else(|| {
            let rest = tail(&mode, skip);
            let blank = rest.prefix().len() - rest.prefix().trim_start().len();
            Value::Text(tail(&rest, blank))
        });
        self.file(&path, target);
    }

    /// Something goes over the network: `curl URL`, with what is sent as its input.
    pub(super) fn network(&mut self, args: &[Value]) -> Value {
        let mut sources: Vec<usize> = Vec::new();
        for arg in args {
            commands_in(arg, &mut sources);
        }
        if args.iter().any(holds_environment) {
            let index = self.reader.commands.len();
            self.command("printenv", &[]);
            sources.push(index);
        }
        let stdin = if sources.is_empty() { Stdin::Inherited } else { Stdin::Pipe(sources) };
        let url = args.first().map(Value::word).unwrap_or_default();
        let index = self.reader.commands.len();
        self.emit(vec![Word::literal("curl"), url], None, stdin);
        Value::Text(state::unknown(Unknown::Substitution { commands: vec![index] }))
    }

    /// Adds a command to the reading, and opens what it runs.
    pub(super) fn emit(&mut self, argv: Vec<Word>, redirect: Option<Redirect>, stdin: Stdin) {
        if !self.reader.pay(1 + argv.len()) {
            return;
        }
        let span = self.reader.commands[self.call.index].span;
        let input = Input { stdin, text: None };
        let mut command = self.reader.bare_command(span, argv, input.stdin.clone());
        command.redirects.extend(redirect);
        let index = self.reader.commands.len();
        let runs_something = !command.argv.is_empty();
        self.reader.commands.push(command);
        if runs_something {
            self.reader.dispatch_program(index, &input, false);
        }
    }
}

/// The paths among a call's arguments.
fn paths(args: &[Value]) -> Vec<Value> {
    args.iter()
        .filter(|arg| !matches!(arg, Value::Fields(_) | Value::True))
        .take(64)
        .flat_map(|arg| match arg {
            Value::List(values) => values.clone(),
            other => vec![other.clone()],
        })
        .collect()
}

/// Each word that a value may be.
pub(super) fn possible(value: &Value) -> Vec<Word> {
    match value {
        Value::Any(values) => values.iter().take(state::MAX_ALTERNATIVES).flat_map(possible).collect(),
        other => vec![other.word()],
    }
}

fn holds_environment(value: &Value) -> bool {
    match value {
        Value::Environment => true,
        Value::List(values) | Value::Any(values) => values.iter().any(holds_environment),
        Value::Fields(fields) => fields.iter().any(|(name, value)| name != "env" && holds_environment(value)),
        _ => false,
    }
}

/// The commands whose output a value holds.
fn commands_in(value: &Value, sources: &mut Vec<usize>) {
    match value {
        Value::Text(word) => {
            for part in &word.parts {
                if let Part::Unknown(Unknown::Substitution { commands }) = part {
                    sources.extend(commands);
                }
            }
        }
        Value::List(values) | Value::Any(values) => values.iter().for_each(|value| commands_in(value, sources)),
        Value::Fields(fields) => fields.iter().for_each(|(_, value)| commands_in(value, sources)),
        _ => {}
    }
}

/// A mode as `chmod` writes it: `0o777` and `0777` are `777`.
fn octal(value: Option<&Value>) -> Value {
    match value.and_then(Value::literal) {
        Some(text) => {
            let digits = text.trim_start_matches("0o").trim_start_matches('0');
            Value::text(if digits.is_empty() { "0" } else { digits })
        }
        None => value.cloned().unwrap_or(Value::Unknown),
    }
}
