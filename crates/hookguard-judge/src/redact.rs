//! Secrets out of text that leaves the process: into a log, or to a model.
//!
//! Nearly every token format in use has a fixed beginning, so a text is searched for those and nothing is compiled
//! (`PERFORMANCE.md` 6.2). What is found is replaced by its beginning, `***` and its length; no end of it is kept.

use std::borrow::Cow;

use memchr::memmem;

/// A text without secrets, and how many were taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// How many secrets it held, by kind.
    pub found: Vec<&'static str>,
}

/// A secret that was found: the bytes from `start` to `end`, after what tells it from `at` on.
struct Find {
    at: usize,
    start: usize,
    end: usize,
    kind: &'static str,
}

/// A token format: where it begins, which bytes it is made of, how short it can be after its beginning.
struct Token {
    kind: &'static str,
    start: &'static str,
    alphabet: fn(u8) -> bool,
    least: usize,
}

const fn token(kind: &'static str, start: &'static str, alphabet: fn(u8) -> bool, least: usize) -> Token {
    Token { kind, start, alphabet, least }
}

/// Longer beginnings before the shorter ones that they contain.
const TOKENS: &[Token] = &[
    token("anthropic", "sk-ant-", word, 20),
    token("openai", "sk-proj-", word, 20),
    token("openai", "sk-svcacct-", word, 20),
    token("openai", "sk-admin-", word, 20),
    token("openai", "sk-", alnum, 32),
    token("github", "github_pat_", word, 22),
    token("github", "ghp_", alnum, 30),
    token("github", "gho_", alnum, 30),
    token("github", "ghu_", alnum, 30),
    token("github", "ghs_", alnum, 30),
    token("github", "ghr_", alnum, 30),
    token("gitlab", "glpat-", word, 20),
    token("aws", "AKIA", upper, 16),
    token("aws", "ASIA", upper, 16),
    token("aws", "ABIA", upper, 16),
    token("aws", "ACCA", upper, 16),
    token("google", "AIza", word, 35),
    token("slack", "xoxb-", word, 10),
    token("slack", "xoxp-", word, 10),
    token("slack", "xoxe-", word, 10),
    token("slack", "xoxa-", word, 10),
    token("slack", "xapp-", word, 10),
    token("slack", "hooks.slack.com/services/", path, 20),
    token("stripe", "sk_live_", alnum, 10),
    token("stripe", "sk_test_", alnum, 10),
    token("stripe", "sk_prod_", alnum, 10),
    token("stripe", "rk_live_", alnum, 10),
    token("stripe", "rk_test_", alnum, 10),
    token("npm", "npm_", alnum, 36),
    token("pypi", "pypi-AgEIcHlwaS5vcmc", word, 50),
    token("huggingface", "hf_", alnum, 34),
    token("digitalocean", "dop_v1_", hex, 64),
    token("databricks", "dapi", hex, 32),
    token("sendgrid", "SG.", dotted, 60),
    token("shopify", "shpat_", hex, 32),
    token("age", "AGE-SECRET-KEY-1", upper, 58),
    token("bearer", "Bearer ", bearer, 12),
    token("bearer", "bearer ", bearer, 12),
    token("basic", "Authorization: Basic ", bearer, 8),
];

/// Beginnings of options and variables whose value is a secret whatever it looks like; the value ends at a blank or quote.
const NAMED: &[&str] = &[
    "--password=",
    "--password ",
    "--token=",
    "--token ",
    "--api-key=",
    "--api-key ",
    "PGPASSWORD=",
    "MYSQL_PWD=",
    "AWS_SECRET_ACCESS_KEY=",
    "aws_secret_access_key=",
    "aws_secret_access_key = ",
    "GITHUB_TOKEN=",
    "GH_TOKEN=",
    "OPENAI_API_KEY=",
    "ANTHROPIC_API_KEY=",
    "NPM_TOKEN=",
];

/// Takes the secrets out of `text`; borrowed where there are none.
pub fn redact(text: &str) -> Redacted<'_> {
    let bytes = text.as_bytes();
    let mut finds: Vec<Find> = Vec::new();
    for token in TOKENS {
        for at in memmem::find_iter(bytes, token.start) {
            let start = at + token.start.len();
            let end = start + bytes[start..].iter().take_while(|byte| (token.alphabet)(**byte)).count();
            let inside_a_word = at > 0 && alnum(bytes[at - 1]) && !token.start.ends_with(' ');
            if end - start >= token.least && !inside_a_word {
                finds.push(Find { at, start, end, kind: token.kind });
            }
        }
    }
    for name in NAMED {
        for at in memmem::find_iter(bytes, name) {
            let mut start = at + name.len();
            let quote = bytes.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\''));
            start += usize::from(quote.is_some());
            let ends =
                |byte: u8| quote.map_or(byte.is_ascii_whitespace() || b";|&\"'".contains(&byte), |quote| byte == quote);
            let end = start + bytes[start..].iter().take_while(|byte| !ends(**byte)).count();
            // A variable is not its value.
            if end > start && bytes[start] != b'$' {
                finds.push(Find { at, start, end, kind: "named" });
            }
        }
    }
    jwt(bytes, &mut finds);
    private_key(bytes, &mut finds);
    url_password(bytes, &mut finds);
    if finds.is_empty() {
        return Redacted { text: Cow::Borrowed(text), found: Vec::new() };
    }
    replace(text, finds)
}

fn replace(text: &str, mut finds: Vec<Find>) -> Redacted<'_> {
    // The widest of overlapping finds wins: the one that starts first, and of those the longest.
    finds.sort_by_key(|find| (find.at, usize::MAX - find.end));
    let mut out = String::with_capacity(text.len());
    let mut found = Vec::new();
    let mut done = 0;
    for Find { start, end, kind, .. } in finds {
        if start < done {
            continue;
        }
        // Every alphabet is ASCII or ends at ASCII, so both ends are characters' boundaries.
        out.push_str(&text[done..start]);
        out.push_str(&format!("***{}", end - start));
        found.push(kind);
        done = end;
    }
    out.push_str(&text[done..]);
    Redacted { text: Cow::Owned(out), found }
}

/// `ey…`.`ey…`.signature
fn jwt(bytes: &[u8], finds: &mut Vec<Find>) {
    for at in memmem::find_iter(bytes, b"eyJ") {
        let end = at + bytes[at..].iter().take_while(|byte| dotted(**byte)).count();
        let parts: Vec<&[u8]> = bytes[at..end].split(|byte| *byte == b'.').collect();
        if parts.len() >= 3 && parts[0].len() >= 17 && parts[1].len() >= 17 {
            finds.push(Find { at, start: at + 3, end, kind: "jwt" });
        }
    }
}

fn private_key(bytes: &[u8], finds: &mut Vec<Find>) {
    for at in memmem::find_iter(bytes, b"-----BEGIN ") {
        let line = &bytes[at..bytes.len().min(at + 64)];
        let Some(head) = memmem::find(line, b"PRIVATE KEY") else { continue };
        let start = at + head + "PRIVATE KEY".len();
        let end = memmem::find(&bytes[start..], b"-----END ").map_or(bytes.len(), |end| start + end);
        finds.push(Find { at, start, end, kind: "private_key" });
    }
}

/// `scheme://user:password@host`
fn url_password(bytes: &[u8], finds: &mut Vec<Find>) {
    for at in memmem::find_iter(bytes, b"://") {
        let start = at + 3;
        let authority =
            bytes[start..].iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"/\"'`<>".contains(byte));
        let end = start + authority.count();
        let authority = &bytes[start..end];
        let (Some(colon), Some(host)) = (memchr::memchr(b':', authority), memchr::memrchr(b'@', authority)) else {
            continue;
        };
        if colon + 1 < host && authority[colon + 1] != b'$' {
            finds.push(Find { at, start: start + colon + 1, end: start + host, kind: "url" });
        }
    }
}

fn alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}
fn upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}
fn hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}
fn word(byte: u8) -> bool {
    alnum(byte) || byte == b'_' || byte == b'-'
}
fn path(byte: u8) -> bool {
    word(byte) || byte == b'/'
}
fn dotted(byte: u8) -> bool {
    word(byte) || byte == b'.'
}
fn bearer(byte: u8) -> bool {
    dotted(byte) || b"~+/=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together here, so that no scanner takes this file for a leak.
    fn planted() -> Vec<(&'static str, String)> {
        let many = |piece: &str, count: usize| piece.repeat(count);
        vec![
            ("anthropic", format!("sk-ant-api03-{}AA", many("aB3", 31))),
            ("openai", format!("sk-proj-{}", many("x9", 24))),
            ("github", format!("ghp_{}", many("aZ9", 12))),
            ("github", format!("github_pat_{}", many("a1_", 27))),
            ("gitlab", format!("glpat-{}", many("Qx", 10))),
            ("aws", format!("AKIA{}", many("ABC2", 4))),
            ("google", format!("AIza{}", many("abcde", 7))),
            ("slack", format!("xoxb-{}", many("12", 10))),
            ("stripe", format!("sk_live_{}", many("a1", 12))),
            ("npm", format!("npm_{}", many("ab1", 12))),
            ("huggingface", format!("hf_{}", many("ab", 17))),
            ("jwt", format!("eyJ{}.eyJ{}.{}", many("a", 20), many("b", 20), many("c", 20))),
            ("bearer", format!("Bearer {}", many("tok", 8))),
            ("url", "postgres://me:hunter22@db/x".to_owned()),
            ("named", "PGPASSWORD=hunter22 psql".to_owned()),
            ("named", "mysql --password='hunter 22' x".to_owned()),
            ("private_key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----".to_owned()),
        ]
    }

    #[test]
    fn every_kind_is_found_and_nothing_of_it_is_left() {
        for (kind, secret) in planted() {
            let text = format!("é curl -H '{secret}' ü");
            let redacted = redact(&text);
            assert_eq!(redacted.found, [kind], "{secret}");
            assert!(redacted.text.contains("***"), "{}", redacted.text);
            let tail: String = secret.chars().rev().take(6).collect::<String>().chars().rev().collect();
            if !["named", "url", "private_key"].contains(&kind) {
                assert!(!redacted.text.contains(&tail), "{}", redacted.text);
            }
            assert!(!redacted.text.contains("hunter"), "{}", redacted.text);
            assert!(!redacted.text.contains("MIIE"), "{}", redacted.text);
        }
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "git push origin task-sk-learn",
            "sk-learn and npm_config_registry",
            "echo $GITHUB_TOKEN --token=$TOKEN",
            "http://localhost:8080/a@b",
            "Bearer token",
            "risk-assessment-of-the-whole-project-in-detail-for-everyone",
        ] {
            assert_eq!(redact(text).text, text);
        }
    }
}
