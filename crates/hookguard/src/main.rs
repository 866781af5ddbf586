//! hookguard: one policy for every coding agent's hooks.
//!
//! The only crate with an environment, a file system, a clock and processes. `hook` is the path that every tool call of
//! every agent takes: it is told apart here, before anything of the command line is built.

mod agents;
mod cli;
mod exec;
mod hook;
mod ledger;
mod pipeline;
mod state;
mod stop;
mod surroundings;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|verb| verb == "hook") {
        hook::run(arguments.map(|argument| argument.to_string_lossy().into_owned()).collect())
    } else {
        cli::run()
    }
}
