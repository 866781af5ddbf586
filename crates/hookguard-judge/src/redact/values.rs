//! Whether the value of a name that says "secret" is one: a literal, and not code, a word or a place holder.

use super::bytes::{ALNUM, BLANK, LETTER, begins, end_of, is};
use super::names::Name;
use super::shape::{
    LOOKED_AT, Mix, is_letters, is_login_in_base64, is_path_of_names, is_placeholder, is_random, is_slug,
};

/// How a value stands there: what a human or a program would take it for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// `NAME=value` of a shell, `--name=value`, `Name=value;` of a connection string: a literal, whatever it looks like.
    Sure,
    /// `--name value`: a literal, or the next word of a sentence about the option.
    Argument,
    /// In quotes: a literal, or a name or a label.
    Quoted,
    /// `name=value`: of a file of settings, or of code.
    Tight,
    /// `name: value`, `name = value`: of YAML or TOML, or of code, or of a sentence.
    Loose,
}

/// Whether `value` is a secret, where `name` says that it could be.
pub(super) fn is_secret(value: &[u8], name: Name, written: Written) -> bool {
    let value = &value[..value.len().min(LOOKED_AT)];
    if value.len() < 3 || is_masked(value) || is_computed(value, written) {
        return false;
    }
    let mix = Mix::of(value);
    let looks_it = match name {
        Name::Password => is_password(value, &mix, written),
        Name::Secret | Name::Authorization => is_made_secret(value, &mix, written),
        Name::Perhaps | Name::Cookie => is_probable(value, &mix, written),
    };
    // Last, for these look for words.
    looks_it && !is_placeholder(value) && !is_stop_word(value)
}

/// `***` and a length: this has been here.
pub(super) fn is_masked(value: &[u8]) -> bool {
    memchr::memmem::find_iter(value, b"***").any(|mark| value.get(mark + 3).is_some_and(u8::is_ascii_digit))
}

/// Something that is put together or looked up when it is used.
fn is_computed(value: &[u8], written: Written) -> bool {
    let variable = value[0] == b'$' && value.get(1).is_some_and(|byte| is(*byte, LETTER) || b"_{([".contains(byte));
    let percent = value[0] == b'%' && value.ends_with(b"%");
    let template = value.windows(2).any(|pair| {
        matches!(pair, b"${" | b"$(" | b"{{" | b"#{" | b"<%" | b"%(" | b"%s" | b"{}")
            || written == Written::Quoted && pair == b"{0"
    });
    let braces = || value.contains(&b'{') && value.contains(&b'}');
    variable
        || percent
        || template
        || match written {
            Written::Quoted => braces() || value.starts_with(b"env:") || begins(value, b"vault:") || is_locator(value),
            _ if is_call_or_element(value) => true,
            // A call, an element, a type, a reference, a tag of YAML.
            _ => {
                b"<&*!|@([{`".contains(&value[0]) && !value[1..].iter().any(|byte| is(*byte, super::bytes::DIGIT))
                    || value.contains(&b'(')
                    || b"<&*|([{`".contains(&value[0])
                    || written != Written::Sure && value.iter().any(|byte| b"()[]{}<>".contains(byte))
                    || written != Written::Sure && value.windows(2).any(|part| part == b"::" || part == b"->")
            }
        }
}

/// `name.of[code]`, `call()`
fn is_call_or_element(value: &[u8]) -> bool {
    let name = end_of(value, 0, ALNUM | super::bytes::JOINER);
    name > 0 && !is(value[0], super::bytes::DIGIT) && matches!(value.get(name), Some(b'[' | b'('))
}

/// A place where something is to be had, not the thing: a path or an address.
fn is_locator(value: &[u8]) -> bool {
    let path = [&b"/"[..], b"./", b"../", b"~/", b"C:\\", b"file:"].iter().any(|start| value.starts_with(start));
    path && !is_random(value) || value.windows(3).any(|part| part == b"://")
}

/// Words that stand where a value could, and are none.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "none", "null", "nil", "undefined", "true", "false", "yes", "no", "string", "str", "text", "password", "passwd",
    "passphrase", "pass", "secret", "token", "apikey", "api_key", "api-key", "required", "optional", "prompt", "ask", "env",
    "stdin", "default", "empty", "unset", "bearer", "basic", "value", "number", "bool", "boolean", "int", "auto", "any",
    "hidden", "self", "this", "inherit", "disabled", "enabled", "unknown", "example", "is", "to", "and", "or", "for", "the",
];

fn is_stop_word(value: &[u8]) -> bool {
    value.len() < 12 && STOP_WORDS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// Names of procedures and formats have digits too.
fn is_technical(value: &[u8]) -> bool {
    const BEGINNINGS: &[&str] = &[
        "sha", "md5", "utf", "base64", "base32", "oauth", "pbkdf", "argon", "x509", "aes", "rsa", "hs256", "hs512",
        "es256", "rs256", "ed25519", "x25519", "p256", "http", "ipv", "scram", "bcrypt", "ntlm", "pkcs", "sec1",
        "win32", "int", "uint", "sse2", "crc32",
    ];
    value.len() <= 16 && BEGINNINGS.iter().any(|start| begins(value, start.as_bytes()))
}

/// The name once more, as a name of code or of a form's field: `password1`, `login_token_2`.
fn names_itself(value: &[u8]) -> bool {
    const NAMES: &[&str] =
        &["pass", "pwd", "secret", "token", "key", "user", "login", "auth", "field", "input", "arg", "param"];
    let head = &value[..value.len().min(32)];
    let has = |word: &str| head.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    !is_random(value) && NAMES.iter().any(|word| has(word))
}

fn has_separator(value: &[u8]) -> bool {
    value.iter().any(|byte| b"_-./:".contains(byte))
}

/// A mark that passwords have and names have not, and not only at the end, as in a sentence or a prompt.
fn has_password_mark(value: &[u8]) -> bool {
    value[..value.len() - 1].iter().any(|byte| b"!@#$%^&*+=".contains(byte)) && !b"#.[(^\\@&*/".contains(&value[0])
}

fn is_password(value: &[u8], mix: &Mix, written: Written) -> bool {
    let letters_and_digits = mix.digits > 0 && mix.letters() > 0;
    let plain_name = || has_separator(value) && is_slug(value) && names_itself(value);
    match written {
        Written::Sure => !is_locator(value),
        Written::Argument => {
            let two_cases = mix.lower > 0 && mix.upper > 0 && value.len() >= 10;
            !is_locator(value) && value[0] != b'-' && (!is_letters(value) || two_cases) && !is_path_of_names(value)
        }
        Written::Quoted if value.iter().any(|byte| is(*byte, BLANK)) => is_phrase(value),
        Written::Quoted => {
            let made = letters_and_digits && !plain_name() && !is_technical(value) && !b"#.[(^/".contains(&value[0]);
            let number = mix.letters() + mix.others == 0 && value.len() >= 4;
            let marked = mix.letters() > 0 && value.len() >= 6 && has_password_mark(value);
            let long = mix.lower == value.len() && value.len() >= 20;
            made || number || marked || long || mix.is_random(value)
        }
        Written::Tight | Written::Loose => {
            let least = if written == Written::Tight { 4 } else { 6 };
            let number = mix.letters() + mix.others == 0;
            let made = letters_and_digits && !(has_separator(value) && is_slug(value)) && !is_technical(value);
            let marked = mix.letters() > 0 && has_password_mark(value);
            value.len() >= least && (number || marked || mix.is_random(value) || made && !names_itself(value))
        }
    }
}

/// Three words or fewer, and one of them is none: `hunter 22!`. More are a sentence about passwords.
fn is_phrase(value: &[u8]) -> bool {
    let words = || value.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty());
    words().count() <= 3
        && value.len() <= 40
        && words().any(|word| Mix::of(word).mixed_changes > 0 && !is_technical(word))
}

fn is_made_secret(value: &[u8], mix: &Mix, written: Written) -> bool {
    let letters_and_digits = mix.digits > 0 && mix.letters() > 0;
    if value.iter().any(|byte| is(*byte, BLANK)) || mix.letters() == 0 && written != Written::Sure {
        return false;
    }
    // `s3cr3t-value`, `supersecretkey123`, `thisisaverysecretstring`
    let by_human = mix.mixed_changes >= 2 && mix.mixed_run >= 6
        || mix.mixed_run >= 12 && mix.upper == 0 && mix.digits >= 2
        || mix.lower == value.len() && value.len() >= 20
        || letters_and_digits && has_password_mark(value);
    let by_human = by_human && !is_technical(value);
    match written {
        Written::Sure => value.len() >= 6 && mix.letters() > 0 && !is_locator(value),
        Written::Argument => {
            value.len() >= 6 && letters_and_digits && !is_locator(value) && !(has_separator(value) && is_slug(value))
        }
        Written::Quoted => value.len() >= 8 && (mix.is_random(value) || by_human),
        Written::Tight => value.len() >= 8 && (mix.is_random(value) || by_human && mix.mixed_changes >= 2),
        Written::Loose => value.len() >= 12 && mix.is_random(value) && !is_type_of_secret(value),
    }
}

/// `ed25519.PrivateKey`
fn is_type_of_secret(value: &[u8]) -> bool {
    ["PrivateKey", "PublicKey", "Token", "Secret", "Password"]
        .iter()
        .any(|word| value.windows(word.len()).any(|part| part == word.as_bytes()))
}

fn is_probable(value: &[u8], mix: &Mix, written: Written) -> bool {
    if value.iter().any(|byte| is(*byte, BLANK)) {
        let words = value.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty());
        // The words that a wallet is restored from.
        return mix.lower + words.clone().count() == value.len() + 1 && words.count() >= 11;
    }
    match written {
        Written::Sure | Written::Argument => value.len() >= 8 && mix.mixed_changes >= 2 && mix.is_random(value),
        Written::Quoted | Written::Tight => {
            value.len() >= 16 && mix.is_random(value) || value.len() >= 12 && is_login_in_base64(value)
        }
        Written::Loose => value.len() >= 20 && mix.is_random(value),
    }
}

/// Whether what a header gives as credentials could be some: after a scheme that is known nearly anything.
pub(super) fn is_credential(value: &[u8], scheme_known: bool) -> bool {
    let value = &value[..value.len().min(LOOKED_AT)];
    if value.len() < 6 || is_masked(value) || is_computed(value, Written::Tight) || is_placeholder(value) {
        return false;
    }
    let mix = Mix::of(value);
    let padding = value.iter().rev().take_while(|byte| **byte == b'=').count();
    let unpadded = &value[..value.len() - padding];
    // `OAuth realm=...` are names with values of their own.
    if unpadded.contains(&b'=') {
        return false;
    }
    let run = end_of(unpadded, 0, ALNUM) == unpadded.len();
    if scheme_known {
        mix.digits > 0 && (!has_separator(value) || !is_slug(value) || value.len() >= 24)
            || value.len() >= 20 && run
            || mix.lower > 0 && mix.upper > 1 && run && mix.is_random(value)
            || is_login_in_base64(value)
    } else {
        is_made_secret(value, &mix, Written::Quoted) && value.len() >= 12
    }
}
