//! OpenAI's Responses API, as far as Codex 0.171.0 uses it.

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
    instructions: Option<String>,
    #[serde(default)]
    input: Vec<Item>,
    #[serde(default)]
    tools: Vec<DeclaredTool>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        role: Role,
        content: Content,
    },
    FunctionCallOutput {
        output: Content,
    },
    CustomToolCallOutput {
        output: Content,
    },
    /// Code-mode models get their tools so, and none at the top.
    AdditionalTools {
        tools: Vec<DeclaredTool>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Role {
    User,
    Assistant,
    Developer,
    System,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

/// Of `input_text`, `output_text` and whatever else has one, the text.
#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

impl Content {
    fn tell(self, by: Speaker, told: &mut Vec<Told>) {
        match self {
            Content::Text(text) => told.push(Told { by, text }),
            Content::Parts(parts) => {
                // A tool's result is one text, in however many parts it comes.
                let texts = parts.into_iter().filter_map(|part| part.text);
                if by == Speaker::Tool {
                    told.push(Told { by, text: texts.collect::<Vec<_>>().join("\n") });
                } else {
                    told.extend(texts.map(|text| Told { by, text }));
                }
            }
        }
    }
}

pub(super) fn read(body: &[u8]) -> serde_json::Result<Asked> {
    let body: Body = serde_json::from_slice(body)?;
    let mut told = Vec::new();
    let mut tools = body.tools;
    told.extend(body.instructions.map(|text| Told { by: Speaker::System, text }));
    for item in body.input {
        match item {
            Item::Message { role, content } => {
                let by = match role {
                    Role::User => Speaker::User,
                    Role::Assistant => Speaker::Assistant,
                    Role::Developer => Speaker::Developer,
                    Role::System => Speaker::System,
                };
                content.tell(by, &mut told);
            }
            Item::FunctionCallOutput { output } | Item::CustomToolCallOutput { output } => {
                output.tell(Speaker::Tool, &mut told);
            }
            Item::AdditionalTools { tools: more } => tools.extend(more),
            Item::Other => {}
        }
    }
    Ok(Asked { told, tools: Tools::new(tools), model: body.model, stream: body.stream })
}

pub(super) fn answer(answer: &Answer<'_>) -> Response {
    let items: Vec<Value> =
        answer.calls.iter().enumerate().map(|(index, call)| item(call, answer.serial, index)).collect();
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 5, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 15,
    });
    let response = |status: &str, output: &[Value]| {
        json!({
            "id": format!("resp_{}", answer.serial), "object": "response", "status": status,
            "model": answer.model, "output": output, "usage": usage,
        })
    };
    if !answer.stream {
        return Json(response("completed", &items)).into_response();
    }
    let mut events = vec![json!({ "type": "response.created", "response": response("in_progress", &[]) })];
    for (index, item) in items.iter().enumerate() {
        events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": started(item) }));
        if let Some(text) = item.pointer("/content/0/text") {
            events.push(json!({
                "type": "response.output_text.delta", "output_index": index, "content_index": 0,
                "item_id": item["id"], "delta": text,
            }));
        }
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    events.push(json!({ "type": "response.completed", "response": response("completed", &items) }));
    event_stream(&events)
}

/// One output item of the answer.
fn item(call: &Call, serial: u64, index: usize) -> Value {
    let (mut item, namespace) = match call {
        Call::Text(text) => (
            json!({
                "type": "message", "role": "assistant",
                "content": [{ "type": "output_text", "text": text, "annotations": [] }],
            }),
            None,
        ),
        Call::Function { name, namespace, input } => {
            (json!({ "type": "function_call", "name": name, "arguments": input.to_string() }), namespace.as_ref())
        }
        Call::Custom { name, namespace, input } => {
            (json!({ "type": "custom_tool_call", "name": name, "input": input }), namespace.as_ref())
        }
    };
    item["id"] = json!(format!("item_{serial}_{index}"));
    item["status"] = json!("completed");
    if !matches!(call, Call::Text(_)) {
        item["call_id"] = json!(format!("call_{serial}_{index}"));
    }
    if let Some(namespace) = namespace {
        item["namespace"] = json!(namespace);
    }
    item
}

/// An item as it stands before its text has come.
fn started(item: &Value) -> Value {
    let mut item = item.clone();
    if item["type"] == "message" {
        item["content"] = json!([]);
        item["status"] = json!("in_progress");
    }
    item
}
