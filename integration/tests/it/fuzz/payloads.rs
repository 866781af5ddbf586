//! Payloads: every adapter reads whatever bytes come, an answer can be written to what was read, and a call that is about
//! to run a tool never becomes one that nobody looks at.

use hookguard_adapter::{Failure, HookCall, Posture, Reply};
use hookguard_core::{Verdict, fit};
use hookguard_policy::{Context, decide};

use super::bytes::Mutator;
use super::{run, seed};
use crate::adapters::SUBJECTS;

const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\\udc00",
    b"\\u",
    b"null",
    b"true",
    b"0",
    b"-1",
    b"1e999",
    b"123456789012345678901234567890",
    b"\"tool_name\":\"Bash\",",
    b"\"tool_input\":{\"command\":\"ls\"},",
    b"\"tool_input\":null,",
    b"\"command\":[\"bash\",\"-lc\",\"x\"],",
    b"\"hook_event_name\":\"PreToolUse\",",
    b"\"cwd\":\"\",",
    b"{\"a\":",
    b"[[",
    b" ",
    b"\n",
    b"\0",
    b"\x1b",
    b"\xff",
    b"\xc3\xa9",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"*** Begin Patch\\n*** Add File: x\\n",
];

#[test]
fn payloads_are_read_within_bounds() {
    let mut targets = Vec::new();
    for subject in SUBJECTS {
        let seeds: Vec<Vec<u8>> = subject.fixtures().into_iter().map(|fixture| fixture.payload.into_bytes()).collect();
        let events: Vec<&str> = subject.adapter.profile().events.iter().map(|row| row.native).collect();
        targets.push((subject, seeds, events));
    }
    let mut mutator = Mutator::new(seed(), PIECES);
    let (mut read, mut judged) = (0, 0);
    let count = run(3_000, || {
        let (subject, seeds, events) = &targets[mutator.below(targets.len())];
        let event = if mutator.below(20) == 0 { "NoSuchEvent" } else { events[mutator.below(events.len())] };
        let payload = mutator.bytes(seeds);
        let argument = vec![String::from_utf8_lossy(&payload).into_owned()];
        let by_argument = subject.adapter.profile().event(event).is_some_and(|row| row.by_argument);
        let variables = subject.environment(mutator.below(2) == 0);
        let call = HookCall {
            event,
            stdin: if by_argument { b"" } else { &payload },
            argv: if by_argument { &argument } else { &[] },
            cwd: (mutator.below(4) > 0).then_some("/home/dev/project"),
            variables: &variables,
        };
        match subject.adapter.parse(&call) {
            Ok(event) => {
                read += 1;
                let context =
                    Context { home: Some("/home/dev"), root: Some("/home/dev/project"), ..Context::default() };
                let outcome = decide(&event, &context);
                judged += usize::from(outcome.verdict != Verdict::none());
                let class = event.tool.as_ref().map(hookguard_core::ToolCall::class);
                let capabilities = subject.adapter.profile().capabilities(&event.native_event, class, event.attended);
                let fitted = fit(&outcome.verdict, event.kind.moment(), &capabilities);
                check(&subject.adapter.render(&event, &fitted), &payload);
            }
            Err(error) => {
                for posture in [Posture::Closed, Posture::Open] {
                    let failure = Failure::Unreadable(error.to_string());
                    check(&subject.adapter.render_failure(&call, &failure, posture), &payload);
                }
            }
        }
    });
    assert!(read > count / 10 && judged > 0, "{read} of {count} read, {judged} judged");
}

/// Standard output is one JSON document in ASCII, or nothing.
fn check(reply: &Reply, payload: &[u8]) {
    if reply.stdout.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(payload);
    assert!(reply.stdout.is_ascii(), "{:?} for {text:?}", reply.stdout);
    assert!(serde_json::from_str::<serde_json::Value>(&reply.stdout).is_ok(), "{:?} for {text:?}", reply.stdout);
}
