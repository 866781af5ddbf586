//! `hookguard demo`: calls of every agent, through the pipeline, with what each agent would see.

use std::fmt::Write;

use anyhow::Context as _;
use hookguard_adapter::{Adapter, HookCall};
use hookguard_core::{Event, EventKind, ToolCall};
use serde_json::Value;

use super::exit;
use super::output::print;
use crate::agents::AGENTS;
use crate::pipeline::{Place, judge};
use crate::surroundings::Surroundings;

/// Real payloads of the agents (their folders say of which version); the demo puts its own command into them. An agent that
/// is not here has its call written by its adapter.
const PAYLOADS: &[(&str, &str)] = &[
    ("claude", include_str!("../../../../adapters/claude/fixtures/PreToolUse-Bash.json")),
    ("codex", include_str!("../../../../adapters/codex/fixtures/PreToolUse-Bash.json")),
];

/// What is played: refused and asked ones, and ones that only look alike.
const COMMANDS: &[&str] = &[
    "git push --force origin main",
    "git commit -m 'never git push --force'",
    "bash -c \"cd / && rm -rf ~\"",
    "rm -rf node_modules dist",
    "sf project deploy start --target-org prod",
    "echo '{}' > .claude/settings.json",
    "cargo test --workspace",
];

pub(super) fn run() -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_home("/home/dev");
    let mut out = String::from("What hookguard would tell each agent. Nothing is run.\n");
    for command in COMMANDS {
        writeln!(out, "\n$ {command}")?;
        for adapter in AGENTS {
            writeln!(out, "{}", play(*adapter, command, &surroundings)?)?;
        }
    }
    print(&out)?;
    Ok(exit::OK)
}

fn play(adapter: &dyn Adapter, command: &str, surroundings: &Surroundings) -> anyhow::Result<String> {
    let profile = adapter.profile();
    let row =
        profile.events.iter().find(|row| row.kind == EventKind::PreTool).context("it has no event before a tool")?;
    let stdin = match PAYLOADS.iter().find(|(id, _)| *id == profile.id) {
        Some((_, payload)) => {
            let mut payload: Value = serde_json::from_str(payload)?;
            payload["tool_input"]["command"] = command.into();
            payload.to_string()
        }
        None => {
            let mut event = Event::new(row.kind, profile.id, row.native, b"");
            event.cwd = Some("/home/dev/project".to_owned());
            event.tool = Some(ToolCall::shell(command));
            adapter.sample(&event).context("it can't report a command")?
        }
    };
    let call = HookCall { event: row.native, stdin: stdin.as_bytes(), ..HookCall::default() };
    let event = adapter.parse(&call)?;
    let judged = judge(
        adapter,
        &event,
        &Place { surroundings, root: event.cwd.clone(), look: false, settings: &hookguard_policy::BUILTIN },
    );
    let reply = adapter.render(&event, &judged.fitted);
    let verdict = &judged.outcome.verdict;
    Ok(if reply.stdout.is_empty() {
        format!("  {:<12} {:<6} (silence: goes on as usual)", profile.name, verdict.decision)
    } else {
        let seen: Value = serde_json::from_str(&reply.stdout)?;
        let reason = seen["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or(&reply.stdout);
        format!("  {:<12} {:<6} {}", profile.name, verdict.decision, reason.replace('\n', "\n                      "))
    })
}
