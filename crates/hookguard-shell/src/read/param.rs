//! Parameters: `$X`, `$1`, `"$@"`, `${A[@]}`, and the operators of `${X…}`.

use std::rc::Rc;

use super::Reader;
use super::fields::Fields;
use super::pattern::{self, Token};
use super::source::Source;
use super::state::{self, Value};
use crate::command::{Part, Unknown, Word};
use crate::syntax::Kind;

/// What stands in `${…}`.
#[derive(Default)]
struct Written<'s> {
    prefix: Option<u8>,
    name: &'s str,
    subscript: Option<usize>,
    operator: &'s str,
    /// The first node of the operand.
    operand: usize,
    end: usize,
}

impl Reader {
    /// `$NAME`.
    pub(super) fn variable(&mut self, name: &str, quoted: bool, fields: &mut Fields) {
        match name {
            "@" | "*" => self.all_arguments(name, quoted, fields),
            _ => {
                let word = self.simple_value(name);
                if !self.pay(cost(&word)) {
                    return;
                }
                if quoted { fields.verbatim(&word) } else { fields.unquoted(&word) }
            }
        }
    }

    /// The value of a name or a position.
    fn simple_value(&mut self, name: &str) -> Word {
        if let Ok(position) = name.parse::<usize>()
            && position > 0
        {
            return match self.state.arguments() {
                Some(arguments) => arguments.get(position - 1).cloned().unwrap_or_default(),
                None => state::unknown(state::unset(name)),
            };
        }
        self.lookup(name)
    }

    fn all_arguments(&mut self, name: &str, quoted: bool, fields: &mut Fields) {
        match self.state.arguments().cloned() {
            Some(arguments) => self.list(&arguments, name == "@", quoted, fields),
            None => fields.unknown(state::unset(name)),
        }
    }

    /// A list in the place of one word: as fields, or joined in `"$*"`.
    fn list(&mut self, words: &[Word], each: bool, quoted: bool, fields: &mut Fields) {
        if !self.pay(words.len()) {
            return;
        }
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                if quoted && !each { fields.lit(" ") } else { fields.split() }
            }
            if quoted {
                if each {
                    fields.quoted();
                }
                fields.verbatim(word);
            } else {
                fields.unquoted(word);
            }
        }
    }

    /// Whether a node is `$@` or `${A[@]}` with nothing in it.
    pub(super) fn is_empty_list(&mut self, source: &Source, at: usize) -> bool {
        let node = source.node(at);
        match node.kind {
            Kind::Variable if source.slice(node) == "@" => {
                self.state.arguments().is_some_and(|arguments| arguments.is_empty())
            }
            Kind::Param if source.slice(node).ends_with("[@]}") => {
                let written = Self::written(source, at);
                matches!(self.known(written.name), Some(Value::List(words)) if words.is_empty())
            }
            _ => false,
        }
    }

    fn written(source: &Source, at: usize) -> Written<'_> {
        let node = source.node(at);
        let mut written = Written { operand: at + 1, end: node.next as usize, ..Written::default() };
        let mut child = at + 1;
        while child < written.end {
            let part = source.node(child);
            match part.kind {
                Kind::Prefix if written.name.is_empty() => written.prefix = source.slice(part).bytes().next(),
                Kind::Name => written.name = source.slice(part),
                Kind::Subscript if written.operator.is_empty() && written.subscript.is_none() => {
                    written.subscript = Some(child);
                }
                Kind::Operator => {
                    written.operator = source.slice(part);
                    written.operand = part.next as usize;
                    return written;
                }
                _ => {
                    written.operand = child;
                    return written;
                }
            }
            child = part.next as usize;
            written.operand = child;
        }
        written
    }

    /// `${…}`.
    pub(super) fn parameter(&mut self, source: &Rc<Source>, at: usize, quoted: bool, fields: &mut Fields) {
        let text = Rc::clone(source);
        let written = Self::written(&text, at);
        let key = written.subscript.map(|node| self.quoted_value(source, node));
        let all = key.as_ref().and_then(Word::as_literal).filter(|key| matches!(*key, "@" | "*")).map(str::to_owned);
        match written.prefix {
            Some(b'#') => {
                self.touch_operand(source, &written);
                return fields.unknown(Unknown::Number);
            }
            Some(b'!') => return self.indirect(source, &written, all.as_deref(), quoted, fields),
            _ => {}
        }
        if written.name.is_empty() {
            self.touch_operand(source, &written);
            return fields.unknown(Unknown::Other);
        }
        // A whole list: `${A[@]}`, `${@}`, `${@:2}`.
        let list = match (&all, written.name) {
            (None, "@" | "*") => self.state.arguments().map(|arguments| arguments.as_ref().clone()),
            (Some(_), name) => match self.known(name) {
                Some(Value::List(words)) => Some(words),
                Some(Value::Map(pairs)) => Some(pairs.into_iter().map(|(_, word)| word).collect()),
                Some(Value::Text(word)) => Some(vec![word]),
                None => None,
            },
            _ => None,
        };
        let is_list = all.is_some() || matches!(written.name, "@" | "*");
        if let Some(words) = list {
            let words = match written.operator {
                "" => words,
                ":" => {
                    let from = self.operand(source, &written).as_literal().and_then(|text| text.trim().parse().ok());
                    let from: usize = from.unwrap_or(0);
                    let skipped =
                        if written.name == "@" || written.name == "*" { from.saturating_sub(1) } else { from };
                    words.into_iter().skip(skipped).collect()
                }
                ":-" | "-" if !words.is_empty() => words,
                _ => {
                    let operated: Vec<Word> =
                        words.into_iter().map(|word| self.operate(source, &written, Some(word))).collect();
                    operated
                }
            };
            let each = all.as_deref().unwrap_or(written.name) == "@";
            return self.list(&words, each, quoted, fields);
        }
        let value = if is_list { None } else { self.element(written.name, key.as_ref()) };
        let word = self.operate(source, &written, value);
        if !self.pay(cost(&word)) {
            return;
        }
        if quoted { fields.verbatim(&word) } else { fields.unquoted(&word) }
    }

    /// A variable's value, or that of an element of it.
    fn element(&mut self, name: &str, key: Option<&Word>) -> Option<Word> {
        let Some(key) = key else {
            if let Ok(position) = name.parse::<usize>()
                && position > 0
            {
                let arguments = self.state.arguments()?;
                return Some(arguments.get(position - 1).cloned().unwrap_or_default());
            }
            return match self.known(name)? {
                Value::Text(word) => Some(word),
                Value::List(words) => Some(words.into_iter().next().unwrap_or_default()),
                Value::Map(_) => None,
            };
        };
        let key = key.as_literal()?;
        match self.known(name)? {
            Value::Map(pairs) => {
                Some(pairs.into_iter().find(|(other, _)| other == key).map(|(_, word)| word).unwrap_or_default())
            }
            Value::List(words) => {
                let index: i64 = key.trim().parse().ok()?;
                let index = if index < 0 { index + words.len() as i64 } else { index };
                Some(usize::try_from(index).ok().and_then(|index| words.get(index).cloned()).unwrap_or_default())
            }
            Value::Text(word) => (key.trim() == "0").then_some(word),
        }
    }

    /// `${!NAME}`, `${!A[@]}`, `${!PREFIX*}`.
    fn indirect(
        &mut self,
        source: &Rc<Source>,
        written: &Written<'_>,
        all: Option<&str>,
        quoted: bool,
        fields: &mut Fields,
    ) {
        if all.is_some() {
            let keys = match self.known(written.name) {
                Some(Value::Map(pairs)) => pairs.into_iter().map(|(key, _)| Word::literal(key)).collect(),
                Some(Value::List(words)) => (0..words.len()).map(|index| Word::literal(index.to_string())).collect(),
                _ => vec![state::unknown(Unknown::Other)],
            };
            return self.list(&keys, all == Some("@"), quoted, fields);
        }
        self.touch_operand(source, written);
        let target = self.lookup(written.name);
        let word = match target.as_literal() {
            Some(name) if !name.is_empty() => self.simple_value(name),
            _ => state::unknown(Unknown::Other),
        };
        if quoted { fields.verbatim(&word) } else { fields.unquoted(&word) }
    }

    fn operand(&mut self, source: &Rc<Source>, written: &Written<'_>) -> Word {
        let mut fields = Fields::default();
        let mut child = written.operand;
        while child < written.end {
            self.expansion(source, child, true, &mut fields);
            child = source.node(child).next as usize;
        }
        fields.join()
    }

    fn touch_operand(&mut self, source: &Rc<Source>, written: &Written<'_>) {
        drop(self.operand(source, written));
    }

    /// The value of `${NAME<operator>operand}`; `value` is the variable's, if it is known.
    fn operate(&mut self, source: &Rc<Source>, written: &Written<'_>, value: Option<Word>) -> Word {
        let name = written.name;
        let colon = written.operator.starts_with(':');
        match written.operator {
            "" => value.unwrap_or_else(|| state::unknown(state::unset(name))),
            ":-" | "-" | ":=" | "=" => match value {
                Some(value) if !(value.parts.is_empty() && colon) => {
                    self.touch_operand(source, written);
                    value
                }
                Some(_) => self.operand(source, written),
                None => {
                    let default = self.operand(source, written);
                    if written.operator.ends_with('=') {
                        self.state.set(name, Value::Text(default.clone()));
                    }
                    self.default_or(name, default)
                }
            },
            ":+" | "+" => {
                let other = self.operand(source, written);
                match value {
                    Some(value) if value.parts.is_empty() && colon => value,
                    _ => other,
                }
            }
            ":?" | "?" => {
                self.touch_operand(source, written);
                match value {
                    Some(value) if !value.parts.is_empty() => value,
                    _ => state::unknown(Unknown::Variable { name: name.to_owned(), required: true }),
                }
            }
            operator => {
                let operand = self.operand(source, written);
                match value {
                    Some(value) => transform(operator, &operand, &value),
                    None => state::unknown(match state::unset(name) {
                        Unknown::Variable { name, .. } => Unknown::Variable { name, required: false },
                        other => other,
                    }),
                }
            }
        }
    }

    /// `${X:-word}` where nothing tells what `X` is: the word, or whatever the environment has. A program's name
    /// (`${PYTHON:-python3}`) and `TMPDIR` are taken at their word.
    fn default_or(&mut self, name: &str, default: Word) -> Word {
        if self.command_word || name == "TMPDIR" {
            return default;
        }
        self.alternatives = self.alternatives.max(2);
        if self.choice.is_multiple_of(2) { default } else { state::unknown(state::unset(name)) }
    }
}

/// What it costs to copy a value.
pub(super) fn cost(word: &Word) -> usize {
    word.parts
        .iter()
        .map(|part| match part {
            Part::Literal(text) | Part::Glob(text) => text.len() / 64,
            Part::Unknown(_) => 1,
        })
        .sum()
}

/// A value that is not too long to keep.
pub(super) fn bounded(word: Word) -> Word {
    if word.parts.len() > 256 || cost(&word) > 1024 { state::unknown(Unknown::Other) } else { word }
}

/// A known value behind one of the operators that change it.
fn transform(operator: &str, operand: &Word, value: &Word) -> Word {
    let unknown = || state::unknown(Unknown::Other);
    let Some(text) = value.as_literal() else {
        // What is known of it may be cut away; what is unknown stays unknown.
        return unknown();
    };
    match operator {
        "^^" => Word::literal(text.to_uppercase()),
        ",," => Word::literal(text.to_lowercase()),
        "^" | "," => {
            let mut chars = text.chars();
            let Some(first) = chars.next() else { return Word::default() };
            let first: String =
                if operator == "^" { first.to_uppercase().collect() } else { first.to_lowercase().collect() };
            Word::literal(first + chars.as_str())
        }
        "#" | "##" | "%" | "%%" => {
            let Some(tokens) = tokens(operand) else { return unknown() };
            let at_start = operator.starts_with('#');
            pattern::strip(&tokens, text, at_start, operator.len() == 2).map_or_else(unknown, Word::literal)
        }
        "/" | "//" | "/#" | "/%" => {
            let Some(operand) = operand.as_literal() else { return unknown() };
            // A slash at the very start is the pattern's own.
            let own = usize::from(operand.starts_with('/'));
            let (from, to) = match operand[own..].find('/') {
                Some(end) => (&operand[..own + end], &operand[own + end + 1..]),
                None => (operand, ""),
            };
            if to.contains('/') {
                // Which of the slashes were escaped is not known any more.
                return unknown();
            }
            if from.is_empty() {
                return value.clone();
            }
            if from.contains(['*', '?', '[', '\\']) || text.len() > 65_536 {
                return unknown();
            }
            Word::literal(match operator {
                "/" => text.replacen(from, to, 1),
                "//" => text.replace(from, to),
                "/#" => text.strip_prefix(from).map_or_else(|| text.to_owned(), |rest| format!("{to}{rest}")),
                _ => text.strip_suffix(from).map_or_else(|| text.to_owned(), |rest| format!("{rest}{to}")),
            })
        }
        ":" => {
            let Some(range) = operand.as_literal() else { return unknown() };
            let (from, length) = range.split_once(':').unwrap_or((range, ""));
            let chars: Vec<char> = text.chars().collect();
            let size = chars.len() as i64;
            let Ok(from) = from.trim().parse::<i64>() else { return unknown() };
            let from = if from < 0 { (size + from).max(0) } else { from.min(size) };
            let to = match length.trim() {
                "" => size,
                length => match length.parse::<i64>() {
                    Ok(length) if length < 0 => (size + length).max(from),
                    Ok(length) => (from + length).min(size),
                    Err(_) => return unknown(),
                },
            };
            Word::literal(chars[from as usize..to as usize].iter().collect::<String>())
        }
        "@" => match operand.as_literal() {
            Some("Q" | "E" | "U" | "L" | "u") => value.clone(),
            _ => unknown(),
        },
        _ => unknown(),
    }
}

/// The pattern that an operand is.
fn tokens(operand: &Word) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    for part in &operand.parts {
        let (Part::Literal(text) | Part::Glob(text)) = part else { return None };
        if text.contains('[') {
            return None;
        }
        tokens.extend(text.chars().map(|char| match char {
            '*' => Token::Many,
            '?' => Token::One,
            _ => Token::Char(char),
        }));
    }
    Some(tokens)
}
