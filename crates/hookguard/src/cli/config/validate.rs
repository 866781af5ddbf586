//! `hookguard config validate`: what is wrong in the files, with the line and what was perhaps meant.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hookguard_config::{Fault, Layer, Why};
use serde::Serialize;

use crate::cli::output::print;
use crate::cli::{exit, settings};
use crate::config::{self, Found, Read};
use crate::surroundings::Surroundings;

/// One thing that is wrong, or that does not count.
#[derive(Debug, Serialize)]
struct Finding {
    file: PathBuf,
    line: u32,
    column: u32,
    /// `error`, or `notice` for what is right and does not count here.
    kind: &'static str,
    what: String,
    hint: Option<String>,
    #[serde(skip)]
    source: Option<String>,
}

pub(super) fn run(files: &[PathBuf], json: bool) -> anyhow::Result<u8> {
    let mut findings = Vec::new();
    let mut fine = Vec::new();
    if files.is_empty() {
        let surroundings = Surroundings::of_process();
        let read = config::read(&surroundings, settings::project(&surroundings).as_deref());
        for file in read.files.iter().filter(|file| file.bytes.is_some()) {
            look(&read, file, &mut findings, &mut fine);
        }
    }
    for path in files {
        let read = config::of_one(path);
        look(&read, &read.files[0], &mut findings, &mut fine);
    }
    let broken = findings.iter().any(|finding| finding.kind == "error");
    print(&if json { serde_json::to_string_pretty(&findings)? } else { text(&findings, &fine)? })?;
    Ok(if broken { exit::USAGE } else { exit::OK })
}

fn look(read: &Read, file: &Found, findings: &mut Vec<Finding>, fine: &mut Vec<PathBuf>) {
    let before = findings.len();
    let source = file.bytes.as_deref().map(String::from_utf8_lossy);
    let mut add = |fault: &Fault, kind| {
        let line = fault.place.line.saturating_sub(1) as usize;
        findings.push(Finding {
            file: file.path.clone(),
            line: fault.place.line,
            column: fault.place.column,
            kind,
            what: fault.what.clone(),
            hint: fault.hint.clone(),
            source: source.as_ref().and_then(|text| text.lines().nth(line)).map(str::to_owned),
        });
    };
    let of = |layer: Layer| layer == file.layer;
    match &file.fault {
        Some(fault) => add(fault, "error"),
        None => {
            read.stack.unknown.iter().filter(|(layer, _)| of(*layer)).for_each(|(_, fault)| add(fault, "error"));
            for (origin, what) in config::judge_files(read).1.into_iter().filter(|(origin, _)| of(origin.layer)) {
                add(&Fault { place: read.stack.place(origin), what, hint: None }, "error");
            }
            for held in read.stack.held.iter().filter(|held| of(held.origin.layer)) {
                let what = format!("{} does not count: {}", held.what, held.why);
                // Two of one name are a mistake wherever they stand; the rest may be meant.
                let kind = if held.why == Why::Taken { "error" } else { "notice" };
                add(&Fault { place: read.stack.place(&held.origin), what, hint: None }, kind);
            }
        }
    }
    if findings.len() == before {
        fine.push(file.path.clone());
    }
}

fn text(findings: &[Finding], fine: &[PathBuf]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for finding in findings {
        let Finding { file, line, column, kind, what, hint, source } = finding;
        writeln!(out, "{kind}: {}:{line}:{column}: {what}", shown(file))?;
        if let Some(source) = source {
            let number = line.to_string();
            let indent = " ".repeat(number.len());
            // Tabs stay, so that the mark stands below what it is about.
            let before: String =
                source.chars().take(*column as usize - 1).map(|char| if char == '\t' { '\t' } else { ' ' }).collect();
            writeln!(out, "{indent} |\n{number} | {source}\n{indent} | {before}^")?;
        }
        if let Some(hint) = hint {
            writeln!(out, "  = {hint}")?;
        }
    }
    for file in fine {
        writeln!(out, "ok: {}", shown(file))?;
    }
    if findings.is_empty() && fine.is_empty() {
        writeln!(out, "no file: the built-in policy stands as it is; `hookguard init` writes one to change it by")?;
    }
    Ok(out)
}

fn shown(path: &Path) -> std::path::Display<'_> {
    path.display()
}
