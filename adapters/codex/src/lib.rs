//! Codex CLI: its profile, the nested dialect as it speaks it, and its `notify` program call.
//!
//! All facts: codex-cli 0.171.0, run offline on 2026-11-30 (`protocols/claude-codex.md`).
#![forbid(unsafe_code)]

mod notify;
mod profile;
mod transcript;
mod trust;

use hookguard_adapter::nested::{Nested, Response};
use hookguard_adapter::settings::json::Reader;
use hookguard_adapter::{
    Adapter, Failure, HookCall, Installed, ParseError, Plan, PlanError, PlanRequest, Posture, Profile, Reply,
    SettingsFile, SettingsFiles, Trust, TurnSource, TurnText,
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
    reader: Reader::Rust,
    // Any other key voids the file (`protocols/claude-codex.md` 3e).
    top_level: Some(&["description", "hooks"]),
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
        let mut plan = DIALECT.plan(ask, files)?;
        if !ask.remove {
            // The plan's own outcome is what has to be trusted; what stands in the file now may be something else.
            let after = files.iter().map(|file| planned(file, &plan)).collect();
            if self.inspect(ask, &after)?.trust != Some(Trust::Trusted) {
                plan.notes
                    .extend(profile::PROFILE.trusting.map(|trusting| format!("{} ({})", trusting.until, trusting.how)));
            }
        }
        Ok(plan)
    }

    fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError> {
        let found = DIALECT.found(DIALECT.hooks_file(ask, files)?)?;
        Ok(Installed { trust: trust::of(&found, ask, files), ..DIALECT.inspect(ask, files)? })
    }

    fn last_turn(&self, source: &TurnSource<'_>) -> TurnText {
        transcript::last_turn(source)
    }

    fn sample(&self, event: &Event<'_>) -> Option<String> {
        DIALECT.sample(event)
    }
}

/// The file as it will be after the plan.
fn planned(file: &SettingsFile, plan: &Plan) -> SettingsFile {
    let edit = plan.edits.iter().find(|edit| edit.path == file.path);
    SettingsFile { bytes: edit.map_or_else(|| file.bytes.clone(), |edit| edit.after.clone()), ..file.clone() }
}
