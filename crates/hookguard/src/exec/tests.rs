//! Policies asked about events: who is asked, what a script's word counts, what its failure means.

use hookguard_core::{Change, FileChange, Outcome, Stop, ToolOutcome};

use super::*;

fn policy(on: PolicyMoment, form: PolicyForm, command: &str) -> ExecPolicy {
    ExecPolicy {
        id: "team.guard".into(),
        on,
        tools: Vec::new(),
        matcher: None,
        command: command.into(),
        form,
        timeout_ms: 5_000,
        on_failure: None,
    }
}

fn pre(command: &str) -> ExecPolicy {
    policy(PolicyMoment::PreTool, PolicyForm::Event, command)
}

fn stage() -> Stage<'static> {
    Stage { root: Some("/"), until: Instant::now() + Duration::from_secs(20) }
}

fn shell(kind: EventKind) -> Event<'static> {
    let mut event = Event::new(kind, "codex", "x", b"{}");
    event.tool = Some(ToolCall::shell("git push"));
    event.cwd = Some("/".into());
    if kind == EventKind::PostTool {
        event.outcome = Some(ToolOutcome {
            outcome: Outcome::Unknown,
            exit_code: None,
            output: Some("printed".into()),
            changed: Vec::new(),
            interrupted: false,
            background: false,
        });
    }
    if kind == EventKind::Stop {
        event.tool = None;
        event.stop = Some(Stop { active: Some(false), last_message: Some("done".into()), background_tasks: 0 });
    }
    event
}

fn edit(files: &[(&str, Change)]) -> Event<'static> {
    let files = files.iter().map(|(path, change)| FileChange {
        path: (*path).to_owned(),
        change: change.clone(),
        added: "new".into(),
    });
    Event { tool: Some(ToolCall::Edit { files: files.collect() }), ..shell(EventKind::PreTool) }
}

#[test]
fn a_script_is_told_of_the_event_and_its_verdict_counts() {
    let script =
        r#"grep -q '"command":"git push"' && echo '{"decision":"deny","reason":"NO","instead":"ask","rule":"push"}'"#;
    let verdict = ask(&[pre(script)], &shell(EventKind::PreTool), &stage()).verdict;
    assert_eq!((verdict.decision, &*verdict.rule), (Decision::Deny, "team.guard.push"));
    assert_eq!((&*verdict.reason, &*verdict.instead), ("NO", "ask"));
}

#[test]
fn an_allow_is_no_opinion_and_the_strictest_wins() {
    let allow = pre("echo '{\"decision\":\"allow\"}'");
    assert_eq!(ask(std::slice::from_ref(&allow), &shell(EventKind::PreTool), &stage()).verdict, Verdict::none());
    let say = |decision: &str| pre(&format!("echo '{{\"decision\":\"{decision}\"}}'"));
    let said = ask(&[say("warn"), allow, say("deny"), say("ask")], &shell(EventKind::PreTool), &stage());
    assert_eq!(said.verdict.decision, Decision::Deny);
    assert!(!said.verdict.reason.is_empty() && !said.verdict.instead.is_empty());
}

#[test]
fn a_failure_goes_by_the_posture() {
    use EventKind::{PostTool, PreTool, Stop};
    let failures = [
        "exit 1",
        "exit 127",
        "kill -9 $$",
        "echo garbage",
        "echo '{\"decision\":\"maybe\"}'",
        "sleep 30",
        "head -c 50000000 /dev/zero",
    ];
    for command in failures {
        for (kind, on, given, decision) in [
            (PreTool, PolicyMoment::PreTool, None, Decision::Ask),
            (PreTool, PolicyMoment::PreTool, Some(OnFailure::Open), Decision::None),
            (PostTool, PolicyMoment::PostTool, None, Decision::None),
            (PostTool, PolicyMoment::PostTool, Some(OnFailure::Closed), Decision::Warn),
            (Stop, PolicyMoment::Stop, None, Decision::None),
            (Stop, PolicyMoment::Stop, Some(OnFailure::Closed), Decision::Warn),
        ] {
            let failing = ExecPolicy { on_failure: given, timeout_ms: 300, ..policy(on, PolicyForm::Event, command) };
            let said = ask(&[failing], &shell(kind), &stage());
            assert_eq!(said.verdict.decision, decision, "{command} {kind} {given:?}: {said:?}");
            assert_eq!(said.notes.len(), 1, "{command}: {said:?}");
            assert!(said.notes[0].contains("team.guard"), "{said:?}");
        }
    }
}

#[test]
fn only_those_that_an_event_concerns_are_asked() {
    let deny = "echo '{\"decision\":\"deny\"}'";
    let for_edits = ExecPolicy { tools: vec![ToolClass::Edit], ..pre(deny) };
    let asked = |policy: &ExecPolicy, event: &Event<'_>| !tasks(policy, event).is_empty();
    assert!(!asked(&for_edits, &shell(EventKind::PreTool)));
    assert!(asked(&for_edits, &edit(&[("a", Change::Write)])));
    assert!(!asked(&for_edits, &shell(EventKind::PostTool)));
    assert!(!asked(&pre(deny), &shell(EventKind::PermissionRequest)));
    let at_stop = policy(PolicyMoment::Stop, PolicyForm::Event, deny);
    assert!(asked(&at_stop, &shell(EventKind::Stop)));
    assert!(!asked(&at_stop, &shell(EventKind::SubagentStop)));
    // A patch in a heredoc is an edit.
    let mut heredoc = shell(EventKind::PreTool);
    let patch = vec![FileChange { path: "a".into(), change: Change::Create, added: String::new() }];
    let command = "apply_patch <<EOF".to_owned();
    heredoc.tool = Some(ToolCall::Shell { command, cwd: None, dialect: hookguard_core::Dialect::Posix, patch });
    assert!(asked(&for_edits, &heredoc));
    let for_writes =
        ExecPolicy { matcher: Some("Write".into()), ..policy(PolicyMoment::PreTool, PolicyForm::Claude, deny) };
    assert_eq!(tasks(&for_writes, &heredoc).len(), 1);
}

#[test]
fn a_claude_script_sees_one_call_a_file_by_claudes_names() {
    let files = [
        ("new.php", Change::Create),
        ("/abs/old.php", Change::Update),
        ("gone.php", Change::Delete),
        ("from.php", Change::Move { to: "to.php".into() }),
    ];
    let event = Event { cwd: Some("/home/dev".into()), ..edit(&files) };
    let any =
        ExecPolicy { matcher: Some("Edit|Write".into()), ..policy(PolicyMoment::PreTool, PolicyForm::Claude, "true") };
    let seen = |event: &Event<'_>| -> Vec<String> {
        let shown = |task: Task<'_>| {
            let payload: serde_json::Value = serde_json::from_str(&task.input).unwrap();
            format!(
                "{} {}",
                payload["tool_name"].as_str().unwrap(),
                payload["tool_input"]["file_path"].as_str().unwrap()
            )
        };
        tasks(&any, event).into_iter().map(shown).collect()
    };
    assert_eq!(
        seen(&event),
        [
            "Write /home/dev/new.php",
            "Edit /abs/old.php",
            "Edit /home/dev/gone.php",
            "Edit /home/dev/from.php",
            "Write /home/dev/to.php"
        ]
    );
    assert!(tasks(&any, &shell(EventKind::PreTool)).is_empty());
}

#[test]
fn a_claude_script_s_words_reach_every_agent() {
    let refuse = policy(PolicyMoment::PreTool, PolicyForm::Claude, "echo 'not this way' >&2; exit 2");
    let verdict = ask(&[refuse], &shell(EventKind::PreTool), &stage()).verdict;
    assert_eq!((verdict.decision, &*verdict.reason), (Decision::Deny, "not this way"));
    let lint = policy(PolicyMoment::PostTool, PolicyForm::Claude, "echo 'syntax error' >&2; exit 2");
    let said = ask(&[lint.clone(), lint], &shell(EventKind::PostTool), &stage());
    let feedback = said.verdict.feedback.unwrap();
    assert_eq!(feedback, "hookguard [team.guard]: syntax error\nhookguard [team.guard]: syntax error");
    let stop =
        policy(PolicyMoment::Stop, PolicyForm::Claude, "echo '{\"decision\":\"block\",\"reason\":\"run the tests\"}'");
    let said = ask(&[stop], &shell(EventKind::Stop), &stage());
    assert_eq!(said.verdict.resume.as_deref(), Some("hookguard [team.guard]: run the tests"));
}

#[test]
fn a_thousand_files_are_not_a_thousand_processes_and_end_in_time() {
    let files: Vec<_> = (0..300).map(|at| (format!("{at}"), Change::Write)).collect();
    let files: Vec<(&str, Change)> = files.iter().map(|(path, change)| (path.as_str(), change.clone())).collect();
    let slow = policy(PolicyMoment::PreTool, PolicyForm::Claude, "sleep 30");
    let started = Instant::now();
    let stage = Stage { root: Some("/"), until: Instant::now() + Duration::from_millis(500) };
    let said = ask(&[slow], &edit(&files), &stage);
    assert_eq!(said.verdict.decision, Decision::Ask);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
