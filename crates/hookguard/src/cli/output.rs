//! Where people's output goes: data to stdout, talk to stderr.

use std::borrow::Cow;
use std::io::{BufRead, ErrorKind, Write};

use hookguard_core::is_unseen;
use serde::Serialize;

/// A wrong use, or input that can't be read: exit 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Prints data.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        stdout.write_all(b"\n")?;
    }
    Ok(())
}

/// A text of somebody else's for a terminal, in one line: what a terminal would obey, and what would make it show another
/// text than there is (invisible characters, other directions of writing), is written as an escape.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        match char {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            odd if is_unseen(odd) && odd.is_ascii() => out.push_str(&format!("\\x{:02x}", odd as u32)),
            odd if is_unseen(odd) => out.push_str(&format!("\\u{{{:x}}}", odd as u32)),
            char => out.push(char),
        }
    }
    Cow::Owned(out)
}

/// The same for a text of several lines, which stay lines.
pub(crate) fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// A value as JSON for people: what a terminal would obey is an escape in it, also beyond ASCII.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)?
        .chars()
        .map(|char| match char {
            '\n' => char.to_string(),
            odd if is_unseen(odd) => {
                odd.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
            }
            char => char.to_string(),
        })
        .collect())
}

/// Says something to the person. Nobody listening is no failure.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Asks the person at the terminal; anything but a yes is a no.
pub(crate) fn agreed(question: &str) -> std::io::Result<bool> {
    say(&format!("{question} [y/N]"));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Whether the reader of our output has gone.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        for (text, shown) in [
            ("git push", "git push"),
            ("é 日本 😀", "é 日本 😀"),
            ("a\u{1b}[2Jb", "a\\x1b[2Jb"),
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("\u{7f}\u{9b}31m", "\\x7f\\u{9b}31m"),
            ("x\u{202e}y\u{200b}", "x\\u{202e}y\\u{200b}"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(visible_lines("a\nb\u{1b}"), "a\nb\\x1b");
    }

    #[test]
    fn json_for_people_means_the_same() {
        let odd = "a\n\u{1b}\u{9b}\u{202e}\u{e0041}é";
        let text = json(&serde_json::json!({ "a": odd })).unwrap();
        assert!(!text.chars().any(|char| char != '\n' && is_unseen(char)), "{text:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["a"], odd);
    }
}
