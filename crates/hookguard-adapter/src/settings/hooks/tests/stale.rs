//! Files in which entries of ours stand already.

use super::*;

/// Named; before; after [`apply`] of [`stop`]; after [`remove`] of what was there before.
const STALE: &[(&str, &str, &str, &str)] = &[
    (
        "right already",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{}"#,
    ),
    (
        "right in another order, in a group with others, first",
        r#"{"hooks":{"Stop":[{"matcher":"*","hooks":[{"timeout":600,"command":"/hookguard hook claude Stop","type":"command"},{"type":"command","command":"x"}]},{"hooks":[]}]}}"#,
        r#"{"hooks":{"Stop":[{"matcher":"*","hooks":[{"timeout":600,"command":"/hookguard hook claude Stop","type":"command"},{"type":"command","command":"x"}]},{"hooks":[]}]}}"#,
        r#"{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"x"}]},{"hooks":[]}]}}"#,
    ),
    (
        "an old path and time-out, in place",
        r#"{"hooks":{"Stop":[{"hooks":[ {"command":"/old/hookguard hook claude Stop"} ]},{"hooks":[{"type":"command","command":"x"}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[ {"type":"command","command":"/hookguard hook claude Stop","timeout":600} ]},{"hooks":[{"type":"command","command":"x"}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}"#,
    ),
    (
        "a member that takes the guard away",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600,"async":true}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{}"#,
    ),
    (
        "a matcher of our own that is not wanted",
        r#"{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{}"#,
    ),
    (
        "their matcher on a shared group",
        r#"{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600},{"type":"command","command":"x"}]}]}}"#,
        r#"{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]},{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}]}}"#,
    ),
    (
        "doubled: the right one stays",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/hookguard hook claude Stop","timeout":600}]},{"hooks":[{"type":"command","command":"x"},{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]},{"hooks":[{"type":"command","command":"hookguard hook claude Stop"}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"},{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}"#,
    ),
    (
        "doubled in one group",
        r#"{"hooks":{"Stop":[{"hooks":[{"command":"/hookguard hook claude Stop"},{"command":"/hookguard hook claude Stop"}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{}"#,
    ),
    (
        "an event that is no longer wanted",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}],"Gone":[{"hooks":[{"type":"command","command":"/hookguard hook claude Gone"}]}]},"z":1}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]},"z":1}"#,
        r#"{"z":1}"#,
    ),
    (
        "somebody wrote into our group",
        r#"{"hooks":{"Stop":[{"note":"mine","hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"note":"mine","hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"note":"mine","hooks":[]}]}}"#,
    ),
    (
        "another agent's, and look-alikes",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook codex Stop"},{"type":"command","command":"echo hookguard hook claude Stop"}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook codex Stop"},{"type":"command","command":"echo hookguard hook claude Stop"}]},{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook codex Stop"},{"type":"command","command":"echo hookguard hook claude Stop"}]}]}}"#,
    ),
    (
        "doubled keys: the last counts, and stays to hide the first",
        r#"{"hooks":{"Old":[]},"hooks":{"Stop":[],"Stop":[{"hooks":[{"type":"command","command":"/x/hookguard hook claude Stop"}]}]}}"#,
        r#"{"hooks":{"Old":[]},"hooks":{"Stop":[],"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{"hooks":{"Old":[]},"hooks":{"Stop":[],"Stop":[]}}"#,
    ),
    (
        "a time-out in words, a command in escapes",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\/hookguard hook claude \u0053top","timeout":6e2}]}]}}"#,
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/hookguard hook claude Stop","timeout":600}]}]}}"#,
        r#"{}"#,
    ),
    (
        "reformatted with spaces on one line",
        r#"{ "hooks": { "Stop": [ { "hooks": [ { "command": "hookguard hook claude Stop" } ] } ] }, "a": 1 }"#,
        r#"{ "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "/hookguard hook claude Stop", "timeout": 600 } ] } ] }, "a": 1 }"#,
        r#"{ "a": 1 }"#,
    ),
    (
        "reformatted by the agent",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"command\": \"hookguard hook claude Stop\"\n          }\n        ]\n      }\n    ]\n  }\n}\n",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/hookguard hook claude Stop\",\n            \"timeout\": 600\n          }\n        ]\n      }\n    ]\n  }\n}\n",
        "{}\n",
    ),
];

#[test]
fn ours_are_brought_to_what_is_wanted() {
    for (name, before, after, without) in STALE {
        let edited = apply(before.as_bytes(), &stop(), &is_ours).unwrap();
        assert_eq!(text(&edited.bytes), *after, "{name}");
        assert_eq!(edited.changed, before != after, "{name}");
        let again = apply(&edited.bytes, &stop(), &is_ours).unwrap();
        assert!(!again.changed, "{name}");
        assert_eq!(text(&remove(before.as_bytes(), &is_ours).unwrap().bytes), *without, "{name}");
        let found = inspect(&edited.bytes, &is_ours).unwrap();
        assert_eq!((found.own.len(), found.doubled().len()), (1, 0), "{name}");
    }
}

#[test]
fn nothing_wanted_is_all_removed() {
    for (name, before, _, without) in STALE {
        let edited = apply(before.as_bytes(), &[], &is_ours).unwrap();
        assert_eq!(text(&edited.bytes), *without, "{name}");
    }
}

#[test]
fn several_entries_for_one_event() {
    let entry = |matcher: &str| HookEntry { matcher: Some(matcher.to_owned()), ..stop()[0].clone() };
    let wanted = [entry("Bash"), entry("Edit")];
    let edited = apply(b"{\"a\":1}", &wanted, &is_ours).unwrap();
    let found = inspect(&edited.bytes, &is_ours).unwrap();
    assert_eq!((found.own.len(), found.doubled().len()), (2, 0));
    assert!(!apply(&edited.bytes, &wanted, &is_ours).unwrap().changed);
    // The second's matcher changes: the first stays where it is, the second is edited where it is.
    let changed = apply(&edited.bytes, &[entry("Write"), entry("Bash")], &is_ours).unwrap();
    assert_eq!(text(&changed.bytes), text(&edited.bytes).replace("Edit", "Write"));
    // From no matcher to one.
    let plain = apply(b"{\"a\":1}", &stop(), &is_ours).unwrap();
    let matched = apply(&plain.bytes, &[entry("Bash")], &is_ours).unwrap();
    assert_eq!(inspect(&matched.bytes, &is_ours).unwrap().own[0].matcher.as_deref(), Some("Bash"));
    assert_eq!(remove(&matched.bytes, &is_ours).unwrap().bytes, b"{\"a\":1}");
}
