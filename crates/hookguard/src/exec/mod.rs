//! Scripts as policies: which of them an event concerns, what each is told, and what its answer is to us.
//!
//! A script can make things stricter, never milder: its `allow` is no opinion, and where it fails its own posture decides
//! (closed before a tool, open after it and at stop, unless its entry says otherwise).

mod matcher;
pub(crate) mod runner;

use std::path::Path;
use std::time::{Duration, Instant};

use hookguard_adapter::nested::{Heard, Report};
use hookguard_config::model::{ExecPolicy, OnFailure, PolicyForm, PolicyMoment};
use hookguard_core::{
    Decision, Event, EventKind, Moment, ToolCall, ToolClass, Verdict, clip, event_to_json, verdict_from_json,
};

use self::runner::{End, Job, Keep, Ran, Start};

/// The most that a script may print, in bytes; an answer has a few hundred.
const MAX_ANSWER: usize = 1 << 20;
/// How many scripts run at the same time: a patch of a thousand files must not be a thousand processes.
const AT_ONCE: usize = 8;
/// How long a script's own words may be in a message, in bytes.
const MAX_WORDS: usize = 1500;

/// Where scripts run, and how long they may.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage<'a> {
    /// The project's root.
    pub(crate) root: Option<&'a str>,
    /// When the last of them must have ended.
    pub(crate) until: Instant,
}

/// What scripts said.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The strictest of their verdicts; after a tool and at stop with the words of all of them.
    pub(crate) verdict: Verdict,
    /// What people should know: scripts that failed, each a fragment.
    pub(crate) notes: Vec<String>,
}

/// One script about to run.
struct Task<'a> {
    policy: &'a ExecPolicy,
    input: String,
    /// What it was shown, for one that speaks Claude Code's JSON.
    report: Option<Report>,
}

/// Asks the policies that `event` concerns, at the same time.
pub(crate) fn ask(policies: &[ExecPolicy], event: &Event<'_>, stage: &Stage<'_>) -> Said {
    let tasks: Vec<Task<'_>> = policies.iter().flat_map(|policy| tasks(policy, event)).collect();
    let mut said = Said::default();
    let root = stage.root.unwrap_or_default();
    let variables = [("CLAUDE_PROJECT_DIR", root)];
    for some in tasks.chunks(AT_ONCE) {
        let now = Instant::now();
        let job = |task| job(task, stage, now, if root.is_empty() { &[] } else { &variables });
        let jobs: Vec<Job<'_>> = some.iter().map(job).collect();
        for (task, ran) in some.iter().zip(runner::run(&jobs)) {
            said.add(task.policy, event, answer(task, event, &ran));
        }
    }
    said
}

fn tasks<'a>(policy: &'a ExecPolicy, event: &Event<'_>) -> Vec<Task<'a>> {
    if moment_of(event.kind) != Some(policy.on) || !concerns(&policy.tools, event) {
        return Vec::new();
    }
    match policy.form {
        PolicyForm::Event => vec![Task { policy, input: event_to_json(event), report: None }],
        PolicyForm::Claude => {
            let wanted = |report: &Report| {
                report.tool.as_deref().is_none_or(|tool| matcher::matches(policy.matcher.as_deref(), tool))
            };
            let reports = hookguard_claude::DIALECT.reports(event).into_iter().filter(wanted);
            reports.map(|report| Task { policy, input: report.payload.clone(), report: Some(report) }).collect()
        }
    }
}

/// When a policy is asked. At a subagent's end nothing is: a compaction fires it too.
fn moment_of(kind: EventKind) -> Option<PolicyMoment> {
    match kind {
        EventKind::PreTool => Some(PolicyMoment::PreTool),
        EventKind::PostTool => Some(PolicyMoment::PostTool),
        EventKind::Stop => Some(PolicyMoment::Stop),
        _ => None,
    }
}

/// Whether a policy for these classes of tools is asked about the event. A shell command that is a patch is an edit too.
fn concerns(classes: &[ToolClass], event: &Event<'_>) -> bool {
    if classes.is_empty() || event.kind == EventKind::Stop {
        return true;
    }
    event.tool.as_ref().is_some_and(|tool| {
        let patch = matches!(tool, ToolCall::Shell { patch, .. } if !patch.is_empty());
        classes.contains(&tool.class()) || (patch && classes.contains(&ToolClass::Edit))
    })
}

fn job<'a>(task: &'a Task<'_>, stage: &Stage<'a>, now: Instant, variables: &'a [(&'static str, &'a str)]) -> Job<'a> {
    Job {
        start: Start::Shell(&task.policy.command),
        cwd: stage.root.map(Path::new),
        variables,
        input: task.input.as_bytes(),
        until: stage.until.min(now + Duration::from_millis(task.policy.timeout_ms)),
        keep: Keep::All(MAX_ANSWER),
    }
}

/// What a script's end and output are to us; why it failed, as a fragment.
fn answer(task: &Task<'_>, event: &Event<'_>, ran: &Ran) -> Result<Verdict, String> {
    let exit = match &ran.end {
        End::Exit(code) => Some(*code),
        End::Signal(_) => None,
        End::TimedOut => return Err(format!("it was ended after {} ms", ran.elapsed.as_millis())),
        End::TooMuchOutput => return Err(format!("it printed more than {MAX_ANSWER} bytes")),
        End::NotStarted(why) => return Err(format!("it could not be started: {why}")),
    };
    match &task.report {
        Some(report) => {
            let heard = Heard { exit, stdout: &ran.stdout, stderr: &ran.stderr };
            hookguard_claude::DIALECT.read_answer(event, report, &heard)
        }
        None => match exit {
            Some(0) => verdict_from_json(&ran.stdout).map_err(|error| error.to_string()),
            Some(code) => Err(format!("it ended with exit code {code}{}", last_line(&ran.stderr))),
            None => Err(format!("a signal ended it{}", last_line(&ran.stderr))),
        },
    }
}

fn last_line(stderr: &str) -> String {
    stderr.trim().lines().next_back().map_or_else(String::new, |line| format!(": {}", clip(line.trim(), 200)))
}

impl Said {
    fn add(&mut self, policy: &ExecPolicy, event: &Event<'_>, answer: Result<Verdict, String>) {
        let moment = event.kind.moment();
        let verdict = match answer {
            Ok(verdict) => complete(policy, moment, verdict),
            Err(why) => {
                self.notes.push(format!("policy {} failed: {why}", policy.id));
                match policy.on_failure() {
                    OnFailure::Open => return,
                    OnFailure::Closed => failed(policy, moment, &why),
                }
            }
        };
        join_verdict(&mut self.verdict, verdict);
    }
}

fn join(all: &mut Option<String>, more: Option<&str>) {
    let Some(more) = more else { return };
    match all {
        Some(text) => {
            text.push('\n');
            text.push_str(more);
        }
        None => *all = Some(more.to_owned()),
    }
}

/// A script's verdict with all that one of ours has.
fn complete(policy: &ExecPolicy, moment: Moment, verdict: Verdict) -> Verdict {
    let own = verdict.rule.trim_start_matches(&policy.id).trim_start_matches('.');
    let rule = if own.is_empty() { policy.id.clone() } else { format!("{}.{}", policy.id, clip(own, 64)) };
    let said = |text: &str| format!("hookguard [{rule}]: {}", clip(text.trim(), MAX_WORDS));
    let worded = |words: Option<&String>| {
        let reason = (verdict.decision > Decision::Allow).then(|| match (&*verdict.reason, &*verdict.instead) {
            ("", _) => "the policy objects, and gave no reason.".to_owned(),
            (reason, "") => reason.to_owned(),
            (reason, instead) => format!("{reason}\nInstead: {instead}"),
        });
        words.cloned().or(reason).map(|text| said(&text))
    };
    match moment {
        Moment::After => {
            let feedback = worded(verdict.feedback.as_ref());
            let decision = if feedback.is_some() { Decision::Warn } else { Decision::None };
            Verdict { decision, rule: rule.into(), feedback, resume: None, ..verdict }
        }
        Moment::Stop => {
            let resume = worded(verdict.resume.as_ref().or(verdict.feedback.as_ref()));
            let decision = if resume.is_some() { Decision::Warn } else { Decision::None };
            Verdict { decision, rule: rule.into(), resume, feedback: None, ..verdict }
        }
        Moment::Before | Moment::Aside => {
            // A replacement is a refusal of what it replaces.
            let decision = if verdict.rewrite.is_some() { Decision::Deny } else { verdict.decision };
            let or = |text: std::borrow::Cow<'static, str>, default: &'static str| {
                if text.is_empty() && decision > Decision::Allow { default.into() } else { text }
            };
            let feedback = verdict.feedback.as_ref().map(|text| said(text));
            Verdict {
                decision,
                rule: if decision > Decision::Allow { rule.into() } else { "".into() },
                reason: or(verdict.reason, "the policy objects, and gave no reason."),
                instead: or(verdict.instead, "tell the user what you need and why."),
                feedback,
                resume: None,
                ..verdict
            }
        }
    }
}

/// The verdict in the place of one that a script failed to give, where its posture is closed.
fn failed(policy: &ExecPolicy, moment: Moment, why: &str) -> Verdict {
    let id = &policy.id;
    let verdict = Verdict {
        decision: Decision::Ask,
        reason: format!("the policy script failed ({why}), so nothing has judged this call.").into(),
        instead: "tell the user, who can mend the script or decide; do not work around it.".into(),
        ..Verdict::none()
    };
    match moment {
        Moment::Before | Moment::Aside => Verdict { rule: id.clone().into(), ..verdict },
        Moment::After | Moment::Stop => {
            let words = format!("the policy script failed ({why}). Tell the user, who can mend it.");
            complete(policy, moment, Verdict { decision: Decision::Warn, reason: words.into(), ..Verdict::none() })
        }
    }
}

/// Joins what scripts said with what the policy found: the strictest wins, and words after a tool and at stop are added up.
pub(crate) fn join_verdict(verdict: &mut Verdict, said: Verdict) {
    join(&mut verdict.feedback, said.feedback.as_deref());
    join(&mut verdict.resume, said.resume.as_deref());
    if said.decision > verdict.decision {
        let (feedback, resume) = (verdict.feedback.take(), verdict.resume.take());
        *verdict = Verdict { feedback, resume, ..said };
    }
}

#[cfg(test)]
mod tests;
