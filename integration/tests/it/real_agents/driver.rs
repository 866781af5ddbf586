//! The driver's own test, without hookguard: with no hook a command runs, with a hook that denies all it does not.

use hookguard_integration::Sandbox;
use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};
use serde_json::json;

use super::in_each_mode;
use super::session::{END, replace_file, run, text};

in_each_mode!(no_hook_at_all, a_hook_that_denies_everything);

/// A command runs, and a file outside the project is replaced: nothing but a hook keeps an agent from either here.
fn no_hook_at_all(mode: Mode) -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let file = sandbox.write("home/settings", "one\ntwo\n")?;
    let mut turns = vec![vec![Block::Shell("echo written > written.txt".to_owned())]];
    turns.extend(replace_file(mode, &file, "one\ntwo\n", "three\n"));
    turns.push(vec![text(END)]);
    run(AgentRun::new(mode, &sandbox, Script::new(turns)))?;
    assert_eq!(std::fs::read_to_string(sandbox.project().join("written.txt"))?, "written\n");
    assert_eq!(std::fs::read_to_string(&file)?, "three\n");
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

    let command = Block::Shell("echo written > written.txt".to_owned());
    let outcome = run(AgentRun::new(mode, &sandbox, Script::one_call(command, END)))?;
    assert!(!sandbox.project().join("written.txt").exists(), "{outcome}");
    assert!(std::fs::read_to_string(sandbox.home().join("payloads"))?.contains("echo written"));
    assert!(outcome.result_of(0)?.contains(reason), "{outcome}");
    Ok(())
}
