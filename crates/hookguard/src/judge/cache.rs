//! Answers to the same question: kept for a day, by all that the answer depends on. A failure is never kept.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hookguard_judge::Judge;
use hookguard_judge::answer::Answered;
use hookguard_judge::backend::Backend;
use hookguard_judge::prompt::{Material, VERSION};
use hookguard_judge::verdict::Said;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::state::{now_ms, private};

const KEPT_MS: u64 = 24 * 60 * 60 * 1000;
/// How many files may lie there before old ones are looked for.
const MANY: usize = 200;
/// The longest file, in bytes.
const MAX_BYTES: u64 = 16 * 1024;

#[derive(Serialize, Deserialize)]
struct Kept {
    at: u64,
    fields: Said,
    reason: Option<String>,
}

fn folder(state: &Path) -> PathBuf {
    state.join("judge/verdicts")
}

/// The file of one question: the judge as it is now, the prompt's wording, who is asked, what is judged.
fn file(state: &Path, judge: &Judge<'_>, backend: &Backend, material: &Material) -> PathBuf {
    let mut hasher = Sha256::new();
    let mut add = |part: &str| {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    add(&VERSION.to_string());
    add(judge.id);
    add(judge.prompt);
    for field in &judge.fields {
        add(field.name);
        add(field.about);
    }
    let own = [&backend.name, &backend.command, &backend.base_url, &backend.program];
    add(&backend.kind.to_string());
    add(backend.model().unwrap_or_default());
    own.into_iter().for_each(|part| add(part.as_deref().unwrap_or_default()));
    add(material.text());
    material.facts().iter().for_each(|line| add(line));
    let hex: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    folder(state).join(format!("{hex}.json"))
}

/// What was answered to the same question within a day.
pub(super) fn read(state: &Path, judge: &Judge<'_>, backend: &Backend, material: &Material) -> Option<Answered> {
    let bytes = private::read(&file(state, judge, backend, material), MAX_BYTES)?;
    let kept: Kept = serde_json::from_slice(&bytes).ok()?;
    let now = now_ms();
    (kept.at <= now && now - kept.at < KEPT_MS).then_some(Answered { fields: kept.fields, reason: kept.reason })
}

/// Keeps an answer that settles it.
pub(super) fn write(state: &Path, judge: &Judge<'_>, backend: &Backend, material: &Material, answered: &Answered) {
    let kept = Kept { at: now_ms(), fields: answered.fields.clone(), reason: answered.reason.clone() };
    if let Ok(bytes) = serde_json::to_vec(&kept) {
        // What can't be kept is asked again.
        let _ = private::write(&file(state, judge, backend, material), &bytes);
    }
    sweep(state);
}

/// Removes what is too old, where there is much.
fn sweep(state: &Path) {
    let Ok(entries) = std::fs::read_dir(folder(state)) else { return };
    let files: Vec<_> = entries.flatten().collect();
    if files.len() <= MANY {
        return;
    }
    let Some(before) = SystemTime::now().checked_sub(Duration::from_millis(KEPT_MS)) else { return };
    for file in files {
        if file.metadata().and_then(|of| of.modified()).is_ok_and(|written| written < before) {
            let _ = std::fs::remove_file(file.path());
        }
    }
}
