//! Instructions of a whole process, by valgrind's callgrind.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::cases::Case;
use super::measure::{Home, Program};

/// Counts one run.
pub(super) fn instructions(home: &Home, program: &Program, case: &Case) -> anyhow::Result<u64> {
    let out = home.path().join("callgrind.out");
    let mut arguments = vec!["--tool=callgrind".into(), format!("--callgrind-out-file={}", out.display()).into()];
    arguments.push(program.path.clone().into());
    arguments.extend(program.arguments.iter().cloned());
    let valgrind = Program { path: "valgrind".into(), arguments };
    let mut command: Command = home.command(&valgrind, case)?;
    let run = command
        .stderr(Stdio::piped())
        .output()
        .context("failed to start valgrind, which counts the instructions (apt-get install valgrind)")?;
    let said = String::from_utf8_lossy(&run.stderr);
    ensure!(run.status.success(), "valgrind says {said}");
    collected(&said).with_context(|| format!("valgrind counted nothing: {said}"))
}

/// The figure of the line `==PID== Collected : N`.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_is_read() {
        let said = "==1== Callgrind, a call-graph generating cache profiler\n==1== Events    : Ir\n==1== Collected : 425123\n==1== \n";
        assert_eq!(collected(said), Some(425_123));
        assert_eq!(collected("==1== Events : Ir"), None);
    }
}
