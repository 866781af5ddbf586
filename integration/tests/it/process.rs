//! The runner that every other test stands on.

use std::time::Duration;

use hookguard_integration::{Exit, Invocation, Sandbox};

const SHORT: Duration = Duration::from_millis(300);

fn bash(script: &str) -> Invocation {
    Invocation::new("bash").args(["-c", script]).env("PATH", "/usr/bin:/bin")
}

#[test]
fn the_environment_is_what_was_given() -> anyhow::Result<()> {
    let printed = Invocation::new("/usr/bin/env").env("ONE", "1").run()?.success()?;
    assert_eq!(printed, "ONE=1\n");
    Ok(())
}

#[test]
fn the_deadline_ends_the_child_with_its_group() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let run = bash("(sleep 2; touch survived) & echo started; sleep 60").cwd(sandbox.root()).deadline(SHORT).run()?;
    assert_eq!((run.exit, run.stdout.as_str()), (Exit::TimedOut, "started\n"));
    std::thread::sleep(Duration::from_secs(2));
    assert!(!sandbox.root().join("survived").exists());
    Ok(())
}

#[test]
fn a_child_of_the_child_that_stays_is_not_waited_for() -> anyhow::Result<()> {
    let run = bash("sleep 5 & echo done").run()?;
    assert_eq!((run.exit, run.stdout.as_str()), (Exit::Code(0), "done\n"));
    assert!(run.elapsed < Duration::from_secs(4), "{run:?}");
    Ok(())
}

#[test]
fn input_ends_or_is_held_open_as_asked() -> anyhow::Result<()> {
    let ended = bash("cat").stdin("text").run()?;
    assert_eq!((ended.exit, ended.stdout.as_str()), (Exit::Code(0), "text"));
    let held = bash("cat").stdin_held_open("text").deadline(SHORT).run()?;
    assert_eq!((held.exit, held.stdout.as_str()), (Exit::TimedOut, "text"));
    Ok(())
}

#[test]
fn input_ends_when_the_answer_is_there() -> anyhow::Result<()> {
    let run = bash("read -r line; echo got $line; cat").stdin_until_answered("one\n", "got one").run()?;
    assert_eq!((run.exit, run.stdout.as_str()), (Exit::Code(0), "got one\n"));
    Ok(())
}

#[test]
fn input_that_nobody_reads_does_no_harm() -> anyhow::Result<()> {
    let run = bash("exit 3").stdin(vec![b'x'; 4 << 20]).run()?;
    assert_eq!(run.exit, Exit::Code(3));
    Ok(())
}
