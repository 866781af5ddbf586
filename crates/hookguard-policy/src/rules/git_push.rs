//! What a `git push` does to which branches: force, lease, deletion, protected names.

use crate::call::Call;
use crate::effects::{absolute, folder};
use crate::paths::class::TEMP;
use crate::rule::Hit;
use crate::rules::{git_place, git_state};
use crate::scene::Scene;
use crate::text::Text;

/// One thing that is pushed.
#[derive(Debug)]
struct Refspec<'r> {
    /// Written with a `+`.
    forced: bool,
    /// The branch or tag on the remote, as far as it is known; empty for `HEAD`.
    to: Option<&'r str>,
    /// It deletes.
    deletes: bool,
}

fn refspecs<'r>(call: &Call<'r>) -> Vec<Refspec<'r>> {
    let from = if call.has("--repo") { 1 } else { 2 };
    let delete = call.has_any(&["--delete", "-d"]);
    let words = call.operands.get(from..).unwrap_or_default();
    words
        .iter()
        .filter(|word| word.as_literal() != Some("tag"))
        .map(|word| refspec(Text::from(*word), delete))
        .collect()
}

fn refspec(text: Text<'_>, delete: bool) -> Refspec<'_> {
    let forced = text.prefix().starts_with('+');
    let text = if forced { text.after(1) } else { text };
    let Some(known) = text.known() else {
        // `"$X:main"`: what follows the colon may be known all the same.
        let last = text.word.parts.last().and_then(|part| match part {
            hookguard_shell::Part::Literal(literal) => literal.rsplit_once(':').map(|(_, to)| to),
            _ => None,
        });
        return Refspec { forced, to: last.map(branch), deletes: delete };
    };
    match known.rsplit_once(':') {
        Some((from, to)) => Refspec { forced, to: Some(branch(to)), deletes: delete || from.is_empty() },
        None if known == "HEAD" || known == "@" => Refspec { forced, to: None, deletes: delete },
        None => Refspec { forced, to: Some(branch(known)), deletes: delete },
    }
}

fn branch(name: &str) -> &str {
    name.strip_prefix("refs/heads/").or(name.strip_prefix("heads/")).unwrap_or(name)
}

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// `--force`, `-f`, or a `+` before any of what is pushed.
pub(crate) fn force(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(call.has_any(&["--force", "-f"]) || refspecs(call).iter().any(|spec| spec.forced))
}

/// A lease on a protected branch.
pub(crate) fn lease_protected(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let named = refspecs(call).iter().any(|spec| spec.to.is_some_and(|branch| scene.lists().protects(branch)));
    // `--force-with-lease=BRANCH:COMMIT` names what it expects to overwrite.
    let leased = call.options.iter().filter(|option| option.is("--force-with-lease")).any(|option| {
        let value = option.value.and_then(Text::known).unwrap_or_default();
        scene.lists().protects(branch(value.split(':').next().unwrap_or_default()))
    });
    let answered =
        refspecs(call).is_empty() && current_branch(scene, at).is_some_and(|branch| scene.lists().protects(branch));
    hit(named || leased || answered)
}

/// A lease on a branch that the text does not name. The disk may know it.
pub(crate) fn lease_unknown(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let specs = refspecs(call);
    if !specs.is_empty() {
        return hit(specs.iter().any(|spec| spec.to.is_none()));
    }
    if current_branch(scene, at).is_some() {
        return None;
    }
    let question = git_state::branch(scene, at).and_then(|question| git_state::open(scene, question));
    Some(Hit { question, ..Hit::default() })
}

/// The branch that the disk says is checked out, if it was asked.
fn current_branch<'s>(scene: &Scene<'s>, at: usize) -> Option<&'s str> {
    scene.context.answers?;
    git_state::answer(scene, &git_state::branch(scene, at)?)
}

/// A plain push to a protected branch of a repository that is not a temporary one.
pub(crate) fn protected(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let named = refspecs(&scene.calls[at])
        .iter()
        .any(|spec| !spec.deletes && spec.to.is_some_and(|branch| scene.lists().protects(branch)));
    hit(named && !goes_to_temporary(scene, at))
}

/// Whether a push goes to a folder below a temporary one: by its path, or by a remote that the same text gave to a repository
/// that it made there. One that was there keeps the remote that it has.
fn goes_to_temporary(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    // Settings may send it elsewhere.
    let set = call.has_any(&["--repo", "-c=*", "--config-env"]) || call.env("GIT_CONFIG*");
    let Some(remote) = call.operand(1).filter(|_| !set) else { return false };
    let is_temporary = |path: &str, by: usize| {
        let local = path.starts_with(['/', '.']) && !path.contains(':');
        local && scene.world.classes(path, folder(&scene.command(by).cwd)) & TEMP != 0
    };
    if remote.contains('/') {
        return is_temporary(remote, at);
    }
    let Some(here) = git_state::folder(scene, at).filter(|_| git_place::is_temporary(scene, at)) else { return false };
    let made = scene.before(at).any(|other| {
        let call = &scene.calls[other];
        let cwd = folder(&call.command.cwd);
        let target = call.operands.iter().skip(1).filter_map(|word| word.as_literal());
        call.program == "git"
            && call.operand(0) == Some("init")
            && target
                .map(|path| absolute(path, cwd))
                .chain([cwd.map(str::to_owned)])
                .any(|path| path.as_deref() == Some(here))
    });
    let mut sets = scene.before(at).filter(|&other| {
        let other = &scene.calls[other];
        let plain =
            |key: &str| ["user.", "commit.", "init.", "core.", "gc."].iter().any(|start| key.starts_with(start));
        match (other.program, other.operand(0), other.operand(1)) {
            ("git", Some("remote"), verb) => {
                !matches!(verb, None | Some("show" | "get-url")) || other.operands.len() > 3
            }
            ("git", Some("config"), key) => !key.is_some_and(plain),
            _ => false,
        }
    });
    // One command gave it, and none changed it.
    let (Some(only), None) = (sets.next(), sets.next()) else { return false };
    let given = &scene.calls[only];
    made && git_state::folder(scene, only) == Some(here)
        && given.options.iter().all(|option| option.is("-C=*"))
        && matches!(given.operands.as_slice(), [_, add, name, _]
            if add.as_literal() == Some("add") && name.as_literal() == Some(remote))
        && given.operand(3).is_some_and(|path| is_temporary(path, only))
}

/// A protected branch is deleted.
pub(crate) fn delete_protected(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    hit(refspecs(&scene.calls[at])
        .iter()
        .any(|spec| spec.deletes && spec.to.is_some_and(|branch| scene.lists().protects(branch))))
}

/// Another branch, or a tag, is deleted.
pub(crate) fn delete_other(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let specs = refspecs(call);
    hit(specs.iter().any(|spec| spec.deletes && !spec.to.is_some_and(|branch| scene.lists().protects(branch)))
        || call.has("--prune"))
}

/// A forced `git send-pack`, whose first operand is the remote.
pub(crate) fn send_pack(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(call.has_any(&["--force", "-f", "--mirror"]) || refspecs(call).iter().any(|spec| spec.forced))
}
