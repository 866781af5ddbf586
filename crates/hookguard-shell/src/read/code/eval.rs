//! The walk over a one-liner's tokens: what names are bound to, and which calls are made with what.

use std::collections::BTreeMap;

use super::super::Reader;
use super::super::simple::Call;
use super::super::source::split_holes;
use super::super::{path, state};
use super::lexer::{Piece, Token, lex};
use super::value::Value;
use super::{Language, calls};
use crate::command::{Cwd, Part, Unknown, Word};

/// How deep expressions may nest.
const MAX_NESTING: usize = 32;
/// How many elements of a list are followed.
const MAX_ELEMENTS: usize = 512;

pub(super) struct Eval<'r, 'c> {
    pub(super) reader: &'r mut Reader,
    pub(super) call: &'r Call<'c>,
    pub(super) language: Language,
    tokens: Vec<Token>,
    at: usize,
    pub(super) names: BTreeMap<String, Value>,
    holes: Vec<Part>,
    nesting: usize,
    /// What the variable of a block or arrow function is bound to.
    item: Option<Value>,
    /// Comprehensions whose variable is bound already: where their `for` stands, and where their list ends.
    bound: Vec<(usize, usize)>,
}

/// Walks code.
pub(super) fn run(reader: &mut Reader, call: &Call<'_>, text: &str, holes: Vec<Part>, language: Language) {
    let tokens = lex(text, language);
    let mut eval = Eval {
        reader,
        call,
        language,
        tokens,
        at: 0,
        names: BTreeMap::new(),
        holes,
        nesting: 0,
        item: None,
        bound: Vec::new(),
    };
    while eval.at < eval.tokens.len() && eval.reader.pay(1) {
        let before = eval.at;
        eval.statement();
        if eval.at == before {
            eval.at += 1;
        }
    }
}

impl Eval<'_, '_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn ahead(&self, offset: usize) -> Option<&Token> {
        self.tokens.get(self.at + offset)
    }

    fn is_char(&self, offset: usize, char: char) -> bool {
        matches!(self.ahead(offset), Some(Token::Char(other)) if *other == char)
    }

    fn name_at(&self, offset: usize) -> Option<&str> {
        match self.ahead(offset) {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn take_char(&mut self, char: char) -> bool {
        let found = self.is_char(0, char);
        self.at += usize::from(found);
        found
    }

    fn statement(&mut self) {
        let Some(token) = self.peek() else { return };
        let Token::Name(name) = token else {
            self.expression();
            return;
        };
        match (self.language, name.as_str()) {
            (Language::Python, "import") => self.python_import(),
            (Language::Python, "from") => self.python_from(),
            (Language::JavaScript, "import") => self.module_import(),
            (Language::JavaScript, "const" | "let" | "var") | (Language::Perl, "my" | "our" | "local") => {
                self.at += 1;
                if self.is_char(0, '{') {
                    self.destructure();
                }
            }
            (_, "for" | "foreach") => self.loop_head(),
            (
                _,
                "def" | "class" | "return" | "if" | "elif" | "while" | "with" | "try" | "else" | "async" | "await"
                | "do" | "then" | "end" | "begin" | "function" | "sub" | "use" | "unless" | "elsif" | "yield"
                | "global" | "new" | "finally" | "raise" | "throw" | "lambda" | "case" | "in",
            ) => self.at += 1,
            _ => self.assignment_or_expression(),
        }
    }

    fn assignment_or_expression(&mut self) {
        let assigns = |offset: usize| {
            self.is_char(offset, '=')
                && !self.is_char(offset + 1, '=')
                && !self.is_char(offset + 1, '>')
                && !self.is_char(offset + 1, '~')
        };
        let name = self.name_at(0).unwrap_or("").to_owned();
        if assigns(1) {
            self.at += 2;
            let value = self.expression();
            self.names.insert(name, value);
        } else if (self.is_char(1, '+') || self.is_char(1, '.')) && assigns(2) {
            self.at += 3;
            let value = self.expression();
            let old = self.names.remove(&name).unwrap_or(Value::Unknown);
            self.names.insert(name, old.append(value));
        } else {
            let value = self.expression();
            // `with open(…) as f`, `rescue X as e`.
            if self.name_at(0) == Some("as")
                && let Some(name) = self.name_at(1).map(str::to_owned)
            {
                self.at += 2;
                self.names.insert(name, value);
            }
        }
    }

    /// `import a.b as c, d`
    fn python_import(&mut self) {
        self.at += 1;
        while let Some(first) = self.name_at(0).map(str::to_owned) {
            self.at += 1;
            let mut full = first.clone();
            while self.is_char(0, '.')
                && let Some(part) = self.name_at(1)
            {
                full = format!("{full}.{part}");
                self.at += 2;
            }
            if self.name_at(0) == Some("as")
                && let Some(alias) = self.name_at(1).map(str::to_owned)
            {
                self.at += 2;
                self.names.insert(alias, Value::Name(full));
            }
            if !self.take_char(',') {
                break;
            }
        }
    }

    /// `from a.b import c as d, e`
    fn python_from(&mut self) {
        self.at += 1;
        let mut module = String::new();
        while let Some(token) = self.peek() {
            match token {
                Token::Name(name) if name == "import" => break,
                Token::Name(name) => module.push_str(name),
                Token::Char('.') => module.push('.'),
                _ => return,
            }
            self.at += 1;
        }
        self.at += 1;
        self.take_char('(');
        while let Some(name) = self.name_at(0).map(str::to_owned) {
            self.at += 1;
            let full = format!("{module}.{name}");
            let mut bound = name;
            if self.name_at(0) == Some("as")
                && let Some(alias) = self.name_at(1).map(str::to_owned)
            {
                self.at += 2;
                bound = alias;
            }
            self.names.insert(bound, Value::Name(full));
            if !self.take_char(',') {
                break;
            }
        }
    }

    /// `import fs from 'fs'`, `import { rm as x } from 'fs'`, `import * as fs from 'fs'`
    fn module_import(&mut self) {
        self.at += 1;
        if self.is_char(0, '(') {
            self.at -= 1;
            self.expression();
            return;
        }
        let start = self.at;
        let end = (start..self.tokens.len().min(start + 64)).find(|&at| matches!(self.tokens[at], Token::Text(_)));
        let Some(end) = end else { return };
        let module = match &self.tokens[end] {
            Token::Text(pieces) => module_name(&plain(pieces)),
            _ => return,
        };
        let names: Vec<String> = self.tokens[start..end]
            .iter()
            .filter_map(|token| match token {
                Token::Name(name) => Some(name.clone()),
                Token::Char(char) => Some(char.to_string()),
                _ => None,
            })
            .collect();
        let mut inside = false;
        for (index, name) in names.iter().enumerate() {
            match name.as_str() {
                "{" => inside = true,
                "}" => inside = false,
                "from" | "as" | "," | "*" => {}
                _ if names.get(index + 1).is_some_and(|next| next == "as") => {}
                _ => {
                    let original = match index.checked_sub(2) {
                        Some(before) if names[index - 1] == "as" => &names[before],
                        _ => name,
                    };
                    let value = if inside { format!("{module}.{original}") } else { module.clone() };
                    self.names.insert(name.clone(), Value::Name(value));
                }
            }
        }
        self.at = end + 1;
    }

    /// `{ a, b: c } = value`
    fn destructure(&mut self) {
        let mut pairs: Vec<(String, String)> = Vec::new();
        self.at += 1;
        while let Some(token) = self.peek() {
            match token {
                Token::Name(name) => {
                    let name = name.clone();
                    self.at += 1;
                    if self.is_char(0, ':')
                        && let Some(bound) = self.name_at(1).map(str::to_owned)
                    {
                        self.at += 2;
                        pairs.push((name, bound));
                    } else {
                        pairs.push((name.clone(), name));
                    }
                }
                Token::Char('}') => {
                    self.at += 1;
                    break;
                }
                Token::Char(',') | Token::Line => self.at += 1,
                _ => return,
            }
        }
        if !self.take_char('=') {
            return;
        }
        let value = self.expression();
        for (name, bound) in pairs {
            let value = match &value {
                Value::Name(module) => Value::Name(format!("{module}.{name}")),
                Value::Environment => self.environment(&name),
                other => other.field(&name).cloned().unwrap_or(Value::Unknown),
            };
            self.names.insert(bound, value);
        }
    }

    /// `for x in …`, `for (const x of …)`, `foreach my $x (…)`, `foreach ($list as $x)`
    fn loop_head(&mut self) {
        self.at += 1;
        let start = self.at;
        let paren = self.take_char('(');
        while matches!(self.name_at(0), Some("const" | "let" | "var" | "my" | "our" | "await" | "each")) {
            self.at += 1;
        }
        let mut names: Vec<String> = Vec::new();
        let mut at = self.at;
        while let Some(Token::Name(name)) = self.tokens.get(at)
            && names.len() < 4
        {
            if matches!(name.as_str(), "in" | "of") {
                break;
            }
            names.push(name.clone());
            at += 1;
            if matches!(self.tokens.get(at), Some(Token::Char(','))) {
                at += 1;
            }
        }
        let word = match self.tokens.get(at) {
            Some(Token::Name(word)) => word.as_str(),
            Some(Token::Char('(')) if self.language == Language::Perl => "(",
            _ => "",
        };
        match word {
            "in" | "of" => {
                self.at = at + 1;
                let list = self.expression();
                self.bind(&names, list);
            }
            "(" if !paren => {
                self.at = at;
                let list = self.expression();
                let names = if names.is_empty() { vec!["_".to_owned()] } else { names };
                self.bind(&names, list);
            }
            _ if paren && self.language == Language::Php => {
                self.at = start + 1;
                let list = self.expression();
                if self.name_at(0) == Some("as")
                    && let Some(name) = self.name_at(1).map(str::to_owned)
                {
                    self.at += 2;
                    self.bind(&[name], list);
                }
            }
            _ if paren && self.language == Language::Perl => {
                self.at = start;
                let list = self.expression();
                self.bind(&["_".to_owned()], list);
            }
            _ => {}
        }
    }

    /// A loop's variables are any of the list's elements.
    fn bind(&mut self, names: &[String], list: Value) {
        let item = match list {
            Value::List(values) => Value::Any(values),
            other => other,
        };
        for name in names {
            self.names.insert(name.clone(), item.clone());
        }
    }

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

    fn primary(&mut self) -> Value {
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
    fn perl_glob(&mut self) -> Value {
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

    fn named(&mut self, name: String) -> Value {
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
    fn constant(&mut self, value: Value) -> Value {
        let Value::Name(name) = &value else { return value };
        match (self.language, name.as_str()) {
            (Language::JavaScript, "__dirname") => self.folder(),
            (Language::Perl, "ENV") | (Language::Ruby, "ENV") | (Language::Php, "_ENV" | "_SERVER") => {
                Value::Environment
            }
            _ => value,
        }
    }

    fn postfix(&mut self, mut value: Value) -> Value {
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
    fn member_ahead(&self) -> Option<usize> {
        let named = |offset: usize| matches!(self.ahead(offset), Some(Token::Name(_)));
        if self.is_char(0, '.') && named(1) && !matches!(self.language, Language::Perl | Language::Php) {
            return Some(1);
        }
        let two = |first, second| self.is_char(0, first) && self.is_char(1, second) && named(2);
        (two('?', '.') || two('-', '>') || two(':', ':') || two('&', '.')).then_some(2)
    }

    fn member(&mut self, value: Value, name: String) -> Value {
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

    fn index(&mut self, value: &Value, key: Option<&Value>) -> Value {
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

    /// The arguments of a call, from behind its `(`. A method's receiver is what the parameter of a function is.
    fn arguments(&mut self, receiver: Option<&Value>) -> Vec<Value> {
        self.item = receiver.map(|value| match value {
            Value::List(values) => Value::Any(values.clone()),
            other => other.clone(),
        });
        let args = self.list(')');
        self.item = None;
        args
    }

    /// `for x in list` behind the element of a comprehension.
    fn comprehension(&mut self) {
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
    fn bind_comprehension(&mut self) {
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
    fn list(&mut self, close: char) -> Vec<Value> {
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
    fn fields(&mut self) -> Value {
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
    fn starts_value(&self) -> bool {
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

    fn bare_call_ahead(&self, value: &Value) -> bool {
        matches!(self.language, Language::Perl | Language::Ruby | Language::Php)
            && self.starts_value()
            && matches!(value, Value::Name(name) if calls::takes_bare(name.rsplit('.').next().unwrap_or(name)))
    }

    fn bare_arguments(&mut self) -> Vec<Value> {
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

    /// A string's value.
    pub(super) fn text(&mut self, pieces: &[Piece]) -> Value {
        let mut value = Value::Text(Word::default());
        for piece in pieces {
            let next = match piece {
                Piece::Text(text) => Value::Text(self.with_holes(text)),
                Piece::Code(code) => self.inner(code),
            };
            value = value.append(next);
        }
        value
    }

    fn with_holes(&self, text: &str) -> Word {
        let mut word = Word::default();
        split_holes(text, &self.holes, |piece| match piece {
            Ok(text) => super::super::redirects::push_literal(&mut word, text),
            Err(part) => word.parts.push(part.clone()),
        });
        word
    }

    /// The value of code that stands in a string.
    fn inner(&mut self, code: &str) -> Value {
        if self.nesting >= MAX_NESTING {
            return Value::Unknown;
        }
        let code = if self.language == Language::Python {
            // `{x!r:>10}`: the format says nothing.
            code.split(['!', ':']).next().unwrap_or(code)
        } else {
            code
        };
        let tokens = std::mem::replace(&mut self.tokens, lex(code, self.language));
        let at = std::mem::replace(&mut self.at, 0);
        let value = self.expression();
        self.tokens = tokens;
        self.at = at;
        match value {
            Value::Name(_) => Value::Unknown,
            value => value,
        }
    }

    /// A variable of the environment.
    pub(super) fn environment(&mut self, name: &str) -> Value {
        Value::Text(self.reader.lookup(name))
    }

    pub(super) fn folder(&self) -> Value {
        match self.reader.state.folder(self.reader.choice) {
            Cwd::Known(folder) => Value::text(folder.as_str()),
            Cwd::Unknown => Value::Unknown,
        }
    }

    /// A path with its `~` expanded, as `os.path.expanduser` and `File.expand_path` do.
    pub(super) fn expanded(&mut self, value: &Value) -> Value {
        let word = value.word();
        match word.prefix().strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                let home = self.reader.lookup("HOME");
                let rest = super::super::run::tail(&word, 1);
                Value::Text(super::value::join(&home, &rest))
            }
            _ => Value::Text(word),
        }
    }

    /// The names that a pattern stands for.
    pub(super) fn glob(&mut self, value: &Value) -> Value {
        let value = self.expanded(value);
        let mut fields = super::super::fields::Fields::default();
        fields.unquoted(&value.word());
        let words = fields.finish();
        match words.len() {
            1 => Value::Text(words.into_iter().next().unwrap_or_default()),
            _ => Value::Any(words.into_iter().map(Value::Text).collect()),
        }
    }

    /// Anything below a folder.
    pub(super) fn children(&self, folder: &Value) -> Value {
        let item = Unknown::Item { roots: folder.words(), commands: Vec::new() };
        Value::Text(state::unknown(item))
    }
}

/// What a value is called.
pub(super) fn name_of(value: &Value) -> String {
    match value {
        Value::Name(name) => name.clone(),
        _ => String::new(),
    }
}

/// A string without what is interpolated.
fn plain(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) | Piece::Code(text) => text.as_str(),
        })
        .collect()
}

/// `node:fs/promises` is `fs`.
pub(super) fn module_name(module: &str) -> String {
    let module = module.strip_prefix("node:").unwrap_or(module);
    let module = module.strip_suffix("/promises").unwrap_or(module);
    path::base_name(module).to_owned()
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
