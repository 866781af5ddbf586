//! `hookguard config`: what the configuration of this place comes to, and what is wrong with its files.

mod show;
mod validate;

use std::path::PathBuf;

use clap::Subcommand;

use super::exit;
use super::output::print;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Show what counts here: mode, levels, exceptions, lists, rules, scripts; and what does not, and why
    Show {
        /// Say of each value in which file and line it was set
        #[arg(long)]
        origin: bool,
        /// Show the built-in values that no file changes, too
        #[arg(long)]
        all: bool,
        /// Write it as JSON, with origins
        #[arg(long)]
        json: bool,
    },
    /// Check the files of this place, or those that are named
    Validate {
        /// Files to check, each as if it were the user's
        files: Vec<PathBuf>,
        /// Write what is wrong as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON schema of the files, for editors
    Schema,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    match &arguments.verb {
        Verb::Show { origin, all, json } => show::run(*origin, *all, *json),
        Verb::Validate { files, json } => validate::run(files, *json),
        Verb::Schema => {
            print(&schema()?)?;
            Ok(exit::OK)
        }
    }
}

/// The schema as it is committed: `hookguard.schema.json`.
fn schema() -> serde_json::Result<String> {
    serde_json::to_string_pretty(&hookguard_config::schema())
}
