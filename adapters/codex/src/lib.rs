//! Codex CLI: its profile, the nested dialect as it speaks it, and its `notify` program call.
//!
//! All facts: codex-cli 0.171.0, run offline on 2026-11-30 (`protocols/claude-codex.md`).
#![forbid(unsafe_code)]

mod notify;
mod profile;
mod transcript;

use hookguard_adapter::nested::{Nested, Response};
use hookguard_adapter::{
    Adapter, Failure, HookCall, Installed, ParseError, Plan, PlanError, PlanRequest, Posture, Profile, Reply,
    SettingsFiles, TurnSource, TurnText,
};
use hookguard_core::{Event, Fitted};

/// The adapter.
pub static ADAPTER: Codex = Codex;

static DIALECT: Nested = Nested {
    profile: &profile::PROFILE,
    root_variable: None,
    attended_variable: None,
    machine_prompts: &[],
    response: Response::Text,
};

/// Codex CLI.
#[derive(Debug)]
pub struct Codex;

impl Adapter for Codex {
    fn profile(&self) -> &'static Profile {
        &profile::PROFILE
    }

    fn parse<'a>(&self, call: &HookCall<'a>) -> Result<Event<'a>, ParseError> {
        if call.event == profile::NOTIFY { notify::parse(call) } else { DIALECT.parse(call) }
    }

    fn render(&self, event: &Event<'_>, fitted: &Fitted) -> Reply {
        DIALECT.render(event, fitted)
    }

    fn render_failure(&self, call: &HookCall<'_>, failure: &Failure, posture: Posture) -> Reply {
        DIALECT.render_failure(call, failure, posture)
    }

    fn plan(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Plan, PlanError> {
        DIALECT.plan(ask, files)
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
