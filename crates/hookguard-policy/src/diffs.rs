//! `patch` and `git apply`: the files that a diff changes, where its text is known.

use hookguard_shell::{Cwd, Stdin};

use crate::call::Call;
use crate::context::{Finding, Question};
use crate::effects::{absolute, effect};
use crate::files::on_file;
use crate::scene::Scene;
use crate::text::Text;

/// How many files of one diff are looked at.
const MAX_FILES: usize = 500;

/// A diff that a command applies: its text, or the file that holds it.
enum Diff<'r> {
    Text(&'r str),
    File(String),
}

fn applies(call: &Call<'_>) -> bool {
    let checks = ["--dry-run", "--check", "--stat", "--numstat", "--summary"];
    let applies = match call.program {
        "patch" | "gpatch" => true,
        "git" => matches!(call.operand(0), Some("apply" | "am")),
        _ => false,
    };
    applies && !call.has_any(&checks)
}

fn diffs<'r>(call: &Call<'r>, cwd: &str) -> Vec<Diff<'r>> {
    let file = |path: Text<'_>| absolute(path.known()?, Some(cwd)).map(Diff::File);
    let from = usize::from(call.program == "git");
    let mut found: Vec<Diff<'r>> = call.values(&["-i", "--input"]).filter_map(file).collect();
    let operands = call.operands.get(from..).unwrap_or_default();
    // The first operand of `patch` is the file that is changed, the second the diff.
    let skip = usize::from(call.program != "git");
    found.extend(operands.iter().skip(skip).filter_map(|word| file(Text::from(*word))));
    match &call.command.stdin {
        Stdin::Text(text) => found.extend(text.as_literal().map(Diff::Text)),
        Stdin::File(path) => found.extend(file(Text::from(path))),
        _ => {}
    }
    found
}

/// The findings on the files that diffs in the text change.
pub(crate) fn look(scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for (at, call) in scene.calls.iter().enumerate() {
        let Cwd::Known(cwd) = &call.command.cwd else { continue };
        if !applies(call) {
            continue;
        }
        let below = call.values(&["-d", "--directory"]).next().and_then(Text::known);
        for diff in diffs(call, cwd) {
            let text = match diff {
                Diff::Text(text) => Some(text),
                Diff::File(path) => written(scene, at, &path).or_else(|| told(scene, &path)),
            };
            for path in text.into_iter().flat_map(changed).take(MAX_FILES) {
                let path = below.map_or_else(|| path.to_owned(), |folder| format!("{folder}/{path}"));
                on_file(effect::EDIT, &path, scene.world, Some(cwd), findings);
            }
        }
    }
}

/// The files of diffs that the text applies and does not hold.
pub(crate) fn questions(scene: &Scene<'_>, found: &mut Vec<Question>) {
    for call in scene.calls.iter().filter(|call| applies(call)) {
        let Cwd::Known(cwd) = &call.command.cwd else { continue };
        for diff in diffs(call, cwd) {
            if let Diff::File(path) = diff {
                found.push(Question::Script { path, edited: false });
            }
        }
    }
}

/// What an earlier command of the text wrote into a file.
fn written<'r>(scene: &Scene<'r>, at: usize, path: &str) -> Option<&'r str> {
    scene.before(at).rev().find_map(|earlier| {
        let command = scene.command(earlier);
        let cwd = crate::effects::folder(&command.cwd);
        let writes = scene.effects[earlier].iter().any(|one| {
            one.kind & (effect::WRITE | effect::APPEND) != 0
                && one.path.known().and_then(|known| absolute(known, cwd)).as_deref() == Some(path)
        });
        match (&command.stdin, writes) {
            (Stdin::Text(text), true) => text.as_literal(),
            _ => None,
        }
    })
}

fn told<'r>(scene: &Scene<'r>, path: &str) -> Option<&'r str> {
    scene.context.answers?.scripts().find(|(known, _)| *known == path).map(|(_, text)| text)
}

/// The files that a diff changes.
fn changed(diff: &str) -> impl Iterator<Item = &str> {
    diff.lines().filter_map(|line| {
        let path =
            ["+++ ", "--- ", "rename to ", "copy to ", "*** "].iter().find_map(|start| line.strip_prefix(start))?;
        let path = path.split('\t').next()?.trim().trim_matches('"');
        let path = path.strip_prefix("a/").or(path.strip_prefix("b/")).unwrap_or(path);
        (!path.is_empty() && path != "/dev/null" && path.len() < 1000).then_some(path)
    })
}
