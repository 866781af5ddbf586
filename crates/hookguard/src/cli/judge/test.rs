//! `hookguard judge test`: the cases of a judge's file, through layer 1 and with the answers that they script.

use std::path::PathBuf;

use hookguard_judge::judge::cases::{self, Failure};
use hookguard_judge::judge::{Fault, parse};

use super::super::exit;
use super::super::output::{Usage, json, print, visible};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A judge's file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the failures as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let path = arguments.file.display();
    let text =
        std::fs::read_to_string(&arguments.file).map_err(|error| Usage(format!("failed to read {path}: {error}")))?;
    let with_hint = |fault: Fault| {
        let hint = fault.hint.as_ref().map(|hint| format!("\n  {hint}")).unwrap_or_default();
        Usage(format!("{path}: {fault}{hint}"))
    };
    let file = parse(&text).map_err(with_hint)?;
    let failures = cases::run(&file).map_err(with_hint)?;
    print(&if arguments.json { json(&failures)? } else { table(file.cases.len(), &failures) })?;
    Ok(if failures.is_empty() { exit::OK } else { exit::DENIED })
}

fn table(count: usize, failures: &[Failure]) -> String {
    let mut out = String::new();
    for Failure { number, kind, text, expected, came } in failures {
        let kind = if kind.is_empty() { String::new() } else { format!(" ({})", visible(kind)) };
        let text = visible(text);
        out.push_str(&format!("FAILED  case {number}{kind}: {text}\n        expected {expected}, came {came}\n"));
    }
    let mut failed: Vec<usize> = failures.iter().map(|failure| failure.number).collect();
    failed.dedup();
    out + &format!("{} passed, {} failed\n", count - failed.len(), failed.len())
}
