//! Stops by the binary: checks that resume the agent, what waits until then, and loops that must end.

use anyhow::ensure;
use hookguard_integration::Sandbox;
use serde_json::{Value, json};

const AGENTS: [&str; 2] = ["claude", "codex"];

/// One session of an agent.
struct Session<'a> {
    sandbox: &'a Sandbox,
    agent: &'a str,
    id: String,
    calls: usize,
}

impl Session<'_> {
    fn hook(&self, event: &str, more: Value) -> anyhow::Result<String> {
        let mut payload = json!({ "session_id": self.id, "cwd": self.sandbox.project(), "hook_event_name": event });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.sandbox.hook(self.agent, event, payload.to_string())?.success()
    }

    fn prompt(&self, text: &str) -> anyhow::Result<()> {
        ensure!(self.hook("UserPromptSubmit", json!({ "prompt": text }))?.is_empty());
        Ok(())
    }

    fn edits(&mut self, file: &str) -> anyhow::Result<String> {
        self.calls += 1;
        let (tool, input) = match self.agent {
            "claude" => ("Write", json!({ "file_path": self.sandbox.project().join(file), "content": "x" })),
            _ => (
                "apply_patch",
                json!({ "command": format!("*** Begin Patch\n*** Add File: {file}\n+x\n*** End Patch") }),
            ),
        };
        let call = format!("c{}", self.calls);
        let response = if self.agent == "claude" { json!({}) } else { json!("Exit code: 0\nSuccess.") };
        self.hook(
            "PostToolUse",
            json!({ "tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": call }),
        )
    }

    /// What the agent is told to go on with; empty where it may stop.
    fn stops(&self, active: bool) -> anyhow::Result<String> {
        let said = self.hook("Stop", json!({ "stop_hook_active": active, "last_assistant_message": "All done." }))?;
        if said.is_empty() {
            return Ok(said);
        }
        let answer: Value = serde_json::from_str(&said)?;
        ensure!(answer["decision"] == "block", "{said}");
        Ok(answer["reason"].as_str().unwrap_or_default().to_owned())
    }
}

fn session<'a>(sandbox: &'a Sandbox, agent: &'a str, id: &str) -> Session<'a> {
    Session { sandbox, agent, id: id.to_owned(), calls: 0 }
}

fn configured(text: &str) -> anyhow::Result<Sandbox> {
    let sandbox = Sandbox::new()?;
    sandbox.write("home/.config/hookguard/config.toml", format!("version = 1\n{text}"))?;
    Ok(sandbox)
}

const CHECK: &str = "[[stop.check]]\nid = \"tests\"\nglobs = [\"**/*.rs\"]\n\
    command = '''echo ran >> ran.txt; test -e mended || { seq 1 3000; echo 'test result: 2 failed'; exit 101; }'''\n";

#[test]
fn a_check_resumes_until_it_is_mended_and_at_most_twice() -> anyhow::Result<()> {
    for agent in AGENTS {
        let sandbox = configured(CHECK)?;
        let ran = || std::fs::read_to_string(sandbox.project().join("ran.txt")).unwrap_or_default().lines().count();
        let mut one = session(&sandbox, agent, "s1");
        one.prompt("please fix it")?;
        one.edits("README.md")?;
        assert_eq!((one.stops(false)?.as_str(), ran()), ("", 0), "{agent}: nothing that it covers has changed");
        one.edits("src/a.rs")?;
        let told = one.stops(false)?;
        assert!(told.contains("stop.check.tests") && told.contains("2 failed"), "{agent}: {told}");
        assert!(told.len() <= 2048, "{agent}: {}", told.len());
        assert_eq!((one.stops(true)?.as_str(), ran()), ("", 1), "{agent}: the same state is let go, and nothing runs");
        one.edits("src/a.rs")?;
        assert!(one.stops(true)?.contains("2 failed"), "{agent}: after news");
        one.edits("src/a.rs")?;
        assert_eq!((one.stops(true)?.as_str(), ran()), ("", 2), "{agent}: a third time");
        one.prompt("once more")?;
        assert_eq!((one.stops(false)?.as_str(), ran()), ("", 2), "{agent}: nothing has changed in this turn");
        one.edits("src/b.rs")?;
        assert!(!one.stops(false)?.is_empty(), "{agent}: a new turn");
        sandbox.write("project/mended", "")?;
        one.edits("src/b.rs")?;
        assert_eq!((one.stops(true)?.as_str(), ran()), ("", 4), "{agent}: mended");
        let ledger = std::fs::read_to_string(sandbox.state().join(format!("session/{agent}-s1/ledger.jsonl")))?;
        assert!(ledger.contains("\"exit\":101") && ledger.contains("\"exit\":0"), "{ledger}");
    }
    Ok(())
}

/// A file that was edited without a hook being told, as it is in Codex's own transcript: the check that covers it runs.
#[test]
fn an_edit_that_only_the_transcript_tells_of_is_checked() -> anyhow::Result<()> {
    let sandbox = configured(CHECK)?;
    let one = session(&sandbox, "codex", "s1");
    let line = json!({ "type": "event_msg", "timestamp": "2026-11-30T10:00:00Z", "payload": { "type": "item_completed",
        "item": { "type": "FileChange", "id": "c1", "status": "completed",
            "changes": { sandbox.project().join("src/a.rs").to_string_lossy(): { "type": "add", "content": "x" } } } } });
    let transcript = sandbox.write("home/transcript.jsonl", format!("{line}\n"))?;
    let said = one.hook("Stop", json!({ "stop_hook_active": false, "transcript_path": transcript }))?;
    ensure!(said.contains("stop.check.tests"), "{said}");
    Ok(())
}

#[test]
fn a_subagents_end_and_a_waiting_agent_are_left_alone() -> anyhow::Result<()> {
    let sandbox = configured(
        "[[policy]]\nid = \"team.stop\"\non = \"stop\"\nform = \"claude\"\ncommand = \"echo ran >> ran.txt; echo go on >&2; exit 2\"\n",
    )?;
    for agent in AGENTS {
        let one = session(&sandbox, agent, "s1");
        let end = json!({ "stop_hook_active": false, "agent_id": "a1", "agent_type": "general", "last_assistant_message": "x" });
        assert_eq!(one.hook("SubagentStop", end)?, "");
        let waits = json!({ "stop_hook_active": false, "background_tasks": [{ "id": "b1" }] });
        assert_eq!(one.hook("Stop", waits)?, "");
        assert!(!sandbox.project().join("ran.txt").exists(), "{agent}");
    }
    assert!(session(&sandbox, "codex", "s2").stops(false)?.contains("hookguard [team.stop]: go on"));
    Ok(())
}

#[test]
fn what_could_not_be_said_is_said_at_the_next_stop_once() -> anyhow::Result<()> {
    // A failed call has an event of its own in Claude Code, which nobody's answer is read from.
    let sandbox = configured(
        "[[policy]]\nid = \"team.after\"\non = \"post_tool\"\ncommand = '''echo '{\"feedback\":\"mind the lock file\"}' '''\n",
    )?;
    let one = session(&sandbox, "claude", "s1");
    let failed = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "tool_use_id": "c1", "error": "Exit code 2\nbad" });
    for _ in 0..2 {
        assert_eq!(one.hook("PostToolUseFailure", failed.clone())?, "");
    }
    let told = one.stops(false)?;
    assert_eq!(told.matches("mind the lock file").count(), 1, "{told}");
    assert_eq!(one.stops(true)?, "");
    assert_eq!(one.hook("PostToolUseFailure", failed)?, "");
    assert_eq!(one.stops(true)?, "", "once a call");

    let two = session(&sandbox, "claude", "s2");
    let failed = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "tool_use_id": "c1", "error": "Exit code 2" });
    two.hook("PostToolUseFailure", failed)?;
    let refused = json!({ "tool_name": "Bash", "tool_input": { "command": "git push --force origin main" }, "tool_use_id": "c2" });
    let told = two.hook("PreToolUse", refused)?;
    assert!(told.contains("git.push.force") && told.contains("mind the lock file"), "{told}");
    assert_eq!(two.stops(false)?, "");
    Ok(())
}

#[test]
fn without_state_once_and_only_at_the_first_stop() -> anyhow::Result<()> {
    let sandbox = configured(
        "[[policy]]\nid = \"team.stop\"\non = \"stop\"\nform = \"claude\"\ncommand = \"echo go on >&2; exit 2\"\n",
    )?;
    sandbox.write("home/.local/state", "a file where the folder should be")?;
    for agent in AGENTS {
        let one = session(&sandbox, agent, "s1");
        assert!(one.stops(false)?.contains("go on"), "{agent}");
        assert_eq!(one.stops(true)?, "", "{agent}");
    }
    Ok(())
}

/// How many loops are played here; the thousand are played in process (`stop/tests.rs`), and here with this variable.
fn loops() -> u64 {
    std::env::var("HOOKGUARD_TEST_LOOPS").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}

#[test]
fn loops_end() -> anyhow::Result<()> {
    let sandbox = configured(
        "[[policy]]\nid = \"team.stop\"\non = \"stop\"\nform = \"claude\"\ncommand = \"echo go on >&2; exit 2\"\n",
    )?;
    for seed in 1..=loops() {
        let agent = AGENTS[(seed % 2) as usize];
        let mut one = session(&sandbox, agent, &format!("s{seed}"));
        one.prompt("do it")?;
        let mut dice = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let (mut resumed, mut news) = (0, true);
        for step in 0..5 {
            if one.stops(resumed > 0)?.is_empty() {
                break;
            }
            assert!(resumed < 2 && (resumed == 0 || news), "seed {seed}, {agent}, step {step}");
            (resumed, news) = (resumed + 1, false);
            // It answers with a tool, or with other words.
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            if dice % 3 != 0 {
                one.edits("a.txt")?;
                news = true;
            }
        }
        assert!((1..=2).contains(&resumed), "seed {seed}, {agent}: {resumed}");
    }
    Ok(())
}
