//! Publishing with tools whose verbs also mean something harmless.

use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

/// Verbs that only these programs use for publishing.
const OWN_VERBS: &[(&str, &[&str])] = &[
    ("twine", &["upload"]),
    ("poetry", &["publish"]),
    ("uv", &["publish"]),
    ("flit", &["publish"]),
    ("hatch", &["publish"]),
    ("pdm", &["publish"]),
    ("maturin", &["publish", "upload"]),
    ("gem", &["push"]),
    ("bundle", &["exec rake release"]),
    ("rake", &["release", "publish"]),
    ("nuget", &["push"]),
    ("dotnet", &["nuget push"]),
    ("mvn", &["deploy", "** deploy", "** deploy:*", "release", "** release:perform"]),
    ("mvnw", &["deploy", "** deploy", "** release:perform"]),
    ("gradle", &["publish*", "** publish*", "** uploadArchives", "** *:publish*"]),
    ("gradlew", &["publish*", "** publish*", "** uploadArchives", "** *:publish*"]),
    ("sbt", &["publish", "publishSigned", "release", "** publish*"]),
    ("mix", &["hex.publish"]),
    ("pub", &["publish"]),
    ("dart", &["pub publish"]),
    ("flutter", &["pub publish"]),
    ("pod", &["trunk push", "repo push"]),
    ("helm", &["push", "chart push"]),
    ("skopeo", &["copy", "sync"]),
    ("crane", &["push", "copy", "delete"]),
    ("oras", &["push"]),
    ("cosign", &["upload *"]),
    ("cr", &["upload"]),
    ("cabal", &["upload"]),
    ("stack", &["upload"]),
    ("conda", &["upload"]),
    ("anaconda", &["upload"]),
    ("jf", &["rt upload"]),
    ("jfrog", &["rt upload"]),
    ("snapcraft", &["upload", "push", "release"]),
    ("charmcraft", &["upload", "release"]),
    ("web-ext", &["sign"]),
];

/// Programs for which every listed verb publishes.
const ALWAYS: &[&str] = &[
    "vsce",
    "ovsx",
    "luarocks",
    "conan",
    "chart-releaser",
    "opam",
    "wasm-pack",
    "jsr",
    "deno",
    "apm",
    "swift",
    "hex",
    "elm",
];

/// Whether the call publishes.
pub(crate) fn goes_out(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.operands.iter().any(|word| Text::from(*word).known_parts().contains("MavenLocal")) {
        return None;
    }
    let own = OWN_VERBS.iter().find(|(program, _)| *program == call.program);
    let published = match own {
        Some((_, verbs)) => verbs.iter().any(|verb| call.sub(verb).is_some()),
        None => ALWAYS.contains(&call.program) && matches!(call.operand(0), Some("publish" | "upload" | "push")),
    };
    published.then(Hit::default)
}
