//! Containers: what a command inside one reaches, and what is removed with it.

use hookguard_shell::{Part, Unknown, Word};

use crate::effects::folder;
use crate::paths::class::{HOME, ROOT, SYSTEM};
use crate::rule::Hit;
use crate::scene::Scene;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// The commands whose output an operand is.
fn sources(word: &Word) -> impl Iterator<Item = usize> + '_ {
    word.parts
        .iter()
        .flat_map(|part| match part {
            Part::Unknown(Unknown::Substitution { commands } | Unknown::Item { commands, .. }) => commands.as_slice(),
            _ => &[],
        })
        .copied()
}

/// All volumes: what is removed is the list of them.
pub(crate) fn all_volumes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let lists = |from: usize| {
        scene.calls.get(from).is_some_and(|call| call.sub("volume ls").is_some() || call.sub("volume list").is_some())
    };
    let own = scene.calls[at].operands.iter().flat_map(|word| sources(word)).any(lists);
    // Through filters the list may be shorter, but nobody can say by how much.
    let filtered = scene.calls[at].operands.iter().flat_map(|word| sources(word)).any(|from| {
        matches!(&scene.command(from).stdin, hookguard_shell::Stdin::Pipe(list) if list.iter().any(|from| lists(*from)))
    });
    hit(own || filtered)
}

/// Containers by force, images by force or by a list.
pub(crate) fn removes_by_force(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let listed = call.operands.iter().any(|word| sources(word).next().is_some());
    hit(call.has_any(&["-f", "--force", "-a", "--all", "-v", "--volumes"]) || listed)
}

/// In a container that lives on.
pub(crate) fn lasting(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let container = scene.command(at).place.container.as_ref()?;
    let pod = scene.through(at, "kubectl") || scene.through(at, "oc");
    hit(container.lasting && !pod)
}

/// The host's root, home or system folders mounted, or the host's rights given.
pub(crate) fn reaches_host(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let rights = call.has_any(&["--pid=host", "--userns=host", "--cap-add=SYS_ADMIN", "--cap-add=ALL"]);
    let privileged = call.has("--privileged");
    let mounts = call.values(&["-v", "--volume", "--mount"]).any(|value| {
        let marked = value.marked(scene.reading);
        let host = match marked.split_once("source=").or(marked.split_once("src=")) {
            Some((_, rest)) => rest.split(',').next().unwrap_or_default(),
            None => marked.split(':').next().unwrap_or_default(),
        };
        if !host.starts_with(['/', '~']) {
            return false;
        }
        let classes = scene.world.classes(host, folder(&call.command.cwd));
        // The socket of the container service and the clock are mounted by many tools.
        let harmless =
            host.ends_with("docker.sock") || host.starts_with("/etc/localtime") || host.starts_with("/usr/share");
        classes & (ROOT | SYSTEM | HOME) != 0 && !harmless
    });
    hit(rights || mounts || privileged && call.has_any(&["-v", "--volume", "--mount", "--device"]))
}
