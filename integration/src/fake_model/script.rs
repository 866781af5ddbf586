//! What the model will say: turns of blocks, in order.

use serde_json::Value;

/// One thing that the model says or does.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// It says this.
    Text(String),
    /// It runs this command, by whatever shell tool the agent declares.
    Shell(String),
    /// It applies this patch (an apply_patch envelope), by whatever patch tool the agent declares.
    Patch(String),
    /// It runs this JavaScript, where the agent's tools are functions in such a script (Codex's code mode).
    JavaScript(String),
    /// It waits for the last command that it was told still runs (Codex), so many milliseconds.
    Poll(u64),
    /// It calls this tool, by the agent's own name of it.
    Tool {
        /// The tool's name.
        name: String,
        /// Its arguments.
        input: Value,
    },
}

/// What the model answers to one request.
pub type Turn = Vec<Block>;

/// The turns of one session. Each request that declares tools takes one; what comes after the last is a fault.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    turns: Vec<Turn>,
}

impl Script {
    /// A script of these turns.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Script {
        Script { turns: turns.into_iter().collect() }
    }

    /// The commonest one: the model does one thing, is told the result, and ends with a text.
    pub fn one_call(call: Block, end: &str) -> Script {
        Script::new([vec![call], vec![Block::Text(end.to_owned())]])
    }

    /// The turn with this number, from 0.
    pub(super) fn turn(&self, number: usize) -> Option<&Turn> {
        self.turns.get(number)
    }
}
