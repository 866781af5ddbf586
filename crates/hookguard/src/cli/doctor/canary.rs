//! The canary: the very command that is registered, run as the agent runs it, with a call that must be refused.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hookguard_adapter::{Adapter, HookCall, InstalledEntry};
use hookguard_core::{Event, EventKind, Mode, ToolCall};

use super::finding::Finding;
use super::settings::Stands;
use crate::cli::child::{Ended, run as run_child};
use crate::config;
use crate::pipeline::{Place, judge};
use crate::surroundings::Surroundings;
use crate::{cli::settings, world};

/// The session that the canary's calls belong to: they stand in the log too, and are no calls of the agent.
pub(super) const SESSION: &str = "hookguard-doctor";

/// What is asked to be refused. Nothing runs it: it is only ever judged.
const COMMAND: &str = "git push --force origin main";
/// The rule that refuses it.
const RULE: &str = "git.push.force";

/// The least that any login gives a shell.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
const DEADLINE: Duration = Duration::from_secs(10);
/// More than this and people feel it at every call.
const SLOW: Duration = Duration::from_millis(500);

const CHECK: &str = "canary";

/// Runs it for every different command that is registered for what runs before a tool, from the project's root, from a
/// folder below it, and from the home folder.
pub(super) fn run(adapter: &dyn Adapter, stands: &Stands, surroundings: &Surroundings) -> Vec<Finding> {
    let before_a_tool = |entry: &&InstalledEntry| {
        adapter.profile().event(&entry.event).is_some_and(|row| row.kind == EventKind::PreTool)
    };
    let mut findings = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for entry in stands.entries.iter().filter(before_a_tool) {
        if !seen.contains(&entry.command.as_str()) {
            seen.push(&entry.command);
            findings.extend(of_command(adapter, entry, surroundings));
        }
    }
    if seen.is_empty() {
        findings.push(Finding::broken(
            CHECK,
            "nothing of hookguard is registered for what runs before a tool, so nothing is refused",
            format!("run `hookguard install --agent {}`", adapter.profile().id),
        ));
    }
    findings
}

fn of_command(adapter: &dyn Adapter, entry: &InstalledEntry, surroundings: &Surroundings) -> Vec<Finding> {
    let command = &entry.command;
    let mut findings = Vec::new();
    let mut slowest = Duration::ZERO;
    let folders = folders(surroundings);
    for folder in &folders {
        let Some((payload, expected)) = payload(adapter, &entry.event, folder, surroundings) else { continue };
        if expected == Expected::Observed {
            findings.push(Finding::warning(
                CHECK,
                format!("{}: the policy is only observed (`mode = \"observe\"`): nothing is refused", entry.event),
                "take the mode out of the configuration when you have seen enough; `hookguard log` shows what it would have said",
            ));
            break;
        }
        if expected == Expected::Passes {
            findings.push(Finding::broken(
                CHECK,
                format!("the policy as it is configured does not refuse `{COMMAND}`: a rule is off or only observed"),
                "see `hookguard config show --origin`, and take out what switches it off",
            ));
            break;
        }
        let ended = match in_shell(command, folder, payload.as_bytes(), PATH, surroundings) {
            Ok(ended) => ended,
            Err(error) => {
                findings.push(Finding::broken(
                    CHECK,
                    format!("no shell can be started: {error}"),
                    "install a POSIX sh",
                ));
                break;
            }
        };
        if let Some(path) =
            std::env::var_os("PATH").filter(|_| not_found(&ended)).and_then(|path| path.into_string().ok())
            && in_shell(command, folder, payload.as_bytes(), &path, surroundings).is_ok_and(|again| refuses(&again))
        {
            findings.push(Finding::warning(
                "reachable",
                format!(
                    "{} in {}: `{command}` is found with this terminal's PATH, and not with {PATH}",
                    entry.event, entry.file
                ),
                "put a link to hookguard into /usr/local/bin, or start the agent only from such terminals",
            ));
            break;
        }
        slowest = slowest.max(ended.took);
        if let Some(finding) = judged(&ended, entry, folder) {
            findings.push(finding);
            break;
        }
    }
    if findings.is_empty() {
        let took = format!("{} ms at most", slowest.as_millis());
        let what = format!("{}: `{COMMAND}` is refused, from {} folders ({took})", entry.event, folders.len());
        findings.push(if slowest < SLOW {
            Finding::ok(CHECK, what)
        } else {
            Finding::warning(
                CHECK,
                what,
                "every call waits that long: look for a slow disk or a wrapper around hookguard",
            )
        });
    }
    findings
}

/// Runs a command as agents do, with next to nothing in its environment.
fn in_shell(
    command: &str,
    folder: &Path,
    payload: &[u8],
    path: &str,
    surroundings: &Surroundings,
) -> std::io::Result<Ended> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(folder).env_clear().env("PATH", path);
    shell.envs(surroundings.home.as_ref().map(|home| ("HOME", home)));
    run_child(&mut shell, payload, DEADLINE)
}

fn not_found(ended: &Ended) -> bool {
    matches!(ended.code, Some(126 | 127))
}

fn refuses(ended: &Ended) -> bool {
    let told = [&ended.stdout, &ended.stderr].into_iter().any(|said| String::from_utf8_lossy(said).contains(RULE));
    told && matches!(ended.code, Some(0 | 2))
}

/// What is wrong, if something is.
fn judged(ended: &Ended, entry: &InstalledEntry, folder: &Path) -> Option<Finding> {
    let InstalledEntry { event, command, file } = entry;
    let at = format!("{event} in {file}, from {}", folder.display());
    let answer = String::from_utf8_lossy(&ended.stdout);
    let install = "run `hookguard install` again, with a hookguard that stands where it will stay";
    if refuses(ended) {
        return None;
    }
    match ended.code {
        _ if not_found(ended) => Some(Finding::broken(
            "reachable",
            format!("{at}: the shell can't run `{command}` ({}; PATH={PATH})", ended.how()),
            install,
        )),
        Some(0) if answer.trim().is_empty() => Some(Finding::broken(
            CHECK,
            format!("{at}: `{command}` lets `{COMMAND}` pass"),
            format!("run the command by hand on `hookguard sample`; if it is another version, {install}"),
        )),
        _ => Some(Finding::broken(
            CHECK,
            format!("{at}: `{command}` gives no refusal: {}, printing {:?}", ended.how(), answer.trim()),
            install,
        )),
    }
}

/// The project's root, a folder below it, and home.
fn folders(surroundings: &Surroundings) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(root) = settings::project(surroundings) {
        let below = std::fs::read_dir(&root).into_iter().flatten().flatten().map(|entry| entry.path());
        let visible = |path: &PathBuf| {
            path.is_dir() && path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
        };
        // In the order of names, so that two runs look at the same one.
        let below = below.filter(visible).min();
        folders.push(root.into());
        folders.extend(below);
    }
    folders.extend(surroundings.home.as_ref().map(PathBuf::from).filter(|home| home.is_dir()));
    folders
}

/// What the policy, as it is configured, does with the canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Refused,
    /// It would be refused, and is only logged.
    Observed,
    Passes,
}

/// The call as the agent reports it, and what this policy, as it is configured here, does with it.
fn payload(
    adapter: &dyn Adapter,
    native: &str,
    folder: &Path,
    surroundings: &Surroundings,
) -> Option<(String, Expected)> {
    let mut event = Event::new(EventKind::PreTool, adapter.profile().id, native, b"");
    event.session = Some(SESSION.to_owned());
    event.cwd = folder.to_str().map(str::to_owned);
    event.call_id = Some("canary".to_owned());
    event.tool = Some(ToolCall::shell(COMMAND));
    let payload = adapter.sample(&event)?;
    let call = HookCall { event: native, stdin: payload.as_bytes(), ..HookCall::default() };
    let parsed = adapter.parse(&call).ok()?;
    let root = world::project_root(&parsed, event.cwd.as_deref(), surroundings.home.as_deref());
    let settings = &config::of_place(surroundings, root.as_deref()).settings;
    let judged = judge(adapter, &parsed, &Place { surroundings, root, look: true, settings });
    let refused = adapter.render(&parsed, &judged.fitted);
    let expected = match settings.mode {
        Mode::Observe => Expected::Observed,
        Mode::Enforce if refused.stdout.contains(RULE) || refused.stderr.contains(RULE) => Expected::Refused,
        Mode::Enforce => Expected::Passes,
    };
    Some((payload, expected))
}
