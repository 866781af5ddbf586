//! A new agent's folder: its names, its places in the lists, and a whole workspace that builds with it.

use std::path::PathBuf;

use super::*;
use crate::tidy;

#[test]
fn ids() {
    for id in ["gemini", "mistral-vibe", "a1"] {
        assert!(is_id(id), "{id}");
    }
    for id in ["", "Gemini", "1a", "-a", "a-", "a_b", "../x"] {
        assert!(!is_id(id), "{id}");
    }
}

#[test]
fn every_list_has_a_place_for_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for registration in registrations("new-one") {
        let text = std::fs::read_to_string(root.join(registration.file)).unwrap();
        let made = registration.add(&text).unwrap();
        assert!(made.contains(&registration.line), "{}", registration.file);
    }
}

#[test]
fn names_are_filled_in() {
    assert_eq!(filled("{{id}} {{snake}} {{Type}}", "mistral-vibe"), "mistral-vibe mistral_vibe MistralVibe");
    for (path, template) in TEMPLATE {
        assert!(!filled(template, "x").contains("{{"), "{path}");
    }
}

/// A copy of the workspace in cargo's target folder, as it would be committed now. It stays there, and so does what cargo
/// has built of it: only what has changed since is written, so that the next test builds no more than that.
fn copy_of_the_workspace() -> anyhow::Result<(PathBuf, PathBuf)> {
    let workspace = Workspace::load()?;
    let target = workspace.metadata.target_directory.clone().into_std_path_buf();
    let copy = target.join("new-agent/workspace");
    let files = workspace.files()?;
    for path in &files {
        let bytes = std::fs::read(workspace.root().join(path))?;
        let to = copy.join(path);
        if std::fs::read(&to).ok().as_ref() != Some(&bytes) {
            std::fs::create_dir_all(to.parent().context("a file without a folder")?)?;
            std::fs::write(to, bytes)?;
        }
    }
    // Without a repository of its own the copy would be a part of the one around it.
    let made = Command::new("git").args(["init", "--quiet"]).current_dir(&copy).status()?;
    ensure!(made.success(), "git init failed");
    for path in Workspace::at(&copy)?.files()?.iter().filter(|path| !files.contains(path)) {
        std::fs::remove_file(copy.join(path))?;
    }
    for folder in std::fs::read_dir(copy.join("adapters"))? {
        let folder = folder?.path();
        if !folder.join("Cargo.toml").exists() {
            std::fs::remove_dir_all(folder)?;
        }
    }
    Ok((copy, target))
}

/// What is missing is what only a look at the result can give: the snapshots, which the printed command writes.
#[test]
fn a_new_agent_compiles_and_is_tidy() -> anyhow::Result<()> {
    let (copy, target) = copy_of_the_workspace()?;
    assert_eq!(tidy::faults(&Workspace::at(&copy)?)?, Vec::<String>::new(), "the copy itself");
    scaffold(&Workspace::at(&copy)?, "demo-agent")?;
    let workspace = Workspace::at(&copy)?;
    assert_eq!(tidy::faults(&workspace)?, ["adapters/demo-agent/snapshots has no .snap file"]);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let checked = Command::new(cargo)
        .args(["check", "--quiet", "--offline", "--package", "hookguard", "--target-dir"])
        .arg(target)
        .current_dir(&copy)
        .output()?;
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    assert!(scaffold(&workspace, "demo-agent").is_err(), "it is there already");
    Ok(())
}
