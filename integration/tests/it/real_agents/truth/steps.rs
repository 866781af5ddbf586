//! What the model does in these sessions, and what is true of it.

use std::path::PathBuf;

use anyhow::ensure;
use hookguard_integration::Sandbox;
use hookguard_integration::agents::{Agent, Mode};
use hookguard_integration::fake_model::{Block, Turn};
use serde_json::json;

use crate::real_agents::session::shell;

/// What a command contains that another hook than ours refuses.
pub(super) const FORBIDDEN: &str = "forbidden-by-another";

/// Kinds of things that happen in a session. The table has a row for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter, strum::Display)]
pub(super) enum Kind {
    #[strum(to_string = "a command")]
    Quick,
    #[strum(to_string = "one that fails")]
    Failing,
    #[strum(to_string = "one that takes a while")]
    Slow,
    #[strum(to_string = "one after which the others have ended")]
    Waits,
    #[strum(to_string = "one that prints much")]
    Long,
    #[strum(to_string = "a failure masked by a pipe")]
    Piped,
    #[strum(to_string = "one ended by a signal")]
    Signal,
    #[strum(to_string = "one ended by its own time-out")]
    TimedOut,
    #[strum(to_string = "two at the same time")]
    Together,
    #[strum(to_string = "one in another folder")]
    Elsewhere,
    #[strum(to_string = "a long one, polled to its end")]
    Polled,
    #[strum(to_string = "a long one, never polled")]
    NeverPolled,
    #[strum(to_string = "one that still runs at the stop")]
    StillRuns,
    #[strum(to_string = "one in the background")]
    Background,
    #[strum(to_string = "one moved to the background by a time-out")]
    MovedToBackground,
    #[strum(to_string = "several in a script's loop")]
    Loop,
    #[strum(to_string = "one whose text a script computes")]
    Computed,
    #[strum(to_string = "one in a script that catches a refusal")]
    Caught,
    #[strum(to_string = "one that a script never comes to")]
    NotComeTo,
    #[strum(to_string = "one of a subagent")]
    Subagent,
    #[strum(to_string = "refused by hookguard")]
    Refused,
    #[strum(to_string = "refused by another hook")]
    RefusedByAnother,
    #[strum(to_string = "a call without its arguments")]
    Unknown,
    #[strum(to_string = "a file written")]
    Written,
    #[strum(to_string = "a file edited")]
    Edited,
    #[strum(to_string = "a file changed by a command")]
    ChangedByCommand,
    #[strum(to_string = "a patch")]
    Patched,
    #[strum(to_string = "a patch of several files")]
    PatchedMany,
    #[strum(to_string = "a patch in a heredoc")]
    PatchedInHeredoc,
    #[strum(to_string = "a patch in a heredoc, in another folder")]
    PatchedBelow,
    #[strum(to_string = "a patch that is only quoted")]
    Quoted,
    #[strum(to_string = "a patch in a heredoc that does not fit")]
    UnfitInHeredoc,
    #[strum(to_string = "an edit that does not fit")]
    Unfit,
}

/// One thing that is true of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact {
    /// A command ran.
    Ran {
        text: String,
        /// Its exit code; none where it had not ended at the stop.
        exit: Option<i32>,
        /// Something that it printed, so that a result is known to be its own.
        printed: &'static str,
    },
    /// Files of the project were changed.
    Edited {
        files: Vec<String>,
        /// What was added to each.
        added: &'static str,
    },
}

/// What the model does, and what is true of it then.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) kind: Kind,
    /// Files that lie in the project before.
    pub(super) files: Vec<(String, &'static str)>,
    pub(super) turns: Vec<Turn>,
    /// In the order in which things begin; what begins at the same time is one step.
    pub(super) facts: Vec<Fact>,
    /// What this step writes or does not: a file of the project, and whether it is there afterwards.
    left: Vec<(String, bool)>,
}

impl Kind {
    /// The step with this number, which is in its words.
    pub(super) fn step(self, mode: Mode, sandbox: &Sandbox, number: usize) -> Step {
        let mut step = Step { kind: self, files: vec![], turns: vec![], facts: vec![], left: vec![] };
        let mark = format!("ran-{number}");
        // Each command leaves a file as its first act, so that the disk tells whether it ran.
        let marked = |rest: &str| format!("touch {mark}; {rest}");
        let file = format!("file-{number}.txt");
        let code = i32::try_from(number % 7).unwrap_or(0) + 1;
        let does = |step: &mut Step, turn: Turn, text: &str, exit, printed| {
            step.turns.push(turn);
            step.facts.push(Fact::Ran { text: text.to_owned(), exit, printed });
            step.left.push((mark.clone(), true));
        };
        let simple = |step: &mut Step, rest: &str, exit, printed| {
            let text = marked(rest);
            does(step, shell(text.as_str()), &text, Some(exit), printed);
        };
        match self {
            Kind::Quick => simple(&mut step, "echo done", 0, "done"),
            Kind::Failing => simple(&mut step, &format!("echo 'it is broken' >&2; exit {code}"), code, "it is broken"),
            Kind::Slow => simple(&mut step, "echo begins; sleep 1; echo ends", 0, "begins"),
            Kind::Waits => simple(&mut step, "sleep 1.5", 0, ""),
            Kind::Long => {
                // Claude Code 2.1.332 drops the end of what a failing command printed, from 30,000 characters on.
                let printed = if mode == Mode::Claude { "5900" } else { "1 failed" };
                simple(&mut step, &format!("seq 1 9000; echo '1 failed'; exit {code}"), code, printed);
            }
            Kind::Piped => simple(&mut step, "(echo '3 tests failed'; exit 1) | tail -5", 0, "3 tests failed"),
            Kind::Signal => simple(&mut step, "sh -c 'kill -9 $$'", 137, ""),
            Kind::TimedOut => simple(&mut step, "timeout 0.2 sleep 5", 124, ""),
            Kind::Together => {
                let texts = [marked("sleep 0.4"), format!("echo second {number}; exit {code}")];
                let turn = match mode {
                    Mode::CodexCode => script(&format!(
                        "const all = await Promise.all([tools.exec_command({}), tools.exec_command({})]); text(JSON.stringify(all));",
                        json!({ "cmd": texts[0] }),
                        json!({ "cmd": texts[1] })
                    )),
                    _ => texts.iter().map(|text| Block::Shell(text.clone())).collect(),
                };
                does(&mut step, turn, &texts[0], Some(0), "");
                step.facts.push(Fact::Ran { text: texts[1].clone(), exit: Some(code), printed: "second" });
            }
            Kind::Elsewhere => {
                let text = format!("touch ../{mark}; echo there");
                step.files.push(("below/x".to_owned(), "x"));
                let input = json!({ "cmd": text, "workdir": sandbox.project().join("below") });
                does(&mut step, tool("exec_command", input), &text, Some(0), "there");
            }
            Kind::Polled => {
                let text = marked(&format!("echo first; sleep 1.5; echo last; exit {code}"));
                does(&mut step, yielding(mode, &text), &text, Some(code), "first");
                step.turns.push(vec![Block::Poll(8000)]);
            }
            Kind::NeverPolled => {
                let text = marked(&format!("echo first; sleep 0.7; echo last; exit {code}"));
                does(&mut step, yielding(mode, &text), &text, Some(code), "first");
            }
            Kind::StillRuns => {
                let text = marked("sleep 3");
                let turn = match mode.agent() {
                    Agent::Codex => yielding(mode, &text),
                    Agent::Claude => {
                        tool("Bash", json!({ "command": text, "description": "d", "run_in_background": true }))
                    }
                };
                does(&mut step, turn, &text, None, "");
            }
            Kind::Background => {
                let text = marked(&format!("sleep 0.5; echo in the background; exit {code}"));
                let input = json!({ "command": text, "description": "d", "run_in_background": true });
                does(&mut step, tool("Bash", input), &text, Some(code), "");
            }
            Kind::MovedToBackground => {
                let text = marked(&format!("echo first; sleep 2.7; exit {code}"));
                // It waits two seconds at least (Claude Code 2.1.332).
                let input = json!({ "command": text, "description": "d", "timeout": 1000 });
                does(&mut step, tool("Bash", input), &text, Some(code), "");
            }
            Kind::Loop => {
                let in_loop = format!(
                    "for (let i = 0; i < 3; i++) {{ const r = await tools.exec_command({{cmd: `touch {mark}; echo round ${{i}}`}}); text(JSON.stringify(r)); }}"
                );
                step.turns.push(script(&in_loop));
                let rounds = (0..3).map(|round| marked(&format!("echo round {round}")));
                step.facts = rounds.map(|text| Fact::Ran { text, exit: Some(0), printed: "round" }).collect();
                step.left.push((mark, true));
            }
            Kind::Computed => {
                let text = marked(&format!("exit {code}"));
                let computed = text.chars().rev().collect::<String>();
                let code_text = format!(
                    "const what = {}.split('').reverse().join(''); const r = await tools.exec_command({{cmd: what}}); text(String(r.exit_code));",
                    json!(computed)
                );
                does(&mut step, script(&code_text), &text, Some(code), "");
            }
            Kind::Caught => {
                let text = marked("echo after all");
                let code = format!(
                    "try {{ await tools.exec_command({}); }} catch (refusal) {{ text('caught ' + refusal); }} const r = await tools.exec_command({}); text(JSON.stringify(r));",
                    json!({ "cmd": refused(number) }),
                    json!({ "cmd": text })
                );
                does(&mut step, script(&code), &text, Some(0), "after all");
                step.left.push((refused_mark(number), false));
            }
            Kind::NotComeTo => {
                let code = format!(
                    "const now = false; if (now) {{ await tools.exec_command({}); }} text('not now');",
                    json!({ "cmd": marked("echo never") })
                );
                step.turns.push(script(&code));
                step.left.push((mark, false));
            }
            Kind::Subagent => {
                let text = marked(&format!("exit {code}"));
                let input = json!({ "description": "look", "prompt": "Look.", "subagent_type": "general-purpose",
                    "run_in_background": false });
                step.turns.push(tool("Agent", input));
                does(&mut step, shell(text.as_str()), &text, Some(code), "");
                step.turns.push(vec![Block::Text("I looked, and it fails.".to_owned())]);
            }
            Kind::Refused => {
                step.turns.push(shell(refused(number)));
                step.left.push((refused_mark(number), false));
            }
            Kind::RefusedByAnother => {
                step.turns.push(shell(marked(&format!("echo {FORBIDDEN}"))));
                step.left.push((mark, false));
            }
            Kind::Unknown => {
                step.turns.push(tool("Bash", json!({ "cmd": marked("echo wrong") })));
                step.left.push((mark, false));
            }
            Kind::Written => {
                step.turns.push(tool("Write", json!({ "file_path": path(sandbox, &file), "content": "one\n" })));
                step.edits(&[&file], "one");
            }
            Kind::Edited => {
                step.files.push(("edited.txt".to_owned(), "one\ntwo\n"));
                let path = path(sandbox, "edited.txt");
                step.turns.push(tool("Read", json!({ "file_path": path })));
                step.turns.push(tool("Edit", json!({ "file_path": path, "old_string": "two", "new_string": "three" })));
                step.edits(&["edited.txt"], "three");
            }
            Kind::ChangedByCommand => {
                step.files.push(("changed.txt".to_owned(), "one\n"));
                simple(&mut step, "sed -i s/one/two/ changed.txt", 0, "");
            }
            Kind::Patched => {
                step.turns.push(vec![Block::Patch(patch(&[&file]))]);
                step.edits(&[&file], "one");
            }
            Kind::PatchedMany => {
                let other = format!("deep/other-{number}.txt");
                step.turns.push(vec![Block::Patch(patch(&[&file, &other]))]);
                step.edits(&[&file, &other], "one");
            }
            Kind::PatchedInHeredoc => {
                let text = format!("apply_patch <<'EOF'\n{}\nEOF", patch(&[&file]));
                step.turns.push(shell(text.as_str()));
                step.edits(&[&file], "one");
                step.facts.push(Fact::Ran { text, exit: Some(0), printed: "Success" });
            }
            Kind::PatchedBelow => {
                let (folder, below) = (format!("below-{number}"), format!("below-{number}/{file}"));
                step.files.push((format!("{folder}/there"), ""));
                let text = format!("cd {folder} && apply_patch <<'EOF'\n{}\nEOF", patch(&[&file]));
                step.turns.push(shell(text.as_str()));
                step.edits(&[&below], "one");
                step.facts.push(Fact::Ran { text, exit: Some(0), printed: "Success" });
            }
            Kind::Quoted => {
                let quoted = format!("cat > notes.md <<'EOF'\napply_patch takes this:\n{}\nEOF", patch(&[&file]));
                simple(&mut step, &quoted, 0, "");
                step.left.push((file, false));
            }
            Kind::UnfitInHeredoc => {
                let text = format!("*** Begin Patch\n*** Update File: {file}\n@@\n-not there\n+x\n*** End Patch");
                step.turns.push(shell(format!("apply_patch <<'EOF'\n{text}\nEOF")));
                step.left.push((file, false));
            }
            Kind::Unfit => {
                step.files.push(("unfit.txt".to_owned(), "something else\n"));
                let path = path(sandbox, "unfit.txt");
                match mode.agent() {
                    Agent::Claude => {
                        step.turns.push(tool("Read", json!({ "file_path": path })));
                        let input = json!({ "file_path": path, "old_string": "not there", "new_string": "x" });
                        step.turns.push(tool("Edit", input));
                    }
                    Agent::Codex => {
                        let text = "*** Begin Patch\n*** Update File: unfit.txt\n@@\n-not there\n+x\n*** End Patch";
                        step.turns.push(vec![Block::Patch(text.to_owned())]);
                    }
                }
            }
        }
        step
    }
}

impl Step {
    fn edits(&mut self, files: &[&str], added: &'static str) {
        self.facts.push(Fact::Edited { files: files.iter().map(|file| (*file).to_owned()).collect(), added });
        self.left.extend(files.iter().map(|file| ((*file).to_owned(), true)));
    }

    /// Whether a text is of something that did not happen here.
    pub(super) fn left_no(&self, text: &str) -> bool {
        self.left.iter().any(|(file, is_there)| !is_there && text.contains(file))
    }

    /// Whether the disk agrees with what is held to be true here.
    pub(super) fn happened(&self, sandbox: &Sandbox) -> anyhow::Result<()> {
        for (file, is_there) in &self.left {
            let found = sandbox.project().join(file).exists();
            ensure!(found == *is_there, "{file} is {}there", if found { "" } else { "not " });
        }
        let text = |name: &str| std::fs::read_to_string(sandbox.project().join(name)).unwrap_or_default();
        match self.kind {
            Kind::Edited => ensure!(text("edited.txt") == "one\nthree\n"),
            Kind::ChangedByCommand => ensure!(text("changed.txt") == "two\n"),
            Kind::Unfit => ensure!(text("unfit.txt") == "something else\n"),
            _ => {}
        }
        Ok(())
    }
}

/// A command that hookguard refuses; it would leave a mark.
fn refused(number: usize) -> String {
    format!("touch {}; git push --force origin main", refused_mark(number))
}

fn refused_mark(number: usize) -> String {
    format!("refused-{number}")
}

fn path(sandbox: &Sandbox, file: &str) -> PathBuf {
    sandbox.project().join(file)
}

fn tool(name: &str, input: serde_json::Value) -> Turn {
    vec![Block::Tool { name: name.to_owned(), input }]
}

fn script(code: &str) -> Turn {
    vec![Block::JavaScript(code.to_owned())]
}

/// A command that Codex waits for a quarter of a second.
fn yielding(mode: Mode, text: &str) -> Turn {
    let input = json!({ "cmd": text, "yield_time_ms": 250 });
    match mode {
        Mode::CodexCode => script(&format!("const r = await tools.exec_command({input}); text(JSON.stringify(r));")),
        _ => tool("exec_command", input),
    }
}

fn patch(files: &[&str]) -> String {
    let files: String = files.iter().map(|file| format!("*** Add File: {file}\n+one\n")).collect();
    format!("*** Begin Patch\n{files}*** End Patch")
}
