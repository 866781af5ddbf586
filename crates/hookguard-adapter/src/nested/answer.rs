//! The answer of a hook script, read as an agent of the dialect reads it: what Claude Code 2.1.332 was seen to do with
//! each (2026-11-30; `protocols/claude-codex.md` 3a to 3c).
//!
//! It differs where Claude Code lets a call pass that a script meant to judge: an answer that begins like one and can't be
//! used is a *failure*, which the policy's own posture decides on, and no silent yes.

use hookguard_core::{Decision, Event, Moment, Verdict, clip};
use serde::Deserialize;
use serde_json::Value;

use super::report::Report;

/// How long a script's own words may be, in bytes: what stands around them must fit into a message too.
const MAX_WORDS: usize = 1500;

/// How a script ended and what it said.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'a> {
    /// Its exit code; `None` if a signal ended it.
    pub exit: Option<i32>,
    /// What it wrote.
    pub stdout: &'a str,
    /// The same of standard error.
    pub stderr: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(rename = "continue")]
    goes_on: Option<bool>,
    stop_reason: Option<String>,
    decision: Option<String>,
    reason: Option<String>,
    hook_specific_output: Option<Specific>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Specific {
    hook_event_name: String,
    permission_decision: Option<String>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Value>,
    additional_context: Option<String>,
}

/// What a script wrote to standard output.
enum Said {
    /// Nothing, or words for people.
    Words,
    Answer(Box<Answer>),
    /// It begins like an answer and is none; why.
    Unusable(String),
}

/// The verdict of a script that was shown `report` about `event`; its rule is left empty. Why it has none, as a fragment,
/// where it failed.
pub(super) fn read(event: &Event<'_>, report: &Report, heard: &Heard<'_>) -> Result<Verdict, String> {
    let moment = event.kind.moment();
    let said = said(heard.stdout, report);
    let answered = match &said {
        Said::Answer(answer) => opinion(answer, report, moment),
        Said::Words => Ok(None),
        Said::Unusable(why) => Err(format!("it gave no usable answer ({why})")),
    };
    match (heard.exit, answered) {
        // An answer with an opinion counts whatever the exit code (3a: exit 1 and JSON deny is a refusal); but exit 2 is a
        // refusal whatever the answer.
        (Some(2), Ok(Some(Opinion::Says(verdict))))
            if moment != Moment::Before || verdict.decision == Decision::Deny =>
        {
            Ok(verdict)
        }
        (Some(_), Ok(Some(Opinion::LetsStop))) => Ok(Verdict::none()),
        (Some(2), _) => Ok(refusal(moment, heard.stderr)),
        (Some(_), Ok(Some(Opinion::Says(verdict)))) => Ok(verdict),
        (Some(0), Ok(None)) => Ok(Verdict::none()),
        (Some(0), Err(why)) => Err(why),
        (Some(code), _) => Err(format!("it ended with exit code {code}{}", tail(heard.stderr))),
        (None, _) => Err(format!("a signal ended it{}", tail(heard.stderr))),
    }
}

fn said(stdout: &str, report: &Report) -> Said {
    let text = stdout.trim();
    if !text.starts_with('{') {
        // Words, unless an answer stands among them: Claude Code passes that over, and the script meant something.
        let meant = ["\"hookSpecificOutput\"", "\"permissionDecision\"", "\"decision\""];
        return match meant.iter().find(|key| text.contains(*key)) {
            Some(key) => Said::Unusable(format!("{key} stands among other text")),
            None => Said::Words,
        };
    }
    match serde_json::from_str::<Answer>(text) {
        Err(error) => Said::Unusable(error.to_string()),
        Ok(answer) => match &answer.hook_specific_output {
            Some(specific) if !names_the_event(specific, report) => {
                Said::Unusable(format!("hookEventName is {:?}", specific.hook_event_name))
            }
            _ => Said::Answer(Box::new(answer)),
        },
    }
}

/// An answer counts only under the name of its event; a snippet's event takes a tool's name too (3a, 3f).
fn names_the_event(specific: &Specific, report: &Report) -> bool {
    specific.hook_event_name == report.event
        || (report.event == "PreSkillShellCommand" && specific.hook_event_name == "PreToolUse")
}

/// What an answer says.
enum Opinion {
    Says(Verdict),
    /// The agent may stop, whatever else the answer says.
    LetsStop,
}

/// What an answer says; `None` where it has no opinion. Why it can't be used, as a fragment.
fn opinion(answer: &Answer, report: &Report, moment: Moment) -> Result<Option<Opinion>, String> {
    let says = |verdict: Verdict| Ok(Some(Opinion::Says(verdict)));
    let specific = answer.hook_specific_output.as_ref();
    let permission = specific.and_then(|specific| specific.permission_decision.as_deref());
    let reason = specific.and_then(|specific| specific.permission_decision_reason.as_deref());
    let context = specific.and_then(|specific| specific.additional_context.as_deref()).filter(|text| !blank(text));
    let blocks = match answer.decision.as_deref() {
        None | Some("approve") => false,
        Some("block") => true,
        Some(other) => return Err(format!("it gave no usable answer (decision is {other:?})")),
    };
    let stops = answer.goes_on == Some(false);
    let stop_reason = answer.stop_reason.as_deref().or(answer.reason.as_deref()).unwrap_or_default();

    match moment {
        Moment::Before => {}
        Moment::Stop if stops => return Ok(Some(Opinion::LetsStop)),
        Moment::After if stops => return says(said_after(&format!("stop here. {stop_reason}"))),
        Moment::After | Moment::Stop if blocks => {
            return says(refusal(moment, answer.reason.as_deref().unwrap_or_default()));
        }
        Moment::After | Moment::Stop => return Ok(context.map(said_after).map(Opinion::Says)),
        Moment::Aside => return Ok(None),
    }

    let decision = match permission {
        None | Some("allow") if blocks => Decision::Deny,
        // A session can't be ended from here: what is to be the last call is refused.
        None | Some("allow") if stops => return says(refusal(moment, stop_reason)),
        None | Some("allow") => Decision::None,
        // Whoever defers leaves it to a human.
        Some("ask" | "defer") => Decision::Ask,
        Some("deny") => Decision::Deny,
        Some(other) => return Err(format!("it gave no usable answer (permissionDecision is {other:?})")),
    };
    if decision > Decision::None {
        let reason = reason.or(answer.reason.as_deref()).unwrap_or_default();
        return says(Verdict { decision, ..refusal(moment, reason) });
    }
    if let Some(updated) = specific.and_then(|specific| specific.updated_input.as_ref())
        && *updated != report.input
    {
        return says(rewrite(updated, report, reason));
    }
    Ok(context.map(said_after).map(Opinion::Says))
}

/// The call with other arguments. Only a shell's command can be replaced; what else was meant is shown.
fn rewrite(updated: &Value, report: &Report, reason: Option<&str>) -> Verdict {
    let reason = reason.filter(|reason| !blank(reason)).unwrap_or("the call is to be made in another form.");
    let only_the_command = updated.get("command").and_then(Value::as_str).filter(|command| {
        let mut expected = report.input.clone();
        let same = expected.get_mut("command").map(|old| *old = Value::from(*command)).is_some();
        same && expected == *updated
    });
    match only_the_command {
        Some(command) => Verdict {
            decision: Decision::Deny,
            reason: clip(reason.trim(), MAX_WORDS).into(),
            rewrite: Some(command.to_owned()),
            ..Verdict::none()
        },
        None => Verdict {
            decision: Decision::Deny,
            reason: clip(reason.trim(), MAX_WORDS / 2).into(),
            instead: format!("call it with {}", clip(&updated.to_string(), MAX_WORDS / 2)).into(),
            ..Verdict::none()
        },
    }
}

fn refusal(moment: Moment, words: &str) -> Verdict {
    let words = if blank(words) { "it refused, and gave no reason." } else { words.trim() };
    match moment {
        Moment::Before => Verdict {
            decision: Decision::Deny,
            reason: clip(words, MAX_WORDS).into(),
            instead: "do what it says; if that leaves no way, tell the user what you need and why.".into(),
            ..Verdict::none()
        },
        _ => said_after(words),
    }
}

/// Something that the model is told, and nothing else happens.
fn said_after(words: &str) -> Verdict {
    Verdict { decision: Decision::Warn, reason: clip(words.trim(), MAX_WORDS).into(), ..Verdict::none() }
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The last line of what a script wrote to standard error, to find out why it failed.
fn tail(stderr: &str) -> String {
    match stderr.trim().lines().next_back() {
        Some(line) => format!(": {}", clip(line.trim(), 200)),
        None => String::new(),
    }
}
