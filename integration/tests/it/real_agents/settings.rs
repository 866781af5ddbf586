//! Files that break, and files that say a thing twice: hookguard's own configuration and the agents' settings.

use hookguard_integration::agents::{Agent, AgentRun, Mode};
use hookguard_integration::fake_model::{Script, Speaker};
use hookguard_integration::{Exit, Sandbox, binary};

use super::in_each_mode;
use super::session::{END, configure, guarded, hookguard, install, new_file, run, shell, text, told_at_stop};

in_each_mode!(our_own_breaks, the_agents_breaks, two_scopes);

/// Half a line is saved while the agent runs, by whatever runs after its first tool.
const BREAKING: &str = r#"
[rules]
"git.stash.drop" = "deny"
[[policy]]
id = "team.save"
on = "post_tool"
command = '''cd "$HOME/.config/hookguard" && tail -1 config.toml | grep -q '^.half' || echo '[half a line' >> config.toml'''
"#;

/// The verdicts are those of the last good version; the user is told once, where the agent shows it.
fn our_own_breaks(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    configure(&sandbox, BREAKING)?;
    let script = ["echo one > one.txt", "git stash drop", "echo two > two.txt", "git stash drop"].map(shell);
    let outcome = run(AgentRun::new(mode, &sandbox, Script::new(script.into_iter().chain([vec![text(END)]]))))?;
    let saved = std::fs::read_to_string(sandbox.home().join(".config/hookguard/config.toml"))?;
    assert!(saved.ends_with("[half a line\n"), "{saved}");
    for turn in [1, 3] {
        let told = outcome.result_of(turn)?;
        // The built-in policy would ask, and so name a code.
        assert!(told.contains("hookguard [git.stash.drop]: ") && !told.contains("hookguard allow"), "{told}");
        assert!(!told.contains("last good version"), "the model can't mend it: {told}");
    }
    assert!(["one.txt", "two.txt"].iter().all(|name| sandbox.project().join(name).exists()), "{outcome}");
    let note = "its last good version stands";
    let logged = sandbox.decisions()?;
    let noted = logged.iter().filter(|line| line["note"].as_str().is_some_and(|text| text.contains(note)));
    assert_eq!(noted.count(), 1, "{logged:?}");
    // Codex 0.171.0 shows such a note at its terminal only.
    let shown = outcome.agent.stdout.lines().filter(|line| line.contains("says: hookguard: ") && line.contains(note));
    assert_eq!(shown.count(), usize::from(mode.agent() == Agent::Claude), "{}", outcome.agent.stdout);
    Ok(())
}

/// What the agent would not read is left alone by `install`, which says so; and the agent, which runs without any hook
/// then, says less than that.
fn the_agents_breaks(mode: Mode) -> anyhow::Result<()> {
    let sandbox = guarded(mode)?;
    let file = mode.agent().hooks_file(&sandbox);
    let broken = std::fs::read_to_string(&file)?.replacen('{', "{ // by hand\n", 1);
    std::fs::write(&file, &broken)?;
    for command in ["install", "uninstall"] {
        let done = sandbox.hookguard([command, "--agent", &mode.agent().to_string()])?.run()?;
        assert_eq!(done.exit, Exit::Code(2), "{command}: {done:?}");
        assert!(done.stderr.contains("1:3"), "{command}: {}", done.stderr);
        assert_eq!(std::fs::read_to_string(&file)?, broken, "{command}");
    }
    let script = Script::new([shell("echo written > written.txt"), vec![text(END)]]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert!(sandbox.project().join("written.txt").exists(), "{outcome}");
    assert!(sandbox.decisions()?.is_empty(), "a hook ran from a file that the agent can't read");
    let said = format!("{}{}", outcome.agent.stdout, outcome.agent.stderr);
    assert_eq!(said.contains("hooks.json"), mode.agent() == Agent::Codex, "{said}");
    Ok(())
}

/// Both scopes at once: two hooks a call, at the same time, with commands that differ.
const TWICE: &str = r#"
[[policy]]
id = "team.lint"
on = "post_tool"
tools = ["edit"]
command = '''echo '{"feedback":"mind the lock file"}' '''
[[policy]]
id = "team.stop"
on = "stop"
form = "claude"
command = "echo run the tests >&2; exit 2"
"#;

/// Registered for the user and for the project.
fn in_two_scopes(mode: Mode) -> anyhow::Result<Sandbox> {
    let mut sandbox = Sandbox::new()?;
    sandbox.put_on_path(&binary::hookguard()?)?;
    install(&sandbox, mode.agent())?;
    hookguard(&sandbox, ["install", "--agent", &mode.agent().to_string(), "--scope", "project"])?;
    if mode.agent() == Agent::Codex {
        // The user's word that the project may have hooks.
        let project = serde_json::Value::from(sandbox.project().to_string_lossy());
        sandbox.write("home/.codex/config.toml", format!("[projects.{project}]\ntrust_level = \"trusted\"\n"))?;
    }
    Ok(sandbox)
}

/// One verdict, one count of stops, and what a linter says once.
fn two_scopes(mode: Mode) -> anyhow::Result<()> {
    let sandbox = in_two_scopes(mode)?;
    configure(&sandbox, TWICE)?;
    let before = sandbox.diverged_remote()?;
    let script = Script::new([
        shell("git push --force origin main"),
        shell("echo one > one.txt"),
        new_file(mode, &sandbox, "two.txt", "two\n"),
        vec![text("Done.")],
        shell("echo three > three.txt"),
        vec![text("Done again.")],
        shell("echo four > four.txt"),
        vec![text(END)],
    ]);
    let outcome = run(AgentRun::new(mode, &sandbox, script))?;
    assert_eq!(sandbox.remote_commit()?, before, "it was pushed");
    let told = outcome.result_of(0)?;
    assert!((1..=2).contains(&told.matches("hookguard [git.push.force]: ").count()), "{told}");
    assert!(["one.txt", "two.txt", "three.txt", "four.txt"].iter().all(|name| sandbox.project().join(name).exists()));
    let log = sandbox.decisions()?;
    let count = |key: &str, value: &str| log.iter().filter(|line| line[key] == value).count();
    assert_eq!(count("rule", "git.push.force"), 2, "both hooks ran: {log:?}");
    assert_eq!(count("told", "resume"), 2, "{log:?}");
    let last = outcome.turn(7)?;
    assert_eq!(told_at_stop(mode, last, "hookguard [team.stop]: "), 2, "{outcome}");
    let everybody = [Speaker::System, Speaker::Developer, Speaker::User, Speaker::Tool];
    let told: usize = everybody.into_iter().map(|by| last.count(by, "mind the lock file")).sum();
    assert_eq!(told, 1, "{outcome}");
    Ok(())
}
