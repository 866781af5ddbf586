//! The decision log: whole lines from many writers, private, redacted.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use hookguard_integration::Sandbox;

fn call(id: &str, command: &str) -> String {
    let command = serde_json::to_string(command).unwrap();
    format!(
        r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":{command}}},"tool_use_id":"{id}"}}"#
    )
}

#[test]
fn ten_writers_of_two_hundred_lines_lose_and_tear_none() {
    const WRITERS: usize = 10;
    const LINES: usize = 200;
    let sandbox = Sandbox::new().unwrap();
    // Long enough that a torn write would show.
    let long = format!("echo {}", "x".repeat(1500));
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (sandbox, long) = (&sandbox, &long);
            scope.spawn(move || {
                for line in 0..LINES {
                    let done = sandbox.hook("claude", "PreToolUse", call(&format!("{writer}-{line}"), long)).unwrap();
                    assert_eq!(done.code(), Some(0));
                }
            });
        }
    });
    let log = sandbox.decisions().unwrap();
    let calls: std::collections::BTreeSet<_> =
        log.iter().map(|line| line["call"].as_str().unwrap().to_owned()).collect();
    assert_eq!((log.len(), calls.len()), (WRITERS * LINES, WRITERS * LINES));
}

#[test]
fn it_is_private_and_follows_no_link() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.hook("claude", "PreToolUse", call("1", "ls")).unwrap();
    let folder = sandbox.state().join("log");
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    for folder in [&folder, &sandbox.state()] {
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
    }
    let target = sandbox.write("target", "untouched").unwrap();
    std::fs::remove_file(&file).unwrap();
    symlink(&target, &file).unwrap();
    assert_eq!(sandbox.hook("claude", "PreToolUse", call("2", "ls")).unwrap().code(), Some(0));
    assert_eq!(std::fs::read_to_string(target).unwrap(), "untouched");
}

#[test]
fn secrets_and_long_commands_are_cut() {
    let sandbox = Sandbox::new().unwrap();
    let token = format!("ghp_{}", "aZ9".repeat(12));
    sandbox.hook("codex", "PreToolUse", call("1", &format!("curl -H 'Authorization: Bearer {token}' x"))).unwrap();
    sandbox.hook("codex", "PreToolUse", call("2", &"echo é ".repeat(5_000))).unwrap();
    let log = sandbox.decisions().unwrap();
    let subject = log[0]["subject"].as_str().unwrap();
    assert!(!subject.contains(&token[8..]) && subject.contains("***"), "{subject}");
    assert_eq!(log[0]["redacted"], 1);
    assert!(log[1]["subject"].as_str().unwrap().len() <= 2048);
}

#[test]
fn a_notification_by_argument_is_logged_and_never_answered() {
    const NOTIFY: &str = include_str!("../../../adapters/codex/fixtures/notify.json");
    let sandbox = Sandbox::new().unwrap();
    // Standard input stays open: nothing of it is to be read.
    let hook = sandbox.hookguard(["hook", "codex", "notify", NOTIFY]).unwrap().stdin_held_open("");
    let done = hook.run().unwrap();
    assert_eq!((done.code(), done.stdout.as_str()), (Some(0), ""));
    assert!(done.elapsed.as_millis() < 2_000, "{:?}", done.elapsed);
    let log = sandbox.decisions().unwrap();
    assert_eq!(
        (&log[0]["event"], &log[0]["session"]),
        (&"notify".into(), &"00000000-0000-4000-8000-000000000001".into())
    );
}
