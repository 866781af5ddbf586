//! What a command does to files: by its program's table and by its redirects.

use hookguard_shell::{Cwd, Part, RedirectKind, Stdin, Unknown, Word};

use crate::call::Call;
use crate::landing;
use crate::links::{Follow, stricter};
use crate::paths::{Classes, World, class, components};
use crate::rule::On;
use crate::scene::MAX_LOOK;
use crate::text::Text;

/// The effects, bit by bit, in the order of [`crate::pack::EFFECTS`].
pub(crate) mod effect {
    pub(crate) const READ: u32 = 1;
    pub(crate) const WRITE: u32 = 1 << 1;
    pub(crate) const APPEND: u32 = 1 << 2;
    pub(crate) const EDIT: u32 = 1 << 3;
    pub(crate) const DELETE: u32 = 1 << 4;
    pub(crate) const DELETE_TREE: u32 = 1 << 5;
    pub(crate) const MOVE_AWAY: u32 = 1 << 6;
    pub(crate) const SEND: u32 = 1 << 10;
}

/// One effect on one path.
#[derive(Debug, Clone)]
pub(crate) struct Effect<'r> {
    /// One of [`effect`].
    pub(crate) kind: u32,
    /// The path as it is written.
    pub(crate) path: Text<'r>,
    /// What sort of path it is.
    pub(crate) classes: Classes,
    /// Whether a redirect does it.
    pub(crate) by_redirect: bool,
    /// Where it really lies, if a link leads elsewhere.
    pub(crate) place: Option<String>,
}

impl Effect<'_> {
    /// The path for people.
    pub(crate) fn display(&self) -> String {
        match &self.place {
            Some(place) => format!("{}, which is {place}", self.path.display()),
            None => self.path.display(),
        }
    }
}

/// What the text has done to files before a command: new files, and links that stand for others.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    created: Vec<String>,
    links: Vec<(String, String)>,
}

/// The folder of a command, if it is known.
pub(crate) fn folder(cwd: &Cwd) -> Option<&str> {
    match cwd {
        Cwd::Known(folder) => Some(folder),
        Cwd::Unknown => None,
    }
}

/// `path` made absolute, if all of it is known.
pub(crate) fn absolute(path: &str, cwd: Option<&str>) -> Option<String> {
    if path.contains(['\u{E000}', '\u{E001}', '\u{E002}', '\u{E003}']) || path.is_empty() {
        return None;
    }
    let joined = if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", cwd?) };
    let mut parts: Vec<&str> = Vec::new();
    for part in components(&joined) {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    Some(format!("/{}", parts.join("/")))
}

/// Options that give a script or pattern, which else is the first operand (sed, grep, awk, jq).
const SCRIPT_OPTIONS: &[&str] = &["-e", "-f", "--expression", "--regexp", "--file", "--from-file"];

/// The effects of `call`, and what it leaves behind in `traces`.
pub(crate) fn effects<'r>(call: &Call<'r>, world: &World<'_>, traces: &mut Traces) -> Vec<Effect<'r>> {
    let mut found: Vec<Effect<'r>> = Vec::new();
    let operands = call.operands.get(call.sub_words..).unwrap_or_default();
    for role in call.spec.does {
        if !role.with.is_empty() && !call.has_any(role.with) || call.has_any(role.without) {
            continue;
        }
        let mut add = |path: Text<'r>| {
            let (classes, place) = classes(role.effect, path, call, world, traces);
            found.push(Effect { kind: role.effect, path, classes, by_redirect: false, place });
        };
        match role.on {
            On::All => operands.iter().for_each(|word| add(Text::from(*word))),
            On::First => operands.iter().take(1).for_each(|word| add(Text::from(*word))),
            On::Rest => operands.iter().skip(1).for_each(|word| add(Text::from(*word))),
            On::Last if operands.len() > 1 => operands.iter().rev().take(1).for_each(|word| add(Text::from(*word))),
            On::Last => {}
            On::ButLast => {
                let count = operands.len().saturating_sub(1);
                operands.iter().take(count).for_each(|word| add(Text::from(*word)));
            }
            On::AfterScript => {
                let skip = usize::from(!call.has_any(SCRIPT_OPTIONS));
                operands.iter().skip(skip).for_each(|word| add(Text::from(*word)));
            }
            On::Option(name) => call.values(&[name]).for_each(add),
            On::Text(start) => {
                for word in operands.iter().filter(|word| word.prefix().starts_with(start)) {
                    add(Text::from(*word).after(start.len()));
                }
            }
        }
    }
    into_folders(call, operands, &mut found, world);
    second_names(call, operands, &mut found, world);
    landing::effects(call, world, &mut found);
    by_redirects(call, &mut found, world, traces);
    remember(call, operands, &found, traces);
    found
}

/// A second name of a file that only humans change is a way to change it, and a copy of the guard's binary a way to run it: who
/// gives one is taken to change the file.
fn second_names<'r>(call: &Call<'r>, operands: &[&'r Word], found: &mut Vec<Effect<'r>>, world: &World<'_>) {
    if call.command.place.remote.is_some() || call.command.place.container.is_some() {
        return;
    }
    let links =
        matches!(call.program, "ln" | "gln" | "link") || call.program == "cp" && call.has_any(&["-l", "--link"]);
    if !links && !matches!(call.program, "cp" | "install" | "rsync" | "mv" | "ditto") {
        return;
    }
    let into = call.has_any(&["-t", "--target-directory"]);
    let sources = if into { operands.len() } else { operands.len().saturating_sub(1).max(1) };
    let cwd = folder(&call.command.cwd);
    for word in operands.iter().take(sources) {
        let path = Text::from(*word);
        let marked = path.marked(call.reading);
        let (classes, place) = world.classes_on_disk(&marked, cwd, Follow::All);
        let own = classes & class::GUARD != 0;
        let program = own && matches!(marked.rsplit('/').next(), Some("hookguard" | "hookguard.exe"));
        if program || links && (own || classes & (class::ACCESS_FILE | class::START_FILE) != 0) {
            found.push(Effect { kind: effect::EDIT, path, classes, by_redirect: false, place });
        }
    }
}

/// Files that are copied or moved into a folder are written there under their own names.
fn into_folders<'r>(call: &Call<'r>, operands: &[&'r Word], found: &mut [Effect<'r>], world: &World<'_>) {
    if !matches!(call.program, "cp" | "mv" | "ln" | "install" | "rsync" | "scp") || call.command.place.remote.is_some()
    {
        return;
    }
    let cwd = folder(&call.command.cwd);
    let target = call.values(&["-t", "--target-directory"]).next().or(operands.last().map(|word| Text::from(*word)));
    let (Some(target), true) = (target, operands.len() > 1) else { return };
    let special =
        class::GUARD | class::GIT_HOOK | class::SECRET | class::START_FILE | class::ACCESS_FILE | class::ENV_FILE;
    for source in operands {
        let source = Text::from(*source).marked(call.reading);
        let star = crate::glob::STAR.to_string();
        let name = match source.rsplit('/').find(|part| !part.is_empty()) {
            _ if landing::takes_contents(call.program, &source) => star.as_str(),
            Some(name) => name,
            None => continue,
        };
        let inside = world.classes(&format!("{}/{name}", target.marked(call.reading)), cwd) & special;
        for effect in found.iter_mut().filter(|effect| effect.kind & effect::WRITE != 0) {
            effect.classes |= inside;
            if let Some(place) = &effect.place {
                effect.classes |= world.classes(&format!("{place}/{name}"), None) & special;
            }
        }
    }
}

fn by_redirects<'r>(call: &Call<'r>, found: &mut Vec<Effect<'r>>, world: &World<'_>, traces: &Traces) {
    let mut add = |kind: u32, path: Text<'r>| {
        let (classes, place) = classes(kind, path, call, world, traces);
        found.push(Effect { kind, path, classes, by_redirect: true, place });
    };
    let mut read = false;
    for redirect in &call.command.redirects {
        let path = Text::from(&redirect.target);
        match redirect.kind {
            RedirectKind::Read => {
                read = true;
                add(effect::READ, path);
            }
            RedirectKind::Write | RedirectKind::ReadWrite => add(effect::WRITE, path),
            RedirectKind::Append => add(effect::APPEND, path),
        }
    }
    if let (Stdin::File(path), false) = (&call.command.stdin, read) {
        add(effect::READ, path.into());
    }
}

fn remember(call: &Call<'_>, operands: &[&Word], found: &[Effect<'_>], traces: &mut Traces) {
    let cwd = folder(&call.command.cwd);
    for effect in found.iter().filter(|effect| effect.kind & (effect::WRITE | effect::EDIT) != 0) {
        let Some(path) = absolute(&effect.path.marked(call.reading), cwd) else { continue };
        // `sed -i.bak` keeps the old text beside the new one.
        for option in call.command.argv.iter().filter_map(|word| word.as_literal()) {
            if let Some(suffix) = option.strip_prefix("-i").or(option.strip_prefix("--in-place=")) {
                traces.created.push(format!("{path}{suffix}"));
            }
        }
        if effect.kind & effect::WRITE != 0 && traces.created.len() < MAX_LOOK {
            traces.created.push(path);
        }
    }
    if call.program == "ln"
        && call.has_any(&["-s", "--symbolic"])
        && let [target, link] = operands
    {
        let link = absolute(&Text::from(*link).marked(call.reading), cwd);
        let target = Text::from(*target).marked(call.reading);
        if let Some(link) = link.filter(|_| traces.links.len() < MAX_LOOK) {
            let folder = link.rsplit_once('/').map(|(folder, _)| folder).unwrap_or_default();
            let target = absolute(&target, Some(folder)).unwrap_or_else(|| target.into_owned());
            traces.links.push((link, target));
        }
    }
}

/// What an effect does with a link that its path ends in.
fn follow(kind: u32, call: &Call<'_>) -> Follow {
    match kind {
        effect::READ | effect::SEND => Follow::Read,
        effect::DELETE | effect::DELETE_TREE | effect::MOVE_AWAY => Follow::Parents,
        // A new link takes the place of the old one.
        effect::WRITE if matches!(call.program, "ln" | "gln") => Follow::Parents,
        _ => Follow::All,
    }
}

/// The classes of a path that `call` names, where it runs, and where it lies if a link leads elsewhere.
fn classes(
    kind: u32,
    path: Text<'_>,
    call: &Call<'_>,
    world: &World<'_>,
    traces: &Traces,
) -> (Classes, Option<String>) {
    let place = &call.command.place;
    if place.remote.is_some() {
        return (class::REMOTE, None);
    }
    if comes_from_find(path, call) {
        let reads = kind & (effect::READ | effect::SEND | effect::DELETE | effect::DELETE_TREE) != 0;
        return (if reads { 0 } else { landing::found(path, call, world) }, None);
    }
    let cwd = folder(&call.command.cwd);
    let marked = path.marked(call.reading);
    if let Some(container) = &place.container {
        // Only what is mounted is the host's.
        let Some(inside) = absolute_marked(&marked, cwd) else { return (0, None) };
        let classes = container
            .mounts
            .iter()
            .filter_map(|(host, mounted)| {
                let mounted = mounted.as_literal()?.trim_end_matches('/');
                let rest = inside.strip_prefix(mounted)?;
                (rest.is_empty() || rest.starts_with('/'))
                    .then(|| world.classes(&format!("{}{rest}", Text::from(host).marked(call.reading)), None))
            })
            .fold(0, |all, classes| all | classes);
        return (classes, None);
    }
    let (mut classes, place) = world.classes_on_disk(&marked, cwd, follow(kind, call));
    if traces.created.is_empty() && traces.links.is_empty() {
        return (classes, place);
    }
    if let Some(full) = absolute_marked(&marked, cwd) {
        if traces.created.contains(&full) {
            classes |= class::CREATED;
        }
        for (link, target) in &traces.links {
            if let Some(rest) = full.strip_prefix(link.as_str()).filter(|rest| rest.starts_with('/')) {
                classes = stricter(classes, world.classes(&format!("{target}{rest}"), None));
            }
        }
        // A link that is the whole path is followed by what does not delete, move or replace it; a trailing slash always does.
        let slashed = marked.trim_end_matches(['/', '\u{E000}']).len() < marked.len();
        let follows = slashed || !matches!(follow(kind, call), Follow::Parents);
        if let Some((_, target)) = traces.links.iter().find(|(link, _)| follows && *link == full) {
            let end = if slashed { "/" } else { "" };
            classes = stricter(classes, world.classes(&format!("{target}{end}"), None));
        }
    }
    (classes, place)
}

/// Whether a path is what `find` or `fd` finds: the rule on those looks at their tests.
fn comes_from_find(path: Text<'_>, call: &Call<'_>) -> bool {
    let finds = |&at: &usize| {
        let argv = call.reading.commands.get(at).map(|command| command.argv.as_slice()).unwrap_or_default();
        let name = argv.first().and_then(Word::as_literal).map(crate::call::bare);
        matches!(name, Some("find" | "fd" | "fdfind" | "gfind"))
    };
    path.word.parts.iter().any(|part| match part {
        Part::Unknown(Unknown::Item { commands, .. }) => !commands.is_empty() && commands.iter().all(finds),
        _ => false,
    })
}

/// `path` made absolute; patterns and unknown names stay as they are.
fn absolute_marked(path: &str, cwd: Option<&str>) -> Option<String> {
    if path.starts_with('/') {
        return Some(path.trim_end_matches('/').to_owned());
    }
    let joined = format!("{}/{}", cwd?.trim_end_matches('/'), path.trim_start_matches("./"));
    Some(joined.trim_end_matches('/').to_owned())
}
