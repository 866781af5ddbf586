//! What a reader of the events relies on: who wrote a prompt, which files a patch changes, whose call it is, how it ended.

use hookguard_adapter::HookCall;
use hookguard_core::{Change, Event, EventKind, Outcome, PromptAuthor, ToolCall};

use super::subject;

fn fixture<T>(id: &str, name: &str, with: impl FnOnce(&Event<'_>) -> T) -> T {
    let subject = subject(id);
    subject.fixture(name).call(subject, false, |call| with(&subject.adapter.parse(call).expect("a payload")))
}

fn payload<T>(id: &str, event: &str, payload: &str, with: impl FnOnce(&Event<'_>) -> T) -> T {
    let call = HookCall { event, stdin: payload.as_bytes(), ..HookCall::default() };
    with(&subject(id).adapter.parse(&call).expect("a payload"))
}

#[test]
fn a_machine_is_told_from_a_user() {
    for (id, name, author) in [
        ("claude", "UserPromptSubmit", PromptAuthor::User),
        ("claude", "UserPromptSubmit.task-notification", PromptAuthor::Machine),
        ("codex", "UserPromptSubmit", PromptAuthor::User),
        ("codex", "UserPromptSubmit.subagent", PromptAuthor::Machine),
    ] {
        fixture(id, name, |event| {
            assert_eq!(event.kind, EventKind::Prompt);
            assert_eq!(event.prompt.as_ref().unwrap().author, author, "{id} {name}");
        });
    }
    payload("claude", "UserPromptSubmit", r#"{"hook_event_name":"UserPromptSubmit","prompt":" "}"#, |event| {
        assert_eq!(event.prompt.as_ref().unwrap().author, PromptAuthor::Machine, "an empty prompt starts no turn");
    });
}

#[test]
fn a_patch_is_its_files_plain_and_in_code_mode() {
    for name in ["PreToolUse-apply_patch", "PreToolUse-apply_patch.codemode", "PostToolUse-apply_patch"] {
        fixture("codex", name, |event| {
            let Some(ToolCall::Edit { files }) = &event.tool else { panic!("{name}: {:?}", event.tool) };
            assert_eq!(files.len(), 1, "{name}");
            assert_eq!((files[0].path.as_str(), &files[0].change), ("a.txt", &Change::Create), "{name}");
            assert!(files[0].added.starts_with("one"), "{name}");
        });
    }
}

/// Codex reports this as `Bash` with the raw command, changes the file, and fires no PostToolUse
/// (codex-cli 0.171.0, 2026-11-30).
#[test]
fn a_patch_in_a_heredoc_is_its_files_too() {
    let command = "cd /srv && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: src/b.rs\n@@\n\
                   -old\n+new\n*** Delete File: c.rs\n*** End Patch\nEOF";
    let text =
        serde_json::json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}});
    payload("codex", "PreToolUse", &text.to_string(), |event| {
        let Some(ToolCall::Shell { command: read, patch, .. }) = &event.tool else { panic!("{:?}", event.tool) };
        assert_eq!(read, command, "the shell call stays one");
        let files: Vec<_> = patch.iter().map(|file| (file.path.as_str(), file.change.clone())).collect();
        assert_eq!(files, [("src/a.rs", Change::Move { to: "src/b.rs".into() }), ("c.rs", Change::Delete)]);
    });
}

#[test]
fn code_mode_calls_are_shell_calls_with_ids_of_their_own() {
    fixture("codex", "PreToolUse-Bash.codemode", |event| {
        assert_eq!(event.tool, Some(ToolCall::shell("echo hi > out.txt")));
        assert!(event.call_id.as_ref().unwrap().starts_with("exec-"));
    });
}

#[test]
fn an_mcp_tool_is_its_server_and_its_name() {
    for id in ["claude", "codex"] {
        fixture(id, "PreToolUse-mcp__fake__echo", |event| {
            let Some(ToolCall::Mcp { server, tool, args }) = &event.tool else { panic!("{id}: {:?}", event.tool) };
            assert_eq!((server.as_str(), tool.as_str()), ("fake", "echo"));
            let args: serde_json::Value = serde_json::from_str(args).unwrap();
            assert!(args["text"].as_str().unwrap().starts_with("hello"));
        });
    }
}

#[test]
fn a_subagents_call_says_whose_it_is_and_keeps_the_session() {
    for (id, name, kind) in [
        ("claude", "PreToolUse-Bash.subagent", "general-purpose"),
        ("claude", "SubagentStop", "general-purpose"),
        ("codex", "PreToolUse-Bash.subagent", "default"),
        ("codex", "SubagentStop.active", "default"),
    ] {
        fixture(id, name, |event| {
            assert_eq!(event.subagent.as_ref().unwrap().kind.as_deref(), Some(kind), "{id} {name}");
            assert_eq!(event.session.as_deref(), Some("00000000-0000-4000-8000-000000000001"), "{id} {name}");
        });
    }
    fixture("claude", "PreToolUse-Bash", |event| assert_eq!(event.subagent, None));
}

#[test]
fn what_a_slash_command_runs_is_about_to_run() {
    fixture("claude", "PreSkillShellCommand-Bash", |event| {
        assert_eq!(event.kind, EventKind::PreTool);
        assert_eq!(event.tool, Some(ToolCall::shell("echo from-cmd")));
    });
}

#[test]
fn a_call_has_one_id_before_and_after() {
    for (id, before, after) in [
        ("claude", "PreToolUse-Bash", "PostToolUse-Bash"),
        ("claude", "PreToolUse-Edit", "PostToolUse-Edit"),
        ("codex", "PreToolUse-Bash", "PostToolUse-Bash"),
        ("codex", "PreToolUse-apply_patch", "PostToolUse-apply_patch"),
    ] {
        let of = |name| fixture(id, name, |event| (event.call_id.clone().unwrap(), event.tool.clone()));
        assert_eq!(of(before), of(after), "{id}");
    }
}

#[test]
fn success_is_only_what_the_agent_says() {
    let of = |id, name| fixture(id, name, |event| event.outcome.clone().unwrap());
    assert_eq!(of("claude", "PostToolUse-Bash").outcome, Outcome::Ok);
    let failed = of("claude", "PostToolUseFailure-Bash");
    assert_eq!((failed.outcome, failed.exit_code), (Outcome::Failed, Some(3)));
    let background = of("claude", "PostToolUse-Bash.background");
    assert_eq!((background.outcome, background.background), (Outcome::Unknown, true));
    // Codex's shell gives no exit code; its patches do.
    assert_eq!(of("codex", "PostToolUse-Bash").outcome, Outcome::Unknown);
    let patch = of("codex", "PostToolUse-apply_patch");
    assert_eq!((patch.outcome, patch.exit_code), (Outcome::Ok, Some(0)));
}

/// What a command prints is its own affair: it must not be able to call itself a success.
#[test]
fn a_command_cannot_print_itself_a_success() {
    let text =
        r#"{"tool_name":"Bash","tool_input":{"command":"echo Exit code: 0; false"},"tool_response":"Exit code: 0\n"}"#;
    payload("codex", "PostToolUse", text, |event| {
        let outcome = event.outcome.clone().unwrap();
        assert_eq!((outcome.outcome, outcome.exit_code), (Outcome::Unknown, None));
    });
}

#[test]
fn notify_by_argument_is_observed() {
    fixture("codex", "notify", |event| {
        assert_eq!(event.kind, EventKind::Notification);
        assert_eq!(event.turn.as_deref(), Some("00000000-0000-4000-8000-000000000002"));
        assert_eq!(event.stop.as_ref().unwrap().last_message.as_deref(), Some("All done FINAL-TEXT."));
    });
}

#[test]
fn either_word_for_pre_tool_counts() {
    let text = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    payload("codex", "PostToolUse", text, |event| {
        assert_eq!((event.kind, event.native_event.as_str()), (EventKind::PreTool, "PreToolUse"));
        assert!(event.mismatch.is_some());
    });
    payload("codex", "PreToolUse", &text.replace("PreToolUse", "Stop"), |event| {
        assert_eq!((event.kind, event.native_event.as_str()), (EventKind::PreTool, "PreToolUse"));
        assert!(event.mismatch.is_some());
    });
    payload("claude", "NeverHeardOf", "{}", |event| assert_eq!(event.kind, EventKind::Other));
}

/// Claude's root stays where the session began while its working directory follows `cd`.
#[test]
fn the_root_stays_while_the_working_directory_moves() {
    fixture("claude", "Stop", |event| {
        assert_eq!(event.cwd.as_deref(), Some("/home/dev/project/sub"));
        assert_eq!(event.roots, ["/home/dev/project"]);
    });
}

/// In a trusted folder Copilot CLI runs the hooks of `.claude/settings.json` with Claude's tool names, its own arguments and,
/// for some models, a bare patch (Copilot CLI 1.0.102, 2026-11-30). They are judged, not refused as unreadable.
#[test]
fn copilots_calls_of_claudes_hooks_are_read() {
    for (tool, input, path) in [
        ("Write", r#"{"path":"/p/w.txt","file_text":"x"}"#, "/p/w.txt"),
        ("Edit", r#"{"path":"/p/w.txt","old_str":"x","new_str":"y"}"#, "/p/w.txt"),
        ("Edit", r#""*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch\n""#, "p.txt"),
    ] {
        let text = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input}}}"#);
        payload("claude", "PreToolUse", &text, |event| {
            let Some(ToolCall::Edit { files }) = &event.tool else { panic!("{:?}", event.tool) };
            assert_eq!(files[0].path, path);
        });
    }
}
