//! `doctor`: each way in which an installation can be there and not work, and that it says so.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use hookguard_integration::{Finished, Invocation, Sandbox, binary};
use serde_json::Value;

const AGENTS: [&str; 2] = ["claude", "codex"];

/// A sandbox with an agent of that version on PATH.
fn with_agent(agent: &str, version: &str) -> Sandbox {
    let sandbox = Sandbox::new().unwrap();
    program(&sandbox, agent, &format!("echo '{version} (a stand-in)'"));
    sandbox
}

fn program(sandbox: &Sandbox, name: &str, script: &str) {
    let file = sandbox.write(format!("bin/{name}"), format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn settings(sandbox: &Sandbox, agent: &str) -> PathBuf {
    match agent {
        "claude" => sandbox.claude_home().join("settings.json"),
        _ => sandbox.codex_home().join("hooks.json"),
    }
}

fn invocation(sandbox: &Sandbox, args: &[&str]) -> Invocation {
    let path = format!("{}:/usr/bin:/bin", sandbox.root().join("bin").display());
    sandbox.hookguard(args).unwrap().env("PATH", path)
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Finished {
    invocation(sandbox, args).run().unwrap()
}

/// The findings about an agent, and the exit code.
fn examine(sandbox: &Sandbox, agent: &str) -> (Vec<Value>, Option<i32>) {
    let done = run(sandbox, &["doctor", "--json"]);
    let reports: Vec<Value> = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    let report = reports.into_iter().find(|report| report["agent"] == agent);
    let findings = report.map(|report| report["findings"].as_array().unwrap().clone()).unwrap_or_default();
    for finding in &findings {
        let well = finding["state"] == "ok";
        assert_eq!(finding["remedy"].is_null(), well, "each finding has its remedy: {finding}");
    }
    (findings, done.code())
}

/// The one finding of a check that is not well.
fn fault(findings: &[Value], check: &str) -> String {
    let faults = findings.iter().filter(|finding| finding["check"] == check && finding["state"] != "ok");
    let faults: Vec<String> = faults
        .map(|finding| format!("{} {}", finding["state"].as_str().unwrap(), finding["what"].as_str().unwrap()))
        .collect();
    faults.join("\n")
}

fn states(findings: &[Value], check: &str) -> Vec<String> {
    let of_check = findings.iter().filter(|finding| finding["check"] == check);
    of_check.map(|finding| finding["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_sound_installation_is_refused_its_canary() {
    let sandbox = with_agent("claude", "2.1.332");
    fs::create_dir_all(sandbox.project().join("src")).unwrap();
    run(&sandbox, &["install", "--agent", "claude"]);
    let (findings, code) = examine(&sandbox, "claude");
    assert_eq!(code, Some(0), "{findings:#?}");
    for check in ["version", "installed", "canary"] {
        // A busy machine makes the canary slow, which is a warning.
        let well = |state: &String| state == "ok" || (check == "canary" && state == "warning");
        assert!(states(&findings, check).iter().all(well), "{check}: {findings:#?}");
        assert!(!states(&findings, check).is_empty(), "{check}");
    }
    let canary = findings.iter().find(|finding| finding["check"] == "canary").unwrap();
    assert!(canary["what"].as_str().unwrap().contains("from 3 folders"), "root, below it, home: {canary}");
    // The canary's own calls are no calls of the agent.
    assert!(fault(&findings, "seen").contains("no call of Claude Code has ever come in"), "{findings:#?}");
    let text = run(&sandbox, &["doctor"]).success().unwrap();
    assert!(text.starts_with("hookguard (hookguard)\n  ok      config     the built-in policy"), "{text}");
    assert!(text.contains("\nClaude Code (claude)\n  ok      version"), "{text}");
}

#[test]
fn an_event_that_came_in_was_seen() {
    let sandbox = with_agent("claude", "2.1.332");
    run(&sandbox, &["install", "--agent", "claude"]);
    sandbox.hook("claude", "Stop", r#"{"session_id":"s","hook_event_name":"Stop","cwd":"/"}"#).unwrap();
    let (findings, _) = examine(&sandbox, "claude");
    let seen: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["check"] == "seen")
        .map(|finding| finding["what"].as_str().unwrap())
        .collect();
    assert!(seen.iter().any(|what| what.starts_with("Stop: last at 20")), "{seen:?}");
    assert!(seen.iter().any(|what| what.starts_with("PreToolUse: never")), "{seen:?}");
    // After a tool, but never before it: that is broken.
    let post = r#"{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/"}"#;
    sandbox.hook("claude", "PostToolUse", post).unwrap();
    let (findings, code) = examine(&sandbox, "claude");
    assert!(fault(&findings, "seen").starts_with("broken PreToolUse"), "{findings:#?}");
    assert_eq!(code, Some(1));
}

#[test]
fn versions_older_newer_and_unknown_are_told_apart() {
    for (said, expected) in [
        ("echo 2.1.300", "warning 2.1.300 is older than 2.1.332"),
        ("echo 'claude v3.0.1'", "warning v3.0.1 is newer than 2.1.332"),
        ("echo hello", "in which no version is to be seen"),
        ("echo broken >&2; exit 3", "exit code 3, saying \"broken\""),
        ("sleep 60 & sleep 60", "it was not done after 10 s"),
    ] {
        let sandbox = Sandbox::new().unwrap();
        program(&sandbox, "claude", said);
        let (findings, code) = examine(&sandbox, "claude");
        assert!(fault(&findings, "version").contains(expected), "{said}: {findings:#?}");
        assert_eq!(code, Some(0), "a version breaks nothing by itself");
    }
    let sandbox = Sandbox::new().unwrap();
    run(&sandbox, &["install", "--agent", "claude"]);
    assert!(fault(&examine(&sandbox, "claude").0, "version").contains("not on PATH"));
}

#[test]
fn an_agent_that_does_not_call_hookguard() {
    let sandbox = with_agent("codex", "codex-cli 0.171.0");
    let (findings, code) = examine(&sandbox, "codex");
    assert!(fault(&findings, "installed").starts_with("warning Codex CLI does not call hookguard"), "{findings:#?}");
    assert_eq!(code, Some(0), "that is a choice");
    assert_eq!(run(&sandbox, &["doctor", "--agent", "codex"]).code(), Some(1), "unless it is asked for by name");
    assert_eq!(run(&sandbox, &["doctor", "--agent", "nobody"]).code(), Some(2));
}

#[test]
fn what_the_agent_would_drop_silently_is_broken() {
    let sandbox = with_agent("claude", "2.1.332");
    run(&sandbox, &["install", "--agent", "claude"]);
    let file = settings(&sandbox, "claude");
    let good = fs::read_to_string(&file).unwrap();
    for (text, place) in [
        (good.replacen('{', "{ // mine\n", 1), "1:3"),
        (good.trim_end().trim_end_matches('}').to_owned() + ",}", ""),
        (good.replacen("\"timeout\": 600", "\"timeout\": \"600\"", 1), "timeout has to be a number"),
        (good.replacen('{', "{ \"permissions\": {\"allow\": \"x\"},", 1), "permissions.allow has to be a list"),
    ] {
        fs::write(&file, &text).unwrap();
        let (findings, code) = examine(&sandbox, "claude");
        let found = fault(&findings, "installed");
        assert!(found.contains(place) && found.contains("drops the whole file"), "{findings:#?}");
        assert_eq!(code, Some(1));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn what_switches_hooks_off_is_broken_whichever_file_says_it() {
    let sandbox = with_agent("claude", "2.1.332");
    run(&sandbox, &["install", "--agent", "claude"]);
    sandbox.write("project/.claude/settings.local.json", "{\"disableAllHooks\": true}").unwrap();
    let (findings, code) = examine(&sandbox, "claude");
    assert!(fault(&findings, "disabled").contains("settings.local.json"), "{findings:#?}");
    assert_eq!(code, Some(1));

    let sandbox = with_agent("codex", "0.171.0");
    run(&sandbox, &["install", "--agent", "codex"]);
    fs::write(sandbox.codex_home().join("config.toml"), "[features]\nhooks = false\n").unwrap();
    let (findings, code) = examine(&sandbox, "codex");
    assert!(fault(&findings, "disabled").contains("features.hooks = false"), "{findings:#?}");
    assert_eq!(code, Some(1));
}

#[test]
fn what_nobody_reviewed_does_not_run() {
    let sandbox = with_agent("codex", "0.171.0");
    run(&sandbox, &["install", "--agent", "codex"]);
    let (findings, code) = examine(&sandbox, "codex");
    assert!(fault(&findings, "trusted").contains("review it in /hooks"), "{findings:#?}");
    assert_eq!(code, Some(1));
}

#[test]
fn events_that_are_missing_changed_or_doubled() {
    for agent in AGENTS {
        let sandbox = with_agent(agent, "1.0");
        run(&sandbox, &["install", "--agent", agent]);
        let file = settings(&sandbox, agent);
        let good: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let with = |change: &dyn Fn(&mut Value)| {
            let mut value = good.clone();
            change(&mut value["hooks"]);
            fs::write(&file, value.to_string()).unwrap();
            let (findings, code) = examine(&sandbox, agent);
            assert_eq!(code, Some(1), "{findings:#?}");
            fault(&findings, "installed")
        };
        let missing = with(&|hooks| drop(hooks.as_object_mut().unwrap().remove("Stop")));
        assert!(missing.contains("nothing is registered for Stop"), "{missing}");
        let changed = with(&|hooks| hooks["Stop"][0]["hooks"][0]["timeout"] = 5.into());
        assert!(changed.contains("otherwise than this hookguard would register it: Stop"), "{changed}");
        let doubled = with(&|hooks| {
            let again = hooks["Stop"][0].clone();
            hooks["Stop"].as_array_mut().unwrap().push(again);
        });
        assert!(doubled.contains("more than once: Stop"), "{doubled}");
        // The guard itself gone: nothing is refused, and that is said first.
        fs::write(&file, {
            let mut value = good.clone();
            value["hooks"].as_object_mut().unwrap().retain(|event, _| event == "Stop");
            value.to_string()
        })
        .unwrap();
        assert!(fault(&examine(&sandbox, agent).0, "canary").contains("nothing is refused"));
    }
}

#[test]
fn two_scopes_are_told_of() {
    let sandbox = with_agent("claude", "2.1.332");
    fs::create_dir_all(sandbox.root().join("usr")).unwrap();
    run(&sandbox, &["install", "--agent", "claude"]);
    run(&sandbox, &["install", "--agent", "claude", "--scope", "project"]);
    let (findings, _) = examine(&sandbox, "claude");
    assert!(fault(&findings, "doubled").contains("user and project scope"), "{findings:#?}");
}

#[test]
fn a_command_that_the_agents_shell_cannot_run() {
    // The project's file names the bare program, and the shell's PATH does not have it.
    let sandbox = with_agent("claude", "2.1.332");
    run(&sandbox, &["install", "--agent", "claude", "--scope", "project"]);
    let (findings, code) = examine(&sandbox, "claude");
    assert!(
        fault(&findings, "reachable").contains("the shell can't run `hookguard hook claude PreToolUse`"),
        "{findings:#?}"
    );
    assert_eq!(code, Some(1));

    // A binary that has been taken away since.
    for agent in AGENTS {
        let sandbox = with_agent(agent, "1.0");
        let copy = sandbox.root().join("my tools").join("hookguard");
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        // A link, not a copy: a file that was just written can still be open for writing in a child of another test.
        fs::hard_link(binary::hookguard().unwrap(), &copy).unwrap();
        let install = sandbox.program(&copy).args(["install", "--agent", agent]);
        let homes = [("CLAUDE_CONFIG_DIR", sandbox.claude_home()), ("CODEX_HOME", sandbox.codex_home())];
        install.envs(homes.clone()).run().unwrap().success().unwrap();
        let doctor = |program: &PathBuf| {
            let done = sandbox.program(program).args(["doctor", "--agent", agent]).envs(homes.clone()).run().unwrap();
            done.stdout
        };
        assert!(doctor(&copy).contains("ok      canary"), "a path with a space works: {}", doctor(&copy));
        fs::remove_file(&copy).unwrap();
        assert!(doctor(&binary::hookguard().unwrap()).contains("BROKEN  reachable"), "{agent}");
    }
}

#[test]
fn a_program_that_only_bears_the_name() {
    for (script, expected) in [
        ("cat > /dev/null", "lets `git push --force origin main` pass"),
        ("cat > /dev/null; echo no; exit 1", "gives no refusal: exit code 1, printing \"no\""),
        ("sleep 60", "gives no refusal: it was not done after"),
        ("exit 127", "can't run"),
    ] {
        let sandbox = with_agent("claude", "2.1.332");
        program(&sandbox, "hookguard", script);
        run(&sandbox, &["install", "--agent", "claude"]);
        let file = settings(&sandbox, "claude");
        let real = binary::hookguard().unwrap();
        let fake = sandbox.root().join("bin/hookguard");
        let text = fs::read_to_string(&file).unwrap().replace(real.to_str().unwrap(), fake.to_str().unwrap());
        fs::write(&file, text).unwrap();
        let (findings, code) = examine(&sandbox, "claude");
        let found = [fault(&findings, "canary"), fault(&findings, "reachable")].concat();
        assert!(found.contains(expected), "{script}: {findings:#?}");
        assert_eq!(code, Some(1));
    }
}
