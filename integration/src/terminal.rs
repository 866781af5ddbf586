//! A program at a terminal of its own, as a human starts one.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::Sandbox;

/// How long it may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// Runs a program in the sandbox's project, with a new terminal that controls it, and gives its exit code and what the
/// terminal showed. What it shows must fit into the terminal's own memory (4 KB).
///
/// # Errors
/// It can't be started, or takes too long.
pub fn run<S: AsRef<OsStr>>(
    sandbox: &Sandbox,
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = S>,
) -> anyhow::Result<(Option<i32>, String)> {
    run_typing(sandbox, program, args, "")
}

/// The same where somebody has typed `typed` already.
///
/// # Errors
/// It can't be started, or takes too long.
pub fn run_typing<S: AsRef<OsStr>>(
    sandbox: &Sandbox,
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = S>,
    typed: &str,
) -> anyhow::Result<(Option<i32>, String)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).context("no terminal")?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let theirs = File::from(open(&ptsname(&ours, Vec::new())?, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?);
    File::from(ours.try_clone()?).write_all(typed.as_bytes())?;
    // util-linux makes the terminal the controlling one: in our own code that would be unsafe.
    let mut child = Command::new("setsid")
        .args(["--ctty", "--wait"])
        .arg(program)
        .args(args)
        .env_clear()
        .envs(sandbox.env())
        .current_dir(sandbox.project())
        .stdin(Stdio::from(theirs.try_clone()?))
        .stdout(Stdio::from(theirs.try_clone()?))
        .stderr(Stdio::from(theirs))
        .spawn()
        .context("failed to start setsid")?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if started.elapsed() > DEADLINE => {
                child.kill()?;
                child.wait()?;
                bail!("it took longer than {DEADLINE:?}");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    // The last of the other side has gone: what it wrote can be read, and then there is an error (EIO).
    let mut shown = Vec::new();
    let mut ours = File::from(ours);
    let mut block = [0; 4096];
    while let Ok(count @ 1..) = ours.read(&mut block) {
        shown.extend_from_slice(&block[..count]);
    }
    Ok((status.code(), String::from_utf8_lossy(&shown).replace("\r\n", "\n")))
}
