//! The driver's own test, without hookguard: with no hook a command runs, with a hook that denies all it does not.

use anyhow::Context;
use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};
use hookguard_integration::{Exit, Sandbox};
use serde_json::json;

use super::in_each_mode;

in_each_mode!(no_hook_at_all, a_hook_that_denies_everything);

const END: &str = "That is all.";

fn script() -> Script {
    Script::one_call(Block::Shell("echo written > written.txt".to_owned()), END)
}

fn no_hook_at_all(mode: Mode) -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let outcome = AgentRun::new(mode, &sandbox, script()).run()?;
    assert_eq!(outcome.agent.exit, Exit::Code(0), "{:?}", outcome.agent);
    assert_eq!(std::fs::read_to_string(sandbox.project().join("written.txt"))?, "written\n");
    assert!(outcome.agent.stdout.contains(END), "{:?}", outcome.agent);
    Ok(())
}

/// The stand-in answers as both agents understand it, and keeps what it was given.
fn a_hook_that_denies_everything(mode: Mode) -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let reason = "the stand-in denies everything";
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
    }});
    let hook = sandbox.write("hook.sh", format!("cat >> \"$HOME/payloads\"\nprintf '%s' '{answer}'\n"))?;
    let entry = json!({ "hooks": [{ "type": "command", "command": format!("bash {}", hook.display()) }] });
    let settings = json!({ "hooks": { "PreToolUse": [entry] } });
    std::fs::write(mode.agent().hooks_file(&sandbox), settings.to_string())?;

    let outcome = AgentRun::new(mode, &sandbox, script()).run()?;
    assert_eq!(outcome.agent.exit, Exit::Code(0), "{:?}", outcome.agent);
    assert!(!sandbox.project().join("written.txt").exists(), "{:?}", outcome.agent);
    assert!(std::fs::read_to_string(sandbox.home().join("payloads"))?.contains("echo written"));
    let told = outcome.turn(1).context("the session did not go on")?;
    assert!(told.last_result().is_some_and(|result| result.contains(reason)), "{:?}", told.told);
    assert!(outcome.agent.stdout.contains(END), "{:?}", outcome.agent);
    Ok(())
}
