//! The scripts that the configuration names.

use std::fs;

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
pub(crate) fn configured(surroundings: &Surroundings) -> Option<Scripts> {
    let text = fs::read_to_string(surroundings.config.as_ref()?.join("config.toml")).ok()?;
    let file: ConfigFile = toml::from_str(&text).ok()?;
    let scripts = Scripts { policies: file.policy, checks: file.stop.check };
    (!scripts.policies.is_empty() || !scripts.checks.is_empty()).then_some(scripts)
}
