//! What a `git push` does to which branches: force, lease, deletion, protected names.

use crate::call::Call;
use crate::rule::Hit;
use crate::rules::git_state;
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

/// A plain push to a protected branch.
pub(crate) fn protected(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    hit(refspecs(&scene.calls[at])
        .iter()
        .any(|spec| !spec.deletes && spec.to.is_some_and(|branch| scene.lists().protects(branch))))
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
