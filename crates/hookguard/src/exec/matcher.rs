//! The matcher of Claude Code's settings: which tools a hook is for (Claude Code 2.1.332, 2026-11-30;
//! `protocols/claude-codex.md` 3e).

/// Whether `matcher` means the tool called `tool`.
///
/// Nothing, `*` and the empty text mean all tools. Words, alone or in a list with `|` or `,`, mean the tools of exactly those
/// names; anything else is a regular expression, found anywhere in the name. One that can't be compiled matches: the script is
/// asked and can pass the call over itself, where leaving it out would be a silent yes.
pub(crate) fn matches(matcher: Option<&str>, tool: &str) -> bool {
    let Some(matcher) = matcher.map(str::trim).filter(|matcher| !matches!(*matcher, "" | "*")) else { return true };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|' | ',' | ' ');
    if matcher.chars().all(plain) {
        return matcher.split(['|', ',']).any(|word| word.trim() == tool);
    }
    regex::Regex::new(matcher).map_or(true, |regex| regex.is_match(tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_claude_code_matches() {
        let cases: &[(Option<&str>, &str, bool)] = &[
            (None, "Bash", true),
            (Some(""), "Bash", true),
            (Some("*"), "mcp__a__b", true),
            (Some("Bash"), "Bash", true),
            (Some("Bas"), "Bash", false),
            (Some("bash"), "Bash", false),
            (Some("Bash"), "BashOutput", false),
            (Some("Edit|Write"), "Write", true),
            (Some("Edit | Write"), "Write", true),
            (Some("Edit, Write"), "Edit", true),
            (Some("Edit|Write"), "NotebookEdit", false),
            (Some("Ba.*"), "Bash", true),
            (Some(".*"), "Read", true),
            (Some("^Bash$"), "BashOutput", false),
            (Some("mcp__.*__write.*"), "mcp__fs__write_file", true),
            (Some("mcp__fs__write"), "mcp__fs__write", true),
            (Some("Notebook.*|Edit"), "Edit", true),
            (Some("(unclosed"), "Bash", true),
        ];
        for (matcher, tool, want) in cases {
            assert_eq!(matches(*matcher, tool), *want, "{matcher:?} {tool}");
        }
    }
}
