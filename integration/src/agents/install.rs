//! Getting the pinned agents from npm, once.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use super::{Agent, Pinned};

/// Names the cache folder, in place of `.agents-cache` in the workspace.
const CACHE: &str = "HOOKGUARD_AGENTS_CACHE";

/// The folder that agents are installed in; it is made here.
pub(super) fn cache() -> anyhow::Result<PathBuf> {
    let folder = match std::env::var_os(CACHE) {
        Some(folder) => PathBuf::from(folder),
        None => {
            let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
            workspace.context("failed to find the workspace's folder")?.join(".agents-cache")
        }
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    Ok(folder.canonicalize()?)
}

/// The program of an agent, installed first where it is not: some 200 MB from npm, half a minute.
///
/// Other test processes wait meanwhile. A folder with the final name is complete: it was moved there after the
/// program in it had said its version.
pub fn installed(agent: Agent) -> anyhow::Result<PathBuf> {
    let pinned = agent.pinned();
    let cache = cache()?;
    let name = format!("{}-{}", pinned.package.trim_start_matches('@').replace('/', "-"), pinned.version);
    let folder = cache.join(&name);
    if !folder.is_dir() {
        let lock = File::create(cache.join(format!("{name}.lock")))?;
        lock.lock().context("failed to wait for another installation")?;
        if !folder.is_dir() {
            let partial = cache.join(format!("{name}.partial"));
            install(pinned, &partial)?;
            std::fs::rename(&partial, &folder)?;
        }
    }
    program(agent, &folder)
}

fn install(pinned: &Pinned, folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    // So that npm takes this folder, and not one above it, for the package it works in.
    std::fs::write(folder.join("package.json"), r#"{ "private": true }"#)?;
    let package = format!("{}@{}", pinned.package, pinned.version);
    let npm = Command::new("npm")
        .args(["install", "--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", &package])
        .current_dir(folder)
        .output();
    let hint = "the real agents are a part of these tests (HOOKGUARD_SKIP_REAL_AGENTS=1 leaves them out)";
    let npm = npm.with_context(|| format!("failed to start npm, which should install {package}; {hint}"))?;
    if !npm.status.success() {
        bail!("failed to install {package}: npm says\n{}\n{hint}", String::from_utf8_lossy(&npm.stderr));
    }
    let program = program(pinned.agent, folder)?;
    let said = Command::new(&program).arg("--version").output();
    let said = said.with_context(|| format!("failed to start {}", program.display()))?;
    let version = String::from_utf8_lossy(&said.stdout);
    let as_pinned = said.status.success() && version.split_whitespace().any(|word| word == pinned.version);
    ensure!(as_pinned, "installed {package}, but it calls itself {:?}", version.trim());
    Ok(())
}

/// What is to be started of an installed package.
///
/// Claude Code's own entry is put in place by an install script, which npm 11 does not run unasked; the program lies
/// in the package of the platform, and runs from there. Codex's entry is a script for node that starts its program.
fn program(agent: Agent, folder: &Path) -> anyhow::Result<PathBuf> {
    match agent {
        Agent::Codex => Ok(folder.join("node_modules/.bin/codex")),
        Agent::Claude => {
            let packages = folder.join("node_modules/@anthropic-ai");
            let packages = std::fs::read_dir(&packages).with_context(|| format!("no {}", packages.display()))?;
            let programs = packages.filter_map(|package| Some(package.ok()?.path().join("claude")));
            programs.filter(|path| path.is_file()).min().context("failed to find the program of this platform")
        }
    }
}
