//! What the policy says.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// How strict a verdict is. The order is the order of strictness: the strictest of several wins.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// Nothing to say.
    #[default]
    None,
    /// Looked at and found harmless. To the agent this is the same silence as [`Decision::None`].
    Allow,
    /// It may go on, and the model is told something.
    Warn,
    /// A human must decide.
    Ask,
    /// It must not happen.
    Deny,
}

/// A verdict: a decision with what the model needs to go on sensibly.
///
/// Every verdict stricter than [`Decision::Allow`] has a rule, a reason and something to do instead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The id of the rule that decided, such as `git.push.force`; it names what is caught.
    pub rule: Cow<'static, str>,
    /// Why, in one sentence to the model.
    pub reason: Cow<'static, str>,
    /// What to do instead, in one sentence to the model.
    pub instead: Cow<'static, str>,
    /// The part of the call that the rule saw, for people: a command, a path.
    pub evidence: String,
    /// A harmless replacement of the command, where there is one.
    pub rewrite: Option<String>,
    /// What the model should be told after the tool.
    pub feedback: Option<String>,
    /// Why the agent should go on instead of stopping.
    pub resume: Option<String>,
    /// The code by which a human can let this pass once, where somebody must be asked and nobody is there. Whoever keeps
    /// the codes sets it; no rule does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
}

impl Verdict {
    /// No opinion.
    pub fn none() -> Verdict {
        Verdict::default()
    }

    /// Looked at and found harmless.
    pub fn allow() -> Verdict {
        Verdict { decision: Decision::Allow, ..Verdict::default() }
    }
}

/// Whether a policy's verdicts are enforced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::Display, strum::EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Mode {
    /// They are.
    #[default]
    Enforce,
    /// Everything is computed and logged, nothing is enforced.
    Observe,
}

/// How seriously a rule is taken. The order is the order of strictness: a layer that may only tighten may only go up.
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
pub enum Level {
    /// The rule is not looked at.
    Off,
    /// What it finds is logged, and nobody is told.
    Observe,
    /// The model is told, and goes on.
    Warn,
    /// A human must decide.
    Ask,
    /// It must not happen.
    Deny,
}

impl Level {
    /// What a rule at this level decides where it matches; none where it is only observed, or off.
    pub fn decision(self) -> Decision {
        match self {
            Level::Off | Level::Observe => Decision::None,
            Level::Warn => Decision::Warn,
            Level::Ask => Decision::Ask,
            Level::Deny => Decision::Deny,
        }
    }
}
