//! A user's own rules: what can't be meant, and the compact form that the hook reads.

use hookguard_core::{Decision, Level};
use hookguard_policy::pack::{CLASSES, EFFECTS, PLACES, RUNS, SOURCES, bits};
use hookguard_policy::{Pattern, Rule, Texts, When};
use serde::{Deserialize, Serialize};

use crate::hint;
use crate::model::UserRule;

/// What is wrong with a rule: the key below it, what, and a hint.
pub(crate) type Wrong = (String, String, Option<String>);

/// Names that sets are made of, by the key that holds them.
fn sets(rule: &UserRule) -> [(&'static str, &[String], &'static [&'static str]); 6] {
    [
        ("path.class", &rule.path.class, CLASSES),
        ("path.not", &rule.path.not, CLASSES),
        ("effect", &rule.effect, EFFECTS),
        ("stdin_from", &rule.stdin_from, SOURCES),
        ("runs", &rule.runs, RUNS),
        ("place", &rule.place, PLACES),
    ]
}

/// The first thing that can't be meant in `rule`.
pub(crate) fn check(rule: &UserRule) -> Result<(), Wrong> {
    let wrong = |key: &str, what: String, hint: Option<&str>| Err((key.to_owned(), what, hint.map(str::to_owned)));
    if !is_id(&rule.id) {
        let hint = "two or more words joined by dots, such as `team.no_terraform`: lower case, digits, `_`";
        return wrong("id", format!("`{}` is no rule's id", rule.id), Some(hint));
    }
    for (key, text) in [("reason", &rule.reason), ("instead", &rule.instead)] {
        if text.trim().is_empty() {
            return wrong(key, "it must say something to the model".to_owned(), None);
        }
        if text.len() > MAX_SENTENCE || text.chars().any(hookguard_core::is_unseen) {
            let hint = "one line of text, at most 500 bytes";
            return wrong(key, "it holds more than a sentence, or what a terminal would obey".to_owned(), Some(hint));
        }
    }
    for (key, names, table) in sets(rule) {
        if let Err(name) = bits(names, table) {
            let hint = hint::nearest(&name, table.iter().copied());
            let all = || format!("it is one of: {}", table.join(", "));
            return Err((key.to_owned(), format!("`{name}` is not known here"), Some(hint.unwrap_or_else(all))));
        }
    }
    if let Some(program) = rule.program.iter().find(|program| program.contains(['/', ' ']) || program.is_empty()) {
        let hint = "programs are bare names; subcommands stand in `sub`";
        return wrong("program", format!("`{program}` is no bare name"), Some(hint));
    }
    let path = !rule.path.class.is_empty() || !rule.path.not.is_empty() || !rule.path.like.is_empty();
    if path && rule.effect.is_empty() {
        let hint = "say what is done to the files: effect = [\"write\", \"edit\"]";
        return wrong("path", "a path is looked at with an effect only".to_owned(), Some(hint));
    }
    if let Some(pattern) = &rule.regex
        && let Err(why) = Pattern::check(pattern)
    {
        return wrong("regex", why.lines().collect::<Vec<_>>().join(" "), None);
    }
    if matches!(rule.operand.count, Some((least, most)) if least > most) {
        return wrong("operand.count", "the first number is the least, the second the most".to_owned(), None);
    }
    if says_nothing(rule) {
        let hint = "give a program, an effect with a path, an mcp tool, a url host or a regex";
        return wrong("", format!("the rule {} is about every command", rule.id), Some(hint));
    }
    Ok(())
}

/// How long a reason may be, in bytes.
const MAX_SENTENCE: usize = 500;

/// Whether `id` is words joined by dots.
fn is_id(id: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    id.contains('.') && id.len() <= 100 && id.split('.').all(word)
}

fn says_nothing(rule: &UserRule) -> bool {
    let when = [
        &rule.program,
        &rule.sub,
        &rule.flags.any,
        &rule.flags.all,
        &rule.operand.kind,
        &rule.env,
        &rule.prod_in,
        &rule.stdin_from,
        &rule.runs,
        &rule.place,
        &rule.effect,
        &rule.mcp.server,
        &rule.mcp.tool,
        &rule.mcp.arg,
        &rule.url.host,
    ];
    when.iter().all(|list| list.is_empty()) && rule.regex.is_none()
}

/// Where a rule is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Index {
    /// By the programs it names.
    Programs,
    /// With every effect on a file.
    Files,
    /// With every command.
    All,
    /// With MCP tools and addresses.
    Tools,
}

/// Where `rule` is looked up.
pub(crate) fn index(rule: &UserRule) -> Index {
    let tools = [&rule.mcp.server, &rule.mcp.tool, &rule.mcp.arg, &rule.url.host];
    if !rule.program.is_empty() {
        Index::Programs
    } else if tools.iter().any(|list| !list.is_empty()) {
        Index::Tools
    } else if !rule.effect.is_empty() {
        Index::Files
    } else {
        Index::All
    }
}

/// A text that every match of `pattern` holds; empty where none is plain to see. Groups give none, and neither does a pattern
/// with a choice outside of them, or with flags.
pub(crate) fn literal(pattern: &str) -> String {
    let flags = pattern.match_indices("(?").any(|(at, _)| !pattern[at + 2..].starts_with([':', 'P', '<']));
    if flags {
        return String::new();
    }
    let (mut best, mut run) = (String::new(), String::new());
    let mut depth = 0;
    let mut chars = pattern.chars().peekable();
    while let Some(char) = chars.next() {
        let plain = match char {
            '\\' => match chars.next() {
                // A class, an anchor or a character by its number.
                Some(next) if next.is_ascii_alphanumeric() => {
                    if matches!(next, 'p' | 'P' | 'x' | 'u' | 'U') {
                        return best;
                    }
                    None
                }
                next => next,
            },
            '(' => {
                depth += 1;
                None
            }
            ')' => {
                depth -= 1;
                None
            }
            '[' => {
                let mut first = true;
                let mut open = 1;
                while let Some(inner) = chars.next() {
                    match inner {
                        '\\' => drop(chars.next()),
                        '[' => open += 1,
                        ']' if !first => open -= 1,
                        _ => {}
                    }
                    first = first && inner == '^';
                    if open == 0 {
                        break;
                    }
                }
                None
            }
            '|' if depth == 0 => return String::new(),
            '|' | '.' | '^' | '$' | '*' | '+' | '?' | '{' | '}' => None,
            other => Some(other),
        };
        // The last letter before one of these may be missing.
        if matches!(chars.peek(), Some('*' | '?' | '{')) && plain.is_some() {
            longer(&mut best, &mut run);
            continue;
        }
        match plain {
            Some(char) if depth == 0 => run.push(char),
            _ => longer(&mut best, &mut run),
        }
    }
    longer(&mut best, &mut run);
    best
}

fn longer(best: &mut String, run: &mut String) {
    if run.len() > best.len() {
        *best = std::mem::take(run);
    }
    run.clear();
}

/// A rule as it lies in the compiled form. Texts are borrowed from it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Compact<'a> {
    id: &'a str,
    level: Level,
    reason: &'a str,
    instead: &'a str,
    #[serde(borrow)]
    programs: Vec<&'a str>,
    sub: Vec<Vec<&'a str>>,
    sub_not: Vec<Vec<&'a str>>,
    flags_any: Vec<&'a str>,
    flags_all: Vec<&'a str>,
    flags_none: Vec<&'a str>,
    operand_kind: Vec<&'a str>,
    operand_not: Vec<&'a str>,
    operand_count: Option<(u16, u16)>,
    env: Vec<&'a str>,
    prod_in: Vec<&'a str>,
    stdin_from: u32,
    runs: u32,
    place: u32,
    effects: u32,
    classes: u32,
    classes_not: u32,
    path_like: Vec<&'a str>,
    mcp_server: Vec<&'a str>,
    mcp_tool: Vec<&'a str>,
    mcp_arg: Vec<&'a str>,
    hosts: Vec<&'a str>,
    regex: Option<&'a str>,
}

fn texts(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

fn words(list: &[String]) -> Vec<Vec<&str>> {
    list.iter().map(|text| text.split_whitespace().collect()).collect()
}

impl<'a> Compact<'a> {
    /// That of `rule`, which was checked, at `level`.
    pub(crate) fn of(rule: &'a UserRule, level: Level) -> Compact<'a> {
        // What was checked holds no unknown name.
        let set = |names: &[String], table: &[&str]| bits(names, table).unwrap_or_default();
        let tools_only = index(rule) == Index::Tools;
        let any = |list: &'a [String]| if tools_only && list.is_empty() { vec!["*"] } else { texts(list) };
        let by_name = !rule.mcp.server.is_empty() || !rule.mcp.tool.is_empty() || !rule.mcp.arg.is_empty();
        Compact {
            id: &rule.id,
            level,
            reason: &rule.reason,
            instead: &rule.instead,
            programs: texts(&rule.program),
            sub: words(&rule.sub),
            sub_not: words(&rule.sub_not),
            flags_any: texts(&rule.flags.any),
            flags_all: texts(&rule.flags.all),
            flags_none: texts(&rule.flags.none),
            operand_kind: texts(&rule.operand.kind),
            operand_not: texts(&rule.operand.not),
            operand_count: rule.operand.count,
            env: texts(&rule.env),
            prod_in: texts(&rule.prod_in),
            stdin_from: set(&rule.stdin_from, SOURCES),
            runs: set(&rule.runs, RUNS),
            place: set(&rule.place, PLACES),
            effects: set(&rule.effect, EFFECTS),
            classes: set(&rule.path.class, CLASSES),
            classes_not: set(&rule.path.not, CLASSES),
            path_like: texts(&rule.path.like),
            mcp_server: texts(&rule.mcp.server),
            // A rule about a server is about all its tools.
            mcp_tool: if by_name { any(&rule.mcp.tool) } else { Vec::new() },
            mcp_arg: texts(&rule.mcp.arg),
            hosts: texts(&rule.url.host),
            regex: rule.regex.as_deref(),
        }
    }
}

impl Compact<'static> {
    /// The rule, for as long as the process lives: there is one for each that is reached.
    pub(crate) fn leak(self) -> &'static Rule {
        let lists = |list: Vec<Vec<&'static str>>| -> &'static [&'static [&'static str]] {
            list.into_iter().map(|words| &*words.leak()).collect::<Vec<_>>().leak()
        };
        let when = When {
            programs: self.programs.leak(),
            sub: lists(self.sub),
            sub_not: lists(self.sub_not),
            flags_any: self.flags_any.leak(),
            flags_all: self.flags_all.leak(),
            flags_none: self.flags_none.leak(),
            operand_kind: self.operand_kind.leak(),
            operand_not: self.operand_not.leak(),
            operand_count: self.operand_count,
            env: self.env.leak(),
            prod_in: self.prod_in.leak(),
            stdin_from: self.stdin_from,
            runs: self.runs,
            place: self.place,
            effects: self.effects,
            classes: self.classes,
            classes_not: self.classes_not,
            path_like: self.path_like.leak(),
            mcp_server: self.mcp_server.leak(),
            mcp_tool: self.mcp_tool.leak(),
            mcp_arg: self.mcp_arg.leak(),
            hosts: self.hosts.leak(),
            regex: self.regex.map(Pattern::new),
        };
        // A rule that is only observed has to say what it would have said.
        let level = match self.level {
            Level::Off | Level::Observe => Decision::Ask,
            level => level.decision(),
        };
        let texts = Texts { reason: self.reason, instead: self.instead };
        Box::leak(Box::new(Rule::own(self.id, level, texts, when)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_stands_in_every_match() {
        for (pattern, expected) in [
            (r"terraform\s+destroy", "terraform"),
            (r"\binternal\.acme\b", "internal.acme"),
            (r"^curl .*secret", "secret"),
            ("colou?r", "colo"),
            ("ab*c+de", "de"),
            ("a|bcd", ""),
            ("(?i)drop", ""),
            ("(foo)?bar", "bar"),
            (r"internal-4\.example\.(com|org)", "internal-4.example."),
            ("(?:a|b)cd", "cd"),
            ("((a)b|c)?de", "de"),
            ("[a-z]]x{2}yz", "yz"),
            (r"[\]abc]def", "def"),
            (r"\x41bc", ""),
            ("", ""),
        ] {
            assert_eq!(literal(pattern), expected, "{pattern}");
        }
    }
}
