//! Commands of public CI files, Makefiles and READMEs: what everybody runs must not be asked about.

use hookguard_core::{Decision, Event, EventKind, ToolCall};
use hookguard_policy::{Context, decide};

/// Rows of a verdict and a command, see `field/SOURCE.md`.
const ROWS: &str = include_str!("field/commands.tsv");

#[test]
fn what_people_run_is_judged_as_a_careful_reader_would() {
    let context = Context {
        home: Some("/home/dev"),
        user: Some("dev"),
        root: Some("/home/dev/acme"),
        cwd: Some("/home/dev/acme"),
        ..Context::default()
    };
    let rows: Vec<(&str, &str)> =
        ROWS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    assert!(rows.len() > 400, "the rows are there");
    let mut wrong = Vec::new();
    for (expected, command) in rows {
        let mut event = Event::new(EventKind::PreTool, "test", "test", b"");
        event.tool = Some(ToolCall::shell(command));
        let verdict = decide(&event, &context).verdict;
        let got = match verdict.decision {
            Decision::None | Decision::Allow | Decision::Warn => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        };
        if got != expected {
            wrong.push(format!("{command}: {got} by {}, not {expected}", verdict.rule));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
