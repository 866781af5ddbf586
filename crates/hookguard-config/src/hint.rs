//! What was perhaps meant: known names near to an unknown one.

use serde_json::Value;

/// The nearest of `known` to `name`, as a hint: one slip in three letters at the most.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let slips = name.chars().count() / 3;
    known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(name, other), other))
        .filter(|(distance, _)| *distance <= slips)
        .min()
        .map(|(_, other)| format!("did you mean `{other}`?"))
}

/// A hint for a key that is not known, by the keys that the schema has at its place.
pub(crate) fn of_key(path: &str) -> Option<String> {
    let schema = crate::schema();
    let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = &schema;
    for step in above.split('.').filter(|step| !step.is_empty()) {
        at = resolved(&schema, at);
        at = if step.bytes().all(|byte| byte.is_ascii_digit()) {
            at.get("items")?
        } else {
            at.pointer(&format!("/properties/{step}"))?
        };
    }
    let keys = resolved(&schema, at).get("properties")?.as_object()?;
    nearest(name, keys.keys().map(String::as_str))
}

/// A hint for serde's message on a name that is none of those it knows: "unknown variant `dney`, expected one of `off`, ...".
pub(crate) fn of_message(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("unknown variant `")?;
    let (name, rest) = rest.split_once('`')?;
    nearest(name, rest.split('`').skip(1).step_by(2))
}

/// A schema's node itself, where it is a reference or an alternative to null.
fn resolved<'a>(schema: &'a Value, mut at: &'a Value) -> &'a Value {
    if let Some(first) = at.pointer("/anyOf/0") {
        at = first;
    }
    let named = at.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    named.and_then(|pointer| schema.pointer(pointer)).unwrap_or(at)
}
