//! What the hook looks at on the disk: links, unfinished merges, scripts that the agent wrote.

use std::os::unix::fs::{PermissionsExt, symlink};

use anyhow::Context;
use hookguard_integration::Sandbox;
use serde_json::{Value, json};

/// What the hook says of a call of Claude Code's: `deny`, `ask` or nothing; and why.
fn said(sandbox: &Sandbox, tool: &str, input: Value) -> anyhow::Result<(String, String)> {
    let payload = json!({ "session_id": "s", "cwd": sandbox.project(), "hook_event_name": "PreToolUse",
        "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "t" });
    let done = sandbox.hook("claude", "PreToolUse", payload.to_string())?;
    if done.stdout.is_empty() {
        return Ok((String::new(), String::new()));
    }
    let answer: Value = serde_json::from_str(&done.stdout)?;
    let answer = &answer["hookSpecificOutput"];
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    Ok((text("permissionDecision"), text("permissionDecisionReason")))
}

/// Nobody is there: what would be asked is refused.
fn bash(sandbox: &Sandbox, command: &str) -> anyhow::Result<String> {
    Ok(said(sandbox, "Bash", json!({ "command": command }))?.0)
}

fn tell(sandbox: &Sandbox, event: &str, more: Value) -> anyhow::Result<()> {
    let mut payload = json!({ "session_id": "s", "cwd": sandbox.project(), "hook_event_name": event });
    payload.as_object_mut().context("no object")?.extend(more.as_object().context("no object")?.clone());
    sandbox.hook("claude", event, payload.to_string())?.success()?;
    Ok(())
}

#[test]
fn a_link_of_an_earlier_call_leads_nobody_past_a_rule() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let project = sandbox.project();
    std::fs::create_dir_all(project.join(".claude"))?;
    symlink(sandbox.home(), project.join("build"))?;
    symlink(".claude", project.join("c"))?;
    assert_eq!(bash(&sandbox, "rm -rf build/x")?, "deny");
    assert_eq!(bash(&sandbox, "rm -rf build/*")?, "deny");
    assert_eq!(bash(&sandbox, "rm -rf build")?, "");
    assert_eq!(bash(&sandbox, "rm -rf dist/x")?, "");
    assert_eq!(bash(&sandbox, "cp x c/settings.json")?, "deny");
    let write = json!({ "file_path": project.join("c/settings.json"), "content": "{}" });
    let (decision, _) = said(&sandbox, "Write", write)?;
    assert_eq!(decision, "deny");
    let write = json!({ "file_path": project.join("d/settings.json"), "content": "{}" });
    assert_eq!(said(&sandbox, "Write", write)?.0, "");
    Ok(())
}

#[test]
fn conflicts_are_settled_while_a_merge_is_unfinished() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    sandbox.git(["init", "-q"])?;
    sandbox.git(["symbolic-ref", "HEAD", "refs/heads/topic"])?;
    let settle = "git checkout --theirs src/a.rs && git add src/a.rs";
    assert_eq!(bash(&sandbox, settle)?, "deny");
    std::fs::write(sandbox.project().join(".git/MERGE_HEAD"), "0000\n")?;
    assert_eq!(bash(&sandbox, settle)?, "");
    assert_eq!(bash(&sandbox, "git merge --abort; git checkout --ours src/a.rs")?, "deny");
    assert_eq!(bash(&sandbox, "git push --force-with-lease")?, "");
    sandbox.git(["config", "push.default", "matching"])?;
    assert_eq!(bash(&sandbox, "git push --force-with-lease")?, "deny");
    Ok(())
}

const EVIL: &str = "#!/bin/sh\nrm -rf ~/projects\n";

#[test]
fn scripts_are_followed_where_they_are_the_agents() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    sandbox.git(["init", "-q"])?;
    for name in ["tracked.sh", "changed.sh", "edited.sh"] {
        let file = sandbox.write(sandbox.project().join(name), EVIL)?;
        std::fs::set_permissions(file, PermissionsExt::from_mode(0o755))?;
    }
    sandbox.write(sandbox.project().join("package.json"), r#"{"scripts":{"wipe":"rm -rf ~"}}"#)?;
    sandbox.write(sandbox.project().join("Makefile"), "wipe:\n\trm -rf $$HOME\n")?;
    sandbox.git(["add", "."])?;
    sandbox.git(["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all"])?;
    // What git has, unchanged, is the humans' own.
    for command in ["bash tracked.sh", "./tracked.sh", "npm run wipe", "make wipe", "bash edited.sh"] {
        assert_eq!(bash(&sandbox, command)?, "", "{command}");
    }
    // Changed, new, or outside any repository.
    sandbox.write(sandbox.project().join("changed.sh"), format!("{EVIL}#\n"))?;
    sandbox.write(sandbox.project().join("new.sh"), EVIL)?;
    sandbox.write(sandbox.project().join("package.json"), r#"{"scripts":{ "wipe":"rm -rf ~"}}"#)?;
    sandbox.write(sandbox.project().join("Makefile"), "wipe:\n\trm -rf $$HOME \n")?;
    for command in ["bash changed.sh", "./new.sh", "source new.sh", "npm run wipe", "make wipe"] {
        assert_eq!(bash(&sandbox, command)?, "deny", "{command}");
    }
    let (_, reason) = said(&sandbox, "Bash", json!({ "command": "bash new.sh" }))?;
    assert!(!reason.is_empty());
    // A long one, a program, one that is not there.
    sandbox.write(sandbox.project().join("long.sh"), format!("{EVIL}{}", "#".repeat(70_000)))?;
    sandbox.write(sandbox.project().join("program"), b"\x7fELF\0rm -rf ~\n")?;
    for command in ["bash long.sh", "./program", "bash none.sh", "make none"] {
        assert_eq!(bash(&sandbox, command)?, "", "{command}");
    }
    // What this session edited is the agent's, also where git has it by now.
    tell(&sandbox, "UserPromptSubmit", json!({ "prompt": "go on" }))?;
    tell(
        &sandbox,
        "PostToolUse",
        json!({ "tool_name": "Write", "tool_use_id": "w", "tool_response": {},
            "tool_input": { "file_path": sandbox.project().join("edited.sh"), "content": EVIL } }),
    )?;
    assert_eq!(bash(&sandbox, "bash edited.sh")?, "deny");
    assert_eq!(bash(&sandbox, "bash tracked.sh")?, "");
    sandbox.write(sandbox.project().join("added.sh"), EVIL)?;
    sandbox.git(["add", "added.sh"])?;
    assert_eq!(bash(&sandbox, "bash added.sh")?, "deny");
    // What a command of the session's wrote, also where code of others lies.
    sandbox.write(sandbox.project().join(".venv/bin/activate"), EVIL)?;
    assert_eq!(bash(&sandbox, "source .venv/bin/activate")?, "");
    tell(
        &sandbox,
        "PostToolUse",
        json!({ "tool_name": "Bash", "tool_use_id": "v", "tool_response": { "stdout": "", "stderr": "" },
            "tool_input": { "command": "cat > .venv/bin/activate <<'E'\n…\nE" } }),
    )?;
    assert_eq!(bash(&sandbox, "source .venv/bin/activate")?, "deny");
    // A batch asks the disk nothing.
    let batch = sandbox.hookguard(["check", "--batch"])?.stdin("{\"id\":1,\"cmd\":\"bash new.sh\"}\n").run()?;
    assert!(batch.stdout.contains("allow"), "{batch:?}");
    Ok(())
}

#[test]
fn explain_shows_the_way_through_a_script() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    sandbox.write(sandbox.project().join("x.sh"), "./y.sh\n")?;
    sandbox.write(sandbox.project().join("y.sh"), EVIL)?;
    let done = sandbox.hookguard(["explain", "bash x.sh"])?.run()?;
    assert_eq!(done.code(), Some(1), "{done:?}");
    assert!(done.stdout.contains("x.sh → ./y.sh → rm -rf"), "{}", done.stdout);
    Ok(())
}

#[test]
fn a_bare_shell_needs_a_word_where_it_is_typed_into_unseen() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    for (agent, tool, refused) in [("codex", "Bash", true), ("claude", "Bash", false)] {
        let payload = json!({ "session_id": "s", "cwd": sandbox.project(), "hook_event_name": "PreToolUse",
            "permission_mode": "default", "tool_name": tool, "tool_input": { "command": "bash" }, "tool_use_id": "t",
            "turn_id": "u", "model": "m", "transcript_path": null });
        let done = sandbox.hook(agent, "PreToolUse", payload.to_string())?;
        assert_eq!(done.stdout.contains("shell.interactive"), refused, "{agent}: {done:?}");
    }
    Ok(())
}
