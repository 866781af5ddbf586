//! Whether a run speaks of an edit: a test of another package, service or checkout does not.

use super::path::{Class, class};
use super::steps::{HERE, Step};

/// Folders whose tests are of the whole.
const OF_ALL: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "e2e",
    "integration",
    "build",
    "out",
    "_build",
    "qa",
    "ci",
    "scripts",
    "tools",
    "docker",
    "bin",
    "target",
    "dist",
    "src",
    "app",
    "lib",
    "code",
    "source",
    "cypress",
    "playwright",
    "debug",
    "release",
    "",
];
/// Folders that hold packages side by side.
const HOLDERS: &[&str] = &[
    "packages",
    "crates",
    "apps",
    "services",
    "libs",
    "modules",
    "projects",
    "plugins",
    "components",
    "workspaces",
    "cmd",
    "internal",
    "pkg",
    "pkgs",
    "python",
    "rust",
    "java",
    "subprojects",
    "functions",
    "lambdas",
    "microservices",
    "clients",
    "servers",
];
/// Folders in which a package keeps its parts.
const INNER: &[&str] = &["src", "lib", "test", "tests", "spec", "app", "include", "cmd", "internal", "pkg"];
const MANIFESTS: &[&str] = &[
    "cargo.toml",
    "package.json",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "build.gradle",
    "build.gradle.kts",
    "pom.xml",
    "mix.exs",
    "composer.json",
    "gemfile",
    "package.swift",
    "pubspec.yaml",
];

/// The name of the package that a path lies in, where its shape tells: `crates/lexer/src/a.rs`, `web/package.json`.
fn package(path: &str) -> Option<&str> {
    let parts: Vec<&str> = path.trim_start_matches("./").split('/').collect();
    let (file, folders) = parts.split_last()?;
    let holder = folders.iter().position(|folder| {
        matches!(
            *folder,
            "packages"
                | "crates"
                | "apps"
                | "services"
                | "libs"
                | "modules"
                | "plugins"
                | "subprojects"
                | "microservices"
                | "functions"
                | "lambdas"
        )
    });
    if let Some(name) = holder.and_then(|at| folders.get(at + 1)) {
        return Some(name);
    }
    let shaped = folders.len() > 1 && folders.get(1).is_some_and(|inner| INNER.contains(inner))
        || folders.len() == 1 && MANIFESTS.contains(&file.to_lowercase().as_str());
    folders
        .first()
        .copied()
        .filter(|first| shaped && !INNER.contains(first) && !HOLDERS.contains(first) && !OF_ALL.contains(first))
}

/// Whether two names may mean the same part.
fn alike(one: &str, other: &str) -> bool {
    let plain =
        |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (one, other) = (plain(one), plain(other));
    one.is_empty() || other.is_empty() || one.contains(&other) || other.contains(&one)
}

/// What a run was told to run: names of packages.
fn packages(step: &Step) -> Vec<&str> {
    let named = |flags: &[&str]| -> Vec<&str> {
        let mut found = Vec::new();
        let mut args = step.args.iter().peekable();
        while let Some(arg) = args.next() {
            match arg.split_once('=') {
                Some((name, value)) if flags.contains(&name) => found.push(value),
                _ if flags.contains(&arg.as_str()) => found.extend(args.peek().map(|value| value.as_str())),
                _ => {}
            }
        }
        found
    };
    match step.program.as_str() {
        "cargo" => named(&["-p", "--package"]),
        "npm" => named(&["-w", "--workspace"]),
        "pnpm" | "turbo" | "bun" => named(&["--filter", "-F"]),
        "lerna" => named(&["--scope"]),
        "mvn" | "mvnw" => named(&["-pl", "--projects"]),
        "yarn" => {
            step.args.iter().skip_while(|arg| *arg != "workspace").nth(1).map(String::as_str).into_iter().collect()
        }
        "nx" => named(&["-p", "--projects", "--project"])
            .into_iter()
            .chain(step.args.get(1).map(String::as_str).filter(|_| step.args.first().is_some_and(|sub| sub == "test")))
            .collect(),
        "gradle" | "gradlew" => {
            let projects: Vec<&str> = step
                .args
                .iter()
                .filter_map(|arg| arg.strip_prefix(':')?.split_once(':').map(|(project, _)| project))
                .collect();
            // With a task of the root beside them it runs all.
            if step.args.iter().any(|arg| matches!(arg.as_str(), "test" | "check" | "build")) {
                Vec::new()
            } else {
                projects
            }
        }
        "sbt" => step.args.iter().filter_map(|arg| arg.split_once("/test").map(|(project, _)| project)).collect(),
        "go" => {
            let all = step.args.iter().any(|arg| matches!(arg.as_str(), "./..." | "..." | "all" | "."));
            let folders = step
                .args
                .iter()
                .skip(1)
                .filter_map(|arg| arg.strip_prefix("./"))
                .map(|arg| arg.trim_end_matches("/...").trim_end_matches('/'));
            if all { Vec::new() } else { folders.collect() }
        }
        "bazel" | "bazelisk" | "buck2" => {
            let labels: Vec<&str> = step
                .args
                .iter()
                .filter_map(|arg| arg.strip_prefix("//"))
                .map(|label| label.split([':', '.']).next().unwrap_or(label).trim_end_matches('/'))
                .collect();
            if labels.iter().any(|label| label.is_empty()) { Vec::new() } else { labels }
        }
        // Tests named by their place: only where that is a package beside others.
        _ => {
            let places = step.args.iter().filter(|arg| !arg.starts_with('-') && arg.contains('/'));
            let found: Vec<&str> = places.clone().filter_map(|arg| package(arg).or_else(|| held(arg))).collect();
            if found.len() == places.count() { found } else { Vec::new() }
        }
    }
}

/// `packages/web`, `services/user`: the folder of a package itself.
fn held(path: &str) -> Option<&str> {
    let (holder, name) = path.trim_start_matches("./").trim_end_matches('/').split_once('/')?;
    (matches!(holder, "packages" | "crates" | "apps" | "services" | "libs" | "modules" | "plugins")
        && !name.contains('/'))
    .then_some(name)
}

/// The folder that a run was sent to by an option.
fn sent_to(step: &Step) -> Option<&str> {
    let flags: &[&str] = match step.program.as_str() {
        "npm" => &["--prefix", "-C"],
        "pnpm" => &["--dir", "-C"],
        "yarn" | "bun" => &["--cwd"],
        "make" | "gmake" | "go" | "ninja" | "meson" => &["-C"],
        "gradle" | "gradlew" => &["-p", "--project-dir"],
        "cargo" => &["--manifest-path", "-C"],
        "composer" => &["-d", "--working-dir"],
        "mvn" => &["-f", "--file"],
        "flutter" | "dart" | "mix" | "uv" => &["--directory", "--project"],
        _ => return None,
    };
    step.args.iter().enumerate().find_map(|(nth, arg)| match arg.split_once('=') {
        Some((name, value)) if flags.contains(&name) => Some(value),
        _ if flags.contains(&arg.as_str()) => step.args.get(nth + 1).map(String::as_str),
        _ => None,
    })
}

/// A run, and what it was told to speak of: looked at once for all edits.
pub(super) struct Run<'a> {
    step: &'a Step,
    base: &'a str,
    /// Where it ran.
    folder: String,
    /// The packages that it was told to run.
    told: Vec<&'a str>,
}

impl<'a> Run<'a> {
    pub(super) fn of(step: &'a Step, base: &'a str) -> Run<'a> {
        let at_base = step.cwd.as_deref().unwrap_or(base);
        let run_in = match sent_to(step) {
            Some(folder) if folder.starts_with('/') => folder.to_owned(),
            Some(folder) => normal(&format!("{at_base}/{folder}")),
            None => at_base.to_owned(),
        };
        let folder = run_in.trim_end_matches("/Cargo.toml").trim_end_matches("/pom.xml").to_owned();
        Run { step, base, folder, told: packages(step) }
    }

    /// Whether it speaks of an edit of `path`; where it is not clear that it is of another part, it does.
    pub(super) fn covers(&self, path: &str) -> bool {
        let Run { step, base, folder: run_in, told } = self;
        if path.is_empty() || step.remote {
            return true;
        }
        let edited = if path.starts_with('/') { path.to_owned() } else { normal(&format!("{base}/{path}")) };
        let Some(inside) = run_in.strip_prefix(*base).map(|rest| rest.trim_start_matches('/')) else {
            return outside(run_in, &edited, base, path);
        };
        let Some(edited_inside) = edited.strip_prefix(*base).map(|rest| rest.trim_start_matches('/')) else {
            // The edit lies elsewhere: by its absolute path, where the base is not known nothing is said.
            return *base == HERE || step.cwd.is_none();
        };
        if !inside.is_empty() && !edited_inside.starts_with(&format!("{inside}/")) {
            let first = inside.split('/').next().unwrap_or(inside);
            let of_all = OF_ALL.contains(&first) || first.starts_with("cmake-build") || first.starts_with("build");
            // A file of the root, or of the pipelines, belongs to all.
            let shared = !edited_inside.contains('/')
                || edited_inside.starts_with('.')
                || class(edited_inside) == Class::Config && package(edited_inside).is_none();
            let last = inside.rsplit('/').next().unwrap_or(inside);
            if !of_all && !shared && !alike(last, edited_inside.split('/').next().unwrap_or_default()) {
                return false;
            }
        }
        if told.is_empty() {
            return true;
        }
        if step.program == "go" {
            let folder = edited_inside.rsplit_once('/').map_or("", |(folder, _)| folder);
            let first = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
            return folder.is_empty()
                || class(edited_inside) == Class::Config
                || told.iter().any(|one| {
                    folder.starts_with(one)
                        || one.starts_with(folder)
                        || HOLDERS.contains(&first(folder).as_str())
                            && HOLDERS.contains(&first(one).as_str())
                            && shares_second(folder, one)
                        || OF_ALL.contains(&first(one).as_str())
                });
        }
        let Some(own) = package(edited_inside) else { return true };
        told.iter().any(|one| {
            let name = one.trim_start_matches(['.', '/', '@', '{', ':']).trim_end_matches(['.', '/', '}', '^']);
            name.split(['/', ',']).any(|part| alike(part, own)) || name == "*" || one.starts_with('!')
        })
    }
}

fn shares_second(one: &str, other: &str) -> bool {
    one.split('/').nth(1) == other.split('/').nth(1)
}

/// The run is outside of the folder that the project is taken for.
fn outside(run_in: &str, edited: &str, base: &str, path: &str) -> bool {
    if edited.starts_with(&format!("{run_in}/")) {
        return true;
    }
    let parent = base.rsplit_once('/').map_or("", |(parent, _)| parent);
    // `cd ../other`: beside the project. Higher up it may hold the project; a folder with a name of its own may be the project's own.
    let beside = run_in.strip_prefix(parent).is_some_and(|rest| rest.starts_with('/'));
    if beside {
        return false;
    }
    if base != HERE {
        // Higher up than the project: it holds it. Else it is elsewhere.
        return base.starts_with(&format!("{run_in}/")) || run_in.is_empty() || run_in == "/";
    }
    !path.starts_with('/') || run_in.starts_with("/.here")
}

/// An absolute path without `.` and `..`.
pub(super) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
