//! A rule's page, made from the rule itself: it can't say anything else than what is decided.

use std::fmt::Write;

use hookguard_core::{Decision, Level};
use hookguard_policy::pack::{CLASSES, EFFECTS, PLACES, RUNS, SOURCES};
use hookguard_policy::{Rule, When};

/// What has to hold, each a fragment; all of them must.
pub(super) fn what(rule: &Rule) -> Vec<String> {
    let When { programs, sub, sub_not, flags_any, flags_all, flags_none, operand_kind, operand_not, .. } = &rule.when;
    let When { operand_count, env, prod_in, stdin_from, runs, place, effects, classes, classes_not, .. } = &rule.when;
    let When { mcp_server, mcp_tool, mcp_arg, hosts, path_like, regex, .. } = &rule.when;
    let rows: [(&str, String); 21] = [
        ("the program is one of", words(programs)),
        ("its subcommand is one of", phrases(sub)),
        ("its subcommand is none of", phrases(sub_not)),
        ("it has one of the options", words(flags_any)),
        ("it has all of the options", words(flags_all)),
        ("it has none of the options", words(flags_none)),
        ("one of its operands is like", words(operand_kind)),
        ("none of its operands is like", words(operand_not)),
        ("the number of its operands is", operand_count.map_or_else(String::new, |(least, most)| count(least, most))),
        ("a variable is set for it:", words(env)),
        ("a word for production stands in", words(prod_in)),
        ("its input carries", names(*stdin_from, SOURCES)),
        ("it runs what is", names(*runs, RUNS)),
        ("it runs at a place that is", names(*place, PLACES)),
        ("what it does to a file is", names(*effects, EFFECTS)),
        ("the file is", names(*classes, CLASSES)),
        ("the file is not", names(*classes_not, CLASSES)),
        ("the file lies in", words(path_like)),
        ("the MCP server is like", words(mcp_server)),
        ("the MCP tool is like", words(mcp_tool)),
        ("an argument of the MCP tool is like", words(mcp_arg)),
    ];
    let host = ("the host that is fetched from is like", words(hosts));
    let pattern =
        ("the command matches", regex.as_ref().map_or_else(String::new, |regex| format!("`{}`", regex.text())));
    let said = rows.into_iter().chain([host, pattern]).filter(|(_, value)| !value.is_empty());
    let mut said: Vec<String> = said.map(|(what, value)| format!("{what} {value}")).collect();
    if rule.is_computed() && !said.is_empty() {
        said.push("and what no table can say: the reason names it, the examples show it".to_owned());
    }
    said
}

/// What the rule can't see, by the way in which it looks.
pub(super) fn limits(rule: &Rule) -> Vec<&'static str> {
    let When { programs, prod_in, classes, mcp_tool, mcp_server, .. } = &rule.when;
    let rows = [
        (!programs.is_empty(), "a program is known by its name: a copy under another name is not seen"),
        (
            !prod_in.is_empty(),
            "production is known by names (`prod_words` in [lists]): one that says nothing is not seen",
        ),
        (*classes != 0, "a path is judged by its text and place: what a link behind it leads to is not seen"),
        (!mcp_tool.is_empty() || !mcp_server.is_empty(), "a server is known by the name that the agent gives it"),
    ];
    rows.into_iter().filter(|(applies, _)| *applies).map(|(_, limit)| limit).collect()
}

/// The page, for a terminal.
pub(super) fn text(rule: &Rule, level: Level, set: bool) -> String {
    let own = if set { format!(", set here; its own level is {}", rule.level) } else { String::new() };
    let mut out = format!("{}  ({level}{own})\n", rule.id);
    let mut section = |title: &str, lines: &mut dyn Iterator<Item = String>| {
        for (index, line) in lines.enumerate() {
            let title = if index == 0 { title } else { "" };
            out.push_str(&format!("  {title:<9} {line}\n"));
        }
    };
    section("What", &mut what_or_shown(rule).into_iter());
    section("Why", &mut std::iter::once(rule.reason.to_owned()));
    section("Instead", &mut std::iter::once(rule.instead.to_owned()));
    section("Limits", &mut limits(rule).into_iter().map(str::to_owned));
    let of = |decision: &'static str, list: &'static [&'static str]| {
        list.iter().map(move |example| format!("{decision:<6}{}", example.replace('\n', "\n                  ")))
    };
    let examples = &rule.examples;
    let mut all = of("deny", examples.deny).chain(of("ask", examples.ask)).chain(of("allow", examples.allow));
    section("Examples", &mut all);
    out
}

fn what_or_shown(rule: &Rule) -> Vec<String> {
    let what = what(rule);
    if what.is_empty() { vec!["the examples show it".to_owned()] } else { what }
}

/// All pages, in Markdown.
pub(super) fn document(rules: &[Rule]) -> String {
    let mut out = String::from(
        "# Rules\n\n<!-- made by `cargo xtask generate` from `hookguard rules --markdown`; do not edit -->\n\n\
         What hookguard refuses or asks about, unless a `hookguard.toml` says otherwise. \
         `deny` is refused; `ask` is for a human to decide. All conditions of a rule must hold; \
         of the rules that match, the strictest decides. Every example is a test.\n",
    );
    let mut family = "";
    for rule in rules {
        let own = rule.id.split('.').next().unwrap_or_default();
        if own != family {
            family = own;
            out.push_str(&format!("\n## {family}\n"));
        }
        // Writing to a String does not fail.
        let _ = section(&mut out, rule);
    }
    out
}

fn section(out: &mut String, rule: &Rule) -> std::fmt::Result {
    writeln!(out, "\n### {}\n\n**{}** {}\n\nInstead: {}", rule.id, rule.level, rule.reason, rule.instead)?;
    for (index, line) in what_or_shown(rule).iter().enumerate() {
        writeln!(out, "{}- {line}", if index == 0 { "\nWhat:\n\n" } else { "" })?;
    }
    for (index, line) in limits(rule).iter().enumerate() {
        writeln!(out, "{}- {line}", if index == 0 { "\nLimits:\n\n" } else { "" })?;
    }
    let Rule { examples, .. } = rule;
    for (level, list) in
        [(Decision::Deny, examples.deny), (Decision::Ask, examples.ask), (Decision::Allow, examples.allow)]
    {
        if !list.is_empty() {
            writeln!(out, "\n{level}:\n\n```sh\n{}\n```", list.join("\n"))?;
        }
    }
    Ok(())
}

fn words(list: &[&str]) -> String {
    list.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn phrases(list: &[&[&str]]) -> String {
    list.iter().map(|words| format!("`{}`", words.join(" "))).collect::<Vec<_>>().join(", ")
}

fn names(set: u32, table: &[&str]) -> String {
    let named = table.iter().enumerate().filter(|(bit, _)| set & (1 << bit) != 0);
    named.map(|(_, name)| name.replace('_', " ")).collect::<Vec<_>>().join(" or ")
}

fn count(least: u16, most: u16) -> String {
    match (least, most) {
        (least, u16::MAX) => format!("at least {least}"),
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}
