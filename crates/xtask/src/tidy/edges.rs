//! Which workspace crate may depend on which: the `edges` block of docs/ARCHITECTURE.md against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};

use super::Findings;
use crate::workspace::Workspace;

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
/// Stands for every adapter.
const ADAPTERS: &str = "adapters/*";

type Edges = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(workspace: &Workspace, findings: &mut Findings) -> anyhow::Result<()> {
    let allowed = parse(&workspace.read(DOCUMENT)?)?;
    let actual = actual(workspace);
    compare(&allowed, &actual, findings);
    Ok(())
}

/// The block: a line a crate, `crate -> what it may depend on`.
fn parse(document: &str) -> anyhow::Result<Edges> {
    let block = document.split_once("```edges\n").and_then(|(_, rest)| rest.split_once("```"));
    let (block, _) = block.with_context(|| format!("{DOCUMENT} has no ```edges block"))?;
    let mut edges = Edges::new();
    for line in block.lines().filter(|line| !line.trim().is_empty()) {
        let Some((from, to)) = line.split_once("->") else { bail!("{DOCUMENT}: no arrow in {line:?}") };
        let to = to.split_whitespace().map(str::to_owned).collect();
        if edges.insert(from.trim().to_owned(), to).is_some() {
            bail!("{DOCUMENT}: {} twice", from.trim());
        }
    }
    Ok(edges)
}

/// What cargo sees, with every adapter's name replaced by [`ADAPTERS`]. Adapters stay apart as keys, so that an edge from
/// one to another shows as `adapters/*` on both sides, which no document allows.
fn actual(workspace: &Workspace) -> Vec<(String, String, BTreeSet<String>)> {
    let adapters = workspace.root().join("adapters");
    let packages = &workspace.metadata.packages;
    let class = |name: &str| {
        let package = packages.iter().find(|package| package.name.as_str() == name)?;
        let below = package.manifest_path.as_std_path().starts_with(&adapters);
        Some(if below { ADAPTERS.to_owned() } else { name.to_owned() })
    };
    packages
        .iter()
        .filter_map(|package| {
            let name = package.name.to_string();
            let to = package.dependencies.iter().filter_map(|dependency| class(&dependency.name)).collect();
            Some((name.clone(), class(&name)?, to))
        })
        .collect()
}

fn compare(allowed: &Edges, actual: &[(String, String, BTreeSet<String>)], findings: &mut Findings) {
    let nothing = BTreeSet::new();
    for (name, class, to) in actual {
        if !allowed.contains_key(class) {
            findings.fault(format!("{name} is not in the edges of {DOCUMENT}"));
        }
        for other in to.difference(allowed.get(class).unwrap_or(&nothing)) {
            findings.fault(format!("{name} depends on {other}, which {DOCUMENT} does not allow"));
        }
    }
    for class in allowed.keys().filter(|class| !actual.iter().any(|(_, seen, _)| seen == *class)) {
        findings.fault(format!("{DOCUMENT} lists {class}, which is no crate here"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(actual: &[(&str, &str, &[&str])]) -> Vec<String> {
        let allowed = parse("x\n```edges\ncore ->\nshared -> core\nadapters/* -> shared\n```\n").unwrap();
        let actual: Vec<_> = actual
            .iter()
            .map(|(name, class, to)| {
                ((*name).to_owned(), (*class).to_owned(), to.iter().map(|to| (*to).to_owned()).collect())
            })
            .collect();
        let mut findings = Findings::default();
        compare(&allowed, &actual, &mut findings);
        findings.faults
    }

    #[test]
    fn allowed_edges_pass_and_others_do_not() {
        let right: &[(&str, &str, &[&str])] =
            &[("core", "core", &[]), ("shared", "shared", &["core"]), ("a", ADAPTERS, &["shared"])];
        assert_eq!(found(right), Vec::<String>::new());
        let wrong: &[(&str, &str, &[&str])] =
            &[("core", "core", &["shared"]), ("a", ADAPTERS, &[ADAPTERS, "shared"]), ("new", "new", &[])];
        let faults = found(wrong).join("\n");
        for expected in ["core depends on shared", "a depends on adapters/*", "new is not in", "lists shared"] {
            assert!(faults.contains(expected), "{expected}: {faults}");
        }
    }

    #[test]
    fn a_document_without_edges_is_an_error() {
        assert!(parse("nothing").is_err());
        assert!(parse("```edges\na b\n```").is_err());
        assert!(parse("```edges\na ->\na ->\n```").is_err());
    }
}
