//! What is to be asked about: a refusal that names the human where nobody attends, a question at the terminal where
//! somebody does.

use std::time::Duration;

use hookguard_integration::Sandbox;
use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::Script;

use super::session::{END, guarded, run, shell, text};
use super::{in_each_mode, in_mode};

in_each_mode!(nobody_attends);

const ASKED: &str = "git stash drop";

/// How long nobody answers: the session's other turns take a tenth of it.
const SILENCE: Duration = Duration::from_secs(2);

/// A guarded sandbox with one stash in it, which the command that is asked about would drop.
fn with_a_stash(mode: Mode) -> anyhow::Result<Sandbox> {
    let sandbox = guarded(mode)?;
    sandbox.write("project/kept.txt", "kept\n")?;
    sandbox.git(["add", "kept.txt"])?;
    sandbox.git(["stash", "push", "--quiet"])?;
    assert_eq!(stashes(&sandbox)?, 1);
    Ok(sandbox)
}

fn stashes(sandbox: &Sandbox) -> anyhow::Result<usize> {
    Ok(sandbox.git(["stash", "list"])?.lines().count())
}

/// It does not run, the same call has the same code when it is tried again, and no spelling of the human's own command
/// is the model's to give.
fn nobody_attends(mode: Mode) -> anyhow::Result<()> {
    let sandbox = with_a_stash(mode)?;
    let script = [shell(ASKED), shell(ASKED), shell("hookguard allow 0000"), vec![text(END)]];
    let outcome = run(AgentRun::new(mode, &sandbox, Script::new(script)))?;
    assert_eq!(stashes(&sandbox)?, 1, "it was dropped: {outcome}");
    let code = |turn: usize| -> anyhow::Result<String> {
        let told = outcome.result_of(turn)?;
        assert!(told.contains("hookguard [git.stash.drop]: ") && told.contains("terminal of their own"), "{told}");
        let code = told.split_once("`hookguard allow ").and_then(|(_, rest)| rest.split_once('`'));
        Ok(code.map_or_else(String::new, |(code, _)| code.to_owned()))
    };
    assert!(!code(0)?.is_empty(), "{outcome}");
    assert_eq!(code(0)?, code(1)?, "{outcome}");
    let told = outcome.result_of(2)?;
    assert!(told.contains("hookguard [guard."), "{told}");
    let asked = sandbox.decisions()?.into_iter().filter(|line| line["rule"] == "git.stash.drop");
    assert!(asked.inspect(|line| assert_eq!(line["told"], "deny", "{line}")).count() == 2);
    Ok(())
}

/// Permissions are bypassed, so the question is ours: Claude Code shows it with our words, runs nothing while nobody
/// answers, and does as it is told.
#[test]
fn somebody_attends_claude() -> anyhow::Result<()> {
    in_mode("somebody_attends", Mode::Claude, |mode| {
        for (key, left) in [("\r", 0), ("\u{1b}", 1)] {
            let sandbox = with_a_stash(mode)?;
            let script = Script::new([shell("echo one > one.txt"), shell(ASKED), vec![text(END)]]);
            let mut session = AgentRun::new(mode, &sandbox, script).attended()?;
            session.wait_for("hookguard [git.stash.drop]")?;
            session.wait_for("Do you want to proceed?")?;
            std::thread::sleep(SILENCE);
            assert_eq!(stashes(&sandbox)?, 1, "it ran while nobody answered");
            assert_eq!(session.requests().iter().filter(|request| !request.answer.is_empty()).count(), 2);
            assert!(sandbox.project().join("one.txt").exists(), "a call without a question did not run");
            session.type_in(key)?;
            match left {
                0 => session.wait_for(END)?,
                _ => session.wait_for("Interrupted")?,
            }
            assert_eq!(stashes(&sandbox)?, left, "{key:?}");
            let told: Vec<_> =
                sandbox.decisions()?.into_iter().filter(|line| line["rule"] == "git.stash.drop").collect();
            assert!(told.iter().all(|line| line["told"] == "ask") && told.len() == 1, "{told:?}");
        }
        Ok(())
    })
}
