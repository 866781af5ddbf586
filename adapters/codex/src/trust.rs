//! Whether Codex will run our hooks: it runs only those whose hash its user has trusted in `/hooks`.
//!
//! The hash and where it stands: codex-cli 0.171.0, 2026-11-30, reproduced against the app-server's `currentHash`
//! (`protocols/claude-codex.md` 4). It is read and never written: that review is the user's.

use hookguard_adapter::settings::hooks::{Found, FoundEntry};
use hookguard_adapter::{PlanRequest, SettingsFiles, Trust};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::profile;

/// Codex's time-out for an entry that names none, in seconds.
const DEFAULT_TIMEOUT: u64 = 600;

/// `None` where there is nothing of ours to trust.
pub(crate) fn of(found: &Found, ask: &PlanRequest<'_>, files: &SettingsFiles) -> Option<Trust> {
    if found.own.is_empty() {
        return None;
    }
    let places = profile::PROFILE.settings.iter().filter(|place| place.scope == ask.scope);
    let at =
        |path: &str| files.iter().find(|file| file.place == path && places.clone().any(|place| place.path == path));
    let (Some(hooks), Some(config)) = (at("hooks.json"), at(profile::CONFIG)) else { return Some(Trust::Unknown) };
    let text = std::str::from_utf8(config.bytes.as_deref().unwrap_or_default()).ok();
    let Some(config) = text.and_then(|text| text.parse::<toml::Table>().ok()) else { return Some(Trust::Unknown) };
    let state = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let trusted = |entry: &FoundEntry| {
        let row = state.and_then(|state| state.get(key(&hooks.path, entry)));
        let text = |name: &str| row.and_then(|row| row.get(name));
        let enabled = text("enabled").and_then(toml::Value::as_bool).unwrap_or(true);
        enabled && text("trusted_hash").and_then(toml::Value::as_str) == hash(entry).as_deref()
    };
    Some(if found.own.iter().all(trusted) { Trust::Trusted } else { Trust::Untrusted })
}

/// `<path of the file>:<event>:<group>:<hook>`
fn key(path: &str, entry: &FoundEntry) -> String {
    format!("{path}:{}:{}:{}", snake(&entry.event), entry.group, entry.hook)
}

/// The hash of what Codex runs: JSON without blanks, the keys sorted, as they are written here.
fn hash(entry: &FoundEntry) -> Option<String> {
    let mut hashed = json!({
        "event_name": snake(&entry.event),
        "hooks": [{
            "async": false,
            "command": entry.command.as_ref()?,
            "timeout": entry.timeout.unwrap_or(DEFAULT_TIMEOUT),
            "type": "command",
        }],
    });
    if let Some(matcher) = &entry.matcher {
        hashed["matcher"] = json!(matcher);
    }
    let digest = Sha256::digest(hashed.to_string().as_bytes());
    Some(digest.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}")))
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut snake = String::new();
    for (index, character) in event.chars().enumerate() {
        if character.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
