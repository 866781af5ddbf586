//! An answer for the case that hookguard panics or takes too long, ready before anything can go wrong.
//!
//! A timer's signal, not a thread: a thread costs more than the whole verdict (`PERFORMANCE.md` 2.1), and would not run if
//! the process were stuck in an allocation. All that the handler does is write what lies ready, and exit.
#![expect(unsafe_code, reason = "a signal handler and a timer have no safe interface")]

use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use hookguard_adapter::Reply;

/// What is written when hookguard fails.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The answer.
    pub(super) reply: Reply,
    /// The decision log, if there is one.
    pub(super) log_file: Option<PathBuf>,
    /// The line to append to it.
    pub(super) log_line: String,
}

impl Prepared {
    /// Nothing but an exit code.
    pub(super) fn silent(exit: u8) -> Prepared {
        Prepared { reply: Reply { exit, ..Reply::default() }, log_file: None, log_line: String::new() }
    }
}

struct Ready {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    exit: u8,
    log_file: Option<CString>,
    log_line: Vec<u8>,
}

static READY: AtomicPtr<Ready> = AtomicPtr::new(std::ptr::null_mut());

/// What else ends a process without a word: memory that can't be had, a stack that is too deep, a fault.
const FATAL: [libc::c_int; 5] = [libc::SIGALRM, libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS, libc::SIGILL];

/// A stack of its own for the handler, which has none left when the usual one has overflown.
const STACK: usize = 16 * 1024;
static mut HANDLER_STACK: [u8; STACK] = [0; STACK];

/// Starts the clock. From here on a panic, a fault or `limit` ends the process with the prepared answer.
pub(super) fn arm(prepared: Prepared, limit: Duration) {
    replace(prepared);
    std::panic::set_hook(Box::new(|_| deliver()));
    // SAFETY: the action is fully initialised, its handler only calls functions that are safe in signal handlers; its stack
    // is used by nobody else, and the process has one thread.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        let stack = libc::stack_t { ss_sp: (&raw mut HANDLER_STACK).cast(), ss_flags: 0, ss_size: STACK };
        libc::sigaltstack(&raw const stack, std::ptr::null_mut());
        for signal in FATAL {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
    set_timer(limit);
}

/// Puts another answer in the place of the prepared one, which is leaked: the process is about to end.
pub(super) fn replace(prepared: Prepared) {
    let Prepared { reply, log_file, log_line } = prepared;
    let ready = Ready {
        stdout: reply.stdout.into_bytes(),
        stderr: reply.stderr.into_bytes(),
        exit: reply.exit,
        log_file: log_file.and_then(|path| CString::new(path.into_os_string().into_vec()).ok()),
        log_line: log_line.into_bytes(),
    };
    READY.store(Box::into_raw(Box::new(ready)), Ordering::Release);
}

/// Stops the clock: the answer is about to be written.
pub(super) fn disarm() {
    set_timer(Duration::ZERO);
}

fn set_timer(limit: Duration) {
    // SAFETY: plain numbers in, nothing kept.
    unsafe {
        let mut timer: libc::itimerval = std::mem::zeroed();
        timer.it_value.tv_sec = limit.as_secs() as libc::time_t;
        timer.it_value.tv_usec = limit.subsec_micros() as libc::suseconds_t;
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
    }
}

extern "C" fn on_signal(_: libc::c_int) {
    deliver()
}

/// Writes the prepared answer and ends the process. Calls nothing that is not safe in a signal handler.
fn deliver() -> ! {
    let ready = READY.load(Ordering::Acquire);
    // SAFETY: the pointer is null or came from `Box::into_raw` and is never freed; the file's name ends with a NUL.
    unsafe {
        let Some(ready) = ready.as_ref() else { libc::_exit(0) };
        write_all(libc::STDOUT_FILENO, &ready.stdout);
        write_all(libc::STDERR_FILENO, &ready.stderr);
        if let Some(file) = &ready.log_file {
            // Not blocking: it may be a pipe.
            let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT | libc::O_NOFOLLOW | libc::O_CLOEXEC;
            let log = libc::open(file.as_ptr(), flags | libc::O_NONBLOCK, 0o600 as libc::c_uint);
            if log >= 0 {
                write_all(log, &ready.log_line);
            }
        }
        libc::_exit(libc::c_int::from(ready.exit))
    }
}

unsafe fn write_all(file: libc::c_int, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the slice is valid for its length.
        let written = unsafe { libc::write(file, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(count) if count > 0 => bytes = &bytes[count..],
            _ => return,
        }
    }
}
