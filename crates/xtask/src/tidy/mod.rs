//! `cargo xtask tidy`: the habits of this workspace that no compiler keeps. One file a kind of rule.

mod adapters;
mod edges;
mod features;
mod purity;
mod text;

use anyhow::bail;

pub(crate) use self::adapters::{REGISTRY, TESTS};

use crate::generate;
use crate::workspace::{Workspace, print, say};

/// Check what the compiler can't.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Leave out the documents made from data, which needs a build of hookguard
    #[arg(long)]
    no_generated: bool,
}

/// What a check found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    faults: Vec<String>,
    smells: Vec<String>,
}

impl Findings {
    /// What must be mended.
    fn fault(&mut self, text: impl Into<String>) {
        self.faults.push(text.into());
    }

    /// What should be looked at.
    fn smell(&mut self, text: impl Into<String>) {
        self.smells.push(text.into());
    }
}

type Check = fn(&Workspace, &mut Findings) -> anyhow::Result<()>;

const CHECKS: &[(&str, Check)] = &[
    ("crate edges are those of docs/ARCHITECTURE.md", edges::check),
    ("the core names no agent", adapters::check_core),
    ("adapters are complete and registered", adapters::check),
    ("pure crates have no clippy.toml, every crate has the workspace's lints", purity::check),
    ("faults are provoked in no default build", features::check),
    ("files are short, say what they are for, and name no machine", text::check),
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let workspace = Workspace::load()?;
    let mut failed = 0;
    for (name, findings) in findings(&workspace)? {
        failed += report(name, &findings);
    }
    if !arguments.no_generated {
        let mut findings = Findings::default();
        for path in generate::stale(&workspace)? {
            findings.fault(format!("{path} is not what `cargo xtask generate` writes"));
        }
        failed += report("documents made from data are current", &findings);
    }
    if failed > 0 {
        bail!("{failed} to mend");
    }
    Ok(())
}

/// What each check finds.
fn findings(workspace: &Workspace) -> anyhow::Result<Vec<(&'static str, Findings)>> {
    let found = CHECKS.iter().map(|(name, check)| {
        let mut findings = Findings::default();
        check(workspace, &mut findings)?;
        Ok((*name, findings))
    });
    found.collect()
}

/// All that must be mended but for the documents made from data.
#[cfg(test)]
pub(crate) fn faults(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    Ok(findings(workspace)?.into_iter().flat_map(|(_, findings)| findings.faults).collect())
}

fn report(name: &str, findings: &Findings) -> usize {
    let mark = if findings.faults.is_empty() { "ok  " } else { "FAIL" };
    print(&format!("{mark} {name}"));
    for fault in &findings.faults {
        say(&format!("     {fault}"));
    }
    for smell in &findings.smells {
        say(&format!("     (look at this: {smell})"));
    }
    findings.faults.len()
}
