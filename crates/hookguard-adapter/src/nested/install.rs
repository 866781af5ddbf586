//! Registration in a settings file of the dialect: what to write, and what stands there.

use super::Nested;
use crate::settings::command::{command_line, own_command};
use crate::settings::hooks::{self, Found, FoundEntry, HookEntry};
use crate::settings::journal::{self, Undo};
use crate::settings::json::accepted_by;
use crate::{
    FileEdit, Installed, InstalledEvent, MatcherSupport, Plan, PlanError, PlanRequest, SettingsFile, SettingsFiles,
    State, TimeUnit,
};

impl Nested {
    /// See [`Adapter::plan`](crate::Adapter::plan).
    ///
    /// # Errors
    /// When a settings file can't be read as the agent reads it, or there is none at the scope.
    pub fn plan(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Plan, PlanError> {
        let file = self.hooks_file(ask, files)?;
        let current = self.readable(file)?;
        let after = if ask.remove { self.without_ours(ask, file)? } else { Some(self.with_ours(ask, file, current)?) };
        let mut plan = Plan::default();
        if after != file.bytes {
            plan.edits.push(FileEdit { path: file.path.clone(), before: file.bytes.clone(), after });
        }
        Ok(plan)
    }

    /// See [`Adapter::inspect`](crate::Adapter::inspect).
    ///
    /// # Errors
    /// As for [`Nested::plan`].
    pub fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError> {
        let file = self.hooks_file(ask, files)?;
        let found = self.found(file)?;
        let wanted = self.wanted(ask)?;
        let state = |event: &'static str| {
            let here: Vec<&FoundEntry> = found.own.iter().filter(|entry| entry.event == event).collect();
            match (here.as_slice(), wanted.iter().find(|entry| entry.event == event)) {
                ([], _) => State::Missing,
                ([entry], Some(wanted)) if entry.is_as(wanted) => State::Current,
                ([_], _) => State::Differs,
                _ => State::Doubled,
            }
        };
        Ok(Installed {
            events: self
                .profile
                .events
                .iter()
                .filter(|row| row.registered.is_some())
                .map(|row| InstalledEvent { event: row.native, state: state(row.native) })
                .collect(),
            foreign: found.foreign.len(),
            disabled: found.disable_all_hooks.then(|| "disableAllHooks".to_owned()),
            trust: None,
        })
    }

    /// Our entries and those of others in `file`.
    ///
    /// # Errors
    /// As for [`Nested::plan`].
    pub fn found(&self, file: &SettingsFile) -> Result<Found, PlanError> {
        let current = self.readable(file)?;
        hooks::inspect(current, &|command| self.is_ours(command)).map_err(|source| unreadable(file, source))
    }

    /// The settings file of the scope that holds the hooks: the first that the profile names.
    ///
    /// # Errors
    /// When the agent has none.
    pub fn hooks_file<'f>(
        &self,
        ask: &PlanRequest<'_>,
        files: &'f SettingsFiles,
    ) -> Result<&'f SettingsFile, PlanError> {
        let place = self.profile.settings.iter().find(|place| place.scope == ask.scope);
        place
            .and_then(|place| files.iter().find(|file| file.place == place.path))
            .ok_or(PlanError::NoPlace { agent: self.profile.name, scope: ask.scope })
    }

    fn wanted(&self, ask: &PlanRequest<'_>) -> Result<Vec<HookEntry>, PlanError> {
        let mut wanted = Vec::new();
        for row in self.profile.events {
            let Some(registration) = row.registered else { continue };
            let command = command_line(ask.binary, self.profile.id, row.native)?;
            let timeout = match registration.timeout.unit {
                TimeUnit::Seconds | TimeUnit::Milliseconds => u64::from(registration.timeout.value),
            };
            let mut entry = HookEntry::new(row.native, &command, timeout);
            if let MatcherSupport::All(all) = registration.matcher {
                entry.matcher = Some(all.to_owned());
            }
            wanted.push(if registration.block_on_failure { entry.with("onFailure", "block") } else { entry });
        }
        Ok(wanted)
    }

    fn with_ours(&self, ask: &PlanRequest<'_>, file: &SettingsFile, current: &[u8]) -> Result<Vec<u8>, PlanError> {
        let edited = hooks::apply(current, &self.wanted(ask)?, &|command| self.is_ours(command));
        Ok(edited.map_err(|source| unreadable(file, source))?.bytes)
    }

    /// The file without our entries: the bytes of before where nothing has changed since, and no file where there was none.
    fn without_ours(&self, ask: &PlanRequest<'_>, file: &SettingsFile) -> Result<Option<Vec<u8>>, PlanError> {
        let Some(current) = &file.bytes else { return Ok(None) };
        let is_ours = |command: &str| self.is_ours(command);
        let is_clean = |bytes: &[u8]| hooks::inspect(bytes, &is_ours).is_ok_and(|found| found.own.is_empty());
        if let Undo::Restore(before) = journal::undo_all(ask.journal, file.path.as_bytes(), current, &is_clean) {
            return Ok(before);
        }
        let removed = hooks::remove(current, &is_ours).map_err(|source| unreadable(file, source))?;
        let of_file = |entry: &&journal::JournalEntry| entry.path == file.path.as_bytes();
        let ours_from_the_start = ask.journal.iter().find(of_file).is_some_and(|entry| entry.before.is_none());
        Ok(if removed.bare && removed.changed && ours_from_the_start { None } else { Some(removed.bytes) })
    }

    /// The file's bytes, if the agent reads them.
    fn readable<'f>(&self, file: &'f SettingsFile) -> Result<&'f [u8], PlanError> {
        let bytes = file.bytes.as_deref().unwrap_or_default();
        if bytes.trim_ascii().is_empty() {
            return Ok(bytes);
        }
        accepted_by(bytes, self.reader).map_err(|source| unreadable(file, source.into()))?;
        if let Some(known) = self.top_level {
            let found = hooks::inspect(bytes, &|_| false).map_err(|source| unreadable(file, source))?;
            if let Some(key) = found.top_level.iter().find(|key| !known.contains(&key.as_str())) {
                return Err(PlanError::Ignored {
                    path: file.path.clone(),
                    agent: self.profile.name,
                    why: format!("it knows no key {key:?} at its top"),
                });
            }
        }
        Ok(bytes)
    }

    fn is_ours(&self, command: &str) -> bool {
        own_command(command).is_some_and(|own| own.agent == self.profile.id)
    }
}

fn unreadable(file: &SettingsFile, source: crate::settings::SettingsError) -> PlanError {
    PlanError::Settings { path: file.path.clone(), source }
}
