//! The processes above this one, by all the names that they have.

use std::path::Path;

use hookguard_adapter::Profile;

/// How far up the processes are followed.
const MAX_UP: usize = 64;
/// Programs that run a script of another name: what they run is their second word.
const INTERPRETERS: [&str; 3] = ["node", "bun", "deno"];

/// Calls `each` for this process and those above it, until it gives something.
///
/// # Errors
/// This process can't be seen, or there are too many above it: as a fragment.
#[cfg(target_os = "linux")]
pub(crate) fn find<T>(mut each: impl FnMut(u32, &Process) -> Option<T>) -> Result<Option<T>, String> {
    let mut pid = std::process::id();
    for up in 0..MAX_UP {
        let Some(process) = Process::read(pid) else {
            // Above us may be somebody else's; that we don't see ourselves is another matter.
            return if up == 0 {
                Err("the processes above this one can't be seen (/proc)".to_owned())
            } else {
                Ok(None)
            };
        };
        if let Some(found) = each(pid, &process) {
            return Ok(Some(found));
        }
        if process.parent == 0 {
            return Ok(None);
        }
        pid = process.parent;
    }
    Err(format!("more than {MAX_UP} processes are above this one"))
}

/// Elsewhere there is no /proc.
#[cfg(not(target_os = "linux"))]
pub(crate) fn find<T>(_each: impl FnMut(u32, &Process) -> Option<T>) -> Result<Option<T>, String> {
    Ok(None)
}

/// Whether this process belongs to somebody whom a hook of hookguard's has started: a judge's child, perhaps one that has
/// lost the variables by which such a child is known.
pub(crate) fn is_below_a_hook() -> bool {
    let own = std::process::id();
    let hook = |pid: u32, process: &Process| (pid != own && process.is_hook()).then_some(());
    find(hook).is_ok_and(|found| found.is_some())
}

/// A process, by all the names that it has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    parent: u32,
    names: Vec<String>,
    /// The first word after the program's name.
    verb: String,
}

impl Process {
    fn read(pid: u32) -> Option<Process> {
        let folder = Path::new("/proc").join(pid.to_string());
        let stat = std::fs::read(folder.join("stat")).ok()?;
        let program = std::fs::read_link(folder.join("exe")).ok();
        let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
        Process::of(&String::from_utf8_lossy(&stat), program.as_deref(), &String::from_utf8_lossy(&line))
    }

    /// `stat` is `PID (NAME) STATE PARENT …`, and the name may hold anything.
    fn of(stat: &str, program: Option<&Path>, line: &str) -> Option<Process> {
        let (start, end) = (stat.find('(')?, stat.rfind(')')?);
        let parent = stat[end + 1..].split_whitespace().nth(1)?.parse().ok()?;
        let words: Vec<&str> = line.split('\0').collect();
        let script = words.iter().skip(1).find(|word| !word.starts_with('-'));
        let interpreted = words.first().is_some_and(|word| INTERPRETERS.contains(&bare(word).as_str()));
        let mut names = vec![bare(stat.get(start + 1..end)?)];
        names.extend(program.map(|path| bare(&path.to_string_lossy())));
        names.extend(words.first().map(|word| bare(word)));
        names.extend(script.filter(|_| interpreted).map(|word| bare(word)));
        let verb = words.get(1).copied().unwrap_or_default().to_owned();
        Some(Process { parent, names, verb })
    }

    pub(crate) fn is(&self, profile: &Profile) -> bool {
        self.names.iter().any(|name| profile.detection.binaries.contains(&name.as_str()))
    }

    /// Whether it is hookguard, called by an agent.
    fn is_hook(&self) -> bool {
        self.verb == "hook" && self.names.iter().any(|name| name == "hookguard")
    }
}

/// The last part of a path, in lower case and without what tells a program's kind: `/x/bin/claude.exe` is `claude`.
fn bare(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    // A program that was replaced while it runs.
    let name = name.strip_suffix(" (deleted)").unwrap_or(&name);
    [".exe", ".js", ".mjs", ".cjs"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AGENTS;

    fn agent(stat: &str, program: &str, line: &str) -> Option<&'static str> {
        let process = Process::of(stat, Some(Path::new(program)), &line.replace(' ', "\0"))?;
        AGENTS.iter().map(|adapter| adapter.profile()).find(|profile| process.is(profile)).map(|profile| profile.id)
    }

    #[test]
    fn agents_are_known_by_any_of_their_names() {
        for (stat, program, line, expected) in [
            ("7 (claude) S 3 7", "/opt/claude/versions/2.1.332", "claude -p x", Some("claude")),
            ("7 (node-MainThread) S 3 7", "/usr/bin/node", "node /usr/lib/node_modules/.bin/codex exec", Some("codex")),
            ("7 (MainThread) S 3 7", "/usr/bin/node", "/usr/bin/node --no-warnings /x/bin/codex.js", Some("codex")),
            ("7 (x) S 3 7", "/n/claude-code/bin/claude.exe (deleted)", "x", Some("claude")),
            ("7 (bash) S 3 7", "/bin/bash", "bash -c codex", None),
            ("7 (vim) S 3 7", "/usr/bin/vim", "vim codex", None),
            ("7 (codex-notes) S 3 7", "/x/codex-notes", "codex-notes", None),
        ] {
            assert_eq!(agent(stat, program, line), expected, "{line}");
        }
    }

    #[test]
    fn a_name_with_brackets_does_not_hide_the_parent() {
        let process = Process::of("12 (a) R 1 (b)) S 3 12", None, "").unwrap();
        assert_eq!((process.parent, process.names[0].as_str()), (3, "a) r 1 (b)"));
        for broken in ["", "7", "7 (x", "7 (x) S", "7 )x( S 3"] {
            assert_eq!(Process::of(broken, None, ""), None, "{broken}");
        }
    }

    #[test]
    fn this_process_has_parents() {
        let own = Process::read(std::process::id()).unwrap();
        assert!(own.parent > 0 && Process::read(own.parent).is_some(), "{own:?}");
    }

    #[test]
    fn a_hook_is_known_by_its_verb() {
        let is_hook = |line: &str| Process::of("7 (x) S 3 7", None, &line.replace(' ', "\0")).unwrap().is_hook();
        assert!(is_hook("/usr/bin/hookguard hook claude Stop"));
        assert!(!is_hook("/usr/bin/hookguard judge --batch") && !is_hook("vim hook"));
        assert!(!is_below_a_hook());
    }
}
