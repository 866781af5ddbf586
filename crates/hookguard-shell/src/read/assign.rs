//! Assignments: `NAME=value`, `NAME+=value`, `NAME[key]=value`, `NAME=(…)`.

use std::rc::Rc;

use super::Reader;
use super::source::Source;
use super::state::{self, Value, Variable};
use crate::command::{Assignment, Part, Unknown, Word};
use crate::syntax::Kind;

impl Reader {
    /// Evaluates an assignment and sets its variable; remembers what was there before, where it is to be put back.
    pub(super) fn keep(
        &mut self,
        source: &Rc<Source>,
        at: usize,
        assignments: &mut Vec<Assignment>,
        before: Option<&mut Vec<(String, Option<Variable>)>>,
    ) {
        let (name, value) = self.assign(source, at, assignments);
        if let Some(before) = before {
            before.push((name.clone(), self.state.variable(&name).cloned()));
        }
        self.state.set(&name, value);
    }

    /// `NAME=value`, `NAME+=value`, `NAME[key]=value`, `NAME=(…)`: the name and its new value.
    pub(super) fn assign(
        &mut self,
        source: &Rc<Source>,
        at: usize,
        assignments: &mut Vec<Assignment>,
    ) -> (String, Value) {
        let node = source.node(at);
        let end = node.next as usize;
        let written = source.slice(node);
        let append = written.ends_with('+');
        let name = written.trim_end_matches('+').split('[').next().unwrap_or("").to_owned();
        let mut key = None;
        let mut value = Value::Text(Word::default());
        let mut child = at + 1;
        while child < end {
            let part = source.node(child);
            match part.kind {
                Kind::Subscript => key = Some(self.quoted_value(source, child)),
                Kind::Array => value = self.array(source, child),
                _ => value = Value::Text(super::param::bounded(self.value(source, child))),
            }
            child = part.next as usize;
        }
        if let Value::Text(word) = &value {
            assignments.push(Assignment { name: name.clone(), value: word.clone() });
        }
        let value = match (key, value) {
            (Some(key), Value::Text(word)) => put_element(self.known(&name), &key, word),
            (_, value) if append => join(self.known(&name), value),
            (_, value) => value,
        };
        (name, value)
    }

    /// `(…)` of an array assignment.
    pub(super) fn array(&mut self, source: &Rc<Source>, at: usize) -> Value {
        let end = source.node(at).next as usize;
        let mut words = Vec::new();
        let mut pairs = Vec::new();
        let mut child = at + 1;
        while child < end {
            let node = source.node(child);
            if source.slice(node).starts_with('[') && source.slice(node).contains("]=") {
                let word = self.value(source, child);
                if let Some((key, value)) = split_key(&word) {
                    pairs.push((key, value));
                }
            } else {
                words.extend(self.fields(source, child));
            }
            child = node.next as usize;
        }
        if pairs.is_empty() { Value::List(words) } else { Value::Map(pairs) }
    }

    /// `declare A=(…)`: sets the array; the argument is then only its name.
    pub(super) fn declared_array(&mut self, source: &Rc<Source>, at: usize, argv: &[Word]) -> Option<Word> {
        let end = source.node(at).next as usize;
        let array = (at + 1..end).find(|&child| source.node(child).kind == Kind::Array)?;
        let program = argv.first()?.as_literal()?;
        if !matches!(program, "declare" | "typeset" | "local" | "export" | "readonly") {
            return None;
        }
        let name = source.slice(source.node(at + 1)).trim_end_matches('=').trim_end_matches('+').to_owned();
        let value = self.array(source, array);
        self.state.set(&name, value);
        Some(Word::literal(name))
    }
}

/// `[key]=value` as a pair.
fn split_key(word: &Word) -> Option<(String, Word)> {
    let Part::Literal(first) = word.parts.first()? else { return None };
    let end = first.find("]=")?;
    let key = first.get(1..end)?.to_owned();
    let mut value = Word::default();
    if first.len() > end + 2 {
        value.parts.push(Part::Literal(first[end + 2..].to_owned()));
    }
    value.parts.extend(word.parts[1..].iter().cloned());
    Some((key, value))
}

/// A variable with one element changed.
fn put_element(old: Option<Value>, key: &Word, word: Word) -> Value {
    let Some(key) = key.as_literal() else { return Value::List(vec![state::unknown(Unknown::Other)]) };
    match old {
        Some(Value::Map(mut pairs)) => {
            pairs.retain(|(other, _)| other != key);
            pairs.push((key.to_owned(), word));
            Value::Map(pairs)
        }
        old => {
            let mut words = match old {
                Some(Value::List(words)) => words,
                Some(Value::Text(text)) => vec![text],
                _ => Vec::new(),
            };
            match key.parse::<usize>() {
                Ok(index) if index < 4096 => {
                    if words.len() <= index {
                        words.resize(index + 1, Word::default());
                    }
                    words[index] = word;
                    Value::List(words)
                }
                _ => Value::Map(vec![(key.to_owned(), word)]),
            }
        }
    }
}

/// `+=`.
fn join(old: Option<Value>, new: Value) -> Value {
    match (old, new) {
        (Some(Value::Text(mut text)), Value::Text(more)) => {
            let mut out = super::fields::Fields::default();
            out.verbatim(&text);
            out.verbatim(&more);
            text = super::param::bounded(out.join());
            Value::Text(text)
        }
        (Some(Value::List(mut words)), Value::List(more)) => {
            words.extend(more);
            Value::List(words)
        }
        (Some(Value::Map(mut pairs)), Value::Map(more)) => {
            pairs.extend(more);
            Value::Map(pairs)
        }
        (Some(Value::Text(text)), Value::List(more)) => Value::List(std::iter::once(text).chain(more).collect()),
        (_, new) => new,
    }
}
