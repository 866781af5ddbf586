//! What becomes of an ask where nobody can be asked: it waits under a code, or passes because a human has allowed it.

use hookguard_core::{Capabilities, Decision, Event, Mode, Moment, ToolCall, Verdict};
use hookguard_judge::redact;
use hookguard_policy::Outcome;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::config;
use crate::pipeline::Place;
use crate::state::codes::{self, Asked, Knock};

/// The digits of a code: no letter that is taken for another.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// How many of them a code has: a code is typed by hand, and two calls with the same one harm nobody (`codes`).
const LENGTH: usize = 6;
/// How much of a call a human is shown, in bytes. Nobody allows what they can't read: a longer one has no code.
const MAX_SHOWN: usize = 16 << 10;
/// So many findings and the policy keeps no more of them (`hookguard-policy`): one of the guard's own may be missing.
const MANY_FINDINGS: usize = 100;

/// Whether a human's code may let this pass: it is an ask, nobody can be asked, and nothing in it is the guard's own affair.
pub(crate) fn releasable(event: &Event<'_>, can: &Capabilities, outcome: &Outcome) -> bool {
    let own = |rule: &str| rule.starts_with("guard.");
    outcome.verdict.decision == Decision::Ask
        && outcome.mode == Mode::Enforce
        && event.kind.moment() == Moment::Before
        && can.deny
        && !can.ask
        && !own(&outcome.verdict.rule)
        && outcome.findings.len() < MANY_FINDINGS
        && !outcome.findings.iter().any(|finding| finding.decision >= Decision::Ask && own(finding.rule))
}

/// Lets an ask pass that a human has allowed, or gives it its code. Gives a note for the log where it passes. For every other
/// verdict this is one comparison.
pub(super) fn settle(
    place: &Place<'_>,
    event: &Event<'_>,
    can: impl FnOnce() -> Capabilities,
    outcome: &mut Outcome,
) -> Option<String> {
    if outcome.verdict.decision != Decision::Ask || !releasable(event, &can(), outcome) {
        return None;
    }
    let state = config::state(place.surroundings, place.root.as_deref())?;
    let asked = asked(place, event, outcome)?;
    let code = asked.code.clone();
    match codes::knock(state, asked, event.call_id.as_deref()) {
        Knock::Passes => {
            let verdict = std::mem::take(&mut outcome.verdict);
            let Verdict { rule, evidence, feedback, .. } = verdict;
            outcome.verdict = Verdict { rule, evidence, feedback, ..Verdict::allow() };
            Some(format!("a human allowed it by the code {code}"))
        }
        Knock::Waits => {
            outcome.verdict.release = Some(code);
            None
        }
        Knock::Nowhere => None,
    }
}

/// What tells a call from every other. The agent is not in it: doubled hooks may stand under two agents' names.
#[derive(Serialize)]
struct Exactly<'a> {
    v: u8,
    /// The project's root, or the session where there is none.
    root: &'a str,
    cwd: Option<&'a str>,
    tool: &'a ToolCall,
    /// Everything that was found: a script that has changed since is another call.
    found: Vec<(&'a str, &'a str)>,
}

fn asked(place: &Place<'_>, event: &Event<'_>, outcome: &Outcome) -> Option<Asked> {
    let verdict = &outcome.verdict;
    let mut found: Vec<_> = outcome.findings.iter().map(|of| (of.rule, of.evidence.as_str())).collect();
    found.push((&verdict.rule, &verdict.evidence));
    let tool = event.tool.as_ref()?;
    let root = place.root.as_deref().or(event.session.as_deref()).unwrap_or_default();
    let cwd = event.cwd.as_deref().or(place.surroundings.cwd.as_deref());
    let exactly = serde_json::to_vec(&Exactly { v: 1, root, cwd, tool, found }).ok()?;
    let digest = Sha256::digest(&exactly);
    let own = match tool {
        ToolCall::Shell { cwd, .. } => cwd.as_deref(),
        _ => None,
    };
    let subject = redact(&shown(tool)).text.into_owned();
    (subject.len() <= MAX_SHOWN).then(|| Asked {
        code: code(&digest),
        call: digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")),
        agent: event.agent.to_owned(),
        session: event.session.clone(),
        cwd: own.or(cwd).map(str::to_owned),
        tool: tool.class().to_string(),
        subject,
        rule: verdict.rule.to_string(),
        reason: verdict.reason.to_string(),
    })
}

/// A call as a human is shown it, whole.
fn shown(tool: &ToolCall) -> String {
    match tool {
        ToolCall::Shell { command, .. } => command.clone(),
        ToolCall::Edit { files } => {
            let file = |file: &hookguard_core::FileChange| {
                let to = match &file.change {
                    hookguard_core::Change::Move { to } => format!(" to {to}"),
                    _ => String::new(),
                };
                format!("{}{to} ({} bytes of text)", file.path, file.added.len())
            };
            files.iter().map(file).collect::<Vec<_>>().join("\n")
        }
        ToolCall::Read { paths } => paths.join("\n"),
        ToolCall::Fetch { url } => url.clone(),
        ToolCall::Mcp { server, tool, args } => format!("{server} {tool} {args}"),
        ToolCall::Input { text } => text.clone(),
        ToolCall::Other { name, input } => format!("{name} {input}"),
    }
}

/// The first bits of a digest as a code.
fn code(digest: &[u8]) -> String {
    let bits = digest.iter().take(8).fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    (0..LENGTH).map(|at| char::from(DIGITS[(bits >> (64 - 5 * (at + 1)) & 31) as usize])).collect()
}

#[cfg(test)]
mod tests {
    use hookguard_core::EventKind;

    use super::*;
    use crate::surroundings::Surroundings;

    fn of(command: &str, cwd: &str, root: Option<&str>, rule: &'static str) -> Asked {
        let surroundings = Surroundings::default();
        let place = Place {
            surroundings: &surroundings,
            root: root.map(str::to_owned),
            look: false,
            settings: <&hookguard_policy::Settings<'_>>::default(),
        };
        let mut event = Event::new(EventKind::PreTool, "codex", "PreToolUse", b"");
        event.tool = Some(ToolCall::shell(command));
        event.cwd = Some(cwd.to_owned());
        event.session = Some("s".to_owned());
        let verdict = Verdict { rule: rule.into(), ..Verdict::default() };
        asked(&place, &event, &Outcome { verdict, ..Outcome::default() }).unwrap()
    }

    #[test]
    fn a_code_is_the_calls_own() {
        let first = of("sudo ls", "/p", Some("/p"), "system.sudo");
        assert_eq!(first, of("sudo ls", "/p", Some("/p"), "system.sudo"));
        assert!(first.code.len() == LENGTH && first.code.bytes().all(|byte| DIGITS.contains(&byte)), "{first:?}");
        let others = [
            of("sudo  ls", "/p", Some("/p"), "system.sudo"),
            of("sudo ls", "/p/sub", Some("/p"), "system.sudo"),
            of("sudo ls", "/p", Some("/"), "system.sudo"),
            of("sudo ls", "/p", None, "system.sudo"),
            of("sudo ls", "/p", Some("/p"), "another.rule"),
        ];
        for other in others {
            assert_ne!((first.code.as_str(), first.call.as_str()), (other.code.as_str(), other.call.as_str()));
        }
    }

    #[test]
    fn secrets_are_told_apart_and_not_shown() {
        let one = of("sudo x --token=aaaaaaaa", "/p", None, "r");
        let two = of("sudo x --token=bbbbbbbb", "/p", None, "r");
        assert_eq!(one.subject, two.subject);
        assert_ne!(one.call, two.call);
        assert!(!one.subject.contains("aaaa"), "{}", one.subject);
    }
}
