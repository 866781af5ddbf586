//! `hookguard config show`: the values that count, and where each was set.

use std::fmt::Write;

use hookguard_config::{Judging, Origin, Valued};
use serde_json::{Value, json};

use crate::cli::output::print;
use crate::cli::{exit, settings};
use crate::config::{self, Read};
use crate::surroundings::Surroundings;

/// One value of the configuration.
struct Row {
    /// The table it stands in; empty at the top.
    table: &'static str,
    /// As it would stand in a file.
    line: String,
    /// Where it was set; none for a built-in value.
    origin: Option<String>,
}

pub(super) fn run(origin: bool, all: bool, as_json: bool) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let read = config::read(&surroundings, settings::project(&surroundings).as_deref());
    let rows = rows(&read, all);
    print(&if as_json { serde_json::to_string_pretty(&as_value(&read, &rows))? } else { text(&read, &rows, origin)? })?;
    Ok(exit::OK)
}

/// `file:line:column`.
fn named(read: &Read, origin: &Origin) -> String {
    format!("{}:{}", read.path(origin.layer).display(), read.stack.place(origin))
}

fn rows(read: &Read, all: bool) -> Vec<Row> {
    let stack = &read.stack;
    let mut rows = Vec::new();
    let mut add = |table, line, origin: Option<&Origin>| {
        if all || origin.is_some() || str::is_empty(table) {
            rows.push(Row { table, line, origin: origin.map(|origin| named(read, origin)) });
        }
    };
    add("", format!("mode = \"{}\"", stack.mode.value), stack.mode.origin.as_ref());
    for (name, Valued { value, origin }) in &stack.lists {
        add("[lists]", format!("{name} = {}", array(value)), origin.as_ref());
    }
    for (id, Valued { value, origin }) in &stack.levels {
        add("[rules]", format!("\"{id}\" = \"{value}\""), origin.as_ref());
    }
    for (except, origin) in &stack.excepts {
        let parts =
            [("command", &except.command), ("path", &except.path), ("program", &except.program), ("sub", &except.sub)];
        let given = parts.iter().filter_map(|(key, value)| Some(format!("{key} = {}", quoted(value.as_deref()?))));
        let line = format!("\"{}\": {}; {}", except.rule, given.collect::<Vec<_>>().join(", "), except.reason);
        add("[[except]]", line, Some(origin));
    }
    for (rule, origin) in &stack.rules {
        add("[[rule]]", format!("\"{}\": {}", rule.id, rule.reason), Some(origin));
    }
    for (policy, origin) in &stack.policies {
        add("[[policy]]", format!("\"{}\" on {}: {}", policy.id, policy.on, quoted(&policy.command)), Some(origin));
    }
    for (check, origin) in &stack.checks {
        add("[[stop.check]]", format!("\"{}\": {}", check.id, quoted(&check.command)), Some(origin));
    }
    judging(&stack.judging, &mut add);
    rows
}

/// What is said of judges.
fn judging(judging: &Judging, add: &mut impl FnMut(&'static str, String, Option<&Origin>)) {
    let Judging { backends, deadline_ms, on_prose, sample_percent, guard, .. } = judging;
    add("[judge]", format!("backends = {}", array(&backends.value)), backends.origin.as_ref());
    add("[judge]", format!("deadline_ms = {}", deadline_ms.value), deadline_ms.origin.as_ref());
    add("[judge]", format!("on_prose = \"{}\"", on_prose.value), on_prose.origin.as_ref());
    add("[judge]", format!("sample_percent = {}", sample_percent.value), sample_percent.origin.as_ref());
    for (file, origin) in &judging.files {
        add("[judge]", format!("files: {}", quoted(file)), Some(origin));
    }
    for (judge, mode) in &judging.modes {
        add("[judge.mode]", format!("{judge} = \"{}\"", mode.value), mode.origin.as_ref());
    }
    for (kind, origin) in &judging.required {
        add("[judge.verification]", format!("required: {kind}"), Some(origin));
    }
    for (own, origin) in &judging.verification {
        add("[judge.verification]", format!("command: {} is {}", quoted(&own.command), own.kind), Some(origin));
    }
    for (backend, origin) in &judging.defined {
        let model = backend.model().map(|model| format!(", model {model}")).unwrap_or_default();
        add("[[judge.backend]]", format!("\"{}\": {}{model}", backend.name(), backend.kind), Some(origin));
    }
    add("[guard]", format!("judge = {}", guard.value), guard.origin.as_ref());
    for (rule, origin) in &judging.guard_rules {
        add("[guard]", format!("judge_rules: \"{rule}\""), Some(origin));
    }
    for (what, origin) in &judging.verified_before {
        add("[guard]", format!("verified_before: \"{what}\""), Some(origin));
    }
}

fn array(names: &[String]) -> String {
    format!("[{}]", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", "))
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// What does not count, each with its place and why.
fn held(read: &Read) -> Vec<(String, String, String)> {
    let of = |held: &hookguard_config::Held| (named(read, &held.origin), held.what.clone(), held.why.to_string());
    read.stack.held.iter().map(of).collect()
}

fn text(read: &Read, rows: &[Row], origin: bool) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for file in &read.files {
        let state = match (&file.bytes, &file.fault) {
            (None, _) => "not there",
            (_, Some(_)) if file.replaced => "can't be used; its last good version is",
            (_, Some(_)) => "can't be used",
            _ if read.stack.trusted.contains(&file.layer) => "in use, trusted",
            _ => "in use",
        };
        writeln!(out, "# {:<8} {}: {state}", file.layer.to_string(), file.path.display())?;
    }
    let width = rows.iter().map(|row| row.line.chars().count()).max().unwrap_or(0).min(70);
    let mut table = "";
    for row in rows {
        if row.table != table {
            writeln!(out, "\n{}", row.table)?;
            table = row.table;
        }
        match origin {
            true => writeln!(out, "{:<width$}  # {}", row.line, row.origin.as_deref().unwrap_or("built in"))?,
            false => writeln!(out, "{}", row.line)?,
        }
    }
    let held = held(read);
    if !held.is_empty() {
        writeln!(out, "\n# Does not count:")?;
    }
    for (place, what, why) in held {
        writeln!(out, "# {place}: {what}: {why}")?;
    }
    Ok(out)
}

fn as_value(read: &Read, rows: &[Row]) -> Value {
    let files = read.files.iter().map(|file| {
        json!({
            "layer": file.layer,
            "path": file.path,
            "there": file.bytes.is_some(),
            "fault": file.fault.as_ref().map(config::with_hint),
            "last_good_used": file.replaced,
            "trusted": read.stack.trusted.contains(&file.layer),
        })
    });
    let values = rows.iter().map(|row| json!({ "table": row.table, "value": row.line, "origin": row.origin }));
    let held = held(read);
    let held = held.iter().map(|(place, what, why)| json!({ "place": place, "what": what, "why": why }));
    json!({
        "files": files.collect::<Vec<_>>(),
        "values": values.collect::<Vec<_>>(),
        "held": held.collect::<Vec<_>>(),
    })
}
