//! `[judge]` and `[guard]`: who judges the agent's words at stop, and what the guard asks of judges and of the ledger.

use std::collections::BTreeMap;

use hookguard_judge::Evidence;
use hookguard_judge::backend::{Backend, JudgeMode, OnProse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names;

/// The judges at stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct JudgeTable {
    /// Who is asked, in this order, until one answers: names of backends, and `builtin` [default: only that].
    pub backends: Option<Vec<String>>,
    /// How long all of them together may take, in milliseconds [default: 8000].
    #[schemars(range(min = 100, max = 300_000))]
    pub deadline_ms: Option<u64>,
    /// What `builtin` does where only the words speak against a stop: advise (a note to the human) or block [default: advise].
    pub on_prose: Option<OnProse>,
    /// Of how many in a hundred of the stops that words and facts let go at once the text is kept in the log, redacted, to be
    /// looked at [default: 0].
    #[schemars(range(max = 100))]
    pub sample_percent: Option<u8>,
    /// What each judge does, by its id: block, advise or off.
    #[serde(default)]
    pub mode: BTreeMap<String, JudgeMode>,
    /// Judges of one's own: files, from this file's folder.
    #[serde(default)]
    pub files: Vec<String>,
    /// What counts as verification.
    #[serde(default)]
    pub verification: VerificationTable,
    /// Who can be asked, besides `builtin`, `claude` and `codex`.
    #[serde(default)]
    pub backend: Vec<Backend>,
}

/// What counts as verification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct VerificationTable {
    /// Kinds that are all required before a commit: unit, integration, e2e, manual, remote. Any one does where none is named.
    #[serde(default)]
    #[schemars(schema_with = "names::evidences")]
    pub required: Vec<Evidence>,
    /// Commands of one's own that verify.
    #[serde(default)]
    pub command: Vec<OwnVerification>,
}

/// A command that verifies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnVerification {
    /// How its words begin: `just check`.
    pub command: String,
    /// What kind it is: unit, integration, e2e, manual or remote.
    #[schemars(schema_with = "names::evidence")]
    pub kind: Evidence,
}

/// What the guard asks of others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct GuardTable {
    /// Whether a judge may answer in the human's place where the guard asks; it can only say "no opinion", and only for the
    /// rules of `judge_rules` [default: false].
    pub judge: Option<bool>,
    /// The rules about which a judge may be asked: ids, or all below a name (`git.*`).
    #[serde(default)]
    pub judge_rules: Vec<String>,
    /// What is asked about where the session's record shows no verification after the last edit of code: git.commit, git.push,
    /// pull_request, release, deploy.
    #[serde(default)]
    pub verified_before: Vec<String>,
}
