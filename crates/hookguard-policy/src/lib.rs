//! Rules and packs: an event in, a verdict out.
//!
//! Pure: what [`decide`] would like to know of the world it asks for ([`Outcome::questions`]), the binary answers
//! ([`Context::answers`]), and it decides again. Where there is no answer, text alone decides.
#![forbid(unsafe_code)]

mod context;

pub use context::{Answers, Context, Finding, Outcome, Question};

use hookguard_core::Event;

/// Decides on `event`.
pub fn decide(_event: &Event<'_>, _context: &Context<'_>) -> Outcome {
    Outcome::default()
}
