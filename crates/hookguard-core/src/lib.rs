//! The neutral model: what happened ([`Event`]), what the policy says ([`Verdict`]), what the agent can be told
//! ([`Capabilities`]) and how the second is fitted to the third ([`fit()`]).
//!
//! Types and pure functions only: no I/O, no regular expressions, no clock, and no agent's name.
#![forbid(unsafe_code)]

mod capabilities;
mod event;
mod fit;
mod json;
mod patch;
mod text;
mod tool;
mod verdict;

pub use capabilities::{Capabilities, Reaction};
pub use event::{Event, EventKind, Moment, Outcome, Prompt, PromptAuthor, Stop, Subagent, ToolOutcome};
pub use fit::{Fitted, Told, fit};
pub use json::{JSON_VERSION, VerdictError, event_to_json, verdict_from_json};
pub use patch::{heredoc_patch, parse_patch};
pub use text::{MAX_MESSAGE_BYTES, clip, cut, is_unseen};
pub use tool::{Change, Dialect, FileChange, ToolCall, ToolClass};
pub use verdict::{Decision, Level, Mode, Verdict};
