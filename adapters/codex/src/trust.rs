//! Whether Codex will run our hooks: it runs only those whose hash its user has trusted in `/hooks`.
//!
//! The hash and where it stands: codex-cli 0.171.0, 2026-11-30, reproduced against the app-server's `currentHash`
//! (`protocols/claude-codex.md` 4). It is read and never written: that review is the user's.

use hookguard_adapter::settings::hooks::{Found, FoundEntry};
use hookguard_adapter::{PlanRequest, Scope, SettingsFile, SettingsFiles, Trust};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::profile;

/// Codex's time-out for an entry that names none, in seconds.
const DEFAULT_TIMEOUT: u64 = 600;

/// Codex cuts these to so many seconds before it takes the hash.
const CUT: [&str; 2] = ["SessionEnd", "Interrupt"];
const CUT_TO: u64 = 3;

/// `None` where there is nothing of ours to trust.
pub(crate) fn of(sources: &[(&SettingsFile, Found)], ask: &PlanRequest<'_>, files: &SettingsFiles) -> Option<Trust> {
    let mut own = sources.iter().flat_map(|(file, found)| found.own.iter().map(move |entry| (file, entry))).peekable();
    own.peek()?;
    let Some(config) = users_config(files) else { return Some(Trust::Unknown) };
    if ask.scope == Scope::Project && project(files).is_some() {
        return Some(Trust::Untrusted);
    }
    let state = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let trusted = |(file, entry): (&&SettingsFile, &FoundEntry)| {
        let row = state.and_then(|state| state.get(key(&file.path, entry)));
        let text = |name: &str| row.and_then(|row| row.get(name));
        let enabled = text("enabled").and_then(toml::Value::as_bool).unwrap_or(true);
        enabled && text("trusted_hash").and_then(toml::Value::as_str) == hash(entry).as_deref()
    };
    Some(if own.all(trusted) { Trust::Trusted } else { Trust::Untrusted })
}

/// What switches all hooks off, if something does: `[features] hooks = false` in the user's or the project's file.
pub(crate) fn disabled(files: &SettingsFiles) -> Option<String> {
    let off = |file: &&SettingsFile| {
        let features =
            (file.place == profile::CONFIG).then(|| table(file)).flatten()?.get("features")?.get("hooks")?.as_bool();
        features.filter(|on| !on)
    };
    files.iter().find(|file| off(file).is_some()).map(|file| format!("features.hooks = false in {}", file.path))
}

/// That Codex passes over the project's own settings, unless its user has trusted the project.
pub(crate) fn project(files: &SettingsFiles) -> Option<String> {
    let file = files.iter().find(|file| file.scope == Scope::Project)?;
    let root = file.path.strip_suffix(file.place)?.trim_end_matches('/').strip_suffix("/.codex")?;
    let config = users_config(files)?;
    let level = config.get("projects").and_then(|projects| projects.get(root)?.get("trust_level")?.as_str());
    (level != Some("trusted")).then(|| {
        format!("the project {root} is not trusted in Codex's config.toml: its hooks are skipped; open codex there and trust it")
    })
}

fn users_config(files: &SettingsFiles) -> Option<toml::Table> {
    table(files.iter().find(|file| file.scope == Scope::User && file.place == profile::CONFIG)?)
}

fn table(file: &SettingsFile) -> Option<toml::Table> {
    std::str::from_utf8(file.bytes.as_deref().unwrap_or_default()).ok()?.parse().ok()
}

/// `<path of the file>:<event>:<group>:<hook>`
fn key(path: &str, entry: &FoundEntry) -> String {
    format!("{path}:{}:{}:{}", snake(&entry.event), entry.group, entry.hook)
}

/// The hash of what Codex runs: JSON without blanks, the keys sorted, as they are written here.
fn hash(entry: &FoundEntry) -> Option<String> {
    let timeout = entry.timeout.unwrap_or(DEFAULT_TIMEOUT);
    let timeout = if CUT.contains(&entry.event.as_str()) { timeout.min(CUT_TO) } else { timeout };
    let extra = |key: &str| entry.extra.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let mut hook = json!({
        "async": extra("async").unwrap_or(Value::Bool(false)),
        "command": entry.command.as_ref()?,
        "timeout": timeout,
        "type": "command",
    });
    if let Some(status) = extra("statusMessage") {
        hook["statusMessage"] = status;
    }
    let mut hashed = json!({ "event_name": snake(&entry.event), "hooks": [hook] });
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
