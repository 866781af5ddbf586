//! The record in a few lines for a model: what was edited, what ran since with which result, what was shared.

use super::outcome::Outcome;
use super::prompt::Flags;
use super::record::{Ran, Record, Shown};
use super::summary::clip;
use super::{Bug, record};
use crate::redact;

/// How many lines, and how long.
const MAX_LINES: usize = 6;
const MAX_COMMAND: usize = 100;

/// Stands around what others wrote, until it is cut to its length: no secret may be cut before it is found.
const EDGE: char = '\u{241f}';

/// The lines of `record`, without secrets.
pub(super) fn lines(record: &Record, flags: &Flags, bug: &Bug) -> Vec<String> {
    // One search for secrets in all of them costs a tenth of one in each.
    let all = unredacted(record, flags, bug).join("\n");
    let cut = |line: &str| line.split(EDGE).map(|part| clip(part, MAX_COMMAND)).collect();
    redact(&all).text.split('\n').map(cut).collect()
}

fn unredacted(record: &Record, flags: &Flags, bug: &Bug) -> Vec<String> {
    let mut lines = vec![edited(record)];
    if record.edits > 0 {
        lines.extend(ran_since(record));
    }
    lines.extend(record.shares.iter().rev().take(2).rev().map(shared));
    lines.extend(
        record.in_background().take(1).map(|text| format!("in the background: {}, no result yet", command(&text))),
    );
    let said = [
        (flags.waived, "verification is not wanted"),
        (flags.limited, "only a part, or only a plan"),
        (flags.workaround, "a workaround will do"),
        (flags.reproduced, "it is reproduced, or need not be"),
    ];
    let said: Vec<&str> = said.iter().filter(|(holds, _)| *holds).map(|(_, what)| *what).collect();
    if !said.is_empty() {
        lines.push(format!("the user's prompt seems to say: {}", said.join("; ")));
    }
    if flags.bug && record.edits > 0 {
        lines.push(reproduction(record, bug).to_owned());
    }
    if let Some((path, _)) = record.stubs.first() {
        lines.push(format!("a stub or a TODO stands in {}", command(path)));
    }
    // What ran is worth more than what stands at the end.
    while lines.len() > MAX_LINES {
        let least =
            lines.iter().rposition(|line| line.starts_with("after the last code edit")).unwrap_or(lines.len() - 1);
        lines.remove(least);
    }
    lines
}

fn edited(record: &Record) -> String {
    if record.edits == 0 {
        return "no code was edited".to_owned();
    }
    let shown: Vec<String> = record.files.iter().take(4).map(|file| command(file)).collect();
    let more = record.files.len().saturating_sub(shown.len());
    match (shown.is_empty(), more) {
        (true, _) => format!("code was edited by commands or a subagent ({} times)", record.edits),
        (_, 0) => format!("edited: {}", shown.join(", ")),
        _ => format!("edited: {} and {more} more", shown.join(", ")),
    }
}

fn ran_since(record: &Record) -> Vec<String> {
    let mut since: Vec<String> = record
        .runs_since_last_edit()
        .rev()
        .take(3)
        .map(|ran| format!("after the last code edit: {}", told(ran)))
        .collect();
    since.reverse();
    if since.is_empty() {
        since.push("after the last code edit: nothing ran that verifies it".to_owned());
        since.extend(
            record
                .ran
                .iter()
                .rev()
                .find(|ran| ran.edits > 0)
                .map(|ran| format!("before the last code edit: {}", told(ran))),
        );
    }
    since
}

fn told(ran: &Ran) -> String {
    let result = match ran.outcome {
        Outcome::Good => "passed",
        Outcome::Bad => "failed",
        Outcome::Nothing => "ran nothing",
        Outcome::Pending => "no result yet",
        Outcome::Unknown => "result unknown",
    };
    let said = ran.said.as_deref().map(|said| format!(" ({})", command(said))).unwrap_or_default();
    format!("{} => {result}{said}", command(&ran.text))
}

fn shared(share: &record::Share) -> String {
    let when = if share.unverified { "done, and not verified before" } else { "done" };
    format!("shared: {} => {when}", command(&share.text))
}

fn reproduction(record: &Record, bug: &Bug) -> &'static str {
    match record.shown {
        Shown::Yes => "a command showed the failure before the first edit",
        _ if record.red_without => "a run failed with the fix taken out again",
        _ if bug.unreproduced => "a bug is reported, and no command showed the failure before the edit",
        _ => "whether a command showed the failure is not clear",
    }
}

/// What others wrote, on one line and not without end, and without the arrow behind which the record's own word stands.
fn command(text: &str) -> String {
    let line: String =
        text.split(['\n', '\r']).next().unwrap_or_default().chars().filter(|c| *c != EDGE).take(2000).collect();
    format!("{EDGE}{}{EDGE}", line.replace("=>", "->"))
}
