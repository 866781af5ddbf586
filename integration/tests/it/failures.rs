//! No error is an allow, and no broken hook wedges a session: every way in which a call can fail, for every agent, before
//! a tool and after it.

use hookguard_integration::{Finished, Invocation, Sandbox, binary};
use serde_json::Value;

const AGENTS: [&str; 2] = ["claude", "codex"];

/// What fails open: after a tool, at stop, and where nothing can be decided.
const LATER: [&str; 3] = ["PostToolUse", "Stop", "SessionStart"];

const FORCE_PUSH: &str = "git push --force origin main";

/// A payload of the common form; `extra` is put in as it is.
fn payload(event: &str, command: &str, extra: &str) -> String {
    let command = serde_json::to_string(command).unwrap();
    let tool = match event {
        "Stop" | "SessionStart" => String::new(),
        _ => format!(r#","tool_name":"Bash","tool_input":{{"command":{command}}},"tool_use_id":"c1""#),
    };
    format!(r#"{{"session_id":"s1","cwd":"/home/dev/acme","hook_event_name":"{event}"{tool}{extra}}}"#)
}

/// The hook's answer before a tool: the decision and the reason.
fn answer(done: &Finished) -> (String, String) {
    assert_eq!(done.code(), Some(0), "{done:?}");
    let answer: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    let specific = &answer["hookSpecificOutput"];
    let text = |name: &str| specific[name].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

fn assert_silent(done: &Finished, what: &str) {
    assert_eq!((done.code(), done.stdout.as_str(), done.stderr.as_str()), (Some(0), "", ""), "{what}");
}

fn assert_logged(sandbox: &Sandbox, agent: &str, event: &str) {
    let log = sandbox.decisions().unwrap();
    assert!(log.iter().any(|line| line["agent"] == agent && line["event"] == event), "{agent} {event}: {log:?}");
}

/// Inputs that nobody can read, by name.
fn unreadable() -> Vec<(&'static str, Vec<u8>)> {
    let whole = payload("PreToolUse", FORCE_PUSH, "");
    vec![
        ("empty", Vec::new()),
        ("cut", whole.as_bytes()[..40].to_vec()),
        ("not JSON", b"hello".to_vec()),
        ("broken JSON", br#"{"tool_name":}"#.to_vec()),
        ("not an object", b"[1,2]".to_vec()),
        (
            "deep",
            format!(r#"{{"tool_name":"Bash","tool_input":{}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000))
                .into_bytes(),
        ),
        ("over 32 MB", format!(r#"{{"tool_name":"Bash","pad":"{}"}}"#, "x".repeat(33 << 20)).into_bytes()),
        ("no tool", b"{}".to_vec()),
        ("a command that is a number", br#"{"tool_name":"Bash","tool_input":{"command":7}}"#.to_vec()),
        ("a tool input that is a list", br#"{"tool_name":"Bash","tool_input":["git push --force"]}"#.to_vec()),
        ("a tool name that is a list", br#"{"tool_name":["Bash"],"tool_input":{}}"#.to_vec()),
    ]
}

#[test]
fn what_cannot_be_read_is_refused_before_a_tool_and_passed_over_later() {
    for agent in AGENTS {
        for (name, bytes) in unreadable() {
            let sandbox = Sandbox::new().unwrap();
            let done = sandbox.hook(agent, "PreToolUse", bytes.clone()).unwrap();
            let (decision, reason) = answer(&done);
            assert_eq!(decision, "deny", "{agent}, {name}");
            assert!(reason.contains("the call could not be read"), "{agent}, {name}: {reason}");
            assert_logged(&sandbox, agent, "PreToolUse");
            for event in LATER {
                let done = sandbox.hook(agent, event, bytes.clone()).unwrap();
                assert_silent(&done, &format!("{agent} {event}, {name}"));
                assert_logged(&sandbox, agent, event);
            }
        }
    }
}

#[test]
fn where_a_human_is_present_claude_asks() {
    let sandbox = Sandbox::new().unwrap();
    let hook =
        |agent| sandbox.hookguard(["hook", agent, "PreToolUse"]).unwrap().env("CLAUDE_CODE_SESSION_ATTENDED", "1");
    for (name, bytes) in unreadable() {
        assert_eq!(answer(&hook("claude").stdin(bytes.clone()).run().unwrap()).0, "ask", "{name}");
        // The variable is Claude Code's: Codex can't ask, whoever sits there.
        assert_eq!(answer(&hook("codex").stdin(bytes).run().unwrap()).0, "deny", "{name}");
    }
}

#[test]
fn odd_bytes_are_decoded_and_judged() {
    let whole = |command: &str| {
        format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#)
    };
    let odd = |command: &str| {
        vec![
            (
                "invalid UTF-8",
                whole(&format!("echo @; {command}"))
                    .replace('@', "\u{1}")
                    .bytes()
                    .map(|b| if b == 1 { 0xff } else { b })
                    .collect(),
            ),
            ("lone surrogate", whole(&format!(r"echo \ud800; {command}")).into_bytes()),
            ("swapped surrogates", whole(&format!(r"echo \udc00\ud800; {command}")).into_bytes()),
            ("byte order mark", [b"\xef\xbb\xbf".to_vec(), whole(command).into_bytes()].concat()),
        ]
    };
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for (name, bytes) in odd(FORCE_PUSH) {
            let (decision, reason) = answer(&sandbox.hook(agent, "PreToolUse", bytes).unwrap());
            assert_eq!(decision, "deny", "{agent}, {name}");
            assert!(reason.contains("git.push.force"), "{agent}, {name}: {reason}");
        }
        for (name, bytes) in odd("git status") {
            assert_silent(&sandbox.hook(agent, "PreToolUse", bytes.clone()).unwrap(), &format!("{agent}, {name}"));
            for event in LATER {
                assert_silent(&sandbox.hook(agent, event, bytes.clone()).unwrap(), &format!("{agent} {event}, {name}"));
            }
        }
    }
}

#[test]
fn a_pipe_that_is_never_closed_does_not_hang() {
    let sandbox = Sandbox::new().unwrap();
    let held = |agent: &str, event: &str, bytes: &str| -> Finished {
        sandbox.hookguard(["hook", agent, event]).unwrap().stdin_held_open(bytes).run().unwrap()
    };
    for agent in AGENTS {
        let whole = payload("PreToolUse", FORCE_PUSH, "");
        let done = held(agent, "PreToolUse", &whole);
        assert_eq!(answer(&done).0, "deny");
        assert!(done.elapsed.as_millis() < 2_000, "a complete call is answered at once: {:?}", done.elapsed);

        for bytes in ["", &whole[..40]] {
            let done = held(agent, "PreToolUse", bytes);
            assert!(answer(&done).1.contains("could not be read"));
            assert!(
                (2_500..6_000).contains(&done.elapsed.as_millis()),
                "after three seconds of nothing: {:?}",
                done.elapsed
            );
        }
        for event in LATER {
            assert_silent(&held(agent, event, ""), event);
        }
    }
}

#[test]
fn if_either_says_pre_tool_it_is_judged_as_pre_tool() {
    let foreign = [
        ("unknown event, known payload", "Frobnicate", payload("PreToolUse", FORCE_PUSH, "")),
        ("no event at all", "", payload("PreToolUse", FORCE_PUSH, "")),
        ("installed for another event", "PostToolUse", payload("PreToolUse", FORCE_PUSH, "")),
        ("the payload says another event", "PreToolUse", payload("PostToolUse", FORCE_PUSH, "")),
        ("the payload says an unknown event", "PreToolUse", payload("BeforeTool", FORCE_PUSH, "")),
        (
            "another agent's payload",
            "PreToolUse",
            format!(
                r#"{{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{{"command":"{FORCE_PUSH}"}}}}"#
            ),
        ),
    ];
    for agent in AGENTS {
        for (name, event, payload) in &foreign {
            let sandbox = Sandbox::new().unwrap();
            let (decision, reason) = answer(&sandbox.hook(agent, event, payload.as_str()).unwrap());
            assert_eq!(decision, "deny", "{agent}, {name}");
            assert!(reason.contains("git.push.force"), "{agent}, {name}: {reason}");
            let log = sandbox.decisions().unwrap();
            assert!(log[0]["note"].as_str().is_some_and(|note| !note.is_empty()), "{agent}, {name}: {log:?}");
        }
        for (event, payload) in [
            ("Frobnicate", payload("Frobnicate", FORCE_PUSH, "")),
            ("PostToolUse", payload("Frobnicate", FORCE_PUSH, "")),
            ("Stop", payload("PostToolUse", FORCE_PUSH, "")),
        ] {
            let sandbox = Sandbox::new().unwrap();
            assert_silent(&sandbox.hook(agent, event, payload).unwrap(), &format!("{agent} {event}"));
            assert_eq!(sandbox.decisions().unwrap().len(), 1);
        }
    }
}

#[test]
fn an_unknown_agent_is_judged_all_the_same() {
    let sandbox = Sandbox::new().unwrap();
    let done = sandbox.hook("frobnicator", "PreToolUse", payload("PreToolUse", FORCE_PUSH, "")).unwrap();
    assert_eq!(answer(&done).0, "deny");
    assert!(sandbox.decisions().unwrap()[0]["note"].as_str().unwrap().contains("frobnicator"));
}

#[test]
fn arguments_are_lenient() {
    let sandbox = Sandbox::new().unwrap();
    for extra in [&["--frobnicate"][..], &["extra", "words"], &["--help"]] {
        let args = [&["hook", "claude", "PreToolUse"], extra].concat();
        let hook = sandbox.hookguard(args).unwrap().stdin(payload("PreToolUse", FORCE_PUSH, ""));
        assert_eq!(answer(&hook.run().unwrap()).0, "deny", "{extra:?}");
    }
    let bare = sandbox.hookguard(["hook"]).unwrap().stdin(payload("PreToolUse", FORCE_PUSH, ""));
    assert_eq!(answer(&bare.run().unwrap()).0, "deny");
}

/// The build that panics or stalls when a payload says so.
fn faulty(sandbox: &Sandbox, agent: &str, event: &str, fault: &str) -> Invocation {
    let payload = payload(event, "git status", &format!(r#","hookguard_fault":"{fault}""#));
    let hook = sandbox.program(binary::hookguard_with_faults().unwrap()).args(["hook", agent, event]);
    hook.env("HOOKGUARD_TEST_DEADLINE_MS", "300").stdin(payload)
}

#[test]
fn a_panic_or_an_own_deadline_is_an_answer() {
    for agent in AGENTS {
        for fault in ["panic", "abort", "stall"] {
            let sandbox = Sandbox::new().unwrap();
            // One call before, so that the log is there: a signal handler makes no folders.
            assert_silent(
                &sandbox.hook(agent, "PreToolUse", payload("PreToolUse", "git status", "")).unwrap(),
                "harmless",
            );
            let (decision, reason) = answer(&faulty(&sandbox, agent, "PreToolUse", fault).run().unwrap());
            assert_eq!(decision, "deny", "{agent}, {fault}");
            assert!(reason.contains("hookguard failed: "), "{agent}, {fault}: {reason}");
            let log = sandbox.decisions().unwrap();
            assert_eq!(log.last().unwrap()["rule"], "hook.failed", "{agent}, {fault}: {log:?}");
            for event in LATER {
                assert_silent(
                    &faulty(&sandbox, agent, event, fault).run().unwrap(),
                    &format!("{agent} {event}, {fault}"),
                );
            }
            assert_eq!(sandbox.decisions().unwrap().len(), 2 + LATER.len());
        }
    }
    let sandbox = Sandbox::new().unwrap();
    let attended = faulty(&sandbox, "claude", "PreToolUse", "panic").env("CLAUDE_CODE_SESSION_ATTENDED", "1");
    assert_eq!(answer(&attended.run().unwrap()).0, "ask");
}

#[test]
fn without_home_or_state_the_verdict_is_the_same() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.write("a-file", "").unwrap();
    let full = sandbox.root().join("full");
    full_log(&sandbox, &full);
    for agent in AGENTS {
        for event in ["PreToolUse", "PostToolUse", "Stop"] {
            for command in [FORCE_PUSH, "git status"] {
                let hook = || sandbox.hookguard(["hook", agent, event]).unwrap().stdin(payload(event, command, ""));
                let usual = hook().run().unwrap();
                assert_eq!(usual.stdout.is_empty(), event != "PreToolUse" || command != FORCE_PUSH);
                let others = [
                    ("no HOME", hook().without_env("HOME")),
                    ("an empty HOME", hook().env("HOME", "")),
                    ("a relative HOME", hook().env("HOME", "home")),
                    ("a HOME that is a file", hook().env("HOME", &file)),
                    ("a read-only state folder", hook().env("XDG_STATE_HOME", "/proc")),
                    ("a full state folder", hook().env("XDG_STATE_HOME", &full)),
                    ("a deleted cwd", in_deleted_folder(&sandbox, agent, event).stdin(payload(event, command, ""))),
                ];
                for (name, hook) in others {
                    let done = hook.run().unwrap();
                    assert_eq!((done.code(), &done.stdout), (Some(0), &usual.stdout), "{agent} {event}, {name}");
                }
            }
        }
    }
}

/// Puts the device that is always full in the place of today's log, and of tomorrow's. Needs root; without it the folder
/// stays empty and is merely one more state folder.
fn full_log(sandbox: &Sandbox, state: &std::path::Path) {
    let log = state.join("hookguard/log");
    std::fs::create_dir_all(&log).unwrap();
    if rustix::process::geteuid().is_root() {
        for day in ["now", "tomorrow"] {
            let today = sandbox.program("date").args(["-u", "-d", day, "+%F"]).run().unwrap().success().unwrap();
            let file = log.join(format!("{}.jsonl", today.trim()));
            sandbox.program("mknod").arg(file).args(["c", "1", "7"]).run().unwrap().success().unwrap();
        }
    }
}

fn in_deleted_folder(sandbox: &Sandbox, agent: &str, event: &str) -> Invocation {
    let script = "mkdir -p gone && cd gone && rmdir ../gone && exec \"$0\" hook \"$@\"";
    let bash = sandbox.program("bash").args(["-c", script]);
    bash.arg(binary::hookguard().unwrap()).args([agent, event])
}

#[test]
fn an_unreadable_payload_that_names_a_tool_about_to_run_is_refused_whatever_was_installed() {
    let unreadable = [
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":null}"#,
        r#"{"hook_event_name":"PreToolUse","tool_input":{}}"#,
        r#"{"session_id":"a","session_id":"b","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Ba"#,
    ];
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for event in ["Stop", "PostToolUse", "Frobnicate", ""] {
            for payload in unreadable {
                let (decision, reason) = answer(&sandbox.hook(agent, event, payload).unwrap());
                assert_eq!(decision, "deny", "{agent} {event}: {payload}");
                assert!(reason.contains("could not be read"), "{reason}");
            }
        }
    }
}

#[test]
fn a_pipe_in_the_place_of_the_log_hangs_nobody() {
    let sandbox = Sandbox::new().unwrap();
    let log = sandbox.state().join("log");
    std::fs::create_dir_all(&log).unwrap();
    for day in ["now", "tomorrow"] {
        let today = sandbox.program("date").args(["-u", "-d", day, "+%F"]).run().unwrap().success().unwrap();
        let pipe = log.join(format!("{}.jsonl", today.trim()));
        sandbox.program("mkfifo").arg(pipe).run().unwrap().success().unwrap();
    }
    for agent in AGENTS {
        let done = sandbox.hook(agent, "PreToolUse", payload("PreToolUse", FORCE_PUSH, "")).unwrap();
        assert_eq!(answer(&done).0, "deny");
        assert!(done.elapsed.as_millis() < 3_000, "{:?}", done.elapsed);
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_a_refusal_by_exit_code() {
    let sandbox = Sandbox::new().unwrap();
    for agent in AGENTS {
        for (command, code) in [(FORCE_PUSH, 2), ("git status", 0)] {
            let to_full = ["-c", "exec \"$0\" hook \"$1\" PreToolUse >/dev/full"];
            let bash = sandbox.program("bash").args(to_full).arg(binary::hookguard().unwrap()).arg(agent);
            let done = bash.stdin(payload("PreToolUse", command, "")).run().unwrap();
            assert_eq!(done.code(), Some(code), "{agent}, {command}: {done:?}");
            assert_eq!(done.stderr.contains("git.push.force"), code == 2, "{agent}, {command}: {done:?}");
        }
    }
}
