//! Compiles `packs/*.toml` into static tables. A pack that cannot be compiled fails the build with its file and key.

#![expect(clippy::disallowed_methods, reason = "a build script reads the packs; only the crate itself is pure")]

#[path = "src/pack.rs"]
#[expect(unreachable_pub, reason = "the crate makes it public")]
mod pack;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use pack::{CLASSES, EFFECTS, PLACES, PackFile, ProgramEntry, RUNS, RuleEntry, SOURCES, bits};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=packs");
    println!("cargo::rerun-if-changed=src/pack.rs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir("packs")?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut all = PackFile::default();
    for path in &files {
        let text = std::fs::read_to_string(path)?;
        let file: PackFile = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        for rule in &file.rule {
            check(rule).map_err(|what| format!("{}: rule {}: {what}", path.display(), rule.id))?;
        }
        all.program.extend(file.program);
        all.rule.extend(file.rule);
        for (name, list) in file.names {
            all.names.entry(name).or_default().extend(list);
        }
        for (name, list) in file.paths {
            all.paths.entry(name).or_default().extend(list);
        }
    }
    let mut ids: Vec<&str> = all.rule.iter().map(|rule| rule.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("packs: the rule {} stands twice", twice[0]).into());
    }
    let out = std::env::var("OUT_DIR")?;
    let packs = render(&all)?;
    let mut hasher = DefaultHasher::new();
    packs.hash(&mut hasher);
    println!("cargo::rustc-env=HOOKGUARD_PACKS_FINGERPRINT={:016x}", hasher.finish());
    std::fs::write(Path::new(&out).join("packs.rs"), packs)?;
    Ok(())
}

fn check(rule: &RuleEntry) -> Result<(), String> {
    if rule.reason.is_empty() || rule.instead.is_empty() {
        return Err("reason and instead must say something".into());
    }
    if rule.level != "ask" && rule.level != "deny" {
        return Err(format!("level: `{}` is neither ask nor deny", rule.level));
    }
    if rule.examples.allow.is_empty() || rule.examples.deny.is_empty() && rule.examples.ask.is_empty() {
        return Err("examples: both kinds are needed".into());
    }
    for (key, names, table) in [
        ("path.class", &rule.path.class, CLASSES),
        ("path.not", &rule.path.not, CLASSES),
        ("effect", &rule.effect, EFFECTS),
        ("stdin_from", &rule.stdin_from, SOURCES),
        ("runs", &rule.runs, RUNS),
        ("place", &rule.place, PLACES),
    ] {
        bits(names, table).map_err(|name| format!("{key}: `{name}` is not in the vocabulary"))?;
    }
    Ok(())
}

fn render(all: &PackFile) -> Result<String, Box<dyn Error>> {
    let mut out = String::from("// Written by build.rs from packs/*.toml.\n\npub(crate) static RULES: &[Rule] = &[\n");
    for rule in &all.rule {
        render_rule(&mut out, rule)?;
    }
    out.push_str("];\n\n/// Rules about effects on files, whatever the program.\n");
    // What the decision itself applies is looked up by its id.
    let free =
        |rule: &&(usize, &RuleEntry)| rule.1.program.is_empty() && rule.1.computed.as_deref() != Some("by_decide");
    let about = |keep: &dyn Fn(&RuleEntry) -> bool| -> Vec<usize> {
        all.rule.iter().enumerate().filter(|rule| free(&rule) && keep(rule.1)).map(|(at, _)| at).collect()
    };
    writeln!(out, "pub(crate) static ON_FILES: &[u16] = &{:?};", about(&|rule| !rule.effect.is_empty()))?;
    let other = about(&|rule| rule.effect.is_empty() && rule.mcp.tool.is_empty() && rule.url.host.is_empty());
    writeln!(out, "/// Rules about every command.\npub(crate) static ON_ALL: &[u16] = &{other:?};")?;
    let tools = about(&|rule| !rule.mcp.tool.is_empty() || !rule.url.host.is_empty());
    writeln!(out, "/// Rules about MCP tools and addresses.\npub(crate) static ON_TOOLS: &[u16] = &{tools:?};\n")?;
    render_programs(&mut out, all)?;
    for (name, list) in &all.names {
        let mut list = list.clone();
        list.sort();
        list.dedup();
        writeln!(out, "pub(crate) static {}: &[&str] = &{list:?};", name.to_uppercase())?;
    }
    for (name, list) in &all.paths {
        writeln!(out, "pub(crate) static {}: &[&[&str]] = &{};", name.to_uppercase(), split(list, '/'))?;
    }
    Ok(out)
}

/// A list of texts as a list of lists of their parts.
fn split(list: &[String], at: char) -> String {
    let parts: Vec<String> = list
        .iter()
        .map(|text| format!("&{:?}", text.split(at).filter(|part| !part.is_empty()).collect::<Vec<_>>()))
        .collect();
    format!("[{}]", parts.join(", "))
}

fn render_rule(out: &mut String, rule: &RuleEntry) -> Result<(), Box<dyn Error>> {
    let level = if rule.level == "deny" { "Deny" } else { "Ask" };
    let computed = match &rule.computed {
        Some(name) => format!("Some(rules::{name})"),
        None => "None".to_owned(),
    };
    writeln!(
        out,
        "    Rule {{ id: {:?}, level: Decision::{level}, reason: {:?}, instead: {:?}, computed: {computed}, when: When {{",
        rule.id, rule.reason, rule.instead
    )?;
    writeln!(
        out,
        "        programs: &{:?}, sub: &{}, sub_not: &{},",
        rule.program,
        split(&rule.sub, ' '),
        split(&rule.sub_not, ' ')
    )?;
    writeln!(
        out,
        "        flags_any: &{:?}, flags_all: &{:?}, flags_none: &{:?},",
        rule.flags.any, rule.flags.all, rule.flags.none
    )?;
    writeln!(
        out,
        "        operand_kind: &{:?}, operand_not: &{:?}, operand_count: {:?}, env: &{:?}, prod_in: &{:?},",
        rule.operand.kind, rule.operand.not, rule.operand.count, rule.env, rule.prod_in
    )?;
    let set = |names: &[String], table: &[&str]| bits(names, table);
    writeln!(
        out,
        "        stdin_from: {}, runs: {}, place: {}, effects: {}, classes: {}, classes_not: {},",
        set(&rule.stdin_from, SOURCES)?,
        set(&rule.runs, RUNS)?,
        set(&rule.place, PLACES)?,
        set(&rule.effect, EFFECTS)?,
        set(&rule.path.class, CLASSES)?,
        set(&rule.path.not, CLASSES)?
    )?;
    writeln!(
        out,
        "        mcp_server: &{:?}, mcp_tool: &{:?}, mcp_arg: &{:?}, hosts: &{:?}, path_like: &[], regex: None }},",
        rule.mcp.server, rule.mcp.tool, rule.mcp.arg, rule.url.host
    )?;
    writeln!(
        out,
        "        examples: Examples {{ deny: &{:?}, ask: &{:?}, allow: &{:?} }} }},",
        rule.examples.deny, rule.examples.ask, rule.examples.allow
    )?;
    Ok(())
}

/// What is known of one program: the rules that name it, and its entries by subcommand (empty for the program itself).
#[derive(Default)]
struct Known<'p> {
    rules: Vec<usize>,
    subs: BTreeMap<&'p str, &'p ProgramEntry>,
}

fn render_programs(out: &mut String, all: &PackFile) -> Result<(), Box<dyn Error>> {
    let mut programs: BTreeMap<&str, Known<'_>> = BTreeMap::new();
    for (at, rule) in all.rule.iter().enumerate() {
        for program in &rule.program {
            programs.entry(program).or_default().rules.push(at);
        }
    }
    for entry in &all.program {
        for name in &entry.name {
            let (program, sub) = name.split_once(' ').unwrap_or((name, ""));
            if programs.entry(program).or_default().subs.insert(sub, entry).is_some() {
                return Err(format!("packs: the program `{name}` stands twice").into());
            }
        }
    }
    out.push_str("/// Programs, in order of the name.\npub(crate) static PROGRAMS: &[(&str, Known)] = &[\n");
    for (name, known) in &programs {
        write!(out, "    ({name:?}, Known {{ rules: &{:?}, subs: &[", known.rules)?;
        for (sub, entry) in &known.subs {
            write!(out, "\n        ({sub:?}, ")?;
            render_program(out, name, entry)?;
            out.push_str("),");
        }
        out.push_str("] }),\n");
    }
    out.push_str("];\n\n");
    Ok(())
}

fn render_program(out: &mut String, name: &str, entry: &ProgramEntry) -> Result<(), Box<dyn Error>> {
    write!(
        out,
        "Program {{ values: &{:?}, longs: &{:?}, one_dash: {}, options_first: {}, own_first: {}, plus: {}, does: &[",
        entry.values, entry.longs, entry.one_dash, entry.options_first, entry.own_first, entry.plus
    )?;
    for role in &entry.does {
        let effect = bits(std::slice::from_ref(&role.effect), EFFECTS)
            .map_err(|effect| format!("packs: program {name}: effect `{effect}` is not in the vocabulary"))?;
        let on = match role.on.as_str() {
            "all" => "On::All".to_owned(),
            "first" => "On::First".to_owned(),
            "last" => "On::Last".to_owned(),
            "rest" => "On::Rest".to_owned(),
            "but_last" => "On::ButLast".to_owned(),
            "after_script" => "On::AfterScript".to_owned(),
            option if option.starts_with('-') => format!("On::Option({option:?})"),
            text => format!("On::Text({text:?})"),
        };
        write!(out, "Role {{ effect: {effect}, on: {on}, with: &{:?}, without: &{:?} }}, ", role.with, role.without)?;
    }
    out.push_str("] }");
    Ok(())
}
