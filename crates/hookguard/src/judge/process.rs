//! A backend that is a program: started in an empty folder of its own, in a process group of its own, with variables by which
//! its own hooks know that a judge has started it.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hookguard_judge::Judge;
use hookguard_judge::backend::{
    Backend, Failure, Finished, GUARD_VARIABLES, Kind, Launch, claude, codex, command, words,
};
use hookguard_judge::prompt::{Material, Prompt};

use super::chain::millis;
use crate::exec::runner::{End, Job, Keep, Ran, Start, run};

/// The most that a backend may print, in bytes. Codex prints a record of its run.
const MAX_OUTPUT: usize = 1 << 20;
/// The longest single argument, in bytes: Linux takes no longer one.
const MAX_ARGUMENT: usize = 128 * 1024 - 1;

/// What a program says to `prompt`, by `until` at the latest.
pub(super) fn ask(
    backend: &Backend,
    prompt: &Prompt,
    judges: &[&Judge<'_>],
    material: &Material,
    until: Instant,
) -> Result<String, Failure> {
    let scratch = Scratch::new().map_err(|error| Failure::NotAsked(format!("there is no folder for it: {error}")))?;
    if let Some(line) = &backend.command {
        let input = command::input(backend, prompt, judges, material);
        let ran = go(Start::Shell(line), &scratch, &[], &input, until);
        return command::read(&finished(&ran, &ran.stdout, &ran.stderr)?);
    }
    let launch = launch(backend, prompt, &scratch.path.to_string_lossy());
    if launch.args.iter().any(|arg| arg.len() > MAX_ARGUMENT) {
        return Err(Failure::NotAsked("the instructions are too long for an argument".to_owned()));
    }
    for (name, content) in &launch.files {
        fs::write(scratch.path.join(name), content)
            .map_err(|error| Failure::NotAsked(format!("its files can't be written: {error}")))?;
    }
    let ran = go(Start::Program(&launch.program, &launch.args), &scratch, &launch.variables, &launch.stdin, until);
    let (answer, talk) = match launch.answers_in {
        None => (ran.stdout.clone(), ran.stderr.clone()),
        Some(name) => (answer_file(&scratch.path.join(name)), format!("{}\n{}", ran.stdout, ran.stderr)),
    };
    let finished = finished(&ran, &answer, &talk)?;
    if backend.kind == Kind::Codex { codex::read(&finished) } else { claude::read(&finished) }
}

/// How the program of a backend is started in the folder `scratch`.
pub(crate) fn launch(backend: &Backend, prompt: &Prompt, scratch: &str) -> Launch {
    if backend.kind == Kind::Codex { codex::launch(backend, prompt, scratch) } else { claude::launch(backend, prompt) }
}

fn go(
    start: Start<'_>,
    scratch: &Scratch,
    variables: &[(&'static str, &'static str)],
    input: &str,
    until: Instant,
) -> Ran {
    let guard = GUARD_VARIABLES.map(|name| (name, "1"));
    let variables: Vec<(&'static str, &str)> = guard.into_iter().chain(variables.iter().copied()).collect();
    let cwd = Some(scratch.path.as_path());
    let job = Job { start, cwd, variables: &variables, input: input.as_bytes(), until, keep: Keep::All(MAX_OUTPUT) };
    run(&[job]).remove(0)
}

fn finished<'a>(ran: &Ran, answer: &'a str, talk: &'a str) -> Result<Finished<'a>, Failure> {
    match &ran.end {
        End::Exit(exit) => Ok(Finished { exit: *exit, answer, talk }),
        End::Signal(signal) => Err(Failure::Ended { how: format!("signal {signal}"), words: words(talk) }),
        End::TimedOut => Err(Failure::TimedOut(millis(ran.elapsed))),
        End::TooMuchOutput => Err(Failure::NotAsked(format!("it printed more than {MAX_OUTPUT} bytes"))),
        End::NotStarted(why) => Err(Failure::NotAsked(format!("it could not be started: {why}"))),
    }
}

/// What stands in the file that a program answers in; nothing where it is not there, or no plain file of a sane size.
fn answer_file(path: &Path) -> String {
    let sane = fs::symlink_metadata(path).is_ok_and(|of| of.is_file() && of.len() <= MAX_OUTPUT as u64);
    let bytes = if sane { fs::read(path).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An empty folder that nobody else can look into, until it is dropped.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        let mut name = [0; 8];
        getrandom::fill(&mut name)?;
        let path = std::env::temp_dir().join(format!("hookguard-judge-{:016x}", u64::from_ne_bytes(name)));
        // It must not be there yet: a folder or link that somebody has put there is a failure.
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Scratch { path: fs::canonicalize(&path).unwrap_or(path) })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
