//! Names that say that their value is a secret: `DB_PASSWORD`, `apiKey`, `x-auth-token`.

use super::bytes::{ALNUM, DIGIT, LOWER, UPPER, is};

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Chosen by a human, so it may be short and made of words.
    Password,
    /// Made by a machine, as a rule.
    Secret,
    /// Often something else: only what looks like chance is a secret.
    Perhaps,
    /// `Authorization`: a scheme may stand before the value.
    Authorization,
    /// `Cookie`, `Set-Cookie`: a list of names and values.
    Cookie,
}

/// Where a word must stand in a name to count. A part of a name is what `_`, `-`, `.` or a capital sets apart.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Anywhere,
    /// From a part's beginning to a part's end.
    Part,
    /// At a part's end.
    End,
}
use Place::{Anywhere, End, Part};

#[rustfmt::skip]
const WORDS: &[(&str, Name, Place)] = &[
    ("password", Name::Password, Anywhere),
    ("passwd", Name::Password, Anywhere),
    ("passphrase", Name::Password, Anywhere),
    ("passcode", Name::Password, Anywhere),
    ("passwort", Name::Password, Anywhere),
    ("kennwort", Name::Password, Anywhere),
    ("motdepasse", Name::Password, Anywhere),
    ("contrasena", Name::Password, Anywhere),
    ("senha", Name::Password, Part),
    ("pass", Name::Password, Part),
    ("pwd", Name::Password, End),
    ("pw", Name::Password, Part),
    ("psw", Name::Password, Part),
    ("storepass", Name::Password, End),
    ("keypass", Name::Password, End),
    ("userpass", Name::Password, End),
    ("dbpass", Name::Password, End),
    ("sshpass", Name::Password, End),
    ("rootpass", Name::Password, End),
    ("adminpass", Name::Password, End),
    ("secret", Name::Secret, End),
    ("secrets", Name::Secret, End),
    ("secretkey", Name::Secret, Anywhere),
    ("secretvalue", Name::Secret, Anywhere),
    ("token", Name::Secret, End),
    ("apikey", Name::Secret, Anywhere),
    ("accesskey", Name::Secret, Anywhere),
    ("accountkey", Name::Secret, Anywhere),
    ("privatekey", Name::Secret, Anywhere),
    ("privkey", Name::Secret, Anywhere),
    ("sharedkey", Name::Secret, Anywhere),
    ("authkey", Name::Secret, Anywhere),
    ("encryptionkey", Name::Secret, Anywhere),
    ("signingkey", Name::Secret, Anywhere),
    ("masterkey", Name::Secret, Anywhere),
    ("servicekey", Name::Secret, Anywhere),
    ("servicerolekey", Name::Secret, Anywhere),
    ("deploykey", Name::Secret, Anywhere),
    ("licensekey", Name::Secret, Anywhere),
    ("storagekey", Name::Secret, Anywhere),
    ("subscriptionkey", Name::Secret, Anywhere),
    ("applicationkey", Name::Secret, Anywhere),
    ("appkey", Name::Secret, Part),
    ("adminkey", Name::Secret, Anywhere),
    ("consumerkey", Name::Secret, Anywhere),
    ("integrationkey", Name::Secret, Anywhere),
    ("writekey", Name::Secret, Part),
    ("hmackey", Name::Secret, Anywhere),
    ("keydata", Name::Perhaps, Part),
    ("credential", Name::Perhaps, End),
    ("credentials", Name::Perhaps, End),
    ("creds", Name::Perhaps, Part),
    ("auth", Name::Perhaps, Part),
    ("bearer", Name::Perhaps, Part),
    ("jwt", Name::Perhaps, Part),
    ("signature", Name::Perhaps, Part),
    ("sharedaccesssignature", Name::Perhaps, Anywhere),
    ("sig", Name::Perhaps, Part),
    ("session", Name::Perhaps, Part),
    ("sessionid", Name::Perhaps, Part),
    ("sessid", Name::Perhaps, End),
    ("sid", Name::Perhaps, Part),
    ("pat", Name::Perhaps, Part),
    ("mnemonic", Name::Perhaps, Part),
    ("authorization", Name::Authorization, Part),
    ("cookie", Name::Cookie, End),
    ("cookies", Name::Cookie, End),
];

/// Parts that, behind the word, say that the value is about the secret and not it.
const ABOUT: &[&str] = &[
    "algorithm",
    "alg",
    "arn",
    "attempts",
    "bits",
    "bytes",
    "chars",
    "check",
    "class",
    "column",
    "command",
    "config",
    "count",
    "dir",
    "directory",
    "enabled",
    "encryption",
    "endpoint",
    "env",
    "error",
    "expired",
    "expires",
    "expiration",
    "expiry",
    "field",
    "file",
    "filename",
    "format",
    "generator",
    "header",
    "hint",
    "host",
    "index",
    "input",
    "issuer",
    "kind",
    "label",
    "length",
    "len",
    "limit",
    "link",
    "location",
    "manager",
    "max",
    "message",
    "method",
    "min",
    "mode",
    "name",
    "namespace",
    "opt",
    "option",
    "page",
    "param",
    "parameter",
    "path",
    "pattern",
    "placeholder",
    "policy",
    "position",
    "prefix",
    "prompt",
    "provider",
    "range",
    "ref",
    "regex",
    "required",
    "reset",
    "rotation",
    "rule",
    "scope",
    "scopes",
    "secs",
    "seconds",
    "selector",
    "size",
    "source",
    "start",
    "state",
    "status",
    "store",
    "stdin",
    "strategy",
    "suffix",
    "text",
    "timeout",
    "title",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "validator",
    "var",
    "variable",
    "version",
    "bitlen",
    "fd",
    "offset",
    "id",
    "line",
    "pos",
    "end",
    "span",
    "string",
    "sha",
];

/// Names, as a whole, that have a word above and mean something else.
const NEVER: &[&str] = &["cancellationtoken", "eostoken", "bostoken", "padtoken", "unktoken"];

/// No name is longer; of a longer one its end counts.
const MAX: usize = 64;

/// A name in small letters without its marks, and where its parts begin.
struct Flat {
    text: [u8; MAX],
    length: usize,
    /// Bit `i`: a part begins at `text[i]`.
    begins: u64,
    /// No small letter: a variable of the environment, as a rule.
    capitals: bool,
}

impl Flat {
    fn of(name: &[u8]) -> Flat {
        let name = &name[name.len().saturating_sub(MAX)..];
        let mut flat = Flat { text: [0; MAX], length: 0, begins: 0, capitals: true };
        let mut before = b'_';
        for byte in name {
            if is(*byte, ALNUM) {
                let capital = is(*byte, UPPER) && !is(before, UPPER);
                let number = is(*byte, DIGIT) && !is(before, DIGIT);
                if capital || number || !is(before, ALNUM) {
                    flat.begins |= 1 << flat.length;
                }
                flat.capitals &= !is(*byte, LOWER);
                flat.text[flat.length] = byte.to_ascii_lowercase();
                flat.length += 1;
            }
            before = *byte;
        }
        flat
    }

    fn text(&self) -> &[u8] {
        &self.text[..self.length]
    }

    fn begins(&self, at: usize) -> bool {
        at >= self.length || self.begins >> at & 1 != 0
    }

    fn parts_from(&self, at: usize) -> impl Iterator<Item = &[u8]> {
        let mut at = at;
        std::iter::from_fn(move || {
            let start = at;
            if start >= self.length {
                return None;
            }
            at += 1;
            while !self.begins(at) {
                at += 1;
            }
            Some(&self.text[start..at])
        })
    }
}

/// By first letter, which second letters [`WORDS`] have: most positions of a name are let go by them.
static SECONDS: [u32; 26] = {
    let (mut seconds, mut row) = ([0; 26], 0);
    while row < WORDS.len() {
        let word = WORDS[row].0.as_bytes();
        seconds[(word[0] - b'a') as usize] |= 1 << (word[1] - b'a');
        row += 1;
    }
    seconds
};

/// Whether a word can begin with these two letters.
fn may_begin(first: u8, second: u8) -> bool {
    let (first, second) = (first.wrapping_sub(b'a'), second.wrapping_sub(b'a'));
    first < 26 && second < 26 && SECONDS[first as usize] >> second & 1 != 0
}

/// What a name says of its value; `None` where it says nothing of secrets.
pub(super) fn says(name: &[u8]) -> Option<Name> {
    let flat = Flat::of(name);
    let text = flat.text();
    if text.len() < 2 {
        return None;
    }
    let mut said = None;
    for at in 0..text.len() - 1 {
        if !may_begin(text[at], text[at + 1]) {
            continue;
        }
        for (word, name, place) in WORDS {
            let end = at + word.len();
            let there = text[at..].starts_with(word.as_bytes())
                && match place {
                    Anywhere => true,
                    Part => flat.begins(at) && flat.begins(end),
                    End => flat.begins(end),
                };
            if there && said.is_none_or(|(_, said_end)| end >= said_end) {
                said = Some((*name, end));
            }
        }
    }
    let key = || some_key(&flat).map(|name| (name, flat.length));
    let (name, end) = said.or_else(key)?;
    // `secret_id` is the secret half of a login (Vault's AppRole); other ids are none.
    let about = flat.parts_from(end).any(|part| {
        ABOUT.iter().any(|about| part == about.as_bytes() || part.strip_suffix(b"s") == Some(about.as_bytes()))
            && !(part == b"id" && text[..end].ends_with(b"secret"))
            && !(part == b"id" && matches!(name, Name::Perhaps))
    });
    // The shell's working folder; `Pwd=` is a password.
    let folder = flat.capitals && matches!(text, b"pwd" | b"oldpwd");
    let never = folder || NEVER.iter().any(|never| text == never.as_bytes());
    (!about && !never).then_some(name)
}

/// `OPENAI_KEY`, `fernet_key`: a key of something, that does not say that everybody may know it, or that it only finds things.
fn some_key(flat: &Flat) -> Option<Name> {
    #[rustfmt::skip]
    const OPEN: &[&str] = &[
        "public", "pub", "primary", "foreign", "cache", "sort", "partition", "hash", "dict", "map", "object", "s3", "row", "hot",
        "registry", "idempotency", "query", "json", "translation", "message", "lookup", "group", "index", "search", "header",
    ];
    let text = flat.text();
    let key = text.len().checked_sub(3).filter(|at| *at > 0 && &text[*at..] == b"key" && flat.begins(*at))?;
    (!OPEN.iter().any(|word| text[..key].ends_with(word.as_bytes()))).then_some(Name::Perhaps)
}

/// Whether a name stands in capitals, as variables of the environment do.
pub(super) fn is_in_capitals(name: &[u8]) -> bool {
    name.iter().all(|byte| is(*byte, UPPER | DIGIT) || *byte == b'_')
}
