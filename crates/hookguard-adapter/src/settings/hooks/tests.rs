//! Installing and uninstalling over many shapes of settings files.

mod faults;
mod round_trip;
mod stale;

use super::*;
use crate::settings::command::own_command;

fn is_ours(command: &str) -> bool {
    own_command(command).is_some_and(|own| own.agent == "claude")
}

fn wanted() -> Vec<HookEntry> {
    vec![
        HookEntry::new("PreToolUse", "'/opt/my tools/hookguard' hook claude PreToolUse", 10).with("onFailure", "block"),
        HookEntry::new("Stop", "'/opt/my tools/hookguard' hook claude Stop", 600),
    ]
}

/// Only one entry, for tests that compare whole files.
fn stop() -> Vec<HookEntry> {
    vec![HookEntry::new("Stop", "/hookguard hook claude Stop", 600)]
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn inspect_tells_ours_from_theirs() {
    let file = br#"{
      "model": "opus", "disableAllHooks": true,
      "hooks": {
        "Notification": [{"hooks": [{"type": "http", "url": "http://localhost"}]}],
        "Stop": [],
        "PreToolUse": [
          {"matcher": "Bash", "hooks": [
            {"type": "command", "command": "echo hookguard hook claude PreToolUse"},
            {"timeout": 10, "type": "command", "onFailure": "block", "big": 1e400, "command": "/a/hookguard hook claude PreToolUse"}
          ]},
          {"matcher": "*", "hooks": [{"type": "command", "command": "/b/hookguard hook claude PreToolUse"}]},
          {"hooks": [{"type": "command", "command": "hookguard hook claude PreToolUse"}]},
          {"hooks": [{"type": "command", "command": "hookguard hook codex PreToolUse"}]}
        ]
      }
    }"#;
    let found = inspect(file, &is_ours).unwrap();
    assert!(found.disable_all_hooks);
    assert!(!found.bom);
    assert_eq!(found.top_level, ["model", "disableAllHooks", "hooks"]);
    let places =
        |entries: &[FoundEntry]| entries.iter().map(|e| (e.event.clone(), e.group, e.hook)).collect::<Vec<_>>();
    let pre = || "PreToolUse".to_owned();
    assert_eq!(places(&found.own), [(pre(), 0, 1), (pre(), 1, 0), (pre(), 2, 0)]);
    assert_eq!(places(&found.foreign), [("Notification".to_owned(), 0, 0), (pre(), 0, 0), (pre(), 3, 0)]);
    let first = &found.own[0];
    assert_eq!(
        (first.matcher.as_deref(), first.timeout, first.kind.as_deref()),
        (Some("Bash"), Some(10), Some("command"))
    );
    assert_eq!(first.extra, [("onFailure".to_owned(), "block".into()), ("big".to_owned(), "1e400".into())]);
    assert_eq!(first.position.to_string(), "9:13");
    let doubled: Vec<_> = found.doubled().iter().map(|entry| entry.command.clone().unwrap()).collect();
    assert_eq!(doubled, ["hookguard hook claude PreToolUse"]);
    assert_eq!(found.foreign[0].command, None);
}

#[test]
fn inspect_of_nothing_finds_nothing() {
    assert_eq!(inspect(b"", &is_ours).unwrap(), Found::default());
    assert_eq!(inspect(b"\xef\xbb\xbf", &is_ours).unwrap(), Found { bom: true, ..Found::default() });
    let found = inspect(b"\xef\xbb\xbf{\"disableAllHooks\": \"true\"}", &is_ours).unwrap();
    assert!(found.bom && !found.disable_all_hooks);
}
