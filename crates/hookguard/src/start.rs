//! Where the process starts on Linux: at C's `main`, past what the standard library prepares before a Rust one.
//!
//! A look at `/proc/self/maps` and a second stack for a message about an overflow are most of it, and cost a tenth of a
//! whole verdict (`PERFORMANCE.md` 2: 0.87 against 1.03 of `/bin/true`). What matters of it is done here.
#![expect(unsafe_code, reason = "C's entry point and its signals have no safe interface")]

use std::ffi::{c_char, c_int};

#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    // SAFETY: numbers and a constant string in, nothing kept.
    unsafe {
        // A pipe that nobody reads is an error to handle, not a signal that ends us.
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        // A standard stream that is closed would be the next file that is opened, and be written into.
        for stream in 0..=2 {
            if libc::fcntl(stream, libc::F_GETFD) == -1 {
                libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            }
        }
    }
    crate::run()
}
