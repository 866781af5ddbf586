//! `cargo xtask bench-hook`: what `hookguard hook` costs, beside `/bin/true` and beside a hook written in bash.
//!
//! The clock is for people; instructions are the gate, because they are the same on a busy machine.

mod callgrind;
mod cases;
mod layer1;
mod measure;
mod memory;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use self::cases::Case;
pub(crate) use self::cases::rules_of_a_user;
use self::measure::{Home, Program};
pub(crate) use self::memory::{CHILD, child};
use crate::workspace::{Workspace, in_ci, print, say};

/// How many pairs are run, and how many in CI.
const PAIRS: usize = 600;
const SMOKE_PAIRS: usize = 20;
/// How many runs the memory is taken of.
const MEMORY_RUNS: usize = 5;
/// The most memory that an allowed command may take, in KiB.
const MAX_RSS_KIB: u64 = 6 * 1024;

/// Measure `hookguard hook`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A few runs only: does it work, and in how much memory
    #[arg(long)]
    smoke: bool,
    /// Count instructions with valgrind, and fail if a call takes more than it may
    #[arg(long)]
    callgrind: bool,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let binary = match &arguments.binary {
        Some(binary) => binary.canonicalize().with_context(|| format!("no {}", binary.display()))?,
        None => Workspace::load()?.build(true)?,
    };
    let home = Home::new()?;
    let cases = cases::all(home.path())?;
    for case in &cases {
        let said = home.output(&hook(&binary, case), case)?;
        ensure!(said.is_empty(), "{} is to be allowed, and hookguard says {said}", case.name);
    }
    if arguments.callgrind {
        return count(&home, &binary, &cases);
    }
    let pairs = if arguments.smoke { SMOKE_PAIRS } else { PAIRS };
    clock(&home, &binary, &cases, pairs)
}

/// The hook, as an agent calls it about a case.
fn hook(binary: &Path, case: &Case) -> Program {
    Program::new(binary, ["hook", "claude", case.event])
}

/// Wall time and memory.
fn clock(home: &Home, binary: &Path, cases: &[Case], pairs: usize) -> anyhow::Result<()> {
    let nothing = Program::new(Path::new("/bin/true"), std::iter::empty::<OsString>());
    print(&format!("{pairs} interleaved pairs each, medians"));
    let mut over = Vec::new();
    for case in cases {
        let hook = hook(binary, case);
        let timed = home.pairs(&hook, &nothing, case, pairs)?;
        let ratio = timed.ratio();
        let memory = memory::max_rss_kib(home, &hook, case, MEMORY_RUNS)?;
        print(&format!(
            "{:<28} {:>7.0} us   {:.2} x /bin/true ({:.0} us)   {:.1} MB{}",
            case.name,
            timed.ours,
            ratio,
            timed.other,
            memory as f64 / 1024.0,
            case.budget.map_or(String::new(), |budget| format!(
                "   {}: at most {budget} x",
                if ratio <= budget { "within" } else { "OVER" }
            )),
        ));
        // A configuration that is read anew takes what it takes.
        if case.home.is_none() && case.budget.is_some() && memory > MAX_RSS_KIB {
            over.push(format!("{}: {memory} KiB of memory, at most {MAX_RSS_KIB}", case.name));
        }
    }
    match bash_hook(home)? {
        Some(bash) => {
            let timed = home.pairs(&hook(binary, &cases[0]), &bash, &cases[0], pairs)?;
            print(&format!(
                "{:<28} {:>7.0} us   {:.1} x hookguard",
                "the same in bash and jq",
                timed.other,
                timed.other / timed.ours
            ));
        }
        None => {
            ensure!(!in_ci(), "jq is not installed: the bash hook can't be measured");
            say("skipped: the hook in bash, because there is no jq");
        }
    }
    ensure!(over.is_empty(), "{}", over.join("; "));
    Ok(())
}

/// Instructions of the whole process.
fn count(home: &Home, binary: &Path, cases: &[Case]) -> anyhow::Result<()> {
    let mut over = Vec::new();
    for case in cases {
        let instructions = callgrind::instructions(home, &hook(binary, case), case)?;
        let most = case.instructions.map_or(String::new(), |most| format!("   at most {most}"));
        print(&format!("{:<28} {instructions:>9} instructions{most}", case.name));
        if case.instructions.is_some_and(|most| instructions > most) {
            over.push(format!("{}: {instructions} instructions{most}", case.name));
        }
    }
    for (name, instructions) in layer1::counts(home, binary)? {
        print(&format!("{name:<28} {instructions:>9} instructions"));
        if instructions > layer1::MAX_INSTRUCTIONS {
            over.push(format!("{name}: {instructions} instructions, at most {}", layer1::MAX_INSTRUCTIONS));
        }
    }
    ensure!(over.is_empty(), "{}", over.join("; "));
    Ok(())
}

/// What people write today: a shell script that takes the command out with jq and looks for a pattern.
const BASH: &str = r#"#!/bin/bash
command=$(jq -r '.tool_input.command // empty')
case $command in
  *'git push --force'*) jq -n '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no"}}' ;;
esac
"#;

fn bash_hook(home: &Home) -> anyhow::Result<Option<Program>> {
    let found = |name: &str| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    };
    let (Some(bash), Some(_)) = (found("bash"), found("jq")) else { return Ok(None) };
    let script = home.path().join("hook.sh");
    std::fs::write(&script, BASH)?;
    Ok(Some(Program::new(&bash, [script])))
}
