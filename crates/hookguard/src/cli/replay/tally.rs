//! What came of it: counts, in bounded memory.

use std::collections::{BTreeMap, HashSet};

use hookguard_core::Decision;

use super::frequent::Frequent;

/// How many calls and sessions are remembered, to know them again. Beyond, a copy counts as a call of its own.
const MAX_KNOWN: usize = 2_000_000;

/// A verdict, as far as it is counted; by default it is silence.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Verdict {
    pub(super) decision: Decision,
    pub(super) rule: String,
}

/// How often each of the decisions fell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Decisions {
    pub(super) warn: u64,
    pub(super) ask: u64,
    pub(super) deny: u64,
}

impl Decisions {
    fn add(&mut self, decision: Decision) {
        match decision {
            Decision::Warn => self.warn += 1,
            Decision::Ask => self.ask += 1,
            Decision::Deny => self.deny += 1,
            Decision::None | Decision::Allow => {}
        }
    }

    pub(super) fn plus(self, other: Decisions) -> Decisions {
        Decisions { warn: self.warn + other.warn, ask: self.ask + other.ask, deny: self.deny + other.deny }
    }

    /// How often somebody or something was stopped.
    pub(super) fn interruptions(self) -> u64 {
        self.ask + self.deny
    }
}

/// Calls of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Calls {
    pub(super) count: u64,
    pub(super) decisions: Decisions,
}

/// One agent's part.
#[derive(Debug, Default)]
pub(super) struct OfAgent {
    pub(super) sessions: u64,
    pub(super) calls: u64,
    pub(super) decisions: Decisions,
}

/// What could not be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unread {
    /// Files that can't be opened, or not to their end.
    pub(super) files: u64,
    /// Files that are no transcript of a known agent.
    pub(super) unknown_files: u64,
    /// Lines that are no records.
    pub(super) lines: u64,
    /// Lines that are too long to be kept.
    pub(super) too_long: u64,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) files: u64,
    /// Files in which nothing is young enough.
    pub(super) files_passed: u64,
    pub(super) lines: u64,
    pub(super) unread: Unread,
    pub(super) commands: Calls,
    pub(super) others: Calls,
    /// Texts that were typed into a running process: no hook sees them.
    pub(super) typed: u64,
    /// Calls that stand in several transcripts, beyond the first.
    pub(super) repeated: u64,
    pub(super) agents: BTreeMap<&'static str, OfAgent>,
    /// By rule. A rule has one decision, unless a configuration changes what it says by place.
    pub(super) rules: BTreeMap<String, Decisions>,
    /// Interruptions, by verdict and text.
    pub(super) frequent: Frequent<(Verdict, String)>,
    /// What another policy would have decided, and what this one does, where they differ.
    pub(super) changes: Option<Changes>,
    /// The first and the last call, in milliseconds since 1970 (UTC).
    pub(super) span: Option<(u64, u64)>,
    known: HashSet<u64>,
}

/// Calls on which two policies differ.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// How many go from one verdict to another.
    pub(super) verdicts: BTreeMap<(Verdict, Verdict), u64>,
    pub(super) frequent: Frequent<(Verdict, Verdict, String)>,
    /// What the other policy comes to.
    pub(super) before: Decisions,
}

impl Tally {
    /// Whether this was not seen before.
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        if self.known.len() >= MAX_KNOWN { !self.known.contains(&hash) } else { self.known.insert(hash) }
    }

    /// A call belongs to this session.
    pub(super) fn session(&mut self, agent: &'static str, hash: u64) {
        if self.is_new(hash) {
            self.agents.entry(agent).or_default().sessions += 1;
        }
    }

    pub(super) fn when(&mut self, at: Option<u64>) {
        if let Some(at) = at {
            let (first, last) = self.span.unwrap_or((at, at));
            self.span = Some((first.min(at), last.max(at)));
        }
    }

    /// A call was judged; `shown` is how people are shown it.
    pub(super) fn add(
        &mut self,
        agent: &'static str,
        is_command: bool,
        verdict: &Verdict,
        shown: impl FnOnce() -> String,
    ) {
        let calls = if is_command { &mut self.commands } else { &mut self.others };
        calls.count += 1;
        calls.decisions.add(verdict.decision);
        let of_agent = self.agents.entry(agent).or_default();
        of_agent.calls += 1;
        of_agent.decisions.add(verdict.decision);
        if verdict.decision > Decision::Allow {
            self.rules.entry(verdict.rule.clone()).or_default().add(verdict.decision);
        }
        if verdict.decision >= Decision::Ask {
            self.frequent.add((verdict.clone(), shown()));
        }
    }

    /// The same call was judged by another policy before.
    pub(super) fn compared(&mut self, before: &Verdict, after: &Verdict, shown: impl FnOnce() -> String) {
        let changes = self.changes.get_or_insert_default();
        changes.before.add(before.decision);
        if before != after {
            *changes.verdicts.entry((before.clone(), after.clone())).or_default() += 1;
            changes.frequent.add((before.clone(), after.clone(), shown()));
        }
    }
}
