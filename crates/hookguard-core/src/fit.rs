//! A verdict fitted to what the agent can be told. Never weaker than the verdict.

use serde::Serialize;

use crate::{Capabilities, Decision, MAX_MESSAGE_BYTES, Moment, Verdict, clip};

/// What is told to the agent now, and what could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fitted {
    /// What the agent is told now.
    pub told: Told,
    /// A note for the user, where the agent can show one.
    pub note: Option<String>,
    /// What the model should hear at the next chance: it waits in the session's queue.
    pub queued: Option<String>,
}

/// What an agent is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// Nothing: go on as usual.
    Nothing,
    /// Go on, and tell the model this.
    Context(String),
    /// Have a human decide, showing this.
    Ask(String),
    /// Do not run it; tell the model this.
    Deny(String),
    /// Run this instead, and tell the model why.
    Rewrite {
        /// The command to run.
        command: String,
        /// Why.
        why: String,
    },
    /// The tool has run; tell the model this about it.
    Feedback(String),
    /// Do not stop: go on with this.
    Resume(String),
}

impl Told {
    /// How strict the agent will be: what the property "fit never weakens" is about.
    pub fn strictness(&self) -> Decision {
        match self {
            Told::Nothing => Decision::None,
            Told::Context(_) | Told::Feedback(_) | Told::Resume(_) => Decision::Warn,
            // A rewrite keeps the refused command from running: it is as strict as a refusal.
            Told::Rewrite { .. } | Told::Deny(_) => Decision::Deny,
            Told::Ask(_) => Decision::Ask,
        }
    }
}

/// Fits `verdict`, given at `moment`, to what the agent can be told.
///
/// Before a tool the answer is at least as strict as the verdict: an agent that can't ask gets a refusal that has the
/// model turn to its human, one that can't rewrite gets a refusal that shows the replacement. What can't be told now is
/// queued for the next chance to speak. An event that can only be observed changes nothing, and then nothing is lost:
/// the message is queued and, where the agent can, shown to the user.
pub fn fit(verdict: &Verdict, moment: Moment, can: &Capabilities) -> Fitted {
    match moment {
        Moment::Before => before(verdict, can),
        Moment::After => speak(verdict.feedback.clone(), verdict, can, can.feedback, Told::Feedback),
        Moment::Stop => speak(verdict.resume.clone(), verdict, can, can.resume, Told::Resume),
        Moment::Aside => speak(None, verdict, can, can.context, Told::Context),
    }
}

fn before(verdict: &Verdict, can: &Capabilities) -> Fitted {
    match verdict.decision {
        Decision::None | Decision::Allow => {
            Fitted { told: Told::Nothing, note: None, queued: verdict.feedback.clone() }
        }
        Decision::Warn => {
            let text = message(verdict, None);
            if can.context { told(Told::Context(text)) } else { later(text, can) }
        }
        Decision::Ask if can.ask => told(Told::Ask(message(verdict, None))),
        Decision::Ask => refuse(message(verdict, Some(&turn_to_the_human(verdict))), can),
        Decision::Deny => match &verdict.rewrite {
            Some(command) if can.rewrite => {
                told(Told::Rewrite { command: command.clone(), why: message(verdict, None) })
            }
            Some(command) => refuse(message(verdict, Some(&format!("Run this instead: {command}"))), can),
            None => refuse(message(verdict, None), can),
        },
    }
}

/// What the model does where nobody can be asked. It is never told to release itself: that is refused to it.
fn turn_to_the_human(verdict: &Verdict) -> String {
    match &verdict.release {
        Some(code) => format!(
            "Nobody can be asked here. Tell the user why you need it: once they have run `hookguard allow {code}` in a terminal \
             of their own, exactly this call passes once. Meanwhile go on with what does not need it."
        ),
        None => "Nobody can be asked here: tell the user what you need and why; they decide, and run it themselves."
            .to_owned(),
    }
}

fn refuse(text: String, can: &Capabilities) -> Fitted {
    if can.deny { told(Told::Deny(text)) } else { later(text, can) }
}

fn speak(said: Option<String>, verdict: &Verdict, can: &Capabilities, able: bool, how: fn(String) -> Told) -> Fitted {
    let text = match said {
        Some(text) => clip(&text, MAX_MESSAGE_BYTES),
        None if verdict.decision > Decision::Allow => message(verdict, None),
        None => return told(Told::Nothing),
    };
    if able { told(how(text)) } else { later(text, can) }
}

fn told(told: Told) -> Fitted {
    Fitted { told, note: None, queued: None }
}

fn later(text: String, can: &Capabilities) -> Fitted {
    Fitted { told: Told::Nothing, note: can.note.then(|| text.clone()), queued: Some(text) }
}

/// The message to the model: what and why, what to do instead, and perhaps what else: at most three short lines.
fn message(verdict: &Verdict, also: Option<&str>) -> String {
    let mut text = format!("hookguard [{}]: {}", verdict.rule, verdict.reason);
    if !verdict.instead.is_empty() {
        text.push_str("\nInstead: ");
        text.push_str(&verdict.instead);
    }
    // What stands last is how it goes on: a long reason is cut, and not that.
    let Some(also) = also else { return clip(&text, MAX_MESSAGE_BYTES) };
    let room = MAX_MESSAGE_BYTES.saturating_sub(also.len() + 1).max(MAX_MESSAGE_BYTES / 4);
    clip(&format!("{}\n{also}", clip(&text, room)), MAX_MESSAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use strum::IntoEnumIterator;

    use super::*;

    fn verdict(decision: Decision) -> Verdict {
        Verdict {
            decision,
            rule: "git.push.force".into(),
            reason: "a force push rewrites what others have.".into(),
            instead: "push to a new branch.".into(),
            ..Verdict::default()
        }
    }

    fn capabilities() -> impl Strategy<Value = Capabilities> {
        any::<[bool; 7]>().prop_map(|[deny, ask, rewrite, context, feedback, resume, note]| Capabilities {
            deny,
            ask,
            rewrite,
            context,
            feedback,
            resume,
            note,
        })
    }

    fn verdicts() -> impl Strategy<Value = Verdict> {
        let decisions: Vec<Decision> = Decision::iter().collect();
        (proptest::sample::select(decisions), any::<[Option<String>; 4]>()).prop_map(
            |(decision, [rewrite, feedback, resume, release])| Verdict {
                rewrite,
                feedback,
                resume,
                release,
                ..verdict(decision)
            },
        )
    }

    proptest! {
        /// All capabilities, also of agents that do not exist yet.
        #[test]
        fn never_weakens(verdict in verdicts(), can in capabilities()) {
            let fitted = fit(&verdict, Moment::Before, &can);
            let enforceable = can.deny || (can.ask && verdict.decision == Decision::Ask)
                || (can.rewrite && verdict.rewrite.is_some() && verdict.decision == Decision::Deny);
            if enforceable && verdict.decision >= Decision::Ask {
                prop_assert!(fitted.told.strictness() >= verdict.decision, "{fitted:?}");
            }
            // Whatever could not be told now waits: a verdict is never lost in silence.
            if verdict.decision > Decision::Allow {
                prop_assert!(fitted.told != Told::Nothing || fitted.queued.is_some(), "{fitted:?}");
            }
            // And nothing is made of nothing.
            if verdict.decision <= Decision::Allow {
                prop_assert_eq!(fitted.told, Told::Nothing);
            }
        }

        #[test]
        fn words_after_and_at_stop_are_told_or_queued(verdict in verdicts(), can in capabilities()) {
            for (moment, said) in [(Moment::After, &verdict.feedback), (Moment::Stop, &verdict.resume)] {
                let fitted = fit(&verdict, moment, &can);
                if said.is_some() || verdict.decision > Decision::Allow {
                    prop_assert!(fitted.told != Told::Nothing || fitted.queued.is_some(), "{fitted:?}");
                } else {
                    prop_assert_eq!(fitted.told, Told::Nothing);
                }
            }
        }

        #[test]
        fn messages_stay_short(text in ".{0,5000}", can in capabilities()) {
            let long = Verdict { reason: text.into(), ..verdict(Decision::Deny) };
            if let Told::Deny(text) = fit(&long, Moment::Before, &can).told {
                prop_assert!(text.len() <= MAX_MESSAGE_BYTES);
            }
        }
    }

    #[test]
    fn an_agent_that_cannot_ask_gets_a_refusal_that_names_the_human() {
        let can = Capabilities { deny: true, ..Capabilities::default() };
        let Told::Deny(text) = fit(&verdict(Decision::Ask), Moment::Before, &can).told else { panic!("not a refusal") };
        assert_eq!(text.lines().count(), 3);
        assert!(text.contains("tell the user") && !text.contains("hookguard allow"), "{text}");
    }

    #[test]
    fn a_code_is_for_the_human_and_is_never_cut_off() {
        let can = Capabilities { deny: true, ..Capabilities::default() };
        for reason in ["a short one.".to_owned(), "x".repeat(5_000)] {
            let asked = Verdict { release: Some("K7Q3WF".into()), reason: reason.into(), ..verdict(Decision::Ask) };
            let Told::Deny(text) = fit(&asked, Moment::Before, &can).told else { panic!("not a refusal") };
            assert!(text.contains("they have run `hookguard allow K7Q3WF` in a terminal of their own"), "{text}");
            assert!(text.len() <= MAX_MESSAGE_BYTES && text.lines().count() <= 3, "{text}");
        }
        // Where somebody can be asked there is nothing to release.
        let attended = Capabilities { ask: true, ..can };
        let asked = Verdict { release: Some("K7Q3WF".into()), ..verdict(Decision::Ask) };
        let Told::Ask(text) = fit(&asked, Moment::Before, &attended).told else { panic!("not a question") };
        assert!(!text.contains("K7Q3WF"), "{text}");
    }

    #[test]
    fn an_agent_that_cannot_rewrite_is_shown_the_replacement() {
        let can = Capabilities { deny: true, ..Capabilities::default() };
        let rewritten = Verdict { rewrite: Some("git push --force-with-lease".into()), ..verdict(Decision::Deny) };
        let Told::Deny(text) = fit(&rewritten, Moment::Before, &can).told else { panic!("not a refusal") };
        assert!(text.contains("git push --force-with-lease"), "{text}");
    }
}
