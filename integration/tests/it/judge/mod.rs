//! `hookguard judge` with models: commands, servers, names, the real lean agents.

mod agents;
mod commands;
mod names;
mod server;
mod servers;

use hookguard_integration::{Finished, Sandbox};
use serde_json::{Value, json};

/// A question with two fields.
const PROMPT: &str = "Does the writer announce that they will now paint the fence? Return only one line of JSON: \
    {\"announces\": true|false, \"only_asks\": true|false, \"reason\": \"...\"}.";

const YES: &str = r#"{"announces": true, "only_asks": false, "reason": "says so"}"#;
const NO: &str = r#"{"announces": false, "only_asks": false, "reason": "says nothing"}"#;

/// Puts a text to the backends of a configuration, with [`PROMPT`].
fn ask(sandbox: &Sandbox, config: &str, text: &str, more: &[&str]) -> anyhow::Result<Finished> {
    let file = sandbox.write("hookguard.toml", config)?;
    let prompt = sandbox.write("prompt.txt", PROMPT)?;
    let args = ["judge".as_ref(), "--prompt".as_ref(), prompt.as_os_str()].into_iter();
    let invocation = sandbox.hookguard(args.chain(more.iter().map(AsRef::as_ref)))?;
    invocation.env("HOOKGUARD_CONFIG", file).stdin(text).run()
}

/// The same, as JSON.
fn asked(sandbox: &Sandbox, config: &str, text: &str) -> anyhow::Result<Value> {
    let done = ask(sandbox, config, text, &["--json"])?;
    let parsed = serde_json::from_str(&done.stdout);
    parsed.map_err(|error| anyhow::anyhow!("{error}: {done:?}"))
}

fn verdict(asked: &Value) -> &str {
    asked["rulings"][0]["verdict"].as_str().unwrap_or_default()
}

/// The line of the backend that failed first.
fn why(asked: &Value) -> &str {
    asked["tries"][0]["why"].as_str().unwrap_or_default()
}

/// A configuration that asks these backends, in this order.
fn chain(names: &[&str], tables: &str) -> String {
    format!("version = 1\n[judge]\nbackends = {names:?}\n{tables}\n")
}

/// The same with so much time for all of them.
fn within(ms: u64, config: &str) -> String {
    config.replacen("[judge]\n", &format!("[judge]\ndeadline_ms = {ms}\n"), 1)
}

/// A configuration that asks one command.
fn command(name: &str, line: &str, more: &str) -> String {
    let table = format!("[[judge.backend]]\nkind = \"command\"\nname = \"{name}\"\ncommand = '''{line}'''\n{more}\n");
    chain(&[name], &table)
}

/// Secrets as texts hold them, put together here so that no scanner takes this file for a leak.
fn secrets() -> Vec<String> {
    vec![
        format!("ghp_{}", "aZ9".repeat(12)),
        format!("AKIA{}", "ABC2".repeat(4)),
        format!("sk-ant-api03-{}AA", "aB3".repeat(31)),
        format!("xoxb-{}", "12".repeat(10)),
    ]
}

/// A text with each of them, plain and with an invisible character in the middle.
fn text_with_secrets() -> (String, Vec<String>) {
    let secrets = secrets();
    let hidden: Vec<String> =
        secrets.iter().map(|secret| format!("{}\u{200b}{}", &secret[..9], &secret[9..])).collect();
    (format!("I paint now. {}\n{}", secrets.join("\n"), hidden.join("\n")), secrets)
}

/// What holds nothing of them.
fn assert_clean(bytes: &str, secrets: &[String]) {
    for secret in secrets {
        // The beginning tells the kind and stays; the rest is the secret.
        assert!(!bytes.contains(&secret[secret.len() - 10..]), "{secret} in {bytes}");
    }
}

#[test]
fn exit_codes_and_shapes() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    for (line, code, word) in [(YES, 1, "violation"), (NO, 0, "allow"), ("{}", 70, "fail")] {
        let config = command("c", &format!("echo '{line}'"), "");
        let done = ask(&sandbox, &config, "I paint the fence.", &[])?;
        assert_eq!(done.code(), Some(code), "{done:?}");
        assert!(done.stdout.starts_with(&format!("prompt: {word} (judge)\n")), "{done:?}");
    }
    let asked = asked(&sandbox, &command("c", &format!("echo '{YES}'"), ""), "I paint the fence.")?;
    let ruling = json!({
        "judge": "prompt", "verdict": "violation", "layer": "judge",
        "fields": { "announces": true, "only_asks": false }, "reason": "says so",
    });
    assert_eq!(asked["rulings"][0], ruling);
    assert_eq!((&asked["backend"], &asked["ladder"], &asked["cached"]), (&json!("c"), &json!("strict"), &json!(false)));
    for (config, why) in [
        ("version = 1\n[[judge.backend]]\nkind = \"oracle\"\n", "oracle"),
        ("version = 1\n[[judge.backend]]\nkind = \"openai\"\n", "it needs base_url"),
        ("version = 1\n", "needs a model"),
    ] {
        let done = ask(&sandbox, config, "x", &[])?;
        assert!(done.code() == Some(2) && done.stderr.contains(why), "{done:?}");
    }
    let done = ask(&sandbox, "version = 1\n", "x", &["--backend", "nobody"])?;
    assert!(done.code() == Some(2) && done.stderr.contains("no backend is called"), "{done:?}");
    Ok(())
}
