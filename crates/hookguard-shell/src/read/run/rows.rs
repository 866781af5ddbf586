//! Rows that a test takes out of the tables of programs and wrappers, to see that a case notices.

/// Whether a test has taken out the row of this name.
#[cfg(not(test))]
pub(super) fn is_missing(_name: &str) -> bool {
    false
}

#[cfg(test)]
pub(super) use testing::*;

#[cfg(test)]
mod testing {
    use std::cell::Cell;

    use crate::{Env, Reading, read};

    thread_local! {
        static MISSING: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    const ENV: Env<'_> =
        Env { cwd: Some("/home/dev/acme"), home: Some("/home/dev"), vars: &[("USER", "dev")], known: &[] };

    /// The tables of `tests/readings.rs`, which says what is read of each text.
    const READINGS: [&str; 8] = [
        include_str!("../../../tests/readings/first.txt"),
        include_str!("../../../tests/readings/words.txt"),
        include_str!("../../../tests/readings/state.txt"),
        include_str!("../../../tests/readings/wrappers.txt"),
        include_str!("../../../tests/readings/rows.txt"),
        include_str!("../../../tests/readings/programs.txt"),
        include_str!("../../../tests/readings/languages.txt"),
        include_str!("../../../tests/readings/places.txt"),
    ];

    /// Whether a test has taken out the row of this name.
    pub(in super::super) fn is_missing(name: &str) -> bool {
        MISSING.get() == Some(name)
    }

    /// The texts that the tables say the reading of.
    pub(in super::super) fn texts() -> impl Iterator<Item = &'static str> {
        let cases = READINGS.into_iter().flat_map(|table| table.split("%%\n"));
        cases.filter_map(|case| case.split_once("\n--\n")).map(|(text, _)| text)
    }

    /// Whether one of `texts` that name the row is read otherwise while `without` says that it is missing.
    pub(in super::super) fn is_noticed(texts: &[&str], name: &'static str, without: impl Fn(bool)) -> bool {
        texts.iter().filter(|text| text.contains(name)).any(|text| {
            let whole = shown(&read(text, &ENV));
            without(true);
            let lacking = shown(&read(text, &ENV));
            without(false);
            whole != lacking
        })
    }

    /// Takes out the row of `name`, or puts it back.
    pub(in super::super) fn take_out(name: Option<&'static str>) {
        MISSING.set(name);
    }

    /// What the tables show of a reading, as far as a row can change it.
    fn shown(reading: &Reading) -> String {
        reading.commands.iter().fold(String::new(), |all, command| {
            let words: Vec<String> = command.argv.iter().map(crate::Word::display).collect();
            let via: Vec<_> = command.via.iter().map(|via| (via.step, via.program.as_str())).collect();
            let place = (&command.place, &command.assignments, &command.cwd);
            all + &format!("{words:?} {via:?} {place:?} {:?} {:?}\n", command.runs, command.redirects)
        })
    }
}
