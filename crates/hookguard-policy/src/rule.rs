//! Rules and programs as the decision uses them: static tables, built in or leaked from a user's own file.

use std::sync::OnceLock;

use hookguard_core::Decision;

use crate::scene::Scene;
use crate::tables;

/// One rule: what it looks at, and what it says.
#[derive(Debug)]
pub struct Rule {
    /// What is caught, such as `git.push.force`.
    pub id: &'static str,
    /// What it says where it matches.
    pub level: Decision,
    /// Why, in one sentence to the model.
    pub reason: &'static str,
    /// What to do instead, in one sentence to the model.
    pub instead: &'static str,
    /// What must hold.
    pub when: When,
    /// What must hold besides, where a table can't say it.
    pub(crate) computed: Option<Computed>,
    /// Examples, all of them tests.
    pub examples: Examples,
}

impl Rule {
    /// Whether more has to hold than its table says.
    pub fn is_computed(&self) -> bool {
        self.computed.is_some()
    }

    /// A rule of a user's own.
    pub fn own(id: &'static str, level: Decision, texts: Texts, when: When) -> Rule {
        let Texts { reason, instead } = texts;
        Rule { id, level, reason, instead, when, computed: None, examples: Examples::default() }
    }
}

/// What a rule says to the model.
#[derive(Debug, Clone, Copy)]
pub struct Texts {
    /// Why, in one sentence.
    pub reason: &'static str,
    /// What to do instead, in one sentence.
    pub instead: &'static str,
}

/// What a computed rule is: a look at one command of a scene. It gives what it saw, or nothing.
pub(crate) type Computed = fn(&Scene<'_>, usize) -> Option<Hit>;

/// What a rule saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The part of the call, for people; empty for the command itself.
    pub(crate) evidence: String,
    /// A question whose answer could make the finding milder.
    pub(crate) question: Option<crate::Question>,
}

/// What must hold for a rule to match; empty lists ask for nothing. Sets are bits in the order of the names in `pack`.
#[derive(Debug, Default)]
#[expect(missing_docs, reason = "each is described where the TOML form is, in pack.rs")]
pub struct When {
    pub programs: &'static [&'static str],
    pub sub: &'static [&'static [&'static str]],
    pub sub_not: &'static [&'static [&'static str]],
    pub flags_any: &'static [&'static str],
    pub flags_all: &'static [&'static str],
    pub flags_none: &'static [&'static str],
    pub operand_kind: &'static [&'static str],
    pub operand_not: &'static [&'static str],
    pub operand_count: Option<(u16, u16)>,
    pub env: &'static [&'static str],
    pub prod_in: &'static [&'static str],
    pub stdin_from: u32,
    pub runs: u32,
    pub place: u32,
    pub effects: u32,
    pub classes: u32,
    pub classes_not: u32,
    pub path_like: &'static [&'static str],
    pub mcp_server: &'static [&'static str],
    pub mcp_tool: &'static [&'static str],
    pub mcp_arg: &'static [&'static str],
    pub hosts: &'static [&'static str],
    pub regex: Option<Pattern>,
}

/// A regular expression of a user's rule, compiled when a command reaches it.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<Option<regex_lite::Regex>>,
}

impl Pattern {
    /// The pattern `text`. One that can't be compiled matches everything: [`Pattern::check`] says so beforehand.
    pub fn new(text: &'static str) -> Pattern {
        Pattern { text, compiled: OnceLock::new() }
    }

    /// What is wrong with `text` as a pattern.
    ///
    /// # Errors
    /// The compiler's message.
    pub fn check(text: &str) -> Result<(), String> {
        compile(text).map(|_| ()).map_err(|error| error.to_string())
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &'static str {
        self.text
    }

    pub(crate) fn is_match(&self, line: &str) -> bool {
        self.compiled.get_or_init(|| compile(self.text).ok()).as_ref().is_none_or(|regex| regex.is_match(line))
    }
}

/// Large patterns cost memory and time at every call that reaches them.
const MAX_PATTERN_BYTES: usize = 256 << 10;

fn compile(text: &str) -> Result<regex_lite::Regex, regex_lite::Error> {
    regex_lite::RegexBuilder::new(text).size_limit(MAX_PATTERN_BYTES).build()
}

/// Commands that show what a rule catches and what it leaves alone.
#[derive(Debug, Default)]
pub struct Examples {
    /// Denied.
    pub deny: &'static [&'static str],
    /// Asked about.
    pub ask: &'static [&'static str],
    /// Left alone by every rule.
    pub allow: &'static [&'static str],
}

/// How a program reads its words, and what it does to the files among them.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) values: &'static [&'static str],
    pub(crate) longs: &'static [&'static str],
    pub(crate) one_dash: bool,
    pub(crate) options_first: bool,
    pub(crate) own_first: bool,
    pub(crate) plus: bool,
    pub(crate) does: &'static [Role],
}

/// What a program does to some of its words.
#[derive(Debug)]
pub(crate) struct Role {
    pub(crate) effect: u32,
    pub(crate) on: On,
    pub(crate) with: &'static [&'static str],
    pub(crate) without: &'static [&'static str],
}

/// Which words a role is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    /// All operands.
    All,
    /// The first operand.
    First,
    /// The last operand, if there are two or more.
    Last,
    /// All but the first.
    Rest,
    /// All but the last.
    ButLast,
    /// All but the first, which is a script or pattern unless an option gives that.
    AfterScript,
    /// An option's value.
    Option(&'static str),
    /// What follows this text in an operand: `of=` of dd.
    Text(&'static str),
}

/// All that the packs say of one program.
#[derive(Debug)]
pub(crate) struct Known {
    /// The rules that name it, by index.
    pub(crate) rules: &'static [u16],
    /// How it reads its words: the program itself, under the empty name, and its subcommands, of one word or two.
    pub(crate) subs: &'static [(&'static str, Program)],
}

/// What is known of a program that no pack names.
static UNKNOWN: Known = Known { rules: &[], subs: &[] };

/// How a program reads its words of which nothing is known.
static UNKNOWN_PROGRAM: Program = Program {
    values: &[],
    longs: &[],
    one_dash: false,
    options_first: false,
    own_first: false,
    plus: false,
    does: &[],
};

impl Known {
    /// What is known of `program`.
    pub(crate) fn of(program: &str) -> &'static Known {
        /// Where the names of each first byte begin in the table, and where the last ones end.
        static STARTS: [u16; 257] = starts(tables::PROGRAMS);
        let Some(&first) = program.as_bytes().first() else { return &UNKNOWN };
        let first = usize::from(first);
        let some = &tables::PROGRAMS[usize::from(STARTS[first])..usize::from(STARTS[first + 1])];
        some.binary_search_by(|(name, _)| (*name).cmp(program)).map_or(&UNKNOWN, |at| &some[at].1)
    }

    /// How the program itself reads its words.
    pub(crate) fn own(&self) -> &'static Program {
        self.sub("", None).unwrap_or(&UNKNOWN_PROGRAM)
    }

    /// How the subcommand does that is named by these words. An empty one names the program itself: the `''` of BSD's
    /// `sed -i ''` is none of its operands.
    pub(crate) fn sub(&self, first: &str, second: Option<&str>) -> Option<&'static Program> {
        let is_it = |name: &str| match (name.strip_prefix(first), second) {
            (Some(rest), Some(second)) => rest.strip_prefix(' ') == Some(second),
            (rest, None) => rest == Some(""),
            (None, _) => false,
        };
        self.subs.iter().find(|(name, _)| is_it(name)).map(|(_, spec)| spec)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "there are no 65,536 programs")]
const fn starts(programs: &[(&str, Known)]) -> [u16; 257] {
    let (mut starts, mut byte, mut at) = ([0; 257], 0, 0);
    while byte < starts.len() {
        while at < programs.len() && (programs[at].0.is_empty() || (programs[at].0.as_bytes()[0] as usize) < byte) {
            at += 1;
        }
        starts[byte] = at as u16;
        byte += 1;
    }
    starts
}

/// What the packs of this build were made from, as a text that differs when they do.
pub const FINGERPRINT: &str = env!("HOOKGUARD_PACKS_FINGERPRINT");

/// The built-in rules, in the order of the packs.
pub fn builtin() -> &'static [Rule] {
    tables::RULES
}
