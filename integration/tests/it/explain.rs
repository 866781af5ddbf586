//! `explain`: the whole reading; and that nothing which is printed can command a terminal.

use hookguard_integration::{Finished, Sandbox};
use serde_json::Value;

const PLACE: [&str; 4] = ["--project-root", "/home/dev/acme", "--home", "/home/dev"];

fn run(sandbox: &Sandbox, args: &[&str]) -> Finished {
    sandbox.hookguard(args).unwrap().args(PLACE).run().unwrap()
}

/// Each with what it shows.
const COMMANDS: [(&str, &str); 6] = [
    ("chain", r#"bash -c 'find . -name "*.tmp" | xargs rm -rf'"#),
    ("operands", "cat .env > /tmp/copy && rm -rf dist ~/old \"$WHERE\"/x"),
    ("asked", "sudo ls"),
    ("places", "ssh web-1 'cd /srv; ls' ; docker exec db psql -c 'select 1'; python3 -c 'print(1)'; eval \"$X\""),
    ("unreadable", "echo 'never closed"),
    ("harmless", "cargo test --workspace"),
];

#[test]
fn the_whole_reading_is_drawn() {
    let sandbox = Sandbox::new().unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, command) in COMMANDS {
            insta::assert_snapshot!(format!("explain-{name}"), run(&sandbox, &["explain", command]).stdout);
        }
        insta::assert_snapshot!("explain-json", run(&sandbox, &["explain", "--json", COMMANDS[1].1]).stdout);
    });
}

#[test]
fn a_level_says_where_it_was_set() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.write("other.toml", "version = 1\n[rules]\n\"git.push.force\" = \"ask\"\n").unwrap();
    let explain = |args: &[&str]| {
        let all = ["explain", "git push --force origin main"].iter().chain(args);
        sandbox.hookguard(all).unwrap().run().unwrap().stdout
    };
    let own = explain(&[]);
    assert!(own.contains("level: deny (built in)"), "{own}");
    let changed = explain(&["--config", file.to_str().unwrap()]);
    assert!(changed.contains(&format!("level: ask ({}:3:", file.display())), "{changed}");
    assert!(changed.contains("`hookguard allow CODE`"), "{changed}");
    let json: Value = serde_json::from_str(&explain(&["--json", "--config", file.to_str().unwrap()])).unwrap();
    assert!(json["findings"][0]["origin"].as_str().unwrap().ends_with("other.toml:3:1"), "{json:#}");
}

/// Escapes, a bell, a C1 code, a letter that turns the line around: in each place that a command's text can come to.
#[test]
fn what_a_terminal_would_obey_is_shown_and_not_done() {
    const ODD: &str = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{200b}\r";
    let odd = |text: &str| {
        text.chars().find(|char| (char.is_control() && *char != '\n') || "\u{202e}\u{200b}".contains(*char))
    };
    let sandbox = Sandbox::new().unwrap();
    let command = format!("git push --force 'o{ODD}x' > '/srv/{ODD}'; sudo {ODD}; 'f{ODD}' | \"{ODD}\" sh");
    for args in [
        &["check", &command][..],
        &["check", "--json", &command],
        &["explain", &command],
        &["explain", "--json", &command],
    ] {
        let done = run(&sandbox, args);
        assert!(matches!(done.code(), Some(1 | 3)), "{done:?}");
        assert_eq!(odd(&done.stdout), None, "{args:?} {:?}", done.stdout);
        assert!(done.stdout.contains("\\x1b[2J") || done.stdout.contains("\\u001b[2J"), "{}", done.stdout);
    }
    let payload = serde_json::json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": ODD});
    sandbox.hook("codex", "PreToolUse", payload.to_string()).unwrap();
    let log = sandbox.hookguard(["log"]).unwrap().run().unwrap().success().unwrap();
    assert!(odd(&log).is_none() && log.contains("\\x1b[2J"), "{log:?}");
}

#[test]
fn a_batch_with_odd_bytes_is_judged_as_it_would_arrive() {
    let sandbox = Sandbox::new().unwrap();
    let lines = [
        b"{\"id\":1,\"cmd\":\"git push --force \xff\xfe\"}\n".to_vec(),
        b"{\"id\":2,\"cmd\":\"ls \\ud800\"}\r\n".to_vec(),
        b"\xef\xbb\xbf{\"id\":3,\"cmd\":\"ls\"}".to_vec(),
    ];
    let batch = sandbox.hookguard(["check", "--batch"]).unwrap().args(PLACE);
    let printed = batch.stdin(lines.concat()).run().unwrap().success().unwrap();
    let decisions: Vec<String> = printed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["decision"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(decisions, ["deny", "allow", "allow"]);
    let broken = sandbox.hookguard(["check", "--batch"]).unwrap().args(PLACE).stdin(b"\xff\xff\n".to_vec());
    assert_eq!(broken.run().unwrap().code(), Some(2));
}
