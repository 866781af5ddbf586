//! Rules and packs: an event in, a verdict out.
//!
//! Pure: what [`decide`] would like to know of the world it asks for ([`Outcome::questions`]), the binary answers
//! ([`Context::answers`]), and it decides again. Where there is no answer, text alone decides.
//!
//! Rules are data (`packs/*.toml`, compiled by `build.rs`); what a table can't say is one function a rule (`rules`).
#![forbid(unsafe_code)]

mod agent_homes;
#[cfg(test)]
mod attack_tests;
mod call;
mod context;
mod decide;
mod diffs;
#[cfg(test)]
mod disk_git_tests;
#[cfg(test)]
mod disk_tests;
mod effects;
pub mod explain;
mod files;
mod flow;
mod glob;
mod landing;
mod links;
mod matching;
pub mod pack;
mod patches;
mod path_names;
mod paths;
mod quality;
mod remote_tools;
mod rule;
mod rules;
mod scene;
mod scripts;
mod settings;
mod sketch;
mod tables;
#[cfg(test)]
mod tests;
mod text;

pub use context::{Answers, Context, Finding, Outcome, Question};
pub use decide::decide;
pub use patches::patched;
pub use paths::is_build_folder;
pub use rule::{Examples, FINGERPRINT, Pattern, Rule, Texts, When, builtin};
pub use settings::{BUILTIN, Except, Lists, Settings, UserRules};
