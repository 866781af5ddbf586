//! Brace expansion: `{a,b}`, `{1..9}`, bounded.

use super::source::Source;
use crate::syntax::Kind;

/// How many words one word may become.
const MAX_WORDS: usize = 1024;
/// How many pieces all of them together may have.
const MAX_PIECES: usize = 20_000;
/// How deep braces may nest.
const MAX_NESTING: usize = 16;
/// How many elements of a sequence are written out; a longer one stands as a pattern.
const MAX_SEQUENCE: usize = 64;

/// A piece of an expanded word.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Unquoted text of the source.
    Lit(usize, usize),
    /// An element of a sequence.
    Text(String),
    /// A sequence that is too long to write out.
    Glob,
    /// A part with its own meaning.
    Node(usize),
}

/// What became of a word.
pub(super) enum Expansion {
    /// It has no braces that expand.
    None,
    Words(Vec<Vec<Piece>>),
    TooMany,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Open,
    Comma,
    Close,
    Lit(usize, usize),
    Node(usize),
}

/// What a matched pair of braces is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pair {
    /// Closes at this token.
    List(usize),
    Sequence(usize),
}

struct Word<'s> {
    source: &'s Source,
    tokens: Vec<Token>,
    /// For each opening token, what it is.
    pairs: Vec<Option<Pair>>,
    budget: usize,
}

/// Expands the braces of a word.
pub(super) fn expand(source: &Source, at: usize) -> Expansion {
    let mut word = Word { source, tokens: tokens(source, at), pairs: Vec::new(), budget: MAX_PIECES };
    if !word.pair() {
        return Expansion::None;
    }
    match word.expand(0, word.tokens.len(), 0) {
        Some(words) => Expansion::Words(words),
        None => Expansion::TooMany,
    }
}

fn tokens(source: &Source, at: usize) -> Vec<Token> {
    let node = source.node(at);
    let mut tokens = Vec::new();
    let end = node.next as usize;
    if end == at + 1 {
        split(&source.text, node.start as usize, node.end as usize, &mut tokens);
        return tokens;
    }
    let mut child = at + 1;
    while child < end {
        let part = source.node(child);
        if part.kind == Kind::Lit {
            split(&source.text, part.start as usize, part.end as usize, &mut tokens);
        } else {
            tokens.push(Token::Node(child));
        }
        child = part.next as usize;
    }
    tokens
}

fn split(text: &str, start: usize, end: usize, tokens: &mut Vec<Token>) {
    let mut plain = start;
    for (offset, byte) in text.as_bytes()[start..end].iter().enumerate() {
        let token = match byte {
            b'{' => Token::Open,
            b',' => Token::Comma,
            b'}' => Token::Close,
            _ => continue,
        };
        let at = start + offset;
        if plain < at {
            tokens.push(Token::Lit(plain, at));
        }
        tokens.push(token);
        plain = at + 1;
    }
    if plain < end {
        tokens.push(Token::Lit(plain, end));
    }
}

impl Word<'_> {
    /// Finds which braces belong together; false if none expands.
    fn pair(&mut self) -> bool {
        self.pairs = vec![None; self.tokens.len()];
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut any = false;
        for (index, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Open => open.push((index, false)),
                Token::Comma => {
                    if let Some(last) = open.last_mut() {
                        last.1 = true;
                    }
                }
                Token::Close => {
                    let Some((start, comma)) = open.pop() else { continue };
                    if comma {
                        self.pairs[start] = Some(Pair::List(index));
                        any = true;
                    } else if index == start + 2
                        && let Token::Lit(from, to) = self.tokens[start + 1]
                        && sequence(&self.source.text[from..to]).is_some()
                    {
                        self.pairs[start] = Some(Pair::Sequence(index));
                        any = true;
                    }
                }
                _ => {}
            }
        }
        any
    }

    fn expand(&mut self, from: usize, to: usize, nesting: usize) -> Option<Vec<Vec<Piece>>> {
        if nesting > MAX_NESTING {
            return None;
        }
        let mut words: Vec<Vec<Piece>> = vec![Vec::new()];
        let mut at = from;
        while at < to {
            match (self.tokens[at], self.pairs[at]) {
                (Token::Open, Some(Pair::List(close))) if close < to => {
                    let mut choices = Vec::new();
                    let mut start = at + 1;
                    let mut inner = at + 1;
                    while inner <= close {
                        let ends = inner == close || self.tokens[inner] == Token::Comma;
                        if ends {
                            choices.extend(self.expand(start, inner, nesting + 1)?);
                            start = inner + 1;
                        } else if let (Token::Open, Some(Pair::List(end) | Pair::Sequence(end))) =
                            (self.tokens[inner], self.pairs[inner])
                        {
                            inner = end;
                        } else if self.tokens[inner] == Token::Open {
                            // An opening brace that expands to nothing keeps the commas behind it.
                        }
                        inner += 1;
                    }
                    words = self.product(words, &choices)?;
                    at = close + 1;
                }
                (Token::Open, Some(Pair::Sequence(close))) if close < to => {
                    let choices = match self.tokens[at + 1] {
                        Token::Lit(start, end) => match sequence(&self.source.text[start..end]) {
                            Some(Some(elements)) => {
                                elements.into_iter().map(|element| vec![Piece::Text(element)]).collect()
                            }
                            _ => vec![vec![Piece::Glob]],
                        },
                        _ => Vec::new(),
                    };
                    words = self.product(words, &choices)?;
                    at = close + 1;
                }
                (token, _) => {
                    let piece = match token {
                        Token::Open => Piece::Text("{".to_owned()),
                        Token::Comma => Piece::Text(",".to_owned()),
                        Token::Close => Piece::Text("}".to_owned()),
                        Token::Lit(start, end) => Piece::Lit(start, end),
                        Token::Node(node) => Piece::Node(node),
                    };
                    self.pay(words.len())?;
                    for word in &mut words {
                        word.push(piece.clone());
                    }
                    at += 1;
                }
            }
        }
        Some(words)
    }

    fn product(&mut self, words: Vec<Vec<Piece>>, choices: &[Vec<Piece>]) -> Option<Vec<Vec<Piece>>> {
        let count = words.len() * choices.len();
        if count > MAX_WORDS {
            return None;
        }
        let mut out = Vec::with_capacity(count);
        for word in &words {
            for choice in choices {
                self.pay(word.len() + choice.len())?;
                out.push(word.iter().chain(choice).cloned().collect());
            }
        }
        Some(out)
    }

    fn pay(&mut self, cost: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(cost)?;
        Some(())
    }
}

/// The elements of `x..y` or `x..y..step`; `Some(None)` if they are too many; `None` if it is no sequence.
#[expect(clippy::option_option, reason = "no sequence, and a sequence too long to write out, are different answers")]
fn sequence(text: &str) -> Option<Option<Vec<String>>> {
    let (from, rest) = text.split_once("..")?;
    let (to, step) = match rest.split_once("..") {
        Some((to, step)) => (to, step.parse::<i64>().ok()?),
        None => (rest, 1),
    };
    let letter = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|char| char.is_ascii_alphabetic() && chars.next().is_none()).map(|char| char as i64)
    };
    let (start, end, letters) = match (letter(from), letter(to)) {
        (Some(start), Some(end)) => (start, end, true),
        _ => (from.parse::<i64>().ok()?, to.parse::<i64>().ok()?, false),
    };
    let step = step.unsigned_abs().max(1);
    let count = start.abs_diff(end) / step + 1;
    if count > MAX_SEQUENCE as u64 {
        return Some(None);
    }
    let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1;
    let width = if !letters && (padded(from) || padded(to)) { from.len().max(to.len()) } else { 0 };
    let elements = (0..count)
        .map(|index| {
            let offset = (index * step) as i64;
            let value = if end >= start { start + offset } else { start - offset };
            if letters { char::from(value as u8).to_string() } else { format!("{value:0width$}") }
        })
        .collect();
    Some(Some(elements))
}
