//! Writing, moving and synchronising: where to.

use crate::effects::{Effect, effect, folder};
use crate::links::Follow;
use crate::paths::Classes;
use crate::paths::class::{
    ACCESS_FILE, ARTEFACT, BELOW_HOME, GIT_FOLDER, GIT_HOOK, GUARD, HOME, NULL, OUTSIDE, PROJECT, PROJECT_ROOT, REMOTE,
    ROOT, START_FILE, SYSTEM, TEMP, TEMP_ROOT,
};
use crate::rule::Hit;
use crate::rules::git_kept;
use crate::scene::Scene;
use crate::text::Text;

/// A write outside, but not into the project's own root (`cp x .`), and not where a stricter rule speaks.
pub(crate) fn outside(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let strict = GUARD | START_FILE | ACCESS_FILE;
    let call = &scene.calls[at];
    let concerned = |one: &&Effect<'_>| {
        let write = one.kind & (effect::WRITE | effect::APPEND | effect::EDIT | effect::MOVE_AWAY | 1 << 7) != 0;
        let out = one.classes & (HOME | BELOW_HOME | OUTSIDE) != 0 && one.classes & strict == 0;
        write && out && !is_own_folder(scene, at, one.classes, one.path)
    };
    let found: Vec<&Effect<'_>> = scene.effects[at].iter().filter(concerned).collect();
    let evidence = found.first()?.display();
    if call.program == "rsync" && call.has_any(&["--delete*", "--del"]) {
        return None;
    }
    // Only what is written or changed: what is moved away leaves a gap. A link leads where it leads.
    let plain = |one: &&Effect<'_>| {
        one.kind & (effect::MOVE_AWAY | 1 << 7) == 0
            && one.place.is_none()
            && one.classes & (GIT_FOLDER | GIT_HOOK | HOME) == 0
    };
    if !found.iter().all(plain) {
        return Some(Hit { evidence, ..Hit::default() });
    }
    let paths: Vec<Text<'_>> = found.iter().map(|one| one.path).collect();
    git_kept::other_work_trees(scene, at, &paths, evidence)
}

/// Whether a path is the project's root itself and not a folder above it.
fn is_own_folder(scene: &Scene<'_>, at: usize, classes: Classes, path: Text<'_>) -> bool {
    let inside = scene.world.classes(&format!("{}/x", path.marked(scene.reading)), folder(&scene.command(at).cwd));
    classes & PROJECT_ROOT != 0 && inside & PROJECT != 0
}

/// The last operand of a move, where it goes.
fn target(scene: &Scene<'_>, at: usize) -> Classes {
    let writes = scene.effects[at].iter().filter(|one| one.kind & effect::WRITE != 0 && !one.by_redirect);
    writes.fold(0, |all, one| all | one.classes)
}

/// A folder of the project that is moved out of it.
pub(crate) fn moves_out(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let out = ROOT | SYSTEM | HOME | BELOW_HOME | OUTSIDE | TEMP | TEMP_ROOT | REMOTE;
    (target(scene, at) & out != 0).then(Hit::default)
}

/// What a synchronisation deletes in.
fn sync_target(scene: &Scene<'_>, at: usize) -> Option<(Classes, String)> {
    let call = &scene.calls[at];
    let word = *call.operands.last()?;
    if call.operands.len() < 2 {
        return None;
    }
    let text = Text::from(word);
    let name = text.known_parts();
    // `host:path`, `user@host::module`: a colon before any slash.
    let remote = name.split('/').next().is_some_and(|first| first.contains(':')) || call.command.place.remote.is_some();
    let classes = if remote {
        REMOTE
    } else {
        scene.world.classes_on_disk(&text.marked(scene.reading), folder(&call.command.cwd), Follow::All).0
    };
    Some((classes, text.display()))
}

/// A synchronisation that deletes in the home folder, the system or the project's root.
pub(crate) fn sync_protected(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let (classes, evidence) = sync_target(scene, at)?;
    let protected = classes & (ROOT | SYSTEM | HOME | PROJECT_ROOT | GUARD) != 0;
    protected.then(|| Hit { evidence, ..Hit::default() })
}

/// A synchronisation that deletes elsewhere.
pub(crate) fn sync_other(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let (classes, evidence) = sync_target(scene, at)?;
    (classes & (ARTEFACT | TEMP | NULL) == 0).then(|| Hit { evidence, ..Hit::default() })
}
