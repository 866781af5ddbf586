//! The scripts that the configuration names.

use std::fs;
use std::io::ErrorKind;

use hookguard_config::model::{ConfigFile, ExecPolicy, StopCheck};

use crate::surroundings::Surroundings;

/// Exec policies and stop checks, those that count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scripts {
    pub(crate) policies: Vec<ExecPolicy>,
    pub(crate) checks: Vec<StopCheck>,
}

/// What the user's own file names; `None` where there is nothing to run, which costs one look.
///
/// Only that file: a project's may not run code unasked, and the layers with their trust give all of it once they are compiled.
///
/// # Errors
/// The file is there and can't be read: why, as a sentence to the user. The built-in policy stands all the same.
pub(crate) fn configured(surroundings: &Surroundings) -> Result<Option<Scripts>, String> {
    let Some(path) = surroundings.config.as_ref().map(|folder| folder.join("config.toml")) else { return Ok(None) };
    let unread = |why: &str| format!("{} can't be read, so its scripts are not asked: {why}", path.display());
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(unread(&error.to_string())),
    };
    let file: ConfigFile = toml::from_str(&text).map_err(|error| unread(error.message()))?;
    let scripts = Scripts { policies: file.policy, checks: file.stop.check };
    Ok((!scripts.policies.is_empty() || !scripts.checks.is_empty()).then_some(scripts))
}
