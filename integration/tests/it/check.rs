//! `check`, `explain`, `sample` and `demo`, as people call them.

use hookguard_integration::Sandbox;
use serde_json::{Value, json};

/// The payload that the project's founding article prints: five fields, no ids, no environment.
const SEED: &str = r#"{
  "session_id": "abc123",
  "cwd": "/home/dev/acme-crm",
  "hook_event_name": "PreToolUse",
  "tool_name": "Bash",
  "tool_input": { "command": "git push --force origin main" }
}"#;

#[test]
fn the_seeds_payload_is_denied_with_an_alternative() {
    let sandbox = Sandbox::new().unwrap();
    let done = sandbox.hook("claude", "PreToolUse", SEED).unwrap();
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("Instead: ") && reason.lines().count() <= 3, "{reason}");
}

#[test]
fn exit_codes_tell_the_verdict() {
    let sandbox = Sandbox::new().unwrap();
    for (command, code) in [("git push -f", 1), ("git status", 0), ("sudo ls", 3), ("echo 'git push -f'", 0)] {
        let place = ["--project-root", "/home/dev/acme", "--home", "/home/dev"];
        for verb in ["check", "explain"] {
            let done = sandbox.hookguard([verb, command]).unwrap().args(place).run().unwrap();
            assert_eq!(done.code(), Some(code), "{verb} {command}: {done:?}");
        }
    }
    assert_eq!(sandbox.hookguard(["check"]).unwrap().run().unwrap().code(), Some(2));
}

#[test]
fn a_batch_answers_line_by_line_in_order() {
    let sandbox = Sandbox::new().unwrap();
    let lines = "{\"id\":\"a\",\"cmd\":\"git push -f\"}\n\n{\"id\":2,\"cmd\":\"ls\",\"cwd\":\"/home/dev/acme/sub\"}\n{\"cmd\":\"git push --force-with-lease\"}\n";
    let args = ["check", "--batch", "--project-root", "/home/dev/acme", "--home", "/home/dev"];
    let printed = sandbox.hookguard(args).unwrap().stdin(lines).run().unwrap().success().unwrap();
    let rows: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0]["rule"], &rows[0]["evidence"]), (&json!("git.push.force"), &json!("git push -f")));
    assert_eq!(rows[2]["questions"], json!([{ "branch": { "dir": "/home/dev/acme" } }]));
    assert_eq!((&rows[2]["decision"], &rows[2]["may_settle"]), (&json!("ask"), &json!(true)));
    assert_eq!((rows[0]["id"].as_str(), rows[0]["decision"].as_str()), (Some("a"), Some("deny")));
    assert_eq!((rows[1]["id"].as_i64(), rows[1]["decision"].as_str()), (Some(2), Some("allow")));
    let done = sandbox.hookguard(args).unwrap().stdin("{\"id\":1}\n").run().unwrap();
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr.contains("line 1"), "{}", done.stderr);
}

#[test]
fn a_sample_is_judged_by_the_hook() {
    let sandbox = Sandbox::new().unwrap();
    for agent in ["claude", "codex"] {
        let args = ["sample", agent, "PreToolUse", "--command", "git push --force"];
        let sample = sandbox.hookguard(args).unwrap().run().unwrap().success().unwrap();
        assert!(sandbox.hook(agent, "PreToolUse", sample).unwrap().stdout.contains("deny"));
    }
}

#[test]
fn the_demo_shows_refusals_and_silence_for_every_agent() {
    let sandbox = Sandbox::new().unwrap();
    let printed = sandbox.hookguard(["demo"]).unwrap().run().unwrap().success().unwrap();
    for agent in ["Claude Code", "Codex CLI"] {
        for verdict in ["deny", "allow"] {
            let shown = printed.lines().any(|line| line.contains(agent) && line.contains(verdict));
            assert!(shown, "{agent} {verdict}:\n{printed}");
        }
    }
}
