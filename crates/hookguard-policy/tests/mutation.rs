//! Each rule is needed: with it switched off, at least one of its examples is judged otherwise.

use hookguard_core::{Change, Decision, Event, EventKind, FileChange, Level, ToolCall};
use hookguard_policy::{Context, Rule, Settings, builtin, decide};

/// What is decided on `call`, with `rule` or without it.
fn decision(call: &ToolCall, rule: &str, off: bool) -> Decision {
    let levels: Vec<(&str, Level)> = off.then_some((rule, Level::Off)).into_iter().collect();
    let settings = Settings { levels: &levels, ..*<&Settings<'_>>::default() };
    let context = Context {
        home: Some("/home/dev"),
        user: Some("dev"),
        root: Some("/home/dev/acme"),
        cwd: Some("/home/dev/acme"),
        settings: &settings,
        // What is typed later is a matter of one rule.
        unseen_input: rule == "shell.interactive",
        ..Context::default()
    };
    let mut event = Event::new(EventKind::PreTool, "test", "test", b"");
    event.tool = Some(call.clone());
    decide(&event, &context).verdict.decision
}

/// Rules whose examples are no command lines.
fn other_calls(rule: &str) -> Vec<ToolCall> {
    let mcp = |tool: &str| ToolCall::Mcp { server: "s".into(), tool: tool.into(), args: "{}".into() };
    match rule {
        "cloud.tool_delete" => vec![mcp("drop_database")],
        "cloud.tool_change" => vec![mcp("deploy_site")],
        "forge.tool_delete" => vec![mcp("delete_repository")],
        "forge.tool_change" => vec![mcp("merge_pull_request")],
        "secrets.url" => vec![ToolCall::Fetch { url: "https://x.example/?api_key=0123456789abcdef".into() }],
        "lint.settings" => {
            let file = FileChange { path: ".eslintrc.json".into(), change: Change::Update, added: "{}".into() };
            vec![ToolCall::Edit { files: vec![file] }]
        }
        "shell.interactive" => vec![ToolCall::shell("bash")],
        "shell.too_long" => vec![ToolCall::shell(format!("echo {}", "x".repeat(300_000)))],
        _ => Vec::new(),
    }
}

fn needed(rule: &Rule) -> bool {
    let examples = rule.examples.deny.iter().chain(rule.examples.ask).map(|example| ToolCall::shell(*example));
    let mut calls = examples.chain(other_calls(rule.id));
    calls.any(|call| decision(&call, rule.id, false) != decision(&call, rule.id, true))
}

#[test]
fn no_rule_can_be_switched_off_unnoticed() {
    let unproven: Vec<&str> = builtin().iter().filter(|rule| !needed(rule)).map(|rule| rule.id).collect();
    assert!(unproven.is_empty(), "no example of {unproven:?} needs the rule");
    assert!(builtin().len() > 100, "the rules are there");
}
