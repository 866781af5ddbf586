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
    let top = || schema.get("properties")?.as_object().filter(|top| !above.is_empty() && top.contains_key(name));
    if top().is_some() {
        return Some(format!("`{name}` belongs above the first table"));
    }
    nearest(name, keys.keys().map(String::as_str))
}

/// A hint for serde's message on a name that is none of those it knows: "unknown variant `dney`, expected one of `off`, ...".
pub(crate) fn of_message(message: &str) -> Option<String> {
    if let Some((_, rest)) = message.split_once("invalid type: string \"")
        && let Some((text, expected)) = rest.split_once("\", expected a sequence")
        && expected.is_empty()
    {
        return Some(format!("write it as a list: [\"{text}\"]"));
    }
    let (_, rest) = message.split_once("unknown variant `")?;
    let (name, rest) = rest.split_once('`')?;
    if name == "allow" && rest.contains("`deny`") && !rest.contains("`allow`") {
        return Some(
            "no rule allows: an exception is an [[except]], and a rule that is not wanted is `off`".to_owned(),
        );
    }
    nearest(name, rest.split('`').skip(1).step_by(2))
}

/// What was perhaps meant by one of the keys at `paths`, where a key is missing: `levl` for `level`.
pub(crate) fn of_missing<'p>(message: &str, paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let (_, rest) = message.split_once("missing field `")?;
    let (missing, _) = rest.split_once('`')?;
    let names = paths.map(|path| path.rsplit('.').next().unwrap_or(path)).filter(|name| *name != missing);
    let near = names.filter(|name| nearest(name, [missing]).is_some()).min_by_key(|name| name.len())?;
    Some(format!("is `{near}` meant to be `{missing}`?"))
}

/// A schema's node itself, where it is a reference or an alternative to null.
fn resolved<'a>(schema: &'a Value, mut at: &'a Value) -> &'a Value {
    if let Some(first) = at.pointer("/anyOf/0") {
        at = first;
    }
    let named = at.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    named.and_then(|pointer| schema.pointer(pointer)).unwrap_or(at)
}
