//! hookguard.toml: what may stand in it ([`model`]), read ([`parse`]), layered and compiled.
//!
//! Pure: the binary finds and reads the files.
#![forbid(unsafe_code)]

mod cache;
mod compiled;
mod hint;
mod layer;
pub mod model;
mod parse;
mod place;
mod rules;
mod table;

pub use cache::{Key, Marks, Source, name_of, seal, unseal};
pub use compiled::{BUILTIN, JudgeFile, Judges, Notice, Policy, Scripts, compile};
pub use layer::{
    Builtin, ContentHash, Held, Judging, Layer, LayerFile, ListName, Origin, Stack, Valued, Why, may_name, stack,
};
pub use parse::{Fault, MAX_FILE_BYTES, Parsed, parse};
pub use place::{Place, Places};

/// The JSON schema of the files, for editors. `hookguard.schema.json` holds it, and a test compares.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(model::ConfigFile);
    schema.insert("$comment".to_owned(), "made by `cargo xtask generate`".into());
    schema.to_value()
}
