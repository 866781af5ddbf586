//! The compiled form in a file: what it was made from, and whether it is whole.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What a source looked like: if all are as they were, so is what was made of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its path.
    pub path: String,
    /// Its marks; none where it is not there.
    pub marks: Option<Marks>,
}

/// The marks of a file by which a change of it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The file system's and the file's number.
    pub id: (u64, u64),
    /// Its length in bytes.
    pub size: u64,
    /// When its content was changed, and when anything of it was: seconds and nanoseconds since 1970.
    pub changed: [(i64, i64); 2],
}

/// What was made by which build, from which sources.
#[derive(Debug, Serialize)]
pub struct Key<'a> {
    /// The build: its version and what its policy and this crate were made from.
    build: (&'static str, &'static str, &'static str),
    /// The sources.
    sources: &'a [Source],
}

impl<'a> Key<'a> {
    /// That of `sources` for this build.
    pub fn of(sources: &'a [Source]) -> Key<'a> {
        let build = (env!("CARGO_PKG_VERSION"), hookguard_policy::FINGERPRINT, env!("HOOKGUARD_CONFIG_FINGERPRINT"));
        Key { build, sources }
    }

    fn bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }
}

/// A text as the name of a file: paths and keys that are anything.
pub fn name_of(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// The file's first bytes.
const MAGIC: &[u8; 8] = b"hkgdcfg1";
/// Magic, checksum, length of the key.
const HEAD: usize = 8 + 8 + 4;

/// A file that holds `compiled`, made under `key`.
pub fn seal(key: &Key<'_>, compiled: &[u8]) -> Vec<u8> {
    let key = key.bytes();
    let length = u32::try_from(key.len()).unwrap_or(u32::MAX);
    let mut body = length.to_le_bytes().to_vec();
    body.extend_from_slice(&key);
    body.extend_from_slice(compiled);
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&xxh3_64(&body).to_le_bytes());
    file.extend_from_slice(&body);
    file
}

/// What a file made under `key` holds; none where it was made under another, or is not whole.
pub fn unseal<'f>(file: &'f [u8], key: &Key<'_>) -> Option<&'f [u8]> {
    let head = file.get(..HEAD)?;
    let (sum, body) = (u64::from_le_bytes(head[8..16].try_into().ok()?), &file[16..]);
    let length = usize::try_from(u32::from_le_bytes(head[16..].try_into().ok()?)).ok()?;
    let made_under = file.get(HEAD..HEAD.checked_add(length)?)?;
    let whole = &head[..8] == MAGIC && made_under == key.bytes() && xxh3_64(body) == sum;
    whole.then(|| &file[HEAD + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_whole_and_of_the_same_sources_is_used() {
        let source = |size| {
            let marks = Marks { id: (1, 2), size, changed: [(3, 4), (5, 6)] };
            [Source { path: "/p/hookguard.toml".into(), marks: Some(marks) }]
        };
        let (then, now) = (source(7), source(8));
        let file = seal(&Key::of(&then), b"compiled");
        assert_eq!(unseal(&file, &Key::of(&then)), Some(&b"compiled"[..]));
        assert_eq!(unseal(&file, &Key::of(&now)), None);
        for at in 0..file.len() {
            let mut bad = file.clone();
            bad[at] ^= 1;
            assert_eq!(unseal(&bad, &Key::of(&then)), None, "byte {at}");
            assert_eq!(unseal(&file[..at], &Key::of(&then)), None, "cut at {at}");
        }
    }
}
