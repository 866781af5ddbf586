//! Rights of files: what a mode gives and takes.

use crate::call::Call;
use crate::rule::Hit;
use crate::scene::Scene;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// The mode that a `chmod` sets. `chmod -x file` gives it as an option.
fn mode<'r>(call: &Call<'r>) -> Option<&'r str> {
    if call.program != "chmod" && call.program != "gchmod" {
        return None;
    }
    let given = call.command.argv.iter().skip(1).filter_map(|word| word.as_literal());
    let is_mode = |word: &&str| {
        let letters = word.strip_prefix('-');
        letters.is_some_and(|letters| !letters.is_empty() && letters.chars().all(|char| "rwxXst".contains(char)))
            || !word.starts_with('-')
    };
    given.into_iter().find(is_mode)
}

fn recursive(call: &Call<'_>) -> bool {
    call.has_any(&["-R", "--recursive"])
}

/// The last three digits of a mode in digits, and the one before them.
fn digits(mode: &str) -> Option<(u32, u32)> {
    if mode.is_empty() || !mode.chars().all(|char| char.is_digit(8)) {
        return None;
    }
    let value = u32::from_str_radix(mode, 8).ok()?;
    Some((value >> 9, value & 0o777))
}

/// Whether one clause of a symbolic mode (`go+rw`) gives one of `rights` to one of `who`.
fn gives(mode: &str, who: &str, rights: &str) -> bool {
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '=']) else { return false };
        let (subject, given) = clause.split_at(at);
        let subject = if subject.is_empty() { "a" } else { subject };
        let reaches = subject.chars().any(|char| char == 'a' || who.contains(char));
        reaches && given.chars().any(|char| rights.contains(char))
    })
}

fn world_writable(mode: &str) -> bool {
    match digits(mode) {
        Some((_, rights)) => rights & 0o002 != 0,
        // Without a subject the umask keeps others from writing.
        None => mode.split(',').any(|clause| !clause.starts_with(['+', '=']) && gives(clause, "o", "w")),
    }
}

/// A recursive change, or one that lets everybody write.
pub(crate) fn recursive_or_open(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(recursive(call) || mode(call).is_some_and(world_writable))
}

/// A mode that gives group or others anything.
pub(crate) fn loosens(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let mode = mode(&scene.calls[at])?;
    hit(match digits(mode) {
        Some((_, rights)) => rights & 0o077 != 0,
        None => gives(mode, "go", "rwx") && !mode.starts_with('-'),
    })
}

/// A mode with the setuid or setgid bit.
pub(crate) fn setuid(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let mode = mode(&scene.calls[at])?;
    hit(match digits(mode) {
        Some((special, _)) => special & 0o6 != 0,
        None => gives(mode, "ug", "s"),
    })
}

/// A mode that lets everybody write, or a change of the owner of a whole folder.
pub(crate) fn opens(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let owner = matches!(call.program, "chown" | "chgrp" | "gchown") && recursive(call);
    hit(owner || mode(call).is_some_and(world_writable))
}

/// A mode without the right to execute.
pub(crate) fn takes_execution(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let mode = mode(&scene.calls[at])?;
    hit(match digits(mode) {
        Some((_, rights)) => rights & 0o100 == 0,
        None => mode.split(',').any(|clause| clause.contains('-') && clause.contains('x')),
    })
}
