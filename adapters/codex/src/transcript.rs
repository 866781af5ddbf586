//! The end of a Codex transcript ("rollout"): JSON lines, of which completed items matter here
//! (codex-cli 0.171.0, 2026-11-30; `transcripts/codex-smoke-stop.jsonl`).

use hookguard_adapter::{TurnSource, TurnText};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    item: Item,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    content: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

/// The assistant's texts since the user's last prompt, read from the end; unknown records are passed over.
pub(crate) fn last_turn(source: &TurnSource<'_>) -> TurnText {
    let mut turn = TurnText::default();
    for line in source.transcript_tail.rsplit(|byte| *byte == b'\n') {
        let Ok(Line { payload: Payload { item } }) = serde_json::from_slice(line) else { continue };
        match item.kind.as_str() {
            "AgentMessage" => turn.texts.extend(item.content.into_iter().rev().filter_map(|part| part.text)),
            "UserMessage" => {
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
