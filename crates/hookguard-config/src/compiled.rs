//! The files as one, in the form that the hook reads: bytes of which only what is needed is decoded.

use std::sync::OnceLock;

use hookguard_core::{Level, Mode};
use hookguard_policy::{Except, Lists, Rule, Settings, UserRules};
use serde::{Deserialize, Serialize};

use crate::layer::{Judging, ListName, Origin, Stack, Valued};
use crate::model::{ExecPolicy, OwnVerification, StopCheck, UserRule};
use crate::rules::{Compact, Index, index, literal};
use crate::table::Table;
use hookguard_judge::Evidence;
use hookguard_judge::backend::{Backend, JudgeMode, Kind, OnProse};

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

/// What the configuration says of judges, as far as it differs from what is built in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judges {
    /// Who is asked, in this order.
    pub backends: Vec<Backend>,
    /// How long all of them together may take, in milliseconds.
    pub deadline_ms: u64,
    /// What the built-in backend does on prose alone.
    pub on_prose: OnProse,
    /// Of how many in a hundred of the stops that are let go at once the text is logged.
    pub sample_percent: u8,
    /// What each judge does; one that is not here blocks.
    pub modes: Vec<(String, JudgeMode)>,
    /// Kinds of verification that are all required.
    pub required: Vec<Evidence>,
    /// Commands that verify.
    pub verification: Vec<OwnVerification>,
    /// Files of judges, each with its content when this was compiled.
    pub files: Vec<JudgeFile>,
    /// The rules about which a judge may answer in the human's place; none where it may not.
    pub guard_rules: Vec<String>,
    /// What is asked about where nothing was verified.
    pub verified_before: Vec<String>,
}

/// A file with a judge of the user's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgeFile {
    /// Where it lies.
    pub path: String,
    /// What stood in it when the configuration was compiled.
    pub text: String,
    /// Its judge's id.
    pub id: String,
    /// Whether its words alone count, and no model reads its question: a project's, which the user has not trusted.
    pub words_only: bool,
}

impl Default for Judges {
    fn default() -> Judges {
        Judges::of(&Judging::default(), Vec::new())
    }
}

impl Judges {
    /// What the files say of judges; `files` hold those of the user's own.
    pub fn of(judging: &Judging, files: Vec<JudgeFile>) -> Judges {
        fn values<T: Clone>(all: &[(T, Origin)]) -> Vec<T> {
            all.iter().map(|(value, _)| value.clone()).collect()
        }
        Judges {
            backends: judging.backends.value.iter().filter_map(|name| judging.backend(name)).collect(),
            deadline_ms: judging.deadline_ms.value,
            on_prose: judging.on_prose.value,
            sample_percent: judging.sample_percent.value,
            modes: judging.modes.iter().map(|(id, mode)| (id.clone(), mode.value)).collect(),
            required: values(&judging.required),
            verification: values(&judging.verification),
            files,
            guard_rules: if judging.guard.value { values(&judging.guard_rules) } else { Vec::new() },
            verified_before: values(&judging.verified_before),
        }
    }

    /// Whether anybody is asked but the built-in backend.
    pub fn asks_others(&self) -> bool {
        self.backends.iter().any(|backend| backend.kind != Kind::Builtin)
    }

    /// What `judge` does.
    pub fn mode(&self, judge: &str) -> JudgeMode {
        self.modes.iter().find(|(id, _)| id == judge).map_or(JudgeMode::Block, |(_, mode)| *mode)
    }

    /// Whether no model may be asked about `judge`.
    pub fn is_words_only(&self, judge: &str) -> bool {
        self.files.iter().any(|file| file.words_only && file.id == judge)
    }
}

/// The compiled form.
#[derive(Debug, Serialize, Deserialize)]
struct Wire<'a> {
    mode: Mode,
    guard_stays: bool,
    #[serde(borrow)]
    levels: Vec<(&'a str, Level)>,
    excepts: Vec<(&'a str, [Option<&'a str>; 4])>,
    lists: Vec<(ListName, Vec<&'a str>)>,
    /// Keys of rules: a program, or a program and a subcommand's first word; sorted. Beside each the rules' numbers.
    #[serde(borrow, with = "serde_bytes")]
    programs: &'a [u8],
    #[serde(borrow, with = "serde_bytes")]
    of_programs: &'a [u8],
    on_files: Vec<u16>,
    /// Texts that rules about every command must find, and beside each the rule's number.
    #[serde(borrow, with = "serde_bytes")]
    literals: &'a [u8],
    #[serde(borrow, with = "serde_bytes")]
    on_all: &'a [u8],
    on_tools: Vec<u16>,
    /// The rules, each as [`Compact`].
    #[serde(borrow, with = "serde_bytes")]
    rules: &'a [u8],
    #[serde(borrow, with = "serde_bytes")]
    scripts: &'a [u8],
    /// [`Judges`]; empty where no file says anything of them.
    #[serde(borrow, with = "serde_bytes")]
    judges: &'a [u8],
    /// Whether the guard asks judges or the ledger about something.
    guard_asks: bool,
    /// Files that the scripts' commands name.
    named: Vec<&'a str>,
    notices: Vec<Notice>,
}

/// Compiles `stack`, of which people should know `notices`. `files` hold the judges that it names.
pub fn compile(stack: &Stack, files: Vec<JudgeFile>, notices: Vec<Notice>) -> Vec<u8> {
    let mut programs: Vec<(String, u16)> = Vec::with_capacity(2 * stack.rules.len());
    let (mut on_files, mut on_all, mut on_tools, mut rules) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut literals = Vec::new();
    for (at, (rule, _)) in stack.rules.iter().enumerate() {
        let Ok(number) = u16::try_from(at) else { break };
        match index(rule) {
            Index::Programs => {
                let words = first_words(rule);
                for program in &rule.program {
                    if words.is_empty() {
                        programs.push((program.clone(), number));
                    }
                    programs.extend(words.iter().map(|word| ([program, " ", word].concat(), number)));
                }
            }
            Index::Files => on_files.push(number),
            Index::All => {
                literals.push(literal(rule.regex.as_deref().unwrap_or_default()).into_bytes());
                on_all.push(number.to_le_bytes().to_vec());
            }
            Index::Tools => on_tools.push(number),
        }
        rules.push(encoded(&Compact::of(rule, rule.level), COMPACT_BYTES));
    }
    // A rule's own level stands in the rule, unless it is one at which nothing is said.
    let differs = |level: &Valued<Level>| {
        let own = |origin: &Origin| origin.path.starts_with("rule.");
        level.origin.as_ref().is_some_and(|origin| !own(origin) || level.value < Level::Warn)
    };
    let levels = stack.levels.iter().filter(|(_, level)| differs(level));
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
    let scripts = if none { Vec::new() } else { encoded(&scripts, COMPACT_BYTES) };
    let of_judges: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let judges = Judges::of(&stack.judging, files);
    let guard_asks = !judges.guard_rules.is_empty() || !judges.verified_before.is_empty();
    // As JSON: backends are told apart by a key, which the compact form has not. It is read at stop only.
    let differs = judges != Judges::default();
    let judges = if differs { serde_json::to_vec(&judges).unwrap_or_default() } else { Vec::new() };
    programs.sort_unstable();
    let of_programs = programs.chunk_by(|one, other| one.0 == other.0);
    let numbers: Vec<Vec<u8>> =
        of_programs.clone().map(|same| same.iter().flat_map(|(_, rule)| rule.to_le_bytes()).collect()).collect();
    let commands = stack.policies.iter().map(|(policy, _)| &policy.command);
    let commands = commands.chain(stack.checks.iter().map(|(check, _)| &check.command));
    let wire = Wire {
        named: commands.flat_map(|command| files_in(command)).chain(of_judges.iter().map(String::as_str)).collect(),
        mode: stack.mode.value,
        guard_stays: stack.mode.origin.as_ref().is_some_and(|origin| origin.layer.is_projects()),
        levels: levels.map(|(id, level)| (id.as_str(), level.value)).collect(),
        excepts,
        lists: lists.map(|(name, list)| (*name, list.value.iter().map(String::as_str).collect())).collect(),
        programs: &Table::of(of_programs.clone().map(|same| same[0].0.as_bytes())),
        of_programs: &Table::of(numbers.iter().map(Vec::as_slice)),
        on_files,
        literals: &Table::of(literals.iter().map(Vec::as_slice)),
        on_all: &Table::of(on_all.iter().map(Vec::as_slice)),
        on_tools,
        rules: &Table::of(rules.iter().map(Vec::as_slice)),
        scripts: &scripts,
        judges: &judges,
        guard_asks,
        notices,
    };
    let tables = wire.rules.len() + wire.programs.len() + wire.literals.len() + wire.scripts.len();
    encoded(&wire, tables + 16 * 1024)
}

/// About what a rule takes.
const COMPACT_BYTES: usize = 1024;

/// `value` in postcard's form, which has about `expected` bytes. Into a slice: a vector would be grown byte by byte.
fn encoded(value: &impl Serialize, expected: usize) -> Vec<u8> {
    let mut buffer = vec![0; expected];
    loop {
        match postcard::to_slice(value, &mut buffer).map(|used| used.len()) {
            Ok(length) => {
                buffer.truncate(length);
                return buffer;
            }
            Err(postcard::Error::SerializeBufferFull) => buffer = vec![0; 2 * buffer.len()],
            // Nothing else can go wrong with plain data, and what is not whole is not read.
            Err(_) => return Vec::new(),
        }
    }
}

/// The words of a command that are files by their look: who may change them, changes what is run.
fn files_in(command: &str) -> impl Iterator<Item = &str> {
    let words = command.split(|char: char| char.is_whitespace() || matches!(char, ';' | '|' | '&' | '(' | ')'));
    let bare = words.map(|word| word.trim_matches(['\'', '"', '`', '<', '>']));
    bare.filter(|word| word.contains('/') && !word.starts_with('-') && !word.contains("://"))
}

/// The words that the subcommands of `rule` start with, in lower case; none where it is about any, or one may be anything.
fn first_words(rule: &UserRule) -> Vec<String> {
    let firsts = || rule.sub.iter().map(|sub| sub.split_whitespace().next().unwrap_or("*"));
    if firsts().any(|word| word.contains('*')) {
        return Vec::new();
    }
    let mut words: Vec<String> = firsts().map(str::to_ascii_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A configuration in use. It lives as long as the process: there is one, or one for each that is compared.
#[derive(Debug)]
pub struct Policy {
    /// What the decision is made with.
    pub settings: Settings<'static>,
    /// What people should be told of it.
    pub notices: Vec<Notice>,
    scripts: &'static [u8],
    judges: &'static [u8],
    /// Whether the guard asks judges or the ledger about something: [`Judges::guard_rules`], [`Judges::verified_before`].
    pub guard_asks: bool,
    /// Files that scripts' commands name, as they are written there, and files of judges: only humans change them.
    pub named: Vec<&'static str>,
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
        let rules: Option<&'static dyn UserRules> = if Table(wire.rules).len() == 0 {
            None
        } else {
            let rules = Table(wire.rules);
            let loaded = (0..rules.len()).map(|_| OnceLock::new()).collect();
            Some(Box::leak(Box::new(Own {
                programs: Table(wire.programs),
                of_programs: Table(wire.of_programs),
                on_files: wire.on_files,
                literals: Table(wire.literals),
                on_all: Table(wire.on_all),
                on_tools: wire.on_tools,
                rules,
                loaded,
            })))
        };
        let settings = Settings {
            mode: wire.mode,
            guard_stays: wire.guard_stays,
            levels: wire.levels.leak(),
            excepts: wire.excepts.into_iter().map(except).collect::<Vec<_>>().leak(),
            rules,
            lists,
        };
        Some(Box::leak(Box::new(Policy {
            settings,
            notices: wire.notices,
            scripts: wire.scripts,
            judges: wire.judges,
            guard_asks: wire.guard_asks,
            named: wire.named,
        })))
    }

    /// The programs that are asked too; none where there are none, which costs nothing.
    pub fn scripts(&self) -> Option<Scripts> {
        if self.scripts.is_empty() { None } else { postcard::from_bytes(self.scripts).ok() }
    }

    /// What is said of judges.
    pub fn judges(&self) -> Judges {
        if self.judges.is_empty() { Judges::default() } else { serde_json::from_slice(self.judges).unwrap_or_default() }
    }
}

/// The built-in policy, with nothing changed.
pub static BUILTIN: Policy = Policy {
    settings: hookguard_policy::BUILTIN,
    notices: Vec::new(),
    scripts: &[],
    judges: &[],
    guard_asks: false,
    named: Vec::new(),
};

/// Rules of the users' own, each decoded when it is reached.
#[derive(Debug)]
struct Own {
    programs: Table<'static>,
    of_programs: Table<'static>,
    on_files: Vec<u16>,
    literals: Table<'static>,
    on_all: Table<'static>,
    on_tools: Vec<u16>,
    rules: Table<'static>,
    loaded: Vec<OnceLock<Option<&'static Rule>>>,
}

/// The numbers in an entry of a table.
fn of_entry(entry: Option<&[u8]>) -> impl Iterator<Item = u16> {
    entry.unwrap_or_default().chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

impl UserRules for Own {
    fn of_program(&self, program: &str, sub: &str) -> Vec<u16> {
        let of = |key: &str| of_entry(self.programs.find(key.as_bytes()).and_then(|at| self.of_programs.get(at)));
        let mut rules: Vec<u16> = of(program).collect();
        if !sub.is_empty() {
            rules.extend(of(&format!("{program} {}", sub.to_ascii_lowercase())));
        }
        rules
    }

    fn on_files(&self) -> &[u16] {
        &self.on_files
    }

    fn on_all(&self, line: &dyn Fn() -> String) -> Vec<u16> {
        if self.on_all.len() == 0 {
            return Vec::new();
        }
        let line = line();
        let holds = |at: &usize| self.literals.get(*at).is_none_or(|text| contains(line.as_bytes(), text));
        (0..self.on_all.len()).filter(holds).flat_map(|at| of_entry(self.on_all.get(at))).collect()
    }

    fn on_tools(&self) -> &[u16] {
        &self.on_tools
    }

    fn get(&self, at: u16) -> Option<&'static Rule> {
        let at = usize::from(at);
        let decode = || postcard::from_bytes::<Compact<'static>>(self.rules.get(at)?).ok().map(Compact::leak);
        *self.loaded.get(at)?.get_or_init(decode)
    }
}

/// Whether `text` holds `part`. Both are short: a search that prepares itself would cost more than it saves.
fn contains(text: &[u8], part: &[u8]) -> bool {
    match part.first() {
        None => true,
        Some(first) => {
            let last = (text.len() + 1).saturating_sub(part.len());
            (0..last).any(|at| text[at] == *first && text[at..].starts_with(part))
        }
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
        let bytes = compile(&stack(&builtin, files), Vec::new(), Vec::new());
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
        let levels =
            [("git.commit.amend", Level::Ask), ("git.push.force", Level::Warn), ("team.watch", Level::Observe)];
        assert_eq!(settings.levels, levels);
        assert_eq!(settings.excepts.len(), 1);
        assert_eq!((settings.lists.prod_words, settings.lists.artefacts), (&["live"][..], Lists::BUILTIN.artefacts));
        let rules = settings.rules.unwrap();
        assert_eq!((rules.of_program("tofu", "Plan"), rules.of_program("tofu", "apply")), (vec![0], vec![]));
        assert_eq!((rules.on_files(), rules.on_tools()), (&[2][..], &[3][..]));
        let on_all = |line: &str| rules.on_all(&|| line.to_owned());
        assert_eq!((on_all("curl internal.acme"), on_all("curl internal")), (vec![1], vec![]));
        let rule = rules.get(0).unwrap();
        assert_eq!((rule.id, rule.when.sub), ("team.no_plan", &[&["plan"][..], &["workspace", "*"]][..]));
        assert_eq!(rules.get(3).unwrap().when.mcp_tool, ["*"]);
        assert!(rules.get(9).is_none());
        let scripts = policy(text).scripts().unwrap();
        assert_eq!(policy(text).named, ["./guard"]);
        assert_eq!((scripts.policies[0].id.as_str(), scripts.checks[0].timeout_ms), ("team.guard", 300_000));
    }

    #[test]
    fn a_file_that_says_nothing_changes_nothing() {
        let Policy { settings, .. } = policy("version = 1\n");
        assert!(settings.levels.is_empty() && settings.rules.is_none() && policy("version = 1\n").scripts().is_none());
        assert!(Policy::load(b"\xff\xff").is_none());
    }
}
