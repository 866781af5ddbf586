//! A native tool call, read into a [`ToolCall`]: one extractor a family of tools, the names of the arguments as data.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hookguard_core::{Change, Dialect, FileChange, ToolCall, heredoc_patch, parse_patch};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::ParseError;

/// One native tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolRow {
    /// The agent's name for it.
    pub native: &'static str,
    /// Which family it is of, with the names of its arguments.
    pub family: ToolFamily,
}

/// The families of tools, with the names of their arguments.
#[derive(Debug, Clone, Copy)]
pub enum ToolFamily {
    /// Runs a command line.
    Shell {
        /// The command: a string, or a list of words.
        command: &'static str,
        /// The folder it runs in, if the tool takes one.
        cwd: Option<&'static str>,
        /// Which shell reads it.
        dialect: Dialect,
    },
    /// Writes a file whole.
    Write {
        /// The file.
        path: &'static str,
        /// Its new text.
        text: &'static str,
    },
    /// Replaces a part of a file.
    Edit {
        /// The file.
        path: &'static str,
        /// The new text of the part.
        text: &'static str,
    },
    /// Applies a patch envelope.
    Patch {
        /// The patch.
        text: &'static str,
    },
    /// Reads a file.
    Read {
        /// The file.
        path: &'static str,
    },
    /// Fetches an address.
    Fetch {
        /// The address.
        url: &'static str,
    },
    /// Types into a running process.
    Input {
        /// What is typed.
        text: &'static str,
    },
}

/// The names under which tools that no profile lists carry a command line. An unknown tool with one of them is judged as a
/// shell: a new or foreign name must not be a way around the guard.
const COMMAND_NAMES: &[&str] = &["command", "cmd", "commandLine", "CommandLine", "command_line"];
/// The same for a file that is written, with the text beside it.
const PATH_NAMES: &[&str] = &["file_path", "filePath", "notebook_path", "path", "absolute_path"];
const TEXT_NAMES: &[&str] = &["content", "new_string", "newString", "file_text", "new_str", "new_source", "text"];

/// A tool call by its native name and its arguments (a JSON object, as text).
///
/// # Errors
/// When the arguments are no object, or a known tool lacks the argument that it is about.
pub fn tool_call(rows: &[ToolRow], native: &str, input: &str) -> Result<ToolCall, ParseError> {
    let arguments = Arguments::read(input)?;
    if let Some(row) = rows.iter().find(|row| row.native == native) {
        return known(row.family, &arguments);
    }
    if let Some((server, tool)) = native.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        return Ok(ToolCall::Mcp { server: server.to_owned(), tool: tool.to_owned(), args: input.to_owned() });
    }
    Ok(unknown(native, input, &arguments))
}

fn known(family: ToolFamily, arguments: &Arguments<'_>) -> Result<ToolCall, ParseError> {
    Ok(match family {
        ToolFamily::Shell { command, cwd, dialect } => {
            let command = arguments.command(command).ok_or_else(|| missing(command))?;
            shell(command, cwd.and_then(|name| arguments.string(name)), dialect)
        }
        ToolFamily::Write { path, text } => edit(arguments.need(path)?, Change::Write, arguments.string(text)),
        ToolFamily::Edit { path, text } => edit(arguments.need(path)?, Change::Update, arguments.string(text)),
        ToolFamily::Patch { text } => ToolCall::Edit { files: parse_patch(&arguments.need(text)?) },
        ToolFamily::Read { path } => ToolCall::Read { paths: vec![arguments.need(path)?] },
        ToolFamily::Fetch { url } => ToolCall::Fetch { url: arguments.need(url)? },
        ToolFamily::Input { text } => ToolCall::Input { text: arguments.need(text)? },
    })
}

fn unknown(native: &str, input: &str, arguments: &Arguments<'_>) -> ToolCall {
    if let Some(command) = COMMAND_NAMES.iter().find_map(|name| arguments.command(name)) {
        return shell(command, None, Dialect::Posix);
    }
    let path = PATH_NAMES.iter().find_map(|name| arguments.string(name));
    let text = TEXT_NAMES.iter().find_map(|name| arguments.string(name));
    match (path, text) {
        (Some(path), Some(text)) => edit(path, Change::Update, Some(text)),
        _ => ToolCall::Other { name: native.to_owned(), input: input.to_owned() },
    }
}

fn shell(command: String, cwd: Option<String>, dialect: Dialect) -> ToolCall {
    let patch = heredoc_patch(&command);
    ToolCall::Shell { command, cwd, dialect, patch }
}

fn edit(path: String, change: Change, added: Option<String>) -> ToolCall {
    ToolCall::Edit { files: vec![FileChange { path, change, added: added.unwrap_or_default() }] }
}

fn missing(name: &str) -> ParseError {
    ParseError(format!("its tool input has no {name}"))
}

/// The arguments of a call, each still as JSON text: a file of megabytes is copied once, and only if it is asked for.
struct Arguments<'a>(BTreeMap<Key<'a>, &'a RawValue>);

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Arguments<'a> {
    fn read(input: &'a str) -> Result<Arguments<'a>, ParseError> {
        serde_json::from_str(input).map(Arguments).map_err(|_| ParseError("its tool input is not an object".to_owned()))
    }

    fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.0.get(&Key(Cow::Borrowed(name))).copied()
    }

    fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)?.get()).ok()
    }

    fn need(&self, name: &str) -> Result<String, ParseError> {
        self.string(name).ok_or_else(|| missing(name))
    }

    /// A command line: a string, or a list of words, quoted so that a shell reads the same words.
    fn command(&self, name: &str) -> Option<String> {
        let raw = self.raw(name)?.get();
        if let Ok(text) = serde_json::from_str::<String>(raw) {
            return Some(text);
        }
        let words: Vec<String> = serde_json::from_str(raw).ok()?;
        match words.as_slice() {
            [] => None,
            // Some agents hand over the words of a shell that runs a text: the text is what the model wrote.
            _ => Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
        }
    }
}

fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[ToolRow] = &[
        ToolRow {
            native: "Bash",
            family: ToolFamily::Shell { command: "command", cwd: None, dialect: Dialect::Posix },
        },
        ToolRow { native: "Write", family: ToolFamily::Write { path: "file_path", text: "content" } },
    ];

    #[test]
    fn a_list_of_words_is_a_command_line() {
        let call = tool_call(ROWS, "Bash", r#"{"command":["bash","-lc","rm -rf 'x y'"]}"#).unwrap();
        let ToolCall::Shell { command, .. } = call else { panic!("{call:?}") };
        assert_eq!(command, r"bash -lc 'rm -rf '\''x y'\'''");
    }

    #[test]
    fn what_a_known_tool_is_about_must_be_there() {
        assert!(tool_call(ROWS, "Bash", r#"{"command":7}"#).is_err());
        assert!(tool_call(ROWS, "Write", r#"{"content":"x"}"#).is_err());
        assert!(tool_call(ROWS, "Write", "[]").is_err());
    }

    #[test]
    fn an_unknown_tool_is_known_by_its_arguments() {
        let shell = tool_call(ROWS, "run_shell_command", r#"{"command":"ls"}"#).unwrap();
        assert!(matches!(shell, ToolCall::Shell { .. }));
        let edit = tool_call(ROWS, "create", r#"{"path":"a","file_text":"b"}"#).unwrap();
        assert!(matches!(edit, ToolCall::Edit { .. }));
        let other = tool_call(ROWS, "TodoWrite", r#"{"todos":[]}"#).unwrap();
        assert!(matches!(other, ToolCall::Other { .. }));
    }

    #[test]
    fn an_escaped_name_is_the_same_name() {
        let call = tool_call(ROWS, "Bash", r#"{"comm\u0061nd":"ls"}"#).unwrap();
        assert_eq!(call, ToolCall::shell("ls"));
    }
}
