//! Seeded mutations of the tricky texts and of the tables of readings: nothing panics, nothing is unbounded, and what a
//! reading says about itself holds. `HOOKGUARD_FUZZ_SECONDS` runs it longer, `HOOKGUARD_FUZZ_SEED` elsewhere.

#![expect(clippy::disallowed_methods, reason = "how long to run comes from the environment and the clock")]

use std::time::{Duration, Instant};

use hookguard_shell::{Env, Known, Part, Reading, Stdin, Unknown, Word, read, syntax};
use mutate::{Mutator, seeds};

mod mutate;

const ENV: Env<'_> = Env { cwd: Some("/home/dev/acme"), home: Some("/home/dev"), vars: &[("USER", "dev")], known: &[] };

/// Without a time to run for: so many texts.
const TEXTS: usize = 20_000;

/// What one text of a few hundred bytes may take, on a busy machine and in a debug build.
const LIMIT: Duration = Duration::from_secs(5);

#[test]
fn mutated_texts_are_read_within_bounds() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("HOOKGUARD_FUZZ_SEED").unwrap_or(1);
    let time = number("HOOKGUARD_FUZZ_SECONDS").map(Duration::from_secs);
    let began = Instant::now();
    let seeds = seeds();
    let mut mutator = Mutator::new(seed);
    let mut count = 0;
    let (mut commands, mut without_error) = (0, 0);
    while time.map_or(count < TEXTS, |time| began.elapsed() < time) {
        let text = mutator.text(&seeds);
        let started = Instant::now();
        let script = syntax::parse(&text);
        assert!(script.complete <= script.nodes.len(), "{text:?}");
        let reading = read(&text, &ENV);
        assert!(started.elapsed() < LIMIT, "{:?} for {text:?}", started.elapsed());
        hold(&reading, &text);
        if count % 8 == 0 {
            as_script(&text);
        }
        commands += reading.commands.len();
        without_error += usize::from(reading.errors.is_empty());
        count += 1;
    }
    // The mutations are mild enough that most of them are still commands.
    assert!(
        commands > count && without_error > count / 4,
        "{commands} commands, {without_error} of {count} without error"
    );
}

/// The same text as what a file, a makefile and a named script hold.
fn as_script(text: &str) {
    const RUNS: &str =
        "bash x.sh a 'b c'; source ./x.sh; python3 x.py; make -C . all X=1; npm run b -- 'q\"'; cat x.sh | sh";
    let known = [("x.sh", None), ("x.py", None), ("Makefile", None), ("", Some("b"))].map(|(name, script)| {
        let path = if name.is_empty() { "/home/dev/acme".to_owned() } else { format!("/home/dev/acme/{name}") };
        (path, script)
    });
    let known: Vec<Known<'_>> = known.iter().map(|(path, name)| Known { path, name: *name, text }).collect();
    let started = Instant::now();
    let reading = read(RUNS, &Env { known: &known, ..ENV });
    assert!(started.elapsed() < LIMIT, "{:?} for {text:?}", started.elapsed());
    hold(&reading, RUNS);
}

/// Indices stay within the reading, spans within the text, and words have no empty or adjacent literals.
fn hold(reading: &Reading, text: &str) {
    let count = reading.commands.len();
    assert!(count <= hookguard_shell::MAX_COMMANDS, "{count} commands of {text:?}");
    for command in &reading.commands {
        assert!(
            command.span.start <= command.span.end && command.span.end <= text.len(),
            "{:?} {text:?}",
            command.span
        );
        if let Stdin::Pipe(of) = &command.stdin {
            assert!(of.iter().all(|index| *index < count), "{of:?} of {count} in {text:?}");
        }
        let words = command.argv.iter().chain(command.assignments.iter().map(|assignment| &assignment.value));
        for word in words.chain(command.redirects.iter().map(|redirect| &redirect.target)) {
            hold_word(word, count, text);
        }
    }
}

fn hold_word(word: &Word, count: usize, text: &str) {
    for part in &word.parts {
        match part {
            Part::Unknown(Unknown::Substitution { commands } | Unknown::Item { commands, .. }) => {
                assert!(commands.iter().all(|index| *index < count), "{commands:?} of {count} in {text:?}");
            }
            Part::Literal(known) => assert!(!known.is_empty(), "an empty literal in {word:?} of {text:?}"),
            _ => {}
        }
    }
}
