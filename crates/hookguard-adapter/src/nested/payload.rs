//! The payload's fields. What decides must have its right type; what only informs is taken if it has.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lenient::{Count, Flag, Text};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Payload<'a> {
    #[serde(borrow)]
    pub(super) hook_event_name: Text<'a>,
    #[serde(borrow)]
    pub(super) session_id: Text<'a>,
    #[serde(borrow)]
    pub(super) prompt_id: Text<'a>,
    #[serde(borrow)]
    pub(super) turn_id: Text<'a>,
    #[serde(borrow)]
    pub(super) transcript_path: Text<'a>,
    #[serde(borrow)]
    pub(super) cwd: Text<'a>,
    #[serde(borrow)]
    pub(super) permission_mode: Text<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Text<'a>,
    #[serde(borrow)]
    pub(super) agent_type: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_name: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Text<'a>,
    pub(super) is_interrupt: Flag,
    pub(super) stop_hook_active: Flag,
    #[serde(borrow)]
    pub(super) last_assistant_message: Text<'a>,
    pub(super) background_tasks: Count,
    #[serde(borrow)]
    pub(super) prompt: Text<'a>,
}

/// A response of [`Response::Structured`](super::Response::Structured), as far as shells and edits have it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct StructuredResponse<'a> {
    #[serde(borrow)]
    pub(super) stdout: Text<'a>,
    #[serde(borrow)]
    pub(super) stderr: Text<'a>,
    pub(super) interrupted: Flag,
    #[serde(borrow)]
    pub(super) background_task_id: Text<'a>,
    #[serde(borrow)]
    pub(super) bash_edit_diff: Option<&'a RawValue>,
}

/// What Claude Code says of the files that a shell command changed (2.1.332, 2026-11-30; `PostToolUse-Bash.json`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditDiff {
    pub(super) changed_files: Vec<String>,
}
