//! Files that a command writes without naming them: what is unpacked, cloned, downloaded or copied whole into a folder, and
//! files by a part of their name.

use std::sync::OnceLock;

use hookguard_shell::{Part, Unknown, Word};

use crate::call::{Call, bare};
use crate::effects::{Effect, effect, folder};
use crate::glob::STAR;
use crate::links::Follow;
use crate::paths::class::{ACCESS_FILE, GIT_HOOK, GUARD, GUARD_FOLDER, OUTSIDE, ROOT, SECRET, START_FILE, SYSTEM};
use crate::paths::{Classes, World};
use crate::tables;
use crate::text::Text;

/// What makes a file one that not every program may write, wherever it lies.
const SPECIAL: Classes = GUARD | GIT_HOOK | START_FILE | ACCESS_FILE | SECRET;

/// How a command fills a folder.
enum Filled<'r> {
    /// With files of any name.
    Anything(Option<Text<'r>>),
    /// The same, but the folder is a new one: where it lies says nothing.
    NewFolder(Option<Text<'r>>),
    /// With files of these names.
    Names(Option<Text<'r>>, Vec<String>),
    /// With files whose names begin so.
    Start(Text<'r>),
    /// With these files and folders: what they may do there is only asked of some classes.
    These(Vec<Text<'r>>, Classes),
    /// Not at all.
    No,
}

/// The effects of `call` on what it does not name.
pub(crate) fn effects<'r>(call: &Call<'r>, world: &World<'_>, found: &mut Vec<Effect<'r>>) {
    let place = &call.command.place;
    if place.remote.is_some() || place.container.is_some() {
        return;
    }
    let cwd = folder(&call.command.cwd);
    let at = |path: &str| world.classes_on_disk(path, cwd, Follow::All);
    let mut add = |path: Text<'r>, classes: Classes, place: Option<String>| {
        if classes != 0 {
            found.push(Effect { kind: effect::WRITE, path, classes, by_redirect: false, place });
        }
    };
    let guarded = |classes: Classes| if classes & GUARD_FOLDER != 0 { classes | GUARD } else { classes };
    match filled(call) {
        Filled::Anything(path) => {
            let path = path.unwrap_or_else(here);
            let (classes, place) = at(&path.marked(call.reading));
            // Unpacking beside the system's files is asked about as anywhere else outside: it names none of them.
            let outside = if classes & (SYSTEM | ROOT) != 0 { OUTSIDE } else { 0 };
            add(path, guarded(classes) & !(SYSTEM | ROOT | START_FILE | SECRET) | outside, place);
        }
        Filled::NewFolder(path) => {
            let path = path.unwrap_or_else(here);
            let (classes, place) = at(&path.marked(call.reading));
            add(path, guarded(classes) & GUARD, place);
        }
        Filled::Names(path, names) => {
            let path = path.unwrap_or_else(here);
            for name in names {
                let (classes, place) = at(&format!("{}/{name}", path.marked(call.reading).trim_end_matches('/')));
                add(path, classes & SPECIAL, place);
            }
        }
        Filled::Start(path) => {
            let (classes, place) = at(&format!("{}{STAR}", path.marked(call.reading)));
            add(path, classes & SPECIAL, place);
        }
        Filled::These(paths, some) => {
            for path in paths {
                let (classes, place) = at(&path.marked(call.reading));
                add(path, classes & some, place);
            }
        }
        Filled::No => {}
    }
}

/// The folder that a command runs in.
fn here<'r>() -> Text<'r> {
    static HERE: OnceLock<Word> = OnceLock::new();
    Text::from(HERE.get_or_init(|| Word::literal(".")))
}

fn filled<'r>(call: &Call<'r>) -> Filled<'r> {
    let value = |names: &[&str]| call.values(names).last();
    let operands = call.operands.get(call.sub_words..).unwrap_or_default();
    match call.program {
        "tar" | "gtar" | "bsdtar" => {
            // `tar xzf`: the first word may be options without a dash.
            let bundle =
                call.operand(0).filter(|word| word.len() <= 8 && word.bytes().all(|byte| byte.is_ascii_alphabetic()));
            let extracts = call.has_any(&["-x", "--extract", "--get"]) || bundle.is_some_and(|word| word.contains('x'));
            let shows = call.has_any(&["-O", "--to-stdout"]);
            if extracts && !shows { Filled::Anything(value(&["-C", "--directory", "--cd"])) } else { Filled::No }
        }
        "unzip" if !call.has_any(&["-l", "-t", "-p", "-v", "-Z", "-z", "-c"]) && !operands.is_empty() => {
            Filled::Anything(value(&["-d"]))
        }
        "7z" | "7za" | "7zz" | "7zr" if matches!(call.operand(0), Some("x" | "e")) => Filled::Anything(value(&["-o"])),
        "cpio" if call.has_any(&["-i", "--extract", "-p", "--pass-through"]) => {
            Filled::Anything(value(&["-D", "--directory"]))
        }
        "unar" | "ditto" | "unrar" if !operands.is_empty() => {
            Filled::NewFolder(value(&["-o", "-output-directory"]).or(operands.last().map(|word| Text::from(*word))))
        }
        "patch" if value(&["-d", "--directory"]).is_some() && !call.has("--dry-run") => {
            Filled::NewFolder(value(&["-d", "--directory"]))
        }
        "git" if call.operand(0) == Some("clone") && call.operands.len() > 2 => {
            Filled::NewFolder(call.operands.last().map(|word| Text::from(*word)))
        }
        // A branch or a path: only some paths say which.
        "git" if call.operand(0) == Some("checkout") => {
            Filled::These(all(call.operands.get(1..).unwrap_or_default()), GUARD | GUARD_FOLDER)
        }
        "git" if call.sub("worktree add").is_some() => {
            Filled::NewFolder(call.operands.get(2).map(|word| Text::from(*word)))
        }
        "git" if call.sub("worktree move").is_some() => {
            Filled::NewFolder(call.operands.get(3).map(|word| Text::from(*word)))
        }
        "gh" if call.sub("repo clone").is_some() => {
            Filled::NewFolder(call.operands.get(3).map(|word| Text::from(*word)))
        }
        "curl" => {
            let remote = call.has_any(&["-O", "--remote-name", "--remote-name-all"]);
            let into = value(&["--output-dir"]);
            let mut names: Vec<String> =
                if remote { call.operands.iter().filter_map(|url| saved_as(url)).collect() } else { Vec::new() };
            if into.is_some() {
                names.extend(call.values(&["-o", "--output"]).filter_map(Text::known).map(str::to_owned));
            }
            Filled::Names(into, names)
        }
        "wget" | "wget2" if !call.has_any(&["-O", "--output-document"]) => {
            let names = call.operands.iter().filter_map(|url| saved_as(url)).collect();
            Filled::Names(value(&["-P", "--directory-prefix"]), names)
        }
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "tcc" | "ld" | "nasm" | "gfortran" | "ghc" | "swiftc"
        | "rustc" | "go" => Filled::These(call.values(&["-o"]).collect(), GUARD | SYSTEM),
        "split" => operands.get(1).map_or(Filled::No, |word| Filled::Start(Text::from(*word))),
        "mkdir" | "mkfifo" | "mknod" | "touch" | "gtouch" => Filled::These(all(operands), GUARD),
        _ => Filled::No,
    }
}

fn all<'r>(words: &[&'r Word]) -> Vec<Text<'r>> {
    words.iter().map(|word| Text::from(*word)).collect()
}

/// The name under which what an address gives is saved.
fn saved_as(url: &Word) -> Option<String> {
    let url = url.as_literal()?;
    let path = url.split(['?', '#']).next()?;
    path.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Whether what a copy takes is the contents of a folder and not the folder itself.
pub(crate) fn takes_contents(program: &str, source: &str) -> bool {
    let last = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    last == "." || last.contains(STAR) || matches!(program, "rsync" | "ditto") && source.ends_with('/')
}

/// What is known of a path that `find` or `fd` finds: whether it may be one of the guard's files.
pub(crate) fn found(path: Text<'_>, call: &Call<'_>, world: &World<'_>) -> Classes {
    let cwd = folder(&call.command.cwd);
    let at_root =
        |root: &Word| world.classes(&Text::from(root).marked(call.reading), cwd) & (GUARD | GUARD_FOLDER) != 0;
    let by_test = |at: &usize| {
        let argv = call.reading.commands.get(*at).map(|command| command.argv.as_slice()).unwrap_or_default();
        argv.windows(2).any(|pair| {
            let value = Text::from(&pair[1]).known_parts();
            match pair[0].as_literal() {
                Some("-name" | "-iname") => guard_name(&value),
                Some("-path" | "-ipath" | "-wholename") => value.split('/').any(guard_folder),
                _ => false,
            }
        })
    };
    let guarded = path.word.parts.iter().any(|part| match part {
        Part::Unknown(Unknown::Item { roots, commands }) => roots.iter().any(at_root) || commands.iter().any(by_test),
        _ => false,
    });
    if guarded { GUARD } else { 0 }
}

/// Whether a name is one of a file of the guard's: no pattern, which is meant for many.
fn guard_name(name: &str) -> bool {
    let is_it = |pattern: &&[&str]| match pattern.split_last() {
        Some((last, _)) => *last != "**" && !name.contains('*') && name.contains('.') && crate::glob::like(last, name),
        None => false,
    };
    // A name that many files have says nothing.
    !matches!(name, "config.toml" | "config.json") && tables::GUARD_FILES.iter().any(is_it)
}

/// Whether a name is one of a folder of the guard's.
fn guard_folder(name: &str) -> bool {
    let first = |pattern: &&[&str]| pattern.len() > 1 && pattern[0].starts_with('.') && pattern[0] == name;
    !matches!(name, ".config" | ".local" | ".github") && tables::GUARD_FILES.iter().any(first)
}

/// Whether a command looks for the guard's own process.
pub(crate) fn names_guard(call: &Call<'_>) -> bool {
    call.command.argv.iter().skip(1).any(|word| bare(&Text::from(word).known_parts()).contains("hookg"))
}
