//! The calls in a script of code mode, where their arguments are plain JSON: `tools.exec_command({"cmd": "ls"})`.

use serde_json::value::RawValue;

/// How many calls of one script are looked at.
const MAX_CALLS: usize = 100;

/// The names of the functions that are called, with their arguments as JSON text. What is computed is passed over.
pub(super) fn calls(script: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    for (at, _) in script.match_indices("tools.").take(MAX_CALLS) {
        let rest = &script[at + "tools.".len()..];
        let end = rest.find(|char: char| !(char.is_ascii_alphanumeric() || char == '_')).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let Some(arguments) = rest.strip_prefix('(') else { continue };
        let value = serde_json::Deserializer::from_str(arguments).into_iter::<Box<RawValue>>().next();
        if let Some(Ok(value)) = value {
            found.push((name, value.get().to_owned()));
        }
    }
    found
}
