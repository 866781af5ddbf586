//! The control of loops: by hand what each state allows, and a thousand loops of models that do what models do.

use std::path::Path;

use hookguard_core::Stop as StopInfo;
use tempfile::TempDir;

use super::*;

fn event(active: Option<bool>) -> Event<'static> {
    let mut event = Event::new(EventKind::Stop, "codex", "Stop", b"");
    event.session = Some("s".into());
    event.stop = Some(StopInfo { active, last_message: None, background_tasks: 0 });
    event
}

fn surroundings(state: Option<&Path>) -> Surroundings {
    Surroundings { state: state.map(Path::to_owned), ..Surroundings::default() }
}

fn can() -> Capabilities {
    Capabilities { resume: true, ..Capabilities::default() }
}

fn wanted() -> Fitted {
    Fitted { told: Told::Resume("run the tests".into()), note: None, queued: None }
}

/// Whether the agent is resumed at a stop at which there is something to say.
fn resumed(surroundings: &Surroundings, event: &Event<'_>) -> bool {
    let stop = look(surroundings, event).unwrap();
    let may = stop.may_resume();
    let mut fitted = wanted();
    stop.settle(event, &can(), &mut fitted);
    let told = matches!(fitted.told, Told::Resume(_));
    assert!(may || !told, "what was not allowed before it ran is not told after it");
    told
}

fn happens(surroundings: &Surroundings, call: &str, what: What) {
    let event = event(None);
    let folder = session::folder(surroundings, &event).unwrap();
    ledger::append(&folder, &event, Some(call.to_owned()), what).unwrap();
}

fn edit() -> What {
    What::Edit { files: vec!["/p/a.rs".into()], added: vec![], cut: false, ok: Some(true) }
}

fn command() -> What {
    What::Command { command: "cargo test".into(), cwd: None, exit: None, ok: None, tail: None, background: false }
}

#[test]
fn twice_in_a_turn_and_the_second_time_only_after_news() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    assert!(resumed(&here, &event(Some(false))), "the first");
    assert!(!resumed(&here, &event(Some(true))), "the same state again");
    assert!(!resumed(&here, &event(Some(false))), "whatever the agent says of itself");
    happens(&here, "c1", edit());
    assert!(resumed(&here, &event(Some(true))), "after news");
    happens(&here, "c2", command());
    assert!(!resumed(&here, &event(Some(true))), "a third time");
    assert!(!resumed(&here, &event(Some(false))));
    happens(&here, "c3", What::Turn { prompt: "and now this".into() });
    assert!(resumed(&here, &event(Some(false))), "a new turn of the user");
}

#[test]
fn a_late_twin_and_our_own_checks_are_no_news() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    happens(&here, "c1", edit());
    assert!(resumed(&here, &event(Some(false))));
    happens(&here, "c1", edit());
    happens(&here, "hookguard:check:tests:1", command());
    assert!(!resumed(&here, &event(Some(true))));
}

#[test]
fn without_state_once_and_only_where_the_agent_says_that_it_is_the_first() {
    let unwritable = TempDir::new().unwrap();
    std::fs::write(unwritable.path().join("session"), "a file where the folder should be").unwrap();
    for here in [surroundings(None), surroundings(Some(unwritable.path()))] {
        assert!(resumed(&here, &event(Some(false))));
        assert!(!resumed(&here, &event(Some(true))));
        assert!(!resumed(&here, &event(None)));
    }
    let state = TempDir::new().unwrap();
    let nameless = Event { session: None, ..event(Some(true)) };
    assert!(!resumed(&surroundings(Some(state.path())), &nameless));
}

#[test]
fn one_that_waits_is_left_to_it() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    let mut waiting = event(Some(false));
    waiting.stop = Some(StopInfo { active: Some(false), last_message: None, background_tasks: 1 });
    assert!(!resumed(&here, &waiting));
    assert!(resumed(&here, &event(Some(false))));
}

#[test]
fn what_waits_in_the_queue_is_told_once() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    let mut call = event(None);
    call.call_id = Some("c9".into());
    queue::append(&here, &call, "mind the lock file");
    queue::append(&here, &call, "mind the lock file");
    let stop = event(Some(false));
    let mut fitted = Fitted { told: Told::Nothing, note: None, queued: None };
    look(&here, &stop).unwrap().settle(&stop, &can(), &mut fitted);
    assert_eq!(fitted.told, Told::Resume("mind the lock file".into()));
    queue::append(&here, &call, "mind the lock file");
    happens(&here, "c1", edit());
    let mut fitted = Fitted { told: Told::Nothing, note: None, queued: None };
    look(&here, &stop).unwrap().settle(&stop, &can(), &mut fitted);
    assert_eq!(fitted.told, Told::Nothing);
}

#[test]
fn of_two_hooks_at_one_stop_one_speaks() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    for round in 0..20 {
        happens(&here, "c", What::Turn { prompt: format!("{round}") });
        let spoke = std::thread::scope(|scope| {
            let twins = [(); 2].map(|()| scope.spawn(|| resumed(&here, &event(Some(false)))));
            twins.into_iter().map(|twin| twin.join().unwrap()).filter(|spoke| *spoke).count()
        });
        assert_eq!(spoke, 1, "round {round}");
    }
}

#[test]
fn a_subagents_end_is_no_stop() {
    let subagent = Event { kind: EventKind::SubagentStop, ..event(Some(false)) };
    assert!(look(&surroundings(None), &subagent).is_none());
}

/// A small generator of numbers, so that a failure can be played again from its seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// What a model does once it was resumed.
#[derive(Debug, Clone, Copy)]
enum Model {
    /// Says the same in other words, and stops.
    Rewords,
    /// Answers with a tool call, and stops.
    Works,
    /// Now this, now that.
    Wavers,
    /// Its hooks are doubled, and one of them is late.
    Doubled,
}

/// Plays sessions of models that would never stop by themselves, with a judge that always objects. Counted apart from the
/// code under test: how often the agent was resumed since its user last spoke, and what happened in between.
#[test]
fn a_thousand_loops() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    let mut resumes = 0;
    for seed in 1..=1000u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let model = [Model::Rewords, Model::Works, Model::Wavers, Model::Doubled][dice.roll(4) as usize];
        let session = Some(format!("s{seed}"));
        let stop = |active| Event { session: session.clone(), ..event(Some(active)) };
        let happens = |call: String, what: What| {
            let event = stop(false);
            ledger::append(&session::folder(&here, &event).unwrap(), &event, Some(call), what).unwrap();
        };
        let (mut in_turn, mut news_since, mut calls, mut last) = (0, true, 0, command());
        for step in 0..12 {
            // Some agents never say that a hook resumed them, or say it of the wrong stops.
            let active = if dice.roll(5) == 0 { dice.roll(2) == 0 } else { in_turn > 0 };
            let times = if matches!(model, Model::Doubled) { 2 } else { 1 };
            for _ in 0..times {
                if resumed(&here, &stop(active)) {
                    assert!(in_turn < 2, "seed {seed} {model:?} step {step}: a third time in one turn");
                    assert!(in_turn == 0 || news_since, "seed {seed} {model:?} step {step}: again without news");
                    in_turn += 1;
                    resumes += 1;
                    news_since = false;
                }
            }
            if matches!(model, Model::Doubled) && calls > 0 {
                happens(format!("call-{calls}"), last.clone());
            }
            let works = match model {
                Model::Rewords => false,
                Model::Works | Model::Doubled => true,
                Model::Wavers => dice.roll(2) == 0,
            };
            if works {
                calls += 1;
                last = if dice.roll(2) == 0 { edit() } else { command() };
                happens(format!("call-{calls}"), last.clone());
                news_since = true;
            }
            if dice.roll(9) == 0 {
                happens(format!("prompt-{step}"), What::Turn { prompt: "go on".into() });
                (in_turn, news_since) = (0, true);
            }
        }
    }
    assert!(resumes > 1000, "the judge objected each time, and was heard {resumes} times");
}

/// Nobody writes to a pipe in the lock's place: it must not be waited for.
#[test]
fn a_pipe_in_the_locks_place_lets_the_agent_go() {
    let state = TempDir::new().unwrap();
    let here = surroundings(Some(state.path()));
    let stop = event(Some(false));
    happens(&here, "e1", edit());
    let lock = session::folder(&here, &stop).unwrap().join("lock");
    rustix::fs::mknodat(rustix::fs::CWD, &lock, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(!resumed(&here, &stop));
}
