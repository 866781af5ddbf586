//! Layer 1: what facts and words settle before anybody is asked.

use crate::facts::Facts;
use crate::judge::{Heard, IDS, Judge, LEXICON, Text, Words};

/// What settled a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Layer {
    /// Neither words nor facts gave reason to look closer.
    Signal,
    /// Words that settle an allow.
    Bypass,
    /// The turn's own record.
    Facts,
    /// Somebody who was asked.
    Judge,
}

/// What came of layer 1 for one judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// Nothing to say.
    Allow(Layer),
    /// The facts say that the rule was broken.
    Violation,
    /// The words need to be understood.
    Open {
        /// Whether the strict patterns on prose match: by these the built-in backend advises.
        advice: bool,
    },
}

/// Settles what can be settled of `text` by `facts`, for one judge.
pub fn settle(judge: &Judge<'_>, text: &str, facts: &Facts) -> Settled {
    settle_all(&[judge], text, facts).pop().unwrap_or(Settled::Allow(Layer::Signal))
}

/// Settles what can be settled of `text` by `facts`, for each of the judges in their order: the text is read once for all
/// that are built in, and not at all where the facts settle everything.
pub fn settle_all(judges: &[&Judge<'_>], text: &str, facts: &Facts) -> Vec<Settled> {
    let mut read: Option<Text> = None;
    let mut built_in: Option<Vec<Heard>> = None;
    let settle = |judge: &&Judge<'_>| {
        let any = |of: &[crate::Fact]| of.iter().any(|fact| facts.hold(*fact));
        if any(&judge.facts.violation) {
            return Settled::Violation;
        }
        if any(&judge.facts.allow) {
            return Settled::Allow(Layer::Facts);
        }
        let read = read.get_or_insert_with(|| Text::of(text));
        let heard = match &judge.words {
            Words::Own(lexicon) => read.hear(lexicon, 1).first().copied(),
            Words::BuiltIn(at) => {
                built_in.get_or_insert_with(|| read.hear(&LEXICON, IDS.len())).get(usize::from(*at)).copied()
            }
        };
        let heard = heard.unwrap_or_default();
        if heard.bypass && !any(&judge.facts.contradict) {
            return Settled::Allow(Layer::Bypass);
        }
        if heard.signal || any(&judge.facts.signal) {
            return Settled::Open { advice: heard.advice };
        }
        Settled::Allow(Layer::Signal)
    };
    judges.iter().map(settle).collect()
}
