//! Claude Code: its profile, and the nested dialect as it speaks it.
//!
//! All facts: Claude Code 2.1.332, run offline on 2026-11-30 (`protocols/claude-codex.md`).
#![forbid(unsafe_code)]

mod profile;
mod transcript;

use hookguard_adapter::nested::{Nested, Response};
use hookguard_adapter::settings::json::Reader;
use hookguard_adapter::{
    Adapter, Failure, HookCall, Installed, ParseError, Plan, PlanError, PlanRequest, Posture, Profile, Reply,
    SettingsFiles, TurnSource, TurnText,
};
use hookguard_core::{Event, Fitted};

/// The adapter.
pub static ADAPTER: Claude = Claude;

/// What a prompt begins with that Claude Code wrote itself: a background task has ended (`protocols/claude-codex.md` 2).
pub(crate) const MACHINE_PROMPTS: &[&str] = &["<task-notification>"];

static DIALECT: Nested = Nested {
    profile: &profile::PROFILE,
    root_variable: Some(profile::ROOT),
    attended_variable: Some(profile::ATTENDED),
    machine_prompts: MACHINE_PROMPTS,
    response: Response::Structured,
    reader: Reader::JavaScript,
    top_level: None,
};

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
        if !ask.remove && !plan.edits.is_empty() {
            plan.notes.push(profile::RECOVERY.to_owned());
        }
        Ok(plan)
    }

    fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError> {
        DIALECT.inspect(ask, files)
    }

    fn last_turn(&self, source: &TurnSource<'_>) -> TurnText {
        transcript::last_turn(source)
    }

    fn sample(&self, event: &Event<'_>) -> Option<String> {
        DIALECT.sample(event)
    }
}
