//! `cargo xtask new-agent NAME`: an adapter's folder, complete and registered, that compiles and passes tidy.
//!
//! It speaks the nested dialect with one event and one tool; its only fixture is made up and says so. The next step is a
//! recorded payload.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::tidy::{REGISTRY, TESTS};
use crate::workspace::{Workspace, print};

/// What `fixtures/SOURCE.md` says until somebody has recorded a payload.
pub(crate) const NOT_RECORDED: &str = "Not recorded yet";

/// The folder's files, by path; `{{id}}`, `{{snake}}` and `{{Type}}` are replaced.
const TEMPLATE: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("template/Cargo.toml.txt")),
    ("README.md", include_str!("template/README.md.txt")),
    ("src/lib.rs", include_str!("template/lib.rs.txt")),
    ("src/profile.rs", include_str!("template/profile.rs.txt")),
    ("fixtures/SOURCE.md", include_str!("template/SOURCE.md.txt")),
    ("fixtures/PreToolUse-Bash.json", include_str!("template/PreToolUse-Bash.json.txt")),
];

/// Scaffold an adapter and register it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The agent's id, as in `hookguard hook ID EVENT`: lower-case letters, digits, hyphens
    name: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    print(&scaffold(&Workspace::load()?, &arguments.name)?);
    Ok(())
}

/// Makes the folder, registers it, and says what was done and what comes next.
fn scaffold(workspace: &Workspace, id: &str) -> anyhow::Result<String> {
    let mut done = Vec::new();
    ensure!(is_id(id), "{id:?} is no id: lower-case letters, digits and hyphens, a letter first");
    let folder = workspace.root().join("adapters").join(id);
    ensure!(!folder.exists(), "adapters/{id} is there already");
    for (path, template) in TEMPLATE {
        write(&folder.join(path), &filled(template, id))?;
    }
    std::fs::create_dir_all(folder.join("snapshots"))?;
    for registration in registrations(id) {
        let text = workspace.read(registration.file)?;
        let made = registration.add(&text)?;
        write(&workspace.root().join(registration.file), &made)?;
        done.push(format!("{}: {}", registration.file, registration.line.trim()));
    }
    // The lists that grew may need to be broken.
    let formatted = Command::new("cargo").arg("fmt").current_dir(workspace.root()).status();
    ensure!(formatted.is_ok_and(|status| status.success()), "adapters/{id} is there, but cargo fmt failed");
    done.push(format!(
        "adapters/{id} is there. Next:\n  \
         INSTA_UPDATE=always cargo test -p hookguard-integration adapters   # writes its snapshots: read them\n  \
         cargo xtask generate && cargo xtask tidy\n\
         Then record real payloads, and fill in src/profile.rs from what you saw (docs/CONTRIBUTING.md, \"An agent\")."
    ));
    Ok(done.join("\n"))
}

fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && !id.ends_with('-')
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn filled(template: &str, id: &str) -> String {
    let words = id.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
    let name: String = words.collect();
    template.replace("{{id}}", id).replace("{{snake}}", &id.replace('-', "_")).replace("{{Type}}", &name)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

/// A line that a list needs, and before what it goes: the last line of the list's kind, or the list's end.
struct Registration {
    file: &'static str,
    line: String,
    after: &'static str,
}

fn registrations(id: &str) -> Vec<Registration> {
    let adapter = format!("&hookguard_{}::ADAPTER", id.replace('-', "_"));
    let dependency = format!("hookguard-{id}.workspace = true");
    vec![
        Registration {
            file: "Cargo.toml",
            line: format!("hookguard-{id} = {{ path = \"adapters/{id}\" }}"),
            after: "hookguard-codex = {",
        },
        Registration { file: "crates/hookguard/Cargo.toml", line: dependency.clone(), after: "hookguard-codex." },
        Registration { file: "integration/Cargo.toml", line: dependency, after: "hookguard-codex." },
        Registration { file: REGISTRY, line: adapter.clone(), after: "&hookguard_codex::ADAPTER" },
        Registration {
            file: TESTS,
            line: format!("    Subject {{ adapter: {adapter}, variables: &[], attended: None }},"),
            after: "Subject { adapter: &hookguard_codex::ADAPTER",
        },
    ]
}

impl Registration {
    fn add(&self, text: &str) -> anyhow::Result<String> {
        let Registration { file, line, after } = self;
        let Some(at) = text.find(after) else { bail!("{file} has no {after:?} to put {line:?} behind") };
        // An element of a list in one line, or a line of its own.
        if *file == REGISTRY {
            let end = at + after.len();
            return Ok(format!("{}, {line}{}", &text[..end], &text[end..]));
        }
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        Ok(format!("{}\n{line}{}", &text[..end], &text[end..]))
    }
}

#[cfg(test)]
mod tests;
