//! Our entries in a TOML file, as Codex reads them beside its `hooks.json`:
//!
//! ```toml
//! [[hooks.Stop]]
//! [[hooks.Stop.hooks]]
//! type = "command"
//! command = "/opt/hookguard hook codex Stop"
//! timeout = 600
//! ```
//!
//! As in [`hooks`](super::hooks), what is of others keeps every byte and its place.

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::hooks::{Found, FoundEntry, HookEntry, SettingsError};
use super::json::Position;

/// Codex keeps there what its user has trusted; it is no event.
const STATE: &str = "state";

/// An entry, and where its parts stand.
#[derive(Debug)]
struct Hook {
    entry: FoundEntry,
    own: bool,
    /// Its `[[hooks.EVENT.hooks]]` to the end of its last value.
    span: Range<usize>,
    command: Option<Range<usize>>,
    timeout: Option<Range<usize>>,
    /// The same of its group, if that holds nothing besides.
    alone_in: Option<Range<usize>>,
    inline: bool,
}

/// What stands in a TOML settings file. See [`hooks::inspect`](super::hooks::inspect).
///
/// # Errors
/// The file is no TOML, or its hooks have another shape.
pub fn inspect(bytes: &[u8], is_ours: &dyn Fn(&str) -> bool) -> Result<Found, SettingsError> {
    let mut found = Found::default();
    for hook in hooks(text(bytes)?, is_ours)? {
        if hook.own { found.own.push(hook.entry) } else { found.foreign.push(hook.entry) }
    }
    Ok(found)
}

/// Makes our entries stand as `wanted`: a right one stays, one with another command or time-out gets them where it stands,
/// one too many goes, one that is missing is put at the end of the file.
///
/// ```
/// use hookguard_adapter::settings::{hooks::HookEntry, toml};
///
/// let wanted = [HookEntry::new("Stop", "/b/hookguard hook codex Stop", 600)];
/// let ours = |command: &str| command.contains("hookguard");
/// let file = b"model = 'x'\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = '/a/hookguard hook codex Stop' # mine\ntimeout = 600\n";
/// let edited = toml::apply(file, &wanted, &ours)?;
/// assert_eq!(String::from_utf8_lossy(&edited), String::from_utf8_lossy(file).replace("'/a/hookguard hook codex Stop'", "\"/b/hookguard hook codex Stop\""));
/// assert_eq!(toml::remove(&edited, &ours)?, b"model = 'x'\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`inspect`], and where hooks are written inline.
pub fn apply(bytes: &[u8], wanted: &[HookEntry], is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<u8>, SettingsError> {
    let source = text(bytes)?;
    let present = hooks(source, is_ours)?;
    let mut missing: Vec<&HookEntry> = wanted.iter().collect();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for hook in present.iter().filter(|hook| hook.own) {
        let place = missing.iter().position(|entry| could_become(&hook.entry, entry));
        match place.map(|place| missing.remove(place)) {
            Some(entry) if hook.entry.is_as(entry) => {}
            Some(entry) => {
                let values = [(&hook.command, quoted(&entry.command)), (&hook.timeout, entry.timeout.to_string())];
                edits.extend(values.into_iter().filter_map(|(span, text)| Some((span.clone()?, text))));
            }
            None => edits.push((removal(source, hook)?, String::new())),
        }
    }
    let newline = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let mut text = edited(source, edits);
    for entry in missing {
        if !text.is_empty() {
            let ended = text.ends_with('\n');
            text.push_str(if ended { "" } else { newline });
            text.push_str(newline);
        }
        text.push_str(&block(entry).replace('\n', newline));
    }
    // Where hooks stand inline, a block does not add to them: what was written says whether it is read.
    let held = |entry: &HookEntry| -> Result<bool, SettingsError> {
        Ok(inspect(text.as_bytes(), is_ours)?.own.iter().any(|own| own.is_as(entry)))
    };
    for entry in wanted {
        if !held(entry).unwrap_or(false) {
            return Err(SettingsError::Inline { position: start(), place: format!("hooks.{}", entry.event) });
        }
    }
    Ok(text.into_bytes())
}

/// Removes exactly our entries.
///
/// # Errors
/// As for [`apply`].
pub fn remove(bytes: &[u8], is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<u8>, SettingsError> {
    let source = text(bytes)?;
    let own = hooks(source, is_ours)?.into_iter().filter(|hook| hook.own);
    let edits = own.map(|hook| Ok((removal(source, &hook)?, String::new()))).collect::<Result<_, SettingsError>>()?;
    Ok(edited(source, edits).into_bytes())
}

/// Whether only the command and the time-out, which it names itself, keep an entry from being as wanted.
fn could_become(found: &FoundEntry, wanted: &HookEntry) -> bool {
    let as_if = FoundEntry {
        command: Some(wanted.command.clone()),
        timeout: found.timeout.map(|_| wanted.timeout),
        ..found.clone()
    };
    as_if.is_as(wanted)
}

fn block(entry: &HookEntry) -> String {
    let event = &entry.event;
    let matcher = entry.matcher.as_ref().map(|matcher| format!("matcher = {}\n", quoted(matcher)));
    format!(
        "[[hooks.{event}]]\n{}[[hooks.{event}.hooks]]\ntype = \"command\"\ncommand = {}\ntimeout = {}\n",
        matcher.unwrap_or_default(),
        quoted(&entry.command),
        entry.timeout
    )
}

fn quoted(text: &str) -> String {
    // A JSON string of printable text is a TOML basic string.
    serde_json::Value::from(text).to_string()
}

/// The lines of an entry, or of its group if that is all there is in it, with the blank line before them.
fn removal(source: &str, hook: &Hook) -> Result<Range<usize>, SettingsError> {
    if hook.inline {
        let place = format!("hooks.{}", hook.entry.event);
        return Err(SettingsError::Inline { position: hook.entry.position, place });
    }
    let span = hook.alone_in.as_ref().unwrap_or(&hook.span);
    let end = source[span.end..].find('\n').map_or(source.len(), |at| span.end + at + 1);
    let mut begin = source[..span.start].rfind('\n').map_or(0, |at| at + 1);
    for blank in ["\r\n", "\n"] {
        if source[..begin].strip_suffix(blank).is_some_and(|before| before.ends_with('\n')) {
            begin -= blank.len();
            break;
        }
    }
    Ok(begin..end)
}

fn edited(source: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(span, _)| span.start);
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for (span, new) in edits {
        text.push_str(&source[at..span.start.max(at)]);
        text.push_str(&new);
        at = span.end.max(at);
    }
    text + &source[at..]
}

fn text(bytes: &[u8]) -> Result<&str, SettingsError> {
    std::str::from_utf8(bytes)
        .map_err(|error| SettingsError::Toml { position: start(), what: format!("no UTF-8: {error}") })
}

fn start() -> Position {
    Position { line: 1, column: 1 }
}

fn position(source: &str, at: usize) -> Position {
    let before = &source[..at.min(source.len())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    Position { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
}

fn hooks(source: &str, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<Hook>, SettingsError> {
    let table = DeTable::parse(source).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        SettingsError::Toml { position: position(source, at), what: error.message().to_owned() }
    })?;
    let mut found = Vec::new();
    let Some(DeValue::Table(events)) = table.get_ref().get("hooks").map(Spanned::get_ref) else { return Ok(found) };
    for (event, groups) in events.iter().filter(|(event, _)| event.get_ref() != STATE) {
        let DeValue::Array(groups) = groups.get_ref() else { continue };
        for (index, group) in groups.iter().enumerate() {
            let DeValue::Table(members) = group.get_ref() else { continue };
            let matcher = members.get("matcher").and_then(|matcher| matcher.get_ref().as_str()).map(str::to_owned);
            let Some(DeValue::Array(hooks)) = members.get("hooks").map(Spanned::get_ref) else { continue };
            let known = members.keys().all(|key| matches!(key.get_ref().as_ref(), "matcher" | "hooks"));
            let alone_in = (known && hooks.len() == 1).then(|| whole(group));
            for (number, hook) in hooks.iter().enumerate() {
                let DeValue::Table(members) = hook.get_ref() else { continue };
                let span = whole(hook);
                let entry = FoundEntry {
                    event: event.get_ref().to_string(),
                    group: index,
                    hook: number,
                    matcher: matcher.clone(),
                    position: position(source, span.start),
                    ..entry(members)
                };
                found.push(Hook {
                    own: entry.command.as_deref().is_some_and(is_ours),
                    inline: !source[group.span().start..].starts_with("[[") || !source[span.start..].starts_with("[["),
                    command: members.get("command").map(Spanned::span),
                    timeout: members.get("timeout").map(Spanned::span),
                    alone_in: alone_in.clone(),
                    span,
                    entry,
                });
            }
        }
    }
    found.sort_by_key(|hook| hook.span.start);
    Ok(found)
}

fn entry(members: &DeTable<'_>) -> FoundEntry {
    let text = |key: &str| members.get(key).and_then(|value| value.get_ref().as_str()).map(str::to_owned);
    let others = members.iter().filter(|(key, _)| !matches!(key.get_ref().as_ref(), "type" | "command" | "timeout"));
    FoundEntry {
        event: String::new(),
        group: 0,
        hook: 0,
        matcher: None,
        kind: text("type"),
        command: text("command"),
        timeout: members.get("timeout").and_then(|value| value.get_ref().as_integer()?.as_str().parse().ok()),
        extra: others.map(|(key, value)| (key.get_ref().to_string(), plain(value.get_ref()))).collect(),
        position: start(),
    }
}

/// A value as JSON has it; what JSON has not is its text.
fn plain(value: &DeValue<'_>) -> serde_json::Value {
    match value {
        DeValue::Boolean(value) => (*value).into(),
        DeValue::String(value) => value.as_ref().into(),
        other => format!("{other:?}").into(),
    }
}

/// From a table's header to the end of the last value in it.
fn whole(value: &Spanned<DeValue<'_>>) -> Range<usize> {
    fn end(value: &Spanned<DeValue<'_>>) -> usize {
        let inside = match value.get_ref() {
            DeValue::Table(table) => table.values().map(end).max(),
            DeValue::Array(array) => array.iter().map(end).max(),
            _ => None,
        };
        inside.unwrap_or(0).max(value.span().end)
    }
    value.span().start..end(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::command::own_command;

    fn is_ours(command: &str) -> bool {
        own_command(command).is_some_and(|own| own.agent == "codex")
    }

    fn wanted() -> Vec<HookEntry> {
        let mut pre = HookEntry::new("PreToolUse", "'/opt/my tools/hookguard' hook codex PreToolUse", 10);
        pre.matcher = Some("*".to_owned());
        vec![pre, HookEntry::new("Stop", "'/opt/my tools/hookguard' hook codex Stop", 600)]
    }

    const THEIRS: &str = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"say done\"\n";

    #[test]
    fn what_is_added_goes_again() {
        for before in [
            "",
            "model = \"x\"\n",
            "# mine\nmodel = \"x\" # which\n\n[features]\nhooks = true\n",
            "model = \"x\"\r\n\r\n[features]\r\nhooks = true\r\n",
            THEIRS,
            "[hooks.state.\"/a/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n",
            "[hooks]\n[[hooks.PreToolUse]]\nmatcher = 'Bash'\nhooks = [{ type = 'command', command = 'x' }]\n\n# end\n",
            "text = '''\n[[hooks.Stop]]\n'''\n",
        ] {
            let installed = apply(before.as_bytes(), &wanted(), &is_ours).unwrap();
            assert_eq!(apply(&installed, &wanted(), &is_ours).unwrap(), installed, "{before}");
            let (was, now) = (inspect(before.as_bytes(), &is_ours).unwrap(), inspect(&installed, &is_ours).unwrap());
            assert_eq!(now.own.len(), 2, "{before}");
            let places = |found: &Found| -> Vec<_> {
                found.foreign.iter().map(|entry| (entry.event.clone(), entry.group, entry.hook)).collect()
            };
            assert_eq!(places(&was), places(&now), "{before}");
            assert_eq!(String::from_utf8(remove(&installed, &is_ours).unwrap()).unwrap(), before);
        }
    }

    #[test]
    fn entries_that_differ_are_mended_where_they_stand() {
        let stale = "[[hooks.Stop]] # a\n[[hooks.Stop.hooks]]\ntimeout = 5 # b\ntype = 'command'\ncommand = 'hookguard hook codex Stop'\n";
        let file = format!("{stale}\n{THEIRS}\n[tui]\n");
        let mended = String::from_utf8(apply(file.as_bytes(), &wanted()[1..], &is_ours).unwrap()).unwrap();
        let new = quoted(&wanted()[1].command);
        assert_eq!(mended, file.replace("'hookguard hook codex Stop'", &new).replace("timeout = 5", "timeout = 600"));
        // One too many goes, theirs stays.
        let doubled = format!("{mended}\n{stale}");
        let mended_again = apply(doubled.as_bytes(), &wanted()[1..], &is_ours).unwrap();
        assert_eq!(String::from_utf8(mended_again).unwrap(), mended);
        assert_eq!(
            String::from_utf8(remove(mended.as_bytes(), &is_ours).unwrap()).unwrap(),
            format!("\n{THEIRS}\n[tui]\n")
        );
    }

    #[test]
    fn what_is_written_inline_is_left_alone() {
        for file in [
            "hooks = { Stop = [] }\n",
            "[hooks]\nStop = [{ hooks = [{ type = 'command', command = 'hookguard hook codex Stop' }] }]\n",
        ] {
            let refused = apply(file.as_bytes(), &wanted(), &is_ours).unwrap_err();
            assert!(matches!(refused, SettingsError::Inline { .. } | SettingsError::Toml { .. }), "{refused}");
        }
        let broken = inspect(b"a = 1\nb = = 2\n", &is_ours).unwrap_err().to_string();
        assert!(broken.starts_with("2:5: "), "{broken}");
    }
}
