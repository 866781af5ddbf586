//! Running scripts and programs: several at once, each in a process group of its own, fed and read without ever waiting on one pipe,
//! ended at its deadline with all that it started.
//!
//! One loop over `poll`, no threads and no runtime: the hook process answers one event and ends.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How often a child is looked at where the system can't wake us when it ends.
const LOOK: Duration = Duration::from_millis(5);
/// One read, in bytes: a pipe holds no more on Linux.
const BLOCK: usize = 64 * 1024;
/// How much of standard error is kept, in bytes.
const MAX_STDERR: usize = 64 * 1024;

/// What is started.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    /// A command line, by `sh -c`.
    Shell(&'a str),
    /// A program with its arguments, by its path or by its name on PATH.
    Program(&'a str, &'a [String]),
}

/// One script to run.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) start: Start<'a>,
    /// Where it runs.
    pub(crate) cwd: Option<&'a Path>,
    /// Variables beside those of this process.
    pub(crate) variables: &'a [(&'static str, &'a str)],
    /// What stands on its standard input.
    pub(crate) input: &'a [u8],
    /// When it is ended.
    pub(crate) until: Instant,
    /// What is kept of what it prints.
    pub(crate) keep: Keep,
}

/// What is kept of what a script prints.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Keep {
    /// All of it, and a script that prints more than so many bytes is ended: it can't be an answer.
    All(usize),
    /// The last so many bytes of both streams, in the order in which they came.
    Tail(usize),
}

/// How a script ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal of somebody else.
    Signal(i32),
    /// By us, at its deadline.
    TimedOut,
    /// By us, because it printed too much.
    TooMuchOutput,
    /// It could not be started; why.
    NotStarted(String),
}

/// A script that has ended. Text that is no UTF-8 holds U+FFFD in its place.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) stdout: String,
    /// Empty with [`Keep::Tail`]: it stands in `stdout`.
    pub(crate) stderr: String,
    pub(crate) elapsed: Duration,
}

/// Runs all of them at the same time and returns when each has ended, in their order. Nothing that they started in their
/// process groups is left: a policy has no business going on after its answer.
pub(crate) fn run(jobs: &[Job<'_>]) -> Vec<Ran> {
    let mut running: Vec<Running<'_>> = jobs.iter().map(Running::start).collect();
    while running.iter().any(|one| one.end.is_none()) {
        wait(&running);
        for one in running.iter_mut().filter(|one| one.end.is_none()) {
            one.step();
        }
    }
    running.into_iter().map(Running::finish).collect()
}

struct Running<'a> {
    job: &'a Job<'a>,
    started: Instant,
    elapsed: Duration,
    child: Option<Child>,
    /// Readable when the child has ended, where the system has such a thing.
    exited: Option<OwnedFd>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    written: usize,
    out: Vec<u8>,
    err: Vec<u8>,
    end: Option<End>,
}

impl<'a> Running<'a> {
    fn start(job: &'a Job<'a>) -> Running<'a> {
        let mut running = Running {
            job,
            started: Instant::now(),
            elapsed: Duration::ZERO,
            child: None,
            exited: None,
            stdin: None,
            stdout: None,
            stderr: None,
            written: 0,
            out: Vec::new(),
            err: Vec::new(),
            end: None,
        };
        let mut command = match job.start {
            Start::Shell(line) => {
                let mut shell = Command::new("/bin/sh");
                shell.arg("-c").arg(line);
                shell
            }
            Start::Program(name, args) => {
                let mut program = Command::new(name);
                program.args(args);
                program
            }
        };
        command.envs(job.variables.iter().copied()).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = job.cwd {
            command.current_dir(cwd);
        }
        let spawned = command.spawn().and_then(|mut child| {
            running.stdin = child.stdin.take();
            running.stdout = child.stdout.take();
            running.stderr = child.stderr.take();
            running.exited = when_exited(&child);
            running.child = Some(child);
            running.unblock()
        });
        if let Err(error) = spawned {
            running.stop(End::NotStarted(error.to_string()));
        }
        running
    }

    /// No read or write may wait: the other pipes would fill up meanwhile.
    fn unblock(&self) -> std::io::Result<()> {
        for pipe in [self.stdin.as_ref().map(AsFd::as_fd), self.stdout.as_ref().map(AsFd::as_fd)] {
            pipe.map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        }
        Ok(self.stderr.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?)
    }

    fn pipes(&self) -> impl Iterator<Item = (BorrowedFd<'_>, PollFlags)> {
        let stdin = self.stdin.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::OUT));
        let stdout = self.stdout.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN));
        let stderr = self.stderr.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN));
        let exited = self.exited.as_ref().map(|exited| (exited.as_fd(), PollFlags::IN));
        [stdin, stdout, stderr, exited].into_iter().flatten()
    }

    /// Does what can be done without waiting.
    fn step(&mut self) {
        self.write();
        let too_much = self.read();
        if too_much {
            self.stop(End::TooMuchOutput);
        } else if self.has_exited() {
            self.stop_rest();
            self.read();
            let end = self.reap().map_or(End::Signal(0), end_of);
            let fits = !matches!(self.job.keep, Keep::All(most) if self.out.len() > most);
            self.end = Some(if fits { end } else { End::TooMuchOutput });
            self.elapsed = self.started.elapsed();
        } else if Instant::now() >= self.job.until {
            self.stop(End::TimedOut);
        }
    }

    fn write(&mut self) {
        let Some(pipe) = &mut self.stdin else { return };
        while self.written < self.job.input.len() {
            match pipe.write(&self.job.input[self.written..]) {
                Ok(count) if count > 0 => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A script that does not want to know has closed its end.
                Ok(_) | Err(_) => break,
            }
        }
        self.stdin = None;
    }

    /// Whether it printed more than may be.
    fn read(&mut self) -> bool {
        let tail = match self.job.keep {
            Keep::All(_) => None,
            Keep::Tail(most) => Some(most),
        };
        let mut too_much = false;
        if let Some(pipe) = &mut self.stdout {
            let most = match self.job.keep {
                Keep::All(most) | Keep::Tail(most) => most,
            };
            let ended = take(pipe, &mut self.out, |out| match tail {
                Some(most) => keep_tail(out, most),
                None => out.len() <= most,
            });
            too_much = ended == Taken::Enough;
            if ended == Taken::End {
                self.stdout = None;
            }
        }
        if let Some(pipe) = &mut self.stderr {
            let (buffer, most) = match tail {
                Some(most) => (&mut self.out, most),
                None => (&mut self.err, MAX_STDERR),
            };
            if take(pipe, buffer, |buffer| keep_tail(buffer, most)) == Taken::End {
                self.stderr = None;
            }
        }
        too_much
    }

    /// Whether the script has ended, without reaping it: its number stays its own until its group has been ended.
    fn has_exited(&self) -> bool {
        let Some(pid) = self.pid() else { return true };
        let looked = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
        !matches!(looked, Ok(None) | Err(rustix::io::Errno::INTR))
    }

    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.child.as_ref()?.id().cast_signed())
    }

    fn stop_rest(&self) {
        if let Some(pid) = self.pid() {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    fn reap(&mut self) -> Option<ExitStatus> {
        self.child.as_mut().and_then(|child| child.wait().ok())
    }

    fn stop(&mut self, end: End) {
        self.stop_rest();
        self.reap();
        self.end = Some(end);
        self.elapsed = self.started.elapsed();
    }

    fn finish(self) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran {
            end: self.end.unwrap_or(End::TimedOut),
            stdout: text(self.out),
            stderr: text(self.err),
            elapsed: self.elapsed,
        }
    }
}

#[derive(PartialEq, Eq)]
enum Taken {
    /// Nothing more for now.
    All,
    /// The other end is closed.
    End,
    /// `fits` said no.
    Enough,
}

/// Reads what is there. `fits` may shorten the buffer, and says whether to go on.
fn take(pipe: &mut impl Read, buffer: &mut Vec<u8>, fits: impl Fn(&mut Vec<u8>) -> bool) -> Taken {
    let mut block = vec![0; BLOCK];
    // Bounded, so that one that prints without end can't keep the others waiting, or its own deadline.
    for _ in 0..64 {
        match pipe.read(&mut block) {
            Ok(0) => return Taken::End,
            Ok(count) => {
                buffer.extend_from_slice(&block[..count]);
                if !fits(buffer) {
                    return Taken::Enough;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Taken::All,
            Err(_) => return Taken::End,
        }
    }
    Taken::All
}

/// Keeps the last `most` bytes; always goes on.
fn keep_tail(buffer: &mut Vec<u8>, most: usize) -> bool {
    if buffer.len() > most {
        buffer.drain(..buffer.len() - most);
    }
    true
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    }
}

/// Waits until one of them can go on, or has to end.
fn wait(running: &[Running<'_>]) {
    let now = Instant::now();
    let mut limit = Duration::from_secs(60);
    let mut waited = Vec::new();
    for one in running.iter().filter(|one| one.end.is_none()) {
        limit = limit.min(one.job.until.saturating_duration_since(now));
        if one.exited.is_none() {
            limit = limit.min(LOOK);
        }
        waited.extend(one.pipes().map(|(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags)));
    }
    let limit =
        Timespec { tv_sec: i64::try_from(limit.as_secs()).unwrap_or(60), tv_nsec: i64::from(limit.subsec_nanos()) };
    // An interrupted wait is followed by a look at everything, as any other is.
    let _ = poll(&mut waited, Some(&limit));
}

/// A descriptor that is readable once the child has ended.
#[cfg(target_os = "linux")]
fn when_exited(child: &Child) -> Option<OwnedFd> {
    let pid = Pid::from_raw(child.id().cast_signed())?;
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn when_exited(_: &Child) -> Option<OwnedFd> {
    None
}

#[cfg(test)]
#[path = "runner_tests.rs"]
mod tests;
