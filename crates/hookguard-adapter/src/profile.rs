//! A profile: all of an agent that can be data.

use hookguard_core::{Capabilities, EventKind, Reaction, ToolClass};
use serde::Serialize;

use crate::{ToolRow, TranscriptPlace};

/// One agent, as data. Every fact in it comes from its [`Source`].
#[derive(Debug, Serialize)]
pub struct Profile {
    /// The id, as in `hookguard hook ID EVENT`.
    pub id: &'static str,
    /// The name that people use.
    pub name: &'static str,
    /// Where the facts come from.
    pub source: Source,
    /// How to see that it is on a machine.
    pub detection: Detection,
    /// The environment variables that the adapter may read; nothing else of the environment reaches it.
    pub variables: &'static [&'static str],
    /// The variable that names the folder of the user's settings, if the agent has one.
    pub home_variable: Option<&'static str>,
    /// Its events.
    pub events: &'static [EventRow],
    /// Its tools.
    pub tools: &'static [ToolRow],
    /// Its settings files.
    pub settings: &'static [SettingsPlace],
    /// Where it keeps its transcripts.
    pub transcripts: &'static [TranscriptPlace],
    /// What the user must do before hooks run.
    pub trusting: Option<Trusting>,
    /// What its hooks never see.
    pub unhooked: &'static [Unhooked],
}

impl Profile {
    /// The row of a native event.
    pub fn event(&self, native: &str) -> Option<&'static EventRow> {
        self.events.iter().find(|row| row.native == native)
    }

    /// Whether the agent can type into a process that runs without a hook seeing it.
    pub fn types_unseen(&self) -> bool {
        self.unhooked.iter().any(|unhooked| unhooked.typed)
    }

    /// Whether the agent may not report the end of a command: then its start is all that is known of it.
    pub fn ends_unseen(&self) -> bool {
        self.unhooked.iter().any(|unhooked| unhooked.ends)
    }

    /// What the agent can be told at `native`, for a tool of `class`, with or without a human present.
    pub fn capabilities(&self, native: &str, class: Option<ToolClass>, attended: bool) -> Capabilities {
        let Some(row) = self.event(native) else { return Capabilities::default() };
        let effects = class
            .and_then(|class| row.by_class.iter().find(|(of, _)| *of == class))
            .map_or(&row.effects, |(_, effects)| effects);
        effects.capabilities(attended)
    }
}

/// Where a profile's facts come from.
#[derive(Debug, Serialize)]
pub struct Source {
    /// The document.
    pub document: &'static str,
    /// The version of the agent that was run.
    pub agent_version: &'static str,
    /// The day, `YYYY-MM-DD`.
    pub verified_on: &'static str,
}

/// How to see that an agent is on a machine.
#[derive(Debug, Serialize)]
pub struct Detection {
    /// Its programs.
    pub binaries: &'static [&'static str],
    /// Its folders below the home folder.
    pub folders: &'static [&'static str],
    /// Variables that it sets for everything it starts: who has one was started by the agent.
    pub marks: &'static [&'static str],
}

/// What no opinion looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    /// Exit 0 and nothing on standard output.
    Empty,
    /// The agent wants an explicit answer; this one means "as usual".
    Explicit(&'static str),
}

/// One native event.
#[derive(Debug, Serialize)]
pub struct EventRow {
    /// The agent's name for it.
    pub native: &'static str,
    /// What it is in neutral words.
    pub kind: EventKind,
    /// Whether the payload is the last argument, and standard input is not to be read.
    pub by_argument: bool,
    /// How it is registered by `install`; `None` where it is known but not registered.
    pub registered: Option<Registration>,
    /// What no opinion looks like. It differs among the events of one agent: some want an answer before a tool and an empty
    /// object elsewhere.
    pub silence: Silence,
    /// What an answer can do.
    pub effects: Effects,
    /// Where that differs for a class of tools.
    pub by_class: &'static [(ToolClass, Effects)],
    /// What the agent does when the hook fails.
    pub reactions: Reactions,
}

/// How an event is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Registration {
    /// Whether the entry carries a matcher, and how it says "all".
    pub matcher: MatcherSupport,
    /// The time-out to register.
    pub timeout: Timeout,
    /// Whether the agent is told to block when the hook fails, where it has such a switch.
    pub block_on_failure: bool,
}

/// Whether an event's entry carries a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MatcherSupport {
    /// None: left out.
    None,
    /// It does, and this means all.
    All(&'static str),
}

/// A time-out as the agent's settings write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Timeout {
    /// The number.
    pub value: u32,
    /// Its unit.
    pub unit: TimeUnit,
}

impl Timeout {
    /// The time-out in milliseconds.
    pub fn milliseconds(self) -> u64 {
        match self.unit {
            TimeUnit::Seconds => u64::from(self.value) * 1000,
            TimeUnit::Milliseconds => u64::from(self.value),
        }
    }
}

/// The unit of a time-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

/// Whether an answer works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// It does not, or was never seen to.
    #[default]
    No,
    /// It does.
    Yes,
    /// It does while a human is present.
    Attended,
}

impl Support {
    fn now(self, attended: bool) -> bool {
        match self {
            Support::No => false,
            Support::Yes => true,
            Support::Attended => attended,
        }
    }
}

/// What answers can do at an event. The fields are those of [`Capabilities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Effects {
    /// The call can be refused with a reason.
    pub deny: Support,
    /// A human can be asked.
    pub ask: Support,
    /// The call can be replaced.
    pub rewrite: Support,
    /// Text reaches the model, nothing stops.
    pub context: Support,
    /// Text is added to a tool's result, or stands beside it.
    pub feedback: Support,
    /// The agent can be made to go on.
    pub resume: Support,
    /// The user can be shown a note.
    pub note: Support,
}

impl Effects {
    /// Nothing: the event can only be observed.
    pub const NONE: Effects = Effects {
        deny: Support::No,
        ask: Support::No,
        rewrite: Support::No,
        context: Support::No,
        feedback: Support::No,
        resume: Support::No,
        note: Support::No,
    };

    /// The capabilities, with or without a human present.
    pub fn capabilities(&self, attended: bool) -> Capabilities {
        Capabilities {
            deny: self.deny.now(attended),
            ask: self.ask.now(attended),
            rewrite: self.rewrite.now(attended),
            context: self.context.now(attended),
            feedback: self.feedback.now(attended),
            resume: self.resume.now(attended),
            note: self.note.now(attended),
        }
    }
}

/// What the agent does when the hook fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reactions {
    /// It crashes: any exit code that is no answer.
    pub crash: Reaction,
    /// It takes longer than its time-out.
    pub timeout: Reaction,
    /// Its command does not exist.
    pub missing: Reaction,
}

impl Reactions {
    /// The agent goes on in every case.
    pub const PROCEEDS: Reactions =
        Reactions { crash: Reaction::Proceeds, timeout: Reaction::Proceeds, missing: Reaction::Proceeds };
}

/// A settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SettingsPlace {
    /// Whose file it is.
    pub scope: crate::Scope,
    /// Its path below the folder that the scope and `home_variable` give.
    pub path: &'static str,
    /// The folder below the user's home, where the agent's variable is not set; for a project's file, below its root.
    pub folder: &'static str,
}

/// What the user must do before hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Trusting {
    /// What holds until then, as a sentence.
    pub until: &'static str,
    /// What to do, as a sentence.
    pub how: &'static str,
}

/// Something that the agent's hooks never see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Unhooked {
    /// What.
    pub what: &'static str,
    /// What to do about it.
    pub advice: &'static str,
    /// Whether it is what the agent types into a process that runs: then a bare shell is not seen.
    pub typed: bool,
    /// Whether it is the end of a command whose start is seen.
    pub ends: bool,
}
