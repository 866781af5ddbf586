//! `git`: aliases of the text, and the subcommands and settings that run commands.

use super::super::Reader;
use super::super::builtin::joined;
use super::super::simple::Call;
use super::super::state::Alias;
use super::super::walk::Out;
use super::options::{self, Options, tail};
use super::path;
use crate::command::{Cwd, Part, Runs, Step, Word};

const GLOBAL: Options = Options {
    short: "Cc",
    long: &["--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"],
    code: &[],
    assigns: false,
};

/// Settings whose value is a command.
const COMMANDS: [&str; 12] = [
    "core.editor",
    "core.pager",
    "core.sshcommand",
    "core.fsmonitor",
    "core.askpass",
    "core.gitproxy",
    "credential.helper",
    "diff.external",
    "sequence.editor",
    "gpg.program",
    "uploadpack.packobjectshook",
    "pager.",
];

/// Subcommands with options whose value is a command.
const OPTIONS: [(&str, &[&str]); 10] = [
    ("rebase", &["-x", "--exec"]),
    (
        "filter-branch",
        &[
            "--tree-filter",
            "--index-filter",
            "--msg-filter",
            "--env-filter",
            "--parent-filter",
            "--commit-filter",
            "--tag-name-filter",
        ],
    ),
    ("difftool", &["-x", "--extcmd"]),
    ("clone", &["-u", "--upload-pack"]),
    ("fetch", &["--upload-pack"]),
    ("pull", &["--upload-pack"]),
    ("grep", &["-O", "--open-files-in-pager"]),
    ("ls-remote", &["--upload-pack"]),
    ("push", &["--receive-pack", "--exec"]),
    ("archive", &["--exec"]),
];

/// Subcommands of git that are also programs of their own (`git-push`), and that `hub` hands on.
const PROGRAMS: [&str; 30] = [
    "add",
    "am",
    "apply",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "fetch",
    "filter-branch",
    "gc",
    "http-push",
    "merge",
    "prune",
    "pull",
    "push",
    "rebase",
    "reflog",
    "reset",
    "restore",
    "revert",
    "rm",
    "send-pack",
    "stash",
    "switch",
    "tag",
    "update-ref",
    "worktree",
];

impl Reader {
    /// `git-push …` and `hub push …` are `git push …`; `None` where it is neither.
    pub(super) fn git_by_name(&mut self, call: &Call<'_>) -> Option<Out> {
        let (sub, skip) = match call.name.strip_prefix("git-") {
            Some(sub) => (sub, 1),
            None if call.name == "hub" => (call.argv.get(1)?.as_literal()?, 2),
            None => return None,
        };
        PROGRAMS.binary_search(&sub).ok()?;
        let mut argv = vec![Word::literal("git"), Word::literal(sub)];
        argv.extend(call.argv.iter().skip(skip).cloned());
        Some(self.run_words(call, Step::Wrapper, argv, call.input, call.want))
    }

    pub(super) fn git(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &GLOBAL);
        for (_, folder) in read.seen.iter().filter(|(name, _)| name == "C") {
            let here = &self.commands[call.index].cwd;
            let there = match folder.as_ref().map(|folder| folder.as_literal()) {
                Some(Some(text)) => path::join(here, text),
                _ => Cwd::Unknown,
            };
            self.commands[call.index].cwd = there;
        }
        let mut alias = None;
        let sub = call.argv.get(read.rest).and_then(Word::as_literal).unwrap_or("").to_owned();
        let rest = call.argv.get(read.rest + 1..).unwrap_or_default();
        for (name, value) in &read.seen {
            let Some(setting) = value.as_ref().filter(|_| name == "c") else { continue };
            let text = setting.prefix();
            let Some(equals) = text.find('=') else { continue };
            let key = text[..equals].to_ascii_lowercase();
            let value = tail(setting, equals + 1);
            if key.strip_prefix("alias.") == Some(sub.to_ascii_lowercase().as_str()) {
                alias = Some(value);
            } else {
                self.setting(call, &key, &value);
            }
        }
        if alias.is_none() && self.state.has_aliases() {
            alias = self.state.alias(&format!("git {sub}")).map(|alias| Word::literal(alias.text.as_str()));
        }
        if let Some(alias) = alias
            && !self.context.calls.contains(&sub)
        {
            return self.git_alias(call, &sub, &alias, &call.argv[1..read.rest], rest);
        }
        match sub.as_str() {
            "config" => self.git_config(call, rest),
            "bisect" if rest.first().and_then(Word::as_literal) == Some("run") => {
                self.commands[call.index].runs = Some(Runs::Opened);
                self.run_words(call, Step::Wrapper, rest[1..].to_vec(), call.input, false);
            }
            "submodule" => {
                if let Some(at) = rest.iter().position(|word| word.as_literal() == Some("foreach")) {
                    let words = &rest[at + 1..];
                    let skip = words.iter().take_while(|word| word.prefix().starts_with("--")).count();
                    let code = joined(&words[skip..]);
                    self.run_code(call, &code, Step::ForEach, None, call.input.clone(), false);
                }
            }
            _ => self.git_options(call, &sub, rest),
        }
        self.unknown_out(call.index, call.want)
    }

    /// An option or remote of a subcommand that is a command.
    fn git_options(&mut self, call: &Call<'_>, sub: &str, rest: &[Word]) {
        if let Some((_, code)) = OPTIONS.iter().find(|(name, _)| *name == sub) {
            let mut words = rest.iter();
            while let Some(word) = words.next() {
                let text = word.prefix();
                let value = code.iter().find_map(|option| {
                    if text == *option {
                        // `git grep -O PATTERN`: its value is only ever glued to it.
                        return (sub != "grep").then_some(None);
                    }
                    let rest = text.strip_prefix(option)?;
                    let glued = if option.starts_with("--") { rest.strip_prefix('=')? } else { rest };
                    Some(Some(tail(word, text.len() - glued.len())))
                });
                let value = match value {
                    Some(None) => words.next().cloned(),
                    Some(glued) => glued,
                    None => None,
                };
                if let Some(code) = value {
                    self.run_code(call, &code, Step::Code, None, call.input.clone(), false);
                }
            }
        }
        // The `ext::` transport runs a command.
        for word in rest {
            if word.prefix().starts_with("ext::") {
                // `% ` is a blank inside of one of its words.
                let mut code = tail(word, "ext::".len());
                for part in &mut code.parts {
                    if let Part::Literal(text) = part {
                        *text = text.replace("% ", "\\ ");
                    }
                }
                self.run_code(call, &code, Step::Code, None, call.input.clone(), false);
            }
        }
    }

    fn git_alias(&mut self, call: &Call<'_>, sub: &str, alias: &Word, global: &[Word], rest: &[Word]) -> Out {
        self.commands[call.index].runs = Some(Runs::Opened);
        self.context.calls.push(sub.to_owned());
        let out = if alias.prefix().starts_with('!') {
            let mut words = vec![tail(alias, 1)];
            words.extend_from_slice(rest);
            self.run_code(call, &joined(&words), Step::Code, None, call.input.clone(), false)
        } else {
            let mut fields = super::super::fields::Fields::default();
            fields.unquoted(alias);
            let mut argv = vec![call.argv[0].clone()];
            // The settings stay, but for the alias itself: a folder (`-C`) counts.
            argv.extend(global.iter().filter(|word| !word.prefix().starts_with("alias.")).cloned());
            argv.retain(|word| word.as_literal() != Some("-c"));
            argv.extend(fields.finish());
            argv.extend_from_slice(rest);
            self.run_words(call, Step::Function, argv, call.input, call.want)
        };
        self.context.calls.pop();
        out
    }

    /// `git config alias.X …` counts for what follows; a setting that is a command runs later.
    fn git_config(&mut self, call: &Call<'_>, rest: &[Word]) {
        let words: Vec<&Word> = rest.iter().filter(|word| !word.prefix().starts_with('-')).collect();
        let skip = usize::from(words.first().and_then(|word| word.as_literal()) == Some("set"));
        let (Some(key), Some(value)) = (words.get(skip), words.get(skip + 1)) else { return };
        let Some(key) = key.as_literal().map(str::to_ascii_lowercase) else { return };
        if let (Some(name), Some(text)) = (key.strip_prefix("alias."), value.as_literal()) {
            self.state.set_alias(&format!("git {name}"), Some(Alias { text: text.to_owned(), line: None }));
        } else {
            self.setting(call, &key, value);
        }
    }

    fn setting(&mut self, call: &Call<'_>, key: &str, value: &Word) {
        let command =
            COMMANDS.iter().any(|name| if name.ends_with('.') { key.starts_with(name) } else { key == *name });
        // A program alone says nothing; one with arguments is a command.
        if command && value.prefix().trim_start_matches('!').contains(' ') {
            let code = if value.prefix().starts_with('!') { tail(value, 1) } else { value.clone() };
            self.run_code(call, &code, Step::Code, None, call.input.clone(), false);
        }
    }
}
