//! `hookguard test`: every rule's examples, built in or one's own, and the configuration's cases, through the path that a real
//! call takes.

use std::path::PathBuf;

use hookguard_config::Policy;
use hookguard_config::model::{Expect, TestCase, UserRule};
use hookguard_core::Decision;
use hookguard_policy::{Outcome, builtin};
use serde::Serialize;

use super::check::event;
use super::output::{Usage, print};
use super::{exit, settings};
use crate::config;
use crate::pipeline::{Place, decide_at};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A file with rules and [[test]] cases [default: $HOOKGUARD_CONFIG, else the files of this place]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Only rules, and cases that name a rule, whose id begins so
    #[arg(long, value_name = "ID")]
    rule: Option<String>,
    /// Write the failures as JSON
    #[arg(long)]
    json: bool,
}

/// One that was decided otherwise.
#[derive(Debug, Serialize)]
struct Failure {
    /// Where it stands: a rule's id, or the file and line.
    of: String,
    command: String,
    expected: String,
    decision: String,
    rule: String,
}

/// Where examples are judged: nobody's machine, so that they mean the same on all of them.
const ROOT: &str = "/home/dev/acme";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let project = settings::project(&surroundings);
    let read = match config::named(arguments.config.as_deref()).transpose().map_err(Usage)? {
        Some(read) => read,
        None => config::read(&surroundings, project.as_deref()),
    };
    if let Some(file) = read.files.iter().find(|file| file.fault.is_some()) {
        let why = file.fault.as_ref().map(config::with_hint).unwrap_or_default();
        return Err(Usage(format!("{}:{why}", file.path.display())).into());
    }
    let policy = config::of_read(&read);
    let wanted = |id: &str| arguments.rule.as_ref().is_none_or(|prefix| id.starts_with(prefix.as_str()));
    let mut tests = Tests { nowhere: nowhere(), ..Tests::default() };
    for rule in builtin().iter().filter(|rule| wanted(rule.id)) {
        let of = &rule.examples;
        let lists = [(Expect::Deny, of.deny), (Expect::Ask, of.ask), (Expect::Allow, of.allow)];
        for (expected, command) in lists.iter().flat_map(|(expected, list)| list.iter().map(move |of| (*expected, *of)))
        {
            // An example of an MCP call or a fetched address is prose.
            if !command.starts_with("# ") {
                let outcome = tests.judge(command, &hookguard_config::BUILTIN);
                tests.hold(rule.id, command, expected, None, &outcome);
            }
        }
    }
    for (rule, _) in read.stack.rules.iter().filter(|(rule, _)| wanted(&rule.id)) {
        tests.own(rule, policy);
    }
    let root = project.unwrap_or_else(|| ROOT.to_owned());
    for (case, origin) in &read.stack.tests {
        if case.rule.as_deref().map_or(arguments.rule.is_none(), wanted) {
            let of = format!("{}:{}", read.path(origin.layer).display(), read.stack.place(origin));
            tests.case(&of, case, &root, policy, &surroundings);
        }
    }
    let Tests { count, failures, .. } = tests;
    print(&if arguments.json { serde_json::to_string_pretty(&failures)? } else { text(count, &failures) })?;
    Ok(if failures.is_empty() { exit::OK } else { exit::DENIED })
}

fn nowhere() -> Surroundings {
    Surroundings { home: Some("/home/dev".to_owned()), user: Some("dev".to_owned()), ..Surroundings::default() }
}

/// What ran, and what failed.
#[derive(Debug, Default)]
struct Tests {
    nowhere: Surroundings,
    count: usize,
    failures: Vec<Failure>,
}

impl Tests {
    /// Judges an example.
    fn judge(&self, command: &str, policy: &Policy) -> Outcome {
        decide(command, ROOT, ROOT, policy, &self.nowhere)
    }

    /// The examples of a rule of one's own: each must be decided so, and by this rule among others.
    fn own(&mut self, rule: &UserRule, policy: &Policy) {
        let of = &rule.examples;
        let lists =
            [(Expect::Deny, &of.deny), (Expect::Ask, &of.ask), (Expect::Warn, &of.warn), (Expect::Allow, &of.allow)];
        for (expected, command) in lists.iter().flat_map(|(expected, list)| list.iter().map(move |of| (*expected, of)))
        {
            let outcome = self.judge(command, policy);
            let by_it = outcome.findings.iter().any(|finding| finding.rule == rule.id);
            let by = (expected != Expect::Allow && !by_it).then_some(rule.id.as_str());
            self.hold(&rule.id, command, expected, by, &outcome);
        }
    }

    fn case(&mut self, of: &str, case: &TestCase, root: &str, policy: &Policy, surroundings: &Surroundings) {
        let cwd = case.cwd.as_ref().map_or_else(|| root.to_owned(), |below| format!("{root}/{below}"));
        let outcome = decide(&case.command, root, &cwd, policy, surroundings);
        let by = case.rule.as_deref().filter(|rule| outcome.verdict.rule != *rule);
        self.hold(of, &case.command, case.expect, by, &outcome);
    }

    /// Counts a test; it fails where it was decided otherwise, or not `by` the rule that it should have been.
    fn hold(&mut self, of: &str, command: &str, expected: Expect, by: Option<&str>, outcome: &Outcome) {
        self.count += 1;
        let decision = match outcome.verdict.decision {
            Decision::None | Decision::Allow => Expect::Allow,
            Decision::Warn => Expect::Warn,
            Decision::Ask => Expect::Ask,
            Decision::Deny => Expect::Deny,
        };
        if decision == expected && by.is_none() {
            return;
        }
        self.failures.push(Failure {
            of: of.to_owned(),
            command: command.to_owned(),
            expected: by.map_or_else(|| expected.to_string(), |rule| format!("{expected} by {rule}")),
            decision: decision.to_string(),
            rule: outcome.verdict.rule.to_string(),
        });
    }
}

fn decide(command: &str, root: &str, cwd: &str, policy: &Policy, surroundings: &Surroundings) -> Outcome {
    let event = event(command, Some(cwd.to_owned()));
    let settings = &policy.settings;
    decide_at(&event, &Place { surroundings, root: Some(root.to_owned()), look: false, settings })
}

fn text(count: usize, failures: &[Failure]) -> String {
    let mut out = String::new();
    for Failure { of, command, expected, decision, rule } in failures {
        let by = if rule.is_empty() { String::new() } else { format!(" by {rule}") };
        out.push_str(&format!("FAILED  {of}: {command}\n        expected {expected}, decided {decision}{by}\n"));
    }
    out + &format!("{} passed, {} failed\n", count - failures.len(), failures.len())
}
