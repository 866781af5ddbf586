//! Which entries are wanted.

use std::path::PathBuf;

use super::day;
use super::read::Line;
use crate::cli::output::Usage;
use crate::state::{now_ms, retention};
use crate::surroundings::Surroundings;

#[derive(Debug, Clone, clap::Args)]
pub(super) struct Filters {
    /// From when: so long ago (90s, 30m, 1h, 2d), a day or a time, in UTC [default: today]
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only this rule, or a family of rules: git, git.push
    #[arg(long, value_name = "ID")]
    rule: Option<String>,
    /// Only this decision: none, allow, warn, ask, deny; of judges violation, advise, allow, fail
    #[arg(long, value_name = "DECISION")]
    decision: Option<String>,
    /// Only this session, or all whose id begins so
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// The decisions there are; `allow` stands in the log as `allow` or `none`, which differ only for the policy's authors.
const DECISIONS: [&str; 8] = ["none", "allow", "warn", "ask", "deny", "violation", "advise", "fail"];

/// The filters, understood.
#[derive(Debug)]
pub(super) struct Selection {
    since: u64,
    filters: Filters,
}

impl Filters {
    pub(super) fn selection(&self) -> anyhow::Result<Selection> {
        let now = now_ms();
        let today = || Some(now - now % 86_400_000);
        let since = self.since.as_deref().map_or_else(today, |text| day::since(text, now)).ok_or_else(|| {
            let text = self.since.as_deref().unwrap_or_default();
            Usage(format!("{text:?} is no time; write 90s, 30m, 1h, 2d, 2026-11-30 or 2026-11-30T08:00:00Z"))
        })?;
        if let Some(decision) = self.decision.as_deref().filter(|decision| !DECISIONS.contains(decision)) {
            return Err(Usage(format!("{decision:?} is no decision; they are: {}", DECISIONS.join(", "))).into());
        }
        Ok(Selection { since, filters: self.clone() })
    }
}

impl Selection {
    /// The files that can hold such entries, the oldest first.
    pub(super) fn files(&self, surroundings: &Surroundings) -> Vec<PathBuf> {
        let from = day::of(self.since);
        let files = retention::files(surroundings).into_iter();
        files.filter(|(day, _)| from.is_none_or(|from| *day >= from)).map(|(_, file)| file).collect()
    }

    /// Whether an entry is wanted.
    pub(super) fn takes(&self, entry: &Line<'_>) -> bool {
        let Filters { agent, rule, decision, session, .. } = &self.filters;
        let of = |name: &str, rule: &str| {
            name.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let family = |rule: &String| of(&entry.rule, rule) || entry.observed.iter().any(|name| of(name, rule));
        entry.t >= self.since
            && agent.as_ref().is_none_or(|agent| entry.agent == agent.as_str())
            && rule.as_ref().is_none_or(family)
            && decision.as_ref().is_none_or(|decision| entry.decision == decision.as_str())
            && session
                .as_ref()
                .is_none_or(|id| entry.session.as_ref().is_some_and(|session| session.starts_with(id.as_str())))
    }
}
