//! The installed guard inside the real agents: what is refused, what is not, and what the model gets to know.

use hookguard_integration::agents::{Agent, AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};

use super::session::{END, change_command, guarded, replace_file, run, text};
use super::{in_each_mode, in_mode};

in_each_mode!(denied, allowed, look_alikes, unreadable, own_settings);

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

/// Data that reads like a refused command is no command.
fn look_alikes(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let before = sandbox.diverged_remote()?;
    let commands = [
        "git commit --quiet --allow-empty -m 'never git push --force origin main'",
        "echo 'git push --force origin main' > note.txt",
        "cat > rules.md <<'EOF'\n# Never\ngit push --force origin main\nEOF",
    ];
    let calls = commands.map(|command| vec![Block::Shell(command.to_owned())]);
    run(AgentRun::new(mode, &sandbox, Script::new(calls.into_iter().chain([vec![text(END)]]))))?;
    assert_eq!(sandbox.git(["log", "-1", "--format=%s"])?, "never git push --force origin main");
    assert_eq!(std::fs::read_to_string(sandbox.project().join("note.txt"))?, "git push --force origin main\n");
    assert!(std::fs::read_to_string(sandbox.project().join("rules.md"))?.contains(FORCE_PUSH));
    assert_eq!(sandbox.remote_commit()?, before);
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

/// The agent can't take the guard out of its own settings: by a file tool, by the shell, or (Codex) by a patch in the shell.
fn own_settings(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let file = mode.agent().hooks_file(&sandbox);
    let path = file.display();
    let before = std::fs::read_to_string(&file)?;
    let mut turns = replace_file(mode, &file, &before, "{}\n");
    let mut refused = vec![turns.len() - 1];
    let mut commands = vec![format!("echo '{{}}' > {path}")];
    if mode.agent() == Agent::Codex {
        let patch = format!("*** Begin Patch\n*** Delete File: {path}\n*** End Patch");
        commands.push(format!("apply_patch <<'EOF'\n{patch}\nEOF"));
    }
    for command in commands {
        refused.push(turns.len());
        turns.push(vec![Block::Shell(command)]);
    }
    turns.push(vec![text(END)]);
    let outcome = run(AgentRun::new(mode, &sandbox, Script::new(turns)))?;

    assert_eq!(std::fs::read_to_string(&file).ok(), Some(before), "{outcome}");
    for turn in refused {
        let told = outcome.result_of(turn)?;
        assert!(told.contains("hookguard [guard."), "{told}");
        assert!(told.contains("Instead: "), "{told}");
    }
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
