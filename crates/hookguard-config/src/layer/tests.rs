//! Stacks of layers, and what counts of them.

use hookguard_core::Level;

use super::*;
use crate::parse;

fn builtin() -> Builtin<'static> {
    Builtin {
        rules: vec![
            ("fs.delete.project", Level::Ask),
            ("git.push.force", Level::Deny),
            ("git.reset.hard", Level::Ask),
            ("guard.settings", Level::Deny),
        ],
        lists: vec![(ListName::ProtectedBranches, vec!["main", "master"]), (ListName::Artefacts, vec!["dist"])],
    }
}

fn file(layer: Layer, text: &str, pinned: bool) -> LayerFile {
    let text = format!("version = 1\n{text}");
    LayerFile { layer, parsed: parse(text.as_bytes()).unwrap(), bytes: text.into_bytes(), pinned }
}

/// What counts, as one line, and what is held back.
fn told(stack: &Stack) -> (String, Vec<String>) {
    let mut out = vec![format!("mode={}", stack.mode.value)];
    let builtin = builtin();
    for (id, level) in &stack.levels {
        if !builtin.rules.contains(&(id.as_str(), level.value)) {
            out.push(format!("{id}={}", level.value));
        }
    }
    out.extend(stack.excepts.iter().map(|(except, _)| format!("except {}", except.rule)));
    for (name, list) in set_lists(stack) {
        out.push(format!("{name}={}", list.join(",")));
    }
    out.extend(stack.policies.iter().map(|(policy, _)| format!("policy {}", policy.id)));
    out.extend(stack.checks.iter().map(|(check, _)| format!("check {}", check.id)));
    let held = stack.held.iter().map(|held| format!("{} {}: {:?}", held.origin.layer, held.what, held.why)).collect();
    (out.join(" "), held)
}

fn set_lists(stack: &Stack) -> impl Iterator<Item = (&ListName, &Vec<String>)> {
    stack.lists.iter().filter(|(_, list)| list.origin.is_some()).map(|(name, list)| (name, &list.value))
}

use Layer::{Local, Managed, Project, User};

/// Files (layer, text, pinned), what counts, what is held back.
type Row<'a> = (&'a [(Layer, &'a str, bool)], &'a str, &'a [&'a str]);

const LOOSE: &str = "mode = \"observe\"\n[rules]\n\"git.push.force\" = \"warn\"\n\"fs.delete.project\" = \"deny\"\n\
    [[except]]\nrule = \"git.reset.hard\"\ncommand = \"git reset --hard\"\nreason = \"r\"\n\
    [lists]\nprotected_branches = [\"main\"]\nartefacts = { add = [\"gen\"] }\n\
    [[policy]]\nid = \"p\"\non = \"stop\"\ncommand = \"x\"\n[[stop.check]]\nid = \"c\"\ncommand = \"x\"\n";
const LOOSE_COUNTS: &str = "mode=observe fs.delete.project=deny git.push.force=warn except git.reset.hard \
    protected_branches=main artefacts=dist,gen policy p check c";
const LOOSE_HELD: [&str; 7] = [
    "mode = \"observe\": Loosens",
    "\"git.push.force\" = \"warn\": Loosens",
    "the exception to git.reset.hard: Loosens",
    "the list protected_branches: Loosens",
    "the list artefacts: Loosens",
    "the policy p: RunsCode",
    "the check c: RunsCode",
];

#[test]
fn a_projects_file_only_tightens_until_it_is_trusted() {
    for layer in [Managed, User] {
        assert_eq!(told(&stack(&builtin(), vec![file(layer, LOOSE, false)])), (LOOSE_COUNTS.to_owned(), vec![]));
    }
    for layer in [Project, Local] {
        let held: Vec<String> = LOOSE_HELD.iter().map(|held| format!("{layer} {held}")).collect();
        let tightened = "mode=enforce fs.delete.project=deny".to_owned();
        assert_eq!(told(&stack(&builtin(), vec![file(layer, LOOSE, false)])), (tightened, held));
        assert_eq!(told(&stack(&builtin(), vec![file(layer, LOOSE, true)])), (LOOSE_COUNTS.to_owned(), vec![]));
    }
}

#[test]
fn what_counts_and_what_is_held_back() {
    let hash = ContentHash::of(format!("version = 1\n{LOOSE}").as_bytes());
    let listed = format!("trusted = [\"{hash}\"]\n");
    let push = |level: &str| format!("[rules]\n\"git.push.force\" = \"{level}\"\n");
    let (off, warn, ask, deny) = (push("off"), push("warn"), push("ask"), push("deny"));
    let rows: &[Row<'_>] = &[
        (&[(Managed, &listed, false), (Project, LOOSE, false)], LOOSE_COUNTS, &[]),
        (
            &[(User, &listed, false), (Project, "", false)],
            "mode=enforce",
            &["user the list of trusted hashes: ManagedOnly"],
        ),
        // The administrator's word is a floor, also through a file that has tightened in between.
        (
            &[(Managed, &ask, false), (User, &off, false)],
            "mode=enforce git.push.force=ask",
            &["user \"git.push.force\" = \"off\": Managed"],
        ),
        (
            &[(Managed, &ask, false), (Project, &deny, false), (Local, &warn, true)],
            "mode=enforce",
            &["local \"git.push.force\" = \"warn\": Managed"],
        ),
        (&[(Managed, &ask, false), (User, &deny, false)], "mode=enforce", &[]),
        // The user's own lowering is where a project starts; it may go up again, not further down.
        (&[(User, &warn, false), (Project, &ask, false)], "mode=enforce git.push.force=ask", &[]),
        (
            &[(User, &ask, false), (Project, &off, false)],
            "mode=enforce git.push.force=ask",
            &["project \"git.push.force\" = \"off\": Loosens"],
        ),
        // Names with `*`: the longer name stands over the shorter, the id over both; the guard's own are not meant.
        (
            &[(User, "[rules]\n\"*\" = \"off\"\n\"git.*\" = \"warn\"\n\"git.push.force\" = \"ask\"\n", false)],
            "mode=enforce fs.delete.project=off git.push.force=ask git.reset.hard=warn",
            &[],
        ),
        (
            &[(Project, "[rules]\n\"git.*\" = \"ask\"\n", false)],
            "mode=enforce",
            &["project \"git.*\" = \"ask\": Loosens"],
        ),
        // The guard's own protection is the user's to change, by name.
        (&[(User, "[rules]\n\"guard.settings\" = \"ask\"\n", false)], "mode=enforce guard.settings=ask", &[]),
        (
            &[(Project, "[rules]\n\"guard.settings\" = \"ask\"\n", true)],
            "mode=enforce",
            &["project \"guard.settings\" = \"ask\": Guard"],
        ),
        (
            &[(Local, "[[except]]\nrule = \"guard.settings\"\npath = \".claude/x\"\nreason = \"r\"\n", true)],
            "mode=enforce",
            &["local the exception to guard.settings: Guard"],
        ),
        // Lists: names that protect may come, names that excuse may go.
        (
            &[(Project, "[lists]\nprotected_branches = { add = [\"live\"] }\nartefacts = []\n", false)],
            "mode=enforce protected_branches=main,master,live artefacts=",
            &[],
        ),
        (
            &[(User, "[[except]]\nrule = \"git.reset.hard\"\ncomand = \"git reset\"\nreason = \"r\"\n", false)],
            "mode=enforce",
            &["user the exception to git.reset.hard: Unclear"],
        ),
        (
            &[
                (
                    Managed,
                    "[[rule]]\nid = \"a.b\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\nprogram = [\"x\"]\n",
                    false,
                ),
                (
                    Project,
                    "[[rule]]\nid = \"a.b\"\nlevel = \"warn\"\nreason = \"r\"\ninstead = \"i\"\nprogram = [\"x\"]\n",
                    false,
                ),
            ],
            "mode=enforce a.b=ask",
            &["project the rule a.b: Taken"],
        ),
    ];
    for (files, counts, held) in rows {
        let stack = stack(&builtin(), files.iter().map(|(layer, text, pinned)| file(*layer, text, *pinned)).collect());
        assert_eq!(
            told(&stack),
            ((*counts).to_owned(), held.iter().map(|held| (*held).to_owned()).collect()),
            "{files:?}"
        );
    }
}

#[test]
fn a_rule_that_does_not_exist_is_told_with_the_nearest_name() {
    let text =
        "[rules]\n\"git.push.froce\" = \"off\"\n[[except]]\nrule = \"git.reset.hrd\"\nsub = \"x\"\nreason = \"r\"\n";
    let stack = stack(&builtin(), vec![file(User, text, false)]);
    let unknown: Vec<String> = stack
        .unknown
        .iter()
        .map(|(layer, fault)| format!("{layer} {fault} {}", fault.hint.as_deref().unwrap_or("")))
        .collect();
    assert_eq!(
        unknown,
        [
            "user 3:1: no rule is called `git.push.froce` did you mean `git.push.force`?",
            "user 5:1: no rule is called `git.reset.hrd` did you mean `git.reset.hard`?",
        ]
    );
}
