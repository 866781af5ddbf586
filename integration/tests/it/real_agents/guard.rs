//! The installed guard inside the real agents: what is refused, what is not, and what the model gets to know.

use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};
use serde_json::json;

use super::session::{END, change_command, guarded, run, text};
use super::{in_each_mode, in_mode};

in_each_mode!(denied, allowed, unreadable);

const FORCE_PUSH: &str = "git push --force origin main";

/// The command does not run, the model is told why and what to do instead, and the session goes on.
fn denied(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let before = sandbox.diverged_remote()?;
    let harmless = Block::Shell("git log --oneline > log.txt".to_owned());
    let script = Script::new([vec![Block::Shell(FORCE_PUSH.to_owned())], vec![harmless], vec![text(END)]]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;

    assert_eq!(sandbox.remote_commit()?, before, "it was pushed");
    let told = outcome.result_of(0)?;
    assert!(told.contains("hookguard [git.push.force]: "), "{told}");
    assert!(told.contains("Instead: "), "{told}");
    assert!(std::fs::read_to_string(sandbox.project().join("log.txt"))?.contains("rewritten"));
    let logged = sandbox.decisions()?;
    let denials = logged.iter().filter(|line| line["rule"] == "git.push.force" && line["decision"] == "deny");
    assert_eq!(denials.count(), 1, "{logged:?}");
    Ok(())
}

/// The events of a session with one tool call, of those that both agents' hooks are registered for.
const EVENTS: [&str; 6] = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];

/// A harmless command runs, and nobody hears of hookguard: it saw every event, could read it, and had no opinion.
fn allowed(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let script = Script::one_call(Block::Shell("echo written > written.txt".to_owned()), END);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert_eq!(std::fs::read_to_string(sandbox.project().join("written.txt"))?, "written\n");
    assert!(outcome.requests.iter().all(|request| !request.tells("hookguard [")), "{outcome}");
    let logged = sandbox.decisions()?;
    assert!(logged.iter().all(|line| line["told"] == "nothing" && line.get("note").is_none()), "{logged:?}");
    assert_eq!(logged.iter().map(|line| &line["event"]).collect::<Vec<_>>(), EVENTS);
    Ok(())
}

/// A call of which hookguard gets only the first 40 bytes is not run, however harmless it is.
fn unreadable(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    change_command(&sandbox, mode, |command| format!("head -c 40 | {command}"))?;
    let script = Script::one_call(Block::Shell("echo written > written.txt".to_owned()), END);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert!(!sandbox.project().join("written.txt").exists());
    let told = outcome.result_of(0)?;
    assert!(told.contains("could not be read"), "{told}");
    Ok(())
}

/// Claude Code runs the snippets of a slash command before the model hears of it, past `PreToolUse`.
#[test]
fn a_snippet_in_a_slash_command_of_claude_is_denied() -> anyhow::Result<()> {
    in_mode("snippet", Mode::Claude, |mode| {
        let sandbox = guarded(mode)?;
        let before = sandbox.diverged_remote()?;
        sandbox.write("project/.claude/commands/publish.md", format!("Publish it.\n\n!`{FORCE_PUSH}`\n"))?;
        let script = Script::new([vec![text(END)]]);
        let outcome = run(AgentRun::new(mode, &sandbox, script).prompt("/publish"))?;
        assert_eq!(sandbox.remote_commit()?, before);
        assert!(outcome.turn(0)?.tells("hookguard [git.push.force]: "), "{outcome}");
        Ok(())
    })
}

/// A subagent is its session's own: whatever it starts is judged, and its model is told.
#[test]
fn a_call_of_a_subagent_of_claude_is_denied() -> anyhow::Result<()> {
    in_mode("subagent", Mode::Claude, |mode| {
        let sandbox = guarded(mode)?;
        let before = sandbox.diverged_remote()?;
        let input = json!({ "description": "publish", "prompt": "Publish it.", "subagent_type": "general-purpose",
            "run_in_background": false });
        let script = Script::new([
            vec![Block::Tool { name: "Agent".to_owned(), input }],
            vec![Block::Shell(FORCE_PUSH.to_owned())],
            vec![text("It was refused.")],
            vec![text(END)],
        ]);
        let outcome = run(AgentRun::new(mode, &sandbox, script))?;
        assert_eq!(sandbox.remote_commit()?, before, "it was pushed");
        assert!(outcome.result_of(1)?.contains("hookguard [git.push.force]: "), "{outcome}");
        assert!(outcome.turn(3)?.tells("It was refused."), "{outcome}");
        let logged = sandbox.decisions()?;
        let ended = logged.iter().filter(|line| line["event"] == "SubagentStop").count();
        assert_eq!(ended, 1, "the refused call was no subagent's: {logged:?}");
        Ok(())
    })
}
