//! Putting one file upon the other.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use hookguard_core::{Level, Mode};
use strum::IntoEnumIterator;

use super::{Builtin, ContentHash, Held, Judging, Layer, LayerFile, ListName, Origin, Stack, Valued, Why, lists};
use crate::Fault;
use crate::hint;
use crate::model::Lists;

/// Puts `files` upon the built-in policy, in the order of [`Layer`].
pub fn stack(builtin: &Builtin<'_>, mut files: Vec<LayerFile>) -> Stack {
    files.sort_by_key(|file| file.layer);
    let hashes: BTreeSet<String> = files
        .iter()
        .filter(|file| file.layer == Layer::Managed)
        .flat_map(|file| file.parsed.file.trusted.clone())
        .collect();
    let level = |(id, level): &(&str, Level)| ((*id).to_owned(), Valued { value: *level, origin: None });
    let list = |name: ListName| {
        let names = builtin.lists.iter().filter(|(other, _)| *other == name).flat_map(|(_, names)| names.iter());
        (name, Valued { value: names.map(|name| (*name).to_owned()).collect(), origin: None })
    };
    let mut stack = Stack {
        mode: Valued { value: Mode::Enforce, origin: None },
        levels: builtin.rules.iter().map(level).collect(),
        excepts: Vec::new(),
        rules: Vec::new(),
        lists: ListName::iter().map(list).collect(),
        policies: Vec::new(),
        checks: Vec::new(),
        judging: Judging::default(),
        tests: Vec::new(),
        held: Vec::new(),
        unknown: Vec::new(),
        trusted: Vec::new(),
        places: BTreeMap::new(),
    };
    let mut managed = None;
    for file in files {
        let listed = || !hashes.is_empty() && hashes.contains(&ContentHash::of(&file.bytes).to_string());
        let trusted = file.layer.is_projects() && (file.pinned || listed());
        if trusted {
            stack.trusted.push(file.layer);
        }
        let layer = file.layer;
        stack.places.insert(layer, file.parsed.places.clone());
        On { stack: &mut stack, file, trusted, managed: managed.as_ref() }.put();
        if layer == Layer::Managed {
            managed = Some(Managed::of(&stack));
        }
    }
    On::unknown_backends(&mut stack);
    stack
}

/// What the managed file set: the other files start from it and don't go below.
#[derive(Default)]
pub(super) struct Managed {
    mode: Option<Mode>,
    pub(super) judging: Judging,
    levels: BTreeMap<String, Level>,
    lists: BTreeMap<ListName, Vec<String>>,
}

impl Managed {
    /// That of a stack upon which nothing but the managed file was put.
    fn of(stack: &Stack) -> Managed {
        Managed {
            mode: stack.mode.origin.as_ref().map(|_| stack.mode.value),
            levels: set(&stack.levels).map(|(id, level)| (id.clone(), *level)).collect(),
            lists: set(&stack.lists).map(|(name, list)| (*name, list.clone())).collect(),
            judging: stack.judging.clone(),
        }
    }
}

/// The entries that a file set.
fn set<K, V>(all: &BTreeMap<K, Valued<V>>) -> impl Iterator<Item = (&K, &V)> {
    all.iter().filter(|(_, valued)| valued.origin.is_some()).map(|(key, valued)| (key, &valued.value))
}

/// One file about to be put upon what lies below it.
pub(super) struct On<'s> {
    pub(super) stack: &'s mut Stack,
    pub(super) file: LayerFile,
    pub(super) trusted: bool,
    pub(super) managed: Option<&'s Managed>,
}

impl On<'_> {
    fn put(mut self) {
        let layer = self.file.layer;
        self.stack.unknown.extend(self.file.parsed.unknown.iter().map(|fault| (layer, fault.clone())));
        if layer != Layer::Managed && !self.file.parsed.file.trusted.is_empty() {
            self.hold("trusted", "the list of trusted hashes".to_owned(), Why::ManagedOnly);
        }
        self.mode();
        self.rules();
        self.levels();
        self.excepts();
        self.lists();
        self.code();
        self.judges();
        self.guard();
        for (at, test) in std::mem::take(&mut self.file.parsed.file.test).into_iter().enumerate() {
            let origin = self.origin(&format!("test.{at}"));
            self.stack.tests.push((test, origin));
        }
    }

    pub(super) fn origin(&self, path: &str) -> Origin {
        Origin { layer: self.file.layer, path: path.to_owned() }
    }

    pub(super) fn hold(&mut self, path: &str, what: String, why: Why) {
        let origin = self.origin(path);
        self.stack.held.push(Held { origin, what, why });
    }

    /// Why a change does not count, if it does not: it loosens what is there, or goes below what the managed file set.
    pub(super) fn held(&self, loosens: bool, below_managed: bool) -> Option<Why> {
        if below_managed {
            return Some(Why::Managed);
        }
        (loosens && self.file.layer.is_projects() && !self.trusted).then_some(Why::Loosens)
    }

    fn mode(&mut self) {
        let Some(mode) = self.file.parsed.file.mode else { return };
        let observes = |before: Mode| mode == Mode::Observe && before == Mode::Enforce;
        let below = self.managed.and_then(|managed| managed.mode).is_some_and(observes);
        match self.held(observes(self.stack.mode.value), below) {
            Some(why) => self.hold("mode", format!("mode = \"{mode}\""), why),
            None => self.stack.mode = Valued { value: mode, origin: Some(self.origin("mode")) },
        }
    }

    /// A rule of one's own only ever adds to what is caught, so every file may bring some.
    fn rules(&mut self) {
        for (at, rule) in std::mem::take(&mut self.file.parsed.file.rule).into_iter().enumerate() {
            let path = format!("rule.{at}");
            let origin = self.origin(&path);
            match self.stack.levels.entry(rule.id.clone()) {
                Entry::Occupied(_) => self.hold(&path, format!("the rule {}", rule.id), Why::Taken),
                Entry::Vacant(free) => {
                    free.insert(Valued { value: rule.level, origin: Some(origin.clone()) });
                    self.stack.rules.push((rule, origin));
                }
            }
        }
    }

    fn levels(&mut self) {
        let mut keys: Vec<(String, Level)> = std::mem::take(&mut self.file.parsed.file.rules).into_iter().collect();
        // What is named exactly comes last and stands; of two names with `*` the longer one.
        keys.sort_by_key(|(key, _)| (!key.ends_with('*'), key.len()));
        for (key, level) in keys {
            let path = format!("rules.{key}");
            let ids: Vec<String> = self.stack.levels.keys().filter(|id| names(&key, id)).cloned().collect();
            if ids.is_empty() {
                self.unknown_rule(&path, &key);
            }
            let mut held = BTreeSet::new();
            for id in ids {
                let loosens = level < self.stack.levels[&id].value;
                let below =
                    self.managed.is_some_and(|managed| managed.levels.get(&id).is_some_and(|least| level < *least));
                let why = if loosens && self.is_guards(&id) { Some(Why::Guard) } else { self.held(loosens, below) };
                match why {
                    Some(why) => {
                        held.insert(why);
                    }
                    None => {
                        let origin = Some(self.origin(&path));
                        self.stack.levels.insert(id, Valued { value: level, origin });
                    }
                }
            }
            for why in held {
                self.hold(&path, format!("\"{key}\" = \"{level}\""), why);
            }
        }
    }

    fn excepts(&mut self) {
        for (at, except) in std::mem::take(&mut self.file.parsed.file.except).into_iter().enumerate() {
            let path = format!("except.{at}");
            if !self.stack.levels.contains_key(&except.rule) {
                self.unknown_rule(&format!("{path}.rule"), &except.rule);
                continue;
            }
            let below = self.managed.is_some_and(|managed| managed.levels.contains_key(&except.rule));
            let why = if self.file.parsed.has_unknown_below(&path) {
                Some(Why::Unclear)
            } else if self.is_guards(&except.rule) {
                Some(Why::Guard)
            } else {
                self.held(true, below)
            };
            match why {
                Some(why) => self.hold(&path, format!("the exception to {}", except.rule), why),
                None => {
                    let origin = self.origin(&path);
                    self.stack.excepts.push((except, origin));
                }
            }
        }
    }

    fn lists(&mut self) {
        let changes: Lists = std::mem::take(&mut self.file.parsed.file.lists);
        for name in ListName::iter() {
            let Some(change) = name.of(&changes) else { continue };
            let path = format!("lists.{name}");
            let Some(before) = self.stack.lists.get(&name) else { continue };
            let after = lists::changed(&before.value, change);
            let least = self.managed.and_then(|managed| managed.lists.get(&name));
            let below = least.is_some_and(|least| name.loosens(least, &after));
            match self.held(name.loosens(&before.value, &after), below) {
                Some(why) => self.hold(&path, format!("the list {name}"), why),
                None => {
                    let origin = Some(self.origin(&path));
                    self.stack.lists.insert(name, Valued { value: after, origin });
                }
            }
        }
    }

    /// Programs: they run with the user's rights, so a project's wait for the user's word.
    fn code(&mut self) {
        let waits = self.file.layer.is_projects() && !self.trusted;
        for (at, policy) in std::mem::take(&mut self.file.parsed.file.policy).into_iter().enumerate() {
            let path = format!("policy.{at}");
            let taken = self.stack.policies.iter().any(|(other, _)| other.id == policy.id);
            match (waits, taken) {
                (true, _) => self.hold(&path, format!("the policy {}", policy.id), Why::RunsCode),
                (_, true) => self.hold(&path, format!("the policy {}", policy.id), Why::Taken),
                _ => {
                    let origin = self.origin(&path);
                    self.stack.policies.push((policy, origin));
                }
            }
        }
        for (at, check) in std::mem::take(&mut self.file.parsed.file.stop.check).into_iter().enumerate() {
            let path = format!("stop.check.{at}");
            let taken = self.stack.checks.iter().any(|(other, _)| other.id == check.id);
            match (waits, taken) {
                (true, _) => self.hold(&path, format!("the check {}", check.id), Why::RunsCode),
                (_, true) => self.hold(&path, format!("the check {}", check.id), Why::Taken),
                _ => {
                    let origin = self.origin(&path);
                    self.stack.checks.push((check, origin));
                }
            }
        }
    }

    /// Whether the rule protects the guard itself, from a file that may not touch it.
    fn is_guards(&self, id: &str) -> bool {
        id.starts_with("guard.") && self.file.layer.is_projects()
    }

    fn unknown_rule(&mut self, path: &str, id: &str) {
        let hint = hint::nearest(id, self.stack.levels.keys().map(String::as_str));
        let fault = Fault { place: self.file.parsed.places.get(path), what: format!("no rule is called `{id}`"), hint };
        self.stack.unknown.push((self.file.layer, fault));
    }
}

/// Whether `key` of `[rules]` is about the rule `id`: its id, or `git.*` for all below `git`. The guard's own rules have to
/// be named: nobody means them by `*`.
fn names(key: &str, id: &str) -> bool {
    match key.strip_suffix('*') {
        Some("") => !id.starts_with("guard."),
        Some(above) => above.ends_with('.') && id.starts_with(above),
        None => key == id,
    }
}
