//! `find` and `fd` that delete what they find: where they search, and by which tests.

use hookguard_shell::{Part, Unknown, Word};

use crate::effects::{effect, folder};
use crate::links::Follow;
use crate::paths::Classes;
use crate::paths::class::{
    ARTEFACT, BELOW_HOME, CACHE, GIT_FOLDER, GIT_HOOK, GUARD, GUARD_FOLDER, HOME, LITTER, OUTSIDE, PROJECT,
    PROJECT_ROOT, REMOTE, ROOT, SYSTEM, TEMP, TEMP_ROOT, UNKNOWN, UNKNOWN_ROOT,
};
use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

/// How the names are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    /// Everything is found.
    None,
    /// Only artefacts and litter.
    Harmless,
    /// Something else.
    Other,
}

/// Where a search starts and what it finds.
struct Search {
    roots: Vec<Classes>,
    test: Test,
}

/// Whether what the command at `at` finds is deleted: by itself, by the program it runs, or by a reader of its output.
fn deletes(scene: &Scene<'_>, at: usize) -> bool {
    let own = scene.command(at).argv.iter().any(|word| word.as_literal() == Some("-delete"));
    own || scene.effects[scene.around(at)]
        .iter()
        .flatten()
        .any(|one| one.kind & (effect::DELETE | effect::DELETE_TREE | 1 << 8) != 0 && is_found_by(one.path.word, at))
}

fn is_found_by(word: &Word, at: usize) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Unknown(Unknown::Item { commands, .. }) => commands.contains(&at),
        _ => false,
    })
}

fn search(scene: &Scene<'_>, at: usize) -> Option<Search> {
    if !deletes(scene, at) {
        return None;
    }
    let call = &scene.calls[at];
    if call.command.place.remote.is_some() {
        return Some(Search { roots: vec![REMOTE], test: Test::Other });
    }
    if call.command.place.container.is_some() {
        return None;
    }
    Some(if call.program.ends_with("find") && !call.program.starts_with("fd") {
        by_find(scene, at)
    } else {
        by_fd(scene, at)
    })
}

fn classes(scene: &Scene<'_>, at: usize, word: &Word) -> Classes {
    let call = &scene.calls[at];
    scene.world.classes_on_disk(&Text::from(word).marked(scene.reading), folder(&call.command.cwd), Follow::All).0
}

fn here(scene: &Scene<'_>, at: usize) -> Classes {
    scene.world.classes_on_disk(".", folder(&scene.command(at).cwd), Follow::All).0
}

fn harmless(scene: &Scene<'_>, name: &Word) -> bool {
    let name = Text::from(name).known_parts();
    // As find reads it, a pattern in quotes; as a path it is the shell's own.
    let marked: String = name.trim_start_matches("*/").trim_end_matches("/*").replace('*', "\u{E000}");
    let root = scene.context.root.unwrap_or("/project");
    scene.world.classes(&marked, Some(root)) & (ARTEFACT | LITTER) != 0
}

/// Tests that say nothing about which files are meant.
const NO_TESTS: &[&str] = &["-type", "-maxdepth", "-mindepth", "-xtype", "-regextype"];
/// Tests by name.
const NAME_TESTS: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-lname"];
/// Other tests that take a word.
const OTHER_TESTS: &[&str] = &[
    "-regex",
    "-iregex",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-newermt",
    "-size",
    "-user",
    "-group",
    "-perm",
    "-inum",
    "-links",
    "-samefile",
    "-fstype",
    "-uid",
    "-gid",
];
const LONE_TESTS: &[&str] = &["-empty", "-executable", "-readable", "-writable", "-nouser", "-nogroup"];

fn by_find(scene: &Scene<'_>, at: usize) -> Search {
    let words = &scene.command(at).argv[1..];
    let is_expression = |word: &&Word| {
        let start = word.prefix();
        (start.starts_with('-') && !matches!(start, "-H" | "-L" | "-P")) || matches!(start, "(" | "!" | "\\(" | "\\!")
    };
    let count = words.iter().position(|word| is_expression(&word)).unwrap_or(words.len());
    let mut roots: Vec<Classes> = words[..count]
        .iter()
        .filter(|word| !matches!(word.prefix(), "-H" | "-L" | "-P"))
        .map(|word| classes(scene, at, word))
        .collect();
    if roots.is_empty() {
        roots.push(here(scene, at));
    }
    // Each branch of `-o` finds files of its own; all must be harmless.
    let (mut any_test, mut all_harmless, mut branch_harmless) = (false, true, false);
    let mut negated = false;
    let mut rest = words[count..].iter();
    while let Some(word) = rest.next() {
        let word = word.as_literal().unwrap_or_default();
        if NAME_TESTS.contains(&word) {
            let name = rest.next();
            any_test = true;
            branch_harmless |= !negated && name.is_some_and(|name| harmless(scene, name));
        } else if OTHER_TESTS.contains(&word) || LONE_TESTS.contains(&word) {
            any_test = true;
            if OTHER_TESTS.contains(&word) {
                rest.next();
            }
        } else if NO_TESTS.contains(&word) {
            rest.next();
        } else if matches!(word, "-o" | "-or" | ",") {
            all_harmless &= branch_harmless;
            branch_harmless = false;
        } else if matches!(word, "-exec" | "-execdir" | "-ok" | "-okdir") {
            for part in rest.by_ref() {
                if matches!(part.as_literal(), Some(";" | "+" | "\\;")) {
                    break;
                }
            }
        }
        negated = matches!(word, "!" | "-not");
    }
    all_harmless &= branch_harmless;
    let test = match (any_test, all_harmless) {
        (true, true) => Test::Harmless,
        (true, false) => Test::Other,
        (false, _) => Test::None,
    };
    Search { roots, test }
}

fn by_fd(scene: &Scene<'_>, at: usize) -> Search {
    let call = &scene.calls[at];
    let exec = call
        .command
        .argv
        .iter()
        .position(|word| matches!(word.as_literal(), Some("-x" | "-X" | "--exec" | "--exec-batch")));
    // What follows -x is the program's, not fd's.
    let own = &call.command.argv[1..exec.unwrap_or(call.command.argv.len())];
    let mut operands: Vec<&Word> = Vec::new();
    let mut extensions: Vec<&Word> = Vec::new();
    let mut words = own.iter();
    while let Some(word) = words.next() {
        match word.as_literal() {
            Some("-e" | "--extension") => extensions.extend(words.next()),
            Some(option) if call.spec.values.contains(&option) && option != "-g" => {
                words.next();
            }
            Some(option) if option.starts_with('-') => {}
            _ => operands.push(word),
        }
    }
    let mut roots: Vec<Classes> = operands.iter().skip(1).map(|word| classes(scene, at, word)).collect();
    if roots.is_empty() {
        roots.push(here(scene, at));
    }
    let pattern = operands.first().and_then(|word| word.as_literal()).unwrap_or(".");
    let test = if !extensions.is_empty() {
        let litter = |word: &&Word| {
            let name = format!("x.{}", word.as_literal().unwrap_or_default());
            scene.world.classes(&name, scene.context.root.or(Some("/project"))) & LITTER != 0
        };
        if extensions.iter().all(litter) { Test::Harmless } else { Test::Other }
    } else if matches!(pattern, "." | "" | "*" | ".*") {
        Test::None
    } else {
        let bare = pattern.trim_start_matches('^').trim_end_matches('$').replace('\\', "");
        if harmless(scene, &Word::literal(bare)) { Test::Harmless } else { Test::Other }
    };
    Search { roots, test }
}

const OUT: Classes = ROOT | SYSTEM | HOME | BELOW_HOME | OUTSIDE | UNKNOWN_ROOT | REMOTE;

fn is_out(classes: Classes) -> bool {
    classes & OUT != 0 && classes & CACHE == 0
}

/// Outside the project and temp folders, or among git's and the guard's own files: no test helps.
pub(crate) fn outside(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let kept = GIT_FOLDER | GIT_HOOK | GUARD | GUARD_FOLDER;
    search(scene, at)?.roots.iter().any(|root| is_out(*root) || root & kept != 0).then(Hit::default)
}

/// Everything in the project.
pub(crate) fn everything(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let search = search(scene, at)?;
    let whole = search.roots.iter().any(|root| root & PROJECT_ROOT != 0 && !is_out(*root));
    (whole && search.test == Test::None).then(Hit::default)
}

/// Something in the project, or in a place that is not known.
pub(crate) fn something(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let search = search(scene, at)?;
    let doubtful = |root: &Classes| {
        // Where nobody knows where it searches, no test helps.
        if root & UNKNOWN != 0 && root & (PROJECT | TEMP) == 0 && folder(&scene.command(at).cwd).is_some() {
            return true;
        }
        if root & TEMP_ROOT != 0 {
            return search.test == Test::None;
        }
        root & (TEMP | ARTEFACT) == 0 && search.test != Test::Harmless || root & PROJECT == 0 && root & CACHE != 0
    };
    search.roots.iter().any(doubtful).then(Hit::default)
}
