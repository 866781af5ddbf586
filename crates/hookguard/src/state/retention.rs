//! How long the decision log is kept. Swept by the commands for people and at the start of a session, never on the way to a
//! verdict.

use std::path::PathBuf;

use jiff::civil::Date;

use super::now_ms;
use crate::surroundings::Surroundings;

/// Days that the log is kept, today included.
pub(crate) const DAYS: i32 = 30;

/// Removes the log's files of days that are over. What can't be removed stays.
pub(crate) fn sweep(surroundings: &Surroundings) {
    let Some(today) = today() else { return };
    for (day, file) in files(surroundings) {
        if (today - day).get_days() >= DAYS {
            let _ = std::fs::remove_file(file);
        }
    }
    super::codes::sweep(surroundings);
}

/// Every day's file of the decision log, the oldest first. Anything else in the folder is somebody else's.
pub(crate) fn files(surroundings: &Surroundings) -> Vec<(Date, PathBuf)> {
    let folder = surroundings.state.as_ref().map(|state| state.join("log"));
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let dated = |path: PathBuf| Some((path.file_name()?.to_str()?.strip_suffix(".jsonl")?.parse().ok()?, path));
    let mut files: Vec<(Date, PathBuf)> = entries.filter_map(|entry| dated(entry.path())).collect();
    files.sort();
    files
}

/// Today (UTC), as the files are named.
pub(crate) fn today() -> Option<Date> {
    let now = jiff::Timestamp::from_millisecond(i64::try_from(now_ms()).ok()?).ok()?;
    Some(jiff::tz::TimeZone::UTC.to_datetime(now).date())
}
