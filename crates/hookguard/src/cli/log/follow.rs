//! `log --follow`: what is written from now on, over midnight too.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

use super::read;
use crate::state::retention;
use crate::surroundings::Surroundings;

/// How often is looked.
const LOOK: Duration = Duration::from_millis(200);

/// Shows each new line until showing fails: a closed pipe ends it, as does the user.
pub(super) fn run(
    surroundings: &Surroundings,
    mut show: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let newest = || retention::files(surroundings).pop().map(|(_, file)| file);
    let mut open: Option<(PathBuf, BufReader<File>, Vec<u8>)> = None;
    if let Some(file) = newest() {
        let mut reader = BufReader::new(File::open(&file)?);
        reader.seek(SeekFrom::End(0))?;
        open = Some((file, reader, Vec::new()));
    }
    loop {
        let mut failed = None;
        if let Some((_, reader, rest)) = &mut open {
            read::lines(reader, rest, &mut |line| {
                if failed.is_none() {
                    failed = show(line).err();
                }
            })?;
        }
        if let Some(error) = failed {
            return Err(error.into());
        }
        // The day's last lines are read before the next day's file is.
        match newest() {
            Some(file) if open.as_ref().is_none_or(|(known, ..)| *known < file) => {
                open = File::open(&file).ok().map(|opened| (file, BufReader::new(opened), Vec::new()));
            }
            _ => std::thread::sleep(LOOK),
        }
    }
}
