//! Programs by name and subcommand, by the rows of `rows.rs` and by what their words say beyond them.

use super::super::Evidence::{E2e, Integration, Unit};
use super::Kind::{Build, ConfigCheck, Deploy, Lint, Listed, Log, Look, Other, Publish, Run, Test};
use super::rows::{NOTHING, PLAIN, ROWS, TASKS};
use super::{Kind, Words, scripts, tasks};

/// `None` where nothing is known of the program.
pub(super) fn kind(words: &Words<'_>) -> Option<Kind> {
    if words.has(&["-n"]) && matches!(words.program, "make" | "gmake" | "ninja" | "just") {
        return Some(Look);
    }
    let operands = words.operands();
    let found = special(words, &operands).or_else(|| row(words, &operands)).or_else(|| task(words, &operands));
    Some(match found {
        Some(Test(_)) if runs_nothing(words) => Listed,
        Some(Test(evidence)) => Test(tasks::evidence_of(words.args, evidence)),
        Some(Kind::Migrate) if !words.on_production() => {
            if words.is_dry() {
                Look
            } else {
                Run
            }
        }
        Some(Deploy) if words.has(&["--check", "--diff", "-check"]) && words.program.starts_with("ansible") => {
            ConfigCheck
        }
        Some(found) => found,
        None if !is_of_the_project(words) && PLAIN.contains(&format!(" {} ", words.program)) => plain(words),
        None => return None,
    })
}

fn row(words: &Words<'_>, operands: &[&str]) -> Option<Kind> {
    let fits = |subs: &str| {
        subs.is_empty()
            || subs.split('|').any(|sub| {
                let mut rest = operands.iter();
                sub.split(' ').filter(|word| !word.starts_with('-')).all(|word| rest.next() == Some(&word))
            })
    };
    ROWS.iter().find(|(program, subs, _)| *program == words.program && fits(subs)).map(|row| row.2)
}

/// What a program's words say beyond a row.
fn special(words: &Words<'_>, operands: &[&str]) -> Option<Kind> {
    let first = operands.first().copied().unwrap_or_default();
    let any = |of: &[&str]| words.args.iter().any(|arg| of.contains(&arg.as_str()));
    match words.program {
        "python" | "python3" | "pypy3" | "py" => {
            let module = words.args.iter().position(|arg| arg == "-m");
            let at = module?;
            let name = words.args.get(at + 1)?;
            let inner =
                Words { program: name, written: name, args: words.args.get(at + 2..).unwrap_or_default(), ..*words };
            match name.as_str() {
                "unittest" | "doctest" => Some(Test(Unit)),
                "build" => Some(Build),
                "py_compile" | "compileall" | "tabnanny" | "json.tool" => Some(Lint),
                "pip" | "venv" | "ensurepip" | "http.server" => Some(Other),
                "coverage" => Some(if any(&["run"]) { Test(Unit) } else { Look }),
                _ => Some(super::of(&inner)),
            }
        }
        "coverage" => Some(if first == "run" { Test(Unit) } else { Look }),
        "node" | "tsx" | "ts-node" if words.has(&["--test"]) => Some(Test(Unit)),
        "node" if words.has(&["--check", "-c"]) => Some(Lint),
        "php" if words.has(&["-l"]) => Some(Lint),
        "php" if first.ends_with("artisan") => {
            let at = words.args.iter().position(|arg| arg.ends_with("artisan"))?;
            let inner = Words { program: "artisan", args: words.args.get(at + 1..).unwrap_or_default(), ..*words };
            row(&inner, &inner.operands())
        }
        "ruby" if words.has(&["-c"]) => Some(Lint),
        "ruby" if any(&["-Itest", "-Ispec"]) || first.ends_with("_test.rb") || first.ends_with("_spec.rb") => {
            Some(Test(Unit))
        }
        "bash" | "sh" | "zsh" if words.has(&["-n"]) => Some(Lint),
        "perl" if words.has(&["-c"]) => Some(Lint),
        "Rscript" | "R" => {
            let code = |arg: &String| {
                ["testthat", "devtools::test", "tinytest", "testit", "check()"].iter().any(|of| arg.contains(of))
            };
            words.args.iter().any(code).then_some(Test(Unit))
        }
        "julia" if words.args.iter().any(|arg| arg.contains("Pkg.test") || arg.contains("test/runtests.jl")) => {
            Some(Test(Unit))
        }
        "emacs" if words.args.iter().any(|arg| arg.contains("ert-run-tests")) => Some(Test(Unit)),
        "clj" | "clojure" | "clojure-cli" => words
            .args
            .iter()
            .any(|arg| arg.starts_with('-') && arg.contains(":test") || arg.contains("kaocha"))
            .then_some(Test(Unit)),
        "go" if first == "test" => {
            let none = |value: &str| matches!(value, "^$" | "NONE" | "XXX" | "^a$" | "nothing");
            let skipped = words.value(&["-run", "--run"]).is_some_and(none)
                && !words.args.iter().any(|arg| arg.starts_with("-bench"));
            (skipped || any(&["-c", "-list"]) || words.has(&["-list"])).then_some(Listed)
        }
        "ctest" if any(&["-N"]) => Some(Listed),
        "cmake" if words.has(&["--build"]) => {
            let target = words.value(&["--target", "-t"]).map(tasks::words_of).unwrap_or_default();
            target.iter().any(|word| word == "test" || word == "check").then_some(Test(Unit))
        }
        "xcodebuild" if any(&["test", "test-without-building"]) => Some(Test(Unit)),
        "mvn" | "mvnw" => maven(words, operands),
        "gradle" | "gradlew" => gradle(words, operands),
        "sbt" | "mill" | "lein" if words.args.iter().any(|arg| arg.to_lowercase().contains("test")) => Some(Test(Unit)),
        "sbt" if words.args.iter().any(|arg| arg.contains("publish")) => Some(Publish),
        "nx" | "turbo" => {
            let named = words
                .value(&["-t", "--target", "--targets"])
                .or_else(|| operands.iter().copied().find(|word| !matches!(*word, "run" | "run-many" | "affected")))?;
            // `nx run shop:test:ci`: the project first.
            tasks::kind(if words.program == "nx" {
                named.split_once(':').map_or(named, |(_, task)| task)
            } else {
                named
            })
        }
        "tox" | "nox" => {
            let session = words.value(&["-e", "-s", "--session", "--env"]).unwrap_or("test");
            Some(tasks::kind(session).unwrap_or(Test(Unit)))
        }
        "docker" if any(&["--push"]) && operands.contains(&"build") => Some(Publish),
        "docker" | "docker-compose" if operands.contains(&"up") => Some(if words.remote { Deploy } else { Other }),
        "docker-compose" => row(&Words { program: "docker", ..*words }, &[&["compose"], operands].concat()),
        "kubectl" if words.args.iter().any(|arg| arg.starts_with("--dry-run") && arg != "--dry-run=none") => {
            Some(ConfigCheck)
        }
        "kubectl" if first == "diff" => Some(ConfigCheck),
        "helm" if words.has(&["--dry-run"]) => Some(ConfigCheck),
        "rsync" | "scp" => {
            let target = operands.last().copied().unwrap_or_default();
            let away = target.split_once(':').is_some_and(|(host, _)| !host.contains('/') && host.len() > 1);
            Some(if away && !words.has(&["-n", "--dry-run"]) { Deploy } else { Other })
        }
        "ssh" | "mosh" => Some(Other),
        "cargo" if first == "publish" && words.has(&["--dry-run", "-n"]) => Some(Build),
        "bun" if first.ends_with(".ts") || first.ends_with(".js") || first.ends_with(".tsx") => Some(Run),
        "goreleaser" if words.has(&["--snapshot", "--skip-publish"]) => Some(Build),
        "fastlane" => tasks::kind(operands.last().copied().unwrap_or_default()),
        "systemctl" | "service" if words.remote && any(&["restart", "reload", "start"]) => Some(Deploy),
        "lerna" if operands.contains(&"publish") => Some(Publish),
        "yarn" if operands.contains(&"publish") && operands.contains(&"npm") => Some(Publish),
        // `yarn workspace NAME test`
        "yarn" if first == "workspace" => {
            let task = operands.get(2).copied().unwrap_or_default();
            tasks::kind(if task == "run" { operands.get(3).copied().unwrap_or_default() } else { task })
        }
        _ => None,
    }
}

fn maven(words: &Words<'_>, operands: &[&str]) -> Option<Kind> {
    let skips = words.args.iter().any(|arg| {
        (arg.starts_with("-DskipTests") || arg.starts_with("-Dmaven.test.skip")) && !arg.ends_with("=false")
    });
    let any = |of: &[&str]| operands.iter().any(|goal| of.contains(goal));
    Some(match () {
        () if any(&["deploy", "release:perform", "release:prepare", "jib:build"]) => Publish,
        () if any(&[
            "test",
            "verify",
            "package",
            "install",
            "surefire:test",
            "failsafe:verify",
            "integration-test",
        ]) =>
        {
            if skips {
                Build
            } else {
                Test(if any(&["verify", "integration-test"]) { Integration } else { Unit })
            }
        }
        () if operands.iter().any(|goal| goal.ends_with(":apply") || goal.ends_with(":format")) => Kind::Format,
        () if operands.iter().any(|goal| goal.ends_with(":run") || goal.ends_with(":java")) => Run,
        () if operands.iter().any(|goal| goal.ends_with(":check") || goal.contains("checkstyle")) => Lint,
        () => Build,
    })
}

fn gradle(words: &Words<'_>, operands: &[&str]) -> Option<Kind> {
    let excluded: Vec<&str> = words
        .args
        .windows(2)
        .filter(|pair| matches!(pair, [flag, _] if flag == "-x" || flag == "--exclude-task"))
        .filter_map(|pair| pair.get(1).map(String::as_str))
        .collect();
    let tests_excluded = excluded.iter().any(|task| task.to_lowercase().contains("test"));
    let goals =
        operands.iter().filter(|task| !excluded.contains(task)).map(|task| task.rsplit(':').next().unwrap_or(task));
    let kinds: Vec<Kind> = goals
        .filter_map(|goal| match goal {
            // The lifecycle's own: they run the tests.
            "build" | "check" | "test" | "allTests" | "buildNeeded" => {
                Some(if tests_excluded { Build } else { Test(Unit) })
            }
            "assemble" | "jar" | "classes" | "testClasses" | "compileJava" | "compileKotlin" | "compileTestKotlin"
            | "compileTestJava" => Some(Build),
            "bootRun" | "run" => Some(Run),
            "publishToMavenLocal" => Some(Build),
            other if other.starts_with("publish") || other.starts_with("upload") => Some(Publish),
            other if other.starts_with("connected") || other.starts_with("device") => Some(Test(E2e)),
            "spotlessApply" | "ktlintFormat" => Some(Kind::Format),
            "spotlessCheck" | "ktlintCheck" => Some(Kind::FormatCheck),
            "dependencies" | "tasks" | "projects" | "properties" | "clean" => Some(Look),
            other => tasks::kind(other),
        })
        .collect();
    let share = kinds.iter().find(|kind| kind.is_share());
    let test = kinds.iter().find(|kind| matches!(kind, Test(_)));
    share.or(test).or_else(|| kinds.first()).copied().or(Some(Build))
}

/// A runner of named tasks: the strongest of the names that it is given.
fn task(words: &Words<'_>, operands: &[&str]) -> Option<Kind> {
    let names = TASKS.iter().filter(|(program, _)| *program == words.program).find_map(|(_, subs)| {
        if subs.is_empty() {
            return Some(operands);
        }
        subs.split('|').find_map(|sub| {
            let skip = sub.split(' ').filter(|word| !word.starts_with('-')).count();
            let fits = sub.split(' ').filter(|word| !word.starts_with('-')).zip(operands).all(|(want, is)| want == *is);
            if fits && operands.len() > skip { operands.get(skip..) } else { None }
        })
    })?;
    let many =
        matches!(words.program, "make" | "gmake" | "just" | "rake" | "ant" | "ninja" | "task" | "gulp" | "grunt");
    let taken = if many { names } else { names.get(..1).unwrap_or_default() };
    if names.is_empty() {
        return Some(if matches!(words.program, "make" | "gmake" | "ninja" | "ant") { Build } else { Other });
    }
    let kinds: Vec<Kind> =
        taken.iter().filter(|name| !name.contains('=')).filter_map(|name| task_named(words, name)).collect();
    let share = kinds.iter().find(|kind| kind.is_share());
    let test = kinds.iter().find(|kind| matches!(kind, Test(_)));
    Some(share.or(test).or_else(|| kinds.first()).copied().unwrap_or(Other))
}

fn task_named(words: &Words<'_>, name: &str) -> Option<Kind> {
    if matches!(words.program, "rails" | "rake") && (name.starts_with("db:migrate") || name.starts_with("data:migrate"))
    {
        return Some(Kind::Migrate);
    }
    // `yarn jest`, `pnpm vitest run`: a program, not a script.
    let inner = Words { program: name, written: name, args: &[], ..*words };
    tasks::kind(name).or_else(|| ROWS.iter().any(|row| row.0 == name).then(|| super::of(&inner)))
}

/// Whether the flags make a runner run nothing.
fn runs_nothing(words: &Words<'_>) -> bool {
    let own = words.args.split(|arg| arg == "--").next().unwrap_or_default();
    let listed = |args: &[String]| args.iter().any(|arg| NOTHING.contains(&arg.split('=').next().unwrap_or(arg)));
    listed(own)
        || words.args.iter().any(|arg| arg == "--list")
        || matches!(words.program, "playwright") && words.has(&["--list"])
}

/// Whether the program is named by where it lies in the project: `./export` is not the shell's own.
fn is_of_the_project(words: &Words<'_>) -> bool {
    words.written.contains('/') && !words.written.starts_with(['/', '~'])
}

/// Tools of the shell: a log read is a log.
fn plain(words: &Words<'_>) -> Kind {
    let reads =
        matches!(words.program, "cat" | "bat" | "less" | "head" | "tail" | "grep" | "egrep" | "rg" | "zgrep" | "zcat");
    let is_log = |arg: &String| {
        let name = arg.rsplit('/').next().unwrap_or(arg);
        !arg.starts_with('-')
            && (name.ends_with(".log")
                || name.contains(".log.")
                || arg.contains("/var/log/")
                || arg.contains("/logs/") && !scripts::is_source(name))
    };
    if reads && words.args.iter().any(is_log) { Log } else { Look }
}

/// Whether a command, run on another machine, changes what runs there.
pub(super) fn changes_a_host(words: &Words<'_>) -> bool {
    !matches!(
        words.program,
        "curl" | "wget" | "http" | "psql" | "mysql" | "sqlite3" | "redis-cli" | "diff" | "cmp" | "dig" | "nc"
    )
}
