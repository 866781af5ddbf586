//! The patch envelope (`*** Begin Patch` … `*** End Patch`) that several agents write edits in, alone or in a shell heredoc.

use crate::{Change, FileChange};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The files that a patch changes, in its order; empty where `text` holds no envelope.
///
/// Read as leniently as agents apply it: headers may be indented, the end may be missing, lines that fit nothing are
/// passed over. A guard must see a file that a sloppier reader would still write.
pub fn parse_patch(text: &str) -> Vec<FileChange> {
    let mut files: Vec<FileChange> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let header = line.trim();
        if header == BEGIN {
            inside = true;
        } else if header == END {
            inside = false;
        } else if !inside {
        } else if let Some(path) = header.strip_prefix("*** Add File:") {
            files.push(change(path, Change::Create));
        } else if let Some(path) = header.strip_prefix("*** Update File:") {
            files.push(change(path, Change::Update));
        } else if let Some(path) = header.strip_prefix("*** Delete File:") {
            files.push(change(path, Change::Delete));
        } else if let Some(to) = header.strip_prefix("*** Move to:") {
            if let Some(file) = files.last_mut() {
                file.change = Change::Move { to: to.trim().to_owned() };
            }
        } else if let (Some(added), Some(file)) = (line.strip_prefix('+'), files.last_mut()) {
            if !file.added.is_empty() {
                file.added.push('\n');
            }
            file.added.push_str(added);
        }
    }
    files
}

fn change(path: &str, change: Change) -> FileChange {
    FileChange { path: path.trim().to_owned(), change, added: String::new() }
}

/// The files that an `apply_patch` inside a shell command changes (Codex runs `apply_patch <<'EOF' …` as an edit and
/// reports it as a shell call, `protocols/claude-codex.md` 2). Empty where the command runs no such thing.
pub fn heredoc_patch(command: &str) -> Vec<FileChange> {
    if command.contains("apply_patch") || command.contains("applypatch") { parse_patch(command) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change() {
        let text = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Update File: src/b.rs\n*** Move to: src/c.rs\n\
                    @@\n-old\n+new\n*** Delete File: d\n*** End Patch";
        let files = parse_patch(text);
        let seen: Vec<_> = files.iter().map(|f| (f.path.as_str(), f.change.clone(), f.added.as_str())).collect();
        assert_eq!(
            seen,
            [
                ("a.txt", Change::Create, "one\ntwo"),
                ("src/b.rs", Change::Move { to: "src/c.rs".into() }, "new"),
                ("d", Change::Delete, ""),
            ]
        );
    }

    #[test]
    fn a_heredoc_is_an_edit_and_prose_is_not() {
        let command = "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: .agent/settings.json\n+{}\n*** End Patch\nEOF";
        assert_eq!(heredoc_patch(command)[0].path, ".agent/settings.json");
        assert!(heredoc_patch("cat <<'EOF'\n*** Begin Patch\n*** Add File: a\n*** End Patch\nEOF").is_empty());
        assert!(parse_patch("no envelope\n*** Add File: a\n").is_empty());
    }
}
