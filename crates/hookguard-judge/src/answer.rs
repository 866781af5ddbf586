//! What a model answered, read by a ladder of which each step is tried only where the former failed: the whole of it; without
//! what it thought aloud; out of a fence around all of it; the last object in its prose that answers everything.
//!
//! What is no clear answer is a failure, never an allow: a refusal, nothing, half of an object, two objects that differ.

use serde_json::{Map, Value};

use crate::judge::Judge;
use crate::verdict::{Outcome, Said, outcome};

/// The longest answer that is read, in bytes; one has a few hundred.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// How much of a reason is kept, in bytes.
const MAX_REASON_BYTES: usize = 300;

/// The step of the ladder by which an answer was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Rung {
    /// The whole answer is the object.
    Strict,
    /// It is the object after what the model thought aloud.
    Thought,
    /// It is the object in a fence.
    Fence,
    /// The object stands in prose.
    Balanced,
}

/// An answer that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What is said of each judge's fields, in the judges' order.
    pub by_judge: Vec<Answered>,
    /// How it was read.
    pub rung: Rung,
    /// Whether a boolean was the text "true" or "false".
    pub coerced: bool,
}

/// What is said of one judge's fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    /// The booleans that were given.
    pub fields: Said,
    /// Why, in the model's words: for the log, never for the agent, whose text it may repeat.
    pub reason: Option<String>,
}

/// Why an answer can't be read. A fragment that fits "the answer ...".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// Nothing but blanks.
    #[error("is empty")]
    Empty,
    /// Longer than [`MAX_ANSWER_BYTES`].
    #[error("is too long to be one")]
    TooLong,
    /// What it thinks aloud has no end: it was cut off.
    #[error("ends while it is still thinking aloud")]
    UnclosedThought,
    /// There is no object that answers the questions: prose, a refusal, half of an object.
    #[error("holds no JSON object that answers the questions")]
    NoObject,
    /// Several objects, that do not say the same.
    #[error("holds several JSON objects that do not say the same")]
    Differing,
}

/// Reads `answer` to the questions of `judges` about `text`.
///
/// Of one judge the fields may stand at the top; of several each judge's stand below its id. Keys that nobody asked for are
/// passed over. Objects in the prose that stand in `text` as well are quotes of it, and no answer.
///
/// # Errors
/// There is no answer in it, or more than one.
pub fn read(answer: &str, judges: &[&Judge<'_>], text: &str) -> Result<Answer, Unread> {
    let whole = answer.trim_start_matches('\u{feff}').trim();
    if whole.is_empty() {
        return Err(Unread::Empty);
    }
    if whole.len() > MAX_ANSWER_BYTES {
        return Err(Unread::TooLong);
    }
    let found = |object: &Map<String, Value>, rung| Ok(answered(object, judges, rung));
    if let Some(json) = json(whole) {
        return json.as_object().map_or(Err(Unread::NoObject), |object| found(object, Rung::Strict));
    }
    let spoken = without_thought(whole)?;
    if let Some(Value::Object(object)) = json(spoken) {
        return found(&object, Rung::Thought);
    }
    if let Some(Value::Object(object)) = fenced(spoken).and_then(json) {
        return found(&object, Rung::Fence);
    }
    let quoted = objects(text);
    let mut candidates: Vec<_> = objects(spoken);
    candidates.retain(|object| complete(object, judges) && !quoted.contains(object));
    let Some(last) = candidates.last() else { return Err(Unread::NoObject) };
    let last = answered(last, judges, Rung::Balanced);
    let says = |answer: &Answer| -> Vec<Outcome> {
        judges.iter().zip(&answer.by_judge).map(|(judge, one)| outcome(judge, &one.fields)).collect()
    };
    let same = |object: &Map<String, Value>| says(&answered(object, judges, Rung::Balanced)) == says(&last);
    if candidates.iter().all(same) { Ok(last) } else { Err(Unread::Differing) }
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The answer after what the model thought aloud. Where the server has begun the thought itself, only its end is there.
fn without_thought(whole: &str) -> Result<&str, Unread> {
    for name in ["think", "thinking"] {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let end = whole.rfind(&close).map(|at| whole[at + close.len()..].trim());
        match (whole.starts_with(&open), end) {
            (true, None) => return Err(Unread::UnclosedThought),
            (true, Some(rest)) => return Ok(rest),
            (false, Some(rest)) if !whole.starts_with(['{', '`']) => return Ok(rest),
            (false, _) => {}
        }
    }
    Ok(whole)
}

/// What a fence holds that encloses all of `text`. A fence within is part of a string: it is not looked for.
fn fenced(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    let (language, inner) = inner.split_once('\n')?;
    language.trim().chars().all(|char| char.is_ascii_alphanumeric()).then(|| inner.trim())
}

/// The objects at the top of `text`, in their order.
fn objects(text: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]).map(|next| at + next) {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                at = start + values.byte_offset().max(1);
                // One in a list is not at the top.
                if let Value::Object(object) = value {
                    found.push(object);
                }
            }
            _ => at = start + 1,
        }
    }
    found
}

/// The part of an answer that is about `judge`.
fn part<'o>(object: &'o Map<String, Value>, judge: &Judge<'_>, only: bool) -> Option<&'o Map<String, Value>> {
    match object.get(judge.id) {
        Some(Value::Object(part)) => Some(part),
        _ => only.then_some(object),
    }
}

/// Whether an object has every key that was asked for, of every judge.
fn complete(object: &Map<String, Value>, judges: &[&Judge<'_>]) -> bool {
    judges.iter().all(|judge| {
        let required = || judge.fields.iter().filter(|field| !field.optional);
        part(object, judge, judges.len() == 1).is_some_and(|part| required().all(|field| part.contains_key(field.name)))
    })
}

fn answered(object: &Map<String, Value>, judges: &[&Judge<'_>], rung: Rung) -> Answer {
    let mut coerced = false;
    let mut of = |judge: &&Judge<'_>| {
        let Some(part) = part(object, judge, judges.len() == 1) else { return Answered::default() };
        let value = |name: &str| match part.get(name)? {
            Value::Bool(value) => Some((*value, false)),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Some((true, true)),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Some((false, true)),
            _ => None,
        };
        let mut fields = Said::new();
        for field in &judge.fields {
            if let Some((value, from_text)) = value(field.name) {
                coerced |= from_text;
                fields.insert(field.name.to_owned(), value);
            }
        }
        let reason = part.get("reason").and_then(Value::as_str);
        Answered { fields, reason: reason.map(|reason| hookguard_core::clip(reason, MAX_REASON_BYTES)) }
    };
    Answer { by_judge: judges.iter().map(&mut of).collect(), rung, coerced }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
