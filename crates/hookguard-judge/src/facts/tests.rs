//! What the record of a turn settles: freshness, cover, the user's own verification, and the lines for a model.

mod sessions;

use super::{Evidence, Fact, Facts, Verification, facts};
use crate::turn::{Command, Deed, EditedFile, Turn};

fn edit(path: &str, added: &str) -> Deed {
    Deed::Edit { files: vec![EditedFile { path: path.into(), added: added.into(), cut: false }], ok: Some(true) }
}

fn ran(command: &str, output: &str) -> Deed {
    Deed::Command(Command { command: command.into(), exit: Some(0), output: output.into(), ..Command::default() })
}

fn of(deeds: Vec<Deed>) -> Facts {
    with(deeds, &Verification::default())
}

fn with(deeds: Vec<Deed>, verification: &Verification) -> Facts {
    facts(&Turn { prompt: Some("Add a filter and commit.".into()), deeds }, verification)
}

const GREEN: &str = "3 passed in 0.1s";

#[test]
fn an_edit_makes_stale_what_ran_before() {
    let cases: &[(Deed, bool)] = &[
        (edit("src/b.py", "x = 2"), true),
        (edit("tests/test_b.py", "assert b() == 2"), true),
        (edit("setup.cfg", "python_requires = >=3.12"), true),
        (edit("README.md", "# B"), false),
        (edit("src/b.py", "# why it is two"), false),
        (edit(".gitignore", "dist/"), false),
        (
            Deed::Edit {
                files: vec![EditedFile { path: "src/b.py".into(), ..EditedFile::default() }],
                ok: Some(false),
            },
            false,
        ),
        (ran("sed -i 's/1/2/' src/b.py", ""), true),
        (ran("perl -pi -e 's/1/2/' src/b.py", ""), true),
        (ran("sed -n 1,5p src/b.py", "x = 1"), false),
        (ran("cat > src/b.py <<'X'\nx = 2\nX", ""), true),
        (ran("echo note >> notes.md", ""), false),
        (ran("python - <<'X'\nopen('src/b.py', 'w').write('x = 2')\nX", ""), true),
        (ran("python -c 'print(1)'", "1"), false),
        (ran("mv src/b.py src/c.py", ""), true),
        (ran("npx prettier --write .", ""), true),
        (ran("black .", "12 files left unchanged."), false),
        (ran("git merge origin/main", "Merge made by the 'ort' strategy."), true),
        (ran("git merge origin/main", "Already up to date."), false),
        (ran("git stash && git stash pop", ""), false),
        (ran("git checkout -- src/b.py", ""), true),
        (ran("git status", ""), false),
        (ran("npm install left-pad", ""), true),
        (ran("npm ci", ""), false),
        (ran("pytest -q > out.txt", ""), false),
    ];
    for (deed, stale) in cases {
        let found = of(vec![edit("src/a.py", "x = 1"), ran("pytest -q", GREEN), deed.clone()]);
        assert_eq!(found.hold(Fact::Verified), !stale, "{deed:?}: {:?}", found.held);
        assert_eq!(found.hold(Fact::Unverified), *stale, "{deed:?}: {:?}", found.held);
    }
}

#[test]
fn a_run_speaks_of_the_part_that_it_tests() {
    let cases: &[(&str, &str, bool)] = &[
        ("crates/lexer/src/a.rs", "cargo test -p lexer", true),
        ("crates/lexer/src/a.rs", "cargo test -p acme-lexer", true),
        ("crates/lexer/src/a.rs", "cargo test -p parser", false),
        ("src/a.rs", "cargo test -p parser", true),
        ("packages/web/src/a.ts", "pnpm --filter @acme/web test", true),
        ("packages/web/src/a.ts", "pnpm --filter @acme/api test", false),
        ("packages/web/src/a.ts", "cd packages/web && npm test", true),
        ("packages/web/src/a.ts", "cd packages/api && npm test", false),
        ("packages/web/src/a.ts", "npm --prefix packages/api test", false),
        ("packages/web/src/a.ts", "npm test", true),
        ("apps/web/a.ts", "npx nx test web", true),
        ("apps/web/a.ts", "npx nx test admin", false),
        ("billing/tax.go", "go test ./billing/...", true),
        ("billing/tax.go", "go test ./user/...", false),
        ("billing/tax.go", "go test ./...", true),
        ("api/a.py", "cd web && npm test", false),
        ("api/a.py", "cd tests && pytest", true),
        ("src/a.c", "make -C build check", true),
        ("package.json", "cd web && npm test", true),
        ("shop/src/main/java/A.java", "./gradlew :shop:test", true),
        ("shop/src/main/java/A.java", "./gradlew :mail:test", false),
        ("shop/src/main/java/A.java", "./gradlew test", true),
        ("shop/src/main/java/A.java", "mvn -pl mail test", false),
        ("src/a.py", "cd ../other && pytest", false),
        ("src/a.py", "pytest tests/test_a.py", true),
        ("services/user/a.py", "pytest services/order", false),
    ];
    for (path, command, covered) in cases {
        let found = of(vec![edit(path, "x = 1"), ran(command, GREEN)]);
        assert_eq!(found.hold(Fact::Verified), *covered, "{path}, {command}: {:?}", found.held);
    }
}

#[test]
fn lesser_edits_need_lesser_checks() {
    for (edits, check, enough) in [
        (ran("npx prettier --write .", ""), "npx prettier --check .", true),
        (edit("src/a.ts", "x = 1"), "npx prettier --check .", false),
        (edit("Dockerfile", "RUN make"), "docker build .", true),
        (edit("src/a.ts", "x = 1"), "npm run build", false),
        (edit("infra/a.tf", "x = 1"), "terraform validate", true),
        (edit("src/a.ts", "x = 1"), "npx tsc --noEmit", false),
        (edit("src/a.ts", "x = 1"), "npx jest --listTests", false),
    ] {
        let found = of(vec![edits.clone(), ran(check, "ok")]);
        assert_eq!(found.hold(Fact::Verified), enough, "{edits:?}, {check}: {:?}", found.held);
    }
}

#[test]
fn the_users_own_verification_counts() {
    let own = Verification { required: vec![], own: vec![("just shake".into(), Evidence::Manual)] };
    let deeds = || vec![edit("src/a.rs", "let x = 1;"), ran("just shake --fast", "fine")];
    assert!(with(deeds(), &own).hold(Fact::Verified));
    assert!(!with(deeds(), &Verification::default()).hold(Fact::Verified));
    let longer = Verification { required: vec![], own: vec![("just shake-it".into(), Evidence::Manual)] };
    assert!(!with(deeds(), &longer).hold(Fact::Verified));
}

#[test]
fn all_kinds_that_are_required_must_have_run() {
    let both = Verification { required: vec![Evidence::Unit, Evidence::E2e], own: vec![] };
    let unit = || ran("npx vitest run", "Tests  3 passed (3)");
    let e2e = || ran("npx playwright test", "3 passed (2.0s)");
    let code = || edit("src/a.ts", "x = 1");
    assert!(!with(vec![code(), unit()], &both).hold(Fact::Verified));
    assert!(with(vec![code(), unit(), e2e()], &both).hold(Fact::Verified));
    assert!(!with(vec![code(), unit(), code(), e2e()], &both).hold(Fact::Verified));
    let commit = || ran("git commit -am x", "[main 1a2b3c4] x");
    assert!(with(vec![code(), unit(), commit()], &both).hold(Fact::SharedUnverified));
}

#[test]
fn a_red_run_stays_red_until_as_much_is_green() {
    let red = || {
        let output = "2 failed, 30 passed in 3s".into();
        Deed::Command(Command { command: "pytest -q".into(), exit: Some(1), output, ..Command::default() })
    };
    let code = || edit("src/a.py", "x = 1");
    assert!(of(vec![code(), red()]).hold(Fact::Red));
    assert!(of(vec![code(), red(), ran("pytest -q tests/test_a.py", GREEN)]).hold(Fact::Red));
    assert!(!of(vec![code(), red(), ran("pytest -q", GREEN)]).hold(Fact::Red));
    assert!(!of(vec![red()]).hold(Fact::Red));
}

#[test]
fn the_background_is_pending_until_it_is_read() {
    let begun =
        Deed::Command(Command { command: "mix test > /tmp/m.log".into(), background: true, ..Command::default() });
    let code = || edit("lib/a.ex", "x = 1");
    assert!(of(vec![code(), begun.clone()]).hold(Fact::BackgroundPending));
    let read = ran("tail -2 /tmp/m.log", "12 tests, 0 failures");
    let found = of(vec![code(), begun.clone(), read.clone()]);
    assert!(found.hold(Fact::Verified) && !found.hold(Fact::BackgroundPending));
    // What was edited while it ran is not what it tested.
    assert!(of(vec![code(), begun, code(), read]).hold(Fact::Unverified));
}

#[test]
fn the_lines_say_what_ran_and_keep_secrets() {
    let found = of(vec![
        edit("src/a.rs", "let x = 1;"),
        ran("cargo test", "test result: ok. 42 passed; 0 failed; 0 ignored"),
        ran(
            "GH_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789 gh pr create --title ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "https://x/1",
        ),
    ]);
    assert!(found.lines.len() <= 6);
    assert_eq!(found.lines[0], "edited: src/a.rs");
    assert_eq!(
        found.lines[1],
        "after the last code edit: cargo test => passed (test result: ok. 42 passed; 0 failed; 0 ignored)"
    );
    assert!(found.lines[2].starts_with("shared: gh pr create"), "{:?}", found.lines);
    assert!(!found.lines.concat().contains("abcdefghij"), "{:?}", found.lines);
    let forged = of(vec![edit("src/a.rs", "let x = 1;"), ran("pytest -k 'a => passed'", "1 failed, 2 passed")]);
    assert_eq!(forged.lines[1], "after the last code edit: pytest -k a -> passed => failed (1 failed, 2 passed)");
    let nothing = of(vec![edit("src/a.rs", "let x = 1;")]);
    assert_eq!(nothing.lines[1], "after the last code edit: nothing ran that verifies it");
}

#[test]
fn no_text_is_too_odd() {
    let odd = [
        "",
        "\u{0}",
        "'",
        "$(",
        "<<X",
        "é|ü&&",
        "\u{1b}[31m",
        "((",
        "a=(",
        "*** Update File: ",
        "::",
        "9999999999999999999999 passed",
        "|||",
        "…\n…",
        "\u{1f389} && \u{1f389}",
    ];
    for one in odd {
        for other in odd {
            let command = Command { command: format!("{one}{other}"), output: other.into(), ..Command::default() };
            let turn = Turn {
                prompt: Some(format!("{other}{one}")),
                deeds: vec![
                    edit(one, other),
                    Deed::Command(command.clone()),
                    Deed::Subagent { report: one.into() },
                    Deed::Command(command),
                ],
            };
            assert!(facts(&turn, &Verification::default()).known);
        }
    }
}

#[test]
fn long_turns_cost_no_more_than_their_length() {
    let line = "git init x && cd x; echo a > b.py; (pytest | tail -1) && ".repeat(1500) + "true";
    let deeds = [edit("src/a.py", "x = 1"), ran(&line, &"1 passed\n".repeat(5000))];
    let many = deeds.iter().cycle().take(4).cloned().collect();
    assert!(of(many).known);
}
