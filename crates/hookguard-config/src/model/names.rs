//! Schemas of the neutral model's names, which `hookguard-core` spells but does not describe.

use hookguard_core::{Level, ToolClass};
use hookguard_judge::Evidence;
use schemars::{Schema, SchemaGenerator, json_schema};
use strum::IntoEnumIterator;

pub(super) fn mode(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["enforce", "observe"] })
}

pub(super) fn level(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<String> = Level::iter().map(|level| level.to_string()).collect();
    json_schema!({ "enum": names })
}

pub(super) fn tool_classes(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<String> = ToolClass::iter().map(|class| class.to_string()).collect();
    json_schema!({ "type": "array", "items": { "enum": names } })
}

pub(super) fn evidence(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<String> = Evidence::iter().map(|kind| kind.to_string()).collect();
    json_schema!({ "enum": names })
}

pub(super) fn evidences(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": evidence(generator) })
}
