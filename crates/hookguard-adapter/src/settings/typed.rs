//! What has to be of which kind in a settings file: an agent that validates its settings drops the whole file, with every
//! hook in it, for one value of another kind.

use super::hooks::SettingsError;
use super::json::{Document, Kind, Value};

/// One such place.
#[derive(Debug, Clone, Copy)]
pub struct Typed {
    /// The keys to it; `*` is every member or element.
    pub path: &'static [&'static str],
    /// The kind that it has to be of, where it is there at all.
    pub kind: Kind,
    /// The kind in words: `a number`.
    pub expected: &'static str,
}

/// The first value of another kind, if there is one.
///
/// ```
/// use hookguard_adapter::settings::json::Kind;
/// use hookguard_adapter::settings::typed::{Typed, check};
///
/// let table = [Typed { path: &["hooks", "*", "*", "hooks", "*", "timeout"], kind: Kind::Number, expected: "a number" }];
/// let file = br#"{"hooks": {"Stop": [{"hooks": [{"timeout": 5}, {"timeout": "20"}]}]}}"#;
/// let error = check(file, &table).unwrap_err().to_string();
/// assert_eq!(error, "1:60: hooks.Stop[0].hooks[1].timeout has to be a number, not a string");
/// ```
///
/// # Errors
/// The file is no JSON, or that value.
pub fn check(bytes: &[u8], table: &[Typed]) -> Result<(), SettingsError> {
    let document = Document::parse(bytes)?;
    table.iter().try_for_each(|typed| at(document.root(), typed, typed.path, String::new()))
}

fn at(value: Value<'_>, typed: &Typed, path: &[&str], place: String) -> Result<(), SettingsError> {
    let Some((step, rest)) = path.split_first() else {
        return if value.kind() == typed.kind {
            Ok(())
        } else {
            let found = value.kind();
            Err(SettingsError::Shape { position: value.position(), place, expected: typed.expected, found })
        };
    };
    if *step != "*" {
        // What stands in a value that is no object is somebody else's matter: see `hooks`.
        return value.get(step).map_or(Ok(()), |child| at(child, typed, rest, join(&place, step)));
    }
    for (index, child) in value.children().enumerate() {
        let place = child.key().map_or_else(|| format!("{place}[{index}]"), |key| join(&place, &key));
        at(child, typed, rest, place)?;
    }
    Ok(())
}

fn join(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}
