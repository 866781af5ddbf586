//! Private keys in PEM and OpenPGP armour: whole, on one line, escaped or quoted as in code, and cut at either end.

use memchr::memmem;

use super::Find;
use super::bytes::{ALNUM, BASE64, BLANK, CONTROL, DASH, DIGIT, QUOTE, UPPER_ALNUM, end_of, is};
use super::shape::{is_filler, is_random};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// A word of base64 as long as this is no word of a sentence.
const LONG: usize = 16;
/// How many headers and short words may stand before it.
const MOST_BEFORE: usize = 12;

/// The key whose first line begins at `at`.
pub(super) fn find(bytes: &[u8], at: usize) -> Option<Find> {
    let start = label_end(bytes, at, BEGIN)?;
    let end = body_end(bytes, start).or_else(|| snipped(bytes, start))?;
    Some(Find { start, end, kind: "private_key" })
}

/// The key that PuTTY's format gives behind the name that is `name`, as a number of lines at `at` and the lines.
pub(super) fn find_putty(bytes: &[u8], name: &[u8], at: usize) -> Option<Find> {
    if name != b"Private-Lines" {
        return None;
    }
    let start = end_of(bytes, at, DIGIT);
    Some(Find { start, end: body_end(bytes, start)?, kind: "private_key" })
}

/// The end of a key whose last line begins at `at`, and whose beginning is not there; nothing before `floor` is looked at.
pub(super) fn find_end(bytes: &[u8], at: usize, floor: usize) -> Option<Find> {
    label_end(bytes, at, END)?;
    let floor = floor.max(at.saturating_sub(16 * 1024));
    let inside = |byte: &&u8| is(**byte, BASE64 | CONTROL | QUOTE | BLANK) || b"\\,>|".contains(byte);
    let run = at - bytes[floor..at].iter().rev().take_while(inside).count();
    let mut start = run;
    while start < at {
        let end = end_of(bytes, start, BASE64);
        if end - start >= LONG && is_random(&bytes[start..end]) {
            let last = bytes[start..at].iter().rposition(|byte| is(*byte, BASE64))?;
            return Some(Find { start, end: start + last + 1, kind: "private_key" });
        }
        start = end.max(start + 1);
    }
    None
}

/// Where the body begins, or the mark ends, if it is one of a private key.
fn label_end(bytes: &[u8], at: usize, mark: &[u8]) -> Option<usize> {
    const LONGEST: usize = 40;
    const PRIVATE: &[u8] = b"PRIVATE KEY";
    if !bytes[at..].starts_with(mark) {
        return None;
    }
    let label = at + mark.len();
    let line = &bytes[label..bytes.len().min(label + LONGEST + PRIVATE.len())];
    let private = memmem::find(line, PRIVATE)?;
    if line[..private].iter().any(|byte| !is(*byte, UPPER_ALNUM | BLANK)) {
        return None;
    }
    let mut end = label + private + PRIVATE.len();
    if bytes[end..].starts_with(b" BLOCK") {
        end += " BLOCK".len();
    }
    Some(end_of(bytes, end, DASH))
}

/// Where the key's text ends: at its last line, or where it was cut, or where something else begins.
fn body_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let (mut end, mut sure, mut short) = (start, false, 0);
    // Before the first line of a key stand few others.
    for words in 0.. {
        if !sure && words > MOST_BEFORE {
            break;
        }
        at = skip_decoration(bytes, at);
        let word = end_of(bytes, at, BASE64);
        if bytes[at..].starts_with(b"-----") {
            let closed = sure || short >= 4;
            return if closed { Some(last_word(bytes, start, at)) } else { None };
        }
        if word == at {
            break;
        }
        if !sure && let Some(line) = header_end(bytes, at, word) {
            at = line;
            continue;
        }
        let length = word - at;
        if length >= LONG && (sure || length >= 40 || is_random(&bytes[at..word])) {
            (end, sure) = (word, true);
        } else {
            // The last line is short; so are the words of a sentence that follows a cut key.
            short += if is_filler(&bytes[at..word]) { 0 } else { length };
            let ends_line = bytes.get(word).is_none_or(|byte| is(*byte, CONTROL | QUOTE) || *byte == b'\\');
            if sure && ends_line {
                end = word;
            } else if sure {
                break;
            }
        }
        at = word;
    }
    sure.then_some(end)
}

/// What may stand between two lines of a key: ends of lines, also escaped, quotes and joints of code, marks of a quotation.
fn skip_decoration(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'\\' if bytes.get(at + 1).is_some_and(|next| b"nrt\\".contains(next)) => 2,
            b'\\' => 1,
            b'%' if bytes[at..].starts_with(b"%0A") || bytes[at..].starts_with(b"%0D") => 3,
            b',' | b'>' | b'|' | b'#' => 1,
            // Also base64, but not before a blank.
            b'+' if bytes.get(at + 1).is_none_or(|next| is(*next, CONTROL | BLANK)) => 1,
            byte if is(*byte, CONTROL | QUOTE | BLANK) => 1,
            _ => break,
        };
    }
    at
}

/// The end of a line `Proc-Type: 4,ENCRYPTED`, whose first word is from `at` to `word`.
fn header_end(bytes: &[u8], at: usize, word: usize) -> Option<usize> {
    const LONGEST: usize = 120;
    let name = end_of(bytes, at, ALNUM | DASH);
    if name < word || bytes.get(name) != Some(&b':') {
        return None;
    }
    let line = &bytes[name..bytes.len().min(name + LONGEST)];
    Some(name + line.iter().take_while(|byte| !is(**byte, CONTROL | QUOTE) && **byte != b'\\').count())
}

fn last_word(bytes: &[u8], start: usize, end: usize) -> usize {
    start + bytes[start..end].iter().rposition(|byte| is(*byte, BASE64)).map_or(0, |last| last + 1)
}

/// The end of a key that somebody has shortened: between its marks is nothing of code.
fn snipped(bytes: &[u8], start: usize) -> Option<usize> {
    const FAR: usize = 16 * 1024;
    let closed = start + memmem::find(&bytes[start..bytes.len().min(start + FAR)], b"-----")?;
    let between = &bytes[start..closed];
    let inside = |byte: &u8| is(*byte, BASE64 | BLANK | CONTROL) || b".-_\\:".contains(byte) || !byte.is_ascii();
    let letters = between.iter().filter(|byte| is(**byte, ALNUM)).count();
    (letters >= 8 && between.iter().all(inside)).then(|| last_word(bytes, start, closed))
}
