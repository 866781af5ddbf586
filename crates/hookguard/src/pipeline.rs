//! The one path from an event to what the agent is told: `hook`, `check`, `explain` and `demo` all take it.

use hookguard_adapter::Adapter;
use hookguard_core::{Capabilities, Event, Fitted, Mode, Told, fit};
use hookguard_policy::{Answers, Context, Outcome, Settings, decide};

use crate::agents;
use crate::surroundings::Surroundings;
use crate::world;

/// How often the policy may ask before it has to decide.
const MAX_ROUNDS: usize = 3;

/// Where a call is judged.
#[derive(Debug, Clone)]
pub(crate) struct Place<'a> {
    /// The user and machine.
    pub(crate) surroundings: &'a Surroundings,
    /// The project's root.
    pub(crate) root: Option<String>,
    /// Whether the disk may be looked at.
    pub(crate) look: bool,
    /// What the configuration changes.
    pub(crate) settings: &'a Settings<'a>,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    /// What the policy found.
    pub(crate) outcome: Outcome,
    /// What the agent is told.
    pub(crate) fitted: Fitted,
}

/// Decides on `event`, looking at the disk where the policy asks and the place allows.
pub(crate) fn decide_at(event: &Event<'_>, place: &Place<'_>) -> Outcome {
    let mut answers = Answers::default();
    let unseen_input = agents::by_id(event.agent).is_some_and(|adapter| adapter.profile().types_unseen());
    let mut world = world::Look::new(place.surroundings, event);
    for round in 0.. {
        let outcome = decide(event, &Context { unseen_input, ..context(place, Some(&answers)) });
        let open: Vec<_> = outcome.questions.iter().filter(|question| !answers.was_asked(question)).cloned().collect();
        if open.is_empty() || !place.look || round >= MAX_ROUNDS {
            return outcome;
        }
        let mut said = false;
        for question in open {
            let answer = world.answer(&question);
            said |= answer.is_some();
            answers.insert(question, answer);
        }
        // Where the world says nothing, the text has decided.
        if !said {
            return outcome;
        }
    }
    Outcome::default()
}

/// What is known of a place, for the policy.
pub(crate) fn context<'a>(place: &'a Place<'_>, answers: Option<&'a Answers>) -> Context<'a> {
    let Place { surroundings, root, .. } = place;
    Context {
        home: surroundings.home.as_deref(),
        user: surroundings.user.as_deref(),
        root: root.as_deref(),
        cwd: surroundings.cwd.as_deref(),
        tmpdir: surroundings.tmpdir.as_deref(),
        guard_paths: &surroundings.guard_paths,
        settings: place.settings,
        unseen_input: false,
        answers,
    }
}

/// Decides on `event` and fits the verdict to `adapter`'s agent.
pub(crate) fn judge(adapter: &dyn Adapter, event: &Event<'_>, place: &Place<'_>) -> Judged {
    judge_with(adapter, event, place, |_| {})
}

/// The same where others are asked too: `more` joins what they say.
pub(crate) fn judge_with(
    adapter: &dyn Adapter,
    event: &Event<'_>,
    place: &Place<'_>,
    more: impl FnOnce(&mut Outcome),
) -> Judged {
    let mut outcome = decide_at(event, place);
    more(&mut outcome);
    let fitted = fitted(adapter, event, &outcome);
    Judged { outcome, fitted }
}

/// What `adapter`'s agent is told of `outcome`.
pub(crate) fn fitted(adapter: &dyn Adapter, event: &Event<'_>, outcome: &Outcome) -> Fitted {
    if outcome.mode == Mode::Observe {
        return Fitted { told: Told::Nothing, note: None, queued: None };
    }
    fit(&outcome.verdict, event.kind.moment(), &capabilities(adapter, event))
}

/// What `adapter`'s agent can be told of `event`.
pub(crate) fn capabilities(adapter: &dyn Adapter, event: &Event<'_>) -> Capabilities {
    let class = event.tool.as_ref().map(hookguard_core::ToolCall::class);
    adapter.profile().capabilities(&event.native_event, class, event.attended)
}
