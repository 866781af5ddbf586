//! The payload's fields. What decides must have its right type; what only informs is taken if it has.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Payload<'a> {
    #[serde(borrow)]
    pub(super) hook_event_name: Text<'a>,
    #[serde(borrow)]
    pub(super) session_id: Text<'a>,
    #[serde(borrow)]
    pub(super) prompt_id: Text<'a>,
    #[serde(borrow)]
    pub(super) turn_id: Text<'a>,
    #[serde(borrow)]
    pub(super) transcript_path: Text<'a>,
    #[serde(borrow)]
    pub(super) cwd: Text<'a>,
    #[serde(borrow)]
    pub(super) permission_mode: Text<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Text<'a>,
    #[serde(borrow)]
    pub(super) agent_type: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_name: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Text<'a>,
    pub(super) is_interrupt: Flag,
    pub(super) stop_hook_active: Flag,
    #[serde(borrow)]
    pub(super) last_assistant_message: Text<'a>,
    pub(super) background_tasks: Count,
    #[serde(borrow)]
    pub(super) prompt: Text<'a>,
}

/// A response of [`Response::Structured`](super::Response::Structured), as far as shells and edits have it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct StructuredResponse<'a> {
    #[serde(borrow)]
    pub(super) stdout: Text<'a>,
    #[serde(borrow)]
    pub(super) stderr: Text<'a>,
    pub(super) interrupted: Flag,
    #[serde(borrow)]
    pub(super) background_task_id: Text<'a>,
    #[serde(borrow)]
    pub(super) bash_edit_diff: Option<&'a RawValue>,
}

/// What Claude Code says of the files that a shell command changed (2.1.332, 2026-11-30; `PostToolUse-Bash.json`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditDiff {
    pub(super) changed_files: Vec<String>,
}

/// A string; anything else is as if it were not there.
#[derive(Debug, Default)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl Text<'_> {
    pub(super) fn as_deref(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(super) fn into_owned(self) -> Option<String> {
        self.0.map(Cow::into_owned)
    }
}

/// A boolean; anything else is as if it were not there.
#[derive(Debug, Default)]
pub(super) struct Flag(pub(super) Option<bool>);

/// How many elements a list has; anything else has none.
#[derive(Debug, Default)]
pub(super) struct Count(pub(super) usize);

/// What one JSON value can be to a lenient field.
enum Lenient<'a> {
    Text(Cow<'a, str>),
    Flag(bool),
    Count(usize),
    Nothing,
}

struct LenientVisitor;

impl<'de> Visitor<'de> for LenientVisitor {
    type Value = Lenient<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Lenient::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Lenient::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Lenient::Flag(flag))
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Lenient::Nothing)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Lenient::Nothing)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Lenient::Nothing)
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Lenient::Nothing)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut count = 0;
        while items.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Lenient::Count(count))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Lenient::Nothing)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match from.deserialize_any(LenientVisitor)? {
            Lenient::Text(text) => Text(Some(text)),
            _ => Text(None),
        })
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match from.deserialize_any(LenientVisitor)? {
            Lenient::Flag(flag) => Flag(Some(flag)),
            _ => Flag(None),
        })
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match from.deserialize_any(LenientVisitor)? {
            Lenient::Count(count) => Count(count),
            _ => Count(0),
        })
    }
}
