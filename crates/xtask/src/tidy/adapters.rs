//! Adapter folders are complete and registered, and the core names none of their agents.

use toml::Table;

use super::Findings;
use crate::workspace::Workspace;

/// Where the binary lists its agents.
pub(crate) const REGISTRY: &str = "crates/hookguard/src/agents.rs";
/// Where the adapters' tests list them.
pub(crate) const TESTS: &str = "integration/tests/it/adapters.rs";

const FILES: &[&str] = &["Cargo.toml", "README.md", "src/lib.rs", "fixtures/SOURCE.md"];

pub(super) fn check(workspace: &Workspace, findings: &mut Findings) -> anyhow::Result<()> {
    let registry = workspace.read(REGISTRY)?;
    let tests = workspace.read(TESTS)?;
    for name in workspace.adapters()? {
        let folder = workspace.root().join("adapters").join(&name);
        for file in FILES.iter().filter(|file| !folder.join(file).is_file()) {
            findings.fault(format!("adapters/{name} has no {file}"));
        }
        for (kind, extension) in [("fixtures", "json"), ("snapshots", "snap")] {
            if !has_file(&folder.join(kind), extension) {
                findings.fault(format!("adapters/{name}/{kind} has no .{extension} file"));
            }
        }
        let adapter = format!("hookguard_{}::ADAPTER", name.replace('-', "_"));
        for (list, text) in [(REGISTRY, &registry), (TESTS, &tests)] {
            if !text.contains(&adapter) {
                findings.fault(format!("{list} does not name {adapter}"));
            }
        }
        if let Ok(manifest) = workspace.read(&format!("adapters/{name}/Cargo.toml")) {
            check_manifest(&name, &manifest.parse()?, findings);
        }
        if let Ok(source) = workspace.read(&format!("adapters/{name}/fixtures/SOURCE.md"))
            && source.contains(super::super::new_agent::NOT_RECORDED)
        {
            findings.smell(format!("adapters/{name}/fixtures holds payloads that no agent sent"));
        }
    }
    Ok(())
}

/// Adapters have no test targets of their own: `integration` runs their fixtures, and fifteen test binaries would only
/// take time to link.
fn check_manifest(name: &str, manifest: &Table, findings: &mut Findings) {
    let package = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    if package != Some(&format!("hookguard-{name}")) {
        findings.fault(format!("adapters/{name} must be the package hookguard-{name}"));
    }
    for key in ["test", "doctest"] {
        let set = manifest.get("lib").and_then(|lib| lib.get(key)).and_then(toml::Value::as_bool);
        if set != Some(false) {
            findings.fault(format!("adapters/{name}/Cargo.toml must say `{key} = false` under [lib]"));
        }
    }
}

fn has_file(folder: &std::path::Path, extension: &str) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| entry.path().extension().is_some_and(|found| found == extension)))
    })
}

/// No agent's id in the core's sources: what differs among agents is data in their profiles.
pub(super) fn check_core(workspace: &Workspace, findings: &mut Findings) -> anyhow::Result<()> {
    let agents = workspace.adapters()?;
    for path in workspace.files()?.iter().filter(|path| path.starts_with("crates/hookguard-core/src/")) {
        for (number, line) in workspace.read(path)?.lines().enumerate() {
            for agent in named(line, &agents) {
                findings.fault(format!("{path}:{} names {agent}", number + 1));
            }
        }
    }
    Ok(())
}

/// The agents that a line names as words of their own. Comments may cite the source of a fact.
fn named<'a>(line: &str, agents: &'a [String]) -> Vec<&'a str> {
    let code = line.split("//").next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = code.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    agents.iter().map(String::as_str).filter(|agent| words.contains(agent)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_name_is_found_in_code() {
        let agents = ["claude".to_owned(), "codex".to_owned()];
        assert_eq!(named("if agent == \"codex\" {", &agents), ["codex"]);
        assert_eq!(named("fn is_claude() {}", &agents), ["claude"]);
        assert!(named("/// Codex cuts it at 10 KB.", &agents).is_empty());
        assert!(named("let codexes = 1;", &agents).is_empty());
    }

    #[test]
    fn a_manifest_with_test_targets_is_a_fault() {
        let mut findings = Findings::default();
        check_manifest("x", &"[package]\nname = \"hookguard-x\"\n[lib]\ntest = false".parse().unwrap(), &mut findings);
        assert_eq!(findings.faults.len(), 1, "{findings:?}");
    }
}
