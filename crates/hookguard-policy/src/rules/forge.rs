//! A forge's own interface: by method and path.

use crate::call::Call;
use crate::glob::ANYTHING;
use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

fn method<'r>(call: &Call<'r>) -> &'r str {
    match call.values(&["-X", "--method"]).next() {
        Some(text) => text.known().unwrap_or("?"),
        // Fields make it a POST.
        None if call.has_any(&["-f", "-F", "--field", "--raw-field", "--input"]) => "POST",
        None => "GET",
    }
}

/// The path's parts: `repos`, owner, name, …
fn path(call: &Call<'_>) -> Vec<String> {
    let path = call.operands.get(1).map(|word| Text::from(*word).known_parts().into_owned()).unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.trim_start_matches("https://api.github.com")
        .split('/')
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_project(parts: &[String]) -> bool {
    matches!(parts.first().map(String::as_str), Some("repos")) && parts.len() == 3
        || matches!(parts.first().map(String::as_str), Some("projects" | "orgs" | "groups")) && parts.len() == 2
}

/// A repository deleted or made public, or a protection taken away.
pub(crate) fn api_deletes_repository(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let (method, parts) = (method(call), path(call));
    let protection = parts.iter().any(|part| matches!(part.as_str(), "protection" | "rulesets" | "protected_branches"));
    let public = call.values(&["-f", "-F", "--field", "--raw-field"]).any(|value| {
        let value = value.known_parts();
        matches!(&*value, "private=false" | "visibility=public")
    });
    let branch = parts.iter().any(|part| part == "refs")
        && call.operands.get(1).is_some_and(|word| {
            let text = Text::from(*word).known_parts();
            let name = text.rsplit("heads/").next().unwrap_or_default();
            scene.lists().protects(name)
        });
    hit(match method.to_ascii_uppercase().as_str() {
        "DELETE" => is_project(&parts) || protection || branch,
        "PATCH" | "PUT" | "POST" => is_project(&parts) && public,
        _ => false,
    })
}

/// Anything else that changes.
pub(crate) fn api_changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let parts = path(call);
    let method = method(call).to_ascii_uppercase();
    if parts.first().is_some_and(|first| first == "graphql") {
        return hit(call.values(&["-f", "-F", "--field", "--raw-field"]).any(|value| mutates(&value.known_parts())));
    }
    let part = |at: usize| parts.get(at).map(String::as_str).unwrap_or_default();
    let comment = matches!(parts.last().map(String::as_str), Some("comments" | "replies" | "reactions"));
    // What people say to each other: `gh pr edit`, `gh issue comment`, `gh pr review` in other words. Merging is a PUT.
    let talk = part(0) == "repos" && matches!(part(3), "issues" | "pulls")
        || part(0) == "projects" && matches!(part(2), "issues" | "merge_requests");
    hit(match method.as_str() {
        "GET" | "HEAD" => false,
        "POST" => !comment && !talk,
        "PATCH" => !talk,
        _ => true,
    })
}

/// Mutations that are people's talk about a change: said, edited or settled, and lost to nobody.
const TALK: &[&str] = &[
    "addComment",
    "addPullRequestReview",
    "addPullRequestReviewComment",
    "addPullRequestReviewThread",
    "addPullRequestReviewThreadReply",
    "addReaction",
    "removeReaction",
    "resolveReviewThread",
    "unresolveReviewThread",
    "submitPullRequestReview",
    "updateIssueComment",
    "updatePullRequestReview",
    "updatePullRequestReviewComment",
    "markPullRequestReadyForReview",
    "convertPullRequestToDraft",
    "requestReviews",
    "addLabelsToLabelable",
    "removeLabelsFromLabelable",
    "addAssigneesToAssignable",
    "removeAssigneesFromAssignable",
    "minimizeComment",
    "createIssue",
    "createPullRequest",
    "updateIssue",
    "updatePullRequest",
];

/// Whether a field of a GraphQL call holds a mutation that is more than [`TALK`].
fn mutates(field: &str) -> bool {
    let text = field.trim_start_matches("query=");
    if !text.trim_start().starts_with("mutation") {
        return false;
    }
    // The names at the first level of braces, outside of parentheses and strings; an alias stands before a colon.
    let (mut braces, mut parens, mut string, mut escaped) = (0_u32, 0_u32, false, false);
    let (mut fields, mut name) = (Vec::new(), String::new());
    for char in text.chars().chain([' ']) {
        if char == '"' && !escaped {
            string = !string;
        }
        escaped = string && char == '\\' && !escaped;
        if string {
            continue;
        }
        if char == '#' {
            // A comment: whatever stands in it is not read here.
            return true;
        }
        let top = braces == 1 && parens == 0;
        if top && (char.is_alphanumeric() || matches!(char, '_' | ANYTHING)) {
            name.push(char);
            continue;
        }
        if top && char == ':' {
            name.clear();
        } else if !name.is_empty() {
            fields.push(std::mem::take(&mut name));
        }
        match char {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '(' => parens += 1,
            ')' => parens = parens.saturating_sub(1),
            _ => {}
        }
    }
    string || parens > 0 || fields.is_empty() || !fields.iter().all(|field| TALK.contains(&field.as_str()))
}

/// `auth token` only where the token is shown.
pub(crate) fn token_shown(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.sub("auth token").is_none() {
        return hit(true);
    }
    let inside = call.command.via.iter().any(|via| via.step == hookguard_shell::Step::Substitution);
    hit(!inside && !scene.unseen(at))
}
