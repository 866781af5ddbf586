//! A text, read into the model: what is wrong with it, where, and what was perhaps meant.

use std::collections::BTreeSet;

use crate::hint;
use crate::model::{ConfigFile, List};
use crate::place::{Place, Places};
use crate::rules;

/// The most that a file may have, in bytes. People's have a few thousand.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The most rules, levels, exceptions and scripts that a file may have. People's have some dozens.
const MAX_ENTRIES: usize = 2_000;
/// How many keys that are not known are told of; the others are only counted.
const MAX_UNKNOWN: usize = 50;

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
#[derive(Debug, Clone)]
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
        let missing = || hint::of_missing(&what, Places::of(text).paths().iter().map(String::as_str));
        let hint = hint::of_message(&what).or_else(missing);
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
    let wrong = |path: &str, what: String, hint: Option<String>| Fault { place: places.get(path), what, hint };
    let entries = file.rule.len() + file.rules.len() + file.except.len() + file.policy.len() + file.stop.check.len();
    if entries > MAX_ENTRIES {
        let hint = "a configuration that long would cost every call its time".to_owned();
        return Err(wrong("", format!("it has {entries} entries, and {MAX_ENTRIES} are the most"), Some(hint)));
    }
    for (at, rule) in file.rule.iter().enumerate() {
        rules::check(rule).map_err(|(key, what, hint)| wrong(&format!("rule.{at}.{key}"), what, hint))?;
    }
    let unclear = |path: &str| unknown_paths.iter().any(|unknown| unknown.starts_with(path));
    checked(&file, unclear).map_err(|(path, what, hint)| wrong(&path, what, Some(hint.to_owned())))?;
    let unknown = unknown_paths
        .iter()
        .take(MAX_UNKNOWN)
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

/// The first thing besides rules that can't be meant: where, what, and what to do.
fn checked(file: &ConfigFile, unclear: impl Fn(&str) -> bool) -> Result<(), (String, String, &'static str)> {
    for (at, except) in file.except.iter().enumerate() {
        let parts = [&except.command, &except.path, &except.program, &except.sub];
        if except.reason.trim().is_empty() {
            let what = "an exception needs a reason".to_owned();
            return Err((format!("except.{at}.reason"), what, "say why, for whoever reads the file later"));
        }
        // What it says with a key that is not known is held back, and nothing else of the file.
        if parts.iter().all(|part| part.is_none()) && !unclear(&format!("except.{at}.")) {
            let what = format!("this would turn {} off", except.rule);
            return Err((
                format!("except.{at}"),
                what,
                "name the command, path, program or sub; or set the rule's level",
            ));
        }
    }
    let roots = file.lists.temp_roots.as_ref().map(List::names).unwrap_or_default();
    if let Some(root) = roots.iter().find(|root| !root.starts_with('/') || root.trim_matches('/').is_empty()) {
        let what = format!("`{root}` is no folder for temporary files");
        return Err(("lists.temp_roots".to_owned(), what, "an absolute path, such as /scratch"));
    }
    for (at, backend) in file.judge.backend.iter().enumerate() {
        if let Some(what) = backend.faults().into_iter().next() {
            return Err((format!("judge.backend.{at}"), what, "docs/judges.md describes the kinds and their keys"));
        }
    }
    let ids = file.policy.iter().enumerate().map(|(at, policy)| (format!("policy.{at}.id"), &policy.id));
    let ids =
        ids.chain(file.stop.check.iter().enumerate().map(|(at, check)| (format!("stop.check.{at}.id"), &check.id)));
    for (path, id) in ids {
        if id.trim().is_empty() {
            return Err((path, "the id is empty".to_owned(), "a short name, for the log and the message"));
        }
    }
    Ok(())
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
        (
            "version = 1\n[[rule]]\nid = \"x\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\nprogram = [\"p\"]\n",
            "3:1",
            "`x` is no rule's id",
            "two or more words joined by dots, such as `team.no_terraform`: lower case, digits, `_`",
        ),
        (
            "version = 1\n[[rule]]\nid = \"a.b\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\n",
            "2:1",
            "the rule a.b is about every command",
            "give a program, an effect with a path, an mcp tool, a url host or a regex",
        ),
        (
            "version = 1\n[[rule]]\nid = \"a.b\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\neffect = [\"wrte\"]\n",
            "7:1",
            "`wrte` is not known here",
            "did you mean `write`?",
        ),
        (
            "version = 1\n[[rule]]\nid = \"a.b\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\nregex = \"(\"\n",
            "7:1",
            "found open group without closing",
            "",
        ),
        (
            "version = 1\n[[except]]\nrule = \"git.push.force\"\nreason = \"x\"\n",
            "2:1",
            "this would turn git.push.force off",
            "name the command, path, program or sub; or set the rule's level",
        ),
        (
            "version = 1\n[[rule]]\nid = \"a.b\"\nlevl = \"ask\"\nreason = \"r\"\ninstead = \"i\"\nprogram = [\"x\"]\n",
            "2:1",
            "missing field `level`",
            "is `levl` meant to be `level`?",
        ),
        (
            "version = 1\n[rules]\na = \"allow\"\n",
            "3:5",
            "unknown variant `allow`",
            "no rule allows: an exception is an [[except]], and a rule that is not wanted is `off`",
        ),
        (
            "version = 1\n[[rule]]\nid = \"a.b\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\nprogram = \"x\"\n",
            "7:11",
            "invalid type: string \"x\", expected a sequence",
            "write it as a list: [\"x\"]",
        ),
        (
            "version = 1\n[lists]\ntemp_roots = { add = [\"/\"] }\n",
            "3:1",
            "`/` is no folder for temporary files",
            "an absolute path, such as /scratch",
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
        let text = "version = 1\nmoed = \"observe\"\n[[except]]\nrule = \"x\"\nsub = \"s\"\nreson = \"y\"\nreason = \"z\"\n\
                    [[rule]]\nid = \"a.b\"\nlevel = \"ask\"\nreason = \"r\"\ninstead = \"i\"\nprogram = [\"x\"]\nflags = { ani = [\"-f\"] }\n\
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
                (6, "the key `reson` is not known here", "did you mean `reason`?"),
                (14, "the key `ani` is not known here", "did you mean `any`?"),
                (16, "the key `prod_wrds` is not known here", "did you mean `prod_words`?"),
                (18, "the key `checks` is not known here", "did you mean `check`?"),
                (19, "the key `quux` is not known here", ""),
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
