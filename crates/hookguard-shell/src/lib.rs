//! A command line, read as a shell reads it: from text to every command that it can reach.
//!
//! Two layers. [`syntax`] is bash's grammar and nothing else: which simple commands, redirects and here-documents a text
//! holds. [`read`] builds on it and evaluates what can be known from the text alone: quotes, braces, tilde, variables
//! assigned in the same text, functions, aliases, `cd`, wrappers (`sudo`, `env`, `xargs` …), interpreters (`sh -c`,
//! a here-document into `bash`, `python -c` …). Data is never code; code is never data.
//!
//! Pure, linear in the length of the text, bounded in depth and memory. It never fails and never panics: what it cannot
//! read it says so ([`Reading::errors`], [`Part::Unknown`], [`Runs::Unknown`]), and the policy decides on that.
#![forbid(unsafe_code)]

mod command;
mod limits;
mod read;
pub mod syntax;

pub use command::{
    Assignment, Command, Container, Cwd, Part, Place, Reading, Redirect, RedirectKind, Runs, Span, Stdin, Step,
    SyntaxError, Unknown, Via, Word,
};
pub use limits::{MAX_COMMANDS, MAX_DEPTH, MAX_TEXT_BYTES};
pub use read::{Env, Known, read};
