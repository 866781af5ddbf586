//! `hookguard man`: the manual's pages, made from the same table as the help.

use clap::CommandFactory;

use super::output::{Usage, print};
use super::{Cli, exit};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The subcommand's page [default: hookguard's own]
    command: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let mut command = Cli::command();
    command.build();
    let (command, title) = match &arguments.command {
        None => (command, "hookguard".to_owned()),
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            (found.ok_or_else(|| Usage(format!("no subcommand is called {name:?}")))?, format!("hookguard-{name}"))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).title(title).render(&mut page)?;
    print(&String::from_utf8(page)?)?;
    Ok(exit::OK)
}
