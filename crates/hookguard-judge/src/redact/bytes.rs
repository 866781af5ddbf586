//! What each byte can be part of, in one table: alphabets of tokens, and what the scan has to stop at.

/// A set of bytes, one bit a group.
pub(super) type Set = u16;

const G_TO_Z: Set = 1;
const A_TO_F: Set = 1 << 1;
const UPPER_G_TO_Z: Set = 1 << 2;
const UPPER_A_TO_F: Set = 1 << 3;
pub(super) const DIGIT: Set = 1 << 4;
const UNDERSCORE: Set = 1 << 5;
pub(super) const DASH: Set = 1 << 6;
const DOT: Set = 1 << 7;
/// `+`, `/` and `=`.
const BASE64_MARKS: Set = 1 << 8;
/// `~` and `$`: in some tokens, and in no word.
pub(super) const OTHER_MARKS: Set = 1 << 9;
/// Blank and tab.
pub(super) const BLANK: Set = 1 << 10;
/// What ends a line, and control characters, which end any value.
pub(super) const CONTROL: Set = 1 << 11;
pub(super) const QUOTE: Set = 1 << 12;
/// What the scan must look at, beside letters and digits.
pub(super) const STOP: Set = 1 << 13;
/// What can stand between a name and its `=` or `:` (and these themselves).
pub(super) const AFTER_NAME: Set = 1 << 14;

/// In cookies, whose values are encoded as in an address.
pub(super) const PERCENT: Set = 1 << 15;

pub(super) const LOWER: Set = G_TO_Z | A_TO_F;
pub(super) const UPPER: Set = UPPER_G_TO_Z | UPPER_A_TO_F;
pub(super) const LETTER: Set = LOWER | UPPER;
pub(super) const ALNUM: Set = LETTER | DIGIT;
pub(super) const UPPER_ALNUM: Set = UPPER | DIGIT;
pub(super) const LOWER_ALNUM: Set = LOWER | DIGIT;
pub(super) const HEX: Set = A_TO_F | UPPER_A_TO_F | DIGIT;
pub(super) const HEX_DASH: Set = HEX | DASH;
pub(super) const WORD: Set = ALNUM | UNDERSCORE | DASH;
pub(super) const DOTTED: Set = WORD | DOT;
pub(super) const JOINER: Set = UNDERSCORE | DASH | DOT;
pub(super) const BASE64: Set = ALNUM | BASE64_MARKS;
/// Both alphabets of base64, and dots: what credentials in headers are made of.
pub(super) const CREDENTIAL: Set = DOTTED | BASE64_MARKS | OTHER_MARKS;

const TABLE: [Set; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = groups(byte as u8);
        byte += 1;
    }
    table
};

const fn groups(byte: u8) -> Set {
    match byte {
        b'a'..=b'f' => A_TO_F,
        b'g'..=b'z' => G_TO_Z,
        b'A'..=b'F' => UPPER_A_TO_F,
        b'G'..=b'Z' => UPPER_G_TO_Z,
        b'0'..=b'9' => DIGIT,
        b'_' => UNDERSCORE,
        b'-' => DASH | STOP,
        b'.' => DOT,
        b'=' => BASE64_MARKS | AFTER_NAME,
        b'+' | b'/' => BASE64_MARKS,
        b'%' => PERCENT | STOP | AFTER_NAME,
        b'~' | b'$' => OTHER_MARKS,
        b' ' | b'\t' => BLANK | AFTER_NAME,
        b'\x1b' => CONTROL | STOP,
        b'\n' | b'\r' => CONTROL | STOP,
        0..=31 | 127 => CONTROL,
        b'"' | b'\'' | b'`' => QUOTE | AFTER_NAME,
        b':' | b'\\' => STOP | AFTER_NAME,
        b';' | b'|' => STOP,
        b'&' => STOP | AFTER_NAME,
        b'[' | b']' | b'?' | b'!' | b'>' => AFTER_NAME,
        _ => 0,
    }
}

pub(super) const fn is(byte: u8, set: Set) -> bool {
    TABLE[byte as usize] & set != 0
}

/// Whether the byte at `at` is there and in `set`.
pub(super) fn is_at(bytes: &[u8], at: usize, set: Set) -> bool {
    bytes.get(at).is_some_and(|byte| is(*byte, set))
}

/// Where the bytes from `at` on stop to be in `set`.
pub(super) fn end_of(bytes: &[u8], mut at: usize, set: Set) -> usize {
    while is_at(bytes, at, set) {
        at += 1;
    }
    at
}

/// Whether `text` begins with `word`, which is in small letters, in any case.
pub(super) fn begins(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word)
}
