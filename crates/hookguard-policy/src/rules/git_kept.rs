//! What git has: deleting it, or putting back the same, loses nothing.

use hookguard_shell::Cwd;

use crate::Question;
use crate::call::{Call, Opt};
use crate::effects::{Effect, effect, folder};
use crate::paths::class::{ARTEFACT, GIT_FOLDER, GIT_HOOK, GUARD, GUARD_FOLDER, LITTER, PROJECT, TEMP};
use crate::rule::Hit;
use crate::rules::git_place::is_temporary;
use crate::rules::git_state;
use crate::scene::Scene;
use crate::text::Text;

/// More paths are asked about without a look.
const MAX_PATHS: usize = 20;

/// A folder of the project that is deleted, unless git has all of it.
pub(crate) fn project_tree(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let other = ARTEFACT | LITTER | GIT_FOLDER | GIT_HOOK | GUARD | GUARD_FOLDER;
    let concerned = |one: &&Effect<'_>| {
        one.kind & effect::DELETE_TREE != 0 && one.classes & PROJECT != 0 && one.classes & other == 0
    };
    let found: Vec<&Effect<'_>> = scene.effects[at].iter().filter(concerned).collect();
    let evidence = found.first().map(|one| one.display()).unwrap_or_default();
    // A link that leads elsewhere is no file of git's.
    let paths = found.iter().map(|one| absolute(call, one.path).filter(|_| one.place.is_none())).collect();
    ask(scene, at, paths, evidence)
}

/// Paths that git puts back as the index has them, unless they are so.
pub(crate) fn put_back(scene: &Scene<'_>, at: usize, paths: &[Text<'_>]) -> Option<Hit> {
    let call = &scene.calls[at];
    ask(scene, at, paths.iter().map(|path| absolute(call, *path)).collect(), String::new())
}

/// A branch that is deleted or moved, unless its commits are held elsewhere.
pub(crate) fn branch_goes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let operands = call.operands.get(1..).unwrap_or_default();
    let deletes = call.has_any(&["-D", "-d", "--delete"]);
    let named = match (deletes, operands) {
        (true, names) => names,
        // `-f NAME COMMIT`, `-M OLD NEW`: the last tip of the first, of the last goes.
        (false, [one]) => std::slice::from_ref(one),
        (false, [first, ..]) if call.has_any(&["-f", "--force"]) && !call.has_any(&["-M", "-C", "-m", "-c"]) => {
            std::slice::from_ref(first)
        }
        (false, [_, last]) => std::slice::from_ref(last),
        _ => &[],
    };
    let remote = call.has_any(&["-r", "--remotes"]);
    let branches = named.iter().map(|name| name.as_literal().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let branches = branches.filter(|names| !remote && !names.is_empty() && names.len() <= MAX_PATHS);
    let question = branches.and_then(|branches| {
        let dir = git_state::keeps_refs(scene, at)?.to_owned();
        Some(Question::Held { dir, branches })
    });
    settle(scene, question, String::new())
}

/// A branch that is set to another commit if it is there, as by `checkout -B`, unless its commits are held elsewhere. Files that
/// were changed git keeps, or it refuses.
pub(crate) fn branch_is_set(scene: &Scene<'_>, at: usize, by: &[&str]) -> Option<Hit> {
    let call = &scene.calls[at];
    let set = |option: &Opt<'_>| by.iter().any(|spec| option.is(spec));
    let known =
        |option: &Opt<'_>| set(option) || ["-q", "-t", "-C=*"].iter().any(|spec| option.is(spec)) || long(option);
    fn long(option: &Opt<'_>) -> bool {
        ["--quiet", "--track", "--no-track"].iter().any(|spec| option.is(spec))
    }
    let name = call.options.iter().find(|option| set(option)).and_then(|option| option.value_or_next()?.known());
    let question = name.filter(|_| call.options.iter().all(known)).and_then(|name| {
        let dir = git_state::keeps_refs(scene, at)?.to_owned();
        Some(Question::Held { dir, branches: vec![name.to_owned()] })
    });
    settle(scene, question, String::new())
}

/// `git reset --hard`, unless all is committed, and so is what is left behind.
pub(crate) fn reset(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if is_temporary(scene, at) {
        return None;
    }
    let stays = match call.operands.get(1..).unwrap_or_default() {
        [] => true,
        [one] => matches!(one.as_literal(), Some("HEAD" | "@")),
        _ => false,
    };
    let plain = call
        .options
        .iter()
        .all(|option| ["-q", "--quiet", "--hard", "--merge", "-C=*"].iter().any(|spec| option.is(spec)));
    let dir = git_state::keeps_commit(scene, at).filter(|_| stays || git_state::keeps_refs(scene, at).is_some());
    let question = dir.filter(|_| plain).map(|dir| Question::Committed {
        dir: dir.to_owned(),
        // Files that are in the way of those of another commit are overwritten.
        whole: !stays,
        held: !stays,
    });
    settle(scene, question, String::new())
}

/// Paths that are overwritten with those of a commit, unless all is committed.
pub(crate) fn from_commit(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let dir = git_state::keeps_commit(scene, at);
    let question = dir.map(|dir| Question::Committed { dir: dir.to_owned(), whole: true, held: false });
    settle(scene, question, String::new())
}

/// `git worktree remove --force`, unless all of it is committed.
pub(crate) fn work_tree_goes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let named = call.operands.get(2..).filter(|rest| rest.len() == 1).map(|rest| Text::from(rest[0]));
    let temporary =
        |path: &Text<'_>| scene.world.classes(&path.marked(scene.reading), folder(&call.command.cwd)) & TEMP != 0;
    if named.as_ref().is_some_and(temporary) {
        return None;
    }
    let question = named.and_then(|path| absolute(call, path)).filter(|_| git_state::keeps_commit(scene, at).is_some());
    let question = question.map(|dir| Question::Committed { dir, whole: true, held: false });
    settle(scene, question, String::new())
}

/// Writes to `paths` outside the project, or deletes files there, unless those are in other work trees of its repository.
pub(crate) fn other_work_trees(scene: &Scene<'_>, at: usize, paths: &[Text<'_>], evidence: String) -> Option<Hit> {
    let call = &scene.calls[at];
    let known: Option<Vec<String>> = paths.iter().map(|path| absolute(call, *path)).collect();
    let known = known.filter(|paths| paths.len() <= MAX_PATHS && git_state::keeps_places(scene, at));
    let question =
        scene.context.root.zip(known).map(|(root, paths)| Question::WorkTree { dir: root.to_owned(), paths });
    settle(scene, question, evidence)
}

/// A hit, with a question where the disk could say that nothing is lost; none where it has said so.
fn ask(scene: &Scene<'_>, at: usize, paths: Option<Vec<String>>, evidence: String) -> Option<Hit> {
    let paths = paths.filter(|paths| !paths.is_empty() && paths.len() <= MAX_PATHS);
    let question = paths.filter(|_| git_state::keeps_files(scene, at)).map(|paths| Question::Kept { paths });
    settle(scene, question, evidence)
}

/// A hit with `question`, if that is open; none where the disk has settled it.
fn settle(scene: &Scene<'_>, question: Option<Question>, evidence: String) -> Option<Hit> {
    if question.as_ref().is_some_and(|question| git_state::answer(scene, question).is_some()) {
        return None;
    }
    Some(Hit { evidence, question: question.and_then(|question| git_state::open(scene, question)) })
}

/// The path, if all of it is known and it lies on this machine.
fn absolute(call: &Call<'_>, path: Text<'_>) -> Option<String> {
    let command = call.command;
    let path = path.known().filter(|_| git_state::is_here(command))?;
    match (&command.cwd, path.starts_with('/')) {
        (_, true) => Some(path.to_owned()),
        (Cwd::Known(cwd), false) if !path.starts_with([':', '~']) => Some(format!("{cwd}/{path}")),
        _ => None,
    }
}
