//! What serde does not see in a judge's file: names that must be known to one another, and patterns that can be compiled.

use std::collections::BTreeSet;

use strum::IntoEnumIterator as _;

use super::Judge;
use super::file::JudgeFile;
use crate::facts::Fact;

/// What is wrong with a judge's file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{what}", .line.map(|line| format!("line {line}: ")).unwrap_or_default(), if .key.is_empty() { String::new() } else { format!("`{}`: ", .key) })]
pub struct Fault {
    /// The line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// The key: `signal.2.all`, counted from 1.
    pub key: String,
    /// What is wrong.
    pub what: String,
    /// What was perhaps meant.
    pub hint: Option<String>,
}

impl Fault {
    fn of(key: impl Into<String>, what: impl Into<String>, hint: Option<String>) -> Fault {
        Fault { line: None, key: key.into(), what: what.into(), hint }
    }
}

/// Reads a judge's file and checks all of it.
///
/// # Errors
///
/// The first thing that is wrong: TOML that cannot be read, an unknown key, a name nobody has, a pattern without words.
pub fn parse(text: &str) -> Result<JudgeFile, Fault> {
    let file: JudgeFile = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].lines().count().max(1));
        let what = error.message().to_owned();
        let hint = meant(&what);
        Fault { line, key: String::new(), what, hint }
    })?;
    check(&file)?;
    Ok(file)
}

/// Several judges together: no two of one name, built-in ones included.
///
/// # Errors
///
/// For an id that stands twice.
pub fn distinct<'i>(ids: impl IntoIterator<Item = &'i str>) -> Result<(), Fault> {
    let mut seen: BTreeSet<&str> = super::IDS.into_iter().collect();
    match ids.into_iter().find(|id| !seen.insert(id)) {
        Some(id) if super::IDS.contains(&id) => {
            let hint = "a built-in judge is changed by its level, and one of your own needs a name of its own";
            Err(Fault::of("id", format!("`{id}` is built in"), Some(hint.to_owned())))
        }
        Some(id) => Err(Fault::of("id", format!("`{id}` stands twice"), None)),
        None => Ok(()),
    }
}

/// Checks what serde has read.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn check(file: &JudgeFile) -> Result<(), Fault> {
    let id_like = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    if file.id.is_empty() || !file.id.bytes().all(id_like) {
        let what = format!("`{}` is no name: lower-case letters, digits, hyphens", file.id);
        return Err(Fault::of("id", what, None));
    }
    let said = [("title", &file.title), ("prompt", &file.prompt), ("message", &file.message)];
    for (key, text) in said.into_iter().chain([("alternative", &file.alternative)]) {
        if text.trim().is_empty() {
            return Err(Fault::of(key, "says nothing", None));
        }
    }
    fields(file)?;
    let lists = [
        ("facts.signal", &file.facts.signal),
        ("facts.violation", &file.facts.violation),
        ("facts.allow", &file.facts.allow),
        ("facts.contradict", &file.facts.contradict),
    ];
    for (key, names) in lists {
        known_facts(key, names)?;
    }
    if file.signals.is_empty() && file.facts.signal.is_empty() {
        return Err(Fault::of("signal", "without a signal the judge is never asked", None));
    }
    let patterns = [("signal", &file.signals), ("bypass", &file.bypasses), ("advice", &file.advice)];
    for (name, entries) in patterns {
        for (at, entry) in entries.iter().enumerate() {
            let regex = entry.regex.as_deref().map(regex_lite::Regex::new);
            if let Some(Err(error)) = regex {
                return Err(Fault::of(format!("{name}.{}.regex", at + 1), error.to_string(), None));
            }
            if entry.yields && name != "bypass" {
                return Err(Fault::of(format!("{name}.{}.yields", at + 1), "only a bypass yields", None));
            }
        }
    }
    let lists: Vec<&str> = file.words.keys().map(String::as_str).collect();
    super::Lexicon::compile(&[file]).map_err(|unfit| {
        let named = unfit.what.split_once('`').and_then(|(_, rest)| rest.split_once('`')).map(|(name, _)| name);
        let hint = named.filter(|_| unfit.what.contains("no list")).and_then(|name| nearest(name, lists));
        Fault::of(unfit.key, unfit.what, hint)
    })?;
    for (at, case) in file.cases.iter().enumerate() {
        known_facts(&format!("case.{}.facts", at + 1), case.facts.as_deref().unwrap_or_default())?;
        for name in case.fields.keys() {
            known_field(file, &format!("case.{}.fields", at + 1), name)?;
        }
    }
    Ok(())
}

fn fields(file: &JudgeFile) -> Result<(), Fault> {
    if file.block_if.is_empty() {
        return Err(Fault::of("block_if", "names no field: every text would be a violation", None));
    }
    let mut seen = BTreeSet::new();
    for (at, field) in file.fields.iter().enumerate() {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if field.name.is_empty() || !field.name.bytes().all(word) {
            let what = format!("`{}` is no name: lower-case letters, digits, underscores", field.name);
            return Err(Fault::of(format!("field.{}.name", at + 1), what, None));
        }
        if field.name == "reason" || !seen.insert(field.name.as_str()) {
            return Err(Fault::of(format!("field.{}.name", at + 1), format!("`{}` stands twice", field.name), None));
        }
        if field.about.trim().is_empty() {
            return Err(Fault::of(format!("field.{}.about", at + 1), "says nothing", None));
        }
    }
    for (key, names) in [("block_if", &file.block_if), ("unless", &file.unless)] {
        for name in names {
            known_field(file, key, name)?;
        }
    }
    let used = |name: &String| file.block_if.contains(name) || file.unless.contains(name);
    match file.fields.iter().enumerate().find(|(_, field)| !used(&field.name)) {
        Some((at, field)) => {
            let what = format!("`{}` is in neither block_if nor unless", field.name);
            Err(Fault::of(format!("field.{}.name", at + 1), what, None))
        }
        None => Ok(()),
    }
}

fn known_field(file: &JudgeFile, key: &str, name: &str) -> Result<(), Fault> {
    let names = || file.fields.iter().map(|field| field.name.as_str());
    if names().any(|known| known == name) {
        return Ok(());
    }
    Err(Fault::of(key, format!("there is no field `{name}`"), nearest(name, names())))
}

fn known_facts(key: &str, names: &[String]) -> Result<(), Fault> {
    let Some(name) = names.iter().find(|name| name.parse::<Fact>().is_err()) else { return Ok(()) };
    let known: Vec<String> = Fact::iter().map(|fact| fact.to_string()).collect();
    let known = known.iter().map(String::as_str);
    let hint =
        nearest(name, known.clone()).unwrap_or_else(|| format!("known are {}", known.collect::<Vec<_>>().join(", ")));
    Err(Fault::of(key, format!("there is no fact `{name}`"), Some(hint)))
}

/// What was perhaps meant: one slip in three letters at the most.
fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let slips = name.chars().count() / 3;
    let near = known.into_iter().map(|other| (strsim::damerau_levenshtein(name, other), other));
    let (_, other) = near.filter(|(distance, _)| *distance <= slips).min()?;
    Some(format!("did you mean `{other}`?"))
}

/// A hint from serde's message: "unknown field `promt`, expected one of `id`, ...".
fn meant(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let first = names.next()?;
    message.starts_with("unknown ").then(|| nearest(first, names)).flatten()
}

/// A judge, ready to work, from a file that has been checked.
///
/// # Errors
///
/// What [`check`] would say.
pub fn judge(file: &JudgeFile) -> Result<Judge<'_>, Fault> {
    let facts = |names: &[String]| names.iter().filter_map(|name| name.parse().ok()).collect::<Vec<Fact>>();
    let lexicon = super::Lexicon::compile(&[file]).map_err(|unfit| Fault::of(unfit.key, unfit.what, None))?;
    Ok(Judge {
        id: &file.id,
        title: &file.title,
        event: file.event,
        prompt: &file.prompt,
        fields: file.fields.iter().map(super::Field::of).collect(),
        block_if: file.block_if.iter().map(String::as_str).collect(),
        unless: file.unless.iter().map(String::as_str).collect(),
        message: &file.message,
        alternative: &file.alternative,
        facts: super::FactRules {
            signal: facts(&file.facts.signal),
            violation: facts(&file.facts.violation),
            allow: facts(&file.facts.allow),
            contradict: facts(&file.facts.contradict),
        },
        words: super::Words::Own(lexicon),
    })
}
