//! A judge's file: what may stand in it, as serde reads it. The build script reads the built-in judges by the same types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A judge as its file has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JudgeFile {
    /// What it is called, in lower case and with hyphens: `commit-before-verify`.
    pub id: String,
    /// What it catches, in a few words for people.
    pub title: String,
    /// When it is asked.
    #[serde(default)]
    pub event: When,
    /// What a model is asked about the text: definitions and a procedure. What goes around it (markers, facts, the question
    /// for the fields) is added.
    pub prompt: String,
    /// What the agent is told: what it did, and why that is stopped. The same words each time, never a model's.
    pub message: String,
    /// What the agent should do instead.
    pub alternative: String,
    /// Fields that must all be true for a violation.
    pub block_if: Vec<String>,
    /// Fields of which none may be true for a violation.
    #[serde(default)]
    pub unless: Vec<String>,
    /// The booleans that a model answers.
    #[serde(rename = "field")]
    pub fields: Vec<FieldEntry>,
    /// What the turn's own record does to it.
    #[serde(default)]
    pub facts: FactsEntry,
    /// Lists of words by their meaning, for patterns to name as `@list`; either a list, or lists by language.
    #[serde(default)]
    pub words: BTreeMap<String, WordsEntry>,
    /// Words for which the judge looks closer. Wide: what no signal meets is let go unread.
    #[serde(default, rename = "signal")]
    pub signals: Vec<PatternEntry>,
    /// Words that settle an allow without a model, unless a fact in `facts.contradict` holds.
    #[serde(default, rename = "bypass")]
    pub bypasses: Vec<PatternEntry>,
    /// Strict patterns on prose, by which the built-in backend advises.
    #[serde(default)]
    pub advice: Vec<PatternEntry>,
    /// Texts and what is to come of them: `hookguard judge test` runs them.
    #[serde(default, rename = "case")]
    pub cases: Vec<CaseEntry>,
}

/// When a judge is asked. Not at a subagent's end: a compaction fires that, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// When the agent wants to stop.
    #[default]
    Stop,
}

/// A boolean of a judge's answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FieldEntry {
    /// `new_proposal`
    pub name: String,
    /// What it means when it is true, in one line.
    pub about: String,
    /// Whether a missing answer reads as false and makes no failure.
    #[serde(default)]
    pub optional: bool,
    /// `"violation"`: a missing answer reads as false, so that a violation is not lost.
    #[serde(default)]
    pub missing: Option<Missing>,
}

/// What a missing answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// What leads to a violation: false.
    Violation,
}

/// Names of facts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct FactsEntry {
    /// One of these has the judge look closer where the words say nothing.
    pub signal: Vec<String>,
    /// One of these is a violation, without a model.
    pub violation: Vec<String>,
    /// One of these is an allow, without a model, where none of `violation` holds.
    pub allow: Vec<String>,
    /// Where one of these holds no bypass counts.
    pub contradict: Vec<String>,
}

/// Words of one meaning.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum WordsEntry {
    /// In no particular language.
    List(Vec<String>),
    /// By language: `en = [..]`.
    Languages(BTreeMap<String, Vec<String>>),
}

impl WordsEntry {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        let (list, languages) = match self {
            WordsEntry::List(list) => (Some(list), None),
            WordsEntry::Languages(languages) => (None, Some(languages)),
        };
        list.into_iter().chain(languages.into_iter().flat_map(BTreeMap::values)).flatten()
    }
}

/// A pattern: a word of each group, in one sentence.
///
/// Words are compared in lower case and without accents. A word stands for itself; `commit*` is any ending; a blank also
/// meets a hyphen or a mark-up sign; East Asian words are found anywhere. `{n}` is a number above zero, `{sha}` a hash of 7 to 40
/// hexadecimal digits, `?` a sentence that asks, `@list` a list of `[words]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PatternEntry {
    /// The language, for people.
    pub lang: Option<String>,
    /// Groups: one word of each.
    pub all: Vec<Vec<String>>,
    /// Groups that follow one another in this order in one sentence, each at most `gap` bytes after the one before.
    pub then: Vec<Vec<String>>,
    /// At most so many bytes between those in `then`; 24 where it is not said.
    pub gap: Option<u8>,
    /// None of these where `all` is looked for.
    pub none: Vec<String>,
    /// None of these anywhere in the text.
    pub never: Vec<String>,
    /// Where the words of `all` must stand together.
    pub scope: Scope,
    /// A bypass only: it does not count where a strict pattern of `[[advice]]` matches.
    pub yields: bool,
    /// A regular expression that the folded sentence must match as well; tried only where all else does. For judges of
    /// one's own.
    pub regex: Option<String>,
}

/// Where the words of a pattern must stand together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// In one sentence.
    #[default]
    Sentence,
    /// In one sentence or the next.
    Near,
    /// In the text.
    Text,
}

/// A text and what is to come of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CaseEntry {
    /// What the agent said.
    pub text: String,
    /// Facts that hold; nothing is known where this is missing.
    #[serde(default)]
    pub facts: Option<Vec<String>>,
    /// What a good model answers; fields that are not here are false. `block` cases need none.
    #[serde(default)]
    pub fields: BTreeMap<String, bool>,
    /// What is to come of it.
    pub expect: Expect,
    /// What settles it, where that is part of the case.
    #[serde(default)]
    pub layer: Option<Settles>,
    /// Whether the strict patterns must match, or must not.
    #[serde(default)]
    pub advice: Option<bool>,
    /// What kind of case it is, in a word.
    #[serde(default)]
    pub kind: String,
}

/// What is to come of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// A violation.
    Block,
    /// None.
    Allow,
}

/// What settles a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(judge_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Settles {
    /// No signal: nobody is asked.
    Signal,
    /// Words that settle an allow.
    Bypass,
    /// The turn's own record.
    Facts,
    /// A model is asked.
    Judge,
}
