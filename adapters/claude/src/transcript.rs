//! The end of a Claude Code transcript: JSON lines, of which users' and assistants' messages matter here
//! (Claude Code 2.1.332, 2026-11-30; `transcripts/claude-smoke-stop.jsonl`).

use std::borrow::Cow;

use hookguard_adapter::{TurnSource, TurnText};
use serde::Deserialize;

use crate::MACHINE_PROMPTS;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(borrow)]
    message: Option<Message<'a>>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    text: Option<String>,
}

/// The assistant's texts since the user's last prompt, read from the end; unknown records are passed over.
pub(crate) fn last_turn(source: &TurnSource<'_>) -> TurnText {
    let mut turn = TurnText::default();
    for line in source.transcript_tail.rsplit(|byte| *byte == b'\n') {
        let Ok(Line { message: Some(message), is_sidechain: false, is_meta }) = serde_json::from_slice(line) else {
            continue;
        };
        match (&*message.role, message.content) {
            ("assistant", Content::Text(text)) => turn.texts.push(text),
            ("assistant", Content::Blocks(blocks)) => {
                turn.texts.extend(blocks.into_iter().rev().filter_map(|block| block.text));
            }
            // A tool's result is a list of blocks, a hook's text is meta; any other string is what the user wrote.
            ("user", Content::Text(text)) if !is_meta && !written_by_machine(&text) => {
                turn.complete = true;
                break;
            }
            _ => {}
        }
    }
    turn.texts.reverse();
    if let Some(last) = source.last_message.filter(|last| turn.texts.last().is_none_or(|text| text != last)) {
        turn.texts.push(last.to_owned());
    }
    turn
}

fn written_by_machine(text: &str) -> bool {
    MACHINE_PROMPTS.iter().any(|start| text.trim_start().starts_with(start))
}
