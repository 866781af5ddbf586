//! Instructions of layer 1 of the judges: what one text more costs `hookguard judge --batch`. Starting the process, which the
//! other cases count, falls out of the difference.

use std::path::Path;

use super::callgrind;
use super::cases::Case;
use super::measure::{Home, Program};

/// The most instructions that a text of 4,000 bytes without a signal may take for all built-in judges together, its reading
/// included: about 0.3 ms.
pub(super) const MAX_INSTRUCTIONS: u64 = 1_200_000;
/// How many texts more.
const MORE: u64 = 10;

const ENGLISH: &str = "The parser reads the header and gives back a table of rows. Each column has a type, and `load_rows` looks at the \
    schema.\n\n| column | type |\n|---|---|\n| id | integer |\n\nBoth functions take the same arguments.\n";
const JAPANESE: &str = "関数は設定ファイルを読み込み、行の一覧を返します。各列には型があります。引数は同じです。\n";

/// A case each language: its name, and the instructions of one text.
pub(super) fn counts(home: &Home, binary: &Path) -> anyhow::Result<Vec<(&'static str, u64)>> {
    let judge = Program::new(binary, ["judge", "--batch", "--backend", "builtin"]);
    let count = |(name, sentences)| {
        let few = callgrind::instructions(home, &judge, &case(home.path(), name, sentences, 1)?)?;
        let many = callgrind::instructions(home, &judge, &case(home.path(), name, sentences, 1 + MORE)?)?;
        Ok((name, many.saturating_sub(few) / MORE))
    };
    [("layer 1, 4 KB of English", ENGLISH), ("layer 1, 4 KB of Japanese", JAPANESE)].into_iter().map(count).collect()
}

fn case(folder: &Path, name: &'static str, sentences: &str, texts: u64) -> anyhow::Result<Case> {
    let mut text = sentences.repeat(4000 / sentences.len() + 1);
    let end = (0..=4000).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.truncate(end);
    let lines: Vec<String> =
        (0..texts).map(|number| serde_json::json!({"id": number, "text": text}).to_string()).collect();
    let payload = folder.join("texts.jsonl");
    std::fs::write(&payload, lines.join("\n"))?;
    Ok(Case { name, event: "", payload, budget: None, instructions: None, home: None })
}
