//! The workspace on disk: its root, its packages, its files, its built binary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use cargo_metadata::{Message, Metadata, MetadataCommand};

/// The workspace, as cargo and git see it.
pub(crate) struct Workspace {
    /// What `cargo metadata` says, without foreign crates.
    pub(crate) metadata: Metadata,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load() -> anyhow::Result<Workspace> {
        Ok(Workspace { metadata: MetadataCommand::new().no_deps().exec()? })
    }

    /// Asks cargo about the workspace in another folder.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> anyhow::Result<Workspace> {
        Ok(Workspace { metadata: MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()? })
    }

    /// The folder of the root `Cargo.toml`.
    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Reads a file by its path below the root.
    pub(crate) fn read(&self, path: &str) -> anyhow::Result<String> {
        let path = self.root().join(path);
        std::fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))
    }

    /// The files that are or would be committed, below the root.
    pub(crate) fn files(&self) -> anyhow::Result<Vec<String>> {
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .current_dir(self.root())
            .output()
            .context("failed to start git")?;
        ensure!(listed.status.success(), "git ls-files says {}", String::from_utf8_lossy(&listed.stderr).trim());
        let mut files: Vec<String> = String::from_utf8_lossy(&listed.stdout)
            .split_terminator('\0')
            .filter(|path| self.root().join(path).is_file())
            .map(str::to_owned)
            .collect();
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    /// The folders of adapters, by name.
    pub(crate) fn adapters(&self) -> anyhow::Result<Vec<String>> {
        let folder = self.root().join("adapters");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(|| format!("failed to read {}", folder.display()))? {
            let entry = entry?;
            if entry.path().is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Builds hookguard and says where it is: with a target named in `.cargo/config.toml` that is below the triple.
    pub(crate) fn build(&self, release: bool) -> anyhow::Result<PathBuf> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([
            "build",
            "--package",
            "hookguard",
            "--bin",
            "hookguard",
            "--message-format=json-render-diagnostics",
        ]);
        if release {
            cargo.arg("--release");
        }
        let built =
            cargo.current_dir(self.root()).stderr(Stdio::inherit()).output().context("failed to start cargo")?;
        ensure!(built.status.success(), "hookguard does not build");
        for message in Message::parse_stream(built.stdout.as_slice()) {
            if let Message::CompilerArtifact(artifact) = message?
                && let Some(binary) = artifact.executable
            {
                return Ok(binary.into());
            }
        }
        anyhow::bail!("cargo did not say where it put hookguard")
    }
}

/// Says something to the person. Nobody listening is no failure.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints data.
pub(crate) fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Whether this is CI, where nothing may be skipped.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}
