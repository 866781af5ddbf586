//! How a text looks: like chance, like words, like something that stands for a value.

use super::bytes::{ALNUM, DIGIT, LETTER, LOWER, UPPER, end_of, is};

/// What is looked at of a long value.
pub(super) const LOOKED_AT: usize = 128;

/// What letters and digits of a text are like, taken over its runs of them.
#[derive(Default)]
pub(super) struct Mix {
    pub(super) lower: usize,
    pub(super) upper: usize,
    pub(super) digits: usize,
    pub(super) others: usize,
    /// Changes between small letters, capitals and digits within a run; not those after a capital, which begin a word.
    changes: usize,
    /// The longest run that has letters and digits.
    pub(super) mixed_run: usize,
    /// The most changes between letters and digits in one run.
    pub(super) mixed_changes: usize,
}

impl Mix {
    pub(super) fn of(text: &[u8]) -> Mix {
        let text = &text[..text.len().min(LOOKED_AT)];
        let mut mix = Mix::default();
        let mut at = 0;
        while at < text.len() {
            let end = end_of(text, at, ALNUM);
            if end == at {
                mix.others += 1;
                at += 1;
                continue;
            }
            mix.add(&text[at..end]);
            at = end;
        }
        mix
    }

    fn add(&mut self, run: &[u8]) {
        let mut mixed_changes = 0;
        let mut before = None;
        for byte in run {
            let (lower, upper, digit) = (is(*byte, LOWER), is(*byte, UPPER), is(*byte, DIGIT));
            self.lower += usize::from(lower);
            self.upper += usize::from(upper);
            self.digits += usize::from(digit);
            if let Some((was_lower, was_digit)) = before {
                let mixed = was_digit != digit;
                mixed_changes += usize::from(mixed);
                self.changes += usize::from(mixed || was_lower && upper);
            }
            before = Some((lower, digit));
        }
        if mixed_changes > 0 {
            self.mixed_run = self.mixed_run.max(run.len());
            self.mixed_changes = self.mixed_changes.max(mixed_changes);
        }
    }

    /// [`is_random`] of the text that this is the mix of.
    pub(super) fn is_random(&self, text: &[u8]) -> bool {
        let all = self.letters() + self.digits;
        // `aB3aB3`: made by a test as often as by chance, and a secret in both.
        let with_digits = self.digits >= 2 && self.changes >= 3 && self.changes * 6 >= all && self.mixed_changes >= 2;
        let cased = self.letters() >= 16 && self.upper * 5 >= all && self.changes * 5 >= all;
        text.len() >= 8 && (with_digits || cased) && !is_date(text)
    }

    pub(super) fn letters(&self) -> usize {
        self.lower + self.upper
    }
}

/// Whether a text looks like drawn by chance: letters and digits, or small letters and capitals, change too often for words.
pub(super) fn is_random(text: &[u8]) -> bool {
    Mix::of(text).is_random(text)
}

/// Words and numbers with marks between them: `my-secret-v2`, `auth.login.password`, `reset_password_2`.
pub(super) fn is_slug(text: &[u8]) -> bool {
    let text = &text[..text.len().min(LOOKED_AT)];
    let mix = Mix::of(text);
    text.iter().all(|byte| is(*byte, ALNUM) || b"-_./: ".contains(byte)) && mix.mixed_run < 8 && mix.mixed_changes < 2
}

/// A name of code, or several with dots: `self.token`, `user_password`, `Auth::Token`.
pub(super) fn is_path_of_names(text: &[u8]) -> bool {
    text.iter().all(|byte| is(*byte, ALNUM) || b"_.:?!->".contains(byte)) && is_slug_of_code(text)
}

fn is_slug_of_code(text: &[u8]) -> bool {
    let mix = Mix::of(text);
    mix.digits == 0 && !is_random(text) || (text.contains(&b'.') || text.contains(&b'_')) && mix.mixed_changes < 2
}

/// Nothing but the letter that people write for "any": `xxxxxxxx`.
pub(super) fn is_filler(text: &[u8]) -> bool {
    let text = &text[..text.len().min(LOOKED_AT)];
    text.iter().all(|byte| b"xX*.-_".contains(byte))
}

/// `2026-11-30…`
fn is_date(text: &[u8]) -> bool {
    let digits =
        |range: std::ops::Range<usize>| text.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    digits(0..4) && digits(5..7) && digits(8..10) && matches!(text[4], b'-' | b'/') && text[7] == text[4]
}

/// What people write where a value is to be put.
const PLACEHOLDERS: &[&str] = &[
    "your",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "replace",
    "redacted",
    "insert",
    "todo",
    "fixme",
    "xxxx",
    "dummy",
    "fill-",
    "fill_",
    "enter-",
    "enter_",
    "put-",
    "put_",
    "removed",
    "masked",
    "hidden",
    "****",
    "....",
];

/// Whether `text` stands for a value that is to be put there.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    let text = &text[..text.len().min(LOOKED_AT)];
    if is_filler(text) || text.starts_with("…".as_bytes()) {
        return true;
    }
    let bracketed = matches!((text.first(), text.last()), (Some(b'<'), Some(b'>')) | (Some(b'['), Some(b']')));
    // The word stands near the beginning.
    let head = &text[..text.len().min(48)];
    let has = |word: &&str| head.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    bracketed || is_slug(text) && PLACEHOLDERS.iter().any(has)
}

/// Whether base64 text decodes to `user:password` in readable characters, as in `Authorization: Basic`.
pub(super) fn is_login_in_base64(text: &[u8]) -> bool {
    let text = &text[..text.len().min(LOOKED_AT)];
    let (mut bits, mut held, mut colon, mut decoded) = (0_u32, 0, false, 0);
    for byte in text.iter().take_while(|byte| **byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            let byte = (bits >> held) as u8;
            if byte < b' ' || byte == 127 {
                return false;
            }
            colon |= byte == b':';
            decoded += 1;
        }
    }
    colon && decoded >= 5
}

/// Whether a text is letters only (of any writing).
pub(super) fn is_letters(text: &[u8]) -> bool {
    text.iter().all(|byte| is(*byte, LETTER) || !byte.is_ascii())
}
