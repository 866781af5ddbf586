//! The agent's own version, beside the one that hookguard's facts were seen on.

use std::path::Path;
use std::time::Duration;

use hookguard_adapter::Profile;

use super::finding::Finding;
use crate::cli::child::{Ended, run};

/// An agent says its version in some hundred milliseconds; a package runner may want longer.
const DEADLINE: Duration = Duration::from_secs(10);

/// Found or not, and whether its version is the one that was looked at.
pub(super) fn of(profile: &Profile, program: Option<&Path>) -> Finding {
    const CHECK: &str = "version";
    let verified = profile.source.agent_version;
    let Some(program) = program else {
        let names = profile.detection.binaries.join(", ");
        return Finding::warning(
            CHECK,
            format!("{} is not on PATH (looked for: {names})", profile.name),
            "install it, or start hookguard with the PATH that has it; without it nothing calls hookguard",
        );
    };
    let shown = program.display();
    let ended = run(std::process::Command::new(program).arg("--version"), b"", DEADLINE);
    let Ok(Ended { stdout, code: Some(0), .. }) = &ended else {
        let why = ended.map_or_else(|error| error.to_string(), |ended| ended.how());
        return Finding::warning(
            CHECK,
            format!("{shown} --version gave no version: {why}"),
            format!("run it by hand; what is written here of {} holds for {verified}", profile.name),
        );
    };
    let printed = String::from_utf8_lossy(stdout);
    let Some(version) = printed.split_whitespace().find(|word| numbers(word).is_some()) else {
        return Finding::warning(
            CHECK,
            format!("{shown} --version says {:?}, in which no version is to be seen", printed.trim()),
            format!("what is written here of {} holds for {verified}", profile.name),
        );
    };
    match numbers(version).cmp(&numbers(verified)) {
        std::cmp::Ordering::Equal => Finding::ok(CHECK, format!("{version}, as verified ({shown})")),
        std::cmp::Ordering::Less => Finding::warning(
            CHECK,
            format!("{version} is older than {verified}, the version that hookguard was verified with ({shown})"),
            "update the agent, or see below whether the canary is refused all the same",
        ),
        std::cmp::Ordering::Greater => Finding::warning(
            CHECK,
            format!("{version} is newer than {verified}, the version that hookguard was verified with ({shown})"),
            "look for a newer hookguard; see below whether the canary is refused all the same",
        ),
    }
}

/// `2.1.332` as numbers, whatever stands before and behind: `v0.171.0-alpha`.
fn numbers(word: &str) -> Option<Vec<u64>> {
    let word = word.trim_start_matches(['v', '(']);
    let end = word.find(|char: char| !(char.is_ascii_digit() || char == '.')).unwrap_or(word.len());
    let parts: Option<Vec<u64>> = word[..end].trim_end_matches('.').split('.').map(|part| part.parse().ok()).collect();
    parts.filter(|parts| parts.len() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_agents_print() {
        for (word, expected) in [
            ("2.1.332", Some(vec![2, 1, 332])),
            ("v0.171.0-alpha.2", Some(vec![0, 171, 0])),
            ("(1.10)", Some(vec![1, 10])),
            ("codex-cli", None),
            ("2026", None),
            ("1..2", None),
            ("", None),
        ] {
            assert_eq!(numbers(word), expected, "{word}");
        }
        assert!(numbers("0.9.0") < numbers("0.171.0"));
    }
}
