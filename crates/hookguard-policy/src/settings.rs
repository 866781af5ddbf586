//! What a configuration changes in the built-in policy: levels, exceptions, lists, and rules of the users' own.

use std::fmt::Debug;

use hookguard_core::{Level, Mode};

use crate::call::Call;
use crate::effects::folder;
use crate::glob::like;
use crate::matching::fits;
use crate::path_names::within;
use crate::paths::World;
use crate::rule::Rule;
use crate::scene::Scene;
use crate::tables;
use crate::text::{Text, is_prod};

/// A configuration as the decision uses it. What it says was judged before: here it simply holds.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Whether verdicts are enforced at all.
    pub mode: Mode,
    /// Whether the guard's own rules are enforced even where the others are only observed: a project has said so, and no
    /// project switches them off.
    pub guard_stays: bool,
    /// The levels that are not the rules' own, in the order of the rules' ids.
    pub levels: &'a [(&'a str, Level)],
    /// Exceptions, in the order of the rules' ids.
    pub excepts: &'a [Except<'a>],
    /// Rules of the users' own.
    pub rules: Option<&'a dyn UserRules>,
    /// Names that built-in rules share.
    pub lists: Lists<'a>,
}

/// The built-in policy as it is.
pub static BUILTIN: Settings<'static> =
    Settings { mode: Mode::Enforce, guard_stays: false, levels: &[], excepts: &[], rules: None, lists: Lists::BUILTIN };

impl Default for &Settings<'_> {
    fn default() -> Self {
        &BUILTIN
    }
}

impl<'a> Settings<'a> {
    /// The level of `rule`, where it is not its own.
    pub(crate) fn level(&self, rule: &str) -> Option<Level> {
        let at = self.levels.binary_search_by(|(id, _)| (*id).cmp(rule)).ok()?;
        Some(self.levels[at].1)
    }

    /// The exceptions to `rule`.
    fn excepts(&self, rule: &str) -> &'a [Except<'a>] {
        let from = self.excepts.partition_point(|except| except.rule < rule);
        let count = self.excepts[from..].iter().take_while(|except| except.rule == rule).count();
        &self.excepts[from..from + count]
    }

    /// Whether an exception covers what `rule` sees in the command at `at`.
    pub(crate) fn excepted(&self, rule: &Rule, scene: &Scene<'_>, at: usize) -> bool {
        self.excepts(rule.id).iter().any(|except| except.covers(rule, scene, at))
    }

    /// Whether an exception covers what `rule` sees in a file tool's `path`.
    pub(crate) fn excepted_path(&self, rule: &Rule, path: &str, world: &World<'_>, cwd: Option<&str>) -> bool {
        self.excepts(rule.id).iter().any(|except| {
            let only_path = except.command.is_none() && except.program.is_none() && except.sub.is_none();
            only_path && except.path.is_some_and(|pattern| within(path, cwd, pattern, world))
        })
    }
}

/// Rules of the users' own, found by what they are about and read when they are reached.
pub trait UserRules: Debug + Sync {
    /// Those that name `program`: with any subcommand, and with one that starts with the word `sub` (empty for none).
    fn of_program(&self, program: &str, sub: &str) -> Vec<u16>;
    /// Those about effects on files, whatever the program.
    fn on_files(&self) -> &[u16];
    /// Those about every command that may be about this one: the text that each must find in it is there.
    fn on_all(&self, line: &dyn Fn() -> String) -> Vec<u16>;
    /// Those about MCP tools and addresses.
    fn on_tools(&self) -> &[u16];
    /// One of them; none if it can't be read.
    fn get(&self, at: u16) -> Option<&'static Rule>;
}

/// An exception to one rule. All that is given must hold, and one thing must be given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Except<'a> {
    /// The rule's id.
    pub rule: &'a str,
    /// The command, word by word: `*` inside a word for anything, `**` for any words.
    pub command: Option<&'a str>,
    /// Where all paths lie that the rule could be about: `*` inside a name, `**` for folders; from the project's root.
    pub path: Option<&'a str>,
    /// The program.
    pub program: Option<&'a str>,
    /// The subcommand, in the rules' form.
    pub sub: Option<&'a str>,
}

impl Except<'_> {
    fn covers(&self, rule: &Rule, scene: &Scene<'_>, at: usize) -> bool {
        let call = &scene.calls[at];
        let given = self.command.is_some() || self.path.is_some() || self.program.is_some() || self.sub.is_some();
        given
            && self.program.is_none_or(|program| like(program, call.program))
            && self.sub.is_none_or(|sub| call.sub(sub).is_some())
            && self.command.is_none_or(|pattern| is_command(call, pattern))
            && self.path.is_none_or(|pattern| covers_paths(rule, scene, at, pattern))
    }
}

/// Whether the words of `call` are like those of `pattern`. What nobody knows is only like `*` alone.
fn is_command(call: &Call<'_>, pattern: &str) -> bool {
    let pattern: Vec<&str> = pattern.split_whitespace().collect();
    let word_like = |pattern: &str, at: usize| match call.command.argv[at].as_literal() {
        Some(text) => pattern == text || pattern.contains('*') && like(pattern, text),
        None => pattern == "*",
    };
    // Which words of the call the pattern so far can end before.
    let mut ends = vec![false; call.command.argv.len() + 1];
    ends[0] = true;
    for part in pattern {
        let mut next = vec![false; ends.len()];
        if part == "**" {
            let mut reached = false;
            for (at, end) in ends.iter().enumerate() {
                reached |= end;
                next[at] = reached;
            }
        } else {
            for at in 1..ends.len() {
                next[at] = ends[at - 1] && word_like(part, at - 1);
            }
        }
        ends = next;
    }
    ends.last().copied().unwrap_or(false)
}

/// Whether every path that `rule` could be about lies where `pattern` says: one that does not is enough to go on.
fn covers_paths(rule: &Rule, scene: &Scene<'_>, at: usize, pattern: &str) -> bool {
    let cwd = folder(&scene.command(at).cwd);
    let mut about =
        scene.effects[at].iter().filter(|effect| rule.when.effects == 0 || fits(&rule.when, effect)).peekable();
    about.peek().is_some()
        && about.all(|effect| {
            let named = within(&effect.path.marked(scene.reading), cwd, pattern, scene.world);
            // A link leads out of what was excepted.
            named && effect.place.as_deref().is_none_or(|place| within(place, None, pattern, scene.world))
        })
}

/// Names that built-in rules share.
#[derive(Debug, Clone, Copy)]
pub struct Lists<'a> {
    /// Branches that are not rewritten or pushed to by force (`*` for anything).
    pub protected_branches: &'a [&'a str],
    /// Words in a name that mean production.
    pub prod_words: &'a [&'a str],
    /// Folders for temporary files, besides the usual ones; absolute.
    pub temp_roots: &'a [&'a str],
    /// Names of files and folders in a project that can be made again.
    pub artefacts: &'a [&'a str],
    /// Contexts of kubectl that are on this machine.
    pub local_kube_contexts: &'a [&'a str],
}

impl Lists<'static> {
    /// The built-in ones.
    pub const BUILTIN: Lists<'static> = Lists {
        protected_branches: tables::PROTECTED_BRANCHES,
        prod_words: tables::PROD_WORDS,
        temp_roots: &[],
        artefacts: tables::ARTEFACTS,
        local_kube_contexts: tables::LOCAL_CONTEXTS,
    };
}

impl Lists<'_> {
    /// Whether a name holds a word that means production.
    pub(crate) fn is_prod(&self, name: &str) -> bool {
        is_prod(name, self.prod_words)
    }

    /// Whether a text holds a word that means production, also in the name of a variable that it takes its value from.
    pub(crate) fn prod(&self, text: Text<'_>) -> bool {
        self.is_prod(&text.known_parts()) || text.variables().any(|name| self.is_prod(name))
    }

    /// Whether `branch` is a protected one.
    pub(crate) fn protects(&self, branch: &str) -> bool {
        self.protected_branches.iter().any(|pattern| like(pattern, branch))
    }

    /// Whether `context` is a cluster on this machine.
    pub(crate) fn is_local(&self, context: &str) -> bool {
        self.local_kube_contexts.iter().any(|pattern| like(pattern, context))
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
