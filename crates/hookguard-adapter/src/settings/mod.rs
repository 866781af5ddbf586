//! What installing needs to know about an agent's settings file: byte-exact edits, our entries in it, the way back.
//!
//! Bytes in, bytes out: reading and writing files is the binary's work.
//!
//! - [`json`]: an editor for strict JSON that touches only the bytes it must.
//! - [`hooks`]: our entries in the nested `hooks` object that Claude Code made common: [`hooks::apply`],
//!   [`hooks::remove`], [`hooks::inspect`].
//! - [`toml`]: the same entries in a TOML file, as Codex also reads them.
//! - [`typed`]: what has to be of which kind, or the agent drops the file.
//! - [`command`]: the command line that is installed, and how it is recognised.
//! - [`diff`]: what an edit would change, shown to people.
//! - [`journal`]: what a file was before, and when its old bytes may be put back.

pub mod command;
pub mod diff;
pub mod hooks;
pub mod journal;
pub mod json;
pub mod toml;
pub mod typed;

pub use hooks::SettingsError;
