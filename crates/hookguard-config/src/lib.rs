//! hookguard.toml: what may stand in it ([`model`]), and what becomes of it.
//!
//! Pure: the binary finds and reads the files.
#![forbid(unsafe_code)]

pub mod model;
