//! Patterns of `${X#…}` and the like, matched against text that is known.

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
}

/// Texts and patterns longer than this are not matched: the work is their product.
const MAX_CHARS: usize = 512;

/// Whether a pattern matches all of a text. `None` where that would cost too much.
pub(super) fn matches(pattern: &[Token], text: &[char]) -> Option<bool> {
    if pattern.len() > MAX_CHARS || text.len() > MAX_CHARS {
        return None;
    }
    let (mut at, mut token) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(token) {
            Some(Token::Many) => {
                star = Some((token, at));
                token += 1;
            }
            Some(Token::One) => {
                at += 1;
                token += 1;
            }
            Some(Token::Char(char)) if *char == text[at] => {
                at += 1;
                token += 1;
            }
            _ => {
                let Some((star_token, star_at)) = star else { return Some(false) };
                token = star_token + 1;
                at = star_at + 1;
                star = Some((star_token, at));
            }
        }
    }
    Some(pattern[token..].iter().all(|token| *token == Token::Many))
}

/// What a text becomes when the shortest or longest match at its start or end is cut off.
pub(super) fn strip(pattern: &[Token], text: &str, at_start: bool, longest: bool) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() > MAX_CHARS {
        return None;
    }
    let lengths: Vec<usize> = if longest { (0..=chars.len()).rev().collect() } else { (0..=chars.len()).collect() };
    for length in lengths {
        let (cut, rest) = if at_start {
            chars.split_at(length)
        } else {
            let (rest, cut) = chars.split_at(chars.len() - length);
            (cut, rest)
        };
        if matches(pattern, cut)? {
            return Some(rest.iter().collect());
        }
    }
    Some(text.to_owned())
}
