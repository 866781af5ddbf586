//! Policies of the user's own inside the real agents: what they tell the model after an edit, what becomes of a call whose
//! policy fails, and checks at stop.

use std::time::{Duration, Instant};

use hookguard_integration::Sandbox;
use hookguard_integration::agents::{Agent, AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script, Speaker, Turn};
use serde_json::json;

use super::in_each_mode;
use super::session::{END, configure, guarded, new_file, run, shell, text, told_at_stop};

in_each_mode!(told_after_an_edit, failing_before_a_tool, a_check_that_always_fails);

/// Two linters, one in each form; both say which file they were shown.
const LINTERS: &str = r#"
[[policy]]
id = "team.neutral"
on = "post_tool"
tools = ["edit"]
command = '''grep -q page.php && echo '{"feedback":"NEUTRAL page.php, line 1"}' '''
[[policy]]
id = "team.claude"
on = "post_tool"
form = "claude"
matcher = "Edit|Write"
command = "grep -q page.php && echo 'CLAUDE page.php, line 1' >&2 && exit 2; exit 0"
"#;

/// The turn in which the model changes a line of a file that it has made.
fn changed(mode: Mode, sandbox: &Sandbox, name: &str, before: &str, after: &str) -> Turn {
    match mode.agent() {
        Agent::Claude => {
            let path = sandbox.project().join(name);
            let input = json!({ "file_path": path, "old_string": before, "new_string": after });
            vec![Block::Tool { name: "Edit".to_owned(), input }]
        }
        Agent::Codex => vec![Block::Patch(format!(
            "*** Begin Patch\n*** Update File: {name}\n@@\n-{before}\n+{after}\n*** End Patch"
        ))],
    }
}

/// The request that follows an edit holds what the policies say of it, once for each edit; one that follows another call,
/// or an edit of another file, holds nothing new.
fn told_after_an_edit(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    configure(&sandbox, LINTERS)?;
    let script = Script::new([
        new_file(mode, &sandbox, "page.php", "<?php one\n"),
        shell("cat page.php"),
        new_file(mode, &sandbox, "notes.md", "one\n"),
        changed(mode, &sandbox, "page.php", "<?php one", "<?php two"),
        vec![text(END)],
    ]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert_eq!(std::fs::read_to_string(sandbox.project().join("page.php"))?, "<?php two\n", "{outcome}");
    for (turn, times) in [(0, 0), (1, 1), (2, 1), (3, 1), (4, 2)] {
        let request = outcome.turn(turn)?;
        for words in ["hookguard [team.neutral]: NEUTRAL page.php", "hookguard [team.claude]: CLAUDE page.php"] {
            let by = [Speaker::System, Speaker::Developer, Speaker::User, Speaker::Tool];
            let told: usize = by.into_iter().map(|by| request.count(by, words)).sum();
            assert_eq!(told, times, "{words}, turn {turn}: {outcome}");
        }
    }
    Ok(())
}

/// Fails in a way of its own for each call, and is content with what it does not know.
const FAILING: &str = "call=$(cat)\n\
    case $call in\n\
    *crashes.txt*) kill -SEGV $$ ;;\n\
    *hangs.txt*) sleep 600 ;;\n\
    *floods.txt*) head -c 50000000 /dev/zero ;;\n\
    *forks.txt*) (trap '' TERM HUP; sleep 600) & sleep 600 ;;\n\
    *leaves.txt*) (trap '' TERM HUP; sleep 600) & ;;\n\
    esac\n";

/// A call whose policy fails is refused, and the model hears why; one whose policy only leaves a process behind is judged.
/// The session goes on, and nothing that a policy has started outlives it.
fn failing_before_a_tool(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    sandbox.write("home/policy.sh", FAILING)?;
    let policy =
        "[[policy]]\nid = \"team.guard\"\non = \"pre_tool\"\ntimeout_ms = 1000\ncommand = 'sh \"$HOME/policy.sh\"'\n";
    configure(&sandbox, policy)?;
    let failing = ["crashes", "hangs", "floods", "forks"];
    let passing = ["leaves", "passes"];
    let write = |name: &str| shell(format!("echo written > {name}.txt"));
    let turns = failing.iter().chain(&passing).map(|name| write(name));
    let outcome = run(AgentRun::new(mode, &sandbox, Script::new(turns.chain([vec![text(END)]]))))?;

    let exists = |name: &str| sandbox.project().join(format!("{name}.txt")).exists();
    for (turn, name) in failing.iter().enumerate() {
        let told = outcome.result_of(turn)?;
        assert!(told.contains("hookguard [team.guard]: the policy script failed ("), "{name}: {told}");
        assert!(!exists(name), "{name}: it ran");
    }
    assert!(passing.into_iter().all(exists), "{outcome}");
    // A group of processes is ended with one signal; the last of them may take a moment.
    let started = Instant::now();
    while !left(&sandbox)?.is_empty() {
        assert!(started.elapsed() < Duration::from_secs(5), "still there: {:?}", left(&sandbox)?);
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The command lines of processes that have this sandbox's home for their own, whoever has started them.
fn left(sandbox: &Sandbox) -> anyhow::Result<Vec<String>> {
    let home = format!("HOME={}", sandbox.home().display());
    let mut left = Vec::new();
    for process in std::fs::read_dir("/proc")? {
        let process = process?.path();
        // A process that is gone by now, or another user's, has nothing to read.
        let read = |name: &str| std::fs::read(process.join(name)).unwrap_or_default();
        if read("environ").split(|byte| *byte == 0).any(|variable| variable == home.as_bytes()) {
            left.push(String::from_utf8_lossy(&read("cmdline")).replace('\0', " "));
        }
    }
    Ok(left)
}

const CHECK: &str = "[[stop.check]]\nid = \"tests\"\nglobs = [\"**/*.rs\"]\n\
    command = \"echo ran >> ran.txt; echo 'test result: 2 failed'; exit 101\"\n";

/// A test suite that no model can mend: it is told twice, each time after it has changed something, and then let go.
fn a_check_that_always_fails(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    configure(&sandbox, CHECK)?;
    let script = Script::new([
        new_file(mode, &sandbox, "a.rs", "fn a() {}\n"),
        vec![text("Done.")],
        new_file(mode, &sandbox, "b.rs", "fn b() {}\n"),
        vec![text("Done again.")],
        new_file(mode, &sandbox, "c.rs", "fn c() {}\n"),
        vec![text(END)],
    ]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    for (turn, times) in [(1, 0), (2, 1), (4, 2), (5, 2)] {
        let told = told_at_stop(mode, outcome.turn(turn)?, "hookguard [stop.check.tests]: ");
        assert_eq!(told, times, "turn {turn}: {outcome}");
    }
    assert_eq!(std::fs::read_to_string(sandbox.project().join("ran.txt"))?, "ran\nran\n", "{outcome}");
    let log = sandbox.decisions()?;
    assert_eq!(log.iter().filter(|line| line["told"] == "resume").count(), 2, "{log:?}");
    Ok(())
}
