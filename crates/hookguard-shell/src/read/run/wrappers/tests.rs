//! The table of wrappers: in order, and each row proven by a reading that changes without it.

use std::cell::Cell;

use super::{WRAPPERS, Wrapper};
use crate::{Env, Reading, read};

thread_local! {
    /// The row that is taken out of the table.
    static MISSING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Whether a test has taken this row out of the table.
pub(in super::super) fn is_missing(row: &Wrapper) -> bool {
    MISSING.get().is_some_and(|at| std::ptr::eq(row, &raw const WRAPPERS[at]))
}

const ENV: Env<'_> = Env { cwd: Some("/home/dev/acme"), home: Some("/home/dev"), vars: &[("USER", "dev")], known: &[] };

/// The tables of `tests/readings.rs`, which says what is read of each text.
const READINGS: [&str; 8] = [
    include_str!("../../../../tests/readings/rows.txt"),
    include_str!("../../../../tests/readings/first.txt"),
    include_str!("../../../../tests/readings/words.txt"),
    include_str!("../../../../tests/readings/state.txt"),
    include_str!("../../../../tests/readings/wrappers.txt"),
    include_str!("../../../../tests/readings/programs.txt"),
    include_str!("../../../../tests/readings/languages.txt"),
    include_str!("../../../../tests/readings/places.txt"),
];

/// The texts of a table.
fn texts(table: &str) -> impl Iterator<Item = &str> {
    table.split("%%\n").filter_map(|case| case.split_once("\n--\n")).map(|(text, _)| text)
}

/// What the tables show of a reading, as far as a wrapper can change it.
fn shown(reading: &Reading) -> String {
    reading.commands.iter().fold(String::new(), |all, command| {
        let words: Vec<String> = command.argv.iter().map(crate::Word::display).collect();
        let via: Vec<_> = command.via.iter().map(|via| (via.step, via.program.as_str())).collect();
        all + &format!("{words:?} {via:?} {:?} {:?} {:?}\n", command.place, command.assignments, command.runs)
    })
}

#[test]
fn rows_are_sorted_by_name() {
    for pair in WRAPPERS.windows(2) {
        assert!(pair[0].name <= pair[1].name, "{} stands before {}", pair[0].name, pair[1].name);
    }
}

#[test]
fn no_row_can_be_missing_unnoticed() {
    let texts: Vec<&str> = READINGS.into_iter().flat_map(texts).collect();
    let mut unproven = Vec::new();
    for (at, row) in WRAPPERS.iter().enumerate() {
        let noticed = texts.iter().filter(|text| text.contains(row.name)).any(|text| {
            let whole = shown(&read(text, &ENV));
            MISSING.set(Some(at));
            let without = shown(&read(text, &ENV));
            MISSING.set(None);
            whole != without
        });
        if !noticed {
            unproven.push(format!("{} {}", row.name, row.sub.join("|")));
        }
    }
    assert!(unproven.is_empty(), "{} rows that no case proves:\n{}", unproven.len(), unproven.join("\n"));
}
