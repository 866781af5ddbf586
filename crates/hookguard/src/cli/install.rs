//! `hookguard install` and `hookguard uninstall`: agents' settings, byte for byte.

use hookguard_adapter::settings::diff::unified;
use hookguard_adapter::{Adapter, Plan, PlanError, PlanRequest, Scope};

use super::exit;
use super::output::{Usage, print, say};
use super::settings::{self, Changed};
use crate::agents::{self, AGENTS};
use crate::surroundings::Surroundings;

/// How often a plan is made anew because another program wrote the file meanwhile.
const ATTEMPTS: usize = 5;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The agent, or `all` for every agent that is on this machine
    #[arg(long, value_name = "NAME|all")]
    agent: String,
    /// Whose settings: the user's, the project's (shared in git), or the project's that are not shared
    #[arg(long, value_name = "user|project|local", default_value_t = Scope::User)]
    scope: Scope,
    /// At project scope: have the agent refuse every tool where hookguard is not installed, on every machine that has the
    /// project
    #[arg(long)]
    require: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments, remove: bool) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    if arguments.require && arguments.scope != Scope::Project {
        return Err(Usage("--require is for --scope project; elsewhere the entry blocks anyway".to_owned()).into());
    }
    if arguments.agent != "all" {
        let adapter = agents::by_id(&arguments.agent).ok_or_else(|| {
            Usage(format!("no agent is called {:?}; known are: {}, or all", arguments.agent, agents::ids()))
        })?;
        one(adapter, arguments, remove, &surroundings)?;
        return Ok(exit::OK);
    }
    let mut code = exit::OK;
    let mut found = 0;
    for adapter in AGENTS {
        let has_place = adapter.profile().settings.iter().any(|place| place.scope == arguments.scope);
        if !has_place || !(remove || surroundings.finds(adapter.profile())) {
            continue;
        }
        found += 1;
        // One agent's broken file is no reason to leave the others without a guard.
        if let Err(error) = one(*adapter, arguments, remove, &surroundings) {
            say(&format!("error: {}: {error:#}", adapter.profile().name));
            code = if error.is::<Usage>() { code.max(exit::USAGE) } else { exit::INTERNAL };
        }
    }
    if found == 0 {
        say(&format!("no agent that hookguard knows is on this machine; name one with --agent: {}", agents::ids()));
    }
    Ok(code)
}

fn one(adapter: &dyn Adapter, arguments: &Arguments, remove: bool, surroundings: &Surroundings) -> anyhow::Result<()> {
    let name = adapter.profile().name;
    if arguments.dry_run {
        let plan = plan(adapter, arguments, remove, surroundings)?;
        for edit in &plan.edits {
            print(&unified(&edit.path, edit.before.as_deref(), edit.after.as_deref()))?;
        }
        return Ok(());
    }
    let plan = carry_out(adapter, arguments, remove, surroundings)?;
    let files: Vec<&str> = plan.edits.iter().map(|edit| edit.path.as_str()).collect();
    say(&match (files.is_empty(), remove) {
        (true, false) => format!("{name} was installed already; nothing changed"),
        (true, true) => format!("{name} was not installed; nothing changed"),
        (false, false) => format!("{name} now calls hookguard ({})", files.join(", ")),
        (false, true) => format!("{name} no longer calls hookguard ({})", files.join(", ")),
    });
    for note in &plan.notes {
        say(note);
    }
    if arguments.scope == Scope::Project && !remove && !files.is_empty() {
        say("The file is shared: whoever has the project needs hookguard on PATH, or its hooks do nothing there.");
    }
    Ok(())
}

/// Plans and writes, while no other hookguard does; again where another program was faster.
fn carry_out(
    adapter: &dyn Adapter,
    arguments: &Arguments,
    remove: bool,
    surroundings: &Surroundings,
) -> anyhow::Result<Plan> {
    let mut attempt = 1;
    loop {
        let files = settings::read(adapter.profile(), arguments.scope, surroundings)?;
        let of_scope = || files.iter().filter(|file| file.scope == arguments.scope).map(|file| file.path.as_str());
        if !remove {
            settings::make_folders(of_scope())?;
        }
        let _lock = settings::lock(of_scope())?;
        let plan = plan(adapter, arguments, remove, surroundings)?;
        match plan.edits.iter().try_for_each(|edit| settings::write(edit, surroundings)) {
            Ok(()) => return Ok(plan),
            Err(error) if error.is::<Changed>() && attempt < ATTEMPTS => attempt += 1,
            Err(error) if error.is::<Changed>() => return Err(Usage(error.to_string()).into()),
            Err(error) => return Err(error),
        }
    }
}

fn plan(
    adapter: &dyn Adapter,
    arguments: &Arguments,
    remove: bool,
    surroundings: &Surroundings,
) -> anyhow::Result<Plan> {
    let Arguments { scope, require, .. } = *arguments;
    let files = settings::read(adapter.profile(), scope, surroundings)?;
    let (binary, journal) = (settings::binary(scope)?, settings::journal(surroundings));
    let ask = PlanRequest { scope, binary: &binary, require, remove, journal: &journal };
    adapter.plan(&ask, &files).map_err(|error| {
        let no_place = matches!(error, PlanError::NoPlace { .. });
        let also = if no_place { format!("; it has: {}", scopes(adapter)) } else { String::new() };
        Usage(in_full(&error) + &also).into()
    })
}

fn scopes(adapter: &dyn Adapter) -> String {
    let has = |scope: &Scope| adapter.profile().settings.iter().any(|place| place.scope == *scope);
    settings::SCOPES.iter().filter(|scope| has(scope)).map(Scope::to_string).collect::<Vec<_>>().join(", ")
}

/// An error with everything that led to it.
pub(super) fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        if !text.contains(&cause.to_string()) {
            text = format!("{text}: {cause}");
        }
        source = cause.source();
    }
    text
}
