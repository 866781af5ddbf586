//! `[rules]`: levels by rule id. An id may stand quoted (`"git.push.force" = "ask"`) or not, for without quotes TOML reads
//! it as tables in tables, and what is meant is plain.

use std::collections::BTreeMap;
use std::fmt;

use hookguard_core::Level;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

enum Entry {
    Level(Level),
    Below(BTreeMap<String, Entry>),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a level: off, observe, warn, ask or deny")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Entry, E> {
                Level::deserialize(StrDeserializer::new(name)).map(Entry::Level)
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Entry, A::Error> {
                BTreeMap::deserialize(MapAccessDeserializer::new(table)).map(Entry::Below)
            }
        }
        deserializer.deserialize_any(Form)
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Level>, D::Error> {
    let mut levels = BTreeMap::new();
    flatten("", BTreeMap::deserialize(deserializer)?, &mut levels);
    Ok(levels)
}

fn flatten(above: &str, entries: BTreeMap<String, Entry>, levels: &mut BTreeMap<String, Level>) {
    for (name, entry) in entries {
        let id = if above.is_empty() { name } else { format!("{above}.{name}") };
        match entry {
            Entry::Level(level) => {
                // Written twice, in both ways: the stricter counts.
                levels.entry(id).and_modify(|other| *other = level.max(*other)).or_insert(level);
            }
            Entry::Below(entries) => flatten(&id, entries, levels),
        }
    }
}

pub(super) fn schema(generator: &mut SchemaGenerator) -> Schema {
    let level = super::names::level(generator);
    json_schema!({
        "type": "object",
        "additionalProperties": { "anyOf": [level, { "type": "object" }] },
    })
}
