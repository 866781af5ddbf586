//! `cargo xtask generate`: documents made from data, as hookguard itself prints it: the agents' profiles, the rules,
//! the schema of its configuration.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use crate::workspace::{Workspace, print};

const BOOK: &str = "docs/agents.md";
const RULES: &str = "docs/rules.md";
const SCHEMA: &str = "hookguard.schema.json";
const README: &str = "README.md";
const JUDGES: &str = "docs/judges.md";

/// Write what is made from data.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing: fail if a document is not what would be written
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let workspace = Workspace::load()?;
    if arguments.check {
        let stale = stale(&workspace)?;
        ensure!(stale.is_empty(), "{} must be written anew: cargo xtask generate", stale.join(" and "));
        return Ok(());
    }
    for (path, text) in documents(&workspace)? {
        let file = workspace.root().join(path);
        if std::fs::read_to_string(&file).ok().as_deref() != Some(&text) {
            std::fs::write(&file, text).with_context(|| format!("failed to write {path}"))?;
            print(path);
        }
    }
    Ok(())
}

/// The documents that are not what would be written.
pub(crate) fn stale(workspace: &Workspace) -> anyhow::Result<Vec<&'static str>> {
    let documents = documents(workspace)?;
    Ok(documents
        .into_iter()
        .filter(|(path, text)| workspace.read(path).ok().as_deref() != Some(text))
        .map(|(path, _)| path)
        .collect())
}

fn documents(workspace: &Workspace) -> anyhow::Result<Vec<(&'static str, String)>> {
    let binary = workspace.build(false)?;
    let agents: Vec<Agent> = serde_json::from_slice(&printed(&binary, ["agents", "--json"])?)
        .context("failed to read what hookguard agents prints")?;
    let rules = String::from_utf8(printed(&binary, ["rules", "--markdown"])?)?;
    let readme = workspace.read(README)?;
    let schema = String::from_utf8(printed(&binary, ["config", "schema"])?)?;
    let facts = String::from_utf8(printed(&binary, ["judge", "facts", "--markdown"])?)?;
    let judges = workspace.read(JUDGES)?;
    Ok(vec![
        (BOOK, book(&agents)),
        (RULES, rules),
        (SCHEMA, schema),
        (README, with_block(README, &readme, "agents", &table(&agents))?),
        (JUDGES, with_block(JUDGES, &judges, "facts", &facts)?),
    ])
}

/// What hookguard prints.
fn printed<const N: usize>(binary: &Path, arguments: [&str; N]) -> anyhow::Result<Vec<u8>> {
    let done = Command::new(binary).args(arguments).output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "hookguard {} says {said}", arguments.join(" "));
    Ok(done.stdout)
}

/// `document` with what stands between the marks of `name` made anew.
fn with_block(path: &str, document: &str, name: &str, block: &str) -> anyhow::Result<String> {
    let (begin, end) = (format!("<!-- {name}: made by `cargo xtask generate` -->"), format!("<!-- /{name} -->"));
    let parts = document.split_once(&begin).and_then(|(head, rest)| Some((head, rest.split_once(&end)?.1)));
    let Some((head, tail)) = parts else { bail!("{path} lacks {begin} or {end}") };
    Ok(format!("{head}{begin}\n{block}{end}{tail}"))
}

/// A profile, as far as documents speak of it.
#[derive(Debug, Deserialize)]
struct Agent {
    id: String,
    name: String,
    source: Source,
    home_variable: Option<String>,
    events: Vec<Event>,
    settings: Vec<Place>,
    trusting: Option<Trusting>,
    unhooked: Vec<Unhooked>,
}

#[derive(Debug, Deserialize)]
struct Source {
    agent_version: String,
    verified_on: String,
}

#[derive(Debug, Deserialize)]
struct Event {
    native: String,
    kind: String,
    registered: Option<Registered>,
    effects: Effects,
    by_class: Vec<(String, Effects)>,
    reactions: Reactions,
}

#[derive(Debug, Deserialize)]
struct Registered {
    timeout: Timeout,
    block_on_failure: bool,
}

#[derive(Debug, Deserialize)]
struct Timeout {
    value: u32,
    unit: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Support {
    No,
    Yes,
    Attended,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Effects {
    deny: Support,
    ask: Support,
    rewrite: Support,
    context: Support,
    feedback: Support,
    resume: Support,
    note: Support,
}

#[derive(Debug, Deserialize)]
struct Reactions {
    crash: String,
    timeout: String,
    missing: String,
}

#[derive(Debug, Deserialize)]
struct Place {
    scope: String,
    folder: String,
    path: String,
}

#[derive(Debug, Deserialize)]
struct Trusting {
    until: String,
    how: String,
}

#[derive(Debug, Deserialize)]
struct Unhooked {
    what: String,
    advice: String,
}

impl Agent {
    /// The registered events of a kind.
    fn registered(&self, kind: &str) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.kind == kind && event.registered.is_some())
    }

    /// What works at the main event of a kind, for any tool.
    fn best(&self, kind: &str, of: fn(&Effects) -> Support) -> Support {
        let all = self.registered(kind).flat_map(|event| {
            std::iter::once(&event.effects).chain(event.by_class.iter().map(|(_, effects)| effects)).map(of)
        });
        all.fold(Support::No, |best, next| match (best, next) {
            (Support::Yes, _) | (_, Support::Yes) => Support::Yes,
            (Support::Attended, _) | (_, Support::Attended) => Support::Attended,
            _ => Support::No,
        })
    }
}

fn mark(support: Support) -> &'static str {
    match support {
        Support::No => "–",
        Support::Yes => "yes",
        Support::Attended => "while you are there",
    }
}

/// The README's table: an agent a line.
fn table(agents: &[Agent]) -> String {
    let mut out = String::from(
        "| agent | refuses | asks you | rewrites | tells the model after a tool | keeps it from stopping | seen with |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for agent in agents {
        let cells = [
            mark(agent.best("pre_tool", |effects| effects.deny)),
            mark(agent.best("pre_tool", |effects| effects.ask)),
            mark(agent.best("pre_tool", |effects| effects.rewrite)),
            mark(agent.best("post_tool", |effects| effects.feedback)),
            mark(agent.best("stop", |effects| effects.resume)),
        ];
        line(&mut out, &format!("| {} | {} | {} |", agent.name, cells.join(" | "), agent.source.agent_version));
    }
    out
}

/// The page for users: an agent a section, with what it can't.
fn book(agents: &[Agent]) -> String {
    let mut out = String::from(
        "<!-- Made by `cargo xtask generate` from the agents' profiles (adapters/*/src/profile.rs). Do not edit. -->\n\n\
         # Agents\n\n\
         What hookguard can do in each agent, and what it can't. Everything here was seen in a run of the version that is\n\
         named; another version may differ. `hookguard agents` prints the same.\n\n\
         An agent that can't ask gets a refusal that has the model turn to you; one that can't rewrite, a refusal that shows\n\
         the replacement; what can't be told to the model at once waits for the next chance.\n\n",
    );
    out.push_str(&table(agents));
    for agent in agents {
        section(&mut out, agent);
    }
    out
}

fn section(out: &mut String, agent: &Agent) {
    let Agent { name, id, source, .. } = agent;
    line(out, &format!("\n## {name}\n"));
    line(out, &format!("`{id}`, version {} on {}.\n", source.agent_version, source.verified_on));
    if let Some(trusting) = &agent.trusting {
        line(out, &format!("**Trust**: {}. {}\n", trusting.until, trusting.how));
    }
    line(out, "Settings files that hookguard reads; `hookguard install` writes the first:\n");
    for place in &agent.settings {
        let base = if place.scope == "user" { "~/" } else { "" };
        let moved = match &agent.home_variable {
            Some(variable) if place.scope == "user" => format!(" (`${variable}/{}` where that is set)", place.path),
            _ => String::new(),
        };
        line(out, &format!("- {}: `{base}{}/{}`{moved}", place.scope, place.folder, place.path));
    }
    line(
        out,
        "\n| event | is | an answer can | time-out | if hookguard is gone, killed or too late |\n|---|---|---|---|---|",
    );
    for event in agent.events.iter().filter(|event| event.registered.is_some()) {
        line(out, &row(event));
    }
    let unused: Vec<String> = agent
        .events
        .iter()
        .filter(|event| event.registered.is_none())
        .map(|event| format!("`{}`", event.native))
        .collect();
    if !unused.is_empty() {
        line(out, &format!("\nKnown and not registered: {}.", unused.join(", ")));
    }
    if !agent.unhooked.is_empty() {
        line(out, "\nNever seen by a hook:\n");
        for unhooked in &agent.unhooked {
            line(out, &format!("- {}: {}", unhooked.what, unhooked.advice));
        }
    }
}

fn row(event: &Event) -> String {
    let before = matches!(event.kind.as_str(), "pre_tool" | "permission_request");
    let mut can = vec![words(&event.effects, before)];
    can.extend(event.by_class.iter().map(|(class, effects)| format!("for {class}: {}", words(effects, before))));
    let (timeout, blocks) = event.registered.as_ref().map_or((String::new(), false), |registered| {
        (format!("{} {}", registered.timeout.value, registered.timeout.unit), registered.block_on_failure)
    });
    let Reactions { crash, timeout: late, missing } = &event.reactions;
    let fails = if crash == late && late == missing {
        format!("the agent {}", reaction(crash))
    } else {
        let (crash, late, missing) = (reaction(crash), reaction(late), reaction(missing));
        format!("crashed: the agent {crash}; too late: {late}; not there: {missing}")
    };
    let switch = if blocks { " (as its entry says)" } else { "" };
    format!(
        "| `{}` | {} | {} | {timeout} | {fails}{switch} |",
        event.native,
        event.kind.replace('_', " "),
        can.join("; ")
    )
}

fn reaction(word: &str) -> &str {
    match word {
        "proceeds" => "goes on",
        "blocks" => "refuses",
        "loops" => "goes on and on",
        other => other,
    }
}

fn words(effects: &Effects, before: bool) -> String {
    let Effects { deny, ask, rewrite, context, feedback, resume, note } = *effects;
    let able: Vec<String> = [
        // After a tool there is nothing left to refuse; the model is told instead.
        ("refuse", if before { deny } else { Support::No }),
        ("ask you", ask),
        ("rewrite", rewrite),
        ("tell the model", context),
        ("tell the model about the result", feedback),
        ("keep it from stopping", resume),
        ("show you a note", note),
    ]
    .into_iter()
    .filter(|(_, support)| *support != Support::No)
    .map(
        |(word, support)| {
            if support == Support::Attended { format!("{word} (while you are there)") } else { word.to_owned() }
        },
    )
    .collect();
    if able.is_empty() { "only be logged".to_owned() } else { able.join(", ") }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string can't fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_replaced_and_nothing_else() {
        let marks = ("<!-- x: made by `cargo xtask generate` -->", "<!-- /x -->");
        let document = format!("a\n{}\nold\n{}\nb\n", marks.0, marks.1);
        let made = with_block("d", &document, "x", "new\n").unwrap();
        assert_eq!(made, format!("a\n{}\nnew\n{}\nb\n", marks.0, marks.1));
        assert_eq!(with_block("d", &made, "x", "new\n").unwrap(), made);
        assert!(with_block("d", "nothing", "x", "y").is_err());
    }
}
