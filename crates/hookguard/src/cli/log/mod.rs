//! `hookguard log`: the decision log, read line by line and never whole.

pub(super) mod day;
mod follow;
mod mark;
pub(super) mod read;
mod select;
mod stats;
mod stats_judges;
mod turn;

use std::io::{BufWriter, Write};

use clap::Subcommand;

use self::read::Line;
use self::select::Selection;
use super::exit;
use super::output::{say, visible};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    selection: select::Filters,
    /// Go on with what is written from now on
    #[arg(long, short)]
    follow: bool,
    /// Write JSON lines, as they stand in the log, with their id
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Count the decisions, rules and agents, and how long verdicts took
    Stats(stats::Arguments),
    /// Keep an entry as one that was decided wrong, or right
    Mark(mark::Arguments),
    /// Show what is known of a session's last turn: stops are judged by it
    Turn(turn::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    crate::state::retention::sweep(&surroundings);
    match &arguments.verb {
        Some(Verb::Stats(arguments)) => return stats::run(arguments, &surroundings),
        Some(Verb::Mark(arguments)) => return mark::run(arguments, &surroundings),
        Some(Verb::Turn(arguments)) => return turn::run(arguments, &surroundings),
        None => {}
    }
    let selection = arguments.selection.selection()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut count = Count::default();
    let mut failed = None;
    for file in selection.files(&surroundings) {
        let each = read::each_line(&file, |line| {
            if failed.is_none() {
                failed = show(line, &selection, arguments.json, &mut count, &mut out).err();
            }
        });
        // A file that was swept meanwhile is none.
        if each.is_err() || failed.is_some() {
            break;
        }
    }
    if let Some(error) = failed {
        return Err(error.into());
    }
    out.flush()?;
    if arguments.follow {
        follow::run(&surroundings, |line| {
            show(line, &selection, arguments.json, &mut count, &mut out)?;
            out.flush()
        })?;
    }
    if count.skipped > 0 {
        say(&format!("{} lines could not be read and were passed over", count.skipped));
    }
    if count.shown == 0 {
        say("nothing in the log for that; `hookguard doctor` tells whether the agents call hookguard");
    }
    Ok(exit::OK)
}

#[derive(Debug, Default)]
struct Count {
    shown: usize,
    skipped: usize,
}

fn show(
    line: &[u8],
    selection: &Selection,
    json: bool,
    count: &mut Count,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let Some(entry) = Line::parse(line) else {
        count.skipped += 1;
        return Ok(());
    };
    if !selection.takes(&entry) {
        return Ok(());
    }
    count.shown += 1;
    let id = read::id(line, entry.t);
    if json {
        // The line is an object: its id goes in front.
        write!(out, "{{\"id\":\"{id}\",")?;
        out.write_all(&line[1..])?;
        return out.write_all(b"\n");
    }
    let (time, decision) = (day::shown(entry.t), &entry.decision);
    let decision = if decision == "none" { "-" } else { decision.as_ref() };
    write!(
        out,
        "{time}  {id:<13} {:<8} {:<18} {decision:<5} {}",
        visible(&entry.agent),
        visible(&entry.event),
        visible(&entry.rule)
    )?;
    if let Some(subject) = &entry.subject {
        write!(out, "  {}", visible(subject))?;
    }
    if entry.mode.is_some() {
        write!(out, "  (only observed)")?;
    }
    if !entry.observed.is_empty() {
        write!(out, "  (observed: {})", visible(&entry.observed.join(", ")))?;
    }
    if let Some(by) = &entry.judge {
        let backend = by.asked.as_ref().and_then(|asked| asked.backend.as_deref());
        write!(
            out,
            "  (by {}{})",
            visible(backend.unwrap_or(&by.layer)),
            if entry.told == "resume" { ", resumed" } else { "" }
        )?;
        if let Some(reason) = &by.reason {
            write!(out, "  {}", visible(reason))?;
        }
    }
    if let Some(note) = &entry.note {
        write!(out, "  ({})", visible(note))?;
    }
    writeln!(out)
}
