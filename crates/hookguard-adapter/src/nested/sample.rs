//! An event, written as an agent of the dialect would report it.

use hookguard_core::{Change, Event, EventKind, ToolCall};
use serde_json::{Map, Value, json};

use super::Nested;
use crate::{ToolFamily, ToolRow};

pub(super) fn sample(agent: &Nested, event: &Event<'_>) -> Option<String> {
    let row = agent.profile.event(&event.native_event)?;
    if row.by_argument {
        return None;
    }
    let mut payload = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            payload.insert(name.to_owned(), value);
        }
    };
    let text = |text: &Option<String>| text.clone().map(Value::String);
    put("session_id", text(&event.session));
    put("transcript_path", text(&event.transcript));
    put("cwd", text(&event.cwd));
    put("hook_event_name", Some(json!(event.native_event)));
    put("permission_mode", text(&event.permission_mode));
    if let Some(tool) = &event.tool {
        let (name, input) = native(agent.profile.tools, tool)?;
        put("tool_name", Some(json!(name)));
        put("tool_input", Some(input));
        put("tool_use_id", text(&event.call_id));
    }
    if let Some(stop) = &event.stop {
        put("stop_hook_active", Some(json!(stop.active.unwrap_or(false))));
        put("last_assistant_message", text(&stop.last_message));
    }
    if event.kind == EventKind::Prompt {
        put("prompt", event.prompt.as_ref().map(|prompt| json!(prompt.text)));
    }
    serde_json::to_string_pretty(&Value::Object(payload)).ok()
}

/// The agent's own name and arguments for a call; `None` where it has no such tool.
fn native(rows: &[ToolRow], tool: &ToolCall) -> Option<(String, Value)> {
    if let ToolCall::Mcp { server, tool, args } = tool {
        return Some((format!("mcp__{server}__{tool}"), serde_json::from_str(args).ok()?));
    }
    if let ToolCall::Other { name, input } = tool {
        return Some((name.clone(), serde_json::from_str(input).ok()?));
    }
    rows.iter().find_map(|row| Some((row.native.to_owned(), arguments(row.family, tool)?)))
}

fn arguments(family: ToolFamily, tool: &ToolCall) -> Option<Value> {
    let object = |pairs: &[(&str, &str)]| {
        Value::Object(pairs.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect())
    };
    match (family, tool) {
        (ToolFamily::Shell { command: name, .. }, ToolCall::Shell { command, .. }) => Some(object(&[(name, command)])),
        (ToolFamily::Lines { commands }, ToolCall::Shell { command, .. }) => Some(json!({ (commands): [command] })),
        (ToolFamily::Read { path }, ToolCall::Read { paths }) => Some(object(&[(path, paths.first()?)])),
        (ToolFamily::Fetch { url: name }, ToolCall::Fetch { url }) => Some(object(&[(name, url)])),
        (ToolFamily::Input { text: name }, ToolCall::Input { text }) => Some(object(&[(name, text)])),
        (ToolFamily::Write { path, text }, ToolCall::Edit { files }) => match files.as_slice() {
            [file] if matches!(file.change, Change::Write | Change::Create) => {
                Some(object(&[(path, &file.path), (text, &file.added)]))
            }
            _ => None,
        },
        (ToolFamily::Patch { text }, ToolCall::Edit { files }) => Some(object(&[(text, &envelope(files))])),
        _ => None,
    }
}

fn envelope(files: &[hookguard_core::FileChange]) -> String {
    let mut patch = String::from("*** Begin Patch\n");
    for file in files {
        let verb = match file.change {
            Change::Write | Change::Create => "Add",
            Change::Update | Change::Move { .. } => "Update",
            Change::Delete => "Delete",
        };
        patch.push_str(&format!("*** {verb} File: {}\n", file.path));
        if let Change::Move { to } = &file.change {
            patch.push_str(&format!("*** Move to: {to}\n"));
        }
        for line in file.added.lines() {
            patch.push_str(&format!("+{line}\n"));
        }
    }
    patch.push_str("*** End Patch");
    patch
}
