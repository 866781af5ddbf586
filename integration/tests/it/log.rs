//! `log`: chosen, counted, marked, followed, swept; and read in little memory.

use std::fs;
use std::io::Write;

use hookguard_integration::{Exit, Finished, Sandbox};
use serde_json::{Value, json};

/// 2026-01-01 00:00:00 UTC would be swept: entries are put on days that are relative to now.
fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

const DAY: u64 = 86_400_000;
const HOUR: u64 = 3_600_000;

fn day(sandbox: &Sandbox, t: u64) -> String {
    let date = format!("@{}", t / 1000);
    sandbox.program("date").args(["-u", "-d", &date, "+%F"]).run().unwrap().success().unwrap().trim().to_owned()
}

fn entry(t: u64, agent: &str, decision: &str, rule: &str, session: &str, subject: &str) -> Value {
    json!({"v": 1, "t": t, "agent": agent, "event": "PreToolUse", "session": session, "tool": "shell",
        "subject": subject, "decision": decision, "rule": rule, "told": decision, "micros": 900})
}

/// Writes entries into the files of their days.
fn write(sandbox: &Sandbox, entries: &[Value]) {
    for entry in entries {
        let day = day(sandbox, entry["t"].as_u64().unwrap());
        let file = sandbox.state().join(format!("log/{day}.jsonl"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut file = fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        writeln!(file, "{entry}").unwrap();
    }
}

fn log(sandbox: &Sandbox, args: &[&str]) -> Finished {
    sandbox.hookguard(["log"]).unwrap().args(args).run().unwrap()
}

/// The subjects that are shown, as JSON.
fn shown(sandbox: &Sandbox, args: &[&str]) -> Vec<String> {
    let printed = log(sandbox, &[&["--json"], args].concat()).success().unwrap();
    let rows = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| row["subject"].as_str().unwrap().to_owned()).collect()
}

fn filled() -> Sandbox {
    let sandbox = Sandbox::new().unwrap();
    let now = now_ms();
    write(
        &sandbox,
        &[
            entry(now - 40 * DAY, "claude", "deny", "git.push.force", "s0", "too old"),
            entry(now - 3 * DAY, "claude", "deny", "git.push.force", "s1", "three days"),
            entry(now - DAY - HOUR, "codex", "ask", "shell.sudo", "s2", "a day"),
            entry(now - 30_000, "claude", "none", "", "s3-long", "just now"),
            entry(now - 20_000, "codex", "deny", "git.reset.hard", "s3", "and then"),
        ],
    );
    sandbox
}

#[test]
fn entries_are_chosen() {
    let sandbox = filled();
    for (args, expected) in [
        (&["--since", "5m"][..], &["just now", "and then"][..]),
        (&["--since", "2d"], &["a day", "just now", "and then"]),
        (&["--since", "1w"], &["three days", "a day", "just now", "and then"]),
        (&["--since", "1w", "--agent", "codex"], &["a day", "and then"]),
        (&["--since", "1w", "--rule", "git"], &["three days", "and then"]),
        (&["--since", "1w", "--rule", "git.push"], &["three days"]),
        (&["--since", "1w", "--rule", "git.push.force"], &["three days"]),
        (&["--since", "1w", "--rule", "git.pu"], &[]),
        (&["--since", "1w", "--decision", "ask"], &["a day"]),
        (&["--since", "1w", "--session", "s3"], &["just now", "and then"]),
        (&["--since", "1w", "--session", "s3-"], &["just now"]),
        (&["--since", "1w", "--decision", "deny", "--agent", "claude"], &["three days"]),
    ] {
        assert_eq!(shown(&sandbox, args), expected, "{args:?}");
    }
    let three = day(&sandbox, now_ms() - 3 * DAY);
    assert_eq!(shown(&sandbox, &["--since", &three]).len(), 4);
    for wrong in [&["--since", "yesterday"][..], &["--decision", "no"]] {
        assert_eq!(log(&sandbox, wrong).code(), Some(2), "{wrong:?}");
    }
    let none = log(&sandbox, &["--agent", "nobody"]);
    assert!(none.stdout.is_empty() && none.stderr.contains("nothing in the log"), "{none:?}");
}

#[test]
fn what_the_hook_wrote_is_shown_today() {
    let sandbox = Sandbox::new().unwrap();
    let payload = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force\n\u001b[31m"},"tool_use_id":"c1"}"#;
    sandbox.hook("claude", "PreToolUse", payload).unwrap();
    let text = log(&sandbox, &[]).success().unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("claude") && text.contains("git.push.force") && text.contains(" deny "), "{text}");
    assert!(!text.contains('\u{1b}'), "what a terminal would obey is not printed: {text:?}");
}

#[test]
fn a_month_is_kept_and_no_file_of_others_is_touched() {
    let sandbox = filled();
    let folder = sandbox.state().join("log");
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("2020-13-99.jsonl"), "no day").unwrap();
    let now = now_ms();
    write(
        &sandbox,
        &[
            entry(now - 29 * DAY, "claude", "deny", "x", "s", "the last day"),
            entry(now - 30 * DAY, "claude", "deny", "x", "s", "gone"),
        ],
    );
    assert!(folder.join(format!("{}.jsonl", day(&sandbox, now - 40 * DAY))).exists());
    // What sweeps: the commands for people, and the start of a session; never a call before a tool.
    sandbox
        .hook(
            "claude",
            "PreToolUse",
            r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        )
        .unwrap();
    assert!(folder.join(format!("{}.jsonl", day(&sandbox, now - 40 * DAY))).exists());
    sandbox.hook("claude", "SessionStart", r#"{"hook_event_name":"SessionStart","session_id":"s"}"#).unwrap();
    let left: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!left.contains(&format!("{}.jsonl", day(&sandbox, now - 40 * DAY))), "{left:?}");
    assert!(!left.contains(&format!("{}.jsonl", day(&sandbox, now - 30 * DAY))), "{left:?}");
    for kept in
        [format!("{}.jsonl", day(&sandbox, now - 29 * DAY)), "notes.txt".to_owned(), "2020-13-99.jsonl".to_owned()]
    {
        assert!(left.contains(&kept), "{kept}: {left:?}");
    }
    fs::write(folder.join("2020-01-01.jsonl"), "").unwrap();
    log(&sandbox, &[]);
    assert!(!folder.join("2020-01-01.jsonl").exists());
}

#[test]
fn torn_lines_are_passed_over_and_counted() {
    let sandbox = filled();
    let file = sandbox.state().join(format!("log/{}.jsonl", day(&sandbox, now_ms())));
    let mut text = fs::read(&file).unwrap_or_default();
    text.extend_from_slice(b"{\"v\":1,\"t\":17\n\xff\xfe\nnull\n[1]\n");
    text.extend_from_slice(&vec![b'x'; 1 << 20]);
    text.push(b'\n');
    text.extend_from_slice(format!("{}\n", entry(now_ms(), "claude", "deny", "x", "s", "after them")).as_bytes());
    fs::write(&file, text).unwrap();
    let done = log(&sandbox, &["--since", "5m", "--json"]);
    assert!(done.stderr.contains("5 lines could not be read"), "{}", done.stderr);
    assert!(done.stdout.contains("after them"));
}

#[test]
fn they_are_counted() {
    let sandbox = filled();
    let stats: Value =
        serde_json::from_str(&log(&sandbox, &["stats", "--since", "1w", "--json"]).success().unwrap()).unwrap();
    assert_eq!(stats["entries"], 4);
    assert_eq!(stats["decisions"], json!({"ask": 1, "deny": 2, "none": 1}));
    assert_eq!(stats["agents"], json!({"claude": 2, "codex": 2}));
    assert_eq!(stats["rules"]["git.push.force"], 1);
    let median = stats["micros"]["median"].as_u64().unwrap();
    assert!((845..=900).contains(&median), "{stats}");
    let text = log(&sandbox, &["stats", "--since", "1w"]).success().unwrap();
    assert!(text.contains("50.0 %  deny"), "{text}");
}

#[test]
fn a_mark_keeps_the_entry() {
    let sandbox = filled();
    let printed = log(&sandbox, &["--json", "--since", "5m"]).success().unwrap();
    let row: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
    let id = row["id"].as_str().unwrap();
    let again = log(&sandbox, &["--since", "5m"]).success().unwrap();
    assert!(again.contains(id), "people see the same id: {again}");
    let secret = format!("ghp_{}", "aZ9".repeat(12));
    let note = format!("it was mine: {secret}");
    let done = log(&sandbox, &["mark", id, "wrong", "--note", &note]);
    assert_eq!(done.code(), Some(0), "{done:?}");
    let marks = fs::read_to_string(sandbox.state().join("marks.jsonl")).unwrap();
    let mark: Value = serde_json::from_str(&marks).unwrap();
    assert_eq!((&mark["word"], &mark["id"]), (&json!("wrong"), &json!(id)));
    assert!(mark["note"].as_str().is_some_and(|note| note.starts_with("it was mine: ")), "{mark}");
    assert!(!marks.contains(&secret), "{marks}");
    assert_eq!(mark["entry"]["subject"], row["subject"]);
    for wrong in [["mark", "nonsense", "wrong"], ["mark", "mix3k2p1-0000", "wrong"], ["mark", id, "perhaps"]] {
        assert_eq!(log(&sandbox, &wrong).code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn what_is_written_from_now_on_is_followed() {
    let sandbox = filled();
    let follower = sandbox.hookguard(["log", "--follow", "--json", "--since", "1d"]).unwrap();
    let follower = follower.deadline(std::time::Duration::from_secs(4));
    let done = std::thread::scope(|scope| {
        let follower = scope.spawn(|| follower.run().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(1_500));
        write(&sandbox, &[entry(now_ms(), "claude", "deny", "x", "s", "while it was watched")]);
        follower.join().unwrap()
    });
    assert_eq!(done.exit, Exit::TimedOut, "it goes on until it is stopped");
    assert_eq!(done.stdout.matches("while it was watched").count(), 1, "{}", done.stdout);
    assert_eq!(done.stdout.matches("just now").count(), 1, "{}", done.stdout);
}

/// 200 MB under an address space of 64 MB: the file can't be in memory, nor mapped.
#[test]
fn a_large_log_is_read_in_little_memory() {
    const MEGABYTES: usize = 200;
    const LIMIT_KB: usize = 64 << 10;
    let sandbox = Sandbox::new().unwrap();
    let now = now_ms();
    let file = sandbox.state().join(format!("log/{}.jsonl", day(&sandbox, now)));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut out = std::io::BufWriter::new(fs::File::create(&file).unwrap());
    let subject = format!("echo {}", "x".repeat(1_700));
    let usual = format!("{}\n", entry(now - 5_000, "claude", "none", "", "s", &subject));
    let lines = (MEGABYTES << 20) / usual.len();
    for number in 0..lines {
        if number % 10_000 == 0 {
            writeln!(out, "{}", entry(now - 4_000, "codex", "deny", "git.push.force", "s", "one of a few")).unwrap();
        }
        out.write_all(usual.as_bytes()).unwrap();
    }
    out.into_inner().unwrap().sync_all().unwrap();
    assert!(fs::metadata(&file).unwrap().len() >= (MEGABYTES as u64) << 20);

    let limited = |args: &str| {
        let script = format!("ulimit -v {LIMIT_KB}; exec \"$0\" log {args}");
        let shell =
            sandbox.program("bash").args(["-c", &script]).arg(hookguard_integration::binary::hookguard().unwrap());
        shell.deadline(std::time::Duration::from_secs(300)).run().unwrap()
    };
    let done = limited("--since 1d --decision deny --json");
    assert_eq!(done.stdout.lines().count(), lines.div_ceil(10_000), "{:?} {}", done.exit, done.stderr);
    let stats: Value = serde_json::from_str(&limited("stats --since 1d --json").success().unwrap()).unwrap();
    assert_eq!(stats["entries"].as_u64().unwrap() as usize, lines + lines.div_ceil(10_000));
}
