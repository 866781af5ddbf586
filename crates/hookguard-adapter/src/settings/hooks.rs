//! Our entries in a file of the form that Claude Code made common and Codex, Droid, Qwen and others share:
//! `{"hooks": {EVENT: [{"matcher"?, "hooks": [{"type": "command", "command", "timeout"?, ..}]}]}}`.
//!
//! Everything of others keeps every byte and its place: Codex trusts a hook by its position (0.171.0, seen 2026-11-30), so
//! ours come last and never move. What is asked of [`apply`] and [`remove`] is only whose a command is.
//!
//! ```
//! use hookguard_adapter::settings::{command::own_command, hooks::{self, HookEntry}};
//!
//! let is_ours = |command: &str| own_command(command).is_some_and(|own| own.agent == "claude");
//! let wanted = [HookEntry::new("Stop", "/opt/hookguard hook claude Stop", 600)];
//! let original = br#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}"#;
//!
//! let edited = hooks::apply(original, &wanted, &is_ours)?;
//! let found = hooks::inspect(&edited.bytes, &is_ours)?;
//! assert_eq!((found.own[0].group, found.foreign[0].group), (1, 0));
//! assert_eq!(hooks::remove(&edited.bytes, &is_ours)?.bytes, original);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use read::{Found, FoundEntry, SettingsError, inspect};

use super::json::{Document, NewValue, Step};
use read::{Group, groups};

/// An entry as it shall stand.
#[derive(Debug, Clone, PartialEq)]
pub struct HookEntry {
    /// The event, as the agent spells it.
    pub event: String,
    /// Which tools it is for; `None` is all, as are `""` and `"*"` in an entry that stands already.
    pub matcher: Option<String>,
    /// The command line.
    pub command: String,
    /// After how long the agent gives up on it, in the agent's own unit: seconds for Claude Code and Codex.
    pub timeout: u64,
    /// Further members of the entry, such as Claude Code's `"onFailure": "block"`.
    pub extra: Vec<(String, Value)>,
}

impl HookEntry {
    /// An entry for all tools, without further members.
    pub fn new(event: &str, command: &str, timeout: u64) -> HookEntry {
        HookEntry { event: event.to_owned(), matcher: None, command: command.to_owned(), timeout, extra: Vec::new() }
    }

    /// The entry with a further member.
    ///
    /// ```
    /// # use hookguard_adapter::settings::hooks::HookEntry;
    /// let entry = HookEntry::new("PreToolUse", "hookguard hook claude PreToolUse", 10).with("onFailure", "block");
    /// assert_eq!(entry.extra[0].1, "block");
    /// ```
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> HookEntry {
        self.extra.push((key.to_owned(), value.into()));
        self
    }

    fn members(&self) -> Vec<(String, Value)> {
        let own = [
            ("type", Value::from("command")),
            ("command", Value::from(self.command.as_str())),
            ("timeout", Value::from(self.timeout)),
        ];
        own.into_iter().map(|(key, value)| (key.to_owned(), value)).chain(self.extra.iter().cloned()).collect()
    }

    fn value(&self) -> NewValue {
        NewValue::Object(self.members().into_iter().map(|(key, value)| (key, value.into())).collect())
    }

    fn group(&self) -> NewValue {
        let matcher = self.matcher.as_deref().map(|matcher| ("matcher".to_owned(), NewValue::from(matcher)));
        let hooks = ("hooks".to_owned(), NewValue::Array(vec![self.value()]));
        NewValue::Object(matcher.into_iter().chain([hooks]).collect())
    }
}

/// A settings file after [`apply`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Whether it differs from what came in. If not, don't write it.
    pub changed: bool,
    /// How the bytes that came in can be had again.
    pub back: WayBack,
}

/// How the original bytes of an edited file can be had again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayBack {
    /// [`remove`] gives them.
    Remove,
    /// Only the journal has them: there was no file or an empty one, or entries of ours stood in it already. After
    /// [`remove`], a file that was made by us and is [`bare`](Removed::bare) may be deleted.
    Journal,
}

/// A settings file after [`remove`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Whether it differs from what came in. If not, don't write it.
    pub changed: bool,
    /// Nothing is left but an empty object: a file that installing created may be deleted.
    pub bare: bool,
}

/// Makes our entries stand exactly as `wanted`. An entry of ours that is right already stays untouched; one that differs
/// (an old path, another time-out) is replaced where it stands; those too many, and those for events that are not
/// wanted, are removed; those missing are put last in their event, in a group of their own. Empty bytes (no file) are
/// made into a file with two spaces of indentation.
///
/// ```
/// # use hookguard_adapter::settings::hooks::{HookEntry, apply};
/// let wanted = [HookEntry::new("Stop", "hookguard hook codex Stop", 600)];
/// let made = apply(b"", &wanted, &|command| command.starts_with("hookguard"))?;
/// assert_eq!(std::str::from_utf8(&made.bytes)?, r#"{
///   "hooks": {
///     "Stop": [
///       {
///         "hooks": [
///           {
///             "type": "command",
///             "command": "hookguard hook codex Stop",
///             "timeout": 600
///           }
///         ]
///       }
///     ]
///   }
/// }
/// "#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The file is no strict JSON or its hooks have another shape. Nothing is changed then.
pub fn apply(bytes: &[u8], wanted: &[HookEntry], is_ours: &dyn Fn(&str) -> bool) -> Result<Edited, SettingsError> {
    let mut document = if is_blank(bytes) {
        let bom: &[u8] = if bytes.is_empty() { b"" } else { &bytes[..bytes.len().min(3)] };
        let bom = if bom == b"\xef\xbb\xbf" { bom } else { b"" };
        Document::parse(&[bom, b"{}\n"].concat())?
    } else {
        Document::parse(bytes)?
    };
    let present = groups(&document, is_ours)?;
    let mut events: Vec<&str> = Vec::new();
    for event in wanted.iter().map(|entry| &entry.event).chain(present.iter().map(|group| &group.event)) {
        if !events.contains(&event.as_str()) {
            events.push(event);
        }
    }
    for event in events {
        let wanted: Vec<&HookEntry> = wanted.iter().filter(|entry| entry.event == event).collect();
        let present: Vec<&Group> = present.iter().filter(|group| group.event == event).collect();
        settle(&mut document, event, wanted, &present)?;
    }
    let bytes_now = document.into_bytes();
    let back = match remove(&bytes_now, is_ours) {
        Ok(removed) if removed.bytes == bytes => WayBack::Remove,
        _ => WayBack::Journal,
    };
    Ok(Edited { changed: bytes_now != bytes, bytes: bytes_now, back })
}

/// Removes exactly our entries, and with them the groups, events and the `hooks` object that came with them. What was
/// there and empty before [`apply`] is empty again.
///
/// ```
/// # use hookguard_adapter::settings::hooks::remove;
/// let file = br#"{"a": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "hookguard"}]}]}}"#;
/// assert_eq!(remove(file, &|command| command == "hookguard")?.bytes, br#"{"a": 1}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The file is no strict JSON or its hooks have another shape. Nothing is changed then.
pub fn remove(bytes: &[u8], is_ours: &dyn Fn(&str) -> bool) -> Result<Removed, SettingsError> {
    if is_blank(bytes) {
        return Ok(Removed { bytes: bytes.to_vec(), changed: false, bare: false });
    }
    let mut document = Document::parse(bytes)?;
    // From the last to the first, so that those to come stay where they were found.
    for group in groups(&document, is_ours)?.iter().rev() {
        for hook in group.own().rev() {
            drop_entry(&mut document, &group.event, group.index, hook)?;
        }
    }
    let changed = document.bytes() != bytes;
    let bare = document.root().children().next().is_none();
    Ok(Removed { bytes: document.into_bytes(), changed, bare })
}

/// Nothing in it that a JSON reader could read: no file, an empty one, one of blanks.
fn is_blank(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// Brings one event to what is wanted.
fn settle(
    document: &mut Document,
    event: &str,
    mut wanted: Vec<&HookEntry>,
    present: &[&Group],
) -> Result<(), SettingsError> {
    let mut own: Vec<(&Group, usize)> =
        present.iter().flat_map(|group| group.own().map(|hook| (*group, hook))).collect();
    // What is right stays.
    wanted.retain(|entry| match own.iter().position(|(group, hook)| equal(group, *hook, entry)) {
        Some(right) => {
            own.remove(right);
            false
        }
        None => true,
    });
    // What differs is replaced where it stands; but where others share the group, its matcher is theirs.
    let mut missing = Vec::new();
    for entry in wanted {
        let same = |(group, _): &(&Group, usize)| same_matcher(group.matcher.as_deref(), entry.matcher.as_deref());
        let place = own.iter().position(same).or_else(|| own.iter().position(|(group, _)| group.hooks.len() == 1));
        let Some(place) = place else {
            missing.push(entry);
            continue;
        };
        let (group, hook) = own.remove(place);
        let path = [Step::Key("hooks"), Step::Key(event), Step::Index(group.index)];
        if !same_matcher(group.matcher.as_deref(), entry.matcher.as_deref()) {
            match &entry.matcher {
                Some(matcher) => document.insert(&path, "matcher", &NewValue::from(matcher.as_str()))?,
                None => document.remove(&[path[0], path[1], path[2], Step::Key("matcher")])?,
            }
        }
        let path = [path[0], path[1], path[2], Step::Key("hooks"), Step::Index(hook)];
        document.replace(&path, &entry.value())?;
    }
    for entry in missing {
        let path = [Step::Key("hooks"), Step::Key(event)];
        if document.find(&path).is_some() {
            document.append(&path, &entry.group())?;
        } else {
            document.insert(&path[..1], event, &NewValue::Array(vec![entry.group()]))?;
        }
    }
    for (group, hook) in own.into_iter().rev() {
        drop_entry(document, event, group.index, hook)?;
    }
    Ok(())
}

/// Whether an entry stands as wanted: the same members with the same values, in any order.
fn equal(group: &Group, hook: usize, entry: &HookEntry) -> bool {
    let members = entry.members();
    let found = &group.hooks[hook].members;
    same_matcher(group.matcher.as_deref(), entry.matcher.as_deref())
        && found.len() == members.len()
        && members.iter().all(|(key, value)| found.get(key).is_some_and(|found| found.as_ref() == Some(value)))
}

/// Absent, `""` and `"*"` all mean every tool, in Claude Code 2.1.332 and in Codex 0.171.0 (2026-11-30).
fn same_matcher(one: Option<&str>, other: Option<&str>) -> bool {
    let all = |matcher: Option<&str>| matches!(matcher, None | Some("" | "*"));
    one == other || (all(one) && all(other))
}

/// Removes one entry, and what became empty by it and was not there before.
fn drop_entry(document: &mut Document, event: &str, group: usize, hook: usize) -> Result<(), SettingsError> {
    let path = [Step::Key("hooks"), Step::Key(event), Step::Index(group), Step::Key("hooks"), Step::Index(hook)];
    let mut depth = path.len();
    // A group goes with its last entry, unless somebody wrote more into it.
    if only_child(document, &path[..4]) && only_known_keys(document, &path[..3]) {
        depth = 3;
        while depth > 1 && only_child(document, &path[..depth - 1]) {
            let container = &path[..depth - 1];
            // Where the key stands twice, removing the one that counts would bring the other to life.
            if document.was_empty(container) || doubled_key(document, container) {
                break;
            }
            depth -= 1;
        }
    }
    Ok(document.remove(&path[..depth])?)
}

fn only_child(document: &Document, path: &[Step<'_>]) -> bool {
    document.find(path).is_some_and(|value| value.children().count() == 1)
}

fn only_known_keys(document: &Document, group: &[Step<'_>]) -> bool {
    let known = |key: Option<String>| matches!(key.as_deref(), Some("hooks" | "matcher"));
    document.find(group).is_some_and(|group| group.children().all(|child| known(child.key())))
}

fn doubled_key(document: &Document, path: &[Step<'_>]) -> bool {
    let Some((Step::Key(last), parent)) = path.split_last() else { return false };
    let same = |parent: super::json::Value<'_>| {
        parent.children().filter(|child| child.key().as_deref() == Some(*last)).count() > 1
    };
    document.find(parent).is_some_and(same)
}
