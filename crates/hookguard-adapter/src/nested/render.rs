//! What the agent is told, in the dialect: the answers that were seen to work, and only those.
//!
//! Every answer has a closed set of keys and no empty text: Codex 0.171.0 takes an answer with one unknown key, or a
//! refusal without a reason, for no answer at all, and the tool runs (`protocols/claude-codex.md` 3a).

use hookguard_core::{Event, EventKind, Fitted, Moment, Told};
use serde::Serialize;
use serde_json::value::RawValue;

use super::Nested;
use super::payload::Payload;
use crate::{Failure, HookCall, Posture, Reply, Support, ToolFamily, decode, to_ascii_json};

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Permission<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

#[derive(Serialize)]
struct Permission<'a> {
    behavior: &'static str,
    message: &'a str,
}

pub(super) fn render(agent: &Nested, event: &Event<'_>, fitted: &Fitted) -> Reply {
    let mut answer = told(agent, event, &fitted.told);
    if let Some(note) = &fitted.note {
        answer.get_or_insert_default().system_message = Some(note);
    }
    answer.map_or_else(Reply::silence, |answer| write(&answer))
}

fn told<'a>(agent: &Nested, event: &'a Event<'_>, told: &'a Told) -> Option<Answer<'a>> {
    let name = event.native_event.as_str();
    let specific = |specific: Specific<'a>| {
        Some(Answer { hook_specific_output: Some(Specific { hook_event_name: name, ..specific }), ..Answer::default() })
    };
    let block = |text: &'a String| Some(Answer { decision: Some("block"), reason: Some(text), ..Answer::default() });
    match told {
        Told::Nothing => None,
        Told::Context(text) | Told::Feedback(text) => {
            specific(Specific { additional_context: Some(text), ..Specific::default() })
        }
        // The agent is about to ask its user: that is what was wanted.
        Told::Ask(_) if event.kind == EventKind::PermissionRequest => None,
        Told::Ask(text) => specific(permission("ask", text)),
        Told::Deny(text) => match event.kind {
            EventKind::PermissionRequest => specific(Specific {
                decision: Some(Permission { behavior: "deny", message: text }),
                ..Specific::default()
            }),
            kind if kind.moment() == Moment::Before => specific(permission("deny", text)),
            _ => block(text),
        },
        Told::Rewrite { command, why } => match replaced_command(agent, event.raw, command) {
            Some(input) => specific(Specific { updated_input: Some(input), ..Specific::default() }),
            // Silence would run what was to be replaced.
            None => specific(permission("deny", why)),
        },
        Told::Resume(text) => block(text),
    }
}

fn permission<'a>(decision: &'static str, reason: &'a str) -> Specific<'a> {
    Specific { permission_decision: Some(decision), permission_decision_reason: Some(reason), ..Specific::default() }
}

/// The tool's own arguments with another command: the agent replaces them whole. `None` where it is not known which
/// argument the tool runs: a tool that was only recognised by its arguments, a command in words.
fn replaced_command(agent: &Nested, raw: &[u8], command: &str) -> Option<serde_json::Value> {
    let text = decode(raw);
    let payload: Payload<'_> = serde_json::from_str(&text).ok()?;
    let row = agent.profile.tools.iter().find(|row| payload.tool_name.as_deref() == Some(row.native))?;
    let ToolFamily::Shell { command: name, .. } = row.family else { return None };
    let mut input: serde_json::Value = serde_json::from_str(payload.tool_input.map(RawValue::get)?).ok()?;
    let replaced = input.get_mut(name).filter(|value| value.is_string())?;
    *replaced = command.into();
    Some(input)
}

pub(super) fn failure(agent: &Nested, call: &HookCall<'_>, failure: &Failure, posture: Posture) -> Reply {
    if posture == Posture::Open {
        return Reply::silence();
    }
    let pre = |row: &&crate::EventRow| row.kind == EventKind::PreTool;
    let Some(row) =
        agent.profile.event(call.event).filter(|row| pre(row)).or_else(|| agent.profile.events.iter().find(pre))
    else {
        return Reply::silence();
    };
    let can_ask = row.effects.ask != Support::No && agent.attended(call);
    let text = failure.message(can_ask);
    write(&Answer {
        hook_specific_output: Some(Specific {
            hook_event_name: row.native,
            ..permission(if can_ask { "ask" } else { "deny" }, &text)
        }),
        ..Answer::default()
    })
}

fn write(answer: &Answer<'_>) -> Reply {
    // Plain strings and a value that was JSON before: writing them can't fail. If it did, silence would be wrong before a
    // tool, so the answer would be a refusal by exit code, which both agents read (`protocols/claude-codex.md` 3a).
    match serde_json::to_string(answer) {
        Ok(json) => Reply::json(to_ascii_json(&json)),
        Err(error) => Reply { stdout: String::new(), stderr: format!("hookguard failed: {error}"), exit: 2 },
    }
}
