//! Lists of values: arguments in parentheses and without, elements, fields, comprehensions.

use super::eval::{Eval, MAX_ELEMENTS, name_of, plain};
use super::lexer::Token;
use super::value::Value;
use super::{Language, calls};

impl Eval<'_, '_> {
    /// The arguments of a call, from behind its `(`. A method's receiver is what the parameter of a function is.
    pub(super) fn arguments(&mut self, receiver: Option<&Value>) -> Vec<Value> {
        self.item = receiver.map(|value| match value {
            Value::List(values) => Value::Any(values.clone()),
            other => other.clone(),
        });
        let args = self.list(')');
        self.item = None;
        args
    }

    /// `for x in list` behind the element of a comprehension.
    pub(super) fn comprehension(&mut self) {
        if let Some((_, end)) = self.bound.iter().find(|(start, _)| *start == self.at) {
            self.at = *end;
            return;
        }
        self.at += 1;
        let mut names = Vec::new();
        while self.peek().is_some() && self.name_at(0) != Some("in") && !self.is_char(0, ']') {
            names.extend(self.name_at(0).map(str::to_owned));
            self.at += 1;
        }
        self.at += 1;
        let list = self.expression();
        self.bind(&names, list);
    }

    /// Binds the variables of a comprehension before its element, which stands before them, is walked.
    pub(super) fn bind_comprehension(&mut self) {
        /// How far ahead its `for` is looked for.
        const FAR: usize = 128;
        let mut depth = 0_usize;
        let mut found = None;
        for (offset, token) in self.tokens[self.at.min(self.tokens.len())..].iter().take(FAR).enumerate() {
            match token {
                Token::Char('(' | '[' | '{') => depth += 1,
                Token::Char(')' | ']' | '}') if depth == 0 => break,
                Token::Char(')' | ']' | '}') => depth -= 1,
                Token::Name(name) if depth == 0 && name == "for" => {
                    found = Some(self.at + offset);
                    break;
                }
                _ => {}
            }
        }
        let Some(start) = found.filter(|start| *start > self.at) else { return };
        let at = std::mem::replace(&mut self.at, start);
        self.comprehension();
        while self.name_at(0) == Some("for") {
            self.comprehension();
        }
        self.bound.push((start, self.at));
        self.at = at;
    }

    /// Values with commas between them, up to `close` and past it; named ones as one value of fields.
    pub(super) fn list(&mut self, close: char) -> Vec<Value> {
        let mut values = Vec::new();
        let mut named: Vec<(String, Value)> = Vec::new();
        if self.language == Language::Python && self.bound.len() < MAX_ELEMENTS {
            self.bind_comprehension();
        }
        while let Some(token) = self.tokens.get(self.at) {
            if !self.reader.pay(1) {
                break;
            }
            match token {
                Token::Char(char) if *char == close => {
                    self.at += 1;
                    break;
                }
                Token::Char(',') | Token::Line => self.at += 1,
                // A statement inside (a function's body): walked by whoever comes next.
                Token::Char(';' | '}') => break,
                Token::Char(')' | ']') => {
                    self.at += 1;
                    break;
                }
                Token::Name(name)
                    if (self.is_char(1, '=') && !self.is_char(2, '=') && !self.is_char(2, '>'))
                        || (self.is_char(1, ':') && !self.is_char(2, ':') && self.language != Language::Python) =>
                {
                    let name = name.clone();
                    self.at += 2;
                    let value = self.expression();
                    if !self.is_char(0, '?') {
                        named.push((name, value));
                    }
                }
                _ => {
                    let before = self.at;
                    let value = self.expression();
                    // `'key' => value` in Perl, Ruby and PHP; `f => …` came as a value already.
                    if self.is_char(0, '=') && self.is_char(1, '>') {
                        self.at += 2;
                        let key = value.literal().map_or_else(|| name_of(&value), str::to_owned);
                        let value = self.expression();
                        named.push((key, value));
                    } else if values.len() < MAX_ELEMENTS {
                        values.push(value);
                    }
                    if self.at == before {
                        self.at += 1;
                    }
                }
            }
        }
        if !named.is_empty() {
            values.push(Value::Fields(named));
        }
        values
    }

    /// `{ key: value, … }`, from behind its brace.
    pub(super) fn fields(&mut self) -> Value {
        let mut fields = Vec::new();
        while let Some(token) = self.peek().cloned() {
            if !self.reader.pay(1) {
                break;
            }
            match token {
                Token::Char('}') => {
                    self.at += 1;
                    break;
                }
                Token::Char(',') | Token::Line => self.at += 1,
                Token::Name(_) | Token::Text(_)
                    if self.is_char(1, ':') || (self.is_char(1, '=') && self.is_char(2, '>')) =>
                {
                    let key = match &token {
                        Token::Name(name) => name.clone(),
                        Token::Text(pieces) => plain(pieces),
                        _ => String::new(),
                    };
                    self.at += if self.is_char(1, ':') { 2 } else { 3 };
                    let value = self.expression();
                    fields.push((key, value));
                }
                Token::Char('.') => {
                    while self.take_char('.') {}
                    let value = self.expression();
                    match value {
                        Value::Fields(more) => fields.extend(more),
                        Value::Environment => fields.push(("...".to_owned(), Value::Environment)),
                        _ => {}
                    }
                }
                // A block, or something else: walked by whoever comes next.
                _ => break,
            }
        }
        Value::Fields(fields)
    }

    /// Whether a value stands here that may be the first argument of a call without parentheses.
    pub(super) fn starts_value(&self) -> bool {
        match self.peek() {
            Some(Token::Text(_) | Token::Words(_) | Token::Number(_) | Token::Run(_)) => true,
            Some(Token::Char('[' | '<' | ':' | '*')) => true,
            Some(Token::Name(name)) => !matches!(
                name.as_str(),
                "if" | "unless"
                    | "and"
                    | "or"
                    | "do"
                    | "for"
                    | "foreach"
                    | "while"
                    | "x"
                    | "eq"
                    | "ne"
                    | "end"
                    | "then"
            ),
            _ => false,
        }
    }

    pub(super) fn bare_call_ahead(&self, value: &Value) -> bool {
        matches!(self.language, Language::Perl | Language::Ruby | Language::Php)
            && self.starts_value()
            && matches!(value, Value::Name(name) if calls::takes_bare(name.rsplit('.').next().unwrap_or(name)))
    }

    pub(super) fn bare_arguments(&mut self) -> Vec<Value> {
        let mut values = Vec::new();
        loop {
            // `open F, …`, `print STDERR …`
            let value = self.expression();
            if values.len() < MAX_ELEMENTS {
                values.push(value);
            }
            if self.is_char(0, ':') && !self.is_char(1, ':') {
                // A Ruby keyword argument.
                self.at += 1;
                let value = self.expression();
                if let Some(last) = values.last_mut() {
                    *last = Value::Fields(vec![(name_of(last), value)]);
                }
            }
            if !self.take_char(',') {
                return values;
            }
        }
    }
}
