//! A forge's own interface: by method and path.

use crate::call::Call;
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
        return hit(call
            .values(&["-f", "-F", "--field", "--raw-field"])
            .any(|value| value.known_parts().trim_start_matches("query=").trim_start().starts_with("mutation")));
    }
    let comment = parts.last().is_some_and(|last| matches!(last.as_str(), "comments" | "replies" | "reactions"));
    let harmless = matches!(method.as_str(), "GET" | "HEAD") || method == "POST" && comment;
    hit(!harmless)
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
