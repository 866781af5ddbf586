//! The user's review of Codex's hooks, done as its own screen does it.
//!
//! Codex 0.171.0 keeps a hash of every hook that its user has trusted in its `config.toml`, keyed by file, event and
//! position. The hashes are asked of Codex itself (`codex app-server`, `hooks/list`): a hook that an installer has
//! changed since has another one.

use std::fmt::Write;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Agent, OFFLINE, install};
use crate::Sandbox;

/// A hook as Codex lists it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    key: String,
    current_hash: String,
    trust_status: String,
}

/// Trusts every hook that Codex finds for the sandbox's project. Gives how many were not trusted before.
pub fn review_hooks(sandbox: &Sandbox) -> anyhow::Result<usize> {
    let mut listed = list(sandbox)?;
    listed.retain(|hook| hook.trust_status != "trusted");
    let config = sandbox.codex_home().join("config.toml");
    let mut text = if config.exists() { std::fs::read_to_string(&config)? } else { String::new() };
    for Listed { key, current_hash, .. } in &listed {
        // A JSON string is a TOML basic string too.
        write!(text, "\n[hooks.state.{}]\ntrusted_hash = {}\n", json!(key), json!(current_hash))?;
    }
    std::fs::write(config, text)?;
    Ok(listed.len())
}

fn list(sandbox: &Sandbox) -> anyhow::Result<Vec<Listed>> {
    let client = json!({ "name": "hookguard-test", "title": "hookguard's tests", "version": "0" });
    let requests = [
        json!({ "id": 0, "method": "initialize", "params": { "clientInfo": client } }),
        json!({ "method": "initialized" }),
        json!({ "id": 1, "method": "hooks/list", "params": { "cwds": [sandbox.project()] } }),
    ];
    let requests: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let server = sandbox.program(install::installed(Agent::Codex)?).envs(OFFLINE).arg("app-server");
    let server = server.env("CODEX_HOME", sandbox.codex_home());
    // It leaves at the end of its input, with or without having answered.
    let printed = server.stdin_until_answered(requests, r#"{"id":1,"#).run()?.success()?;
    let answers = printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut hooks = answers.filter_map(|mut answer| Some(answer.pointer_mut("/result/data/0/hooks")?.take()));
    Ok(serde_json::from_value(hooks.next().context("failed to find the list of hooks")?)?)
}
