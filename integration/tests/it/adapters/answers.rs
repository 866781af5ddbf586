//! Every verdict, fitted to every event of every agent and written as its answer: one table an agent, and the rules that
//! no table may break.

use std::fmt::Write;

use hookguard_adapter::{EventRow, Failure, HookCall, Posture, Reply};
use hookguard_core::{
    Change, Decision, Event, EventKind, FileChange, Moment, Prompt, PromptAuthor, Stop, ToolCall, Verdict, fit,
};
use serde_json::Value;

use super::{SUBJECTS, Subject, subject};

/// The verdicts that differ in what the agent is told.
fn verdicts() -> Vec<(&'static str, Verdict)> {
    let of = |decision| Verdict {
        decision,
        rule: "git.push.force".into(),
        reason: "a force push rewrites what others have.".into(),
        instead: "push to a new branch.".into(),
        ..Verdict::default()
    };
    vec![
        ("none", Verdict::none()),
        ("allow", Verdict::allow()),
        ("warn", of(Decision::Warn)),
        ("ask", of(Decision::Ask)),
        ("deny", of(Decision::Deny)),
        ("rewrite", Verdict { rewrite: Some("git push --force-with-lease".into()), ..of(Decision::Deny) }),
        ("feedback", Verdict { feedback: Some("src/a.ts:3: \"é\" is not defined".into()), ..Verdict::none() }),
        ("resume", Verdict { resume: Some("No test has run since the last edit.".into()), ..Verdict::none() }),
    ]
}

/// The calls of an event that an answer can differ for.
fn tools(row: &EventRow) -> Vec<Option<ToolCall>> {
    match row.kind {
        EventKind::PreTool | EventKind::PostTool | EventKind::PermissionRequest => vec![
            Some(ToolCall::shell("git push --force")),
            Some(ToolCall::Edit {
                files: vec![FileChange { path: "a.txt".into(), change: Change::Create, added: "x".into() }],
            }),
        ],
        _ => vec![None],
    }
}

struct Answer<'a> {
    agent: &'static str,
    row: &'static EventRow,
    attended: bool,
    verdict: &'static str,
    tool: Option<&'a ToolCall>,
    reply: Reply,
    /// Whether the message waits in the session's queue.
    waits: bool,
}

impl Answer<'_> {
    /// Standard output as JSON; `None` for silence. Anything else is a fault.
    fn json(&self) -> Option<Value> {
        let Reply { stdout, stderr, exit } = &self.reply;
        assert_eq!((stderr.as_str(), *exit), ("", 0), "{self}");
        assert!(stdout.is_ascii(), "{self}");
        let value: Option<Value> = (!stdout.is_empty())
            .then(|| serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{self}: {error}")));
        assert!(value.as_ref().is_none_or(Value::is_object), "{self}");
        value
    }
}

impl std::fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}: {}", self.agent, self.row.native, self.verdict, self.reply.stdout)
    }
}

/// An event as the agent would report it: written by the adapter, and read again. `None` where it has no such tool.
fn reported<T>(
    subject: &Subject,
    row: &EventRow,
    tool: Option<&ToolCall>,
    attended: bool,
    with: impl FnOnce(&Event<'_>, &HookCall<'_>) -> T,
) -> Option<T> {
    let mut event = Event::new(row.kind, subject.id(), row.native, b"");
    event.session = Some("session".into());
    event.cwd = Some("/home/dev/project".into());
    event.tool = tool.cloned();
    event.stop = (row.kind.moment() == Moment::Stop).then(Stop::default);
    event.prompt = (row.kind == EventKind::Prompt).then(|| Prompt { text: "do it".into(), author: PromptAuthor::User });
    let payload = subject.adapter.sample(&event)?;
    let (stdin, argv) = if row.by_argument { ("", vec![payload]) } else { (payload.as_str(), Vec::new()) };
    let variables = subject.environment(attended);
    let call = HookCall { event: row.native, stdin: stdin.as_bytes(), argv: &argv, cwd: None, variables: &variables };
    let event = subject.adapter.parse(&call).unwrap_or_else(|error| panic!("{} {}: {error}", subject.id(), row.native));
    assert_eq!(event.attended, attended);
    assert_eq!(event.tool.as_ref().map(ToolCall::class), tool.map(ToolCall::class));
    Some(with(&event, &call))
}

/// Every answer that the agent can get.
fn every_answer(subject: &Subject, mut with: impl FnMut(&Answer<'_>)) {
    let failures = [
        ("unreadable", Failure::Unreadable("it is cut off".into())),
        ("broken", Failure::Broken("a stall of \"5 s\"".into())),
    ];
    let profile = subject.adapter.profile();
    // What comes by argument is not answered.
    for row in profile.events.iter().filter(|row| !row.by_argument) {
        let mut reports = 0;
        for tool in tools(row) {
            for &attended in subject.presences() {
                let answer = |verdict, reply, waits| Answer {
                    agent: subject.id(),
                    row,
                    attended,
                    verdict,
                    tool: tool.as_ref(),
                    reply,
                    waits,
                };
                let done = reported(subject, row, tool.as_ref(), attended, |event, call| {
                    for (name, verdict) in &verdicts() {
                        let class = event.tool.as_ref().map(ToolCall::class);
                        let can = profile.capabilities(row.native, class, attended);
                        let fitted = fit(verdict, row.kind.moment(), &can);
                        with(&answer(name, subject.adapter.render(event, &fitted), fitted.queued.is_some()));
                    }
                    for (name, failure) in &failures {
                        let reply = subject.adapter.render_failure(call, failure, Posture::of(row.kind));
                        with(&answer(name, reply, false));
                    }
                });
                reports += usize::from(done.is_some());
            }
        }
        assert!(reports > 0, "{} can't write a {}", subject.id(), row.native);
    }
}

/// The rows of one or more events: the verdicts, and what all of them become.
struct Block {
    headings: Vec<String>,
    rows: Vec<(Vec<&'static str>, String)>,
}

/// The table: for each event (and tool, and presence of a human) what each verdict becomes. Equal rows stand together.
#[test]
fn answers_are_those_that_were_seen_to_work() {
    for subject in SUBJECTS {
        let mut blocks: Vec<Block> = Vec::new();
        every_answer(subject, |answer| {
            let tool = answer.tool.map(|tool| format!(", {}", tool.class())).unwrap_or_default();
            let presence = if answer.attended { ", attended" } else { "" };
            let heading = format!("{}{tool}{presence}", answer.row.native);
            let waits = if answer.waits { "silence now; it waits for the next chance" } else { "silence" };
            let said = if answer.reply.stdout.is_empty() { waits.to_owned() } else { answer.reply.stdout.clone() };
            if blocks.last().is_none_or(|block| block.headings[0] != heading) {
                blocks.push(Block { headings: vec![heading], rows: Vec::new() });
            }
            let rows = &mut blocks.last_mut().unwrap().rows;
            match rows.iter_mut().find(|(_, other)| *other == said) {
                Some((verdicts, _)) => verdicts.push(answer.verdict),
                None => rows.push((vec![answer.verdict], said)),
            }
        });
        blocks.dedup_by(|next, kept| {
            let same = next.rows == kept.rows;
            if same {
                kept.headings.append(&mut next.headings);
            }
            same
        });
        let mut table = String::new();
        for block in blocks {
            writeln!(table, "{}", block.headings.join(" | ")).unwrap();
            for (verdicts, said) in block.rows {
                writeln!(table, "  {}: {said}", verdicts.join(", ")).unwrap();
            }
        }
        subject.snapshots().bind(|| insta::assert_snapshot!("answers", table));
    }
}

#[test]
fn stdout_is_one_ascii_object_or_nothing_and_no_opinion_is_silence() {
    for subject in SUBJECTS {
        every_answer(subject, |answer| {
            let json = answer.json();
            if matches!(answer.verdict, "none" | "allow") {
                assert_eq!(json, None, "{answer}");
            }
        });
    }
}

/// Before a tool, what must not run does not run, and a call that could not be judged neither.
#[test]
fn a_refusal_is_never_lost() {
    for subject in SUBJECTS {
        every_answer(subject, |answer| {
            let before = answer.row.kind == EventKind::PreTool;
            let closed = matches!(answer.verdict, "ask" | "deny" | "unreadable" | "broken");
            if before && closed {
                let json = answer.json().unwrap_or_else(|| panic!("{answer}: silence"));
                let decision = &json["hookSpecificOutput"]["permissionDecision"];
                let wanted: &[&str] = if answer.verdict == "deny" { &["deny"] } else { &["ask", "deny"] };
                assert!(wanted.iter().any(|wanted| decision == wanted), "{answer}");
            }
            if !before && matches!(answer.verdict, "unreadable" | "broken") {
                assert_eq!(answer.json(), None, "{answer}");
            }
        });
    }
}

/// `allow` would skip the user's own permission prompt; `ask` without a human is a refusal that names nobody to turn to
/// (Claude Code 2.1.332, 2026-11-30).
#[test]
fn claude_is_never_told_allow_and_asks_only_a_human() {
    every_answer(subject("claude"), |answer| {
        let Some(json) = answer.json() else { return };
        let said = json.to_string();
        for word in ["\"allow\"", "\"approve\"", "\"continue\""] {
            assert!(!said.contains(word), "{answer}");
        }
        if json["hookSpecificOutput"]["permissionDecision"] == "ask" {
            assert!(answer.attended, "{answer}");
        }
        if let Some(specific) = json.get("hookSpecificOutput") {
            assert_eq!(specific["hookEventName"], answer.row.native, "{answer}");
        }
    });
}

/// One unknown key, an empty reason or a missing event's name, and Codex takes the answer for none
/// (codex-cli 0.171.0, 2026-11-30).
#[test]
fn codex_gets_only_what_its_schema_knows() {
    every_answer(subject("codex"), |answer| {
        let Some(json) = answer.json() else { return };
        let object = json.as_object().unwrap();
        let keys: Vec<&str> = object.keys().map(String::as_str).collect();
        if object.contains_key("decision") {
            assert!(matches!(answer.row.native, "Stop" | "SubagentStop" | "PostToolUse"), "{answer}");
            assert_eq!(keys, ["decision", "reason"], "{answer}");
            assert_eq!(json["decision"], "block", "{answer}");
            assert!(!json["reason"].as_str().unwrap().is_empty(), "{answer}");
            return;
        }
        assert!(keys.iter().all(|key| ["hookSpecificOutput", "systemMessage"].contains(key)), "{answer}");
        let Some(specific) = json.get("hookSpecificOutput") else { return };
        assert_eq!(specific["hookEventName"], answer.row.native, "{answer}");
        let known: &[&str] = match answer.row.native {
            "PreToolUse" => &["hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"],
            "PermissionRequest" => &["hookEventName", "decision"],
            _ => &["hookEventName", "additionalContext"],
        };
        let specific = specific.as_object().unwrap();
        assert!(specific.keys().all(|key| known.contains(&key.as_str())), "{answer}");
        if let Some(decision) = specific.get("permissionDecision") {
            assert_eq!(decision, "deny", "{answer}");
            assert!(!specific["permissionDecisionReason"].as_str().unwrap().is_empty(), "{answer}");
        }
    });
}

/// At a permission request a human is asked anyway: an `ask` leaves it at that.
#[test]
fn a_permission_request_is_left_to_the_human() {
    for subject in SUBJECTS {
        every_answer(subject, |answer| {
            if answer.row.kind == EventKind::PermissionRequest && answer.verdict == "ask" {
                assert_eq!(answer.json(), None, "{answer}");
            }
        });
    }
}

/// A rewrite is given where the agent was seen to take it, with all the other arguments kept; everywhere else the refusal
/// shows the replacement.
#[test]
fn a_rewrite_replaces_the_command_or_is_shown() {
    for subject in SUBJECTS {
        every_answer(subject, |answer| {
            if answer.verdict != "rewrite" || answer.row.kind != EventKind::PreTool {
                return;
            }
            let specific = answer.json().unwrap()["hookSpecificOutput"].clone();
            match specific.get("updatedInput") {
                Some(input) => {
                    assert_eq!(subject.id(), "claude", "{answer}");
                    assert_eq!(input["command"], "git push --force-with-lease", "{answer}");
                }
                None => {
                    assert_eq!(specific["permissionDecision"], "deny", "{answer}");
                    assert!(specific["permissionDecisionReason"].as_str().unwrap().contains("--force-with-lease"));
                }
            }
        });
    }
}

/// Where the rewriting can't be done (another agent's tool that was only known by its arguments), the call is refused.
#[test]
fn a_rewrite_that_cannot_be_written_is_a_refusal() {
    let claude = subject("claude");
    let verdict = verdicts().into_iter().find(|(name, _)| *name == "rewrite").unwrap().1;
    for payload in [
        r#"{"tool_name":"exec_command","tool_input":{"cmd":"git push --force"}}"#,
        r#"{"tool_name":"Bash","tool_input":{"command":["git","push","--force"]}}"#,
    ] {
        let call = HookCall { event: "PreToolUse", stdin: payload.as_bytes(), ..HookCall::default() };
        let event = claude.adapter.parse(&call).unwrap();
        let can = claude.adapter.profile().capabilities("PreToolUse", event.tool.as_ref().map(ToolCall::class), false);
        let fitted = fit(&verdict, Moment::Before, &can);
        let reply = claude.adapter.render(&event, &fitted);
        assert!(reply.stdout.contains(r#""permissionDecision":"deny""#), "{payload}: {reply:?}");
    }
}
