//! How Claude Code 2.1.332 is started offline.

use super::Mode;
use crate::fake_model::FakeModel;
use crate::{Invocation, Sandbox};

/// Variables that keep it quiet and quick. `IS_SANDBOX` lets root bypass permissions, and one retry keeps a broken
/// answer of ours from looking like a hang.
const QUIET: [(&str, &str); 7] = [
    ("ANTHROPIC_API_KEY", "sk-ant-fake"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("CLAUDE_CODE_MAX_RETRIES", "1"),
    ("IS_SANDBOX", "1"),
];

/// Permissions are bypassed, so that a hook is the only thing that can refuse.
const ARGS: [&str; 6] =
    ["--permission-mode", "bypassPermissions", "--output-format", "stream-json", "--verbose", "--include-hook-events"];

pub(super) fn invocation(program: Invocation, mode: Mode, sandbox: &Sandbox, model: &FakeModel) -> Invocation {
    program
        .envs(QUIET)
        .env("CLAUDE_CONFIG_DIR", sandbox.claude_home())
        .env("ANTHROPIC_BASE_URL", model.url())
        .args(["--model", mode.model()])
        .args(ARGS)
        .arg("-p")
}
