//! The table of programs: in order, and each row proven by a reading that changes without it.

use super::{PROGRAMS, rows};

#[test]
fn the_table_is_sorted_by_name() {
    assert!(PROGRAMS.is_sorted_by(|left, right| left.0 < right.0));
}

#[test]
fn no_program_can_be_missing_unnoticed() {
    let texts: Vec<&str> = rows::texts().collect();
    let unproven: Vec<&str> = PROGRAMS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !rows::is_noticed(&texts, name, |missing| rows::take_out(missing.then_some(*name))))
        .collect();
    assert!(unproven.is_empty(), "{} programs that no case proves: {unproven:?}", unproven.len());
}
