//! The ledger against truth: sessions of the real agents in which it is known what ran, how it ended and what was edited,
//! and what hookguard knew of it. The tables stand in `docs/ledger.md`.

mod known;
mod steps;

use std::path::Path;

use anyhow::{Context, ensure};
use hookguard_integration::Sandbox;
use hookguard_integration::agents::{Agent, AgentRun, Mode, skipped};
use hookguard_integration::fake_model::Script;
use serde_json::{Value, json};

use self::known::{Source, Tally};
use self::steps::{FORBIDDEN, Kind, Step};
use super::session::{END, guarded, run, text};

/// Hooks beside hookguard's: one keeps what hookguard sees at the stop, the other refuses.
/// The first stop counts: Claude Code waits for what runs in the background, and stops again.
const KEEP: &str = r#"mkdir "$HOME/kept" && cd "$HOME/kept" && cat > stop.json || exit 0
transcript=$(sed -n 's/.*"transcript_path": *"\([^"]*\)".*/\1/p' stop.json)
cp -r "$HOME/.local/state/hookguard/session" session
cp "$transcript" transcript.jsonl
"#;
const REFUSE: &str = "grep -q FORBIDDEN && printf '%s' 'ANSWER'; exit 0\n";

/// Runs of Claude Code: what is done in each, in order. The last is a second turn of the session before it.
const CLAUDE: [&[Kind]; 20] = {
    use Kind::*;
    [
        &[Quick, Failing, Quick],
        &[Slow, Failing, Piped, Quick],
        &[Written, Edited, Quick, Failing],
        &[Together, Failing, Written],
        &[Refused, Quick, Piped, Refused],
        &[MovedToBackground, Waits, Quick],
        &[Background, Waits, Failing],
        &[Background, MovedToBackground, Waits, Piped, Quick],
        &[Subagent, Quick, Failing],
        &[Written, Unfit, Edited, Failing, Quick],
        &[Signal, TimedOut, Quick],
        &[RefusedByAnother, Quick, RefusedByAnother, Failing],
        &[Long, Failing, Long, Quick],
        &[ChangedByCommand, Quick, Failing, Edited],
        &[Piped, Piped, Signal, TimedOut, Slow],
        &[Together, Together, Written, Refused, Quick],
        &[Unknown, Quick, Unfit, Quoted, Failing, StillRuns],
        &[Subagent, Background, Waits, Written, Failing, Quick],
        &[Written, Failing, Edited, Quick],
        &[Failing, Edited, Piped, Quick, Refused],
    ]
};

/// Runs of Codex, with tools and in code mode. The last is a second turn of the session before it.
const CODEX: [(Mode, &[Kind]); 20] = {
    use Kind::*;
    use Mode::{CodexCode, CodexDirect};
    [
        (CodexDirect, &[Quick, Failing, Quick]),
        (CodexCode, &[Quick, Failing, Quick]),
        (CodexDirect, &[Polled, Quick, Polled, Failing]),
        (CodexCode, &[Polled, Quick, Failing]),
        (CodexDirect, &[NeverPolled, Waits, Failing]),
        (CodexCode, &[NeverPolled, Waits, Failing]),
        (CodexDirect, &[Piped, Signal, TimedOut, Slow]),
        (CodexCode, &[Piped, Signal, TimedOut, Slow]),
        (CodexDirect, &[Patched, PatchedInHeredoc, UnfitInHeredoc, Failing, PatchedMany, PatchedBelow, Quick]),
        (CodexCode, &[Patched, PatchedInHeredoc, UnfitInHeredoc, Failing, PatchedMany, PatchedBelow, Quick]),
        (CodexDirect, &[Refused, Quick, RefusedByAnother, Piped, Quoted]),
        (CodexCode, &[Refused, Quick, RefusedByAnother, Piped]),
        (CodexDirect, &[Together, Failing, Together]),
        (CodexCode, &[Loop, Together, Caught, Failing]),
        (CodexCode, &[Computed, NotComeTo, Loop, Quick]),
        (CodexDirect, &[Unfit, Patched, Unfit, Quick, StillRuns]),
        (CodexCode, &[Unfit, PatchedInHeredoc, Caught, Quick, StillRuns]),
        (CodexDirect, &[Elsewhere, Long, Failing, PatchedInHeredoc, Polled]),
        (CodexDirect, &[Patched, Failing, NeverPolled, Waits, Quick]),
        (CodexDirect, &[Failing, PatchedInHeredoc, Piped, Polled, Refused]),
    ]
};

#[test]
fn claude() -> anyhow::Result<()> {
    against_truth(Agent::Claude, &CLAUDE.map(|kinds| (Mode::Claude, kinds)))
}

#[test]
fn codex() -> anyhow::Result<()> {
    against_truth(Agent::Codex, &CODEX)
}

fn against_truth(agent: Agent, runs: &[(Mode, &[Kind])]) -> anyhow::Result<()> {
    if skipped(&format!("the ledger against truth, {agent}")) {
        return Ok(());
    }
    let mut tally = Tally::default();
    let mut last: Option<Sandbox> = None;
    for (number, (mode, kinds)) in runs.iter().enumerate() {
        let resumed = last.take().filter(|_| number + 1 == runs.len());
        let again = resumed.is_some();
        let sandbox = match resumed {
            Some(sandbox) => sandbox,
            None => prepared(*mode)?,
        };
        let steps: Vec<Step> =
            kinds.iter().enumerate().map(|(at, kind)| kind.step(*mode, &sandbox, number * 10 + at)).collect();
        one(*mode, &sandbox, &steps, again, &mut tally).with_context(|| format!("run {number}, {mode}: {kinds:?}"))?;
        last = Some(sandbox);
    }
    tally.check()?;
    let table = tally.table();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ledger.md");
    let documented = std::fs::read_to_string(&path).unwrap_or_default();
    ensure!(documented.contains(&table), "docs/ledger.md has another table for {agent} than what was seen:\n\n{table}");
    Ok(())
}

/// A guarded sandbox, with the hooks of this test beside hookguard's.
fn prepared(mode: Mode) -> anyhow::Result<Sandbox> {
    let sandbox = guarded(mode)?;
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "another refuses",
    }});
    let refuse = REFUSE.replace("FORBIDDEN", FORBIDDEN).replace("ANSWER", &answer.to_string());
    let file = mode.agent().hooks_file(&sandbox);
    let mut settings: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
    for (event, name, script) in [("Stop", "keep.sh", KEEP), ("PreToolUse", "refuse.sh", &refuse)] {
        let script = sandbox.write(name, script)?;
        let entry = json!({ "hooks": [{ "type": "command", "command": format!("bash {}", script.display()) }] });
        settings["hooks"][event].as_array_mut().context("it is not installed")?.push(entry);
    }
    std::fs::write(&file, settings.to_string())?;
    Ok(sandbox)
}

/// Runs one turn, and counts what is known of it at its end.
fn one(mode: Mode, sandbox: &Sandbox, steps: &[Step], again: bool, tally: &mut Tally) -> anyhow::Result<()> {
    for (file, text) in steps.iter().flat_map(|step| &step.files) {
        sandbox.write(sandbox.project().join(file), text)?;
    }
    let kept = sandbox.home().join("kept");
    if kept.exists() {
        std::fs::remove_dir_all(kept)?;
    }
    let turns = steps.iter().flat_map(|step| step.turns.clone());
    let script = Script::new(turns.chain([vec![text(END)], vec![text(END)]]));
    let session = AgentRun::new(mode, sandbox, script);
    let outcome = run(if again { session.resumed() } else { session })?;
    for step in steps {
        step.happened(sandbox).with_context(|| format!("{:?} did not do what it should: {outcome}", step.kind))?;
    }
    for source in Source::ALL {
        let records = known::at_stop(mode.agent(), sandbox, source)?;
        tally.count(source, steps, &records, sandbox);
    }
    Ok(())
}
