//! A human's code, in sessions of the real agents: refused, allowed, run once, refused again.

use anyhow::Context;
use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::{Block, Script};
use hookguard_integration::{Sandbox, binary, terminal};

use super::in_each_mode;
use super::session::{END, guarded, run};

in_each_mode!(once);

/// One session in which the model tries the command; what it was told.
fn tried(mode: Mode, sandbox: &Sandbox, command: &str) -> anyhow::Result<String> {
    let script = Script::one_call(Block::Shell(command.to_owned()), END);
    Ok(run(AgentRun::new(mode, sandbox, script))?.result_of(0)?.to_owned())
}

fn once(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let outside = sandbox.root().join("outside.txt");
    let command = format!("echo written >> {}", outside.display());
    let told = tried(mode, &sandbox, &command)?;
    assert!(!outside.exists(), "{told}");
    let (_, rest) = told.split_once("`hookguard allow ").with_context(|| told.clone())?;
    let (code, _) = rest.split_once('`').with_context(|| told.clone())?;

    let (exit, shown) = terminal::run(&sandbox, binary::hookguard()?, ["allow", code])?;
    assert_eq!(exit, Some(0), "{shown}");
    tried(mode, &sandbox, &command)?;
    assert_eq!(std::fs::read_to_string(&outside)?, "written\n");

    let again = tried(mode, &sandbox, &command)?;
    assert!(again.contains(code), "a replay waits under the same code: {again}");
    assert_eq!(std::fs::read_to_string(&outside)?, "written\n");
    Ok(())
}
