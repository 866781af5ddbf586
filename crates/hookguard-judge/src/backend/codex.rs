//! Codex as a judge: one request in a read-only sandbox, without its hooks, tools, servers, instructions and settings.
//!
//! Seen with 0.171.0 on 2026-11-30 (`protocols/claude-codex.md` 6). Its user's `AGENTS.md` in CODEX_HOME goes along all the same:
//! no setting leaves it out, and another CODEX_HOME would be without the login (a copy of it would be refreshed, and the user's
//! own then be void).

use super::{Backend, Failure, Finished, Launch, words};
use crate::prompt::Prompt;

/// What is asked where no model is named: "fast and affordable", as Codex 0.171.0 says of it.
pub const FAST_MODEL: &str = "gpt-6-luna";

const OFF: [&str; 9] = [
    "hooks",
    "shell_tool",
    "unified_exec",
    "multi_agent",
    "goals",
    "apps",
    "plugins",
    "image_generation",
    "view_image",
];

/// The user's own settings are passed over, and with them the servers that they name; the login stays.
const SETTINGS: [&str; 7] = [
    r#"web_search="disabled""#,
    "project_doc_max_bytes=0",
    "include_permissions_instructions=false",
    "include_environment_context=false",
    "skills.include_instructions=false",
    "check_for_update_on_startup=false",
    r#"model_reasoning_effort="low""#,
];

const SCHEMA: &str = "schema.json";
const ANSWER: &str = "answer.json";
const INSTRUCTIONS: &str = "judge.md";

/// How it is started in the folder `scratch`. The data comes on standard input (`-`).
pub fn launch(backend: &Backend, prompt: &Prompt, scratch: &str) -> Launch {
    let model = backend.model().unwrap_or(FAST_MODEL);
    let instructions = format!("model_instructions_file={}", toml_string(&format!("{scratch}/{INSTRUCTIONS}")));
    let answer = ["exec", "--output-schema", SCHEMA, "-o", ANSWER, "--model", model, "--ephemeral"];
    let lean = ["--skip-git-repo-check", "--sandbox", "read-only", "--ignore-user-config", "--color", "never"];
    let off = OFF.iter().flat_map(|feature| ["--disable", feature]);
    let settings = SETTINGS.into_iter().chain([instructions.as_str()]).flat_map(|setting| ["-c", setting]);
    let args = answer.into_iter().chain(lean).chain(off).chain(settings).map(str::to_owned);
    Launch {
        program: backend.program.clone().unwrap_or_else(|| "codex".to_owned()),
        args: args.chain(backend.args.iter().cloned()).chain(["-".to_owned()]).collect(),
        variables: vec![("RUST_LOG", "error")],
        stdin: prompt.user.clone(),
        files: vec![(SCHEMA, prompt.schema.to_string()), (INSTRUCTIONS, prompt.system.clone())],
        answers_in: Some(ANSWER),
    }
}

fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The verdict in the file that it answered in: the model's words as they are, for the client checks nothing. After an error
/// of the API the file is there and empty.
///
/// # Errors
/// There is none.
pub fn read(ran: &Finished<'_>) -> Result<String, Failure> {
    match (ran.exit, ran.answer.trim()) {
        (0, "") => Err(Failure::NoAnswer),
        (0, answer) => Ok(answer.to_owned()),
        (code, _) => {
            // What it prints is a record of the run, in which the error comes twice: the last line is the shortest.
            let lines: Vec<&str> = ran.talk.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let error = lines.iter().rfind(|line| line.to_ascii_lowercase().contains("error"));
            let last = error.or(lines.last()).copied().unwrap_or_default();
            Err(Failure::Ended { how: format!("exit code {code}"), words: words(last) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Kind;

    #[test]
    fn files_and_input_hold_the_question() {
        let prompt = Prompt {
            system: "SYSTEM".into(),
            user: "USER".into(),
            schema: serde_json::json!({ "type": "object" }),
            injection_suspected: false,
        };
        let mut backend = Backend::new(Kind::Codex);
        backend.args = vec!["-c".into(), "x=1".into()];
        let launch = launch(&backend, &prompt, "/tmp/a \"b");
        assert_eq!((launch.stdin.as_str(), launch.answers_in), ("USER", Some(ANSWER)));
        assert!(launch.args.contains(&r#"model_instructions_file="/tmp/a \"b/judge.md""#.to_owned()));
        assert_eq!(launch.args[launch.args.len() - 3..], ["-c", "x=1", "-"]);
        assert!(!launch.args.iter().any(|arg| arg.contains("USER") || arg.contains("SYSTEM")));
    }

    #[test]
    fn verdicts_and_failures() {
        let of = |exit, answer, talk| read(&Finished { exit, answer, talk });
        assert_eq!(of(0, "{\"a\":true}\n", ""), Ok("{\"a\":true}".into()));
        assert_eq!(of(0, " \n", "ok"), Err(Failure::NoAnswer));
        let Err(Failure::Ended { words, .. }) = of(1, "", "hook\nERROR: model old is no more\n\n") else { panic!() };
        assert_eq!(words, "ERROR: model old is no more");
    }
}
