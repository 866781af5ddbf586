//! How far it is, in one line of a terminal. By hand: a crate for it would bring five more into the binary for this line.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use super::files::Source;

const EVERY: Duration = Duration::from_millis(100);
const WIDTH: u64 = 30;

pub(super) struct Progress {
    /// Where it is shown; none where nobody looks.
    shown: Option<std::io::Stderr>,
    last: Instant,
    files: usize,
    all_files: usize,
    bytes: u64,
    all_bytes: u64,
}

impl Progress {
    pub(super) fn new(sources: &[Source]) -> Progress {
        let stderr = std::io::stderr();
        Progress {
            shown: stderr.is_terminal().then_some(stderr),
            last: Instant::now(),
            files: 0,
            all_files: sources.len(),
            bytes: 0,
            all_bytes: sources.iter().map(|source| source.bytes).sum::<u64>().max(1),
        }
    }

    pub(super) fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.shown.is_some() && self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            self.show();
        }
    }

    pub(super) fn next_file(&mut self) {
        self.files += 1;
    }

    pub(super) fn end(&mut self) {
        if let Some(stderr) = &mut self.shown {
            let _ = write!(stderr, "\r\x1b[K");
        }
    }

    fn show(&mut self) {
        let done = (self.bytes * WIDTH / self.all_bytes).min(WIDTH) as usize;
        let bar = format!("{}{}", "=".repeat(done), " ".repeat(WIDTH as usize - done));
        if let Some(stderr) = &mut self.shown {
            let (files, all) = (self.files, self.all_files);
            let _ = write!(stderr, "\r[{bar}] {files} of {all} transcripts, {} MB\x1b[K", self.bytes >> 20);
        }
    }
}
