//! A fingerprint of this crate's sources: a compiled configuration of another build is not read.

#![expect(clippy::disallowed_methods, reason = "a build script reads the sources; only the crate itself is pure")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut hasher = DefaultHasher::new();
    hash(Path::new("src"), &mut hasher)?;
    println!("cargo::rustc-env=HOOKGUARD_CONFIG_FINGERPRINT={:016x}", hasher.finish());
    Ok(())
}

fn hash(folder: &Path, hasher: &mut DefaultHasher) -> std::io::Result<()> {
    let mut entries =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            hash(&path, hasher)?;
        } else {
            std::fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}
