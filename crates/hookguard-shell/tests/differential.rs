//! Which texts have an error, against `bash -n` (which runs nothing) and brush-parser: over the tricky texts, the tables
//! of readings and seeded mutations of them. `HOOKGUARD_FUZZ_SECONDS` compares more.

#![expect(clippy::disallowed_methods, reason = "a test that asks a shell on this machine")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hookguard_shell::syntax;
use mutate::{Mutator, seeds};

mod mutate;

/// Mutated texts that are compared where no time is given.
const TEXTS: usize = 300;

#[test]
fn errors_agree_with_bash() {
    let Some(bash) = ["/bin/bash", "/usr/bin/bash"].map(Path::new).into_iter().find(|path| path.is_file()) else {
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differential");
    std::fs::create_dir_all(&folder).unwrap();
    let mut tally = Tally::default();
    for_each_text(|text, mutated| {
        // What stands in backticks bash reads when it runs it; and a carriage return or a null byte is no shell text.
        if text.contains(['`', '\0', '\r']) {
            return;
        }
        let file = folder.join("text");
        std::fs::write(&file, text).unwrap();
        let accepted = Command::new(bash)
            .args(["--norc", "--noprofile", "-O", "extglob", "-n"])
            .arg(&file)
            .env_clear()
            .env("HOME", &folder)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        // A warning (a here-document without its end) is no error. An error in a condition is one, though bash gives 0.
        let stderr = String::from_utf8_lossy(&accepted.stderr);
        let said = ["syntax error", "conditional", "unexpected"].iter().any(|word| stderr.contains(word));
        tally.add(text, mutated, accepted.status.success() && !said);
    });
    // It does not look into every substitution, so that some garbage passes it.
    tally.check(1.0);
}

#[test]
fn errors_agree_with_brush() {
    let mut tally = Tally::default();
    for_each_text(|text, mutated| {
        let options = brush_parser::ParserOptions::default();
        let mut parser = brush_parser::Parser::new(text.as_bytes(), &options);
        // Some of its inputs make it panic: then it says nothing.
        let said = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| parser.parse_program().is_ok()));
        if let Ok(accepted) = said {
            tally.add(text, mutated, accepted);
        }
    });
    // It accepts what bash does not (`$(` of bad commands are strings to it), so that more is found wrong here.
    tally.check(5.0);
}

fn for_each_text(mut compare: impl FnMut(&str, bool)) {
    let seconds = std::env::var("HOOKGUARD_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let time = seconds.map(Duration::from_secs);
    let seeds = seeds();
    for seed in &seeds {
        compare(seed, false);
    }
    let began = Instant::now();
    let mut mutator = Mutator::new(7);
    let mut count = 0;
    while time.map_or(count < TEXTS, |time| began.elapsed() < time) {
        compare(&mutator.text(&seeds), true);
        count += 1;
    }
}

/// How often two readers agree.
#[derive(Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
    /// Texts that the other accepts and we do not.
    strict: Vec<String>,
    /// Texts that the other rejects and we do not: what it says of them is wrong, or ours is.
    lenient: Vec<String>,
}

impl Tally {
    fn add(&mut self, text: &str, mutated: bool, accepted: bool) {
        let errors = syntax::parse(text).errors;
        let mark = if mutated { "mutated" } else { "written" };
        if accepted {
            self.accepted += 1;
            if let Some(error) = errors.first() {
                self.strict.push(format!("{mark} {:?} at {}: {text:?}", error.what, error.at));
            }
        } else {
            self.rejected += 1;
            if errors.is_empty() {
                self.lenient.push(format!("{mark} {text:?}"));
            }
        }
    }

    /// Errors on texts that the other accepts are at most `percent` of them.
    fn check(&self, percent: f64) {
        assert!(self.accepted > 100 && self.rejected > 0, "{} accepted, {} rejected", self.accepted, self.rejected);
        let written: Vec<&String> = self.strict.iter().filter(|text| text.starts_with("written")).collect();
        assert!(written.len() * 100 <= self.accepted, "{written:#?}");
        let share = 100.0 * self.strict.len() as f64 / self.accepted as f64;
        assert!(
            share <= percent,
            "{share:.1} % of {} accepted texts have an error here; {} of {} rejected ones have none:\n{}\n\nnone:\n{}",
            self.accepted,
            self.lenient.len(),
            self.rejected,
            self.strict.join("\n"),
            self.lenient.join("\n"),
        );
    }
}
