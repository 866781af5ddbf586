//! `replay`: past transcripts, judged by a policy; in little memory, and whatever is in them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use hookguard_integration::{Sandbox, binary};
use serde_json::{Value, json};

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters").join(path)
}

/// Replays these files and folders as one whose home is `/home/dev`.
fn replay(sandbox: &Sandbox, args: &[&str]) -> String {
    let all = ["replay", "--home", "/home/dev"].iter().chain(args);
    sandbox.hookguard(all).unwrap().run().unwrap().success().unwrap()
}

fn as_json(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_str(&replay(sandbox, &[args, &["--json"]].concat())).unwrap()
}

/// A record of Claude Code: the model calls Bash.
fn call(number: usize, time: &str, command: &str) -> String {
    let message = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": format!("toolu_{number}"), "name": "Bash", "input": {"command": command}}]});
    json!({"type": "assistant", "message": message, "cwd": "/home/dev/acme", "sessionId": "s1", "timestamp": time})
        .to_string()
}

const TIME: &str = "2026-11-20T10:00:00.000Z";

#[test]
fn the_recorded_sessions_are_reported() {
    let sandbox = Sandbox::new().unwrap();
    let files = [
        "claude/fixtures/transcript.jsonl",
        "codex/fixtures/transcript-direct.jsonl",
        "codex/fixtures/transcript-code.jsonl",
    ]
    .map(|path| fixture(path).display().to_string());
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::assert_snapshot!("replay", replay(&sandbox, &files));
        insta::assert_snapshot!("replay-json", replay(&sandbox, &[&files[..], &["--json"]].concat()));
    });
}

#[test]
fn the_agents_own_places_are_found() {
    let sandbox = Sandbox::new().unwrap();
    for (from, to) in [
        ("claude/fixtures/transcript.jsonl", "home/.claude/projects/-home-dev-project/a.jsonl"),
        ("claude/fixtures/transcript.jsonl", "home/.claude/projects/-home-dev-project/a/subagents/agent-1.jsonl"),
        ("codex/fixtures/transcript-code.jsonl", "home/.codex/sessions/2026/11/30/rollout-2026-11-30T11.jsonl"),
        ("codex/fixtures/transcript-code.jsonl", "home/.codex/sessions/2026/11/30/another.jsonl"),
    ] {
        sandbox.write(to, fs::read(fixture(from)).unwrap()).unwrap();
    }
    let run = |args: &[&str]| -> Value {
        let all = ["replay", "--json"].iter().chain(args);
        serde_json::from_str(&sandbox.hookguard(all).unwrap().run().unwrap().success().unwrap()).unwrap()
    };
    let all = run(&[]);
    // The same calls stand in two of Claude's files: they count once.
    assert_eq!((&all["files"], &all["sessions"], &all["repeated"]), (&json!(3), &json!(2), &json!(4)), "{all:#}");
    assert_eq!(all["commands"]["calls"], 6);
    assert_eq!(run(&["--agent", "codex"])["commands"]["calls"], 3);
    let since = run(&["--since", "2026-11-30T11:09:30Z"]);
    assert_eq!(since["from"], "2026-11-30 11:09:30");
    assert!(since["commands"]["calls"].as_u64().unwrap() < 6, "{since:#}");
    assert_eq!(run(&["--since", "2030-01-01"])["files_passed"], 3);
    assert_eq!(sandbox.hookguard(["replay", "--since", "yesterday"]).unwrap().run().unwrap().code(), Some(2));
    assert_eq!(sandbox.hookguard(["replay", "nowhere.jsonl"]).unwrap().run().unwrap().code(), Some(2));
}

#[test]
fn classes_rules_and_the_most_frequent_are_counted() {
    let sandbox = Sandbox::new().unwrap();
    let token = format!("ghp_{}", "aZ9".repeat(12));
    let with_token = format!("sudo curl -H 'Authorization: Bearer {token}' x\u{1b}[2J");
    let commands =
        ["git push --force origin main", "git push --force origin main", "sudo ls", "git status", with_token.as_str()];
    let lines: Vec<String> = commands.iter().enumerate().map(|(at, command)| call(at, TIME, command)).collect();
    let file = sandbox.write("t.jsonl", lines.join("\n")).unwrap();
    let file = file.to_str().unwrap();
    let report = as_json(&sandbox, &[file]);
    assert_eq!(report["commands"], json!({"calls": 5, "warn": 0, "ask": 2, "deny": 2}), "{report:#}");
    assert_eq!(report["interruptions_per_1000_commands"], 800.0);
    let classes: Vec<&str> =
        report["classes"].as_array().unwrap().iter().map(|of| of["class"].as_str().unwrap()).collect();
    assert_eq!(classes, ["git", "system"]);
    assert_eq!(report["classes"][0]["rules"][0], json!({"rule": "git.push.force", "warn": 0, "ask": 0, "deny": 2}));
    assert_eq!((&report["frequent"][0]["count"], &report["frequent"][0]["decision"]), (&json!(2), &json!("deny")));
    assert_eq!(as_json(&sandbox, &[file, "--top", "1"])["frequent"].as_array().unwrap().len(), 1);
    let text = replay(&sandbox, &[file]);
    assert!(text.contains("\\x1b[2J") && !text.contains('\u{1b}') && !text.contains(&token[8..]), "{text}");
}

#[test]
fn a_change_of_policy_is_shown() {
    let sandbox = Sandbox::new().unwrap();
    let lines = [call(1, TIME, "sudo ls"), call(2, TIME, "git status"), call(3, TIME, "git push --force origin main")];
    let file = sandbox.write("t.jsonl", lines.join("\n")).unwrap();
    let before = sandbox.write("before.toml", "version = 1\n").unwrap();
    let after = "version = 1\n[rules]\n\"system.elevate\" = \"off\"\n\"system.elevated\" = \"off\"\n\"git.push.force\" = \"ask\"\n";
    let after = sandbox.write("after.toml", after).unwrap();
    let args = [file.to_str().unwrap(), "--config", after.to_str().unwrap(), "--against", before.to_str().unwrap()];
    let report = as_json(&sandbox, &args);
    assert_eq!(report["commands"], json!({"calls": 3, "warn": 0, "ask": 1, "deny": 0}), "{report:#}");
    let changes = &report["changes"];
    assert_eq!(changes["calls"], 2);
    assert_eq!((&changes["before"]["ask"], &changes["before"]["deny"]), (&json!(1), &json!(1)));
    let gone = changes["verdicts"].as_array().unwrap().iter().find(|one| one["after"] == "allow").unwrap();
    assert_eq!((&gone["before"], &gone["before_rule"]), (&json!("ask"), &json!("system.elevate")));
    let text = replay(&sandbox, &args);
    assert!(
        text.contains("2 of 3 calls are decided otherwise")
            && text.contains("deny git.push.force → ask git.push.force"),
        "{text}"
    );
    let broken = sandbox.write("broken.toml", "version = 1\nrules = 7\n").unwrap();
    let done = sandbox.hookguard(["replay", "--config"]).unwrap().arg(broken).arg(file).run().unwrap();
    assert_eq!(done.code(), Some(2), "{done:?}");
}

#[test]
fn what_can_not_be_read_is_counted_and_nothing_is_fatal() {
    let sandbox = Sandbox::new().unwrap();
    let folder = sandbox.root().join("odd");
    let mixed = [
        call(1, TIME, "sudo ls").into_bytes(),
        b"{\"type\":\"assistant\",\"message\":{\"role\":\"assis".to_vec(),
        b"\xff\xfe\x00garbage".to_vec(),
        call(2, TIME, "sudo ls -l").into_bytes(),
        vec![b'x'; 17 << 20],
        call(3, TIME, "sudo ls -a").into_bytes(),
        b"{\"half\":".to_vec(),
    ];
    sandbox.write("odd/mixed.jsonl", mixed.join(&b'\n')).unwrap();
    sandbox.write("odd/empty.jsonl", "").unwrap();
    sandbox.write("odd/binary.jsonl", [0_u8; 4096]).unwrap();
    fs::create_dir(folder.join("folder.jsonl")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("loop.jsonl")).unwrap();
    sandbox.program("mkfifo").arg(folder.join("pipe.jsonl")).run().unwrap().success().unwrap();
    let report = as_json(&sandbox, &[folder.to_str().unwrap()]);
    assert_eq!(report["commands"], json!({"calls": 3, "warn": 0, "ask": 3, "deny": 0}), "{report:#}");
    assert_eq!(report["unread"], json!({"lines": 3, "of_lines": 7, "too_long": 1, "files": 0, "unknown_files": 2}));
}

/// 100 MB under an address space of 96 MB: the file can't be in memory, nor mapped.
#[test]
fn a_large_transcript_is_read_in_little_memory() {
    const MEGABYTES: usize = 100;
    const LIMIT_KB: usize = 96 << 10;
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.root().join("large.jsonl");
    let mut out = std::io::BufWriter::new(fs::File::create(&file).unwrap());
    let output = "x".repeat(200 << 10);
    let (mut written, mut calls) = (0, 0);
    while written < MEGABYTES << 20 {
        let command = if calls % 10 == 0 { "sudo ls".to_owned() } else { format!("echo {calls}") };
        let result = json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": format!("toolu_{calls}"), "content": output}]}});
        let lines = format!("{}\n{result}\n", call(calls, TIME, &command));
        out.write_all(lines.as_bytes()).unwrap();
        written += lines.len();
        calls += 1;
    }
    out.into_inner().unwrap().sync_all().unwrap();
    let script = format!("ulimit -v {LIMIT_KB}; exec \"$0\" replay --json --home /home/dev \"$1\"");
    let shell = sandbox.program("bash").args(["-c", &script]).arg(binary::hookguard().unwrap()).arg(&file);
    let printed = shell.deadline(std::time::Duration::from_secs(300)).run().unwrap().success().unwrap();
    let report: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(report["commands"]["calls"], calls, "{printed}");
    assert_eq!(report["commands"]["ask"], calls.div_ceil(10), "{printed}");
}
