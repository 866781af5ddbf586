//! Whether a human is there to give their word: a terminal, and no agent above us.
//!
//! It keeps an honest agent from answering for its user, and is no proof: a program can make itself a terminal and a parent.
//! What an agent would have to run for that is refused to it before (`guard.human_command`).

use std::io::IsTerminal;

use crate::agents::AGENTS;
use crate::ancestors::{self, Process};

/// What is missing for a human's word, as a fragment; `None` where nothing is.
pub(super) fn missing() -> Option<String> {
    if !std::io::stdin().is_terminal() {
        return Some("no human is at a terminal here".to_owned());
    }
    // An agent without a terminal may hand us one as standard input; the one that ends us on Ctrl-C is another thing.
    if std::fs::File::open("/dev/tty").is_err() {
        return Some("no terminal controls this process".to_owned());
    }
    for profile in AGENTS.iter().map(|adapter| adapter.profile()) {
        if let Some(mark) = profile.detection.marks.iter().find(|mark| std::env::var_os(mark).is_some()) {
            return Some(format!("{} has started this shell ({mark} is set)", profile.name));
        }
    }
    above()
}

/// An agent among the processes above us, or that they can't be seen.
fn above() -> Option<String> {
    let own = std::process::id();
    let agent = |pid: u32, process: &Process| {
        let profile = AGENTS.iter().map(|adapter| adapter.profile()).find(|of| pid != own && process.is(of))?;
        Some(format!("{} has started this shell (process {pid})", profile.name))
    };
    // Where there is no /proc, the terminal has to do.
    ancestors::find(agent).unwrap_or_else(Some)
}
