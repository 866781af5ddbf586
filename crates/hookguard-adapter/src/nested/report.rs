//! An event of any agent, written in the dialect in full: what a hook script of the dialect expects on its input.
//!
//! The fields, and what fills them where the other agent has nothing: payloads of Claude Code 2.1.332, 2026-11-30
//! (`captures/claude`).

use hookguard_core::{Change, Event, EventKind, FileChange, Outcome, ToolCall, ToolOutcome};
use serde_json::{Map, Value, json};

use super::Nested;
use super::payload::Payload;
use crate::{ToolFamily, decode};

/// One call, as an agent of the dialect would report it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The event's name in the dialect; an answer must carry it.
    pub event: String,
    /// The tool's name in the dialect, which matchers are about.
    pub tool: Option<String>,
    /// The tool's arguments.
    pub input: Value,
    /// The whole payload, JSON.
    pub payload: String,
}

/// The dialect's name and arguments of one tool call, and what it answered.
struct Call {
    tool: String,
    input: Value,
    response: Value,
}

/// `event` as the agent would report it. One report an event, but one a file where files are edited; none where the agent
/// has no such event or tool.
pub(super) fn reports(agent: &Nested, event: &Event<'_>) -> Vec<Report> {
    if event.agent == agent.profile.id {
        return own(event).into_iter().collect();
    }
    // The agent's event for a failed call is another one, and scripts for this one don't get it.
    if event.outcome.as_ref().is_some_and(|outcome| outcome.outcome == Outcome::Failed) {
        return Vec::new();
    }
    let Some(row) = agent.profile.events.iter().find(|row| row.kind == event.kind) else { return Vec::new() };
    let report = |call: Option<Call>| {
        let mut payload = common(event, row.native);
        let (mut tool, mut input) = (None, Value::Null);
        if let Some(call) = call {
            payload.insert("tool_name".to_owned(), json!(call.tool));
            payload.insert("tool_input".to_owned(), call.input.clone());
            if event.kind == EventKind::PostTool {
                payload.insert("tool_response".to_owned(), call.response);
            }
            payload.insert("tool_use_id".to_owned(), json!(event.call_id.clone().unwrap_or_default()));
            (tool, input) = (Some(call.tool), call.input);
        }
        Report { event: row.native.to_owned(), tool, input, payload: Value::Object(payload).to_string() }
    };
    match &event.tool {
        Some(tool) => calls(agent, event, tool).into_iter().map(|call| report(Some(call))).collect(),
        None => vec![report(None)],
    }
}

/// The agent's own payload, as it came.
fn own(event: &Event<'_>) -> Option<Report> {
    let text = decode(event.raw).into_owned();
    let payload: Payload<'_> = serde_json::from_str(&text).ok()?;
    // Only what went well is reported under the name that scripts are registered for.
    if payload.error.as_deref().is_some() {
        return None;
    }
    let input = payload.tool_input.and_then(|input| serde_json::from_str(input.get()).ok()).unwrap_or_default();
    let tool = payload.tool_name.into_owned();
    Some(Report { event: event.native_event.clone(), tool, input, payload: text })
}

fn common(event: &Event<'_>, native: &str) -> Map<String, Value> {
    let mut payload = Map::new();
    let mut put = |name: &str, value: Value| payload.insert(name.to_owned(), value);
    let or_empty = |text: &Option<String>| json!(text.as_deref().unwrap_or_default());
    put("session_id", or_empty(&event.session));
    put("transcript_path", or_empty(&event.transcript));
    put("cwd", or_empty(&event.cwd));
    if let Some(turn) = &event.turn {
        put("prompt_id", json!(turn));
    }
    put("permission_mode", json!(event.permission_mode.as_deref().unwrap_or("default")));
    if let Some(subagent) = &event.subagent {
        put("agent_id", json!(subagent.id));
        put("agent_type", json!(subagent.kind.as_deref().unwrap_or_default()));
    }
    put("hook_event_name", json!(native));
    if let Some(stop) = &event.stop {
        put("stop_hook_active", json!(stop.active.unwrap_or(false)));
        put("last_assistant_message", or_empty(&stop.last_message));
        put("background_tasks", json!(vec![json!({ "status": "running" }); stop.background_tasks]));
        put("session_crons", json!([]));
    }
    payload
}

fn calls(agent: &Nested, event: &Event<'_>, tool: &ToolCall) -> Vec<Call> {
    let row = |fits: fn(&ToolFamily) -> bool| agent.profile.tools.iter().find(|row| fits(&row.family));
    let one = |tool: &str, input: Value| {
        vec![Call { tool: tool.to_owned(), input, response: json!(printed(event.outcome.as_ref())) }]
    };
    match tool {
        ToolCall::Shell { command, dialect, patch, .. } => {
            let mut calls = Vec::new();
            for row in agent.profile.tools {
                if let ToolFamily::Shell { command: name, dialect: of, .. } = row.family
                    && of == *dialect
                {
                    let response = shell_response(event.outcome.as_ref());
                    calls.push(Call { tool: row.native.to_owned(), input: json!({ (name): command }), response });
                    break;
                }
            }
            calls.extend(edits(agent, event, patch));
            calls
        }
        ToolCall::Edit { files } => edits(agent, event, files),
        ToolCall::Read { paths } => match row(|family| matches!(family, ToolFamily::Read { .. })) {
            Some(row) => {
                paths.iter().flat_map(|path| one(row.native, json!({ "file_path": absolute(event, path) }))).collect()
            }
            None => Vec::new(),
        },
        ToolCall::Fetch { url } => match row(|family| matches!(family, ToolFamily::Fetch { .. })) {
            Some(row) => one(row.native, json!({ "url": url, "prompt": "" })),
            None => Vec::new(),
        },
        ToolCall::Mcp { server, tool, args } => one(&format!("mcp__{server}__{tool}"), value(args)),
        ToolCall::Other { name, input } => one(name, value(input)),
        // Nothing of the dialect types into a running process.
        ToolCall::Input { .. } => Vec::new(),
    }
}

/// One call a file. A file that goes has no tool of its own in the dialect: before it goes it is an edit of its path, so
/// that scripts which protect files see it; afterwards there is nothing left to look at.
fn edits(agent: &Nested, event: &Event<'_>, files: &[FileChange]) -> Vec<Call> {
    let name = |fits: fn(&ToolFamily) -> bool| {
        agent.profile.tools.iter().find(|row| fits(&row.family)).map(|row| row.native.to_owned())
    };
    let (Some(write), Some(edit)) = (
        name(|family| matches!(family, ToolFamily::Write { .. })),
        name(|family| matches!(family, ToolFamily::Edit { .. })),
    ) else {
        return Vec::new();
    };
    let before = event.kind == EventKind::PreTool;
    let removed = Removed::of(event.raw);
    let written = |path: &str, text: &str| Call {
        tool: write.clone(),
        input: json!({ "file_path": path, "content": text }),
        response: json!({
            "type": "create", "filePath": path, "content": text,
            "structuredPatch": [], "originalFile": null, "userModified": false,
        }),
    };
    let edited = |path: &str, old: &str, new: &str| Call {
        tool: edit.clone(),
        input: json!({ "file_path": path, "old_string": old, "new_string": new, "replace_all": false }),
        response: json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": null,
            "structuredPatch": [], "userModified": false, "replaceAll": false,
        }),
    };
    let mut calls = Vec::new();
    for file in files {
        let path = absolute(event, &file.path);
        let old = removed.from(&file.path);
        match &file.change {
            Change::Write | Change::Create => calls.push(written(&path, &file.added)),
            Change::Update => calls.push(edited(&path, &old, &file.added)),
            Change::Delete if before => calls.push(edited(&path, &old, "")),
            Change::Delete => {}
            Change::Move { to } => {
                if before {
                    calls.push(edited(&path, &old, ""));
                }
                calls.push(written(&absolute(event, to), &file.added));
            }
        }
    }
    calls
}

/// A path as the dialect gives it: always absolute.
fn absolute(event: &Event<'_>, path: &str) -> String {
    match &event.cwd {
        Some(cwd) if !path.starts_with('/') => {
            format!("{}/{}", cwd.trim_end_matches('/'), path.trim_start_matches("./"))
        }
        _ => path.to_owned(),
    }
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}

fn printed(outcome: Option<&ToolOutcome>) -> &str {
    outcome.and_then(|outcome| outcome.output.as_deref()).unwrap_or_default()
}

fn shell_response(outcome: Option<&ToolOutcome>) -> Value {
    json!({
        "stdout": printed(outcome),
        "stderr": "",
        "interrupted": outcome.is_some_and(|outcome| outcome.interrupted),
        "isImage": false,
        "noOutputExpected": false,
    })
}

/// The lines that a patch envelope in a payload takes out of each file: the neutral event holds only what it adds.
#[derive(Default)]
struct Removed(Vec<(String, String)>);

impl Removed {
    fn of(raw: &[u8]) -> Removed {
        let payload = serde_json::from_str(&decode(raw)).unwrap_or_default();
        envelope(&payload).map(Removed::read).unwrap_or_default()
    }

    fn read(patch: &str) -> Removed {
        let mut files: Vec<(String, String)> = Vec::new();
        for line in patch.lines() {
            let header = line.trim();
            let named = ["*** Add File:", "*** Update File:", "*** Delete File:"];
            if let Some(path) = named.iter().find_map(|start| header.strip_prefix(start)) {
                files.push((path.trim().to_owned(), String::new()));
            } else if let (Some(removed), Some((_, text))) = (line.strip_prefix('-'), files.last_mut()) {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(removed);
            }
        }
        Removed(files)
    }

    fn from(&self, path: &str) -> String {
        self.0.iter().find(|(of, _)| of == path).map(|(_, text)| text.clone()).unwrap_or_default()
    }
}

/// The first text in a payload that is a patch envelope.
fn envelope(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => text.contains("*** Begin Patch").then_some(text),
        Value::Array(items) => items.iter().find_map(envelope),
        Value::Object(members) => members.values().find_map(envelope),
        _ => None,
    }
}
