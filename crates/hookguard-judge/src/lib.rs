//! Judges at stop, so far: what they will stand on. The ledger's record format, and redaction of secrets.
#![forbid(unsafe_code)]

pub mod ledger;
mod redact;

pub use redact::{Redacted, redact};
