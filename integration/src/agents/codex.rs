//! How Codex 0.171.0 is started offline.

use super::{Mode, Trust};
use crate::fake_model::FakeModel;
use crate::{Invocation, Sandbox};

/// Settings that keep it quiet and quick. They are given on the command line: its files stay the test's own.
const SETTINGS: [&str; 9] = [
    r#"model_provider="fake""#,
    r#"model_providers.fake.name="fake""#,
    r#"model_providers.fake.env_key="FAKE_KEY""#,
    r#"model_providers.fake.wire_api="responses""#,
    "model_providers.fake.request_max_retries=0",
    "model_providers.fake.stream_max_retries=0",
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
    r#"otel.exporter="none""#,
];

/// Approvals and the sandbox are bypassed, so that a hook is the only thing that can refuse. Plugins would be looked
/// up at github.com.
const ARGS: [&str; 4] = ["--json", "--dangerously-bypass-approvals-and-sandbox", "--disable", "plugins"];

pub(super) fn invocation(
    program: Invocation,
    mode: Mode,
    trust: Trust,
    sandbox: &Sandbox,
    model: &FakeModel,
) -> Invocation {
    let name = format!(r#"model="{}""#, mode.model());
    let settings = provider(model).into_iter().chain([name]);
    let bypass = (trust == Trust::Bypassed).then_some("--dangerously-bypass-hook-trust");
    program
        .env("CODEX_HOME", sandbox.codex_home())
        .envs([("FAKE_KEY", "fake"), ("RUST_LOG", "error")])
        .arg("exec")
        .args(settings.flat_map(|setting| ["-c".to_owned(), setting]))
        .args(bypass)
        .args(ARGS)
}

/// The settings by which the fake model is the one that is asked.
pub(super) fn provider(model: &FakeModel) -> Vec<String> {
    let url = format!(r#"model_providers.fake.base_url="{}/v1""#, model.url());
    SETTINGS.iter().map(|setting| (*setting).to_owned()).chain([url]).collect()
}
