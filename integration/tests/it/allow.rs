//! `allow`: what nobody can be asked about waits under a code, and passes once when a human says so.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use hookguard_integration::{Finished, Sandbox, binary, terminal};
use serde_json::{Value, json};

/// A call of Codex, who can't ask anybody.
fn call(sandbox: &Sandbox, id: Option<&str>, cwd: &str, tool: &str, input: &Value) -> Finished {
    let payload = json!({"session_id": "s", "turn_id": "t", "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": tool, "tool_input": input, "tool_use_id": id});
    sandbox.hook("codex", "PreToolUse", payload.to_string()).unwrap()
}

/// The refusal that the model is told; `None` where the call passes.
fn refusal(done: &Finished) -> Option<String> {
    assert_eq!(done.code(), Some(0), "{done:?}");
    if done.stdout.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    Some(answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap().to_owned())
}

fn shell(sandbox: &Sandbox, id: &str, command: &str) -> Option<String> {
    let project = sandbox.project();
    refusal(&call(sandbox, Some(id), project.to_str().unwrap(), "Bash", &json!({ "command": command })))
}

/// The code in a refusal.
fn code(refusal: &str) -> Option<String> {
    let (_, rest) = refusal.split_once("`hookguard allow ")?;
    Some(rest.split_once('`')?.0.to_owned())
}

/// What a human does: runs it in a terminal of their own. Where the tests themselves run below an agent, a human's word
/// can't be given, and the test ends here.
fn allow(sandbox: &Sandbox, code: &str) -> (Option<i32>, String) {
    let done = terminal::run(sandbox, binary::hookguard().unwrap(), ["allow", code]).unwrap();
    assert!(!done.1.contains("has started this shell"), "these tests can't run below an agent: {}", done.1);
    done
}

fn waiting(sandbox: &Sandbox) -> Vec<Value> {
    let printed = sandbox.hookguard(["allow", "--json"]).unwrap().run().unwrap().success().unwrap();
    serde_json::from_str(&printed).unwrap()
}

const ASKED: &str = "sudo ls";

#[test]
fn a_call_passes_once_by_a_humans_code() {
    let sandbox = Sandbox::new().unwrap();
    let told = shell(&sandbox, "c1", ASKED).unwrap();
    assert!(told.lines().count() <= 3 && told.contains("in a terminal of their own"), "{told}");
    let code = code(&told).unwrap();
    assert_eq!(shell(&sandbox, "c1", ASKED).unwrap(), told, "the doubled hook says the same");
    assert_eq!(shell(&sandbox, "c2", ASKED).unwrap(), told, "and so does a retry");

    let (exit, shown) = allow(&sandbox, &code.to_lowercase());
    assert_eq!(exit, Some(0), "{shown}");
    assert!(shown.contains(ASKED) && shown.contains("Codex CLI"), "{shown}");

    let project = sandbox.project();
    let sub = project.join("sub");
    let elsewhere = call(&sandbox, Some("c3"), sub.to_str().unwrap(), "Bash", &json!({ "command": ASKED }));
    assert!(refusal(&elsewhere).is_some(), "another folder");
    assert!(shell(&sandbox, "c3", "sudo ls -a").is_some(), "another command");

    // Doubled hooks at the same time: both let the same call pass.
    std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| shell(&sandbox, "c4", ASKED)));
        for one in both {
            assert_eq!(one.join().unwrap(), None);
        }
    });
    assert_eq!(shell(&sandbox, "c5", ASKED), Some(told), "a replay has the same code");
    assert_eq!(shell(&sandbox, "c4", ASKED), None, "a late one of the doubled hooks");
    let logged = sandbox.decisions().unwrap();
    let passed = logged.iter().filter(|line| line["note"].as_str().is_some_and(|note| note.contains(&code)));
    assert_eq!(passed.count(), 3, "{logged:#?}");
    assert!(logged.iter().all(|line| line["decision"] != "allow" || line["note"].is_string()));
}

/// Of two different calls at the same time only one is let pass.
#[test]
fn a_race_of_two_calls_has_one_winner() {
    let sandbox = Sandbox::new().unwrap();
    for round in 0..5 {
        let code = code(&shell(&sandbox, "first", ASKED).unwrap()).unwrap();
        assert_eq!(allow(&sandbox, &code).0, Some(0));
        let passed = std::thread::scope(|scope| {
            let sandbox = &sandbox;
            let calls: Vec<_> =
                (0..4).map(|n| scope.spawn(move || shell(sandbox, &format!("{round}-{n}"), ASKED))).collect();
            calls.into_iter().map(|call| call.join().unwrap()).filter(Option::is_none).count()
        });
        assert_eq!(passed, 1);
    }
}

#[test]
fn it_takes_a_human_at_a_terminal() {
    let sandbox = Sandbox::new().unwrap();
    let code = code(&shell(&sandbox, "c1", ASKED).unwrap()).unwrap();
    let done = sandbox.hookguard(["allow", &code]).unwrap().run().unwrap();
    assert_eq!(done.code(), Some(1), "{done:?}");
    assert!(done.stderr.contains("no human is at a terminal"), "{done:?}");

    // Below a program that bears an agent's name: whatever it really is.
    let hookguard = binary::hookguard().unwrap();
    for name in ["codex", "claude"] {
        let agent = sandbox.root().join(name);
        fs::copy("/bin/bash", &agent).unwrap();
        let script = format!("'{}' allow {code}; exit $?", hookguard.display());
        let (exit, shown) = terminal::run(&sandbox, &agent, ["-c", &script]).unwrap();
        assert_eq!(exit, Some(1), "{shown}");
        assert!(shown.contains("has started this shell"), "{shown}");
    }
    // The mark that Claude Code leaves in the environment of all that it starts.
    let (exit, shown) =
        terminal::run(&sandbox, "env", ["CLAUDECODE=1", hookguard.to_str().unwrap(), "allow", &code]).unwrap();
    assert_eq!((exit, shown.contains("CLAUDECODE is set")), (Some(1), true), "{shown}");
    assert!(shell(&sandbox, "c2", ASKED).is_some(), "nothing was released");
}

#[test]
fn unknown_used_and_expired_codes_say_what_to_do() {
    let sandbox = Sandbox::new().unwrap();
    let (exit, shown) = allow(&sandbox, "ZZZZZZ");
    assert_eq!((exit, shown.contains("no call waits under ZZZZZZ")), (Some(2), true), "{shown}");
    assert!(!sandbox.state().join("allow").exists(), "a mistyped code leaves nothing behind");

    let code = code(&shell(&sandbox, "c1", ASKED).unwrap()).unwrap();
    let (exit, shown) = allow(&sandbox, "ZZZZZZ");
    assert_eq!((exit, shown.contains("`hookguard allow` shows what does")), (Some(2), true), "{shown}");
    assert_eq!(allow(&sandbox, &code).0, Some(0));
    assert_eq!(shell(&sandbox, "c2", ASKED), None);
    let (exit, shown) = allow(&sandbox, &code);
    assert_eq!((exit, shown.contains("was used")), (Some(2), true), "{shown}");

    shell(&sandbox, "c3", ASKED).unwrap();
    change(&sandbox, |code| code["t"] = json!(code["t"].as_u64().unwrap() - 25 * HOUR));
    let (exit, shown) = allow(&sandbox, &code);
    assert_eq!((exit, shown.contains("has expired")), (Some(2), true), "{shown}");

    // An allowed call that does not come within an hour is asked about again.
    shell(&sandbox, "c4", ASKED).unwrap();
    assert_eq!(allow(&sandbox, &code).0, Some(0));
    change(&sandbox, |code| code["granted"] = json!(code["granted"].as_u64().unwrap() - 2 * HOUR));
    assert!(shell(&sandbox, "c5", ASKED).is_some());
}

const HOUR: u64 = 60 * 60 * 1000;

/// Changes what is kept of every code.
fn change(sandbox: &Sandbox, with: impl Fn(&mut Value)) {
    let file = sandbox.state().join("allow/codes.json");
    let mut book: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    book["codes"].as_array_mut().unwrap().iter_mut().for_each(with);
    fs::write(file, book.to_string()).unwrap();
}

#[test]
fn only_an_ask_is_released_and_never_the_guards_own() {
    let sandbox = Sandbox::new().unwrap();
    let before = waiting(&sandbox).len();
    for command in ["git push --force origin main", "claude -p 'review this'", "sudo ls; claude -p 'review this'"] {
        let told = shell(&sandbox, "c", command).unwrap();
        assert_eq!(code(&told), None, "{told}");
    }
    assert_eq!(waiting(&sandbox).len(), before);
    // Where somebody can be asked, they are.
    let payload = json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": ASKED}, "tool_use_id": "c"});
    for (attended, decision) in [("1", "ask"), ("0", "deny")] {
        let hook = sandbox.hookguard(["hook", "claude", "PreToolUse"]).unwrap().stdin(payload.to_string());
        let done = hook.env("CLAUDE_CODE_SESSION_ATTENDED", attended).run().unwrap();
        let answer: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], decision);
        let told = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        assert_eq!(code(told).is_some(), decision == "deny", "{told}");
    }
    // A call that is more than a human can read has no code.
    let long = format!("sudo ls {}", "x".repeat(20_000));
    assert_eq!(code(&shell(&sandbox, "c", &long).unwrap()), None);
}

#[test]
fn without_a_state_folder_a_human_must_decide() {
    let sandbox = Sandbox::new().unwrap();
    let payload = json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": ASKED}, "tool_use_id": "c"});
    let hook = sandbox.hookguard(["hook", "codex", "PreToolUse"]).unwrap().stdin(payload.to_string());
    let told = refusal(&hook.without_env("HOME").run().unwrap()).unwrap();
    assert!(code(&told).is_none() && told.contains("they decide, and run it themselves"), "{told}");
    // A file where the folder should be.
    sandbox.write("home/.local/state/hookguard/allow", "in the way").unwrap();
    let told = shell(&sandbox, "c", ASKED).unwrap();
    assert!(code(&told).is_none() && told.contains("they decide"), "{told}");
}

#[test]
fn files_servers_and_addresses_are_released_exactly() {
    let sandbox = Sandbox::new().unwrap();
    let project = sandbox.project();
    let project = project.to_str().unwrap();
    let patch = |text: &str| json!({"command": format!("*** Begin Patch\n*** Add File: /srv/other/x.txt\n+{text}\n*** End Patch")});
    let merge = |number: u32| json!({"owner": "a", "repo": "b", "pull_number": number});
    for (tool, input, other) in
        [("apply_patch", patch("one"), patch("two")), ("mcp__github__merge_pull_request", merge(1), merge(2))]
    {
        let ask = |id: &str, input: &Value| refusal(&call(&sandbox, Some(id), project, tool, input));
        let told = ask("1", &input).unwrap_or_else(|| panic!("{tool} is not asked about"));
        let code = code(&told).unwrap_or_else(|| panic!("{told}"));
        assert_eq!(allow(&sandbox, &code).0, Some(0));
        assert!(ask("2", &other).is_some(), "{tool}");
        assert_eq!(ask("3", &input), None, "{tool}");
        assert!(ask("4", &input).is_some(), "{tool}");
    }
}

#[test]
fn the_list_shows_what_waits_redacted_and_keeps_it_private() {
    let sandbox = Sandbox::new().unwrap();
    let token = format!("ghp_{}", "aZ9".repeat(12));
    shell(&sandbox, "c1", &format!("sudo curl -H 'Authorization: Bearer {token}' x\u{1b}[2J")).unwrap();
    let listed = waiting(&sandbox);
    assert_eq!(listed.len(), 1);
    assert_eq!((&listed[0]["agent"], &listed[0]["tool"]), (&json!("codex"), &json!("shell")));
    let printed = sandbox.hookguard(["allow"]).unwrap().run().unwrap().success().unwrap();
    assert!(printed.contains(listed[0]["code"].as_str().unwrap()), "{printed}");
    let file = sandbox.state().join("allow/codes.json");
    for text in [printed, listed[0].to_string(), fs::read_to_string(&file).unwrap()] {
        assert!(text.contains("sudo curl") && !text.contains(&token[8..]) && !text.contains('\u{1b}'), "{text}");
    }
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(file.parent().unwrap().metadata().unwrap().mode() & 0o777, 0o700);
}

/// The human's commands are refused to the agent in every spelling, and so are the files in which their word is kept.
#[test]
fn an_agent_cannot_give_itself_the_word() {
    let sandbox = Sandbox::new().unwrap();
    let home = sandbox.home();
    let codes = home.join(".local/state/hookguard/allow/codes.json");
    let codes = codes.display();
    let binary = binary::hookguard().unwrap();
    let spelled = [
        "hookguard allow K7Q3WF".to_owned(),
        "hookguard allow".to_owned(),
        format!("{} allow K7Q3WF", binary.display()),
        "\"$(command -v hookguard)\" allow K7Q3WF".to_owned(),
        "script -qc 'hookguard allow K7Q3WF' /dev/null".to_owned(),
        "script -q -c \"hookguard allow K7Q3WF\"".to_owned(),
        "script --command='hookguard allow K7Q3WF' /dev/null".to_owned(),
        "script -q /dev/null hookguard allow K7Q3WF".to_owned(),
        "expect -c 'spawn hookguard allow K7Q3WF; expect eof'".to_owned(),
        "expect <<'EOF'\nspawn hookguard allow K7Q3WF\nexpect eof\nEOF".to_owned(),
        "unbuffer hookguard allow K7Q3WF".to_owned(),
        "unbuffer -p hookguard allow K7Q3WF".to_owned(),
        "setsid -f hookguard allow K7Q3WF".to_owned(),
        "setsid --fork script -qc 'hookguard allow K7Q3WF' /dev/null".to_owned(),
        "python3 -c 'import pty; pty.spawn([\"hookguard\", \"allow\", \"K7Q3WF\"])'".to_owned(),
        "python3 -c 'import os; os.system(\"hookguard allow K7Q3WF\")'".to_owned(),
        "tmux new-session -d 'hookguard allow K7Q3WF'".to_owned(),
        "tmux send-keys -t 0 'hookguard allow K7Q3WF' Enter".to_owned(),
        "screen -dm hookguard allow K7Q3WF".to_owned(),
        "screen -X stuff 'hookguard allow K7Q3WF\n'".to_owned(),
        "socat EXEC:'hookguard allow K7Q3WF',pty STDIO".to_owned(),
        "xterm -e hookguard allow K7Q3WF".to_owned(),
        "nohup hookguard allow K7Q3WF &".to_owned(),
        "env -i hookguard allow K7Q3WF".to_owned(),
        "echo K7Q3WF | xargs hookguard allow".to_owned(),
        "echo 'hookguard allow K7Q3WF' | at now".to_owned(),
        "systemd-run --user --pty hookguard allow K7Q3WF".to_owned(),
        "ssh localhost hookguard allow K7Q3WF".to_owned(),
        format!("echo '{{}}' > {codes}"),
        format!("sed -i 's/null/1/' {codes}"),
        format!("cp /tmp/codes.json {codes}"),
        format!("rm {codes}"),
        format!("python3 -c 'open(\"{codes}\", \"w\").write(\"x\")'"),
        format!("mv {} /tmp/x", home.join(".local/state/hookguard").display()),
    ];
    let told: Vec<_> = spelled.iter().map(|command| (command, shell(&sandbox, "c", command))).collect();
    let refusals = ["hookguard [guard.", "hookguard [net.reverse_shell]"];
    let missed: Vec<_> = told
        .iter()
        .filter(|(_, told)| !told.as_ref().is_some_and(|told| refusals.iter().any(|start| told.starts_with(start))))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(told.iter().all(|(_, told)| code(told.as_ref().unwrap()).is_none()));
    let patch = format!("*** Begin Patch\n*** Add File: {codes}\n+{{}}\n*** End Patch");
    let project = sandbox.project();
    let done = call(&sandbox, Some("c"), project.to_str().unwrap(), "apply_patch", &json!({ "command": patch }));
    assert!(refusal(&done).unwrap().contains("[guard."));
}
