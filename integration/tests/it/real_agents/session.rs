//! What the scenarios share: a guarded sandbox, and a session that must end well.

use std::path::Path;

use anyhow::Context;
use hookguard_integration::agents::{Agent, AgentRun, Mode, Outcome};
use hookguard_integration::fake_model::{Block, Request, Speaker, Turn};
use hookguard_integration::{Exit, Sandbox};
use serde_json::{Value, json};

/// The model's last words.
pub(super) const END: &str = "That is all for now.";

/// A block of text.
pub(super) fn text(text: &str) -> Block {
    Block::Text(text.to_owned())
}

/// A turn in which the model runs one command.
pub(super) fn shell(command: impl Into<String>) -> Turn {
    vec![Block::Shell(command.into())]
}

/// A sandbox in which hookguard is installed for the mode's agent, by its own `install`.
pub(super) fn guarded(mode: Mode) -> anyhow::Result<Sandbox> {
    let sandbox = Sandbox::new()?;
    install(&sandbox, mode.agent())?;
    Ok(sandbox)
}

/// Runs `hookguard install` and gives what it printed, both ways.
pub(super) fn install(sandbox: &Sandbox, agent: Agent) -> anyhow::Result<String> {
    hookguard(sandbox, ["install", "--agent", &agent.to_string()])
}

/// Changes the command that is installed before tools.
pub(super) fn change_command(sandbox: &Sandbox, mode: Mode, change: fn(&str) -> String) -> anyhow::Result<()> {
    let file = mode.agent().hooks_file(sandbox);
    let mut settings: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
    let command = settings.pointer_mut("/hooks/PreToolUse/0/hooks/0/command").context("PreToolUse is not installed")?;
    *command = change(command.as_str().context("the command is no text")?).into();
    std::fs::write(&file, settings.to_string())?;
    Ok(())
}

/// Runs hookguard, which must succeed, and gives what it printed, both ways.
pub(super) fn hookguard<'a>(sandbox: &Sandbox, args: impl IntoIterator<Item = &'a str>) -> anyhow::Result<String> {
    let finished = sandbox.hookguard(args)?.run()?;
    let printed = format!("{}{}", finished.stdout, finished.stderr);
    finished.success()?;
    Ok(printed)
}

/// How often the model has been told something at its stops. Claude Code 2.1.332 says it twice each time, as the user's
/// feedback and beside the hook's command.
pub(super) fn told_at_stop(mode: Mode, request: &Request, words: &str) -> usize {
    let said = request.count(Speaker::User, words);
    match mode.agent() {
        Agent::Claude => said.div_ceil(2),
        Agent::Codex => said,
    }
}

/// Runs a session that must come to the script's end.
pub(super) fn run(session: AgentRun<'_>) -> anyhow::Result<Outcome> {
    let outcome = session.run()?;
    assert_eq!(outcome.agent.exit, Exit::Code(0), "{outcome}");
    assert!(outcome.agent.stdout.contains(END), "{outcome}");
    Ok(outcome)
}

/// Writes the user's own `hookguard` configuration, after its first line.
pub(super) fn configure(sandbox: &Sandbox, text: &str) -> anyhow::Result<()> {
    sandbox.write("home/.config/hookguard/config.toml", format!("version = 1\n{text}"))?;
    Ok(())
}

/// The turn in which the model makes a file in the project, with lines that end, by the agent's own file tool.
pub(super) fn new_file(mode: Mode, sandbox: &Sandbox, name: &str, text: &str) -> Turn {
    let input = json!({ "file_path": sandbox.project().join(name), "content": text });
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    match mode.agent() {
        Agent::Claude => vec![Block::Tool { name: "Write".to_owned(), input }],
        Agent::Codex => vec![Block::Patch(format!("*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch"))],
    }
}

/// The turns in which the model replaces a file by the agent's own file tool. Claude Code writes to no file that it has
/// not read, and asks no hook about it.
pub(super) fn replace_file(mode: Mode, file: &Path, before: &str, after: &str) -> Vec<Turn> {
    let path = file.display();
    let tool = |name: &str, input| vec![Block::Tool { name: name.to_owned(), input }];
    match mode.agent() {
        Agent::Claude => vec![
            tool("Read", json!({ "file_path": file })),
            tool("Write", json!({ "file_path": file, "content": after })),
        ],
        Agent::Codex => {
            let lines = |sign: &str, text: &str| text.lines().map(|line| format!("{sign}{line}\n")).collect::<String>();
            let change = format!("{}{}", lines("-", before), lines("+", after));
            vec![vec![Block::Patch(format!("*** Begin Patch\n*** Update File: {path}\n@@\n{change}*** End Patch"))]]
        }
    }
}
