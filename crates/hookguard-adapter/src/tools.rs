//! A native tool call, read into a [`ToolCall`]: one extractor a family of tools, the names of the arguments as data.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hookguard_core::{Change, Dialect, FileChange, ToolCall, heredoc_patch, parse_patch};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::ParseError;

/// One native tool.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ToolRow {
    /// The agent's name for it.
    pub native: &'static str,
    /// Which family it is of, with the names of its arguments.
    pub family: ToolFamily,
}

/// The families of tools, with the names of their arguments.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// Runs command lines, one after the other.
    Lines {
        /// The list of them.
        commands: &'static str,
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
/// The name of a list of replacements in one file.
const EDITS_NAME: &str = "edits";
/// The same for a list of command lines.
const LINES_NAMES: &[&str] = &["commands"];
/// The same for a file that is written, with the text beside it.
const PATH_NAMES: &[&str] = &["file_path", "filePath", "notebook_path", "path", "absolute_path"];
const TEXT_NAMES: &[&str] =
    &["content", "contents", "new_string", "newString", "file_text", "new_str", "new_source", "text"];

/// A tool call by its native name and its arguments, as JSON text: an object, or a bare patch (Copilot CLI 1.0.102 gives
/// `apply_patch` so).
///
/// A known tool may name its arguments as another agent does: Copilot runs the hooks of `.claude/settings.json` with
/// Claude's tool names and its own arguments.
///
/// # Errors
/// When the arguments are neither, or a known tool lacks the argument that it is about.
pub fn tool_call(rows: &[ToolRow], native: &str, input: &str) -> Result<ToolCall, ParseError> {
    if let Ok(text) = serde_json::from_str::<String>(input) {
        return bare(&text);
    }
    let arguments = Arguments::read(input)?;
    if let Some(row) = rows.iter().find(|row| row.native == native) {
        return known(row.family, &arguments);
    }
    if let Some((server, tool)) = native.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        return Ok(ToolCall::Mcp { server: server.to_owned(), tool: tool.to_owned(), args: input.to_owned() });
    }
    Ok(unknown(native, input, &arguments))
}

/// A call whose whole input is one text: a patch. Anything else is no shape that an agent was seen to send.
fn bare(text: &str) -> Result<ToolCall, ParseError> {
    match parse_patch(text) {
        files if !files.is_empty() => Ok(ToolCall::Edit { files }),
        _ => Err(ParseError("its tool input is not an object".to_owned())),
    }
}

fn known(family: ToolFamily, arguments: &Arguments<'_>) -> Result<ToolCall, ParseError> {
    Ok(match family {
        ToolFamily::Shell { command, cwd, dialect } => {
            let line =
                arguments.first(&[command], COMMAND_NAMES, Arguments::command).ok_or_else(|| missing(command))?;
            shell(line, cwd.and_then(|name| arguments.string(name)), dialect)
        }
        ToolFamily::Lines { commands } => {
            let lines = arguments.first(&[commands], LINES_NAMES, Arguments::lines).ok_or_else(|| missing(commands))?;
            shell(lines, None, Dialect::Posix)
        }
        ToolFamily::Write { path, text } => edit(arguments.path(path)?, Change::Write, arguments.text(text)),
        ToolFamily::Edit { path, text } => edit(arguments.path(path)?, Change::Update, arguments.text(text)),
        ToolFamily::Patch { text } => ToolCall::Edit { files: patch(&arguments.need(text)?)? },
        ToolFamily::Read { path } => ToolCall::Read { paths: vec![arguments.path(path)?] },
        ToolFamily::Fetch { url } => ToolCall::Fetch { url: arguments.need(url)? },
        ToolFamily::Input { text } => ToolCall::Input { text: arguments.need(text)? },
    })
}

fn unknown(native: &str, input: &str, arguments: &Arguments<'_>) -> ToolCall {
    // A file and its text first: editors of other agents name what they do with the file a `command` too.
    let path = arguments.first(&[], PATH_NAMES, Arguments::string);
    let text = arguments.first(&[], TEXT_NAMES, Arguments::string);
    if let Some(path) = path.filter(|_| text.is_some() || arguments.raw(EDITS_NAME).is_some()) {
        return edit(path, Change::Update, text);
    }
    let line = arguments.first(&[], COMMAND_NAMES, Arguments::command);
    match line.or_else(|| arguments.first(&[], LINES_NAMES, Arguments::lines)) {
        Some(command) => shell(command, None, Dialect::Posix),
        None => ToolCall::Other { name: native.to_owned(), input: input.to_owned() },
    }
}

/// The files of a patch. One that names none is no patch that an agent would apply, or one that is read wrong here.
fn patch(text: &str) -> Result<Vec<FileChange>, ParseError> {
    match parse_patch(text) {
        files if files.is_empty() => Err(ParseError("its patch names no file".to_owned())),
        files => Ok(files),
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

    /// What the first of the names that is there holds, as `read` reads it.
    fn first(&self, own: &[&str], others: &[&str], read: fn(&Self, &str) -> Option<String>) -> Option<String> {
        own.iter().chain(others).find_map(|name| read(self, name))
    }

    /// The file that a tool is about.
    fn path(&self, name: &str) -> Result<String, ParseError> {
        self.first(&[name], PATH_NAMES, Arguments::string).ok_or_else(|| missing(name))
    }

    /// The text that a tool writes.
    fn text(&self, name: &str) -> Option<String> {
        self.first(&[name], TEXT_NAMES, Arguments::string)
    }

    /// Command lines, in their order.
    fn lines(&self, name: &str) -> Option<String> {
        let lines: Vec<String> = serde_json::from_str(self.raw(name)?.get()).ok()?;
        (!lines.is_empty()).then(|| lines.join("\n"))
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

    /// Cline 3.0.65 runs a list of lines; read as words it would be one word, and no command.
    #[test]
    fn a_list_of_lines_is_a_script() {
        let rows = [ToolRow { native: "run_commands", family: ToolFamily::Lines { commands: "commands" } }];
        let input = r#"{"commands":["cd sub; ls","rm -rf 'x y'"]}"#;
        for call in [tool_call(&rows, "run_commands", input), tool_call(&[], "run_commands", input)] {
            assert_eq!(call.unwrap(), ToolCall::shell("cd sub; ls\nrm -rf 'x y'"));
        }
        assert!(tool_call(&rows, "run_commands", r#"{"commands":[]}"#).is_err());
        assert!(tool_call(&rows, "run_commands", r#"{"commands":[7]}"#).is_err());
    }

    #[test]
    fn a_known_tool_with_another_agents_arguments() {
        let call = tool_call(ROWS, "Write", r#"{"path":"a","file_text":"b"}"#).unwrap();
        let ToolCall::Edit { files } = call else { panic!("{call:?}") };
        assert_eq!((files[0].path.as_str(), files[0].added.as_str()), ("a", "b"));
    }

    #[test]
    fn a_bare_text_is_a_patch() {
        let patch = r#""*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch\n""#;
        for native in ["Write", "apply_patch"] {
            let call = tool_call(ROWS, native, patch).unwrap();
            let ToolCall::Edit { files } = call else { panic!("{call:?}") };
            assert_eq!(files[0].path, "p.txt");
        }
        for native in ["Bash", "Write", "Think"] {
            assert!(tool_call(ROWS, native, r#""ls -l""#).is_err(), "{native}");
        }
    }

    #[test]
    fn an_escaped_name_is_the_same_name() {
        let call = tool_call(ROWS, "Bash", r#"{"comm\u0061nd":"ls"}"#).unwrap();
        assert_eq!(call, ToolCall::shell("ls"));
    }
}
