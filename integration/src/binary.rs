//! The built `hookguard`, as the sources say: cargo is asked, and builds what is out of date.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, anyhow, ensure};

/// The feature that makes hookguard panic or stall when a payload says so.
const FAULTS: &str = "fault-injection";

/// The binary under test: `$HOOKGUARD_BIN`, taken as it is, else the debug build.
///
/// # Errors
/// Where it does not build.
pub fn hookguard() -> anyhow::Result<PathBuf> {
    match std::env::var_os("HOOKGUARD_BIN") {
        Some(path) => named(&PathBuf::from(path)),
        None => Ok(builds()?.plain.clone()),
    }
}

/// The build with the feature `fault-injection`: `$HOOKGUARD_FAULTS_BIN`, taken as it is, else a debug build.
///
/// # Errors
/// Where it does not build.
pub fn hookguard_with_faults() -> anyhow::Result<PathBuf> {
    match std::env::var_os("HOOKGUARD_FAULTS_BIN") {
        Some(path) => named(&PathBuf::from(path)),
        None => Ok(builds()?.faults.clone()),
    }
}

fn named(path: &Path) -> anyhow::Result<PathBuf> {
    path.canonicalize().with_context(|| format!("failed to find {}", path.display()))
}

struct Builds {
    plain: PathBuf,
    faults: PathBuf,
}

/// Both builds, made once a test process. A few seconds where the tests themselves were just compiled: only the binary
/// differs.
fn builds() -> anyhow::Result<&'static Builds> {
    static BUILDS: OnceLock<Result<Builds, String>> = OnceLock::new();
    let built = BUILDS.get_or_init(|| build_both().map_err(|error| format!("{error:#}")));
    built.as_ref().map_err(|error| anyhow!("{error}"))
}

fn build_both() -> anyhow::Result<Builds> {
    let folder = builds_folder()?.join("debug");
    std::fs::create_dir_all(&folder)?;
    // Both builds end at the same path, so one is moved aside, while other test processes wait.
    let lock = File::create(folder.join("hookguard-builds.lock"))?;
    lock.lock().context("failed to wait for another build")?;
    let built = folder.join(format!("hookguard{}", std::env::consts::EXE_SUFFIX));
    let faults = folder.join(format!("hookguard-with-faults{}", std::env::consts::EXE_SUFFIX));
    build(&["--features", FAULTS])?;
    // A new file, and not other bytes in the old one: it may be running.
    let fresh = folder.join("hookguard-with-faults.new");
    std::fs::copy(&built, &fresh).with_context(|| format!("failed to copy {}", built.display()))?;
    std::fs::rename(&fresh, &faults)?;
    build(&[])?;
    Ok(Builds { plain: built, faults })
}

fn build(more: &[&str]) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--package", "hookguard", "--bin", "hookguard"])
        .args(more)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .context("failed to start cargo")?;
    ensure!(built.status.success(), "hookguard does not build:\n{}", String::from_utf8_lossy(&built.stderr));
    Ok(())
}

/// Cargo's folder for builds of this target, `target/<triple>`: the running test is in `<profile>/deps` below it.
pub(crate) fn builds_folder() -> anyhow::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let deps = test.ancestors().find(|folder| folder.ends_with("deps"));
    let builds = deps.and_then(Path::parent).and_then(Path::parent);
    Ok(builds.with_context(|| format!("failed to find cargo's target folder above {}", test.display()))?.to_owned())
}
