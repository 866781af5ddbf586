//! `hookguard import --from claude`: the hook scripts of a Claude Code settings file, as policies for every agent.
//!
//! Shows what it would add, asks, and adds it to `hookguard.toml`; comments and order there stay as they are.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use hookguard_adapter::settings::command::own_command;
use serde_json::Value;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::output::{Usage, agreed, print, say};
use super::{exit, settings};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Whose hooks
    #[arg(long, value_name = "AGENT", value_parser = ["claude"])]
    from: String,
    /// The settings file [default: .claude/settings.json here, else the user's]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Add them to the user's own configuration, for all projects, in place of ./hookguard.toml
    #[arg(long)]
    user: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// One hook, as an entry of `[[policy]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    id: String,
    on: &'static str,
    matcher: Option<String>,
    command: String,
    timeout_ms: Option<i64>,
    closed: bool,
}

/// Claude Code's events that a policy can be for, and what they are to hookguard (`protocols/claude-codex.md` 2).
const EVENTS: &[(&str, &str)] = &[("PreToolUse", "pre_tool"), ("PostToolUse", "post_tool"), ("Stop", "stop")];

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let file = source(arguments, &surroundings)?;
    let text = fs::read(&file).with_context(|| format!("failed to read {}", file.display()))?;
    let text = String::from_utf8_lossy(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text)).into_owned();
    let settings: Value = serde_json::from_str(&text)
        .map_err(|error| Usage(format!("failed to read {} as Claude Code does: {error}", file.display())))?;
    let (found, notes) = hooks(&settings);

    let target = target(arguments, &surroundings)?;
    let (there, before) = match fs::read_to_string(&target) {
        Ok(text) => (true, text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (false, String::new()),
        Err(error) => return Err(error).with_context(|| format!("failed to read {}", target.display())),
    };
    let (after, added) =
        with(&before, found).map_err(|error| Usage(format!("failed to read {}: {error}", target.display())))?;

    for note in &notes {
        say(note);
    }
    if added.is_empty() {
        say(&format!("{} has no hook that {} lacks; nothing changed", file.display(), target.display()));
        return Ok(exit::OK);
    }
    print(&added)?;
    if !arguments.yes && !asked(&target)? {
        say("nothing changed");
        return Ok(exit::OK);
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))?;
    }
    settings::put(&target, there.then_some(before.as_bytes()), Some(after.as_bytes()))?;
    say(&format!("added to {}", target.display()));
    if !arguments.user {
        say("A project's file runs programs only after `hookguard trust`.");
    }
    say(&format!(
        "The hooks stand in {} as before, and under Claude Code they run there too; take them out there if once is enough. \
         A script that fails before a tool now stops the call: `on_failure = \"open\"` in its entry lets it pass, as Claude Code does.",
        file.display()
    ));
    Ok(exit::OK)
}

fn source(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<PathBuf> {
    if let Some(file) = &arguments.file {
        return Ok(file.clone());
    }
    let here = surroundings.cwd.as_ref().map(|cwd| Path::new(cwd).join(".claude/settings.json"));
    let named = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let users = named.or_else(|| surroundings.home.as_ref().map(|home| Path::new(home).join(".claude")));
    let users = users.map(|folder| folder.join("settings.json"));
    [here, users].into_iter().flatten().find(|file| file.is_file()).ok_or_else(|| {
        Usage("there is no .claude/settings.json here, and none of the user's; name one with --file".to_owned()).into()
    })
}

fn target(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<PathBuf> {
    if arguments.user {
        let folder = surroundings.config.as_ref().context("HOME is not set, so there is no user's configuration")?;
        return Ok(folder.join("config.toml"));
    }
    let cwd = surroundings.cwd.as_ref().context("there is no working directory")?;
    let top = Path::new(cwd).ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    Ok(top.unwrap_or(Path::new(cwd)).join("hookguard.toml"))
}

/// The hooks of a settings file that policies can be made of, and what is said of the others.
fn hooks(settings: &Value) -> (Vec<Entry>, Vec<String>) {
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    let Some(events) = settings.get("hooks").and_then(Value::as_object) else { return (entries, notes) };
    for (event, groups) in events {
        for group in groups.as_array().into_iter().flatten() {
            let matcher = group.get("matcher").and_then(Value::as_str);
            for hook in group.get("hooks").and_then(Value::as_array).into_iter().flatten() {
                match entry(event, matcher, hook) {
                    Ok(entry) if entries.contains(&entry) => {}
                    Ok(entry) => entries.push(entry),
                    Err(None) => {}
                    Err(Some(why)) => notes.push(why),
                }
            }
        }
    }
    (entries, notes)
}

/// One hook as a policy. `Err` where it can't be one: what to say, nothing where it is our own.
fn entry(event: &str, matcher: Option<&str>, hook: &Value) -> Result<Entry, Option<String>> {
    let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
    if own_command(command).is_some() {
        return Err(None);
    }
    let left_out = |why: &str| Some(format!("left out: {event} {command:?}: {why}"));
    if hook.get("type").and_then(Value::as_str) != Some("command") || command.is_empty() {
        return Err(left_out("it runs no command"));
    }
    let Some((_, on)) = EVENTS.iter().find(|(native, _)| *native == event) else {
        return Err(left_out("policies are asked before and after tools, and at stop"));
    };
    for (key, why) in
        [("args", "its arguments stand apart from its command"), ("if", "its condition `if` is Claude Code's own")]
    {
        if hook.get(key).is_some() {
            return Err(left_out(why));
        }
    }
    if hook.get("async").and_then(Value::as_bool) == Some(true) {
        return Err(left_out("it is asynchronous, so nobody waits for its answer"));
    }
    let seconds = hook.get("timeout").and_then(Value::as_f64).filter(|seconds| *seconds > 0.0 && *seconds < 1e6);
    #[expect(clippy::cast_possible_truncation, reason = "the range was looked at")]
    let timeout_ms = seconds.map(|seconds| (seconds * 1000.0) as i64);
    Ok(Entry {
        id: id(command),
        on,
        matcher: matcher.filter(|matcher| !matches!(matcher.trim(), "" | "*")).map(str::to_owned),
        command: command.to_owned(),
        timeout_ms,
        closed: hook.get("onFailure").and_then(Value::as_str) == Some("block"),
    })
}

/// `claude.` and the script's name: the last word that is a path, without its ending.
fn id(command: &str) -> String {
    let words = command.split_whitespace();
    let path = words.clone().find(|word| word.contains('/')).or_else(|| words.clone().next()).unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let name: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    format!("claude.{}", if name.is_empty() { "hook".to_owned() } else { name.to_lowercase() })
}

/// `text` with those of `found` that it lacks, and what was added to it, both TOML.
fn with(text: &str, found: Vec<Entry>) -> Result<(String, String), String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    if !document.contains_key("version") {
        document.insert("version", value(1));
    }
    let mut added = ArrayOfTables::new();
    let policies = document.entry("policy").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let policies = policies.as_array_of_tables_mut().ok_or("`policy` is no array of tables, `[[policy]]`")?;
    for mut entry in found {
        let text = |table: &Table, key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
        let same = |table: &Table| {
            text(table, "form").as_deref() == Some("claude")
                && text(table, "on").as_deref() == Some(entry.on)
                && text(table, "command").as_deref() == Some(entry.command.as_str())
                && text(table, "matcher") == entry.matcher
        };
        if policies.iter().any(same) {
            continue;
        }
        let taken = |id: &str| policies.iter().any(|table| text(table, "id").as_deref() == Some(id));
        let base = entry.id.clone();
        for number in 2.. {
            if !taken(&entry.id) {
                break;
            }
            entry.id = format!("{base}-{number}");
        }
        let table = entry.table();
        policies.push(table.clone());
        added.push(table);
    }
    let mut shown = DocumentMut::new();
    if !added.is_empty() {
        shown.insert("policy", Item::ArrayOfTables(added));
    }
    Ok((document.to_string(), shown.to_string()))
}

impl Entry {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("id", value(self.id.as_str()));
        table.insert("on", value(self.on));
        if let Some(matcher) = &self.matcher {
            table.insert("matcher", value(matcher.as_str()));
        }
        table.insert("command", value(self.command.as_str()));
        table.insert("form", value("claude"));
        if let Some(timeout) = self.timeout_ms {
            table.insert("timeout_ms", value(timeout));
        }
        if self.closed {
            table.insert("on_failure", value("closed"));
        }
        table
    }
}

/// Asks the person at the terminal.
fn asked(target: &Path) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Usage("nobody can be asked here; --yes adds them unasked".to_owned()).into());
    }
    Ok(agreed(&format!("Add these to {}?", target.display()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = r#"{"hooks":{
        "PreToolUse":[
            {"matcher":"Bash","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh","timeout":20}]},
            {"matcher":"*","hooks":[{"type":"command","command":"hookguard hook claude PreToolUse","timeout":10},
                                    {"type":"prompt","prompt":"is it fine?"},
                                    {"type":"command","command":"python3 tools/check.py --strict","onFailure":"block"},
                                    {"type":"command","command":"x.sh","if":"Bash(git *)"}]}],
        "Stop":[{"hooks":[{"type":"command","command":"./guard.sh"}]}],
        "UserPromptSubmit":[{"hooks":[{"type":"command","command":"./prompt.sh"}]}]}}"#;

    #[test]
    fn what_can_be_a_policy_becomes_one_and_the_rest_is_told() {
        let (entries, notes) = hooks(&serde_json::from_str(SETTINGS).unwrap());
        let seen: Vec<_> = entries
            .iter()
            .map(|entry| (entry.id.as_str(), entry.on, entry.matcher.as_deref(), entry.timeout_ms, entry.closed))
            .collect();
        assert_eq!(
            seen,
            [
                ("claude.guard", "pre_tool", Some("Bash"), Some(20_000), false),
                ("claude.check", "pre_tool", None, None, true),
                ("claude.guard", "stop", None, None, false),
            ]
        );
        assert_eq!(notes.len(), 3, "{notes:?}");
    }

    #[test]
    fn comments_stay_ids_are_their_own_and_twice_is_once() {
        let before = "# ours\nversion = 1 # one\n\n[rules]\n\"git.push.force\" = \"ask\" # for now\n\n[[policy]]\nid = \"claude.guard\"\non = \"stop\"\ncommand = \"x\"\n";
        let (entries, _) = hooks(&serde_json::from_str(SETTINGS).unwrap());
        let (after, added) = with(before, entries.clone()).unwrap();
        assert!(after.starts_with(before), "{after}");
        let file: hookguard_config::model::ConfigFile = toml::from_str(&after).unwrap();
        let ids: Vec<_> = file.policy.iter().map(|policy| policy.id.as_str()).collect();
        assert_eq!(ids, ["claude.guard", "claude.guard-2", "claude.check", "claude.guard-3"]);
        assert_eq!(added.matches("[[policy]]").count(), 3);
        let (again, nothing) = with(&after, entries).unwrap();
        assert_eq!((again, nothing.as_str()), (after, ""));
    }

    #[test]
    fn a_file_that_is_not_there_is_made() {
        let (entries, _) = hooks(&serde_json::from_str(SETTINGS).unwrap());
        let (after, _) = with("", entries).unwrap();
        assert!(toml::from_str::<hookguard_config::model::ConfigFile>(&after).is_ok(), "{after}");
        assert!(with("policy = 1", vec![]).is_err());
        assert!(with("not toml", vec![]).is_err());
    }
}
