//! What the guard asks of others before a tool, where the configuration says so: of the session's record, whether something was
//! verified (`verified_before`), and of a judge, whether a question to the human is needed (`[guard] judge`).
//!
//! The record only makes things stricter. A judge can turn a question into no opinion, for the rules that the user has named;
//! whatever fails leaves the question.

use std::time::Instant;

use hookguard_adapter::Adapter;
use hookguard_config::{Judges, Policy};
use hookguard_core::{Decision, Event, EventKind, Mode, ToolCall, Verdict};
use hookguard_judge::facts::Share;
use hookguard_judge::turn::{Command, Deed};
use hookguard_judge::{Fact, Facts, Turn, facts};
use hookguard_policy::Outcome;

use crate::judge::Says;
use crate::judge::bench::verification;
use crate::judge::panel::Panel;
use crate::ledger;
use crate::pipeline::Place;
use crate::state::session;
use crate::{config, surroundings};

/// How long a judge may take before a tool: the agent's own time-out is 10 s.
const JUDGE_MS: u64 = 6_000;

/// Asks what is to be asked about a call. Gives notes for people.
pub(super) fn settle(
    adapter: &dyn Adapter,
    event: &Event<'_>,
    place: &Place<'_>,
    policy: &Policy,
    until: Instant,
    outcome: &mut Outcome,
) -> Vec<String> {
    if event.kind != EventKind::PreTool {
        return Vec::new();
    }
    let judges = policy.judges();
    let mut notes = Vec::new();
    if outcome.verdict.decision < Decision::Ask
        && let Some(verdict) = unverified(adapter, event, place, &judges)
    {
        outcome.verdict = verdict;
    }
    if may_be_judged(outcome, &judges) {
        notes.extend(released(adapter, event, place, &judges, until, outcome));
    }
    notes
}

/// What has happened in the session, as far as it is recorded; none where there is no record.
fn session(adapter: &dyn Adapter, event: &Event<'_>, place: &Place<'_>) -> Option<Turn> {
    let folder = session::folder(place.surroundings, event)?;
    let (Ok(turn) | Err(turn)) = ledger::completed(ledger::session(&folder)?, adapter, event);
    Some(turn.judged(place.root.as_deref()))
}

/// A question about a command that shares what nothing has verified.
fn unverified(adapter: &dyn Adapter, event: &Event<'_>, place: &Place<'_>, judges: &Judges) -> Option<Verdict> {
    let Some(ToolCall::Shell { command, .. }) = &event.tool else { return None };
    let named = |share: &Share| judges.verified_before.iter().any(|name| *name == share.to_string());
    let share = hookguard_judge::facts::shares(command).into_iter().find(named)?;
    let verification = verification(judges);
    if let Some(turn) = session(adapter, event, place) {
        let found = facts(&turn, &verification);
        let excused = [Fact::Verified, Fact::NoCodeEdited, Fact::VerificationWaived];
        if excused.into_iter().any(|fact| found.hold(fact)) || verifies_itself(turn, command, &verification) {
            return None;
        }
    }
    Some(Verdict {
        decision: Decision::Ask,
        rule: format!("verified_before.{share}").into(),
        reason: "the session's record shows no verification that went well after the last edit of code.".into(),
        instead: "run the tests that cover the edit, look at the result, and try again.".into(),
        evidence: command.clone(),
        ..Verdict::none()
    })
}

/// Whether the command itself verifies what it then shares: `make test && git commit`.
fn verifies_itself(mut turn: Turn, command: &str, verification: &hookguard_judge::Verification) -> bool {
    turn.deeds
        .retain(|deed| !matches!(deed, Deed::Command(ran) if !hookguard_judge::facts::shares(&ran.command).is_empty()));
    let ran = Command { command: command.to_owned(), exit: Some(0), ok: Some(true), ..Command::default() };
    turn.deeds.push(Deed::Command(ran));
    !facts(&turn, verification).hold(Fact::SharedUnverified)
}

/// Whether a judge may answer in the human's place: all that asks is named by the user, and nothing of it is the guard's own.
fn may_be_judged(outcome: &Outcome, judges: &Judges) -> bool {
    let named = |rule: &str| {
        !rule.starts_with("guard.")
            && judges.guard_rules.iter().any(|name| match name.strip_suffix('*') {
                Some(above) => above.ends_with('.') && rule.starts_with(above),
                None => name == rule,
            })
    };
    outcome.mode == Mode::Enforce
        && outcome.verdict.decision == Decision::Ask
        && named(&outcome.verdict.rule)
        && outcome.findings.iter().all(|finding| finding.decision < Decision::Ask || named(finding.rule))
}

/// Puts the question to a judge, which may let the call pass. Gives a note for the log where it was asked.
fn released(
    adapter: &dyn Adapter,
    event: &Event<'_>,
    place: &Place<'_>,
    judges: &Judges,
    until: Instant,
    outcome: &mut Outcome,
) -> Option<String> {
    if surroundings::in_a_judge() {
        return None;
    }
    let subject = crate::state::decision_log::subject(event.tool.as_ref()?)?;
    // Without the user's request nothing was requested.
    let prompt = session(adapter, event, place)?.prompt?;
    let verdict = &outcome.verdict;
    let text = format!(
        "The user's request:\n{prompt}\n\nThe call that waits:\n{subject}\n\nWhy the guard asks [{}]: {}",
        verdict.rule, verdict.reason
    );
    let settings = Judges { deadline_ms: judges.deadline_ms.min(JUDGE_MS), ..judges.clone() };
    let panel = Panel { settings: &settings, state: config::state(place.surroundings, place.root.as_deref()) };
    let file = hookguard_judge::judge::guard().ok()?;
    let guard = hookguard_judge::judge::judge(&file).ok()?;
    let asked = panel.ask(&[&guard], &text, &Facts::unknown(), until);
    let ruling = asked.rulings.first()?;
    let by = asked.backend.as_deref().unwrap_or("nobody");
    if ruling.says != Says::Violation {
        return Some(format!("a judge was asked ({by}) and left the question"));
    }
    let Verdict { rule, evidence, feedback, .. } = std::mem::take(&mut outcome.verdict);
    outcome.verdict = Verdict { rule, evidence, feedback, ..Verdict::allow() };
    Some(format!("a judge ({by}) found that the user asked for just this and that it can be undone"))
}
