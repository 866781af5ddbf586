//! Judges at stop: what happened in a turn, what that settles, what the words mean, and who is asked where neither is clear.
//!
//! Pure: the ledger and the transcript come in as a [`Turn`], a backend's answer as text; processes and the network are the
//! binary's. One turn goes `turn` -> [`facts()`] -> [`layer1::settle`] -> (where a judge stays open) [`prompt`] -> a backend ->
//! [`answer`] -> [`verdict`].
#![forbid(unsafe_code)]

pub mod answer;
pub mod backend;
pub mod facts;
pub mod judge;
pub mod layer1;
pub mod ledger;
pub mod prompt;
mod redact;
#[cfg(test)]
mod test_judges;
pub mod text;
pub mod turn;
pub mod verdict;

pub use facts::{Evidence, Fact, Facts, Verification, facts};
pub use judge::Judge;
pub use redact::{Redacted, redact};
pub use turn::{Deed, EditedFile, Turn};
