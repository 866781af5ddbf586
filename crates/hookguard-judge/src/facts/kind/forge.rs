//! A forge's interface over HTTP: what a request to it shares, whichever program makes it.

use super::{Kind, Words};

/// What a request that writes changes, by a part of its path or of its query.
const SHARES: &[(&str, Kind)] = &[
    ("/merge", Kind::Request),
    ("/pulls", Kind::Request),
    ("/merge_requests", Kind::Request),
    ("mergePullRequest", Kind::Request),
    ("enablePullRequestAutoMerge", Kind::Request),
    ("createPullRequest", Kind::Request),
    ("/git/refs", Kind::Push),
    ("/contents/", Kind::Commit),
    ("/repository/commits", Kind::Commit),
    ("createCommitOnBranch", Kind::Commit),
    ("/releases", Kind::Publish),
    ("/deployments", Kind::Deploy),
];

/// What the `api` command of a forge's program does.
pub(super) fn api(words: &Words<'_>) -> Kind {
    requested(words, words.has(&["-f", "-F", "--field", "--raw-field", "--input"]))
}

/// What a request made by `curl` or its like does; `None` where it does not go to a forge.
pub(super) fn request(words: &Words<'_>) -> Option<Kind> {
    let to_forge = words.args.iter().any(|arg| arg.contains("api.github.com/") || arg.contains("/api/v4/projects/"));
    let sends = words.has(&["-d", "--data", "--data-raw", "--data-binary", "--json", "--post-data", "-T"]);
    to_forge.then(|| requested(words, sends))
}

fn requested(words: &Words<'_>, sends: bool) -> Kind {
    let method = words.value(&["-X", "--method", "--request"]);
    // A query that changes something is sent as any other.
    let changes = words.args.iter().any(|arg| arg.contains("mutation"));
    let writes = method.map_or(sends, |method| !method.eq_ignore_ascii_case("get")) || changes;
    let shared = |(part, kind): &(&str, Kind)| words.args.iter().any(|arg| arg.contains(part)).then_some(*kind);
    if writes { SHARES.iter().find_map(shared).unwrap_or(Kind::Look) } else { Kind::Look }
}
