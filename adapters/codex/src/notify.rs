//! Codex's legacy `notify` program: called once a turn, the payload as the last argument, no answer read
//! (codex-cli 0.171.0, 2026-11-30; `protocols/claude-codex.md` 2).

use hookguard_adapter::{HookCall, ParseError};
use hookguard_core::{Event, EventKind, Stop};
use serde::Deserialize;

use crate::profile;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Notify {
    thread_id: Option<String>,
    turn_id: Option<String>,
    cwd: Option<String>,
    last_assistant_message: Option<String>,
}

pub(crate) fn parse<'a>(call: &HookCall<'a>) -> Result<Event<'a>, ParseError> {
    let Some(payload) = call.argv.last() else {
        return Err(ParseError("notify got no payload as its last argument".to_owned()));
    };
    let notify: Notify =
        serde_json::from_str(payload).map_err(|_| ParseError("notify's payload has an unknown shape".to_owned()))?;
    let mut event = Event::new(EventKind::Notification, profile::PROFILE.id, profile::NOTIFY, payload.as_bytes());
    event.session = notify.thread_id;
    event.turn = notify.turn_id;
    event.cwd = notify.cwd;
    event.stop = Some(Stop { active: None, last_message: notify.last_assistant_message, background_tasks: 0 });
    Ok(event)
}
