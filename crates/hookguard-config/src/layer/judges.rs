//! `[judge]` and `[guard]`, one file upon the other. A judge added, a kind of evidence required, a mode made stricter: that
//! tightens. Who is asked runs code or sends text elsewhere, and what counts as verification loosens.

use std::collections::BTreeMap;

use hookguard_judge::Evidence;
use hookguard_judge::backend::{Backend, JudgeMode, Kind, OnProse};

use super::merge::On;
use super::{Layer, Origin, Stack, Valued, Why};
use crate::Fault;
use crate::hint;
use crate::model::{GuardTable, JudgeTable, OwnVerification};

/// How long all backends together may take where no file says: in milliseconds (DESIGN 8.6).
const DEADLINE_MS: u64 = 8_000;

/// What the files say of judges.
#[derive(Debug, Clone)]
pub struct Judging {
    /// Who is asked, in this order.
    pub backends: Valued<Vec<String>>,
    /// How long they may take together, in milliseconds.
    pub deadline_ms: Valued<u64>,
    /// What the built-in backend does on prose alone.
    pub on_prose: Valued<OnProse>,
    /// Of how many in a hundred of the stops that are let go at once the text is logged.
    pub sample_percent: Valued<u8>,
    /// What each judge does; one that is not here blocks.
    pub modes: BTreeMap<String, Valued<JudgeMode>>,
    /// Files of judges, as they are named, each from the folder of the file that names it.
    pub files: Vec<(String, Origin)>,
    /// Kinds of verification that are all required.
    pub required: Vec<(Evidence, Origin)>,
    /// Commands that verify.
    pub verification: Vec<(OwnVerification, Origin)>,
    /// Who can be asked, besides those that are built in.
    pub defined: Vec<(Backend, Origin)>,
    /// Whether a judge may answer in the human's place where the guard asks.
    pub guard: Valued<bool>,
    /// The rules about which it may.
    pub guard_rules: Vec<(String, Origin)>,
    /// What is asked about where nothing was verified.
    pub verified_before: Vec<(String, Origin)>,
}

impl Default for Judging {
    fn default() -> Judging {
        fn built_in<T>(value: T) -> Valued<T> {
            Valued { value, origin: None }
        }
        Judging {
            backends: built_in(vec!["builtin".to_owned()]),
            deadline_ms: built_in(DEADLINE_MS),
            on_prose: built_in(OnProse::Advise),
            sample_percent: built_in(0),
            modes: BTreeMap::new(),
            files: Vec::new(),
            required: Vec::new(),
            verification: Vec::new(),
            defined: Vec::new(),
            guard: built_in(false),
            guard_rules: Vec::new(),
            verified_before: Vec::new(),
        }
    }
}

impl Judging {
    /// The backend that is called `name`: one that is defined, else one that needs no entry.
    pub fn backend(&self, name: &str) -> Option<Backend> {
        let defined = self.defined.iter().map(|(backend, _)| backend).find(|backend| backend.name() == name);
        let known = || [Kind::Builtin, Kind::Claude, Kind::Codex].into_iter().find(|kind| kind.to_string() == name);
        defined.cloned().or_else(|| known().map(Backend::new))
    }

    /// What `judge` does.
    pub fn mode(&self, judge: &str) -> JudgeMode {
        self.modes.get(judge).map_or(JudgeMode::Block, |mode| mode.value)
    }
}

impl On<'_> {
    pub(super) fn judges(&mut self) {
        let table: JudgeTable = std::mem::take(&mut self.file.parsed.file.judge);
        let waits = self.file.layer.is_projects() && !self.trusted;
        let runs = waits.then_some(Why::RunsCode);
        let set = |managed: bool| managed.then_some(Why::Managed);
        let managed = self.managed.map(|managed| managed.judging.clone()).unwrap_or_default();
        for (at, backend) in table.backend.into_iter().enumerate() {
            let (path, name) = (format!("judge.backend.{at}"), backend.name());
            let taken = self.stack.judging.defined.iter().any(|(other, _)| other.name() == name);
            let why = runs.or(taken.then_some(Why::Taken));
            self.put_or_hold(&path, format!("the backend {name}"), why, |judging, origin| {
                judging.defined.push((backend, origin));
            });
        }
        if let Some(backends) = table.backends {
            let why = runs.or(set(managed.backends.origin.is_some()));
            self.put_or_hold("judge.backends", format!("backends = {backends:?}"), why, |judging, origin| {
                judging.backends = Valued { value: backends, origin: Some(origin) };
            });
        }
        if let Some(ms) = table.deadline_ms {
            // Too short a time is a judge that never answers.
            let why = self.held(true, managed.deadline_ms.origin.is_some());
            self.put_or_hold("judge.deadline_ms", format!("deadline_ms = {ms}"), why, |judging, origin| {
                judging.deadline_ms = Valued { value: ms, origin: Some(origin) };
            });
        }
        if let Some(on_prose) = table.on_prose {
            let below = managed.on_prose.origin.is_some() && on_prose < managed.on_prose.value;
            let why = self.held(on_prose < self.stack.judging.on_prose.value, below);
            self.put_or_hold("judge.on_prose", format!("on_prose = \"{on_prose}\""), why, |judging, origin| {
                judging.on_prose = Valued { value: on_prose, origin: Some(origin) };
            });
        }
        if let Some(percent) = table.sample_percent {
            let why = set(managed.sample_percent.origin.is_some());
            self.put_or_hold("judge.sample_percent", format!("sample_percent = {percent}"), why, |judging, origin| {
                judging.sample_percent = Valued { value: percent.min(100), origin: Some(origin) };
            });
        }
        for (judge, mode) in table.mode {
            let below = managed.modes.get(&judge).is_some_and(|least| mode < least.value);
            let why = self.held(mode < self.stack.judging.mode(&judge), below);
            let what = format!("\"{judge}\" = \"{mode}\"");
            self.put_or_hold(&format!("judge.mode.{judge}"), what, why, |judging, origin| {
                judging.modes.insert(judge, Valued { value: mode, origin: Some(origin) });
            });
        }
        for (at, file) in table.files.into_iter().enumerate() {
            let path = format!("judge.files.{at}");
            // Its words count at once. Its question would stand beside those of the other judges, in one call, and could tell
            // the model how to answer them.
            if waits {
                self.hold(&path, format!("the question of the judge {file}"), Why::Instructs);
            }
            self.put_or_hold(&path, String::new(), None, |judging, origin| judging.files.push((file, origin)));
        }
        for (at, kind) in table.verification.required.into_iter().enumerate() {
            let path = format!("judge.verification.required.{at}");
            self.put_or_hold(&path, String::new(), None, |judging, origin| judging.required.push((kind, origin)));
        }
        for (at, command) in table.verification.command.into_iter().enumerate() {
            let path = format!("judge.verification.command.{at}");
            let why = self.held(true, false);
            let what = format!("`{}` as verification", command.command);
            self.put_or_hold(&path, what, why, |judging, origin| judging.verification.push((command, origin)));
        }
    }

    /// Names of backends that nobody defines: they are passed over, and people should hear of it.
    pub(super) fn unknown_backends(stack: &mut Stack) {
        let Some(origin) = &stack.judging.backends.origin else { return };
        let place = stack.place(origin);
        for name in &stack.judging.backends.value {
            if stack.judging.backend(name).is_none() {
                let known = stack.judging.defined.iter().map(|(backend, _)| backend.name());
                let known: Vec<String> = known.chain(["builtin", "claude", "codex"].map(str::to_owned)).collect();
                let hint = hint::nearest(name, known.iter().map(String::as_str))
                    .or_else(|| Some("give it an entry [[judge.backend]]".to_owned()));
                let fault = Fault { place, what: format!("no backend is called `{name}`"), hint };
                stack.unknown.push((origin.layer, fault));
            }
        }
    }

    pub(super) fn guard(&mut self) {
        let table: GuardTable = std::mem::take(&mut self.file.parsed.file.guard);
        let managed = self.managed.map(|managed| managed.judging.clone()).unwrap_or_default();
        if let Some(judge) = table.judge {
            let below = judge && managed.guard.origin.is_some() && !managed.guard.value;
            let why = self.held(judge && !self.stack.judging.guard.value, below);
            self.put_or_hold("guard.judge", format!("judge = {judge}"), why, |judging, origin| {
                judging.guard = Valued { value: judge, origin: Some(origin) };
            });
        }
        for (at, rule) in table.judge_rules.into_iter().enumerate() {
            let path = format!("guard.judge_rules.{at}");
            let why = self.held(true, !managed.guard_rules.is_empty());
            let what = format!("a judge for {rule}");
            self.put_or_hold(&path, what, why, |judging, origin| judging.guard_rules.push((rule, origin)));
        }
        for (at, what) in table.verified_before.into_iter().enumerate() {
            let path = format!("guard.verified_before.{at}");
            self.put_or_hold(&path, String::new(), None, |judging, origin| {
                judging.verified_before.push((what, origin));
            });
        }
    }

    fn put_or_hold(&mut self, path: &str, what: String, why: Option<Why>, put: impl FnOnce(&mut Judging, Origin)) {
        match why {
            Some(why) => self.hold(path, what, why),
            None => {
                let origin = self.origin(path);
                put(&mut self.stack.judging, origin);
            }
        }
    }
}

/// Whether a judge's file, named in a file of `layer`, may lie there: a project's only in the project.
pub fn may_name(layer: Layer, file: &str) -> bool {
    !layer.is_projects() || (!file.starts_with(['/', '~']) && !file.split('/').any(|part| part == ".."))
}
