//! The evaluating layer against tables of readings, one file a topic in `readings/`.
//!
//! A case: a text (several lines if need be), `--`, and its commands, one a line:
//! `[via,via] place argv redirects <stdin @cwd =runs`; what is at its default is left out. Words as in the tricky texts:
//! `·` a blank inside a word, `⏎` a newline, `''` the empty word. `*` and the like in `‹…›` are patterns,
//! `$NAME` an unknown variable, `$?NAME` a required one, `$()` a substitution, `<()` a process, `{roots}` an item,
//! `$#` a number, `$_` anything else. `%%` ends a case.

use std::fmt::Write as _;

use hookguard_shell::{Env, read};
use render::render;

mod render;

const ENV: Env<'_> = Env { cwd: Some("/home/dev/acme"), home: Some("/home/dev"), vars: &[("USER", "dev")], known: &[] };

macro_rules! tables {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(include_str!(concat!("readings/", stringify!($name), ".txt")));
        })*
    };
}

tables!(first, words, state, wrappers, rows, programs, languages, places);

fn check(table: &str) {
    let mut wrong = String::new();
    let mut cases = 0;
    let table: String = table.lines().skip_while(|line| line.starts_with('#')).fold(String::new(), |mut all, line| {
        all.push_str(line);
        all.push('\n');
        all
    });
    for case in table.split("%%\n") {
        if case.trim().is_empty() {
            continue;
        }
        let (text, expected) = case.split_once("\n--\n").expect("a case has a -- line");
        let expected: Vec<&str> = expected.lines().collect();
        let found = render(&read(text, &ENV));
        cases += 1;
        if found != expected {
            let _ = writeln!(wrong, "{text}\n-- found\n{}\n-- expected\n{}\n", found.join("\n"), expected.join("\n"));
        }
    }
    assert!(cases > 0);
    assert!(wrong.is_empty(), "\n{wrong}");
}
