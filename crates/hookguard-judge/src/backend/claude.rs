//! Claude Code as a judge: one request, no tools but the one by which it answers, no hooks, no settings, no session file.
//!
//! Seen with 2.1.332 on 2026-11-30 (`protocols/claude-codex.md` 6).

use serde_json::Value;

use super::{Backend, Failure, Finished, Launch, words};
use crate::prompt::Prompt;

/// What is asked where no model is named.
pub const FAST_MODEL: &str = "haiku";

/// Retries with growing pauses would look like a hang, and none of the rest is of use to one question.
const VARIABLES: [(&str, &str); 5] = [
    ("CLAUDE_CODE_MAX_RETRIES", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
];

/// The answer is the argument of a tool, and an object in prose is lost: models that are asked for JSON tend to write it.
const BY_TOOL: &str = "\nGive that object by calling the tool StructuredOutput, once, and not as text.\n";

/// How it is started. The data comes on standard input: arguments are seen by every user of the machine, and have an end.
pub fn launch(backend: &Backend, prompt: &Prompt) -> Launch {
    let model = backend.model().unwrap_or(FAST_MODEL);
    let schema = prompt.schema.to_string();
    let args = ["-p", "--model", model, "--output-format", "json", "--json-schema", &schema];
    let lean = ["--setting-sources", "", "--strict-mcp-config", "--tools", "", "--no-session-persistence"];
    let system = format!("{}{BY_TOOL}", prompt.system);
    let rest = ["--disable-slash-commands", "--max-turns", "1", "--system-prompt", &system];
    let args = args.into_iter().chain(lean).chain(rest).map(str::to_owned);
    Launch {
        program: backend.program.clone().unwrap_or_else(|| "claude".to_owned()),
        args: args.chain(backend.args.iter().cloned()).collect(),
        variables: VARIABLES.to_vec(),
        stdin: format!("{}{BY_TOOL}", prompt.user),
        files: Vec::new(),
        answers_in: None,
    }
}

/// The verdict in what it printed.
///
/// `--json-schema` is not enforced: a model that answers in prose ends in success without `structured_output`. An error of
/// the API says `subtype: "success"` beside `is_error: true`.
///
/// # Errors
/// There is none.
pub fn read(ran: &Finished<'_>) -> Result<String, Failure> {
    let Ok(printed) = serde_json::from_str::<Value>(ran.answer.trim()) else {
        let words = words(if ran.talk.trim().is_empty() { ran.answer } else { ran.talk });
        return Err(match ran.exit {
            0 => Failure::NoAnswer,
            code => Failure::Ended { how: format!("exit code {code}"), words },
        });
    };
    if printed["is_error"] == true || ran.exit != 0 {
        let said = printed["result"].as_str().filter(|said| !said.is_empty());
        return Err(Failure::Reported(words(said.or(printed["subtype"].as_str()).unwrap_or(ran.talk))));
    }
    match &printed["structured_output"] {
        Value::Object(verdict) => Ok(Value::Object(verdict.clone()).to_string()),
        _ => Err(Failure::NoAnswer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Kind;

    fn prompt() -> Prompt {
        let schema = serde_json::json!({ "type": "object" });
        Prompt { system: "SYSTEM".into(), user: "USER".into(), schema, injection_suspected: false }
    }

    fn of(exit: i32, answer: &str) -> Result<String, Failure> {
        read(&Finished { exit, answer, talk: "" })
    }

    #[test]
    fn data_is_on_standard_input_only() {
        let launch = launch(&Backend::new(Kind::Claude), &prompt());
        assert_eq!(launch.stdin, format!("USER{BY_TOOL}"));
        assert!(!launch.args.iter().any(|arg| arg.contains("USER")));
        assert!(launch.args.windows(2).any(|pair| pair == ["--model", "haiku"]));
        assert!(launch.args.windows(2).any(|pair| pair == ["--tools", ""]));
    }

    #[test]
    fn verdicts_and_failures() {
        assert_eq!(of(0, r#"{"is_error":false,"structured_output":{"a":true}}"#), Ok(r#"{"a":true}"#.into()));
        assert_eq!(of(0, r#"{"is_error":false,"result":"{\"a\":true}"}"#), Err(Failure::NoAnswer));
        assert_eq!(of(0, ""), Err(Failure::NoAnswer));
        let gone = r#"{"is_error":true,"subtype":"success","result":"There's an issue with the selected model (old)"}"#;
        for exit in [0, 1] {
            let Err(Failure::Reported(words)) = of(exit, gone) else { panic!() };
            assert!(words.contains("selected model (old)"));
        }
        assert_eq!(
            of(1, "Not logged in"),
            Err(Failure::Ended { how: "exit code 1".into(), words: "Not logged in".into() })
        );
    }
}
