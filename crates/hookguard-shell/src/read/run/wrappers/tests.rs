//! The table of wrappers: in order, and each row proven by a reading that changes without it.

use std::cell::Cell;

use super::super::rows;
use super::{WRAPPERS, Wrapper};

thread_local! {
    /// The row that is taken out of the table.
    static MISSING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Whether a test has taken this row out of the table.
pub(in super::super) fn is_missing(row: &Wrapper) -> bool {
    MISSING.get().is_some_and(|at| std::ptr::eq(row, &raw const WRAPPERS[at]))
}

#[test]
fn rows_are_sorted_by_name() {
    for pair in WRAPPERS.windows(2) {
        assert!(pair[0].name <= pair[1].name, "{} stands before {}", pair[0].name, pair[1].name);
    }
}

#[test]
fn no_row_can_be_missing_unnoticed() {
    let texts: Vec<&str> = rows::texts().collect();
    let mut unproven = Vec::new();
    for (at, row) in WRAPPERS.iter().enumerate() {
        if !rows::is_noticed(&texts, row.name, |missing| MISSING.set(missing.then_some(at))) {
            unproven.push(format!("{} {}", row.name, row.sub.join("|")));
        }
    }
    assert!(unproven.is_empty(), "{} rows that no case proves:\n{}", unproven.len(), unproven.join("\n"));
}
