//! Whether hookguard's own configuration can be used, and what of it does not count.

use super::finding::Finding;
use crate::cli::settings;
use crate::config;
use crate::surroundings::Surroundings;

const CHECK: &str = "config";

/// What people should know of the configuration of this place.
pub(super) fn look(surroundings: &Surroundings) -> Vec<Finding> {
    let read = config::read(surroundings, settings::project(surroundings).as_deref());
    let there: Vec<String> = read
        .files
        .iter()
        .filter(|file| file.bytes.is_some() && file.fault.is_none())
        .map(|file| file.path.display().to_string())
        .collect();
    let mut findings = Vec::new();
    if !there.is_empty() {
        findings.push(Finding::ok(CHECK, format!("the built-in policy with {}", there.join(", "))));
    } else if read.files.iter().all(|file| file.bytes.is_none()) {
        findings.push(Finding::ok(CHECK, "the built-in policy; `hookguard init` writes a file to change it by"));
    }
    let remedy = "run `hookguard config validate`, which shows the lines";
    for notice in read.notices() {
        let broken = read
            .files
            .iter()
            .any(|file| file.fault.is_some() && notice.text.starts_with(&*file.path.to_string_lossy()));
        let finding = if broken { Finding::broken } else { Finding::warning };
        findings.push(finding(CHECK, notice.text, remedy.to_owned()));
    }
    findings
}
