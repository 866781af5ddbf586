//! What ends the guard by its process.

use hookguard_shell::{Part, Stdin, Unknown};

use crate::landing::names_guard;
use crate::rule::Hit;
use crate::scene::Scene;

/// How far back the numbers of processes are followed.
const MAX_STEPS: usize = 8;

/// `kill` of what a search for the guard found.
pub(crate) fn kills_found(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let command = scene.command(at);
    let mut from: Vec<usize> = scene.inside(at).collect();
    for part in command.argv.iter().flat_map(|word| &word.parts) {
        if let Part::Unknown(Unknown::Substitution { commands } | Unknown::Item { commands, .. }) = part {
            from.extend(commands);
        }
    }
    for _ in 0..MAX_STEPS {
        if from.iter().any(|at| scene.calls.get(*at).is_some_and(names_guard)) {
            return Some(Hit::default());
        }
        let before = from.iter().filter_map(|at| match &scene.calls.get(*at)?.command.stdin {
            Stdin::Pipe(list) => Some(list.clone()),
            _ => None,
        });
        from = before.flatten().take(64).collect();
    }
    None
}

/// A shell or read-eval loop that reads what is typed later, where nobody sees that.
pub(crate) fn typed_unseen(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let place = &scene.command(at).place;
    (scene.context.unseen_input && place.remote.is_none() && place.container.is_none()).then(Hit::default)
}
