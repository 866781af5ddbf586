//! The tools that a request declares, and which of them carries out a scripted block.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::script::Block;
use super::transcript::{Speaker, Told};

/// One thing that the model says or does, in the words of the agent's own tools.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// Text.
    Text(String),
    /// A tool with JSON arguments.
    Function {
        /// The tool's name.
        name: String,
        /// The namespace that it was declared in.
        namespace: Option<String>,
        /// Its arguments.
        input: Value,
    },
    /// A tool with one free-form text.
    Custom {
        /// The tool's name.
        name: String,
        /// The namespace that it was declared in.
        namespace: Option<String>,
        /// The text.
        input: String,
    },
}

/// A tool as both protocols declare it, as far as it matters here.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct DeclaredTool {
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    name: Option<String>,
    /// The members, where this is a namespace (Codex 0.171.0 declares MCP servers and code mode so).
    #[serde(default)]
    tools: Vec<DeclaredTool>,
}

/// The tools of one request by name.
#[derive(Debug, Default)]
pub(super) struct Tools(BTreeMap<String, Offered>);

#[derive(Debug, Clone)]
struct Offered {
    free_form: bool,
    namespace: Option<String>,
}

/// A shell tool's name, and the arguments that make it run a command.
type ShellTool = (&'static str, fn(&str) -> Value);

/// The shell tools of the agents, and the arguments that each takes; the first one that is declared is used.
///
/// Source: Claude Code 2.1.332 (`Bash`), Codex 0.171.0 (`exec_command`) and its older forms.
const SHELLS: [ShellTool; 4] = [
    ("Bash", |command| json!({ "command": command, "description": "as the script says" })),
    ("exec_command", |command| json!({ "cmd": command })),
    ("shell_command", |command| json!({ "command": command })),
    ("shell", |command| json!({ "command": ["bash", "-lc", command] })),
];

/// Codex's code mode: one free-form tool that runs JavaScript, in which the real tools are functions.
const CODE_MODE: &str = "exec";

/// Codex's patch tool: free-form, or with the envelope as its one argument.
const PATCH: &str = "apply_patch";

/// Codex's tool that types into a command that still runs, or only waits for it.
const POLL: &str = "write_stdin";

/// The session of the last command that the model was told still runs: `session ID 7` in words, `"session_id":7` from a script.
fn running(told: &[Told]) -> Option<u64> {
    told.iter().rev().filter(|told| told.by == Speaker::Tool).find_map(|told| {
        let (_, after) = told.text.split_once("session ID ").or_else(|| told.text.split_once("\"session_id\":"))?;
        let end = after.find(|char: char| !char.is_ascii_digit()).unwrap_or(after.len());
        after[..end].parse().ok()
    })
}

impl Tools {
    pub(super) fn new(declared: impl IntoIterator<Item = DeclaredTool>) -> Tools {
        let mut tools = Tools::default();
        for tool in declared {
            tools.add(tool, None);
        }
        tools
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, tool: DeclaredTool, namespace: Option<&str>) {
        for member in tool.tools {
            self.add(member, tool.name.as_deref());
        }
        // Tools of the provider's own (web search) have a type and no name: the model calls none of them here.
        let Some(name) = tool.name.filter(|_| tool.kind.as_deref() != Some("namespace")) else { return };
        let offered =
            Offered { free_form: tool.kind.as_deref() == Some("custom"), namespace: namespace.map(str::to_owned) };
        self.0.entry(name).or_insert(offered);
    }

    /// The call that carries out a block, after what the model was told; an error that names the declared tools where none can.
    pub(super) fn resolve(&self, block: &Block, told: &[Told]) -> Result<Call, String> {
        match block {
            Block::Text(text) => Some(Call::Text(text.clone())),
            Block::Shell(command) => SHELLS
                .iter()
                .find_map(|(name, input)| self.function(name, input(command)))
                .or_else(|| self.javascript("exec_command", &json!({ "cmd": command }))),
            Block::Patch(patch) => self
                .free_form(PATCH, patch.clone())
                .or_else(|| self.function(PATCH, json!({ "input": patch })))
                .or_else(|| self.javascript(PATCH, &json!(patch))),
            Block::JavaScript(script) => self.free_form(CODE_MODE, script.clone()),
            Block::Poll(milliseconds) => running(told).and_then(|session| {
                let input = json!({ "session_id": session, "chars": "", "yield_time_ms": milliseconds });
                self.function(POLL, input.clone()).or_else(|| self.javascript(POLL, &input))
            }),
            Block::Tool { name, input } => self.function(name, input.clone()),
        }
        .ok_or_else(|| {
            format!("no declared tool carries out {block:?}; there are: {:?}", self.0.keys().collect::<Vec<_>>())
        })
    }

    fn function(&self, name: &str, input: Value) -> Option<Call> {
        let tool = self.0.get(name).filter(|tool| !tool.free_form)?;
        Some(Call::Function { name: name.to_owned(), namespace: tool.namespace.clone(), input })
    }

    fn free_form(&self, name: &str, input: String) -> Option<Call> {
        let tool = self.0.get(name).filter(|tool| tool.free_form)?;
        Some(Call::Custom { name: name.to_owned(), namespace: tool.namespace.clone(), input })
    }

    /// A nested call in code mode. A denial is an exception there, which ends the script and is shown to the model.
    fn javascript(&self, function: &str, argument: &Value) -> Option<Call> {
        let script = format!("const result = await tools.{function}({argument}); text(JSON.stringify(result));");
        self.free_form(CODE_MODE, script)
    }
}
