//! Scripts as policies, in both agents: the two hook scripts that the project started from, unchanged, and scripts that
//! crash, hang, flood, fork, never read and never end.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use anyhow::{Context, ensure};
use hookguard_integration::{Finished, Sandbox};
use serde_json::{Value, json};

const GUARD: &str = include_str!("../../fixtures/claude-hooks/garde-commandes.sh");
const LINT: &str = include_str!("../../fixtures/claude-hooks/lint-fichier.sh");
const SETTINGS: &str = include_str!("../../fixtures/claude-hooks/settings.json");

/// A stand-in that finds what a real one would say of a file with this word in it.
const PHP: &str =
    "#!/bin/sh\nif grep -q BROKEN \"$2\"; then echo \"PHP Parse error: syntax error in $2\"; exit 255; fi\n";

fn executable(sandbox: &Sandbox, path: &str, text: &str) -> anyhow::Result<()> {
    let path = sandbox.write(path, text)?;
    Ok(std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

/// The user's own configuration.
fn configure(sandbox: &Sandbox, policies: &str) -> anyhow::Result<()> {
    sandbox.write("home/.config/hookguard/config.toml", format!("version = 1\n{policies}"))?;
    Ok(())
}

fn policy(on: &str, command: &str, more: &str) -> String {
    format!("[[policy]]\nid = \"team.guard\"\non = \"{on}\"\ncommand = '''{command}'''\n{more}\n")
}

/// A call of the common form.
fn payload(sandbox: &Sandbox, event: &str, tool: &str, input: &Value, call: &str) -> String {
    let response = match event {
        "PostToolUse" => json!({ "tool_response": "" }),
        _ => json!({}),
    };
    let mut payload = json!({
        "session_id": "s1", "cwd": sandbox.project(), "hook_event_name": event,
        "tool_name": tool, "tool_input": input, "tool_use_id": call,
    });
    payload.as_object_mut().unwrap().extend(response.as_object().unwrap().clone());
    payload.to_string()
}

fn shell(sandbox: &Sandbox, agent: &str, command: &str) -> anyhow::Result<Finished> {
    sandbox.hook(agent, "PreToolUse", payload(sandbox, "PreToolUse", "Bash", &json!({ "command": command }), "c1"))
}

/// Before a tool: the decision and the reason; nothing where it was silent.
fn answer(done: &Finished) -> anyhow::Result<Option<(String, String)>> {
    ensure!(done.code() == Some(0), "{done:?}");
    if done.stdout.is_empty() {
        return Ok(None);
    }
    let answer: Value = serde_json::from_str(&done.stdout)?;
    if answer.get("hookSpecificOutput").is_none() {
        // A note to the user is all that there is.
        return Ok(None);
    }
    let text = |name: &str| answer["hookSpecificOutput"][name].as_str().unwrap_or_default().to_owned();
    Ok(Some((text("permissionDecision"), text("permissionDecisionReason"))))
}

/// After a tool: what the model is told beside the result.
fn feedback(done: &Finished) -> anyhow::Result<String> {
    ensure!(done.code() == Some(0), "{done:?}");
    if done.stdout.is_empty() {
        return Ok(String::new());
    }
    let answer: Value = serde_json::from_str(&done.stdout)?;
    Ok(answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned())
}

/// The two scripts where Claude Code has them, and `hookguard import`ed from its settings.
fn with_the_two_scripts() -> anyhow::Result<Sandbox> {
    let sandbox = Sandbox::new()?;
    executable(&sandbox, "project/.claude/hooks/garde-commandes.sh", GUARD)?;
    executable(&sandbox, "project/.claude/hooks/lint-fichier.sh", LINT)?;
    executable(&sandbox, "stand-ins/php", PHP)?;
    sandbox.write("project/.claude/settings.json", SETTINGS)?;
    let import = sandbox.hookguard(["import", "--from", "claude", "--user", "--yes"])?.run()?;
    let shown = import.success()?;
    ensure!(shown.matches("[[policy]]").count() == 2, "{shown}");
    Ok(sandbox)
}

#[test]
fn the_guard_script_refuses_in_every_agent() -> anyhow::Result<()> {
    let sandbox = with_the_two_scripts()?;
    for agent in ["claude", "codex"] {
        // The built-in policy has nothing against the first, so it is the script that is heard.
        let said = answer(&shell(&sandbox, agent, "echo 'git push --force'")?)?;
        let (decision, reason) = said.with_context(|| format!("{agent} was told nothing"))?;
        assert_eq!(decision, "deny", "{agent}");
        assert!(reason.contains("Commande refusée par le garde-fou : pas de push forcé"), "{agent}: {reason}");
        assert!(reason.contains("hookguard [claude.garde-commandes]"), "{agent}: {reason}");
        assert_eq!(answer(&shell(&sandbox, agent, "git status")?)?, None, "{agent}");
        // The matcher is about the shell: an edit that holds the words is none of its business.
        let edit = match agent {
            "claude" => {
                ("Write", json!({ "file_path": sandbox.project().join("a.md"), "content": "git push --force" }))
            }
            _ => (
                "apply_patch",
                json!({ "command": "*** Begin Patch\n*** Add File: a.md\n+git push --force\n*** End Patch" }),
            ),
        };
        let done = sandbox.hook(agent, "PreToolUse", payload(&sandbox, "PreToolUse", edit.0, &edit.1, "c2"))?;
        assert_eq!(answer(&done)?, None, "{agent}");
    }
    Ok(())
}

#[test]
fn the_lint_script_tells_the_model_in_every_agent() -> anyhow::Result<()> {
    let sandbox = with_the_two_scripts()?;
    let path = std::env::join_paths(
        std::iter::once(sandbox.root().join("stand-ins"))
            .chain(std::env::split_paths(sandbox.env().get(std::ffi::OsStr::new("PATH")).context("no PATH")?)),
    )?;
    for (file, text, want) in
        [("broken.php", "<?php BROKEN", "PHP Parse error"), ("good.php", "<?php", ""), ("notes.txt", "BROKEN", "")]
    {
        sandbox.write(format!("project/{file}"), text)?;
        let whole = sandbox.project().join(file);
        let calls = [
            ("claude", "Write", json!({ "file_path": whole, "content": text })),
            ("claude", "Edit", json!({ "file_path": whole, "old_string": "x", "new_string": text })),
            (
                "codex",
                "apply_patch",
                json!({ "command": format!("*** Begin Patch\n*** Update File: {file}\n@@\n-x\n+{text}\n*** Add File: other.txt\n+y\n*** End Patch") }),
            ),
        ];
        for (agent, tool, input) in calls {
            let call = payload(&sandbox, "PostToolUse", tool, &input, &format!("{tool}-{file}"));
            let tell = || -> anyhow::Result<String> {
                let hook = sandbox.hookguard(["hook", agent, "PostToolUse"])?.env("PATH", &path);
                feedback(&hook.stdin(call.as_str()).run()?)
            };
            let told = tell()?;
            assert!(told.contains(want) && told.is_empty() == want.is_empty(), "{agent} {tool} {file}: {told:?}");
            assert_eq!(tell()?, "", "{agent} {tool} {file}: a doubled hook said it once more");
        }
    }
    Ok(())
}

#[test]
fn a_script_that_fails_refuses_and_leaves_nothing_behind() -> anyhow::Result<()> {
    let cases: &[(&str, &str, &str)] = &[
        ("crashes", "kill -SEGV $$", "a signal ended it"),
        ("exits", "echo why >&2; exit 3", "exit code 3: why"),
        ("is missing", "/no/such/guard.sh", "exit code 127"),
        ("prints garbage", "echo '{\"decision\":'", "it is no verdict"),
        ("floods", "head -c 50000000 /dev/zero", "printed more than"),
        ("floods without end", "yes", "printed more than"),
        ("hangs", "sleep 60", "it was ended after"),
        ("hangs deaf", "trap '' TERM INT HUP; sleep 60", "it was ended after"),
        (
            "forks and hangs",
            "for i in 1 2 3 4 5; do (sleep 2; touch \"$HOME/survived\") & done; sleep 60",
            "it was ended after",
        ),
        ("closes all and hangs", "exec <&- >&- 2>&-; sleep 60", "it was ended after"),
    ];
    for (name, command, why) in cases {
        let sandbox = Sandbox::new()?;
        configure(&sandbox, &policy("pre_tool", command, "timeout_ms = 700"))?;
        for agent in ["claude", "codex"] {
            let done = shell(&sandbox, agent, "ls")?;
            let (decision, reason) = answer(&done)?.with_context(|| format!("{agent}: one that {name} let it pass"))?;
            assert_eq!(decision, "deny", "{agent}, {name}");
            assert!(reason.contains(why) && reason.contains("team.guard"), "{agent}, {name}: {reason}");
            assert!(done.elapsed < Duration::from_secs(5), "{agent}, {name}: {:?}", done.elapsed);
            let log = sandbox.decisions()?;
            assert!(log.iter().any(|line| line["note"].as_str().is_some_and(|note| note.contains(why))), "{log:?}");
        }
        if name.contains("forks") {
            std::thread::sleep(Duration::from_millis(2500));
            assert!(!sandbox.home().join("survived").exists(), "{name}");
        }
        configure(&sandbox, &policy("pre_tool", command, "timeout_ms = 700\non_failure = \"open\""))?;
        assert_eq!(answer(&shell(&sandbox, "codex", "ls")?)?, None, "{name}, open");
    }
    Ok(())
}

#[test]
fn a_script_that_reads_nothing_or_forks_and_ends_is_heard() -> anyhow::Result<()> {
    let deny = r#"echo "{\"decision\":\"deny\",\"reason\":\"HEARD\"}""#;
    for command in [deny.to_owned(), format!("exec <&-; {deny}"), format!("sleep 30 & {deny}")] {
        let sandbox = Sandbox::new()?;
        configure(&sandbox, &policy("pre_tool", &command, ""))?;
        let long = format!("echo {}", "x".repeat(200_000));
        let done = shell(&sandbox, "codex", &long)?;
        let (decision, reason) = answer(&done)?.context("it was not heard")?;
        assert_eq!(decision, "deny");
        assert!(reason.contains("HEARD") || reason.contains("hookguard ["), "{reason}");
        assert!(done.elapsed < Duration::from_secs(4), "{:?}", done.elapsed);
    }
    Ok(())
}

#[test]
fn the_answer_comes_before_our_own_deadline() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    configure(&sandbox, &policy("pre_tool", "sleep 60", "timeout_ms = 120000"))?;
    let done = shell(&sandbox, "codex", "ls")?;
    let (decision, reason) = answer(&done)?.context("it passed")?;
    assert_eq!(decision, "deny");
    assert!(reason.contains("team.guard") && done.elapsed < Duration::from_secs(9), "{reason} {:?}", done.elapsed);
    Ok(())
}

#[test]
fn an_allow_changes_nothing_and_a_refusal_of_ours_stands() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let allow = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'"#;
    configure(&sandbox, &policy("pre_tool", allow, "form = \"claude\""))?;
    for agent in ["claude", "codex"] {
        assert_eq!(answer(&shell(&sandbox, agent, "ls")?)?, None, "{agent}");
        let (decision, reason) =
            answer(&shell(&sandbox, agent, "git push --force origin main")?)?.context("it passed")?;
        assert_eq!(decision, "deny", "{agent}");
        assert!(reason.contains("git.push.force"), "{agent}: {reason}");
    }
    Ok(())
}

#[test]
fn the_neutral_event_is_the_same_in_every_agent() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    configure(&sandbox, &policy("pre_tool", "cat > \"$HOME/event\"; pwd > \"$HOME/folder\"", ""))?;
    let mut seen = Vec::new();
    for agent in ["claude", "codex"] {
        assert_eq!(answer(&shell(&sandbox, agent, "make build")?)?, None, "{agent}");
        let mut event: Value = serde_json::from_slice(&std::fs::read(sandbox.home().join("event"))?)?;
        assert_eq!(event["agent"], agent);
        assert_eq!(event["tool"]["command"], "make build");
        event.as_object_mut().context("no object")?.remove("agent");
        seen.push(event);
        let folder = std::fs::read_to_string(sandbox.home().join("folder"))?;
        assert_eq!(folder.trim(), sandbox.project().to_str().context("a path")?);
    }
    assert_eq!(seen[0], seen[1]);
    Ok(())
}
