//! The way of a call past the policy: scripts and judges that are asked too, what waits for the model, and stops.

use std::time::Instant;

use hookguard_adapter::Adapter;
use hookguard_config::{Policy, Scripts};
use hookguard_core::{Capabilities, Decision, Event, EventKind, Mode, Told, clip};
use hookguard_judge::redact;
use hookguard_policy::Outcome;

use super::{questions, release};
use crate::config;
use crate::exec::{self, Stage};
use crate::ledger::{self, Whole};
use crate::pipeline::{self, Judged, Place};
use crate::state::{queue, session};
use crate::stop::judges::{self, Sitting};
use crate::stop::{self, Stop};

/// How long a note may be, in bytes.
const MAX_NOTE: usize = 1000;

/// Judges `event`, with all whom the `policy` names, until `until`. Also gives what people should know, and what judges at stop
/// have found.
pub(super) fn judge(
    adapter: &dyn Adapter,
    event: &Event<'_>,
    place: &Place<'_>,
    policy: &Policy,
    until: Instant,
) -> (Judged, Vec<String>, Option<Sitting>) {
    let stop = stop::look(place.surroundings, event);
    let (mut notes, mut released, mut sitting) = (Vec::new(), None, None);
    let settle =
        |outcome: &mut Outcome| release::settle(place, event, || pipeline::capabilities(adapter, event), outcome);
    let mut judged = pipeline::judge_with(adapter, event, place, |outcome| {
        if let Some(scripts) = policy.scripts() {
            let stage = Stage { root: place.root.as_deref(), until };
            notes = ask(&scripts, adapter, event, stop.as_ref(), place, &stage, outcome);
        }
        if policy.guard_asks {
            notes.extend(questions::settle(adapter, event, place, policy, until, outcome));
        }
        if let Some(stop) = stop.as_ref().filter(|stop| stop.may_resume()) {
            sitting = Some(sit(adapter, event, stop, place, policy, until, outcome));
        }
        released = settle(outcome);
    });
    if let Some(sitting) = &mut sitting {
        notes.append(&mut sitting.notes);
    }
    let mut can = pipeline::capabilities(adapter, event);
    if can.note && !policy.notices.is_empty() {
        let state = config::state(place.surroundings, place.root.as_deref());
        notes.extend(config::tell(state, &policy.notices, event.kind).into_iter().map(str::to_owned));
    }
    for note in &mut notes {
        *note = clip(&redact(note).text, MAX_NOTE);
    }
    if judged.outcome.mode == Mode::Observe {
        can = Capabilities { note: can.note, ..Capabilities::default() };
    }
    if can.note && judged.fitted.note.is_none() && !notes.is_empty() {
        judged.fitted.note = Some(format!("hookguard: {}", notes.join("; ")));
    }
    match stop {
        Some(stop) => notes.extend(stop.settle(event, &can, &mut judged.fitted).map(str::to_owned)),
        None => match &mut judged.fitted.told {
            Told::Deny(text) => {
                if let Some(folder) = session::folder(place.surroundings, event)
                    && !queue::waiting(&folder).is_empty()
                    && let Some(_lock) = session::lock(&folder)
                {
                    queue::tell(&folder, text);
                }
            }
            Told::Feedback(text) => {
                if let Some(folder) = session::folder(place.surroundings, event)
                    && event.call_id.as_deref().is_some_and(|call| !queue::first_to_tell(&folder, call, text))
                {
                    judged.fitted.told = Told::Nothing;
                    notes.push("another hook has told the model of this call".to_owned());
                }
            }
            _ => {}
        },
    }
    notes.extend(released);
    (judged, notes, sitting)
}

/// Puts a stop to the judges, and joins what they say.
fn sit(
    adapter: &dyn Adapter,
    event: &Event<'_>,
    stop: &Stop,
    place: &Place<'_>,
    policy: &Policy,
    until: Instant,
    outcome: &mut Outcome,
) -> Sitting {
    let root = place.root.as_deref();
    let judges = config::judges_at_stop(place.surroundings, root, policy);
    let mut sitting = judges::sit(&judges::Case {
        adapter,
        event,
        stop,
        judges: &judges,
        can: pipeline::capabilities(adapter, event),
        root,
        // Where nobody is asked, nothing is kept.
        state: judges.asks_others().then(|| config::state(place.surroundings, root)).flatten(),
        checked: policy.scripts().is_some_and(|scripts| !scripts.checks.is_empty()),
        resumed: outcome.verdict.resume.is_some(),
        until,
    });
    exec::join_verdict(&mut outcome.verdict, std::mem::take(&mut sitting.verdict));
    sitting
}

/// Asks the scripts and joins what they say. A call that is refused already needs no second refusal, and a stop at which
/// nothing can be said needs no answer: nothing runs then.
fn ask(
    scripts: &Scripts,
    adapter: &dyn Adapter,
    event: &Event<'_>,
    stop: Option<&Stop>,
    place: &Place<'_>,
    stage: &Stage<'_>,
    outcome: &mut Outcome,
) -> Vec<String> {
    if outcome.verdict.decision == Decision::Deny || stop.is_some_and(|stop| !stop.may_resume()) {
        return Vec::new();
    }
    let said = exec::ask(&scripts.policies, event, stage);
    let mut notes = said.notes;
    exec::join_verdict(&mut outcome.verdict, said.verdict);
    if event.kind == EventKind::Stop
        && !scripts.checks.is_empty()
        && let Some(turn) = stop.and_then(|stop| stop.turn.as_ref())
    {
        let Whole { turn, .. } = ledger::whole(turn.clone(), adapter, event);
        let mut checked = stop::check::run_all(&scripts.checks, &turn, stage);
        if let Some(folder) = session::folder(place.surroundings, event) {
            checked.record(&folder, event);
        }
        exec::join_verdict(&mut outcome.verdict, checked.verdict());
        notes.append(&mut checked.notes);
    }
    notes
}
