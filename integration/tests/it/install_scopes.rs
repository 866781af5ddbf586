//! Whose settings: the user's, a project's, all agents at once; and Codex's second file.

use std::fs;
use std::path::PathBuf;

use hookguard_integration::{Finished, Sandbox};
use serde_json::Value;

fn run(sandbox: &Sandbox, args: &[&str]) -> Finished {
    sandbox.hookguard(args).unwrap().run().unwrap()
}

fn json(path: &PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Every command of ours in a settings file.
fn commands(value: &Value) -> Vec<String> {
    let events = value["hooks"].as_object().into_iter().flatten();
    let groups = events.flat_map(|(_, groups)| groups.as_array().unwrap());
    let hooks = groups.flat_map(|group| group["hooks"].as_array().unwrap());
    hooks.map(|hook| hook["command"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_projects_file_names_no_machine_and_blocks_nobody() {
    let sandbox = Sandbox::new().unwrap();
    for (agent, file) in [("claude", ".claude/settings.json"), ("codex", ".codex/hooks.json")] {
        let file = sandbox.project().join(file);
        // From a folder below, the project is the same.
        let below = sandbox.write("project/src/deep/file", "").unwrap();
        let install = sandbox.hookguard(["install", "--agent", agent, "--scope", "project"]).unwrap();
        let done = install.cwd(below.parent().unwrap()).run().unwrap();
        assert_eq!(done.code(), Some(0), "{done:?}");
        assert!(done.stderr.contains("needs hookguard on PATH"), "{}", done.stderr);
        let written = json(&file);
        for command in commands(&written) {
            assert!(command.starts_with(&format!("hookguard hook {agent} ")), "{command}");
        }
        assert!(!written.to_string().contains("onFailure"), "{agent}");
        assert!(commands(&written).len() > 7);
        assert_eq!(run(&sandbox, &["uninstall", "--agent", agent, "--scope", "project"]).code(), Some(0));
        assert!(!file.exists());
    }
    // Who wants it says so.
    let required = ["install", "--agent", "claude", "--scope", "project", "--require"];
    assert_eq!(run(&sandbox, &required).code(), Some(0));
    let file = sandbox.project().join(".claude/settings.json");
    assert_eq!(json(&file)["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"], "block");
    let status = run(&sandbox, &["status", "--json"]).success().unwrap();
    let rows: Vec<Value> = serde_json::from_str(&status).unwrap();
    let row = rows.iter().find(|row| row["scope"] == "project").unwrap();
    assert_eq!((&row["state"], &row["notes"]), (&"installed".into(), &Value::Array(Vec::new())));
    assert_eq!(run(&sandbox, &["install", "--agent", "claude", "--require"]).code(), Some(2));
}

#[test]
fn a_local_file_is_this_machines_own() {
    let sandbox = Sandbox::new().unwrap();
    let local = ["install", "--agent", "claude", "--scope", "local"];
    assert_eq!(run(&sandbox, &local).code(), Some(0));
    let written = json(&sandbox.project().join(".claude/settings.local.json"));
    assert!(commands(&written).iter().all(|command| command.starts_with('/') || command.starts_with("'/")));
    assert_eq!(written["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"], "block");
    let refused = run(&sandbox, &["install", "--agent", "codex", "--scope", "local"]);
    assert_eq!(refused.code(), Some(2));
    assert!(refused.stderr.contains("it has: user, project"), "{}", refused.stderr);
}

#[test]
fn where_there_is_no_project_nothing_is_written() {
    let sandbox = Sandbox::new().unwrap();
    let install = sandbox.hookguard(["install", "--agent", "claude", "--scope", "project"]).unwrap();
    let done = install.cwd(sandbox.home()).run().unwrap();
    assert_eq!(done.code(), Some(2), "{done:?}");
    assert!(done.stderr.contains("there is no project here"), "{}", done.stderr);
    assert!(!sandbox.home().join(".claude/settings.json").exists());
    assert_eq!(run(&sandbox, &["install", "--agent", "claude", "--scope", "everyone"]).code(), Some(2));
    assert_eq!(run(&sandbox, &["install", "--agent", "nobody"]).code(), Some(2));
}

#[test]
fn all_agents_at_once_and_one_broken_file_stops_no_other() {
    let sandbox = Sandbox::new().unwrap();
    let (claude, codex) = (sandbox.claude_home().join("settings.json"), sandbox.codex_home().join("hooks.json"));
    assert_eq!(run(&sandbox, &["install", "--agent", "all"]).code(), Some(0));
    assert!(claude.is_file() && codex.is_file());
    assert_eq!(run(&sandbox, &["uninstall", "--agent", "all"]).code(), Some(0));
    assert!(!claude.exists() && !codex.exists());

    fs::write(&claude, "{ // mine\n}").unwrap();
    let done = run(&sandbox, &["install", "--agent", "all"]);
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr.contains("1:3") && codex.is_file(), "{}", done.stderr);
    assert_eq!(fs::read_to_string(&claude).unwrap(), "{ // mine\n}");
}

#[test]
fn codexs_second_file_is_seen_and_kept_up() {
    let sandbox = Sandbox::new().unwrap();
    let (hooks, config) = (sandbox.codex_home().join("hooks.json"), sandbox.codex_home().join("config.toml"));
    let theirs = "# mine\nmodel = \"x\" # which\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"say done\"\n";
    fs::write(&config, theirs).unwrap();
    let done = run(&sandbox, &["install", "--agent", "codex"]);
    assert_eq!(done.code(), Some(0), "{done:?}");
    assert!(done.stderr.contains("keep them in one file"), "both files of a layer hold hooks: {}", done.stderr);
    assert_eq!(fs::read_to_string(&config).unwrap(), theirs);
    assert_eq!(run(&sandbox, &["uninstall", "--agent", "codex"]).code(), Some(0));
    assert!(!hooks.exists());

    // Somebody moved ours over by hand: there they stay, and are kept up.
    let ours = "\n[[hooks.PreToolUse]]\nmatcher = \"*\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"/old/hookguard hook codex PreToolUse\"\ntimeout = 10\n";
    fs::write(&config, format!("{theirs}{ours}")).unwrap();
    assert_eq!(run(&sandbox, &["install", "--agent", "codex"]).code(), Some(0));
    assert!(!hooks.exists(), "the form that has ours is the one");
    let written = fs::read_to_string(&config).unwrap();
    assert!(written.starts_with(theirs) && !written.contains("/old/hookguard"), "{written}");
    assert_eq!(written.matches("hook codex PreToolUse").count(), 1);
    assert_eq!(written.matches("hook codex ").count(), 8);
    let status = run(&sandbox, &["status", "--json"]).success().unwrap();
    let rows: Vec<Value> = serde_json::from_str(&status).unwrap();
    let row = rows.iter().find(|row| row["agent"] == "codex").unwrap();
    assert_eq!((row["state"].as_str(), row["file"].as_str()), (Some("installed"), config.to_str()));

    assert_eq!(run(&sandbox, &["install", "--agent", "codex"]).code(), Some(0));
    assert_eq!(fs::read_to_string(&config).unwrap(), written);
    assert_eq!(run(&sandbox, &["uninstall", "--agent", "codex"]).code(), Some(0));
    assert_eq!(fs::read_to_string(&config).unwrap(), theirs);

    fs::write(&config, "model = = 1\n").unwrap();
    let refused = run(&sandbox, &["install", "--agent", "codex"]);
    assert_eq!(refused.code(), Some(2));
    assert!(refused.stderr.contains("1:9"), "{}", refused.stderr);
}

#[test]
fn whoever_moves_up_is_told_to_be_reviewed_again() {
    let sandbox = Sandbox::new().unwrap();
    let hooks = sandbox.codex_home().join("hooks.json");
    run(&sandbox, &["install", "--agent", "codex"]);
    let mut written = json(&hooks);
    let theirs = serde_json::json!({"hooks": [{"type": "command", "command": "theirs"}]});
    written["hooks"]["Stop"].as_array_mut().unwrap().push(theirs);
    fs::write(&hooks, written.to_string()).unwrap();
    let done = run(&sandbox, &["uninstall", "--agent", "codex"]);
    assert!(done.stderr.contains("move up (Stop)"), "{}", done.stderr);
}
