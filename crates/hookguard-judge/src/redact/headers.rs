//! What headers carry: `Authorization: SCHEME CREDENTIALS`, `Cookie: NAME=VALUE; ...`.

use super::bytes::{ALNUM, BLANK, CONTROL, CREDENTIAL, QUOTE, end_of, is};
use super::names::{self, Name};
use super::scan::Finds;
use super::shape::{LOOKED_AT, Mix, is_filler, is_random};
use super::values::{Written, is_credential, is_secret};
use super::{Find, Kind};

/// Schemes behind which nearly anything is a credential, and the kind that it is counted as.
const SCHEMES: &[(&str, Kind)] = &[
    ("basic", "basic"),
    ("bearer", "bearer"),
    ("token", "authorization"),
    ("bot", "authorization"),
    ("apikey", "authorization"),
    ("api-key", "authorization"),
    ("key", "authorization"),
    ("negotiate", "authorization"),
    ("ntlm", "authorization"),
    ("splunk", "authorization"),
    ("ssws", "authorization"),
    ("geniekey", "authorization"),
    ("dpop", "authorization"),
    ("sharedkey", "authorization"),
    ("discogs", "authorization"),
    ("oauth", "authorization"),
    ("klaviyo-api-key", "authorization"),
    ("deepl-auth-key", "authorization"),
    ("snowflake", "authorization"),
];

/// No scheme is longer.
pub(super) const LONGEST_SCHEME: usize = 20;

/// The credentials in a header's value from `at` on, behind a scheme or alone.
pub(super) fn authorization(bytes: &[u8], at: usize) -> Option<Find> {
    // Judged by its beginning: where that is no credential its end is not looked for.
    let near = &bytes[..bytes.len().min(at + LOOKED_AT)];
    let word = end_of(near, at, CREDENTIAL);
    let blank = end_of(near, word, BLANK);
    if blank == word || blank - word > 2 {
        let end = || end_of(bytes, at, CREDENTIAL);
        return is_credential(&near[at..word], false).then(|| Find { start: at, end: end(), kind: "authorization" });
    }
    let scheme = SCHEMES.iter().find(|(scheme, _)| near[at..word].eq_ignore_ascii_case(scheme.as_bytes()));
    // `Digest username=...`, `AWS4-HMAC-SHA256 Credential=...`: their parts are found by their names.
    let (_, kind) = scheme?;
    let end = end_of(bytes, blank, CREDENTIAL);
    is_credential(&bytes[blank..end], true).then_some(Find { start: blank, end, kind })
}

/// The credentials behind the word `Bearer` or `Basic` without a header, from `at` on.
pub(super) fn behind_scheme(bytes: &[u8], at: usize, kind: Kind) -> Option<Find> {
    let end = end_of(bytes, at, CREDENTIAL);
    let value = &bytes[at..end];
    let mix = Mix::of(value);
    let likely = match kind {
        "basic" => super::shape::is_login_in_base64(value) && value.len() >= 8,
        _ => value.len() >= 12 && (is_random(value) || mix.digits > 0 && mix.mixed_run >= 6 || value.len() >= 24),
    };
    (likely && is_credential(value, true) && !is_filler(value)).then_some(Find { start: at, end, kind })
}

/// What is no cookie in `Set-Cookie`.
const ATTRIBUTES: &[&str] = &["path", "domain", "expires", "max-age", "samesite", "priority", "version"];

/// Takes the values of the cookies from `at` on; gives the end of the last one.
pub(super) fn cookies(bytes: &[u8], mut at: usize, finds: &mut Finds) -> Option<usize> {
    const MOST: usize = 32;
    let mut last = None;
    for _ in 0..MOST {
        let near = &bytes[..bytes.len().min(at + LOOKED_AT)];
        let name_end = at + near[at..].iter().take_while(|byte| is(**byte, CREDENTIAL) && **byte != b'=').count();
        if name_end == at || near.get(name_end) != Some(&b'=') {
            break;
        }
        let start = name_end + 1;
        let inside = |byte: &&u8| !is(**byte, CONTROL | BLANK | QUOTE) && !b";,\\".contains(byte);
        let mut end = start + near[start..].iter().take_while(inside).count();
        if is_secret_cookie(&bytes[at..name_end], &bytes[start..end]) {
            end = start + bytes[start..].iter().take_while(inside).count();
            finds.push(Find { start, end, kind: "cookie" });
            last = Some(end);
        }
        if bytes.get(end) != Some(&b';') {
            break;
        }
        at = end_of(bytes, end + 1, BLANK);
        // An attribute without a value.
        let flag = end_of(near, at, ALNUM);
        if near.get(flag) == Some(&b';') {
            at = end_of(bytes, flag + 1, BLANK);
        }
    }
    last
}

fn is_secret_cookie(name: &[u8], value: &[u8]) -> bool {
    if ATTRIBUTES.iter().any(|attribute| name.eq_ignore_ascii_case(attribute.as_bytes())) {
        return false;
    }
    // A cookie may be made of names and values itself.
    let likely = is_credential(value, true) || is_secret(value, Name::Perhaps, Written::Quoted);
    match names::says(name) {
        Some(Name::Perhaps) if value.len() >= 6 && likely => true,
        Some(said @ (Name::Password | Name::Secret)) => is_secret(value, said, Written::Sure),
        _ => value.len() >= 12 && is_random(value) && likely,
    }
}
