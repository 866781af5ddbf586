//! What public bug reports on hooks were about and no other file here tests; and the table of `docs/hook_bugs.md`, in which
//! every row names its tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use hookguard_adapter::{Adapter, TurnSource};
use hookguard_integration::{Finished, Sandbox, binary};
use serde_json::{Value, json};

const AGENTS: [&str; 2] = ["claude", "codex"];
const ADAPTERS: [&dyn Adapter; 2] = [&hookguard_claude::ADAPTER, &hookguard_codex::ADAPTER];

const FORCE_PUSH: &str = "git push --force origin main";

fn call(command: &str, cwd: &Path) -> Value {
    json!({"session_id": "s", "cwd": cwd, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "c"})
}

fn pre(sandbox: &Sandbox, agent: &str, call: &Value) -> Finished {
    sandbox.hook(agent, "PreToolUse", call.to_string()).unwrap()
}

/// Whether it was refused; what is not is silent.
fn refused(done: &Finished) -> bool {
    assert_eq!(done.code(), Some(0), "{done:?}");
    if done.stdout.is_empty() {
        return false;
    }
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    true
}

/// The rule of the last decision in the log.
fn last_rule(sandbox: &Sandbox) -> String {
    let log = sandbox.decisions().unwrap();
    log.last().unwrap()["rule"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_same_call_twice_at_once_is_answered_alike() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        let call = call(FORCE_PUSH, &sandbox.project());
        let answers: BTreeSet<String> = std::thread::scope(|scope| {
            let both: Vec<_> = (0..4).map(|_| scope.spawn(|| pre(&sandbox, agent, &call).stdout)).collect();
            both.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(answers.first().unwrap().contains("git.push.force"));
    }
}

#[test]
fn the_project_is_found_without_the_agents_variable() {
    let sandbox = Sandbox::new().unwrap();
    let below = sandbox.write("project/src/deep/file", "").unwrap();
    let command = format!("rm -rf {}/src", sandbox.project().display());
    for value in [None, Some(""), Some("src"), Some("/"), Some("~")] {
        let hook = sandbox.hookguard(["hook", "claude", "PreToolUse"]).unwrap();
        let hook = value.into_iter().fold(hook, |hook, value| hook.env("CLAUDE_PROJECT_DIR", value));
        let done = hook.stdin(call(&command, below.parent().unwrap()).to_string()).run().unwrap();
        assert!(refused(&done), "nobody can be asked");
        assert_eq!(last_rule(&sandbox), "fs.delete.project", "{value:?}: a folder of the project, not one outside it");
    }
}

#[test]
fn a_worktrees_git_file_makes_a_root() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.git(["worktree", "add", "--quiet", "../tree"]).unwrap();
    let tree = sandbox.root().join("tree");
    assert!(tree.join(".git").is_file());
    fs::create_dir_all(tree.join("src/deep")).unwrap();
    // What may be deleted depends on where the machine keeps these tests; which root was found does not.
    for (cwd, root) in [(tree.join("src/deep"), &tree), (sandbox.project(), &sandbox.project())] {
        let explain = sandbox.hookguard(["explain", "--json", "ls"]).unwrap().cwd(cwd).run().unwrap();
        let read: Value = serde_json::from_str(&explain.success().unwrap()).unwrap();
        assert_eq!(read["project"], root.to_str().unwrap());
    }
}

#[test]
fn the_project_that_one_works_in_is_not_deleted() {
    let sandbox = Sandbox::new().unwrap();
    let project = sandbox.project();
    for agent in AGENTS {
        for command in
            [format!("rm -rf {}", project.display()), "rm -rf .".to_owned(), "cd .. && rm -rf project".to_owned()]
        {
            assert!(refused(&pre(&sandbox, agent, &call(&command, &project))), "{command}");
        }
    }
}

#[test]
fn the_home_that_holds_the_log_is_not_deleted() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for command in ["rm -rf ~", "rm -rf \"$HOME\"", "rm -rf ~/.local", "rm -rf ~/.local/state/hookguard"] {
            assert!(refused(&pre(&sandbox, agent, &call(command, &sandbox.project()))), "{command}");
        }
    }
}

#[test]
fn the_binary_needs_no_other_file() {
    let sandbox = Sandbox::new().unwrap();
    let ldd = sandbox.program("ldd").arg(binary::hookguard().unwrap()).run().unwrap();
    let said = ldd.stdout + &ldd.stderr;
    assert!(said.contains("statically linked") || said.contains("not a dynamic executable"), "{said}");
    // Nor a variable.
    let bare = hookguard_integration::Invocation::new(binary::hookguard().unwrap());
    let done = bare.args(["hook", "claude", "PreToolUse"]).stdin(call(FORCE_PUSH, Path::new("/")).to_string());
    assert!(refused(&done.run().unwrap()));
}

#[test]
fn a_slow_payload_is_waited_for() {
    let sandbox = Sandbox::new().unwrap();
    let payload = call(FORCE_PUSH, &sandbox.project()).to_string();
    // Four pauses of one and a half seconds: six in all, and never three without a byte.
    let script = r#"{ for at in 0 20 40 60; do printf %s "${1:$at:20}"; sleep 1.5; done; printf %s "${1:80}"; } | "$0" hook claude PreToolUse"#;
    let bash = sandbox.program("bash").args(["-c", script]).arg(binary::hookguard().unwrap()).arg(payload);
    let done = bash.run().unwrap();
    assert!(refused(&done) && done.stdout.contains("git.push.force"), "{done:?}");
    assert!(done.elapsed >= Duration::from_secs(6));
}

#[test]
fn ten_megabytes_are_read_at_once() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        let mut payload = call(FORCE_PUSH, &sandbox.project());
        payload["tool_input"]["description"] = "x".repeat(10 << 20).into();
        let done = pre(&sandbox, agent, &payload);
        assert!(refused(&done) && done.stdout.contains("git.push.force"));
        assert!(done.elapsed < Duration::from_secs(3), "{:?}", done.elapsed);
    }
}

#[test]
fn what_follows_the_call_is_drained() {
    let sandbox = Sandbox::new().unwrap();
    // As much as a pipe holds, written before hookguard looks; the writer must not see a broken pipe.
    let payload = format!("{}{}", call("git status", &sandbox.project()), " ".repeat(40_000));
    let file = sandbox.write("payload", payload).unwrap();
    let script = r#"cat "$1" | { sleep 0.1; "$0" hook claude PreToolUse; }; echo "${PIPESTATUS[@]}""#;
    for _ in 0..5 {
        let bash = sandbox.program("bash").args(["-c", script]).arg(binary::hookguard().unwrap()).arg(&file);
        assert_eq!(bash.run().unwrap().success().unwrap(), "0 0\n");
    }
}

#[test]
fn the_locale_changes_nothing() {
    let sandbox = Sandbox::new().unwrap();
    let payload = call("echo 'é 日本'; git push --force", &sandbox.project()).to_string();
    let answers: BTreeSet<String> = ["C", "ja_JP.SJIS", "de_DE.ISO-8859-1", "C.UTF-8", ""]
        .into_iter()
        .map(|locale| {
            let hook = sandbox.hookguard(["hook", "codex", "PreToolUse"]).unwrap();
            let hook = hook.env("LANG", locale).env("LC_ALL", locale);
            hook.stdin(payload.clone()).run().unwrap().success().unwrap()
        })
        .collect();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(answers.first().unwrap().contains("git.push.force"));
}

#[test]
fn long_commands_are_judged_to_their_end_and_fast() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for (name, before) in [
            ("words", "echo x ".repeat(600)),
            ("quotes", format!("echo '{}'", "\" \\ ( ".repeat(1_500))),
            ("lists", "true && ".repeat(2_000)),
            ("a long word", format!("echo {}", "y".repeat(60_000))),
            ("nested", format!("{}true{}", "$( ".repeat(40), " )".repeat(40))),
        ] {
            let command =
                if name == "lists" { format!("{before}true; {FORCE_PUSH}") } else { format!("{before}; {FORCE_PUSH}") };
            let started = Instant::now();
            assert!(refused(&pre(&sandbox, agent, &call(&command, &sandbox.project()))), "{agent}, {name}");
            assert!(started.elapsed() < Duration::from_secs(5), "{agent}, {name}: {:?}", started.elapsed());
        }
        // Over the limit it is a question, and nobody is there to be asked.
        let huge = format!("echo {}", "z ".repeat(200 << 10));
        assert!(refused(&pre(&sandbox, agent, &call(&huge, &sandbox.project()))), "{agent}");
    }
}

#[test]
fn a_subagents_call_is_refused_too() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        let mut payload = call(FORCE_PUSH, &sandbox.project());
        payload["agent_id"] = "a1".into();
        payload["agent_type"] = "general-purpose".into();
        assert!(refused(&pre(&sandbox, agent, &payload)));
        assert_eq!(sandbox.decisions().unwrap().last().unwrap()["subagent"], "a1");
    }
}

#[test]
fn check_and_hook_say_the_same() {
    let sandbox = Sandbox::new().unwrap();
    for command in
        [FORCE_PUSH, "git status", "rm -rf ~", "echo 'rm -rf ~'", "sudo ls", "rm -rf src", "cat <<E\nrm -rf /\nE"]
    {
        let check = sandbox.hookguard(["check", "--json", command]).unwrap().run().unwrap();
        let checked: Value = serde_json::from_str(&check.stdout).unwrap();
        for agent in AGENTS {
            let done = pre(&sandbox, agent, &call(command, &sandbox.project()));
            assert_eq!(refused(&done), matches!(check.code(), Some(1 | 3)), "{agent}, {command}: {check:?}");
            let log = sandbox.decisions().unwrap();
            let logged = log.last().unwrap();
            assert_eq!(logged["decision"], checked["decision"], "{agent}, {command}");
            assert_eq!(
                logged["rule"].as_str().unwrap_or_default(),
                checked["rule"].as_str().unwrap(),
                "{agent}, {command}"
            );
        }
    }
}

#[test]
fn looking_at_the_guard_is_free_and_changing_it_is_not() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for free in [
            "hookguard check 'git push --force'",
            "hookguard explain 'rm -rf /'",
            "hookguard log --since 1h",
            "hookguard log stats",
            "hookguard rules show git.push.force",
            "hookguard status --json",
            "hookguard doctor",
            "hookguard test",
        ] {
            assert!(!refused(&pre(&sandbox, agent, &call(free, &sandbox.project()))), "{free}");
        }
        for humans in [
            "hookguard uninstall --agent claude",
            "hookguard trust",
            "hookguard allow ABC",
            "hookguard log mark x wrong",
        ] {
            assert!(refused(&pre(&sandbox, agent, &call(humans, &sandbox.project()))), "{humans}");
        }
    }
}

#[test]
fn a_stop_without_policies_is_never_resumed() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for active in [false, true] {
            for event in ["Stop", "SubagentStop"] {
                let payload = json!({"session_id": "s", "cwd": sandbox.project(), "hook_event_name": event, "stop_hook_active": active, "last_assistant_message": "All done."});
                let done = sandbox.hook(agent, event, payload.to_string()).unwrap();
                assert_eq!(
                    (done.code(), done.stdout.as_str(), done.stderr.as_str()),
                    (Some(0), "", ""),
                    "{agent} {event}"
                );
            }
        }
    }
}

#[test]
fn the_last_message_is_the_payloads() {
    for adapter in ADAPTERS {
        let turn = adapter.last_turn(&TurnSource { last_message: Some("the last"), transcript_tail: b"" });
        assert_eq!(turn.texts, ["the last"]);
    }
}

#[test]
fn unknown_records_of_a_transcript_are_passed_over() {
    let claude = [
        r#"sistant","content":[{"type":"text","text":"cut in the middle"}]}}"#,
        r#"{"type":"user","message":{"role":"user","content":"do it"}}"#,
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"first"}]}}"#,
        r#"{"type":"from-the-future","message":17}"#,
        r#"{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"a subagent's"}]}}"#,
        r#"[1, 2]"#,
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"second"}]}}"#,
        r#"{"type":"summary","summary":"x"}"#,
        r#"{"type":"assistant","message":{"role":"assi"#,
    ]
    .join("\n");
    let turn =
        hookguard_claude::ADAPTER.last_turn(&TurnSource { last_message: None, transcript_tail: claude.as_bytes() });
    assert_eq!((turn.texts.as_slice(), turn.complete), (&["first".to_owned(), "second".to_owned()][..], true));
    let item = |kind: &str, text: &str| {
        let item = json!({"type": kind, "content": [{"text": text}]});
        json!({"type": "event_msg", "payload": {"type": "item_completed", "item": item}}).to_string()
    };
    let codex = [
        "cut\"}]}}}".to_owned(),
        item("UserMessage", "do it"),
        item("AgentMessage", "first"),
        item("Future", "?"),
        "{}".to_owned(),
        item("AgentMessage", "second"),
        "{\"payload\":{".to_owned(),
    ]
    .join("\n");
    let turn =
        hookguard_codex::ADAPTER.last_turn(&TurnSource { last_message: None, transcript_tail: codex.as_bytes() });
    assert_eq!((turn.texts.as_slice(), turn.complete), (&["first".to_owned(), "second".to_owned()][..], true));
}

#[test]
fn no_transcript_is_opened_before_a_tool() {
    let sandbox = Sandbox::new().unwrap();
    // Whoever opens it waits for ever: nobody writes into it.
    let pipe = sandbox.root().join("transcript.jsonl");
    sandbox.program("mkfifo").arg(&pipe).run().unwrap().success().unwrap();
    for agent in AGENTS {
        for (event, command) in
            [("PreToolUse", FORCE_PUSH), ("PreToolUse", "git status"), ("PostToolUse", "git status")]
        {
            let mut payload = call(command, &sandbox.project());
            payload["transcript_path"] = json!(pipe);
            payload["hook_event_name"] = event.into();
            let done = sandbox.hook(agent, event, payload.to_string()).unwrap();
            assert!(done.elapsed < Duration::from_secs(4), "{agent} {event}: {:?}", done.elapsed);
            assert_eq!(done.stdout.is_empty(), command != FORCE_PUSH);
        }
    }
}

#[test]
fn every_entry_has_a_timeout() {
    for adapter in ADAPTERS {
        for row in adapter.profile().events {
            let Some(registration) = row.registered else { continue };
            let milliseconds = registration.timeout.milliseconds();
            assert!((1_000..=600_000).contains(&milliseconds), "{} {}", adapter.profile().id, row.native);
        }
    }
}

#[test]
fn corrupt_state_changes_no_verdict() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        pre(&sandbox, agent, &call("git status", &sandbox.project()));
    }
    let mut spoilt = 0;
    let mut folders = vec![sandbox.state()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                fs::write(path, b"\0\xff{\"v\":99,").unwrap();
                spoilt += 1;
            }
        }
    }
    assert!(spoilt > 0);
    for name in
        ["settings-journal.jsonl", "marks.jsonl", "session/claude-s/queue.jsonl", "session/claude-s/ledger.jsonl"]
    {
        sandbox.write(sandbox.state().join(name), b"\0\xff{\"v\":99,").unwrap();
    }
    for agent in AGENTS {
        assert!(refused(&pre(&sandbox, agent, &call(FORCE_PUSH, &sandbox.project()))));
        assert!(!refused(&pre(&sandbox, agent, &call("git status", &sandbox.project()))));
    }
}

#[test]
fn no_temporary_folder_is_needed() {
    let sandbox = Sandbox::new().unwrap();
    let temporary = sandbox.env().get(std::ffi::OsStr::new("TMPDIR")).unwrap().clone();
    for agent in AGENTS {
        for (command, expected) in [(FORCE_PUSH, true), ("git status", false)] {
            assert_eq!(refused(&pre(&sandbox, agent, &call(command, &sandbox.project()))), expected);
            let hook = sandbox.hookguard(["hook", agent, "PreToolUse"]).unwrap().env("TMPDIR", "/nowhere");
            let done = hook.stdin(call(command, &sandbox.project()).to_string()).run().unwrap();
            assert_eq!(refused(&done), expected);
        }
    }
    assert_eq!(fs::read_dir(temporary).unwrap().count(), 0, "nothing was put there");
}

/// The rows of the table: number, what shows it, note.
fn rows(table: &str) -> Vec<(usize, String, String)> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = table.lines().filter(|line| line.starts_with("| ")).map(cells);
    rows.filter_map(|cells| Some((cells[0].parse().ok()?, cells[3].clone(), cells[4].clone()))).collect()
}

#[test]
fn every_row_names_tests_that_exist() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let table = fs::read_to_string(workspace.join("docs/hook_bugs.md")).unwrap();
    let rows = rows(&table);
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), (1..=57).collect::<Vec<_>>());
    for (number, shown, note) in rows {
        if shown == "none" {
            assert!(note.len() > 20, "row {number} has neither a test nor a reason");
        }
        for part in shown.split("<br>").filter(|part| *part != "none") {
            let (file, names) = part.split_once(": ").unwrap_or_else(|| panic!("row {number}: {part}"));
            let text = fs::read_to_string(workspace.join(file.trim_matches('`')));
            let text = text.unwrap_or_else(|error| panic!("row {number}: {file}: {error}"));
            for name in names.split(", ").map(|name| name.trim_matches('`')) {
                let is_there = text.contains(&format!("fn {name}("));
                assert!(is_there, "row {number}: there is no {name} in {file}");
            }
        }
    }
}
