//! What each event is to the ledger.

use hookguard_adapter::Adapter;
use hookguard_core::{Prompt, Stop, Subagent, ToolOutcome};

use super::*;

fn event(kind: EventKind) -> Event<'static> {
    let mut event = Event::new(kind, "claude", "x", b"");
    event.cwd = Some("/home/dev/project".into());
    event.session = Some("s".into());
    event
}

fn change(path: &str, change: Change) -> FileChange {
    added(path, change, "")
}

fn added(path: &str, change: Change, added: &str) -> FileChange {
    FileChange { path: path.into(), change, added: added.into() }
}

fn outcome(outcome: Outcome, exit_code: Option<i32>, output: &str) -> Option<ToolOutcome> {
    let output = Some(output.to_owned());
    Some(ToolOutcome { outcome, exit_code, output, changed: Vec::new(), interrupted: false, background: false })
}

#[test]
fn a_users_prompt_starts_a_turn_and_a_machines_does_not() {
    let mut prompt = event(EventKind::Prompt);
    for (text, author, want) in [
        ("please fix it", PromptAuthor::User, true),
        ("  ", PromptAuthor::User, false),
        ("<task-notification>", PromptAuthor::Machine, false),
    ] {
        prompt.prompt = Some(Prompt { text: text.into(), author });
        assert_eq!(!happened(&prompt).is_empty(), want, "{text}");
    }
    let secret = format!("use ghp_{} please", "aZ9".repeat(12));
    prompt.prompt = Some(Prompt { text: secret.clone(), author: PromptAuthor::User });
    let [What::Turn { prompt }] = &happened(&prompt)[..] else { panic!("no turn") };
    assert!(prompt.contains("***") && !prompt.contains(&secret[4..20]), "{prompt}");
}

#[test]
fn edits_have_absolute_paths_and_both_ends_of_a_move() {
    let mut post = event(EventKind::PostTool);
    post.tool = Some(ToolCall::Edit {
        files: vec![
            change("./src/a.rs", Change::Update),
            change("/tmp/b", Change::Write),
            added("c", Change::Move { to: "d".into() }, "moved"),
            change("e", Change::Delete),
        ],
    });
    post.outcome = outcome(Outcome::Ok, None, "");
    let [What::Edit { files, added, cut, ok }] = &happened(&post)[..] else { panic!("no edit") };
    let project = "/home/dev/project";
    let paths = ["src/a.rs", "c", "d", "e"].map(|name| format!("{project}/{name}"));
    assert_eq!(files, &[&paths[..1], &["/tmp/b".to_owned()], &paths[1..]].concat());
    assert_eq!(added, &["", "", "", "moved", ""]);
    assert_eq!((*cut, *ok), (false, Some(true)));
}

#[test]
fn what_an_edit_adds_is_kept_in_whole_lines_and_without_secrets() {
    let mut post = event(EventKind::PostTool);
    post.outcome = outcome(Outcome::Ok, None, "");
    let secret = format!("ghp_{}", "aZ9".repeat(12));
    let line = "é".repeat(40) + "\n";
    let mut edited = |texts: &[&str]| {
        let files = texts.iter().map(|text| added("/p/a", Change::Write, text)).collect();
        post.tool = Some(ToolCall::Edit { files });
        match happened(&post).remove(0) {
            What::Edit { added, cut, .. } => (added, cut),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(edited(&["one\n// two"]), (vec!["one\n// two".to_owned()], false));
    let (texts, cut) = edited(&[&line.repeat(200), "short", &format!("key = {secret}"), &"x".repeat(3000)]);
    assert!(cut && texts[0].len() <= 2000 && texts[0].len() > 1900 && line.repeat(200).starts_with(&texts[0]));
    assert!(texts[0].ends_with('é') && texts[1] == "short" && !texts[2].contains(&secret) && texts[3].is_empty());
    let many = vec!["y\n".repeat(1000); 100];
    let (texts, cut) = edited(&many.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(cut && texts.len() == 100 && texts.concat().len() <= 64 * 1024, "{}", texts.concat().len());
}

#[test]
fn a_command_with_its_result() {
    let mut post = event(EventKind::PostTool);
    post.tool = Some(ToolCall::shell("PGPASSWORD=hunter22 psql"));
    post.outcome = outcome(Outcome::Failed, Some(3), &format!("{}\nlast line\n", "x".repeat(5000)));
    let [What::Command { command, cwd, exit, ok, tail, background: false }] = &happened(&post)[..] else {
        panic!("no command")
    };
    assert!(!command.contains("hunter22"), "{command}");
    assert_eq!((cwd.as_deref(), *exit, *ok), (Some("/home/dev/project"), Some(3), Some(false)));
    assert!(tail.as_ref().is_some_and(|tail| tail.len() <= 2000 && tail.ends_with("last line")), "{tail:?}");
}

#[test]
fn files_that_a_command_changed_are_edits_where_the_agent_says_so() {
    let mut post = event(EventKind::PostTool);
    post.tool = Some(ToolCall::shell("sed -i s/a/b/ a.rs"));
    post.outcome = outcome(Outcome::Ok, None, "");
    assert_eq!(happened(&post).len(), 1);
    if let Some(outcome) = &mut post.outcome {
        outcome.changed = vec!["/home/dev/project/a.rs".into()];
    }
    let files = vec!["/home/dev/project/a.rs".to_owned()];
    let edit = What::Edit { files, added: vec![], cut: false, ok: Some(true) };
    assert_eq!(happened(&post)[0], edit);
}

#[test]
fn a_command_whose_end_may_not_be_told_is_known_before_it_runs_unless_it_is_refused() {
    let (codex, claude) = (hookguard_codex::ADAPTER.profile(), hookguard_claude::ADAPTER.profile());
    let mut pre = event(EventKind::PreTool);
    pre.tool = Some(ToolCall::shell("sleep 30; make"));
    let [What::Command { command, exit: None, ok: None, tail: None, background: false, .. }] =
        &started(codex, &pre, &Told::Nothing)[..]
    else {
        panic!("no command")
    };
    assert_eq!(command, "sleep 30; make");
    assert!(started(claude, &pre, &Told::Nothing).is_empty(), "its end is always told");
    assert!(started(codex, &pre, &Told::Deny("no".into())).is_empty());
    pre.tool = Some(shell("apply_patch <<EOF\n*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\nEOF"));
    assert!(matches!(&started(codex, &pre, &Told::Nothing)[..], [What::Edit { ok: None, .. }, What::Command { .. }]));
    pre.tool = Some(ToolCall::Read { paths: vec!["a".into()] });
    assert!(started(codex, &pre, &Told::Nothing).is_empty());
}

fn shell(command: &str) -> ToolCall {
    let patch = hookguard_core::heredoc_patch(command);
    ToolCall::Shell { command: command.into(), cwd: None, dialect: hookguard_core::Dialect::Posix, patch }
}

#[test]
fn a_patch_in_a_command_is_an_edit_where_it_is_applied() {
    let mut post = event(EventKind::PostTool);
    post.outcome = outcome(Outcome::Unknown, None, "");
    let patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch";
    for (command, file) in [
        (format!("apply_patch <<'EOF'\n{patch}\nEOF"), Some("/home/dev/project/a.txt")),
        (format!("cd sub && apply_patch <<'EOF'\n{patch}\nEOF"), Some("/home/dev/project/sub/a.txt")),
        (format!("cd /tmp; /opt/bin/applypatch '{patch}'"), Some("/tmp/a.txt")),
        (format!("cd \"$X\" && apply_patch <<'EOF'\n{patch}\nEOF"), Some("a.txt")),
        (format!("git commit -F - <<'EOF'\nhow apply_patch works:\n{patch}\nEOF"), None),
        (format!("cat > notes.md <<'EOF'\napply_patch <<X\n{patch}\nX\nEOF"), None),
    ] {
        post.tool = Some(shell(&command));
        let files = match &happened(&post)[..] {
            [What::Edit { files, added, .. }, What::Command { .. }] => {
                assert_eq!(added, &["one"], "{command}");
                files.clone()
            }
            [What::Command { .. }] => Vec::new(),
            other => panic!("{command}: {other:?}"),
        };
        assert_eq!(files.first().map(String::as_str), file, "{command}");
    }
}

#[test]
fn a_subagents_end_is_its_last_report_and_nobodys_is_nothing() {
    let mut stop = event(EventKind::SubagentStop);
    stop.stop = Some(Stop { last_message: Some("I ran nothing.".into()), ..Stop::default() });
    assert!(happened(&stop).is_empty());
    stop.subagent = Some(Subagent { id: "a".into(), kind: None });
    assert_eq!(happened(&stop), [What::Subagent { report: "I ran nothing.".into() }]);
    stop.stop = None;
    assert!(happened(&stop).is_empty());
}

#[test]
fn the_end_of_a_text_is_cut_at_a_line_and_a_character() {
    assert_eq!(end_of("short\n\n", 100), "short");
    let long = format!("{}\né{}", "a".repeat(300), "b".repeat(80));
    assert_eq!(end_of(&long, 100), format!("é{}", "b".repeat(80)));
    assert!(end_of(&"é".repeat(300), 101).len() <= 101);
}
