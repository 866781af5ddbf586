//! Patch envelopes: whatever they hold, they are read at once, and a file that an agent would write is seen.

use hookguard_core::{Change, Decision, Event, EventKind, ToolCall, heredoc_patch, parse_patch};
use hookguard_policy::{Context, decide};

use super::bytes::Mutator;
use super::{run, seed};

const SEEDS: [&str; 5] = [
    "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n",
    "*** Begin Patch\n*** Update File: src/b.rs\n*** Move to: src/c.rs\n@@ fn x()\n-old\n+new\n*** End of File\n*** End Patch",
    "*** Begin Patch\n*** Delete File: d\n*** Update File: .claude/settings.json\n@@\n-{}\n+{\"hooks\":{}}\n*** End Patch\n",
    "*** Begin Patch\r\n  *** Update File:   .codex/config.toml\r\n+x\r\n*** End Patch\r\n",
    "*** Begin Patch\n*** Add File: \u{e9}/\u{202e}x\n+\n*** End Patch\n*** Begin Patch\n*** Delete File: e\n",
];

const PIECES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\r",
    b"*** Begin Patch\n",
    b"*** End Patch\n",
    b"*** Add File: x\n",
    b"*** Update File: ",
    b"*** Delete File:\n",
    b"*** Move to: y\n",
    b"*** ",
    b"+",
    b"-",
    b" ",
    b"\t",
    b"@@\n",
    b"EOF\n",
    b"'",
    b"\"",
    b"\\",
    b"$(x)",
    b"../",
    b"/",
    b"\0",
    b"\xc3",
    b"\xed\xa0\x80",
    "\u{2028}".as_bytes(),
];

#[test]
fn patches_are_read_within_bounds() {
    let seeds: Vec<Vec<u8>> = SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect();
    let mut mutator = Mutator::new(seed(), PIECES);
    let (mut files, mut guarded) = (0, 0);
    let count = run(5_000, || {
        let text = String::from_utf8_lossy(&mutator.bytes(&seeds)).into_owned();
        let found = parse_patch(&text);
        files += found.len();
        let headers = text.lines().filter(|line| line.trim_start().starts_with("*** ")).count();
        assert!(found.len() <= headers, "{} files of {headers} headers in {text:?}", found.len());
        let added: usize = found.iter().map(|file| file.added.len()).sum();
        assert!(added <= text.len(), "{added} bytes added by {text:?}");
        for file in &found {
            assert!(!file.path.contains('\n') && file.path.trim() == file.path, "{file:?} in {text:?}");
        }
        let command = format!("apply_patch <<'EOF_OF_FUZZ'\n{text}\nEOF_OF_FUZZ\n");
        assert_eq!(heredoc_patch(&command).len(), found.len(), "{text:?}");
        // What an edit of these files is told, the shell's way to them is told too.
        let edit = decided(ToolCall::Edit { files: found.clone() });
        let shell = decided(ToolCall::shell(command));
        assert!(shell >= edit, "{shell} in the shell, {edit} as an edit: {text:?}");
        let guards = |path: &str| path == ".claude/settings.json";
        if found.iter().any(|file| guards(&file.path) || matches!(&file.change, Change::Move { to } if guards(to))) {
            assert_eq!(edit, Decision::Deny, "{text:?}");
            guarded += 1;
        }
    });
    assert!(files > count / 2 && guarded > 0, "{files} files, {guarded} of the guard's, in {count} texts");
}

fn decided(call: ToolCall) -> Decision {
    let context = Context {
        home: Some("/home/dev"),
        user: Some("dev"),
        root: Some("/home/dev/acme"),
        cwd: Some("/home/dev/acme"),
        ..Context::default()
    };
    let mut event = Event::new(EventKind::PreTool, "test", "test", b"");
    event.tool = Some(call);
    decide(&event, &context).verdict.decision
}
