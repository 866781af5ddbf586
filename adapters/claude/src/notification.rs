//! What Claude Code tells its model of a command in the background that has ended
//! (Claude Code 2.1.332, 2026-11-30; `fixtures/transcript-background.jsonl`).

use hookguard_adapter::transcript::Said;
use hookguard_core::{Outcome, ToolOutcome};

use crate::MACHINE_PROMPTS;

/// The end of the command, where `text` is such a notification.
pub(crate) fn read(text: &str) -> Option<Said> {
    let text = text.trim_start();
    if !MACHINE_PROMPTS.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    let between = |tag: &str| {
        let (_, after) = text.split_once(&format!("<{tag}>"))?;
        Some(after.split_once(&format!("</{tag}>"))?.0)
    };
    let exit_code = between("summary").and_then(exit_code);
    let outcome = match (between("status")?, exit_code) {
        ("completed", Some(0) | None) => Outcome::Ok,
        ("completed" | "failed" | "killed", _) => Outcome::Failed,
        _ => Outcome::Unknown,
    };
    let outcome =
        ToolOutcome { outcome, exit_code, output: None, changed: Vec::new(), interrupted: false, background: true };
    Some(Said::Result { id: Some(between("tool-use-id")?.to_owned()), outcome, ran: true })
}

/// `... completed (exit code 0)`, `... failed with exit code 5`: after the command's own description, which may say anything.
fn exit_code(summary: &str) -> Option<i32> {
    let (_, code) = summary.rsplit_once("exit code ")?;
    code.trim_end_matches(')').trim().parse().ok()
}
