//! Chains of scripted backends: who is asked, for how long, what is kept, what each failure comes to.

use std::path::Path;
use std::time::{Duration, Instant};

use hookguard_judge::backend::{Backend, JudgeMode, Kind};
use hookguard_judge::prompt::own;
use hookguard_judge::{Facts, Judge};

use super::panel::Panel;
use super::{Asked, Says};
use hookguard_config::Judges;

const YES: &str = r#"echo '{"a": true, "b": false, "reason": "so it is"}'"#;
const NO: &str = r#"echo '{"a": false, "b": false, "reason": "no"}'"#;

fn judge(id: &'static str) -> Judge<'static> {
    own(id, "Is it so?", &["a", "b"])
}

fn command(name: &str, line: &str) -> Backend {
    Backend { name: Some(name.to_owned()), command: Some(line.to_owned()), ..Backend::new(Kind::Command) }
}

fn settings(backends: &[Backend]) -> Judges {
    Judges { backends: backends.to_vec(), ..Judges::default() }
}

fn ask(settings: &Judges, state: Option<&Path>, judges: &[&Judge<'_>], text: &str, ms: u64) -> Asked {
    let until = Instant::now() + Duration::from_millis(ms);
    Panel { settings, state }.ask(judges, text, &Facts::unknown(), until)
}

fn one(backends: &[Backend], ms: u64) -> Asked {
    ask(&settings(backends), None, &[&judge("j")], "text", ms)
}

fn says(asked: &Asked) -> Vec<Says> {
    asked.rulings.iter().map(|ruling| ruling.says).collect()
}

#[test]
fn the_first_that_answers_counts() {
    let asked = one(&[command("first", YES), command("second", NO)], 5_000);
    assert_eq!((says(&asked), asked.backend.as_deref()), (vec![Says::Violation], Some("first")));
    assert_eq!(asked.rulings[0].reason.as_deref(), Some("so it is"));
    assert_eq!(asked.rulings[0].fields["a"], true);
    assert!(asked.tries.is_empty());
}

#[test]
fn each_failure_is_a_line_and_the_next_is_asked() {
    for (line, why) in [
        ("exit 3", "exit code 3"),
        ("no-such-program-at-all", "exit code 127"),
        ("kill -SEGV $$", "signal 11"),
        ("sleep 30", "had not answered after"),
        ("true", "is empty"),
        ("echo 'I am sorry, I can not help with that.'", "holds no JSON object"),
        ("echo '<think>'", "thinking aloud"),
        ("echo '{\"a\": true'", "holds no JSON object"),
        ("echo '{}'", "leaves j open"),
        ("echo '{\"a\": 1, \"b\": null}'", "leaves j open"),
        ("echo 'Either {\"a\":true,\"b\":false} or {\"a\":false,\"b\":false}'", "do not say the same"),
        ("head -c 3000000 /dev/zero", "printed more than"),
        ("echo '{\"a\": true, \"b\": false}'; exit 1", "exit code 1"),
    ] {
        let asked = one(&[command("bad", line), command("good", NO)], 3_000);
        assert_eq!((says(&asked), asked.backend.as_deref()), (vec![Says::Allow], Some("good")), "{line}");
        assert_eq!(asked.tries.len(), 1, "{line}: {asked:?}");
        assert!(asked.tries[0].backend == "bad" && asked.tries[0].why.contains(why), "{line}: {asked:?}");
    }
}

#[test]
fn hangs_share_one_deadline_and_all_failures_are_a_failure() {
    let hang = |name| command(name, "sleep 30");
    let started = Instant::now();
    let asked = one(&[hang("a"), hang("b"), hang("c")], 900);
    let elapsed = started.elapsed();
    assert_eq!((says(&asked), asked.backend.as_deref(), asked.tries.len()), (vec![Says::Fail], None, 3));
    assert!(elapsed >= Duration::from_millis(850) && elapsed < Duration::from_millis(1500), "{elapsed:?}");
    // Its own limit leaves the rest to the others.
    let short = Backend { timeout_ms: Some(100), ..hang("a") };
    let started = Instant::now();
    assert_eq!(says(&one(&[short, command("b", YES)], 60_000)), [Says::Violation]);
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn the_last_may_be_the_built_in_one() {
    let asked = one(&[command("bad", "exit 1"), Backend::new(Kind::Builtin)], 5_000);
    assert_eq!((says(&asked), asked.backend.as_deref(), asked.tries.len()), (vec![Says::Allow], Some("builtin"), 1));
}

#[test]
fn what_one_leaves_open_the_next_is_asked_about() {
    let (first, second) = (judge("first"), judge("second"));
    let half = command("half", r#"echo '{"first": {"a": true, "b": false}, "second": {"a": true}}'"#);
    let rest = command("rest", r#"grep -q '"first"' && exit 1; echo '{"second": {"a": false, "b": false}}'"#);
    let rest = Backend { input: hookguard_judge::backend::CommandInput::Json, ..rest };
    let asked = ask(&settings(&[half, rest]), None, &[&first, &second], "text", 5_000);
    assert_eq!(says(&asked), [Says::Violation, Says::Allow], "{asked:?}");
    assert_eq!(asked.tries.len(), 1);
    assert!(asked.tries[0].why.contains("leaves second open"), "{asked:?}");
}

#[test]
fn an_answer_is_kept_for_the_same_question_and_a_failure_never() {
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls");
    let counted = |line: &str| command("c", &format!("echo x >> {}; {line}", calls.display()));
    let times = || std::fs::read_to_string(&calls).unwrap_or_default().lines().count();
    let state = folder.path().join("state");
    let (yes, fails) = (settings(&[counted(YES)]), settings(&[counted("exit 1")]));
    let judge = judge("j");
    let ask = |settings: &Judges, text: &str| ask(settings, Some(&state), &[&judge], text, 5_000);
    assert!(!ask(&yes, "text").cached);
    let again = ask(&yes, "text");
    assert!(again.cached && times() == 1, "{again:?}");
    assert_eq!((says(&again), again.backend.as_deref()), (vec![Says::Violation], Some("c")));
    assert_eq!(again.rulings[0].reason.as_deref(), Some("so it is"));
    assert!(!ask(&yes, "another text").cached && times() == 2);
    for round in 3..5 {
        assert_eq!(says(&ask(&fails, "text")), [Says::Fail]);
        assert_eq!(times(), round);
    }
}

#[test]
fn one_that_fails_three_times_is_passed_over_and_that_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(&[command("bad", "exit 1"), command("good", YES)]);
    let judge = judge("j");
    let mut notes = 0;
    for round in 0..5 {
        let asked = ask(&settings, Some(folder.path()), &[&judge], &format!("text {round}"), 5_000);
        assert_eq!(says(&asked), [Says::Violation]);
        notes += asked.notes.len();
        assert_eq!(asked.tries[0].why.contains("passed over"), round >= 3, "{round}: {asked:?}");
    }
    assert_eq!(notes, 1);
}

#[test]
fn a_judge_that_advises_blocks_nothing_and_one_that_is_off_says_nothing() {
    let mut settings = settings(&[command("c", YES)]);
    settings.modes = vec![("j".to_owned(), JudgeMode::Advise)];
    let judge = judge("j");
    assert_eq!(says(&ask(&settings, None, &[&judge], "text", 5_000)), [Says::Advise]);
    settings.modes = vec![("j".to_owned(), JudgeMode::Off)];
    let until = Instant::now() + Duration::from_secs(5);
    let panel = Panel { settings: &settings, state: None };
    assert!(panel.rule(&[&judge], "text", &Facts::unknown(), until).rulings.is_empty());
}

#[test]
fn a_child_knows_who_started_it_and_leaves_nothing() {
    let line = r#"test "$HOOKGUARD_JUDGE_ACTIVE$STOP_HOOK_LLM_JUDGE_ACTIVE" = 11 && test -z "$(ls -A)" && pwd > /dev/stderr && exit 9"#;
    let asked = one(&[command("c", line)], 5_000);
    let why = &asked.tries[0].why;
    let folder = why.rsplit(' ').next().unwrap();
    assert!(why.contains("exit code 9") && folder.contains("hookguard-judge-"), "{why}");
    assert!(!Path::new(folder).exists());
}
