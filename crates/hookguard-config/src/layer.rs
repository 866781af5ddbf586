//! The four files, one upon the other: what counts, where it came from, and what is held back.
//!
//! A managed file is the administrator's, the user's is the user's; a project's two files come with a checkout, so anyone
//! may have written them. They tighten at once; what loosens or runs code counts when the user has trusted the content.

mod judges;
mod lists;
mod merge;

pub use judges::{Judging, may_name};
pub use lists::ListName;
pub use merge::stack;

use std::collections::BTreeMap;
use std::fmt;

use hookguard_core::{Level, Mode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::model::{Except, ExecPolicy, StopCheck, TestCase, UserRule};
use crate::{Fault, Parsed, Place, Places};

/// The files, from the one with the most authority to the one that comes last.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::Display, strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Layer {
    /// The administrator's: /etc/hookguard/managed.toml. What it sets, no other loosens.
    Managed,
    /// The user's: config.toml in the user's configuration folder.
    User,
    /// The project's, shared with all who work on it: hookguard.toml.
    Project,
    /// The project's, on this machine only: hookguard.local.toml.
    Local,
}

impl Layer {
    /// Whether the file lies in the project, so that it needs the user's trust to loosen or to run code.
    pub fn is_projects(self) -> bool {
        matches!(self, Layer::Project | Layer::Local)
    }
}

/// The content of a file as `managed.toml` lists it: `sha256:` and 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(String);

impl ContentHash {
    /// That of `bytes`.
    pub fn of(bytes: &[u8]) -> ContentHash {
        use fmt::Write as _;
        let mut text = "sha256:".to_owned();
        for byte in Sha256::digest(bytes) {
            let _ = write!(text, "{byte:02x}");
        }
        ContentHash(text)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One file that can be used.
#[derive(Debug, Clone)]
pub struct LayerFile {
    /// Which it is.
    pub layer: Layer,
    /// What stands in it.
    pub parsed: Parsed,
    /// Its bytes; those of a file that needs nobody's trust are not asked for.
    pub bytes: Vec<u8>,
    /// Whether the user has trusted just these.
    pub pinned: bool,
}

/// What the built-in policy says: the bottom of the stack.
#[derive(Debug, Clone, Default)]
pub struct Builtin<'a> {
    /// Rules and their levels.
    pub rules: Vec<(&'a str, Level)>,
    /// Lists; one that is missing is empty.
    pub lists: Vec<(ListName, Vec<&'a str>)>,
}

/// Where a value was set; [`Stack::place`] says in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// In which file.
    pub layer: Layer,
    /// Under which key.
    pub path: String,
}

/// A value with its origin; none is the built-in policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valued<T> {
    /// The value.
    pub value: T,
    /// Where it was set.
    pub origin: Option<Origin>,
}

/// Something in a file that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Where it stands.
    pub origin: Origin,
    /// What it is, as people would name it: `"git.push.force" = "warn"`.
    pub what: String,
    /// Why it does not count.
    pub why: Why,
}

/// Why something does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
pub enum Why {
    /// It would loosen the policy.
    #[strum(to_string = "it loosens the policy; `hookguard trust` makes it count")]
    Loosens,
    /// It would run a program.
    #[strum(to_string = "it runs a program; `hookguard trust` makes it count")]
    RunsCode,
    /// A model would read it as its instructions.
    #[strum(to_string = "a model would read it as instructions; `hookguard trust` makes it count")]
    Instructs,
    /// The administrator has set it.
    #[strum(to_string = "the managed file sets it, and it can only be tightened")]
    Managed,
    /// It is about the guard's own protection.
    #[strum(to_string = "it is about the guard's own protection, which no project's file loosens")]
    Guard,
    /// The id is taken.
    #[strum(to_string = "the id is taken already, here or by a rule that counts before it")]
    Taken,
    /// It stands in the wrong file.
    #[strum(to_string = "only the managed file may say it")]
    ManagedOnly,
    /// A part of it is not known, and without that part it might say more than was meant.
    #[strum(to_string = "a key in it is not known, and without it the exception might be wider than was meant")]
    Unclear,
}

/// The files as one.
#[derive(Debug, Clone)]
pub struct Stack {
    /// Whether anything is enforced.
    pub mode: Valued<Mode>,
    /// The level of every rule, built in or not.
    pub levels: BTreeMap<String, Valued<Level>>,
    /// Exceptions that count.
    pub excepts: Vec<(Except, Origin)>,
    /// Users' own rules.
    pub rules: Vec<(UserRule, Origin)>,
    /// Every list.
    pub lists: BTreeMap<ListName, Valued<Vec<String>>>,
    /// Exec policies that count.
    pub policies: Vec<(ExecPolicy, Origin)>,
    /// Stop checks that count.
    pub checks: Vec<(StopCheck, Origin)>,
    /// What is said of judges.
    pub judging: Judging,
    /// Cases for `hookguard test`.
    pub tests: Vec<(TestCase, Origin)>,
    /// What does not count.
    pub held: Vec<Held>,
    /// What is not known: keys and rules' ids. It changes nothing, and people should hear of it.
    pub unknown: Vec<(Layer, Fault)>,
    /// Which of the project's files count as trusted.
    pub trusted: Vec<Layer>,
    /// Where the keys of each file stand.
    pub(crate) places: BTreeMap<Layer, Places>,
}

impl Stack {
    /// The line and column of `origin`.
    pub fn place(&self, origin: &Origin) -> Place {
        self.places.get(&origin.layer).map(|places| places.get(&origin.path)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
