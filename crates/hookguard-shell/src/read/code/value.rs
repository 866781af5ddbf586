//! Values of one-liners, as far as they are followed.

use crate::command::{Part, Unknown, Word};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Text, or a path.
    Text(Word),
    List(Vec<Value>),
    /// Named arguments, or an object's fields.
    Fields(Vec<(String, Value)>),
    /// One of these: what a loop's variable is.
    Any(Vec<Value>),
    /// A name that is bound to nothing: a module, a class, a function.
    Name(String),
    /// All of the environment.
    Environment,
    /// What a decoder (`base64`, `zlib`, …) gave: if it is run, nobody has seen it.
    Decoded,
    True,
    Unknown,
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Value {
        Value::Text(Word::literal(text))
    }

    /// As a word of a command.
    pub(super) fn word(&self) -> Word {
        match self {
            Value::Text(word) => word.clone(),
            Value::List(values) | Value::Any(values) if values.len() == 1 => values[0].word(),
            _ => Word { parts: vec![Part::Unknown(Unknown::Other)] },
        }
    }

    /// Each of its words: a list's elements, the possible values.
    pub(super) fn words(&self) -> Vec<Word> {
        match self {
            Value::List(values) | Value::Any(values) => values.iter().flat_map(Value::words).collect(),
            other => vec![other.word()],
        }
    }

    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Value::Text(word) => word.as_literal(),
            _ => None,
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Fields(fields) => fields.iter().find(|(other, _)| other == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Two values one behind the other.
    pub(super) fn append(self, other: Value) -> Value {
        match (self, other) {
            (Value::List(mut left), Value::List(right)) => {
                left.extend(right);
                Value::List(left)
            }
            (Value::Environment, _) | (_, Value::Environment) => Value::Environment,
            (Value::Any(values), other) => {
                Value::Any(values.into_iter().take(32).map(|value| value.append(other.clone())).collect())
            }
            (left, Value::Any(values)) => {
                Value::Any(values.into_iter().take(32).map(|value| left.clone().append(value)).collect())
            }
            (left, right) => Value::Text(join(&left.word(), &right.word())),
        }
    }

    /// A path and what stands below it.
    pub(super) fn below(self, other: &Value) -> Value {
        if let Value::Any(values) = self {
            return Value::Any(values.into_iter().map(|value| value.below(other)).collect());
        }
        let right = other.word();
        if right.prefix().starts_with('/') {
            return Value::Text(right);
        }
        let left = self.word();
        if left.parts.is_empty() {
            return Value::Text(right);
        }
        if matches!(left.parts.as_slice(), [Part::Unknown(Unknown::Item { roots, .. })] if !roots.is_empty()) {
            // What lies below something that lies below a root lies below that root.
            return Value::Text(left);
        }
        let left = if matches!(left.parts.last(), Some(Part::Literal(text)) if text.ends_with('/')) {
            left
        } else {
            join(&left, &Word::literal("/"))
        };
        Value::Text(join(&left, &right))
    }
}

/// Two words as one, not longer than is worth keeping.
pub(super) fn join(left: &Word, right: &Word) -> Word {
    let mut fields = super::super::fields::Fields::default();
    fields.verbatim(left);
    fields.verbatim(right);
    super::super::param::bounded(fields.join())
}
