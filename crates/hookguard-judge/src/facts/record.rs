//! The walk through a turn: what is edited and not verified since, what was shared meanwhile, what showed the failure.

mod changes;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::cover::Run;
use super::exit::Exit;
use super::kind::Kind;
use super::outcome::{Outcome, is_evident, outcome, shows_commit, was_shared};
use super::path::{Class, class};
use super::steps::{HERE, Step, steps};
use super::summary::{self, Summary};
use super::{Evidence, Verification};
use crate::turn::{Command, Deed, Turn};
use changes::is_unchanged;

/// The files that were edited and are not verified yet, each once: the last edit of one is what a run has to speak of. The
/// path is empty where it is not known.
type Pending = BTreeMap<(String, Scale), Edited>;

/// When a file was edited last, and what it has had since.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Edited {
    /// When: edits are counted.
    number: usize,
    /// The kinds of verification that it has had, a bit each.
    seen: u8,
}

/// How many files are told apart, how many stashes, runs in the background and stubs are kept in mind: a turn of thousands of each
/// takes no longer than its length. Files beyond that are one of an unknown path.
const MAX_PENDING: usize = 500;
const MAX_STASHED: usize = 20;
const MAX_OPEN: usize = 100;
const MAX_STUBS: usize = 100;

/// What it takes to verify an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scale {
    /// Code, of the product or of tests: it must run.
    Code,
    /// Configuration: a build or a check of it will do.
    Config,
    /// The layout only: a check of that will do.
    Layout,
}

/// A run that failed since the last edit.
#[derive(Debug, Clone, PartialEq)]
struct Red {
    text: String,
    /// Whether it was of a part only.
    part: bool,
}

/// What others share was changed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Share {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Whether something was edited and not verified then.
    pub(super) unverified: bool,
}

/// A run whose result is not there yet.
#[derive(Debug, Clone)]
struct Open {
    step: Step,
    logs: Vec<String>,
    /// The last edit when it began.
    edits: usize,
    background: bool,
}

/// A run, for people to read.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    pub(super) text: String,
    pub(super) outcome: Outcome,
    pub(super) said: Option<String>,
    /// The last edit when it began.
    pub(super) edits: usize,
    kind: Kind,
}

/// Whether the failure was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Shown {
    #[default]
    No,
    /// Something ran that may have shown it.
    Perhaps,
    Yes,
}

/// What the walk found.
#[derive(Debug, Default)]
pub(super) struct Record {
    base: String,
    own: Vec<(Vec<String>, Evidence)>,
    required: u8,
    /// How many edits there were that count.
    pub(super) edits: usize,
    pending: Pending,
    red: Option<Red>,
    /// Whether anything went well that verifies.
    verified: bool,
    pub(super) shares: Vec<Share>,
    open: Vec<Open>,
    pub(super) ran: Vec<Ran>,
    stashed: Vec<(Pending, Option<Red>)>,
    taken_out: bool,
    pub(super) shown: Shown,
    /// The last edit when something was sent to where pipelines see it.
    sent: usize,
    /// A run failed while the fix was taken out.
    pub(super) red_without: bool,
    /// Files that were edited, without documentation, each once.
    pub(super) files: Vec<String>,
    known: HashSet<String>,
    /// Code or configuration of the product was changed, other than by lines for a log.
    pub(super) product_edited: bool,
    /// A test was edited.
    pub(super) test_edited: bool,
    /// A test was switched off or deleted, or expectations rewritten by a runner.
    pub(super) test_switched_off: bool,
    /// All edits of tests changed expectations and nothing else, after a red run.
    pub(super) only_expectations: bool,
    any_red: bool,
    pub(super) stubs: Vec<(String, String)>,
    staged: Vec<String>,
    only_documents_committed: bool,
}

/// Walks through `turn`.
pub(super) fn record(turn: &Turn, verification: &Verification) -> Record {
    let cwd =
        turn.deeds.iter().find_map(|deed| if let Deed::Command(command) = deed { command.cwd.clone() } else { None });
    let mut record = Record {
        base: cwd.unwrap_or_else(|| HERE.to_owned()),
        own: verification
            .own
            .iter()
            .map(|(words, kind)| (words.split_whitespace().map(str::to_owned).collect(), *kind))
            .collect(),
        required: verification.required.iter().fold(0, |bits, kind| bits | bit(*kind)),
        only_expectations: true,
        ..Record::default()
    };
    for deed in &turn.deeds {
        match deed {
            Deed::Edit { ok: Some(false), .. } | Deed::Said(_) => {}
            Deed::Edit { files, .. } => {
                for file in files {
                    record.edit(file, Scale::Code);
                }
            }
            Deed::Command(command) => record.command(command),
            Deed::Read { paths } => {
                if paths.iter().any(|path| path.ends_with(".log") || path.ends_with(".out")) {
                    record.show(Shown::Perhaps);
                }
            }
            Deed::Subagent { report } => record.report(report),
            Deed::Resumed => record.resumed(),
        }
    }
    record
}

fn bit(kind: Evidence) -> u8 {
    1 << kind as u8
}

impl Record {
    /// Whether code was edited that is not verified.
    pub(super) fn is_unverified(&self) -> bool {
        self.edits > 0 && (!self.pending.is_empty() || self.red.is_some())
    }

    /// Whether all that was edited is verified.
    pub(super) fn is_verified(&self) -> bool {
        self.edits > 0 && self.verified && !self.is_unverified()
    }

    pub(super) fn is_red(&self) -> bool {
        self.red.is_some()
    }

    /// What runs in the background without a result.
    pub(super) fn in_background(&self) -> impl Iterator<Item = String> {
        self.open.iter().filter(|open| open.background).map(|open| text_of(&open.step))
    }

    /// Whether a failing run was repeated, unchanged, until it went well, and that was all that was done.
    pub(super) fn rerun_until_green(&self) -> bool {
        if self.edits > 0 || self.product_edited {
            return false;
        }
        let mut last: HashMap<Vec<&str>, Outcome> = HashMap::new();
        self.ran.iter().rev().any(|ran| {
            let of_last = *last.entry(core(&ran.text)).or_insert(ran.outcome);
            matches!(ran.kind, Kind::Test(_)) && ran.outcome == Outcome::Bad && of_last == Outcome::Good
        })
    }

    /// The last verification before the last edit, for people.
    pub(super) fn runs_since_last_edit(&self) -> impl DoubleEndedIterator<Item = &Ran> {
        self.ran.iter().filter(|ran| ran.edits == self.edits)
    }

    fn show(&mut self, shown: Shown) {
        if !self.product_edited {
            self.shown = self.shown.max(shown);
        }
    }

    /// hookguard had the agent go on: what was shared unverified before may be made good by a verification now.
    fn resumed(&mut self) {
        for share in &mut self.shares {
            if share.unverified {
                share.kind = Kind::Other;
            }
        }
    }

    fn command(&mut self, command: &Command) {
        let mut taken = steps(command, &self.base.clone());
        let telling = |step: &Step| {
            step.exit != Exit::Well
                || !matches!(
                    step.kind,
                    Kind::Look
                        | Kind::Other
                        | Kind::Stage
                        | Kind::Edit
                        | Kind::Format
                        | Kind::TakeOut
                        | Kind::PutBack
                        | Kind::Merge
                        | Kind::Dependencies
                )
                || matches!(step.program.as_str(), "cat" | "tail" | "head" | "less")
        };
        let summary = if taken.iter().any(telling) || !self.open.is_empty() {
            summary::read(&command.output)
        } else {
            Summary::default()
        };
        let whole = match (command.exit, command.ok) {
            (Some(0), _) | (None, Some(true)) => Exit::Well,
            (Some(_), _) | (None, Some(false)) => Exit::Failed,
            _ => Exit::Unknown,
        };
        // A commit that shows in the output: all before it in its `&&` list went well.
        let chains: Vec<(usize, usize)> = taken
            .iter()
            .enumerate()
            .filter(|(_, step)| step.exit == Exit::Unknown && is_evident(step.kind, &command.output))
            .map(|(at, step)| (at, step.chain))
            .collect();
        for (last, chain) in chains {
            for step in taken
                .iter_mut()
                .take(last)
                .filter(|step| step.chain == chain && step.seen && step.exit == Exit::Unknown)
            {
                step.exit = Exit::Well;
            }
        }
        commits_unseen(&mut taken, &command.output);
        self.resolve(command, &taken, &summary);
        let tests = taken.iter().any(|step| matches!(step.kind, Kind::Test(_)));
        for step in &taken {
            let own = self.own_kind(step, command);
            self.step(step, own, command, whole, &summary, tests);
        }
    }

    /// The kind that the configuration gives to a command of the user's own.
    fn own_kind(&self, step: &Step, command: &Command) -> Option<Evidence> {
        let words = || std::iter::once(step.program.as_str()).chain(step.args.iter().map(String::as_str));
        let line = || command.command.split_whitespace();
        let starts = |of: &mut dyn Iterator<Item = &str>, with: &[String]| {
            with.iter().all(|word| of.next() == Some(word.as_str()))
        };
        let fits = |with: &[String]| !with.is_empty() && (starts(&mut words(), with) || starts(&mut line(), with));
        self.own.iter().find(|(with, _)| fits(with)).map(|(_, kind)| *kind)
    }

    fn step(
        &mut self,
        step: &Step,
        own: Option<Evidence>,
        command: &Command,
        whole: Exit,
        summary: &Summary,
        tests: bool,
    ) {
        let mut step = step.clone();
        if let Some(own) = own {
            step.kind = Kind::Test(own);
        }
        let result = outcome(&step, &command.output, summary);
        self.note_failure(&step, result, command, summary);
        match step.kind {
            Kind::Test(evidence) => self.run(&step, evidence, result, summary),
            Kind::Run => self.run(&step, Evidence::Manual, result, summary),
            // What is not there yet is not what a pipeline has looked at.
            Kind::Watch if result == Outcome::Good && self.sent < self.edits => self.note(&step, result, summary),
            Kind::Watch => {
                self.run(&step, Evidence::Remote, result, summary);
                // What was pushed for the pipeline's sake was pushed to be verified.
                if result == Outcome::Good {
                    self.shares
                        .iter_mut()
                        .filter(|share| matches!(share.kind, Kind::Commit | Kind::Push | Kind::Request))
                        .for_each(|share| share.unverified = false);
                }
            }
            Kind::Listed | Kind::Lint | Kind::Log => self.note(&step, result, summary),
            Kind::FormatCheck => {
                self.note(&step, result, summary);
                self.verify(&step, result, &[Scale::Layout], Evidence::Unit, self.edits);
            }
            Kind::ConfigCheck | Kind::Build => {
                self.note(&step, result, summary);
                self.verify(&step, result, &[Scale::Config], Evidence::Unit, self.edits);
            }
            Kind::Edit if step.exit != Exit::Failed => self.edit_by(&step, Scale::Code),
            Kind::Dependencies if step.exit != Exit::Failed => self.change("", Scale::Config),
            Kind::Format if step.exit != Exit::Failed && !is_unchanged(&command.output) => {
                self.edit_by(&step, Scale::Layout)
            }
            Kind::Merge if step.exit != Exit::Failed => self.merge(&command.output),
            Kind::TakeOut if step.exit != Exit::Failed => self.take_out(&step),
            Kind::PutBack if step.exit != Exit::Failed => self.put_back(),
            Kind::Stage => self.stage(&step),
            kind if kind.is_share() => self.share(&step, command, whole, summary, tests),
            _ => {}
        }
    }

    /// What a step shows of the failure that the turn is about.
    fn note_failure(&mut self, step: &Step, result: Outcome, command: &Command, summary: &Summary) {
        let said = !command.output.trim().is_empty();
        let bad = result == Outcome::Bad && (step.exit == Exit::Failed || summary.is_red());
        let shown = match (step.kind, result) {
            (Kind::Test(_), Outcome::Bad) => Shown::Yes,
            (Kind::Test(_), Outcome::Unknown | Outcome::Pending) => Shown::Perhaps,
            (Kind::Run | Kind::Log | Kind::Watch, _) if said || bad => Shown::Yes,
            (Kind::Run | Kind::Log | Kind::Watch, _) => Shown::Perhaps,
            (Kind::Look | Kind::Listed, _) => {
                let read = matches!(step.program.as_str(), "cat" | "tail" | "head" | "less") && summary.failed;
                if read { Shown::Yes } else { Shown::No }
            }
            (Kind::Stage | Kind::TakeOut | Kind::PutBack | Kind::NewRepository | Kind::Merge, _) => Shown::No,
            (Kind::Other, _) if !said => Shown::No,
            (_, Outcome::Bad) if bad => Shown::Yes,
            _ => Shown::No,
        };
        self.show(shown);
        let elsewhere = step.cwd.as_deref().is_some_and(|cwd| !cwd.starts_with(&self.base))
            && matches!(step.kind, Kind::Test(_) | Kind::Run);
        if matches!(step.kind, Kind::Test(_) | Kind::Run) && result == Outcome::Bad {
            self.any_red = true;
            self.red_without |= self.product_edited && (self.taken_out || elsewhere);
        }
        // A program shows by what it prints, not by its exit code.
        self.red_without |= step.kind == Kind::Run && self.taken_out && self.product_edited && said;
    }

    fn run(&mut self, step: &Step, evidence: Evidence, result: Outcome, summary: &Summary) {
        self.note(step, result, summary);
        let text = text_of(step);
        let part = is_part(step);
        match result {
            Outcome::Good => {
                let narrower = self.red.as_ref().is_some_and(|red| part && !red.part && !same_run(&red.text, &text));
                if !(narrower || step.kind == Kind::Run && self.red.is_some()) {
                    self.red = None;
                }
                self.test_switched_off |= rewrites_expectations(step);
                self.verify(step, result, &[Scale::Code, Scale::Config, Scale::Layout], evidence, self.edits);
            }
            Outcome::Bad if step.kind != Kind::Run && !self.taken_out => {
                self.red = Some(Red { text, part });
            }
            Outcome::Pending | Outcome::Unknown
                if step.exit == Exit::Background || !step.printed_to.is_empty() || self.wrote_log(step) =>
            {
                if self.open.len() >= MAX_OPEN {
                    self.open.remove(0);
                }
                let background = step.exit == Exit::Background;
                self.open.push(Open {
                    step: step.clone(),
                    logs: step.printed_to.clone(),
                    edits: self.edits,
                    background,
                });
            }
            _ => {}
        }
    }

    fn wrote_log(&self, step: &Step) -> bool {
        !step.seen && matches!(step.kind, Kind::Test(_))
    }

    fn note(&mut self, step: &Step, outcome: Outcome, summary: &Summary) {
        let said = if matches!(step.kind, Kind::Test(_) | Kind::Watch) { summary.line.clone() } else { None };
        self.ran.push(Ran { text: text_of(step), outcome, said, edits: self.edits, kind: step.kind });
    }

    /// Takes from the pending edits up to `until` what a run that went well speaks of.
    fn verify(&mut self, step: &Step, result: Outcome, of: &[Scale], evidence: Evidence, until: usize) {
        if result != Outcome::Good || self.taken_out {
            return;
        }
        let (base, required) = (self.base.clone(), self.required);
        self.verified = true;
        let run = Run::of(step, &base);
        self.pending.retain(|(path, scale), edit| {
            if edit.number > until || !of.contains(scale) || !run.covers(path) {
                return true;
            }
            edit.seen |= bit(evidence);
            edit.seen & required != required
        });
    }

    /// The result of a run in the background, read from its log or waited for.
    fn resolve(&mut self, command: &Command, taken: &[Step], summary: &Summary) {
        if self.open.is_empty() {
            return;
        }
        let reads = |open: &Open| {
            let named = open.logs.iter().any(|log| {
                taken.iter().any(|step| {
                    step.args
                        .iter()
                        .any(|arg| arg == log || arg.ends_with(log.rsplit('/').next().unwrap_or(log)) && arg.len() > 3)
                })
            });
            let waits = taken.iter().any(|step| matches!(step.program.as_str(), "wait" | "fg" | "jobs"));
            let reads_any = open.logs.is_empty()
                && taken.iter().any(|step| matches!(step.program.as_str(), "cat" | "tail" | "less" | "head" | "grep"));
            named || waits || reads_any
        };
        if summary.nothing || !(summary.is_green() || summary.is_red()) || command.background {
            return;
        }
        let (done, still): (Vec<Open>, Vec<Open>) = std::mem::take(&mut self.open).into_iter().partition(reads);
        self.open = still;
        for open in done {
            let result = if summary.is_green() { Outcome::Good } else { Outcome::Bad };
            let evidence = if let Kind::Test(evidence) = open.step.kind { evidence } else { Evidence::Manual };
            self.ran.push(Ran {
                text: text_of(&open.step),
                outcome: result,
                said: summary.line.clone(),
                edits: open.edits,
                kind: open.step.kind,
            });
            match result {
                Outcome::Good => {
                    self.verify(&open.step, result, &[Scale::Code, Scale::Config, Scale::Layout], evidence, open.edits)
                }
                _ if open.edits == self.edits => self.red = Some(Red { text: text_of(&open.step), part: false }),
                _ => {}
            }
            if result == Outcome::Bad {
                self.show(Shown::Yes);
            }
        }
    }

    fn share(&mut self, step: &Step, command: &Command, whole: Exit, summary: &Summary, tests: bool) {
        if !was_shared(step, whole, &command.output) {
            return;
        }
        let sub = step.args.first().map(String::as_str).unwrap_or_default();
        if matches!(sub, "revert" | "cherry-pick" | "backout") && !step.args.iter().any(|arg| arg == "--continue") {
            self.product_edited = true;
            self.change("", Scale::Code);
            if step.args.iter().any(|arg| arg == "-n" || arg == "--no-commit") {
                return;
            }
        }
        if step.kind == Kind::Commit && sub == "commit" {
            let all = step.args.iter().any(|arg| {
                arg == "--all"
                    || arg == "--amend"
                    || arg.starts_with('-') && !arg.starts_with("--") && arg.contains('a')
            });
            let named = step.args.iter().skip(1).filter(|arg| arg.contains('/') && !arg.contains(' '));
            let staged: Vec<String> = std::mem::take(&mut self.staged).into_iter().chain(named.cloned()).collect();
            let idle = |path: &String| {
                !path.is_empty() && (class(path) == Class::Idle || class(&format!("{path}/x")) == Class::Idle)
            };
            self.only_documents_committed = !all && !staged.is_empty() && staged.iter().all(idle);
        }
        if matches!(step.kind, Kind::Commit | Kind::Push) && self.only_documents_committed {
            return;
        }
        // Hooks of the repository that ran tests, and show it.
        if !tests
            && summary.is_green()
            && summary
                .line
                .as_deref()
                .is_some_and(|line| line.to_lowercase().contains("passed") || line.to_lowercase().contains("test"))
        {
            let all = Step { args: Vec::new(), program: String::new(), cwd: None, ..step.clone() };
            self.verify(&all, Outcome::Good, &[Scale::Code, Scale::Config, Scale::Layout], Evidence::Unit, self.edits);
        }
        if step.kind != Kind::Commit {
            self.sent = self.edits;
        }
        let unverified = self.is_unverified();
        self.shares.push(Share { text: text_of(step), kind: step.kind, unverified });
    }

    /// Whether something was shared unverified that nothing has made good.
    pub(super) fn shared_unverified(&self) -> bool {
        let healed = |share: &Share| share.kind == Kind::Other && self.is_verified();
        self.shares.iter().any(|share| share.unverified && !healed(share))
    }
}

/// A script that commits, and shows it: then that is what it did.
fn commits_unseen(taken: &mut [Step], output: &str) {
    let unknown = |step: &&mut Step| matches!(step.kind, Kind::Run | Kind::Other) && !step.remote;
    if taken.iter().all(|step| !step.kind.is_share())
        && shows_commit(output)
        && let Some(step) = taken.iter_mut().rfind(unknown)
    {
        step.kind = Kind::Commit;
    }
}

/// The command of a step as it was run.
fn text_of(step: &Step) -> String {
    std::iter::once(step.program.as_str()).chain(step.args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// Whether two runs are of the same, whatever was said about how: `-count=1`, `-v`.
fn same_run(one: &str, other: &str) -> bool {
    core(one) == core(other)
}

/// A run without what was said about how.
fn core(text: &str) -> Vec<&str> {
    text.split_whitespace().filter(|word| !word.starts_with('-') || word.starts_with("--filter")).collect()
}

/// Whether a run is of a part of the tests: a path, a name, a filter.
fn is_part(step: &Step) -> bool {
    const FILTERS: &[&str] = &[
        "-k",
        "-t",
        "-g",
        "--grep",
        "--filter",
        "-run",
        "--run",
        "--testNamePattern",
        "-p",
        "--package",
        "--tests",
        "--only",
        "-m",
        "-n",
        "-e",
        "--deselect",
        "--ignore",
        "--exclude",
        "--skip",
        "-R",
        "--testPathPattern",
    ];
    let subs = usize::from(matches!(
        step.program.as_str(),
        "cargo"
            | "go"
            | "npm"
            | "yarn"
            | "pnpm"
            | "bun"
            | "mix"
            | "dotnet"
            | "rails"
            | "php"
            | "python"
            | "python3"
            | "make"
            | "just"
            | "mvn"
            | "gradlew"
            | "gradle"
            | "playwright"
            | "swift"
            | "flutter"
            | "dart"
            | "deno"
    ));
    let operands = step.args.iter().filter(|arg| {
        !arg.starts_with('-')
            && !matches!(
                arg.as_str(),
                "./..."
                    | "."
                    | "run"
                    | "tests"
                    | "test"
                    | "nextest"
                    | "pytest"
                    | "unittest"
                    | "discover"
                    | "tests/"
                    | "src"
                    | "spec"
            )
    });
    operands
        .skip(subs.saturating_sub(1))
        .any(|arg| arg.contains(['/', '.', ':']) || step.program == "jest" || step.program == "vitest")
        || step.args.iter().any(|arg| FILTERS.contains(&arg.split('=').next().unwrap_or(arg)))
}

/// `jest -u`: the runner writes down as expected what the code gives.
fn rewrites_expectations(step: &Step) -> bool {
    step.args.iter().any(|arg| {
        matches!(
            arg.as_str(),
            "-u" | "--updateSnapshot"
                | "--update-snapshots"
                | "--update"
                | "--snapshot-update"
                | "--inline-snapshot=fix"
                | "--force-regen"
        )
    })
}
