//! Version control: what commits, pushes, merges, takes out and puts back.

use super::{Kind, Words, forge};

/// `None` where the program is none of version control.
pub(super) fn kind(words: &Words<'_>) -> Option<Kind> {
    let operands = words.operands();
    let sub = operands.first().copied().unwrap_or_default();
    let second = operands.get(1).copied().unwrap_or_default();
    Some(match words.program {
        "git" => git(words, sub, second),
        "hg" | "sl" | "chg" => match sub {
            "commit" | "ci" | "amend" | "backout" => Kind::Commit,
            "push" => Kind::Push,
            "revert" | "update" | "up" if words.args.len() > 1 => Kind::TakeOut,
            "shelve" => Kind::TakeOut,
            "unshelve" => Kind::PutBack,
            "merge" | "rebase" | "graft" => Kind::Merge,
            "import" => Kind::Edit,
            "init" => Kind::NewRepository,
            _ => Kind::Look,
        },
        "svn" => match sub {
            "commit" | "ci" => Kind::Commit,
            "merge" | "update" | "up" => Kind::Merge,
            "revert" => Kind::TakeOut,
            "patch" => Kind::Edit,
            _ => Kind::Look,
        },
        "jj" => match (sub, second) {
            ("commit" | "ci", _) => Kind::Commit,
            ("git", "push") => Kind::Push,
            ("rebase", _) => Kind::Merge,
            ("restore", _) => Kind::TakeOut,
            _ => Kind::Look,
        },
        "fossil" if matches!(sub, "commit" | "ci") => Kind::Commit,
        "p4" if sub == "submit" => Kind::Commit,
        "arc" if matches!(sub, "land" | "diff") => Kind::Request,
        "gt" if matches!(sub, "submit" | "ss" | "stack") => Kind::Request,
        "gt" if matches!(sub, "create" | "modify") => Kind::Commit,
        "spr" | "ghstack" if matches!(sub, "" | "diff" | "submit" | "update") => Kind::Request,
        "gh" | "glab" if sub == "api" => forge::api(words),
        "gh" => gh(words, sub, second),
        "glab" | "tea" | "bb" | "hub" | "fj" => match (sub, second) {
            ("mr" | "pr" | "pull" | "pulls", "create" | "new" | "merge" | "accept") | ("pull-request", _) => {
                Kind::Request
            }
            ("ci" | "pipeline", _) => Kind::Watch,
            ("release", "create" | "upload") => Kind::Publish,
            _ => Kind::Look,
        },
        "az" if sub == "repos" && second == "pr" && words.args.iter().any(|arg| arg == "create") => Kind::Request,
        _ => return None,
    })
}

fn git(words: &Words<'_>, sub: &str, second: &str) -> Kind {
    let dry = words.has(&["--dry-run"]);
    match sub {
        "commit" if dry => Kind::Look,
        // The second is everybody's alias of the first.
        "commit" | "ci" => Kind::Commit,
        "push" if dry || words.has(&["-n"]) => Kind::Look,
        "push" => Kind::Push,
        "send-email" => Kind::Push,
        "subtree" if second == "push" => Kind::Push,
        "svn" if second == "dcommit" => Kind::Push,
        // It changes files and commits: as an edit first, which the commit then carries.
        "revert" | "cherry-pick" if words.has(&["--abort", "--quit", "--skip"]) => Kind::Other,
        "revert" | "cherry-pick" => Kind::Commit,
        "merge" | "rebase" | "pull" if words.has(&["--abort", "--quit"]) => Kind::Other,
        "merge" | "rebase" => Kind::Merge,
        // On another machine it brings the new state there; here it brings what others have tested.
        "pull" if words.remote => Kind::Merge,
        "am" => Kind::Edit,
        "apply" if words.has(&["--check", "--stat", "--numstat", "--summary"]) => Kind::Look,
        "apply" if words.has(&["-R", "--reverse"]) => Kind::TakeOut,
        "apply" => Kind::Edit,
        "stash" => match second {
            "" | "push" | "save" => Kind::TakeOut,
            "pop" | "apply" => Kind::PutBack,
            _ => Kind::Look,
        },
        "checkout" | "switch" if words.has(&["-b", "-B", "-c", "-C", "--orphan", "--create"]) => Kind::Other,
        "restore" if words.has(&["--staged", "-S"]) && !words.has(&["--worktree", "-W"]) => Kind::Other,
        "reset" if !words.has(&["--hard"]) => Kind::Other,
        "checkout" | "restore" | "reset" | "switch" => Kind::TakeOut,
        "worktree" => Kind::Other,
        "add" | "rm" | "mv" if dry => Kind::Look,
        "add" => Kind::Stage,
        "rm" | "mv" => Kind::Edit,
        "init" | "clone" => Kind::NewRepository,
        "bisect" if second == "run" => Kind::Run,
        _ => Kind::Look,
    }
}

fn gh(words: &Words<'_>, sub: &str, second: &str) -> Kind {
    match (sub, second) {
        ("pr", "create" | "merge" | "new") => Kind::Request,
        ("release", "create" | "upload" | "edit") => Kind::Publish,
        ("run", "watch") | ("pr", "checks") => Kind::Watch,
        ("run", "view") if words.has(&["--log", "--log-failed"]) => Kind::Log,
        ("run", "view" | "list") => Kind::Watch,
        ("workflow", "run") => {
            let named = |arg: &String| super::tasks::kind(arg).is_some_and(Kind::is_share);
            if words.args.iter().any(named) { Kind::Deploy } else { Kind::Other }
        }
        _ => Kind::Look,
    }
}
