//! At most so many agents at a time, over all test processes.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

/// An agent takes a whole core while it starts, and both CI and the machines this was made on have two.
const SLOTS: usize = 2;

/// How often a full house is asked again.
const WAIT: Duration = Duration::from_millis(50);

/// The right to run one agent, until dropped.
#[derive(Debug)]
pub(super) struct Slot(#[expect(dead_code, reason = "the lock lives as long as the file is open")] File);

/// Waits for a free slot. Slots are locked files: they are freed with the process, however it ends.
pub(super) fn take(cache: &Path) -> anyhow::Result<Slot> {
    loop {
        for slot in 0..SLOTS {
            let path = cache.join(format!("slot-{slot}"));
            let file = File::create(&path).with_context(|| format!("failed to open {}", path.display()))?;
            match file.try_lock() {
                Ok(()) => return Ok(Slot(file)),
                Err(std::fs::TryLockError::WouldBlock) => {}
                Err(std::fs::TryLockError::Error(error)) => return Err(error).context("failed to lock a slot"),
            }
        }
        std::thread::sleep(WAIT);
    }
}
