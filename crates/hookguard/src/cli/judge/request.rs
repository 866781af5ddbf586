//! `--show-request`: what would be sent, to the byte, but for the markers' key, which is new each time, and for what the
//! environment holds: keys are named and not shown.

use std::fmt::Write as _;

use hookguard_judge::backend::{Backend, Failure, GUARD_VARIABLES, Kind, command, openai};
use hookguard_judge::layer1::{Settled, settle};
use hookguard_judge::prompt::{Material, Prompt};
use hookguard_judge::{Facts, Judge};
use serde_json::{Value, json};

use super::super::exit;
use super::super::output::{json as pretty, print, say, visible_lines};
use crate::judge::chain;
use crate::judge::process::launch;
use hookguard_config::Judges;

/// The folder that is made for each call.
const SCRATCH: &str = "SCRATCH";

pub(super) fn show(settings: &Judges, judges: &[&Judge<'_>], text: &str, as_json: bool) -> anyhow::Result<u8> {
    let facts = Facts::unknown();
    let material = Material::of(text, &facts);
    let prompt = chain::prompt(judges, &material).map_err(|failure: Failure| anyhow::anyhow!("{failure}"))?;
    let settled = judges.iter().filter(|judge| judge.has_words());
    for judge in settled.filter(|judge| !matches!(settle(judge, material.text(), &facts), Settled::Open { .. })) {
        say(&format!("{}: facts and words settle this text; nothing would be sent without --ask", judge.id));
    }
    let sent: Vec<Value> = settings
        .backends
        .iter()
        .map(|backend| json!({ "backend": backend.name(), "model": backend.model(), "sent": sent(backend, &prompt, judges, &material) }))
        .collect();
    let redacted: usize = material.redactions().values().sum();
    say(&format!("{redacted} secrets taken out; injection suspected: {}", prompt.injection_suspected));
    if as_json {
        let all = json!({ "system": prompt.system, "user": prompt.user, "schema": prompt.schema, "backends": sent });
        print(&pretty(&all)?)?;
        return Ok(exit::OK);
    }
    let mut out = String::new();
    writeln!(out, "# system\n{}\n# user\n{}\n", visible_lines(&prompt.system), visible_lines(&prompt.user))?;
    writeln!(out, "# schema\n{}", pretty(&prompt.schema)?)?;
    for one in &sent {
        writeln!(out, "\n# sent to {}\n{}", one["backend"].as_str().unwrap_or_default(), pretty(&one["sent"])?)?;
    }
    print(&out)?;
    Ok(exit::OK)
}

/// What one backend gets.
fn sent(backend: &Backend, prompt: &Prompt, judges: &[&Judge<'_>], material: &Material) -> Value {
    match backend.kind {
        Kind::Builtin => Value::Null,
        Kind::Command => json!({
            "argv": ["/bin/sh", "-c", backend.command],
            "variables": GUARD_VARIABLES,
            "stdin": command::input(backend, prompt, judges, material),
        }),
        Kind::Openai => {
            let mut headers = json!(backend.headers);
            if let Some(name) = &backend.api_key_env {
                headers["Authorization"] = json!(format!("Bearer ${{{name}}}"));
            }
            json!({
                "url": openai::url(backend.base_url.as_deref().unwrap_or_default()),
                "headers": headers,
                "body": openai::body(backend, prompt, judges.len(), openai::Shape::FULL),
            })
        }
        Kind::Claude | Kind::Codex => {
            let launch = launch(backend, prompt, SCRATCH);
            let files: serde_json::Map<String, Value> =
                launch.files.into_iter().map(|(name, content)| (name.to_owned(), content.into())).collect();
            let argv: Vec<String> = std::iter::once(launch.program).chain(launch.args).collect();
            let variables = launch.variables.iter().map(|(name, value)| format!("{name}={value}"));
            let variables: Vec<String> =
                GUARD_VARIABLES.iter().map(|name| format!("{name}=1")).chain(variables).collect();
            json!({ "argv": argv, "variables": variables, "stdin": launch.stdin, "files": files })
        }
    }
}
