//! The Claude-nested dialect: settings `{"hooks": {Event: [{matcher, hooks: [{type, command, timeout}]}]}}`, snake_case
//! payloads with `tool_name` and `tool_input`, answers with `hookSpecificOutput`.
//!
//! Several agents speak it, none exactly like another; what differs is data in [`Nested`] and in the agent's profile.

mod answer;
#[cfg(test)]
mod answer_tests;
mod install;
mod parse;
mod payload;
mod render;
mod report;
mod sample;

pub use answer::Heard;
pub use report::Report;

use hookguard_core::{Event, Fitted, ToolOutcome, Verdict};

use crate::settings::json::Reader;
use crate::settings::typed::Typed;
use crate::{Failure, HookCall, ParseError, Posture, Profile, Reply};

/// One agent's form of the dialect.
#[derive(Debug)]
pub struct Nested {
    /// The agent.
    pub profile: &'static Profile,
    /// The variable that holds the project's root, if the agent sets one.
    pub root_variable: Option<&'static str>,
    /// The variable that says whether a human is there; without one, nobody is.
    pub attended_variable: Option<&'static str>,
    /// What prompts begin with that the agent wrote itself.
    pub machine_prompts: &'static [&'static str],
    /// What a tool's response looks like.
    pub response: Response,
    /// What the agent reads its settings with.
    pub reader: Reader,
    /// The only keys that may stand at the top of its settings file, where others void it.
    pub top_level: Option<&'static [&'static str]>,
    /// What has to be of which kind, where something else voids the file.
    pub typed: &'static [Typed],
    /// The only types of hooks, where another one voids the file.
    pub hook_types: Option<&'static [&'static str]>,
    /// The place, by its `path`, of a TOML file that may hold hooks too.
    pub toml: Option<&'static str>,
}

/// What a tool's response looks like, and what it says about success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Response {
    /// An object of the tool's own; failures have an event of their own, so this one means success
    /// (Claude Code 2.1.332, `protocols/claude-codex.md` 2).
    Structured,
    /// Text: of a shell, what the command printed, which says nothing of success; of another tool, with or without an
    /// `Exit code: N` line before it (Codex 0.171.0, `protocols/claude-codex.md` 2).
    Text,
}

/// What a tool's response of [`Response::Structured`] says of its end.
pub fn structured_outcome(response: &str) -> ToolOutcome {
    parse::structured(response)
}

/// The code in a first line `Exit code N`, as agents put it before the output of what failed.
pub fn exit_code(text: &str) -> Option<i32> {
    parse::exit_code(text)
}

impl Nested {
    /// See [`Adapter::parse`](crate::Adapter::parse).
    ///
    /// # Errors
    /// When the payload is no object of the dialect, or a tool's event lacks its tool.
    pub fn parse<'a>(&self, call: &HookCall<'a>) -> Result<Event<'a>, ParseError> {
        parse::parse(self, call)
    }

    /// See [`Adapter::render`](crate::Adapter::render).
    pub fn render(&self, event: &Event<'_>, fitted: &Fitted) -> Reply {
        render::render(self, event, fitted)
    }

    /// See [`Adapter::render_failure`](crate::Adapter::render_failure).
    pub fn render_failure(&self, call: &HookCall<'_>, failure: &Failure, posture: Posture) -> Reply {
        render::failure(self, call, failure, posture)
    }

    /// See [`Adapter::sample`](crate::Adapter::sample).
    pub fn sample(&self, event: &Event<'_>) -> Option<String> {
        sample::sample(self, event)
    }

    /// `event`, of whichever agent, as this one would report it to its hook scripts: one report an event, and one a file
    /// where files are edited. Empty where this agent has no such event or tool. The agent's own events are passed on as
    /// they came.
    pub fn reports(&self, event: &Event<'_>) -> Vec<Report> {
        report::reports(self, event)
    }

    /// The verdict of a hook script of this agent that was shown `report` about `event`. Its rule is left empty.
    ///
    /// # Errors
    /// When the script failed: it ended otherwise than with 0 or 2 and gave no answer, or its answer can't be used. Why, as
    /// a fragment.
    pub fn read_answer(&self, event: &Event<'_>, report: &Report, heard: &Heard<'_>) -> Result<Verdict, String> {
        answer::read(event, report, heard)
    }

    fn attended(&self, call: &HookCall<'_>) -> bool {
        self.attended_variable
            .and_then(|name| call.variable(name))
            .is_some_and(|value| !matches!(value, "" | "0" | "false"))
    }
}
