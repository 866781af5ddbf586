//! How far a value goes: the sign between it and its name, the quotes around it, what ends it without them.

use super::bytes::{AFTER_NAME, ALNUM, BLANK, CONTROL, DIGIT, JOINER, LETTER, QUOTE, begins, end_of, is, is_at};
use super::values::Written;

/// A name's sign of equality, and what is around it.
pub(super) struct Separator {
    /// Where the value begins.
    pub(super) value: usize,
    /// Neither a blank nor a quote around `=`.
    pub(super) tight: bool,
    /// `%3D`: then `%26` ends the value.
    pub(super) encoded: bool,
    /// `:`, behind which some languages put a type.
    pub(super) colon: bool,
    /// `<name>`: the value ends at `</`.
    pub(super) tag: bool,
}

/// What stands between the name that ends at `end` and its value.
pub(super) fn separator(bytes: &[u8], start: usize, end: usize) -> Option<Separator> {
    let mut at = end;
    if bytes[at] == b'>' {
        return (start > 0 && bytes[start - 1] == b'<').then_some(Separator {
            value: end + 1,
            tight: false,
            encoded: false,
            colon: false,
            tag: true,
        });
    }
    // The name's own quote and bracket, and the mark of an optional member.
    at = closing_quote(bytes, at);
    while is_at(bytes, at, AFTER_NAME) && b"[]?!".contains(&bytes[at]) {
        at += 1;
    }
    let quoted = at != end;
    let blank = end_of(bytes, at, BLANK);
    let sign = bytes.get(blank..bytes.len().min(blank + 8))?;
    let (length, encoded, colon) = match sign {
        [b'=', b'=', b'=', ..] => (3, false, false),
        [b'=', b'=' | b'>', ..] | [b':', b'=', ..] => (2, false, false),
        [b'=', ..] => (1, false, false),
        [b':', b':', ..] | [b':', b'/', b'/', ..] => return None,
        [b':', ..] => (1, false, true),
        [b'%', b'3', b'D' | b'd', ..] => (3, true, false),
        [b'%', b'3', b'A' | b'a', ..] => (3, true, true),
        [b'\\', ..] => (escaped_sign(sign)?, false, false),
        _ => return None,
    };
    let value = end_of(bytes, blank + length, BLANK);
    let tight = !quoted && blank == end && value == blank + length && !colon && length != 2;
    Some(Separator { value, tight, encoded, colon, tag: false })
}

/// The length of `\u003d`, with more backslashes where it was escaped again.
fn escaped_sign(sign: &[u8]) -> Option<usize> {
    let escape = sign.iter().take_while(|byte| **byte == b'\\').count();
    begins(&sign[escape..], b"u003d").then_some(escape + 5)
}

/// Where a quote that closes a name ends: `"`, `\"`, `&quot;`, `%22`.
fn closing_quote(bytes: &[u8], at: usize) -> usize {
    let escape = at + bytes[at..].iter().take(4).take_while(|byte| **byte == b'\\').count();
    match bytes.get(escape) {
        Some(b'"' | b'\'' | b'`') => escape + 1,
        Some(b'&') if bytes[at..].starts_with(b"&quot;") => at + 6,
        Some(b'%') if bytes[at..].starts_with(b"%22") => at + 3,
        _ => at,
    }
}

/// A quote that opens a value, and where its content begins.
pub(super) struct Quote {
    mark: u8,
    pub(super) content: usize,
}

/// The quote at `at`, with the escapes or the letters of a literal before it: `b"`, `\"`, `r#"`.
pub(super) fn opening_quote(bytes: &[u8], at: usize) -> Option<Quote> {
    let literal = |byte: &&u8| b"bBrRfFuUL@#\\".contains(byte);
    let mark = at + bytes.get(at..)?.iter().take(4).take_while(literal).count();
    match bytes.get(mark)? {
        b'&' if bytes[at..].starts_with(b"&quot;") => Some(Quote { mark: b'&', content: at + 6 }),
        b'%' if bytes[at..].starts_with(b"%22") => Some(Quote { mark: b'%', content: at + 3 }),
        byte if is(*byte, QUOTE) => {
            // Python's three.
            let three = bytes[mark..].starts_with(&[*byte; 3]);
            Some(Quote { mark: *byte, content: mark + if three { 3 } else { 1 } })
        }
        _ => None,
    }
}

impl Quote {
    /// Where the content ends: before its closing quote, or where the line or the text does.
    pub(super) fn closing(&self, bytes: &[u8]) -> usize {
        let mut at = self.content;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => break,
                b'%' if self.mark == b'%' && bytes[at..].starts_with(b"%22") => break,
                byte if *byte == self.mark && self.mark != b'%' => break,
                // What is escaped does not close it; where the opening one was escaped, the closing one is too.
                b'\\' if self.content >= 2 && bytes[self.content - 2] != b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        let mut end = at.min(bytes.len());
        while end > self.content && bytes[end - 1] == b'\\' && bytes.get(end) == Some(&self.mark) {
            end -= 1;
        }
        end
    }
}

/// Where a value without quotes ends.
pub(super) fn bare_end(bytes: &[u8], at: usize, written: Written, encoded: bool) -> usize {
    let mut end = at;
    while let Some(byte) = bytes.get(end) {
        let ends = match byte {
            b'\\' => bytes.get(end + 1).is_none_or(|next| b"nrtu\"'\\".contains(next) || is(*next, CONTROL)),
            b'%' => {
                encoded
                    && (bytes[end..].starts_with(b"%26")
                        || bytes[end..].starts_with(b"%20")
                        || bytes[end..].starts_with(b"%0A"))
            }
            b'|' => written != Written::Loose,
            // Sets of pairs go on with the next name.
            b';' | b'&' | b',' => pair_follows(bytes, end + 1),
            b'<' => bytes.get(end + 1) == Some(&b'/'),
            byte => is(*byte, CONTROL | BLANK | QUOTE),
        };
        if ends {
            break;
        }
        end += 1;
    }
    // What closes a sentence or a list is no part of the value.
    while end > at && b";,)]}&.".contains(&bytes[end - 1]) {
        end -= 1;
    }
    end
}

/// Whether a name and a sign, a blank or nothing follow.
fn pair_follows(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 32;
    let Some(byte) = bytes.get(at) else { return true };
    if is(*byte, CONTROL | BLANK | QUOTE) || b"&;".contains(byte) {
        return true;
    }
    let name = &bytes[at..bytes.len().min(at + LONGEST)];
    let length = name.iter().take_while(|byte| is(**byte, LETTER | JOINER | BLANK | DIGIT)).count();
    length > 0 && matches!(bytes.get(at + length), Some(b'=' | b':'))
}

/// The literal behind a type: from `&str = "..."` to the quote.
pub(super) fn behind_type(bytes: &[u8], at: usize) -> Option<usize> {
    const LONGEST: usize = 40;
    let within = |byte: &&u8| is(**byte, ALNUM | BLANK | JOINER) || b"&'<>|[]:?*".contains(byte);
    let length = bytes[at..].iter().take(LONGEST).take_while(within).count();
    let sign = at + length;
    let value = end_of(bytes, sign + 1, BLANK);
    (bytes.get(sign) == Some(&b'=') && opening_quote(bytes, value).is_some()).then_some(value)
}
