//! What stands in a settings file: whose entries, where, and how they look.

use std::collections::BTreeMap;

use super::super::json::{Document, EditError, JsonError, Kind, Position, Value};
use super::{HookEntry, same_matcher};

/// Why a settings file can't be read or edited. The file is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It is no strict JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// It is JSON, but something else stands where hooks have to be.
    #[error("{position}: {place} has to be {expected}, not {found}")]
    Shape {
        /// Where.
        position: Position,
        /// What stands there, such as `hooks.Stop[0]`.
        place: String,
        /// What has to stand there.
        expected: &'static str,
        /// What does.
        found: Kind,
    },
    /// Something that has to be there is not.
    #[error("{position}: {place} has no \"{key}\"")]
    Lacks {
        /// Where.
        position: Position,
        /// What lacks it.
        place: String,
        /// The key that is missing.
        key: &'static str,
    },
    /// It is no TOML.
    #[error("{position}: {what}")]
    Toml {
        /// Where.
        position: Position,
        /// What is wrong there.
        what: String,
    },
    /// Hooks are written inside a value, where nothing can be added or taken out without writing it anew.
    #[error("{position}: {place} is written inline; write it as [[{place}]], or edit it by hand")]
    Inline {
        /// Where.
        position: Position,
        /// What stands there, such as `hooks.Stop`.
        place: String,
    },
    /// An edit was not possible.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// What [`inspect`] found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Our entries, in the order of the file.
    pub own: Vec<FoundEntry>,
    /// Those of others, in the order of the file.
    pub foreign: Vec<FoundEntry>,
    /// `"disableAllHooks": true`: Claude Code runs none of them, whichever file says it.
    pub disable_all_hooks: bool,
    /// The keys at the top of the file, in order. A key other than `hooks` and `description` voids Codex' hooks.json.
    pub top_level: Vec<String>,
    /// The file begins with a byte order mark, with which Codex reads no hooks.json.
    pub bom: bool,
}

impl Found {
    /// Our entries beyond the first for the same event and tools: the hook runs more than once.
    pub fn doubled(&self) -> Vec<&FoundEntry> {
        let same = |one: &FoundEntry, other: &FoundEntry| {
            one.event == other.event && same_matcher(one.matcher.as_deref(), other.matcher.as_deref())
        };
        let before = |index: usize| &self.own[..index];
        let doubled = |(index, entry)| before(index).iter().any(|other| same(other, entry)).then_some(entry);
        self.own.iter().enumerate().filter_map(doubled).collect()
    }
}

/// An entry that stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEntry {
    /// The event.
    pub event: String,
    /// The index of its group in the event, from 0.
    pub group: usize,
    /// Its index in the group, from 0.
    pub hook: usize,
    /// The group's matcher.
    pub matcher: Option<String>,
    /// Its `type`; `command` for ours.
    pub kind: Option<String>,
    /// Its command line.
    pub command: Option<String>,
    /// Its time-out, if that is a whole number.
    pub timeout: Option<u64>,
    /// Its other members; a value that serde_json can't hold is its text.
    pub extra: Vec<(String, serde_json::Value)>,
    /// Where it stands in the file.
    pub position: Position,
}

impl FoundEntry {
    /// Whether the entry is what [`apply`](super::apply) would write for `wanted`.
    pub fn is_as(&self, wanted: &HookEntry) -> bool {
        let sorted = |members: &[(String, serde_json::Value)]| members.iter().cloned().collect::<BTreeMap<_, _>>();
        self.event == wanted.event
            && same_matcher(self.matcher.as_deref(), wanted.matcher.as_deref())
            && self.command.as_deref() == Some(wanted.command.as_str())
            && self.timeout == Some(wanted.timeout)
            && sorted(&self.extra) == sorted(&wanted.extra)
    }
}

/// A group of entries. The last of doubled keys counts, as for the agent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub(super) event: String,
    pub(super) index: usize,
    pub(super) matcher: Option<String>,
    pub(super) hooks: Vec<Hook>,
}

impl Group {
    /// The indices of our entries.
    pub(super) fn own(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.hooks.len()).filter(|hook| self.hooks[*hook].own)
    }
}

/// An entry of a group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hook {
    pub(super) own: bool,
    pub(super) position: Position,
    /// `None` is a value that serde_json can't hold.
    pub(super) members: BTreeMap<String, Option<serde_json::Value>>,
    /// The keys in the order of the file.
    keys: Vec<String>,
}

/// What stands in a settings file. Empty bytes (no file) hold nothing.
///
/// ```
/// # use hookguard_adapter::settings::hooks::inspect;
/// let file = br#"{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}"#;
/// let found = inspect(file, &|command| command.contains("hookguard"))?;
/// assert!(found.disable_all_hooks && found.own.is_empty());
/// assert_eq!(found.foreign[0].command.as_deref(), Some("say done"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The file is no strict JSON or its hooks have another shape.
pub fn inspect(bytes: &[u8], is_ours: &dyn Fn(&str) -> bool) -> Result<Found, SettingsError> {
    if super::is_blank(bytes) {
        return Ok(Found { bom: !bytes.is_empty() && bytes[0] == 0xef, ..Found::default() });
    }
    let document = Document::parse(bytes)?;
    let mut found = Found {
        disable_all_hooks: document.find(&["disableAllHooks".into()]).and_then(|off| off.as_bool()) == Some(true),
        bom: document.has_bom(),
        ..Found::default()
    };
    for group in groups(&document, is_ours)? {
        for (index, hook) in group.hooks.iter().enumerate() {
            let entry = entry(&group, index, hook, &document);
            if hook.own { found.own.push(entry) } else { found.foreign.push(entry) }
        }
    }
    found.top_level = document.root().children().filter_map(|child| child.key()).collect();
    Ok(found)
}

fn entry(group: &Group, index: usize, hook: &Hook, document: &Document) -> FoundEntry {
    let path = ["hooks".into(), group.event.as_str().into(), group.index.into(), "hooks".into(), index.into()];
    let text = |key: &str| hook.members.get(key)?.as_ref()?.as_str().map(str::to_owned);
    let raw = |key: &str| {
        let span = document.find(&path)?.get(key)?.span();
        Some(serde_json::Value::from(String::from_utf8_lossy(&document.bytes()[span])))
    };
    let value = |key: &String| hook.members.get(key).cloned().flatten().or_else(|| raw(key)).unwrap_or_default();
    let others = hook.keys.iter().filter(|key| !matches!(key.as_str(), "type" | "command" | "timeout"));
    FoundEntry {
        event: group.event.clone(),
        group: group.index,
        hook: index,
        matcher: group.matcher.clone(),
        kind: text("type"),
        command: text("command"),
        timeout: hook.members.get("timeout").and_then(|timeout| timeout.as_ref()?.as_u64()),
        extra: others.map(|key| (key.clone(), value(key))).collect(),
        position: hook.position,
    }
}

/// All groups of all events, in the order of the file.
pub(super) fn groups(document: &Document, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<Group>, SettingsError> {
    let root = expect(document.root(), Kind::Object, "an object", || "the file".to_owned())?;
    let Some(hooks) = root.get("hooks") else { return Ok(Vec::new()) };
    let hooks = expect(hooks, Kind::Object, "an object of events", || "hooks".to_owned())?;
    let mut groups = Vec::new();
    for event in hooks.children() {
        let name = event.key().unwrap_or_default();
        let place = || format!("hooks.{name}");
        expect(event, Kind::Array, "an array of groups", place)?;
        // An earlier one of the same name has no effect.
        if hooks.get(&name).is_some_and(|last| last.span() != event.span()) {
            continue;
        }
        for (index, value) in event.children().enumerate() {
            groups.push(group(value, &name, index, is_ours)?);
        }
    }
    Ok(groups)
}

fn group(value: Value<'_>, event: &str, index: usize, is_ours: &dyn Fn(&str) -> bool) -> Result<Group, SettingsError> {
    let place = || format!("hooks.{event}[{index}]");
    expect(value, Kind::Object, "an object with \"hooks\"", place)?;
    let matcher = match value.get("matcher") {
        Some(matcher) => expect(matcher, Kind::String, "a string", || format!("{}.matcher", place()))?.as_str(),
        None => None,
    };
    let Some(hooks) = value.get("hooks") else {
        return Err(SettingsError::Lacks { position: value.position(), place: place(), key: "hooks" });
    };
    expect(hooks, Kind::Array, "an array of hooks", || format!("{}.hooks", place()))?;
    let hook = |(number, value)| hook(value, || format!("{}.hooks[{number}]", place()), is_ours);
    let hooks = hooks.children().enumerate().map(hook).collect::<Result<_, _>>()?;
    Ok(Group { event: event.to_owned(), index, matcher, hooks })
}

fn hook(value: Value<'_>, place: impl Fn() -> String, is_ours: &dyn Fn(&str) -> bool) -> Result<Hook, SettingsError> {
    expect(value, Kind::Object, "an object with \"type\" and \"command\"", &place)?;
    let command = match value.get("command") {
        Some(command) => expect(command, Kind::String, "a string", || format!("{}.command", place()))?.as_str(),
        None => None,
    };
    let own = command.is_some_and(|command| is_ours(&command));
    let mut members = BTreeMap::new();
    let mut keys = Vec::new();
    for member in value.children() {
        let key = member.key().unwrap_or_default();
        if members.insert(key.clone(), member.to_serde()).is_none() {
            keys.push(key);
        }
    }
    Ok(Hook { own, position: value.position(), members, keys })
}

fn expect<'d>(
    value: Value<'d>,
    kind: Kind,
    expected: &'static str,
    place: impl FnOnce() -> String,
) -> Result<Value<'d>, SettingsError> {
    if value.kind() == kind {
        return Ok(value);
    }
    Err(SettingsError::Shape { position: value.position(), place: place(), expected, found: value.kind() })
}
