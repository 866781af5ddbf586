//! A session's calls, judged one by one as the hook would have, by their text alone.

use std::hash::{DefaultHasher, Hash, Hasher};

use hookguard_adapter::Adapter;
use hookguard_adapter::transcript::{Record, Said};
use hookguard_config::Policy;
use hookguard_core::{Decision, Event, EventKind, Mode, ToolCall, clip};
use hookguard_judge::redact;

use super::tally::{Tally, Verdict};
use crate::pipeline::{Place, decide_at};
use crate::state::decision_log::subject;
use crate::surroundings::Surroundings;
use crate::world;

/// How much of a call is looked through for secrets, and how much is shown, in bytes.
const MAX_REDACTED: usize = 4 << 10;
const MAX_SHOWN: usize = 160;

/// What calls are judged by.
pub(super) struct Judge<'a> {
    pub(super) surroundings: &'a Surroundings,
    pub(super) policy: &'a Policy,
    /// Another policy, to compare with.
    pub(super) against: Option<&'a Policy>,
}

/// What is known of the session that a transcript is of.
pub(super) struct Session {
    agent: &'static dyn Adapter,
    since: Option<u64>,
    /// For records that say no time: the file's.
    modified: u64,
    id: Option<String>,
    /// Where it was started: a later `cd` makes no other project.
    started: Option<String>,
}

impl Session {
    pub(super) fn new(agent: &'static dyn Adapter, since: Option<u64>, modified: u64) -> Session {
        Session { agent, since, modified, id: None, started: None }
    }

    /// Takes one record.
    pub(super) fn take(&mut self, record: Record, judge: &Judge<'_>, tally: &mut Tally) {
        match record.said {
            Said::Session { id, cwd } => {
                let other = id.is_some() && self.id != id;
                if other {
                    self.id = id;
                }
                if other || self.started.is_none() {
                    self.started = cwd;
                }
            }
            Said::Call { id, tool, cwd }
                if self.since.is_none_or(|since| record.at.unwrap_or(self.modified) >= since) =>
            {
                self.call(record.at, id, tool, cwd, judge, tally);
            }
            _ => {}
        }
    }

    fn call(
        &self,
        at: Option<u64>,
        id: Option<String>,
        tool: ToolCall,
        cwd: Option<String>,
        judge: &Judge<'_>,
        tally: &mut Tally,
    ) {
        let agent = self.agent.profile().id;
        if matches!(tool, ToolCall::Input { .. }) {
            tally.typed += 1;
            return;
        }
        let about = subject(&tool).unwrap_or_default();
        // A session that is taken up again may begin with a copy of the old one.
        if (id.is_some() || at.is_some()) && !tally.is_new(hash(&(agent, &id, at, &about))) {
            tally.repeated += 1;
            return;
        }
        let mut event = Event::new(EventKind::PreTool, agent, "PreToolUse", b"");
        event.session = self.id.clone();
        event.call_id = id;
        event.cwd = cwd;
        let is_command = matches!(tool, ToolCall::Shell { .. });
        event.tool = Some(tool);
        tally.session(agent, hash(&(agent, &self.id, self.id.is_none().then_some(&self.started))));
        tally.when(at);
        let shown = || clip(&redact(&clip(&about, MAX_REDACTED)).text, MAX_SHOWN);
        let verdict = self.verdict(&event, judge.surroundings, judge.policy);
        if let Some(against) = judge.against {
            let before = self.verdict(&event, judge.surroundings, against);
            tally.compared(&before, &verdict, shown);
        }
        tally.add(agent, is_command, &verdict, shown);
    }

    fn verdict(&self, event: &Event<'_>, surroundings: &Surroundings, policy: &Policy) -> Verdict {
        let root = self.started.as_deref().and_then(|cwd| world::root_of_text(cwd, surroundings.home.as_deref()));
        let outcome = decide_at(event, &Place { surroundings, root, look: false, settings: &policy.settings });
        let verdict = outcome.verdict;
        match (outcome.mode, verdict.decision) {
            // Nothing of it is enforced.
            (Mode::Observe, _) | (_, Decision::None | Decision::Allow) => Verdict::default(),
            (Mode::Enforce, decision) => Verdict { decision, rule: verdict.rule.into_owned() },
        }
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
