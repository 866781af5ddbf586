//! The trait that an agent's adapter is.

use hookguard_core::{Event, EventKind, Fitted};

use crate::{Installed, Plan, PlanError, PlanRequest, Profile, SettingsFiles, Transcript, transcript};

/// One agent: what it says, read into an [`Event`]; what the policy says, written as the agent reads it.
///
/// Everything is pure. `parse`, `render` and `render_failure` are the hook path and cost microseconds; none of them may
/// panic, whatever the bytes.
pub trait Adapter: Sync {
    /// All of the agent that can be data.
    fn profile(&self) -> &'static Profile;

    /// Reads one call of the hook.
    ///
    /// The event's kind is what the installed command says (`call.event`); what the payload says is a cross-check
    /// ([`Event::mismatch`]), and if either says that a tool is about to run, it is treated so.
    ///
    /// # Errors
    /// When the payload has not the shape that the agent's calls have. Unknown events and unknown tools are no errors.
    fn parse<'a>(&self, call: &HookCall<'a>) -> Result<Event<'a>, ParseError>;

    /// Writes what the agent is told.
    fn render(&self, event: &Event<'_>, fitted: &Fitted) -> Reply;

    /// Writes the answer to a call that could not be judged: a question or a refusal where `posture` is closed, silence
    /// where it is open.
    fn render_failure(&self, call: &HookCall<'_>, failure: &Failure, posture: Posture) -> Reply;

    /// What to write, and where, so that the agent calls hookguard (or no longer does).
    ///
    /// # Errors
    /// When a settings file can't be read as the agent reads it; nothing is to be written then.
    fn plan(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Plan, PlanError>;

    /// What stands in the agent's settings now.
    ///
    /// # Errors
    /// As for [`Adapter::plan`].
    fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError>;

    /// A reader for one of the agent's transcripts ([`Profile::transcripts`]); `None` where it leaves none that can be read.
    fn transcript(&self) -> Option<Box<dyn Transcript>>;

    /// What the assistant said since the user's last turn, from whatever source the agent leaves.
    fn last_turn(&self, source: &TurnSource<'_>) -> TurnText {
        match self.transcript() {
            Some(reader) => transcript::last_turn(reader, source),
            None => TurnText { texts: source.last_message.map(str::to_owned).into_iter().collect(), complete: false },
        }
    }

    /// Writes `event` as this agent would report it: for `sample`, for tests, and for scripts that expect its form.
    /// `None` where the agent has no such event.
    fn sample(&self, event: &Event<'_>) -> Option<String>;
}

/// One call of the hook, as the process got it.
#[derive(Debug, Clone, Copy, Default)]
pub struct HookCall<'a> {
    /// The event that the installed command names.
    pub event: &'a str,
    /// Standard input, complete.
    pub stdin: &'a [u8],
    /// The arguments after the event: an agent that notifies by argument puts its payload there.
    pub argv: &'a [String],
    /// The working directory of the process, where it has one.
    pub cwd: Option<&'a str>,
    /// The variables that the profile says the adapter may read, by name.
    pub variables: &'a [(&'static str, String)],
}

impl HookCall<'_> {
    /// The value of a variable that the profile names.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

/// Why a payload could not be read, as a fragment: "no tool_name".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub String);

/// Why a call could not be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The call could not be read; why, as a fragment.
    Unreadable(String),
    /// hookguard itself failed; how, as a fragment.
    Broken(String),
}

impl Failure {
    /// The failure, told to the human who is asked (`asked`) or to the model that is refused: what happened, and what to do.
    pub fn message(&self, asked: bool) -> String {
        let (rule, what) = match self {
            Failure::Unreadable(why) => ("hook.unreadable", format!("the call could not be read ({why})")),
            Failure::Broken(how) => ("hook.failed", format!("hookguard failed: {how}; the call was not judged")),
        };
        let then = match (self, asked) {
            (_, true) => "It needs your own look: let it run only if you know that it does no harm.",
            (Failure::Unreadable(_), false) => {
                "It was not run.\nInstead: try once more in a simpler form; if it is refused again, tell the user."
            }
            (Failure::Broken(_), false) => {
                "It was not run.\nInstead: tell the user, who can look with `hookguard status`; do not work around it."
            }
        };
        format!("hookguard [{rule}]: {what}. {then}")
    }
}

/// Which way a failure leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posture {
    /// Nothing happens unless a human says so: before a tool.
    Closed,
    /// It goes on as if nothing had been asked: after a tool, at stop, and for what only informs.
    Open,
}

impl Posture {
    /// The posture for an event of `kind`.
    pub fn of(kind: EventKind) -> Posture {
        if kind == EventKind::PreTool { Posture::Closed } else { Posture::Open }
    }
}

/// What the process answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// One JSON document or nothing: standard output is the agent's.
    pub stdout: String,
    /// Text for standard error; empty unless the agent reads it.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

impl Reply {
    /// No opinion, where the agent takes silence for "go on as usual".
    pub fn silence() -> Reply {
        Reply::default()
    }

    /// A JSON document on standard output, exit 0.
    pub fn json(stdout: String) -> Reply {
        Reply { stdout, stderr: String::new(), exit: 0 }
    }
}

/// Where the words of a turn can be had from.
#[derive(Debug, Clone, Copy, Default)]
pub struct TurnSource<'a> {
    /// The last message, as the payload gives it.
    pub last_message: Option<&'a str>,
    /// The end of the transcript, cut anywhere; lines that are no complete records are passed over.
    pub transcript_tail: &'a [u8],
}

/// What the assistant said since the user's last turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnText {
    /// The texts, in order.
    pub texts: Vec<String>,
    /// Whether the turn's start was seen: if not, there may be more.
    pub complete: bool,
}
