//! The transcripts: where they lie, whose they are, and their lines, read in blocks.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use hookguard_adapter::transcript::{Lines, Said, Seen};
use hookguard_adapter::{Adapter, Profile};

use super::judge::{Judge, Session};
use super::tally::Tally;
use crate::agents::AGENTS;
use crate::cli::output::Usage;
use crate::surroundings::Surroundings;

/// How deep folders are looked into.
const MAX_DEPTH: usize = 8;
/// How many files are read.
const MAX_FILES: usize = 200_000;
const BLOCK: usize = 256 << 10;
/// How much of a file is looked at to tell whose it is.
const MAX_LOOK: usize = 1 << 20;
const MAX_LOOK_LINES: usize = 200;

/// One transcript.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Whose it is, where its place tells.
    agent: Option<&'static dyn Adapter>,
    pub(super) bytes: u64,
    /// When it was last written to, in milliseconds since 1970 (UTC).
    modified: u64,
}

/// The files that are named, or those that the agents keep; by path.
///
/// # Errors
/// One that is named is not there.
pub(super) fn find(
    paths: &[PathBuf],
    agent: Option<&'static dyn Adapter>,
    surroundings: &Surroundings,
    ask_variables: bool,
) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in paths {
        let metadata =
            fs::metadata(path).map_err(|error| Usage(format!("failed to read {}: {error}", path.display())))?;
        if metadata.is_dir() {
            walk(path, "", ".jsonl", agent, 0, &mut sources);
        } else {
            sources.push(source(path.clone(), &metadata, agent));
        }
    }
    if paths.is_empty() {
        let wanted = |of: &&&dyn Adapter| agent.is_none_or(|agent| agent.profile().id == of.profile().id);
        for adapter in AGENTS.iter().filter(wanted) {
            for place in adapter.profile().transcripts {
                if let Some(folder) = settings_folder(adapter.profile(), place.folder, surroundings, ask_variables) {
                    walk(&folder.join(place.below), place.start, place.end, Some(*adapter), 0, &mut sources);
                }
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources.dedup_by(|a, b| a.path == b.path);
    Ok(sources)
}

fn settings_folder(
    profile: &Profile,
    folder: &str,
    surroundings: &Surroundings,
    ask_variables: bool,
) -> Option<PathBuf> {
    let named = profile.home_variable.filter(|_| ask_variables).and_then(std::env::var_os).map(PathBuf::from);
    named.filter(|path| path.is_absolute()).or_else(|| Some(Path::new(surroundings.home.as_deref()?).join(folder)))
}

fn source(path: PathBuf, metadata: &fs::Metadata, agent: Option<&'static dyn Adapter>) -> Source {
    let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or(u64::MAX, |at| u64::try_from(at.as_millis()).unwrap_or(u64::MAX));
    Source { path, agent, bytes: metadata.len(), modified }
}

/// The files below a folder whose names are a transcript's. A link to a folder is not followed.
fn walk(
    folder: &Path,
    start: &str,
    end: &str,
    agent: Option<&'static dyn Adapter>,
    depth: usize,
    found: &mut Vec<Source>,
) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if found.len() >= MAX_FILES {
            return;
        }
        let path = entry.path();
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(start) && name.ends_with(end));
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => walk(&path, start, end, agent, depth + 1, found),
            Ok(_) if named => match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => found.push(source(path, &metadata, agent)),
                _ => {}
            },
            _ => {}
        }
    }
}

/// Reads one transcript, and judges what is in it. What can't be read is counted.
pub(super) fn read(
    source: &Source,
    since: Option<u64>,
    judge: &Judge<'_>,
    tally: &mut Tally,
    read: &mut dyn FnMut(u64),
) {
    // Nothing in it is younger than its last byte.
    if since.is_some_and(|since| source.modified < since) {
        tally.files_passed += 1;
        return read(source.bytes);
    }
    let Ok(mut file) = File::open(&source.path) else {
        tally.unread.files += 1;
        return read(source.bytes);
    };
    let mut block = vec![0; BLOCK];
    let mut looked = Vec::new();
    let mut agent = source.agent;
    if agent.is_none() {
        let mut head = (&mut file).take(MAX_LOOK as u64);
        if head.read_to_end(&mut looked).is_err() {
            tally.unread.files += 1;
            return read(source.bytes);
        }
        agent = whose(&looked);
    }
    let Some((agent, mut reader)) = agent.and_then(|agent| Some((agent, agent.transcript()?))) else {
        tally.unread.unknown_files += 1;
        return read(source.bytes);
    };
    tally.files += 1;
    let mut session = Session::new(agent, since, source.modified);
    let mut lines = Lines::default();
    let mut feed = |lines: &mut Lines, bytes: Option<&[u8]>, tally: &mut Tally| {
        let mut each = |line: &[u8]| {
            let seen = reader.line(line, &mut |record| session.take(record, judge, tally));
            tally.lines += 1;
            tally.unread.lines += u64::from(seen == Seen::Broken);
        };
        match bytes {
            Some(bytes) => lines.feed(bytes, &mut each),
            None => lines.finish(&mut each),
        }
    };
    read(looked.len() as u64);
    feed(&mut lines, Some(&looked), tally);
    drop(looked);
    loop {
        match file.read(&mut block) {
            Ok(0) => break,
            Ok(count) => {
                feed(&mut lines, Some(&block[..count]), tally);
                read(count as u64);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => {
                tally.unread.files += 1;
                break;
            }
        }
    }
    feed(&mut lines, None, tally);
    reader.end(&mut |record| session.take(record, judge, tally));
    tally.lines += lines.too_long();
    tally.unread.too_long += lines.too_long();
}

/// Whose transcript begins like this: the agent whose reader understands most of it.
fn whose(head: &[u8]) -> Option<&'static dyn Adapter> {
    let understood = |adapter: &&'static dyn Adapter| {
        let mut reader = adapter.transcript()?;
        let mut said = 0;
        for line in head.split(|byte| *byte == b'\n').take(MAX_LOOK_LINES) {
            // A look-alike may name its session alike, and nothing else.
            reader.line(line, &mut |record| said += usize::from(!matches!(record.said, Said::Session { .. })));
        }
        (said > 0).then_some((said, *adapter))
    };
    AGENTS.iter().filter_map(understood).max_by_key(|(said, _)| *said).map(|(_, adapter)| adapter)
}
