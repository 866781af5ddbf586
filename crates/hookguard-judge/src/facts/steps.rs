//! A command line as the steps that it took: what each command was, how it ended, what it changed.

use hookguard_shell::{Cwd, Env, Reading, RedirectKind, Runs, Stdin, Step as Through, read};

use super::exit::{Exit, Place, only_and, places};
use super::kind::{Kind, Words, changed_files, kind};
use super::path::{Class, class};
use crate::turn::Command;

pub(super) use crate::turn::HERE;

/// How many steps a step looks back for a repository made on the way: a text of thousands stays linear.
const MAX_LOOK_BACK: usize = 100;

/// One command of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) exit: Exit,
    /// The bare name of the program.
    pub(super) program: String,
    pub(super) args: Vec<String>,
    /// Where it runs; `None` where that is not known.
    pub(super) cwd: Option<String>,
    /// The files that it changed, with what was added; one without a path where they are not known.
    pub(super) changed: Vec<(String, String)>,
    /// Files that its output went into.
    pub(super) printed_to: Vec<String>,
    /// The list of `&&` that it stands in, and whether its result shows there.
    pub(super) chain: usize,
    pub(super) seen: bool,
    /// Whether it runs in a repository that the line made itself, or in one outside of the project that is thrown away.
    pub(super) throwaway: bool,
    /// Whether the result stays on another machine.
    pub(super) remote: bool,
}

/// The steps of `command`, in order. `base` is where the project lies.
pub(super) fn steps(command: &Command, base: &str) -> Vec<Step> {
    let env = Env { cwd: Some(command.cwd.as_deref().unwrap_or(base)), home: None, vars: &[], known: &[] };
    let reading = read(&command.command, &env);
    let whole = match (command.background, command.exit, command.ok) {
        (true, ..) => Exit::Background,
        (_, Some(0), _) | (_, None, Some(true)) => Exit::Well,
        (_, Some(_), _) | (_, None, Some(false)) => Exit::Failed,
        _ => Exit::Unknown,
    };
    let places = places(&command.command, whole, &command.output);
    let mut steps = Vec::new();
    for (at, found) in reading.commands.iter().enumerate() {
        // They stand in the order of the text.
        let before = places.partition_point(|place| place.start <= found.span.start);
        let near = before.checked_sub(1).and_then(|nth| places.get(nth));
        let place = near.filter(|place| found.span.start < place.end.max(place.start + 1));
        let (exit, chain, seen) = ending(&reading, at, place, whole);
        let cwd = match &found.cwd {
            Cwd::Known(path) => Some(path.clone()),
            Cwd::Unknown => None,
        };
        let away = found.place.remote.is_some();
        let redirects =
            || found.redirects.iter().filter(|one| one.kind != RedirectKind::Read).map(|one| one.target.display());
        let printed_to: Vec<String> =
            redirects().filter(|path| !path.starts_with("/dev/") && !path.starts_with('&')).collect();
        let mut step = Step {
            kind: Kind::Other,
            exit,
            program: String::new(),
            args: Vec::new(),
            throwaway: is_throwaway(&cwd, base, &steps),
            cwd,
            changed: Vec::new(),
            printed_to,
            chain,
            seen,
            remote: away,
        };
        let Some(first) = found.argv.first() else {
            // What code in another language writes; of the shell's own text, `> file`.
            let written: Vec<(String, String)> =
                step.printed_to.drain(..).map(|path| (path, code_of(&reading, at))).collect();
            if !written.is_empty() && !away {
                let through = found.via.first().map(|via| via.program.clone()).unwrap_or_default();
                steps.push(Step { kind: Kind::Edit, changed: written, program: through, ..step });
            }
            continue;
        };
        // A wrapper has been opened: what it runs follows.
        if found.runs == Some(Runs::Opened) || followed_by_same(&reading, at) {
            continue;
        }
        let written = first.as_program().map_or_else(|| first.display(), str::to_owned);
        let program = written.rsplit('/').next().unwrap_or(&written).to_owned();
        let args: Vec<String> = found.argv.iter().skip(1).map(hookguard_shell::Word::display).collect();
        let set: Vec<(String, String)> =
            found.assignments.iter().map(|one| (one.name.clone(), one.value.display())).collect();
        let input = match &found.stdin {
            Stdin::Text(word) => word.display(),
            _ => String::new(),
        };
        let words = Words { program: &program, written: &written, args: &args, set: &set, remote: away, input: &input };
        step.kind = kind(&words);
        if matches!(step.kind, Kind::Edit | Kind::Format | Kind::Dependencies | Kind::TakeOut | Kind::Stage) {
            let added = if program == "apply_patch" {
                added_by_patch(&input)
            } else if program == "tee" {
                input.clone()
            } else {
                String::new()
            };
            step.changed = changed_files(&words).into_iter().map(|path| (path, added.clone())).collect();
        }
        // Of a script whose commands are known they count, and not that it ran.
        if step.kind == Kind::Run && runs_known(&reading, at) {
            step.kind = Kind::Other;
        }
        // A one-liner of which the reading knows what it writes says so itself, below.
        if step.kind == Kind::Edit && writes_known(&reading, at) {
            step.kind = Kind::Other;
        }
        let dumps = matches!(step.kind, Kind::Look | Kind::Other | Kind::Edit);
        let text = if program == "cat" { input } else { args.join(" ") };
        let target = step.printed_to.clone();
        (step.program, step.args) = (program, args);
        let extra = Step {
            kind: Kind::Edit,
            changed: target.into_iter().map(|path| (path, text.clone())).collect(),
            printed_to: Vec::new(),
            ..step.clone()
        };
        steps.push(step);
        if dumps && !away && extra.changed.iter().any(|(path, _)| class(path) != Class::Idle) {
            steps.push(extra);
        }
    }
    steps
}

/// How the command `at` ended: by its place in the line, or by that of the one it was reached through.
fn ending(reading: &Reading, at: usize, place: Option<&Place>, whole: Exit) -> (Exit, usize, bool) {
    let Some(found) = reading.commands.get(at) else { return (Exit::Unknown, 0, false) };
    let (outer, chain, seen) = place.map_or((whole, 0, false), |place| (place.exit, place.chain, place.seen));
    let inner = found.via.iter().any(|via| !matches!(via.step, Through::Wrapper | Through::ForEach));
    if !inner {
        return (outer, chain, seen);
    }
    if outer == Exit::Background {
        return (outer, chain, false);
    }
    // Inside of `sh -c '…'` the exit code speaks of all only where all must go well.
    let code =
        reading.commands.iter().take(at).rev().find(|one| one.span == found.span && one.via.len() < found.via.len());
    let text = code.and_then(|one| {
        one.argv.iter().skip(1).filter_map(hookguard_shell::Word::as_literal).find(|text| text.contains(' '))
    });
    if text.is_none_or(only_and) { (outer, chain, seen) } else { (Exit::Unknown, chain, false) }
}

/// The code that the command `at` was found in.
fn code_of(reading: &Reading, at: usize) -> String {
    let Some(found) = reading.commands.get(at) else { return String::new() };
    let outer =
        reading.commands.iter().take(at).rev().find(|one| one.span == found.span && one.via.len() < found.via.len());
    let Some(outer) = outer else { return String::new() };
    match &outer.stdin {
        Stdin::Text(word) => word.display(),
        _ => outer.argv.last().map(hookguard_shell::Word::display).unwrap_or_default(),
    }
}

/// Whether the reading knows a file that the code of the command `at` writes.
fn writes_known(reading: &Reading, at: usize) -> bool {
    let Some(found) = reading.commands.get(at) else { return false };
    let inner = reading.commands.iter().skip(at + 1).take_while(|one| one.span == found.span);
    let writes = |one: &hookguard_shell::Command| {
        one.argv.is_empty()
            && one
                .redirects
                .iter()
                .any(|redirect| redirect.kind != RedirectKind::Read && !redirect.target.has_unknown())
    };
    inner.filter(|one| one.via.len() > found.via.len()).any(writes)
}

/// Whether the reading knows a command that the code of the command `at` runs.
fn runs_known(reading: &Reading, at: usize) -> bool {
    let Some(found) = reading.commands.get(at) else { return false };
    let inner = reading.commands.iter().skip(at + 1).take_while(|one| one.span == found.span);
    inner.filter(|one| one.via.len() > found.via.len()).any(|one| !one.argv.is_empty())
}

/// `yarn jest`: the reading has both the name of a script and the program of that name.
fn followed_by_same(reading: &Reading, at: usize) -> bool {
    let (Some(found), Some(next)) = (reading.commands.get(at), reading.commands.get(at + 1)) else { return false };
    let wrapped = next.via.last().is_some_and(|via| via.step == Through::Wrapper)
        && next.span == found.span
        && next.via.len() == found.via.len() + 1;
    wrapped && matches!(found.runs, Some(Runs::Script { .. })) && !next.argv.is_empty()
}

/// Whether what happens at `cwd` happens in a repository made on the way, or in scratch space beside the project.
fn is_throwaway(cwd: &Option<String>, base: &str, before: &[Step]) -> bool {
    let before = before.get(before.len().saturating_sub(MAX_LOOK_BACK)..).unwrap_or_default();
    let scratch = |path: &str| {
        ["/tmp/", "/var/tmp/", "/private/tmp/"]
            .iter()
            .any(|folder| path.starts_with(folder) && !base.starts_with(folder))
    };
    let made = before.iter().any(|step| {
        step.kind == Kind::NewRepository && step.cwd == *cwd && step.args.first().is_some_and(|sub| sub == "init")
    });
    let unknown_tmp = cwd.is_none()
        && before.iter().any(|step| {
            matches!(step.program.as_str(), "cd" | "pushd" | "mktemp")
                && step.args.iter().any(|arg| arg.contains("$(…)") || arg == "-d")
        });
    made || unknown_tmp || cwd.as_deref().is_some_and(scratch)
}

/// The lines that a patch adds.
fn added_by_patch(patch: &str) -> String {
    let lines: Vec<&str> =
        patch.lines().filter_map(|line| line.strip_prefix('+')).filter(|line| !line.starts_with("++")).collect();
    lines.join("\n")
}
