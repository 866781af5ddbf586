//! `hookguard judge cases`: rulings that a human has marked (`hookguard log mark`), as cases for a judge's file.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::exit;
use super::super::log::read::each_line;
use super::super::output::{Usage, print, say};
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Take them from the rulings that were marked in the log: `hookguard log mark ID wrong`
    #[arg(long, required = true)]
    from_log: bool,
    /// Only this judge's
    #[arg(long, value_name = "NAME")]
    judge: Option<String>,
    /// Those that were marked right, too
    #[arg(long)]
    right: bool,
}

/// What of a line of `marks.jsonl` is asked for here.
#[derive(Debug, Deserialize)]
struct Mark {
    word: String,
    note: Option<String>,
    entry: Entry,
}

#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(default)]
    decision: String,
    #[serde(default)]
    rule: String,
    judge: Option<By>,
}

#[derive(Debug, Deserialize)]
struct By {
    #[serde(default)]
    text: String,
    #[serde(default)]
    facts: Vec<String>,
    #[serde(default)]
    fields: Map<String, Value>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let Arguments { judge, right, .. } = arguments;
    let surroundings = Surroundings::of_process();
    let state = surroundings.state.ok_or_else(|| Usage("there is no state folder: HOME is not set".to_owned()))?;
    let mut out = String::new();
    let (mut cases, mut seen) = (0, std::collections::BTreeSet::new());
    let read = each_line(&state.join("marks.jsonl"), |line| {
        let Ok(mark) = serde_json::from_slice::<Mark>(line) else { return };
        let Some(id) = mark.entry.rule.strip_prefix("judge.") else { return };
        let wanted = judge.as_deref().is_none_or(|wanted| wanted == id) && (*right || mark.word == "wrong");
        // The same words with the same record are one case, however often they were marked.
        if wanted
            && let Some(case) = case(id, &mark)
            && seen.insert(case.clone())
        {
            out.push_str(&case);
            cases += 1;
        }
    });
    match read {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ if cases == 0 => {
            say(
                "no judge's ruling is marked; `hookguard log --rule judge` shows them, `hookguard log mark ID wrong` marks one",
            );
        }
        _ => {
            print(&out)?;
            say(&format!(
                "{cases} cases; put each into its judge's file, and set the fields as a good model would answer"
            ));
        }
    }
    Ok(exit::OK)
}

/// The mark as a case; none where its text was not kept.
fn case(judge: &str, mark: &Mark) -> Option<String> {
    let by = mark.entry.judge.as_ref().filter(|by| !by.text.is_empty())?;
    let blocked = matches!(mark.entry.decision.as_str(), "violation" | "advise");
    let expect = if blocked == (mark.word == "right") { "block" } else { "allow" };
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let mut out = format!("# {judge}: it said {}, which was {}", mark.entry.decision, mark.word);
    if let Some(note) = &mark.note {
        write!(out, "; {}", note.replace(['\n', '\r'], " ")).ok()?;
    }
    let facts: Vec<String> = by.facts.iter().map(|fact| quoted(fact)).collect();
    write!(out, "\n[[case]]\ntext = {}\nfacts = [{}]\n", quoted(&by.text), facts.join(", ")).ok()?;
    let fields: Vec<String> =
        by.fields.iter().filter_map(|(name, value)| Some(format!("{} = {}", quoted(name), value.as_bool()?))).collect();
    if !fields.is_empty() {
        writeln!(out, "fields = {{ {} }}", fields.join(", ")).ok()?;
    }
    writeln!(out, "expect = \"{expect}\"\nkind = \"marked\"\n").ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str, decision: &str) -> String {
        let mark = format!(
            r#"{{"v":1,"t":2,"id":"x","word":"{word}","note":"a\nb","entry":{{"t":1,"decision":"{decision}","rule":"judge.scope-check",
            "judge":{{"layer":"judge","fields":{{"new_proposal":true}},"facts":["verified"],"text":"say \"no\"\nmore"}}}}}}"#
        );
        case("scope-check", &serde_json::from_str(&mark).unwrap()).unwrap()
    }

    #[test]
    fn a_mark_is_a_case_that_a_judges_file_can_hold() {
        for (word, decision, expect) in [
            ("wrong", "violation", "allow"),
            ("wrong", "advise", "allow"),
            ("wrong", "allow", "block"),
            ("right", "violation", "block"),
            ("right", "allow", "allow"),
        ] {
            let text = of(word, decision);
            let table: toml::Table = text.parse().unwrap();
            let case = &table["case"][0];
            assert_eq!(case["expect"].as_str(), Some(expect), "{text}");
            assert_eq!(case["text"].as_str(), Some("say \"no\"\nmore"));
            assert_eq!(case["fields"]["new_proposal"].as_bool(), Some(true));
            assert_eq!(case["facts"][0].as_str(), Some("verified"));
        }
    }
}
