//! Whatever the text: no panic, the same result the second time, and time that grows with the length only.

use std::time::{Duration, Instant};

use super::chance::{ALNUM, BASE64, Chance, WORD};
use super::{checked, redact};

/// Pieces that secrets and what carries them are made of, whole and cut.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "sk-", "sk-ant-", "ghp_", "AKIA", "eyJ", ".eyJ", "xoxb-", "glpat-", "SG.", "s.", "A3-", "EAAA", "MIIEvQIBADAN", "key-", "SK",
    "password", "passwd", "PASSWORD", "token", "secret", "api_key", "apiKey", "auth", "Authorization", "Cookie", "Set-Cookie",
    "private_key", "-us1", ".atlasv1.", "8Q~", "123456789:AA", "bot", "Bearer ", "Basic ", "bearer", "--password", "--token ", "-p",
    "-u ", "curl ", "mysql ", "redis-cli -a ", "docker login ", "openssl -passin pass:", "sudo -S", "echo ", " | ", "chpasswd",
    "identified by ", "machine ", "Private-Lines: 3\n",
    "=", " = ", ": ", ":", "=>", ":=", "==", "%3D", "\\u003d", "://", "@", "/", "\\", "\\n", "\"", "\\\"", "'", "`", "&quot;", "%22",
    "-----BEGIN ", "PRIVATE KEY-----", "-----END ", "RSA ", "PGP ", " BLOCK-----", "-----", "\n", "\r\n", "\t", " ", "  ", ";", "&", ",",
    "{", "}", "(", ")", "<", ">", "</", "[", "]", "$", "${X}", "%s", "***", "***12", "***8", "*", "…", "é", "鍵", "\u{200b}", "\u{ad}",
    "\u{1b}[31m", "\u{0}", "user:", "hunter22", "Tr0ub4dor&3", "x7Kq9mPz2v", "xxxx", "None", "true", "12345678", "2024-01-01",
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "0123456789abcdef0123456789abcdef", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d",
];

#[test]
fn made_of_pieces_it_holds_every_time() {
    let mut chance = Chance(11);
    for _ in 0..60_000 {
        let mut text = String::new();
        for _ in 0..1 + chance.below(14) {
            match chance.below(12) {
                0 => {
                    let length = chance.below(70);
                    text.push_str(&chance.text([ALNUM, BASE64, WORD][length % 3], length));
                }
                _ => text.push_str(chance.one_of::<&str>(PIECES)),
            }
        }
        checked(&text);
    }
}

#[test]
fn of_random_bytes_it_holds_too() {
    let mut chance = Chance(12);
    for _ in 0..20_000 {
        let length = chance.below(80);
        let bytes: Vec<u8> =
            (0..length).map(|_| chance.next() as u8 & if length.is_multiple_of(2) { 0x7f } else { 0xff }).collect();
        checked(&String::from_utf8_lossy(&bytes));
    }
}

/// Cut at every place, as a log cuts it: nothing panics, and what is found is found again.
#[test]
fn cut_anywhere_it_holds() {
    let mut chance = Chance(13);
    let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", chance.text(BASE64, 64));
    let text = format!(
        "é{key}ü password: \"{}\" AKIA{} https://u:{}@h ü Cookie: sid={}; x=y\u{200b} eyJ{}.eyJ{}.{}",
        chance.text(ALNUM, 12),
        chance.text("ABC234", 16),
        chance.text(WORD, 9),
        chance.text(WORD, 30),
        chance.text(WORD, 30),
        chance.text(WORD, 30),
        chance.text(WORD, 30)
    );
    for start in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        checked(&text[start..]);
        checked(&text[..start]);
    }
}

/// Of each beginning that never comes to an end, many: of the slowest, sixteen times as many take about sixteen times as long
/// (quadratic: 256). The time itself says nothing in a build without optimisation.
#[test]
fn time_grows_with_the_length() {
    const SHORT: usize = 1 << 13;
    const TIMES: usize = 16;
    let mut shapes: Vec<String> = PIECES.iter().map(|piece| (*piece).to_owned()).collect();
    for first in ["password", "token=", "password: \"", "-----BEGIN PRIVATE KEY-----", "eyJ-"] {
        shapes.extend(PIECES.iter().map(|piece| format!("{first}{piece}")));
    }
    let mut timed: Vec<(Duration, String)> = shapes.into_iter().map(|shape| (time_of(&shape, SHORT), shape)).collect();
    timed.sort();
    for (time, shape) in timed.iter().rev().take(10) {
        let long = time_of(shape, SHORT * TIMES);
        assert!(long < *time * 6 * TIMES as u32, "{time:?}, then {long:?} for {shape:?}");
    }
}

#[expect(clippy::disallowed_methods, reason = "a test measures time")]
fn time_of(shape: &str, length: usize) -> Duration {
    let text = shape.repeat(length / shape.len());
    let begin = Instant::now();
    redact(&text);
    begin.elapsed()
}
