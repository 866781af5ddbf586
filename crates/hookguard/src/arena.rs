//! Memory for what makes thousands of small blocks, reading a configuration anew and judging a long script: one stretch that
//! is never given back, for the process ends in a millisecond.
//!
//! From the system such blocks cost a fifth of the time to make and to free, and a page fault for every 4 KB; here they are cut
//! off one after the other, and the pages come in one go: for a script just as many as it will need, for more from pages of
//! 2 MB where the system has them, each of which has to be made zero (100 us). Everything else is allocated as ever.
#![expect(unsafe_code, reason = "an allocator has no safe interface")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// How much there is: what does not fit comes from the system.
const BYTES: usize = 16 << 20;
/// The length of a huge page.
const HUGE: usize = 2 << 20;
/// How much of it, at its beginning, has small pages.
const SMALL: usize = 512 << 10;
const PAGE: usize = 4096;

thread_local! {
    /// Where this thread cuts off its next block; 0 where blocks come from the system.
    static NEXT: Cell<usize> = const { Cell::new(0) };
}

/// The stretch: its first byte and the one behind its last. Set once.
static BEGIN: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
/// Whether somebody is using it.
static BUSY: AtomicBool = AtomicBool::new(false);
/// Where the last use of the stretch ended.
static RESUME: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static MEMORY: Memory = Memory;

struct Memory;

// SAFETY: blocks of the stretch are cut off by the one thread that has it and lie apart; it is never given back, so they stay
// valid. All others are the system's, and go back to it: a block's address says whose it is.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let next = NEXT.get();
        if next != 0 {
            // An alignment is a power of two.
            let begin = (next + (layout.align() - 1)) & !(layout.align() - 1);
            let end = begin.saturating_add(layout.size());
            if end <= END.load(Relaxed) {
                NEXT.set(end);
                return std::ptr::with_exposed_provenance_mut(begin);
            }
        }
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !is_ours(block) {
            // SAFETY: the caller's promise is passed on.
            unsafe { System.dealloc(block, layout) }
        } else if NEXT.get() == block.addr() + layout.size() {
            // The last block is cut off anew: pages stay few.
            NEXT.set(block.addr());
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_ours(block) {
            // SAFETY: the caller's promise is passed on.
            return unsafe { System.realloc(block, layout, size) };
        }
        // The last block grows where it is: vectors that are being filled mostly are.
        let (begin, end) = (block.addr(), block.addr() + layout.size());
        if NEXT.get() == end && begin.saturating_add(size) <= END.load(Relaxed) {
            NEXT.set(begin + size);
            return block;
        }
        if size <= layout.size() {
            return block;
        }
        // SAFETY: the caller's promise; both blocks are valid for what is copied, and lie apart.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                std::ptr::copy_nonoverlapping(block, new, layout.size());
            }
            new
        }
    }
}

fn is_ours(block: *mut u8) -> bool {
    (BEGIN.load(Relaxed)..END.load(Relaxed)).contains(&block.addr())
}

/// Does `work`, which will need about so many bytes, with memory from the stretch. What it leaves behind stays valid; what is
/// asked for later comes from the system. One thread at a time has it: another one, and a use inside of a use, goes on with the
/// system's blocks.
pub(crate) fn with_arena<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    if BUSY.swap(true, Acquire) {
        return work();
    }
    NEXT.set(match RESUME.load(Relaxed) {
        0 if BEGIN.load(Relaxed) == 0 => prepare(bytes),
        resume => resume,
    });
    let done = work();
    RESUME.store(NEXT.replace(0), Relaxed);
    BUSY.store(false, Release);
    done
}

/// Has the system give the stretch; gives where it begins for `bytes` bytes. Without it (0) everything goes on with the
/// system's own blocks.
fn prepare(bytes: usize) -> usize {
    // SAFETY: new memory, of which nobody knows yet.
    unsafe {
        let (all, private) = (BYTES + HUGE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
        let region = libc::mmap(std::ptr::null_mut(), all, libc::PROT_READ | libc::PROT_WRITE, private, -1, 0);
        if region == libc::MAP_FAILED {
            return 0;
        }
        // Small pages up to where the first huge one can begin.
        let huge = (region.expose_provenance() + SMALL).next_multiple_of(HUGE);
        let small = huge - SMALL;
        #[cfg(target_os = "linux")]
        {
            let at = std::ptr::with_exposed_provenance_mut;
            libc::madvise(at(huge), BYTES - SMALL, libc::MADV_HUGEPAGE);
            if bytes <= SMALL {
                // Since Linux 5.14; before, each is made when it is touched.
                libc::madvise(at(small), bytes.next_multiple_of(PAGE), libc::MADV_POPULATE_WRITE);
            }
        }
        END.store(small + BYTES, Relaxed);
        BEGIN.store(small, Relaxed);
        if bytes > SMALL { huge } else { small }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_apart_grow_and_outlive_the_stretch() {
        let kept = with_arena(0, || {
            let mut lists: Vec<Vec<usize>> = (0..100).map(|_| Vec::new()).collect();
            for number in 0..10_000 {
                lists[number % 100].push(number);
            }
            // More than there is comes from the system.
            let large = vec![1_u8; BYTES + 1];
            assert_eq!(large.iter().map(|byte| usize::from(*byte)).sum::<usize>(), BYTES + 1);
            lists
        });
        for (at, list) in kept.iter().enumerate() {
            assert!(list.iter().enumerate().all(|(turn, number)| *number == turn * 100 + at), "list {at}");
        }
        let mut after = kept.clone();
        after[0].push(7);
        drop((kept, after));
        assert_eq!(with_arena(0, || "once more".to_owned()), "once more");
    }

    #[test]
    fn many_threads_do_no_harm() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for turn in 0..200_usize {
                        let texts = with_arena(0, || (0..50).map(|at| format!("{turn} {at}")).collect::<Vec<_>>());
                        assert_eq!(texts[49], format!("{turn} 49"));
                        drop(texts);
                    }
                });
            }
        });
    }
}
