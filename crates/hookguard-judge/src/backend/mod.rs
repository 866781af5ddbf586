//! Who is asked: backends as they are configured, what each is sent, and how its answer is read. Pure: the binary starts the
//! processes and speaks to the network.

pub mod claude;
pub mod codex;
pub mod command;
pub mod openai;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Unread;

/// Variables that every child of a judge gets: a hook that sees one of them puts nothing to judges. The second is the name
/// that scripts in the field use.
pub const GUARD_VARIABLES: [&str; 2] = ["HOOKGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE"];

/// The kinds of backends.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// Facts and strict patterns, in hookguard itself.
    Builtin,
    /// The `claude` program, without its tools, hooks and settings.
    Claude,
    /// The `codex` program, in a read-only sandbox, without its hooks and settings.
    Codex,
    /// Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, LM Studio, Cerebras, OpenAI.
    Openai,
    /// Any command: the question on its standard input, the answer on its standard output.
    Command,
}

impl Kind {
    /// Whether asking it starts a program, which may be an agent with hooks of its own.
    pub fn starts_a_program(self) -> bool {
        matches!(self, Kind::Claude | Kind::Codex | Kind::Command)
    }
}

/// What a command reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandInput {
    /// Instructions and data as one text.
    #[default]
    Text,
    /// One JSON object with `system`, `user`, `schema`, `judges`, `text` and `facts`.
    Json,
}

/// A backend as it stands in the configuration. The first that answers counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Backend {
    /// What it is: builtin, claude, codex, openai or command.
    pub kind: Kind,
    /// What it is called in logs and by `hookguard judge --backend`; its kind, where nothing is said.
    #[serde(default)]
    pub name: Option<String>,
    /// The model; for claude and codex a fast one, where nothing is said.
    #[serde(default)]
    pub model: Option<String>,
    /// How long one try may take, in milliseconds; half of what is left of the deadline, where nothing is said.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    /// claude, codex: the program, where it is not on PATH.
    #[serde(default)]
    pub program: Option<String>,
    /// claude, codex: more arguments, such as a provider's settings.
    #[serde(default)]
    pub args: Vec<String>,
    /// command: the command line.
    #[serde(default)]
    pub command: Option<String>,
    /// command: `text` or `json`.
    #[serde(default)]
    pub input: CommandInput,
    /// openai: where the server is, such as `http://localhost:11434/v1`.
    #[serde(default)]
    pub base_url: Option<String>,
    /// openai: the name of the environment variable that holds the key.
    #[serde(default)]
    pub api_key_env: Option<String>,
    /// openai: more headers; `${NAME}` as a value is the environment variable of that name.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// openai: the most that is answered, in tokens. A model that thinks first needs more.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// openai: a file with certificates (PEM) to trust instead of the well-known ones.
    #[serde(default)]
    pub ca_file: Option<String>,
    /// openai: a name server such as `127.0.0.1:5353`, instead of the system's.
    #[serde(default)]
    pub resolver: Option<String>,
}

impl Backend {
    /// One of this kind, and nothing else said.
    pub fn new(kind: Kind) -> Backend {
        Backend {
            kind,
            name: None,
            model: None,
            timeout_ms: None,
            program: None,
            args: Vec::new(),
            command: None,
            input: CommandInput::default(),
            base_url: None,
            api_key_env: None,
            headers: BTreeMap::new(),
            max_tokens: None,
            ca_file: None,
            resolver: None,
        }
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.kind.to_string())
    }

    /// The model that is asked, where there is one to name.
    pub fn model(&self) -> Option<&str> {
        let fast = match self.kind {
            Kind::Claude => Some(claude::FAST_MODEL),
            Kind::Codex => Some(codex::FAST_MODEL),
            Kind::Builtin | Kind::Openai | Kind::Command => None,
        };
        self.model.as_deref().or(fast)
    }

    /// What is wrong with it, each a fragment: what it lacks, and what does not belong to its kind.
    pub fn faults(&self) -> Vec<String> {
        use Kind::{Claude, Codex, Command, Openai};
        let name = self.name();
        let given: [(&str, bool, &[Kind]); 11] = [
            ("model", self.model.is_some(), &[Claude, Codex, Openai, Command]),
            ("timeout_ms", self.timeout_ms.is_some(), &[Claude, Codex, Openai, Command]),
            ("program", self.program.is_some(), &[Claude, Codex]),
            ("args", !self.args.is_empty(), &[Claude, Codex]),
            ("command", self.command.is_some(), &[Command]),
            ("input", self.input != CommandInput::Text, &[Command]),
            ("base_url", self.base_url.is_some(), &[Openai]),
            ("api_key_env", self.api_key_env.is_some(), &[Openai]),
            ("headers", !self.headers.is_empty(), &[Openai]),
            ("max_tokens", self.max_tokens.is_some(), &[Openai]),
            ("resolver, ca_file", self.resolver.is_some() || self.ca_file.is_some(), &[Openai]),
        ];
        let alien = given.iter().filter(|(_, given, kinds)| *given && !kinds.contains(&self.kind));
        let mut faults: Vec<String> =
            alien.map(|(key, ..)| format!("backend {name}: {} takes no {key}", self.kind)).collect();
        let lacks: &[(&str, bool)] = match self.kind {
            Command => &[("command", self.command.is_none())],
            Openai => &[("base_url", self.base_url.is_none()), ("model", self.model.is_none())],
            _ => &[],
        };
        faults
            .extend(lacks.iter().filter(|(_, lacks)| *lacks).map(|(key, _)| format!("backend {name}: it needs {key}")));
        if let Some(url) =
            self.base_url.as_deref().filter(|url| !url.starts_with("http://") && !url.starts_with("https://"))
        {
            faults.push(format!("backend {name}: base_url {url:?} begins with neither http:// nor https://"));
        }
        if let Some(server) = self.resolver.as_deref().filter(|server| openai::name_server(server).is_none()) {
            faults.push(format!("backend {name}: resolver {server:?} is no address such as 127.0.0.1:53"));
        }
        faults
    }
}

/// What the built-in backend does where only words speak, and facts don't. The order is the order of strictness.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::Display,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OnProse {
    /// A note to the human, and no block.
    #[default]
    Advise,
    /// A violation.
    Block,
}

/// What a judge's violation does. The order is the order of strictness.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::Display,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum JudgeMode {
    /// The judge is not asked.
    Off,
    /// A note to the human, and no block.
    Advise,
    /// The agent is resumed.
    #[default]
    Block,
}

/// A program to start for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Its name, or path.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables of its own, beside [`GUARD_VARIABLES`].
    pub variables: Vec<(&'static str, &'static str)>,
    /// What stands on its standard input.
    pub stdin: String,
    /// Files in its folder, and what they hold.
    pub files: Vec<(&'static str, String)>,
    /// The file in its folder that it answers in; its standard output where none is named.
    pub answers_in: Option<&'static str>,
}

/// How a program that was asked has ended.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// Its exit code.
    pub exit: i32,
    /// What it printed, or what stands in the file that it answers in.
    pub answer: &'a str,
    /// What it said besides: standard error, and its output where it answers in a file.
    pub talk: &'a str,
}

/// Why a backend gave no verdict. A fragment for a line of the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It could not be asked at all.
    #[error("{0}")]
    NotAsked(String),
    /// It was not done in time.
    #[error("it had not answered after {0} ms, and was ended")]
    TimedOut(u64),
    /// It ended with an error.
    #[error("it ended with {how}{}", told(.words))]
    Ended {
        /// `exit code 1`, `signal 9`
        how: String,
        /// Its own words.
        words: String,
    },
    /// It says itself that something went wrong: a key, a limit, a model that is no more.
    #[error("it reports an error{}", told(.0))]
    Reported(String),
    /// The server's status says that something went wrong.
    #[error("status {status}{}", told(.words))]
    Status {
        /// HTTP's.
        status: u16,
        /// The server's own words.
        words: String,
    },
    /// There was no speaking to it.
    #[error("{0}")]
    Transport(String),
    /// The model was cut off in the middle.
    #[error("its answer was cut off at max_tokens")]
    Truncated,
    /// The model did not want to.
    #[error("the model refused")]
    Refused,
    /// It succeeded and gave no verdict.
    #[error("it gave no structured answer")]
    NoAnswer,
    /// What it said is no verdict.
    #[error("its answer {0}")]
    Unread(#[from] Unread),
    /// It answered some of the questions, and the rule of this judge needs the others.
    #[error("its answer leaves {0} open")]
    Incomplete(String),
}

fn told(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

/// How many bytes of a backend's own words are kept.
const MAX_WORDS: usize = 300;

/// A backend's own words for a line of the log: without secrets, in one line, the end of them, where programs say what matters.
pub fn words(text: &str) -> String {
    let redacted = crate::redact(text);
    let line: Vec<&str> = redacted.text.split_whitespace().collect();
    let line: String = line.join(" ").chars().filter(|char| !hookguard_core::is_unseen(*char)).collect();
    let start = line.len().saturating_sub(MAX_WORDS);
    let start = (start..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
    line[start..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_backend() {
        assert_eq!(Backend::new(Kind::Claude).faults(), [""; 0]);
        assert_eq!(Backend::new(Kind::Builtin).faults(), [""; 0]);
        let mut openai = Backend::new(Kind::Openai);
        assert_eq!(openai.faults(), ["backend openai: it needs base_url", "backend openai: it needs model"]);
        openai.base_url = Some("localhost:11434".into());
        openai.model = Some("m".into());
        openai.resolver = Some("dns.example".into());
        openai.args = vec!["x".into()];
        let faults = openai.faults();
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults[0].contains("takes no args"), "{faults:?}");
        let mut command = Backend::new(Kind::Command);
        command.name = Some("mine".into());
        assert_eq!(command.faults(), ["backend mine: it needs command"]);
    }

    #[test]
    fn words_are_one_short_line_without_secrets() {
        let secret = format!("ghp_{}", "aZ9".repeat(12));
        let said = words(&format!("a\n\tb \u{1b}[31m{secret} {} the end", "é".repeat(400)));
        assert!(said.ends_with(" the end") && said.len() <= MAX_WORDS && !said.contains("aZ9"), "{said}");
        assert_eq!(words("a\n\tb \u{1b}[31mc"), "a b [31mc");
    }
}
