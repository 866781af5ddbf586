//! The command that an agent's settings file runs: written by us, and recognised again.

/// The words that a shell leaves as they are.
const SAFE: &[u8] = b"_-./+:,@%";

/// A command of ours, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCommand {
    /// The program as the shell would run it: an absolute path, or `hookguard` where it is found by PATH.
    pub program: String,
    /// The id of the agent, such as `claude`.
    pub agent: String,
    /// The event in the agent's own words, such as `PreToolUse`.
    pub event: String,
}

/// Why no command can be written for a binary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// A relative path would mean another file in another folder.
    #[error("the path of the binary is not absolute: {0:?}")]
    NotAbsolute(String),
    /// Another name would not be recognised when it is time to uninstall.
    #[error("the binary is not called hookguard: {0:?}")]
    Name(String),
    /// A line break, a NUL or their like does not survive a settings file and a shell.
    #[error("the path of the binary holds a control character: {0:?}")]
    Control(String),
    /// Agents and events are plain words.
    #[error("not the name of an agent or an event: {0:?}")]
    Word(String),
}

/// Whether a command of a settings file is ours: after unquoting, a program called `hookguard` (or `hookguard.exe`), the
/// word `hook`, an agent, an event, and nothing else. A command in which a shell would do more than run one program
/// (pipes, variables, redirects, several commands) is somebody's own and never ours.
///
/// ```
/// use hookguard_adapter::settings::command::own_command;
///
/// let own = own_command("'/path with space/hookguard' hook claude PreToolUse").unwrap();
/// assert_eq!((own.agent.as_str(), own.event.as_str()), ("claude", "PreToolUse"));
/// assert!(own_command("hookguard hook codex Stop").is_some());
/// assert!(own_command("echo hookguard hook claude Stop").is_none());
/// assert!(own_command("head -c 40 | /x/hookguard hook claude PreToolUse").is_none());
/// ```
pub fn own_command(command: &str) -> Option<OwnCommand> {
    let [program, hook, agent, event] = <[String; 4]>::try_from(words(command)?).ok()?;
    let own = is_ours(&program) && hook == "hook" && is_plain(&agent) && is_plain(&event);
    own.then_some(OwnCommand { program, agent, event })
}

/// The command for user scope: the absolute path, in single quotes where a shell could take it for something else. For
/// project scope, which is shared between machines, the binary is the bare `hookguard`.
///
/// ```
/// use hookguard_adapter::settings::command::command_line;
///
/// assert_eq!(command_line("/usr/bin/hookguard", "claude", "Stop")?, "/usr/bin/hookguard hook claude Stop");
/// assert_eq!(command_line("/it's/hookguard", "codex", "Stop")?, r"'/it'\''s/hookguard' hook codex Stop");
/// assert!(command_line("/a\nb/hookguard", "claude", "Stop").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The path can't be written so that a shell, and [`own_command`], read the same path again.
pub fn command_line(binary: &str, agent: &str, event: &str) -> Result<String, CommandError> {
    if let Some(word) = [agent, event].into_iter().find(|word| !is_plain(word)) {
        return Err(CommandError::Word(word.to_owned()));
    }
    if binary.chars().any(char::is_control) {
        return Err(CommandError::Control(binary.to_owned()));
    }
    if !(binary.starts_with('/') || is_windows(binary) || binary == "hookguard") {
        return Err(CommandError::NotAbsolute(binary.to_owned()));
    }
    let safe = binary.bytes().all(|byte| byte.is_ascii_alphanumeric() || SAFE.contains(&byte));
    let program = if safe { binary.to_owned() } else { format!("'{}'", binary.replace('\'', r"'\''")) };
    let command = format!("{program} hook {agent} {event}");
    match own_command(&command) {
        Some(own) if own.program == binary => Ok(command),
        _ => Err(CommandError::Name(binary.to_owned())),
    }
}

/// Whether a path begins with a drive or a server, as on Windows.
fn is_windows(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic()) || path.starts_with(r"\\")
}

fn is_ours(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or_default();
    let name = if is_windows(program) { name.rsplit('\\').next().unwrap_or_default() } else { name };
    matches!(name, "hookguard" | "hookguard.exe")
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// The words of a command that is nothing but one program with literal arguments; `None` where a POSIX shell would see
/// anything more in it.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(char) = chars.next() {
        match char {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        '\n' | '\0' => return None,
                        char => word.push(char),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '$' | '`' | '\n' | '\0' => return None,
                        '\\' => match chars.next()? {
                            '\n' => return None,
                            char @ ('$' | '`' | '"' | '\\') => word.push(char),
                            char => word.extend(['\\', char]),
                        },
                        char => word.push(char),
                    }
                }
            }
            '\\' => match chars.next()? {
                '\n' => return None,
                char => word.get_or_insert_default().push(char),
            },
            '#' | '~' if word.is_none() => return None,
            // `NAME=value` in front of a program is no program.
            '=' if words.is_empty() && word.as_deref().is_some_and(is_name) => return None,
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' | '[' | '{' | '\n' | '\0' => return None,
            char => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    Some(words)
}

/// Whether a shell could assign to it; `+` for `NAME+=value`.
fn is_name(word: &str) -> bool {
    let word = word.strip_suffix('+').unwrap_or(word);
    !word.starts_with(|char: char| char.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours() {
        for (command, program) in [
            ("hookguard hook claude Stop", "hookguard"),
            ("/usr/local/bin/hookguard hook claude Stop", "/usr/local/bin/hookguard"),
            ("'/path with space/hookguard' hook claude Stop", "/path with space/hookguard"),
            ("\"/path with space/hookguard\" hook claude Stop", "/path with space/hookguard"),
            ("/path\\ with\\ space/hookguard hook claude Stop", "/path with space/hookguard"),
            (r"'/it'\''s/hookguard'  hook claude 'Stop' ", "/it's/hookguard"),
            (
                r"'C:\Program Files\hookguard\hookguard.exe' hook claude Stop",
                r"C:\Program Files\hookguard\hookguard.exe",
            ),
            ("'/odd $(name);|&/hookguard' hook claude Stop", "/odd $(name);|&/hookguard"),
            ("/ünï/hookguard hook claude Stop", "/ünï/hookguard"),
            ("/a=b/hookguard hook claude Stop", "/a=b/hookguard"),
            ("/a#b~c/hookguard hook claude Stop", "/a#b~c/hookguard"),
        ] {
            let own = own_command(command).unwrap_or_else(|| panic!("{command}"));
            assert_eq!((own.program.as_str(), own.agent.as_str(), own.event.as_str()), (program, "claude", "Stop"));
        }
    }

    #[test]
    fn not_ours() {
        for command in [
            "",
            "hookguard",
            "hookguard hook claude",
            "hookguard hook claude Stop now",
            "hookguard hook claude Stop;",
            "hookguard hook claude Stop || true",
            "hookguard hook claude Stop # mine",
            "hookguard hook claude Stop 2>/dev/null",
            "hookguard hook claude Stop\nrm x",
            "hookguard hook claude ''",
            "hookguard check claude Stop",
            "hookguard 'hook claude' Stop x",
            "echo hookguard hook claude Stop",
            "sh hookguard hook claude Stop",
            "sh -c 'hookguard hook claude Stop'",
            "/x/wrap-hookguard hook claude Stop",
            "/x/hookguard.sh hook claude Stop",
            "/x/hookguard/run hook claude Stop",
            "head -c 40 | /x/hookguard hook claude PreToolUse",
            "FOO=1 hookguard hook claude",
            "A=/x/hookguard hook claude Stop",
            "A+=/x/hookguard hook claude Stop",
            "$HOME/hookguard hook claude Stop",
            "\"$HOME/hookguard\" hook claude Stop",
            "~/bin/hookguard hook claude Stop",
            "`which hookguard`/hookguard hook claude Stop",
            "/x/*/hookguard hook claude Stop",
            "/x/{a,b}/hookguard hook claude Stop",
            "'/x/hookguard hook claude Stop",
            "/x/hookguard hook claude Stop\\",
            "/x\\hookguard hook claude Stop",
            "npx hookguard hook claude Stop",
        ] {
            assert_eq!(own_command(command), None, "{command}");
        }
    }

    #[test]
    fn refused() {
        for (binary, error) in [
            ("./hookguard", CommandError::NotAbsolute("./hookguard".into())),
            ("bin/hookguard", CommandError::NotAbsolute("bin/hookguard".into())),
            ("", CommandError::NotAbsolute(String::new())),
            ("/x/hookguard-dev", CommandError::Name("/x/hookguard-dev".into())),
            ("/x/hookguard/", CommandError::Name("/x/hookguard/".into())),
            ("/x\0/hookguard", CommandError::Control("/x\0/hookguard".into())),
            ("/x\r\n/hookguard", CommandError::Control("/x\r\n/hookguard".into())),
        ] {
            assert_eq!(command_line(binary, "claude", "Stop"), Err(error));
        }
        assert_eq!(command_line("/x/hookguard", "claude", "Stop now"), Err(CommandError::Word("Stop now".into())));
        assert_eq!(command_line("hookguard", "claude", "Stop").as_deref(), Ok("hookguard hook claude Stop"));
        assert_eq!(command_line("/x/hookguard", "", "Stop"), Err(CommandError::Word(String::new())));
    }

    proptest::proptest! {
        #[test]
        fn every_path_comes_back(folder in "[^\\p{Cc}]{0,12}") {
            let binary = format!("/{folder}/hookguard");
            let command = command_line(&binary, "claude", "PreToolUse").unwrap();
            proptest::prop_assert_eq!(own_command(&command).unwrap().program, binary);
        }

        #[test]
        fn no_text_is_too_odd(text in ".{0,40}") {
            if let Some(own) = own_command(&text) {
                proptest::prop_assert!(is_ours(&own.program));
            }
        }
    }
}
