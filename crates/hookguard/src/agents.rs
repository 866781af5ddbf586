//! The agents that hookguard knows: one line each.

use hookguard_adapter::Adapter;

/// Every adapter, in the order in which people are shown them.
pub(crate) static AGENTS: &[&dyn Adapter] = &[&hookguard_claude::ADAPTER, &hookguard_codex::ADAPTER];

/// The adapter with this id.
pub(crate) fn by_id(id: &str) -> Option<&'static dyn Adapter> {
    AGENTS.iter().copied().find(|adapter| adapter.profile().id == id)
}

/// The ids, for messages: `claude, codex`.
pub(crate) fn ids() -> String {
    AGENTS.iter().map(|adapter| adapter.profile().id).collect::<Vec<_>>().join(", ")
}
