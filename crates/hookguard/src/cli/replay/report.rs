//! The figures, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use hookguard_core::Decision;
use serde::Serialize;

use super::tally::{Calls, Changes, Decisions, Tally, Verdict};
use crate::agents;
use crate::cli::log::day;
use crate::cli::output::visible;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    files: u64,
    /// Files in which nothing is young enough.
    files_passed: u64,
    sessions: u64,
    /// The first and the last call (UTC).
    from: Option<String>,
    to: Option<String>,
    commands: Line,
    other_calls: Line,
    /// How often somebody is asked or something is refused, per 1,000 commands.
    interruptions_per_1000_commands: Option<f64>,
    agents: Vec<OfAgent>,
    classes: Vec<Class>,
    frequent: Vec<Example>,
    /// What changes from `--against` to the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changed>,
    typed_and_seen_by_no_hook: u64,
    repeated: u64,
    unread: Unread,
}

#[derive(Debug, Serialize)]
struct Line {
    calls: u64,
    warn: u64,
    ask: u64,
    deny: u64,
}

#[derive(Debug, Serialize)]
struct OfAgent {
    agent: &'static str,
    sessions: u64,
    calls: u64,
    warn: u64,
    ask: u64,
    deny: u64,
}

/// All rules whose ids begin alike.
#[derive(Debug, Serialize)]
struct Class {
    class: String,
    warn: u64,
    ask: u64,
    deny: u64,
    rules: Vec<OfRule>,
}

#[derive(Debug, Serialize)]
struct OfRule {
    rule: String,
    warn: u64,
    ask: u64,
    deny: u64,
}

#[derive(Debug, Serialize)]
struct Example {
    count: u64,
    decision: String,
    rule: String,
    /// Redacted, and cut.
    text: String,
}

#[derive(Debug, Serialize)]
struct Changed {
    /// How many calls are decided otherwise.
    calls: u64,
    before: Line,
    verdicts: Vec<Change>,
    frequent: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct Change {
    count: u64,
    before: String,
    before_rule: String,
    after: String,
    after_rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Debug, Serialize)]
struct Unread {
    lines: u64,
    of_lines: u64,
    too_long: u64,
    files: u64,
    unknown_files: u64,
}

impl Report {
    pub(super) fn new(tally: &Tally, top: usize) -> Report {
        let Tally { commands, others, unread, .. } = tally;
        let stopped = commands.decisions.interruptions();
        let time = |at: u64| day::shown(at);
        Report {
            files: tally.files,
            files_passed: tally.files_passed,
            sessions: tally.agents.values().map(|of| of.sessions).sum(),
            from: tally.span.map(|(first, _)| time(first)),
            to: tally.span.map(|(_, last)| time(last)),
            commands: line(*commands),
            other_calls: line(*others),
            interruptions_per_1000_commands: (commands.count > 0)
                .then(|| (stopped as f64 * 10_000.0 / commands.count as f64).round() / 10.0),
            agents: agents(tally),
            classes: classes(&tally.rules),
            frequent: tally.frequent.top(top).into_iter().map(example).collect(),
            changes: tally.changes.as_ref().map(|changes| changed(changes, tally, top)),
            typed_and_seen_by_no_hook: tally.typed,
            repeated: tally.repeated,
            unread: Unread {
                lines: unread.lines,
                of_lines: tally.lines,
                too_long: unread.too_long,
                files: unread.files,
                unknown_files: unread.unknown_files,
            },
        }
    }
}

fn line(calls: Calls) -> Line {
    let Decisions { warn, ask, deny } = calls.decisions;
    Line { calls: calls.count, warn, ask, deny }
}

fn agents(tally: &Tally) -> Vec<OfAgent> {
    let row = |(agent, of): (&&'static str, &super::tally::OfAgent)| {
        let Decisions { warn, ask, deny } = of.decisions;
        OfAgent { agent, sessions: of.sessions, calls: of.calls, warn, ask, deny }
    };
    tally.agents.iter().map(row).collect()
}

/// What was decided by all rules of a class, and by each.
type OfClass<'r> = (Decisions, Vec<(&'r String, Decisions)>);

/// The class with the most interruptions first, and in it the rule.
fn classes(rules: &BTreeMap<String, Decisions>) -> Vec<Class> {
    let mut classes: BTreeMap<&str, OfClass<'_>> = BTreeMap::new();
    for (rule, decisions) in rules {
        let class = rule.split('.').next().unwrap_or_default();
        let (all, of) = classes.entry(class).or_default();
        *all = all.plus(*decisions);
        of.push((rule, *decisions));
    }
    let mut classes: Vec<_> = classes.into_iter().collect();
    classes.sort_by_key(|(_, (all, _))| std::cmp::Reverse((all.interruptions(), all.warn)));
    let row = |(class, (all, mut rules)): (&str, OfClass<'_>)| {
        rules.sort_by_key(|(_, of)| std::cmp::Reverse((of.interruptions(), of.warn)));
        let rule =
            |(rule, of): (&String, Decisions)| OfRule { rule: rule.clone(), warn: of.warn, ask: of.ask, deny: of.deny };
        Class {
            class: class.to_owned(),
            warn: all.warn,
            ask: all.ask,
            deny: all.deny,
            rules: rules.into_iter().map(rule).collect(),
        }
    };
    classes.into_iter().map(row).collect()
}

fn example(((verdict, text), count): (&(Verdict, String), u64)) -> Example {
    Example { count, decision: verdict.decision.to_string(), rule: verdict.rule.clone(), text: text.clone() }
}

fn changed(changes: &Changes, tally: &Tally, top: usize) -> Changed {
    let change = |before: &Verdict, after: &Verdict, text: Option<&String>, count: u64| Change {
        count,
        before: name(before.decision),
        before_rule: before.rule.clone(),
        after: name(after.decision),
        after_rule: after.rule.clone(),
        text: text.cloned(),
    };
    let mut verdicts: Vec<Change> =
        changes.verdicts.iter().map(|((before, after), count)| change(before, after, None, *count)).collect();
    verdicts.sort_by_key(|change| std::cmp::Reverse(change.count));
    let frequent = changes.frequent.top(top);
    Changed {
        calls: changes.verdicts.values().sum(),
        before: line(Calls { count: tally.commands.count + tally.others.count, decisions: changes.before }),
        verdicts,
        frequent: frequent
            .into_iter()
            .map(|((before, after, text), count)| change(before, after, Some(text), count))
            .collect(),
    }
}

fn name(decision: Decision) -> String {
    if decision == Decision::None { "allow".to_owned() } else { decision.to_string() }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = self.commands.calls + self.other_calls.calls;
        write!(f, "{} sessions in {} transcripts, {calls} calls", self.sessions, self.files)?;
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            write!(f, ", from {from} to {to}")?;
        }
        writeln!(f, "\n\n{:34} {:>8} {:>6} {:>6} {:>6}", "", "calls", "warn", "ask", "deny")?;
        for (name, Line { calls, warn, ask, deny }) in
            [("commands", &self.commands), ("files, servers, addresses, others", &self.other_calls)]
        {
            writeln!(f, "{name:34} {calls:>8} {warn:>6} {ask:>6} {deny:>6}")?;
        }
        for OfAgent { agent, sessions, calls, warn, ask, deny } in &self.agents {
            let name = agents::by_id(agent).map_or(*agent, |adapter| adapter.profile().name);
            let name = format!("{name}, {sessions} sessions");
            writeln!(f, "{name:34} {calls:>8} {warn:>6} {ask:>6} {deny:>6}")?;
        }
        if let Some(rate) = self.interruptions_per_1000_commands {
            writeln!(f, "\n{rate} interruptions (ask and deny) per 1,000 commands")?;
        }
        if !self.classes.is_empty() {
            writeln!(f, "\n{:43} {:>6} {:>6} {:>6}", "by class and rule", "warn", "ask", "deny")?;
        }
        for class in &self.classes {
            let Class { class, warn, ask, deny, rules } = class;
            writeln!(f, "{:43} {warn:>6} {ask:>6} {deny:>6}", visible(class))?;
            for OfRule { rule, warn, ask, deny } in rules {
                writeln!(f, "  {:41} {warn:>6} {ask:>6} {deny:>6}", visible(rule))?;
            }
        }
        if !self.frequent.is_empty() {
            writeln!(f, "\nmost frequent")?;
        }
        for Example { count, decision, rule, text } in &self.frequent {
            writeln!(f, "{count:>6} × {decision:<4} {}\n           {}", visible(rule), visible(text))?;
        }
        if let Some(changes) = &self.changes {
            changes.write(f)?;
        }
        self.rest(f)
    }
}

impl Report {
    /// What is no verdict: what was passed over, and what could not be read.
    fn rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unread { lines, of_lines, too_long, files, unknown_files } = self.unread;
        let mut said = Vec::new();
        let mut say = |count: u64, what: &str| {
            if count > 0 {
                said.push(format!("{count} {what}"));
            }
        };
        say(self.typed_and_seen_by_no_hook, "texts were typed into a running process: no hook sees those");
        say(self.repeated, "calls stand in several transcripts and count once");
        say(self.files_passed, "transcripts are older and were passed over");
        say(lines, &format!("of {of_lines} lines could not be read"));
        say(too_long, "lines are too long and were passed over");
        say(files, "files could not be read");
        say(unknown_files, "files are no transcript of a known agent");
        if said.is_empty() { Ok(()) } else { write!(f, "\n{}\n", said.join("\n")) }
    }
}

impl Changed {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { calls, ask, deny, .. } = self.before;
        writeln!(
            f,
            "\n{} of {calls} calls are decided otherwise; before, {ask} were asked and {deny} denied",
            self.calls
        )?;
        for change in self.verdicts.iter().chain(&self.frequent) {
            let Change { count, before, before_rule, after, after_rule, text } = change;
            writeln!(f, "{count:>6} × {before} {} → {after} {}", visible(before_rule), visible(after_rule))?;
            if let Some(text) = text {
                writeln!(f, "           {}", visible(text))?;
            }
        }
        Ok(())
    }
}
