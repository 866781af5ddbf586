//! What a transcript adds to a turn, and what it must not.

use hookguard_core::FileChange;
use tempfile::TempDir;

use super::*;

const AGENT: &str = "codex";

fn command(text: &str, ok: Option<bool>, tail: Option<&str>) -> What {
    What::Command {
        command: text.into(),
        cwd: None,
        exit: ok.map(|ok| i32::from(!ok)),
        ok,
        tail: tail.map(str::to_owned),
        background: false,
    }
}

fn record(t: u64, call: &str, what: What) -> Record {
    let call = (!call.is_empty()).then(|| call.to_owned());
    Record { v: 1, t, turn: Some("t1".into()), call, subagent: None, what }
}

fn turn(records: Vec<Record>) -> Turn {
    Turn { records, since: Some(100), prompt: None }
}

fn said(at: u64, said: Said) -> transcript::Record {
    transcript::Record { at: Some(at), subagent: false, said }
}

fn id(id: &str) -> Option<String> {
    (!id.is_empty()).then(|| id.to_owned())
}

fn call(at: u64, of: &str, text: &str) -> transcript::Record {
    said(at, Said::Call { id: id(of), tool: ToolCall::shell(text), cwd: None })
}

fn end(at: u64, of: &str, ok: Option<bool>, printed: &str) -> transcript::Record {
    let outcome = ToolOutcome {
        outcome: match ok {
            Some(true) => Outcome::Ok,
            Some(false) => Outcome::Failed,
            None => Outcome::Unknown,
        },
        exit_code: ok.map(|ok| i32::from(!ok)),
        output: Some(printed.into()),
        changed: vec![],
        interrupted: false,
        background: false,
    };
    said(at, Said::Result { id: id(of), outcome, ran: true })
}

fn refused(at: u64, of: &str) -> transcript::Record {
    let mut record = end(at, of, Some(false), "refused");
    if let Said::Result { ran, outcome, .. } = &mut record.said {
        (*ran, outcome.exit_code) = (false, None);
    }
    record
}

/// Each command in short: its text, how it ended, the end of what it printed.
fn commands(turn: &Turn) -> Vec<(&str, Option<bool>, Option<&str>)> {
    turn.records
        .iter()
        .filter_map(|record| match &record.what {
            What::Command { command, ok, tail, .. } => Some((command.as_str(), *ok, tail.as_deref())),
            _ => None,
        })
        .collect()
}

#[test]
fn what_is_unknown_is_learned_and_what_is_known_stays() {
    let records = vec![
        record(110, "c1", command("make", None, Some("last piece"))),
        record(120, "c2", command("test", Some(false), Some("1 failed"))),
        record(130, "c3", command("lint", None, Some("kept"))),
        record(140, "c4", command("wait", None, None)),
    ];
    let told = [
        call(110, "c1", "make"),
        end(111, "c1", None, "Process running"),
        call(120, "c2", "test"),
        end(121, "c2", Some(true), "all passed"),
        call(130, "c3", "lint"),
        end(131, "c3", None, "odd"),
        call(140, "c4", "wait"),
        end(190, "c1", Some(false), "first piece\nlast piece"),
        end(191, "c1", None, "asked again"),
    ];
    let whole = complete(turn(records), AGENT, &told);
    assert_eq!(
        commands(&whole),
        [
            ("make", Some(false), Some("first piece\nlast piece")),
            ("test", Some(false), Some("1 failed")),
            ("lint", None, Some("kept")),
            ("wait", None, None),
        ]
    );
}

#[test]
fn what_is_lacking_is_added_where_it_began_and_what_did_not_run_is_not() {
    // As an agent tells it that reports ends only: the slow one is told of last, and one was not told of at all.
    let records = vec![
        record(125, "c2", command("quick", Some(true), None)),
        record(180, "c1", command("slow", Some(true), None)),
        record(185, "", What::Stop { resumed: true }),
        record(190, "c5", command("refused by another", None, None)),
    ];
    let told = [
        call(110, "c1", "slow"),
        call(120, "c2", "quick"),
        end(125, "c2", Some(true), ""),
        call(150, "c3", "unseen"),
        end(160, "c3", Some(false), "red"),
        end(180, "c1", Some(true), ""),
        call(188, "c4", "refused"),
        refused(189, "c4"),
        call(190, "c5", "refused by another"),
        refused(191, "c5"),
        call(195, "c6", "no end and no start"),
        call(196, "", "never come to"),
        end(196, "", None, ""),
    ];
    let whole = complete(turn(records), AGENT, &told);
    assert_eq!(
        commands(&whole),
        [("slow", Some(true), None), ("quick", Some(true), None), ("unseen", Some(false), Some("red"))]
    );
    assert!(matches!(whole.records.last().map(|record| &record.what), Some(What::Stop { resumed: true })));
    assert!(whole.records.is_sorted_by_key(|record| record.t));
    let unseen = &whole.records[2];
    assert_eq!((unseen.turn.as_deref(), unseen.call.as_deref()), (Some("t1"), Some("c3")));
}

#[test]
fn without_a_common_id_the_same_is_told_by_what_it_does() {
    let records = vec![
        record(110, "a", command("test", None, None)),
        record(120, "b", command("test", None, None)),
        record(130, "", command("lint", None, None)),
        record(135, "hookguard:check:tests:1", command("never", None, None)),
        Record { subagent: Some("s".into()), ..record(136, "s1", command("never", None, None)) },
    ];
    let told = [
        call(110, "1", "test"),
        end(111, "1", Some(false), ""),
        call(120, "2", "test"),
        end(121, "2", Some(true), ""),
        call(130, "", "lint"),
        end(131, "", Some(true), ""),
        // It stands in a script that had ended: what it is was told before, under no id.
        end(140, "b2", Some(true), ""),
        call(150, "3", "never"),
        end(151, "3", Some(true), ""),
    ];
    let whole = complete(turn(records), AGENT, &told);
    let known: Vec<_> = commands(&whole).into_iter().map(|(text, ok, _)| (text, ok)).collect();
    let red_then_green = [("test", Some(false)), ("test", Some(true)), ("lint", Some(true))];
    assert_eq!(known, [&red_then_green[..], &[("never", None), ("never", None), ("never", Some(true))]].concat());

    let late = [call(110, "", "slow"), end(111, "", None, ""), end(190, "exec-1", Some(false), "red")];
    let whole = complete(turn(vec![record(110, "exec-1", command("slow", None, None))]), AGENT, &late);
    assert_eq!(commands(&whole), [("slow", Some(false), Some("red"))]);
}

#[test]
fn earlier_turns_and_subagents_add_nothing() {
    let sub = transcript::Record { subagent: true, ..call(160, "s1", "of a subagent") };
    let told = [
        said(10, Said::UserText("first".into())),
        call(20, "c1", "before"),
        end(30, "c1", Some(true), ""),
        said(99, Said::UserText("second".into())),
        call(150, "c2", "now"),
        end(151, "c2", Some(true), ""),
        transcript::Record { at: None, ..call(0, "c3", "without a time") },
        end(155, "c3", Some(true), ""),
        sub,
        end(161, "s1", Some(true), ""),
    ];
    let now = [("now", Some(true), None), ("without a time", Some(true), None)];
    assert_eq!(commands(&complete(turn(vec![]), AGENT, &told)), now);
    // The same words in an earlier turn are another command.
    let again = complete(turn(vec![record(140, "x", command("before", None, None))]), AGENT, &told);
    assert_eq!(commands(&again)[..2], [("before", None, None), now[0]]);
    // No prompt was ever reported: the transcript says where the turn begins.
    assert_eq!(commands(&complete(Turn::default(), AGENT, &told)), now);
}

#[test]
fn what_was_said_is_of_the_turn() {
    let told = [
        said(50, Said::UserText("first".into())),
        said(60, Said::AssistantText("old".into())),
        said(99, Said::UserText("second".into())),
        said(110, Said::AssistantText("I begin.".into())),
        said(120, Said::AssistantText("Done.".into())),
    ];
    let of = |records: &[transcript::Record], since, last| {
        let TurnText { texts, complete } = super::said(records, since, last);
        (texts.join(" "), complete)
    };
    assert_eq!(of(&told, Some(100), Some("Done.")), ("I begin. Done.".into(), true));
    assert_eq!(of(&told, None, Some("Done.")), ("I begin. Done.".into(), true));
    // The prompt was not written down yet: what was said before it is of another turn.
    assert_eq!(of(&told[..2], Some(100), Some("Done.")), ("Done.".into(), true));
    // The turn is longer than what was read.
    assert_eq!(of(&told[4..], Some(100), None), ("Done.".into(), false));
    assert_eq!(of(&[], Some(100), None), (String::new(), false));
}

#[test]
fn edits_are_completed_too() {
    let edit = |added: &[&str], ok| What::Edit {
        files: vec!["/p/a.rs".into()],
        added: added.iter().map(|text| (*text).to_owned()).collect(),
        cut: false,
        ok,
    };
    let patch = |path: &str| {
        vec![FileChange { path: path.into(), change: hookguard_core::Change::Create, added: "fn a() {}".into() }]
    };
    let heredoc = "apply_patch <<'X'\n*** Begin Patch\n*** Add File: a.rs\n+fn a() {}\n*** End Patch\nX";
    let shell = ToolCall::Shell {
        command: heredoc.into(),
        cwd: None,
        dialect: hookguard_core::Dialect::Posix,
        patch: patch("a.rs"),
    };
    let at = |at, of: &str, tool| said(at, Said::Call { id: id(of), tool, cwd: Some("/p".into()) });
    let told = [
        at(110, "c1", shell),
        end(111, "c1", Some(true), "Success"),
        at(120, "c2", ToolCall::Edit { files: patch("b.rs") }),
        end(121, "c2", Some(false), ""),
    ];
    let records = vec![record(110, "c1", edit(&[], None)), record(110, "c1", command(heredoc, None, Some("Success")))];
    let whole = complete(turn(records), AGENT, &told);
    let [first, second, third] = &whole.records[..] else { panic!("{:?}", whole.records) };
    assert_eq!(first.what, edit(&["fn a() {}"], Some(true)));
    assert!(matches!(&second.what, What::Command { ok: Some(true), .. }));
    assert!(matches!(&third.what, What::Edit { files, ok: Some(false), .. } if files == &["/p/b.rs"]));
    // Of an edit that the ledger lacks, its command's place is behind it.
    let records = vec![record(112, "c1", command(heredoc, None, None))];
    let whole = complete(turn(records), AGENT, &told[..2]);
    assert!(matches!(
        &whole.records[..],
        [Record { what: What::Edit { .. }, .. }, Record { what: What::Command { .. }, .. }]
    ));
}

fn adapter(agent: &str) -> &'static dyn Adapter {
    crate::agents::by_id(agent).unwrap()
}

fn at_stop(agent: &str, transcript: &Path) -> Event<'static> {
    let mut event = Event::new(EventKind::Stop, adapter(agent).profile().id, "Stop", b"");
    event.transcript = Some(transcript.to_str().unwrap().to_owned());
    event.stop = Some(hookguard_core::Stop { last_message: Some("Done.".into()), ..Default::default() });
    event
}

/// Turns of which no event was seen, from transcripts that the real agents left.
#[test]
fn a_turn_that_was_missed_is_rebuilt() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../adapters");
    let read = |agent: &str, name: &str| {
        let file = fixtures.join(agent).join("fixtures").join(format!("{name}.jsonl"));
        whole(Turn::default(), adapter(agent), &at_stop(agent, &file))
    };
    let ends = |turn: &Turn| -> Vec<(String, Option<bool>)> {
        commands(turn).into_iter().map(|(text, ok, _)| (text.to_owned(), ok)).collect()
    };
    let owned = |ends: &[(&str, Option<bool>)]| -> Vec<(String, Option<bool>)> {
        ends.iter().map(|(text, ok)| ((*text).to_owned(), *ok)).collect()
    };
    let (ok, failed) = (Some(true), Some(false));
    for (agent, name) in [("claude", "transcript"), ("codex", "transcript-direct"), ("codex", "transcript-code")] {
        let Whole { turn, said } = read(agent, name);
        assert_eq!(ends(&turn), owned(&[("echo ok", ok), ("echo bad >&2; exit 3", failed)]), "{name}");
        let Some(What::Edit { files, added, ok: Some(true), .. }) = turn.records.last().map(|record| &record.what)
        else {
            panic!("{name}: {turn:?}")
        };
        assert_eq!((files[0].as_str(), added[0].trim()), ("/home/dev/project/new.txt", "one"), "{name}");
        assert_eq!(said.texts, ["I begin.", "That is all for now.", "Done."], "{name}");
        assert!(said.complete, "{name}");
    }
    let polled = [
        ("echo s1; sleep 1.5; echo s2; exit 3", failed),
        ("echo n1; sleep 1; echo n2 > never.txt", ok),
        ("sleep 1.2; echo after", ok),
    ];
    assert_eq!(ends(&read("codex", "transcript-polled").turn), owned(&polled));
    let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: here.txt\n+one\n*** End Patch\nEOF";
    // The one that waited began a little later than the other, as Codex itself has it.
    let script = [
        ("echo par2; exit 4", failed),
        ("sleep 0.5; echo par1", ok),
        ("echo on", ok),
        ("echo loop 0", ok),
        ("echo loop 1", ok),
        ("echo loop 2", ok),
        (patch, ok),
    ];
    assert_eq!(ends(&read("codex", "transcript-script").turn), owned(&[&polled[..], &script].concat()));
    let claude = read("claude", "transcript-background").turn;
    let background = [
        ("echo slow; sleep 2; echo never", ok),
        ("sleep 1; echo bg; exit 5", failed),
        ("sleep 1.5; echo a; exit 3", failed),
        ("sleep 0.5; echo par1", ok),
        ("echo par2; exit 4", failed),
        ("false | true", ok),
        ("kill -9 $$", failed),
        ("echo x > made.txt", ok),
    ];
    assert_eq!(ends(&claude), owned(&background));
    assert!(matches!(claude.records[1].what, What::Command { exit: Some(5), .. }));
}

#[test]
fn a_transcript_that_is_none_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let known = turn(vec![record(110, "call_1_1", command("echo ok", None, None))]);
    let fifo = folder.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let noise = folder.path().join("noise");
    std::fs::write(&noise, [b"\xff\xfe{\"type\":\n\0[1,2".as_slice(), &[b'x'; 5000]].concat()).unwrap();
    for path in [folder.path().join("none"), folder.path().to_owned(), fifo, noise] {
        for agent in ["codex", "claude"] {
            let Whole { turn, said } = whole(known.clone(), adapter(agent), &at_stop(agent, &path));
            assert_eq!(turn, known, "{}", path.display());
            assert_eq!((said.texts, said.complete), (vec!["Done.".to_owned()], false), "{}", path.display());
        }
    }
}

/// Of a long transcript only the end is read, from the start of a line; and half a line at its end is no record.
#[test]
fn the_end_of_a_long_transcript_is_read() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("long.jsonl");
    let line = |call: u32, blank: usize| {
        format!(
            r#"{{"type":"response_item","timestamp":"2026-11-30T11:09:29.000Z","payload":{{"type":"function_call","name":"exec_command","call_id":"c{call}","arguments":"{{\"cmd\":\"echo {call}\"}}"}},"x":"{}"}}
{{"type":"response_item","timestamp":"2026-11-30T11:09:29.000Z","payload":{{"type":"function_call_output","call_id":"c{call}","output":"Process exited with code 0\nOutput:\n"}}}}
"#,
            " ".repeat(blank)
        )
    };
    let text: String = (0..300).map(|call| line(call, 10_000)).collect();
    std::fs::write(&file, &text[..text.len() - 30]).unwrap();
    let read = tail(&file, MAX_TAIL).unwrap();
    assert!(read.len() as u64 <= MAX_TAIL && read.len() as u64 > MAX_TAIL - 20_000 && read.starts_with(b"{"));
    let Whole { turn, .. } = whole(Turn::default(), adapter("codex"), &at_stop("codex", &file));
    let texts: Vec<_> = commands(&turn).into_iter().map(|(text, ..)| text).collect();
    assert!(texts.len() > 150 && texts.len() < 250, "{}", texts.len());
    assert_eq!(texts.last(), Some(&"echo 298"), "the end of the last one is torn");
}
