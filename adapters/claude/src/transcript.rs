//! Claude Code's transcripts: JSON lines, of which users' and assistants' messages matter here
//! (Claude Code 2.1.332, 2026-11-30; `fixtures/transcript.jsonl`).

use hookguard_adapter::lenient::{Flag, Text};
use hookguard_adapter::nested::{exit_code, structured_outcome};
use hookguard_adapter::transcript::{Record, Said, Seen, milliseconds, output, text};
use hookguard_adapter::{Transcript, decode, tool_call};
use hookguard_core::{Outcome, ToolCall};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::profile::PROFILE;
use crate::{MACHINE_PROMPTS, notification};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
    #[serde(borrow)]
    attachment: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Text<'a>,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    is_sidechain: Flag,
    is_meta: Flag,
}

#[derive(Deserialize)]
struct Attachment<'a> {
    #[serde(borrow, default)]
    prompt: Text<'a>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_id: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    is_error: Flag,
}

/// Remembers whose session it is.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    session: Option<String>,
    cwd: Option<String>,
}

impl Transcript for Reader {
    fn may_speak(&self, line: &[u8]) -> bool {
        // A block of text says `"type":"text"`; one with a tool's result has its output as `"content"`.
        memchr::memmem::find(line, b"\"text\"").is_some()
    }

    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(Record)) -> Seen {
        let json = decode(line);
        let Ok(line) = serde_json::from_str::<Line<'_>>(&json) else { return Seen::Broken };
        match line.kind.as_deref() {
            None | Some("user" | "assistant") => {}
            Some("attachment") => return self.attachment(&line, each),
            // Requests to the model are kept too, with messages that the agent wrote in the user's name.
            Some(_) => return Seen::Nothing,
        }
        let Some(message) = line.message.and_then(|raw| serde_json::from_str::<Message<'_>>(raw.get()).ok()) else {
            return Seen::Nothing;
        };
        let at = line.timestamp.as_deref().and_then(milliseconds);
        let subagent = line.is_sidechain.0.unwrap_or(false);
        let mut seen = Seen::Nothing;
        let mut say = |said| {
            seen = Seen::Said;
            each(Record { at, subagent, said });
        };
        let of = |text: &Text<'_>| text.as_deref().map(str::to_owned);
        if line.session_id.as_deref().is_some_and(|id| self.session.as_deref() != Some(id))
            || line.cwd.as_deref().is_some_and(|cwd| self.cwd.as_deref() != Some(cwd))
        {
            self.session = of(&line.session_id).or(self.session.take());
            self.cwd = of(&line.cwd).or(self.cwd.take());
            say(Said::Session { id: self.session.clone(), cwd: self.cwd.clone() });
        }
        let content = message.content.map_or("null", RawValue::get);
        match message.role.as_deref() {
            Some("assistant") => self.assistant(content, &mut say),
            // In a subagent's transcript the user is the agent that started it.
            Some("user") => user(content, subagent || line.is_meta.0.unwrap_or(false), line.tool_use_result, &mut say),
            _ => {}
        }
        seen
    }
}

impl Reader {
    /// While the model works, it is told between two calls that a command in the background has ended.
    fn attachment(&self, line: &Line<'_>, each: &mut dyn FnMut(Record)) -> Seen {
        let queued = line.attachment.and_then(|raw| serde_json::from_str::<Attachment<'_>>(raw.get()).ok());
        match queued.as_ref().and_then(|queued| queued.prompt.as_deref()).and_then(notification::read) {
            Some(said) => {
                let at = line.timestamp.as_deref().and_then(milliseconds);
                each(Record { at, subagent: line.is_sidechain.0.unwrap_or(false), said });
                Seen::Said
            }
            None => Seen::Nothing,
        }
    }

    fn assistant(&self, content: &str, say: &mut dyn FnMut(Said)) {
        if let Ok(said) = serde_json::from_str::<String>(content) {
            return say(Said::AssistantText(text(&said)));
        }
        for block in blocks(content) {
            match (block.kind.as_deref(), block.text.as_deref(), block.name.as_deref(), block.input) {
                (Some("text"), Some(said), ..) => say(Said::AssistantText(text(said))),
                (Some("tool_use"), _, Some(name), Some(input)) => {
                    // What lacks its arguments was rejected before any hook saw it.
                    let tool = tool_call(PROFILE.tools, name, input.get())
                        .unwrap_or_else(|_| ToolCall::Other { name: name.to_owned(), input: input.get().to_owned() });
                    say(Said::Call { id: block.id.into_owned(), tool, cwd: self.cwd.clone() });
                }
                _ => {}
            }
        }
    }
}

/// A user's message is what they wrote, or the results of calls.
fn user(content: &str, by_machine: bool, response: Option<&RawValue>, say: &mut dyn FnMut(Said)) {
    let prompt = |written: &str| {
        let machine = by_machine || MACHINE_PROMPTS.iter().any(|start| written.trim_start().starts_with(start));
        if machine { Said::MachineText(text(written)) } else { Said::UserText(text(written)) }
    };
    if let Ok(written) = serde_json::from_str::<String>(content) {
        say(prompt(&written));
        return notification::read(&written).into_iter().for_each(say);
    }
    let blocks = blocks(content);
    let results = blocks.iter().filter(|block| block.kind.as_deref() == Some("tool_result")).count();
    for block in blocks {
        match (block.kind.as_deref(), block.text.as_deref()) {
            // A prompt with a picture is a list; text beside a result is the agent's.
            (Some("text"), Some(written)) if results == 0 => say(prompt(written)),
            (Some("text"), Some(written)) => say(Said::MachineText(text(written))),
            // The response stands beside the message, so it is clear whose it is only where there is one result.
            (Some("tool_result"), _) => say(result(block, response.filter(|_| results == 1))),
            _ => {}
        }
    }
}

fn result(block: Block<'_>, response: Option<&RawValue>) -> Said {
    let printed = printed(block.content.map_or("null", RawValue::get));
    let mut outcome = structured_outcome(response.map_or("null", RawValue::get));
    let mut ran = true;
    if block.is_error.0.unwrap_or(false) {
        outcome.outcome = Outcome::Failed;
        outcome.exit_code = exit_code(&printed);
        // What ran and failed says with which code; what says none was refused, rejected, or interrupted by the user.
        ran = outcome.exit_code.is_some();
    }
    outcome.output = Some(output(&printed));
    Said::Result { id: block.tool_use_id.into_owned(), outcome, ran }
}

/// The text of a result: a string, or a list of blocks.
fn printed(content: &str) -> String {
    serde_json::from_str::<String>(content).unwrap_or_else(|_| {
        blocks(content).iter().filter_map(|block| block.text.as_deref()).collect::<Vec<_>>().join("\n")
    })
}

/// The blocks of a message. One of another shape is passed over.
fn blocks(content: &str) -> Vec<Block<'_>> {
    let raw: Vec<&RawValue> = serde_json::from_str(content).unwrap_or_default();
    raw.iter().filter_map(|raw| serde_json::from_str(raw.get()).ok()).collect()
}
