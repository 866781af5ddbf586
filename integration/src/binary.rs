//! Where the built `hookguard` is, and that it is what the sources say.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};

/// What to run where there is no usable binary.
const BUILD: &str = "cargo build --release -p hookguard";

/// The binary under test: `$HOOKGUARD_BIN`, else the release build, else the debug build, beside the running test.
///
/// Fails where there is none, and where a source is newer than the binary: a test of yesterday's program proves
/// nothing. `$HOOKGUARD_BIN` is taken as it is.
pub fn hookguard() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("HOOKGUARD_BIN") {
        let path = PathBuf::from(path);
        return path.canonicalize().with_context(|| format!("failed to find HOOKGUARD_BIN {}", path.display()));
    }
    let builds = builds_folder()?;
    let mut stale = None;
    for profile in ["release", "debug"] {
        let binary = builds.join(profile).join(format!("hookguard{}", std::env::consts::EXE_SUFFIX));
        if !binary.is_file() {
            continue;
        }
        match newer_source(&binary)? {
            None => return Ok(binary),
            Some(source) => stale = Some(format!("{} is older than {}", binary.display(), source.display())),
        }
    }
    let why = stale.unwrap_or_else(|| format!("there is no hookguard under {}", builds.display()));
    bail!("{why}: run `{BUILD}` first, or set HOOKGUARD_BIN")
}

/// What to run where there is no build that fails on demand.
const BUILD_WITH_FAULTS: &str = "cargo build -p hookguard --features fault-injection --target-dir target/faults";

/// The build with the feature `fault-injection`, which panics or stalls when a payload says so: `$HOOKGUARD_FAULTS_BIN`,
/// else what the command above left.
///
/// Fails as [`hookguard`] does.
pub fn hookguard_with_faults() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("HOOKGUARD_FAULTS_BIN") {
        return Ok(PathBuf::from(path));
    }
    let builds = builds_folder()?;
    let triple = builds.file_name().context("failed to name the target")?;
    let folder = builds.with_file_name("faults").join(triple).join("debug");
    let binary = folder.join(format!("hookguard{}", std::env::consts::EXE_SUFFIX));
    if !binary.is_file() {
        bail!("there is no {}: run `{BUILD_WITH_FAULTS}` first", binary.display());
    }
    match newer_source(&binary)? {
        None => Ok(binary),
        Some(source) => {
            bail!("{} is older than {}: run `{BUILD_WITH_FAULTS}` first", binary.display(), source.display())
        }
    }
}

/// Cargo's folder for builds of this target, `target/<triple>`: the running test is in `<profile>/deps` below it.
pub(crate) fn builds_folder() -> anyhow::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let deps = test.ancestors().find(|folder| folder.ends_with("deps"));
    let builds = deps.and_then(Path::parent).and_then(Path::parent);
    Ok(builds.with_context(|| format!("failed to find cargo's target folder above {}", test.display()))?.to_owned())
}

/// The first source that is newer than the binary, by the list that cargo keeps beside it (`hookguard.d`).
fn newer_source(binary: &Path) -> anyhow::Result<Option<PathBuf>> {
    let built = modified(binary)?;
    let list = binary.with_extension("d");
    let list = std::fs::read_to_string(&list).with_context(|| format!("failed to read {}", list.display()))?;
    for source in sources(&list) {
        if modified(&source).map_or(true, |changed| changed > built) {
            return Ok(Some(source));
        }
    }
    Ok(None)
}

/// The prerequisites of a make rule in which spaces are escaped.
fn sources(rule: &str) -> Vec<PathBuf> {
    const SPACE: &str = "\0";
    let all = rule.split_once(": ").map_or("", |(_, all)| all).replace("\\ ", SPACE);
    all.split_whitespace().map(|path| PathBuf::from(path.replace(SPACE, " "))).collect()
}

fn modified(path: &Path) -> std::io::Result<SystemTime> {
    std::fs::metadata(path)?.modified()
}
