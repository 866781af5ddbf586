//! Leaving the real agents out: loud for a developer, a failure in CI.

use hookguard_integration::{Exit, Finished, Invocation};

/// Runs one real-agent test of this very binary with the agents left out, and CI as given.
fn one_test_without_agents(ci: &str) -> anyhow::Result<Finished> {
    let args = ["--exact", "real_agents::driver::no_hook_at_all::claude"];
    Invocation::new(std::env::current_exe()?).args(args).env("HOOKGUARD_SKIP_REAL_AGENTS", "1").env("CI", ci).run()
}

#[test]
fn is_said_aloud() -> anyhow::Result<()> {
    let test = one_test_without_agents("")?;
    assert_eq!(test.exit, Exit::Code(0), "{test:?}");
    assert!(test.stdout.contains("1 passed"), "{test:?}");
    assert!(test.stderr.contains("skipped: no_hook_at_all, claude"), "{test:?}");
    Ok(())
}

#[test]
fn fails_in_ci() -> anyhow::Result<()> {
    let test = one_test_without_agents("true")?;
    assert_eq!(test.exit, Exit::Code(101), "{test:?}");
    assert!(test.stdout.contains("nothing is skipped"), "{test:?}");
    Ok(())
}
