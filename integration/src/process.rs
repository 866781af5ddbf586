//! Running one program to its end: environment from scratch, input, a deadline that ends only our own child.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};

/// How long a program may take where the caller names no deadline.
const DEADLINE: Duration = Duration::from_secs(60);

/// How often the output is looked at where the input depends on it.
const LOOK: Duration = Duration::from_millis(10);

/// One program about to run. Its environment is empty but for what is given.
#[derive(Debug)]
pub struct Invocation {
    command: Command,
    input: Input,
    deadline: Duration,
}

/// What the program reads.
#[derive(Debug)]
enum Input {
    Closed,
    Bytes(Vec<u8>),
    HeldOpen(Vec<u8>),
    UntilAnswered { bytes: Vec<u8>, answer: String },
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal, sent by someone else.
    Signal(i32),
    /// By us: it was not done at the deadline.
    TimedOut,
}

/// A program that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub exit: Exit,
    /// What it wrote; bytes that are no UTF-8 arrive as U+FFFD.
    pub stdout: String,
    /// The same of stderr.
    pub stderr: String,
    /// From just before the start until its end was seen.
    pub elapsed: Duration,
}

impl Invocation {
    /// A program with an empty environment, closed stdin and a deadline of 60 seconds.
    pub fn new(program: impl AsRef<OsStr>) -> Invocation {
        let mut command = Command::new(program);
        command.env_clear();
        Invocation { command, input: Input::Closed, deadline: DEADLINE }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Invocation {
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Invocation {
        self.command.args(args);
        self
    }

    /// Sets one variable.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Invocation {
        self.command.env(name, value);
        self
    }

    /// Sets several variables.
    #[must_use]
    pub fn envs<K: AsRef<OsStr>, V: AsRef<OsStr>>(mut self, vars: impl IntoIterator<Item = (K, V)>) -> Invocation {
        self.command.envs(vars);
        self
    }

    /// Takes one variable away again.
    #[must_use]
    pub fn without_env(mut self, name: impl AsRef<OsStr>) -> Invocation {
        self.command.env_remove(name);
        self
    }

    /// Runs it in this folder.
    #[must_use]
    pub fn cwd(mut self, folder: impl AsRef<Path>) -> Invocation {
        self.command.current_dir(folder);
        self
    }

    /// Gives it these bytes and then the end of its input.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Invocation {
        self.input = Input::Bytes(bytes.into());
        self
    }

    /// Gives it these bytes and never the end: its stdin stays open until it has ended.
    #[must_use]
    pub fn stdin_held_open(mut self, bytes: impl Into<Vec<u8>>) -> Invocation {
        self.input = Input::HeldOpen(bytes.into());
        self
    }

    /// Gives it these bytes, and the end of its input once it has written `answer` to stdout.
    #[must_use]
    pub fn stdin_until_answered(mut self, bytes: impl Into<Vec<u8>>, answer: impl Into<String>) -> Invocation {
        self.input = Input::UntilAnswered { bytes: bytes.into(), answer: answer.into() };
        self
    }

    /// How long it may take; after that it and its process group are killed.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Invocation {
        self.deadline = deadline;
        self
    }

    /// The command itself, for one who starts it otherwise.
    pub(crate) fn into_command(self) -> Command {
        self.command
    }

    /// Runs it to its end. Fails only where it could not be started or watched: every way to end is a [`Finished`].
    pub fn run(self) -> anyhow::Result<Finished> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.run_to_end())
    }

    async fn run_to_end(self) -> anyhow::Result<Finished> {
        let Invocation { command, input, deadline } = self;
        let name = command.get_program().to_owned();
        // Files and not pipes: what a grandchild keeps open after the end must not keep us waiting.
        let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let mut command = tokio::process::Command::from(command);
        command.stdin(if matches!(input, Input::Closed) { Stdio::null() } else { Stdio::piped() });
        command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
        command.process_group(0).kill_on_drop(true);

        let start = Instant::now();
        let mut child = command.spawn().with_context(|| format!("failed to start {}", name.display()))?;
        if let Some(pipe) = child.stdin.take() {
            tokio::spawn(feed(pipe, input, stdout.try_clone()?));
        }
        let exit = match tokio::time::timeout(deadline, child.wait()).await {
            Ok(status) => exit_of(status?),
            Err(_) => {
                kill_group_of(&child)?;
                child.wait().await?;
                Exit::TimedOut
            }
        };
        let elapsed = start.elapsed();
        Ok(Finished { exit, stdout: read_back(&mut stdout)?, stderr: read_back(&mut stderr)?, elapsed })
    }
}

impl Finished {
    /// The exit code, where it ended by itself.
    pub fn code(&self) -> Option<i32> {
        match self.exit {
            Exit::Code(code) => Some(code),
            Exit::Signal(_) | Exit::TimedOut => None,
        }
    }

    /// Its stdout where it succeeded, else an error that shows all of it.
    pub fn success(self) -> anyhow::Result<String> {
        anyhow::ensure!(self.exit == Exit::Code(0), "ended with {:?}\n{}{}", self.exit, self.stdout, self.stderr);
        Ok(self.stdout)
    }
}

/// Writes the input; a reader that has gone away is its own business.
async fn feed(mut pipe: ChildStdin, input: Input, stdout: File) {
    match input {
        Input::Closed => {}
        Input::Bytes(bytes) => drop(pipe.write_all(&bytes).await),
        Input::HeldOpen(bytes) => {
            drop(pipe.write_all(&bytes).await);
            std::future::pending::<()>().await;
        }
        Input::UntilAnswered { bytes, answer } => {
            drop(pipe.write_all(&bytes).await);
            while !written_so_far(&stdout).is_ok_and(|text| text.contains(&answer)) {
                tokio::time::sleep(LOOK).await;
            }
        }
    }
}

/// What the child has written, without moving the place that it writes at.
fn written_so_far(file: &File) -> std::io::Result<String> {
    let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).unwrap_or_default()];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Kills the group that the child leads. `id` is `None` once it is reaped, so the number can't have gone to another.
fn kill_group_of(child: &Child) -> anyhow::Result<()> {
    let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else { return Ok(()) };
    kill_process_group(pid, Signal::KILL).context("failed to end our own child")
}

fn exit_of(status: std::process::ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

fn read_back(file: &mut File) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
