//! Transcripts that the real agents leave, replayed.

use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};
use serde_json::{Value, json};

use super::in_each_mode;
use super::session::{END, guarded, run, text};

in_each_mode!(read_back);

/// What was asked and done in a session is found where the agent keeps it, and judged again. The fixtures
/// `transcript*.jsonl` are such files.
fn read_back(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let shell = |command: &str| vec![Block::Shell(command.to_owned())];
    let path = sandbox.project().join("new.txt");
    let edit = match mode {
        Mode::Claude => Block::Tool { name: "Write".to_owned(), input: json!({"file_path": path, "content": "one\n"}) },
        _ => Block::Patch("*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch".to_owned()),
    };
    let script = Script::new([
        vec![text("I begin."), Block::Shell("echo ok".to_owned())],
        shell("echo bad >&2; exit 3"),
        shell("sudo ls"),
        vec![edit],
        vec![text(END)],
    ]);
    run(AgentRun::new(mode, &sandbox, script))?;
    let printed = sandbox.hookguard(["replay", "--json"])?.run()?.success()?;
    let report: Value = serde_json::from_str(&printed)?;
    assert_eq!(report["commands"], json!({"calls": 3, "warn": 0, "ask": 1, "deny": 0}), "{printed}");
    assert_eq!(report["other_calls"], json!({"calls": 1, "warn": 0, "ask": 0, "deny": 0}), "{printed}");
    assert_eq!((&report["sessions"], &report["files"]), (&json!(1), &json!(1)), "{printed}");
    assert_eq!(report["frequent"][0]["text"], "sudo ls", "{printed}");
    let unread = &report["unread"];
    assert_eq!((&unread["lines"], &unread["too_long"], &unread["files"]), (&json!(0), &json!(0), &json!(0)));
    Ok(())
}
