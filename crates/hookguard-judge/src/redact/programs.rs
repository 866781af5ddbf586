//! Options that carry a password without saying so: `mysql -pPASSWORD`, `curl -u USER:PASSWORD`.

use memchr::memmem;

use super::Find;
use super::bytes::{BLANK, CONTROL, QUOTE, end_of, is};
use super::shape::is_placeholder;
use super::values::is_masked;

/// How an option gives a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The next word.
    Next,
    /// What stands right behind the letter; the next word is something else.
    Attached,
    /// Either.
    Both,
    /// What follows this mark in the word, attached or the next one.
    Behind(u8),
}
use Form::{Attached, Behind, Both, Next};

/// A program, or several of a family, and its options with passwords.
pub(super) struct Program {
    names: &'static [&'static str],
    /// The subcommand under which the options mean that, if it is not all of them.
    pub(super) sub: Option<&'static str>,
    options: &'static [(&'static str, Form)],
}

const fn program(names: &'static [&'static str], options: &'static [(&'static str, Form)]) -> Program {
    Program { names, sub: None, options }
}

#[rustfmt::skip]
const PROGRAMS: &[Program] = &[
    program(&["curl"], &[("--user", Behind(b':')), ("--proxy-user", Behind(b':')), ("-u", Behind(b':')), ("-U", Behind(b':'))]),
    program(&["http", "https", "xh"], &[("--auth", Behind(b':')), ("-a", Behind(b':'))]),
    program(
        &["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlsh", "mariadb", "mariadb-dump", "mariadb-admin"],
        &[("-p", Attached)],
    ),
    program(&["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"], &[("-p", Both)]),
    program(&["redis-cli", "valkey-cli"], &[("-a", Next)]),
    program(&["sshpass"], &[("-p", Both)]),
    program(&["ssh-keygen"], &[("-N", Next), ("-P", Next)]),
    program(&["sqlcmd", "bcp"], &[("-P", Both)]),
    program(&["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd"], &[("-w", Both), ("-s", Both)]),
    program(&["smbclient", "rpcclient", "smbmap"], &[("-U", Behind(b'%')), ("--user", Behind(b'%'))]),
    program(&["zip", "unzip"], &[("-P", Both)]),
    program(&["7z", "7za", "7zz", "rar", "unrar"], &[("-p", Attached), ("-hp", Attached)]),
    program(&["mosquitto_pub", "mosquitto_sub"], &[("-P", Next)]),
    program(&["rdesktop", "vncviewer"], &[("-p", Both)]),
    program(&["xfreerdp", "xfreerdp3"], &[("/p:", Attached)]),
    program(&["ipmitool"], &[("-P", Both)]),
    program(&["lftp"], &[("-u", Behind(b','))]),
    program(&["openssl"], &[("-passin", Behind(b':')), ("-passout", Behind(b':')), ("-pass", Behind(b':')), ("-k", Next)]),
    Program { sub: Some("login"), ..program(
        &["docker", "podman", "nerdctl", "buildah", "skopeo", "az", "oc", "helm", "argocd", "crane", "oras", "cf"],
        &[("-p", Both)],
    ) },
    Program { sub: Some("secret"), ..program(&["gh"], &[("--body", Next), ("-b", Both)]) },
    // `machine HOST login USER password WORD`: .netrc.
    program(&["machine"], &[("password", Next)]),
];

/// First letters and longest name of [`PROGRAMS`].
const FIRSTS: u128 = {
    let (mut firsts, mut row) = (0, 0);
    while row < PROGRAMS.len() {
        let mut name = 0;
        while name < PROGRAMS[row].names.len() {
            firsts |= 1 << PROGRAMS[row].names[name].as_bytes()[0];
            name += 1;
        }
        row += 1;
    }
    firsts
};
const LONGEST: usize = "mysqlimport".len() + 2;

/// The program that is called `word`.
#[inline]
pub(super) fn named(word: &[u8]) -> Option<&'static Program> {
    let first = *word.first()?;
    if word.len() > LONGEST || first >= 128 || FIRSTS >> first & 1 == 0 {
        return None;
    }
    PROGRAMS.iter().find(|program| program.names.iter().any(|name| name.as_bytes() == word))
}

impl Program {
    /// The password that the option at `at` gives.
    pub(super) fn find(&self, bytes: &[u8], at: usize) -> Option<Find> {
        let (option, form) = self.options.iter().find(|(option, _)| bytes[at..].starts_with(option.as_bytes()))?;
        let behind = at + option.len();
        let mut start = end_of(bytes, behind, BLANK);
        if bytes.get(behind) == Some(&b'=') {
            start = behind + 1;
        }
        let attached = start == behind;
        // `--username` is not `--user`.
        let other_option = attached && option.len() > 2 && !matches!(form, Attached);
        if other_option || attached && matches!(form, Next) || !attached && matches!(form, Attached) {
            return None;
        }
        // A quote may be escaped itself.
        let mark = start + bytes[start..].iter().take(3).take_while(|byte| **byte == b'\\').count();
        let quote = bytes.get(mark).copied().filter(|byte| is(*byte, QUOTE));
        if quote.is_some() {
            start = mark + 1;
        }
        let ends = |byte: u8| match quote {
            Some(quote) => byte == quote || byte == b'\n',
            None => is(byte, CONTROL | BLANK | QUOTE) || b";|&>".contains(&byte),
        };
        let mut end = start + bytes[start..].iter().take_while(|byte| !ends(**byte)).count();
        while end > start && bytes[end - 1] == b'\\' {
            end -= 1;
        }
        if let Behind(mark) = form {
            start += memchr::memchr(*mark, &bytes[start..end])? + 1;
        }
        let secret = &bytes[start..end];
        let variable = secret.first().is_none_or(|byte| b"$<{%-".contains(byte));
        // `-passin env:NAME`, `file:NAME` say where it is.
        let elsewhere =
            bytes[..start].ends_with(b"env:") || bytes[..start].ends_with(b"file:") || bytes[..start].ends_with(b"fd:");
        (!variable && !elsewhere && !is_masked(secret) && !is_placeholder(secret)).then_some(Find {
            start,
            end,
            kind: "named",
        })
    }
}

/// The password that `echo PASSWORD |` hands to the program whose name begins at `at`; nothing before `floor` is looked at.
pub(super) fn piped_in(bytes: &[u8], at: usize, floor: usize) -> Option<Find> {
    const FAR: usize = 200;
    let floor = floor.max(at.saturating_sub(FAR));
    let before = bytes[floor..at].trim_ascii_end().strip_suffix(b"|")?.trim_ascii_end();
    let echo =
        ["echo ", "printf "].into_iter().find_map(|echo| Some(memmem::rfind(before, echo.as_bytes())? + echo.len()))?;
    let command = &before[echo..];
    // Of another command, it says nothing to this one.
    if command.iter().any(|byte| b"\n;|(".contains(byte)) {
        return None;
    }
    let start = floor + echo;
    let quote = command.last().copied().filter(|byte| is(*byte, QUOTE));
    let mut last = command.len() - usize::from(quote.is_some());
    let mut first = 0;
    if let Some(before) =
        command[..last].iter().rposition(|byte| quote.map_or(is(*byte, BLANK), |quote| *byte == quote))
    {
        first = before + 1;
    }
    last -= command[first..last].iter().rev().take_while(|byte| quote.is_some() && **byte == b'\\').count();
    let mut secret = first..last;
    // `user:password`, as chpasswd takes it.
    if let Some(colon) = memchr::memchr(b':', &command[secret.clone()]) {
        secret.start += colon + 1;
    }
    let text = &command[secret.clone()];
    let variable = text.first().is_none_or(|byte| b"$<{%-`".contains(byte));
    (!variable && !is_masked(text) && !is_placeholder(text)).then_some(Find {
        start: start + secret.start,
        end: start + secret.end,
        kind: "named",
    })
}
