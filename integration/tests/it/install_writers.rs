//! Files that may not be written, links that lead nowhere, and several programs that write at once.

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

fn run(sandbox: &Sandbox, verb: &str, agent: &str) -> Finished {
    sandbox.hookguard([verb, "--agent", agent]).unwrap().run().unwrap()
}

#[test]
fn twenty_installations_at_once_leave_one_entry() {
    for agent in AGENTS {
        for before in [None, Some("{\n  \"hooks\": {\"Stop\": []}\n}\n")] {
            let sandbox = Sandbox::new().unwrap();
            let file = settings(&sandbox, agent);
            if let Some(before) = before {
                fs::write(&file, before).unwrap();
            }
            let done: Vec<Finished> = std::thread::scope(|scope| {
                let started: Vec<_> = (0..20).map(|_| scope.spawn(|| run(&sandbox, "install", agent))).collect();
                started.into_iter().map(|one| one.join().unwrap()).collect()
            });
            assert!(done.iter().all(|done| done.code() == Some(0)), "{done:?}");
            let wrote = done.iter().filter(|done| done.stderr.contains("now calls hookguard")).count();
            assert_eq!(wrote, 1, "{agent}: the others found it done");
            let read: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            for (event, groups) in read["hooks"].as_object().unwrap() {
                assert_eq!(groups.as_array().unwrap().len(), 1, "{agent} {event}");
            }
            run(&sandbox, "uninstall", agent);
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), before, "{agent}");
            let left = fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
            let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("hookguard")).collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }
}

#[test]
fn another_program_that_writes_meanwhile_loses_nothing() {
    // A writer without any lock, as other installers are, adds hooks of its own all the time.
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        let file = settings(&sandbox, agent);
        fs::write(&file, "{\"hooks\":{}}").unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        let written = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let beside = file.with_extension("other");
                for number in 0.. {
                    // Small pauses, so that most of hookguard's runs fall between two writes.
                    std::thread::sleep(std::time::Duration::from_millis(15));
                    if stop.load(std::sync::atomic::Ordering::Relaxed) {
                        return number;
                    }
                    let mut value: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
                    value["hooks"][format!("Theirs{number}")] = serde_json::json!([]);
                    fs::write(&beside, value.to_string()).unwrap();
                    fs::rename(&beside, &file).unwrap();
                }
                0
            });
            for _ in 0..15 {
                for verb in ["install", "uninstall"] {
                    let done = run(&sandbox, verb, agent);
                    assert!(matches!(done.code(), Some(0 | 2)), "{done:?}");
                    // Never half a file.
                    serde_json::from_slice::<Value>(&fs::read(&file).unwrap()).unwrap();
                }
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            other.join().unwrap()
        });
        run(&sandbox, "uninstall", agent);
        let left: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let theirs = left["hooks"].as_object().map_or(0, serde_json::Map::len);
        assert!(written > 5, "{written}");
        assert_eq!(theirs, written, "{agent}: {left}");
    }
}

#[test]
fn a_read_only_file_is_left_alone_and_said_to_be_one() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        let file = settings(&sandbox, agent);
        fs::write(&file, "{}\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let done = run(&sandbox, "install", agent);
        assert_eq!(done.code(), Some(2), "{done:?}");
        assert!(done.stderr.contains("read-only") && done.stderr.contains("chmod u+w"), "{}", done.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), "{}\n");
        assert!(!sandbox.state().join("settings-journal.jsonl").exists(), "nothing was written, nothing is remembered");
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        // A folder in the place of the file.
        fs::create_dir_all(settings(&sandbox, agent)).unwrap();
        let done = run(&sandbox, "install", agent);
        assert_eq!(done.code(), Some(2), "{done:?}");
        assert!(done.stderr.contains(settings(&sandbox, agent).to_str().unwrap()), "{}", done.stderr);
        fs::remove_dir(settings(&sandbox, agent)).unwrap();
        // A file in the place of the folder.
        fs::remove_dir(settings(&sandbox, agent).parent().unwrap()).unwrap();
        fs::write(settings(&sandbox, agent).parent().unwrap(), "").unwrap();
        let done = run(&sandbox, "install", agent);
        assert_eq!(done.code(), Some(2), "{done:?}");
    }
}

#[test]
fn missing_folders_are_made() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        fs::remove_dir_all(settings(&sandbox, agent).parent().unwrap()).unwrap();
        assert_eq!(run(&sandbox, "install", agent).code(), Some(0));
        assert!(settings(&sandbox, agent).is_file());
        run(&sandbox, "uninstall", agent);
        assert!(!settings(&sandbox, agent).exists());
        assert_eq!(run(&sandbox, "uninstall", agent).code(), Some(0));
    }
}

#[test]
fn a_link_that_leads_nowhere_yet_is_followed() {
    for agent in AGENTS {
        let sandbox = Sandbox::new().unwrap();
        let file = settings(&sandbox, agent);
        symlink("../dotfiles/agent.json", &file).unwrap();
        let target = sandbox.home().join("dotfiles/agent.json");
        assert_eq!(run(&sandbox, "install", agent).code(), Some(0));
        assert!(fs::symlink_metadata(&file).unwrap().is_symlink() && target.is_file(), "{agent}");
        run(&sandbox, "uninstall", agent);
        assert!(fs::symlink_metadata(&file).unwrap().is_symlink() && !target.exists(), "{agent}");
    }
}

#[test]
fn what_the_agent_would_drop_is_not_installed_into() {
    for (agent, text, why) in [
        (
            "claude",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"20"}]}]}}"#,
            "timeout has to be a number",
        ),
        ("claude", r#"{"permissions":{"allow":"x"}}"#, "permissions.allow has to be a list"),
        ("codex", r#"{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"x"}]}]}}"#, "no hook of the type \"http\""),
        ("codex", r#"{"description":1}"#, "description has to be a string"),
    ] {
        let sandbox = Sandbox::new().unwrap();
        fs::write(settings(&sandbox, agent), text).unwrap();
        let done = run(&sandbox, "install", agent);
        assert_eq!(done.code(), Some(2), "{done:?}");
        assert!(done.stderr.contains(why) && done.stderr.contains("1:"), "{}", done.stderr);
        assert_eq!(fs::read_to_string(settings(&sandbox, agent)).unwrap(), text);
    }
}
