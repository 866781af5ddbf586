//! What the agents do when the hook itself fails, against what the profiles say of it.

use anyhow::Context;
use hookguard_adapter::{Adapter, Reactions};
use hookguard_core::Reaction;
use hookguard_integration::agents::{Agent, AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};

use super::in_each_mode;
use super::session::{END, change_command, guarded, run};

in_each_mode!(the_binary_is_gone, the_hook_crashes);

fn the_binary_is_gone(mode: Mode) -> anyhow::Result<()> {
    react(mode, |_| "/nowhere/hookguard hook".to_owned(), |reactions| reactions.missing)
}

fn the_hook_crashes(mode: Mode) -> anyhow::Result<()> {
    react(mode, |_| "sh -c 'kill -ABRT $$'".to_owned(), |reactions| reactions.crash)
}

/// Runs a harmless command behind a hook that fails: it runs or not, as the profile has it for this failure.
fn react(mode: Mode, broken: fn(&str) -> String, reaction: fn(&Reactions) -> Reaction) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    change_command(&sandbox, mode, broken)?;
    let script = Script::one_call(Block::Shell("echo written > written.txt".to_owned()), END);
    run(AgentRun::new(mode, &sandbox, script))?;
    let adapter: &dyn Adapter = match mode.agent() {
        Agent::Claude => &hookguard_claude::ADAPTER,
        Agent::Codex => &hookguard_codex::ADAPTER,
    };
    let row = adapter.profile().event("PreToolUse").context("the profile has no PreToolUse")?;
    let ran = sandbox.project().join("written.txt").exists();
    assert_eq!(ran, reaction(&row.reactions) == Reaction::Proceeds);
    Ok(())
}
