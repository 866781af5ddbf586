//! `cargo xtask`: the project's own chores, one file a subcommand.

mod bench_hook;
mod generate;
mod hook_order;
mod new_agent;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use crate::workspace::say;

/// The project's own chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
enum Chore {
    /// Check what the compiler can't: crate edges, purity, complete adapters, current documents
    Tidy(tidy::Arguments),
    /// Write what is made from data: docs/agents.md and the README's table
    Generate(generate::Arguments),
    /// Scaffold an adapter and register it
    NewAgent(new_agent::Arguments),
    /// Measure `hookguard hook` against /bin/true and a bash hook
    BenchHook(bench_hook::Arguments),
    /// Write the linker's list of the functions that run in a hook
    HookOrder(hook_order::Arguments),
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|word| word == bench_hook::CHILD) {
        return bench_hook::child(arguments);
    }
    let done = match Chore::parse() {
        Chore::Tidy(arguments) => tidy::run(&arguments),
        Chore::Generate(arguments) => generate::run(&arguments),
        Chore::NewAgent(arguments) => new_agent::run(&arguments),
        Chore::BenchHook(arguments) => bench_hook::run(&arguments),
        Chore::HookOrder(arguments) => hook_order::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
