//! Scripts that do what scripts do: answer, crash, hang, fork, flood, never read, close what they are given.

use std::time::{Duration, Instant};

use super::{End, Job, Keep, Ran, Start, run};

const CAP: usize = 1 << 20;

fn job<'a>(command: &'a str, input: &'a [u8], ms: u64) -> Job<'a> {
    Job {
        start: Start::Shell(command),
        cwd: None,
        variables: &[],
        input,
        until: Instant::now() + Duration::from_millis(ms),
        keep: Keep::All(CAP),
    }
}

fn one(command: &str, input: &[u8], ms: u64) -> Ran {
    run(&[job(command, input, ms)]).remove(0)
}

#[test]
fn input_output_and_exit_code() {
    let ran = one("cat; echo err >&2; exit 3", b"text", 5_000);
    assert_eq!((ran.end, ran.stdout.as_str(), ran.stderr.as_str()), (End::Exit(3), "text", "err\n"));
}

#[test]
fn variables_and_folder() {
    let jobs = [Job {
        cwd: Some("/".as_ref()),
        variables: &[("CLAUDE_PROJECT_DIR", "/some where")],
        ..job("pwd; printf %s \"$CLAUDE_PROJECT_DIR\"; test -n \"$PATH\"", b"", 5_000)
    }];
    let ran = run(&jobs).remove(0);
    assert_eq!((ran.end, ran.stdout.as_str()), (End::Exit(0), "/\n/some where"));
}

#[test]
fn a_program_gets_its_arguments_as_they_are() {
    let args = ["%s|".to_owned(), "a b".to_owned(), String::new(), "$HOME".to_owned()];
    let ran = run(&[Job { start: Start::Program("printf", &args), ..job("", b"", 5_000) }]).remove(0);
    assert_eq!((ran.end, ran.stdout.as_str()), (End::Exit(0), "a b||$HOME|"));
    let missing = run(&[Job { start: Start::Program("no-such-program-at-all", &[]), ..job("", b"", 5_000) }]).remove(0);
    assert!(matches!(missing.end, End::NotStarted(_)), "{missing:?}");
}

#[test]
fn a_crash_is_a_signal() {
    assert_eq!(one("kill -SEGV $$", b"", 5_000).end, End::Signal(11));
}

#[test]
fn a_missing_command_and_a_missing_folder() {
    assert_eq!(one("/no/such/program", b"", 5_000).end, End::Exit(127));
    let jobs = [Job { cwd: Some("/no/such/folder".as_ref()), ..job("true", b"", 5_000) }];
    assert!(matches!(run(&jobs).remove(0).end, End::NotStarted(_)));
}

#[test]
fn a_large_input_is_read_by_one_that_prints_meanwhile() {
    let input = vec![b'x'; 900 << 10];
    let ran = one("cat", &input, 10_000);
    assert_eq!((ran.end, ran.stdout.len()), (End::Exit(0), input.len()));
}

#[test]
fn one_that_never_reads_or_closes_its_input() {
    let input = vec![b'x'; 8 << 20];
    let ran = one("echo done", &input, 5_000);
    assert_eq!((ran.end, ran.stdout.as_str()), (End::Exit(0), "done\n"));
    let ran = one("exec <&-; sleep 0.1; echo done", &input, 5_000);
    assert_eq!((ran.end, ran.stdout.as_str()), (End::Exit(0), "done\n"));
    assert_eq!(one("sleep 30", &input, 200).end, End::TimedOut);
}

#[test]
fn one_that_closes_its_output_is_waited_for() {
    let ran = one("exec >&- 2>&-; sleep 0.2; exit 7", b"", 5_000);
    assert_eq!(ran.end, End::Exit(7));
    assert!(ran.elapsed >= Duration::from_millis(200), "{ran:?}");
}

#[test]
fn fifty_megabytes_are_capped() {
    let ran = one("head -c 50000000 /dev/zero", b"", 10_000);
    assert_eq!(ran.end, End::TooMuchOutput);
    assert!(ran.stdout.len() <= CAP + (64 << 10), "{}", ran.stdout.len());
    // Of standard error only the end matters: it is read on and forgotten.
    let ran = one("head -c 50000000 /dev/zero >&2; exit 2", b"", 10_000);
    assert_eq!(ran.end, End::Exit(2));
    assert!(ran.stderr.len() <= 64 << 10, "{}", ran.stderr.len());
}

#[test]
fn the_tail_of_both_streams_is_kept() {
    let jobs = [Job {
        keep: Keep::Tail(1000),
        ..job("head -c 50000000 /dev/zero; sleep 0.1; echo out; sleep 0.1; echo err >&2; exit 1", b"", 20_000)
    }];
    let ran = run(&jobs).remove(0);
    assert_eq!(ran.end, End::Exit(1));
    assert!(ran.stdout.ends_with("out\nerr\n"), "{:?}", ran.stdout);
    assert_eq!(ran.stdout.len(), 1000);
}

#[test]
fn a_hang_ends_at_the_deadline_with_all_that_it_started() {
    let mark = std::env::temp_dir().join(format!("hookguard-runner-{}", std::process::id()));
    let command = format!("(sleep 1; touch {0}) & (trap '' TERM; sleep 1; touch {0}) & sleep 60", mark.display());
    let started = Instant::now();
    assert_eq!(one(&command, b"", 200).end, End::TimedOut);
    assert!(started.elapsed() < Duration::from_millis(900), "{:?}", started.elapsed());
    std::thread::sleep(Duration::from_millis(1300));
    assert!(!mark.exists());
}

#[test]
fn what_stays_in_the_background_is_neither_waited_for_nor_left() {
    let mark = std::env::temp_dir().join(format!("hookguard-background-{}", std::process::id()));
    let command = format!("(sleep 1; touch {0}) & echo started", mark.display());
    let ran = one(&command, b"", 10_000);
    assert_eq!((ran.end, ran.stdout.as_str()), (End::Exit(0), "started\n"));
    assert!(ran.elapsed < Duration::from_millis(900), "{:?}", ran.elapsed);
    std::thread::sleep(Duration::from_millis(1300));
    assert!(!mark.exists());
}

#[test]
fn several_run_at_the_same_time() {
    let started = Instant::now();
    let jobs: Vec<Job<'_>> = (0..8).map(|_| job("sleep 0.5; echo done", b"", 10_000)).collect();
    let ran = run(&jobs);
    assert!(ran.iter().all(|ran| ran.end == End::Exit(0) && ran.stdout == "done\n"), "{ran:?}");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[test]
fn one_that_hangs_takes_nothing_from_the_others() {
    let ran =
        run(&[job("sleep 30", b"", 300), job("head -c 50000000 /dev/zero", b"", 5_000), job("echo ok", b"", 5_000)]);
    assert_eq!(ran[0].end, End::TimedOut);
    assert_eq!(ran[1].end, End::TooMuchOutput);
    assert_eq!((&ran[2].end, ran[2].stdout.as_str()), (&End::Exit(0), "ok\n"));
}

#[test]
fn no_child_is_left_unreaped() {
    for command in ["true", "sleep 30", "kill -9 $$", "sleep 30 & exit 0", "head -c 50000000 /dev/zero"] {
        let ran = one(&format!("echo $$ >&2; {command}"), b"", 150);
        let pid: u32 = ran.stderr.lines().next().unwrap().parse().unwrap();
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "{command}");
    }
}
