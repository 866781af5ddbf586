//! Seeded fuzzers over what comes from outside: patch envelopes and payloads. The shell's own is in `hookguard-shell`.
//!
//! `HOOKGUARD_FUZZ_SECONDS` runs each of them longer, `HOOKGUARD_FUZZ_SEED` elsewhere.

mod bytes;
mod patches;
mod payloads;

use std::time::{Duration, Instant};

/// What one small input may take, on a busy machine and in a debug build.
const LIMIT: Duration = Duration::from_secs(5);

/// The seed, from the environment or 1.
fn seed() -> u64 {
    number("HOOKGUARD_FUZZ_SEED").unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Calls `once` for as long as the environment says, else `count` times; with how often it was.
fn run(count: usize, mut once: impl FnMut()) -> usize {
    let time = number("HOOKGUARD_FUZZ_SECONDS").map(Duration::from_secs);
    let began = Instant::now();
    let mut done = 0;
    while time.map_or(done < count, |time| began.elapsed() < time) {
        let started = Instant::now();
        once();
        assert!(started.elapsed() < LIMIT, "{:?} for one input", started.elapsed());
        done += 1;
    }
    done
}
