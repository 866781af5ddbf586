//! A payload of the dialect, read into an event.

use hookguard_core::{Event, EventKind, Outcome, Prompt, PromptAuthor, Stop, Subagent, ToolCall, ToolOutcome};
use serde_json::value::RawValue;

use super::payload::{EditDiff, Payload, StructuredResponse};
use super::{Nested, Response};
use crate::{EventRow, HookCall, ParseError, decode, tool_call};

pub(super) fn parse<'a>(agent: &Nested, call: &HookCall<'a>) -> Result<Event<'a>, ParseError> {
    let text = decode(call.stdin);
    let payload: Payload<'_> = serde_json::from_str(&text).map_err(|error| ParseError(why(&error)))?;

    let said = payload.hook_event_name.as_deref();
    let (row, native) = which(agent, call.event, said);
    let kind = row.map_or(EventKind::Other, |row| row.kind);
    let mut event = Event::new(kind, agent.profile.id, native, call.stdin);
    if let Some(said) = said.filter(|said| *said != call.event) {
        event.mismatch = Some(format!("installed for {}, the payload says {said}", call.event));
    }

    event.tool = match (payload.tool_name.as_deref(), payload.tool_input) {
        (Some(name), Some(input)) => match tool_call(agent.profile.tools, name, input.get()) {
            Ok(call) => Some(call),
            Err(error) if kind == EventKind::PreTool => return Err(error),
            Err(_) => None,
        },
        (None, _) if kind == EventKind::PreTool => return Err(ParseError("it has no tool_name".to_owned())),
        (_, None) if kind == EventKind::PreTool => return Err(ParseError("it has no tool_input".to_owned())),
        _ => None,
    };
    event.outcome = outcome(agent, kind, event.tool.as_ref(), &payload);
    event.attended = agent.attended(call);
    event.roots = agent.root_variable.and_then(|name| call.variable(name)).map(str::to_owned).into_iter().collect();
    event.subagent = payload.agent_id.into_owned().map(|id| Subagent { id, kind: payload.agent_type.into_owned() });
    event.prompt = match kind {
        EventKind::Prompt => payload.prompt.into_owned().map(|text| {
            let machine = event.subagent.is_some()
                || text.trim().is_empty()
                || agent.machine_prompts.iter().any(|start| text.trim_start().starts_with(start));
            Prompt { text, author: if machine { PromptAuthor::Machine } else { PromptAuthor::User } }
        }),
        _ => None,
    };
    event.stop = matches!(kind, EventKind::Stop | EventKind::SubagentStop).then(|| Stop {
        active: payload.stop_hook_active.0,
        last_message: payload.last_assistant_message.into_owned(),
        background_tasks: payload.background_tasks.0,
    });
    event.session = payload.session_id.into_owned();
    event.turn = payload.prompt_id.into_owned().or(payload.turn_id.into_owned());
    event.call_id = payload.tool_use_id.into_owned();
    event.cwd = payload.cwd.into_owned().or_else(|| call.cwd.map(str::to_owned));
    event.permission_mode = payload.permission_mode.into_owned();
    event.transcript = payload.transcript_path.into_owned();
    Ok(event)
}

/// Which event it is: the one that the installed command names, unless the payload says that a tool is about to run.
/// The name is the one that the answer must carry, and the agent knows best which event it fires.
fn which<'n>(agent: &Nested, installed: &'n str, said: Option<&'n str>) -> (Option<&'static EventRow>, &'n str) {
    let of = |name: &str| agent.profile.event(name);
    match said.and_then(of) {
        Some(row) if row.kind == EventKind::PreTool => (Some(row), row.native),
        said_row => match (of(installed), said) {
            (Some(row), _) => (Some(row), row.native),
            (None, Some(said)) => (said_row, said),
            (None, None) => (None, installed),
        },
    }
}

/// What serde found wrong, without the payload's own words.
fn why(error: &serde_json::Error) -> String {
    match error.classify() {
        serde_json::error::Category::Eof if error.column() == 0 => "it is empty".to_owned(),
        serde_json::error::Category::Eof => "it is cut off".to_owned(),
        serde_json::error::Category::Syntax => {
            format!("it is not JSON at line {} column {}", error.line(), error.column())
        }
        serde_json::error::Category::Data | serde_json::error::Category::Io => "it has an unknown shape".to_owned(),
    }
}

fn outcome(agent: &Nested, kind: EventKind, tool: Option<&ToolCall>, payload: &Payload<'_>) -> Option<ToolOutcome> {
    if kind != EventKind::PostTool {
        return None;
    }
    if let Some(error) = payload.error.as_deref() {
        return Some(ToolOutcome {
            outcome: Outcome::Failed,
            exit_code: exit_code(error),
            output: Some(error.to_owned()),
            changed: Vec::new(),
            interrupted: payload.is_interrupt.0.unwrap_or(false),
            background: false,
        });
    }
    let response = payload.tool_response.map(RawValue::get).unwrap_or("null");
    Some(match agent.response {
        Response::Structured => structured(response),
        Response::Text => text(response, matches!(tool, Some(ToolCall::Edit { .. }))),
    })
}

/// What a tool's response of [`Response::Structured`] says.
pub(super) fn structured(response: &str) -> ToolOutcome {
    let parts: StructuredResponse<'_> = serde_json::from_str(response).unwrap_or_default();
    let output = match (parts.stdout.as_deref(), parts.stderr.as_deref()) {
        (None, None) => None,
        (stdout, stderr) => {
            Some([stdout, stderr].into_iter().flatten().collect::<Vec<_>>().join("\n").trim_end().to_owned())
        }
    };
    let interrupted = parts.interrupted.0.unwrap_or(false);
    let background = parts.background_task_id.0.is_some();
    let outcome = if interrupted || background { Outcome::Unknown } else { Outcome::Ok };
    let changed = parts.bash_edit_diff.and_then(|diff| serde_json::from_str::<EditDiff>(diff.get()).ok());
    let changed = changed.map(|diff| diff.changed_files).unwrap_or_default();
    ToolOutcome { outcome, exit_code: None, output, changed, interrupted, background }
}

/// `headed`: the agent itself writes the first line. Of a shell it is the command's own output, which must not be able to
/// call itself a success.
fn text(response: &str, headed: bool) -> ToolOutcome {
    let output: Option<String> = serde_json::from_str(response).ok();
    let exit_code = output.as_deref().filter(|_| headed).and_then(exit_code);
    let outcome = match exit_code {
        Some(0) => Outcome::Ok,
        Some(_) => Outcome::Failed,
        None => Outcome::Unknown,
    };
    ToolOutcome { outcome, exit_code, output, changed: Vec::new(), interrupted: false, background: false }
}

/// The code of a first line `Exit code N` (Claude Code's failures) or `Exit code: N` (Codex's patches).
pub(super) fn exit_code(text: &str) -> Option<i32> {
    let rest = text.lines().next()?.strip_prefix("Exit code")?;
    rest.trim_start_matches(':').trim().parse().ok()
}
