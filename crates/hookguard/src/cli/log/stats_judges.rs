//! `log stats`, the judges' part: how often each was asked, what it said, how long that took.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::read::Line;
use super::stats::Histogram;

/// More judges than this are not told apart.
const MAX_JUDGES: usize = 1_000;

/// One judge, counted.
#[derive(Debug, Default, Serialize)]
pub(super) struct Judge {
    /// At how many stops it was looked at.
    stops: usize,
    /// How many of them words or facts settled, without a model.
    settled: usize,
    /// How many had a signal.
    signalled: usize,
    /// How many a backend was asked about.
    judged: usize,
    /// How many resumed the agent.
    blocked: usize,
    /// How many left a note.
    advised: usize,
    /// How many failed.
    failed: usize,
    /// How long backends took, in milliseconds: the median, and 95 of 100.
    median_ms: Option<u64>,
    p95_ms: Option<u64>,
    /// By which backend it was answered.
    backends: BTreeMap<String, usize>,
    /// How many secrets were taken out of what was sent, by kind.
    redactions: BTreeMap<String, usize>,
    #[serde(skip)]
    times: Histogram,
}

/// Counts what an entry says of judges.
pub(super) fn add(judges: &mut BTreeMap<String, Judge>, entry: &Line<'_>) {
    for (id, layer) in &entry.judged {
        let Some(judge) = of(judges, id) else { continue };
        judge.stops += 1;
        judge.settled += usize::from(layer != "judge");
        judge.signalled += usize::from(layer != "signal");
    }
    let Some((by, id)) = entry.judge.as_ref().zip(entry.rule.strip_prefix("judge.")) else { return };
    let Some(judge) = of(judges, id) else { return };
    judge.blocked += usize::from(entry.told == "resume");
    judge.advised += usize::from(entry.decision == "advise");
    judge.failed += usize::from(entry.decision == "fail");
    if let Some(asked) = &by.asked {
        judge.judged += 1;
        judge.times.add(asked.ms);
        if let Some(backend) = &asked.backend {
            *judge.backends.entry(backend.clone()).or_default() += 1;
        }
        for (kind, count) in &asked.redactions {
            *judge.redactions.entry(kind.clone()).or_default() += count;
        }
    }
}

fn of<'j>(judges: &'j mut BTreeMap<String, Judge>, id: &str) -> Option<&'j mut Judge> {
    if !judges.contains_key(id) {
        if judges.len() >= MAX_JUDGES {
            return None;
        }
        judges.insert(id.to_owned(), Judge::default());
    }
    judges.get_mut(id)
}

impl Judge {
    /// Works out the times.
    pub(super) fn count(&mut self) {
        if self.judged > 0 {
            (self.median_ms, self.p95_ms) = (Some(self.times.quantile(50)), Some(self.times.quantile(95)));
        }
    }
}

pub(super) fn text(judges: &BTreeMap<String, Judge>, out: &mut String) -> std::fmt::Result {
    if judges.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "judges                           stops  settled  signalled  judged  blocked  advised  failed  median   p95"
    )?;
    for (id, judge) in judges {
        let share = (judge.settled * 100).checked_div(judge.stops).unwrap_or(0);
        let ms = |ms: Option<u64>| ms.map_or(Cow::Borrowed("-"), |ms| format!("{ms} ms").into());
        writeln!(
            out,
            "  {id:<28} {:>7}  {share:>5} %  {:>9}  {:>6}  {:>7}  {:>7}  {:>6}  {:>6}  {:>6}",
            judge.stops,
            judge.signalled,
            judge.judged,
            judge.blocked,
            judge.advised,
            judge.failed,
            ms(judge.median_ms),
            ms(judge.p95_ms)
        )?;
    }
    let redacted: usize = judges.values().flat_map(|judge| judge.redactions.values()).sum();
    if redacted > 0 {
        writeln!(out, "  {redacted} secrets were taken out of what was sent (`--json` tells which kinds)")?;
    }
    Ok(())
}
