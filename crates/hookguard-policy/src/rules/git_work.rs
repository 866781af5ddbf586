//! What git commands do to uncommitted work and to hooks.

use crate::call::{Call, Name};
use crate::rule::Hit;
use crate::rules::git_state;
use crate::rules::{git_kept, git_place};
use crate::scene::Scene;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// Whether an operand of `git checkout` is more likely a path than a branch or tag.
fn is_path(text: Text<'_>) -> bool {
    let name = text.known_parts();
    if matches!(&*name, "." | ":/" | ":" | "*")
        || name.ends_with('/')
        || name.starts_with("./")
        || name.starts_with(":(")
    {
        return true;
    }
    if text.word.has_glob() {
        return true;
    }
    let last = name.rsplit('/').next().unwrap_or_default();
    match last.rsplit_once('.') {
        // A version's parts are digits, or `x` for any; a file's extension starts with a letter.
        Some((stem, "x")) if stem.ends_with(|char: char| char.is_ascii_digit()) => false,
        Some((stem, extension)) => {
            !stem.is_empty()
                && !name.contains("..")
                && extension.len() <= 8
                && extension.starts_with(|char: char| char.is_ascii_alphabetic())
                && extension.chars().all(|char| char.is_ascii_alphanumeric())
        }
        None => false,
    }
}

/// `git checkout` that overwrites files, or forces.
pub(crate) fn checkout_discards(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let temporary = git_place::is_temporary(scene, at);
    if call.has_any(&["-f", "--force"]) && (!temporary || call.has("-B")) {
        return hit(true);
    }
    if call.has("-B") {
        return git_kept::branch_is_set(scene, at, &["-B"]);
    }
    if temporary {
        return None;
    }
    if call.has_any(&["-b", "--orphan"]) {
        return None;
    }
    if call.has_any(&["--ours", "--theirs"]) && call.operands.len() > 1 {
        // In a merge this is how a conflict is settled.
        let question = git_state::unfinished(scene, at);
        if question.as_ref().is_some_and(|question| git_state::answer(scene, question).is_some()) {
            return None;
        }
        let question = question.and_then(|question| git_state::open(scene, question));
        return Some(Hit { question, ..Hit::default() });
    }
    let paths_after_dashes = call.dashes.is_some_and(|dashes| dashes < call.operands.len());
    let operands = call.operands.get(1..).unwrap_or_default();
    // From the index, and not from a commit: behind `--`, or where all look like paths.
    let named: Vec<Text<'_>> = operands.iter().map(|word| Text::from(*word)).collect();
    let from_index = if paths_after_dashes { call.dashes == Some(1) } else { named.iter().all(|path| is_path(*path)) };
    if from_index && call.options.iter().all(|option| option.is("-q") || option.is("--quiet") || option.is("-C=*")) {
        return git_kept::put_back(scene, at, &named);
    }
    let sides = call.has_any(&["--patch", "-m"]) && !operands.is_empty() && !call.has("-p");
    let quiet = call.options.iter().all(|option| option.is("-q") || option.is("--quiet") || option.is("-C=*"));
    if paths_after_dashes && call.dashes == Some(2) && quiet {
        return git_kept::from_commit(scene, at);
    }
    hit(paths_after_dashes || sides || operands.iter().any(|word| is_path(Text::from(*word))))
}

/// `git restore` that touches the work tree.
pub(crate) fn restore_discards(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let staged = call.has_any(&["-S", "--staged"]);
    let worktree = call.has_any(&["-W", "--worktree"]);
    let paths = call.operands.len() > 1 || call.has("--pathspec-from-file");
    if !paths || !worktree && staged || git_place::is_temporary(scene, at) {
        return None;
    }
    let named: Vec<Text<'_>> = call.operands.iter().skip(1).map(|word| Text::from(*word)).collect();
    if call.options.iter().all(|option| option.is("-q") || option.is("--quiet") || option.is("-W") || option.is("-C=*"))
    {
        return git_kept::put_back(scene, at, &named);
    }
    let plain = ["-q", "--quiet", "-W", "--worktree", "-S", "--staged", "-s", "--source", "-C=*"];
    if call.options.iter().all(|option| plain.iter().any(|spec| option.is(spec))) {
        return git_kept::from_commit(scene, at);
    }
    hit(true)
}

/// `git rm -r` of a folder.
pub(crate) fn removes_folder(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    if git_place::is_temporary(scene, at) {
        return None;
    }
    let call = &scene.calls[at];
    let operands = call.operands.get(1..).unwrap_or_default();
    let folder = operands.iter().any(|word| {
        let name = Text::from(*word).known_parts().into_owned();
        let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        name.ends_with('/') || last.trim_start_matches('.').is_empty() || !last.trim_start_matches('.').contains('.')
    });
    if folder && !call.has_any(&["-f", "--force"]) {
        // Git refuses what differs from the commit.
        let named: Vec<Text<'_>> = operands.iter().map(|word| Text::from(*word)).collect();
        return git_kept::put_back(scene, at, &named);
    }
    hit(folder)
}

/// `core.hooksPath` set to nothing.
pub(crate) fn config_hooks_off(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call: &Call<'_> = &scene.calls[at];
    let key = call
        .operands
        .iter()
        .position(|word| word.as_literal().is_some_and(|name| name.eq_ignore_ascii_case("core.hooksPath")))?;
    let is = |names: &[&str]| {
        call.options.iter().any(|option| matches!(option.name, Name::Long(name) if names.contains(&name)))
    };
    if is(&["unset", "unset-all", "remove-section"]) {
        return hit(true);
    }
    let reads = is(&["get", "get-all", "list", "get-regexp"]);
    let value = call.operands.get(key + 1)?;
    let off = value.as_literal().is_some_and(|value| {
        let value = value.trim();
        value.is_empty() || value.starts_with("/dev/") || value.starts_with("/tmp") || value == "/nonexistent"
    });
    hit(off && !reads)
}

/// A hook that is overwritten with nothing: from `/dev/null`, by a lone redirect, or by a link to `true`.
pub(crate) fn empties(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let from_nothing = matches!(call.program, "cp" | "ln" | "install" | "cat")
        && call
            .operands
            .first()
            .and_then(|word| word.as_literal())
            .is_some_and(|source| matches!(source, "/dev/null" | "/bin/true" | "/usr/bin/true" | "/bin/:"));
    let lone = matches!(call.program, "" | ":" | "true") && call.operands.is_empty();
    hit(from_nothing || lone)
}
