//! Codex's transcripts ("rollouts"): JSON lines, of which completed items and the model's own calls matter here
//! (codex-cli 0.171.0, 2026-11-30; `fixtures/transcript-direct.jsonl`, `fixtures/transcript-code.jsonl`).
//!
//! A call stands there twice: as the model wrote it (`response_item`), and, if it ran, as what ran with its end
//! (`item_completed`). In code mode the first is a script, and only the second has the id that hooks were told.

mod memory;
mod script;

use hookguard_adapter::lenient::Text;
use hookguard_adapter::nested::exit_code;
use hookguard_adapter::transcript::{Record, Said, Seen, milliseconds, output, text};
use hookguard_adapter::{ToolFamily, ToolRow, Transcript, decode, tool_call};
use hookguard_core::{Change, Dialect, FileChange, Outcome, ToolCall, ToolOutcome};
use serde::Deserialize;
use serde_json::value::RawValue;

use memory::Memory;

/// The tools as the model calls them; hooks see them under other names (`profile.rs`).
const TOOLS: &[ToolRow] = &[
    ToolRow {
        native: "exec_command",
        family: ToolFamily::Shell { command: "cmd", cwd: Some("workdir"), dialect: Dialect::Posix },
    },
    ToolRow {
        native: "shell",
        family: ToolFamily::Shell { command: "command", cwd: Some("workdir"), dialect: Dialect::Posix },
    },
    ToolRow {
        native: "shell_command",
        family: ToolFamily::Shell { command: "command", cwd: Some("workdir"), dialect: Dialect::Posix },
    },
    ToolRow { native: "write_stdin", family: ToolFamily::Input { text: "chars" } },
    ToolRow { native: "view_image", family: ToolFamily::Read { path: "path" } },
];

/// The tool of code mode: its input is a script in which the others are functions.
const CODE_MODE: &str = "exec";

/// What stands in the result of a command that goes on.
const GOES_ON: &str = "\"session_id\":";
/// What a command is answered with that a hook refused; its text follows.
const REFUSED: &str = "Command blocked by PreToolUse hook";
/// What a patch is answered with that does not fit the files: nothing was changed.
const UNFIT: &str = "apply_patch verification failed";
/// What the answer to any call begins with that did not run. The user's refusals are the program's own words, and were not
/// seen in a session.
const NOT_RUN: &[&str] = &[
    REFUSED,
    UNFIT,
    "Tool call blocked by PreToolUse hook",
    "exec command rejected by user",
    "patch rejected by user",
];

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    timestamp: Text<'a>,
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    payload: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    item: Option<&'a RawValue>,
    #[serde(borrow)]
    started_at_ms: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    namespace: Text<'a>,
    #[serde(borrow)]
    arguments: Text<'a>,
    #[serde(borrow)]
    input: Text<'a>,
    #[serde(borrow)]
    call_id: Text<'a>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    fragments: Option<&'a RawValue>,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    changes: Option<&'a RawValue>,
    #[serde(borrow)]
    aggregated_output: Text<'a>,
    #[serde(borrow)]
    stdout: Text<'a>,
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(borrow)]
    exit_code: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
}

/// Remembers whose session it is, and the last calls, so that each is told once.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    cwd: Option<String>,
    memory: Memory,
}

impl Transcript for Reader {
    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(Record)) -> Seen {
        let json = decode(line);
        let Ok(line) = serde_json::from_str::<Line<'_>>(&json) else { return Seen::Broken };
        let Some(payload) = line.payload.and_then(|raw| serde_json::from_str::<Payload<'_>>(raw.get()).ok()) else {
            return Seen::Nothing;
        };
        let at = line.timestamp.as_deref().and_then(milliseconds);
        let mut seen = Seen::Nothing;
        let started = payload.started_at_ms.and_then(|raw| serde_json::from_str::<u64>(raw.get()).ok());
        let mut say = |said| {
            seen = Seen::Said;
            // What ran is written down when it has ended.
            let at = if matches!(said, Said::Call { .. }) { started.or(at) } else { at };
            each(Record { at, subagent: false, said });
        };
        match (line.kind.as_deref(), payload.kind.as_deref()) {
            (Some("session_meta"), _) => {
                self.cwd = payload.cwd.into_owned();
                say(Said::Session { id: payload.id.into_owned(), cwd: self.cwd.clone() });
            }
            (Some("turn_context"), _)
                if payload.cwd.as_deref().is_some() && payload.cwd.as_deref() != self.cwd.as_deref() =>
            {
                self.cwd = payload.cwd.into_owned();
                say(Said::Session { id: None, cwd: self.cwd.clone() });
            }
            (Some("event_msg"), Some("item_completed")) => {
                if let Some(item) = payload.item.and_then(|raw| serde_json::from_str::<Item<'_>>(raw.get()).ok()) {
                    self.item(item, &mut say);
                }
            }
            (Some("response_item"), Some("function_call" | "custom_tool_call")) => self.call(payload, &mut say),
            (Some("response_item"), Some("function_call_output" | "custom_tool_call_output")) => {
                self.output(payload, &mut say);
            }
            _ => {}
        }
        seen
    }

    fn end(&mut self, each: &mut dyn FnMut(Record)) {
        for tool in self.memory.take_held() {
            each(Record { at: None, subagent: false, said: Said::Call { id: None, tool, cwd: self.cwd.clone() } });
        }
    }
}

impl Reader {
    /// A call as the model wrote it.
    fn call(&mut self, payload: Payload<'_>, say: &mut dyn FnMut(Said)) {
        let Some(name) = payload.name.as_deref() else { return };
        let input = payload.input.as_deref();
        let id = payload.call_id.as_deref().unwrap_or_default();
        if let (CODE_MODE, Some(script)) = (name, input) {
            for (name, arguments) in script::calls(script) {
                if let Some(tool) = called(name, &arguments) {
                    self.memory.hold(id, tool);
                }
            }
            return;
        }
        // A server's tools stand in a namespace of their own.
        let server = payload.namespace.as_deref().filter(|namespace| namespace.starts_with("mcp__"));
        let native = server.map_or_else(|| name.to_owned(), |of| format!("{}__{name}", of.trim_end_matches('_')));
        let tool = match (input, payload.arguments.as_deref()) {
            (Some(free), _) => called(&native, &serde_json::Value::from(free).to_string()),
            (None, Some(arguments)) => called(&native, arguments),
            (None, None) => None,
        };
        if let Some(tool) = tool.filter(|_| self.memory.is_new(id)) {
            say(Said::Call { id: some(id), tool, cwd: self.cwd.clone() });
        }
    }

    /// What ran, and how it ended.
    fn item(&mut self, item: Item<'_>, say: &mut dyn FnMut(Said)) {
        let id = item.id.as_deref().unwrap_or_default();
        match item.kind.as_deref() {
            Some("UserMessage") => parts(item.content).for_each(|said| say(Said::UserText(said))),
            Some("AgentMessage") => parts(item.content).for_each(|said| say(Said::AssistantText(said))),
            Some("HookPrompt") => parts(item.fragments).for_each(|said| say(Said::MachineText(said))),
            Some("CommandExecution") => {
                let Some(command) = item.command.and_then(|raw| command_line(raw.get())) else { return };
                self.ran(id, ToolCall::shell(command), item.cwd.as_deref().map(folder), say);
                let code = item.exit_code.and_then(|raw| serde_json::from_str::<i32>(raw.get()).ok());
                self.ended(id, item.status.as_deref(), code, item.aggregated_output.as_deref(), say);
            }
            Some("FileChange") => {
                let files = item.changes.map(|raw| changes(raw.get())).unwrap_or_default();
                self.ran(id, ToolCall::Edit { files }, None, say);
                self.ended(id, item.status.as_deref(), None, item.stdout.as_deref(), say);
            }
            _ => {}
        }
    }

    fn ran(&mut self, id: &str, tool: ToolCall, cwd: Option<String>, say: &mut dyn FnMut(Said)) {
        if self.memory.is_new(id)
            && let Some(tool) = self.memory.untold(tool)
        {
            say(Said::Call { id: some(id), tool, cwd: cwd.or_else(|| self.cwd.clone()) });
        }
    }

    fn ended(
        &mut self,
        id: &str,
        status: Option<&str>,
        exit_code: Option<i32>,
        printed: Option<&str>,
        say: &mut dyn FnMut(Said),
    ) {
        let outcome = match (status, exit_code) {
            (_, Some(0)) | (Some("completed"), None) => Outcome::Ok,
            (_, Some(_)) | (Some("failed" | "declined"), None) => Outcome::Failed,
            _ => Outcome::Unknown,
        };
        self.memory.has_ended(id);
        let ran = status != Some("declined");
        say(Said::Result { id: some(id), outcome: ended(outcome, exit_code, printed.unwrap_or_default()), ran });
    }

    /// What the model was told of a call, where nothing else says how it ended: it was refused, or is no command.
    fn output(&mut self, payload: Payload<'_>, say: &mut dyn FnMut(Said)) {
        let id = payload.call_id.as_deref().unwrap_or_default();
        let raw = payload.output.map_or("null", RawValue::get);
        let printed =
            serde_json::from_str::<String>(raw).unwrap_or_else(|_| parts(payload.output).collect::<Vec<_>>().join(""));
        // Calls of a script that did not run: refused, or never come to. One that goes on is told of when it has ended.
        let held = self.memory.take_held_of(id);
        for tool in held {
            let refused = refused_in_script(&printed, &tool);
            if !refused && printed.contains(GOES_ON) && matches!(tool, ToolCall::Shell { .. }) {
                self.memory.hold(id, tool);
                continue;
            }
            self.memory.tell(&tool);
            say(Said::Call { id: None, tool, cwd: self.cwd.clone() });
            say(Said::Result { id: None, outcome: ended(not_run(refused), None, &printed), ran: !refused });
        }
        if self.memory.waits_for_end(id) {
            let code = exit_code(&printed).or_else(|| process_code(&printed));
            let refused = code.is_none() && NOT_RUN.iter().any(|start| printed.starts_with(start));
            let outcome = match code {
                Some(0) => Outcome::Ok,
                Some(_) => Outcome::Failed,
                None => not_run(refused),
            };
            self.memory.has_ended(id);
            say(Said::Result { id: some(id), outcome: ended(outcome, code, &printed), ran: !refused });
        }
    }
}

fn some(id: &str) -> Option<String> {
    (!id.is_empty()).then(|| id.to_owned())
}

/// A call by its name and its arguments, as JSON text. What lacks its arguments was rejected before any hook saw it.
fn called(name: &str, arguments: &str) -> Option<ToolCall> {
    let other = || ToolCall::Other { name: name.to_owned(), input: arguments.to_owned() };
    Some(tool_call(TOOLS, name, arguments).unwrap_or_else(|_| other()))
}

fn ended(outcome: Outcome, exit_code: Option<i32>, printed: &str) -> ToolOutcome {
    ToolOutcome {
        outcome,
        exit_code,
        output: Some(output(printed)),
        changed: Vec::new(),
        interrupted: false,
        background: false,
    }
}

fn not_run(refused: bool) -> Outcome {
    if refused { Outcome::Failed } else { Outcome::Unknown }
}

/// Whether a script, by what it printed, was refused this call of its, of which no end is told. Of a refused command the text
/// is quoted.
fn refused_in_script(printed: &str, tool: &ToolCall) -> bool {
    let patches = match tool {
        ToolCall::Shell { patch, .. } => !patch.is_empty(),
        tool => matches!(tool, ToolCall::Edit { .. }),
    };
    let refused = |refusal: &str| match tool {
        ToolCall::Shell { command, .. } => refusal.contains(&format!("Command: {command}")),
        _ => true,
    };
    (patches && printed.contains(UNFIT)) || printed.split(REFUSED).skip(1).any(refused)
}

/// `Process exited with code N`, in a line of its own before the command's output.
fn process_code(printed: &str) -> Option<i32> {
    let head = printed.split("\nOutput:").next()?;
    head.lines().find_map(|line| line.strip_prefix("Process exited with code "))?.trim().parse().ok()
}

/// The texts of a list of parts.
fn parts(raw: Option<&RawValue>) -> impl Iterator<Item = String> {
    let parts: Vec<Part<'_>> = raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    let texts: Vec<String> = parts.iter().filter_map(|part| part.text.as_deref()).map(text).collect();
    texts.into_iter()
}

/// What a shell was given, of the words that were run: `["/bin/bash", "-lc", TEXT]`.
fn command_line(raw: &str) -> Option<String> {
    let words: Vec<String> = serde_json::from_str(raw).ok()?;
    match words.as_slice() {
        [_, flag, text] if matches!(flag.as_str(), "-lc" | "-c") => Some(text.clone()),
        _ => match tool_call(TOOLS, "shell", &serde_json::json!({ "command": words }).to_string()) {
            Ok(ToolCall::Shell { command, .. }) => Some(command),
            _ => None,
        },
    }
}

/// The files of `{path: {"type": "add" | "update" | "delete", …}}`.
fn changes(raw: &str) -> Vec<FileChange> {
    let changes: serde_json::Map<String, serde_json::Value> = serde_json::from_str(raw).unwrap_or_default();
    let file = |(path, value): (String, serde_json::Value)| {
        let text = |name: &str| value.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
        let change = match (text("type").as_deref(), text("move_path")) {
            (_, Some(to)) => Change::Move { to },
            (Some("add"), None) => Change::Create,
            (Some("delete"), None) => Change::Delete,
            _ => Change::Update,
        };
        let added = text("content").or_else(|| text("unified_diff").map(|diff| added(&diff))).unwrap_or_default();
        FileChange { path, change, added }
    };
    changes.into_iter().map(file).collect()
}

/// The lines that a diff without file headers adds.
fn added(diff: &str) -> String {
    diff.lines().filter_map(|line| line.strip_prefix('+')).collect::<Vec<_>>().join("\n")
}

/// The folder of a `file://` address.
fn folder(address: &str) -> String {
    let Some(path) = address.strip_prefix("file://") else { return address.to_owned() };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
