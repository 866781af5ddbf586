//! What the disk says of a repository, and whether something in the same text could have changed it.

use hookguard_shell::{Command, Cwd, Runs, Step};

use crate::Question;
use crate::effects::{self, effect};
use crate::links::Follow;
use crate::paths::class::{NULL, TEMP, UNKNOWN};
use crate::scene::{MAX_LOOK, Scene};
use crate::text::Text;

/// The folder whose repository the command at `at` is about, if it is on this machine and the text leaves no doubt.
pub(super) fn folder<'s>(scene: &Scene<'s>, at: usize) -> Option<&'s str> {
    let call = &scene.calls[at];
    let Cwd::Known(dir) = &call.command.cwd else { return None };
    let elsewhere = call.has_any(&["--git-dir", "--work-tree"]) || call.env("GIT_DIR") || call.env("GIT_WORK_TREE");
    (is_here(call.command) && !elsewhere).then_some(dir)
}

/// Whether a command runs on this system, whose disk answers: on no other machine, in no container, and not in the Linux beside
/// Windows, which has other paths and another home.
pub(super) fn is_here(command: &Command) -> bool {
    let place = &command.place;
    place.remote.is_none() && place.container.is_none() && !command.via.iter().any(|via| via.program == "wsl")
}

/// Whether every other command that may run before the one at `at` leaves what `keeps` is about as it is: those before it,
/// and in a loop those behind it.
fn stable(scene: &Scene<'_>, at: usize, keeps: fn(&Scene<'_>, usize) -> bool) -> bool {
    let again = scene.command(at).via.iter().any(|via| matches!(via.step, Step::ForEach | Step::Trap | Step::Function));
    let all = if scene.command(at).repeats || again { scene.calls.len() } else { at };
    all <= MAX_LOOK && (0..all).all(|other| other == at || !runs_unread(scene, other) && keeps(scene, other))
}

/// Whether a command runs code that is not all in the text, or changes files of git's own by another program.
fn runs_unread(scene: &Scene<'_>, at: usize) -> bool {
    let unread = matches!(
        scene.command(at).runs,
        Some(Runs::Unknown | Runs::Stdin | Runs::File { .. } | Runs::Script { .. } | Runs::Partly | Runs::Interactive)
    ) && !runs_what_is_read(scene, at);
    let changes = effect::READ | effect::SEND;
    let own = |path: &str| path.split('/').any(|part| part == ".git" || part.starts_with(".gitconfig"));
    unread
        || scene.effects[at].iter().filter(|one| one.kind & changes == 0).any(|one| {
            let path = one.path.marked(scene.reading);
            let named = own(&path) || one.place.as_deref().is_some_and(own);
            let inside =
                matches!(&scene.command(at).cwd, Cwd::Known(dir) if own(dir)) || scene.command(at).cwd == Cwd::Unknown;
            named || inside || one.classes & UNKNOWN != 0 && scene.calls[at].program != "git"
        })
}

/// Whether the command runs a shell's script whose commands are among those looked at; or takes in one (`. FILE`) whose text is
/// only asked for: with it all is looked at again, and nothing that was said counts where it was not read.
fn runs_what_is_read(scene: &Scene<'_>, at: usize) -> bool {
    let command = scene.command(at);
    let Some(Runs::File { path, .. }) = &command.runs else { return false };
    let first = scene.context.answers.is_none_or(crate::Answers::is_empty);
    let asked = first && path.as_literal().is_some() && folder(scene, at).is_some();
    let follows = scene.reading.commands.get(at + 1).and_then(|next| next.via.get(command.via.len()));
    let read = follows.is_some_and(|via| matches!(via.step, Step::Script | Step::WrittenFile));
    read && STARTERS.contains(&scene.calls[at].program) || asked && matches!(scene.calls[at].program, "." | "source")
}

/// The question for the branch that a push without a branch pushes, unless something in the text could change the answer.
pub(super) fn branch(scene: &Scene<'_>, at: usize) -> Option<Question> {
    let call = &scene.calls[at];
    // Then not the branch is pushed that is checked out, or not only.
    let others = call.has_any(&["--all", "--branches", "--mirror", "--tags"])
        || call.has_any(&["-c=push.*", "-c=remote.*", "-c=branch.*", "--config-env"])
        || call.env("GIT_CONFIG*");
    let dir = folder(scene, at).filter(|_| !others)?;
    stable(scene, at, keeps_branch).then(|| Question::Branch { dir: dir.to_owned() })
}

/// The question whether a merge or the like is unfinished, unless something in the text could end one.
pub(super) fn unfinished(scene: &Scene<'_>, at: usize) -> Option<Question> {
    let dir = folder(scene, at)?;
    stable(scene, at, keeps_merge).then(|| Question::Unfinished { dir: dir.to_owned() })
}

/// Whether the files that the command at `at` is about are when it runs as they are now: nothing else in the text writes.
pub(super) fn keeps_files(scene: &Scene<'_>, at: usize) -> bool {
    folder(scene, at).is_some() && stable(scene, at, only_looks)
}

/// The folder of the command at `at`, if what is checked out and committed there is so when it runs. What `add` stores a
/// `reset` deletes.
pub(super) fn keeps_commit<'s>(scene: &Scene<'s>, at: usize) -> Option<&'s str> {
    fn stores_nothing(scene: &Scene<'_>, at: usize) -> bool {
        only_looks(scene, at) && scene.calls[at].operand(0) != Some("add")
    }
    folder(scene, at).filter(|_| stable(scene, at, stores_nothing))
}

/// Whether the places of folders and links are when the command at `at` runs as they are now.
pub(super) fn keeps_places(scene: &Scene<'_>, at: usize) -> bool {
    fn moves_nothing(scene: &Scene<'_>, at: usize) -> bool {
        let call = &scene.calls[at];
        let git =
            call.program == "git" && !call.operand(0).is_some_and(|sub| sub == "commit" || GIT_LOOKS.contains(&sub));
        let links = matches!(call.program, "ln" | "link" | "mount" | "rsync" | "tar" | "unzip" | "cp" | "mv")
            && call.options.iter().any(|option| !option.is("-f") && !option.is("-v"));
        let moves = scene.effects[at].iter().any(|one| one.kind & effect::MOVE_AWAY != 0);
        !git && !links && !matches!(call.program, "ln" | "link" | "mount" | "tar" | "unzip") && !moves
    }
    folder(scene, at).is_some() && stable(scene, at, moves_nothing)
}

/// The folder of the command at `at`, if all branches are where they are now when it runs.
pub(super) fn keeps_refs<'s>(scene: &Scene<'s>, at: usize) -> Option<&'s str> {
    fn moves_no_ref(scene: &Scene<'_>, at: usize) -> bool {
        let call = &scene.calls[at];
        // A new branch holds more; git refuses to make one that is there.
        let goes = call.program == "git"
            && matches!(call.operand(0), Some("switch" | "checkout"))
            && !call.has_any(&["-B", "-C", "--orphan", "--force-create"]);
        let work_trees = call.program == "git"
            && call.operand(0) == Some("worktree")
            && matches!(call.operand(1), Some("add" | "list" | "prune" | "remove"))
            && !call.has("-B");
        // A new repository has no branches, one that is there keeps its own.
        let begins = call.program == "git" && call.operand(0) == Some("init");
        goes || work_trees || begins || only_looks(scene, at) && call.operand(0) != Some("fetch") && !moves_branch(call)
    }
    // A new branch holds more; git refuses to move one that is there.
    fn moves_branch(call: &crate::call::Call<'_>) -> bool {
        let git = call.program == "git" && call.operand(0) == Some("branch") && call.operands.len() > 1;
        git && !call.options.iter().all(|option| ["-q", "--quiet", "--no-track"].iter().any(|spec| option.is(spec)))
    }
    folder(scene, at).filter(|_| stable(scene, at, moves_no_ref))
}

/// Programs that write nothing but what they are redirected to.
const LOOKS: &[&str] = &[
    "", "[", "[[", "cat", "cd", "du", "echo", "false", "file", "grep", "head", "ls", "popd", "printf", "pushd", "pwd",
    "rg", "set", "sleep", "stat", "tail", "test", "tree", "true", "wc", ":",
];

/// Programs that write only what their effects name.
const NAMED_WRITES: &[&str] = &["cmp", "cp", "cut", "date", "diff", "jq", "mktemp", "mv", "rm", "tee", "tr", "which"];

/// Subcommands of git that change no file and no branch of the repository's own; `add` stores what lies there.
const GIT_LOOKS: &[&str] = &[
    "add",
    "blame",
    "branch",
    "cat-file",
    "cherry",
    "describe",
    "diff",
    "fetch",
    "for-each-ref",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "range-diff",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "status",
];

/// Programs that run what they are given, and do nothing else.
const STARTERS: &[&str] = &[
    ".", "bash", "builtin", "command", "dash", "env", "eval", "gtimeout", "nice", "nohup", "rtk", "sh", "source",
    "stdbuf", "time", "timeout", "zsh",
];

/// Whether a command changes no file, and nothing that git has.
fn only_looks(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    let looks = match call.program {
        "git" => call.operand(0).is_some_and(|sub| GIT_LOOKS.contains(&sub)),
        program if STARTERS.contains(&program) => {
            scene.command(at).runs == Some(Runs::Opened) || runs_what_is_read(scene, at)
        }
        // What they make is in none of their effects.
        "mkdir" | "touch" => call.operands.iter().all(|word| {
            let path = Text::from(*word).marked(scene.reading);
            scene.world.classes_on_disk(&path, effects::folder(&call.command.cwd), Follow::All).0 & TEMP != 0
        }),
        program => LOOKS.contains(&program) || NAMED_WRITES.contains(&program),
    };
    looks
        && scene.effects[at].iter().all(|one| {
            one.kind & !(effect::READ | effect::SEND) == 0 || one.classes & HARMLESS != 0 && one.place.is_none()
        })
}

/// Where writing is no matter for the project.
const HARMLESS: u32 = NULL | TEMP;

/// What the disk says, if it was asked.
pub(super) fn answer<'s>(scene: &Scene<'s>, question: &Question) -> Option<&'s str> {
    scene.context.answers?.get(question)
}

/// A question that was not put yet.
pub(super) fn open(scene: &Scene<'_>, question: Question) -> Option<Question> {
    let asked = scene.context.answers.is_some_and(|answers| answers.was_asked(&question));
    (!asked).then_some(question)
}

/// Subcommands of git after which the same branch is checked out and the same would be pushed.
const KEEPS_BRANCH: &[&str] = &[
    "add",
    "blame",
    "cat-file",
    "cherry-pick",
    "commit",
    "describe",
    "diff",
    "fetch",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "pull",
    "push",
    "range-diff",
    "reflog",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "rm",
    "shortlog",
    "show",
    "status",
    "tag",
];

/// Whether a command can't have checked out another branch, or set what is pushed.
fn keeps_branch(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    match call.program {
        "git" => match call.operand(0) {
            // `git rebase UPSTREAM BRANCH` checks the branch out; a list of todos may hold anything.
            Some("rebase") => {
                call.operands.len() <= 2
                    && !call.has_any(&[
                        "-i",
                        "--interactive",
                        "-x",
                        "--exec",
                        "--abort",
                        "--quit",
                        "--continue",
                        "--root",
                    ])
            }
            // With a value, or a subcommand, a setting changes.
            Some("config") => {
                call.operands.len() <= 2
                    && call.operand(1).is_none_or(|name| name.contains('.'))
                    && !call.has_any(&["-e", "--edit", "--unset*", "--remove-section", "--rename-section", "--add"])
            }
            Some("remote") => call.operand(1).is_none_or(|verb| matches!(verb, "show" | "get-url" | "-v")),
            Some("branch") => {
                call.has_any(&["--show-current", "-a", "--all", "-r", "--remotes", "-l", "--list", "-v", "--contains"])
                    || call.operands.len() == 1 && call.options.is_empty()
            }
            Some("stash") => !matches!(call.operand(1), Some("branch")),
            Some(sub) => KEEPS_BRANCH.contains(&sub),
            None => false,
        },
        "gh" | "hub" | "glab" | "gt" | "jj" | "tig" | "lazygit" | "gitui" | "git-town" | "gitk" | "repo" | "sl" => {
            false
        }
        program => !program.starts_with("git-"),
    }
}

/// Whether a command can't have ended a merge. Conflicts are settled file by file: those of other files are no matter.
fn keeps_merge(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    match call.program {
        "git" => match call.operand(0) {
            Some("checkout") => call.has_any(&["--ours", "--theirs"]),
            Some("add" | "diff" | "grep" | "log" | "ls-files" | "rev-parse" | "show" | "status" | "blame") => true,
            _ => false,
        },
        "gh" | "hub" | "glab" | "gt" | "jj" | "tig" | "lazygit" | "gitui" | "git-town" | "repo" | "sl" => false,
        program => !program.starts_with("git-"),
    }
}
