//! Tests of redaction: what is planted is found, what is ordinary is left, whatever the text.

mod carriers;
mod chance;
mod ordinary;
mod properties;
mod tokens;

use super::{Redacted, redact};

/// A secret in five surroundings: a shell, JSON (as a string's content), YAML, a sentence in another language, a code fence.
fn surroundings(secret: &str) -> [String; 5] {
    let escaped = serde_json::to_string(secret).unwrap();
    [
        format!("cd /srv && echo {secret} | tee out.txt"),
        format!("{{\"role\": \"assistant\", \"content\": {escaped}, \"n\": 3}}"),
        format!("first: 1\nthing: {secret}\nlast: [a, b]\n"),
        format!("Voilà ce que j’ai trouvé : {secret} — à ne pas partager, même en privé."),
        format!("Look:\n\n```sh\n# the key\nrun {secret}\n```\n"),
    ]
}

/// Whether some six bytes of `body` are left in `text`.
fn is_left(text: &str, body: &str) -> bool {
    let length = body.len().min(6);
    body.as_bytes().windows(length).any(|part| text.as_bytes().windows(length).any(|there| there == part))
}

/// Redacts, and checks what holds of every redaction: doing it again changes nothing, borrowed if and only if nothing was found.
fn checked(text: &str) -> Redacted<'_> {
    let redacted = redact(text);
    assert_eq!(matches!(redacted.text, std::borrow::Cow::Borrowed(_)), redacted.found.is_empty(), "{text:?}");
    let again = redact(&redacted.text);
    assert_eq!(again.text, redacted.text, "of {text:?}");
    assert!(again.found.is_empty(), "{:?} again in {:?} of {text:?}", again.found, redacted.text);
    redacted
}

/// What is wrong with the redaction of a text in which `body` of this kind was planted; a table is best seen whole.
fn fault(text: &str, kind: &str, body: &str) -> Option<String> {
    let redacted = checked(text);
    let right = redacted.found == [kind] && !is_left(&redacted.text, body);
    (!right).then(|| format!("{kind}: {:?} in\n    {text:?}\n    {:?}", redacted.found, redacted.text))
}

fn assert_none(faults: Vec<String>) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
