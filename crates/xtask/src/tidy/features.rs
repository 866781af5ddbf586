//! The feature that provokes failures is for tests: no default list and no dependency turns it on.

use super::Findings;
use crate::workspace::Workspace;

const FEATURE: &str = "fault-injection";

pub(super) fn check(workspace: &Workspace, findings: &mut Findings) -> anyhow::Result<()> {
    for package in &workspace.metadata.packages {
        for (feature, enables) in &package.features {
            if feature != FEATURE && enables.iter().any(|enabled| enabled.contains(FEATURE)) {
                findings.fault(format!("{}: the feature {feature} turns {FEATURE} on", package.name));
            }
        }
        for dependency in package.dependencies.iter().filter(|on| on.features.iter().any(|on| on == FEATURE)) {
            findings.fault(format!("{} depends on {} with {FEATURE}", package.name, dependency.name));
        }
    }
    Ok(())
}
