//! The plans of both agents over settings files as people have them, without a disk: contents × ways of writing them.

use hookguard_adapter::settings::journal::JournalEntry;
use hookguard_adapter::{Adapter, PlanRequest, Scope, SettingsFile, SettingsFiles, State};
use proptest::prelude::*;
use serde_json::{Value, json};

const AGENTS: [(&str, &dyn Adapter); 2] =
    [("claude", &hookguard_claude::ADAPTER), ("codex", &hookguard_codex::ADAPTER)];

const BINARY: &str = "/opt/my tools/hookguard";

/// What stands in the file before; nothing of ours.
fn contents() -> Vec<(&'static str, Value)> {
    let theirs = |command: &str| json!({"hooks": [{"type": "command", "command": command, "timeout": 5}]});
    vec![
        ("nothing", json!({})),
        ("a description", json!({"description": "mine \"é\" 日本 \u{1f600}\\"})),
        ("no events", json!({"hooks": {}})),
        ("empty events", json!({"hooks": {"Stop": [], "PreToolUse": []}})),
        ("an empty group", json!({"hooks": {"Stop": [{"hooks": []}]}})),
        (
            "their hooks at our events",
            json!({"hooks": {"PreToolUse": [theirs("~/guard.sh"), theirs("b")], "Stop": [theirs("say done")]}}),
        ),
        ("their hooks elsewhere", json!({"description": "d", "hooks": {"PreCompact": [theirs("x")], "Other": []}})),
        (
            "hooks that look like ours",
            json!({"hooks": {
                "Stop": [theirs("sh -c 'hookguard hook claude Stop'"), theirs("hookguard check x")],
                "PreToolUse": [theirs("head -c 40 | /x/hookguard hook codex PreToolUse"), theirs("hookguard hook other PreToolUse")],
            }}),
        ),
    ]
}

/// A way to write a settings file down.
type Layout = fn(&Value) -> Vec<u8>;

/// Ways of writing the same JSON.
fn layouts() -> Vec<(&'static str, Layout)> {
    fn indented(value: &Value, indent: &[u8]) -> String {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(indent);
        serde::Serialize::serialize(value, &mut serde_json::Serializer::with_formatter(&mut bytes, formatter)).unwrap();
        String::from_utf8(bytes).unwrap()
    }
    vec![
        ("one line", |value| value.to_string().into_bytes()),
        ("one line and its end", |value| format!("{value}\n").into_bytes()),
        ("two spaces", |value| (indented(value, b"  ") + "\n").into_bytes()),
        ("four spaces, no end", |value| indented(value, b"    ").into_bytes()),
        ("tabs", |value| (indented(value, b"\t") + "\n").into_bytes()),
        ("tabs and CRLF", |value| (indented(value, b"\t") + "\n").replace('\n', "\r\n").into_bytes()),
        ("blank lines around", |value| format!("\n\n{}\n\n\n", indented(value, b"  ")).into_bytes()),
        ("escaped keys", |value| value.to_string().replace("\"hooks\":{", "\"ho\\u006fks\" : {").into_bytes()),
    ]
}

fn files(adapter: &dyn Adapter, bytes: Option<Vec<u8>>) -> SettingsFiles {
    let places = adapter.profile().settings.iter().filter(|place| place.scope == Scope::User);
    let file = |(index, place): (usize, &hookguard_adapter::SettingsPlace)| SettingsFile {
        scope: Scope::User,
        path: format!("/home/me/{}/{}", place.folder, place.path),
        place: place.path,
        bytes: if index == 0 { bytes.clone() } else { None },
    };
    places.enumerate().map(file).collect()
}

/// Runs one plan on the first file. Gives its bytes, and remembers the write.
fn carry_out(
    adapter: &dyn Adapter,
    before: Option<Vec<u8>>,
    remove: bool,
    journal: &mut Vec<JournalEntry>,
) -> Option<Vec<u8>> {
    let files = files(adapter, before.clone());
    let ask = PlanRequest { scope: Scope::User, binary: BINARY, require: false, remove, journal };
    let plan = adapter.plan(&ask, &files).unwrap();
    let Some(edit) = plan.edits.first() else { return before };
    assert_eq!((plan.edits.len(), &edit.before), (1, &before));
    let edit = edit.clone();
    if let Some(after) = &edit.after {
        let (path, before) = (edit.path.into_bytes(), edit.before);
        journal.push(JournalEntry { path, before, after: after.clone(), time: 0 });
    }
    edit.after
}

fn states(adapter: &dyn Adapter, bytes: Option<Vec<u8>>) -> Vec<State> {
    let ask = PlanRequest { scope: Scope::User, binary: BINARY, require: false, remove: false, journal: &[] };
    adapter.inspect(&ask, &files(adapter, bytes)).unwrap().events.iter().map(|event| event.state).collect()
}

fn shown(bytes: &Option<Vec<u8>>) -> String {
    bytes.as_ref().map_or_else(|| "no file".to_owned(), |bytes| String::from_utf8_lossy(bytes).into_owned())
}

fn round_trip(name: &str, adapter: &dyn Adapter, before: Option<Vec<u8>>) {
    let mut journal = Vec::new();
    let installed = carry_out(adapter, before.clone(), false, &mut journal);
    assert!(states(adapter, installed.clone()).iter().all(|state| *state == State::Current), "{name}");
    let again = carry_out(adapter, installed.clone(), false, &mut journal);
    assert_eq!(shown(&again), shown(&installed), "install after install changes nothing: {name}");
    assert_eq!(journal.len(), 1, "{name}");

    let removed = carry_out(adapter, installed.clone(), true, &mut journal);
    assert_eq!(shown(&removed), shown(&before), "with the journal: {name}");
    assert_eq!(carry_out(adapter, removed.clone(), true, &mut Vec::new()), removed, "{name}");
    // Without it, a file that has content has its own bytes all the same; what was no content is an empty object.
    let removed = carry_out(adapter, installed, true, &mut Vec::new());
    let blank = before.as_ref().is_none_or(|bytes| bytes.trim_ascii().is_empty());
    let expected = if blank { "{}\n".to_owned() } else { shown(&before) };
    assert_eq!(shown(&removed), expected, "without the journal: {name}");
}

#[test]
fn every_shape_comes_back_through_the_plan() {
    let mut shapes = 0;
    for (agent, adapter) in AGENTS {
        for (content, value) in contents() {
            for (layout, write) in layouts() {
                round_trip(&format!("{agent}, {content}, {layout}"), adapter, Some(write(&value)));
                shapes += 1;
            }
        }
        for blank in [None, Some(&b""[..]), Some(b"\n"), Some(b" \t\r\n")] {
            round_trip(agent, adapter, blank.map(<[u8]>::to_vec));
        }
    }
    // Claude Code alone reads these.
    for only in [
        &b"\xef\xbb\xbf{\r\n  \"model\": \"opus\"\r\n}\r\n"[..],
        b"{\"latin\": \"caf\xe9\"}",
        b"{\"hooks\":1,\"hooks\":{}}",
    ] {
        round_trip("claude", &hookguard_claude::ADAPTER, Some(only.to_vec()));
    }
    assert!(shapes / AGENTS.len() >= 40, "{shapes}");
}

#[test]
fn an_upgrade_is_undone_to_before_the_first_installation() {
    for (agent, adapter) in AGENTS {
        for (content, value) in contents() {
            let before = Some(format!("{value:#}\n").into_bytes());
            let mut journal = Vec::new();
            let old = carry_out(adapter, before.clone(), false, &mut journal).unwrap();
            // As an older hookguard, at another place, had written it.
            let text = String::from_utf8(old).unwrap().replace(BINARY, "/old/hookguard").replace("600", "60");
            journal[0].after = text.clone().into_bytes();
            let new = carry_out(adapter, Some(text.into_bytes()), false, &mut journal);
            assert!(states(adapter, new.clone()).iter().all(|state| *state == State::Current), "{agent}, {content}");
            assert_eq!(journal.len(), 2);
            assert_eq!(shown(&carry_out(adapter, new, true, &mut journal)), shown(&before), "{agent}, {content}");
        }
    }
}

/// What another program does to the file while ours stands in it.
#[derive(Debug, Clone)]
enum Edit {
    Nothing,
    AddHook { event: &'static str, first: bool },
    AddKey,
    Reformat,
    Touch,
}

fn edited(bytes: Vec<u8>, edit: &Edit) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&bytes).unwrap();
    match edit {
        Edit::Nothing => return bytes,
        Edit::Touch => return [bytes, b"\n".to_vec()].concat(),
        Edit::Reformat => {}
        Edit::AddKey => value["description"] = json!("somebody was here"),
        Edit::AddHook { event, first } => {
            let group = json!({"hooks": [{"type": "command", "command": "added later"}]});
            if value["hooks"][event].is_null() {
                value["hooks"][event] = json!([]);
            }
            let groups = value["hooks"][event].as_array_mut().unwrap();
            groups.insert(if *first { 0 } else { groups.len() }, group);
        }
    }
    format!("{value:#}\n").into_bytes()
}

/// The hooks of others and all other keys, in order.
fn foreign(bytes: &[u8]) -> Value {
    let mut value: Value = serde_json::from_slice(bytes).unwrap();
    let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) else { return value };
    for groups in hooks.values_mut() {
        let ours = |group: &Value| group.to_string().contains("/opt/my tools/hookguard' hook");
        groups.as_array_mut().unwrap().retain(|group| !ours(group));
    }
    hooks.retain(|_, groups| groups != &json!([]));
    if hooks.is_empty() {
        value.as_object_mut().unwrap().remove("hooks");
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_in_between(
        agent in 0..AGENTS.len(),
        content in 0..8_usize,
        layout in 0..8_usize,
        edits in prop::collection::vec(prop_oneof![
            Just(Edit::Nothing),
            Just(Edit::Touch),
            Just(Edit::Reformat),
            Just(Edit::AddKey),
            (prop::sample::select(vec!["PreToolUse", "Stop", "PreCompact"]), any::<bool>())
                .prop_map(|(event, first)| Edit::AddHook { event, first }),
        ], 0..3),
        reinstalled in any::<bool>(),
    ) {
        let adapter = AGENTS[agent].1;
        let before = layouts()[layout].1(&contents()[content].1);
        let mut journal = Vec::new();
        let mut now = carry_out(adapter, Some(before.clone()), false, &mut journal).unwrap();
        let untouched = edits.iter().all(|edit| matches!(edit, Edit::Nothing));
        for edit in &edits {
            now = edited(now, edit);
            if reinstalled {
                now = carry_out(adapter, Some(now), false, &mut journal).unwrap();
                let again = carry_out(adapter, Some(now.clone()), false, &mut journal).unwrap();
                prop_assert_eq!(&again, &now);
            }
        }
        prop_assert!(states(adapter, Some(now.clone())).iter().all(|state| *state == State::Current));
        let removed = carry_out(adapter, Some(now.clone()), true, &mut journal).unwrap();
        prop_assert!(states(adapter, Some(removed.clone())).iter().all(|state| *state == State::Missing));
        if untouched {
            prop_assert_eq!(String::from_utf8(removed).unwrap(), String::from_utf8(before).unwrap());
        } else {
            prop_assert_eq!(foreign(&removed), foreign(&now));
        }
    }
}
