//! What hookguard knows of a turn at its end, counted against what is true.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, ensure};
use hookguard_integration::Sandbox;
use hookguard_integration::agents::Agent;
use serde_json::Value;

use super::steps::{Fact, Kind, Step};

/// What it is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// The ledger: what hooks were told.
    Ledger,
    /// The ledger, completed from the agent's transcript, as at a stop.
    Both,
    /// The transcript alone: no event was seen.
    Transcript,
}

impl Source {
    pub(super) const ALL: [Source; 3] = [Source::Ledger, Source::Both, Source::Transcript];
}

/// The records of the turn that has ended, as hookguard saw them at the stop.
pub(super) fn at_stop(agent: Agent, sandbox: &Sandbox, source: Source) -> anyhow::Result<Vec<Value>> {
    let kept = sandbox.home().join("kept");
    let stop: Value = serde_json::from_slice(&std::fs::read(kept.join("stop.json")).context("no stop was seen")?)?;
    let session = stop["session_id"].as_str().context("the stop names no session")?;
    // The session's end has removed it.
    let state = sandbox.state().join("session");
    let _ = std::fs::remove_dir_all(&state);
    if source != Source::Transcript {
        sandbox.program("cp").arg("-r").arg(kept.join("session")).arg(&state).run()?.success()?;
    }
    let (agent, transcript) = (agent.to_string(), kept.join("transcript.jsonl"));
    let mut show = sandbox.hookguard(["log", "turn", &agent, session, "--json"])?;
    if source != Source::Ledger {
        show = show.arg("--transcript").arg(transcript);
    }
    let mut known: Value = serde_json::from_str(&show.run()?.success()?)?;
    match known["records"].take() {
        Value::Array(records) => Ok(records),
        _ => anyhow::bail!("no records"),
    }
}

/// How much was known of one kind of things.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    /// Seen, with the right result.
    knew: usize,
    /// Seen, without a result.
    unknown: usize,
    missed: usize,
    /// Seen with another result than it had, or seen and did not happen.
    wrong: usize,
}

/// The count of all runs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<(Kind, Source), Count>,
    runs: usize,
    /// What was missed or wrong or in another order than it happened, for whoever reads a failure.
    faults: Vec<(Source, String)>,
    disorder: Vec<(Source, String)>,
}

impl Tally {
    pub(super) fn count(&mut self, source: Source, steps: &[Step], records: &[Value], sandbox: &Sandbox) {
        self.runs += usize::from(source == Source::Ledger);
        let mut free: Vec<bool> = records.iter().map(happens).collect();
        let mut last_step = 0;
        for step in steps {
            let count = self.counts.entry((step.kind, source)).or_default();
            let (mut first, mut end) = (usize::MAX, last_step);
            for fact in &step.facts {
                // From where the step before ended, so that what is done twice is told apart; elsewhere only if not there.
                let same = |at: &usize| free[*at] && fact.is(&records[*at], sandbox);
                let found = (last_step..records.len()).find(same).or_else(|| (0..records.len()).find(same));
                match found {
                    Some(at) => {
                        free[at] = false;
                        (first, end) = (first.min(at), end.max(at));
                        match fact.agrees(&records[at]) {
                            Some(true) => count.knew += 1,
                            None => count.unknown += 1,
                            Some(false) => {
                                count.wrong += 1;
                                self.faults.push((source, format!("wrong: {fact:?}: {}", records[at])));
                            }
                        }
                    }
                    None => {
                        count.missed += 1;
                        self.faults.push((source, format!("missed: {fact:?}")));
                    }
                }
            }
            if first < last_step {
                self.disorder.push((source, format!("{:?} stands before the step before it: {records:#?}", step.kind)));
            }
            last_step = end;
        }
        for at in (0..records.len()).filter(|at| free[*at]) {
            let text = records[at].to_string();
            let kind = steps.iter().find(|step| step.left_no(&text)).map_or(Kind::Quick, |step| step.kind);
            self.counts.entry((kind, source)).or_default().wrong += 1;
            self.faults.push((source, format!("did not happen: {text}")));
        }
        // What rightly isn't there is known, too.
        for step in steps.iter().filter(|step| step.facts.is_empty()) {
            let claimed = |at: &usize| free[*at] && step.left_no(&records[*at].to_string());
            let count = self.counts.entry((step.kind, source)).or_default();
            count.knew += usize::from((0..records.len()).find(claimed).is_none());
        }
    }

    /// What must hold at a stop: 99 of 100 seen, in order, and no result wrong. The ledger alone has an order of ends in some
    /// agents, and what was announced and then did not run.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        ensure!(self.runs == 20, "{} runs", self.runs);
        for source in [Source::Both, Source::Transcript] {
            let told = |faults: &[(Source, String)]| -> String {
                faults.iter().filter(|(of, _)| *of == source).map(|(_, fault)| format!("{fault}\n")).collect()
            };
            let sum = self.sum(source, |_| true);
            ensure!(sum.wrong == 0, "{source:?}: {} wrong\n{}", sum.wrong, told(&self.faults));
            let disorder = told(&self.disorder);
            ensure!(disorder.is_empty(), "{source:?}: {disorder}");
            let seen = sum.knew + sum.unknown;
            let enough = source != Source::Both || seen * 100 >= (seen + sum.missed) * 99;
            ensure!(enough, "{source:?}: {} missed\n{}", sum.missed, told(&self.faults));
        }
        let ledger = self.sum(Source::Ledger, |kind| !matches!(kind, Kind::RefusedByAnother | Kind::UnfitInHeredoc));
        ensure!(ledger.wrong == 0 && ledger.missed == 0, "the ledger alone: {ledger:?}\n{:#?}", self.faults);
        Ok(())
    }

    fn sum(&self, source: Source, of: fn(Kind) -> bool) -> Count {
        let mut sum = Count::default();
        self.counts
            .iter()
            .filter(|((kind, from), _)| *from == source && of(*kind))
            .for_each(|(_, count)| sum.add(*count));
        sum
    }

    /// The table, in Markdown.
    pub(super) fn table(&self) -> String {
        let mut out = String::from(
            "| what happened | times | the ledger | with the transcript | the transcript alone |\n|---|---|---|---|---|\n",
        );
        let kinds: std::collections::BTreeSet<Kind> = self.counts.keys().map(|(kind, _)| *kind).collect();
        for kind in &kinds {
            let counts = Source::ALL.map(|source| self.counts.get(&(*kind, source)).copied().unwrap_or_default());
            line(&mut out, &kind.to_string(), counts);
        }
        line(&mut out, "**all**", Source::ALL.map(|source| self.sum(source, |_| true)));
        out
    }
}

fn line(out: &mut String, what: &str, counts: [Count; 3]) {
    let times = counts[1].knew + counts[1].unknown + counts[1].missed + counts[1].wrong;
    let [ledger, both, transcript] = counts.map(Count::shown);
    let _ = writeln!(out, "| {what} | {times} | {ledger} | {both} | {transcript} |");
}

impl Count {
    fn add(&mut self, other: Count) {
        self.knew += other.knew;
        self.unknown += other.unknown;
        self.missed += other.missed;
        self.wrong += other.wrong;
    }

    fn shown(self) -> String {
        let parts = [(self.knew, "known"), (self.unknown, "unknown"), (self.missed, "missed"), (self.wrong, "wrong")];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Fact {
    /// Whether the record is about it.
    fn is(&self, record: &Value, sandbox: &Sandbox) -> bool {
        match self {
            Fact::Ran { text, .. } => record["what"] == "command" && record["command"] == text.as_str(),
            Fact::Edited { files, .. } => {
                let path = |file: &String| sandbox.project().join(file).to_string_lossy().into_owned();
                let mut files: Vec<String> = files.iter().map(path).collect();
                let known = record["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let mut known: Vec<&str> = known.collect();
                files.sort_unstable();
                known.sort_unstable();
                record["what"] == "edit" && files == known
            }
        }
    }

    /// Whether the record's result is right; `None` where it has none.
    fn agrees(&self, record: &Value) -> Option<bool> {
        let ok = record["ok"].as_bool()?;
        Some(match self {
            Fact::Ran { exit: None, .. } => false,
            Fact::Ran { exit: Some(code), printed, .. } => {
                let exit = record["exit"].as_i64();
                let tail = record["tail"].as_str().unwrap_or_default();
                ok == (*code == 0) && exit.is_none_or(|exit| exit == i64::from(*code)) && tail.contains(printed)
            }
            Fact::Edited { added, .. } => {
                let mut texts = record["added"].as_array().into_iter().flatten().filter_map(Value::as_str).peekable();
                ok && texts.peek().is_some() && texts.all(|text| text.trim() == *added)
            }
        })
    }
}

/// Whether a record says that something happened: an edit that failed changed nothing.
fn happens(record: &Value) -> bool {
    record["what"] == "command" || (record["what"] == "edit" && record["ok"] != false)
}
