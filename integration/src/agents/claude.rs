//! How Claude Code 2.1.332 is started offline.

use serde_json::json;

use super::Mode;
use crate::fake_model::FakeModel;
use crate::{Invocation, Sandbox};

/// Variables that keep it quiet and quick. `IS_SANDBOX` lets root bypass permissions, and one retry keeps a broken
/// answer of ours from looking like a hang.
pub(super) const QUIET: [(&str, &str); 7] = [
    ("ANTHROPIC_API_KEY", "sk-ant-fake"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("CLAUDE_CODE_MAX_RETRIES", "1"),
    ("IS_SANDBOX", "1"),
];

/// So that a hook is the only thing that can refuse.
const BYPASS: [&str; 2] = ["--permission-mode", "bypassPermissions"];

/// What a session is seen by that nobody attends.
const ARGS: [&str; 5] = ["--output-format", "stream-json", "--verbose", "--include-hook-events", "-p"];

/// How much of a key Claude Code keeps, to know one that its user has agreed to.
const KEY_TAIL: usize = 20;

pub(super) fn invocation(program: Invocation, mode: Mode, sandbox: &Sandbox, model: &FakeModel) -> Invocation {
    common(program, mode, sandbox, model).args(ARGS)
}

/// At a terminal: all that a first start asks has been answered, so that the first question is a tool's.
pub(super) fn attended(
    program: Invocation,
    mode: Mode,
    sandbox: &Sandbox,
    model: &FakeModel,
) -> anyhow::Result<Invocation> {
    let key = QUIET[0].1;
    let answered = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "bypassPermissionsModeAccepted": true,
        "customApiKeyResponses": { "approved": [&key[key.len().saturating_sub(KEY_TAIL)..]], "rejected": [] },
        "projects": {
            sandbox.project().to_string_lossy(): { "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true },
        },
    });
    std::fs::write(sandbox.claude_home().join(".claude.json"), answered.to_string())?;
    Ok(common(program, mode, sandbox, model).env("TERM", "xterm-256color"))
}

fn common(program: Invocation, mode: Mode, sandbox: &Sandbox, model: &FakeModel) -> Invocation {
    program
        .envs(QUIET)
        .env("CLAUDE_CONFIG_DIR", sandbox.claude_home())
        .env("ANTHROPIC_BASE_URL", model.url())
        .args(["--model", mode.model()])
        .args(BYPASS)
}
