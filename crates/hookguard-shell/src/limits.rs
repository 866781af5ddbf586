//! The bounds that keep a hostile text from costing more than a verdict may.

/// Texts longer than this, in bytes, are not read: [`Reading::errors`](crate::Reading::errors) says so.
pub const MAX_TEXT_BYTES: usize = 256 * 1024;

/// How deep constructs may nest (substitutions, quotes inside substitutions, `sh -c` inside `sh -c` …).
pub const MAX_DEPTH: usize = 100;

/// How many commands one text may reach, all its inner texts included.
pub const MAX_COMMANDS: usize = 20_000;

/// What the evaluation of one text may cost: about one unit a word, more for long values.
pub(crate) const MAX_FUEL: usize = 400_000;
