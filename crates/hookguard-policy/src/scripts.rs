//! Scripts that the agent wrote: the files whose text the policy would like to know, and what it was told of them.
//!
//! Which scripts are the agent's is the world's to say ([`Question::Script`]). What it tells is handed to the reading,
//! which opens a script as it opens a file that the text itself has written.

use hookguard_shell::{Cwd, Known, Runs, Stdin, Step};
use serde::Deserialize;

use crate::call::Call;
use crate::context::{Context, Question};
use crate::effects::{absolute, effect};
use crate::paths::class::{ARTEFACT, PROJECT, PROJECT_ROOT, TEMP};
use crate::paths::components;
use crate::scene::{MAX_LOOK, Scene};
use crate::text::Text;

/// How many files one text may have read in one round.
const MAX_FILES: usize = 16;
/// How many folders up a `package.json` is looked for.
const MAX_UP: usize = 8;
/// How many scripts of one project are taken.
const MAX_NAMED: usize = 500;

/// Folders of other people's code, which tools fill and nobody reads.
const DEPENDENCIES: &[&str] = &["node_modules", ".venv", "venv", "site-packages", "vendor", ".tox", ".git"];
/// Starters that tools write and that only start what is beside them.
const STARTERS: &[&str] = &["gradlew", "mvnw", "mill", "sbt", "activate", "configure"];
const PACKAGE: &str = "package.json";
const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];

/// What the world has told of scripts.
#[derive(Debug, Default)]
pub(crate) struct Told<'a> {
    files: Vec<(&'a str, &'a str)>,
    named: Vec<(&'a str, String, String)>,
}

#[derive(Deserialize)]
struct Package {
    #[serde(default)]
    scripts: std::collections::BTreeMap<String, serde_json::Value>,
}

/// The scripts that npm runs around an installation.
const INSTALL: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

impl<'a> Told<'a> {
    pub(crate) fn of(context: &Context<'a>) -> Told<'a> {
        let mut told = Told::default();
        for (path, text) in context.answers.iter().flat_map(|answers| answers.scripts()) {
            match path.rsplit_once('/') {
                Some((folder, PACKAGE)) => told.package(folder, text),
                _ => told.files.push((path, text)),
            }
        }
        told
    }

    fn package(&mut self, folder: &'a str, text: &str) {
        let Ok(package) = serde_json::from_str::<Package>(text) else { return };
        let code = |name: &str| package.scripts.get(name).and_then(|code| code.as_str());
        for name in package.scripts.keys().take(MAX_NAMED).filter(|name| *name != "install") {
            // What the words behind the name are added to stands last.
            let parts = [format!("pre{name}"), format!("post{name}"), name.clone()];
            self.add(folder, name, parts.iter().filter_map(|name| code(name)));
        }
        self.add(folder, "install", INSTALL.iter().filter_map(|name| code(name)));
    }

    fn add<'c>(&mut self, folder: &'a str, name: &str, code: impl Iterator<Item = &'c str>) {
        let code = code.collect::<Vec<_>>().join("\n");
        if !code.is_empty() {
            self.named.push((folder, name.to_owned(), code));
        }
    }

    /// The same, as the reading takes it.
    pub(crate) fn known(&self) -> Vec<Known<'_>> {
        let files = self.files.iter().map(|(path, text)| Known { path, name: None, text });
        let named = self.named.iter().map(|(path, name, text)| Known { path, name: Some(name), text });
        files.chain(named).collect()
    }
}

/// The questions for the scripts that the commands of `scene` run.
pub(crate) fn questions(scene: &Scene<'_>) -> Vec<Question> {
    let mut found = Vec::new();
    for at in 0..scene.calls.len().min(MAX_LOOK) {
        let command = scene.command(at);
        let Cwd::Known(cwd) = &command.cwd else { continue };
        if command.place.remote.is_some() || command.place.container.is_some() {
            continue;
        }
        match &command.runs {
            Some(Runs::Script { .. }) => named(scene, at, cwd, &mut found),
            None if matches!(scene.calls[at].program, "npm" | "yarn" | "pnpm" | "bun") => {
                named(scene, at, cwd, &mut found);
            }
            Some(runs) => {
                if let Runs::File { path, .. } = runs {
                    file(scene, at, Text::from(path), cwd, &mut found);
                }
                if let (Runs::Stdin, Stdin::File(path)) = (runs, &command.stdin) {
                    file(scene, at, Text::from(path), cwd, &mut found);
                }
                shown(scene, at, cwd, &mut found);
            }
            None => {}
        }
        if found.len() >= MAX_FILES {
            break;
        }
    }
    crate::diffs::questions(scene, &mut found);
    let asked = |question: &Question| scene.context.answers.is_some_and(|answers| answers.was_asked(question));
    found.retain(|question| !asked(question));
    found.truncate(MAX_FILES);
    found
}

/// The questions for files that are shown to a command that runs what it is shown: through a pipe, or in its words.
fn shown(scene: &Scene<'_>, at: usize, cwd: &str, found: &mut Vec<Question>) {
    let piped = match &scene.command(at).stdin {
        Stdin::Pipe(from) => from.as_slice(),
        _ => &[],
    };
    for from in piped.iter().copied().chain(scene.inside(at)).take(MAX_FILES) {
        match (scene.calls[from].program, &scene.command(from).stdin) {
            ("cat", _) => {
                scene.calls[from].operands.iter().for_each(|path| file(scene, from, Text::from(*path), cwd, found));
            }
            // `$(<FILE)`
            ("", Stdin::File(path)) => file(scene, from, Text::from(path), cwd, found),
            _ => {}
        }
    }
}

/// The question for a file that a command runs; for one that the text makes of others, the questions for those.
fn file(scene: &Scene<'_>, at: usize, path: Text<'_>, cwd: &str, found: &mut Vec<Question>) {
    let Some(path) = path.known().and_then(|path| absolute(path, Some(cwd))) else { return };
    let same = |other: Text<'_>, cwd: &Cwd| {
        let cwd = crate::effects::folder(cwd);
        other.known().and_then(|other| absolute(other, cwd)).as_deref() == Some(&*path)
    };
    let shell = matches!(scene.calls[at].program, "sh" | "bash" | "zsh" | "dash" | "ksh" | "." | "source" | "cat" | "");
    let writes = |other: &usize| {
        let cwd = &scene.command(*other).cwd;
        scene.effects[*other].iter().any(|one| one.kind & effect::WRITE != 0 && same(one.path, cwd))
    };
    let mut ask = |path: String| {
        let edited = is_not_the_agents(scene, &path, shell);
        found.push(Question::Script { path, edited });
    };
    // What the text itself wrote before is read already.
    let Some(writer) = scene.before(at).rev().find(writes) else { return ask(path) };
    let call = &scene.calls[writer];
    if matches!(call.program, "cp" | "mv" | "ln" | "install" | "cat") {
        let from = crate::effects::folder(&call.command.cwd);
        let sources = call.operands.iter().filter_map(|word| absolute(Text::from(*word).known()?, from));
        sources.filter(|source| *source != path).take(MAX_FILES).for_each(ask);
    }
}

/// Whether a script is most likely somebody else's, so that only a change of the agent's own makes it one to read.
fn is_not_the_agents(scene: &Scene<'_>, path: &str, shell: bool) -> bool {
    let classes = scene.world.classes(path, None);
    let names = components(path);
    let last = names.last().copied().unwrap_or_default();
    let script = shell || last.ends_with(".sh") || !last.contains('.');
    classes & (PROJECT | TEMP | PROJECT_ROOT) == 0
        || names.iter().any(|name| DEPENDENCIES.contains(name))
        || STARTERS.contains(&last)
        || classes & ARTEFACT != 0 && !script
}

/// The questions for the file in which a project names its scripts.
fn named(scene: &Scene<'_>, at: usize, cwd: &str, found: &mut Vec<Question>) {
    let call = &scene.calls[at];
    let chosen = call.values(&["-C", "--prefix", "--cwd", "--dir", "--directory"]).next();
    let folder = match chosen.map(|text| text.known().and_then(|folder| absolute(folder, Some(cwd)))) {
        None => Some(cwd.to_owned()),
        Some(folder) => folder,
    };
    let Some(folder) = folder else { return };
    let mut add = |path: String| {
        let edited = is_not_the_agents(scene, &path, true);
        let question = Question::Script { path, edited };
        if !found.contains(&question) {
            found.push(question);
        }
    };
    match call.program {
        "make" | "gmake" => match makefile(call, &folder) {
            Some(file) => add(file),
            None => MAKEFILES.iter().for_each(|name| add(format!("{folder}/{name}"))),
        },
        "npm" | "yarn" | "pnpm" | "bun" => {
            let names = components(&folder);
            for count in (1..=names.len()).rev().take(MAX_UP) {
                let folder = format!("/{}", names[..count].join("/"));
                add(format!("{folder}/{PACKAGE}"));
                if scene.context.root == Some(&folder) {
                    break;
                }
            }
        }
        _ => {}
    }
}

/// The makefile that a call names.
fn makefile(call: &Call<'_>, folder: &str) -> Option<String> {
    let file = call.values(&["-f", "--file", "--makefile"]).next()?;
    absolute(file.known()?, Some(folder))
}

/// What a finding on a command saw: `evidence` (the command itself, if that is empty), and the scripts that lead to it.
pub(crate) fn evidence(call: &Call<'_>, evidence: String) -> String {
    let mut scripts = call.command.via.iter().filter(|via| via.step == Step::Script).peekable();
    if evidence.is_empty() || scripts.peek().is_some() {
        let chain = scripts.fold(String::new(), |chain, via| chain + &via.program + " → ");
        let seen = call.display();
        let more = if seen.contains(&evidence) { String::new() } else { format!(": {evidence}") };
        return chain + &seen + &more;
    }
    evidence
}
