//! What may stand in a `hookguard.toml`, as it stands there. The doc comments are the schema's descriptions.

use std::collections::BTreeMap;

use hookguard_core::{Level, Mode, ToolClass};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod judge;
mod levels;
mod list;
mod names;

pub use judge::{GuardTable, JudgeTable, OwnVerification, VerificationTable};
pub use list::List;

/// One file of hookguard's configuration: hookguard.toml, hookguard.local.toml, the user's config.toml or managed.toml.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(title = "hookguard.toml")]
pub struct ConfigFile {
    /// The format's version: 1.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// `observe` computes and logs everything and enforces nothing.
    #[schemars(schema_with = "names::mode")]
    pub mode: Option<Mode>,
    /// The level of a rule by its id, or of all rules below a name (`git.*`): off, observe, warn, ask or deny.
    #[serde(default, deserialize_with = "levels::deserialize")]
    #[schemars(schema_with = "levels::schema")]
    pub rules: BTreeMap<String, Level>,
    /// Exceptions, each to one rule.
    #[serde(default)]
    pub except: Vec<Except>,
    /// Rules of one's own.
    #[serde(default)]
    pub rule: Vec<UserRule>,
    /// Cases for `hookguard test`.
    #[serde(default)]
    pub test: Vec<TestCase>,
    /// Names that built-in rules share.
    #[serde(default)]
    pub lists: Lists,
    /// Programs that are asked too: exec policies, and Claude Code's hook scripts as policies.
    #[serde(default)]
    pub policy: Vec<ExecPolicy>,
    /// What runs when the agent wants to stop.
    #[serde(default)]
    pub stop: StopTable,
    /// The judges at stop.
    #[serde(default)]
    pub judge: JudgeTable,
    /// What the guard asks of judges, and of the session's record.
    #[serde(default)]
    pub guard: GuardTable,
    /// In managed.toml only: hashes (`sha256:...`) of projects' files that count as trusted.
    #[serde(default)]
    pub trusted: Vec<String>,
}

/// An exception to one rule. All that is given must hold; `rule`, `reason` and one thing more are needed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Except {
    /// The rule's id.
    pub rule: String,
    /// The command, word by word (`*` for anything): `rm -rf generated`.
    pub command: Option<String>,
    /// The path that the rule saw, from the project's root (`*` within a name, `**` for folders): `generated/**`.
    pub path: Option<String>,
    /// The program.
    pub program: Option<String>,
    /// The subcommand, in the rules' form: `push`, `remote *`.
    pub sub: Option<String>,
    /// Why, for whoever reads the file later.
    pub reason: String,
}

/// A rule of one's own, in the form of the built-in packs. All that is given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserRule {
    /// What is caught: `team.no_terraform`.
    pub id: String,
    /// off, observe, warn, ask or deny.
    #[schemars(schema_with = "names::level")]
    pub level: Level,
    /// Why, one sentence to the model.
    pub reason: String,
    /// What to do instead, one sentence to the model.
    pub instead: String,
    /// Programs, by bare name.
    #[serde(default)]
    pub program: Vec<String>,
    /// Subcommands, alternatives; words separated by blanks, `*` inside a word, `**` for any words.
    #[serde(default)]
    pub sub: Vec<String>,
    /// Subcommands that this is not about.
    #[serde(default)]
    pub sub_not: Vec<String>,
    /// Options.
    #[serde(default)]
    pub flags: Flags,
    /// Operands after the subcommand.
    #[serde(default)]
    pub operand: Operand,
    /// Variables set for the command: `NAME` or `NAME=value`.
    #[serde(default)]
    pub env: Vec<String>,
    /// Where a PROD word counts: `-o` (an option's value), `operands`, `$NAME`, `program`.
    #[serde(default)]
    pub prod_in: Vec<String>,
    /// What its input carries: network, decoder, secret, environment, generated, unknown.
    #[serde(default)]
    pub stdin_from: Vec<String>,
    /// What it runs: unknown, stdin, file, script, interactive, partly.
    #[serde(default)]
    pub runs: Vec<String>,
    /// Where it runs: here, remote, container, elevated.
    #[serde(default)]
    pub place: Vec<String>,
    /// What it does to files; a path in `path` must have it.
    #[serde(default)]
    pub effect: Vec<String>,
    /// Which files.
    #[serde(default)]
    pub path: PathMatch,
    /// A tool of an MCP server.
    #[serde(default)]
    pub mcp: McpMatch,
    /// An address that is fetched.
    #[serde(default)]
    pub url: UrlMatch,
    /// A regular expression over the command as it would run, its words joined by blanks.
    pub regex: Option<String>,
    /// Examples; `hookguard test` runs them.
    #[serde(default)]
    pub examples: Examples,
}

/// Options of a rule: `-f`, `--force`, or with a value `--env=prod*`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Flags {
    /// One of these.
    #[serde(default)]
    pub any: Vec<String>,
    /// All of these.
    #[serde(default)]
    pub all: Vec<String>,
    /// None of these.
    #[serde(default)]
    pub none: Vec<String>,
}

/// Operands of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Operand {
    /// One of them is like one of these (`*` for anything).
    #[serde(default)]
    pub kind: Vec<String>,
    /// None of them is like one of these.
    #[serde(default)]
    pub not: Vec<String>,
    /// At least so many, and at most so many.
    pub count: Option<(u16, u16)>,
}

/// Paths of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathMatch {
    /// It is in one of these classes.
    #[serde(default)]
    pub class: Vec<String>,
    /// It is in none of these.
    #[serde(default)]
    pub not: Vec<String>,
    /// It is like one of these, from the project's root or absolute (`*` within a name, `**` for folders).
    #[serde(default)]
    pub like: Vec<String>,
}

/// MCP tools of a rule (`*` for anything).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct McpMatch {
    /// Servers.
    #[serde(default)]
    pub server: Vec<String>,
    /// Tools.
    #[serde(default)]
    pub tool: Vec<String>,
    /// Texts that an argument's value is like.
    #[serde(default)]
    pub arg: Vec<String>,
}

/// Addresses of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UrlMatch {
    /// Hosts (`*` for anything).
    #[serde(default)]
    pub host: Vec<String>,
}

/// Examples of a rule: command lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Examples {
    /// Denied by this rule.
    #[serde(default)]
    pub deny: Vec<String>,
    /// Asked about by this rule.
    #[serde(default)]
    pub ask: Vec<String>,
    /// Warned about by this rule.
    #[serde(default)]
    pub warn: Vec<String>,
    /// Look-alikes that no rule objects to.
    #[serde(default)]
    pub allow: Vec<String>,
}

/// A case for `hookguard test`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestCase {
    /// The command line.
    pub command: String,
    /// What the policy must say.
    pub expect: Expect,
    /// Where it runs, from the project's root.
    pub cwd: Option<String>,
    /// The rule that must be the one that decides.
    pub rule: Option<String>,
}

/// What a test case expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Expect {
    /// Nothing is said.
    Allow,
    /// The model is told something.
    Warn,
    /// A human must decide.
    Ask,
    /// It must not happen.
    Deny,
}

/// Names that built-in rules share. An array replaces the list, `{ add = [...] }` adds to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Lists {
    /// Branches that are not rewritten or pushed to by force (`*` for anything).
    pub protected_branches: Option<List>,
    /// Words in a name that mean production.
    pub prod_words: Option<List>,
    /// Folders for temporary files, besides the usual ones; absolute.
    pub temp_roots: Option<List>,
    /// Names of files and folders in a project that can be made again.
    pub artefacts: Option<List>,
    /// Contexts of kubectl that are on this machine.
    pub local_kube_contexts: Option<List>,
}

/// A program that is asked about an event: it gets JSON on standard input and answers on standard output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecPolicy {
    /// The id of its verdicts: `team.guard`.
    pub id: String,
    /// When it is asked.
    pub on: PolicyMoment,
    /// The classes of tools that it is asked about; all, where it is not given.
    #[serde(default)]
    #[schemars(schema_with = "names::tool_classes")]
    pub tools: Vec<ToolClass>,
    /// For `form = "claude"`: the tools by the matcher of Claude Code's settings, `Bash|Edit`.
    pub matcher: Option<String>,
    /// The command, run by `sh -c` in the project's root.
    pub command: String,
    /// What it gets and answers.
    #[serde(default)]
    pub form: PolicyForm,
    /// How long it may take, in milliseconds.
    #[serde(default = "policy_timeout_ms")]
    pub timeout_ms: u64,
    /// What its failure means: closed before a tool, open after it and at stop, where it is not given.
    pub on_failure: Option<OnFailure>,
}

impl ExecPolicy {
    /// What its failure means, given or by its moment (DESIGN: closed before a tool, open after it and at stop).
    pub fn on_failure(&self) -> OnFailure {
        self.on_failure.unwrap_or(match self.on {
            PolicyMoment::PreTool => OnFailure::Closed,
            PolicyMoment::PostTool | PolicyMoment::Stop => OnFailure::Open,
        })
    }
}

fn policy_timeout_ms() -> u64 {
    5_000
}

/// When an exec policy is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PolicyMoment {
    /// Before a tool runs.
    PreTool,
    /// After it has run.
    PostTool,
    /// When the agent wants to stop.
    Stop,
}

/// What an exec policy gets and answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PolicyForm {
    /// hookguard's neutral event in, a verdict out.
    #[default]
    Event,
    /// Claude Code's JSON in, read as Claude Code reads a hook's answer: whichever agent runs.
    Claude,
}

/// What the failure of an exec policy means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OnFailure {
    /// As if it had refused.
    Closed,
    /// As if it had said nothing.
    Open,
}

/// What runs when the agent wants to stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopTable {
    /// Commands that must succeed before the agent stops.
    #[serde(default)]
    pub check: Vec<StopCheck>,
}

/// A command that must succeed before the agent stops: a test suite, a type check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopCheck {
    /// Its id, for the log and the message.
    pub id: String,
    /// The command, run by `sh -c` in the project's root.
    pub command: String,
    /// It runs when a file like one of these changed in the turn, from the project's root; any file, where it is not given.
    #[serde(default)]
    pub globs: Vec<String>,
    /// How long it may take, in milliseconds.
    #[serde(default = "check_timeout_ms")]
    pub timeout_ms: u64,
}

fn check_timeout_ms() -> u64 {
    300_000
}
