//! What stands in the agent's settings, over all scopes: there and current, doubled, switched off, dropped, trusted.

use hookguard_adapter::{Adapter, Installed, InstalledEntry, PlanError, PlanRequest, Scope, State, Trust};

use super::finding::Finding;
use crate::cli::install::in_full;
use crate::cli::settings::{self, SCOPES};
use crate::surroundings::Surroundings;

const CHECK: &str = "installed";

/// The settings of one agent.
#[derive(Debug, Default)]
pub(super) struct Stands {
    /// Each scope that the agent has here, with what stands there or why it can't be read.
    scopes: Vec<(Scope, Result<Installed, String>)>,
    /// Our entries of all scopes.
    pub(super) entries: Vec<InstalledEntry>,
}

/// Reads the settings.
pub(super) fn look(adapter: &dyn Adapter, surroundings: &Surroundings) -> Stands {
    let mut stands = Stands::default();
    for scope in SCOPES {
        let has_place = adapter.profile().settings.iter().any(|place| place.scope == scope);
        if !has_place || (scope != Scope::User && settings::project(surroundings).is_none()) {
            continue;
        }
        let looked = settings::binary(scope).and_then(|binary| {
            let files = settings::read(adapter.profile(), scope, surroundings)?;
            let ask = PlanRequest { scope, binary: &binary, require: false, remove: false, journal: &[] };
            adapter.inspect(&ask, &files).map_err(|error: PlanError| anyhow::anyhow!(in_full(&error)))
        });
        if let Ok(installed) = &looked {
            stands.entries.extend(installed.entries.iter().cloned());
        }
        stands.scopes.push((scope, looked.map_err(|error| format!("{error:#}"))));
    }
    stands
}

impl Stands {
    /// Whether something of ours stands somewhere, or a file can't be read.
    pub(super) fn any(&self) -> bool {
        !self.entries.is_empty() || self.scopes.iter().any(|(_, looked)| looked.is_err())
    }

    /// The findings. An agent that is not installed is a choice, unless it was asked for by name.
    pub(super) fn findings(&self, adapter: &dyn Adapter, named: bool) -> Vec<Finding> {
        let profile = adapter.profile();
        let mut findings = Vec::new();
        let mut off = None;
        for (scope, looked) in &self.scopes {
            let install = install(profile.id, *scope);
            match looked {
                Err(why) => findings.push(Finding::broken(
                    CHECK,
                    format!("{scope} settings: {why}; {} drops the whole file, with every hook in it", profile.name),
                    format!("mend the file at that place, then {install}"),
                )),
                Ok(installed) => {
                    off = off.or(installed.disabled.as_ref());
                    if !installed.entries.is_empty() {
                        findings.extend(of_scope(installed, *scope, &install));
                        findings.extend(trust(installed, adapter));
                    }
                }
            }
        }
        if self.entries.is_empty() {
            let state = if named { Finding::broken } else { Finding::warning };
            findings.push(state(
                CHECK,
                format!("{} does not call hookguard", profile.name),
                format!("run `{}`", install(profile.id, Scope::User)),
            ));
        } else if let Some(setting) = off {
            findings.push(Finding::broken(
                "disabled",
                format!("{setting}: {} runs no hook at all", profile.name),
                "take the setting out",
            ));
        }
        findings.extend(self.doubled());
        findings
    }

    /// The same event at two scopes: it is judged twice, to the same end.
    fn doubled(&self) -> Option<Finding> {
        let with_ours: Vec<String> = self
            .scopes
            .iter()
            .filter(|(_, looked)| looked.as_ref().is_ok_and(|installed| !installed.entries.is_empty()))
            .map(|(scope, _)| scope.to_string())
            .collect();
        (with_ours.len() > 1).then(|| {
            Finding::warning(
                "doubled",
                format!(
                    "registered at {} scope: every call is judged {} times",
                    with_ours.join(" and "),
                    with_ours.len()
                ),
                "the verdict is the same; to save the time, uninstall at one of them (`--scope`)",
            )
        })
    }
}

fn install(agent: &str, scope: Scope) -> String {
    let scope = if scope == Scope::User { String::new() } else { format!(" --scope {scope}") };
    format!("hookguard install --agent {agent}{scope}")
}

fn of_scope(installed: &Installed, scope: Scope, install: &str) -> Vec<Finding> {
    let in_state = |state: State| -> Vec<&str> {
        installed.events.iter().filter(|event| event.state == state).map(|event| event.event).collect()
    };
    let file = installed.entries.first().map_or("", |entry| entry.file.as_str());
    let mut findings = Vec::new();
    for (events, finding) in [
        (in_state(State::Missing), "nothing is registered for"),
        (in_state(State::Differs), "otherwise than this hookguard would register it:"),
        (in_state(State::Doubled), "registered more than once:"),
    ] {
        if !events.is_empty() {
            let what = format!("{scope} settings ({file}): {finding} {}", events.join(", "));
            findings.push(Finding::broken(CHECK, what, format!("run `{install}`")));
        }
    }
    if findings.is_empty() {
        let count = installed.events.len();
        findings.push(Finding::ok(CHECK, format!("{scope} settings ({file}): all {count} events, as they should be")));
    }
    let warning = |what: &String| Finding::warning(CHECK, what.clone(), "see there");
    findings.extend(installed.warnings.iter().map(warning));
    findings
}

fn trust(installed: &Installed, adapter: &dyn Adapter) -> Option<Finding> {
    const CHECK: &str = "trusted";
    let trusting = adapter.profile().trusting?;
    Some(match installed.trust? {
        Trust::Trusted => Finding::ok(CHECK, "its user has reviewed these entries as they are"),
        Trust::Untrusted => Finding::broken(CHECK, trusting.until, trusting.how),
        Trust::Unknown => Finding::warning(CHECK, "whether these entries are trusted can't be read", trusting.how),
    })
}
