//! What an edit would change, for people: `install --dry-run`.

use similar::TextDiff;

/// A unified diff of two contents of a file; `None` is no file. Empty where nothing changes. Bytes that are no UTF-8 are
/// shown as U+FFFD: the diff is to be read, not applied.
///
/// ```
/// use hookguard_adapter::settings::diff::unified;
///
/// assert_eq!(
///     unified("/home/me/s.json", None, Some(b"{}")),
///     "--- /dev/null\n+++ /home/me/s.json\n@@ -0,0 +1 @@\n+{}\n\\ No newline at end of file\n"
/// );
/// ```
pub fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let name = |bytes: Option<&[u8]>| if bytes.is_some() { path } else { "/dev/null" };
    let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (old, new) = (text(before), text(after));
    TextDiff::from_lines(&old, &new).unified_diff().context_radius(3).header(name(before), name(after)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_with_three_lines_around() {
        let before = b"{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": \"\xe9\"\n}\n";
        let after = b"{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": \"\xe9\",\n  \"e\": 5\n}\n";
        assert_eq!(
            unified("s.json", Some(before), Some(after)),
            "--- s.json\n+++ s.json\n@@ -2,5 +2,6 @@\n   \"a\": 1,\n   \"b\": 2,\n   \"c\": 3,\n-  \"d\": \"\u{fffd}\"\n\
             +  \"d\": \"\u{fffd}\",\n+  \"e\": 5\n }\n"
        );
        assert_eq!(unified("s.json", Some(before), Some(before)), "");
        assert_eq!(unified("s.json", Some(b"{}\r\n"), None), "--- s.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-{}\r\n");
    }
}
