//! Purity and lints: the strict `clippy.toml` of the root holds for a crate that has none of its own.

use super::Findings;
use crate::workspace::Workspace;

/// The crates that may touch the world: the binary, these chores, the tests of whole processes.
const IMPURE: &[&str] = &["hookguard", "xtask", "hookguard-integration"];

pub(super) fn check(workspace: &Workspace, findings: &mut Findings) -> anyhow::Result<()> {
    for package in &workspace.metadata.packages {
        let name = package.name.as_str();
        let folder = package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()).unwrap_or_default();
        for own in ["clippy.toml", ".clippy.toml"] {
            if folder.join(own).exists() && !IMPURE.contains(&name) {
                findings.fault(format!("{name} has a {own}: it would no longer be pure"));
            }
        }
        let manifest: toml::Table = std::fs::read_to_string(&package.manifest_path)?.parse()?;
        let inherits = manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        if inherits != Some(true) {
            findings.fault(format!("{name} does not take the workspace's lints"));
        }
    }
    Ok(())
}
