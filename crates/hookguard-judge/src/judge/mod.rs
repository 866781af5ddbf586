//! Judges as data: one TOML file each. The five built in are compiled at build time; users' are read from their configuration.
//!
//! `file` is the form, `check` what must hold in it, `lexicon` its words and patterns as tables, `fold` how words are compared,
//! `scan` how they are found.

pub mod cases;
mod check;
mod file;
mod fold;
mod lexicon;
mod scan;

use serde::{Deserialize, Serialize};

pub use check::{Fault, check, distinct, judge, parse};
pub use file::{
    CaseEntry, Expect, FactsEntry, FieldEntry, JudgeFile, Missing, PatternEntry, Scope, Settles, When, WordsEntry,
};
pub use lexicon::{Lexicon, Unfit};
pub(crate) use scan::{Heard, Text};

use crate::facts::Fact;

/// One judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judge<'a> {
    /// `commit-before-verify`
    pub id: &'a str,
    /// What it catches, in a few words for people.
    pub title: &'a str,
    /// When it is asked.
    pub event: When,
    /// What a model is asked about the text, without the wrapper.
    pub prompt: &'a str,
    /// The booleans that it answers.
    #[serde(borrow)]
    pub fields: Vec<Field<'a>>,
    /// Fields that must all be true for a violation.
    pub block_if: Vec<&'a str>,
    /// Fields of which none may be true for a violation.
    pub unless: Vec<&'a str>,
    /// What the agent is told: what it did, and why that is stopped.
    pub message: &'a str,
    /// What it should do instead.
    pub alternative: &'a str,
    /// What facts do to it.
    pub facts: FactRules,
    /// Its signals, bypasses and strict patterns.
    #[serde(borrow)]
    pub words: Words<'a>,
}

impl Judge<'_> {
    /// Whether words can settle anything: a caller's own prompt has none.
    pub fn has_words(&self) -> bool {
        match &self.words {
            Words::BuiltIn(_) => true,
            Words::Own(lexicon) => *lexicon != Lexicon::default(),
        }
    }
}

/// A boolean of a judge's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field<'a> {
    /// `new_proposal`
    pub name: &'a str,
    /// What it means, one line for the schema.
    pub about: &'a str,
    /// Missing reads as false and makes no failure.
    pub optional: bool,
    /// Missing reads as false, so that a violation is not lost (the seed's choice).
    pub missing_is_violation: bool,
}

impl<'a> Field<'a> {
    fn of(entry: &'a FieldEntry) -> Field<'a> {
        let missing_is_violation = entry.missing == Some(Missing::Violation);
        Field { name: &entry.name, about: &entry.about, optional: entry.optional, missing_is_violation }
    }
}

/// What facts do to a judge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactRules {
    /// One of these has the judge look closer where the words say nothing.
    pub signal: Vec<Fact>,
    /// One of these is a violation, without a model.
    pub violation: Vec<Fact>,
    /// One of these is an allow, without a model, where none of `violation` holds.
    pub allow: Vec<Fact>,
    /// Where one of these holds no bypass counts.
    pub contradict: Vec<Fact>,
}

/// Where a judge's words stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Words<'a> {
    /// In the tables of the built-in judges, which one pass looks for together; which of them this is.
    BuiltIn(u8),
    /// In tables of its own.
    #[serde(borrow)]
    Own(Lexicon<'a>),
}

/// The built-in judges' words, and the judges themselves.
mod tables {
    use std::borrow::Cow;

    use super::lexicon::{Kind, Lexicon, List, Node, Rule, Within, Word};
    use super::{FactRules, Field, Judge, When, Words};
    use crate::facts::Fact;

    include!(concat!(env!("OUT_DIR"), "/judges.rs"));
}

pub(crate) use tables::LEXICON;

/// The ids of the built-in judges.
pub const IDS: [&str; 5] =
    ["commit-before-verify", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction"];

/// The five built-in judges.
pub fn builtin() -> Vec<Judge<'static>> {
    tables::judges()
}

/// The judge that may answer in the human's place where the guard asks: its violation lets the call pass.
///
/// # Errors
///
/// Never, as the tests show: the file is a part of the crate.
pub fn guard() -> Result<JudgeFile, Fault> {
    parse(include_str!("guard.toml"))
}
#[cfg(test)]
mod tests;
