//! `hookguard judge`: put a text to the judges.

mod batch;
mod cases;
mod doctor;
mod facts;
mod new;
mod one;
mod request;
mod test;

use std::path::PathBuf;

use super::output::{Usage, say};
use crate::config;
use crate::surroundings::Surroundings;
use hookguard_config::Judges;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// Read JSON lines {"id", "judge"?, "text"} or {"id", "session"} from standard input, write {"id", "verdict", "layer",
    /// "fields"} or {"id", "verdicts", "layers"}
    #[arg(long, conflicts_with_all = ["judge", "prompt", "show_request", "ask", "json"])]
    batch: bool,
    /// Put the text on standard input to this judge alone [default: all of them]
    #[arg(long, value_name = "NAME")]
    judge: Option<String>,
    /// Ask a model this instead: its fields are those of --judge, else each "name": true|false in it, of which the first and
    /// none of the others is a violation
    #[arg(long, value_name = "FILE")]
    prompt: Option<PathBuf>,
    /// Who is asked where facts and words leave it open: a backend of the configuration, builtin, claude or codex [default: the
    /// configuration's, in their order]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Ask, whatever facts and words say
    #[arg(long)]
    ask: bool,
    /// Print what would be sent, and send nothing
    #[arg(long)]
    show_request: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "Backends stand in the file that HOOKGUARD_CONFIG names: [[judge.backend]] tables, and their order in judge.backends.\n\
     Exit codes: 0 allow, 1 violation, 3 advise, 2 wrong use or an unreadable file, 70 no verdict (a backend failed).";

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Examine each backend: does it answer, in time, in the form that is asked for, and not as the judged text tells it to
    Doctor(doctor::Arguments),
    /// Print rulings that you have marked as cases for a judge's file
    Cases(cases::Arguments),
    /// Write a judge's file to start from
    New(new::Arguments),
    /// Run the cases of a judge's file
    Test(test::Arguments),
    /// Show the facts that a judge's file can name
    Facts(facts::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    match &arguments.what {
        Some(What::Doctor(arguments)) => return doctor::run(arguments),
        Some(What::Cases(arguments)) => return cases::run(arguments),
        Some(What::New(arguments)) => return new::run(arguments),
        Some(What::Test(arguments)) => return test::run(arguments),
        Some(What::Facts(arguments)) => return facts::run(arguments),
        None => {}
    }
    let settings = settings(arguments.backend.as_deref())?;
    if arguments.batch { batch::run(&settings) } else { one::run(arguments, &settings) }
}

/// The settings that a person works with: of the file that HOOKGUARD_CONFIG names, else of this place; and of it only the backend
/// that is named.
fn settings(backend: Option<&str>) -> anyhow::Result<Judges> {
    let here = || {
        let surroundings = Surroundings::of_process();
        config::read(&surroundings, super::settings::project(&surroundings).as_deref())
    };
    let read = config::named(None).transpose().map_err(Usage)?.unwrap_or_else(here);
    for notice in read.notices() {
        say(&format!("note: {}", notice.text));
    }
    let judging = &read.stack.judging;
    let mut judges = config::judges_of(&read);
    if let Some(name) = backend {
        let only = judging.backend(name).ok_or_else(|| {
            let own: Vec<String> = judging.defined.iter().map(|(backend, _)| backend.name()).collect();
            let own = if own.is_empty() { String::new() } else { format!(", and of your own: {}", own.join(", ")) };
            Usage(format!("no backend is called {name:?}; there are builtin, claude, codex{own}"))
        })?;
        judges.backends = vec![only];
    }
    Ok(judges)
}
