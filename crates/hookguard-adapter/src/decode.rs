//! Bytes to text and text to ASCII: payloads are decoded tolerantly, answers written so that no locale can break them.

use std::borrow::Cow;

use memchr::memmem;

const REPLACEMENT: &[u8] = b"\\ufffd";

/// The payload as text: a byte order mark is dropped, bytes that are no UTF-8 and escaped surrogates without their half
/// become U+FFFD. What comes out parses wherever the payload was JSON at all, so a call is judged and not refused for one
/// odd character.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Nearly always it is UTF-8, and then this takes a fraction of the tolerant way.
    let text = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    match text {
        Cow::Borrowed(text) => match replace_lone_surrogates(text.as_bytes()) {
            None => Cow::Borrowed(text),
            Some(mended) => Cow::Owned(mended),
        },
        Cow::Owned(text) => match replace_lone_surrogates(text.as_bytes()) {
            None => Cow::Owned(text),
            Some(mended) => Cow::Owned(mended),
        },
    }
}

/// `None` where there is nothing to mend. Only escapes are touched, and they are ASCII: the rest stays UTF-8.
fn replace_lone_surrogates(bytes: &[u8]) -> Option<String> {
    if memmem::find(bytes, b"\\ud").is_none() && memmem::find(bytes, b"\\uD").is_none() {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(step) = memchr::memchr(b'\\', &bytes[at..]) {
        out.extend_from_slice(&bytes[at..at + step]);
        at += step;
        match surrogate(&bytes[at..]) {
            None => {
                // Any other escape: both bytes, so that an escaped backslash is not taken for the start of one.
                let end = (at + 2).min(bytes.len());
                out.extend_from_slice(&bytes[at..end]);
                at = end;
            }
            Some(high) if high < 0xdc00 && surrogate(&bytes[at + 6..]).is_some_and(|low| low >= 0xdc00) => {
                out.extend_from_slice(&bytes[at..at + 12]);
                at += 12;
            }
            Some(_) => {
                out.extend_from_slice(REPLACEMENT);
                at += 6;
            }
        }
    }
    out.extend_from_slice(&bytes[at..]);
    String::from_utf8(out).ok()
}

/// The surrogate that an escape at the start of `bytes` stands for.
fn surrogate(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    let unit = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xd800..=0xdfff).contains(&unit).then_some(unit)
}

/// JSON text with everything beyond ASCII escaped: the answer survives any code page between us and the agent.
pub fn to_ascii_json(json: &str) -> String {
    if json.is_ascii() {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            let mut units = [0u16; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacements_and_pairs_stay() {
        let cases: &[(&[u8], &str)] = &[
            (br#"{"a":"\ud83d\ude00"}"#, r#"{"a":"\ud83d\ude00"}"#),
            (br#"{"a":"x\udc00y"}"#, r#"{"a":"x\ufffdy"}"#),
            (br#"{"a":"\ud83dx"}"#, r#"{"a":"\ufffdx"}"#),
            (br#"{"a":"\ud83d\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (br#"{"a":"\\ud800"}"#, r#"{"a":"\\ud800"}"#),
            (br#"{"a":"\uD800"#, r#"{"a":"\ufffd"#),
            (b"\xef\xbb\xbf{}", "{}"),
            (b"{\"a\":\"\xff\"}", "{\"a\":\"\u{fffd}\"}"),
            (b"\\", "\\"),
        ];
        for (bytes, want) in cases {
            assert_eq!(decode(bytes), *want);
        }
    }

    #[test]
    fn ascii_json_means_the_same() {
        let text = r#"{"a":"é 日本 😀"}"#;
        let ascii = to_ascii_json(text);
        assert!(ascii.is_ascii());
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&ascii), read(text));
    }
}
