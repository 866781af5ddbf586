//! Claude Code: its profile, and the nested dialect as it speaks it.
//!
//! All facts: Claude Code 2.1.332, run offline on 2026-11-30 (`protocols/claude-codex.md`).
#![forbid(unsafe_code)]

mod notification;
mod profile;
mod transcript;

use hookguard_adapter::nested::{Nested, Response};
use hookguard_adapter::settings::json::{Kind, Reader};
use hookguard_adapter::settings::typed::Typed;
use hookguard_adapter::{
    Adapter, Failure, HookCall, Installed, ParseError, Plan, PlanError, PlanRequest, Posture, Profile, Reply, Scope,
    SettingsFiles, Transcript,
};
use hookguard_core::{Event, Fitted};

/// The adapter.
pub static ADAPTER: Claude = Claude;

/// What a prompt begins with that Claude Code wrote itself: a background task has ended (`protocols/claude-codex.md` 2).
pub(crate) const MACHINE_PROMPTS: &[&str] = &["<task-notification>"];

/// The dialect as Claude Code speaks it: in it hook scripts are told of every agent's events.
pub static DIALECT: Nested = Nested {
    profile: &profile::PROFILE,
    root_variable: Some(profile::ROOT),
    attended_variable: Some(profile::ATTENDED),
    machine_prompts: MACHINE_PROMPTS,
    response: Response::Structured,
    reader: Reader::JavaScript,
    top_level: None,
    typed: TYPED,
    hook_types: None,
    toml: None,
};

/// A value of another kind and Claude Code drops the whole file without a word: seen with `"timeout": "20"` and with
/// `"permissions": {"allow": "x"}` (`protocols/claude-codex.md` 4); the siblings of the latter are taken to be alike.
const TYPED: &[Typed] = &[
    Typed { path: &["hooks", "*", "*", "hooks", "*", "timeout"], kind: Kind::Number, expected: "a number" },
    Typed { path: &["permissions", "allow"], kind: Kind::Array, expected: "a list" },
    Typed { path: &["permissions", "deny"], kind: Kind::Array, expected: "a list" },
    Typed { path: &["permissions", "ask"], kind: Kind::Array, expected: "a list" },
];

/// Claude Code.
#[derive(Debug)]
pub struct Claude;

impl Adapter for Claude {
    fn profile(&self) -> &'static Profile {
        &profile::PROFILE
    }

    fn parse<'a>(&self, call: &HookCall<'a>) -> Result<Event<'a>, ParseError> {
        DIALECT.parse(call)
    }

    fn render(&self, event: &Event<'_>, fitted: &Fitted) -> Reply {
        DIALECT.render(event, fitted)
    }

    fn render_failure(&self, call: &HookCall<'_>, failure: &Failure, posture: Posture) -> Reply {
        DIALECT.render_failure(call, failure, posture)
    }

    fn plan(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Plan, PlanError> {
        let mut plan = DIALECT.plan(ask, files)?;
        let blocks = ask.scope != Scope::Project || ask.require;
        if blocks && !ask.remove && !plan.edits.is_empty() {
            plan.notes.push(profile::RECOVERY.to_owned());
        }
        Ok(plan)
    }

    fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError> {
        DIALECT.inspect(ask, files)
    }

    fn transcript(&self) -> Option<Box<dyn Transcript>> {
        Some(Box::new(transcript::Reader::default()))
    }

    fn sample(&self, event: &Event<'_>) -> Option<String> {
        DIALECT.sample(event)
    }
}
