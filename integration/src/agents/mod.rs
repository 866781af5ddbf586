//! The real Claude Code and the real Codex, pinned, offline, in throw-away homes.
//!
//! Each is installed once from npm into a cache folder and talks only to a [`FakeModel`](crate::fake_model::FakeModel).
//! Nothing of the user's own agents is read: the environment is built from nothing.

mod attended;
mod claude;
mod codex;
mod install;
mod judge;
mod review;
mod run;
mod slots;
mod wanted;

use std::path::PathBuf;

use crate::Sandbox;

pub use attended::Attended;
pub use install::installed;
pub use judge::Judge;
pub use review::review_hooks;
pub use run::{AgentRun, Outcome, Trust};
pub use wanted::skipped;

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
}

/// One agent's package at the version that everything here was seen with.
#[derive(Debug)]
pub struct Pinned {
    /// The agent.
    pub agent: Agent,
    /// Its npm package.
    pub package: &'static str,
    /// The version.
    pub version: &'static str,
}

/// The versions under test. A new one starts here: run the scenarios, then look at what they say.
pub const PINNED: [Pinned; 2] = [
    Pinned { agent: Agent::Claude, package: "@anthropic-ai/claude-code", version: "2.1.332" },
    Pinned { agent: Agent::Codex, package: "@openai/codex", version: "0.171.0" },
];

/// Whatever an agent or one of its children wants from the network ends at a port that refuses it at once.
const OFFLINE: [(&str, &str); 3] =
    [("HTTPS_PROXY", "http://127.0.0.1:9"), ("HTTP_PROXY", "http://127.0.0.1:9"), ("NO_PROXY", "127.0.0.1")];

/// The ways in which the agents offer tools to their models. Hooks see each a little differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum Mode {
    /// Claude Code.
    Claude,
    /// Codex with `exec_command` and `apply_patch` as tools.
    CodexDirect,
    /// Codex with one tool that runs JavaScript, in which the others are functions.
    CodexCode,
}

impl Mode {
    /// The agent.
    pub fn agent(self) -> Agent {
        match self {
            Mode::Claude => Agent::Claude,
            Mode::CodexDirect | Mode::CodexCode => Agent::Codex,
        }
    }

    /// The model's name: Codex 0.171.0 chooses its tools by it.
    fn model(self) -> &'static str {
        match self {
            Mode::Claude => "claude-sonnet-4-5",
            Mode::CodexDirect => "gpt-5.5",
            Mode::CodexCode => "gpt-6-sol",
        }
    }
}

impl Agent {
    /// The pinned package.
    pub fn pinned(self) -> &'static Pinned {
        let [claude, codex] = &PINNED;
        match self {
            Agent::Claude => claude,
            Agent::Codex => codex,
        }
    }

    /// The user's file that hooks are registered in.
    pub fn hooks_file(self, sandbox: &Sandbox) -> PathBuf {
        match self {
            Agent::Claude => sandbox.claude_home().join("settings.json"),
            Agent::Codex => sandbox.codex_home().join("hooks.json"),
        }
    }
}
