//! `[[stop.check]]`: commands that must succeed before the agent stops. One runs where files that it covers changed in this
//! turn; its failure resumes the agent with the end of what it printed, and its result enters the ledger.

use std::path::Path;
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use hookguard_config::model::StopCheck;
use hookguard_core::{Decision, Event, MAX_MESSAGE_BYTES, Verdict, clip};
use hookguard_judge::ledger::{OWN_CALL, What};
use hookguard_judge::redact;

use crate::exec::Stage;
use crate::exec::runner::{End, Job, Keep, Ran, Start, run};
use crate::ledger::{self, Turn};
use crate::state::now_ms;

/// How much of a check's output is kept, in bytes.
const KEPT: usize = 64 * 1024;
/// The exit codes of a shell that could not run the command: that is no finding about the code.
const NOT_RUN: [i32; 2] = [126, 127];

/// What checks said.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// The checks that failed: what is said of each, and what it printed.
    failed: Vec<(String, String)>,
    /// What people should know: checks that could not run, each a fragment.
    pub(crate) notes: Vec<String>,
    /// For the ledger.
    results: Vec<(String, What)>,
}

/// Runs the checks that the turn's edits concern, one after the other: they share the project's folder, and what two of them
/// build at once they spoil.
pub(crate) fn run_all(checks: &[StopCheck], turn: &Turn, stage: &Stage<'_>) -> Checked {
    let mut checked = Checked::default();
    let edited = turn.edited();
    for check in checks {
        match concerns(check, &edited, stage.root) {
            Ok(true) => checked.add(check, stage, &one(check, stage)),
            Ok(false) => {}
            Err(why) => checked.notes.push(format!("stop check {}: {why}", check.id)),
        }
    }
    checked
}

fn one(check: &StopCheck, stage: &Stage<'_>) -> Ran {
    let root = stage.root.unwrap_or_default();
    let variables = [("CLAUDE_PROJECT_DIR", root)];
    let job = Job {
        start: Start::Shell(&check.command),
        cwd: stage.root.map(Path::new),
        variables: if root.is_empty() { &[] } else { &variables },
        input: b"",
        until: stage.until.min(Instant::now() + Duration::from_millis(check.timeout_ms)),
        keep: Keep::Tail(KEPT),
    };
    let mut ran = run(&[job]);
    ran.remove(0)
}

/// Whether files that the check covers were edited; all files, where it names none. A pattern without a slash is about names
/// in any folder, one with a slash about paths from the project's root.
fn concerns(check: &StopCheck, edited: &[&str], root: Option<&str>) -> Result<bool, String> {
    if check.globs.is_empty() || edited.is_empty() {
        return Ok(!edited.is_empty());
    }
    let globs = globs(&check.globs).map_err(|error| error.to_string())?;
    let root = root.map(Path::new);
    Ok(edited.iter().any(|file| {
        let path = Path::new(file);
        let below = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        globs.is_match(below)
    }))
}

fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./");
        let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
        set.add(GlobBuilder::new(&anywhere).literal_separator(true).build()?);
    }
    set.build()
}

impl Checked {
    fn add(&mut self, check: &StopCheck, stage: &Stage<'_>, ran: &Ran) {
        let exit = match &ran.end {
            End::Exit(code) => Some(*code),
            _ => None,
        };
        let tail = (!ran.stdout.trim().is_empty()).then(|| ledger::end_of(&ran.stdout, MAX_MESSAGE_BYTES - 50));
        let result = What::Command {
            command: clip(&redact(&check.command).text, MAX_MESSAGE_BYTES - 50),
            cwd: stage.root.map(str::to_owned),
            exit,
            ok: exit.map(|code| code == 0),
            tail,
            background: false,
        };
        self.results.push((format!("{}{}:{}", OWN_CALL, check.id, now_ms()), result));
        match &ran.end {
            End::Exit(0) => {}
            // A check that can't run says nothing about the code: people are told, and the agent stops.
            End::Exit(code) if NOT_RUN.contains(code) => {
                self.notes.push(format!("stop check {} could not run: exit code {code}", check.id));
            }
            End::Exit(code) => {
                let what = format!(
                    "hookguard [stop.check.{}]: `{}` failed (exit code {code})",
                    check.id,
                    clip(&redact(&check.command).text, 200)
                );
                self.failed.push((what, ran.stdout.clone()));
            }
            End::Signal(signal) => self.notes.push(format!("stop check {} was ended by signal {signal}", check.id)),
            End::TimedOut | End::TooMuchOutput => {
                self.notes.push(format!("stop check {} was ended after {} ms", check.id, ran.elapsed.as_millis()));
            }
            End::NotStarted(why) => self.notes.push(format!("stop check {} could not be started: {why}", check.id)),
        }
    }

    /// Why the agent should go on: each check that failed, with the end of what it printed, in one message.
    fn resume(&self) -> Option<String> {
        let each = MAX_MESSAGE_BYTES / self.failed.len().max(1);
        let texts: Vec<String> = self
            .failed
            .iter()
            .map(|(what, printed)| match ledger::end_of(printed, each.saturating_sub(what.len() + 80)) {
                text if text.is_empty() => format!("{what} and printed nothing. Mend it, or say why it can't be."),
                text => format!("{what}; mend it, or say why it can't be. The end of its output:\n{text}"),
            })
            .collect();
        (!texts.is_empty()).then(|| clip(&texts.join("\n"), MAX_MESSAGE_BYTES))
    }

    /// The verdict of all of them.
    pub(crate) fn verdict(&self) -> Verdict {
        match self.resume() {
            Some(text) => Verdict {
                decision: Decision::Warn,
                rule: "stop.check".into(),
                reason: "a check of this project failed.".into(),
                instead: "mend what it found, or say why it can't be.".into(),
                resume: Some(text),
                ..Verdict::none()
            },
            None => Verdict::none(),
        }
    }

    /// Writes the results to the ledger in `folder`.
    pub(crate) fn record(&mut self, folder: &Path, event: &Event<'_>) {
        for (call, result) in self.results.drain(..) {
            let _ = ledger::append(folder, event, Some(call), result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(globs: &[&str]) -> StopCheck {
        let globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
        StopCheck { id: "tests".into(), command: "true".into(), globs, timeout_ms: 1000 }
    }

    #[test]
    fn a_check_runs_where_its_files_changed() {
        let cases: &[(&[&str], &[&str], bool)] = &[
            (&[], &[], false),
            (&[], &["/p/a.md"], true),
            (&["**/*.rs"], &["/p/src/a.rs"], true),
            (&["**/*.rs"], &["/p/a.rs"], true),
            (&["**/*.rs"], &["/p/a.md"], false),
            (&["*.rs"], &["/p/src/deep/a.rs"], true),
            (&["src/*.rs"], &["/p/src/a.rs"], true),
            (&["src/*.rs"], &["/p/src/deep/a.rs"], false),
            (&["./src/**"], &["/p/src/deep/a.rs"], true),
            (&["*.{ts,tsx}"], &["/p/web/x.tsx"], true),
            (&["src/**"], &["/elsewhere/src/a.rs"], false),
            (&["Cargo.toml", "*.rs"], &["/p/README.md", "/p/crates/x/Cargo.toml"], true),
        ];
        for (globs, edited, want) in cases {
            assert_eq!(concerns(&check(globs), edited, Some("/p")), Ok(*want), "{globs:?} {edited:?}");
        }
        assert!(concerns(&check(&["src/{a"]), &["/p/src/a"], Some("/p")).is_err());
    }

    #[test]
    fn a_failure_says_what_it_printed_last_and_no_more_than_a_message_holds() {
        let stage = Stage { root: Some("/"), until: Instant::now() + Duration::from_secs(20) };
        let turn = Turn::default();
        assert!(run_all(&[check(&[])], &turn, &stage).resume().is_none());
        let secret = format!("ghp_{}", "aZ9".repeat(12));
        let long = StopCheck {
            command: format!("seq 1 5000; echo token {secret}; echo 3 tests failed >&2; exit 101"),
            ..check(&[])
        };
        let mut checked = Checked::default();
        for _ in 0..3 {
            checked.add(&long, &stage, &one(&long, &stage));
        }
        let said = checked.resume().unwrap();
        assert_eq!(said.matches("(exit code 101)").count(), 3, "{said}");
        assert_eq!(said.matches("\n3 tests failed").count(), 3, "{said}");
        assert!(said.len() <= MAX_MESSAGE_BYTES && !said.contains(&secret), "{said}");
        assert_eq!(checked.results.len(), 3);
    }

    #[test]
    fn what_can_not_run_is_told_to_people_and_resumes_nothing() {
        let stage = Stage { root: Some("/"), until: Instant::now() + Duration::from_secs(20) };
        for command in ["no-such-program-at-all", "sleep 30", "kill -9 $$"] {
            let check = StopCheck { command: command.into(), timeout_ms: 150, ..check(&[]) };
            let mut checked = Checked::default();
            checked.add(&check, &stage, &one(&check, &stage));
            assert!(checked.resume().is_none() && checked.notes.len() == 1, "{command}: {checked:?}");
        }
    }
}
