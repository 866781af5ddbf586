//! The neutral JSON that policy scripts speak: an event out, a verdict in.

use serde::{Deserialize, Serialize};

use crate::{Decision, Event, Verdict};

/// The version of both documents. Fields are added to an event, never renamed; what changes a meaning changes the number.
pub const JSON_VERSION: u8 = 1;

#[derive(Serialize)]
struct Versioned<'a> {
    v: u8,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

/// `event` as one JSON object: `v` and the fields of [`Event`], without the payload that it came from.
pub fn event_to_json(event: &Event<'_>) -> String {
    // Strings, numbers and lists of them: writing them can't fail, and an empty input is none that a script could take for
    // a harmless event.
    serde_json::to_string(&Versioned { v: JSON_VERSION, event }).unwrap_or_default()
}

/// Why an answer is no verdict, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VerdictError(pub String);

/// All keys that a verdict may have. An unknown one is an error: a mistyped `decision` must not read as no opinion.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    v: Option<u8>,
    decision: Option<String>,
    rule: Option<String>,
    reason: Option<String>,
    instead: Option<String>,
    evidence: Option<String>,
    rewrite: Option<String>,
    feedback: Option<String>,
    resume: Option<String>,
}

/// Reads a verdict: nothing at all, or one object with the fields of [`Verdict`], each of them optional.
///
/// `allow` reads as no opinion: a script can make things stricter, never milder. The rule's id is the script's own word and
/// may be empty.
///
/// # Errors
/// When the text is anything else: other JSON, an unknown key or decision, another version.
pub fn verdict_from_json(text: &str) -> Result<Verdict, VerdictError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Verdict::none());
    }
    let answer: Answer =
        serde_json::from_str(text).map_err(|error| VerdictError(format!("it is no verdict: {error}")))?;
    if let Some(version) = answer.v.filter(|version| *version != JSON_VERSION) {
        return Err(VerdictError(format!("it is of version {version}, and {JSON_VERSION} is known")));
    }
    let decision = match answer.decision.as_deref() {
        None => Decision::None,
        Some(name) => name.parse().map_err(|_| VerdictError(format!("it has an unknown decision {name:?}")))?,
    };
    let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    Ok(Verdict {
        decision: if decision == Decision::Allow { Decision::None } else { decision },
        rule: said(answer.rule).unwrap_or_default().into(),
        reason: said(answer.reason).unwrap_or_default().into(),
        instead: said(answer.instead).unwrap_or_default().into(),
        evidence: answer.evidence.unwrap_or_default(),
        rewrite: said(answer.rewrite),
        feedback: said(answer.feedback),
        resume: said(answer.resume),
        release: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, ToolCall};

    #[test]
    fn an_event_is_one_object_without_its_payload() {
        let mut event = Event::new(EventKind::PreTool, "some", "BeforeTool", b"{\"secret\":1}");
        event.tool = Some(ToolCall::shell("git push"));
        event.cwd = Some("/home/dev".into());
        let json = event_to_json(&event);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["v"], 1);
        assert_eq!(value["kind"], "pre_tool");
        assert_eq!(value["tool"]["class"], "shell");
        assert_eq!(value["tool"]["command"], "git push");
        assert_eq!(value["cwd"], "/home/dev");
        assert!(!json.contains("secret"), "{json}");
    }

    #[test]
    fn verdicts_are_read_and_allow_is_no_opinion() {
        for text in ["", " \n", "{}", r#"{"decision":"allow","reason":"fine"}"#, r#"{"v":1,"decision":"none"}"#] {
            assert_eq!(verdict_from_json(text).unwrap().decision, Decision::None, "{text}");
        }
        let verdict = verdict_from_json(r#"{"decision":"deny","reason":"no","instead":"else","rule":"x"}"#).unwrap();
        assert_eq!(
            (verdict.decision, &*verdict.reason, &*verdict.instead, &*verdict.rule),
            (Decision::Deny, "no", "else", "x")
        );
        assert_eq!(verdict_from_json(r#"{"feedback":"mind the tests"}"#).unwrap().feedback.unwrap(), "mind the tests");
        assert_eq!(verdict_from_json(r#"{"resume":" "}"#).unwrap().resume, None);
    }

    #[test]
    fn what_we_write_ourselves_is_read() {
        let verdict = Verdict { decision: Decision::Ask, reason: "why".into(), ..Verdict::default() };
        let read = verdict_from_json(&serde_json::to_string(&verdict).unwrap()).unwrap();
        assert_eq!(read, verdict);
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in [
            "ok",
            "[]",
            "true",
            r#"{"descision":"deny"}"#,
            r#"{"decision":"maybe"}"#,
            r#"{"decision":1}"#,
            r#"{"decision":"deny"} {"decision":"deny"}"#,
            r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#,
            r#"{"v":2,"decision":"deny"}"#,
            r#"{"decision":"deny""#,
        ] {
            assert!(verdict_from_json(text).is_err(), "{text}");
        }
    }
}
