//! Fields of agents' JSON that only inform: a value of another type is as if it were not there.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A string; anything else is as if it were not there.
#[derive(Debug, Default)]
pub struct Text<'a>(pub Option<Cow<'a, str>>);

impl Text<'_> {
    /// The string, if it is one.
    pub fn as_deref(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The same, owned.
    pub fn into_owned(self) -> Option<String> {
        self.0.map(Cow::into_owned)
    }
}

/// A boolean; anything else is as if it were not there.
#[derive(Debug, Default)]
pub struct Flag(pub Option<bool>);

/// How many elements a list has; anything else has none.
#[derive(Debug, Default)]
pub struct Count(pub usize);

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
