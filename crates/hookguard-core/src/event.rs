//! What an agent reported, in neutral words.

use serde::Serialize;

use crate::ToolCall;

/// One call of the hook: what happened, where, and in whose session.
///
/// Everything in it was said by the agent (or, for `attended` and `roots`, by the environment it set); nothing was
/// looked up. Strings are decoded tolerantly: bytes that are no UTF-8 and lone surrogates arrive as U+FFFD.
#[derive(Debug, Clone, Serialize)]
pub struct Event<'a> {
    /// The kind, on which policies decide.
    pub kind: EventKind,
    /// The id of the adapter that read it, as in `hookguard hook AGENT EVENT`.
    pub agent: &'static str,
    /// The event's name as the agent spells it.
    pub native_event: String,
    /// The agent's id of the session.
    pub session: Option<String>,
    /// The agent's id of the user's turn.
    pub turn: Option<String>,
    /// The agent's id of this tool call: the same before and after the tool.
    pub call_id: Option<String>,
    /// The agent's working directory.
    pub cwd: Option<String>,
    /// The agent's own project or workspace roots, best first; empty where it names none.
    pub roots: Vec<String>,
    /// The agent's permission mode, in its own words.
    pub permission_mode: Option<String>,
    /// Whether a human can answer a question now.
    pub attended: bool,
    /// The subagent that made the call, if one did.
    pub subagent: Option<Subagent>,
    /// The tool call, where the event is about one.
    pub tool: Option<ToolCall>,
    /// How the tool call ended, after it.
    pub outcome: Option<ToolOutcome>,
    /// What is known when the agent wants to stop.
    pub stop: Option<Stop>,
    /// The prompt, where the event is one.
    pub prompt: Option<Prompt>,
    /// The path of the agent's transcript of the session, unread.
    pub transcript: Option<String>,
    /// What the payload says of itself where that contradicts the installed command: logged, never trusted.
    pub mismatch: Option<String>,
    /// The payload as it came. Rules never read it.
    #[serde(skip)]
    pub raw: &'a [u8],
}

impl Event<'_> {
    /// An event of `kind` in which nothing else is known: where adapters start from.
    pub fn new<'a>(kind: EventKind, agent: &'static str, native_event: &str, raw: &'a [u8]) -> Event<'a> {
        Event {
            kind,
            agent,
            native_event: native_event.to_owned(),
            session: None,
            turn: None,
            call_id: None,
            cwd: None,
            roots: Vec::new(),
            permission_mode: None,
            attended: false,
            subagent: None,
            tool: None,
            outcome: None,
            stop: None,
            prompt: None,
            transcript: None,
            mismatch: None,
            raw,
        }
    }
}

/// The kinds of events that policies know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, strum::Display, strum::EnumString, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventKind {
    /// A tool is about to run: the only moment at which it can be kept from running.
    PreTool,
    /// A tool has run; [`ToolOutcome`] says how it ended.
    PostTool,
    /// Several tool calls of one model turn have ended.
    ToolBatch,
    /// The agent is about to ask its user for a permission.
    PermissionRequest,
    /// The agent is about to call its model.
    BeforeModel,
    /// The agent has finished its turn.
    Stop,
    /// A subagent has finished (also fired by a compaction, in some agents).
    SubagentStop,
    /// A prompt reached the agent, from its user or from a machine.
    Prompt,
    /// A session starts, resumes, or goes on after a compaction.
    SessionStart,
    /// A session ends.
    SessionEnd,
    /// The agent notifies its user.
    Notification,
    /// Anything else that the agent reports: logged, no opinion.
    Other,
}

/// The three moments that differ in what an answer can do, and in which way a failure leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Moment {
    /// Before something happens: it can be kept from happening.
    Before,
    /// After it: the model can be told.
    After,
    /// At the end of the turn: the agent can be made to go on.
    Stop,
    /// Nothing can be decided.
    Aside,
}

impl EventKind {
    /// The moment that this kind belongs to.
    pub fn moment(self) -> Moment {
        match self {
            EventKind::PreTool | EventKind::PermissionRequest => Moment::Before,
            EventKind::PostTool | EventKind::ToolBatch => Moment::After,
            EventKind::Stop | EventKind::SubagentStop => Moment::Stop,
            EventKind::BeforeModel
            | EventKind::Prompt
            | EventKind::SessionStart
            | EventKind::SessionEnd
            | EventKind::Notification
            | EventKind::Other => Moment::Aside,
        }
    }
}

/// The subagent that made a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Subagent {
    /// The agent's id of the subagent.
    pub id: String,
    /// What sort of subagent it is, in the agent's words.
    pub kind: Option<String>,
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolOutcome {
    /// Whether it went well, as far as the agent says.
    pub outcome: Outcome,
    /// The exit code of a command, where the agent gives one.
    pub exit_code: Option<i32>,
    /// What the tool printed or returned, as text.
    pub output: Option<String>,
    /// The files that a command changed, where the agent says: absolute paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// Whether it goes on in the background.
    pub background: bool,
}

/// Whether a tool call went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The agent says so.
    Ok,
    /// The agent says that it failed.
    Failed,
    /// The agent does not say: no success is assumed.
    Unknown,
}

/// What is known when the agent wants to stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stop {
    /// Whether a hook has already made the agent go on; `None` where the agent does not say.
    pub active: Option<bool>,
    /// The last thing that the assistant said.
    pub last_message: Option<String>,
    /// How many background tasks still run.
    pub background_tasks: usize,
}

/// A prompt that reached the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// Its text.
    pub text: String,
    /// Who wrote it.
    pub author: PromptAuthor,
}

/// Who wrote a prompt. Only a user's prompt starts a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptAuthor {
    /// The human.
    User,
    /// The agent itself: a background task's notification, a subagent's task, a hook's own text.
    Machine,
}
