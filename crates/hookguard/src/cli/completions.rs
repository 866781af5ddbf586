//! `hookguard completions`: what a shell completes.

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::print;
use super::{Cli, exit};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "hookguard", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(exit::OK)
}
