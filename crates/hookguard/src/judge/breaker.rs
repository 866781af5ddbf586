//! Backends that fail too often are passed over for a while: three failures in five minutes, ten minutes of rest. People are
//! told once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::state::{now_ms, private};

const FAILURES: usize = 3;
const WITHIN_MS: u64 = 5 * 60 * 1000;
const REST_MS: u64 = 10 * 60 * 1000;
/// The longest file, in bytes: some dozens of backends.
const MAX_BYTES: u64 = 64 * 1024;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    /// When it failed lately, in milliseconds since 1970.
    failed: Vec<u64>,
    /// Until when it is passed over.
    rests_until: Option<u64>,
}

type Records = BTreeMap<String, Record>;

fn file(state: &Path) -> PathBuf {
    state.join("judge/backends.json")
}

fn read(state: &Path) -> Records {
    let bytes = private::read(&file(state), MAX_BYTES).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Why a backend is not asked now; `None` where it may be.
pub(super) fn passed_over(state: &Path, backend: &str) -> Option<String> {
    at(state, backend, now_ms())
}

fn at(state: &Path, backend: &str, now: u64) -> Option<String> {
    let until = read(state).remove(backend)?.rests_until?;
    // A clock that was set back does not make it rest for ever.
    (now < until && until - now <= REST_MS).then(|| {
        format!("it failed {FAILURES} times in short order and is passed over for {} s more", (until - now) / 1000)
    })
}

/// Writes down how a backend did. What people are to be told, the first time that it is passed over.
pub(super) fn note(state: &Path, backend: &str, failed: bool) -> Option<String> {
    note_at(state, backend, failed, now_ms())
}

fn note_at(state: &Path, backend: &str, failed: bool, now: u64) -> Option<String> {
    let mut records = read(state);
    if !failed && !records.contains_key(backend) {
        return None;
    }
    let record = records.entry(backend.to_owned()).or_default();
    let mut told = None;
    if failed {
        record.failed.retain(|at| now.saturating_sub(*at) < WITHIN_MS && *at <= now);
        record.failed.push(now);
        if record.failed.len() >= FAILURES {
            *record = Record { failed: Vec::new(), rests_until: Some(now + REST_MS) };
            told = Some(format!(
                "judge backend {backend} failed {FAILURES} times within {} minutes: it is not asked for the next {}; \
                 `hookguard judge doctor` shows what is wrong",
                WITHIN_MS / 60_000,
                REST_MS / 60_000
            ));
        }
    } else {
        records.remove(backend);
    }
    let bytes = serde_json::to_vec(&records).unwrap_or_default();
    // Without a place to count in every call tries anew.
    let _ = private::write(&file(state), &bytes);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    #[test]
    fn three_failures_in_five_minutes_and_ten_minutes_of_rest() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        let start = 1_000_000_000;
        assert_eq!(note_at(state, "a", true, start), None);
        assert_eq!(note_at(state, "a", true, start + MINUTE), None);
        assert_eq!(at(state, "a", start + MINUTE), None);
        let told = note_at(state, "a", true, start + 2 * MINUTE).unwrap();
        assert!(told.contains("backend a failed 3 times"), "{told}");
        assert!(at(state, "a", start + 11 * MINUTE).is_some());
        assert_eq!(at(state, "b", start + 11 * MINUTE), None);
        assert_eq!(at(state, "a", start + 12 * MINUTE), None);
        assert_eq!(at(state, "a", start - 60 * MINUTE), None);
    }

    #[test]
    fn failures_that_lie_apart_and_a_success_count_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        for number in 0..10 {
            assert_eq!(note_at(state, "a", true, 1_000_000_000 + number * 3 * MINUTE), None, "{number}");
        }
        let now = 2_000_000_000;
        for _ in 0..5 {
            assert_eq!(note_at(state, "b", true, now), None);
            assert_eq!(note_at(state, "b", true, now), None);
            assert_eq!(note_at(state, "b", false, now), None);
        }
        std::fs::write(file(state), "garbage").unwrap();
        assert_eq!(at(state, "a", now), None);
    }
}
