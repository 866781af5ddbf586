//! What adapters share: the [`Adapter`] trait, [`Profile`]s (all of an agent that can be data), tolerant decoding of
//! payloads, the wire dialects and the installers that several agents have in common.
//!
//! Pure: bytes and values in, bytes and values out. The binary reads and writes.
#![forbid(unsafe_code)]

mod adapter;
mod decode;
mod install;
pub mod lenient;
pub mod nested;
mod profile;
mod scan;
pub mod settings;
mod tools;
pub mod transcript;

pub use adapter::{Adapter, Failure, HookCall, ParseError, Posture, Reply, TurnSource, TurnText};
pub use decode::{decode, to_ascii_json};
pub use install::{
    FileEdit, Installed, InstalledEntry, InstalledEvent, Plan, PlanError, PlanRequest, Scope, SettingsFile,
    SettingsFiles, State, Trust,
};
pub use profile::{
    Detection, Effects, EventRow, MatcherSupport, Profile, Reactions, Registration, SettingsPlace, Silence, Source,
    Support, TimeUnit, Timeout, Trusting, Unhooked,
};
pub use scan::{MAX_DEPTH, MAX_PAYLOAD_BYTES, Progress, Scanner};
pub use tools::{ToolFamily, ToolRow, tool_call};
pub use transcript::{Transcript, TranscriptPlace};
