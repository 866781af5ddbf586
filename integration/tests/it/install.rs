//! `install`, `uninstall` and `status` over settings files of many shapes, for every agent.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use hookguard_integration::{Finished, Sandbox};
use serde_json::Value;

const AGENTS: [&str; 2] = ["claude", "codex"];

fn settings(sandbox: &Sandbox, agent: &str) -> PathBuf {
    match agent {
        "claude" => sandbox.claude_home().join("settings.json"),
        _ => sandbox.codex_home().join("hooks.json"),
    }
}

fn run(sandbox: &Sandbox, verb: &str, agent: &str, more: &[&str]) -> Finished {
    sandbox.hookguard([verb, "--agent", agent]).unwrap().args(more).run().unwrap()
}

/// Files as people have them: whose hooks are in them, and how they are written.
const SHAPES: &[(&str, &str)] = &[
    ("empty object", "{}"),
    ("empty object and newline", "{}\n"),
    ("empty hooks", "{\n  \"hooks\": {}\n}\n"),
    ("tabs and CRLF", "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": []\r\n\t}\r\n}\r\n"),
    (
        "foreign hooks, four spaces, no final newline",
        "{\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\n                \"matcher\": \"Bash\",\n                \"hooks\": [\n                    { \"type\": \"command\", \"command\": \"~/bin/mine.sh\", \"timeout\": 5 }\n                ]\n            }\n        ]\n    }\n}",
    ),
    (
        "one line, foreign hooks around",
        r#"{"description":"d","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say 'hookguard hook claude Stop'"}]}],"SessionEnd":[]}}"#,
    ),
    ("escapes and unicode", "{ \"description\": \"\\u00e9 日本 \\ud83d\\ude00\",\n  \"ho\\u006fks\" : { } }\n"),
];

#[test]
fn uninstall_gives_back_every_byte() {
    for agent in AGENTS {
        for (name, before) in SHAPES {
            let sandbox = Sandbox::new().unwrap();
            let file = settings(&sandbox, agent);
            fs::write(&file, before).unwrap();
            assert_eq!(run(&sandbox, "install", agent, &[]).code(), Some(0), "{agent}, {name}");
            let installed = fs::read(&file).unwrap();
            assert_ne!(installed, before.as_bytes(), "{agent}, {name}");
            let read: Value = serde_json::from_slice(&installed).unwrap();
            assert!(read["hooks"]["PreToolUse"].as_array().is_some_and(|groups| !groups.is_empty()), "{agent}, {name}");

            run(&sandbox, "install", agent, &[]);
            assert_eq!(fs::read(&file).unwrap(), installed, "installed twice is installed once: {agent}, {name}");

            assert_eq!(run(&sandbox, "uninstall", agent, &[]).code(), Some(0), "{agent}, {name}");
            assert_eq!(fs::read_to_string(&file).unwrap(), *before, "{agent}, {name}");
        }
    }
}

#[test]
fn without_its_journal_uninstall_takes_out_just_its_own() {
    for agent in AGENTS {
        for (name, before) in SHAPES {
            let sandbox = Sandbox::new().unwrap();
            let file = settings(&sandbox, agent);
            fs::write(&file, before).unwrap();
            run(&sandbox, "install", agent, &[]);
            fs::remove_dir_all(sandbox.state()).unwrap();
            run(&sandbox, "uninstall", agent, &[]);
            assert_eq!(fs::read_to_string(&file).unwrap(), *before, "{agent}, {name}");
        }
    }
}

#[test]
fn what_another_program_writes_in_between_stays() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        let file = settings(&sandbox, agent);
        fs::write(&file, "{\n  \"hooks\": {}\n}\n").unwrap();
        run(&sandbox, "install", agent, &[]);
        let theirs = fs::read_to_string(&file).unwrap().replacen(
            "\"Stop\": [",
            "\"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]},",
            1,
        );
        fs::write(&file, &theirs).unwrap();
        run(&sandbox, "uninstall", agent, &[]);
        let left: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(left["hooks"]["Stop"][0]["hooks"][0]["command"], "theirs", "{agent}: {left}");
        assert!(!left.to_string().contains("hookguard"), "{agent}: {left}");
    }
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        run(&sandbox, "install", agent, &[]);
        assert!(settings(&sandbox, agent).is_file(), "{agent}");
        run(&sandbox, "uninstall", agent, &[]);
        assert!(!settings(&sandbox, agent).exists(), "{agent}");
        assert!(run(&sandbox, "uninstall", agent, &[]).stderr.contains("nothing changed"), "{agent}");
    }
}

#[test]
fn what_the_agent_would_not_read_is_left_alone_with_the_position() {
    let broken = [
        ("a comment", "{\n  // mine\n  \"hooks\": {}\n}", "2:3"),
        ("a trailing comma", "{\n  \"hooks\": {},\n}", "2:14"),
        ("cut off", "{\n  \"hooks\": {", "2:13"),
        ("another shape", "{\"hooks\": []}", "1:11"),
    ];
    for agent in AGENTS {
        for (name, text, position) in broken {
            let sandbox = Sandbox::new().unwrap();
            let file = settings(&sandbox, agent);
            fs::write(&file, text).unwrap();
            for verb in ["install", "uninstall"] {
                let done = run(&sandbox, verb, agent, &[]);
                assert_eq!(done.code(), Some(2), "{agent}, {name}: {done:?}");
                assert!(done.stderr.contains(position), "{agent}, {name}: {}", done.stderr);
                assert_eq!(fs::read_to_string(&file).unwrap(), text, "{agent}, {name}");
            }
        }
    }
    // Codex ignores the whole file for these, and what is in it would never run.
    for text in ["\u{feff}{}", "{\"model\": \"x\"}"] {
        let sandbox = Sandbox::new().unwrap();
        let file = settings(&sandbox, "codex");
        fs::write(&file, text).unwrap();
        assert_eq!(run(&sandbox, "install", "codex", &[]).code(), Some(2), "{text}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        let shown = run(&sandbox, "install", agent, &["--dry-run"]);
        assert_eq!(shown.code(), Some(0));
        assert!(shown.stdout.starts_with("--- /dev/null\n+++ "), "{}", shown.stdout);
        assert!(shown.stdout.contains(&format!("hook {agent} PreToolUse")), "{}", shown.stdout);
        assert!(!settings(&sandbox, agent).exists());
        assert!(!sandbox.state().exists());
    }
}

#[test]
fn links_and_modes_stay() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        let real = sandbox.write("dotfiles/settings.json", "{}\n").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, settings(&sandbox, agent)).unwrap();
        run(&sandbox, "install", agent, &[]);
        assert!(fs::symlink_metadata(settings(&sandbox, agent)).unwrap().is_symlink(), "{agent}");
        assert!(fs::read_to_string(&real).unwrap().contains("hookguard"), "{agent}");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640, "{agent}");
        run(&sandbox, "uninstall", agent, &[]);
        assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n", "{agent}");
    }
}

#[test]
fn status_tells_what_stands_there() {
    let sandbox = Sandbox::new().unwrap();
    let status = |agent: &str| -> Value {
        let text = sandbox.hookguard(["status", "--json"]).unwrap().run().unwrap().success().unwrap();
        let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
        rows.into_iter().find(|row| row["agent"] == agent).unwrap()
    };
    let notes = |agent: &str| status(agent)["notes"].to_string();
    for agent in AGENTS {
        assert_eq!(status(agent)["state"], "not_installed");
        run(&sandbox, "install", agent, &[]);
        assert_eq!(status(agent)["state"], "installed", "{}", status(agent));
    }
    const UNTRUSTED: &str = "installed but not trusted: nothing runs until you review it in /hooks";
    assert!(notes("codex").contains(UNTRUSTED), "{}", notes("codex"));
    assert!(run(&sandbox, "install", "codex", &[]).stderr.contains(UNTRUSTED));
    assert!(run(&sandbox, "install", "claude", &[]).code() == Some(0));

    let file = settings(&sandbox, "claude");
    let text = fs::read_to_string(&file).unwrap();
    let set = |text: String| fs::write(&file, text).unwrap();
    set(text.replacen("hook claude Stop", "hook claude PostToolUse", 1));
    assert_eq!(status("claude")["state"], "incomplete");
    set(text.replacen("\"timeout\": 600", "\"timeout\": 6", 1));
    assert!(notes("claude").contains("otherwise than now"), "{}", notes("claude"));
    set(text.replacen('{', "{ \"disableAllHooks\": true,", 1));
    assert!(notes("claude").contains("no hook runs"), "{}", notes("claude"));
    set(format!("{text},"));
    assert_eq!(status("claude")["state"], "unreadable");
}

#[test]
fn claude_is_told_to_block_when_the_hook_fails_and_the_user_how_to_recover() {
    let sandbox = Sandbox::new().unwrap();
    assert!(run(&sandbox, "install", "claude", &[]).stderr.contains("To recover"));
    let read: Value = serde_json::from_slice(&fs::read(settings(&sandbox, "claude")).unwrap()).unwrap();
    let hooks = read["hooks"].as_object().unwrap();
    assert_eq!(hooks["PreToolUse"][0]["hooks"][0]["onFailure"], "block");
    let blocking = hooks.values().filter(|groups| groups.to_string().contains("onFailure")).count();
    assert_eq!(blocking, 1, "only what runs before a tool may block");
    run(&sandbox, "install", "codex", &[]);
    assert!(!fs::read_to_string(settings(&sandbox, "codex")).unwrap().contains("onFailure"));
}
