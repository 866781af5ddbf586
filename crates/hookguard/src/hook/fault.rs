//! Failures on demand, for the tests of failures. Without the feature `fault-injection` all of it is nothing, and
//! `cargo xtask tidy` keeps the feature out of every default.

use std::time::Duration;

/// Panics, aborts or stalls if the payload says so.
#[cfg(feature = "fault-injection")]
pub(super) fn provoke(payload: &[u8]) {
    let text = String::from_utf8_lossy(payload);
    if text.contains("\"hookguard_fault\":\"panic\"") {
        panic!("provoked");
    }
    if text.contains("\"hookguard_fault\":\"abort\"") {
        // As where no memory is to be had.
        std::process::abort();
    }
    if text.contains("\"hookguard_fault\":\"stall\"") {
        std::thread::sleep(Duration::from_secs(60));
    }
}

/// A shorter deadline, so that its test need not wait for the real one.
#[cfg(feature = "fault-injection")]
pub(super) fn limit() -> Option<Duration> {
    std::env::var("HOOKGUARD_TEST_DEADLINE_MS").ok()?.parse().ok().map(Duration::from_millis)
}

#[cfg(not(feature = "fault-injection"))]
pub(super) fn provoke(_: &[u8]) {}

#[cfg(not(feature = "fault-injection"))]
pub(super) fn limit() -> Option<Duration> {
    None
}
