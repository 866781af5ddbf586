//! Codex CLI: its profile, the nested dialect as it speaks it, and its `notify` program call.
//!
//! All facts: codex-cli 0.171.0, run offline on 2026-11-30 (`protocols/claude-codex.md`).
#![forbid(unsafe_code)]

mod notify;
mod profile;
mod transcript;
mod trust;

use hookguard_adapter::nested::{Nested, Response};
use hookguard_adapter::settings::hooks::Found;
use hookguard_adapter::settings::json::{Kind, Reader};
use hookguard_adapter::settings::typed::Typed;
use hookguard_adapter::{
    Adapter, Failure, HookCall, Installed, ParseError, Plan, PlanError, PlanRequest, Posture, Profile, Reply, Scope,
    SettingsFile, SettingsFiles, Transcript, Trust,
};
use hookguard_core::{Event, Fitted};

/// The adapter.
pub static ADAPTER: Codex = Codex;

static DIALECT: Nested = Nested {
    profile: &profile::PROFILE,
    root_variable: None,
    attended_variable: None,
    // What a hook has it go on with at stop (`protocols/claude-codex.md` 3c).
    machine_prompts: &["<hook_prompt"],
    response: Response::Text,
    reader: Reader::Rust,
    // Any other key voids the file (`protocols/claude-codex.md` 3e).
    top_level: Some(&["description", "hooks"]),
    typed: TYPED,
    // `http`, or any that it does not know, makes the whole file unreadable (3e).
    hook_types: Some(&["command", "mcp_tool", "prompt", "agent"]),
    toml: Some(profile::CONFIG),
};

/// Errors in it void the file (`protocols/claude-codex.md` 4).
const TYPED: &[Typed] = &[
    Typed { path: &["description"], kind: Kind::String, expected: "a string" },
    Typed { path: &["hooks", "*", "*", "hooks", "*", "timeout"], kind: Kind::Number, expected: "a number" },
];

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
        // The plan's own outcome is what has to be trusted; what stands in the file now may be something else.
        let after = files.iter().map(|file| planned(file, &plan)).collect();
        if ask.remove {
            let moved = moved(&DIALECT.sources(ask, files)?, &DIALECT.sources(ask, &after)?);
            plan.notes.extend(moved);
        } else {
            let installed = self.inspect(ask, &after)?;
            plan.notes.extend(installed.warnings);
            if installed.trust != Some(Trust::Trusted) {
                plan.notes
                    .extend(profile::PROFILE.trusting.map(|trusting| format!("{} ({})", trusting.until, trusting.how)));
            }
        }
        Ok(plan)
    }

    fn inspect(&self, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Result<Installed, PlanError> {
        let sources = DIALECT.sources(ask, files)?;
        let mut installed = DIALECT.inspect(ask, files)?;
        installed.disabled = trust::disabled(files);
        installed.trust = trust::of(&sources, ask, files);
        if !installed.entries.is_empty() && ask.scope == Scope::Project {
            installed.warnings.extend(trust::project(files));
        }
        Ok(installed)
    }

    fn transcript(&self) -> Option<Box<dyn Transcript>> {
        Some(Box::new(transcript::Reader::default()))
    }

    fn sample(&self, event: &Event<'_>) -> Option<String> {
        DIALECT.sample(event)
    }
}

/// Hooks of others that lose their place, and with it their user's trust: it goes by position.
fn moved(before: &[(&SettingsFile, Found)], after: &[(&SettingsFile, Found)]) -> Option<String> {
    let places = |sources: &[(&SettingsFile, Found)]| -> Vec<(String, usize, usize)> {
        let foreign = sources.iter().flat_map(|(_, found)| &found.foreign);
        foreign.map(|entry| (entry.event.clone(), entry.group, entry.hook)).collect()
    };
    let (before, after) = (places(before), places(after));
    let mut events: Vec<&str> =
        before.iter().zip(&after).filter(|(was, is)| was != is).map(|(was, _)| was.0.as_str()).collect();
    events.dedup();
    (!events.is_empty()).then(|| {
        format!(
            "Hooks of others stood behind hookguard's and move up ({}): Codex asks for their review again, in /hooks.",
            events.join(", ")
        )
    })
}

/// The file as it will be after the plan.
fn planned(file: &SettingsFile, plan: &Plan) -> SettingsFile {
    let edit = plan.edits.iter().find(|edit| edit.path == file.path);
    SettingsFile { bytes: edit.map_or_else(|| file.bytes.clone(), |edit| edit.after.clone()), ..file.clone() }
}
