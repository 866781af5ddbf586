//! What the ledger lacks, from the agent's own transcript: hooks see no end of some commands, and nothing while they are not
//! trusted or not there.
//!
//! Only what the ledger does not know is taken: a result that was recorded stays. Calls are the same by their id or, where an
//! agent has told its hooks no such id, by what they do, one after the other.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use hookguard_adapter::transcript::{self, Said};
use hookguard_adapter::{Adapter, TurnText};
use hookguard_core::{Event, EventKind, Outcome, ToolCall, ToolOutcome};
use hookguard_judge::ledger::{OWN_CALL, Record, What};

use super::read::{is_settled, tells_end};
use super::{Turn, happened};

/// How much of a transcript's end is read, in bytes.
const MAX_TAIL: u64 = 2 << 20;
/// How much of it where only what the assistant said is not known: most stops, and they should cost next to nothing.
const MAX_SPEECH: u64 = 128 << 10;

/// What is known of a turn when the agent wants to stop.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    /// What has happened.
    pub(crate) turn: Turn,
    /// What the assistant said.
    pub(crate) said: TurnText,
}

/// The turn that the ledger has, completed from the transcript that `event` names. One that is missing or torn changes nothing.
///
/// Where the ledger knows how everything in it ended, the transcript is read for what was said only: before such a turn is held
/// against the agent, it is to be [`completed`].
pub(crate) fn whole(turn: Turn, adapter: &dyn Adapter, event: &Event<'_>) -> Whole {
    let known = turn.is_known();
    let (read, most): (fn(_, &[u8]) -> _, _) =
        if known { (transcript::speech, MAX_SPEECH) } else { (transcript::records, MAX_TAIL) };
    let reader =
        event.transcript.as_deref().and_then(|path| Some((adapter.transcript()?, tail(Path::new(path), most)?)));
    let records = reader.map(|(reader, tail)| read(reader, &tail)).unwrap_or_default();
    let last_message = event.stop.as_ref().and_then(|stop| stop.last_message.as_deref());
    let said = said(&records, turn.since, last_message);
    Whole { turn: if known { turn } else { complete(turn, adapter.profile().id, &records) }, said }
}

/// The turn with all that the transcript knows, also where the ledger seems to know everything: a hook that was killed, or could
/// not write, has left no trace. The turn as it is where there is no transcript.
pub(crate) fn completed(turn: Turn, adapter: &dyn Adapter, event: &Event<'_>) -> Result<Turn, Turn> {
    let path = event.transcript.as_deref().map(Path::new);
    match path.and_then(|path| Some((adapter.transcript()?, tail(path, MAX_TAIL)?))) {
        Some((reader, tail)) => Ok(complete(turn, adapter.profile().id, &transcript::records(reader, &tail))),
        None => Err(turn),
    }
}

/// What the assistant said in the turn that began at `since`. The transcript's own prompt stands before that.
fn said(records: &[transcript::Record], since: Option<u64>, last_message: Option<&str>) -> TurnText {
    let Some(since) = since else { return transcript::said(records, last_message) };
    let start = records.iter().position(|record| record.at.is_some_and(|at| at >= since)).unwrap_or(records.len());
    let said = transcript::said(&records[start..], last_message);
    TurnText { complete: said.complete || start > 0, ..said }
}

/// The end of a file, from the start of a line: at most so many bytes.
fn tail(path: &Path, most: u64) -> Option<Vec<u8>> {
    // Not blocking: it may be no file at all.
    let mut file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let start = length.saturating_sub(most);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::with_capacity(usize::try_from(length - start).ok()?);
    file.take(most).read_to_end(&mut bytes).ok()?;
    if start > 0 {
        let line = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1);
        bytes.drain(..line);
    }
    Some(bytes)
}

/// The turn with what the transcript knows and it does not, in the order in which things began.
pub(crate) fn complete(turn: Turn, agent: &'static str, said: &[transcript::Record]) -> Turn {
    let Calls { all: calls, ends, by_id } = Calls::read(said, turn.since);
    if calls.is_empty() && ends.is_empty() {
        return turn;
    }
    let id_of_turn = turn.records.iter().rev().find_map(|record| record.turn.clone());
    let mut known: Vec<Entry> = turn.records.into_iter().map(Entry::new).collect();
    let mut of: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for (at, entry) in known.iter_mut().enumerate() {
        let Some(id) = entry.record.call.as_deref() else { continue };
        if let Some(call) = by_id.get(id) {
            of[*call].push(at);
            entry.call = Some(*call);
        } else if let Some(outcome) = ends.get(id) {
            learn_end(&mut entry.record.what, outcome);
            entry.has_end = true;
        }
    }
    let mut lacking = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        // What was done in an earlier turn may look the same.
        if of[number].is_empty() && !call.in_turn {
            continue;
        }
        if !of[number].is_empty() && of[number].iter().all(|at| is_settled(&known[*at].record.what)) {
            of[number].iter().for_each(|at| known[*at].began(number, call, turn.since));
            continue;
        }
        for what in call.what(agent) {
            let same_kind =
                |at: &&usize| std::mem::discriminant(&known[**at].record.what) == std::mem::discriminant(&what);
            let by_id = of[number].iter().find(same_kind).copied();
            let by_deed = || known.iter().position(|entry| entry.may_be(&what)).filter(|_| of[number].is_empty());
            match by_id.or_else(by_deed) {
                Some(at) if call.ran => known[at].learn(number, call, what, turn.since),
                Some(at) => known[at].call = Some(number),
                None if call.may_lack() => {
                    let (id, turn) = (call.id.map(str::to_owned), id_of_turn.clone());
                    let t = call.at.unwrap_or(u64::MAX);
                    let record = Record { v: 1, t, turn, call: id, subagent: None, what };
                    lacking.push(Entry { call: Some(number), ..Entry::new(record) });
                }
                None => {}
            }
        }
    }
    // What was announced before it ran, and was refused by another than us, did not run.
    known.retain(|entry| tells_end(&entry.record.what) || entry.call.is_none_or(|call| calls[call].ran));
    // An edit that only the transcript tells of stands before its command, as in the ledger.
    let mut entries: Vec<Entry> = lacking.into_iter().chain(known).collect();
    entries.sort_by_key(|entry| (entry.record.t, entry.call.unwrap_or(usize::MAX)));
    Turn { records: entries.into_iter().map(|entry| entry.record).collect(), ..turn }
}

/// A record of the turn, and the call of the transcript that it is.
struct Entry {
    record: Record,
    call: Option<usize>,
    /// Whether the transcript has its end, and not itself: it stands in a script that had ended before.
    has_end: bool,
}

impl Entry {
    fn new(record: Record) -> Entry {
        Entry { record, call: None, has_end: false }
    }

    /// Whether it may be the same as what the transcript tells under another id, or none: what nobody has claimed, of the
    /// agent itself.
    fn may_be(&self, what: &What) -> bool {
        let free = self.call.is_none() && !self.has_end && self.record.subagent.is_none();
        let own = self.record.call.as_deref().is_some_and(|call| call.starts_with(OWN_CALL));
        free && !own
            && match (&self.record.what, what) {
                (What::Command { command, .. }, What::Command { command: told, .. }) => command == told,
                (What::Edit { files, .. }, What::Edit { files: told, .. }) => files == told,
                _ => false,
            }
    }

    /// Takes when it began.
    fn began(&mut self, number: usize, call: &Call<'_>, since: Option<u64>) {
        self.call = Some(number);
        if let Some(at) = call.at.filter(|at| since.is_none_or(|since| *at >= since)) {
            self.record.t = self.record.t.min(at);
        }
    }

    /// Takes what the transcript tells of it.
    fn learn(&mut self, number: usize, call: &Call<'_>, told: What, since: Option<u64>) {
        self.began(number, call, since);
        if let (What::Edit { files, added, cut, .. }, What::Edit { files: told, added: text, cut: is_cut, .. }) =
            (&mut self.record.what, told)
            && added.is_empty()
            && *files == told
        {
            (*added, *cut) = (text, is_cut);
        }
        if let Some(outcome) = call.outcome {
            learn_end(&mut self.record.what, outcome);
        }
    }
}

/// Takes how something ended, where that is not known yet.
fn learn_end(known: &mut What, outcome: &ToolOutcome) {
    let told = match outcome.outcome {
        Outcome::Ok => true,
        Outcome::Failed => false,
        Outcome::Unknown => return,
    };
    match known {
        What::Edit { ok: ok @ None, .. } => *ok = Some(told),
        What::Command { exit: exit @ None, ok: ok @ None, tail, .. } => {
            (*exit, *ok) = (outcome.exit_code, Some(told));
            // Of a command that was polled, hooks see the last piece only.
            if let Some(printed) = super::printed(outcome) {
                *tail = Some(printed);
            }
        }
        _ => {}
    }
}

/// The calls of a transcript that the ledger is about.
struct Calls<'a> {
    /// In the order in which they stand there.
    all: Vec<Call<'a>>,
    /// The ends of calls that stand there under no id.
    ends: HashMap<&'a str, &'a ToolOutcome>,
    by_id: HashMap<&'a str, usize>,
}

/// A call that a transcript tells of.
struct Call<'a> {
    id: Option<&'a str>,
    /// When it began, in milliseconds since 1970.
    at: Option<u64>,
    tool: &'a ToolCall,
    cwd: Option<&'a str>,
    outcome: Option<&'a ToolOutcome>,
    ran: bool,
    /// Whether it is of this turn, and of no subagent: whose it is, is not told.
    in_turn: bool,
}

impl<'a> Calls<'a> {
    fn read(said: &'a [transcript::Record], since: Option<u64>) -> Calls<'a> {
        let mut calls = Calls { all: Vec::new(), ends: HashMap::new(), by_id: HashMap::new() };
        let mut now = None;
        for record in said {
            now = record.at.or(now);
            match &record.said {
                // Without a prompt in the ledger, the transcript's own says where the turn begins.
                Said::UserText(_) if since.is_none() => calls.all.iter_mut().for_each(|call| call.in_turn = false),
                Said::Call { id, tool: tool @ (ToolCall::Shell { .. } | ToolCall::Edit { .. }), cwd } => {
                    let id = id.as_deref();
                    let in_turn = !record.subagent && since.is_none_or(|since| now.is_some_and(|now| now >= since));
                    if let Some(id) = id {
                        calls.by_id.insert(id, calls.all.len());
                    }
                    calls.all.push(Call { id, at: now, tool, cwd: cwd.as_deref(), outcome: None, ran: true, in_turn });
                }
                Said::Result { id, outcome, ran } => calls.end(id.as_deref(), outcome, *ran),
                _ => {}
            }
        }
        calls
    }

    /// What is known last counts: a command that still ran is told of again when it has ended.
    fn end(&mut self, id: Option<&'a str>, outcome: &'a ToolOutcome, ran: bool) {
        let call = match id {
            Some(id) => self.by_id.get(id).and_then(|at| self.all.get_mut(*at)),
            None => self.all.last_mut().filter(|call| call.id.is_none()),
        };
        match (call, id) {
            (Some(call), _) if call.outcome.is_none() || outcome.outcome != Outcome::Unknown => {
                (call.outcome, call.ran) = (Some(outcome), ran);
            }
            (None, Some(id)) if outcome.outcome != Outcome::Unknown => drop(self.ends.insert(id, outcome)),
            _ => {}
        }
    }
}

impl Call<'_> {
    /// What it is to the ledger.
    fn what(&self, agent: &'static str) -> Vec<What> {
        let mut event = Event::new(EventKind::PostTool, agent, "", b"");
        event.tool = Some(self.tool.clone());
        event.cwd = self.cwd.map(str::to_owned);
        event.outcome = self.outcome.cloned();
        happened(&event)
    }

    /// Whether it happened in the turn, even if the ledger lacks it. A call in a script that nothing more is told of may never
    /// have been come to.
    fn may_lack(&self) -> bool {
        let known = |outcome: &ToolOutcome| self.id.is_some() || outcome.outcome != Outcome::Unknown;
        self.in_turn && self.ran && self.outcome.is_some_and(known)
    }
}

#[cfg(test)]
#[path = "rebuild_tests.rs"]
mod tests;
