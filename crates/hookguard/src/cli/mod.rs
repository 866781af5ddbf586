//! The command line for people: one file a subcommand. Data goes to stdout, talk to stderr.

mod agents;
mod allow;
mod check;
mod child;
mod completions;
mod config;
mod demo;
mod doctor;
mod explain;
mod human;
mod import;
mod init;
mod install;
mod judge;
mod log;
mod man;
pub(crate) mod output;
mod replay;
mod rules;
mod sample;
mod settings;
mod status;
mod test;
mod trust;

use clap::{Parser, Subcommand};
use tracing_subscriber::prelude::*;

use self::output::say;

/// The exit codes, for every subcommand. 2 is a wrong use (clap's own) or a file that can't be read.
mod exit {
    /// Done, or allowed.
    pub(crate) const OK: u8 = 0;
    /// Denied, or something was found.
    pub(crate) const DENIED: u8 = 1;
    /// Wrong use or an unreadable file.
    pub(crate) const USAGE: u8 = 2;
    /// A human must decide.
    pub(crate) const ASK: u8 = 3;
    /// hookguard failed.
    pub(crate) const INTERNAL: u8 = 70;
}

/// One policy for every coding agent's hooks.
#[derive(Debug, Parser)]
#[command(name = "hookguard", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "Agents call `hookguard hook AGENT EVENT` with the call on standard input; `hookguard install` tells them to.\n\
     Exit codes: 0 allowed or done, 1 denied or something found, 2 wrong use or an unreadable file, 3 a human must decide, 70 hookguard failed.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a command line without running it
    Check(check::Arguments),
    /// Show how a command line is read and what the policy finds in it
    Explain(explain::Arguments),
    /// Print a call as an agent would report it, for `hookguard hook`
    Sample(sample::Arguments),
    /// Play calls of every agent through the pipeline and show what each agent would see
    Demo,
    /// Show what hookguard knows of each agent, and what it can do there
    Agents(agents::Arguments),
    /// Show and check the configuration
    Config(config::Arguments),
    /// Write a commented hookguard.toml to start from
    Init(init::Arguments),
    /// Let pass once what an agent was refused because nobody could be asked; without a code, show what waits
    Allow(allow::Arguments),
    /// Give your word for what the project's hookguard.toml loosens or runs
    Trust(trust::Arguments),
    /// Make policies for every agent of an agent's own hook scripts
    Import(import::Arguments),
    /// Register hookguard with an agent
    Install(install::Arguments),
    /// Take hookguard's entries out of an agent's settings
    Uninstall(install::Arguments),
    /// Show which agents call hookguard
    Status(status::Arguments),
    /// Examine each agent's installation, down to a call that must be refused
    Doctor(doctor::Arguments),
    /// Put a text to the judges
    Judge(judge::Arguments),
    /// Show what was decided
    Log(log::Arguments),
    /// Judge the agents' past transcripts by today's policy: what would have been stopped, how often would you have been asked
    Replay(replay::Arguments),
    /// Show the rules, or keep them in an agent's instructions
    Rules(rules::Arguments),
    /// Run every rule's examples and the configuration's own cases
    Test(test::Arguments),
    /// Print a shell's completions
    Completions(completions::Arguments),
    /// Print a page of the manual
    Man(man::Arguments),
}

/// Runs the command that the process's arguments name.
pub(crate) fn run() -> u8 {
    start_tracing();
    let done = match Cli::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Sample(arguments) => sample::run(&arguments),
        Command::Demo => demo::run(),
        Command::Agents(arguments) => agents::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Allow(arguments) => allow::run(&arguments),
        Command::Trust(arguments) => trust::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Install(arguments) => install::run(&arguments, false),
        Command::Uninstall(arguments) => install::run(&arguments, true),
        Command::Status(arguments) => status::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Log(arguments) => log::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match done {
        Ok(code) => code,
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if output::is_closed_pipe(&error) => exit::OK,
        Err(error) => {
            let code = if error.is::<output::Usage>() { exit::USAGE } else { exit::INTERNAL };
            say(&format!("error: {error:#}"));
            code
        }
    }
}

/// Diagnostics on stderr, for those who set `HOOKGUARD_LOG`; the hook path never comes here.
fn start_tracing() {
    // Targets and levels only, as in `hookguard=debug`: a filter with regular expressions would add a third to the binary.
    let Ok(filter) = std::env::var("HOOKGUARD_LOG").unwrap_or_default().parse::<tracing_subscriber::filter::Targets>()
    else {
        return say("HOOKGUARD_LOG is not a list of targets and levels, such as hookguard=debug; it is ignored");
    };
    let printed = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time();
    tracing_subscriber::registry().with(printed.with_filter(filter)).init();
}
