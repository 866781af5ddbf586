//! A judge that is an agent with its hooks on, and hookguard installed there too: it is started once, nothing is put to judges
//! inside, and the guard stands inside as everywhere.
//!
//! Claude Code only: it finds its model by the environment, which goes on to the judge.

use hookguard_integration::agents::{Agent, AgentRun, Mode, installed};
use hookguard_integration::fake_model::{Kind, Script};

use super::in_mode;
use super::session::{END, configure, guarded, new_file, run, shell, text, told_at_stop};

const TOLD: &str = "hookguard [judge.commit-before-verify]: ";
const CODE: &str = "module.exports = (a, b) => a + b;\n";
const VERDICT: &str = r#"{"commit-before-verify": {"new_proposal": true, "verification_reported": false, "direction_query": false, "future_step_description": false, "reason": "so it says"}}"#;

#[test]
fn a_judge_whose_hooks_are_on() -> anyhow::Result<()> {
    in_mode("a_judge_whose_hooks_are_on", Mode::Claude, judged_by_an_agent)
}

fn judged_by_an_agent(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let before = sandbox.diverged_remote()?;
    let (project, started) = (sandbox.project(), sandbox.root().join("started"));
    let claude =
        format!("{} -p --model haiku --permission-mode bypassPermissions", installed(Agent::Claude)?.display());
    let line = format!("cd {} && echo started >> {} && exec {claude}", project.display(), started.display());
    let backend = format!("[[judge.backend]]\nkind = \"command\"\nname = \"agent\"\ncommand = '''{line}'''\n");
    configure(&sandbox, &format!("[judge]\nbackends = [\"agent\"]\ndeadline_ms = 60000\n{backend}"))?;
    let announced = "The file is there. I will commit and push this now.";
    let script = Script::new([
        new_file(mode, &sandbox, "sum.js", CODE),
        vec![text(announced)],
        // Inside the judge: what the guard refuses outside it refuses here. Its own stop, with the same words after an edit of
        // its own, is let go: the script has no turn for another judge.
        new_file(mode, &sandbox, "more.js", CODE),
        shell("git push --force origin main"),
        vec![text(&format!("{announced} {VERDICT}"))],
        // Outside again, resumed by the verdict.
        vec![text(END)],
    ]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    let turns = outcome.requests.iter().filter(|request| matches!(request.kind, Kind::Turn(_))).count();
    assert_eq!(turns, 6, "{outcome}");
    assert_eq!(std::fs::read_to_string(started)?, "started\n", "{outcome}");
    assert!(outcome.result_of(3)?.contains("hookguard [git.push.force"), "{outcome}");
    assert_eq!(sandbox.remote_commit()?, before, "the guard let a forced push through");
    assert_eq!(told_at_stop(mode, outcome.turn(5)?, TOLD), 1, "{outcome}");
    Ok(())
}
