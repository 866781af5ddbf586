//! An agent as a judge of hookguard's: how it is told of a fake model, where hookguard starts it itself.

use anyhow::Context;

use super::slots::Slot;
use super::{Agent, OFFLINE, claude, codex, install, slots};
use crate::Invocation;
use crate::fake_model::{FakeModel, Request, Script};

/// A fake model for an agent that hookguard starts, and the right to run the agent.
#[derive(Debug)]
pub struct Judge {
    agent: Agent,
    model: FakeModel,
    _slot: Slot,
}

impl Judge {
    /// With this script, when no more than one other agent runs.
    ///
    /// # Errors
    /// The agent can't be installed, or the server can't be started.
    pub fn start(agent: Agent, script: Script) -> anyhow::Result<Judge> {
        install::installed(agent)?;
        let slot = slots::take(&install::cache()?)?;
        Ok(Judge { agent, model: FakeModel::start(script)?, _slot: slot })
    }

    /// The beginning of a `[[judge.backend]]` table; more keys may follow.
    ///
    /// # Errors
    /// The agent's path is no text.
    pub fn backend(&self) -> anyhow::Result<String> {
        let program = install::installed(self.agent)?;
        let program = program.to_str().context("the agent's path is no text")?;
        let args = match self.agent {
            Agent::Claude => Vec::new(),
            Agent::Codex => {
                let provider = codex::provider(&self.model);
                let mut args: Vec<String> =
                    provider.into_iter().flat_map(|setting| ["-c".to_owned(), setting]).collect();
                // Else hooks would be passed over because nobody has reviewed them, and not because they are off.
                args.push("--dangerously-bypass-hook-trust".to_owned());
                args
            }
        };
        let args: Vec<String> = args.iter().map(|arg| format!("'''{arg}'''")).collect();
        let kind = self.agent;
        Ok(format!("[[judge.backend]]\nkind = \"{kind}\"\nprogram = '{program}'\nargs = [{}]\n", args.join(", ")))
    }

    /// hookguard with the variables that its child needs.
    pub fn environment(&self, hookguard: Invocation) -> Invocation {
        let hookguard = hookguard.envs(OFFLINE);
        match self.agent {
            Agent::Claude => hookguard.envs(claude::QUIET).env("ANTHROPIC_BASE_URL", self.model.url()),
            Agent::Codex => hookguard.env("FAKE_KEY", "fake"),
        }
    }

    /// What the model was asked so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.model.requests()
    }
}
