//! Whole turns, in a short form, and which of the built-in judges their facts decide against.
//!
//! `== JUDGES | title` starts a turn: `ok`, or those that block (`cbv`, `chg`, `shb`, `rep`). Then `> ` the prompt,
//! `~ path | added` an edit, `$ command ::exit:: output` (`-` where the agent gives no exit code), `& ` a command in the
//! background, `< ` a read, `@ ` a subagent's report, `^` hookguard had the agent go on.

use crate::turn::{Command, Deed, EditedFile, Turn};
use crate::{Fact, Facts, Verification, facts};

const TURNS: [&str; 3] = [include_str!("first.txt"), include_str!("second.txt"), include_str!("third.txt")];

/// The judges by their short names, and the facts that are a violation for them.
const DECIDED: [(&str, &[Fact]); 4] = [
    ("cbv", &[Fact::SharedUnverified]),
    ("chg", &[Fact::StubLeft]),
    ("shb", &[Fact::TestWeakened, Fact::RerunUntilGreen]),
    ("rep", &[Fact::FixUnreproduced]),
];

struct Case {
    title: &'static str,
    blocked: Vec<&'static str>,
    turn: Turn,
}

fn cases() -> Vec<Case> {
    let turns = TURNS.iter().flat_map(|file| file.trim_start_matches("== ").split("\n== "));
    turns.map(case).collect()
}

fn case(text: &'static str) -> Case {
    let mut lines = text.lines();
    let (blocked, title) = lines.next().and_then(|line| line.split_once(" | ")).unwrap();
    let mut turn = Turn::default();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let (mark, rest) = (&line[..1], line[1..].trim());
        let rest = &rest.replace("\\n", "\n").replace("\\t", "\t");
        turn.deeds.push(match mark {
            ">" => {
                turn.prompt = Some(rest.clone());
                continue;
            }
            "~" => {
                let (path, added) = rest.split_once(" | ").unwrap();
                let file = EditedFile { path: path.into(), added: added.into(), cut: false };
                Deed::Edit { files: vec![file], ok: Some(true) }
            }
            "$" => {
                let parts: Vec<&str> = rest.splitn(3, "::").collect();
                let [command, exit, output] = parts.as_slice() else { panic!("{line}") };
                let exit = (*exit != "-").then(|| exit.parse().unwrap());
                let (command, output) = (command.trim().to_owned(), output.trim().to_owned());
                Deed::Command(Command { command, exit, output, ..Command::default() })
            }
            "&" => Deed::Command(Command { command: rest.clone(), background: true, ..Command::default() }),
            "<" => Deed::Read { paths: vec![rest.clone()] },
            "@" => Deed::Subagent { report: rest.clone() },
            "^" => Deed::Resumed,
            _ => panic!("{line}"),
        });
    }
    let blocked = blocked.split(' ').filter(|name| *name != "ok").collect();
    Case { title, blocked, turn }
}

/// The short names of the judges that the facts decide against.
fn decided(found: &Facts) -> Vec<&'static str> {
    let violated = |facts: &[Fact]| facts.iter().any(|fact| found.hold(*fact));
    DECIDED.iter().filter(|(_, facts)| violated(facts)).map(|(short, _)| *short).collect()
}

#[test]
fn facts_decide_as_a_person_would() {
    let mut wrong = Vec::new();
    let cases = cases();
    for case in &cases {
        let found = facts(&case.turn, &Verification::default());
        let got = decided(&found);
        if got != case.blocked {
            wrong.push(format!(
                "{}: want {:?}, got {got:?}\n  {:?}\n  {:#?}",
                case.title, case.blocked, found.held, found.lines
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} turns:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
