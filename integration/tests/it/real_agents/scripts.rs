//! Scripts as policies inside the real agents: the two hook scripts that the project started from, and stops that end.

use std::os::unix::fs::PermissionsExt;

use anyhow::Context;
use hookguard_integration::Sandbox;
use hookguard_integration::agents::{AgentRun, Mode};
use hookguard_integration::fake_model::Script;

use super::in_each_mode;
use super::session::{END, configure, guarded, new_file, run, shell, text};

in_each_mode!(the_two_scripts, stops_with_words, stops_with_tools);

const GUARD: &str = include_str!("../../../fixtures/claude-hooks/garde-commandes.sh");
const LINT: &str = include_str!("../../../fixtures/claude-hooks/lint-fichier.sh");
const SETTINGS: &str = include_str!("../../../fixtures/claude-hooks/settings.json");
const PHP: &str = "#!/bin/sh\necho \"PHP Parse error: syntax error in $2\"\nexit 255\n";

/// The one refuses a command, the other tells of a broken file just written: in the scripts' own words.
fn the_two_scripts(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
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

    let write = new_file(mode, &sandbox, "page.php", "<?php BROKEN\n");
    let forced = shell("echo 'git push --force' > forced.txt");
    let script = Script::new([forced, write, vec![text(END)]]);
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
    let sandbox = guarded(mode)?;
    let policy = "[[policy]]\nid = \"team.stop\"\non = \"stop\"\nform = \"claude\"\ncommand = \"echo run the tests >&2; exit 2\"\n";
    configure(&sandbox, policy)?;
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
