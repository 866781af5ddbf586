//! A text, read into the model: what is wrong with it, where, and what was perhaps meant.

use std::collections::BTreeSet;

use crate::hint;
use crate::model::ConfigFile;
use crate::place::{Place, Places};

/// The most that a file may have, in bytes. People's have a few thousand.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// What is wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What, as a sentence's fragment.
    pub what: String,
    /// What was perhaps meant, or what to do.
    pub hint: Option<String>,
}

/// A file that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// What stands in it.
    pub file: ConfigFile,
    /// Where it stands.
    pub places: Places,
    /// Keys that this version does not know: a mistake, or a newer version's. Nothing else is lost by them.
    pub unknown: Vec<Fault>,
    /// The paths of those keys.
    pub(crate) unknown_paths: BTreeSet<String>,
}

impl Parsed {
    /// Whether a key that this version does not know stands below `path`.
    pub(crate) fn has_unknown_below(&self, path: &str) -> bool {
        self.unknown_paths.iter().any(|unknown| unknown.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
    }
}

/// Reads a file.
///
/// # Errors
///
/// The first thing by which the file as a whole can't be used: bytes that are no text, no TOML, a value of the wrong kind,
/// another version, a rule that can't be compiled.
pub fn parse(bytes: &[u8]) -> Result<Parsed, Fault> {
    let fault =
        |at: usize, text: &str, what: String, hint: Option<String>| Fault { place: Place::of(text, at), what, hint };
    if bytes.len() > MAX_FILE_BYTES {
        return Err(fault(0, "", format!("it has {} bytes, and {MAX_FILE_BYTES} are the most", bytes.len()), None));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        fault(good.len(), &good, "it is no UTF-8".to_owned(), None)
    })?;
    // Editors on Windows put it there.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let toml = |error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = error.message().lines().collect::<Vec<_>>().join("; ");
        let hint = hint::of_message(&what);
        fault(at, text, what, hint)
    };
    let mut unknown_paths = BTreeSet::new();
    let file: ConfigFile = serde_ignored::deserialize(toml::Deserializer::parse(text).map_err(toml)?, |path| {
        unknown_paths.insert(path.to_string().replace(".?", "").replace("?.", ""));
    })
    .map_err(toml)?;
    let places = Places::of(text);
    if file.version != 1 {
        let hint = "this hookguard reads `version = 1`".to_owned();
        let what = format!("version {} is not known", file.version);
        return Err(Fault { place: places.get("version"), what, hint: Some(hint) });
    }
    let unknown = unknown_paths
        .iter()
        .map(|path| {
            let name = path.rsplit('.').next().unwrap_or(path);
            Fault {
                place: places.get(path),
                what: format!("the key `{name}` is not known here"),
                hint: hint::of_key(path),
            }
        })
        .collect();
    Ok(Parsed { file, places, unknown, unknown_paths })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, and what is wrong with it: where, what, hint.
    const BROKEN: &[(&str, &str, &str, &str)] = &[
        ("", "1:1", "missing field `version`", ""),
        ("version = 2\n", "1:1", "version 2 is not known", "this hookguard reads `version = 1`"),
        ("version = 1\n[rules\n", "2:7", "unclosed table, expected `]`", ""),
        (
            "version = 1\n[rules]\n\"git.push.force\" = \"dney\"\n",
            "3:20",
            "unknown variant `dney`",
            "did you mean `deny`?",
        ),
        ("version = 1\n[rules]\ngit.push.force = \"dney\"\n", "3:18", "unknown variant `dney`", "did you mean `deny`?"),
        ("version = 1\nmode = \"obsrve\"\n", "2:8", "unknown variant `obsrve`", "did you mean `observe`?"),
        ("version = 1\n[lists]\nprod_words = 3\n", "3:14", "invalid type: integer `3`, expected an array of names", ""),
        (
            "version = 1\n[[policy]]\nid = \"x\"\non = \"pre_tools\"\n",
            "4:6",
            "unknown variant `pre_tools`",
            "did you mean `pre_tool`?",
        ),
    ];

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, place, what, hint) in BROKEN {
            let fault = parse(text.as_bytes()).expect_err(text);
            assert_eq!(fault.place.to_string(), *place, "{text}: {fault}");
            assert!(fault.what.contains(what), "{text}: {}", fault.what);
            assert_eq!(fault.hint.as_deref().unwrap_or(""), *hint, "{text}");
        }
        let fault = parse(b"version = 1\n# caf\xe9\n").expect_err("Latin-1");
        assert_eq!((fault.place.to_string().as_str(), fault.what.as_str()), ("2:6", "it is no UTF-8"));
        assert!(parse(&vec![b'\n'; MAX_FILE_BYTES + 1]).is_err());
    }

    #[test]
    fn unknown_keys_are_told_with_place_and_hint_and_lose_nothing_else() {
        let text = "version = 1\nmoed = \"observe\"\n[[except]]\nrule = \"x\"\nreson = \"y\"\nreason = \"z\"\n\
                    [[rule]]\nid = \"a\"\nlevel = \"ask\"\nreason = \"\"\ninstead = \"\"\nflags = { ani = [\"-f\"] }\n\
                    [lists]\nprod_wrds = [\"live\"]\n[stop]\nchecks = 1\n[quux]\na = 1\n";
        let parsed = parse(text.as_bytes()).unwrap();
        let mut told: Vec<(u32, &str, &str)> = parsed
            .unknown
            .iter()
            .map(|fault| (fault.place.line, fault.what.as_str(), fault.hint.as_deref().unwrap_or("")))
            .collect();
        told.sort();
        assert_eq!(
            told,
            [
                (2, "the key `moed` is not known here", "did you mean `mode`?"),
                (5, "the key `reson` is not known here", "did you mean `reason`?"),
                (12, "the key `ani` is not known here", "did you mean `any`?"),
                (14, "the key `prod_wrds` is not known here", "did you mean `prod_words`?"),
                (16, "the key `checks` is not known here", "did you mean `check`?"),
                (17, "the key `quux` is not known here", ""),
            ]
        );
        assert_eq!(parsed.file.except.len(), 1);
        assert!(parsed.has_unknown_below("except.0") && !parsed.has_unknown_below("except.1"));
    }

    #[test]
    fn ids_may_stand_with_and_without_quotes() {
        let text = "\u{feff}version = 1\n[rules]\n\"git.push.force\" = \"ask\"\nfs.delete.project = \"warn\"\n[rules.k8s]\ndelete = \"deny\"\n";
        let parsed = parse(text.as_bytes()).unwrap();
        let levels: Vec<String> = parsed.file.rules.iter().map(|(id, level)| format!("{id}={level}")).collect();
        assert_eq!(levels, ["fs.delete.project=warn", "git.push.force=ask", "k8s.delete=deny"]);
        assert_eq!(parsed.places.get("rules.git.push.force").to_string(), "3:1");
        assert_eq!(parsed.places.get("rules.k8s.delete").to_string(), "6:1");
    }
}
