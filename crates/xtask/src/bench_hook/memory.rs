//! The most memory that a program takes, as the kernel counts it (`ru_maxrss`).
//!
//! Between fork and exec a child has its parent's memory, and the kernel counts that too. So the parent is a process that
//! has hardly any: this program again, started with a word that `main` knows before it builds anything.
#![expect(unsafe_code, reason = "wait4 gives the memory of one child, and has no safe interface")]

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, ensure};

use super::cases::Case;
use super::measure::{Home, Program};

/// The word, followed by a program and its arguments.
pub(crate) const CHILD: &str = "__max-rss";

/// The most memory of `runs` runs, in KiB.
pub(super) fn max_rss_kib(home: &Home, program: &Program, case: &Case, runs: usize) -> anyhow::Result<u64> {
    let mut arguments = vec![OsString::from(CHILD), program.path.clone().into()];
    arguments.extend(program.arguments.iter().cloned());
    let parent = Program { path: std::env::current_exe()?, arguments };
    let mut most = 0;
    for _ in 0..runs {
        let done = home.command(&parent, case)?.stdout(Stdio::piped()).output()?;
        ensure!(done.status.success(), "{} failed", program.path.display());
        let figure = String::from_utf8_lossy(&done.stdout).trim().parse::<u64>();
        most = most.max(figure.context("failed to read a figure of memory")?);
    }
    Ok(most)
}

/// Runs the program that the arguments name, prints its memory in KiB, and fails if it did.
pub(crate) fn child(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = arguments.next() else { return ExitCode::FAILURE };
    let Ok(child) = Command::new(program).args(arguments).stdout(Stdio::null()).spawn() else {
        return ExitCode::FAILURE;
    };
    let Ok(pid) = libc::pid_t::try_from(child.id()) else { return ExitCode::FAILURE };
    // SAFETY: zeroes are a valid rusage, and all pointers are valid; the child is ours and not waited for elsewhere.
    let (waited, status, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let mut status = 0;
        (libc::wait4(pid, &raw mut status, 0, &raw mut usage), status, usage)
    };
    crate::workspace::print(&usage.ru_maxrss.to_string());
    if waited == pid && status == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
