//! The answers of hook scripts, and what each is read as: the tables of `protocols/claude-codex.md` 3a to 3c.

use hookguard_core::{Decision, Event, EventKind};
use serde_json::json;

use super::answer::{Heard, read};
use super::report::Report;

/// What an answer is read as.
#[derive(Debug, PartialEq, Eq)]
enum As {
    Nothing,
    Deny(&'static str),
    Ask(&'static str),
    /// The model is told something and it goes on: after a tool feedback, at stop a reason to go on.
    Told(&'static str),
    Rewritten(&'static str),
    Failed,
}

fn report(event: &str) -> Report {
    Report {
        event: event.to_owned(),
        tool: Some("Bash".to_owned()),
        input: json!({ "command": "ls" }),
        payload: String::new(),
    }
}

fn check(kind: EventKind, native: &str, table: &[(Option<i32>, &str, &str, As)]) {
    for (exit, stdout, stderr, want) in table {
        let event = Event::new(kind, "other", "x", b"");
        let read = read(&event, &report(native), &Heard { exit: *exit, stdout, stderr });
        let what = format!("{native}: exit {exit:?}, stdout {stdout}, stderr {stderr}: {read:?}");
        match (want, read) {
            (As::Failed, Err(why)) => assert!(!why.is_empty(), "{what}"),
            (As::Nothing, Ok(verdict)) => assert_eq!(verdict.decision, Decision::None, "{what}"),
            (As::Deny(words), Ok(verdict)) => {
                assert_eq!((verdict.decision, &verdict.rewrite), (Decision::Deny, &None), "{what}");
                assert!(verdict.reason.contains(words) && !verdict.reason.is_empty(), "{what}");
                assert!(!verdict.instead.is_empty(), "{what}");
            }
            (As::Ask(words), Ok(verdict)) => {
                assert_eq!(verdict.decision, Decision::Ask, "{what}");
                assert!(verdict.reason.contains(words) && !verdict.reason.is_empty(), "{what}");
            }
            (As::Told(words), Ok(verdict)) => {
                assert_eq!(verdict.decision, Decision::Warn, "{what}");
                assert!(verdict.reason.contains(words) && !verdict.reason.is_empty(), "{what}");
            }
            (As::Rewritten(command), Ok(verdict)) => {
                assert_eq!((verdict.decision, verdict.rewrite.as_deref()), (Decision::Deny, Some(*command)), "{what}");
            }
            (_, _) => panic!("{what}"),
        }
    }
}

#[test]
fn before_a_tool() {
    let specific = |rest: &str| format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{rest}}}}}"#);
    let deny = specific(r#""permissionDecision":"deny","permissionDecisionReason":"JSON-REASON""#);
    let allow = specific(r#""permissionDecision":"allow""#);
    let bare = specific(r#""permissionDecision":"deny""#);
    let ask = specific(r#""permissionDecision":"ask","permissionDecisionReason":"R""#);
    let defer = specific(r#""permissionDecision":"defer""#);
    let maybe = specific(r#""permissionDecision":"maybe""#);
    let odd = specific(r#""permissionDecision":"deny","permissionDecisionReason":"R","unheard":1"#);
    let rewritten = specific(r#""permissionDecision":"allow","updatedInput":{"command":"ls -l"}"#);
    let alone = specific(r#""updatedInput":{"command":"ls -l"}"#);
    let unchanged = specific(r#""permissionDecision":"allow","updatedInput":{"command":"ls"}"#);
    let widened = specific(r#""updatedInput":{"command":"ls","run_in_background":true}"#);
    let both = specific(r#""permissionDecision":"deny","permissionDecisionReason":"R","updatedInput":{"command":"x"}"#);
    let context = specific(r#""additionalContext":"CONTEXT""#);
    let halted = format!(r#"{{"continue":false,{}"#, &deny[1..]);
    let wrong = deny.replace("PreToolUse", "PostToolUse");
    let nameless = r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}"#;
    check(
        EventKind::PreTool,
        "PreToolUse",
        &[
            (Some(0), "", "", As::Nothing),
            (Some(0), "checked, all is well", "", As::Nothing),
            (Some(0), "[1, 2]", "", As::Nothing),
            (Some(0), "{}", "", As::Nothing),
            (Some(0), r#"{"suppressOutput":true}"#, "", As::Nothing),
            (Some(0), r#"{"systemMessage":"for the user"}"#, "", As::Nothing),
            (Some(0), r#"{"continue":true}"#, "", As::Nothing),
            (Some(0), "", "noise", As::Nothing),
            (Some(2), "", "STDERR", As::Deny("STDERR")),
            (Some(2), "", "", As::Deny("no reason")),
            (Some(2), "reason on the wrong side", "", As::Deny("no reason")),
            (Some(2), &allow, "STDERR", As::Deny("STDERR")),
            (Some(2), &deny, "STDERR", As::Deny("JSON-REASON")),
            (Some(2), &context, "STDERR", As::Deny("STDERR")),
            (Some(2), "{broken", "STDERR", As::Deny("STDERR")),
            (Some(1), "", "why", As::Failed),
            (Some(127), "", "sh: 1: x: not found", As::Failed),
            (Some(1), "{}", "", As::Failed),
            (Some(1), &deny, "", As::Deny("JSON-REASON")),
            (None, "", "", As::Failed),
            (None, &deny, "", As::Failed),
            (Some(0), &deny, "", As::Deny("JSON-REASON")),
            (Some(0), &bare, "", As::Deny("no reason")),
            (Some(0), &odd, "", As::Deny("R")),
            (Some(0), &halted, "", As::Deny("JSON-REASON")),
            (Some(0), r#"{"decision":"block","reason":"LEGACY"}"#, "", As::Deny("LEGACY")),
            (Some(0), r#"{"decision":"block"}"#, "", As::Deny("no reason")),
            (Some(0), r#"{"decision":"approve","reason":"fine"}"#, "", As::Nothing),
            (Some(0), &allow, "", As::Nothing),
            (Some(0), &ask, "", As::Ask("R")),
            (Some(0), &defer, "", As::Ask("")),
            (Some(0), &rewritten, "", As::Rewritten("ls -l")),
            (Some(0), &alone, "", As::Rewritten("ls -l")),
            (Some(0), &unchanged, "", As::Nothing),
            (Some(0), &widened, "", As::Deny("another form")),
            (Some(0), &both, "", As::Deny("R")),
            (Some(0), &context, "", As::Told("CONTEXT")),
            (Some(0), r#"{"continue":false,"stopReason":"ENOUGH"}"#, "", As::Deny("ENOUGH")),
            // What Claude Code passes over in silence was meant as an answer: the policy's posture decides.
            (Some(0), nameless, "", As::Failed),
            (Some(0), &wrong, "", As::Failed),
            (Some(0), &maybe, "", As::Failed),
            (Some(0), r#"{"decision":"perhaps"}"#, "", As::Failed),
            (Some(0), r#"{"decision":7}"#, "", As::Failed),
            (Some(0), &deny[..40], "", As::Failed),
            (Some(0), &format!("checking\n{deny}"), "", As::Failed),
            (Some(0), &format!("{deny}\ndone"), "", As::Failed),
            (Some(0), "{garbage", "", As::Failed),
        ],
    );
    check(EventKind::PreTool, "PreSkillShellCommand", &[(Some(0), &deny, "", As::Deny("JSON-REASON"))]);
}

#[test]
fn after_a_tool() {
    let context = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"CONTEXT"}}"#;
    let output = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"other"}}"#;
    check(
        EventKind::PostTool,
        "PostToolUse",
        &[
            (Some(0), "", "", As::Nothing),
            (Some(0), "fine", "", As::Nothing),
            (Some(2), "", "syntax error", As::Told("syntax error")),
            (Some(2), "", "", As::Told("no reason")),
            (Some(0), r#"{"decision":"block","reason":"R"}"#, "", As::Told("R")),
            (Some(2), r#"{"decision":"block","reason":"R"}"#, "E", As::Told("R")),
            (Some(0), r#"{"decision":"block"}"#, "", As::Told("no reason")),
            (Some(0), context, "", As::Told("CONTEXT")),
            (Some(0), output, "", As::Nothing),
            (Some(0), r#"{"continue":false,"stopReason":"R"}"#, "", As::Told("R")),
            (Some(1), "", "", As::Failed),
            (Some(0), "{garbage", "", As::Failed),
            (None, "", "", As::Failed),
        ],
    );
}

#[test]
fn at_stop() {
    let context = r#"{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"CONTEXT"}}"#;
    check(
        EventKind::Stop,
        "Stop",
        &[
            (Some(0), "", "", As::Nothing),
            (Some(0), r#"{"decision":"approve"}"#, "", As::Nothing),
            (Some(2), "", "run the tests", As::Told("run the tests")),
            (Some(2), "", "", As::Told("no reason")),
            (Some(0), r#"{"decision":"block","reason":"R"}"#, "", As::Told("R")),
            (Some(0), r#"{"decision":"block"}"#, "", As::Told("no reason")),
            (Some(0), context, "", As::Told("CONTEXT")),
            (Some(0), r#"{"continue":false}"#, "", As::Nothing),
            (Some(0), r#"{"continue":false,"decision":"block","reason":"R"}"#, "", As::Nothing),
            (Some(0), r#"{"systemMessage":"hello"}"#, "", As::Nothing),
            (Some(1), "", "", As::Failed),
            (Some(127), "", "", As::Failed),
            (Some(0), "{garbage", "", As::Failed),
        ],
    );
}

#[test]
fn long_words_are_cut() {
    let event = Event::new(EventKind::PreTool, "other", "x", b"");
    let heard = Heard { exit: Some(2), stdout: "", stderr: &"é".repeat(50_000) };
    let verdict = read(&event, &report("PreToolUse"), &heard).unwrap();
    assert!(verdict.reason.len() <= 1500, "{}", verdict.reason.len());
}
