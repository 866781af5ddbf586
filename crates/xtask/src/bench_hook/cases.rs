//! The calls that are measured: all of them allowed, because nearly every call is.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

/// One call.
pub(super) struct Case {
    /// What it is.
    pub(super) name: &'static str,
    /// The event that it is about.
    pub(super) event: &'static str,
    /// The payload's file.
    pub(super) payload: PathBuf,
    /// The most that it may take, in times of `/bin/true`.
    pub(super) budget: Option<f64>,
    /// The most instructions that the whole process may take: a tenth over what was reached when this was last written.
    pub(super) instructions: Option<u64>,
    /// The home folder to run in, if not the common one.
    pub(super) home: Option<PathBuf>,
}

/// Longer than a file must be unchanged before what was made of it is kept.
const SETTLE: std::time::Duration = std::time::Duration::from_millis(200);

/// Writes the payloads into `folder`.
pub(super) fn all(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let allowed = "cargo test --workspace --quiet && git status --short | head -20";
    let calls = [
        ("an allowed command", allowed.to_owned(), 0, Some(1.15), Some(220_000)),
        ("a script of 20 lines", script(), 0, Some(1.4), Some(600_000)),
        ("a script of 5 KB", long_script(), 0, Some(1.6), Some(2_980_000)),
        ("4 MB of foreign fields", allowed.to_owned(), 4 << 20, None, None),
    ];
    let mut cases = Vec::new();
    for (index, (name, command, foreign, budget, instructions)) in calls.into_iter().enumerate() {
        let payload = folder.join(format!("{index}.json"));
        std::fs::write(&payload, text(&command, foreign))?;
        cases.push(Case { name, event: "PreToolUse", payload, budget, instructions, home: None });
    }
    let with_rules =
        [("200 rules, compiled before", 1.25, Some(290_000), true), ("200 rules, compiled anew", 3.0, None, false)];
    for (name, budget, instructions, keeps) in with_rules {
        let home = folder.join(if keeps { "warm" } else { "cold" });
        let config = home.join(".config/hookguard");
        std::fs::create_dir_all(&config)?;
        std::fs::write(config.join("config.toml"), rules_of_a_user())?;
        if !keeps {
            // A file where the folder of what is kept would be.
            let state = home.join(".local/state/hookguard");
            std::fs::create_dir_all(&state)?;
            std::fs::write(state.join("config"), "")?;
        }
        let payload = cases[0].payload.clone();
        cases.push(Case { name, event: "PreToolUse", payload, budget: Some(budget), instructions, home: Some(home) });
    }
    cases.push(stop(folder)?);
    // What was just written is not kept: it could change again within its time stamp.
    std::thread::sleep(SETTLE);
    Ok(cases)
}

/// A stop at which neither facts nor words give a judge reason to look closer: a turn of twenty calls, four kilobytes of text,
/// and the transcript of a quarter of a megabyte that such a turn has.
fn stop(folder: &Path) -> anyhow::Result<Case> {
    let home = folder.join("stop");
    let session = home.join(".local/state/hookguard/session/claude-s1");
    std::fs::create_dir_all(&session)?;
    let mut ledger =
        vec![json!({"v": 1, "t": 1, "what": "turn", "prompt": "Add a column for the price to the table."})];
    let mut transcript = vec![
        json!({"type": "user", "sessionId": "s1", "cwd": "/home/dev/project", "timestamp": "2026-11-30T10:00:00Z",
        "message": {"role": "user", "content": "Add a column for the price to the table."}}),
    ];
    for number in 0..20 {
        let id = format!("c{number}");
        let (what, tool, input) = if number % 2 == 0 {
            let path = format!("/home/dev/project/src/part{number}.rs");
            let edit = json!({"what": "edit", "files": [path], "added": ["let price = row.price();\n"], "ok": true});
            (
                edit,
                "Edit",
                json!({"file_path": path, "old_string": "a", "new_string": "let price = row.price();\n".repeat(20)}),
            )
        } else {
            let printed = "test result: ok. 12 passed; 0 failed";
            let ran = json!({"what": "command", "command": "cargo test", "cwd": "/home/dev/project", "exit": 0, "ok": true, "tail": printed});
            (ran, "Bash", json!({"command": "cargo test"}))
        };
        let mut record = json!({"v": 1, "t": 2 + number, "call": id});
        if let (Some(record), Some(what)) = (record.as_object_mut(), what.as_object()) {
            record.extend(what.clone());
        }
        ledger.push(record);
        transcript.push(json!({"type": "assistant", "sessionId": "s1", "timestamp": "2026-11-30T10:00:01Z",
            "message": {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]}}));
        transcript.push(json!({"type": "user", "sessionId": "s1", "timestamp": "2026-11-30T10:00:02Z",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "one line of output\n".repeat(600)}]}}));
    }
    let lines = |all: &[serde_json::Value]| all.iter().map(|line| format!("{line}\n")).collect::<String>();
    std::fs::write(session.join("ledger.jsonl"), lines(&ledger))?;
    let file = folder.join("transcript.jsonl");
    std::fs::write(&file, lines(&transcript))?;
    let said = "The table has a column for the price, between the name and the stock. It is read from the row as the others are. ".repeat(35);
    let payload = folder.join("stop.json");
    let text = json!({"session_id": "s1", "transcript_path": file, "cwd": "/home/dev/project", "permission_mode": "default",
        "hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": said});
    std::fs::write(&payload, text.to_string())?;
    let name = "a stop without a signal";
    Ok(Case { name, event: "Stop", payload, budget: Some(1.5), instructions: Some(2_900_000), home: Some(home) })
}

/// A payload as Claude Code writes it, of about a kilobyte, and `foreign` bytes of fields that no agent sends.
fn text(command: &str, foreign: usize) -> String {
    let mut payload = json!({
        "session_id": "00000000-0000-4000-8000-000000000001",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-project/00000000-0000-4000-8000-000000000001.jsonl",
        "cwd": "/home/dev/project",
        "prompt_id": "00000000-0000-4000-8000-000000000002",
        "permission_mode": "default",
        "effort": {"level": "medium"},
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "Run the tests and look at what has changed"},
        "tool_use_id": "toolu_00000000000000000001",
    });
    if foreign > 0 {
        // Half of it one long text, half of it many small values: both are to be passed over.
        let item = json!({"path": "src/lib.rs", "line": 1, "text": "a line \"of\" text\n", "seen": true});
        let count = foreign / 2 / item.to_string().len();
        payload["foreign_text"] = "x".repeat(foreign / 2).into();
        payload["foreign_list"] = vec![item; count].into();
    }
    payload.to_string()
}

/// A user's configuration with 200 rules of all forms, every fourth with examples, levels and exceptions.
pub(crate) fn rules_of_a_user() -> String {
    let mut text = String::from(
        "version = 1\n\n[rules]\n\"git.stash.drop\" = \"deny\"\n\"docker.*\" = \"ask\"\n\"k8s.*\" = \"deny\"\n",
    );
    for number in 0..200 {
        let when = match number % 8 {
            0..=3 => format!(
                "program = [\"tool{number}\", \"git\"]\nsub = [\"deploy\", \"release *\"]\nflags = {{ none = [\"--dry-run\"] }}"
            ),
            4 | 5 => format!("regex = 'internal-{number}\\.example\\.(com|org)'"),
            6 => format!("effect = [\"write\", \"edit\"]\npath = {{ like = [\"generated/{number}/**\"] }}"),
            _ => format!("mcp = {{ server = [\"ci\"], tool = [\"deploy_{number}*\"] }}"),
        };
        let _ = write!(
            text,
            "\n[[rule]]\nid = \"team.rule_{number}\"\nlevel = \"deny\"\n{when}\n\
             reason = \"Releases are made by the pipeline.\"\ninstead = \"Open a pull request.\"\n"
        );
        if number % 4 == 0 {
            let _ = writeln!(
                text,
                "examples = {{ deny = [\"tool{number} deploy web\"], allow = [\"tool{number} status\"] }}"
            );
        }
    }
    for number in 0..10 {
        let _ = write!(
            text,
            "\n[[except]]\nrule = \"fs.delete.project\"\npath = \"generated/{number}/**\"\nreason = \"made again\"\n"
        );
    }
    text
}

/// As CI runs them: steps one after the other, conditions, loops, pipes.
fn long_script() -> String {
    let mut script = String::from(
        "#!/usr/bin/env bash\nset -euo pipefail\ncd \"$(git rev-parse --show-toplevel)\"\nexport RUST_BACKTRACE=1\n",
    );
    for part in 1..=9 {
        // Writing to a string can't fail.
        let _ = write!(
            script,
            "echo \"== step {part}: build and test part {part}\"\ncargo build --release --package part{part} --locked\n\
             cargo test --package part{part} --quiet -- --nocapture | tee logs/part{part}.txt\n\
             if [ -f \"part{part}/package.json\" ]; then\n  (cd part{part} && npm ci && npm run build)\nfi\n\
             grep -rn \"TODO\" part{part}/src --include=\"*.rs\" | wc -l\n\
             cp target/release/part{part} \"$OUT/bin/part{part}\"\ngit status --short part{part} > logs/status{part}.txt || true\n\
             for f in part{part}/docs/*.md; do\n  sed -n \"1,3p\" \"$f\" >> logs/heads.txt\ndone\n\
             mkdir -p \"dist/part{part}\" && tar czf \"dist/part{part}.tar.gz\" -C part{part} src\n"
        );
    }
    script
}

fn script() -> String {
    let mut script = String::from("set -euo pipefail\n");
    for part in 1..=6 {
        // Writing to a string can't fail.
        let _ = write!(
            script,
            "for file in src/part{part}/*.rs; do\n  grep -n 'TODO' \"$file\" | sed 's/^/part{part}: /' || true\ndone\n"
        );
    }
    script.push_str("cargo build --release 2>&1 | tail -5");
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_as_named() {
        assert_eq!(script().lines().count(), 20);
        assert!((4_700..5_400).contains(&long_script().len()), "{}", long_script().len());
        let large = text("ls", 4 << 20).len();
        assert!((3 << 20..6 << 20).contains(&large), "{large}");
    }
}
