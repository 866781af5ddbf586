//! What an agent can be told at an event, and how it reacts when the hook itself fails.

use serde::Serialize;

/// What an answer can do at one event, for one class of tools, with or without a human present. All `false`
/// (the default) is an event that can only be observed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The call can be refused, and the model gets the reason.
    pub deny: bool,
    /// A human can be asked, and one is there to answer.
    pub ask: bool,
    /// The call can be replaced by another.
    pub rewrite: bool,
    /// Text can be given to the model without stopping anything.
    pub context: bool,
    /// After a tool: text can be added to its result, or given to the model beside it.
    pub feedback: bool,
    /// At stop: the agent can be made to go on.
    pub resume: bool,
    /// The user, not the model, can be shown a note.
    pub note: bool,
}

/// What an agent does when its hook fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reaction {
    /// As if the hook had said nothing: it fails open.
    Proceeds,
    /// As if the hook had refused: it fails closed.
    Blocks,
    /// The agent goes on and on.
    Loops,
    /// Not measured.
    Unknown,
}
