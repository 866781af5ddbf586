//! The configuration of a place: which files count, read, put one upon the other, compiled and kept.
//!
//! The hook takes what was compiled before, where nothing has changed since ([`of_hook`]); people's commands read everything
//! anew and know where each value comes from ([`read`]). A file that can't be used is replaced by its last good version,
//! else it is as if it were not there; people are told so once, and never asked at every call.

mod cache;
mod good;
mod judges;
mod sources;
mod told;
pub(crate) mod trust;

use std::mem::ManuallyDrop;
use std::path::{Component, Path, PathBuf};

use hookguard_config::{
    Builtin, ContentHash, Fault, Layer, LayerFile, ListName, Notice, Policy, Stack, compile, parse, stack,
};
use hookguard_core::Level;
use hookguard_policy::{Lists, builtin};

use crate::arena::with_arena;
use crate::cli::output::visible;
use crate::surroundings::Surroundings;

pub(crate) use self::judges::{at_stop as judges_at_stop, files as judge_files, of as judges_of};
pub(crate) use self::sources::managed_file;
pub(crate) use self::told::tell;

/// How many things that are wrong in one file people are told at once.
const MAX_TOLD: usize = 3;

/// About how much memory reading a configuration takes that has some hundred rules.
const CONFIGURATION_BYTES: usize = 4 << 20;

/// One of the files, as it is found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) layer: Layer,
    pub(crate) path: PathBuf,
    /// Its content; none where it is not there.
    pub(crate) bytes: Option<Vec<u8>>,
    /// What is wrong with it.
    pub(crate) fault: Option<Fault>,
    /// It can't be used, and its last good version is used instead.
    pub(crate) replaced: bool,
}

/// Everything that is known of a place's configuration.
#[derive(Debug)]
pub(crate) struct Read {
    /// The files, there or not.
    pub(crate) files: Vec<Found>,
    /// What they come to.
    pub(crate) stack: Stack,
}

impl Read {
    /// The path of a layer's file.
    pub(crate) fn path(&self, layer: Layer) -> &Path {
        self.files.iter().find(|file| file.layer == layer).map_or(Path::new(""), |file| &file.path)
    }

    /// What people should know of each file, in one text for each.
    pub(crate) fn notices(&self) -> Vec<Notice> {
        self.files.iter().filter_map(|file| self.notice(file)).chain(judges::notices(self)).collect()
    }

    fn notice(&self, file: &Found) -> Option<Notice> {
        let bytes = file.bytes.as_deref().unwrap_or_default();
        let name = file.path.display();
        let text =
            if let Some(fault) = &file.fault {
                let stands = if file.replaced { "its last good version" } else { "the policy without it" };
                format!("{name}:{}; {stands} stands until it is repaired", with_hint(fault))
            } else {
                let unknown = self.stack.unknown.iter().filter(|(layer, _)| *layer == file.layer);
                let held = self.stack.held.iter().filter(|held| held.origin.layer == file.layer);
                let mut all: Vec<String> = unknown.map(|(_, fault)| with_hint(fault)).collect();
                all.extend(held.map(|held| {
                    format!("{}: {} does not count: {}", self.stack.place(&held.origin), held.what, held.why)
                }));
                if all.is_empty() {
                    return None;
                }
                let more = all.len().saturating_sub(MAX_TOLD);
                all.truncate(MAX_TOLD);
                let more =
                    if more > 0 { format!("; and {more} more (`hookguard config validate`)") } else { String::new() };
                format!("{name}:{}{more}", all.join("; "))
            };
        let text = visible(&text).into_owned();
        // The same file with the same fault is no news, whichever version of the others it stands with.
        let key = format!("{name} {} {text}", ContentHash::of(bytes));
        Some(Notice { key, text })
    }
}

/// A fault with its hint, as a fragment.
pub(crate) fn with_hint(fault: &Fault) -> String {
    match &fault.hint {
        Some(hint) => format!("{fault} ({hint})"),
        None => fault.to_string(),
    }
}

/// The levels of the built-in rules.
fn levels() -> impl Iterator<Item = (&'static str, Level)> {
    let level = |decision| match decision {
        hookguard_core::Decision::Deny => Level::Deny,
        hookguard_core::Decision::Ask => Level::Ask,
        _ => Level::Warn,
    };
    builtin().iter().map(move |rule| (rule.id, level(rule.level)))
}

/// The built-in policy, as the bottom of a stack.
pub(crate) fn bottom() -> Builtin<'static> {
    let lists = Lists::BUILTIN;
    Builtin {
        rules: levels().collect(),
        lists: vec![
            (ListName::ProtectedBranches, lists.protected_branches.to_vec()),
            (ListName::ProdWords, lists.prod_words.to_vec()),
            (ListName::TempRoots, lists.temp_roots.to_vec()),
            (ListName::Artefacts, lists.artefacts.to_vec()),
            (ListName::LocalKubeContexts, lists.local_kube_contexts.to_vec()),
        ],
    }
}

/// Reads all files of a place.
pub(crate) fn read(surroundings: &Surroundings, root: Option<&str>) -> Read {
    let state = state(surroundings, root);
    let mut layers = Vec::new();
    let mut files = Vec::new();
    for (layer, path) in sources::places(surroundings, root) {
        let (bytes, unread) = match sources::content(&path) {
            Ok(bytes) => (bytes, None),
            Err(why) => (Some(Vec::new()), Some(Fault { place: sources::START, what: why, hint: None })),
        };
        let mut found = Found { layer, path, bytes, fault: unread, replaced: false };
        if let Some(bytes) = &found.bytes {
            let parsed = match found.fault.take() {
                None => parse(bytes),
                Some(fault) => Err(fault),
            };
            let file = match parsed {
                Ok(parsed) => {
                    good::keep(state, &found.path, bytes);
                    Some((parsed, if layer.is_projects() { bytes.clone() } else { Vec::new() }))
                }
                Err(fault) => {
                    found.fault = Some(fault);
                    let last = good::last(state, &found.path);
                    last.and_then(|bytes| Some((parse(&bytes).ok()?, bytes)))
                }
            };
            if let Some((parsed, bytes)) = file {
                found.replaced = found.fault.is_some();
                let pinned =
                    layer.is_projects() && trust::content(state, &found.path).is_some_and(|pinned| pinned == bytes);
                layers.push(LayerFile { layer, parsed, bytes, pinned });
            }
        }
        files.push(found);
    }
    Read { files, stack: stack(&bottom(), layers) }
}

/// The compiled form of what was read.
pub(crate) fn compiled(read: &Read) -> Vec<u8> {
    compile(&read.stack, judges::files(read).0, read.notices())
}

/// The configuration of a place, in use.
pub(crate) fn of_place(surroundings: &Surroundings, root: Option<&str>) -> &'static Policy {
    in_use(compiled(&read(surroundings, root)))
}

fn in_use(compiled: Vec<u8>) -> &'static Policy {
    Policy::load(compiled.leak()).unwrap_or(&hookguard_config::BUILTIN)
}

/// The same for the hook: from the cache, where it is of the files as they are now.
pub(crate) fn of_hook(surroundings: &Surroundings, root: Option<&str>) -> &'static Policy {
    let named = state_by_name(surroundings, root);
    let Some(sources) = sources::of(surroundings, root, named) else { return &hookguard_config::BUILTIN };
    let state = state(surroundings, root);
    let file = state.map(|state| cache::file(state, root));
    if let Some(policy) = file.as_deref().and_then(|file| cache::load(file, &sources)) {
        return policy;
    }
    let compiled = with_arena(CONFIGURATION_BYTES, || {
        // Taking all of it apart again would cost a tenth of reading it.
        let read = ManuallyDrop::new(read(surroundings, root));
        compiled(&read)
    });
    if let Some(file) = file {
        cache::store(&file, &sources, &compiled);
    }
    in_use(compiled)
}

/// A configuration of one file alone, as the user's own, usable or not.
pub(crate) fn of_one(path: &Path) -> Read {
    let (bytes, fault) = match sources::content(path) {
        Ok(Some(bytes)) => (Some(bytes), None),
        Ok(None) => (None, Some("it is not there".to_owned())),
        Err(why) => (None, Some(why)),
    };
    let fault = fault.map(|what| Fault { place: sources::START, what, hint: None });
    let mut found = Found { layer: Layer::User, path: path.to_owned(), bytes, fault, replaced: false };
    let mut layers = Vec::new();
    if let Some(bytes) = &found.bytes {
        match parse(bytes) {
            Ok(parsed) => {
                layers.push(LayerFile { layer: Layer::User, parsed, bytes: bytes.clone(), pinned: false });
            }
            Err(fault) => found.fault = Some(fault),
        }
    }
    Read { files: vec![found], stack: stack(&bottom(), layers) }
}

/// The same, where it must be usable.
///
/// # Errors
/// The file can't be used: where and why.
pub(crate) fn of_file(path: &Path) -> Result<Read, String> {
    let read = of_one(path);
    match read.files.iter().find_map(|file| file.fault.as_ref()) {
        Some(fault) => Err(format!("{}:{}", path.display(), with_hint(fault))),
        None => Ok(read),
    }
}

/// The configuration that a person names, by an option or by `HOOKGUARD_CONFIG`: for `check`, `explain`, `test`, never for the
/// hook.
pub(crate) fn named(option: Option<&Path>) -> Option<Result<Read, String>> {
    let variable = || std::env::var_os("HOOKGUARD_CONFIG").filter(|value| !value.is_empty()).map(PathBuf::from);
    option.map(Path::to_owned).or_else(variable).map(|path| of_file(&path))
}

/// The policy that `of_file` comes to.
pub(crate) fn of_read(read: &Read) -> &'static Policy {
    in_use(compiled(read))
}

/// The state folder, unless it lies in the project: there an agent may write, so nothing in it can be believed.
pub(crate) fn state<'s>(surroundings: &'s Surroundings, root: Option<&str>) -> Option<&'s Path> {
    let state = state_by_name(surroundings, root)?;
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // It may not be there yet: then the folder above it says where it lies.
    let place = || state.ancestors().find(|folder| folder.exists()).map(real);
    let inside = |root: &str| place().is_some_and(|place| place.starts_with(real(Path::new(root))));
    (!root.is_some_and(inside)).then_some(state)
}

/// The same by its name alone, which costs nothing: where nothing of what it holds is believed.
pub(crate) fn state_by_name<'s>(surroundings: &'s Surroundings, root: Option<&str>) -> Option<&'s Path> {
    let state = surroundings.state.as_deref()?;
    let dots = state.components().any(|part| part == Component::ParentDir);
    let inside = root.is_some_and(|root| state.starts_with(root));
    (!dots && !inside).then_some(state)
}

#[cfg(test)]
mod tests;
