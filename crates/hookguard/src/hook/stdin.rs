//! Standard input, read until one JSON object is complete: some agents never close the pipe.

use hookguard_adapter::{Progress, Scanner};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::stdio::stdin;

/// How the input ended.
pub(super) enum End {
    /// With a complete object: the buffer holds just that.
    Complete,
    /// Without one; why, as a fragment.
    Cut(&'static str),
    /// It was not to be read.
    NotRead,
}

/// One read, into memory that is not cleared before. Pipes hold 64 KB on Linux.
const BLOCK: usize = 64 * 1024;
/// An agent that says nothing for so long, in seconds, has said all it will. Idle time, not total: a large payload may be slow.
const IDLE_SECONDS: i64 = 3;
/// How many blocks are drained after the answer.
const MAX_DRAIN: usize = 1024;

/// Reads until one JSON object is complete, and leaves just that in `bytes`.
pub(super) fn read_object(bytes: &mut Vec<u8>) -> End {
    let mut scanner = Scanner::default();
    loop {
        if !readable(IDLE_SECONDS) {
            return End::Cut(if bytes.is_empty() { "nothing came" } else { "it is cut off" });
        }
        let start = bytes.len();
        bytes.reserve(BLOCK);
        let count = match read(stdin(), spare_capacity(bytes)) {
            Ok(count) => count,
            Err(Errno::INTR) => continue,
            Err(_) => return End::Cut("standard input can't be read"),
        };
        match scanner.feed(&bytes[start..]) {
            Progress::Complete(length) => {
                bytes.truncate(length);
                return End::Complete;
            }
            Progress::Hopeless(why) => return End::Cut(why),
            Progress::More if count == 0 && start == 0 => return End::Cut("it is empty"),
            Progress::More if count == 0 => return End::Cut("it is cut off"),
            Progress::More => {}
        }
    }
}

/// Takes what is still in the pipe, without waiting: an agent that is still writing would see a broken pipe.
pub(super) fn drain() {
    let mut block = Vec::new();
    for _ in 0..MAX_DRAIN {
        if !readable(0) {
            return;
        }
        block.clear();
        block.reserve(BLOCK);
        if !matches!(read(stdin(), spare_capacity(&mut block)), Ok(count) if count > 0) {
            return;
        }
    }
}

/// Whether there is something to read, or the end, within `seconds`.
fn readable(seconds: i64) -> bool {
    let mut waited = [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)];
    let limit = Timespec { tv_sec: seconds, tv_nsec: 0 };
    loop {
        match poll(&mut waited, Some(&limit)) {
            Ok(ready) => return ready > 0,
            Err(Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}
