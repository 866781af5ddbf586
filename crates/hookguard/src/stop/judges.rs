//! The judges at a stop: what the turn's record settles, what the words mean, and what the agent and its human are told.

use std::borrow::Cow;
use std::time::Instant;

use hookguard_adapter::Adapter;
use hookguard_config::Judges;
use hookguard_core::{Capabilities, Decision, Event, MAX_MESSAGE_BYTES, Told, Verdict, clip};
use hookguard_judge::backend::{Backend, Kind};
use hookguard_judge::layer1::Layer;
use hookguard_judge::text::{MAX_TEXT_BYTES, cut};
use hookguard_judge::{Fact, Facts, Judge, facts, redact};

use super::Stop;
use crate::judge::bench::{Bench, verification};
use crate::judge::panel::Panel;
use crate::judge::{Ruling, Says};
use crate::ledger;
use crate::state::decision_log::{AskedBy, Ruled, RuledBy};
use crate::surroundings::in_a_judge;

/// What came of a stop that was put to judges.
#[derive(Debug, Default)]
pub(crate) struct Sitting {
    /// What the agent is told, where it is resumed.
    pub(crate) verdict: Verdict,
    /// What people should know, each a fragment.
    pub(crate) notes: Vec<String>,
    /// Every judge's ruling.
    rulings: Vec<Ruling>,
    /// The judges whose ruling resumes the agent.
    resuming: Vec<String>,
    facts: Vec<Fact>,
    /// The text that was judged, whole.
    text: String,
    asked: Option<AskedBy>,
    /// Whether the text is kept although nothing was found.
    sampled: bool,
}

/// Who sits, and over what.
pub(crate) struct Case<'a> {
    pub(crate) adapter: &'a dyn Adapter,
    pub(crate) event: &'a Event<'a>,
    pub(crate) stop: &'a Stop,
    pub(crate) judges: &'a Judges,
    pub(crate) can: Capabilities,
    /// The project's root.
    pub(crate) root: Option<&'a str>,
    /// Where backends keep what they remember; none where nothing is kept.
    pub(crate) state: Option<&'a std::path::Path>,
    /// Whether checks have run: what they found is in the ledger, and not yet in `stop`.
    pub(crate) checked: bool,
    /// Whether the agent is resumed already: then no model needs to be asked.
    pub(crate) resumed: bool,
    pub(crate) until: Instant,
}

/// Puts a stop to the judges.
pub(crate) fn sit(case: &Case<'_>) -> Sitting {
    if in_a_judge() || !(case.can.resume || case.can.note) {
        return Sitting::default();
    }
    let bench = Bench::of(case.judges);
    let judges = bench.judges();
    let again = || case.stop.folder.as_deref().filter(|_| case.checked).and_then(ledger::turn);
    let turn = again().or_else(|| case.stop.turn.clone());
    let whole = ledger::whole(turn.unwrap_or_default(), case.adapter, case.event);
    let verification = verification(case.judges);
    let found_in = |turn: &ledger::Turn| {
        let turn = turn.judged(case.root);
        let known = turn.prompt.is_some() || !turn.deeds.is_empty();
        if known { facts(&turn, &verification) } else { Facts::unknown() }
    };
    let mut found = found_in(&whole.turn);
    // What is missing in the ledger may be what clears the agent.
    let violated = judges.iter().any(|judge| judge.facts.violation.iter().any(|fact| found.hold(*fact)));
    if violated
        && whole.turn.is_known()
        && let Ok(turn) = ledger::completed(whole.turn, case.adapter, case.event)
    {
        found = found_in(&turn);
    }
    let said = whole.said.texts.join("\n\n");
    // An agent that is resumed already needs no model's word.
    let builtin = || Judges { backends: vec![Backend::new(Kind::Builtin)], ..case.judges.clone() };
    let settings = if case.resumed { Cow::Owned(builtin()) } else { Cow::Borrowed(case.judges) };
    let panel = Panel { settings: &settings, state: case.state };
    let mut asked = panel.rule(&judges.iter().collect::<Vec<_>>(), &said, &found, case.until);
    let rulings = std::mem::take(&mut asked.rulings);
    let by = rulings.iter().any(|ruling| ruling.layer == Layer::Judge).then(|| AskedBy::of(&asked));
    let mut sitting = Sitting {
        facts: found.held,
        asked: by,
        notes: asked.notes,
        sampled: is_sampled(&said, case.judges.sample_percent),
        text: said,
        ..Sitting::default()
    };
    for ruling in &rulings {
        let Some(judge) = judges.iter().find(|judge| judge.id == ruling.judge) else { continue };
        match ruling.says {
            Says::Violation => sitting.resume(judge),
            Says::Advise => {
                sitting.notes.push(format!("{} doubts this stop: {}?", judge.id, judge.title.trim_end_matches('.')));
            }
            Says::Allow | Says::Fail => {}
        }
    }
    if let Some(by) = &sitting.asked
        && rulings.iter().any(|ruling| ruling.says == Says::Fail)
    {
        sitting.notes.push(format!("no model could be asked ({}); the agent was let go", by.tries.join("; ")));
    }
    sitting.rulings = rulings;
    sitting
}

/// Whether this text is one of so many in a hundred; the same one always is.
fn is_sampled(text: &str, percent: u8) -> bool {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    percent > 0 && hasher.finish() % 100 < u64::from(percent)
}

impl Sitting {
    /// The judge's own words, never a model's.
    fn resume(&mut self, judge: &Judge<'_>) {
        let said =
            format!("hookguard [judge.{}]: {}\nInstead: {}", judge.id, judge.message.trim(), judge.alternative.trim());
        let all = match self.verdict.resume.take() {
            Some(before) => format!("{before}\n{said}"),
            None => {
                self.verdict.decision = Decision::Warn;
                self.verdict.rule = format!("judge.{}", judge.id).into();
                said
            }
        };
        self.verdict.resume = Some(clip(&all, MAX_MESSAGE_BYTES));
        self.resuming.push(judge.id.to_owned());
    }

    /// What settled each judge.
    pub(crate) fn layers(&self) -> impl Iterator<Item = (String, Layer)> {
        self.rulings.iter().map(|ruling| (ruling.judge.clone(), ruling.layer))
    }

    /// A line of the log for each judge that found something, and for each that a sample keeps: `told` is what the agent was
    /// told in the end.
    pub(crate) fn lines<'e>(&self, event: &Event<'e>, told: &Told, noted: bool) -> Vec<Ruled<'e>> {
        let resumed = matches!(told, Told::Resume(_));
        // What nobody but the built-in backend was asked about, and it let go, is no news.
        let model =
            self.asked.as_ref().is_some_and(|by| by.backend.as_deref() != Some("builtin") || !by.tries.is_empty());
        let quiet = |ruling: &&Ruling| ruling.says == Says::Allow && (ruling.layer != Layer::Judge || !model);
        let kept: Vec<&Ruling> = self.rulings.iter().filter(|ruling| self.sampled || !quiet(ruling)).collect();
        if kept.is_empty() {
            return Vec::new();
        }
        let text = cut(&redact(&self.text).text, MAX_TEXT_BYTES);
        let line = |ruling: &Ruling| {
            let told = match ruling.says {
                Says::Violation if resumed && self.resuming.contains(&ruling.judge) => "resume",
                Says::Violation | Says::Advise if noted && !self.resuming.contains(&ruling.judge) => "note",
                _ => "nothing",
            };
            let asked = self.asked.clone().filter(|_| ruling.layer == Layer::Judge);
            let by = RuledBy {
                layer: ruling.layer,
                fields: ruling.fields.clone(),
                reason: ruling.reason.as_deref().map(|reason| redact(reason).text.into_owned()),
                facts: self.facts.clone(),
                text: text.clone(),
                asked,
            };
            Ruled::of(event, &ruling.judge, ruling.says, told, by)
        };
        kept.into_iter().map(line).collect()
    }
}
