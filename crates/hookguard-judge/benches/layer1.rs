//! What layer 1 costs at stop, for the five built-in judges together: 4,000 bytes without a signal, and with many.
//!
//! `cargo bench --package hookguard-judge`; `cargo test --package hookguard-judge --bench layer1` runs each once. Instructions:
//! `cargo xtask bench-hook --callgrind`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use hookguard_judge::layer1::settle_all;
use hookguard_judge::{Facts, Judge, judge};

/// A text of 4,000 bytes, of these sentences over and over.
fn text(sentences: &str) -> String {
    let mut out = sentences.repeat(4000 / sentences.len() + 1);
    let end = (0..=4000).rev().find(|at| out.is_char_boundary(*at)).unwrap_or(0);
    out.truncate(end);
    out
}

const QUIET: &str = "The parser reads the header and gives back a table of rows. Each column has a type, and `load_rows` checks it \
    against the schema.\n\n| column | type |\n|---|---|\n| id | integer |\n\nBoth functions take the same arguments.\n";
const QUIET_EAST: &str = "関数は設定ファイルを読み込み、行の一覧を返します。各列には型があります。引数は同じです。\n";
const LOUD: &str = "I'll commit this and push it now. The remaining files can follow in another session, the export I put on the \
    backlog. The crash is probably the cache, so I disabled it; bug fixed.\n";

fn layer1(criterion: &mut Criterion) {
    let judges = judge::builtin();
    let judges: Vec<&Judge<'_>> = judges.iter().collect();
    for (name, sentences) in [("quiet", QUIET), ("quiet, Japanese", QUIET_EAST), ("many signals", LOUD)] {
        let text = text(sentences);
        criterion.bench_function(&format!("layer 1, 4,000 bytes, {name}"), |bencher| {
            bencher.iter(|| settle_all(black_box(&judges), black_box(&text), &Facts::unknown()));
        });
    }
}

criterion_group!(benches, layer1);
criterion_main!(benches);
