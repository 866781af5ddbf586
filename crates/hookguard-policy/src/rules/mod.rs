//! What a table can't say: one small file a subject, one function a rule. The packs name the functions.

pub(crate) mod cloud;
pub(crate) mod db;
pub(crate) mod deploy;
pub(crate) mod disk;
pub(crate) mod docker;
pub(crate) mod forge;
pub(crate) mod fs_delete;
pub(crate) mod fs_find;
pub(crate) mod fs_mode;
pub(crate) mod fs_write;
pub(crate) mod git_kept;
pub(crate) mod git_place;
pub(crate) mod git_push;
mod git_state;
pub(crate) mod git_work;
pub(crate) mod guard;
pub(crate) mod k8s;
pub(crate) mod net;
pub(crate) mod publish;
pub(crate) mod remote;
pub(crate) mod secrets;
pub(crate) mod sql;
pub(crate) mod system;

use crate::rule::Hit;
use crate::scene::Scene;

/// For rules that `decide` itself applies, where there is no command to look at.
pub(crate) fn by_decide(_: &Scene<'_>, _: usize) -> Option<Hit> {
    None
}
