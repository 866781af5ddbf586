//! Configuration by the binary: every layer broken under both agents, what people are told, and the commands about it.

use anyhow::{Context, ensure};
use hookguard_integration::{Finished, Invocation, Sandbox, binary, terminal};
use serde_json::{Value, json};

const AGENTS: [&str; 2] = ["claude", "codex"];

/// The layers' files, from the one with the most authority on.
const LAYERS: [(&str, &str); 4] = [
    ("managed", "managed.toml"),
    ("user", "home/.config/hookguard/config.toml"),
    ("project", "project/hookguard.toml"),
    ("local", "project/hookguard.local.toml"),
];

/// A stricter level, which every layer may set.
const STRICT: &str = "version = 1\n[rules]\n\"git.stash.drop\" = \"deny\"\n";

/// The hook, by the build that takes another place for the administrator's file.
fn hook(sandbox: &Sandbox, agent: &str, event: &str, payload: &Value) -> anyhow::Result<Finished> {
    program(sandbox, &["hook", agent, event])?.stdin(payload.to_string()).run()
}

fn program(sandbox: &Sandbox, args: &[&str]) -> anyhow::Result<Invocation> {
    let program = sandbox.program(binary::hookguard_with_faults()?).args(args);
    Ok(program.env("HOOKGUARD_TEST_MANAGED", sandbox.root().join("managed.toml")))
}

fn run(sandbox: &Sandbox, agent: &str, session: &str, command: &str) -> anyhow::Result<Answer> {
    let payload = json!({
        "session_id": session, "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": command }, "tool_use_id": "c1",
    });
    let done = hook(sandbox, agent, "PreToolUse", &payload)?;
    ensure!(done.code() == Some(0), "{done:?}");
    if done.stdout.is_empty() {
        return Ok(Answer::default());
    }
    let answer: Value = serde_json::from_str(&done.stdout)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let specific = &answer["hookSpecificOutput"];
    Ok(Answer {
        decision: text(&specific["permissionDecision"]),
        reason: text(&specific["permissionDecisionReason"]),
        note: text(&answer["systemMessage"]),
    })
}

#[derive(Debug, Default)]
struct Answer {
    decision: String,
    reason: String,
    note: String,
}

#[test]
fn a_file_that_breaks_is_replaced_by_its_last_good_version_in_every_layer() -> anyhow::Result<()> {
    for agent in AGENTS {
        for (layer, file) in LAYERS {
            let what = format!("{agent}, {layer}");
            let sandbox = Sandbox::new()?;
            sandbox.write(file, STRICT)?;
            let dropped = run(&sandbox, agent, "s1", "git stash drop")?;
            assert_eq!(dropped.decision, "deny", "{what}: {dropped:?}");
            assert!(dropped.reason.contains("git.stash.drop"), "{what}: {dropped:?}");

            // The human saves half a line while the agent runs.
            sandbox.write(file, "version = 1\n[rules]\n\"git.stash.drop\" = \"dney\"\n")?;
            let first = run(&sandbox, agent, "s1", "git stash drop")?;
            assert_eq!(first.decision, "deny", "{what}: {first:?}");
            assert!(first.note.contains("3:20") && first.note.contains("did you mean `deny`?"), "{what}: {first:?}");
            assert!(first.note.contains("its last good version stands"), "{what}: {first:?}");
            for command in ["git stash drop", "cargo build", "git push -f"] {
                let later = run(&sandbox, agent, "s1", command)?;
                assert_eq!(later.note, "", "{what}: told once: {later:?}");
                assert_eq!(later.decision.is_empty(), command == "cargo build", "{what}: {later:?}");
            }
            // And mends it, still in the same session.
            sandbox.write(file, "version = 1\n[rules]\n\"git.clean\" = \"deny\"\n")?;
            let mended = run(&sandbox, agent, "s1", "git clean -fd")?;
            assert!(mended.reason.contains("git.clean") && mended.decision == "deny", "{what}: {mended:?}");
            assert_eq!(mended.note, "", "{what}");
            let log = sandbox.decisions()?;
            let noted = log.iter().filter(|line| line["note"].as_str().unwrap_or_default().contains("3:20")).count();
            assert_eq!(noted, 1, "{what}: logged once");
        }
    }
    Ok(())
}

#[test]
fn a_file_that_never_worked_leaves_the_built_in_policy() -> anyhow::Result<()> {
    let broken: [(&str, &[u8]); 4] = [
        ("no TOML", b"version = 1\n[rules\n"),
        ("another version", b"version = 2\n"),
        ("no text", b"version = 1\n# caf\xe9\n"),
        (
            "a rule that can't be meant",
            b"version = 1\n[[rule]]\nid = \"a.b\"\nlevel = \"deny\"\nreason = \"r\"\ninstead = \"i\"\n",
        ),
    ];
    for agent in AGENTS {
        for (layer, file) in LAYERS {
            for (what, bytes) in broken {
                let sandbox = Sandbox::new()?;
                sandbox.write(file, bytes)?;
                let what = format!("{agent}, {layer}, {what}");
                let allowed = run(&sandbox, agent, "s1", "cargo build")?;
                assert_eq!(allowed.decision, "", "{what}: never asks on a call that the policy lets pass");
                assert!(allowed.note.contains("the policy without it stands"), "{what}: {allowed:?}");
                let refused = run(&sandbox, agent, "s1", "git push -f")?;
                assert_eq!((refused.decision.as_str(), refused.note.as_str()), ("deny", ""), "{what}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_project_tightens_at_once_and_loosens_only_when_trusted() -> anyhow::Result<()> {
    for agent in AGENTS {
        for file in ["project/hookguard.toml", "project/hookguard.local.toml"] {
            let sandbox = Sandbox::new()?;
            let text = "version = 1\nmode = \"observe\"\n[rules]\n\"git.push.force\" = \"off\"\n\"git.clean\" = \"deny\"\n\
                        [[policy]]\nid = \"team.run\"\non = \"pre_tool\"\ncommand = \"touch ran\"\n\
                        [[stop.check]]\nid = \"tests\"\ncommand = \"touch ran\"\n";
            sandbox.write(file, text)?;
            let clean = run(&sandbox, agent, "s1", "git clean -fd")?;
            assert_eq!(clean.decision, "deny", "{agent} {file}");
            assert!(clean.note.contains("loosens the policy; `hookguard trust` makes it count"), "{clean:?}");
            assert!(clean.note.contains("and 1 more"), "four things are held back, three are told: {clean:?}");
            let force = run(&sandbox, agent, "s1", "git push -f")?;
            assert_eq!((force.decision.as_str(), force.note.as_str()), ("deny", ""), "{agent} {file}");
            let edit = json!({ "session_id": "s1", "cwd": sandbox.project(), "hook_event_name": "PostToolUse",
                "tool_name": "Write", "tool_input": { "file_path": sandbox.project().join("a"), "content": "" },
                "tool_response": {}, "tool_use_id": "c9" });
            hook(&sandbox, agent, "PostToolUse", &edit)?;
            let stop = json!({ "session_id": "s1", "cwd": sandbox.project(), "hook_event_name": "Stop",
                "stop_hook_active": false, "last_assistant_message": "x" });
            assert_eq!(hook(&sandbox, agent, "Stop", &stop)?.stdout, "");
            assert!(!sandbox.project().join("ran").exists(), "{agent} {file}: nothing of it ran");

            // The administrator's word for just this content.
            let shown = program(&sandbox, &["config", "show", "--json"])?.run()?.success()?;
            let shown: Value = serde_json::from_str(&shown)?;
            assert_eq!(shown["held"].as_array().map(Vec::len), Some(4), "{shown}");
            let hash = sha256(&sandbox, file)?;
            sandbox.write("managed.toml", format!("version = 1\ntrusted = [\"{hash}\"]\n"))?;
            let force = run(&sandbox, agent, "s1", "git push -f")?;
            assert_eq!(force.decision, "", "{agent} {file}: {force:?}");
            assert!(sandbox.project().join("ran").exists(), "{agent} {file}: the policy ran");
            sandbox.write(file, format!("{text}# another content\n"))?;
            assert_eq!(run(&sandbox, agent, "s1", "git push -f")?.decision, "deny", "{agent} {file}");
        }
    }
    Ok(())
}

fn sha256(sandbox: &Sandbox, file: &str) -> anyhow::Result<String> {
    let path = sandbox.root().join(file);
    let printed = sandbox.program("sha256sum").args([path.as_os_str()]).run()?.success()?;
    Ok(format!("sha256:{}", printed.split(' ').next().context("failed to read sha256sum's output")?))
}

#[test]
fn what_the_administrator_sets_is_a_floor() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    sandbox.write("managed.toml", "version = 1\nmode = \"enforce\"\n[rules]\n\"git.push.force\" = \"deny\"\n")?;
    sandbox.write(
        LAYERS[1].1,
        "version = 1\nmode = \"observe\"\n[rules]\n\"git.push.force\" = \"off\"\n\"git.clean\" = \"off\"\n",
    )?;
    for agent in AGENTS {
        let force = run(&sandbox, agent, "s1", "git push -f")?;
        assert_eq!(force.decision, "deny", "{agent}: {force:?}");
        assert_eq!(run(&sandbox, agent, "s1", "git clean -fd")?.decision, "", "what is not managed is the user's");
    }
    let shown = program(&sandbox, &["config", "show", "--origin"])?.run()?.success()?;
    assert!(shown.contains("the managed file sets it, and it can only be tightened"), "{shown}");
    let line = shown.lines().find(|line| line.starts_with("\"git.push.force\"")).context("failed to find the rule")?;
    assert!(line.contains("managed.toml:4:1"), "{line}");
    assert!(
        shown.lines().any(|line| line.starts_with("\"git.clean\" = \"off\"") && line.contains("config.toml:5:1")),
        "{shown}"
    );
    Ok(())
}

#[test]
fn observing_computes_and_logs_and_enforces_nothing() -> anyhow::Result<()> {
    for agent in AGENTS {
        let sandbox = Sandbox::new()?;
        sandbox.write(LAYERS[1].1, "version = 1\n[rules]\n\"git.push.force\" = \"observe\"\n")?;
        assert_eq!(run(&sandbox, agent, "s1", "git push -f")?.decision, "");
        assert_eq!(run(&sandbox, agent, "s1", "git push -f; rm -rf ~")?.decision, "deny", "the others are enforced");
        sandbox.write(LAYERS[1].1, "version = 1\nmode = \"observe\"\n")?;
        assert_eq!(run(&sandbox, agent, "s1", "git push -f")?.decision, "");
        let log = sandbox.decisions()?;
        let seen: Vec<String> = log
            .iter()
            .map(|line| format!("{} {} {} {}", line["decision"], line["rule"], line["observed"], line["mode"]))
            .collect();
        assert_eq!(
            seen,
            [
                "\"allow\" null [\"git.push.force\"] null",
                "\"deny\" \"fs.delete.home\" [\"git.push.force\"] null",
                "\"deny\" \"git.push.force\" null \"observe\"",
            ]
        );
    }
    Ok(())
}

#[test]
fn no_variable_switches_the_hook_off() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let loose =
        sandbox.write("loose.toml", "version = 1\nmode = \"observe\"\n[rules]\n\"git.push.force\" = \"off\"\n")?;
    let payload = json!({ "session_id": "s", "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "git push -f" } });
    let hook = sandbox.hookguard(["hook", "claude", "PreToolUse"])?.env("HOOKGUARD_CONFIG", &loose);
    assert!(hook.stdin(payload.to_string()).run()?.stdout.contains("\"deny\""));
    let managed = sandbox.hookguard(["hook", "claude", "PreToolUse"])?.env("HOOKGUARD_TEST_MANAGED", &loose);
    assert!(managed.stdin(payload.to_string()).run()?.stdout.contains("\"deny\""));
    let check = sandbox.hookguard(["check", "git push -f"])?.env("HOOKGUARD_CONFIG", &loose).run()?;
    assert_eq!(check.code(), Some(0), "the commands for people take it: {check:?}");
    let check = sandbox.hookguard(["check", "--config", "missing.toml", "git push -f"])?.run()?;
    assert!(check.code() == Some(2) && check.stderr.contains("it is not there"), "{check:?}");
    Ok(())
}

#[test]
fn validate_shows_the_line_and_what_was_meant() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    sandbox.write(
        LAYERS[2].1,
        "version = 1\n[rules]\n\"git.push.froce\" = \"deny\"\n\"git.clean\" = \"off\"\n\n[lists]\n\tprod_wrds = [\"live\"]\n",
    )?;
    let done = sandbox.hookguard(["config", "validate"])?.run()?;
    assert_eq!(done.code(), Some(2), "{done:?}");
    let path = sandbox.project().join("hookguard.toml");
    let shown = done.stdout.replace(path.to_str().unwrap(), "hookguard.toml");
    assert_eq!(
        shown,
        "error: hookguard.toml:7:2: the key `prod_wrds` is not known here\n  |\n7 | \tprod_wrds = [\"live\"]\n  | \t^\n  \
         = did you mean `prod_words`?\n\
         error: hookguard.toml:3:1: no rule is called `git.push.froce`\n  |\n3 | \"git.push.froce\" = \"deny\"\n  | ^\n  \
         = did you mean `git.push.force`?\n\
         notice: hookguard.toml:4:1: \"git.clean\" = \"off\" does not count: it loosens the policy; `hookguard trust` makes it count\n  \
         |\n4 | \"git.clean\" = \"off\"\n  | ^\n"
    );
    let fine = sandbox.write("fine.toml", STRICT)?;
    let done = sandbox.hookguard(["config", "validate", "--json", fine.to_str().unwrap()])?.run()?;
    assert_eq!((done.code(), done.stdout.trim()), (Some(0), "[]"));
    let doctor = sandbox.hookguard(["doctor", "--json"])?.run()?;
    assert!(doctor.stdout.contains("git.push.froce"), "{doctor:?}");
    Ok(())
}

#[test]
fn init_writes_a_starter_that_changes_nothing_and_is_right_throughout() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let done = sandbox.hookguard(["init"])?.run()?;
    assert!(done.code() == Some(0) && done.stderr.contains("hookguard install --agent claude"), "{done:?}");
    let path = sandbox.project().join("hookguard.toml");
    let starter = std::fs::read_to_string(&path)?;
    assert!(sandbox.hookguard(["config", "validate"])?.run()?.success()?.starts_with("ok: "));
    let again = sandbox.hookguard(["init"])?.run()?;
    assert!(again.code() == Some(2) && again.stderr.contains("is there already"), "{again:?}");
    assert_eq!(std::fs::read_to_string(&path)?, starter);

    // Every example in it, taken out of its comment.
    let mut all = String::new();
    for line in starter.lines() {
        let bare = line.strip_prefix("# ").filter(|bare| bare.starts_with(['[', '"']) || bare.contains(" = "));
        all.push_str(bare.filter(|bare| !bare.contains("  ") && !bare.ends_with('.')).unwrap_or(line));
        all.push('\n');
    }
    let user = sandbox.write(LAYERS[1].1, &all)?;
    ensure!(all.matches("\n[[").count() == 5, "{all}");
    let done = sandbox.hookguard(["config", "validate", user.to_str().unwrap()])?.run()?;
    assert_eq!(done.code(), Some(0), "{done:?}");
    let tests = sandbox.hookguard(["test", "--config", user.to_str().unwrap()])?.run()?;
    assert!(tests.code() == Some(0) && tests.stdout.contains(" 0 failed"), "{tests:?}");

    let elsewhere = sandbox.hookguard(["init", "--user"])?.run()?;
    assert_eq!(elsewhere.code(), Some(2), "the user's file is there");
    std::fs::remove_file(user)?;
    assert_eq!(sandbox.hookguard(["init", "--user"])?.run()?.code(), Some(0));
    Ok(())
}

#[test]
fn tests_of_ones_own_rules_and_cases_are_run() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let rule = "version = 1\n[[rule]]\nid = \"team.plan\"\nlevel = \"ask\"\nprogram = [\"terraform\"]\nsub = [\"plan\"]\n\
                reason = \"r\"\ninstead = \"i\"\nexamples = { ask = [\"terraform plan\", \"terraform graph\"], allow = [\"terraform fmt\"] }\n\
                [[test]]\ncommand = \"git push -f\"\nexpect = \"deny\"\nrule = \"git.push.force\"\n\
                [[test]]\ncommand = \"git push -f\"\nexpect = \"deny\"\nrule = \"team.plan\"\n\
                [[test]]\ncommand = \"terraform plan\"\nexpect = \"allow\"\n";
    sandbox.write(LAYERS[2].1, rule)?;
    let done = sandbox.hookguard(["test", "--json"])?.run()?;
    assert_eq!(done.code(), Some(1), "{done:?}");
    let failures: Vec<Value> = serde_json::from_str(&done.stdout)?;
    let failed: Vec<String> =
        failures.iter().map(|of| format!("{}: {} / {}", of["command"], of["expected"], of["decision"])).collect();
    assert_eq!(
        failed,
        [
            "\"terraform graph\": \"ask by team.plan\" / \"allow\"",
            "\"git push -f\": \"deny by team.plan\" / \"deny\"",
            "\"terraform plan\": \"allow\" / \"ask\"",
        ]
    );
    assert!(failures[2]["of"].as_str().unwrap().ends_with("hookguard.toml:18:1"), "{failures:?}");
    Ok(())
}

#[test]
fn the_schema_is_the_committed_one() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let printed = sandbox.hookguard(["config", "schema"])?.run()?.success()?;
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../hookguard.schema.json");
    assert_eq!(printed, std::fs::read_to_string(committed)?, "write it anew: cargo xtask generate");
    Ok(())
}

/// A file that loosens, tightens and runs a program.
const LOOSE: &str = "version = 1\n[rules]\n\"git.push.force\" = \"ask\"\n\"git.clean\" = \"deny\"\n\n\
                     [[policy]]\nid = \"team.run\"\non = \"pre_tool\"\ncommand = \"touch ran\"\n";

/// What a human does, in a terminal of their own.
fn trust(sandbox: &Sandbox, args: &[&str], typed: &str) -> anyhow::Result<(Option<i32>, String)> {
    let args = ["trust"].into_iter().chain(args.iter().copied());
    let done = terminal::run_typing(sandbox, binary::hookguard()?, args, typed)?;
    assert!(!done.1.contains("has started this shell"), "these tests can't run below an agent: {}", done.1);
    Ok(done)
}

fn force(sandbox: &Sandbox) -> anyhow::Result<String> {
    Ok(run(sandbox, "codex", "s1", "git push -f")?.reason)
}

#[test]
fn trust_shows_the_file_asks_and_holds_for_just_this_content() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let file = "project/hookguard.toml";
    sandbox.write(file, LOOSE)?;
    let denied = force(&sandbox)?;

    let (exit, shown) = trust(&sandbox, &[], "n\n")?;
    assert_eq!(exit, Some(1), "{shown}");
    assert!(
        shown.contains("+command = \"touch ran\"") && shown.contains("3:1: \"git.push.force\" = \"ask\""),
        "{shown}"
    );
    assert!(
        shown.contains("7:1: the policy team.run: it runs a program") || shown.contains("the policy team.run"),
        "{shown}"
    );
    assert!(shown.find("+command").unwrap() < shown.find("[y/N]").unwrap(), "shown before it asks: {shown}");
    assert!(shown.contains("nothing was trusted") && force(&sandbox)? == denied, "{shown}");
    assert!(!sandbox.project().join("ran").exists());

    let (exit, shown) = trust(&sandbox, &["hookguard.toml"], "y\n")?;
    assert_eq!(exit, Some(0), "{shown}");
    let asked = force(&sandbox)?;
    assert_ne!(asked, denied, "an ask, which Codex can't ask");
    assert!(sandbox.project().join("ran").exists());
    let (exit, shown) = trust(&sandbox, &[], "")?;
    assert!(exit == Some(0) && shown.contains("is trusted as it is"), "{shown}");

    // A change asks for it again, and shows what has changed only.
    sandbox.write(file, LOOSE.replace("touch ran", "touch other"))?;
    assert_eq!(force(&sandbox)?, denied);
    assert!(!sandbox.project().join("other").exists());
    let (_, shown) = trust(&sandbox, &[], "y\n")?;
    assert!(shown.contains("-command = \"touch ran\"") && shown.contains("+command = \"touch other\""), "{shown}");
    assert!(!shown.contains("+version = 1"), "{shown}");
    let other = force(&sandbox)?;
    assert_eq!(other, asked);

    let back = sandbox.hookguard(["trust", "--revoke"])?.run()?;
    assert!(back.code() == Some(0) && back.stderr.contains("is not trusted any more"), "{back:?}");
    assert_eq!(force(&sandbox)?, denied);
    Ok(())
}

#[test]
fn trust_is_a_humans_word() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let none = sandbox.hookguard(["trust"])?.run()?;
    assert!(none.code() == Some(2) && none.stderr.contains("no hookguard.toml"), "{none:?}");
    sandbox.write("project/hookguard.toml", LOOSE)?;
    let denied = force(&sandbox)?;
    let piped = sandbox.hookguard(["trust"])?.stdin("y\n").run()?;
    assert!(piped.code() == Some(1) && piped.stderr.contains("no human is at a terminal here"), "{piped:?}");
    // A terminal below a program of an agent's name.
    let agent = sandbox.root().join("codex");
    std::fs::copy("/bin/bash", &agent)?;
    let line = format!("{} trust; exit $?", binary::hookguard()?.display());
    let (exit, shown) = terminal::run_typing(&sandbox, &agent, ["-c", line.as_str()], "y\n")?;
    assert!(exit == Some(1) && shown.contains("Codex CLI has started this shell"), "{exit:?} {shown}");
    assert_eq!(force(&sandbox)?, denied);
    for (event, command) in [
        ("PreToolUse", "hookguard trust"),
        ("PreToolUse", "script -qc 'hookguard trust' /dev/null <<< y"),
        ("PreToolUse", "hookguard import --from claude --user --yes"),
        ("PreToolUse", "cp hookguard.toml ~/.local/state/hookguard/trust/x.toml"),
    ] {
        let done = run(&sandbox, "codex", "s1", command)?;
        assert_eq!(done.decision, "deny", "{event} {command}: {done:?}");
        assert!(done.reason.contains("[guard."), "{command}: {done:?}");
    }
    let hash = sandbox.hookguard(["trust", "--hash"])?.run()?.success()?;
    assert_eq!(hash.split_whitespace().next(), Some(sha256(&sandbox, "project/hookguard.toml")?.as_str()));
    sandbox.write("project/hookguard.toml", STRICT)?;
    let (exit, shown) = trust(&sandbox, &[], "")?;
    assert!(exit == Some(0) && shown.contains("only tightens"), "{shown}");
    sandbox.write("project/hookguard.toml", "version = 1\n[rules\n")?;
    let (exit, shown) = trust(&sandbox, &[], "y\n")?;
    assert!(exit == Some(2) && shown.contains("mend it first"), "{shown}");
    Ok(())
}

#[test]
fn a_project_stays_the_sessions_whatever_is_made_below_it() -> anyhow::Result<()> {
    for agent in AGENTS {
        let sandbox = Sandbox::new()?;
        sandbox.write("project/hookguard.toml", STRICT)?;
        sandbox.write("project/sub/a.txt", "")?;
        let drop_in_sub = |session: &str| -> anyhow::Result<String> {
            let payload = json!({
                "session_id": session, "cwd": sandbox.project().join("sub"), "hook_event_name": "PreToolUse",
                "tool_name": "Bash", "tool_input": { "command": "git stash drop" }, "tool_use_id": "c1",
            });
            let done = hook(&sandbox, agent, "PreToolUse", &payload)?;
            let answer: Value = serde_json::from_str(&done.stdout)?;
            Ok(answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default().to_owned())
        };
        // An ask that nobody can answer names a code, a denial does not.
        assert!(!drop_in_sub("s1")?.contains("hookguard allow"), "{agent}");
        sandbox.git(["init", "--quiet", "sub"])?;
        assert!(!drop_in_sub("s1")?.contains("hookguard allow"), "{agent}: the project's file counts as before");
        assert!(drop_in_sub("s2")?.contains("hookguard allow"), "{agent}: another session starts in another project");
    }
    Ok(())
}

#[test]
fn what_the_configuration_runs_and_what_stands_behind_a_link_is_for_humans() -> anyhow::Result<()> {
    for agent in AGENTS {
        let sandbox = Sandbox::new()?;
        sandbox.write("project/tools/guard.sh", "true\n")?;
        sandbox.write(
            "home/dotfiles/hg.toml",
            "version = 1\n[[policy]]\nid = \"team.guard\"\non = \"pre_tool\"\ncommand = \"sh ./tools/guard.sh\"\n",
        )?;
        std::fs::create_dir_all(sandbox.home().join(".config/hookguard"))?;
        std::os::unix::fs::symlink("../../dotfiles/hg.toml", sandbox.home().join(".config/hookguard/config.toml"))?;
        for (command, denied) in [
            ("echo true > tools/guard.sh", true),
            ("echo true > ./tools/../tools/guard.sh", true),
            ("rm tools/guard.sh", true),
            ("sh tools/guard.sh", false),
            ("echo x > tools/other.sh", false),
            ("sed -i s/a/b/ ~/dotfiles/hg.toml", true),
            ("cat ~/dotfiles/hg.toml", false),
        ] {
            let done = run(&sandbox, agent, "s1", command)?;
            assert_eq!(done.reason.contains("[guard."), denied, "{agent}: {command}: {done:?}");
        }
    }
    Ok(())
}
