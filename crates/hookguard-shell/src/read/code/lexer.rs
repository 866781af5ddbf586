//! Tokens of five languages: names, strings with what is interpolated into them, numbers, and single characters.

use super::Language;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name; in Perl and PHP without its `$`.
    Name(String),
    /// A string.
    Text(Vec<Piece>),
    /// A command in backticks, `%x(…)` or `qx(…)`.
    Run(Vec<Piece>),
    /// `%w(…)`, `qw(…)`
    Words(Vec<String>),
    Number(String),
    /// Any other character.
    Char(char),
    /// The end of a line.
    Line,
}

/// A piece of a string.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// Code whose value stands here.
    Code(String),
}

/// More tokens than this are not read.
const MAX_TOKENS: usize = 60_000;

pub(super) fn lex(text: &str, language: Language) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, language, tokens: Vec::new() };
    while lexer.at < text.len() && lexer.tokens.len() < MAX_TOKENS {
        lexer.token();
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    language: Language,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn token(&mut self) {
        let text = self.text;
        let rest = &text[self.at..];
        let Some(char) = rest.chars().next() else { return };
        let hash = matches!(self.language, Language::Python | Language::Perl | Language::Ruby | Language::Php);
        let slashes = matches!(self.language, Language::JavaScript | Language::Php);
        match char {
            '\n' => {
                self.at += 1;
                self.tokens.push(Token::Line);
            }
            _ if char.is_whitespace() => self.at += char.len_utf8(),
            '#' if hash => self.at += rest.find('\n').unwrap_or(rest.len()),
            '/' if slashes && rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            '/' if slashes && rest.starts_with("/*") => self.at += rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if self.language != Language::Python && self.regex_may_start() => self.regex(),
            '\'' | '"' => self.string(char, false),
            '`' => {
                self.at += 1;
                let pieces = self.until('`', true, None);
                self.tokens.push(if self.language == Language::JavaScript {
                    Token::Text(pieces)
                } else {
                    Token::Run(pieces)
                });
            }
            '%' if self.language == Language::Ruby && self.percent() => {}
            '0'..='9' => {
                let end = rest.find(|char: char| !(char.is_ascii_alphanumeric() || char == '_')).unwrap_or(rest.len());
                self.tokens.push(Token::Number(rest[..end].to_owned()));
                self.at += end;
            }
            '$' | '@' if matches!(self.language, Language::Perl | Language::Php | Language::Ruby) => {
                // The sigil says nothing that the name does not.
                self.at += 1;
                if self.language == Language::Perl && char == '$' && self.rest().starts_with(['0', '!', '@', '/', '&'])
                {
                    self.at += 1;
                    self.tokens.push(Token::Name("_".to_owned()));
                }
            }
            _ if char == '_' || char == '$' || char.is_alphabetic() => self.name(),
            _ => {
                self.at += char.len_utf8();
                self.tokens.push(Token::Char(char));
            }
        }
    }

    fn name(&mut self) {
        let rest = self.rest();
        let end = rest
            .char_indices()
            .find(|(at, char)| !(char.is_alphanumeric() || *char == '_' || (*at == 0 && *char == '$')))
            .map_or(rest.len(), |(at, _)| at);
        let name = rest[..end].to_owned();
        let next = rest[end..].chars().next();
        if self.language == Language::Python
            && name.len() <= 2
            && matches!(next, Some('\'' | '"'))
            && name.chars().all(|char| "rRbBfFuU".contains(char))
        {
            self.at += end;
            let quote = next.unwrap_or('"');
            let formatted = name.contains(['f', 'F']);
            return self.string(quote, formatted);
        }
        self.at += end;
        if self.language == Language::Perl
            && matches!(name.as_str(), "q" | "qq" | "qx" | "qw" | "m" | "s" | "tr" | "y" | "qr")
        {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            if let Some(open) = trimmed.chars().next()
                && !open.is_alphanumeric()
                && !matches!(open, ',' | ';' | ')' | '=' | '_')
                && !trimmed.starts_with("=>")
            {
                self.at += rest.len() - trimmed.len() + open.len_utf8();
                let pieces = self.until(closing(open), name != "q" && name != "qw", Some(open));
                match name.as_str() {
                    "q" | "qq" => self.tokens.push(Token::Text(pieces)),
                    "qx" => self.tokens.push(Token::Run(pieces)),
                    "qw" => self.tokens.push(words(&pieces)),
                    "s" | "tr" | "y" => {
                        if closing(open) != open {
                            let rest = self.rest();
                            let trimmed = rest.trim_start();
                            self.at += rest.len() - trimmed.len();
                            if let Some(second) = self.rest().chars().next() {
                                self.at += second.len_utf8();
                                self.until(closing(second), false, Some(second));
                            }
                        } else {
                            self.until(open, false, None);
                        }
                        self.tokens.push(Token::Number(String::new()));
                    }
                    _ => self.tokens.push(Token::Number(String::new())),
                }
                return;
            }
        }
        self.tokens.push(Token::Name(name));
    }

    /// A regular expression can only stand where a value may begin.
    fn regex_may_start(&self) -> bool {
        match self.tokens.last() {
            None | Some(Token::Line) => true,
            Some(Token::Char(char)) => !matches!(char, ')' | ']' | '}'),
            Some(Token::Name(name)) => {
                matches!(name.as_str(), "return" | "if" | "unless" | "and" | "or" | "not" | "split" | "grep")
            }
            _ => false,
        }
    }

    fn regex(&mut self) {
        let rest = self.rest();
        let mut escaped = false;
        let mut class = false;
        for (at, char) in rest.char_indices().skip(1) {
            match char {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => {
                    self.at += at + 1;
                    self.tokens.push(Token::Number(String::new()));
                    return;
                }
                '\n' => break,
                _ => {}
            }
        }
        self.at += 1;
        self.tokens.push(Token::Char('/'));
    }

    fn string(&mut self, quote: char, formatted: bool) {
        let triple = self.language == Language::Python && self.rest().starts_with(&quote.to_string().repeat(3));
        if triple {
            self.at += 3;
            let end = quote.to_string().repeat(3);
            let rest = self.rest();
            let length = rest.find(&end).unwrap_or(rest.len());
            let inside = rest[..length].to_owned();
            self.at += (length + 3).min(rest.len());
            let pieces = if formatted { interpolate(&inside, self.language) } else { vec![Piece::Text(inside)] };
            self.tokens.push(Token::Text(pieces));
            return;
        }
        self.at += 1;
        let expands = match self.language {
            Language::Python => formatted,
            Language::JavaScript => false,
            _ => quote == '"',
        };
        let pieces = self.until(quote, expands, None);
        self.tokens.push(Token::Text(pieces));
    }

    /// The text up to `close` and past it; `open` nests.
    fn until(&mut self, close: char, expands: bool, open: Option<char>) -> Vec<Piece> {
        let start = self.at;
        let mut raw = String::new();
        let mut depth = 0usize;
        let mut chars = self.text[start..].char_indices();
        let mut end = self.text.len();
        while let Some((at, char)) = chars.next() {
            if char == '\\' {
                let Some((_, next)) = chars.next() else { break };
                match next {
                    'n' => raw.push('\n'),
                    't' => raw.push('\t'),
                    '\n' => {}
                    '$' | '#' | '@' if expands => {
                        raw.push('\\');
                        raw.push(next);
                    }
                    'x' => {
                        let digits: String =
                            self.text[start + at + 2..].chars().take(2).take_while(char::is_ascii_hexdigit).collect();
                        match u8::from_str_radix(&digits, 16) {
                            Ok(byte) => raw.push(char::from(byte)),
                            Err(_) => raw.push('x'),
                        }
                        for _ in 0..digits.len() {
                            chars.next();
                        }
                    }
                    _ => raw.push(next),
                }
                continue;
            }
            if Some(char) == open && open != Some(close) {
                depth += 1;
            } else if char == close {
                if depth == 0 {
                    end = start + at + char.len_utf8();
                    break;
                }
                depth -= 1;
            }
            raw.push(char);
        }
        self.at = end;
        if expands { interpolate(&raw, self.language) } else { vec![Piece::Text(raw)] }
    }

    /// Ruby's `%w()`, `%q()`, `%x()`; false where the `%` is an operator.
    fn percent(&mut self) -> bool {
        let mut chars = self.rest().chars().skip(1);
        let (Some(kind), Some(open)) = (chars.next(), chars.next()) else { return false };
        if !matches!(kind, 'w' | 'q' | 'Q' | 'x' | 'i') || open.is_alphanumeric() || open.is_whitespace() {
            return false;
        }
        self.at += 2 + open.len_utf8();
        let pieces = self.until(closing(open), matches!(kind, 'Q' | 'x'), Some(open));
        self.tokens.push(match kind {
            'w' | 'i' => words(&pieces),
            'x' => Token::Run(pieces),
            _ => Token::Text(pieces),
        });
        true
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

fn words(pieces: &[Piece]) -> Token {
    let text: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) | Piece::Code(text) => text.as_str(),
        })
        .collect();
    Token::Words(text.split_whitespace().map(str::to_owned).collect())
}

/// A string's text and the code in it: `{x}` in Python, `${x}` in JavaScript, `#{x}` in Ruby, `$x` in Perl and PHP.
fn interpolate(text: &str, language: Language) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let code = match (language, char) {
            (Language::Python, '{') if rest.starts_with("{{") => None,
            (Language::Python, '{') => block(rest, 1),
            (Language::JavaScript, '$') if rest.starts_with("${") => block(rest, 2),
            (Language::Ruby, '#') if rest.starts_with("#{") => block(rest, 2),
            (Language::Php, '{') if rest.starts_with("{$") => block(rest, 1),
            (Language::Perl | Language::Php, '$' | '@') if rest.starts_with("${") => block(rest, 2),
            (Language::Perl | Language::Php, '$') => variable(rest),
            _ => None,
        };
        if char == '\\' && matches!(rest.as_bytes().get(1), Some(b'$' | b'#' | b'@')) {
            plain.push_str(&rest[1..2]);
            rest = &rest[2..];
        } else if let Some((code, length)) = code {
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Code(code.to_owned()));
            rest = &rest[length..];
        } else {
            let skip = if language == Language::Python && (rest.starts_with("{{") || rest.starts_with("}}")) {
                2
            } else {
                char.len_utf8()
            };
            plain.push(char);
            rest = &rest[skip..];
        }
    }
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// The inside of a brace that opens right before `from`, and how long all of it is.
fn block(text: &str, from: usize) -> Option<(&str, usize)> {
    let mut depth = 0usize;
    for (at, char) in text[from..].char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth == 0 => return Some((&text[from..from + at], from + at + 1)),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `$name`, `$name{key}`, `$name[0]`, `$name->{key}`.
fn variable(text: &str) -> Option<(&str, usize)> {
    let name =
        text[1..].find(|char: char| !(char.is_ascii_alphanumeric() || char == '_')).map_or(text.len(), |at| at + 1);
    if name < 2 {
        return None;
    }
    let mut end = name;
    if let Some(open @ ('{' | '[')) = text[end..].chars().next()
        && let Some(length) = text[end..].find(closing(open))
    {
        end += length + 1;
    }
    Some((&text[..end], end))
}
