//! What `install`, `uninstall` and `status` ask an adapter, and what it answers.

use serde::Serialize;

use crate::settings::SettingsError;
use crate::settings::command::CommandError;
use crate::settings::journal::JournalEntry;

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumString, Serialize)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Scope {
    /// The user's, for all projects.
    User,
    /// The project's, shared in git.
    Project,
    /// The project's, not shared.
    Local,
}

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub struct PlanRequest<'a> {
    /// Whose settings.
    pub scope: Scope,
    /// hookguard's binary: an absolute path, or the bare name in a project's file, which machines share.
    pub binary: &'a str,
    /// Whether a project's file may have the agent refuse every tool where hookguard is missing: it is missing on the
    /// machine of everyone who has just cloned the project.
    pub require: bool,
    /// Whether hookguard's entries are to go.
    pub remove: bool,
    /// What hookguard has written before: with it the bytes of before come back.
    pub journal: &'a [JournalEntry],
}

/// The settings files that the profile names, of every scope that there is, as they are now.
pub type SettingsFiles = Vec<SettingsFile>;

/// One settings file, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// Whose file it is.
    pub scope: Scope,
    /// Its absolute path.
    pub path: String,
    /// The row of the profile that it belongs to, by its `path`.
    pub place: &'static str,
    /// Its bytes; `None` where there is no such file.
    pub bytes: Option<Vec<u8>>,
}

/// What to write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The files that change; empty where all is as wanted.
    pub edits: Vec<FileEdit>,
    /// What to tell the user, each a sentence or a short paragraph.
    pub notes: Vec<String>,
}

/// One file's change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    /// Its absolute path.
    pub path: String,
    /// The bytes it must have for the plan to hold; `None` where it must not be there.
    pub before: Option<Vec<u8>>,
    /// The bytes to write; `None` where it is to go.
    pub after: Option<Vec<u8>>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A settings file can't be read as the agent reads it.
    #[error("failed to read {path}: {source}")]
    Settings {
        /// The file.
        path: String,
        /// What is wrong, and where.
        source: SettingsError,
    },
    /// The agent would ignore the file, with all the hooks in it.
    #[error("failed to edit {path}: {agent} ignores the whole file, because {why}; mend that first")]
    Ignored {
        /// The file.
        path: String,
        /// The agent's name.
        agent: &'static str,
        /// Why, as a fragment.
        why: String,
    },
    /// The agent has no settings file for the scope.
    #[error("{agent} has no settings at {scope} scope that hookguard can write")]
    NoPlace {
        /// The agent's name.
        agent: &'static str,
        /// The scope.
        scope: Scope,
    },
    /// The binary's path can't be written as a command.
    #[error("failed to write a command")]
    Binary(#[from] CommandError),
}

/// What stands in an agent's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installed {
    /// Every event that `install` registers, and how it stands.
    pub events: Vec<InstalledEvent>,
    /// Our entries, as they stand in the files of the scope.
    pub entries: Vec<InstalledEntry>,
    /// How many hooks of others stand in the same files.
    pub foreign: usize,
    /// A setting that switches hooks off, as it is written, and in which file.
    pub disabled: Option<String>,
    /// What else stands in the way, each a sentence.
    pub warnings: Vec<String>,
    /// Whether the agent will run our hooks; `None` where it asks nobody.
    pub trust: Option<Trust>,
}

/// One entry of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledEntry {
    /// The native event that it stands under.
    pub event: String,
    /// The command, as the agent gives it to its shell.
    pub command: String,
    /// The file.
    pub file: String,
}

/// How one event's registration stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledEvent {
    /// The native event.
    pub event: &'static str,
    /// How it stands.
    pub state: State,
}

/// How a registration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// As `install` would write it.
    Current,
    /// There, but not as `install` would write it now.
    Differs,
    /// There more than once.
    Doubled,
    /// Not there.
    Missing,
}

/// Whether an agent will run our hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Trust {
    /// It will.
    Trusted,
    /// It won't until its user has reviewed them.
    Untrusted,
    /// The settings do not tell.
    Unknown,
}
