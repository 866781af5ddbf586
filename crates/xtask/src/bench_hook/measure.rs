//! Processes, timed in pairs: one of ours, one of the other, over and over, so that both meet the same machine.
#![expect(unsafe_code, reason = "wait4 gives the memory of one child, and has no safe interface")]

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use tempfile::TempDir;

use super::cases::Case;

/// Runs that are not counted: caches fill, the log's folder is made.
const WARM_UP: usize = 10;

/// A program with its arguments.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<OsString>,
}

impl Program {
    pub(super) fn new<A: Into<OsString>>(path: &Path, arguments: impl IntoIterator<Item = A>) -> Program {
        Program { path: path.to_owned(), arguments: arguments.into_iter().map(Into::into).collect() }
    }
}

/// What one program took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// The median, in microseconds.
    pub(super) micros: f64,
    /// The most memory of any run, in KiB.
    pub(super) max_rss_kib: u64,
}

/// What both of a pair took.
pub(super) struct Timed {
    pub(super) ours: Taken,
    pub(super) other: Taken,
}

impl Timed {
    pub(super) fn ratio(&self) -> f64 {
        self.ours.micros / self.other.micros
    }
}

/// A throw-away home: the log that hookguard writes goes there.
pub(super) struct Home(TempDir);

impl Home {
    pub(super) fn new() -> anyhow::Result<Home> {
        Ok(Home(TempDir::with_prefix("hookguard-bench-")?))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The program, ready to start: an environment made from nothing, the payload on standard input.
    pub(super) fn command(&self, program: &Program, case: &Case) -> anyhow::Result<Command> {
        let payload = File::open(&case.payload).with_context(|| format!("no {}", case.payload.display()))?;
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .current_dir(self.path())
            .stdin(payload)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(command)
    }

    /// What the program prints.
    pub(super) fn output(&self, program: &Program, case: &Case) -> anyhow::Result<String> {
        let done = self.command(program, case)?.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        ensure!(done.status.success(), "{} says {}", program.path.display(), String::from_utf8_lossy(&done.stderr));
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// Runs `ours` and `other` in turn, the first of a pair changing from pair to pair.
    pub(super) fn pairs(&self, ours: &Program, other: &Program, case: &Case, pairs: usize) -> anyhow::Result<Timed> {
        let (mut of_ours, mut of_other) = (Vec::with_capacity(pairs), Vec::with_capacity(pairs));
        for pair in 0..WARM_UP + pairs {
            let (first, second) = if pair % 2 == 0 { (ours, other) } else { (other, ours) };
            let (first, second) = (self.run(first, case)?, self.run(second, case)?);
            let (of_us, of_them) = if pair % 2 == 0 { (first, second) } else { (second, first) };
            if pair >= WARM_UP {
                of_ours.push(of_us);
                of_other.push(of_them);
            }
        }
        Ok(Timed { ours: taken(&mut of_ours), other: taken(&mut of_other) })
    }

    /// One run, from the start of the process to its end.
    fn run(&self, program: &Program, case: &Case) -> anyhow::Result<Taken> {
        let mut command = self.command(program, case)?;
        let started = Instant::now();
        let child = command.spawn().with_context(|| format!("failed to start {}", program.path.display()))?;
        let pid = libc::pid_t::try_from(child.id())?;
        // SAFETY: zeroes are a valid rusage, and all three pointers are valid or null; the child is ours and not waited for
        // elsewhere.
        let (waited, status, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let mut status = 0;
            (libc::wait4(pid, &raw mut status, 0, &raw mut usage), status, usage)
        };
        let micros = started.elapsed().as_secs_f64() * 1e6;
        ensure!(waited == pid, "failed to wait for {}", program.path.display());
        ensure!(status == 0, "{} ended with status {status:#x}", program.path.display());
        Ok(Taken { micros, max_rss_kib: u64::try_from(usage.ru_maxrss)? })
    }
}

fn taken(runs: &mut [Taken]) -> Taken {
    runs.sort_by(|a, b| a.micros.total_cmp(&b.micros));
    let median = runs.get(runs.len() / 2).map_or(f64::NAN, |run| run.micros);
    Taken { micros: median, max_rss_kib: runs.iter().map(|run| run.max_rss_kib).max().unwrap_or(0) }
}
