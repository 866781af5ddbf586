//! `scheme://user:password@host`

use super::Find;
use super::bytes::{CONTROL, QUOTE, is};
use super::shape::{is_filler, is_random};
use super::values::is_masked;

/// The password of the address whose `://` ends before `start`.
pub(super) fn find(bytes: &[u8], start: usize) -> Option<Find> {
    let inside = |byte: &&u8| !is(**byte, CONTROL | QUOTE) && !b" /<>\\".contains(byte);
    let end = start + bytes[start..].iter().take_while(inside).count();
    let authority = &bytes[start..end];
    let host = match memchr::memrchr(b'@', authority) {
        Some(host) => host,
        // A password with a slash, as people write it: up to an `@` in the same word.
        None => host_behind_slash(bytes, start, end)?,
    };
    let login = &bytes[start..start + host];
    // What cannot be a login: a query, the end of code.
    if login.iter().any(|byte| b"?(){},;".contains(byte)) && !login.contains(&b':') || login.is_empty() {
        return None;
    }
    let (start, secret) = match memchr::memchr(b':', login) {
        Some(colon) => (start + colon + 1, &login[colon + 1..]),
        // A token alone, as git and Sentry take it.
        None if login.len() >= 20 && is_random(login) => (start, login),
        None => return None,
    };
    let computed = secret.first().is_none_or(|byte| b"$<{[%*".contains(byte) && !secret.starts_with(b"%2"));
    let words = [&b"password"[..], b"pass", b"passwd", b"pw", b"pwd", b"secret", b"token"];
    let word = words.iter().any(|word| secret.eq_ignore_ascii_case(word));
    let known = computed || is_masked(secret) || word || is_filler(secret);
    (!known).then_some(Find { start, end: start + secret.len(), kind: "url" })
}

fn host_behind_slash(bytes: &[u8], start: usize, slash: usize) -> Option<usize> {
    const LONGEST: usize = 128;
    let authority = &bytes[start..slash];
    // `host:port/path@x` is no login.
    let colon = memchr::memchr(b':', authority)?;
    if authority[colon + 1..].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let rest = bytes.get(slash..bytes.len().min(slash + LONGEST))?;
    let rest = &rest[..rest.iter().take_while(|byte| !is(**byte, CONTROL | QUOTE) && !b" <>?#".contains(byte)).count()];
    let at = memchr::memchr(b'@', rest)?;
    (!rest[..at].windows(3).any(|part| part == b"://")).then_some(slash - start + at)
}
