//! Where git works: a work tree in a temporary folder may go, as the folder itself may.

use crate::paths::class::TEMP;
use crate::rule::Hit;
use crate::rules::git_kept;
use crate::rules::git_state;
use crate::scene::Scene;

/// Whether the work tree of the command at `at` lies in a temporary folder, as far as the text tells. Its branches may be
/// those of another work tree: what moves or deletes them matters all the same.
pub(crate) fn is_temporary(scene: &Scene<'_>, at: usize) -> bool {
    git_state::folder(scene, at).is_some_and(|folder| scene.world.classes(folder, None) & TEMP != 0)
}

/// Uncommitted work that is in no temporary folder.
pub(crate) fn loses_work(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    (!is_temporary(scene, at)).then(Hit::default)
}

/// The same for `git switch`, which may also move a branch.
pub(crate) fn switch_loses(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.has_any(&["-f", "--force", "--discard-changes"]) && !is_temporary(scene, at) {
        return Some(Hit::default());
    }
    let moves = ["-C", "--force-create"];
    call.has_any(&moves).then(|| git_kept::branch_is_set(scene, at, &moves)).flatten()
}
