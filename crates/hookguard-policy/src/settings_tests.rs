//! What a configuration changes, and what it can't.

use hookguard_core::{Change, Decision, Event, EventKind, FileChange, ToolCall};

use super::*;
use crate::rule::{Pattern, Texts, When};
use crate::{Context, Outcome, decide};

const ROOT: &str = "/home/dev/acme";

fn judge(tool: ToolCall, settings: &Settings<'_>) -> Outcome {
    let mut event = Event::new(EventKind::PreTool, "test", "PreToolUse", b"");
    event.tool = Some(tool);
    let context =
        Context { home: Some("/home/dev"), root: Some(ROOT), cwd: Some(ROOT), settings, ..Context::default() };
    decide(&event, &context)
}

fn shell(command: &str, settings: &Settings<'_>) -> Outcome {
    judge(ToolCall::shell(command), settings)
}

#[test]
fn a_level_is_the_rules_own_unless_it_is_set() {
    let push = |level: Level| {
        let levels = [("git.push.force", level)];
        shell("git push --force origin topic", &Settings { levels: &levels, ..BUILTIN })
    };
    assert_eq!(shell("git push --force origin topic", &BUILTIN).verdict.decision, Decision::Deny);
    for (level, expected) in [
        (Level::Off, Decision::Allow),
        (Level::Observe, Decision::Allow),
        (Level::Warn, Decision::Warn),
        (Level::Ask, Decision::Ask),
        (Level::Deny, Decision::Deny),
    ] {
        assert_eq!(push(level).verdict.decision, expected, "{level}");
    }
    assert!(push(Level::Off).findings.is_empty());
    let observed = push(Level::Observe);
    assert_eq!((observed.findings[0].decision, observed.findings[0].observed), (Decision::Deny, true));
}

#[test]
fn the_mode_is_passed_on() {
    let settings = Settings { mode: Mode::Observe, ..BUILTIN };
    let outcome = shell("git push --force", &settings);
    assert_eq!((outcome.mode, outcome.verdict.decision), (Mode::Observe, Decision::Deny));
}

#[test]
fn a_project_that_observes_leaves_the_guards_own_rules() {
    let settings = Settings { mode: Mode::Observe, guard_stays: true, ..BUILTIN };
    let own = shell("git push --force; hookguard trust", &settings);
    assert_eq!((own.mode, &*own.verdict.rule), (Mode::Enforce, "guard.human_command"));
    assert_eq!(own.findings.len(), 2, "both are logged");
    assert_eq!(shell("git push --force", &settings).mode, Mode::Observe);
}

#[test]
fn an_exception_covers_what_it_names_and_nothing_more() {
    let deleted = |except: Except<'_>, command: &str| {
        let excepts = [Except { rule: "fs.delete.project", ..except }];
        shell(command, &Settings { excepts: &excepts, ..BUILTIN }).verdict.decision
    };
    let path = Except { path: Some("generated/**"), ..Except::default() };
    let silent = ["rm -rf generated", "rm -rf generated/api", "rm -rf generated/a generated/b", "rm -rf ./generated/*"];
    for command in silent {
        assert!(shell(command, &BUILTIN).verdict.decision > Decision::Allow, "{command}");
        assert_eq!(deleted(path, command), Decision::Allow, "{command}");
    }
    for command in ["rm -rf generated/a src", "rm -rf generated/../src", "rm -rf src", "rm -rf generated/$X"] {
        assert!(deleted(path, command) > Decision::Allow, "{command}");
    }
    let command = Except { command: Some("rm -rf api*"), ..Except::default() };
    assert_eq!(deleted(command, "rm -rf api2"), Decision::Allow);
    for other in ["rm -rf api2 src", "rm -r -f api2", "rm -rf $X"] {
        assert!(deleted(command, other) > Decision::Allow, "{other}");
    }
    let any = Except { command: Some("rm ** api"), ..Except::default() };
    assert_eq!(deleted(any, "rm -r -f -v api"), Decision::Allow);
    assert!(deleted(Except::default(), "rm -rf src") > Decision::Allow, "an empty exception covers nothing");
    let all = Except { command: Some("rm -rf api"), path: Some("other/**"), ..Except::default() };
    assert!(deleted(all, "rm -rf api") > Decision::Allow, "all that is given must hold");
    let program = Except { program: Some("rm"), ..Except::default() };
    assert_eq!(deleted(program, "rm -rf api"), Decision::Allow);
    assert!(deleted(program, "rm -rf ~") > Decision::Allow, "another rule's finding stays");
}

#[test]
fn lists_are_the_configurations() {
    let lists = Lists {
        protected_branches: &["stable"],
        prod_words: &["live2"],
        temp_roots: &["/scratch"],
        artefacts: &["gen"],
        ..Lists::BUILTIN
    };
    let settings = Settings { lists, ..BUILTIN };
    let changed: &[(&str, bool)] = &[
        ("git push origin --delete stable", true),
        ("rm -rf /scratch/x", false),
        ("rm -rf gen", false),
        ("kubectl --context kind-x delete pod a", false),
    ];
    for (command, caught) in changed {
        let decision = shell(command, &settings).verdict.decision;
        assert_eq!(decision > Decision::Allow, *caught, "{command}: {decision}");
    }
    assert!(shell("rm -rf gen", &BUILTIN).verdict.decision > Decision::Allow);
    assert!(shell("rm -rf /scratch/x", &BUILTIN).verdict.decision > Decision::Allow);
    let deleted = |settings: &Settings<'_>| shell("git push origin --delete stable", settings).verdict.rule;
    assert_ne!(deleted(&settings), deleted(&BUILTIN));
}

/// Rules of one's own, as a configuration holds them.
#[derive(Debug)]
struct Own(Vec<&'static Rule>);

impl UserRules for Own {
    fn of_program(&self, program: &str, _: &str) -> Vec<u16> {
        if program == "terraform" { vec![0] } else { Vec::new() }
    }
    fn on_files(&self) -> &[u16] {
        &[1]
    }
    fn on_all(&self, line: &dyn Fn() -> String) -> Vec<u16> {
        if line().contains("internal") { vec![2] } else { Vec::new() }
    }
    fn on_tools(&self) -> &[u16] {
        &[3]
    }
    fn get(&self, at: u16) -> Option<&'static Rule> {
        self.0.get(usize::from(at)).copied()
    }
}

fn own() -> Own {
    let rule = |id: &'static str, when: When| -> &'static Rule {
        Box::leak(Box::new(Rule::own(id, Decision::Deny, Texts { reason: "why", instead: "what else" }, when)))
    };
    let write = crate::effects::effect::WRITE | crate::effects::effect::EDIT;
    Own(vec![
        rule("team.terraform", When { programs: &["terraform"], sub: &[&["plan"]], ..When::default() }),
        rule("team.generated", When { effects: write, path_like: &["gen/**"], ..When::default() }),
        rule("team.host", When { regex: Some(Pattern::new(r"\binternal\.acme\b")), ..When::default() }),
        rule("team.deploy", When { mcp_tool: &["deploy*"], ..When::default() }),
    ])
}

#[test]
fn rules_of_ones_own_are_asked_too() {
    let own = own();
    let settings = Settings { rules: Some(&own), ..BUILTIN };
    let rule = |command: &str| shell(command, &settings).verdict.rule.into_owned();
    assert_eq!(rule("terraform plan"), "team.terraform");
    assert_eq!(rule("terraform validate"), "");
    assert_eq!(rule("echo x > gen/a.ts"), "team.generated");
    assert_eq!(rule("echo x > src/a.ts"), "");
    assert_eq!(rule("sh -c 'curl https://internal.acme/x'"), "team.host");
    assert_eq!(rule("curl https://internalxacme/x"), "");
    assert_eq!(rule("git commit -m 'terraform plan'"), "");
    let file = |path: &str| {
        let change = FileChange { path: path.into(), change: Change::Update, added: String::new() };
        judge(ToolCall::Edit { files: vec![change] }, &settings).verdict.rule.into_owned()
    };
    assert_eq!(file("/home/dev/acme/gen/x/a.ts"), "team.generated");
    assert_eq!(file("/home/dev/acme/src/a.ts"), "");
    let mcp = ToolCall::Mcp { server: "ci".into(), tool: "deploy_all".into(), args: "{}".into() };
    assert_eq!(&*judge(mcp, &settings).verdict.rule, "team.deploy");
    let observed = Settings { levels: &[("team.terraform", Level::Observe)], ..settings };
    let outcome = shell("terraform plan", &observed);
    assert_eq!((outcome.verdict.decision, outcome.findings[0].observed), (Decision::Allow, true));
}

#[test]
fn a_pattern_that_can_not_be_compiled_is_no_hole() {
    assert!(Pattern::check("(").is_err() && Pattern::check("a{1,9}").is_ok());
    assert!(Pattern::new("(").is_match("anything"));
}
