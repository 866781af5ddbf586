//! The files as one, in the form that the hook reads: bytes of which only what is needed is decoded.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use hookguard_core::{Level, Mode};
use hookguard_policy::{Except, Lists, Rule, Settings, UserRules};
use serde::{Deserialize, Serialize};

use crate::layer::{ListName, Stack};
use crate::model::{ExecPolicy, StopCheck, UserRule};
use crate::rules::{Compact, Index, index, literal};

/// What people should be told of the configuration, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What it is about, as a short text that changes when it should be told again: a file's content.
    pub key: String,
    /// The text, a fragment.
    pub text: String,
}

/// Programs that the configuration names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scripts {
    /// Exec policies.
    pub policies: Vec<ExecPolicy>,
    /// Stop checks.
    pub checks: Vec<StopCheck>,
}

/// The compiled form.
#[derive(Debug, Serialize, Deserialize)]
struct Wire<'a> {
    mode: Mode,
    #[serde(borrow)]
    levels: Vec<(&'a str, Level)>,
    excepts: Vec<(&'a str, [Option<&'a str>; 4])>,
    lists: Vec<(ListName, Vec<&'a str>)>,
    programs: Vec<(&'a str, Vec<u16>)>,
    on_files: Vec<u16>,
    on_all: Vec<(u16, &'a str)>,
    on_tools: Vec<u16>,
    rules: Vec<&'a [u8]>,
    scripts: &'a [u8],
    notices: Vec<Notice>,
}

/// Compiles `stack`, of which people should know `notices`. `builtin` gives a built-in rule's own level.
pub fn compile(stack: &Stack, builtin: &BTreeMap<&str, Level>, notices: Vec<Notice>) -> Vec<u8> {
    let bytes = |value: Result<Vec<u8>, postcard::Error>| value.unwrap_or_default();
    let mut programs: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    let (mut on_files, mut on_all, mut on_tools, mut rules) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let literals: Vec<String> =
        stack.rules.iter().map(|(rule, _)| literal(rule.regex.as_deref().unwrap_or_default())).collect();
    for (at, ((rule, _), literal)) in stack.rules.iter().zip(&literals).enumerate() {
        let Ok(number) = u16::try_from(at) else { break };
        match index(rule) {
            Index::Programs => {
                for program in &rule.program {
                    match first_words(rule) {
                        None => programs.entry(program.clone()).or_default().push(number),
                        Some(words) => words.iter().for_each(|word| {
                            programs.entry(format!("{program} {word}")).or_default().push(number);
                        }),
                    }
                }
            }
            Index::Files => on_files.push(number),
            Index::All => on_all.push((number, literal.as_str())),
            Index::Tools => on_tools.push(number),
        }
        rules.push(bytes(postcard::to_stdvec(&Compact::of(rule, rule.level))));
    }
    let own: BTreeMap<&str, Level> = stack.rules.iter().map(|(rule, _)| (rule.id.as_str(), rule.level)).collect();
    let differs = |id: &str, level: Level| {
        let before = builtin.get(id).or(own.get(id));
        before != Some(&level) || level < Level::Warn
    };
    let levels = stack.levels.iter().map(|(id, level)| (id.as_str(), level.value));
    let mut excepts: Vec<_> = stack
        .excepts
        .iter()
        .map(|(except, _)| {
            let parts = [&except.command, &except.path, &except.program, &except.sub];
            (except.rule.as_str(), parts.map(Option::as_deref))
        })
        .collect();
    excepts.sort_unstable();
    let lists = stack.lists.iter().filter(|(_, list)| list.origin.is_some());
    let scripts = Scripts {
        policies: stack.policies.iter().map(|(policy, _)| policy.clone()).collect(),
        checks: stack.checks.iter().map(|(check, _)| check.clone()).collect(),
    };
    let none = scripts.policies.is_empty() && scripts.checks.is_empty();
    let scripts = if none { Vec::new() } else { bytes(postcard::to_stdvec(&scripts)) };
    let wire = Wire {
        mode: stack.mode.value,
        levels: levels.filter(|(id, level)| differs(id, *level)).collect(),
        excepts,
        lists: lists.map(|(name, list)| (*name, list.value.iter().map(String::as_str).collect())).collect(),
        programs: programs.iter().map(|(key, rules)| (key.as_str(), rules.clone())).collect(),
        on_files,
        on_all,
        on_tools,
        rules: rules.iter().map(Vec::as_slice).collect(),
        scripts: &scripts,
        notices,
    };
    bytes(postcard::to_stdvec(&wire))
}

/// The words that the subcommands of `rule` start with, in lower case; none where it is about any, or one may be anything.
fn first_words(rule: &UserRule) -> Option<Vec<String>> {
    let firsts: Vec<String> =
        rule.sub.iter().map(|sub| sub.split_whitespace().next().unwrap_or("*").to_ascii_lowercase()).collect();
    let mut words = firsts.clone();
    words.sort();
    words.dedup();
    (!words.is_empty() && firsts.iter().all(|word| !word.contains('*'))).then_some(words)
}

/// A configuration in use. It lives as long as the process: there is one, or one for each that is compared.
#[derive(Debug)]
pub struct Policy {
    /// What the decision is made with.
    pub settings: Settings<'static>,
    /// What people should be told of it.
    pub notices: Vec<Notice>,
    scripts: &'static [u8],
}

impl Policy {
    /// Reads the compiled form; none where it is not whole.
    pub fn load(bytes: &'static [u8]) -> Option<&'static Policy> {
        let wire: Wire<'static> = postcard::from_bytes(bytes).ok()?;
        let mut lists = Lists::BUILTIN;
        for (name, list) in wire.lists {
            let list: &'static [&'static str] = list.leak();
            match name {
                ListName::ProtectedBranches => lists.protected_branches = list,
                ListName::ProdWords => lists.prod_words = list,
                ListName::TempRoots => lists.temp_roots = list,
                ListName::Artefacts => lists.artefacts = list,
                ListName::LocalKubeContexts => lists.local_kube_contexts = list,
            }
        }
        let except = |(rule, [command, path, program, sub]): (&'static str, [Option<&'static str>; 4])| Except {
            rule,
            command,
            path,
            program,
            sub,
        };
        let rules: Option<&'static dyn UserRules> = if wire.rules.is_empty() {
            None
        } else {
            let loaded = wire.rules.iter().map(|_| OnceLock::new()).collect();
            Some(Box::leak(Box::new(Own {
                programs: wire.programs,
                on_files: wire.on_files,
                on_all: wire.on_all,
                on_tools: wire.on_tools,
                rules: wire.rules,
                loaded,
            })))
        };
        let settings = Settings {
            mode: wire.mode,
            levels: wire.levels.leak(),
            excepts: wire.excepts.into_iter().map(except).collect::<Vec<_>>().leak(),
            rules,
            lists,
        };
        Some(Box::leak(Box::new(Policy { settings, notices: wire.notices, scripts: wire.scripts })))
    }

    /// The programs that are asked too; none where there are none, which costs nothing.
    pub fn scripts(&self) -> Option<Scripts> {
        if self.scripts.is_empty() { None } else { postcard::from_bytes(self.scripts).ok() }
    }
}

/// The built-in policy, with nothing changed.
pub static BUILTIN: Policy = Policy { settings: hookguard_policy::BUILTIN, notices: Vec::new(), scripts: &[] };

/// Rules of the users' own, each decoded when it is reached.
#[derive(Debug)]
struct Own {
    programs: Vec<(&'static str, Vec<u16>)>,
    on_files: Vec<u16>,
    on_all: Vec<(u16, &'static str)>,
    on_tools: Vec<u16>,
    rules: Vec<&'static [u8]>,
    loaded: Vec<OnceLock<Option<&'static Rule>>>,
}

impl UserRules for Own {
    fn of_program(&self, program: &str, sub: &str) -> [&[u16]; 2] {
        let of = |key: &str| match self.programs.binary_search_by(|(name, _)| (*name).cmp(key)) {
            Ok(at) => self.programs[at].1.as_slice(),
            Err(_) => &[],
        };
        let with_sub = if sub.is_empty() { &[] } else { of(&format!("{program} {}", sub.to_ascii_lowercase())) };
        [of(program), with_sub]
    }

    fn on_files(&self) -> &[u16] {
        &self.on_files
    }

    fn on_all(&self) -> &[(u16, &str)] {
        &self.on_all
    }

    fn on_tools(&self) -> &[u16] {
        &self.on_tools
    }

    fn get(&self, at: u16) -> Option<&'static Rule> {
        let at = usize::from(at);
        let decode = || postcard::from_bytes::<Compact<'static>>(self.rules[at]).ok().map(Compact::leak);
        *self.loaded.get(at)?.get_or_init(decode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builtin, Layer, LayerFile, parse, stack};

    const LEVELS: &[(&str, Level)] = &[("git.push.force", Level::Deny), ("git.commit.amend", Level::Ask)];

    fn policy(text: &str) -> &'static Policy {
        let parsed = parse(text.as_bytes()).unwrap();
        let files = vec![LayerFile { layer: Layer::User, parsed, bytes: text.into(), pinned: false }];
        let builtin = Builtin { rules: LEVELS.to_vec(), lists: Vec::new() };
        let bytes = compile(&stack(&builtin, files), &LEVELS.iter().copied().collect(), Vec::new());
        Policy::load(bytes.leak()).unwrap()
    }

    #[test]
    fn what_a_file_says_is_what_the_hook_reads() {
        let text = r#"
            version = 1
            mode = "observe"
            [rules]
            "git.push.force" = "warn"
            "git.commit.amend" = "ask"
            "team.watch" = "observe"
            [[except]]
            rule = "git.push.force"
            sub = "push"
            reason = "why"
            [lists]
            prod_words = ["live"]
            [[rule]]
            id = "team.no_plan"
            level = "deny"
            reason = "why"
            instead = "what else"
            program = ["terraform", "tofu"]
            sub = ["plan", "workspace *"]
            [[rule]]
            id = "team.watch"
            level = "deny"
            reason = "why"
            instead = "what else"
            regex = 'internal\.acme'
            [[rule]]
            id = "team.files"
            level = "ask"
            reason = "why"
            instead = "what else"
            effect = ["write"]
            path = { like = ["gen/**"], not = ["artefact"] }
            [[rule]]
            id = "team.mcp"
            level = "ask"
            reason = "why"
            instead = "what else"
            mcp = { server = ["prod*"] }
            [[policy]]
            id = "team.guard"
            on = "pre_tool"
            tools = ["shell"]
            command = "./guard"
            [[stop.check]]
            id = "tests"
            command = "make test"
        "#;
        let Policy { settings, .. } = policy(text);
        assert_eq!(settings.mode, Mode::Observe);
        assert_eq!(settings.levels, [("git.push.force", Level::Warn), ("team.watch", Level::Observe)]);
        assert_eq!(settings.excepts.len(), 1);
        assert_eq!((settings.lists.prod_words, settings.lists.artefacts), (&["live"][..], Lists::BUILTIN.artefacts));
        let rules = settings.rules.unwrap();
        assert_eq!(
            (rules.of_program("tofu", "Plan"), rules.of_program("tofu", "apply")),
            ([&[][..], &[0]], [&[][..], &[]])
        );
        assert_eq!(
            (rules.on_all(), rules.on_files(), rules.on_tools()),
            (&[(1, "internal.acme")][..], &[2][..], &[3][..])
        );
        let rule = rules.get(0).unwrap();
        assert_eq!((rule.id, rule.when.sub), ("team.no_plan", &[&["plan"][..], &["workspace", "*"]][..]));
        assert_eq!(rules.get(3).unwrap().when.mcp_tool, ["*"]);
        assert!(rules.get(9).is_none());
        let scripts = policy(text).scripts().unwrap();
        assert_eq!((scripts.policies[0].id.as_str(), scripts.checks[0].timeout_ms), ("team.guard", 300_000));
    }

    #[test]
    fn a_file_that_says_nothing_changes_nothing() {
        let Policy { settings, .. } = policy("version = 1\n");
        assert!(settings.levels.is_empty() && settings.rules.is_none() && policy("version = 1\n").scripts().is_none());
        assert!(Policy::load(b"\xff\xff").is_none());
    }
}
