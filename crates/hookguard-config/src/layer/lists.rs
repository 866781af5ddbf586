//! The lists that built-in rules share: which way of changing one loosens.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::model::{List, Lists};

/// The lists by name.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumIter,
    strum::EnumCount,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "each is described in the model's Lists")]
pub enum ListName {
    ProtectedBranches,
    ProdWords,
    TempRoots,
    Artefacts,
    LocalKubeContexts,
}

impl ListName {
    /// What a file does to the list.
    pub(super) fn of(self, lists: &Lists) -> Option<&List> {
        match self {
            ListName::ProtectedBranches => lists.protected_branches.as_ref(),
            ListName::ProdWords => lists.prod_words.as_ref(),
            ListName::TempRoots => lists.temp_roots.as_ref(),
            ListName::Artefacts => lists.artefacts.as_ref(),
            ListName::LocalKubeContexts => lists.local_kube_contexts.as_ref(),
        }
    }

    /// Whether the change from `before` to `after` lets something through that was not before: names that protect are
    /// missing, or names that excuse are new.
    pub(super) fn loosens(self, before: &[String], after: &[String]) -> bool {
        let (before, after): (BTreeSet<_>, BTreeSet<_>) = (before.iter().collect(), after.iter().collect());
        match self {
            ListName::ProtectedBranches | ListName::ProdWords => !before.is_subset(&after),
            ListName::TempRoots | ListName::Artefacts | ListName::LocalKubeContexts => !after.is_subset(&before),
        }
    }
}

/// `before`, changed by `change`.
pub(super) fn changed(before: &[String], change: &List) -> Vec<String> {
    match change {
        List::Replace(names) => names.clone(),
        List::Add(names) => {
            let new = names.iter().filter(|name| !before.contains(name));
            before.iter().chain(new).cloned().collect()
        }
    }
}
