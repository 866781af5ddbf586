//! A pack as its TOML file says it: the vocabulary of rules and programs, read by `build.rs` for the built-in packs and at
//! run time for a user's own rules. Unknown keys are errors.

use serde::Deserialize;

/// The names of path classes; the position is the bit in a `ClassSet`.
pub const CLASSES: &[&str] = &[
    "root",
    "system",
    "home",
    "below_home",
    "project_root",
    "project",
    "temp_root",
    "temp",
    "outside",
    "device",
    "null",
    "unknown",
    "unknown_root",
    "artefact",
    "litter",
    "env_file",
    "secret",
    "secret_folder",
    "start_file",
    "guard",
    "guard_folder",
    "git_folder",
    "git_hook",
    "data",
    "cache",
    "access_file",
    "bare_glob",
    "glob",
    "file",
    "created",
    "remote",
    "empty",
];

/// The names of effects on files; the position is the bit in an `EffectSet`.
pub const EFFECTS: &[&str] = &[
    "read",
    "write",
    "append",
    "edit",
    "delete",
    "delete_tree",
    "move_away",
    "truncate",
    "shred",
    "mode",
    "send",
    "sync",
];

/// The names of what a command's input may carry; the position is the bit in a `SourceSet`.
pub const SOURCES: &[&str] = &["network", "decoder", "secret", "environment", "generated", "unknown"];

/// The names of what a command may run; the position is the bit in a `RunsSet`.
pub const RUNS: &[&str] = &["unknown", "stdin", "file", "script", "interactive", "partly"];

/// The names of places; the position is the bit in a `PlaceSet`.
pub const PLACES: &[&str] = &["here", "remote", "container", "elevated"];

/// One file of `packs/`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackFile {
    /// Programs whose options or effects are known.
    #[serde(default)]
    pub program: Vec<ProgramEntry>,
    /// Rules.
    #[serde(default)]
    pub rule: Vec<RuleEntry>,
    /// Lists of names that rules and classes share; several files may add to one list.
    #[serde(default)]
    pub names: std::collections::BTreeMap<String, Vec<String>>,
    /// Lists of paths, by the names between their slashes.
    #[serde(default)]
    pub paths: std::collections::BTreeMap<String, Vec<String>>,
}

/// How a program reads its words.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramEntry {
    /// Its names, each perhaps with a subcommand: `git`, `git push`.
    pub name: Vec<String>,
    /// Options that take a value as the next word.
    #[serde(default)]
    pub values: Vec<String>,
    /// Long options by which abbreviations are completed; empty where the program takes none.
    #[serde(default)]
    pub longs: Vec<String>,
    /// Long options have one dash (`-auto-approve`), so short ones are not bundled.
    #[serde(default)]
    pub one_dash: bool,
    /// Options end at the first operand.
    #[serde(default)]
    pub options_first: bool,
    /// Short options before the subcommand are the program's own: git's `-C` is not that of `git branch`.
    #[serde(default)]
    pub own_first: bool,
    /// Words that begin with `+` are options: vim's `+qa`, nano's `+12`.
    #[serde(default)]
    pub plus: bool,
    /// What it does to the files it names.
    #[serde(default)]
    pub does: Vec<RoleEntry>,
}

/// What a program does to some of its words.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleEntry {
    /// The effect, one of [`EFFECTS`].
    pub effect: String,
    /// Which words: `all`, `first`, `last`, `rest` (all but the first), `but_last`, `after_script` (all but the first,
    /// unless an option like `-e` or `-f` gives the script), `-o` (an option's
    /// value), `if=` (what follows this text in an operand).
    pub on: String,
    /// Only with one of these options.
    #[serde(default)]
    pub with: Vec<String>,
    /// Not with one of these options.
    #[serde(default)]
    pub without: Vec<String>,
}

/// One rule.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleEntry {
    /// What is caught: `git.push.force`.
    pub id: String,
    /// `ask` or `deny`.
    pub level: String,
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
    pub flags: FlagsEntry,
    /// Operands after the subcommand.
    #[serde(default)]
    pub operand: OperandEntry,
    /// Variables set for the command: `NAME` or `NAME=value`.
    #[serde(default)]
    pub env: Vec<String>,
    /// Where a PROD word counts: `-o` (an option's value), `operands`, `$NAME`, `program`.
    #[serde(default)]
    pub prod_in: Vec<String>,
    /// What its input carries: names of [`SOURCES`].
    #[serde(default)]
    pub stdin_from: Vec<String>,
    /// What it runs: names of [`RUNS`].
    #[serde(default)]
    pub runs: Vec<String>,
    /// Where it runs: names of [`PLACES`].
    #[serde(default)]
    pub place: Vec<String>,
    /// What it does to files: names of [`EFFECTS`]. A path in `path` must have it.
    #[serde(default)]
    pub effect: Vec<String>,
    /// Which files.
    #[serde(default)]
    pub path: PathEntry,
    /// A tool of an MCP server.
    #[serde(default)]
    pub mcp: McpEntry,
    /// An address that is fetched.
    #[serde(default)]
    pub url: UrlEntry,
    /// The function that decides the rest, by its name in the table of computed rules.
    #[serde(default)]
    pub computed: Option<String>,
    /// Examples; all are tests.
    pub examples: ExamplesEntry,
}

/// Options of a rule: `-f`, `--force`, or with a value `--env=prod*`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlagsEntry {
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
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperandEntry {
    /// One of them is like one of these (`*` for anything).
    #[serde(default)]
    pub kind: Vec<String>,
    /// None of them is like one of these.
    #[serde(default)]
    pub not: Vec<String>,
    /// At least so many, and at most so many.
    #[serde(default)]
    pub count: Option<(u16, u16)>,
}

/// Paths of a rule.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathEntry {
    /// It is in one of these classes.
    #[serde(default)]
    pub class: Vec<String>,
    /// It is in none of these.
    #[serde(default)]
    pub not: Vec<String>,
}

/// MCP tools of a rule (`*` for anything).
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpEntry {
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
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UrlEntry {
    /// Hosts (`*` for anything).
    #[serde(default)]
    pub host: Vec<String>,
}

/// Examples of a rule: texts of commands.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamplesEntry {
    /// Denied by this rule.
    #[serde(default)]
    pub deny: Vec<String>,
    /// Asked about by this rule.
    #[serde(default)]
    pub ask: Vec<String>,
    /// Look-alikes that no rule objects to.
    #[serde(default)]
    pub allow: Vec<String>,
}

/// The bits of `names` in `table`, or the name that is not in it.
pub fn bits(names: &[String], table: &[&str]) -> Result<u32, String> {
    let mut set = 0;
    for name in names {
        match table.iter().position(|known| known == name) {
            Some(at) => set |= 1 << at,
            None => return Err(name.clone()),
        }
    }
    Ok(set)
}
