//! `hookguard replay`: a policy over the agents' past transcripts, asking the disk nothing else.

mod files;
mod frequent;
mod judge;
mod progress;
mod report;
mod tally;

use std::path::PathBuf;

use hookguard_config::Policy;

use self::files::Source;
use self::judge::Judge;
use self::progress::Progress;
use self::tally::Tally;
use super::log::day;
use super::output::{Usage, json, print, say};
use super::{check, exit};
use crate::surroundings::Surroundings;
use crate::{agents, config};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Transcripts, or folders of them [default: where each agent keeps its own]
    #[arg(value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Only this agent's transcripts; those that are named are read as its own
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// From when: so long ago (90s, 30m, 1h, 2d, 1w), a day or a time, in UTC
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// How many of the most frequent interruptions are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// The home folder that the sessions had [default: $HOME]
    #[arg(long, value_name = "DIR", value_parser = check::absolute)]
    home: Option<String>,
    /// A configuration to judge by [default: $HOOKGUARD_CONFIG, else your own; a project's files are not read]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Another configuration: show what the first one changes from it
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Write the figures as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = match &arguments.home {
        Some(home) => Surroundings::of_home(home),
        None => Surroundings::of_process(),
    };
    let since = match arguments.since.as_deref() {
        Some(text) => Some(day::since(text, crate::state::now_ms()).ok_or_else(|| {
            Usage(format!("{text:?} is no time; write 90s, 30m, 1h, 2d, 2026-11-30 or 2026-11-30T08:00:00Z"))
        })?),
        None => None,
    };
    let agent = match arguments.agent.as_deref() {
        Some(id) => {
            let known = || Usage(format!("no agent is called {id:?}; known are: {}", agents::ids()));
            Some(agents::by_id(id).ok_or_else(known)?)
        }
        None => None,
    };
    let sources = files::find(&arguments.paths, agent, &surroundings, arguments.home.is_none())?;
    let judge =
        Judge { surroundings: &surroundings, policy: policy(arguments, &surroundings)?, against: against(arguments)? };
    let mut tally = Tally::default();
    replay(&sources, &judge, since, &mut tally);
    let report = report::Report::new(&tally, arguments.top);
    print(&if arguments.json { json(&report)? } else { report.to_string() })?;
    if sources.is_empty() {
        say("no transcripts were found; name files or folders of them");
    }
    Ok(exit::OK)
}

/// The configuration to judge by.
fn policy(arguments: &Arguments, surroundings: &Surroundings) -> anyhow::Result<&'static Policy> {
    Ok(match config::named(arguments.config.as_deref()).transpose().map_err(Usage)? {
        Some(read) => config::of_read(&read),
        None if arguments.home.is_none() => config::of_place(surroundings, None),
        None => &hookguard_config::BUILTIN,
    })
}

fn against(arguments: &Arguments) -> anyhow::Result<Option<&'static Policy>> {
    let Some(path) = &arguments.against else { return Ok(None) };
    Ok(Some(config::of_read(&config::of_file(path).map_err(Usage)?)))
}

fn replay(sources: &[Source], judge: &Judge<'_>, since: Option<u64>, tally: &mut Tally) {
    let mut progress = Progress::new(sources);
    for source in sources {
        files::read(source, since, judge, tally, &mut |bytes| progress.add(bytes));
        progress.next_file();
    }
    progress.end();
}
