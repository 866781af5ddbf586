//! `apply_patch` in a command line: agents run it as an edit, wherever the shell would have found it.

use hookguard_core::{FileChange, parse_patch};
use hookguard_shell::{Command, Cwd, Env, Reading, Stdin};

use crate::context::Finding;
use crate::decide::{by_id, finding};
use crate::files;
use crate::scene::Scene;

/// The names under which agents take a patch (Codex 0.171.0, `protocols/claude-codex.md` 2).
const NAMES: &[&str] = &["apply_patch", "applypatch"];

/// The files that `apply_patch` changes in a POSIX command line that starts in `cwd`, each with the folder that it is applied in,
/// where the text tells that. A patch that is only quoted is none.
pub fn patched(text: &str, cwd: Option<&str>) -> Vec<(Option<String>, FileChange)> {
    if !NAMES.iter().any(|name| text.contains(name)) {
        return Vec::new();
    }
    let reading = hookguard_shell::read(text, &Env { cwd, home: None, vars: &[], known: &[] });
    let mut files = Vec::new();
    for command in &reading.commands {
        let program = command.argv.first().and_then(hookguard_shell::Word::as_literal).unwrap_or_default();
        if !NAMES.contains(&program.rsplit('/').next().unwrap_or_default()) {
            continue;
        }
        let changes = self::text(command).map(parse_patch).unwrap_or_default();
        files.extend(changes.into_iter().map(|change| (folder(command).map(str::to_owned), change)));
    }
    files
}

fn folder(command: &Command) -> Option<&str> {
    match &command.cwd {
        Cwd::Known(cwd) => Some(cwd),
        Cwd::Unknown => None,
    }
}

/// The findings on the files that patches in `reading` change, each in the folder that its command runs in. A patch that
/// the text does not tell is a human's to look at.
pub(crate) fn look(reading: &Reading, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    crate::diffs::look(scene, findings);
    for (at, command) in reading.commands.iter().enumerate() {
        if !NAMES.contains(&scene.calls[at].program) {
            continue;
        }
        match text(command).map(parse_patch) {
            Some(changes) if !changes.is_empty() => {
                findings.extend(files::edits(&changes, scene.world, folder(command)));
            }
            _ => findings.extend(
                by_id("shell.unknown_patch")
                    .and_then(|rule| finding(rule, command_line(command), Some(at), scene.context.settings)),
            ),
        }
    }
}

/// The patch: the argument, else what is given on standard input.
fn text(command: &Command) -> Option<&str> {
    match (command.argv.get(1), &command.stdin) {
        (Some(argument), _) => argument.as_literal(),
        (None, Stdin::Text(text)) => text.as_literal(),
        (None, _) => None,
    }
}

fn command_line(command: &Command) -> String {
    command.argv.iter().take(2).map(hookguard_shell::Word::display).collect::<Vec<_>>().join(" ")
}
