//! When the agent wants to stop: whether it may be made to go on, and what it is told then.
//!
//! The same state told again is how conversations collapse, so an agent is resumed at most twice in a user's turn, and the
//! second time only if something has happened since the first (DESIGN 8.8). Our own count decides, whatever the agent says of
//! itself; some agents have no limit of their own. Without a state folder there is no count: once, and only where the agent
//! says that no hook has resumed it yet.

pub(crate) mod check;
pub(crate) mod judges;

use std::path::PathBuf;

use hookguard_core::{Capabilities, Event, EventKind, Fitted, Told};
use hookguard_judge::ledger::{OWN_CALL, Record, What};

use crate::ledger::{self, Turn};
use crate::state::{queue, session};
use crate::surroundings::Surroundings;

/// How often an agent is resumed in one turn of its user.
const MOST: usize = 2;

/// A stop that is being judged.
#[derive(Debug)]
pub(crate) struct Stop {
    folder: Option<PathBuf>,
    /// What has happened in the turn; `None` where there is no state to know it from.
    pub(crate) turn: Option<Turn>,
    /// Whether the agent says that a hook has resumed it.
    active: Option<bool>,
    /// Whether a background task still runs: then the agent waits, and is left to it.
    waits: bool,
}

/// Looks at the stop that `event` is; `None` for any other event, a subagent's end among them: a compaction fires that too.
pub(crate) fn look(surroundings: &Surroundings, event: &Event<'_>) -> Option<Stop> {
    if event.kind != EventKind::Stop {
        return None;
    }
    let folder = session::folder(surroundings, event);
    let turn = folder.as_deref().and_then(ledger::turn);
    let stop = event.stop.as_ref();
    Some(Stop {
        folder,
        turn,
        active: stop.and_then(|stop| stop.active),
        waits: stop.is_some_and(|stop| stop.background_tasks > 0),
    })
}

impl Stop {
    /// Whether the agent may be resumed, as far as can be seen now. Where it may not, nothing needs to run.
    pub(crate) fn may_resume(&self) -> bool {
        !self.waits && self.turn.as_ref().map_or(self.active == Some(false), may_resume)
    }

    /// Lets the agent stop or go on, and writes down which: `fitted` is what it will be told. Returns why it was let go in
    /// spite of what there was to say.
    ///
    /// What waits in the queue is told here, too. Looking and writing are one step among doubled hooks: of two that judge the
    /// same stop, one speaks.
    pub(crate) fn settle(self, event: &Event<'_>, can: &Capabilities, fitted: &mut Fitted) -> Option<&'static str> {
        let waiting = can.resume
            && self.may_resume()
            && self.folder.as_deref().is_some_and(|folder| !queue::waiting(folder).is_empty());
        let mut text = match &fitted.told {
            Told::Resume(text) => text.clone(),
            _ if waiting => String::new(),
            _ => {
                self.write(event, false);
                return None;
            }
        };
        let lock = self.folder.as_deref().and_then(session::lock);
        let refused = self.refusal(lock.is_some());
        if refused.is_none() && self.write(event, true) {
            if let Some(folder) = &self.folder {
                queue::tell(folder, &mut text);
            }
        } else if let Some(why) = refused {
            self.write(event, false);
            fitted.told = Told::Nothing;
            return Some(why);
        } else if self.active != Some(false) {
            fitted.told = Told::Nothing;
            return Some("there is no state to count in");
        }
        fitted.told = if text.is_empty() { Told::Nothing } else { Told::Resume(text) };
        None
    }

    /// Why the agent is let go, looked at again: another hook may have spoken since.
    fn refusal(&self, locked: bool) -> Option<&'static str> {
        if self.waits {
            return Some("a background task still runs");
        }
        let Some(folder) = self.folder.as_ref().filter(|_| self.turn.is_some()) else {
            return (self.active != Some(false)).then_some("there is no state to count in");
        };
        if !locked && folder.is_dir() {
            return Some("another hook is speaking");
        }
        match ledger::turn(folder) {
            Some(turn) if may_resume(&turn) => None,
            Some(_) => Some("it was resumed twice, or nothing has happened since"),
            None => (self.active != Some(false)).then_some("there is no state to count in"),
        }
    }

    fn write(&self, event: &Event<'_>, resumed: bool) -> bool {
        self.folder.as_ref().is_some_and(|folder| ledger::append(folder, event, None, What::Stop { resumed }).is_ok())
    }
}

/// Whether an agent may be resumed after what has happened in the turn.
fn may_resume(turn: &Turn) -> bool {
    let resumed = |record: &Record| matches!(record.what, What::Stop { resumed: true });
    let times = turn.records.iter().filter(|record| resumed(record)).count();
    let Some(last) = turn.records.iter().rposition(resumed) else { return true };
    times < MOST && turn.records[last..].iter().any(is_news)
}

/// Whether the model did something: its stops, and the checks that we run ourselves, are none of it.
fn is_news(record: &Record) -> bool {
    match record.what {
        What::Edit { .. } => true,
        What::Command { .. } => !record.call.as_deref().is_some_and(|call| call.starts_with(OWN_CALL)),
        // What a subagent did has records of its own.
        What::Turn { .. } | What::Stop { .. } | What::Subagent { .. } => false,
    }
}

#[cfg(test)]
mod tests;
