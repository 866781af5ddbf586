//! hookguard: one policy for every coding agent's hooks.
//!
//! The only crate with an environment, a file system, a clock and processes. `hook` is the path that every tool call of
//! every agent takes: it is told apart here, before anything of the command line is built.
#![cfg_attr(all(target_os = "linux", not(test)), no_main)]

mod agents;
mod ancestors;
mod arena;
mod cli;
mod config;
mod exec;
mod hook;
mod judge;
mod ledger;
mod pipeline;
#[cfg(all(target_os = "linux", not(test)))]
mod start;
mod state;
mod stop;
mod surroundings;
mod world;

/// Does what the arguments say, and ends the process.
fn run() -> ! {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|verb| verb == "hook") {
        hook::run(arguments.map(|argument| argument.to_string_lossy().into_owned()).collect())
    } else {
        std::process::exit(i32::from(cli::run()))
    }
}

#[cfg(any(not(target_os = "linux"), test))]
fn main() {
    run()
}
