//! Tools that change or read files: the same classes and rules as for commands.

use hookguard_core::{Change, FileChange};
use hookguard_shell::Word;

use crate::context::Finding;
use crate::decide::{by_id, finding};
use crate::effects::{Effect, effect};
use crate::links::Follow;
use crate::matching::{fits, is_where};
use crate::paths::World;
use crate::quality;
use crate::rule::Rule;
use crate::tables;
use crate::text::Text;

/// The findings on files that a tool changes.
pub(crate) fn edits(changes: &[FileChange], world: &World<'_>, cwd: Option<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for change in changes {
        if change.change != Change::Create && quality::checks_code(&change.path, world, cwd) {
            let rule =
                by_id("lint.settings").filter(|rule| !world.settings.excepted_path(rule, &change.path, world, cwd));
            findings.extend(rule.and_then(|rule| finding(rule, change.path.clone(), None, world.settings)));
        }
        match &change.change {
            Change::Write | Change::Create => on_file(effect::WRITE, &change.path, world, cwd, &mut findings),
            Change::Update => on_file(effect::EDIT, &change.path, world, cwd, &mut findings),
            Change::Delete => on_file(effect::DELETE, &change.path, world, cwd, &mut findings),
            Change::Move { to } => {
                on_file(effect::MOVE_AWAY, &change.path, world, cwd, &mut findings);
                on_file(effect::WRITE, to, world, cwd, &mut findings);
            }
        }
    }
    findings
}

/// The findings on files that a tool reads.
pub(crate) fn reads(paths: &[String], world: &World<'_>, cwd: Option<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in paths {
        on_file(effect::READ, path, world, cwd, &mut findings);
    }
    findings
}

/// What the rules on files say of one effect on one path.
pub(crate) fn on_file(kind: u32, path: &str, world: &World<'_>, cwd: Option<&str>, findings: &mut Vec<Finding>) {
    // Agents take a tilde for the home folder, whatever a shell would do with it in quotes.
    let expanded = match (path.strip_prefix("~/"), &world.home) {
        (Some(rest), Some(home)) => format!("/{}/{rest}", home.join("/")),
        _ => path.to_owned(),
    };
    let word = Word::literal(expanded);
    let text = Text::from(&word);
    let follow = match kind {
        effect::READ | effect::SEND => Follow::Read,
        effect::DELETE | effect::DELETE_TREE | effect::MOVE_AWAY => Follow::Parents,
        _ => Follow::All,
    };
    let (classes, place) = world.classes_on_disk(text.known().unwrap_or_default(), cwd, follow);
    let effect = Effect { kind, path: text, classes, by_redirect: false, place };
    let settings = world.settings;
    let excepted = |rule: &Rule| {
        let places = [text.known(), effect.place.as_deref()];
        places.into_iter().flatten().all(|path| settings.excepted_path(rule, path, world, cwd))
    };
    let own = settings.rules.iter().flat_map(|rules| rules.on_files().iter().filter_map(|&index| rules.get(index)));
    for rule in tables::ON_FILES.iter().map(|&index| &tables::RULES[usize::from(index)]).chain(own) {
        // What a computed rule looks at is the command, and there is none; its classes alone must be narrow enough.
        let about = rule.computed.is_none() || ALSO_FOR_FILES.contains(&rule.id);
        if about
            && fits(&rule.when, &effect)
            && is_where(&rule.when, text.known().unwrap_or_default(), cwd, world)
            && !excepted(rule)
        {
            findings.extend(finding(rule, effect.display(), None, settings));
        }
    }
}

/// Rules whose computed part only looks at how a command writes or what git has, and which hold for every file tool.
const ALSO_FOR_FILES: &[&str] = &["fs.delete.project", "secrets.read.env_file", "fs.write.outside"];
