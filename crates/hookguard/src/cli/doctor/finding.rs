//! What a check found, and what to do about it.

use serde::Serialize;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// As it should be.
    Ok,
    /// Worth knowing; the guard works.
    Warning,
    /// The guard does not work, or not everywhere.
    Broken,
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Broken => "BROKEN",
        })
    }
}

/// One check's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// The check: `version`, `installed`, `canary`, ...
    pub(super) check: &'static str,
    /// How bad it is.
    pub(super) state: State,
    /// What was found, as a sentence without its full stop.
    pub(super) what: String,
    /// What to do about it; always there unless all is well.
    pub(super) remedy: Option<String>,
}

impl Finding {
    pub(super) fn ok(check: &'static str, what: impl Into<String>) -> Finding {
        Finding { check, state: State::Ok, what: what.into(), remedy: None }
    }

    pub(super) fn warning(check: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { check, state: State::Warning, what: what.into(), remedy: Some(remedy.into()) }
    }

    pub(super) fn broken(check: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { check, state: State::Broken, what: what.into(), remedy: Some(remedy.into()) }
    }
}
