//! Anthropic's Messages API, as far as Claude Code 2.1.332 uses it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::server::{Answer, Asked, event_stream};
use super::tools::{Call, DeclaredTool, Tools};
use super::transcript::{Speaker, Told};

/// The request's body.
#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    model: String,
    #[serde(default)]
    stream: bool,
    #[serde(default)]
    system: Option<Content>,
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    tools: Vec<DeclaredTool>,
}

#[derive(Deserialize)]
struct Message {
    role: Role,
    content: Content,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Role {
    User,
    Assistant,
    System,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part {
    Text {
        text: String,
    },
    ToolResult {
        content: Option<Content>,
    },
    #[serde(other)]
    Other,
}

impl Content {
    fn tell(&self, by: Speaker, told: &mut Vec<Told>) {
        match self {
            Content::Text(text) => told.push(Told { by, text: text.clone() }),
            Content::Parts(parts) => parts.iter().for_each(|part| match part {
                Part::Text { text } => told.push(Told { by, text: text.clone() }),
                Part::ToolResult { content: Some(content) } => content.tell(Speaker::Tool, told),
                Part::ToolResult { content: None } | Part::Other => {}
            }),
        }
    }
}

pub(super) fn read(body: &[u8]) -> serde_json::Result<Asked> {
    let body: Body = serde_json::from_slice(body)?;
    let mut told = Vec::new();
    if let Some(system) = &body.system {
        system.tell(Speaker::System, &mut told);
    }
    for message in &body.messages {
        let by = match message.role {
            Role::User => Speaker::User,
            Role::Assistant => Speaker::Assistant,
            Role::System => Speaker::System,
        };
        message.content.tell(by, &mut told);
    }
    Ok(Asked { told, tools: Tools::new(body.tools), model: body.model, stream: body.stream })
}

pub(super) fn answer(answer: &Answer<'_>) -> Response {
    let blocks: Vec<Value> =
        answer.calls.iter().enumerate().map(|(index, call)| block(call, answer.serial, index)).collect();
    let calls_a_tool = answer.calls.iter().any(|call| !matches!(call, Call::Text(_)));
    let stop_reason = if calls_a_tool { "tool_use" } else { "end_turn" };
    let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
    let message = |content: &[Value], stop_reason: Option<&str>| {
        json!({
            "id": format!("msg_{}", answer.serial), "type": "message", "role": "assistant",
            "model": answer.model, "content": content, "stop_reason": stop_reason, "stop_sequence": null,
            "usage": usage,
        })
    };
    if !answer.stream {
        return Json(message(&blocks, Some(stop_reason))).into_response();
    }
    let mut events = vec![json!({ "type": "message_start", "message": message(&[], None) })];
    for (index, block) in blocks.into_iter().enumerate() {
        let (start, delta) = in_pieces(block);
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(json!({
        "type": "message_delta", "delta": { "stop_reason": stop_reason, "stop_sequence": null }, "usage": usage,
    }));
    events.push(json!({ "type": "message_stop" }));
    event_stream(&events)
}

/// One content block of the answer. The API knows no free-form tools.
fn block(call: &Call, serial: u64, index: usize) -> Value {
    match call {
        Call::Text(text) => json!({ "type": "text", "text": text }),
        Call::Function { name, input, .. } => {
            json!({ "type": "tool_use", "id": format!("toolu_{serial}_{index}"), "name": name, "input": input })
        }
        Call::Custom { name, input, .. } => {
            json!({
                "type": "tool_use", "id": format!("toolu_{serial}_{index}"), "name": name, "input": { "input": input },
            })
        }
    }
}

/// A block as it is streamed: its empty start, and all the rest in one delta.
fn in_pieces(mut block: Value) -> (Value, Value) {
    if let Some(text) = block.get_mut("text") {
        let delta = json!({ "type": "text_delta", "text": text.take() });
        *text = json!("");
        return (block, delta);
    }
    let delta = json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() });
    block["input"] = json!({});
    (block, delta)
}
