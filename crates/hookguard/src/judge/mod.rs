//! Judges at work: layer 1 for all of them, then one call for those that stay open.
//!
//! ```text
//! bench   the judges, built in and the user's own
//! panel   layer 1 for each judge, and the chain for those that stay open
//! chain   the backends in their order, under one deadline, until one has answered
//! process, http, resolve   a child in a folder of its own; a server; its address
//! cache, breaker           what was answered to the same question; who fails too often to be asked
//! ```
//!
//! Nothing of this runs on the way to a guard's verdict.

pub(crate) mod bench;
mod breaker;
mod cache;
pub(crate) mod chain;
mod http;
pub(crate) mod panel;
pub(crate) mod process;
mod resolve;

use std::collections::BTreeMap;

use hookguard_judge::answer::Rung;
use hookguard_judge::backend::OnProse;
use hookguard_judge::layer1::{Layer, Settled, settle};
use hookguard_judge::{Facts, Judge};
use serde::Serialize;

/// What a judge says of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Says {
    /// The rule was broken: the agent is resumed.
    Violation,
    /// Perhaps: a note to the human, and no block.
    Advise,
    /// Nothing to say.
    Allow,
    /// The judge broke: at stop that is an allow.
    Fail,
}

/// One judge's ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Ruling {
    /// The judge's id.
    pub(crate) judge: String,
    #[serde(rename = "verdict")]
    pub(crate) says: Says,
    /// What settled it.
    pub(crate) layer: Layer,
    /// The booleans of the answer, where somebody was asked.
    pub(crate) fields: serde_json::Map<String, serde_json::Value>,
    /// Why, in the backend's words; never shown to the agent.
    pub(crate) reason: Option<String>,
}

/// What came of asking.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Asked {
    /// One for each judge, in the judges' order.
    pub(crate) rulings: Vec<Ruling>,
    /// Who answered last; `None` where nobody was asked, or nobody answered.
    pub(crate) backend: Option<String>,
    /// Its model, where it has one to name.
    pub(crate) model: Option<String>,
    /// How long all of it took, in milliseconds.
    pub(crate) latency_ms: u64,
    /// Who failed before, or in part.
    pub(crate) tries: Vec<Try>,
    /// Secrets that were taken out of what was sent, by kind.
    pub(crate) redactions: BTreeMap<&'static str, usize>,
    /// By which step the answer was read.
    pub(crate) ladder: Option<Rung>,
    /// Whether a boolean of it was a text.
    pub(crate) coerced: bool,
    /// Whether all that needed an answer had one from the same question of before.
    pub(crate) cached: bool,
    /// Whether the text holds a verdict of its own, or imitates the markers around it.
    pub(crate) injection_suspected: bool,
    /// What people should be told, each a fragment: a backend that is passed over from now on.
    pub(crate) notes: Vec<String>,
}

/// A backend that gave no verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Try {
    pub(crate) backend: String,
    /// A fragment; it names the model where there is one.
    pub(crate) why: String,
}

/// What the built-in backend says: facts decide, strict patterns on prose advise.
pub(crate) fn builtin(judge: &Judge<'_>, text: &str, facts: &Facts, on_prose: OnProse) -> Ruling {
    let (says, layer) = match settle(judge, text, facts) {
        Settled::Allow(layer) => (Says::Allow, layer),
        Settled::Violation => (Says::Violation, Layer::Facts),
        Settled::Open { advice: false } => (Says::Allow, Layer::Judge),
        Settled::Open { advice: true } => match on_prose {
            OnProse::Advise => (Says::Advise, Layer::Judge),
            OnProse::Block => (Says::Violation, Layer::Judge),
        },
    };
    Ruling::new(judge, says, layer)
}

impl Ruling {
    fn new(judge: &Judge<'_>, says: Says, layer: Layer) -> Ruling {
        Ruling { judge: judge.id.to_owned(), says, layer, fields: serde_json::Map::new(), reason: None }
    }
}

#[cfg(test)]
mod tests;
