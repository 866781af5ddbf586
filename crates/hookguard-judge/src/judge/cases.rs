//! A judge's own cases: what layer 1 makes of each, and with the scripted answer of a model, what comes of it.

use super::file::{CaseEntry, Expect, JudgeFile, Settles};
use super::{Fault, Judge, judge};
use crate::facts::{Fact, Facts};
use crate::layer1::{Layer, Settled, settle};

/// A case that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Failure {
    /// Which, counted from 1.
    pub number: usize,
    /// What kind of case it is.
    pub kind: String,
    /// What the agent said.
    pub text: String,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub came: String,
}

/// Runs the cases of a judge's file.
///
/// # Errors
///
/// Where the file is not one that [`super::check`] lets through.
pub fn run(file: &JudgeFile) -> Result<Vec<Failure>, Fault> {
    let judge = judge(file)?;
    let mut failures = Vec::new();
    for (at, case) in file.cases.iter().enumerate() {
        for (expected, came) in wrong(&judge, case) {
            let (kind, text) = (case.kind.clone(), case.text.clone());
            failures.push(Failure { number: at + 1, kind, text, expected, came });
        }
    }
    Ok(failures)
}

/// What is not as the case says: what was expected, and what came.
fn wrong(judge: &Judge<'_>, case: &CaseEntry) -> Vec<(String, String)> {
    let settled = settle(judge, &case.text, &facts(case.facts.as_deref()));
    let (layer, blocks) = match &settled {
        Settled::Allow(layer) => (*layer, false),
        Settled::Violation => (Layer::Facts, true),
        Settled::Open { .. } => (Layer::Judge, answered(judge, case)),
    };
    let word = |blocks: bool| if blocks { "block" } else { "allow" };
    let mut wrong = Vec::new();
    let expected = case.expect == Expect::Block;
    if blocks != expected {
        wrong.push((word(expected).to_owned(), format!("{} by {layer}", word(blocks))));
    }
    if let Some(by) = case.layer.map(layer_of).filter(|by| *by != layer) {
        wrong.push((format!("settled by {by}"), format!("by {layer}")));
    }
    let advised = settled == Settled::Open { advice: true };
    if let Some(advice) = case.advice.filter(|advice| *advice != advised) {
        let word = |advice: bool| if advice { "advice" } else { "no advice" };
        wrong.push((word(advice).to_owned(), word(advised).to_owned()));
    }
    wrong
}

/// What a model that answers as the case has it leads to. A `block` without an answer is one that sees it.
fn answered(judge: &Judge<'_>, case: &CaseEntry) -> bool {
    if case.fields.is_empty() {
        return case.expect == Expect::Block;
    }
    let is = |name: &&str| case.fields.get(*name) == Some(&true);
    judge.block_if.iter().all(&is) && !judge.unless.iter().any(is)
}

fn facts(names: Option<&[String]>) -> Facts {
    let Some(names) = names else { return Facts::unknown() };
    let held: Vec<Fact> = names.iter().filter_map(|name| name.parse().ok()).collect();
    Facts { known: true, held, ..Facts::default() }
}

fn layer_of(by: Settles) -> Layer {
    match by {
        Settles::Signal => Layer::Signal,
        Settles::Bypass => Layer::Bypass,
        Settles::Facts => Layer::Facts,
        Settles::Judge => Layer::Judge,
    }
}
