//! Servers that speak OpenAI's chat completions: what is sent, what is left out where a server does not know it, and how the
//! answer is read.

use std::net::{IpAddr, SocketAddr};

use serde_json::{Value, json};

use super::{Backend, Failure, words};
use crate::prompt::Prompt;

/// How the answer's form is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// By the schema, strictly.
    Schema,
    /// As some JSON object.
    Object,
    /// In words alone.
    Words,
}

/// What of the request a server was found to know. Each of its complaints takes one thing away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The answer's form.
    pub format: Format,
    /// Whether the limit is called by its newer name, `max_completion_tokens`.
    pub newer_limit: bool,
    /// Whether a temperature may be set.
    pub temperature: bool,
}

impl Shape {
    /// What every server should know.
    pub const FULL: Shape = Shape { format: Format::Schema, newer_limit: false, temperature: true };

    /// The next one to try after a server has complained about this one; `None` where it complained about something else.
    pub fn after(self, status: u16, complaint: &str) -> Option<Shape> {
        if !matches!(status, 400 | 404 | 415 | 422 | 500 | 501) {
            return None;
        }
        let complaint = complaint.to_ascii_lowercase();
        let about = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        if !self.newer_limit && about(&["max_completion_tokens"]) {
            return Some(Shape { newer_limit: true, ..self });
        }
        if self.temperature && about(&["temperature"]) {
            return Some(Shape { temperature: false, ..self });
        }
        if about(&["response_format", "json_schema", "json_object", "schema", "grammar", "structured output", "guided"])
        {
            return match self.format {
                Format::Schema => Some(Shape { format: Format::Object, ..self }),
                Format::Object => Some(Shape { format: Format::Words, ..self }),
                Format::Words => None,
            };
        }
        None
    }
}

/// Where the request goes.
pub fn url(base_url: &str) -> String {
    const PATH: &str = "/chat/completions";
    let base = base_url.trim_end_matches('/');
    if base.ends_with(PATH) { base.to_owned() } else { format!("{base}{PATH}") }
}

/// The request's body.
pub fn body(backend: &Backend, prompt: &Prompt, judges: usize, shape: Shape) -> Value {
    // A verdict of one judge has some 80 tokens.
    let limit = backend.max_tokens.unwrap_or(200 + 120 * u32::try_from(judges).unwrap_or(5));
    let mut body = json!({
        "model": backend.model().unwrap_or_default(),
        "messages": [{ "role": "system", "content": prompt.system }, { "role": "user", "content": prompt.user }],
        "stream": false,
    });
    body[if shape.newer_limit { "max_completion_tokens" } else { "max_tokens" }] = json!(limit);
    if shape.temperature {
        body["temperature"] = json!(0);
    }
    match shape.format {
        Format::Schema => {
            let schema = json!({ "name": "verdict", "strict": true, "schema": prompt.schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
        }
        Format::Object => body["response_format"] = json!({ "type": "json_object" }),
        Format::Words => {}
    }
    body
}

/// The model's words in a server's answer.
///
/// # Errors
/// There are none: a refusal, an answer that was cut off, a status that says so, something else than JSON.
pub fn read(status: u16, body: &str) -> Result<String, Failure> {
    let parsed = serde_json::from_str::<Value>(body);
    if !(200..300).contains(&status) {
        return Err(Failure::Status { status, words: words(&complaint(body)) });
    }
    let Ok(answer) = parsed else { return Err(Failure::Reported(format!("no JSON: {}", words(body)))) };
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Err(Failure::Reported(words(error["message"].as_str().unwrap_or(&error.to_string()))));
    }
    let choice = &answer["choices"][0];
    match choice["finish_reason"].as_str() {
        Some("length") => return Err(Failure::Truncated),
        Some("content_filter") => return Err(Failure::Refused),
        _ => {}
    }
    let message = &choice["message"];
    if message["refusal"].as_str().is_some_and(|refusal| !refusal.is_empty()) {
        return Err(Failure::Refused);
    }
    match &message["content"] {
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => Ok(parts.iter().filter_map(|part| part["text"].as_str()).collect()),
        _ => Err(Failure::NoAnswer),
    }
}

/// What a server says is wrong, out of the forms in which servers say it.
pub fn complaint(body: &str) -> String {
    let Ok(answer) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    let places = ["/error/message", "/message", "/error", "/detail"];
    let said = places.iter().filter_map(|place| answer.pointer(place)).find(|said| !said.is_null());
    match said {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => body.to_owned(),
    }
}

/// A name server's address: `127.0.0.1`, `127.0.0.1:5353`, `[::1]:53`, `::1`.
pub fn name_server(text: &str) -> Option<SocketAddr> {
    let text = text.trim();
    text.parse().ok().or_else(|| Some(SocketAddr::new(text.parse::<IpAddr>().ok()?, 53)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Kind;

    #[test]
    fn each_complaint_takes_one_thing_away() {
        let full = Shape::FULL;
        let object = Shape { format: Format::Object, ..full };
        for (shape, status, complaint, want) in [
            (full, 400, "Invalid value: 'response_format.type'", Some(object)),
            (full, 422, "json_schema is not supported", Some(object)),
            (full, 500, "failed to parse grammar", Some(object)),
            (
                object,
                400,
                "'response_format.type' must be 'json_schema' or 'text'",
                Some(Shape { format: Format::Words, ..full }),
            ),
            (Shape { format: Format::Words, ..full }, 400, "response_format", None),
            (
                full,
                400,
                "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
                Some(Shape { newer_limit: true, ..full }),
            ),
            (
                full,
                400,
                "Unsupported value: 'temperature' does not support 0",
                Some(Shape { temperature: false, ..full }),
            ),
            (full, 400, "model not found", None),
            (full, 401, "response_format", None),
            (full, 429, "response_format", None),
            (full, 500, "out of memory", None),
        ] {
            assert_eq!(shape.after(status, complaint), want, "{status} {complaint}");
        }
    }

    #[test]
    fn a_server_can_not_keep_us_for_ever() {
        let all = "max_completion_tokens temperature response_format";
        let mut shape = Shape::FULL;
        let mut rounds = 0;
        while let Some(next) = shape.after(400, all) {
            shape = next;
            rounds += 1;
        }
        assert_eq!(rounds, 4);
    }

    #[test]
    fn bodies_by_shape() {
        let prompt = Prompt {
            system: "SYSTEM".into(),
            user: "USER".into(),
            schema: json!({ "type": "object" }),
            injection_suspected: false,
        };
        let mut backend = Backend::new(Kind::Openai);
        backend.model = Some("m".into());
        let full = body(&backend, &prompt, 2, Shape::FULL);
        assert_eq!(full["response_format"]["json_schema"]["strict"], true);
        assert_eq!((&full["temperature"], &full["max_tokens"]), (&json!(0), &json!(440)));
        assert_eq!((&full["messages"][0]["role"], &full["messages"][1]["content"]), (&json!("system"), &json!("USER")));
        let least = Shape { format: Format::Words, newer_limit: true, temperature: false };
        backend.max_tokens = Some(9);
        let least = body(&backend, &prompt, 2, least);
        let keys: Vec<&String> = least.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["max_completion_tokens", "messages", "model", "stream"]);
        assert_eq!(least["max_completion_tokens"], 9);
    }

    #[test]
    fn answers_of_servers() {
        let choice = |choice: Value| read(200, &json!({ "choices": [choice] }).to_string());
        assert_eq!(choice(json!({ "message": { "content": "x" }, "finish_reason": "stop" })), Ok("x".into()));
        assert_eq!(choice(json!({ "message": { "content": [{ "type": "text", "text": "x" }] } })), Ok("x".into()));
        assert_eq!(
            choice(json!({ "message": { "content": "{" }, "finish_reason": "length" })),
            Err(Failure::Truncated)
        );
        assert_eq!(choice(json!({ "message": { "content": null, "refusal": "no" } })), Err(Failure::Refused));
        assert_eq!(choice(json!({ "message": { "content": null } })), Err(Failure::NoAnswer));
        assert_eq!(read(200, "{}"), Err(Failure::NoAnswer));
        assert!(matches!(read(200, "<html>"), Err(Failure::Reported(_))));
        assert!(
            matches!(read(200, r#"{"error":{"message":"gone"}}"#), Err(Failure::Reported(words)) if words == "gone")
        );
        for body in [
            r#"{"error":{"message":"m is gone"}}"#,
            r#"{"error":"m is gone"}"#,
            "m is gone",
            r#"{"detail":"m is gone"}"#,
        ] {
            assert_eq!(read(404, body), Err(Failure::Status { status: 404, words: "m is gone".into() }), "{body}");
        }
    }

    #[test]
    fn urls_and_name_servers() {
        for base in ["http://h/v1", "http://h/v1/", "http://h/v1/chat/completions"] {
            assert_eq!(url(base), "http://h/v1/chat/completions");
        }
        for (text, want) in [
            ("127.0.0.1", Some("127.0.0.1:53")),
            ("127.0.0.1:5353", Some("127.0.0.1:5353")),
            ("::1", Some("[::1]:53")),
            ("[::1]:54", Some("[::1]:54")),
            ("localhost", None),
            ("", None),
        ] {
            assert_eq!(name_server(text).map(|address| address.to_string()).as_deref(), want, "{text}");
        }
    }
}
