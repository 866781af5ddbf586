//! Tokens without a beginning of their own, known by the form of the whole word.

use super::bytes::{ALNUM, BASE64, DIGIT, DOTTED, HEX, LETTER, Set, UPPER, WORD, end_of, is, is_at};
use super::shape::is_random;
use super::{Find, Kind};

/// A word shorter than this is none of them.
pub(super) const LEAST: usize = 24;

/// The token that a whole word (letters, digits, `_`, `-`, `.`) is, or begins, or ends with.
pub(super) fn find(bytes: &[u8], start: usize, end: usize) -> Option<Find> {
    let word = &bytes[start..end];
    let found = |kind: Kind, kept: usize, end: usize| Some(Find { start: start + kept, end, kind });
    if memchr::memmem::find(word, b".atlasv1.").is_some_and(|mark| mark >= 10 && word.len() - mark > 40) {
        return found("terraform", 4, end_of(bytes, end, BASE64));
    }
    if word.len() >= 70 && ["JQQJ99", "AZDO", "ACDb", "ASt"].iter().any(|mark| holds(word, mark)) && is_random(word) {
        return found("azure", 4, end_of(bytes, end, BASE64));
    }
    if let Some(dash) = memchr::memmem::find(word, b"-us") {
        let centre = end_of(word, dash + 3, DIGIT);
        if dash == 32 && centre == word.len() && centre > dash + 3 && all(&word[..dash], HEX) {
            return found("mailchimp", 4, end);
        }
    }
    if word.ends_with(b"NRAL") && word.len() == 40 && all(word, HEX | UPPER) {
        return found("newrelic", 4, end);
    }
    if word.ends_with(b"_mmk") && word.len() == 40 {
        return found("maxmind", 4, end);
    }
    if discord(word) {
        return found("discord", 4, end);
    }
    let airtable = word.starts_with(b"pat") && word.get(17) == Some(&b'.') && all(&word[3..17], ALNUM);
    if airtable && word.len() >= 60 && all(&word[18..], HEX) {
        return found("airtable", 3, end);
    }
    None
}

fn holds(word: &[u8], mark: &str) -> bool {
    memchr::memmem::find(word, mark.as_bytes()).is_some()
}

fn all(bytes: &[u8], set: Set) -> bool {
    bytes.iter().all(|byte| is(*byte, set))
}

/// A client's secret of Azure: three characters, a digit and `Q` before the `~` at `tilde`, and 31 to 34 behind it.
pub(super) fn azure_client(bytes: &[u8], start: usize, tilde: usize) -> Option<Find> {
    if tilde < start + 5 || bytes[tilde - 1] != b'Q' || !bytes[tilde - 2].is_ascii_digit() {
        return None;
    }
    let end = tilde + 1 + bytes[tilde + 1..].iter().take_while(|byte| is(**byte, DOTTED) || **byte == b'~').count();
    (end - tilde > 30).then_some(Find { start: tilde - 2, end, kind: "azure" })
}

/// The bot's number in base64, a time, a signature.
fn discord(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'.');
    let (Some(number), Some(time), Some(signature), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    (23..=28).contains(&number.len())
        && matches!(number[0], b'M' | b'N' | b'O')
        && (5..=7).contains(&time.len())
        && (25..=45).contains(&signature.len())
        && is_random(word)
}

/// The secret behind a number and a colon: Telegram's bots (`123456789:AA…`), Asana (`1/123…:hex`).
pub(super) fn behind_number(bytes: &[u8], colon: usize) -> Option<Find> {
    let digits = bytes[..colon].iter().rev().take(20).take_while(|byte| byte.is_ascii_digit()).count();
    let start = colon + 1;
    let end = end_of(bytes, start, WORD);
    let telegram = (6..=12).contains(&digits) && (33..=40).contains(&(end - start)) && bytes[start] == b'A';
    let asana = digits >= 15 && end - start == 32 && all(&bytes[start..end], HEX);
    (telegram || asana).then_some(Find { start, end, kind: if telegram { "telegram" } else { "asana" } })
}

/// How far behind the id of a key of AWS its secret is looked for.
pub(super) const NEAR_AWS: usize = 300;

/// AWS's secret keys have but a length, so only one near its id is known.
pub(super) fn aws_secret(bytes: &[u8], mut start: usize) -> Option<Find> {
    const LENGTH: usize = 40;
    const ALPHABET: Set = BASE64;
    // No word begins with these.
    while start > 0 && matches!(bytes[start - 1], b'+' | b'/') {
        start -= 1;
    }
    let mut end = start;
    while end < bytes.len() && end - start <= LENGTH && is(bytes[end], ALPHABET) && bytes[end] != b'=' {
        end += 1;
    }
    let key = bytes.get(start..end)?;
    let mixed = key.iter().any(|byte| is(*byte, UPPER)) && key.iter().filter(|byte| is(**byte, LETTER)).count() > 15;
    (key.len() == LENGTH && mixed && is_random(key) && !is_at(bytes, end, WORD)).then_some(Find {
        start,
        end,
        kind: "aws_secret",
    })
}
