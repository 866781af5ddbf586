//! `hookguard hook AGENT EVENT`: what an agent calls at every tool call.
//!
//! Its arguments are frozen (they stand in people's settings, and Codex trusts them by hash) and read by hand and
//! leniently: a usage error would be exit 2, which agents read as a refusal.

mod deadline;
mod fault;
mod questions;
pub(crate) mod release;
mod scripts;
mod stdin;

use std::io::Write;
use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

use hookguard_adapter::{Adapter, EventRow, Failure, HookCall, Posture, Reply};
use hookguard_core::{Event, EventKind, Told, ToolCall};

use crate::agents::{self, AGENTS};
use crate::arena::with_arena;
use crate::config;
use crate::ledger;
use crate::pipeline::Place;
use crate::state::decision_log::{self, Entry};
use crate::state::{queue, retention, session};
use crate::surroundings::Surroundings;
use crate::world;

/// Judges one call and ends the process.
pub(crate) fn run(arguments: Vec<String>) -> ! {
    let started = Instant::now();
    let surroundings = Surroundings::of_process();
    let name = arguments.first().map_or("", String::as_str);
    let event = arguments.get(1).map_or("", String::as_str);
    // An unknown name still gets a verdict, in the form that most agents read: no error is an allow.
    let adapter = agents::by_id(name).unwrap_or(AGENTS[0]);
    let row = adapter.profile().event(event);
    let variables: Vec<_> = adapter
        .profile()
        .variables
        .iter()
        .filter_map(|name| std::env::var(name).ok().map(|value| (*name, value)))
        .collect();
    let call = HookCall {
        event,
        stdin: &[],
        argv: arguments.get(2..).unwrap_or_default(),
        cwd: surroundings.cwd.as_deref(),
        variables: &variables,
    };

    let kind = row.map_or(EventKind::Other, |row| row.kind);
    let limit = limit(row);
    deadline::arm(prepared(adapter, &call, kind, &surroundings), limit);

    let mut bytes = Vec::new();
    let end = if row.is_some_and(|row| row.by_argument) { stdin::End::NotRead } else { stdin::read_object(&mut bytes) };
    let call = HookCall { stdin: &bytes, ..call };
    fault::provoke(&bytes);
    let answered = match end {
        stdin::End::Cut(why) => failed(adapter, &call, Failure::Unreadable(why.to_owned()), kind),
        stdin::End::Complete | stdin::End::NotRead => {
            judged(adapter, &call, kind, &surroundings, started + children_limit(limit))
        }
    };
    deadline::disarm();
    let exit = write(&answered.reply);
    // From here on nothing may wedge the agent: what is left is told to nobody, and has a second.
    deadline::arm(deadline::Prepared::silent(exit), AFTERWARDS);
    let micros = started.elapsed().as_micros();
    let unknown = (agents::by_id(name).is_none()).then(|| format!("no agent is called {name:?}"));
    let note = [unknown, answered.entry.note.clone()].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let note = (!note.is_empty()).then_some(note);
    let line = decision_log::line(&Entry { micros: Some(micros), note, ..answered.entry });
    decision_log::append(&surroundings, std::iter::once(&line).chain(&answered.ruled));
    if kind == EventKind::SessionStart {
        retention::sweep(&surroundings);
    }
    stdin::drain();
    std::process::exit(i32::from(exit))
}

/// How long the log, the queue and what is left in the pipe may take once the answer is out.
const AFTERWARDS: Duration = Duration::from_secs(1);

struct Answered {
    reply: Reply,
    entry: Entry,
    /// Lines of the log about judges.
    ruled: Vec<String>,
}

fn judged(
    adapter: &dyn Adapter,
    call: &HookCall<'_>,
    kind: EventKind,
    surroundings: &Surroundings,
    until: Instant,
) -> Answered {
    let event = match adapter.parse(call) {
        Ok(event) => event,
        Err(error) => return failed(adapter, call, Failure::Unreadable(error.to_string()), kind),
    };
    if event.kind == EventKind::PreTool && kind != EventKind::PreTool {
        // The payload says that a tool is about to run: from here on a failure must refuse.
        deadline::replace(prepared(adapter, call, EventKind::PreTool, surroundings));
    }
    let found = world::project_root(&event, call.cwd, surroundings.home.as_deref());
    let root = match config::state_by_name(surroundings, found.as_deref()) {
        Some(_) => session::pinned_root(surroundings, &event, found),
        None => found,
    };
    let policy = config::of_hook(surroundings, root.as_deref());
    let guarding = (!policy.named.is_empty()).then(|| surroundings.guarding(&policy.named, root.as_deref()));
    let surroundings = guarding.as_ref().unwrap_or(surroundings);
    let place = Place { surroundings, root, look: true, settings: &policy.settings };
    let judge = || scripts::judge(adapter, &event, &place, policy, until);
    let (judged, notes, sitting) = match long(&event) {
        Some(bytes) => with_arena(bytes, judge),
        None => judge(),
    };
    // The process ends soon: nobody needs the memory of a long script's reading.
    let judged = ManuallyDrop::new(judged);
    let reply = adapter.render(&event, &judged.fitted);
    if let Some(text) = &judged.fitted.queued {
        queue::append(surroundings, &event, text);
    }
    ledger::record(surroundings, adapter.profile(), &event, &judged.fitted.told);
    let mut entry = Entry::of(&event, &judged);
    entry.note = entry.note.into_iter().chain(notes).reduce(|all, note| format!("{all}; {note}"));
    let ruled = sitting.map_or_else(Vec::new, |sitting| {
        entry.judged = sitting.layers().collect();
        let lines = sitting.lines(&event, &judged.fitted.told, judged.fitted.note.is_some());
        lines.iter().map(decision_log::line).collect()
    });
    Answered { entry, reply, ruled }
}

/// How much memory the reading of a command line takes, if it is so long that it makes thousands of small blocks.
fn long(event: &Event<'_>) -> Option<usize> {
    const BYTES: usize = 512;
    // 57 to 70 of plain scripts of 1 to 50 KB, measured 2026-11-30; what functions and loops take besides comes page by page.
    const MEMORY_PER_BYTE: usize = 64;
    match &event.tool {
        Some(ToolCall::Shell { command, .. }) if command.len() > BYTES => Some(command.len() * MEMORY_PER_BYTE),
        _ => None,
    }
}

fn failed(adapter: &dyn Adapter, call: &HookCall<'_>, failure: Failure, kind: EventKind) -> Answered {
    let posture = if says_pre_tool(adapter, call.stdin) { Posture::Closed } else { Posture::of(kind) };
    let reply = adapter.render_failure(call, &failure, posture);
    let entry = Entry::of_failure(adapter.profile().id, call.event, &failure, posture);
    Answered { entry, reply, ruled: Vec::new() }
}

/// Whether a payload that can't be read names an event before a tool: whatever the command was installed for, the agent may
/// be about to run one.
fn says_pre_tool(adapter: &dyn Adapter, payload: &[u8]) -> bool {
    let before = adapter.profile().events.iter().filter(|row| row.kind == EventKind::PreTool);
    let text = String::from_utf8_lossy(payload);
    before.into_iter().any(|row| text.contains(&format!("\"{}\"", row.native)))
}

/// The answer for the case that hookguard itself fails, ready before anything can.
fn prepared(
    adapter: &dyn Adapter,
    call: &HookCall<'_>,
    kind: EventKind,
    surroundings: &Surroundings,
) -> deadline::Prepared {
    let failure = Failure::Broken("it crashed or took too long".to_owned());
    let posture = Posture::of(kind);
    let entry = Entry::of_failure(adapter.profile().id, call.event, &failure, posture);
    deadline::Prepared {
        reply: adapter.render_failure(call, &failure, posture),
        log_file: decision_log::file(surroundings),
        log_line: decision_log::line(&entry),
    }
}

/// Our own deadline: below the time-out that is registered, so that the agent hears from us and not of us.
fn limit(row: Option<&EventRow>) -> Duration {
    const DEFAULT_MS: u64 = 10_000;
    const MOST_MS: u64 = 10_000;
    let registered = row.and_then(|row| row.registered).map_or(DEFAULT_MS, |entry| entry.timeout.milliseconds());
    fault::limit().unwrap_or(Duration::from_millis(registered - (registered / 5).min(MOST_MS)))
}

/// How long scripts may take: less than we have, for what they say must be judged and written.
fn children_limit(limit: Duration) -> Duration {
    limit - (limit / 10).min(Duration::from_millis(500))
}

/// Writes the answer, and gives the exit code. What can't be written to standard output is said on the other one with the
/// exit code that every agent so far reads as a refusal (`protocols/claude-codex.md` 3a).
fn write(reply: &Reply) -> u8 {
    let mut stdout = std::io::stdout();
    let written = stdout.write_all(reply.stdout.as_bytes()).and_then(|()| stdout.flush());
    let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
    if written.is_err() && !reply.stdout.is_empty() {
        let _ = std::io::stderr().write_all(reply.stdout.as_bytes());
        return 2;
    }
    reply.exit
}

/// What the agent was told, for the log.
pub(crate) fn told_name(told: &Told) -> &'static str {
    match told {
        Told::Nothing => "nothing",
        Told::Context(_) => "context",
        Told::Ask(_) => "ask",
        Told::Deny(_) => "deny",
        Told::Rewrite { .. } => "rewrite",
        Told::Feedback(_) => "feedback",
        Told::Resume(_) => "resume",
    }
}
