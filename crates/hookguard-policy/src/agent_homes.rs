//! Variables by which agents find their settings: what they name is known, set or not.

use crate::tables::AGENT_HOMES;

/// The variables that `text` names, with the folders that they stand for in `home`.
pub(crate) fn vars(text: &str, home: Option<&str>) -> Vec<(&'static str, String)> {
    let Some(home) = home.filter(|_| text.contains('$')) else { return Vec::new() };
    let named = AGENT_HOMES.iter().filter_map(|entry| entry.split_once('=')).filter(|(name, _)| text.contains(*name));
    named.map(|(name, folder)| (name, format!("{}/{folder}", home.trim_end_matches('/')))).collect()
}
