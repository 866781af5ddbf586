//! How a step ended: by its exit code where that shows, else by what it printed.

use super::exit::Exit;
use super::kind::Kind;
use super::steps::Step;
use super::summary::Summary;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It went well.
    Good,
    /// It failed, or something in it did.
    Bad,
    /// It ran nothing.
    Nothing,
    /// It goes on in the background.
    Pending,
    /// Nobody can say.
    Unknown,
}

/// How `step` of a line that printed `output` ended.
pub(super) fn outcome(step: &Step, output: &str, summary: &Summary) -> Outcome {
    match step.kind {
        Kind::Listed => Outcome::Nothing,
        Kind::Test(_) => test(step.exit, summary),
        Kind::Watch => watched(step, output),
        Kind::Run | Kind::Log => run(step, output, summary),
        _ => match step.exit {
            Exit::Background => Outcome::Pending,
            Exit::Failed => Outcome::Bad,
            Exit::Well => {
                if summary.failed {
                    Outcome::Bad
                } else {
                    Outcome::Good
                }
            }
            Exit::Unknown if summary.is_red() => Outcome::Bad,
            Exit::Unknown if summary.clean || summary.passed => Outcome::Good,
            Exit::Unknown => Outcome::Unknown,
        },
    }
}

fn test(exit: Exit, summary: &Summary) -> Outcome {
    match exit {
        Exit::Background => Outcome::Pending,
        _ if summary.failed => Outcome::Bad,
        // Some runners fail where they find nothing to run.
        _ if summary.nothing && !summary.passed => Outcome::Nothing,
        Exit::Failed => Outcome::Bad,
        Exit::Well => Outcome::Good,
        Exit::Unknown if summary.trouble => Outcome::Bad,
        Exit::Unknown if summary.passed => Outcome::Good,
        Exit::Unknown => Outcome::Unknown,
    }
}

fn run(step: &Step, output: &str, summary: &Summary) -> Outcome {
    let shown = output.trim();
    // A status that was asked for: `curl -w '%{http_code}'`. Other programs may print any number.
    let requests = || {
        let asks = |arg: &String| arg.contains("http") || arg.contains("status");
        matches!(step.program.as_str(), "curl" | "wget" | "http" | "xh") || step.args.iter().any(asks)
    };
    let status = shown.rsplit(char::is_whitespace).next().and_then(|last| last.parse::<u16>().ok());
    let broken = matches!(status, Some(500..=599)) && requests() || summary.failed;
    let silent = matches!(step.program.as_str(), "cmp" | "diff");
    match step.exit {
        Exit::Background => Outcome::Pending,
        Exit::Failed => Outcome::Bad,
        _ if broken => Outcome::Bad,
        Exit::Unknown if summary.trouble => Outcome::Bad,
        Exit::Unknown if silent && !shown.is_empty() => Outcome::Bad,
        _ if !shown.is_empty() || silent => Outcome::Good,
        Exit::Well if step.args.iter().any(|arg| asserts(arg)) => Outcome::Good,
        _ => Outcome::Unknown,
    }
}

/// Whether the code of a one-liner says by its exit code alone whether it went well.
fn asserts(code: &str) -> bool {
    ["assert", "throw ", "raise ", "exit(", "JSON.parse", "json.load", "safe_load"]
        .iter()
        .any(|call| code.contains(call))
}

/// A pipeline elsewhere: what is said of it counts, since most ways to look at one go well whatever it did.
fn watched(step: &Step, output: &str) -> Outcome {
    let lower = output.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let count_of_none = any(&["0 failing", "0 failed", "0 failures"]);
    match step.exit {
        Exit::Background => Outcome::Pending,
        _ if any(&["fail", "failure", "✗", "cancelled", "canceled", "timed_out", "startup_failure", "error", "× "])
            && !count_of_none =>
        {
            Outcome::Bad
        }
        Exit::Failed => Outcome::Bad,
        _ if any(&["in_progress", "in progress", "queued", "pending", "waiting", "running"])
            && !any(&["completed", "successful", "0 pending", "success", "passed"]) =>
        {
            Outcome::Unknown
        }
        _ if any(&["success", "✓", "passed", "pass\t", "all checks were", "green", "successfully rolled out"]) => {
            Outcome::Good
        }
        Exit::Well if step.args.iter().any(|arg| arg == "--exit-status" || arg == "--watch") => Outcome::Good,
        _ => Outcome::Unknown,
    }
}

/// Whether a command that changes what others share did so.
pub(super) fn was_shared(step: &Step, whole: Exit, output: &str) -> bool {
    let evident = is_evident(step.kind, output);
    let lower = output.to_lowercase();
    let unchanged = [
        "everything up-to-date",
        "nothing to commit",
        "no changes added",
        "nothing added to commit",
        "nothing changed",
    ]
    .iter()
    .any(|said| lower.contains(said));
    match step.exit {
        _ if step.throwaway => false,
        Exit::Failed => evident && step.kind == Kind::Commit && !step.seen,
        Exit::Well | Exit::Background => !unchanged,
        Exit::Unknown if whole == Exit::Failed => evident,
        Exit::Unknown => evident || !unchanged && !was_refused(&lower),
    }
}

/// Whether whatever ran made a commit in a repository that had some: git's own two lines about one.
pub(super) fn shows_commit(output: &str) -> bool {
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let counted = |next: &&str| {
            next.trim_start().split_once(" file").is_some_and(|(count, rest)| {
                count.bytes().all(|byte| byte.is_ascii_digit()) && rest.contains(" changed")
            })
        };
        if !line.contains("(root-commit)") && is_evident(Kind::Commit, line) && lines.peek().is_some_and(counted) {
            return true;
        }
    }
    false
}

/// Whether the output shows that it was done: `[main 1a2b3c4] …`, `1a2..3b4  main -> main`.
pub(super) fn is_evident(kind: Kind, output: &str) -> bool {
    match kind {
        Kind::Commit => output.lines().any(|line| {
            let inner = line.trim().strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let last = inner.and_then(|(inner, _)| inner.split_whitespace().last().filter(|_| inner.contains(' ')));
            last.is_some_and(|sha| sha.len() >= 3 && sha.chars().all(|c| c.is_ascii_hexdigit()))
        }),
        Kind::Push => {
            output.lines().any(|line| line.contains(" -> ") && !line.contains("rejected") && !line.contains('!'))
        }
        _ => false,
    }
}

fn was_refused(lower: &str) -> bool {
    const SAID: &[&str] = &[
        "rejected",
        "fatal:",
        "error:",
        "permission denied",
        "access denied",
        "hook declined",
        "aborted",
        "failed to push",
        "hook failed",
        "....failed",
        "husky",
        "could not",
        "authentication failed",
        "unauthorized",
        "forbidden",
        "cancelled",
        "abgelehnt",
        "fehler:",
        "rejeté",
        "erreur",
        "rechazado",
        "拒绝",
        "拒否",
        "command not found",
        "not found:",
        "need to specify",
        "exit code 1",
        "err!",
        "abort:",
    ];
    SAID.iter().any(|said| lower.contains(said))
}
