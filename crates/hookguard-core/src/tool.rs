//! A tool call, in one of the few forms that policies know.

use serde::{Deserialize, Serialize};

/// A tool call as policies see it. One agent's tool can arrive as another form than its name suggests: a shell command
/// that is nothing but a patch in a heredoc is an [`Edit`](ToolCall::Edit) too (see [`ToolCall::Shell::patch`]).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "class", rename_all = "snake_case")]
pub enum ToolCall {
    /// A command line.
    Shell {
        /// The text, as the model wrote it.
        command: String,
        /// Where it runs, if that is not the event's working directory.
        cwd: Option<String>,
        /// Which shell reads it.
        dialect: Dialect,
        /// The files that an `apply_patch` heredoc inside the command changes: the agent runs it as an edit.
        patch: Vec<FileChange>,
    },
    /// Files written, one or many.
    Edit {
        /// What changes, file by file.
        files: Vec<FileChange>,
    },
    /// Files read.
    Read {
        /// The files or folders.
        paths: Vec<String>,
    },
    /// Something fetched from the network.
    Fetch {
        /// The address.
        url: String,
    },
    /// A tool of an MCP server.
    Mcp {
        /// The server's name.
        server: String,
        /// The tool's name at that server.
        tool: String,
        /// The arguments, as JSON text.
        args: String,
    },
    /// Text typed into a process that already runs.
    Input {
        /// The text.
        text: String,
    },
    /// Any other tool.
    Other {
        /// The tool's name, as the agent spells it.
        name: String,
        /// The arguments, as JSON text.
        input: String,
    },
}

/// Which shell reads a command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// sh, bash, zsh and their kin.
    #[default]
    Posix,
    /// PowerShell.
    PowerShell,
    /// Windows' cmd.exe.
    Cmd,
}

/// The classes of tool calls, by which capabilities are keyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ToolClass {
    /// [`ToolCall::Shell`]
    Shell,
    /// [`ToolCall::Edit`]
    Edit,
    /// [`ToolCall::Read`]
    Read,
    /// [`ToolCall::Fetch`]
    Fetch,
    /// [`ToolCall::Mcp`]
    Mcp,
    /// [`ToolCall::Input`]
    Input,
    /// [`ToolCall::Other`]
    Other,
}

impl ToolCall {
    /// The class of the call.
    pub fn class(&self) -> ToolClass {
        match self {
            ToolCall::Shell { .. } => ToolClass::Shell,
            ToolCall::Edit { .. } => ToolClass::Edit,
            ToolCall::Read { .. } => ToolClass::Read,
            ToolCall::Fetch { .. } => ToolClass::Fetch,
            ToolCall::Mcp { .. } => ToolClass::Mcp,
            ToolCall::Input { .. } => ToolClass::Input,
            ToolCall::Other { .. } => ToolClass::Other,
        }
    }

    /// A POSIX command line with nothing else known, as `check` and the tests write it.
    pub fn shell(command: impl Into<String>) -> ToolCall {
        ToolCall::Shell { command: command.into(), cwd: None, dialect: Dialect::Posix, patch: Vec::new() }
    }
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileChange {
    /// The path, as the agent wrote it (relative to the call's working directory, if it is relative).
    pub path: String,
    /// What happens to it.
    pub change: Change,
    /// The text that is added, joined by newlines; empty where the agent does not say.
    pub added: String,
}

/// What happens to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is written whole, whether it was there or not.
    Write,
    /// It must not be there before.
    Create,
    /// Parts of it change.
    Update,
    /// It goes.
    Delete,
    /// It moves, perhaps changed.
    Move {
        /// Where to.
        to: String,
    },
}
