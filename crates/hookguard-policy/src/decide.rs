//! The decision: which rules look at an event, and what the strictest of them says.

use hookguard_core::{Decision, Dialect, Event, EventKind, Level, Mode, ToolCall, Verdict};
use hookguard_shell::{Env, MAX_TEXT_BYTES, Reading};

use crate::context::{Context, Finding, Outcome, Question};
use crate::matching::Sight;
use crate::rule::{Hit, Rule};
use crate::scene::{self, MAX_LOOK, Scene};
use crate::scripts::{self, Told};
use crate::settings::Settings;
use crate::{agent_homes, files, matching, patches, remote_tools, tables};

/// Decides on `event`.
///
/// Only what is about to happen is decided: a tool call before it runs, and a request for the permission to run one. A
/// command that was read and found harmless is an explicit allow; a tool that no rule looks at gives no opinion.
pub fn decide(event: &Event<'_>, context: &Context<'_>) -> Outcome {
    let mut outcome = Outcome { mode: context.settings.mode, ..by_tool(event, context) };
    if outcome.mode == Mode::Observe && context.settings.guard_stays {
        let own = |finding: &Finding| finding.rule.starts_with("guard.") && !finding.observed;
        let findings: Vec<Finding> = outcome.findings.iter().filter(|finding| own(finding)).cloned().collect();
        if !findings.is_empty() {
            let rest = std::mem::take(&mut outcome.findings);
            outcome.verdict = Verdict::allow();
            add(&mut outcome, findings);
            outcome.findings = rest;
            outcome.mode = Mode::Enforce;
        }
    }
    outcome
}

fn by_tool(event: &Event<'_>, context: &Context<'_>) -> Outcome {
    if !matches!(event.kind, EventKind::PreTool | EventKind::PermissionRequest) {
        return Outcome::default();
    }
    let cwd = event.cwd.as_deref().or(context.cwd);
    match &event.tool {
        // Its `patch` is what a search found; what the shell would really run is read here.
        Some(ToolCall::Shell { command, cwd: own, patch: _, dialect }) => {
            let cwd = own.as_deref().or(cwd);
            match dialect {
                Dialect::Posix => shell(command, cwd, context),
                Dialect::PowerShell | Dialect::Cmd => foreign(command, cwd, context),
            }
        }
        Some(ToolCall::Input { text }) => shell(text, cwd, context),
        Some(ToolCall::Edit { files }) => on_files(context, cwd, |world| files::edits(files, world, cwd)),
        Some(ToolCall::Read { paths }) => on_files(context, cwd, |world| files::reads(paths, world, cwd)),
        Some(ToolCall::Fetch { url }) => {
            let mut outcome = Outcome::default();
            add(&mut outcome, remote_tools::fetches(url, context.settings));
            outcome
        }
        Some(ToolCall::Mcp { server, tool, args }) => {
            let mut commands = Vec::new();
            let mut outcome = on_files(context, cwd, |world| {
                let call = remote_tools::mcp(server, tool, args, world, cwd);
                commands = call.commands;
                call.findings
            });
            for command in &commands {
                let inner = shell(command, cwd, context);
                outcome.questions.extend(inner.questions);
                add(&mut outcome, inner.findings);
            }
            outcome
        }
        Some(ToolCall::Other { name, input }) => {
            on_files(context, cwd, |world| remote_tools::other(name, input, world, cwd))
        }
        None => Outcome::default(),
    }
}

/// Decides on files that a tool names.
fn on_files(
    context: &Context<'_>,
    cwd: Option<&str>,
    look: impl FnOnce(&crate::paths::World<'_>) -> Vec<Finding>,
) -> Outcome {
    let world = scene::world(context, cwd);
    let mut outcome = Outcome::default();
    add(&mut outcome, look(&world));
    outcome.questions = world.links.questions();
    outcome
}

/// Decides on a command line.
fn shell(text: &str, cwd: Option<&str>, context: &Context<'_>) -> Outcome {
    let told = Told::of(context);
    let homes = agent_homes::vars(text, context.home);
    let vars: Vec<(&str, &str)> = homes.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let env = Env { cwd, home: context.home, vars: &vars, known: &told.known() };
    let reading = hookguard_shell::read(text, &env);
    // Whether it can be read is the text's matter; what its scripts hold comes on top.
    let alone = (!env.known.is_empty()).then(|| hookguard_shell::read(text, &Env { known: &[], ..env }));
    let (mut findings, mut questions) = (Vec::new(), Vec::new());
    let lost_track = {
        let world = scene::world(context, cwd);
        let scene = Scene::new(&reading, &world, context);
        for at in 0..scene.calls.len() {
            look(&scene, at, &mut findings, &mut questions);
        }
        patches::look(&reading, &scene, &mut findings);
        questions.extend(world.links.questions());
        questions.extend(scripts::questions(&scene));
        scene.lost_track() || world.links.gave_up()
    };
    // Scripts that take too much to read must not hide what stands behind them.
    if let Some(alone) = alone.as_ref().filter(|alone| alone.errors != reading.errors) {
        let world = scene::world(context, cwd);
        let scene = Scene::new(alone, &world, context);
        for at in 0..scene.calls.len() {
            look(&scene, at, &mut findings, &mut questions);
        }
    }
    let own = alone.as_ref().unwrap_or(&reading);
    if text.len() > MAX_TEXT_BYTES || own.commands.len() > MAX_LOOK || lost_track || !own.errors.is_empty() {
        findings.extend(unreadable(own, text, context.settings));
    }
    let mut outcome = Outcome {
        verdict: Verdict::allow(),
        mode: Mode::default(),
        questions,
        reading: Some(reading),
        ..Outcome::default()
    };
    add(&mut outcome, findings);
    // What a question could settle is moot where something else is refused, unless that has another name here.
    if outcome.verdict.decision == Decision::Deny {
        outcome.questions.retain(|question| matches!(question, Question::Real { .. }));
    }
    outcome
}

/// Decides on a command line of PowerShell or cmd: their quoting is not a POSIX shell's, so what can't be read is no
/// reason to ask; their verbs are known by name, and their paths by `/`.
fn foreign(text: &str, cwd: Option<&str>, context: &Context<'_>) -> Outcome {
    let mut outcome = shell(&text.replace('\\', "/"), cwd, context);
    outcome.findings.retain(|finding| finding.rule != "shell.unparseable");
    let findings = std::mem::take(&mut outcome.findings);
    outcome.verdict = Verdict::allow();
    add(&mut outcome, findings);
    outcome
}

/// Lets every rule that may be about the command at `at` look at it.
fn look(scene: &Scene<'_>, at: usize, findings: &mut Vec<Finding>, questions: &mut Vec<Question>) {
    let call = &scene.calls[at];
    let sight = Sight::of(scene, at);
    let mut ask = |rule: &'static Rule| {
        if sight.may_match(rule) {
            ask(rule, scene, at, findings, questions);
        }
    };
    let of = |indexes: &'static [u16]| indexes.iter().map(|&index| &tables::RULES[usize::from(index)]);
    let on_files = if scene.effects[at].is_empty() { &[] } else { tables::ON_FILES };
    of(call.known.rules).chain(of(on_files)).chain(of(tables::ON_ALL)).for_each(&mut ask);
    let Some(rules) = scene.context.settings.rules else { return };
    let named = rules.of_program(call.program, call.operand(0).unwrap_or_default());
    let on_files = if scene.effects[at].is_empty() { &[] } else { rules.on_files() };
    let on_all = rules.on_all(&|| call.line());
    named.iter().chain(on_files).chain(&on_all).filter_map(|&index| rules.get(index)).for_each(ask);
}

/// Lets `rule` look at the command at `at`.
fn ask(rule: &'static Rule, scene: &Scene<'_>, at: usize, findings: &mut Vec<Finding>, questions: &mut Vec<Question>) {
    let Some(Hit { evidence, question }) = matching::matches(rule, scene, at) else { return };
    let settings = scene.context.settings;
    if settings.excepted(rule, scene, at) {
        return;
    }
    let evidence = scripts::evidence(&scene.calls[at], evidence);
    let Some(finding) = finding(rule, evidence, Some(at), settings) else { return };
    if let Some(question) = question
        && !finding.observed
        && !questions.contains(&question)
    {
        questions.push(question);
    }
    push(findings, finding);
}

/// More findings than anybody reads; beyond them only stricter ones are kept.
const MAX_FINDINGS: usize = 100;

fn push(findings: &mut Vec<Finding>, finding: Finding) {
    let least = |other: &Finding| !other.observed && other.decision >= finding.decision;
    if findings.len() >= MAX_FINDINGS && (finding.observed || findings.iter().any(least)) {
        return;
    }
    let known = findings.iter().any(|other| other.rule == finding.rule && other.evidence == finding.evidence);
    if !known {
        findings.push(finding);
    }
}

/// The finding of `rule`, as seriously as the configuration takes it; none where it is off.
pub(crate) fn finding(
    rule: &'static Rule,
    evidence: String,
    command: Option<usize>,
    settings: &Settings<'_>,
) -> Option<Finding> {
    let (decision, observed) = match settings.level(rule.id) {
        None => (rule.level, false),
        Some(Level::Off) => return None,
        Some(Level::Observe) => (rule.level, true),
        Some(level) => (level.decision(), false),
    };
    Some(Finding {
        rule: rule.id,
        decision,
        reason: rule.reason.to_owned(),
        instead: rule.instead.to_owned(),
        evidence,
        command,
        observed,
    })
}

/// The findings on a text that could not be read to its end.
fn unreadable(reading: &Reading, text: &str, settings: &Settings<'_>) -> Option<Finding> {
    let (id, evidence) = match reading.errors.first() {
        Some(error) if text.len() <= MAX_TEXT_BYTES => {
            ("shell.unparseable", format!("{} at byte {}", error.what, error.at))
        }
        _ => ("shell.too_long", format!("{} bytes, {} commands", text.len(), reading.commands.len())),
    };
    finding(by_id(id)?, evidence, None, settings)
}

/// A rule that the decision itself applies.
pub(crate) fn by_id(id: &str) -> Option<&'static Rule> {
    tables::RULES.iter().find(|rule| rule.id == id)
}

/// Adds findings and lets the strictest decide.
fn add(outcome: &mut Outcome, findings: Vec<Finding>) {
    outcome.findings.extend(findings);
    let mut strictest: Option<&Finding> = None;
    for finding in outcome.findings.iter().filter(|finding| !finding.observed) {
        if strictest.is_none_or(|other| finding.decision > other.decision) {
            strictest = Some(finding);
        }
    }
    if let Some(finding) = strictest.filter(|finding| finding.decision > outcome.verdict.decision) {
        outcome.verdict = Verdict {
            decision: finding.decision,
            rule: finding.rule.into(),
            reason: finding.reason.clone().into(),
            instead: finding.instead.clone().into(),
            evidence: finding.evidence.clone(),
            ..Verdict::default()
        };
    }
}
