//! Install, uninstall and status, as the real agents see them.

use hookguard_integration::Sandbox;
use hookguard_integration::agents::{Agent, AgentRun, Mode, Trust, review_hooks};
use hookguard_integration::fake_model::{Block, Script};

use super::session::{END, hookguard, install, run};
use super::{in_each_mode, in_mode};

in_each_mode!(uninstalled);

/// Settings of a user who has hooks and habits of their own: strict JSON in a hand's layout.
const SETTINGS_BEFORE: &str =
    "{\n   \"hooks\" : { \"Stop\": [\n\t{ \"hooks\": [ {\"type\":\"command\", \"command\":\"true\"} ] } ]\n   }\n}\n\n";

/// A forced push, and the end.
fn forced_push() -> Script {
    Script::one_call(Block::Shell("git push --force origin main".to_owned()), END)
}

/// After `uninstall` the settings are as they were, byte for byte, and nothing is refused any more.
fn uninstalled(mode: Mode) -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let before = sandbox.diverged_remote()?;
    let file = mode.agent().hooks_file(&sandbox);
    std::fs::write(&file, SETTINGS_BEFORE)?;
    install(&sandbox, mode.agent())?;
    assert_ne!(std::fs::read_to_string(&file)?, SETTINGS_BEFORE);
    run(AgentRun::new(mode, &sandbox, forced_push()))?;
    assert_eq!(sandbox.remote_commit()?, before, "installed, and not refused");

    hookguard(&sandbox, ["uninstall", "--agent", &mode.agent().to_string()])?;
    assert_eq!(std::fs::read_to_string(&file)?, SETTINGS_BEFORE);
    run(AgentRun::new(mode, &sandbox, forced_push()))?;
    assert_eq!(sandbox.remote_commit()?, sandbox.git(["rev-parse", "HEAD"])?, "uninstalled, and refused");
    Ok(())
}

#[test]
fn unreviewed_hooks_of_codex_do_not_run_and_status_says_so() -> anyhow::Result<()> {
    in_mode("unreviewed", Mode::CodexDirect, |mode| {
        let sandbox = Sandbox::new()?;
        let before = sandbox.diverged_remote()?;
        let said = install(&sandbox, Agent::Codex)?;
        assert!(said.contains("not trusted") && said.contains("/hooks"), "{said}");
        let outcome = run(AgentRun::new(mode, &sandbox, forced_push()).trust(Trust::Unreviewed))?;

        assert_ne!(sandbox.remote_commit()?, before, "Codex ran hooks that nobody had reviewed");
        let printed = format!("{}{}", outcome.agent.stdout, outcome.agent.stderr);
        assert!(!printed.contains("trust"), "Codex says by itself now that hooks were skipped: {printed}");
        let status = hookguard(&sandbox, ["status"])?;
        assert!(status.contains("not trusted") && status.contains("/hooks"), "{status}");
        Ok(())
    })
}

/// A user's review holds: hooks run without any bypass, and another `install` changes nothing that Codex would see.
#[test]
fn reviewed_hooks_of_codex_run_and_stay_reviewed() -> anyhow::Result<()> {
    in_mode("reviewed", Mode::CodexDirect, |mode| {
        let sandbox = Sandbox::new()?;
        let before = sandbox.diverged_remote()?;
        install(&sandbox, Agent::Codex)?;
        assert_ne!(review_hooks(&sandbox)?, 0, "there was nothing to review");
        install(&sandbox, Agent::Codex)?;
        run(AgentRun::new(mode, &sandbox, forced_push()).trust(Trust::Unreviewed))?;
        assert_eq!(sandbox.remote_commit()?, before, "reviewed, and not refused");
        assert_eq!(review_hooks(&sandbox)?, 0, "installing once more took the trust away");
        let status = hookguard(&sandbox, ["status"])?;
        assert!(!status.contains("not trusted"), "{status}");
        Ok(())
    })
}
