//! Transcripts: what each agent's own file says, and that no line can break the reader.

use hookguard_adapter::transcript::{Lines, Record, Said, Seen};
use hookguard_core::{Outcome, ToolCall};
use proptest::prelude::*;

use super::{SUBJECTS, Subject, subject, transcripts};

/// What a transcript says, and how many of its lines were read, passed over, broken.
fn read(subject: &Subject, bytes: &[u8]) -> (Vec<Record>, [usize; 3]) {
    let mut reader = subject.adapter.transcript().expect("a reader");
    let (mut records, mut count) = (Vec::new(), [0; 3]);
    let mut lines = Lines::default();
    let mut each = |line: &[u8]| {
        let seen = reader.line(line, &mut |record| records.push(record));
        count[match seen {
            Seen::Said => 0,
            Seen::Nothing => 1,
            Seen::Broken => 2,
        }] += 1;
    };
    lines.feed(bytes, &mut each);
    lines.finish(&mut each);
    reader.end(&mut |record| records.push(record));
    (records, count)
}

#[test]
fn every_recorded_transcript_is_read() {
    for subject in SUBJECTS {
        let transcripts = transcripts(subject);
        assert_eq!(transcripts.is_empty(), subject.adapter.transcript().is_none(), "{}", subject.id());
        for (name, bytes) in transcripts {
            let (records, [_, _, broken]) = read(subject, &bytes);
            assert_eq!(broken, 0, "{name}");
            let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
            subject.snapshots().bind(|| insta::assert_snapshot!(name, lines.join("\n")));
        }
    }
}

/// The same session in each: a command, one that fails, one that is refused, a file that is written.
#[test]
fn a_session_says_the_same_in_every_form() {
    for (id, name) in [("claude", "transcript"), ("codex", "transcript-direct"), ("codex", "transcript-code")] {
        let subject = subject(id);
        let (_, bytes) = transcripts(subject).into_iter().find(|(found, _)| found == name).expect("it is there");
        let (records, _) = read(subject, &bytes);
        assert!(records.iter().all(|record| record.at.is_some() && !record.subagent), "{name}");
        let calls: Vec<&ToolCall> = records
            .iter()
            .filter_map(|record| match &record.said {
                Said::Call { tool, cwd, .. } => {
                    assert_eq!(cwd.as_deref(), Some("/home/dev/project"), "{name}");
                    Some(tool)
                }
                _ => None,
            })
            .collect();
        let [echo, exit, sudo, ToolCall::Edit { files }] = calls.as_slice() else { panic!("{name}: {calls:#?}") };
        assert_eq!(**echo, ToolCall::shell("echo ok"), "{name}");
        assert_eq!(**exit, ToolCall::shell("echo bad >&2; exit 3"), "{name}");
        assert_eq!(**sudo, ToolCall::shell("sudo ls"), "{name}");
        assert!(files.len() == 1 && files[0].path.ends_with("new.txt") && files[0].added.starts_with("one"), "{name}");
        let ends: Vec<(Outcome, Option<i32>)> = records
            .iter()
            .filter_map(|record| match &record.said {
                Said::Result { outcome, .. } => Some((outcome.outcome, outcome.exit_code)),
                _ => None,
            })
            .collect();
        assert_eq!(ends.len(), 4, "{name}: {ends:?}");
        assert_eq!(
            (ends[0].0, ends[1], ends[2].0, ends[3].0),
            (Outcome::Ok, (Outcome::Failed, Some(3)), Outcome::Failed, Outcome::Ok),
            "{name}"
        );
        let texts: Vec<&str> = records
            .iter()
            .filter_map(|record| match &record.said {
                Said::UserText(text) | Said::AssistantText(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(texts, ["Please do it.", "I begin.", "That is all for now."], "{name}");
    }
}

#[test]
fn machines_words_begin_no_turn() {
    let claude = subject("claude");
    for (line, machine) in [
        (r#"{"message":{"role":"user","content":"go on"}}"#, false),
        (r#"{"message":{"role":"user","content":[{"type":"text","text":"go on"},{"type":"image"}]}}"#, false),
        (r#"{"isMeta":true,"message":{"role":"user","content":"Stop hook feedback: x"}}"#, true),
        (r#"{"isSidechain":true,"message":{"role":"user","content":"your task"}}"#, true),
        (r#"{"message":{"role":"user","content":"<task-notification>x"}}"#, true),
    ] {
        let (records, _) = read(claude, line.as_bytes());
        assert_eq!(records.len(), 1, "{line}");
        assert_eq!(matches!(records[0].said, Said::MachineText(_)), machine, "{line}");
    }
}

/// A call of a script that is told early, because its script ended first, is not told again when it runs after all; what is
/// computed in a script is seen when it runs.
#[test]
fn a_call_of_a_script_is_told_once() {
    let script = |id: &str, code: &str| serde_json::json!({"type": "response_item", "payload": {"type": "custom_tool_call", "name": "exec", "call_id": id, "input": code}});
    let end = |id: &str| serde_json::json!({"type": "response_item", "payload": {"type": "custom_tool_call_output", "call_id": id, "output": "running"}});
    let ran = |id: &str, command: &str| {
        serde_json::json!({"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "CommandExecution",
            "id": id, "command": ["/bin/bash", "-lc", command], "status": "completed", "exit_code": 0}}})
    };
    let code = r#"await tools.exec_command({"cmd": "sleep 9"}); await tools.exec_command({cmd: "computed " + x})"#;
    let lines = [script("a", code), end("a"), ran("exec-1", "sleep 9"), ran("exec-2", "computed 1")];
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let (records, _) = read(subject("codex"), text.join("\n").as_bytes());
    let calls = records.iter().filter_map(|record| match &record.said {
        Said::Call { tool: ToolCall::Shell { command, .. }, .. } => Some(command.as_str()),
        _ => None,
    });
    assert_eq!(calls.collect::<Vec<_>>(), ["sleep 9", "computed 1"]);
}

#[test]
fn odd_lines_are_counted_and_harm_no_others() {
    for (subject, (name, bytes)) in SUBJECTS.iter().flat_map(|of| transcripts(of).into_iter().map(move |one| (of, one)))
    {
        let (clean, [said, nothing, _]) = read(subject, &bytes);
        let odd: [&[u8]; 9] = [
            b"{", b"null", b"[]", b"{\"type\":", b"\xff\xfe", b"\"text\"", b"{}", b"{\"message\":7,\"payload\":[]}",
            br#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","command":{}}},"message":{"role":"user","content":{"a":1}}}"#,
        ];
        let mut mixed = Vec::new();
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            mixed.extend_from_slice(odd[at % odd.len()]);
            mixed.push(b'\n');
            mixed.extend_from_slice(line);
            mixed.push(b'\n');
        }
        let (records, count) = read(subject, &mixed);
        assert_eq!(records, clean, "{name}");
        assert_eq!(count[0], said, "{name}");
        assert!(count[1] > nothing && count[2] > 0, "{name}: {count:?}");
        // The end of a file that is being written: half a line.
        let cut = &bytes[..bytes.len() - 40];
        assert_eq!(read(subject, cut).1[2], 1, "{name}");
    }
}

/// What the agent says stands in the transcript as it was said: bytes that are no text, and halves of characters.
#[test]
fn texts_that_are_none_are_read_all_the_same() {
    let line = b"{\"message\":{\"role\":\"assistant\",\"content\":\"a\xffb\\ud800c\"}}";
    let (records, _) = read(subject("claude"), line);
    assert_eq!(records[0].said, Said::AssistantText("a\u{fffd}b\u{fffd}c".into()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Bytes are changed anywhere: nothing panics, and no more is said than lines can say.
    #[test]
    fn changed_bytes_break_nothing(changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..40)) {
        for (subject, (_, mut bytes)) in SUBJECTS.iter().flat_map(|of| transcripts(of).into_iter().map(move |one| (of, one))) {
            for (at, byte) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && *line != b"\r").count();
            let (_, count) = read(subject, &bytes);
            prop_assert_eq!(count.iter().sum::<usize>(), lines);
        }
    }
}
