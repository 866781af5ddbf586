//! What checks the code: settings of linters and of CI. Whoever is to be checked asks before loosening them.

use crate::glob::like;
use crate::paths::World;
use crate::paths::class::{ARTEFACT, PROJECT, PROJECT_ROOT};
use crate::tables::QUALITY_FILES;

/// Whether `path` is such a file of the project.
pub(crate) fn checks_code(path: &str, world: &World<'_>, cwd: Option<&str>) -> bool {
    let classes = world.classes(path, cwd);
    if classes & (PROJECT | PROJECT_ROOT) == 0 || classes & ARTEFACT != 0 {
        return false;
    }
    let parts = crate::paths::components(path);
    QUALITY_FILES.iter().any(|pattern| {
        let from = parts.len().checked_sub(pattern.len());
        from.is_some_and(|from| parts[from..].iter().zip(*pattern).all(|(part, pattern)| like(pattern, part)))
    })
}
