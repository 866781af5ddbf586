//! Every adapter against its own fixtures: each recorded payload read into an event, each verdict written as an answer.
//!
//! Fixtures and snapshots lie in the adapter's folder; here they are only run. `cargo insta review` shows what changed.

mod answers;
mod events;
mod facts;
mod transcripts;

use std::path::{Path, PathBuf};

use hookguard_adapter::{Adapter, HookCall};

/// An adapter, and what is known of the environment that its fixtures were recorded in.
pub(crate) struct Subject {
    pub(crate) adapter: &'static dyn Adapter,
    /// The variables that the adapter may read, as they stood when the payloads were recorded.
    variables: &'static [(&'static str, &'static str)],
    /// The variable that says whether a human is there, and its two values; without one, nobody ever is.
    attended: Option<(&'static str, [&'static str; 2])>,
}

pub(crate) const SUBJECTS: &[Subject] = &[
    Subject {
        adapter: &hookguard_claude::ADAPTER,
        variables: &[("CLAUDE_PROJECT_DIR", "/home/dev/project")],
        attended: Some(("CLAUDE_CODE_SESSION_ATTENDED", ["0", "1"])),
    },
    Subject { adapter: &hookguard_codex::ADAPTER, variables: &[], attended: None },
];

fn subject(id: &str) -> &'static Subject {
    SUBJECTS.iter().find(|subject| subject.id() == id).unwrap_or_else(|| panic!("no adapter {id}"))
}

impl Subject {
    fn id(&self) -> &'static str {
        self.adapter.profile().id
    }

    fn folder(&self, name: &str) -> PathBuf {
        adapters().join(self.id()).join(name)
    }

    /// The variables of the hook's process.
    pub(crate) fn environment(&self, attended: bool) -> Vec<(&'static str, String)> {
        let presence = self.attended.map(|(name, values)| (name, values[usize::from(attended)]));
        self.variables.iter().copied().chain(presence).map(|(name, value)| (name, value.to_owned())).collect()
    }

    /// Whether a human is there can differ only where the agent says so.
    fn presences(&self) -> &'static [bool] {
        if self.attended.is_some() { &[false, true] } else { &[false] }
    }

    /// The fixtures, by name: the payload of one call each.
    pub(crate) fn fixtures(&self) -> Vec<Fixture> {
        let folder = self.folder("fixtures");
        let mut fixtures: Vec<Fixture> = files(&folder, "json")
            .into_iter()
            .map(|path| Fixture {
                name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
                payload: std::fs::read_to_string(&path).expect("a readable fixture"),
            })
            .collect();
        fixtures.sort_by(|a, b| a.name.cmp(&b.name));
        assert!(!fixtures.is_empty(), "no fixtures in {}", folder.display());
        fixtures
    }

    fn fixture(&self, name: &str) -> Fixture {
        self.fixtures().into_iter().find(|fixture| fixture.name == name).unwrap_or_else(|| panic!("no fixture {name}"))
    }

    /// Insta's settings for snapshots that lie in the adapter's folder.
    fn snapshots(&self) -> insta::Settings {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(self.folder("snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings
    }
}

/// The recorded transcripts of an adapter, by name.
fn transcripts(subject: &Subject) -> Vec<(String, Vec<u8>)> {
    let named = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read(&path).expect("a readable transcript"))
    };
    let mut found: Vec<_> = files(&subject.folder("fixtures"), "jsonl").into_iter().map(named).collect();
    found.sort();
    found
}

/// One recorded payload. The name begins with the native event: `PreToolUse-Bash.subagent`.
pub(crate) struct Fixture {
    name: String,
    pub(crate) payload: String,
}

impl Fixture {
    fn event(&self) -> &str {
        self.name.split(['-', '.']).next().unwrap_or_default()
    }

    /// Calls `with` as the hook's process would be called: the payload on standard input, or, where the agent notifies by
    /// argument, as the last of them.
    fn call<T>(&self, subject: &Subject, attended: bool, with: impl FnOnce(&HookCall<'_>) -> T) -> T {
        let variables = subject.environment(attended);
        let by_argument = subject.adapter.profile().event(self.event()).is_some_and(|row| row.by_argument);
        let argv = if by_argument { vec![self.payload.clone()] } else { Vec::new() };
        with(&HookCall {
            event: self.event(),
            stdin: if by_argument { b"" } else { self.payload.as_bytes() },
            argv: &argv,
            cwd: Some("/home/dev/project"),
            variables: &variables,
        })
    }
}

fn adapters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

#[test]
fn every_adapter_is_tried() {
    let mut folders: Vec<String> = std::fs::read_dir(adapters())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let mut tried: Vec<&str> = SUBJECTS.iter().map(Subject::id).collect();
    tried.sort_unstable();
    assert_eq!(tried, folders);
}
