//! `log mark`: a human's word on a decision, kept with the entry for as long as there is a policy to be measured.

use std::borrow::Cow;

use hookguard_judge::redact;
use serde::Serialize;
use serde_json::value::RawValue;

use super::day;
use super::read;
use crate::cli::exit;
use crate::cli::output::{Usage, say};
use crate::state::{append_line, now_ms, retention};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The entry's id, as `hookguard log` shows it
    id: String,
    /// What is said of it
    word: Word,
    /// Why
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    /// It should have been decided otherwise.
    Wrong,
    /// It was decided rightly.
    Right,
}

/// A line of `marks.jsonl`. The entry is copied: the log forgets it after a month.
#[derive(Serialize)]
struct Mark<'a> {
    v: u8,
    t: u64,
    id: &'a str,
    word: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'a, str>>,
    entry: &'a RawValue,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<u8> {
    let Arguments { id, word, note } = arguments;
    let time = read::time_of(id).ok_or_else(|| {
        Usage(format!("{id:?} is no id of an entry; `hookguard log` shows them in its second column"))
    })?;
    let of_day = |(day, _): &(jiff::civil::Date, _)| day::of(time).is_some_and(|of| (*day - of).get_days().abs() <= 1);
    let mut found = None;
    // The file is named by the clock a moment after the entry's: around midnight it may be the next day's.
    for (_, file) in retention::files(surroundings).into_iter().filter(of_day) {
        let _ = read::each_line(&file, |line| {
            if found.is_none()
                && read::Line::parse(line).is_some_and(|entry| entry.t == time && read::id(line, time) == *id)
            {
                found = Some(line.to_vec());
            }
        });
    }
    let line = found
        .ok_or_else(|| Usage(format!("no entry {id} is in the log; it keeps the last {} days", retention::DAYS)))?;
    // What is quoted to say why may hold what the entry does not.
    let note = note.as_deref().map(|note| redact(note).text);
    let mark = Mark { v: 1, t: now_ms(), id, word: *word, note, entry: serde_json::from_slice(&line)? };
    let state =
        surroundings.state.as_ref().ok_or_else(|| Usage("there is no state folder: HOME is not set".to_owned()))?;
    append_line(&state.join("marks.jsonl"), &format!("{}\n", serde_json::to_string(&mark)?))?;
    say(&format!("kept in {}", state.join("marks.jsonl").display()));
    Ok(exit::OK)
}
