//! Judges at a stop, by the binary: what facts decide, what the configuration changes, what is logged, and what asks the record
//! before a tool.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use hookguard_integration::Sandbox;
use serde_json::{Value, json};

const AGENTS: [&str; 2] = ["claude", "codex"];
/// What the agent is told of a commit that nothing has verified.
const COMMIT: &str = "hookguard [judge.commit-before-verify]: ";
/// A runner's own words for a good end, as they stand where no exit code comes.
const GREEN: &str = "# tests 3\n# pass 3\n# fail 0\n";

/// A machine with this configuration of its user.
pub(crate) struct Machine {
    pub(crate) sandbox: Sandbox,
    variables: Vec<(&'static str, &'static str)>,
}

impl Machine {
    pub(crate) fn new(config: &str) -> anyhow::Result<Machine> {
        let sandbox = Sandbox::new()?;
        sandbox.write("home/.config/hookguard/config.toml", format!("version = 1\n{config}"))?;
        Ok(Machine { sandbox, variables: Vec::new() })
    }

    pub(crate) fn session(&self, agent: &'static str, prompt: &str) -> anyhow::Result<Session<'_>> {
        let session = Session { machine: self, agent, calls: std::cell::Cell::new(0) };
        ensure!(session.hook("UserPromptSubmit", json!({ "prompt": prompt }))?.is_empty());
        Ok(session)
    }

    fn decisions(&self) -> anyhow::Result<Vec<Value>> {
        self.sandbox.decisions()
    }

    /// The lines about judges' rulings: judge, ruling, what the agent was told.
    pub(crate) fn ruled(&self) -> anyhow::Result<Vec<String>> {
        let lines = self.decisions()?.into_iter().filter(|line| line["judge"].is_object());
        Ok(lines
            .map(|line| ["rule", "decision", "told"].map(|key| line[key].as_str().unwrap_or("-").to_owned()).join(" "))
            .collect())
    }
}

/// One session of an agent on it.
pub(crate) struct Session<'a> {
    machine: &'a Machine,
    agent: &'static str,
    calls: std::cell::Cell<usize>,
}

impl Session<'_> {
    pub(crate) fn hook(&self, event: &str, more: Value) -> anyhow::Result<String> {
        let sandbox = &self.machine.sandbox;
        let mut payload = json!({ "session_id": "s1", "cwd": sandbox.project(), "hook_event_name": event });
        payload.as_object_mut().context("no object")?.extend(more.as_object().context("no object")?.clone());
        let invocation = sandbox.hookguard(["hook", self.agent, event])?.envs(self.machine.variables.iter().copied());
        invocation.stdin(payload.to_string()).run()?.success()
    }

    pub(crate) fn edits(&self, file: &str, text: &str) -> anyhow::Result<()> {
        let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
        let (tool, input, response) = match self.agent {
            "claude" => {
                let path = self.machine.sandbox.project().join(file);
                ("Write", json!({ "file_path": path, "content": text }), json!({}))
            }
            _ => {
                let patch = format!("*** Begin Patch\n*** Add File: {file}\n{lines}*** End Patch");
                ("apply_patch", json!({ "command": patch }), json!("Exit code: 0\nSuccess."))
            }
        };
        self.ends(tool, input, response)
    }

    /// A command that ran, and what it printed: only Claude Code says of one that it went well.
    pub(crate) fn runs(&self, command: &str, printed: &str) -> anyhow::Result<()> {
        let response = if self.agent == "claude" { json!({ "stdout": printed, "stderr": "" }) } else { json!(printed) };
        self.ends("Bash", json!({ "command": command }), response)
    }

    fn ends(&self, tool: &str, input: Value, response: Value) -> anyhow::Result<()> {
        let call = format!("c{}", self.calls.replace(self.calls.get() + 1));
        let ended = json!({ "tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": call });
        self.hook("PostToolUse", ended)?;
        Ok(())
    }

    /// What is said before a command: the decision, and the words.
    pub(crate) fn before(&self, command: &str) -> anyhow::Result<String> {
        let call = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "b" });
        self.hook("PreToolUse", call)
    }

    /// What the agent is told when it wants to stop, whole.
    pub(crate) fn stops(&self, said: &str) -> anyhow::Result<Value> {
        let told = self.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": said }))?;
        if told.is_empty() { Ok(Value::Null) } else { Ok(serde_json::from_str(&told)?) }
    }

    /// What it is to go on with; empty where it may stop.
    pub(crate) fn resumed(&self, said: &str) -> anyhow::Result<String> {
        let told = self.stops(said)?;
        Ok(if told["decision"] == "block" {
            told["reason"].as_str().unwrap_or_default().to_owned()
        } else {
            String::new()
        })
    }
}

#[test]
fn a_commit_that_nothing_verified_is_resumed_and_the_same_state_is_let_go() -> anyhow::Result<()> {
    for agent in AGENTS {
        let machine = Machine::new("")?;
        let one = machine.session(agent, "Write the sum and commit it.")?;
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        one.runs("git commit -am sum", "[main 1a2b3c4] sum")?;
        let told = one.resumed("The sum is written and committed.")?;
        ensure!(
            told.starts_with(COMMIT) && told.contains("\nInstead: ") && told.lines().count() <= 3,
            "{agent}: {told}"
        );
        assert_eq!(
            one.resumed("I have committed the sum, as you asked.")?,
            "",
            "{agent}: the same state in other words"
        );
        one.runs("node --test", GREEN)?;
        assert_eq!(one.resumed("The tests pass now.")?, "", "{agent}: verified since");
        let ruled = machine.ruled()?;
        assert_eq!(ruled[0], "judge.commit-before-verify violation resume", "{agent}");
        assert!(ruled[1..].iter().all(|line| !line.ends_with(" resume")), "{agent}: {ruled:?}");
    }
    Ok(())
}

/// A hook that was killed has left no record of the tests: the transcript has one, and is asked before the agent is resumed.
#[test]
fn what_only_the_transcript_knows_clears_the_agent() -> anyhow::Result<()> {
    let machine = Machine::new("")?;
    let one = machine.session("claude", "Write the sum and commit it.")?;
    one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
    one.runs("git commit -am sum", "[main 1a2b3c4] sum")?;
    let ledger = machine.sandbox.state().join("session/claude-s1/ledger.jsonl");
    let text = std::fs::read_to_string(&ledger)?;
    // The prompt at one second, the edit at two, the commit at four.
    let timed = text.lines().zip([1000, 2000, 4000]).map(|(line, t)| {
        let mut record: Value = serde_json::from_str(line)?;
        record["t"] = json!(t);
        Ok(format!("{record}\n"))
    });
    std::fs::write(&ledger, timed.collect::<anyhow::Result<String>>()?)?;
    let line = |kind: &str, content: Value| json!({ "type": kind, "timestamp": "1970-01-01T00:00:03.000Z", "uuid": "u", "message": { "role": kind, "content": [content] } });
    let ran = line(
        "assistant",
        json!({ "type": "tool_use", "id": "t9", "name": "Bash", "input": { "command": "node --test" } }),
    );
    let ended = line("user", json!({ "type": "tool_result", "tool_use_id": "t9", "content": GREEN }));
    let transcript = machine.sandbox.write("home/transcript.jsonl", format!("{ran}\n{ended}\n"))?;
    let told = one.hook(
        "Stop",
        json!({ "stop_hook_active": false, "last_assistant_message": "Committed.", "transcript_path": transcript }),
    )?;
    assert_eq!(told, "");
    ensure!(!one.resumed("Committed.")?.is_empty(), "without the transcript nothing clears it");
    Ok(())
}

#[test]
fn what_is_verified_or_waived_or_no_code_is_no_matter() -> anyhow::Result<()> {
    for agent in AGENTS {
        let machine = Machine::new("")?;
        let one = machine.session(agent, "Write the sum and commit it.")?;
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        one.runs("node --test", GREEN)?;
        one.edits("README.md", "It adds.\n")?;
        one.runs("git commit -am sum && git push", "[main 1a2b3c4] sum")?;
        assert_eq!(one.resumed("All tests pass; it is pushed.")?, "", "{agent}");
        let two = machine.session(agent, "Commit that right away, the tests are not needed this time.")?;
        two.edits("src/sum.js", "export const sum = (a, b) => b + a;\n")?;
        two.runs("git commit -am sum", "[main 2a2b3c4] sum")?;
        assert_eq!(two.resumed("Committed.")?, "", "{agent}: waived");
    }
    Ok(())
}

/// "All PASS" settles a text without a model, and settles nothing over a record that says otherwise.
#[test]
fn a_bypass_never_beats_a_contradicting_fact() -> anyhow::Result<()> {
    for agent in AGENTS {
        let machine = Machine::new("")?;
        let one = machine.session(agent, "Write the sum and push it.")?;
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        one.runs("node --test || true", "# tests 3\n# pass 2\n# fail 1\n")?;
        one.runs("git commit -am sum && git push", "main -> main")?;
        let told = one.resumed("All PASS, CI ✅, committed as 1a2b3c4d and pushed.")?;
        ensure!(told.starts_with(COMMIT), "{agent}: {told:?}");
    }
    Ok(())
}

#[test]
fn modes_are_the_users_and_a_project_only_tightens() -> anyhow::Result<()> {
    let run = |config: &str, project: &str| -> anyhow::Result<(Value, Vec<String>)> {
        let machine = Machine::new(config)?;
        if !project.is_empty() {
            machine.sandbox.write("project/hookguard.toml", format!("version = 1\n{project}"))?;
        }
        let one = machine.session("claude", "Write the sum and commit it.")?;
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        one.runs("git commit -am sum", "[main 1a2b3c4] sum")?;
        Ok((one.stops("Committed.")?, machine.ruled()?))
    };
    let mode = |mode: &str| format!("[judge.mode]\ncommit-before-verify = \"{mode}\"\n");
    let (told, ruled) = run(&mode("off"), "")?;
    assert_eq!((told, ruled.len()), (Value::Null, 0));
    let (told, ruled) = run(&mode("advise"), "")?;
    ensure!(
        told["decision"].is_null()
            && told["systemMessage"].as_str().is_some_and(|note| note.contains("commit-before-verify")),
        "{told}"
    );
    assert_eq!(ruled, ["judge.commit-before-verify advise note"]);
    let (told, _) = run("", &mode("off"))?;
    ensure!(told["reason"].as_str().is_some_and(|told| told.starts_with(COMMIT)), "untrusted: {told}");
    let (told, _) = run(&mode("advise"), &mode("block"))?;
    ensure!(told["reason"].as_str().is_some_and(|told| told.starts_with(COMMIT)), "tightened: {told}");
    let (told, ruled) = run("mode = \"observe\"\n", "")?;
    ensure!(told["decision"].is_null(), "{told}");
    assert_eq!(ruled, ["judge.commit-before-verify violation nothing"]);
    Ok(())
}

/// A variable by which a judge's child is known skips judges, and only judges.
#[test]
fn inside_a_judge_no_judge_is_asked_and_the_guard_stands() -> anyhow::Result<()> {
    for variable in ["HOOKGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE"] {
        let mut machine = Machine::new("")?;
        machine.variables.push((variable, "1"));
        let one = machine.session("claude", "Write the sum and commit it.")?;
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        one.runs("git commit -am sum", "[main 1a2b3c4] sum")?;
        assert_eq!(one.resumed("Committed.")?, "", "{variable}");
        assert_eq!(machine.ruled()?.len(), 0, "{variable}");
        ensure!(one.before("git push --force origin main")?.contains("git.push.force"), "{variable}");
    }
    Ok(())
}

/// The last line of a secret that no log and no backend may see.
fn secret() -> String {
    format!("ghp_{}", "aZ9".repeat(12))
}

const ASKED: &str = r#"
[judge]
backends = ["script"]
[[judge.backend]]
name = "script"
kind = "command"
command = '''cat >> "$HOME/asked.txt"; echo "{\"commit-before-verify\": {\"new_proposal\": true, \"verification_reported\": false, \"direction_query\": false, \"future_step_description\": false, \"reason\": \"it says so\"}}" '''
"#;

fn asked(machine: &Machine) -> String {
    std::fs::read_to_string(machine.sandbox.home().join("asked.txt")).unwrap_or_default()
}

/// A text that facts leave open goes to the backend, with the record beside it and without secrets; its answer decides.
#[test]
fn words_are_put_to_a_backend_with_the_record_and_without_secrets() -> anyhow::Result<()> {
    for agent in AGENTS {
        let machine = Machine::new(ASKED)?;
        let one = machine.session(agent, &format!("Write the sum. The token is {}", secret()))?;
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        one.runs(&format!("git remote set-url origin https://me:{}@forge/x", secret()), "")?;
        let told = one.resumed(&format!("Done. I will commit and push now, with {}.", secret()))?;
        ensure!(told.starts_with(COMMIT) && !told.contains("it says so"), "{agent}: {told}");
        let sent = asked(&machine);
        ensure!(sent.contains("I will commit and push now") && sent.contains("sum.js"), "{agent}: {sent}");
        let log: Vec<String> = machine.decisions()?.iter().map(Value::to_string).collect();
        for text in log.iter().chain([&sent]) {
            ensure!(!text.contains("aZ9aZ9"), "{agent}: {text}");
        }
        ensure!(
            log.iter().any(|line| line.contains("\"redactions\"") && line.contains("it says so")),
            "{agent}: {log:?}"
        );
        let stats = machine.sandbox.hookguard(["log", "stats", "--json"])?.run()?.success()?;
        let stats: Value = serde_json::from_str(&stats)?;
        let judge = &stats["judges"]["commit-before-verify"];
        assert_eq!(
            (&judge["judged"], &judge["blocked"], &judge["failed"]),
            (&json!(1), &json!(1), &json!(0)),
            "{stats}"
        );
        ensure!(judge["redactions"].as_object().is_some_and(|kinds| !kinds.is_empty()), "{stats}");
    }
    Ok(())
}

#[test]
fn a_marked_ruling_becomes_a_case() -> anyhow::Result<()> {
    let machine = Machine::new(ASKED)?;
    let one = machine.session("claude", "Write the sum.")?;
    one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
    one.resumed("Done. I will commit and push now.")?;
    let log = machine.sandbox.hookguard(["log", "--json", "--rule", "judge.commit-before-verify"])?.run()?.success()?;
    let lines: Vec<Value> = log.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let ruling = lines.iter().find(|line| line["judge"].is_object()).context("no ruling")?;
    let id = ruling["id"].as_str().context("no id")?;
    machine.sandbox.hookguard(["log", "mark", id, "wrong", "--note", "it was a quote"])?.run()?.success()?;
    let cases = machine.sandbox.hookguard(["judge", "cases", "--from-log"])?.run()?.success()?;
    ensure!(
        cases.contains("[[case]]") && cases.contains("expect = \"allow\"") && cases.contains("it was a quote"),
        "{cases}"
    );
    Ok(())
}

const OWN: &str = r#"
id = "no-emoji"
title = "Signs off with a rocket"
block_if = ["rocket"]
prompt = "Does the text end with a rocket?"
message = "You end with a rocket."
alternative = "Say what was done, plainly."
[[field]]
name = "rocket"
about = "the text ends with a rocket"
[[signal]]
all = [["rocket"]]
"#;

/// A judge of the user's own, from a file that the configuration names: what stands in it now counts.
#[test]
fn a_judge_of_ones_own_is_asked_like_the_others() -> anyhow::Result<()> {
    let config = r#"
[judge]
backends = ["script"]
files = ["judges/no-emoji.toml", "judges/missing.toml"]
[[judge.backend]]
name = "script"
kind = "command"
command = '''cat > "$HOME/asked.txt"; echo "{\"no-emoji\": {\"rocket\": true, \"reason\": \"-\"}}" '''
"#;
    let machine = Machine::new(config)?;
    let file: PathBuf = machine.sandbox.write("home/.config/hookguard/judges/no-emoji.toml", OWN)?;
    let one = machine.session("claude", "Explain it.")?;
    assert_eq!(one.resumed("It is a parser.")?, "");
    let told = one.resumed("It is a parser, and it flies like a rocket.")?;
    assert_eq!(told, "hookguard [judge.no-emoji]: You end with a rocket.\nInstead: Say what was done, plainly.");
    ensure!(asked(&machine).contains("Does the text end with a rocket?"));
    std::fs::write(&file, OWN.replace("[[\"rocket\"]]", "[[\"comet\"]]"))?;
    let two = machine.session("claude", "Once more.")?;
    assert_eq!(two.resumed("It flies like a rocket.")?, "", "the file has changed");
    ensure!(!two.resumed("It flies like a comet.")?.is_empty());
    let validated = machine.sandbox.hookguard(["config", "validate"])?.run()?;
    ensure!(format!("{}{}", validated.stdout, validated.stderr).contains("judges/missing.toml"), "{validated:?}");
    Ok(())
}

/// `verified_before` asks where the record shows no verification after the last edit, and no text can fake one.
#[test]
fn what_is_not_verified_is_asked_about_before_it_is_shared() -> anyhow::Result<()> {
    for agent in AGENTS {
        let machine = Machine::new("[guard]\nverified_before = [\"git.commit\", \"git.push\"]\n")?;
        let one = machine.session(agent, "Write the sum and commit it.")?;
        assert_eq!(one.before("git commit -m nothing --allow-empty")?, "", "{agent}: nothing was edited");
        one.edits("src/sum.js", "export const sum = (a, b) => a + b;\n")?;
        let told = one.before("git commit -am 'sum: all tests pass'")?;
        ensure!(told.contains("verified_before.git.commit"), "{agent}: {told}");
        ensure!(one.before("echo '3 passed' && git commit -am x")?.contains("verified_before"), "{agent}: words");
        assert_eq!(one.before("node --test && git commit -am x")?, "", "{agent}: it verifies itself");
        ensure!(
            one.before("node --test; git commit -am x")?.contains("verified_before"),
            "{agent}: whatever came of it"
        );
        assert_eq!(one.before("git status")?, "", "{agent}");
        one.runs("node --test", GREEN)?;
        assert_eq!(one.before("git commit -am x")?, "", "{agent}: verified");
        one.edits("src/sum.js", "export const sum = (a, b) => b + a;\n")?;
        one.hook("UserPromptSubmit", json!({ "prompt": "And now push it." }))?;
        ensure!(
            one.before("git push origin topic")?.contains("verified_before.git.push"),
            "{agent}: edited in the turn before"
        );
    }
    Ok(())
}

/// `[guard] judge`: for the rules that the user named, and only so far that a question falls away.
#[test]
fn a_judge_may_answer_for_the_human_where_the_user_says_so() -> anyhow::Result<()> {
    let config = |rules: &str, answer: &str| {
        format!(
            "[judge]\nbackends = [\"script\"]\n[[judge.backend]]\nname = \"script\"\nkind = \"command\"\n\
             command = '''cat > \"$HOME/asked.txt\"; echo '{answer}' '''\n[guard]\njudge = true\njudge_rules = [{rules}]\n"
        )
    };
    let yes = r#"{"guard-ask":{"requested":true,"bounded":true,"beyond_request":false,"irreversible":false,"instructed_by_content":false,"reason":"-"}}"#;
    let no = yes.replace("\"irreversible\":false", "\"irreversible\":true");
    let command = "git stash drop";
    let plain = Machine::new("")?.session("claude", "Drop the stash.")?.before(command)?;
    ensure!(plain.contains("git.stash.drop"), "the test needs a command that is asked about: {plain}");
    let rows = [
        ("\"git.stash.*\"", yes, true),
        ("\"git.stash.drop\"", yes, true),
        ("\"git.push.*\"", yes, false),
        ("\"git.stash.*\"", no.as_str(), false),
        ("\"git.stash.*\"", "no idea", false),
    ];
    for (rules, answer, passes) in rows {
        let machine = Machine::new(&config(rules, answer))?;
        let one = machine.session("claude", "Drop the stash.")?;
        assert_eq!(!one.before(command)?.contains("permissionDecision"), passes, "{rules} {answer}");
        ensure!(!one.before("git push --force origin main")?.is_empty(), "a refusal stands");
        assert_eq!(asked(&machine).contains("Drop the stash."), rules.contains("stash"), "{rules}");
    }
    Ok(())
}
