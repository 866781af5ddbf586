//! What the model was asked and what it answered, for tests to look at.

use serde_json::Value;

use super::tools::Call;

/// One request to the server, in the order of arrival.
#[derive(Debug, Clone)]
pub struct Request {
    /// The path and query, such as `/v1/messages?beta=true`.
    pub path: String,
    /// What became of it.
    pub kind: Kind,
    /// Everything that the model was told with it: the whole conversation so far, in order.
    pub told: Vec<Told>,
    /// What it answered.
    pub answer: Vec<Call>,
    /// The body as it came, for what is not in `told`.
    pub body: Value,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// It took the script's turn with this number, from 0.
    Turn(usize),
    /// It declared no tools (a title, a summary): answered with a fixed text, took no turn.
    Auxiliary,
    /// A question about the server: its models, a count of tokens.
    Inquiry,
    /// It could not be served, for this reason: the script is at its end, no tool fits, the body is unreadable.
    Fault(String),
}

/// One text that the model was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Who says it.
    pub by: Speaker,
    /// The text.
    pub text: String,
}

/// Who says something to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The agent's instructions.
    System,
    /// The agent, in the conversation (Codex's hooks speak so).
    Developer,
    /// The user, or the agent in the user's name.
    User,
    /// The model itself, earlier.
    Assistant,
    /// A tool.
    Tool,
}

impl Request {
    /// What this speaker says, in order.
    pub fn by(&self, speaker: Speaker) -> impl Iterator<Item = &str> {
        self.told.iter().filter(move |told| told.by == speaker).map(|told| told.text.as_str())
    }

    /// How often this speaker says this.
    pub fn count(&self, by: Speaker, text: &str) -> usize {
        self.by(by).map(|said| said.matches(text).count()).sum()
    }

    /// Whether anybody but the model itself says this.
    pub fn tells(&self, text: &str) -> bool {
        self.told.iter().any(|told| told.by != Speaker::Assistant && told.text.contains(text))
    }
}
