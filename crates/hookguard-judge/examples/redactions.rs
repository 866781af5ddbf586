//! What redaction would take out of the files that are named: each find with its line, and how many there are in 10,000 tokens.
//!
//! `find ~/.cargo/registry -name '*.rs' | cargo run -p hookguard-judge --example redactions`
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a tool for people that reads files and prints")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, stdin};
use std::time::{Duration, Instant};

use hookguard_judge::redact;

/// What was counted of the files with one ending.
#[derive(Default)]
struct Count {
    files: usize,
    bytes: usize,
    tokens: usize,
    finds: usize,
    time: Duration,
}

fn main() {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for file in stdin().lock().lines().map_while(Result::ok) {
        // What is no text is no code.
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let ending = file.rsplit('/').next().unwrap_or_default().rsplit_once('.').map_or("", |(_, ending)| ending);
        let count = counts.entry(ending.to_owned()).or_default();
        let begin = Instant::now();
        let redacted = redact(&text);
        count.time += begin.elapsed();
        count.files += 1;
        count.bytes += text.len();
        count.tokens += tokens(&text);
        count.finds += redacted.found.len();
        print_finds(&file, &text, &redacted.text, &redacted.found);
    }
    for (ending, count) in counts {
        let rate = count.finds as f64 * 10_000.0 / count.tokens.max(1) as f64;
        let speed = count.time.as_secs_f64() * 1e9 / count.bytes.max(1) as f64;
        println!(
            "= {ending}: {} files, {} bytes, {} tokens, {} finds, {rate:.3} in 10,000 tokens, {speed:.1} ns a byte",
            count.files, count.bytes, count.tokens, count.finds
        );
    }
}

/// Prints the lines in which something was found. Lines are compared in step; a find over several lines ends that.
fn print_finds(file: &str, text: &str, redacted: &str, found: &[&str]) {
    if found.is_empty() {
        return;
    }
    println!("{file}: {}", found.join(" "));
    for (line, masked) in text.lines().zip(redacted.lines()).filter(|(line, masked)| line != masked).take(found.len()) {
        let cut = |text: &str| text.trim().chars().take(200).collect::<String>();
        println!("  - {}\n  + {}", cut(line), cut(masked));
    }
}

/// Names, numbers and marks, as a compiler would count them, roughly.
fn tokens(text: &str) -> usize {
    let mut tokens = 0;
    let mut in_word = false;
    for char in text.chars() {
        let word = char.is_alphanumeric() || char == '_';
        tokens += usize::from(word && !in_word || !word && !char.is_whitespace());
        in_word = word;
    }
    tokens
}
