//! A program at a terminal of its own, as a human starts one.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process_group};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::Sandbox;

/// How long it may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// Wide enough for most lines not to be broken.
const SIZE: Winsize = Winsize { ws_row: 60, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };

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
    let mut command = Command::new(program);
    command.args(args).env_clear().envs(sandbox.env()).current_dir(sandbox.project());
    let (mut ours, mut child) = start(&command, typed)?;
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
    let mut block = [0; 4096];
    while let Ok(count @ 1..) = ours.read(&mut block) {
        shown.extend_from_slice(&block[..count]);
    }
    Ok((status.code(), String::from_utf8_lossy(&shown).replace("\r\n", "\n")))
}

/// Starts a command in a new terminal, which has got `typed` already. Gives our side of the terminal.
fn start(command: &Command, typed: &str) -> anyhow::Result<(File, Child)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).context("no terminal")?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    tcsetwinsize(&ours, SIZE)?;
    let theirs = File::from(open(&ptsname(&ours, Vec::new())?, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?);
    let mut ours = File::from(ours);
    ours.write_all(typed.as_bytes())?;
    // util-linux makes the terminal the controlling one: in our own code that would be unsafe.
    let mut setsid = Command::new("setsid");
    setsid.args(["--ctty", "--wait"]).arg(command.get_program()).args(command.get_args()).env_clear();
    setsid.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        setsid.current_dir(folder);
    }
    setsid.stdin(Stdio::from(theirs.try_clone()?)).stdout(Stdio::from(theirs.try_clone()?)).stderr(Stdio::from(theirs));
    Ok((ours, setsid.spawn().context("failed to start setsid")?))
}

/// A program that runs at a terminal of its own, which somebody watches and types at. It is ended when dropped.
#[derive(Debug)]
pub(crate) struct Live {
    child: Child,
    ours: File,
    shown: Arc<Mutex<Vec<u8>>>,
}

impl Live {
    /// Starts a command.
    pub(crate) fn start(command: &Command) -> anyhow::Result<Live> {
        let (ours, child) = start(command, "")?;
        let shown = Arc::<Mutex<Vec<u8>>>::default();
        let (mut from, to) = (ours.try_clone()?, Arc::clone(&shown));
        // Ends with an error (EIO) when the last of the other side has gone.
        std::thread::spawn(move || {
            let mut block = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut block) {
                to.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&block[..count]);
            }
        });
        Ok(Live { child, ours, shown })
    }

    /// Types these keys.
    pub(crate) fn type_in(&mut self, keys: &str) -> anyhow::Result<()> {
        Ok(self.ours.write_all(keys.as_bytes())?)
    }

    /// All that was shown so far, without blanks and without what moves the cursor and paints: programs that draw a screen
    /// write blanks as movements.
    pub(crate) fn shown(&self) -> String {
        let bytes = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        squeezed(&String::from_utf8_lossy(&bytes))
    }

    /// Whether it has not ended.
    pub(crate) fn runs(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // It leads a session and so a group of its own, and is not reaped yet: the number is still its.
        if let Ok(None) = self.child.try_wait()
            && let Some(group) = Pid::from_raw(self.child.id().cast_signed())
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A text without blanks and without a terminal's control sequences (ECMA-48: CSI, OSC and two-byte escapes).
pub(crate) fn squeezed(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        if letter != '\u{1b}' {
            plain.extend(Some(letter).filter(|letter| !letter.is_whitespace() && !letter.is_control()));
            continue;
        }
        match rest.next() {
            Some('[') => {
                let _last = rest.find(|letter| ('@'..='~').contains(letter));
            }
            // Ends with BEL, or with ESC and a backslash.
            Some(']') => {
                let end = rest.find(|letter| matches!(letter, '\u{7}' | '\u{1b}'));
                if end == Some('\u{1b}') {
                    rest.next();
                }
            }
            _ => {}
        }
    }
    plain
}
