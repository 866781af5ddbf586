//! Running a small program for people: a deadline, its own process group, bounded output.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// More than any answer to a question that is asked here.
const MAX_OUTPUT: u64 = 1 << 20;

/// How a program ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ended {
    /// Its exit code; none if it was killed, by us at the deadline or by somebody else.
    pub(super) code: Option<i32>,
    /// Whether that was us.
    pub(super) timed_out: bool,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) took: Duration,
}

impl Ended {
    /// How, in words, with the end of what it said.
    pub(super) fn how(&self) -> String {
        let said = String::from_utf8_lossy(&self.stderr);
        let said = said.trim().lines().last().unwrap_or_default();
        let said = if said.is_empty() { String::new() } else { format!(", saying {said:?}") };
        match (self.code, self.timed_out) {
            (_, true) => format!("it was not done after {} s", self.took.as_secs()),
            (Some(code), _) => format!("exit code {code}{said}"),
            (None, _) => format!("killed{said}"),
        }
    }
}

/// Runs `command` with `input`. At the deadline it and all that it has started are ended.
///
/// # Errors
/// It can't be started.
pub(super) fn run(command: &mut Command, input: &[u8], deadline: Duration) -> std::io::Result<Ended> {
    let start = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (sender, receiver) = channel();
    let input = input.to_vec();
    std::thread::spawn(move || {
        // A reader that has gone is its own business.
        stdin.map(|mut stdin| stdin.write_all(&input))
    });
    for (index, pipe) in [stdout.map(boxed), stderr.map(boxed)].into_iter().flatten().enumerate() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut bytes);
            sender.send((index, bytes))
        });
    }
    drop(sender);
    let mut outputs = [Vec::new(), Vec::new()];
    let timed_out = loop {
        match receiver.recv_timeout(deadline.saturating_sub(start.elapsed())) {
            Ok((index, bytes)) => outputs[index] = bytes,
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => break true,
        }
    };
    let timed_out = timed_out || !ends_by(&mut child, deadline.saturating_sub(start.elapsed()));
    if timed_out {
        end_group(&child);
    }
    let status = child.wait()?;
    let [stdout, stderr] = outputs;
    Ok(Ended { code: status.code().filter(|_| !timed_out), timed_out, stdout, stderr, took: start.elapsed() })
}

fn boxed<R: Read + Send + 'static>(pipe: R) -> Box<dyn Read + Send> {
    Box::new(pipe)
}

/// Both outputs are closed, so that it is nearly always over; a program may close them and stay.
fn ends_by(child: &mut Child, limit: Duration) -> bool {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) => return false,
            Ok(Some(_)) | Err(_) => return true,
        }
    }
}

/// It is not reaped yet, so that its number is still its own.
fn end_group(child: &Child) {
    if let Some(pid) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}
