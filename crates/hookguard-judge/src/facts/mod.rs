//! What the turn's own record settles, whatever the words say: independent of language, and not to be talked into anything.

mod added;
mod bigrams;
mod cover;
mod exit;
mod kind;
mod lines;
mod outcome;
mod path;
mod prompt;
mod record;
mod shares;
mod steps;
mod summary;

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

pub use shares::{Share, shares};

use crate::turn::{HERE, Turn};
use record::Shown;

/// A fact about a turn. Judges name them: `[facts] violation = ["shared_unverified"]`.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Fact {
    /// No file was changed that is more than documentation or comments.
    NoCodeEdited,
    /// The last code edit is followed by a verification that went well, of every kind that is required.
    Verified,
    /// Code was edited and nothing that went well speaks of it since; what is announced now is announced unverified. The user did
    /// not waive it.
    Unverified,
    /// The last verification after the last code edit failed, or its output holds a failure.
    Red,
    /// The user said that it need not be verified.
    VerificationWaived,
    /// State that others share was changed after a code edit without a fresh, positive verification in between, and the user
    /// did not waive it.
    SharedUnverified,
    /// A command runs in the background, whose result is not there.
    BackgroundPending,
    /// The user reports that something misbehaves.
    BugReported,
    /// The user reports that something misbehaves, and code was changed.
    FixTried,
    /// Something else was ordered than a repair, and no misbehaviour reported.
    OtherOrdered,
    /// The user only asked something, and no code was changed.
    OnlyAsked,
    /// The turn is no bug fix: something else was ordered and no misbehaviour reported, or no code was changed.
    NoBugFix,
    /// A command showed the failure before the first edit of product code, or with the fix taken out again.
    Reproduced,
    /// The user reproduced it, or waived that it be reproduced.
    ReproductionWaived,
    /// A reported bug was fixed in product code, and nothing had shown the failure.
    FixUnreproduced,
    /// A test was skipped, deleted, commented out or its expectation changed to what the code gives, where a bug was reported.
    TestWeakened,
    /// A failing command was run again, unchanged, until it passed, and that was all.
    RerunUntilGreen,
    /// The user ordered a workaround, a quarantine, a plaster.
    WorkaroundOrdered,
    /// A stub, a mock or a TODO stands where a requested part should be.
    StubLeft,
    /// The user limited or postponed the work, or ordered only a plan, a triage or a review.
    ScopeLimited,
}

/// Kinds of verification.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Evidence {
    /// Tests of the code itself: what a runner runs by default.
    Unit,
    /// Tests of several parts together.
    Integration,
    /// Tests of the whole, through a browser or the real program.
    E2e,
    /// The changed behaviour was run, with a result to see.
    Manual,
    /// A pipeline elsewhere was watched to its end.
    Remote,
}

/// What counts as verification, besides what is known of the runners in use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Kinds that are all required; any one does where none is named.
    pub required: Vec<Evidence>,
    /// Commands of one's own, by how their words begin (`just check`), and what kind they are.
    pub own: Vec<(String, Evidence)>,
}

/// What is known of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether there is a record of the turn at all. Without one nothing is known, and nothing settled.
    pub known: bool,
    /// The facts that hold.
    pub held: Vec<Fact>,
    /// The record in a few lines for a model: what ran since the last edit, with which result.
    pub lines: Vec<String>,
}

impl Facts {
    /// Nothing is known.
    pub fn unknown() -> Facts {
        Facts::default()
    }

    /// Whether `fact` holds.
    pub fn hold(&self, fact: Fact) -> bool {
        self.held.contains(&fact)
    }
}

/// What `turn` settles.
pub fn facts(turn: &Turn, verification: &Verification) -> Facts {
    let flags = turn.prompt.as_deref().map(prompt::flags).unwrap_or_default();
    let record = record::record(turn, verification);
    let bug = Bug::of(&flags, &record);
    let waived = flags.waived;
    let holds = |fact: &Fact| match fact {
        Fact::NoCodeEdited => record.edits == 0,
        Fact::Verified => record.is_verified(),
        Fact::Unverified => record.is_unverified() && !waived,
        Fact::Red => record.edits > 0 && record.is_red(),
        Fact::VerificationWaived => waived,
        Fact::SharedUnverified => record.shared_unverified() && !waived,
        Fact::BackgroundPending => record.in_background().next().is_some(),
        Fact::BugReported => flags.bug,
        Fact::FixTried => flags.bug && record.edits > 0,
        Fact::OtherOrdered => flags.other,
        Fact::OnlyAsked => flags.asked && record.edits == 0,
        Fact::NoBugFix => flags.other || record.edits == 0,
        Fact::Reproduced => record.shown == Shown::Yes || record.red_without,
        Fact::ReproductionWaived => flags.reproduced,
        Fact::FixUnreproduced => bug.unreproduced,
        Fact::TestWeakened => bug.weakened,
        Fact::RerunUntilGreen => bug.rerun,
        Fact::WorkaroundOrdered => flags.workaround,
        Fact::StubLeft => !flags.stub && !record.stubs.is_empty(),
        Fact::ScopeLimited => flags.limited,
    };
    Facts {
        known: true,
        held: Fact::iter().filter(holds).collect(),
        lines: lines::lines(&record, &flags, &bug).iter().map(|line| shown(line)).collect(),
    }
}

/// A line as people read it: what lies in the project from its root.
fn shown(line: &str) -> String {
    line.replace(&format!("{HERE}/"), "").replace(HERE, ".")
}

/// What was done about a bug.
#[derive(Debug, Clone, Copy)]
struct Bug {
    unreproduced: bool,
    weakened: bool,
    rerun: bool,
}

impl Bug {
    fn of(flags: &prompt::Flags, record: &record::Record) -> Bug {
        let ordered = flags.reproduced || flags.workaround;
        let expects = !record.product_edited && record.test_edited && record.only_expectations;
        Bug {
            unreproduced: flags.surely
                && record.product_edited
                && record.shown == Shown::No
                && !record.red_without
                && !ordered,
            weakened: flags.bug && !flags.workaround && !flags.expectation && (record.test_switched_off || expects),
            rerun: flags.bug && !flags.workaround && record.rerun_until_green(),
        }
    }
}

#[cfg(test)]
mod tests;
