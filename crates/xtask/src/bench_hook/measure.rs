//! Processes, timed in pairs: one of ours, one of the other, over and over, so that both meet the same machine.

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

/// The medians of both of a pair, in microseconds.
pub(super) struct Timed {
    pub(super) ours: f64,
    pub(super) other: f64,
}

impl Timed {
    pub(super) fn ratio(&self) -> f64 {
        self.ours / self.other
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
            .env("HOME", case.home.as_deref().unwrap_or(self.path()))
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
        Ok(Timed { ours: median(&mut of_ours), other: median(&mut of_other) })
    }

    /// One run, from the start of the process to its end, in microseconds.
    fn run(&self, program: &Program, case: &Case) -> anyhow::Result<f64> {
        let mut command = self.command(program, case)?;
        let started = Instant::now();
        let status = command.status().with_context(|| format!("failed to start {}", program.path.display()))?;
        let micros = started.elapsed().as_secs_f64() * 1e6;
        ensure!(status.success(), "{} ended with {status}", program.path.display());
        Ok(micros)
    }
}

fn median(runs: &mut [f64]) -> f64 {
    runs.sort_by(f64::total_cmp);
    runs.get(runs.len() / 2).copied().unwrap_or(f64::NAN)
}
