//! Calls that run something: shell code, a list of words, code of the same language, a function passed along.

use super::Language;
use super::calls::{self, Effect};
use super::effects::possible;
use super::eval::Eval;
use super::value::Value;
use crate::command::{Part, Runs, Stdin, Step, Unknown, Word};

use super::super::state;
use super::super::walk::Input;

impl Eval<'_, '_> {
    /// A function that another gets to call: `map(os.remove, paths)`, `array_map('unlink', $paths)`, `submit(rmtree, x)`.
    pub(super) fn passed_function(&mut self, args: &[Value]) {
        for (index, arg) in args.iter().enumerate() {
            let named = match arg {
                Value::Name(name) => name.as_str(),
                Value::Text(_) if self.language == Language::Php => arg.literal().unwrap_or(""),
                // `Thread(target=os.remove, args=(path,))`
                Value::Fields(_) => match arg.field("target") {
                    Some(Value::Name(name)) => name.as_str(),
                    _ => continue,
                },
                _ => continue,
            };
            let acts = matches!(
                calls::find(named, self.language),
                Some(Effect::Remove | Effect::RemoveTree | Effect::RemoveOption | Effect::Run | Effect::Spawn)
            );
            if !acts {
                continue;
            }
            let callee = Value::Name(named.to_owned());
            let mut given: Vec<Value> = Vec::new();
            for (other, value) in
                args.iter().enumerate().filter(|(other, _)| *other != index || matches!(arg, Value::Fields(_)))
            {
                match value {
                    Value::List(values) => given.push(Value::Any(values.clone())),
                    Value::Fields(_) if other == index => match value.field("args") {
                        Some(Value::List(values)) => given.extend(values.iter().cloned()),
                        Some(value) => given.push(value.clone()),
                        None => {}
                    },
                    Value::Fields(_) => {}
                    value => given.push(value.clone()),
                }
            }
            if !given.is_empty() {
                self.invoke(&callee, given);
            }
        }
    }

    /// `system(…)`, `subprocess.run(…)`: shell code, or a list of words.
    pub(super) fn run_call(&mut self, args: &[Value]) -> Value {
        let words: Vec<&Value> = args.iter().filter(|arg| !matches!(arg, Value::Fields(_))).collect();
        // Ruby's and Perl's `system('rm', '-rf', x)` have no shell in between.
        let listed = matches!(self.language, Language::Ruby | Language::Perl)
            && words.len() > 1
            && words.iter().all(|word| !matches!(word, Value::True));
        if listed {
            let words = words.into_iter().filter(|word| **word != Value::Environment).cloned().collect();
            return self.words(&Value::List(words));
        }
        match words.first() {
            Some(Value::List(list)) => {
                let shell = args.iter().any(|arg| matches!(arg.field("shell"), Some(Value::True)));
                let code = list.first().cloned().filter(|_| shell);
                match code {
                    Some(code) => self.shell(&code),
                    None => self.words(&Value::List(list.clone())),
                }
            }
            Some(code) => self.shell(&(*code).clone()),
            None => match args.iter().find_map(|arg| arg.field("args")) {
                Some(named) => self.run_call(std::slice::from_ref(named)),
                None => Value::Unknown,
            },
        }
    }

    /// Runs shell code.
    pub(super) fn shell(&mut self, code: &Value) -> Value {
        for word in possible(code) {
            let before = self.reader.commands.len();
            let known = word.parts.iter().any(|part| matches!(part, Part::Literal(text) if !text.trim().is_empty()));
            if !known {
                self.reader.commands[self.call.index].runs = Some(Runs::Unknown);
                continue;
            }
            let out = self.reader.code(&word, Step::Code, "sh", Input::default(), false);
            if self.reader.commands.len() > before {
                return Value::Text(state::unknown(Unknown::Substitution { commands: out.commands }));
            }
        }
        Value::Unknown
    }

    /// Runs a list of words.
    pub(super) fn words(&mut self, list: &Value) -> Value {
        let words: Vec<Word> = match list {
            Value::List(values) => values
                .iter()
                .flat_map(|value| match value {
                    Value::List(_) => value.words(),
                    other => vec![other.word()],
                })
                .collect(),
            other => other.words(),
        };
        let index = self.reader.commands.len();
        self.emit(words, None, Stdin::Inherited);
        if self.reader.commands.len() > index {
            return Value::Text(state::unknown(Unknown::Substitution { commands: vec![index] }));
        }
        Value::Unknown
    }

    /// Code of the same language.
    pub(super) fn code(&mut self, code: &Value) -> Value {
        match code {
            Value::Text(word) if word.as_literal().is_some_and(|text| !text.is_empty()) => {
                let call = self.call;
                let language = self.language;
                let runs = self.reader.commands[call.index].runs.clone();
                self.reader.language(call, word, language, Step::Code, call.name);
                if runs == Some(Runs::Unknown) {
                    self.reader.commands[call.index].runs = runs;
                }
            }
            Value::True => {}
            _ => self.reader.commands[self.call.index].runs = Some(Runs::Unknown),
        }
        Value::Unknown
    }
}
