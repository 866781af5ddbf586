//! Expressions: operators, names, members, indices and calls.

use super::eval::{Eval, MAX_NESTING, plain};
use super::lexer::Token;
use super::value::Value;
use super::{Language, calls};

impl Eval<'_, '_> {
    pub(super) fn expression(&mut self) -> Value {
        if self.nesting >= MAX_NESTING || !self.reader.pay(1) {
            return Value::Unknown;
        }
        self.nesting += 1;
        let mut left = self.primary();
        while let Some(token) = self.peek() {
            let token = token.clone();
            match token {
                Token::Char('+') if !self.is_char(1, '=') && !self.is_char(1, '+') => {
                    self.at += 1;
                    let right = self.primary();
                    left = left.append(right);
                }
                Token::Char('.')
                    if matches!(self.language, Language::Perl | Language::Php) && !self.is_char(1, '=') =>
                {
                    self.at += 1;
                    let right = self.primary();
                    left = left.append(right);
                }
                Token::Char('/') => {
                    self.at += 1;
                    let right = self.primary();
                    left = match left {
                        Value::Text(_) | Value::Any(_) => left.below(&right),
                        _ => Value::Unknown,
                    };
                }
                Token::Char('%') if self.language == Language::Python => {
                    self.at += 1;
                    let right = self.primary();
                    left = format(left, &right);
                }
                Token::Char('|') if self.is_char(1, '|') => {
                    self.at += 2;
                    let right = self.primary();
                    left = either(left, right);
                }
                Token::Char('?') if self.is_char(1, '?') => {
                    self.at += 2;
                    let right = self.primary();
                    left = either(left, right);
                }
                Token::Char('?') if self.language != Language::Python => {
                    self.at += 1;
                    let yes = self.expression();
                    let no = if self.take_char(':') { self.expression() } else { Value::Unknown };
                    left = Value::Any(vec![yes, no]);
                }
                Token::Char(char)
                    if matches!(char, '<' | '>' | '!' | '*' | '-' | '&' | '^' | '~' | '|' | '%')
                        || (char == '=' && (self.is_char(1, '=') || self.is_char(1, '~'))) =>
                {
                    while matches!(
                        self.peek(),
                        Some(Token::Char('<' | '>' | '!' | '*' | '-' | '&' | '^' | '~' | '|' | '=' | '%'))
                    ) {
                        self.at += 1;
                    }
                    self.primary();
                    left = Value::Unknown;
                }
                Token::Name(name) => match (self.language, name.as_str()) {
                    (Language::Python, "if") => {
                        self.at += 1;
                        self.expression();
                        if self.name_at(0) == Some("else") {
                            self.at += 1;
                            let other = self.expression();
                            left = Value::Any(vec![left, other]);
                        }
                    }
                    (Language::Python, "for") => self.comprehension(),
                    (Language::Python | Language::Perl | Language::Ruby, "or") => {
                        self.at += 1;
                        let right = self.expression();
                        left = either(left, right);
                    }
                    (_, "and" | "in" | "is" | "not" | "instanceof" | "eq" | "ne" | "x") => {
                        self.at += 1;
                        self.primary();
                        left = Value::Unknown;
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        self.nesting -= 1;
        left
    }

    pub(super) fn primary(&mut self) -> Value {
        let Some(token) = self.peek().cloned() else { return Value::Unknown };
        let value = match token {
            Token::Text(pieces) => {
                self.at += 1;
                let mut value = self.text(&pieces);
                while self.language == Language::Python
                    && let Some(Token::Text(more)) = self.peek().cloned()
                {
                    self.at += 1;
                    let more = self.text(&more);
                    value = value.append(more);
                }
                value
            }
            Token::Run(pieces) => {
                self.at += 1;
                let code = self.text(&pieces);
                self.shell(&code)
            }
            Token::Words(words) => {
                self.at += 1;
                Value::List(words.into_iter().map(Value::text).collect())
            }
            Token::Number(text) => {
                self.at += 1;
                if text.is_empty() { Value::Unknown } else { Value::text(text) }
            }
            Token::Char('(') => {
                self.at += 1;
                let mut values = self.list(')');
                if values.len() == 1 { values.remove(0) } else { Value::List(values) }
            }
            Token::Char('[') => {
                self.at += 1;
                Value::List(self.list(']'))
            }
            Token::Char('{') => {
                self.at += 1;
                self.fields()
            }
            Token::Char('<') if self.language == Language::Perl => self.perl_glob(),
            Token::Char('!' | '-' | '+' | '~' | '*' | '&' | '\\' | '@' | '%' | ':') if self.nesting < MAX_NESTING => {
                self.at += 1;
                self.nesting += 1;
                let value = self.primary();
                self.nesting -= 1;
                value
            }
            Token::Char('.') if self.is_char(1, '.') => {
                self.at += 1;
                while self.take_char('.') {}
                self.expression()
            }
            Token::Name(name) => return self.named(name),
            _ => return Value::Unknown,
        };
        self.postfix(value)
    }

    /// `<~/*>`
    pub(super) fn perl_glob(&mut self) -> Value {
        let mut text = String::new();
        let mut at = self.at + 1;
        while let Some(token) = self.tokens.get(at) {
            match token {
                Token::Char('>') => {
                    self.at = at + 1;
                    return self.glob(&Value::text(text));
                }
                Token::Char(char) => text.push(*char),
                Token::Name(name) | Token::Number(name) => text.push_str(name),
                _ => break,
            }
            at += 1;
        }
        self.at += 1;
        Value::Unknown
    }

    pub(super) fn named(&mut self, name: String) -> Value {
        self.at += 1;
        match name.as_str() {
            "new" | "await" | "typeof" | "my" | "our" | "delete" | "void" | "yield" | "async" | "do" | "return"
            | "not"
                if self.nesting < MAX_NESTING =>
            {
                self.nesting += 1;
                let value = self.primary();
                self.nesting -= 1;
                return value;
            }
            "True" | "true" | "TRUE" => return self.postfix(Value::True),
            "lambda" => {
                while self.peek().is_some() && !self.is_char(0, ':') && !self.is_char(0, ')') {
                    self.at += 1;
                }
                self.take_char(':');
                return self.expression();
            }
            "function" | "sub" | "def" => {
                // The body is walked as it comes.
                while self.peek().is_some() && !self.is_char(0, '{') {
                    self.at += 1;
                }
                self.take_char('{');
                return Value::Unknown;
            }
            _ => {}
        }
        // `x => …`: an arrow function's parameter.
        if self.is_char(0, '=') && self.is_char(1, '>') && self.language == Language::JavaScript {
            self.at += 2;
            let item = self.item.take().unwrap_or(Value::Unknown);
            self.names.insert(name, item);
            if self.take_char('{') {
                return Value::Unknown;
            }
            return self.expression();
        }
        let value = match self.names.get(&name) {
            Some(value) => value.clone(),
            None => calls::constant(&name, self.language).unwrap_or(Value::Name(name)),
        };
        let value = self.constant(value);
        self.postfix(value)
    }

    /// Values that are there without a call.
    pub(super) fn constant(&mut self, value: Value) -> Value {
        let Value::Name(name) = &value else { return value };
        match (self.language, name.as_str()) {
            (Language::JavaScript, "__dirname") => self.folder(),
            (Language::Perl, "ENV") | (Language::Ruby, "ENV") | (Language::Php, "_ENV" | "_SERVER") => {
                Value::Environment
            }
            _ => value,
        }
    }

    pub(super) fn postfix(&mut self, mut value: Value) -> Value {
        loop {
            if !self.reader.pay(1) {
                return Value::Unknown;
            }
            if let Some(length) = self.member_ahead() {
                let Some(name) = self.name_at(length).map(str::to_owned) else { return value };
                self.at += length + 1;
                value = self.member(value, name);
            } else if self.is_char(0, '(') && matches!(value, Value::Name(_)) {
                self.at += 1;
                let args = self.arguments(None);
                value = self.invoke(&value, args);
            } else if self.is_char(0, '(') {
                self.at += 1;
                self.list(')');
                value = Value::Unknown;
            } else if self.is_char(0, '[') && !matches!(self.tokens.get(self.at.wrapping_sub(1)), Some(Token::Line)) {
                if matches!(&value, Value::Name(name) if name == "Dir") {
                    self.at += 1;
                    let args = self.list(']');
                    value = self.glob(args.first().unwrap_or(&Value::Unknown));
                    continue;
                }
                if self.language == Language::Ruby && self.bare_call_ahead(&value) {
                    let args = self.bare_arguments();
                    value = self.invoke(&value, args);
                    continue;
                }
                self.at += 1;
                let index = self.list(']');
                value = self.index(&value, index.first());
            } else if self.is_char(0, '{') && self.language == Language::Perl && matches!(value, Value::Environment) {
                self.at += 1;
                let key = match self.peek() {
                    Some(Token::Name(name)) => Some(Value::text(name.clone())),
                    Some(Token::Text(pieces)) => Some(Value::text(plain(pieces))),
                    _ => None,
                };
                while self.peek().is_some() && !self.take_char('}') {
                    self.at += 1;
                }
                value = self.index(&value, key.as_ref());
            } else if let (Value::Name(name), Some(Token::Text(pieces))) = (&value, self.peek())
                && self.language == Language::JavaScript
                && (name == "$" || name.ends_with(".$"))
            {
                let code = self.text(&pieces.clone());
                self.at += 1;
                value = self.shell(&code);
            } else if self.bare_call_ahead(&value) {
                let args = self.bare_arguments();
                value = self.invoke(&value, args);
            } else {
                return value;
            }
        }
    }

    /// How many tokens stand before a member's name: `.x`, `?.x`, `->x`, `::x`.
    pub(super) fn member_ahead(&self) -> Option<usize> {
        let named = |offset: usize| matches!(self.ahead(offset), Some(Token::Name(_)));
        if self.is_char(0, '.') && named(1) && !matches!(self.language, Language::Perl | Language::Php) {
            return Some(1);
        }
        let two = |first, second| self.is_char(0, first) && self.is_char(1, second) && named(2);
        (two('?', '.') || two('-', '>') || two(':', ':') || two('&', '.')).then_some(2)
    }

    pub(super) fn member(&mut self, value: Value, name: String) -> Value {
        match value {
            Value::Name(path) => {
                let full = format!("{path}.{name}");
                match full.as_str() {
                    "os.environ" | "process.env" | "Deno.env" | "Bun.env" | "os.environb" => Value::Environment,
                    _ if self.is_char(0, '(') => {
                        self.at += 1;
                        let args = self.arguments(None);
                        self.invoke(&Value::Name(full), args)
                    }
                    _ if calls::is_parameterless(&full) => self.invoke(&Value::Name(full), Vec::new()),
                    _ => Value::Name(full),
                }
            }
            Value::Environment if !self.is_char(0, '(') => self.environment(&name),
            value => {
                let args = if self.take_char('(') {
                    self.arguments(Some(&value))
                } else if self.language == Language::Ruby && self.starts_value() && calls::takes_bare(&name) {
                    self.bare_arguments()
                } else {
                    Vec::new()
                };
                // A block's variable: `.each { |f| … }`, `.each do |f|`.
                let brace = usize::from(self.is_char(0, '{') || self.name_at(0) == Some("do"));
                if self.language == Language::Ruby
                    && brace == 1
                    && self.is_char(1, '|')
                    && let Some(variable) = self.name_at(2).map(str::to_owned)
                {
                    self.at += 4;
                    self.bind(&[variable], value.clone());
                }
                self.method(value, &name, args)
            }
        }
    }

    pub(super) fn index(&mut self, value: &Value, key: Option<&Value>) -> Value {
        match value {
            Value::Environment => match key.and_then(Value::literal) {
                Some(name) => self.environment(name),
                None => Value::Unknown,
            },
            Value::List(values) => match key.and_then(Value::literal).and_then(|text| text.parse::<usize>().ok()) {
                Some(index) => values.get(index).cloned().unwrap_or(Value::Unknown),
                None => Value::Any(values.clone()),
            },
            Value::Fields(_) => {
                key.and_then(Value::literal).and_then(|name| value.field(name)).cloned().unwrap_or(Value::Unknown)
            }
            Value::Name(name) => match key.and_then(Value::literal) {
                // `fs['rmSync']`
                Some(member) if !member.is_empty() => Value::Name(format!("{name}.{member}")),
                _ => Value::Unknown,
            },
            Value::Text(_) => value.clone(),
            _ => Value::Unknown,
        }
    }
}

fn either(left: Value, right: Value) -> Value {
    match left {
        Value::Unknown | Value::Name(_) => right,
        Value::Text(word) if word.parts.is_empty() => right,
        left => left,
    }
}

/// `'…%s…' % x`
fn format(left: Value, right: &Value) -> Value {
    let Some(text) = left.literal() else { return left };
    let mut words = match right {
        Value::List(values) => values.clone(),
        other => vec![other.clone()],
    }
    .into_iter();
    let mut out = Value::text("");
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out = out.append(Value::text(&rest[..at]));
        let mut chars = rest[at + 1..].chars();
        match chars.next() {
            Some('%') => out = out.append(Value::text("%")),
            Some(_) => out = out.append(words.next().unwrap_or(Value::Unknown)),
            None => {}
        }
        rest = chars.as_str();
    }
    out.append(Value::text(rest))
}
