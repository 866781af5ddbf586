//! Files without ours: installing adds to them, uninstalling gives their bytes back.

use proptest::prelude::*;

use super::*;
use crate::settings::json::Position;
use crate::settings::json::tests::{blanks, string, value};

/// Shapes of settings files in which nothing of ours stands.
const SHAPES: &[&str] = &[
    "{}",
    "{}\n",
    "{}\r\n",
    "{ }",
    "{\n}\n",
    "{\n\n}",
    " \n{\t}\n ",
    "{\r\n}\r\n",
    "{\r}",
    "\u{feff}{}",
    "\u{feff}{\r\n  \"model\": \"opus\"\r\n}\r\n",
    "{\"a\":1}",
    "{\"a\":1}\n",
    "{\"a\": 1, \"b\": [1, 2]}",
    "{ \"a\": 1 }",
    "{\n  \"a\": 1\n}",
    "{\n  \"a\": 1\n}\n",
    "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n",
    "{\n    \"a\": [\n        1\n    ]\n}\n",
    "{\r\n\t\"a\": 1\r\n}",
    "{\n\"a\": 1,\n\"b\": 2\n}\n",
    "{\n  \"a\": 1\n  , \"b\": 2\n}\n",
    "{\"a\":\n1}",
    "{\n  \"a\": 1,\r\n  \"b\": 2\r}\n",
    "{\"hooks\":{}}",
    "{\"hooks\":{ }}",
    "{\"hooks\":{  }}",
    "{\"hooks\":{\n}}",
    "{ \"hooks\": {} }",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n  }\n}\n",
    "{\n  \"hooks\": {\n\n  }\n}\n",
    "{\n  \"hooks\": { }\n}\n",
    "{\r\n  \"hooks\": {\r\n\r\n  }\r\n}\r\n",
    "{\"hooks\":{\"Stop\":[]}}",
    "{\"hooks\":{\"Stop\":[ ],\"PreToolUse\":[]}}",
    "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n    ],\n    \"Other\": []\n  }\n}\n",
    "{\n  \"hooks\": {\"Stop\": []}\n}\n",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[]}]}}",
    "{\"hooks\":{\"Stop\":[{\"matcher\":\"\",\"hooks\":[]}]}}",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"say done\"}]}]}}",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"say done\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"x\" } ] } ]\n  }\n}\n",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"prompt\",\"prompt\":\"hookguard hook claude Stop\"}]}]}}",
    "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"head -c 40 | /x/hookguard hook claude PreToolUse\"}]}]}}",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"hookguard hook codex Stop\"}]}]}}",
    "{\"ho\\u006fks\":{\"St\\u006fp\":[]}}",
    "{\"hooks\":1,\"hooks\":{}}",
    "{\"hooks\":{\"Stop\":[]},\"hooks\":{\"Stop\":[],\"Stop\":[]}}",
    "{\"nested\":{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"hookguard hook claude Stop\"}]}]}}}",
    "{\"nested\":{\"hooks\":[1,2]},\"list\":[{\"hooks\":\"x\"}]}",
    "{\"ünï\":\"日本語 😀 \\ud83d\\ude00 \\ud800\",\"n\":[1e400,-0.0,123456789012345678901234567890]}",
    "{\"\":\"\",\"a\\\"b\\\\\":\"\\/\\b\\f\"}",
    "{\"permissions\":{\"allow\":[\"Bash(ls:*)\"]},\"env\":{\"A\":\"{}[],:\\\"\"}}",
    "{\"description\":\"mine\",\"hooks\":{\"Other\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\",\"timeout\":1.5}]}]}}",
];

fn round_trip(original: &[u8], wanted: &[HookEntry]) -> Result<(), TestCaseError> {
    let edited = apply(original, wanted, &is_ours).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let show = || format!("{}\n=>\n{}", text(original), text(&edited.bytes));
    prop_assert!(edited.changed);
    prop_assert_eq!(edited.back, WayBack::Remove, "{}", show());

    let again = apply(&edited.bytes, wanted, &is_ours).unwrap();
    prop_assert!(!again.changed && again.bytes == edited.bytes, "{}", show());

    let removed = remove(&edited.bytes, &is_ours).unwrap();
    prop_assert_eq!(text(&removed.bytes), text(original), "{}", show());
    prop_assert!(removed.bytes == original && removed.changed);
    prop_assert!(!remove(&removed.bytes, &is_ours).unwrap().changed);

    // Theirs where they were, ours last and as wanted.
    let (before, after) = (inspect(original, &is_ours).unwrap(), inspect(&edited.bytes, &is_ours).unwrap());
    let places = |found: &[FoundEntry]| -> Vec<FoundEntry> {
        found.iter().map(|entry| FoundEntry { position: Position { line: 1, column: 1 }, ..entry.clone() }).collect()
    };
    prop_assert_eq!(places(&before.foreign), places(&after.foreign));
    prop_assert_eq!(after.own.len(), wanted.len());
    let document = Document::parse(&edited.bytes).unwrap();
    for entry in wanted {
        let own = after.own.iter().find(|own| own.event == entry.event).unwrap();
        let groups = document.find(&["hooks".into(), entry.event.as_str().into()]).unwrap();
        prop_assert_eq!(own.group + 1, groups.children().count());
        prop_assert_eq!((own.hook, own.timeout, &own.extra), (0, Some(entry.timeout), &entry.extra));
        prop_assert_eq!(own.command.as_deref(), Some(entry.command.as_str()));
    }
    Ok(())
}

#[test]
fn every_shape_comes_back() {
    assert!(SHAPES.len() >= 40);
    for shape in SHAPES {
        round_trip(shape.as_bytes(), &wanted()).unwrap();
        round_trip(shape.as_bytes(), &stop()).unwrap();
    }
    round_trip(b"{\"latin\": \"caf\xe9\"}", &wanted()).unwrap();
}

#[test]
fn an_insertion_touches_no_other_byte() {
    for shape in SHAPES {
        let edited = apply(shape.as_bytes(), &stop(), &is_ours).unwrap().bytes;
        let original = shape.as_bytes();
        let head = original.iter().zip(&edited).take_while(|(a, b)| a == b).count();
        let tail = original.iter().rev().zip(edited.iter().rev()).take_while(|(a, b)| a == b).count();
        // One piece went in; all of the original stands before or behind it.
        assert!(head + tail >= original.len(), "{shape:?}");
    }
}

#[test]
fn the_look_of_what_is_added() {
    let entry = r#"{"type": "command", "command": "/hookguard hook claude Stop", "timeout": 600}"#;
    for (before, after) in [
        ("{\"a\": 1}", format!(r#"{{"a": 1, "hooks": {{"Stop": [{{"hooks": [{entry}]}}]}}}}"#)),
        (
            "{\n  \"hooks\": {\"Stop\": [{\"hooks\": []}], \"x\": []}\n}",
            format!("{{\n  \"hooks\": {{\"Stop\": [{{\"hooks\": []}}, {{\"hooks\": [{entry}]}}], \"x\": []}}\n}}"),
        ),
        (
            "{\r\n\t\"a\": 1\r\n}",
            "{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\
             \t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"/hookguard hook claude Stop\",\r\n\
             \t\t\t\t\t\t\"timeout\": 600\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}"
                .to_owned(),
        ),
    ] {
        assert_eq!(text(&apply(before.as_bytes(), &stop(), &is_ours).unwrap().bytes), after);
    }
}

#[test]
fn no_file_and_an_empty_one_need_the_journal() {
    for (original, begins) in [
        (&b""[..], &b"{\n  \"hooks\""[..]),
        (b" \n", b"{\n  \"hooks\""),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf{\n  \"hooks\""),
    ] {
        let edited = apply(original, &wanted(), &is_ours).unwrap();
        assert!(edited.bytes.starts_with(begins) && edited.bytes.ends_with(b"}\n"));
        assert_eq!((edited.changed, edited.back), (true, WayBack::Journal));
        assert!(!apply(&edited.bytes, &wanted(), &is_ours).unwrap().changed);
        let removed = remove(&edited.bytes, &is_ours).unwrap();
        assert!(removed.bare && removed.changed);
        assert!(!remove(original, &is_ours).unwrap().changed);
    }
    assert!(!remove(b"{\"hooks\": {}}", &is_ours).unwrap().bare);
}

#[test]
fn a_megabyte() {
    let rows: Vec<String> =
        (0..20_000).map(|row| format!("    {{\"id\": {row}, \"text\": \"row {row} é\", \"tags\": []}}")).collect();
    let original = format!("{{\n  \"rows\": [\n{}\n  ],\n  \"hooks\": {{}}\n}}\n", rows.join(",\n"));
    assert!(original.len() > 1_000_000);
    round_trip(original.as_bytes(), &wanted()).unwrap();
}

/// Commands of others, some of which look like ours.
const THEIRS: &[&str] = &["say done", "hookguard check", "hookguard hook codex Stop", "x | hookguard hook claude Stop"];

/// Commands of others and of ours, right and stale ones.
const MIXED: &[&str] = &[
    "say done",
    "/hookguard hook claude Stop",
    "'/opt/my tools/hookguard' hook claude Stop",
    "'/opt/my tools/hookguard' hook claude PreToolUse",
    "hookguard hook claude Other",
];

/// A hooks object with groups of such commands, and everything else that may stand in a file, in any white space.
fn settings(commands: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let list = |parts: Vec<String>, blank: String| match parts.is_empty() {
        true => blank,
        false => parts.join(","),
    };
    let pad = |text: BoxedStrategy<String>| {
        (blanks(), text, blanks()).prop_map(|(a, text, b)| format!("{a}{text}{b}")).boxed()
    };
    let member = move |key: BoxedStrategy<String>, value: BoxedStrategy<String>| {
        let pair = (key, blanks(), blanks(), value).prop_map(|(key, a, b, value)| format!("{key}{a}:{b}{value}"));
        pad(pair.boxed())
    };
    let key = |keys: &[&'static str]| prop::sample::select(keys.to_vec()).prop_map(|key| format!("\"{key}\"")).boxed();
    let command = key(commands);
    let hook = (
        member(key(&["command", "comm\\u0061nd"]), command),
        prop::option::of(member(key(&["timeout", "x"]), value().boxed())),
    )
        .prop_map(|(command, other)| {
            format!("{{{}}}", [Some(command), other].into_iter().flatten().collect::<Vec<_>>().join(","))
        });
    let hooks =
        (prop::collection::vec(pad(hook.boxed()), 0..3), blanks()).prop_map(move |(p, b)| format!("[{}]", list(p, b)));
    let group = (member(key(&["hooks"]), hooks.boxed()), prop::option::of(member(key(&["matcher"]), string().boxed())))
        .prop_map(|(hooks, matcher)| {
            format!("{{{}}}", [matcher, Some(hooks)].into_iter().flatten().collect::<Vec<_>>().join(","))
        });
    let event =
        (prop::collection::vec(pad(group.boxed()), 0..3), blanks()).prop_map(move |(p, b)| format!("[{}]", list(p, b)));
    let events =
        prop::collection::vec(member(key(&["Stop", "PreToolUse", "Other", "St\\u006fp"]), event.boxed()), 0..4);
    let hooks = (events, blanks()).prop_map(move |(p, b)| format!("{{{}}}", list(p, b)));
    let top = prop_oneof![
        2 => member(key(&["hooks", "ho\\u006fks"]), hooks.boxed()),
        1 => member(key(&["a", "Stop", "matcher"]), value().boxed()),
    ];
    let bom = prop::sample::select(vec!["", "", "\u{feff}"]);
    (bom, blanks(), prop::collection::vec(top, 0..4), blanks(), blanks())
        .prop_map(move |(bom, before, parts, inside, after)| format!("{bom}{before}{{{}}}{after}", list(parts, inside)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_settings_come_back(original in settings(THEIRS)) {
        round_trip(original.as_bytes(), &wanted())?;
    }

    #[test]
    fn ours_among_theirs(original in settings(MIXED)) {
        let before = inspect(original.as_bytes(), &is_ours).unwrap();
        let edited = apply(original.as_bytes(), &wanted(), &is_ours).unwrap();
        let after = inspect(&edited.bytes, &is_ours).unwrap();
        let removed = remove(&edited.bytes, &is_ours).unwrap();
        let without = inspect(&removed.bytes, &is_ours).unwrap();
        let show = || format!("{original}\n=>\n{}\n=>\n{}", text(&edited.bytes), text(&removed.bytes));
        // Groups of ours may go, so that theirs move up; their order and their content stay.
        let content = |found: &Found| -> Vec<_> {
            let entry = |entry: &FoundEntry| (entry.event.clone(), entry.matcher.clone(), entry.command.clone(), entry.timeout, entry.extra.clone());
            found.foreign.iter().map(entry).collect()
        };
        prop_assert_eq!(content(&before), content(&after), "{}", show());
        prop_assert_eq!(content(&before), content(&without), "{}", show());
        prop_assert!(without.own.is_empty(), "{}", show());
        let own: std::collections::BTreeSet<_> = after.own.iter().map(|own| (own.event.clone(), own.command.clone().unwrap())).collect();
        let wished: std::collections::BTreeSet<_> = wanted().into_iter().map(|entry| (entry.event, entry.command)).collect();
        prop_assert_eq!((&own, after.own.len()), (&wished, 2), "{}", show());
        prop_assert!(!apply(&edited.bytes, &wanted(), &is_ours).unwrap().changed, "{}", show());
    }

    #[test]
    fn no_bytes_make_it_fall_over(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(edited) = apply(&bytes, &wanted(), &is_ours) {
            prop_assert_eq!(inspect(&edited.bytes, &is_ours).unwrap().own.len(), 2);
        }
    }
}
