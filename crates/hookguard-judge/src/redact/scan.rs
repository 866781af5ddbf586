//! The one pass over a text: words and what follows them, and the few other places where a secret can begin.

use super::bytes::{AFTER_NAME, ALNUM, BLANK, DASH, HEX, JOINER, OTHER_MARKS, QUOTE, STOP, begins, end_of, is, is_at};
use super::extent::{Separator, bare_end, behind_type, opening_quote, separator};
use super::names::{self, Name};
use super::programs::{self, Program};
use super::shape::LOOKED_AT;
use super::values::{Written, is_secret};
use super::{Find, armour, forms, headers, tokens, url};

/// What was found, in order and without overlaps.
#[derive(Default)]
pub(super) struct Finds(Vec<Find>);

impl Finds {
    pub(super) fn push(&mut self, find: Find) {
        if find.start >= self.end() && find.end > find.start {
            self.0.push(find);
        }
    }

    /// Where the last one ends.
    fn end(&self) -> usize {
        self.0.last().map_or(0, |find| find.end)
    }
}

/// Finds the secrets of a text, in order. Time grows with the text's length and not faster: whatever is looked at beyond
/// its own place is of bounded length, or taken, or ends at the next place where the same look could begin.
pub(super) fn scan(bytes: &[u8]) -> Vec<Find> {
    let mut scan = Scan {
        bytes,
        finds: Finds::default(),
        memory: tokens::Memory::default(),
        program: None,
        run: (0, 0),
        aws_until: 0,
    };
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = if is(*byte, ALNUM) {
            scan.word(at)
        } else if is(*byte, STOP) {
            scan.stop(at, *byte)
        } else {
            at + 1
        };
    }
    scan.finds.0
}

/// How many names with signs in one run of characters have a value each.
const MOST_IN_A_RUN: usize = 4;

struct Scan<'a> {
    bytes: &'a [u8],
    finds: Finds,
    memory: tokens::Memory,
    /// The program of the command so far that takes passwords by options of its own, once its subcommand was seen.
    program: Option<(&'static Program, bool)>,
    /// Where the last value without quotes ended, and how often values up to there were looked at.
    run: (usize, usize),
    /// Up to here a secret key of AWS is looked for: an id was near.
    aws_until: usize,
}

impl Scan<'_> {
    fn take(&mut self, find: Find) -> usize {
        if find.kind == "aws" {
            self.aws_until = find.end + forms::NEAR_AWS;
        }
        self.finds.push(find);
        find.end
    }

    /// Takes a credential, as the token that it is, if it is one as a whole.
    fn take_known(&mut self, find: Find) -> usize {
        let token = tokens::find(self.bytes, find.start, &self.memory);
        self.take(token.filter(|token| token.end >= find.end).unwrap_or(find))
    }

    /// A byte that is no part of a word and may mean something; gives where to go on.
    fn stop(&mut self, at: usize, byte: u8) -> usize {
        let bytes = self.bytes;
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'-' if next == b'-' && bytes[at..].starts_with(b"-----") => {
                if let Some(find) = armour::find(bytes, at) {
                    return self.take(find);
                }
                if let Some(find) = armour::find_end(bytes, at, self.finds.end()) {
                    self.take(find);
                }
                return end_of(bytes, at, DASH);
            }
            b'-' => {
                if let Some((program, true)) = self.program
                    && (at == 0 || is(bytes[at - 1], BLANK))
                    && let Some(find) = program.find(bytes, at)
                {
                    return self.take(find);
                }
            }
            b':' if next == b'/' && bytes.get(at + 2) == Some(&b'/') => {
                return match url::find(bytes, at + 3) {
                    Some(find) => self.take_known(find),
                    None => at + 3,
                };
            }
            b':' if at > 0 && bytes[at - 1].is_ascii_digit() => {
                if let Some(find) = forms::behind_number(bytes, at) {
                    return self.take(find);
                }
            }
            // The letter belongs to the escape and not to the word behind it.
            b'\\' if b"nrtbf".contains(&next) => return at + 2,
            b'\\' if next == b'u' => {
                return at + 2 + bytes[at + 2..].iter().take(4).take_while(|byte| is(**byte, HEX)).count();
            }
            b'\\' if next == b'\n' => return at + 2,
            b'%' if is(next, HEX) && is_at(bytes, at + 2, HEX) => return at + 3,
            b'\x1b' if next == b'[' => {
                // A colour: `\x1b[1;31m`.
                let numbers = bytes[at + 2..].iter().take_while(|byte| b"0123456789;".contains(byte)).count();
                return at + 2 + numbers + 1;
            }
            b'\n' | b';' | b'|' | b'&' => self.program = None,
            _ => {}
        }
        at + 1
    }

    /// A word from `start` on: letters and digits, joined by `_`, `-` and `.`. Gives where to go on.
    fn word(&mut self, start: usize) -> usize {
        let bytes = self.bytes;
        let mut end;
        let mut part = start;
        loop {
            if let Some(find) = tokens::find(bytes, part, &self.memory) {
                return self.take(find);
            }
            end = end_of(bytes, part, ALNUM);
            // `__` joins, `---` doesn't.
            let next =
                if is_at(bytes, end, JOINER) { end + 1 + usize::from(is_at(bytes, end + 1, JOINER)) } else { end };
            if next == end || !is_at(bytes, next, ALNUM) {
                break;
            }
            part = next;
        }
        if start < self.aws_until
            && let Some(find) = forms::aws_secret(bytes, start)
        {
            return self.take(find);
        }
        if end - start >= forms::LEAST
            && let Some(find) = forms::find(bytes, start, end)
        {
            return self.take(find);
        }
        if is_at(bytes, end, OTHER_MARKS)
            && bytes[end] == b'~'
            && let Some(find) = forms::azure_client(bytes, start, end)
        {
            return self.take(find);
        }
        if &bytes[start..end] == b"chpasswd" {
            self.piped_in(start);
        }
        // A joiner at the end belongs to the name.
        let name_end = if is_at(bytes, end, JOINER) && bytes[end] == b'_' { end + 1 } else { end };
        if is_at(bytes, name_end, AFTER_NAME) { self.after_word(start, name_end) } else { end }
    }

    /// What a word says of what follows it.
    fn after_word(&mut self, start: usize, end: usize) -> usize {
        let bytes = self.bytes;
        let name = &bytes[start..end];
        if let Some(separator) = separator(bytes, start, end) {
            if let Some(find) = armour::find_putty(bytes, name, separator.value) {
                return self.take(find);
            }
            return match names::says(name) {
                Some(said) => self.assigned(start, end, said, &separator),
                None => end,
            };
        }
        if !is(bytes[end], BLANK) {
            return end;
        }
        let next = end_of(bytes, end, BLANK);
        if start > 0 && bytes[start - 1] == b'-' {
            // `--password VALUE`; of one dash only long names, for `-p` is many things.
            let long = start > 1 && bytes[start - 2] == b'-' || name.len() >= 5;
            if long && let Some(said) = names::says(name) {
                return self.argument(said, next).unwrap_or(end);
            }
            return end;
        }
        self.said_by_word(start, name, next).unwrap_or(end)
    }

    /// Words that carry a secret in the next one.
    fn said_by_word(&mut self, start: usize, name: &[u8], next: usize) -> Option<usize> {
        let bytes = self.bytes;
        match name[0] | 0x20 {
            b'b' if begins(name, b"bearer") || begins(name, b"basic") => {
                let kind = if name.len() == "basic".len() { "basic" } else { "bearer" };
                let find = headers::behind_scheme(bytes, next, kind)?;
                return Some(self.take_known(find));
            }
            // SQL: `IDENTIFIED BY 'x'`, `PASSWORD 'x'`; and sentences.
            b'b' if name.eq_ignore_ascii_case(b"by") => {
                let before = bytes[..start].trim_ascii_end();
                let identified = before.len() >= 10 && before[before.len() - 10..].eq_ignore_ascii_case(b"identified");
                if identified && bytes.get(next).is_some_and(|byte| b"'\"\\".contains(byte)) {
                    return self.quoted(next, Name::Password, true);
                }
            }
            b'p' if name.len() > 4 && begins(name, b"pass") && names::says(name) == Some(Name::Password) => {
                if is_at(bytes, next, QUOTE) {
                    return self.quoted(next, Name::Password, false);
                }
                let netrc =
                    self.program.filter(|(_, ready)| *ready).and_then(|(program, _)| program.find(bytes, start));
                if let Some(find) = netrc {
                    return Some(self.take(find));
                }
                // `the password is VALUE`
                if bytes[next..].starts_with(b"is ") {
                    let next = end_of(bytes, next + 2, BLANK);
                    if is_at(bytes, next, QUOTE) {
                        return self.quoted(next, Name::Password, false);
                    }
                    return self.bare(next, Name::Password, Written::Argument, false);
                }
            }
            // `my key is VALUE`, if it looks like chance.
            b'k' | b't' | b's'
                if bytes[next..].starts_with(b"is ") && matches!(name, b"key" | b"token" | b"secret") =>
            {
                let next = end_of(bytes, next + 2, BLANK);
                let content = opening_quote(bytes, next).map_or(next, |quote| quote.content);
                return self.bare(content, Name::Perhaps, Written::Argument, false);
            }
            b's' if name == b"sudo" && (bytes[next..].starts_with(b"-S") || bytes[next..].starts_with(b"-kS")) => {
                self.piped_in(start);
            }
            _ => {}
        }
        // `git config credential.password VALUE`, `aws configure set aws_secret_access_key VALUE`
        let joined = name.iter().any(|byte| is(*byte, JOINER)) || start > 0 && bytes[start - 1] == b'_';
        if joined && let Some(said @ (Name::Password | Name::Secret)) = names::says(name) {
            return self.bare(next, said, Written::Argument, false);
        }
        match self.program {
            None => self.program = programs::named(name).map(|program| (program, program.sub.is_none())),
            Some((program, false)) if program.sub.is_some_and(|sub| sub.as_bytes() == name) => {
                self.program = Some((program, true));
            }
            Some(_) => {}
        }
        None
    }

    fn piped_in(&mut self, start: usize) {
        if let Some(find) = programs::piped_in(self.bytes, start, self.finds.end()) {
            self.take(find);
        }
    }

    /// The value of a name behind a separator; gives where to go on.
    fn assigned(&mut self, start: usize, end: usize, said: Name, separator: &Separator) -> usize {
        let bytes = self.bytes;
        let name = &bytes[start..end];
        let mut value = separator.value;
        match said {
            Name::Authorization => {
                let quote = opening_quote(bytes, value).map_or(value, |quote| quote.content);
                return match headers::authorization(bytes, quote) {
                    Some(find) => self.take_known(find),
                    None => end,
                };
            }
            Name::Cookie => {
                let content = opening_quote(bytes, value).map_or(value, |quote| quote.content);
                return headers::cookies(bytes, content, &mut self.finds).unwrap_or(end);
            }
            _ => {}
        }
        let option = start > 1 && bytes[start - 1] == b'-';
        let sure = separator.tight && (option || is_literal_by_name(bytes, start, name));
        if separator.tag {
            let content = memchr::memchr2(b'<', b'\n', &bytes[value..]).map(|length| value..value + length);
            let Some(content) = content.filter(|content| bytes[content.end..].starts_with(b"</")) else { return end };
            return self.take_value(content, said, Written::Quoted).unwrap_or(end);
        }
        // A quote that opened before the name closes here.
        if separator.tight && start > 0 && is(bytes[start - 1], QUOTE) && bytes.get(value) == Some(&bytes[start - 1]) {
            return end;
        }
        if opening_quote(bytes, value).is_none() && separator.colon {
            // `const TOKEN: &str = "..."`
            value = behind_type(bytes, value).unwrap_or(value);
        }
        if opening_quote(bytes, value).is_some() {
            return self.quoted(value, said, sure).unwrap_or(end);
        }
        let written = match (sure, separator.tight) {
            (true, _) => Written::Sure,
            (false, true) => Written::Tight,
            (false, false) => Written::Loose,
        };
        self.bare(value, said, written, separator.encoded).unwrap_or(end)
    }

    /// The value of an option in the next word.
    fn argument(&mut self, said: Name, at: usize) -> Option<usize> {
        match said {
            Name::Cookie => headers::cookies(
                self.bytes,
                opening_quote(self.bytes, at).map_or(at, |quote| quote.content),
                &mut self.finds,
            ),
            _ if opening_quote(self.bytes, at).is_some() => self.quoted(at, said, true),
            _ => self.bare(at, said, Written::Argument, false),
        }
    }

    /// The value in quotes at `at`.
    fn quoted(&mut self, at: usize, said: Name, sure: bool) -> Option<usize> {
        let quote = opening_quote(self.bytes, at)?;
        let end = quote.closing(self.bytes);
        self.take_value(quote.content..end, said, if sure { Written::Sure } else { Written::Quoted })
    }

    /// The value without quotes at `at`.
    fn bare(&mut self, at: usize, said: Name, written: Written, encoded: bool) -> Option<usize> {
        let bytes = self.bytes;
        // Judged by its beginning: where that is no secret its end is not looked for.
        let far = bytes.len().min(at + LOOKED_AT);
        let near = bare_end(&bytes[..far], at, written, encoded);
        // Names and signs without end in one run: what is looked at again and again is no value.
        if at >= self.run.0 {
            self.run = (near, 0);
        }
        self.run.1 += 1;
        if self.run.1 > MOST_IN_A_RUN
            || bytes[at..near].starts_with(b"-----")
            || !is_secret(&bytes[at..near], said, written)
        {
            return None;
        }
        let end = if near == far { bare_end(bytes, at, written, encoded) } else { near };
        self.take_value(at..end, said, written)
    }

    /// Takes a value if it is a secret; a token that it is as a whole keeps its kind.
    fn take_value(&mut self, range: std::ops::Range<usize>, said: Name, written: Written) -> Option<usize> {
        let bytes = self.bytes;
        let token = tokens::find(bytes, range.start, &self.memory).filter(|find| find.end == range.end);
        let form = || forms::find(bytes, range.start, range.end);
        if let Some(find) = token.or_else(form) {
            return Some(self.take(find));
        }
        let value = &bytes[range.clone()];
        // `Bearer x` as the value of a name.
        if value.iter().take(headers::LONGEST_SCHEME).any(|byte| is(*byte, BLANK))
            && let Some(find) = headers::authorization(bytes, range.start)
            && find.end == range.end
        {
            return Some(self.take(find));
        }
        // A private key is found by its own marks.
        (!value.starts_with(b"-----") && is_secret(value, said, written))
            .then(|| self.take(Find { start: range.start, end: range.end, kind: "named" }))
    }
}

/// Whether a value right behind `name=` is a literal: a variable of a shell, a member of a connection string or a query.
fn is_literal_by_name(bytes: &[u8], start: usize, name: &[u8]) -> bool {
    let before = start.checked_sub(1).map(|at| bytes[at]);
    let capitalised = name[0].is_ascii_uppercase();
    names::is_in_capitals(name) || capitalised && !name.contains(&b'.') || matches!(before, Some(b'?' | b'&' | b';'))
}
