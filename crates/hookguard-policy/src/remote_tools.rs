//! Fetches and MCP tools: addresses, and arguments that are commands, paths or SQL.

use serde_json::Value;

use crate::context::Finding;
use crate::decide::finding;
use crate::effects::effect;
use crate::files::on_file;
use crate::glob::{STAR, like};
use crate::paths::World;
use crate::paths::class::SECRET_FOLDER;
use crate::rule::Rule;
use crate::rules::sql::{Loss, loss};
use crate::settings::Settings;
use crate::tables;

/// The findings on an address.
pub(crate) fn fetches(url: &str, settings: &Settings<'_>) -> Vec<Finding> {
    let (host, rest) = host_of(url);
    let mut findings = on_tools(|rule| rule.when.hosts.iter().any(|pattern| like(pattern, host)), url, settings);
    if carries_secret(rest) {
        findings.extend(by_id("secrets.url", host.to_owned(), settings));
    }
    findings
}

/// The host of an address, and what follows it.
fn host_of(url: &str) -> (&str, &str) {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = bare.find(['/', '?', '#']).unwrap_or(bare.len());
    let (authority, rest) = bare.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    (host, rest)
}

/// Names of parameters that hold secrets.
const SECRET_PARAMETERS: &[&str] =
    &["*token*", "*secret*", "*password*", "*passwd*", "*api_key*", "*apikey*", "*access_key*", "*private_key*"];
/// How well-known tokens begin.
const TOKEN_STARTS: &[&str] = &[
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_live_",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "npm_",
    "pypi-",
    "eyJhbGci",
];

/// Whether the query of an address holds something that is a secret by its name or its look.
fn carries_secret(rest: &str) -> bool {
    let query = rest.split_once('?').map(|(_, query)| query).unwrap_or_default();
    query.split(['&', ';', '#']).filter_map(|pair| pair.split_once('=')).any(|(name, value)| {
        let named = SECRET_PARAMETERS.iter().any(|pattern| like(pattern, name)) && value.len() >= 12;
        named || value.len() >= 16 && TOKEN_STARTS.iter().any(|start| value.starts_with(start))
    })
}

/// What an MCP call holds, besides what rules by its name say.
#[derive(Debug, Default)]
pub(crate) struct McpCall {
    /// Findings by the tool's name, on paths and on SQL.
    pub(crate) findings: Vec<Finding>,
    /// Arguments that are command lines.
    pub(crate) commands: Vec<String>,
}

/// Names of arguments that are command lines, paths, and SQL.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "commands", "shell_command", "bash", "script"];
const PATH_KEYS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "file_path",
    "filepath",
    "filename",
    "source",
    "destination",
    "target_file",
    "relative_path",
    "uri",
    "notebook_path",
    "absolute_path",
    "file_name",
    "filenames",
    "file_paths",
    "filepaths",
    "src",
    "dst",
    "dest",
    "from",
    "to",
    "old_path",
    "new_path",
    "oldpath",
    "newpath",
    "source_path",
    "target_path",
    "destination_path",
    "target",
    "directory",
    "dir",
];
const SQL_KEYS: &[&str] = &["sql", "query", "statement", "statements"];

/// Looks at a call of an MCP tool. `args` is JSON text; what is no JSON has no arguments that could be read.
pub(crate) fn mcp(server: &str, tool: &str, args: &str, world: &World<'_>, cwd: Option<&str>) -> McpCall {
    let any = |patterns: &[&str], text: &str| patterns.is_empty() || patterns.iter().any(|pattern| like(pattern, text));
    let mut call = McpCall {
        findings: on_tools(
            |rule| {
                !rule.when.mcp_tool.is_empty()
                    && any(rule.when.mcp_server, server)
                    && any(rule.when.mcp_tool, tool)
                    && any(rule.when.mcp_arg, args)
            },
            &format!("{server} {tool}"),
            world.settings,
        ),
        commands: Vec::new(),
    };
    for (key, text) in &leaves(args) {
        let key = key.to_ascii_lowercase();
        if COMMAND_KEYS.contains(&key.as_str()) {
            call.commands.push(text.clone());
        } else if PATH_KEYS.contains(&key.as_str()) {
            on_path(tool, &key, text, world, cwd, &mut call.findings);
        } else if SQL_KEYS.contains(&key.as_str()) {
            let id = match loss(text) {
                Loss::All => "db.sql.destroy",
                Loss::Some => "db.sql.change",
                Loss::None => continue,
            };
            call.findings.extend(by_id(id, text.clone(), world.settings));
        } else if key == "url" {
            call.findings.extend(fetches(text, world.settings));
        }
    }
    call
}

/// The findings on a call of a tool that no profile lists, by what its name says it does to the files that it names.
pub(crate) fn other(tool: &str, input: &str, world: &World<'_>, cwd: Option<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if effect_of(tool).is_some() {
        for (key, text) in &leaves(input) {
            let key = key.to_ascii_lowercase();
            if PATH_KEYS.contains(&key.as_str()) {
                on_path(tool, &key, text, world, cwd, &mut findings);
            }
        }
    }
    findings
}

/// What a tool does to one path that it names.
fn on_path(tool: &str, key: &str, path: &str, world: &World<'_>, cwd: Option<&str>, findings: &mut Vec<Finding>) {
    let Some(mut kind) = effect_of(tool) else { return };
    let path = path.strip_prefix("file://").unwrap_or(path);
    if kind == effect::MOVE_AWAY && TARGET_KEYS.contains(&key) {
        kind = effect::WRITE;
    }
    on_file(kind, path, world, cwd, findings);
    // What searches a folder of keys shows the keys.
    if kind == effect::READ && searches(tool) && world.classes(path, cwd) & SECRET_FOLDER != 0 {
        on_file(kind, &format!("{}/{STAR}", path.trim_end_matches('/')), world, cwd, findings);
    }
}

/// Arguments that name where something goes.
const TARGET_KEYS: &[&str] =
    &["destination", "dest", "dst", "to", "new_path", "newpath", "target", "target_path", "destination_path"];

fn searches(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    ["grep", "search", "ripgrep", "find_in"].iter().any(|word| tool.contains(word))
}

fn leaves(args: &str) -> Vec<(String, String)> {
    let mut leaves = Vec::new();
    if let Ok(value) = serde_json::from_str::<Value>(args) {
        collect(&value, "", &mut leaves);
    }
    leaves
}

/// A program and its arguments, each under a name of its own, as one command line.
fn command_line(fields: &serde_json::Map<String, Value>) -> Option<String> {
    let program = COMMAND_KEYS.iter().find_map(|key| fields.get(*key)?.as_str())?;
    let arguments = ["args", "arguments", "argv"].iter().find_map(|key| fields.get(*key)?.as_array())?;
    let quoted = arguments.iter().filter_map(Value::as_str).map(quoted);
    Some(std::iter::once(program.to_owned()).chain(quoted).collect::<Vec<_>>().join(" "))
}

/// A word as a shell reads it as it is; a tilde stays one, for who knows how the tool runs it.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-=:@%+,~*?".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The texts in a JSON value with the names they stand under.
fn collect(value: &Value, key: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => out.push((key.to_owned(), text.clone())),
        // A command as a list of words is one command.
        Value::Array(items) if COMMAND_KEYS.contains(&key) && items.iter().all(Value::is_string) => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            let words: Vec<String> = words
                .into_iter()
                .enumerate()
                .map(|(at, word)| if at == 0 { word.to_owned() } else { quoted(word) })
                .collect();
            out.push((key.to_owned(), words.join(" ")));
            // Or a list of command lines.
            let lines = items.iter().filter_map(Value::as_str).filter(|line| line.contains(' '));
            out.extend(lines.map(|line| (key.to_owned(), line.to_owned())));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, out)),
        Value::Object(fields) => {
            out.extend(command_line(fields).map(|line| (COMMAND_KEYS[0].to_owned(), line)));
            fields.iter().for_each(|(key, value)| collect(value, key, out));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What a tool does to the files it names, by a verb in its own name.
fn effect_of(tool: &str) -> Option<u32> {
    let tool = tool.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| tool.contains(word));
    if has(&["delete", "remove", "rmdir", "trash", "unlink"]) {
        Some(if has(&["file"]) { effect::DELETE } else { effect::DELETE_TREE })
    } else if has(&["move", "rename"]) {
        Some(effect::MOVE_AWAY)
    } else if has(&["edit", "replace", "patch", "insert", "append"]) {
        Some(effect::EDIT)
    } else if has(&["write", "create", "save", "put", "upload"]) {
        Some(effect::WRITE)
    } else if has(&["read", "get", "open", "view", "cat", "fetch", "grep", "search"]) {
        Some(effect::READ)
    } else {
        None
    }
}

fn by_id(id: &str, evidence: String, settings: &Settings<'_>) -> Option<Finding> {
    finding(crate::decide::by_id(id)?, evidence, None, settings)
}

fn on_tools(matches: impl Fn(&Rule) -> bool, evidence: &str, settings: &Settings<'_>) -> Vec<Finding> {
    let own = settings.rules.iter().flat_map(|rules| rules.on_tools().iter().filter_map(|&index| rules.get(index)));
    tables::ON_TOOLS
        .iter()
        .map(|&index| &tables::RULES[usize::from(index)])
        .chain(own)
        .filter(|rule| matches(rule))
        .filter_map(|rule| finding(rule, evidence.to_owned(), None, settings))
        .collect()
}
