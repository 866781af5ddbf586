//! Deleting single files.

use crate::effects::effect;
use crate::paths::class::{BELOW_HOME, CACHE, GLOB, OUTSIDE};
use crate::rule::Hit;
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
