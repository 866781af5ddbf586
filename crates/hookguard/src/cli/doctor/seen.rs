//! When each event was last seen: an agent that is registered and still never calls is the fault that nobody notices.

use std::collections::BTreeMap;

use hookguard_adapter::Adapter;
use hookguard_core::EventKind;

use super::canary;
use super::finding::Finding;
use crate::cli::log::{day, read};
use crate::surroundings::Surroundings;

const CHECK: &str = "seen";

/// One finding for all events that are registered: which were seen, when, and which never in the time that the log is kept.
pub(super) fn of(adapter: &dyn Adapter, surroundings: &Surroundings) -> Vec<Finding> {
    let profile = adapter.profile();
    let registered = || profile.events.iter().filter(|row| row.registered.is_some());
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    let wanted = registered().count();
    // The youngest day first: most agents are done after one.
    for file in read::files(surroundings).into_iter().rev() {
        let _ = read::each_line(&file, |line| {
            let Some(entry) = read::Line::parse(line) else { return };
            if entry.agent == profile.id && entry.session.as_deref() != Some(canary::SESSION) {
                let at = last.entry(entry.event.to_string()).or_default();
                *at = (*at).max(entry.t);
            }
        });
        if registered().filter(|row| last.contains_key(row.native)).count() == wanted {
            break;
        }
    }
    let (seen, never): (Vec<_>, Vec<_>) = registered().partition(|row| last.contains_key(row.native));
    if seen.is_empty() {
        return vec![Finding::warning(
            CHECK,
            format!("no call of {} has ever come in", profile.name),
            format!(
                "start a new session of {} (hooks are read at its start), have it run `ls`, and look again",
                profile.name
            ),
        )];
    }
    let when = |native: &str| day::shown(last.get(native).copied().unwrap_or_default());
    let mut findings: Vec<Finding> =
        seen.iter().map(|row| Finding::ok(CHECK, format!("{}: last at {}", row.native, when(row.native)))).collect();
    // Some come rarely (a failure, a subagent); but what runs before a tool comes with what runs after it.
    let saw = |kind| seen.iter().any(|row| row.kind == kind);
    let only_after = saw(EventKind::PostTool) && !saw(EventKind::PreTool);
    for row in never {
        let what = format!("{}: never in the last {} days", row.native, crate::state::retention::DAYS);
        findings.push(if row.kind == EventKind::PreTool && only_after {
            Finding::broken(
                CHECK,
                format!("{what}, although tools have run"),
                "start a new session; then see `hookguard status`",
            )
        } else {
            Finding::ok(CHECK, what)
        });
    }
    findings
}
