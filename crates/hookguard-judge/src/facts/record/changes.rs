//! What a turn changes: edits by tools, by the shell and by subagents, what is merged, taken out, put back and staged.

use super::super::path::{Class, class, is_comment};
use super::super::steps::Step;
use super::super::{added, prompt, summary};
use super::{Edited, MAX_PENDING, MAX_STASHED, MAX_STUBS, Record, Scale, Shown};
use crate::turn::EditedFile;

impl Record {
    pub(super) fn edit(&mut self, file: &EditedFile, scale: Scale) {
        let kind = class(&file.path);
        let unknown = file.path.is_empty();
        let off = kind == Class::Test && added::switches_off(&file.added);
        if kind == Class::Idle && !unknown || !file.cut && !off && is_comment(&file.path, &file.added) {
            return;
        }
        if kind == Class::Test && !unknown {
            self.test_edited = true;
            self.test_switched_off |= off;
            self.only_expectations &= self.any_red && added::only_expects(&file.added);
        } else if !added::only_logs(&file.added) && scale != Scale::Layout {
            self.product_edited = true;
            self.stub(file);
        }
        let scale = if kind == Class::Config && scale == Scale::Code { Scale::Config } else { scale };
        self.change(&file.path, scale);
        self.taken_out = false;
    }

    /// Something is not what it was when it was verified.
    pub(super) fn change(&mut self, path: &str, scale: Scale) {
        self.edits += 1;
        self.red = None;
        let mut key = (path.to_owned(), scale);
        if self.pending.len() >= MAX_PENDING && !self.pending.contains_key(&key) {
            key.0.clear();
        }
        self.pending.insert(key, Edited { number: self.edits, seen: 0 });
        if !path.is_empty() && self.known.insert(path.to_owned()) {
            self.files.push(path.to_owned());
        }
    }

    pub(super) fn stub(&mut self, file: &EditedFile) {
        let found = added::stub(&file.added);
        let named = |text: &str, line: &str| {
            let names = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| {
                name.len() > 3
                    && !matches!(
                        *name,
                        "return"
                            | "todo"
                            | "TODO"
                            | "pub"
                            | "async"
                            | "function"
                            | "const"
                            | "export"
                            | "raise"
                            | "throw"
                            | "Error"
                            | "self"
                    )
            });
            names.into_iter().any(|name| text.contains(name))
        };
        // What fills it in later takes it back.
        self.stubs
            .retain(|(path, text)| *path != file.path || found.is_some() || !(file.cut || named(&file.added, text)));
        if let Some(line) = found
            && class(&file.path) == Class::Code
            && self.stubs.len() < MAX_STUBS
        {
            self.stubs.push((file.path.clone(), format!("{} {line}", file.added.lines().next().unwrap_or_default())));
        }
    }

    /// What a subagent says that it did: its edits count, and its word that all went well is taken for them alone.
    pub(super) fn report(&mut self, report: &str) {
        self.show(Shown::Perhaps);
        let (edited, not_run) = prompt::report(report);
        if !edited {
            return;
        }
        self.product_edited = true;
        let before = (summary::read(report).is_green() && !not_run).then(|| self.pending.clone());
        self.change("", Scale::Code);
        if let Some(before) = before {
            self.pending = before;
            self.verified = true;
        }
    }

    pub(super) fn edit_by(&mut self, step: &Step, scale: Scale) {
        if step.remote || step.throwaway {
            return;
        }
        let deletes = matches!(step.program.as_str(), "rm" | "unlink" | "trash")
            || step.program == "git" && step.args.first().is_some_and(|sub| sub == "rm");
        let known: Vec<&(String, String)> = step.changed.iter().filter(|(path, _)| !path.is_empty()).collect();
        if known.is_empty() && !matches!(step.program.as_str(), "rm" | "cp" | "mv" | "tee" | "unlink" | "truncate") {
            self.edit(&EditedFile { cut: true, ..EditedFile::default() }, scale);
        }
        for (path, text) in known {
            let folder = !path.rsplit('/').next().is_some_and(|name| name.contains('.'));
            let test = class(path) == Class::Test || folder && class(&format!("{path}/x")) == Class::Test;
            if matches!(step.program.as_str(), "rm" | "cp" | "mv")
                && folder
                && !test
                && class(&format!("{path}/x")) == Class::Idle
            {
                continue;
            }
            // A folder is removed or moved: what is in it is code only where its name says so.
            if folder && deletes && !test && !path.contains("src") {
                continue;
            }
            if test {
                self.test_edited = true;
                self.only_expectations = false;
                self.test_switched_off |= deletes || cuts_tests(step, text) || added::switches_off(text);
                self.change(path, scale);
            } else {
                self.edit(
                    &EditedFile {
                        path: path.clone(),
                        added: if step.program == "cat" || step.program == "apply_patch" {
                            text.clone()
                        } else {
                            String::new()
                        },
                        cut: true,
                    },
                    scale,
                );
            }
        }
    }

    pub(super) fn merge(&mut self, output: &str) {
        let lower = output.to_lowercase();
        let idle = ["up to date", "up-to-date", "fast-forward", "aktuell", "à jour", "al día", "最新"]
            .iter()
            .any(|said| lower.contains(said));
        // It brings others' work: what was verified before is not what is here now. Alone it is no edit of the agent's.
        if !idle && self.edits > 0 {
            self.change("", Scale::Code);
        }
    }

    pub(super) fn take_out(&mut self, step: &Step) {
        let sub = step.args.first().map(String::as_str).unwrap_or_default();
        match (step.program.as_str(), sub) {
            ("git", "stash") | ("hg" | "sl", "shelve") => {
                if self.stashed.len() >= MAX_STASHED {
                    self.stashed.remove(0);
                }
                self.stashed.push((self.pending.clone(), self.red.clone()));
                self.taken_out = true;
            }
            ("git", "checkout" | "switch")
                if !step.args.iter().any(|arg| arg == "--" || arg.contains('/') && arg.contains('.'))
                    && step.args.len() < 3 =>
            {
                let back = step.args.iter().any(|arg| arg == "-");
                self.taken_out = !self.taken_out && !back && self.edits > 0;
            }
            _ => {
                // What was taken out by hand is put back the same way.
                let was = self.taken_out;
                for (path, _) in &step.changed {
                    if class(path) != Class::Idle && self.edits > 0 {
                        self.change(path, Scale::Code);
                    }
                }
                self.taken_out = !was && self.edits > 0;
            }
        }
    }

    pub(super) fn put_back(&mut self) {
        match self.stashed.pop() {
            Some((pending, red)) => (self.pending, self.red) = (pending, red),
            None => self.change("", Scale::Code),
        }
        self.taken_out = false;
    }

    pub(super) fn stage(&mut self, step: &Step) {
        let all = step.args.iter().skip(1).any(|arg| matches!(arg.as_str(), "-A" | "--all" | "-u" | "." | "-p"));
        if all {
            self.staged.push(String::new());
        }
        self.staged.extend(step.args.iter().skip(1).filter(|arg| !arg.starts_with('-')).cloned());
    }
}

/// Whether what a one-liner does to a test takes tests out of it.
fn cuts_tests(step: &Step, code: &str) -> bool {
    let text = format!("{code} {}", step.args.join(" "));
    let names_test = ["def test", "it(", "test(", "fn test", "func Test", "void test", "@Test", "assert", "expect"]
        .iter()
        .any(|name| text.contains(name));
    let takes_out =
        ["re.sub(", ".replace(", "/d'", "/d\"", "/d ", "del ", ",d'", "gsub("].iter().any(|call| text.contains(call))
            || text.trim_end().ends_with("/d")
            || text.contains("d' ") && step.program == "sed";
    let comments =
        ["# assert", "#assert", "// assert", "//assert", "# expect", "// expect", "//expect", "# self.assert"]
            .iter()
            .any(|off| text.contains(off))
            || text.contains("s/^/#")
            || text.contains("s/^/\\/\\/")
            || text.contains("s|^|//");
    names_test && takes_out || comments
}

/// A formatter that says that it changed nothing.
pub(super) fn is_unchanged(output: &str) -> bool {
    let lower = output.to_lowercase();
    let nothing =
        ["unchanged", "0 files reformatted", "no changes", "already formatted", "0 changed", "no fixes applied"]
            .iter()
            .any(|said| lower.contains(said));
    nothing && !lower.contains(" reformatted,") && !lower.contains("formatted 1") && !lower.contains("fixed")
}
