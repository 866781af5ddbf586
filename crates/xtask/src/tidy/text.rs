//! Every committed file: not too long, a first line that says what it is for, no path of somebody's machine.

use std::path::Path;

use super::Findings;
use crate::workspace::Workspace;

/// More lines than this is a fault, this a smell.
const FAULT: usize = 1000;
const SMELL: usize = 500;

/// What a generated document says in its first lines.
const GENERATED: &str = "ade by `cargo xtask generate`";

/// Rooms without a name.
const NAMELESS: &[&str] = &["utils", "util", "common", "helpers", "helper", "misc"];

pub(super) fn check(workspace: &Workspace, findings: &mut Findings) -> anyhow::Result<()> {
    for path in workspace.files()? {
        if is_data(&path) {
            continue;
        }
        // What is no text has no lines.
        let Ok(text) = workspace.read(&path) else { continue };
        check_file(&path, &text, findings);
    }
    Ok(())
}

/// What is recorded, labelled or generated.
fn is_data(path: &str) -> bool {
    let cases = path.contains("/tests/") && !path.ends_with(".rs");
    cases || path == "Cargo.lock" || ["/fixtures/", "/snapshots/", "LICENSE-"].iter().any(|part| path.contains(part))
}

fn check_file(path: &str, text: &str, findings: &mut Findings) {
    match text.lines().count() {
        // Nobody reads a generated document from top to bottom, or writes it.
        _ if text.lines().take(5).any(|line| line.contains(GENERATED)) => {}
        lines if lines > FAULT => findings.fault(format!("{path} has {lines} lines")),
        lines if lines > SMELL => findings.smell(format!("{path} has {lines} lines")),
        _ => {}
    }
    if path.ends_with(".rs") && !text.starts_with("//! ") {
        findings.fault(format!("{path} does not begin with `//! ` and what it is for"));
    }
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if path.ends_with(".rs") && NAMELESS.contains(&stem) {
        findings.fault(format!("{path}: name it by what is in it"));
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(found) = machine_path(line) {
            findings.fault(format!("{path}:{} has a path of somebody's machine: {found}", number + 1));
        }
    }
}

/// A path that only exists where this was written. Payloads speak of `/home/dev`, which is nobody.
fn machine_path(line: &str) -> Option<&str> {
    // In two parts, so that this file does not find itself.
    const WORK: &str = concat!("/wo", "rk/");
    line.match_indices(WORK).find_map(|(at, _)| {
        let before = line[..at].chars().next_back();
        let starts = before.is_none_or(|c| !c.is_alphanumeric() && !"._-~/*{}$".contains(c));
        starts.then(|| line[at..].split_whitespace().next().unwrap_or(WORK))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        check_file(path, text, &mut findings);
        findings.faults
    }

    #[test]
    fn what_is_a_fault() {
        assert_eq!(faults("src/a.rs", "//! What it is for.\n"), Vec::<String>::new());
        assert_eq!(faults("src/a.rs", "use std::fs;\n").len(), 1);
        assert_eq!(faults("src/utils.rs", "//! Things.\n").len(), 1);
        assert_eq!(faults("a.md", &"x\n".repeat(1001)).len(), 1);
        assert!(
            faults("a.md", &format!("# A\n<!-- made by `cargo xtask generate` -->\n{}", "x\n".repeat(1001))).is_empty()
        );
        assert_eq!(faults("a.md", concat!("see /wo", "rk/x for it")).len(), 1);
        assert!(faults("a.md", concat!("see /home/dev/wo", "rk/x and $HOME/wo", "rk/y")).is_empty());
    }
}
