//! The log's files, line by line: the memory that it takes does not depend on their size.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::state::retention;
use crate::surroundings::Surroundings;

/// Longer than any line that hookguard writes; what is longer is passed over without being kept.
const MAX_LINE: usize = 64 << 10;

/// What of an entry is asked for here. The whole is `state::decision_log::Entry`.
#[derive(Debug, Deserialize)]
pub(crate) struct Line<'a> {
    #[serde(default)]
    pub(crate) t: u64,
    #[serde(borrow, default)]
    pub(crate) agent: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) event: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) subject: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) decision: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) rule: Cow<'a, str>,
    /// Rules that found something and are only observed.
    #[serde(borrow, default)]
    pub(crate) observed: Vec<Cow<'a, str>>,
    /// `observe` where the whole policy was only observed.
    #[serde(borrow)]
    pub(crate) mode: Option<Cow<'a, str>>,
    /// What the agent was told.
    #[serde(borrow, default)]
    pub(crate) told: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) note: Option<Cow<'a, str>>,
    pub(crate) micros: Option<u64>,
    /// What settled each judge, at a stop.
    #[serde(borrow, default)]
    pub(crate) judged: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// How a judge's ruling came about, in a line about one.
    pub(crate) judge: Option<RuledBy>,
}

/// What of a judge's ruling is asked for here. The whole is `state::decision_log::RuledBy`.
#[derive(Debug, Deserialize)]
pub(crate) struct RuledBy {
    #[serde(default)]
    pub(crate) layer: String,
    pub(crate) reason: Option<String>,
    pub(crate) asked: Option<AskedBy>,
}

/// What of a call of a backend is asked for here.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedBy {
    pub(crate) backend: Option<String>,
    #[serde(default)]
    pub(crate) ms: u64,
    #[serde(default)]
    pub(crate) redactions: BTreeMap<String, usize>,
}

impl<'a> Line<'a> {
    /// A line that is no entry is none: it was torn, or written by a later version in another form.
    pub(crate) fn parse(line: &'a [u8]) -> Option<Line<'a>> {
        serde_json::from_slice(line).ok().filter(|line: &Line<'_>| line.t > 0)
    }
}

/// Every day's file, the oldest first.
pub(crate) fn files(surroundings: &Surroundings) -> Vec<PathBuf> {
    retention::files(surroundings).into_iter().map(|(_, file)| file).collect()
}

/// Calls `each` for every line that is not empty, without its line end.
///
/// # Errors
/// The file can't be opened or read.
pub(crate) fn each_line(file: &Path, mut each: impl FnMut(&[u8])) -> std::io::Result<()> {
    let mut reader = BufReader::with_capacity(256 << 10, File::open(file)?);
    lines(&mut reader, &mut Vec::new(), &mut each)
}

/// The lines that a reader still has. The last one, if it has no line end, stays in `rest` for the next time.
pub(super) fn lines(reader: &mut impl BufRead, rest: &mut Vec<u8>, each: &mut dyn FnMut(&[u8])) -> std::io::Result<()> {
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        match (end, rest.is_empty()) {
            // The usual case: the whole line lies in the buffer.
            (Some(_), true) if !part.is_empty() => each(part),
            _ => {
                // One byte more than allowed tells that there was more.
                rest.extend_from_slice(&part[..part.len().min((MAX_LINE + 1).saturating_sub(rest.len()))]);
                if end.is_some() {
                    if !rest.is_empty() && rest.len() <= MAX_LINE {
                        each(rest);
                    } else if rest.len() > MAX_LINE {
                        // Counted by the caller as one that can't be read.
                        each(b"too long");
                    }
                    rest.clear();
                }
            }
        }
        let taken = part.len() + usize::from(end.is_some());
        reader.consume(taken);
    }
}

/// An entry's id: its time and a hash of its line, so that old entries have one too: `mix3k2p1-9f3c`.
pub(crate) fn id(line: &[u8], milliseconds: u64) -> String {
    // FNV-1a; among the entries of one millisecond 16 bits tell them apart.
    let hash = line.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    format!("{}-{:04x}", base36(milliseconds), (hash >> 16) ^ (hash & 0xffff))
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while number > 0 || digits.is_empty() {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
    }
    digits.iter().rev().collect()
}

/// The time in an id; `None` where it is none.
pub(super) fn time_of(id: &str) -> Option<u64> {
    let (time, hash) = id.split_once('-')?;
    let is_hash = hash.len() == 4 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(time, 36).ok().filter(|_| is_hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], capacity: usize) -> Vec<String> {
        let mut found = Vec::new();
        let mut reader = BufReader::with_capacity(capacity, text);
        lines(&mut reader, &mut Vec::new(), &mut |line| found.push(String::from_utf8_lossy(line).into_owned()))
            .unwrap();
        found
    }

    #[test]
    fn lines_are_the_same_whatever_the_buffer() {
        for capacity in [1, 2, 3, 7, 100] {
            assert_eq!(read(b"one\n\ntwo\r\nthree\nfour", capacity), ["one", "two\r", "three"]);
        }
    }

    #[test]
    fn a_line_without_end_costs_no_memory() {
        let text = [b"a\n".to_vec(), vec![b'x'; 3 << 20], b"\nb\n".to_vec()].concat();
        assert_eq!(read(&text, 4096), ["a", "too long", "b"]);
        let mut rest = Vec::new();
        lines(&mut BufReader::new(&vec![b'x'; 3 << 20][..]), &mut rest, &mut |_| {}).unwrap();
        assert_eq!(rest.len(), MAX_LINE + 1);
    }

    #[test]
    fn an_id_tells_its_time() {
        let id = id(br#"{"t":1}"#, 1_796_025_884_000);
        assert_eq!(time_of(&id), Some(1_796_025_884_000));
        assert!(id.len() <= 13, "{id}");
        for odd in ["", "mix3k2p1", "mix3k2p1-", "mix3k2p1-9f3", "mix3k2p1-xxxx", "-9f3c", "ä-9f3c"] {
            assert_eq!(time_of(odd), None, "{odd}");
        }
    }
}
