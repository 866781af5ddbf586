//! Compiles `judges/*.toml` into static tables. A judge that cannot be compiled fails the build with its file and key.

#![expect(
    unexpected_cfgs,
    reason = "the forms have a schema in the crate only; its name is told to the compiler below"
)]
#![expect(clippy::disallowed_methods, reason = "a build script reads the judges; only the crate itself is pure")]

#[path = "src/judge/file.rs"]
#[expect(unreachable_pub, reason = "the crate makes it public")]
mod file;
#[path = "src/judge/fold.rs"]
mod fold;
#[path = "src/judge/lexicon.rs"]
#[expect(unreachable_pub, reason = "the crate makes it public")]
mod lexicon;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use file::{JudgeFile, Missing};
use lexicon::{Lexicon, List, Node};

/// The order in which the judges are asked and shown: that of `judge::IDS`.
const ORDER: [&str; 5] =
    ["commit-before-verify", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=judges");
    println!("cargo::rerun-if-changed=src/judge");
    // The forms are read here as well, where nobody asks for their schema.
    println!("cargo::rustc-check-cfg=cfg(judge_schema)");
    println!("cargo::rustc-cfg=judge_schema");
    let judges: Vec<JudgeFile> = ORDER.iter().map(|id| read(id)).collect::<Result<_, _>>()?;
    let lexicon = Lexicon::compile(&judges.iter().collect::<Vec<_>>())
        .map_err(|unfit| format!("judges: {}: {}", unfit.key, unfit.what))?;
    let path = PathBuf::from(std::env::var("OUT_DIR")?).join("judges.rs");
    std::fs::write(path, render(&judges, &lexicon)?)?;
    Ok(())
}

fn read(id: &str) -> Result<JudgeFile, Box<dyn Error>> {
    let path = Path::new("judges").join(format!("{id}.toml"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let judge: JudgeFile = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    // Compiled alone as well: the message then counts this file's patterns.
    Lexicon::compile(&[&judge]).map_err(|unfit| format!("{}: {}: {}", path.display(), unfit.key, unfit.what))?;
    if judge.id != id {
        return Err(format!("{}: its id is `{}`", path.display(), judge.id).into());
    }
    let patterns = judge.signals.iter().chain(&judge.bypasses).chain(&judge.advice);
    if patterns.into_iter().any(|pattern| pattern.regex.is_some()) {
        return Err(format!("{}: a built-in judge has no regex: nothing is compiled at stop", path.display()).into());
    }
    Ok(judge)
}

fn render(judges: &[JudgeFile], lexicon: &Lexicon<'_>) -> Result<String, Box<dyn Error>> {
    let mut out = String::from("// Written by build.rs from judges/*.toml.\n\n");
    let list = |list: List| format!("List {{ at: {}, len: {} }}", list.at, list.len);
    writeln!(out, "static NODES: [Node; {}] = [", lexicon.nodes.len())?;
    for Node { byte, kids, ends, kid, word } in lexicon.nodes.iter() {
        writeln!(out, "    Node {{ byte: {byte}, kids: {kids}, ends: {ends}, kid: {kid}, word: {word} }},")?;
    }
    writeln!(out, "];\nstatic WORDS: [Word; {}] = [", lexicon.words.len())?;
    for word in lexicon.words.iter() {
        writeln!(out, "    Word {{ whole: {}, groups: {} }},", word.whole, list(word.groups))?;
    }
    writeln!(out, "];\nstatic RULES: [Rule; {}] = [", lexicon.rules.len())?;
    for rule in lexicon.rules.iter() {
        writeln!(
            out,
            "    Rule {{ judge: {}, kind: Kind::{:?}, within: Within::{:?}, yields: {}, gap: {}, all: {}, then: {}, none: {}, \
             never: {}, regex: None }},",
            rule.judge,
            rule.kind,
            rule.within,
            rule.yields,
            rule.gap,
            list(rule.all),
            list(rule.then),
            list(rule.none),
            list(rule.never)
        )?;
    }
    writeln!(out, "];\nstatic LISTS: [u16; {}] = {:?};", lexicon.lists.len(), lexicon.lists)?;
    writeln!(out, "static STARTS: [u16; {}] = {:?};", lexicon.starts.len(), lexicon.starts)?;
    writeln!(
        out,
        "pub(crate) static LEXICON: Lexicon<'static> = Lexicon {{ nodes: Cow::Borrowed(&NODES), \
         starts: Cow::Borrowed(&STARTS), words: Cow::Borrowed(&WORDS), lists: Cow::Borrowed(&LISTS), rules: Cow::Borrowed(&RULES), regexes: Vec::new(), \
         questions: {} }};",
        list(lexicon.questions)
    )?;
    writeln!(out, "pub(super) fn judges() -> Vec<Judge<'static>> {{\n    vec![")?;
    for (at, judge) in judges.iter().enumerate() {
        let fields = judge.fields.iter().map(|field| {
            format!(
                "Field {{ name: {:?}, about: {:?}, optional: {}, missing_is_violation: {} }}",
                field.name,
                field.about,
                field.optional,
                field.missing == Some(Missing::Violation)
            )
        });
        let fields: Vec<String> = fields.collect();
        writeln!(
            out,
            "        Judge {{ id: {:?}, title: {:?}, event: When::{:?}, prompt: {:?}, fields: vec![{}], block_if: vec!{:?}, \
             unless: vec!{:?}, message: {:?}, alternative: {:?}, facts: FactRules {{ signal: {}, violation: {}, allow: {}, \
             contradict: {} }}, words: Words::BuiltIn({at}) }},",
            judge.id,
            judge.title,
            judge.event,
            judge.prompt.trim(),
            fields.join(", "),
            judge.block_if,
            judge.unless,
            judge.message.trim(),
            judge.alternative.trim(),
            facts(&judge.facts.signal),
            facts(&judge.facts.violation),
            facts(&judge.facts.allow),
            facts(&judge.facts.contradict)
        )?;
    }
    out.push_str("    ]\n}\n");
    Ok(out)
}

/// `shared_unverified` is `Fact::SharedUnverified`; a name that is none does not compile.
fn facts(names: &[String]) -> String {
    let variant = |name: &String| {
        let capital = |part: &str| part[..1].to_uppercase() + &part[1..];
        format!("Fact::{}", name.split('_').filter(|part| !part.is_empty()).map(capital).collect::<String>())
    };
    format!("vec![{}]", names.iter().map(variant).collect::<Vec<_>>().join(", "))
}
