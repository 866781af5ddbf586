//! Registration in the settings files of the dialect: what to write, and what stands there.

use super::Nested;
use crate::settings::command::{command_line, own_command};
use crate::settings::hooks::{self, Found, FoundEntry, HookEntry};
use crate::settings::journal::{self, JournalEntry, Undo};
use crate::settings::json::accepted_by;
use crate::settings::{SettingsError, toml, typed};
use crate::{
    FileEdit, Installed, InstalledEntry, InstalledEvent, MatcherSupport, Plan, PlanError, PlanRequest, Scope,
    SettingsFile, SettingsFiles, State, TimeUnit,
};

impl Nested {
    /// See [`Adapter::plan`](crate::Adapter::plan).
    ///
    /// Our entries are written where they stand already; else into the first file that the profile names for the scope.
    ///
    /// # Errors
    /// When a settings file can't be read as the agent reads it, or there is none at the scope.
    pub fn plan(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Plan, PlanError> {
        let sources = self.sources(ask, files)?;
        let mut plan = Plan::default();
        for (file, found) in &sources {
            let after = if ask.remove {
                self.without_ours(ask, file)?
            } else if std::ptr::eq(*file, home(&sources)) {
                Some(self.with_ours(ask, file)?)
            } else if found.own.is_empty() {
                continue;
            } else {
                self.without_ours(ask, file)?
            };
            if after != file.bytes {
                plan.edits.push(FileEdit { path: file.path.clone(), before: file.bytes.clone(), after });
            }
        }
        Ok(plan)
    }

    /// See [`Adapter::inspect`](crate::Adapter::inspect).
    ///
    /// # Errors
    /// As for [`Nested::plan`].
    pub fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError> {
        let sources = self.sources(ask, files)?;
        let (wanted, required) = (self.wanted(ask)?, self.wanted(&PlanRequest { require: true, ..*ask })?);
        let own = || sources.iter().flat_map(|(file, found)| found.own.iter().map(move |entry| (file, entry)));
        let state = |event: &'static str| {
            let here: Vec<&FoundEntry> = own().map(|(_, entry)| entry).filter(|entry| entry.event == event).collect();
            let as_wanted = |entry: &FoundEntry| wanted.iter().chain(&required).any(|wanted| entry.is_as(wanted));
            match here.as_slice() {
                [] => State::Missing,
                [entry] if as_wanted(entry) => State::Current,
                [_] => State::Differs,
                _ => State::Doubled,
            }
        };
        let entry = |(file, entry): (&&SettingsFile, &FoundEntry)| InstalledEntry {
            event: entry.event.clone(),
            command: entry.command.clone().unwrap_or_default(),
            file: file.path.clone(),
        };
        let holding: Vec<&str> = sources
            .iter()
            .filter(|(_, found)| !found.own.is_empty() || !found.foreign.is_empty())
            .map(|(file, _)| file.path.as_str())
            .collect();
        Ok(Installed {
            events: self
                .profile
                .events
                .iter()
                .filter(|row| row.registered.is_some())
                .map(|row| InstalledEvent { event: row.native, state: state(row.native) })
                .collect(),
            entries: own().map(entry).collect(),
            foreign: sources.iter().map(|(_, found)| found.foreign.len()).sum(),
            disabled: self.disabled(files),
            warnings: match holding.as_slice() {
                [_, _, ..] => vec![format!(
                    "{} hold hooks: {} runs all of them and warns each time; keep them in one file",
                    holding.join(" and "),
                    self.profile.name
                )],
                _ => Vec::new(),
            },
            trust: None,
        })
    }

    /// Every settings file of the scope that can hold hooks, and what is in it. The first is where ours go if they stand
    /// nowhere yet.
    ///
    /// # Errors
    /// As for [`Nested::plan`].
    pub fn sources<'f>(
        &self,
        ask: &PlanRequest<'_>,
        files: &'f SettingsFiles,
    ) -> Result<Vec<(&'f SettingsFile, Found)>, PlanError> {
        let places = self.profile.settings.iter().filter(|place| place.scope == ask.scope);
        let of_place = |path| files.iter().find(|file| file.scope == ask.scope && file.place == path);
        let mut sources = Vec::new();
        for file in places.filter_map(|place| of_place(place.path)) {
            let current = self.readable(file)?;
            let found = if self.is_toml(file) {
                toml::inspect(current, &|command| self.is_ours(command))
            } else {
                hooks::inspect(current, &|command| self.is_ours(command))
            };
            sources.push((file, found.map_err(|source| unreadable(file, source))?));
        }
        if sources.is_empty() {
            return Err(PlanError::NoPlace { agent: self.profile.name, scope: ask.scope });
        }
        Ok(sources)
    }

    /// `disableAllHooks`: one file that says so is enough, whosever it is.
    fn disabled(&self, files: &SettingsFiles) -> Option<String> {
        let says_so = |file: &&SettingsFile| {
            let bytes = file.bytes.as_deref().unwrap_or_default();
            !self.is_toml(file) && hooks::inspect(bytes, &|_| false).is_ok_and(|found| found.disable_all_hooks)
        };
        files.iter().find(says_so).map(|file| format!("disableAllHooks in {}", file.path))
    }

    fn is_toml(&self, file: &SettingsFile) -> bool {
        self.toml == Some(file.place)
    }

    fn wanted(&self, ask: &PlanRequest<'_>) -> Result<Vec<HookEntry>, PlanError> {
        let may_block = ask.scope != Scope::Project || ask.require;
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
            let block = registration.block_on_failure && may_block;
            wanted.push(if block { entry.with("onFailure", "block") } else { entry });
        }
        Ok(wanted)
    }

    fn with_ours(&self, ask: &PlanRequest<'_>, file: &SettingsFile) -> Result<Vec<u8>, PlanError> {
        let (current, wanted) = (file.bytes.as_deref().unwrap_or_default(), self.wanted(ask)?);
        let is_ours = |command: &str| self.is_ours(command);
        let edited = if self.is_toml(file) {
            toml::apply(current, &wanted, &is_ours)
        } else {
            hooks::apply(current, &wanted, &is_ours).map(|edited| edited.bytes)
        };
        edited.map_err(|source| unreadable(file, source))
    }

    /// The file without our entries: the bytes of before where nothing has changed since, and no file where there was none.
    fn without_ours(&self, ask: &PlanRequest<'_>, file: &SettingsFile) -> Result<Option<Vec<u8>>, PlanError> {
        let Some(current) = &file.bytes else { return Ok(None) };
        let is_ours = |command: &str| self.is_ours(command);
        let is_clean = |bytes: &[u8]| {
            let found =
                if self.is_toml(file) { toml::inspect(bytes, &is_ours) } else { hooks::inspect(bytes, &is_ours) };
            found.is_ok_and(|found| found.own.is_empty())
        };
        if is_clean(current) {
            return Ok(file.bytes.clone());
        }
        if let Undo::Restore(before) = journal::undo_all(ask.journal, file.path.as_bytes(), current, &is_clean) {
            return Ok(before);
        }
        if self.is_toml(file) {
            let removed = toml::remove(current, &is_ours).map_err(|source| unreadable(file, source))?;
            return Ok(Some(removed));
        }
        let removed = hooks::remove(current, &is_ours).map_err(|source| unreadable(file, source))?;
        let ours_from_the_start = first_write(ask.journal, file).is_some_and(|entry| entry.before.is_none());
        Ok(if removed.bare && removed.changed && ours_from_the_start { None } else { Some(removed.bytes) })
    }

    /// The file's bytes, if the agent reads them.
    fn readable<'f>(&self, file: &'f SettingsFile) -> Result<&'f [u8], PlanError> {
        let bytes = file.bytes.as_deref().unwrap_or_default();
        if bytes.trim_ascii().is_empty() || self.is_toml(file) {
            return Ok(bytes);
        }
        accepted_by(bytes, self.reader).map_err(|source| unreadable(file, source.into()))?;
        let ignored = |why: String| PlanError::Ignored { path: file.path.clone(), agent: self.profile.name, why };
        typed::check(bytes, self.typed).map_err(|wrong| ignored(format!("of {wrong}")))?;
        let found = hooks::inspect(bytes, &|_| false).map_err(|source| unreadable(file, source))?;
        if let Some(known) = self.top_level
            && let Some(key) = found.top_level.iter().find(|key| !known.contains(&key.as_str()))
        {
            return Err(ignored(format!("it knows no key {key:?} at its top")));
        }
        if let Some(known) = self.hook_types {
            let unknown = |entry: &&FoundEntry| entry.kind.as_deref().is_none_or(|kind| !known.contains(&kind));
            if let Some(entry) = found.foreign.iter().find(unknown) {
                let (position, kind) = (entry.position, entry.kind.as_deref().unwrap_or("none"));
                return Err(ignored(format!("of {position}: it knows no hook of the type {kind:?}")));
            }
        }
        Ok(bytes)
    }

    fn is_ours(&self, command: &str) -> bool {
        own_command(command).is_some_and(|own| own.agent == self.profile.id)
    }
}

/// The file that our entries stand in; the first where they stand in none.
fn home<'f>(sources: &[(&'f SettingsFile, Found)]) -> &'f SettingsFile {
    let held = sources.iter().find(|(_, found)| !found.own.is_empty());
    held.unwrap_or(&sources[0]).0
}

/// What was there before we ever wrote the file.
fn first_write<'j>(journal: &'j [JournalEntry], file: &SettingsFile) -> Option<&'j JournalEntry> {
    journal.iter().find(|entry| entry.path == file.path.as_bytes())
}

fn unreadable(file: &SettingsFile, source: SettingsError) -> PlanError {
    PlanError::Settings { path: file.path.clone(), source }
}
