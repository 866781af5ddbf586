//! What happened in one turn of the user, in order: from the ledger, from a transcript, or from a file of cases.

use crate::ledger::{OWN_CALL, Record, What};

/// A turn: it starts at a prompt of the user (not a machine's, not an empty one).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// What the user wrote; `None` where that is not known.
    pub prompt: Option<String>,
    /// What happened since, in the order in which it began.
    pub deeds: Vec<Deed>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Files were changed by an editing tool.
    Edit {
        /// Which, and what was added.
        files: Vec<EditedFile>,
        /// Whether the tool said that it went well; `None` where it did not say.
        ok: Option<bool>,
    },
    /// A command ran.
    Command(Command),
    /// Files were read by a tool.
    Read {
        /// Their paths.
        paths: Vec<String>,
    },
    /// The assistant said something on the way.
    Said(String),
    /// A subagent handed back a report; its own calls are not seen.
    Subagent {
        /// What it reported.
        report: String,
    },
    /// hookguard had the agent go on when it wanted to stop: what it made good since is made good.
    Resumed,
}

/// One edited file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditedFile {
    /// Its path, as the agent gave it.
    pub path: String,
    /// The text that was added, or the start of it; empty where it is not known.
    pub added: String,
    /// Whether there is more than `added` shows.
    pub cut: bool,
}

/// A command and how it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The command line.
    pub command: String,
    /// Where it ran.
    pub cwd: Option<String>,
    /// Its exit code, where the agent gave one.
    pub exit: Option<i32>,
    /// Whether the agent said that it went well; `None` where it did not say.
    pub ok: Option<bool>,
    /// What it printed, or the end of it.
    pub output: String,
    /// Whether it goes on in the background: there is no result yet.
    pub background: bool,
    /// Whether hookguard ran it itself (a stop check).
    pub own: bool,
}

impl Turn {
    /// The turn that `records` of the ledger tell, from the user's last prompt on; all of them, where no prompt is among them.
    ///
    /// What lies in the project is told from its `root`, wherever that may be: a checkout below `/tmp` or `target` is as good a
    /// project as any.
    pub fn of_records(records: &[Record], root: Option<&str>) -> Turn {
        let here = |text: &str| match root {
            Some(root) if text.contains(root) => from_here(text, root),
            _ => text.to_owned(),
        };
        let starts = |record: &Record| matches!(record.what, What::Turn { .. });
        let start = records.iter().rposition(starts).unwrap_or(0);
        let mut turn = Turn::default();
        for record in &records[start..] {
            match &record.what {
                What::Turn { prompt } => turn.prompt = Some(prompt.clone()),
                What::Edit { files, added, cut, ok } => {
                    let added = |at: usize| added.get(at).cloned().unwrap_or_default();
                    let file = |(at, path): (usize, &String)| EditedFile {
                        path: relative(here(path)),
                        added: added(at),
                        cut: *cut || added(at).is_empty(),
                    };
                    turn.deeds.push(Deed::Edit { files: files.iter().enumerate().map(file).collect(), ok: *ok });
                }
                What::Command { command, cwd, exit, ok, tail, background } => {
                    turn.deeds.push(Deed::Command(Command {
                        command: here(command),
                        cwd: cwd.as_deref().map(here),
                        exit: *exit,
                        ok: *ok,
                        output: tail.clone().unwrap_or_default(),
                        background: *background,
                        own: record.call.as_deref().is_some_and(|call| call.starts_with(OWN_CALL)),
                    }));
                }
                What::Subagent { report } => turn.deeds.push(Deed::Subagent { report: report.clone() }),
                What::Stop { resumed: true } => turn.deeds.push(Deed::Resumed),
                What::Stop { resumed: false } => {}
            }
        }
        turn
    }
}

/// Where the project lies, as [`Turn::of_records`] tells it.
pub(crate) const HERE: &str = "/.here/.project";

/// A path in the project from its root; any other as it is.
fn relative(path: String) -> String {
    match path.strip_prefix(HERE).and_then(|rest| rest.strip_prefix('/')) {
        Some(inside) => inside.to_owned(),
        None => path,
    }
}

/// `text` with `root` as [`HERE`], where it is a whole path or the folders of one.
fn from_here(text: &str, root: &str) -> String {
    let inside = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte));
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices(root) {
        let end = at + root.len();
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        if inside(before) || before == Some(&b'/') || inside(text.as_bytes().get(end)) {
            continue;
        }
        out.push_str(&text[done..at]);
        out.push_str(HERE);
        done = end;
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledgers_records_are_a_turn() {
        let record =
            |what, call: &str| Record { v: 1, t: 1, turn: None, call: Some(call.into()), subagent: None, what };
        let ran = |command: &str| What::Command {
            command: command.into(),
            cwd: None,
            exit: Some(0),
            ok: Some(true),
            tail: Some("ok".into()),
            background: false,
        };
        let records = [
            record(What::Turn { prompt: "before".into() }, "-"),
            record(ran("ls"), "c1"),
            record(What::Turn { prompt: "now".into() }, "-"),
            record(
                What::Edit {
                    files: vec!["a".into(), "b".into()],
                    added: vec!["x".into(), String::new()],
                    cut: false,
                    ok: None,
                },
                "c2",
            ),
            record(ran("make test"), "hookguard:check:tests"),
            record(What::Stop { resumed: true }, "-"),
        ];
        let turn = Turn::of_records(&records, None);
        assert_eq!(turn.prompt.as_deref(), Some("now"));
        let [Deed::Edit { files, ok: None }, Deed::Command(check), Deed::Resumed] = &turn.deeds[..] else {
            panic!("{turn:?}")
        };
        assert_eq!(files[0], EditedFile { path: "a".into(), added: "x".into(), cut: false });
        assert!(files[1].cut, "nothing is known of it");
        assert!(check.own && check.command == "make test");
        assert_eq!(Turn::of_records(&records[3..], None).deeds.len(), 3, "without a prompt all of it");
    }

    #[test]
    fn paths_of_the_project_are_told_from_its_root() {
        let root = "/tmp/p";
        for (text, told) in [
            ("/tmp/p/src/a.rs", "/.here/.project/src/a.rs"),
            (
                "cd /tmp/p && ls '/tmp/p/x' /tmp/p2 /tmp/p.old /x/tmp/p",
                "cd /.here/.project && ls '/.here/.project/x' /tmp/p2 /tmp/p.old /x/tmp/p",
            ),
            ("/tmp/other", "/tmp/other"),
        ] {
            assert_eq!(from_here(text, root), told);
        }
        let what =
            What::Edit { files: vec!["/tmp/p/a.rs".into(), "/tmp/b.rs".into()], added: vec![], cut: false, ok: None };
        let record = Record { v: 1, t: 1, turn: None, call: None, subagent: None, what };
        let turn = Turn::of_records(&[record], Some(root));
        let [Deed::Edit { files, .. }] = &turn.deeds[..] else { panic!("{turn:?}") };
        assert_eq!([&files[0].path, &files[1].path], ["a.rs", "/tmp/b.rs"]);
    }
}
