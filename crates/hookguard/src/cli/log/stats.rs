//! `log stats`: the log, counted.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::read::{self, Line};
use super::stats_judges as judges;
use super::{day, select};
use crate::cli::exit;
use crate::cli::output::print;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: select::Filters,
    /// Write it as JSON
    #[arg(long)]
    json: bool,
}

/// More rules than this are not told apart: a log that somebody else wrote must not fill the memory.
const MAX_KINDS: usize = 10_000;

/// The counts.
#[derive(Debug, Default, Serialize)]
struct Stats {
    entries: usize,
    unreadable: usize,
    first: Option<String>,
    last: Option<String>,
    agents: BTreeMap<String, usize>,
    events: BTreeMap<String, usize>,
    decisions: BTreeMap<String, usize>,
    rules: BTreeMap<String, usize>,
    /// What rules found that are only observed.
    observed: BTreeMap<String, usize>,
    /// The judges at stop.
    judges: BTreeMap<String, judges::Judge>,
    /// How long verdicts took, in microseconds.
    micros: Option<Times>,
    #[serde(skip)]
    histogram: Histogram,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Times {
    median: u64,
    p99: u64,
    max: u64,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<u8> {
    let selection = arguments.selection.selection()?;
    let mut stats = Stats::default();
    let (mut first, mut last) = (u64::MAX, 0);
    for file in selection.files(surroundings) {
        let _ = read::each_line(&file, |line| match Line::parse(line) {
            None => stats.unreadable += 1,
            Some(entry) if selection.takes(&entry) => {
                first = first.min(entry.t);
                last = last.max(entry.t);
                stats.add(&entry);
            }
            Some(_) => {}
        });
    }
    if stats.entries > 0 {
        (stats.first, stats.last) = (Some(day::shown(first)), Some(day::shown(last)));
        stats.micros = stats.histogram.times();
        stats.judges.values_mut().for_each(judges::Judge::count);
    }
    print(&if arguments.json { serde_json::to_string_pretty(&stats)? } else { text(&stats)? })?;
    Ok(exit::OK)
}

impl Stats {
    fn add(&mut self, entry: &Line<'_>) {
        judges::add(&mut self.judges, entry);
        // A judge's ruling is a line of its own beside that of its stop.
        if entry.judge.is_some() {
            return;
        }
        self.entries += 1;
        // What was only observed stopped nothing.
        let decision = match &entry.mode {
            Some(_) => Cow::Owned(format!("{} (only observed)", entry.decision)),
            None => entry.decision.clone(),
        };
        for (counts, name) in [
            (&mut self.agents, &entry.agent),
            (&mut self.events, &entry.event),
            (&mut self.decisions, &decision),
            (&mut self.rules, &entry.rule),
        ] {
            if let Some(count) = counts.get_mut(name.as_ref()) {
                *count += 1;
            } else if !name.is_empty() && counts.len() < MAX_KINDS {
                counts.insert(name.to_string(), 1);
            }
        }
        if let Some(micros) = entry.micros {
            self.histogram.add(micros);
        }
    }
}

/// Times in classes that are 1/16 of a power of two wide: 4 KB whatever the number of entries.
#[derive(Debug)]
pub(super) struct Histogram {
    classes: Box<[usize; 64 * 16]>,
    count: usize,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { classes: Box::new([0; 64 * 16]), count: 0, max: 0 }
    }
}

impl Histogram {
    pub(super) fn add(&mut self, micros: u64) {
        self.classes[class(micros)] += 1;
        self.count += 1;
        self.max = self.max.max(micros);
    }

    fn times(&self) -> Option<Times> {
        (self.count > 0).then(|| Times { median: self.quantile(50), p99: self.quantile(99), max: self.max })
    }

    pub(super) fn quantile(&self, percent: usize) -> u64 {
        let rank = (self.count * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let class = self.classes.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        class.map_or(self.max, |class| lower(class).min(self.max))
    }
}

fn class(micros: u64) -> usize {
    if micros < 16 {
        return micros as usize;
    }
    let exponent = 63 - micros.leading_zeros() as usize;
    exponent * 16 + ((micros >> (exponent - 4)) & 15) as usize
}

fn lower(class: usize) -> u64 {
    let (exponent, part) = (class / 16, class as u64 % 16);
    if exponent < 4 { class as u64 } else { (16 + part) << (exponent - 4) }
}

fn text(stats: &Stats) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    match (&stats.first, &stats.last) {
        (Some(first), Some(last)) => writeln!(out, "{} calls, from {first} to {last} (UTC)", stats.entries)?,
        _ => writeln!(out, "no calls")?,
    }
    for (title, counts) in
        [("decisions", &stats.decisions), ("agents", &stats.agents), ("events", &stats.events), ("rules", &stats.rules)]
    {
        if counts.is_empty() {
            continue;
        }
        writeln!(out, "{title}")?;
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
        for (name, count) in counts {
            let share = *count as f64 * 100.0 / stats.entries as f64;
            writeln!(out, "  {count:>8}  {share:>5.1} %  {name}")?;
        }
    }
    judges::text(&stats.judges, &mut out)?;
    if let Some(Times { median, p99, max }) = stats.micros {
        writeln!(out, "time taken: median {median} µs, 99 of 100 within {p99} µs, at most {max} µs")?;
    }
    if stats.unreadable > 0 {
        writeln!(out, "{} lines could not be read", stats.unreadable)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_narrow_and_in_order() {
        let mut before = 0;
        for micros in (0..5_000).chain([1 << 20, (1 << 40) + 12_345, u64::MAX]) {
            let class = class(micros);
            assert!(class >= before, "{micros}");
            before = class;
            let lower = lower(class);
            assert!(lower <= micros && micros - lower <= micros / 16, "{micros} {lower}");
        }
    }

    #[test]
    fn quantiles() {
        let mut histogram = Histogram::default();
        assert!(histogram.times().is_none());
        (1..=100).for_each(|micros| histogram.add(micros));
        let Times { median, p99, max } = histogram.times().unwrap();
        assert!((47..=50).contains(&median) && (93..=99).contains(&p99) && max == 100, "{median} {p99} {max}");
    }
}
