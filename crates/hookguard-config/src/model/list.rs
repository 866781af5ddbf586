//! A list of names that a file replaces or adds to: `[...]` or `{ add = [...] }`.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// What a file does to a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum List {
    /// It is these and no others.
    Replace(Vec<String>),
    /// These are added.
    Add(Vec<String>),
}

impl List {
    /// The names that it holds, whatever it does with them.
    pub fn names(&self) -> &[String] {
        match self {
            List::Replace(names) | List::Add(names) => names,
        }
    }
}

#[derive(Deserialize)]
struct Added {
    add: Vec<String>,
}

// By hand: an untagged enum would say neither where nor what is wrong.
impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = List;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of names, or a table `{ add = [...] }`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<List, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(names)).map(List::Replace)
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<List, A::Error> {
                Added::deserialize(MapAccessDeserializer::new(table)).map(|added| List::Add(added.add))
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl JsonSchema for List {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "List".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = json_schema!({ "type": "array", "items": { "type": "string" } });
        json_schema!({
            "description": "An array replaces the list, `{ add = [...] }` adds to it.",
            "oneOf": [
                names,
                { "type": "object", "properties": { "add": names }, "required": ["add"], "additionalProperties": false },
            ],
        })
    }
}
