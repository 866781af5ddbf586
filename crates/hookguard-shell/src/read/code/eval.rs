//! The walk over a one-liner's tokens: what names are bound to, and which calls are made with what.

use std::collections::BTreeMap;

use super::super::Reader;
use super::super::simple::Call;
use super::super::source::split_holes;
use super::super::{path, state};
use super::Language;
use super::lexer::{Piece, Token, lex};
use super::value::Value;
use crate::command::{Cwd, Part, Unknown, Word};

/// How deep expressions may nest.
pub(super) const MAX_NESTING: usize = 32;
/// How many elements of a list are followed.
pub(super) const MAX_ELEMENTS: usize = 512;

pub(super) struct Eval<'r, 'c> {
    pub(super) reader: &'r mut Reader,
    pub(super) call: &'r Call<'c>,
    pub(super) language: Language,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) names: BTreeMap<String, Value>,
    pub(super) holes: Vec<Part>,
    pub(super) nesting: usize,
    /// What the variable of a block or arrow function is bound to.
    pub(super) item: Option<Value>,
    /// Comprehensions whose variable is bound already: where their `for` stands, and where their list ends.
    pub(super) bound: Vec<(usize, usize)>,
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
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn ahead(&self, offset: usize) -> Option<&Token> {
        self.tokens.get(self.at + offset)
    }

    pub(super) fn is_char(&self, offset: usize, char: char) -> bool {
        matches!(self.ahead(offset), Some(Token::Char(other)) if *other == char)
    }

    pub(super) fn name_at(&self, offset: usize) -> Option<&str> {
        match self.ahead(offset) {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    pub(super) fn take_char(&mut self, char: char) -> bool {
        let found = self.is_char(0, char);
        self.at += usize::from(found);
        found
    }

    pub(super) fn statement(&mut self) {
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

    pub(super) fn assignment_or_expression(&mut self) {
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
    pub(super) fn python_import(&mut self) {
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
    pub(super) fn python_from(&mut self) {
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
    pub(super) fn module_import(&mut self) {
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
    pub(super) fn destructure(&mut self) {
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
    pub(super) fn loop_head(&mut self) {
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
    pub(super) fn bind(&mut self, names: &[String], list: Value) {
        let item = match list {
            Value::List(values) => Value::Any(values),
            other => other,
        };
        for name in names {
            self.names.insert(name.clone(), item.clone());
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

    pub(super) fn with_holes(&self, text: &str) -> Word {
        let mut word = Word::default();
        split_holes(text, &self.holes, |piece| match piece {
            Ok(text) => super::super::redirects::push_literal(&mut word, text),
            Err(part) => word.parts.push(part.clone()),
        });
        word
    }

    /// The value of code that stands in a string.
    pub(super) fn inner(&mut self, code: &str) -> Value {
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
pub(super) fn plain(pieces: &[Piece]) -> String {
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
