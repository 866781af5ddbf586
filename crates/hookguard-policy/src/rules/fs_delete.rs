//! Deleting single files.

use crate::effects::{Effect, effect};
use crate::paths::class::{BELOW_HOME, CACHE, DATA, GIT_FOLDER, GIT_HOOK, GLOB, GUARD, GUARD_FOLDER, OUTSIDE};
use crate::rule::Hit;
use crate::rules::git_kept;
use crate::scene::Scene;

/// A pattern outside the project.
pub(crate) fn by_glob(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let found = scene.effects[at].iter().find(|one| {
        one.kind & effect::DELETE != 0
            && one.classes & GLOB != 0
            && one.classes & (BELOW_HOME | OUTSIDE) != 0
            && one.classes & CACHE == 0
    })?;
    Some(Hit { evidence: found.display(), ..Hit::default() })
}

/// A file outside the project, unless it is a plain one in another work tree of its repository.
pub(crate) fn outside(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let concerned =
        |one: &&Effect<'_>| one.kind & (effect::DELETE | 1 << 8) != 0 && one.classes & (BELOW_HOME | OUTSIDE) != 0;
    let found: Vec<&Effect<'_>> = scene.effects[at].iter().filter(concerned).collect();
    let evidence = found.first()?.display();
    let special = DATA | GIT_FOLDER | GIT_HOOK | GLOB | GUARD | GUARD_FOLDER;
    let plain = |one: &&Effect<'_>| one.kind == effect::DELETE && one.place.is_none() && one.classes & special == 0;
    if !found.iter().all(plain) {
        return Some(Hit { evidence, ..Hit::default() });
    }
    let paths: Vec<_> = found.iter().map(|one| one.path).collect();
    git_kept::other_work_trees(scene, at, &paths, evidence)
}
