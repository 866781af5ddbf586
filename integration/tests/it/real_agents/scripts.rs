//! Scripts as policies inside the real agents: the two hook scripts that the project started from, and stops that end.

use std::os::unix::fs::PermissionsExt;

use anyhow::Context;
use hookguard_integration::agents::{Agent, AgentRun, Mode, Outcome};
use hookguard_integration::fake_model::{Block, Script};
use hookguard_integration::{Exit, Sandbox};
use serde_json::json;

use super::in_each_mode;

in_each_mode!(the_two_scripts, stops_with_words, stops_with_tools);

const GUARD: &str = include_str!("../../../fixtures/claude-hooks/garde-commandes.sh");
const LINT: &str = include_str!("../../../fixtures/claude-hooks/lint-fichier.sh");
const SETTINGS: &str = include_str!("../../../fixtures/claude-hooks/settings.json");
const PHP: &str = "#!/bin/sh\necho \"PHP Parse error: syntax error in $2\"\nexit 255\n";
const END: &str = "That is all for now.";

fn text(text: &str) -> Block {
    Block::Text(text.to_owned())
}

fn installed(mode: Mode) -> anyhow::Result<Sandbox> {
    let sandbox = Sandbox::new()?;
    sandbox.hookguard(["install", "--agent", &mode.agent().to_string()])?.run()?.success()?;
    Ok(sandbox)
}

fn run(session: AgentRun<'_>) -> anyhow::Result<Outcome> {
    let outcome = session.run()?;
    assert_eq!(outcome.agent.exit, Exit::Code(0), "{:?}", outcome.agent);
    assert!(outcome.agent.stdout.contains(END), "{:?}", outcome.agent);
    Ok(outcome)
}

/// The one refuses a command, the other tells of a broken file just written: in the scripts' own words.
fn the_two_scripts(mode: Mode) -> anyhow::Result<()> {
    let sandbox = installed(mode)?;
    for (path, content) in
        [(".claude/hooks/garde-commandes.sh", GUARD), (".claude/hooks/lint-fichier.sh", LINT), ("stand-ins/php", PHP)]
    {
        let path = sandbox.write(sandbox.project().join(path), content)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    // There is no PHP here; and only hookguard runs the scripts, whichever agent it is.
    let found = SETTINGS.replace(
        r#""\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/lint"#,
        r#""PATH=\"$CLAUDE_PROJECT_DIR/stand-ins:$PATH\" \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/lint"#,
    );
    let file = sandbox.write("elsewhere/settings.json", found)?;
    let file = file.to_str().context("the path is no text")?;
    sandbox.hookguard(["import", "--from", "claude", "--user", "--yes", "--file", file])?.run()?.success()?;

    let write = match mode.agent() {
        Agent::Claude => Block::Tool {
            name: "Write".to_owned(),
            input: json!({ "file_path": sandbox.project().join("page.php"), "content": "<?php BROKEN" }),
        },
        Agent::Codex => {
            Block::Patch("*** Begin Patch\n*** Add File: page.php\n+<?php BROKEN\n*** End Patch".to_owned())
        }
    };
    let forced = Block::Shell("echo 'git push --force' > forced.txt".to_owned());
    let script = Script::new([vec![forced], vec![write], vec![text(END)]]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert!(!sandbox.project().join("forced.txt").exists());
    let refused = outcome.turn(1).context("no second turn")?;
    assert!(refused.tells("Commande refusée par le garde-fou : pas de push forcé"), "{:?}", refused.told);
    assert!(sandbox.project().join("page.php").exists(), "{:?}", outcome.agent);
    let told = outcome.turn(2).context("no third turn")?;
    assert!(told.tells("PHP Parse error: syntax error"), "{:?}", told.told);
    Ok(())
}

fn never_content(mode: Mode) -> anyhow::Result<Sandbox> {
    let sandbox = installed(mode)?;
    let policy = "version = 1\n[[policy]]\nid = \"team.stop\"\non = \"stop\"\nform = \"claude\"\ncommand = \"echo run the tests >&2; exit 2\"\n";
    sandbox.write("home/.config/hookguard/config.toml", policy)?;
    Ok(sandbox)
}

/// A model that only says it again is resumed once: a third request would find the script at its end.
fn stops_with_words(mode: Mode) -> anyhow::Result<()> {
    let sandbox = never_content(mode)?;
    let outcome = run(AgentRun::new(mode, &sandbox, Script::new([vec![text("Done.")], vec![text(END)]])))?;
    let resumed = outcome.turn(1).context("it was not resumed")?;
    assert!(resumed.tells("hookguard [team.stop]: run the tests"), "{:?}", resumed.told);
    Ok(())
}

/// One that answers with tools is resumed twice and no more.
fn stops_with_tools(mode: Mode) -> anyhow::Result<()> {
    let sandbox = never_content(mode)?;
    let shell = |command: &str| vec![Block::Shell(command.to_owned())];
    let script = Script::new([
        vec![text("Done.")],
        shell("echo one > one.txt"),
        vec![text("Done again.")],
        shell("echo two > two.txt"),
        vec![text(END)],
    ]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert!(outcome.turn(4).is_ok() && sandbox.project().join("two.txt").exists(), "{:?}", outcome.agent);
    let log = sandbox.decisions()?;
    assert_eq!(log.iter().filter(|line| line["told"] == "resume").count(), 2, "{log:?}");
    Ok(())
}
