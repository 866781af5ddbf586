//! The ledger by the binary: what is recorded, for whose eyes, and when it goes.

use std::os::unix::fs::PermissionsExt;

use anyhow::Context;
use hookguard_integration::Sandbox;
use serde_json::{Value, json};

fn hook(sandbox: &Sandbox, agent: &str, session: &str, event: &str, more: Value) -> anyhow::Result<()> {
    let mut payload = json!({ "session_id": session, "cwd": sandbox.project(), "hook_event_name": event });
    payload.as_object_mut().context("no object")?.extend(more.as_object().context("no object")?.clone());
    sandbox.hook(agent, event, payload.to_string())?.success()?;
    Ok(())
}

fn records(sandbox: &Sandbox, folder: &str) -> anyhow::Result<Vec<Value>> {
    let text = std::fs::read_to_string(sandbox.state().join("session").join(folder).join("ledger.jsonl"))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

#[test]
fn what_happens_is_recorded_without_secrets_and_for_the_user_only() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let secret = format!("ghp_{}", "aZ9".repeat(12));
    for agent in ["claude", "codex"] {
        let tell = |event: &str, more: Value| hook(&sandbox, agent, "s/1", event, more);
        tell("UserPromptSubmit", json!({ "prompt": format!("use {secret}") }))?;
        tell("PreToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "c1" }))?;
        let response =
            if agent == "claude" { json!({ "stdout": "3 passed", "stderr": "" }) } else { json!("3 passed") };
        tell(
            "PostToolUse",
            json!({ "tool_name": "Bash", "tool_input": { "command": format!("TOKEN={secret} make test") },
            "tool_response": response, "tool_use_id": "c1" }),
        )?;
        let edit = if agent == "claude" {
            json!({ "tool_name": "Edit", "tool_input": { "file_path": "/x/a.rs", "old_string": "a", "new_string": "b" },
                "tool_response": {}, "tool_use_id": "c2" })
        } else {
            json!({ "tool_name": "apply_patch", "tool_response": "Exit code: 0", "tool_use_id": "c2",
                "tool_input": { "command": "*** Begin Patch\n*** Delete File: /x/a.rs\n*** End Patch" } })
        };
        tell("PostToolUse", edit)?;
        tell("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }))?;

        let folder = format!("{agent}-s_1");
        let mut records = records(&sandbox, &folder)?;
        if agent == "codex" {
            // Its end may never be told, so its start is recorded too.
            let start = records.remove(1);
            assert_eq!((&start["command"], &start["call"], &start["ok"]), (&json!("ls"), &json!("c1"), &json!(null)));
        }
        let kinds: Vec<_> = records.iter().map(|record| record["what"].as_str().unwrap_or_default()).collect();
        assert_eq!(kinds, ["turn", "command", "edit", "stop"], "{agent}");
        assert!(!format!("{records:?}").contains(&secret), "{agent}: {records:?}");
        assert_eq!(records[1]["call"], "c1", "{agent}");
        assert_eq!(records[1]["tail"], "3 passed", "{agent}");
        assert_eq!(records[1]["ok"], if agent == "claude" { json!(true) } else { json!(null) }, "{agent}");
        assert_eq!(records[2]["files"], json!(["/x/a.rs"]), "{agent}");
        let path = sandbox.state().join("session").join(&folder);
        assert_eq!(std::fs::metadata(&path)?.permissions().mode() & 0o777, 0o700, "{agent}");
        assert_eq!(std::fs::metadata(path.join("ledger.jsonl"))?.permissions().mode() & 0o777, 0o600, "{agent}");

        tell("SessionEnd", json!({ "reason": "other" }))?;
        assert!(!path.exists(), "{agent}");
    }
    Ok(())
}

#[test]
fn old_sessions_go_when_a_new_one_starts() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let all = sandbox.state().join("session");
    for (name, age) in [("claude-old", "8 days ago"), ("claude-young", "6 days ago"), ("codex-live", "8 days ago")] {
        let file = sandbox.write(all.join(name).join("ledger.jsonl"), "")?;
        let folder = all.join(name);
        for path in [&file, &folder] {
            sandbox.program("touch").args(["-d", age]).arg(path).run()?.success()?;
        }
    }
    sandbox.program("touch").arg(all.join("codex-live/ledger.jsonl")).run()?.success()?;
    let elsewhere = sandbox.write("elsewhere/keep", "")?;
    std::os::unix::fs::symlink(sandbox.root().join("elsewhere"), all.join("claude-link"))?;
    hook(&sandbox, "claude", "new", "SessionStart", json!({ "source": "startup" }))?;
    let left = |name: &str| all.join(name).exists();
    assert_eq!((left("claude-old"), left("claude-young"), left("codex-live")), (false, true, true));
    assert!(elsewhere.exists());
    Ok(())
}

#[test]
fn a_torn_or_hostile_ledger_is_no_failure() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let file = sandbox
        .write(sandbox.state().join("session/codex-s1/ledger.jsonl"), "{\"v\":1,\"t\":\n\u{0}\u{0}garbage\n[]\n")?;
    hook(&sandbox, "codex", "s1", "Stop", json!({ "stop_hook_active": false }))?;
    assert!(std::fs::read_to_string(&file)?.ends_with("\"what\":\"stop\",\"resumed\":false}\n"));
    let target = sandbox.write("home/precious", "precious")?;
    std::fs::remove_file(&file)?;
    std::os::unix::fs::symlink(&target, &file)?;
    hook(&sandbox, "codex", "s1", "Stop", json!({ "stop_hook_active": false }))?;
    assert_eq!(std::fs::read_to_string(target)?, "precious");
    Ok(())
}

/// What hooks were told and what only the transcript knows: a result, and calls of a turn of which no prompt was told.
#[test]
fn the_transcript_completes_a_turn() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let transcript = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapters/codex/fixtures/transcript-polled.jsonl");
    let started = json!({ "tool_name": "Bash", "tool_use_id": "call_1_0",
        "tool_input": { "command": "echo s1; sleep 1.5; echo s2; exit 3" } });
    hook(&sandbox, "codex", "s1", "PreToolUse", started)?;
    let show = |more: &[&str]| -> anyhow::Result<String> {
        sandbox.hookguard(["log", "turn", "codex", "s1"].iter().chain(more))?.run()?.success()
    };
    assert_eq!(show(&[])?, "ran  ?       echo s1; sleep 1.5; echo s2; exit 3\n");
    let whole = "ran  failed  echo s1; sleep 1.5; echo s2; exit 3\nran  ok      echo n1; sleep 1; echo n2 > never.txt\n\
        ran  ok      sleep 1.2; echo after\nsaid         That is all for now.\n";
    assert_eq!(show(&["--transcript", transcript])?, whole);
    let known: Value = serde_json::from_str(&show(&["--transcript", transcript, "--json"])?)?;
    assert_eq!((&known["records"][0]["exit"], &known["records"][0]["tail"]), (&json!(3), &json!("s1\ns2")));
    assert_eq!((&known["said"], &known["said_all"]), (&json!(["That is all for now."]), &json!(true)));
    assert_eq!(show(&["--transcript", "/nowhere"])?, show(&[])?);
    // In a turn that began after it, what the transcript tells is no news.
    hook(&sandbox, "codex", "s1", "UserPromptSubmit", json!({ "prompt": "once more" }))?;
    assert_eq!(show(&["--transcript", transcript])?.trim(), "");
    Ok(())
}
