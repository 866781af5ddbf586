//! `hookguard test`: every rule's examples and the project's own cases, through the path that a real call takes.

use std::path::PathBuf;

use hookguard_core::Decision;
use hookguard_policy::builtin;
use serde::{Deserialize, Serialize};

use super::check::event;
use super::output::{Usage, print};
use super::{exit, settings};
use crate::pipeline::{Place, decide_at};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file with [[test]] cases [default: the project's hookguard.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Only the examples and cases of rules whose id begins so
    #[arg(long, value_name = "ID")]
    rule: Option<String>,
    /// Write the failures as JSON
    #[arg(long)]
    json: bool,
}

/// The part of a hookguard.toml that is read here.
#[derive(Debug, Default, Deserialize)]
struct Cases {
    #[serde(default)]
    test: Vec<Case>,
}

/// One `[[test]]`.
#[derive(Debug, Deserialize)]
struct Case {
    command: String,
    expect: String,
    /// The working directory, below the project's root.
    cwd: Option<String>,
}

/// One that was decided otherwise.
#[derive(Debug, Serialize)]
struct Failure {
    /// Where it stands: a rule's id, or the file.
    of: String,
    command: String,
    expected: String,
    decision: String,
    rule: String,
}

/// Where examples are judged: nobody's machine, so that they mean the same on all of them.
const ROOT: &str = "/home/dev/acme";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let wanted = |id: &str| arguments.rule.as_ref().is_none_or(|prefix| id.starts_with(prefix.as_str()));
    let nowhere =
        Surroundings { home: Some("/home/dev".to_owned()), user: Some("dev".to_owned()), ..Surroundings::default() };
    let (mut count, mut failures) = (0, Vec::new());
    for rule in builtin().iter().filter(|rule| wanted(rule.id)) {
        let lists = [("deny", rule.examples.deny), ("ask", rule.examples.ask), ("allow", rule.examples.allow)];
        for (expected, command) in
            lists.iter().flat_map(|(level, list)| list.iter().map(move |command| (*level, *command)))
        {
            // An example of an MCP call or a fetched address is prose.
            if command.starts_with("# ") {
                continue;
            }
            count += 1;
            failures.extend(judged(rule.id, command, expected, ROOT, ROOT, &nowhere));
        }
    }
    let file = arguments.config.clone().or_else(|| {
        let own = PathBuf::from(settings::project(&surroundings)?).join("hookguard.toml");
        own.is_file().then_some(own)
    });
    if let Some(file) = file.filter(|_| arguments.rule.is_none()) {
        let root = settings::project(&surroundings).unwrap_or_else(|| ROOT.to_owned());
        for Case { command, expect, cwd } in cases(&file)? {
            count += 1;
            let cwd = cwd.map_or_else(|| root.clone(), |below| format!("{root}/{below}"));
            failures.extend(judged(&file.display().to_string(), &command, &expect, &root, &cwd, &surroundings));
        }
    }
    print(&if arguments.json { serde_json::to_string_pretty(&failures)? } else { text(count, &failures) })?;
    Ok(if failures.is_empty() { exit::OK } else { exit::DENIED })
}

fn cases(file: &PathBuf) -> anyhow::Result<Vec<Case>> {
    let failed = |why: String| Usage(format!("failed to read {}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    let cases: Cases = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    if let Some(case) = cases.test.iter().find(|case| !["allow", "warn", "ask", "deny"].contains(&case.expect.as_str()))
    {
        return Err(failed(format!("expect = {:?}: it is allow, warn, ask or deny", case.expect)).into());
    }
    Ok(cases.test)
}

fn judged(
    of: &str,
    command: &str,
    expected: &str,
    root: &str,
    cwd: &str,
    surroundings: &Surroundings,
) -> Option<Failure> {
    let event = event(command, Some(cwd.to_owned()));
    let place = Place { surroundings, root: Some(root.to_owned()), look: false, settings: &hookguard_policy::BUILTIN };
    let verdict = decide_at(&event, &place).verdict;
    let decision = match verdict.decision {
        Decision::None | Decision::Allow => "allow".to_owned(),
        other => other.to_string(),
    };
    (decision != expected).then(|| Failure {
        of: of.to_owned(),
        command: command.to_owned(),
        expected: expected.to_owned(),
        decision,
        rule: verdict.rule.to_string(),
    })
}

fn text(count: usize, failures: &[Failure]) -> String {
    let mut out = String::new();
    for Failure { of, command, expected, decision, rule } in failures {
        let by = if rule.is_empty() { String::new() } else { format!(" by {rule}") };
        out.push_str(&format!("FAILED  {of}: {command}\n        expected {expected}, decided {decision}{by}\n"));
    }
    out + &format!("{} passed, {} failed\n", count - failures.len(), failures.len())
}
