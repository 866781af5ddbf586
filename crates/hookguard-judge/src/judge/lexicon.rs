//! Words and patterns of judges, compiled: flat tables without a pointer inside, so that the built-in ones need no
//! relocation when the program starts and users' ones come from the cache in a few copies.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file::{JudgeFile, PatternEntry, Scope};
use super::fold::fold;

/// A number, in a compiled word.
pub(crate) const NUMBER: u8 = 1;
/// A hash, in a compiled word.
pub(crate) const HASH: u8 = 2;
/// How many groups a lexicon can have.
pub(crate) const GROUPS: usize = 512;
/// The gap in `then`, in bytes, where a pattern says nothing: three words or eight characters.
const GAP: u8 = 24;

/// The words of one judge, or of several that are scanned for together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lexicon<'a> {
    /// A tree of the words' bytes, level by level: a look at a text stays near its start.
    pub(crate) nodes: Cow<'a, [Node]>,
    /// By a word's first byte, its node counted from 1; 0 where there is none.
    pub(crate) starts: Cow<'a, [u16]>,
    /// The words, in the order of their bytes.
    pub(crate) words: Cow<'a, [Word]>,
    /// Lists of groups, one after the other.
    pub(crate) lists: Cow<'a, [u16]>,
    /// The patterns.
    pub(crate) rules: Cow<'a, [Rule]>,
    /// Regular expressions; a rule has one by its place here.
    #[serde(borrow)]
    pub(crate) regexes: Vec<Cow<'a, str>>,
    /// Groups that a sentence belongs to which asks.
    pub(crate) questions: List,
}

/// A part of [`Lexicon::lists`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct List {
    pub(crate) at: u16,
    pub(crate) len: u16,
}

/// A byte of words that begin alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) byte: u8,
    /// How many bytes can follow; they stand side by side, in order.
    pub(crate) kids: u8,
    /// How many words end here: one that must end, a stem, or both.
    pub(crate) ends: u8,
    /// The first that can follow.
    pub(crate) kid: u16,
    /// The first word that ends here.
    pub(crate) word: u16,
}

/// A word, and the groups that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Word {
    /// Whether it must end where it ends; a stem need not.
    pub(crate) whole: bool,
    pub(crate) groups: List,
}

/// What a pattern is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Signal,
    Bypass,
    Advice,
}

/// Where a pattern's groups must stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Within {
    Sentence,
    Near,
    Text,
}

/// A compiled pattern; its lists hold groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rule {
    /// Which of the lexicon's judges it belongs to.
    pub(crate) judge: u8,
    pub(crate) kind: Kind,
    pub(crate) within: Within,
    pub(crate) yields: bool,
    pub(crate) gap: u8,
    pub(crate) all: List,
    pub(crate) then: List,
    pub(crate) none: List,
    pub(crate) never: List,
    pub(crate) regex: Option<u16>,
}

/// Why a pattern cannot be compiled: the key, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// `signal.2.all`
    pub key: String,
    /// What is wrong.
    pub what: String,
}

impl Lexicon<'_> {
    /// Compiles the patterns of `judges`, in this order.
    ///
    /// # Errors
    ///
    /// For a list that is not there, an empty group or word, a pattern without groups, and too much of anything.
    pub fn compile(judges: &[&JudgeFile]) -> Result<Lexicon<'static>, Unfit> {
        let mut groups = Groups::default();
        let mut out = Lexicon::default();
        let mut rules = Vec::new();
        let mut lists = Vec::new();
        for (number, judge) in judges.iter().enumerate() {
            for (kind, name, entries) in [
                (Kind::Signal, "signal", &judge.signals),
                (Kind::Bypass, "bypass", &judge.bypasses),
                (Kind::Advice, "advice", &judge.advice),
            ] {
                for (at, entry) in entries.iter().enumerate() {
                    let unfit = |part: &str, what: String| Unfit { key: format!("{name}.{}.{part}", at + 1), what };
                    if entry.all.is_empty() && entry.then.is_empty() {
                        return Err(unfit("all", "a pattern needs a group of words".to_owned()));
                    }
                    let mut list = |part: &str, of: &[Vec<String>]| -> Result<List, Unfit> {
                        let ids = of.iter().map(|group| groups.id(judge, group).map_err(|what| unfit(part, what)));
                        let ids: Vec<u16> = ids.collect::<Result<_, _>>()?;
                        push(&mut lists, &ids).ok_or_else(|| unfit(part, "too many groups".to_owned()))
                    };
                    // What none of may stand there is one group, and so one bit.
                    let one = |words: &[String]| if words.is_empty() { Vec::new() } else { vec![words.to_vec()] };
                    let rule = Rule {
                        judge: u8::try_from(number).unwrap_or(u8::MAX),
                        kind,
                        within: within(entry.scope),
                        yields: entry.yields,
                        gap: entry.gap.unwrap_or(GAP),
                        all: list("all", &entry.all)?,
                        then: list("then", &entry.then)?,
                        none: list("none", &one(&entry.none))?,
                        never: list("never", &one(&entry.never))?,
                        regex: regex(entry, &mut out.regexes),
                    };
                    rules.push(rule);
                }
            }
        }
        let too_much = || Unfit { key: "words".to_owned(), what: "too many words".to_owned() };
        // The words' bytes beside them, in the order of the bytes.
        let mut sorted: Vec<(&[u8], Word)> = Vec::new();
        for (word, ids) in &groups.words {
            let groups = push(&mut lists, ids).ok_or_else(too_much)?;
            if word == "?" {
                out.questions = groups;
                continue;
            }
            let stem = word.strip_suffix('*');
            let bytes = stem.unwrap_or(word);
            // An East Asian word has no end of its own.
            let whole = stem.is_none() && bytes.ends_with(|last: char| last.is_ascii());
            sorted.push((bytes.as_bytes(), Word { whole, groups }));
        }
        sorted.sort_by_key(|(bytes, _)| *bytes);
        let (nodes, starts) = tree(&sorted.iter().map(|(bytes, _)| *bytes).collect::<Vec<_>>()).ok_or_else(too_much)?;
        out.nodes = nodes.into();
        out.starts = starts.into();
        out.words = sorted.into_iter().map(|(_, word)| word).collect::<Vec<_>>().into();
        out.lists = lists.into();
        out.rules = rules.into();
        Ok(out)
    }
}

/// The tree of sorted words, level by level, and where the first bytes stand in it; nothing where there is no room.
fn tree(words: &[&[u8]]) -> Option<(Vec<Node>, Vec<u16>)> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut starts = vec![0; 256];
    // Runs of words that are alike up to a depth, each with the node that they follow.
    let mut runs: Vec<(Option<usize>, _)> = vec![(None, 0..words.len())];
    for depth in 0.. {
        let mut next = Vec::new();
        for (above, run) in runs {
            let ended = words[run.clone()].partition_point(|word| word.len() <= depth);
            let mut from = run.start + ended;
            let first = u16::try_from(nodes.len()).ok()?;
            while from < run.end {
                let byte = words[from][depth];
                let to = from + words[from..run.end].partition_point(|word| word[depth] == byte);
                let ends = words[from..to].partition_point(|word| word.len() == depth + 1);
                let word = u16::try_from(from).ok()?;
                nodes.push(Node { byte, kids: 0, ends: u8::try_from(ends).ok()?, kid: 0, word });
                next.push((Some(nodes.len() - 1), from..to));
                if above.is_none() {
                    starts[usize::from(byte)] = u16::try_from(nodes.len()).ok()?;
                }
                from = to;
            }
            if let Some(above) = above {
                nodes[above].kids = u8::try_from(nodes.len() - usize::from(first)).ok()?;
                nodes[above].kid = first;
            }
        }
        if next.is_empty() {
            break;
        }
        runs = next;
    }
    Some((nodes, starts))
}

/// Appends to the lists; nothing where there is no room.
fn push(lists: &mut Vec<u16>, ids: &[u16]) -> Option<List> {
    let list = List { at: u16::try_from(lists.len()).ok()?, len: u16::try_from(ids.len()).ok()? };
    lists.extend_from_slice(ids);
    Some(list)
}

fn within(scope: Scope) -> Within {
    match scope {
        Scope::Sentence => Within::Sentence,
        Scope::Near => Within::Near,
        Scope::Text => Within::Text,
    }
}

fn regex(entry: &PatternEntry, regexes: &mut Vec<Cow<'_, str>>) -> Option<u16> {
    let regex = entry.regex.clone()?;
    regexes.push(regex.into());
    u16::try_from(regexes.len() - 1).ok()
}

/// Groups so far, each known by its words, so that what two patterns share is looked for once.
#[derive(Default)]
struct Groups {
    ids: BTreeMap<Vec<String>, u16>,
    words: BTreeMap<String, Vec<u16>>,
}

impl Groups {
    fn id(&mut self, judge: &JudgeFile, group: &[String]) -> Result<u16, String> {
        let mut words = Vec::new();
        for word in group {
            let Some(list) = word.strip_prefix('@') else {
                words.push(compiled(word)?);
                continue;
            };
            let entry = judge.words.get(list).ok_or_else(|| format!("there is no list `{list}` in [words]"))?;
            for word in entry.all() {
                words.push(compiled(word).map_err(|what| format!("[words] {list}: {what}"))?);
            }
        }
        if words.is_empty() {
            return Err("an empty group: no sentence has a word of it".to_owned());
        }
        words.sort();
        words.dedup();
        if let Some(id) = self.ids.get(&words) {
            return Ok(*id);
        }
        let id = self.ids.len();
        if id >= GROUPS {
            return Err(format!("more than {GROUPS} groups of words"));
        }
        let id = u16::try_from(id).unwrap_or(u16::MAX);
        for word in &words {
            self.words.entry(word.clone()).or_default().push(id);
        }
        self.ids.insert(words, id);
        Ok(id)
    }
}

/// A word as it is compared: folded, with its placeholders in one byte each.
fn compiled(word: &str) -> Result<String, String> {
    if word == "?" {
        return Ok(word.to_owned());
    }
    let (number, hash) = (char::from(NUMBER), char::from(HASH));
    let folded = fold(word).trim().replace("{n}", &number.to_string()).replace("{sha}", &hash.to_string());
    let bare = folded.strip_suffix('*').unwrap_or(&folded);
    if bare.len() < 2 && !bare.starts_with([number, hash]) {
        return Err(format!("`{word}` is too short to be looked for"));
    }
    if bare.contains('*') {
        return Err(format!("`{word}`: `*` stands at the end"));
    }
    if bare.len() > 100 {
        return Err(format!("`{word}` is longer than 100 bytes"));
    }
    Ok(folded)
}
