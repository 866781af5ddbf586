//! Tcl, as expect and tclsh run it: not read but for the programs that it starts by name.

use super::super::Reader;
use super::super::simple::Call;
use super::super::walk::Input;
use crate::command::{Step, Word};

/// The commands that start a program; a shell's words stand behind them.
const STARTS: [&str; 4] = ["spawn", "exec", "system", "overlay"];
/// How many programs are looked at in one text.
const MAX_PROGRAMS: usize = 50;

impl Reader {
    /// Finds what a Tcl text starts. All else of it stays unknown: the caller says so.
    pub(super) fn tcl(&mut self, call: &Call<'_>, code: &Word, step: Step) {
        let text = code.display();
        for line in programs(&text) {
            if !self.pay(1 + line.len() / 16) || !self.enter() {
                return;
            }
            self.run_code(call, &Word::literal(line), step, None, Input::default(), false);
            self.leave();
        }
    }
}

/// The command lines of the programs that a text starts, in a shell's quoting.
fn programs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for statement in text.split(['\n', ';', '[']) {
        let mut words = statement.split_whitespace().peekable();
        // `eval spawn …`, `if {…} {spawn …}`, `set x {exec …}`: the command may stand anywhere in its statement.
        while let Some(word) = words.next() {
            if !STARTS.contains(&word.trim_start_matches('{')) {
                continue;
            }
            while words.peek().is_some_and(|word| word.starts_with('-')) {
                words.next();
            }
            let line: Vec<&str> = words.collect();
            let line = line.join(" ").replace(']', " ").replace(['{', '}'], "'");
            // A bracket of the surroundings is no quote.
            let even = line.matches('\'').count().is_multiple_of(2);
            found.push(if even { line } else { line.trim_end_matches('\'').to_owned() });
            break;
        }
        if found.len() >= MAX_PROGRAMS {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::programs;

    #[test]
    fn what_is_started_is_found() {
        for (text, expected) in [
            ("spawn ls -l; expect eof", &["ls -l"][..]),
            ("set timeout 5\nspawn -noecho ls\nsend \"y\\r\"", &["ls"]),
            ("puts [exec git status]", &["git status "]),
            ("spawn sh -c {a b}; interact", &["sh -c 'a b'"]),
            ("if {1} {spawn ls}", &["ls"]),
            ("eval spawn ls", &["ls"]),
            ("send \"spawned\"; puts system_x", &[]),
        ] {
            assert_eq!(programs(text), expected, "{text}");
        }
    }
}
