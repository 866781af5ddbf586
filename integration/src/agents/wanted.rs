//! Whether the real agents are to be run at all.

use std::io::Write;

/// Set by a developer who has no npm.
const SKIP: &str = "HOOKGUARD_SKIP_REAL_AGENTS";

/// Whether the real agents are left out here; that is then said on the terminal, past the capture of test output.
///
/// # Panics
/// Where they must run: in CI nothing is skipped.
pub fn skipped(test: &str) -> bool {
    if std::env::var_os(SKIP).is_none_or(|value| value != "1") {
        return false;
    }
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(!in_ci, "{SKIP} is set in CI, where nothing is skipped");
    // Where even stderr is gone, nobody is there to be told.
    drop(writeln!(std::io::stderr(), "skipped: {test}: no real agent was run, because {SKIP}=1"));
    true
}
