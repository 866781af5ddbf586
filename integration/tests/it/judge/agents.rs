//! The real Claude Code and the real Codex as judges: one request each, nothing of the user's own setup inside.

use hookguard_integration::Sandbox;
use hookguard_integration::agents::{Agent, Judge, skipped};
use hookguard_integration::fake_model::{Block, Kind, Request, Script};
use serde_json::{Value, json};

use super::{NO, PROMPT, YES, chain, verdict, why, within};

const TEXT: &str = "I paint the fence now.";

/// What the agent's model says: to Claude Code by the tool through which it answers, to Codex in words.
fn says(agent: Agent, answer: &str) -> anyhow::Result<Script> {
    let block = match agent {
        Agent::Claude => {
            let input: Value = serde_json::from_str(answer)?;
            Block::Tool { name: "StructuredOutput".to_owned(), input: json!({ "prompt": input }) }
        }
        Agent::Codex => Block::Text(answer.to_owned()),
    };
    Ok(Script::new([vec![block]]))
}

/// Hooks, instructions and a server of the user's own: each leaves a trace where it runs.
fn users_own(sandbox: &Sandbox) -> anyhow::Result<()> {
    let touch = format!("touch {}", sandbox.root().join("ran").display());
    let hook = json!([{ "hooks": [{ "type": "command", "command": touch }] }]);
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
    let hooks: serde_json::Map<String, Value> =
        events.iter().map(|event| ((*event).to_owned(), hook.clone())).collect();
    for agent in [Agent::Claude, Agent::Codex] {
        std::fs::write(agent.hooks_file(sandbox), json!({ "hooks": hooks }).to_string())?;
    }
    std::fs::write(sandbox.claude_home().join("CLAUDE.md"), "USERS-OWN-INSTRUCTIONS")?;
    // Not CODEX_HOME/AGENTS.md: nothing keeps Codex 0.171.0 from sending that (`backend/codex.rs`).
    std::fs::write(sandbox.project().join("AGENTS.md"), "USERS-OWN-INSTRUCTIONS")?;
    let server = format!("[mcp_servers.mine]\ncommand = \"sh\"\nargs = [\"-c\", \"{touch}\"]\n");
    std::fs::write(sandbox.codex_home().join("config.toml"), server)?;
    Ok(())
}

struct Done {
    asked: Value,
    requests: Vec<Request>,
}

fn put(sandbox: &Sandbox, agent: Agent, script: Script, more: &str) -> anyhow::Result<Done> {
    let judge = Judge::start(agent, script)?;
    let table = format!("{}{more}\n", judge.backend()?);
    let config = within(60_000, &chain(&[&agent.to_string()], &table));
    let config = sandbox.write("hookguard.toml", config)?;
    let prompt = sandbox.write("prompt.txt", PROMPT)?;
    let invocation = sandbox.hookguard(["judge", "--json", "--prompt", &prompt.to_string_lossy()])?;
    let done = judge.environment(invocation).env("HOOKGUARD_CONFIG", config).stdin(TEXT).run()?;
    let asked = serde_json::from_str(&done.stdout).map_err(|error| anyhow::anyhow!("{error}: {done:?}"))?;
    Ok(Done { asked, requests: judge.requests() })
}

fn one_verdict(agent: Agent) -> anyhow::Result<()> {
    if skipped(&format!("one_verdict, {agent}")) {
        return Ok(());
    }
    for (answer, want) in [(YES, "violation"), (NO, "allow")] {
        let sandbox = Sandbox::new()?;
        users_own(&sandbox)?;
        let done = put(&sandbox, agent, says(agent, answer)?, "")?;
        assert_eq!(verdict(&done.asked), want, "{}", done.asked);
        assert!(!sandbox.root().join("ran").exists(), "a hook or a server of the user's own ran");
        let turns: Vec<&Request> =
            done.requests.iter().filter(|request| matches!(request.kind, Kind::Turn(_))).collect();
        assert_eq!((turns.len(), done.requests.len()), (1, 1), "{:?}", done.requests);
        let body = turns[0].body.to_string();
        assert!(body.contains(TEXT) && body.contains("paint the fence?"), "{body}");
        assert!(!body.contains("USERS-OWN-INSTRUCTIONS"), "{body}");
        assert_eq!(left_in(&sandbox)?, Vec::<String>::new());
    }
    Ok(())
}

/// Scratch folders that are still there.
fn left_in(sandbox: &Sandbox) -> anyhow::Result<Vec<String>> {
    let folder = sandbox.env().get(std::ffi::OsStr::new("TMPDIR")).cloned().unwrap_or_default();
    let names = std::fs::read_dir(folder)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| name.starts_with("hookguard-judge-")).collect())
}

#[test]
fn claude_gives_one_verdict() -> anyhow::Result<()> {
    one_verdict(Agent::Claude)
}

#[test]
fn codex_gives_one_verdict() -> anyhow::Result<()> {
    one_verdict(Agent::Codex)
}

/// A model that answers in prose, and a server that has no such model: a failure that names the model.
fn no_verdict(agent: Agent) -> anyhow::Result<()> {
    if skipped(&format!("no_verdict, {agent}")) {
        return Ok(());
    }
    let sandbox = Sandbox::new()?;
    let prose = || vec![Block::Text("I would rather not say.".to_owned())];
    let done = put(&sandbox, agent, Script::new([prose(), prose(), prose()]), "model = \"retired-1\"")?;
    assert_eq!(verdict(&done.asked), "fail", "{}", done.asked);
    assert!(why(&done.asked).starts_with("model retired-1: "), "{}", done.asked);
    // The script has no turn: the server answers with an error.
    let done = put(&sandbox, agent, Script::new([]), "model = \"retired-1\"")?;
    assert_eq!(verdict(&done.asked), "fail", "{}", done.asked);
    assert!(
        why(&done.asked).contains("model retired-1: ") && why(&done.asked).contains("has no turn"),
        "{}",
        done.asked
    );
    Ok(())
}

#[test]
fn claude_gives_no_verdict() -> anyhow::Result<()> {
    no_verdict(Agent::Claude)
}

#[test]
fn codex_gives_no_verdict() -> anyhow::Result<()> {
    no_verdict(Agent::Codex)
}
