//! Variables whose values are commands that a shell or another program runs later.

use super::Reader;
use super::walk::Input;
use crate::command::{Assignment, Part, Runs, Step, Unknown, Word};

/// Names of variables that hold a command. A program alone says nothing (`EDITOR=vim`); one with arguments is read.
const COMMANDS: [&str; 19] = [
    "BROWSER",
    "EDITOR",
    "FZF_DEFAULT_COMMAND",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RSYNC_RSH",
    "SYSTEMD_EDITOR",
    "VISUAL",
];

/// Names of variables that name a file which a shell reads when it starts.
const FILES: [&str; 2] = ["BASH_ENV", "ENV"];

/// Names of variables whose text a shell expands when it starts or prompts: the commands in it run.
const PROMPTS: [&str; 8] = ["BASH_ENV", "ENV", "PS0", "PS1", "PS2", "PS4", "RPROMPT", "RPS1"];

/// Whether a variable of this name holds a command, or names a file that is one.
pub(super) fn holds_code(name: &str) -> bool {
    COMMANDS.binary_search(&name).is_ok() || PROMPTS.contains(&name)
}

impl Reader {
    /// Reads the commands in a command's own assignments. A lone assignment counts only for the shell itself.
    pub(super) fn later(&mut self, index: usize, assignments: &[Assignment], lone: bool) {
        for assignment in assignments {
            let prompts = assignment.name == "PROMPT_COMMAND" || PROMPTS.contains(&assignment.name.as_str());
            if holds_code(&assignment.name) && (!lone || prompts) {
                self.run_later(index, &assignment.name, &assignment.value);
            }
        }
    }

    /// Reads the command that a variable holds, or the file that it names and a shell reads when it starts.
    pub(super) fn run_later(&mut self, index: usize, name: &str, value: &Word) {
        if PROMPTS.contains(&name) && (value.prefix().contains("$(") || value.prefix().contains('`')) {
            let mut code = Word::literal(": \"");
            for part in &value.parts {
                match part {
                    Part::Literal(text) => super::redirects::push_literal(&mut code, &text.replace('"', "\\\"")),
                    other => code.parts.push(other.clone()),
                }
            }
            super::redirects::push_literal(&mut code, "\"");
            self.run_variable(index, name, &code, Step::Trap);
            return;
        }
        if FILES.contains(&name) {
            let key = super::path::key(self.state.folder(self.choice), value);
            let text = match value.parts.as_slice() {
                [Part::Unknown(Unknown::Process)] => self.process_out.take().map(|out| out.text),
                _ => key.and_then(|key| self.state.file(&key)).map(|file| file.text.clone()),
            };
            if let Some(text) = text {
                self.run_variable(index, name, &text, Step::WrittenFile);
            }
            return;
        }
        let prompt = name == "PROMPT_COMMAND";
        if value.parts.is_empty() || !(prompt || value.prefix().trim().contains(' ')) {
            return;
        }
        if prompt {
            self.commands[index].runs.get_or_insert(Runs::Opened);
        }
        let bar = value.prefix().len() - value.prefix().trim_start_matches(['|', '-', ' ']).len();
        let code = super::run::tail(value, if name == "LESSOPEN" { bar } else { 0 });
        self.run_variable(index, name, &code, Step::Trap);
    }

    fn run_variable(&mut self, index: usize, name: &str, code: &Word, step: Step) {
        let span = self.context.span;
        self.context.span = span.or(Some(self.commands[index].span));
        self.code(code, step, name, Input::default(), false);
        self.context.span = span;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted() {
        assert!(super::COMMANDS.is_sorted() && super::PROMPTS.is_sorted());
    }
}
