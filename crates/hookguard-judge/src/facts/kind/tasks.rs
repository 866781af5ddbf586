//! What a named task is, by its own name: `make check`, `npm run test:e2e`, `./scripts/deploy.sh`.

use super::super::Evidence;
use super::Kind;

/// The words of a name, in lower case: `test:e2e`, `check-types`, `runIntegrationTests`.
pub(in super::super) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower = false;
    let mut fresh = true;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            fresh = true;
            continue;
        }
        if fresh || (lower && c.is_uppercase()) {
            words.push(String::new());
        }
        (fresh, lower) = (false, c.is_lowercase() || c.is_ascii_digit());
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

const HANDS_OUT: &[&str] = &["publish", "release", "upload"];
const ROLLS_OUT: &[&str] = &["deploy", "deployment", "rollout", "promote", "ship", "golive"];
const E2E: &[&str] =
    &["e2e", "cypress", "playwright", "acceptance", "smoke", "browser", "uitest", "uitests", "endtoend", "cuj"];
const INTEGRATION: &[&str] = &["integration", "it", "functional", "system", "contract"];
const TEST: &[&str] = &[
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "unit",
    "check",
    "checks",
    "verify",
    "ci",
    "qa",
    "jest",
    "vitest",
    "pytest",
    "mocha",
    "coverage",
    "cov",
    "phpunit",
    "rspec",
    "selftest",
    "regression",
    "conformance",
    "runtest",
    "unittest",
    "unittests",
    "tst",
    "tox",
    "nox",
    "karma",
    "ctest",
    "bats",
    "doctest",
    "testsuite",
];
const LINT: &[&str] = &[
    "lint",
    "linter",
    "linting",
    "eslint",
    "tsc",
    "types",
    "typecheck",
    "typing",
    "mypy",
    "clippy",
    "phpstan",
    "psalm",
    "analyse",
    "analyze",
    "vet",
    "stylelint",
    "rubocop",
    "pylint",
    "flake8",
    "static",
    "type",
    "audit",
    "shellcheck",
];
const LAYOUT: &[&str] = &["format", "fmt", "prettier", "style", "formatting", "black", "spotless"];
const CHANGES: &[&str] = &[
    "fix",
    "generate",
    "gen",
    "codegen",
    "codemod",
    "codemods",
    "rewrite",
    "replace",
    "rename",
    "convert",
    "apply",
    "update",
    "bump",
    "refactor",
    "migrate",
    "migration",
    "port",
    "add",
    "remove",
    "sync",
    "patch",
    "transform",
    "upgrade",
    "insert",
    "strip",
    "sort",
    "autofix",
];
const BUILD: &[&str] = &["build", "compile", "dist", "bundle", "package", "assemble", "all", "webpack", "docs", "doc"];
const RUN: &[&str] = &[
    "start",
    "run",
    "demo",
    "example",
    "bench",
    "benchmark",
    "repro",
    "reproduce",
    "try",
    "probe",
    "simulate",
    "stress",
];
const LISTS: &[&str] = &["list", "dry", "plan", "preview", "help", "notes", "status"];

/// What a task of this name is; `None` where the name says nothing.
pub(super) fn kind(name: &str) -> Option<Kind> {
    let words = words_of(name);
    let any = |of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    let first = |of: &[&str]| words.first().is_some_and(|word| of.contains(&word.as_str()));
    let shares = any(HANDS_OUT) || any(ROLLS_OUT);
    if shares && any(LISTS) {
        return Some(Kind::Look);
    }
    // `deploy-check`, `test-release`: tests of it; `release-build` builds it.
    if shares && !any(TEST) && !first(BUILD) {
        return Some(if any(ROLLS_OUT) { Kind::Deploy } else { Kind::Publish });
    }
    if any(LAYOUT) {
        return Some(if any(&["check", "verify", "test", "lint", "ci"]) { Kind::FormatCheck } else { Kind::Format });
    }
    if any(LINT) {
        return Some(if any(&["fix", "autofix"]) { Kind::Edit } else { Kind::Lint });
    }
    if any(TEST) || any(E2E) || words.first().is_some_and(|word| word.starts_with("test") && word.len() < 16) {
        return Some(
            match (first(BUILD), any(&["list", "build"]), first(&["fix", "gen", "generate", "add", "update"])) {
                (true, ..) => Kind::Build,
                (_, _, true) => Kind::Edit,
                _ => Kind::Test(evidence(&words)),
            },
        );
    }
    if any(INTEGRATION) && words.len() == 1 && !first(&["it", "system"]) {
        return Some(Kind::Test(Evidence::Integration));
    }
    if any(CHANGES) {
        return Some(Kind::Edit);
    }
    if any(BUILD) {
        return Some(Kind::Build);
    }
    any(RUN).then_some(Kind::Run)
}

/// What kind of tests a name tells.
fn evidence(words: &[String]) -> Evidence {
    let any = |of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    match (any(E2E), any(INTEGRATION)) {
        (true, _) => Evidence::E2e,
        (_, true) => Evidence::Integration,
        _ => Evidence::Unit,
    }
}

/// What kind of tests the names among `args` tell, or else `usual`.
pub(super) fn evidence_of(args: &[String], usual: Evidence) -> Evidence {
    let told = |arg: &String| match evidence(&words_of(arg)) {
        Evidence::Unit => None,
        other => Some(other),
    };
    args.iter().find_map(told).unwrap_or(usual)
}
