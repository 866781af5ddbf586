//! `rules`, `test`, `completions` and `man`, as people call them.

use std::fs;

use hookguard_integration::{Finished, Sandbox};
use serde_json::Value;

fn run(sandbox: &Sandbox, args: &[&str]) -> Finished {
    sandbox.hookguard(args).unwrap().run().unwrap()
}

#[test]
fn every_rule_has_a_page() {
    let sandbox = Sandbox::new().unwrap();
    let list = run(&sandbox, &["rules"]).success().unwrap();
    let rows: Vec<Value> = serde_json::from_str(&run(&sandbox, &["rules", "--json"]).success().unwrap()).unwrap();
    assert_eq!(list.lines().count(), rows.len());
    assert_eq!(rows.len(), hookguard_policy::builtin().len());
    for row in &rows {
        for key in ["id", "level", "reason", "instead"] {
            assert!(row[key].as_str().is_some_and(|text| !text.is_empty()), "{row}");
        }
        assert!(list.contains(row["id"].as_str().unwrap()));
    }
    let page = run(&sandbox, &["rules", "show", "git.push.force"]).success().unwrap();
    for section in ["git.push.force  (deny)", "  What ", "  Why ", "  Instead ", "  Limits ", "  Examples ", "`git`"] {
        assert!(page.contains(section), "{section}: {page}");
    }
    let unknown = run(&sandbox, &["rules", "show", "git.push.farce"]);
    assert_eq!(unknown.code(), Some(2));
    assert!(unknown.stderr.contains("git.push.force"), "the family is named: {}", unknown.stderr);
    assert_eq!(run(&sandbox, &["rules", "show", "nothing"]).code(), Some(2));
}

#[test]
fn the_document_has_every_rule() {
    let sandbox = Sandbox::new().unwrap();
    let document = run(&sandbox, &["rules", "--markdown"]).success().unwrap();
    for rule in hookguard_policy::builtin() {
        assert!(document.contains(&format!("\n### {}\n", rule.id)), "{}", rule.id);
    }
}

#[test]
fn instructions_get_a_block_that_can_be_taken_out() {
    let sandbox = Sandbox::new().unwrap();
    for (name, before) in
        [("AGENTS.md", Some("# Mine\n\nBe kind.\n")), ("CLAUDE.md", None), ("sub/AGENTS.md", Some("# Mine\r\n"))]
    {
        let file = sandbox.project().join(name);
        if let Some(before) = before {
            sandbox.write(&file, before).unwrap();
        }
        assert_eq!(run(&sandbox, &["rules", "--write", name]).code(), Some(0));
        let written = fs::read_to_string(&file).unwrap();
        assert!(written.starts_with(before.unwrap_or_default()) && written.contains("git.push.force"));
        let again = run(&sandbox, &["rules", "--write", name]);
        assert!(again.stderr.contains("nothing changed"), "{}", again.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), written);
        assert_eq!(run(&sandbox, &["rules", "--write", name, "--remove"]).code(), Some(0));
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), before, "{name}");
    }
    // A block that somebody cut in two is left to them.
    let cut = "<!-- hookguard: begin; x -->\nhalf\n";
    let file = sandbox.write("project/AGENTS.md", cut).unwrap();
    assert_eq!(run(&sandbox, &["rules", "--write", "AGENTS.md"]).code(), Some(2));
    assert_eq!(fs::read_to_string(file).unwrap(), cut);
    assert_eq!(run(&sandbox, &["rules", "--remove"]).code(), Some(2));
}

#[test]
fn a_projects_cases_are_run() {
    let sandbox = Sandbox::new().unwrap();
    let examples = run(&sandbox, &["test", "--rule", "git.push.force"]);
    assert_eq!(examples.code(), Some(0), "{}", examples.stdout);
    let passed: usize = examples.stdout.split(' ').next().unwrap().parse().unwrap();
    assert!(passed > 2, "{}", examples.stdout);

    let good = "version = 1\n[[test]]\ncommand = \"git push -f\"\nexpect = \"deny\"\n[[test]]\ncommand = \"ls\"\nexpect = \"allow\"\ncwd = \"sub\"\n";
    let file = sandbox.write("cases.toml", good).unwrap();
    let named = |file: &std::path::Path| run(&sandbox, &["test", "--json", "--config", file.to_str().unwrap()]);
    let of_file = |done: &Finished| -> Vec<Value> {
        let failures: Vec<Value> =
            serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
        failures.into_iter().filter(|failure| failure["of"].as_str().unwrap().contains("cases.toml:")).collect()
    };
    assert!(of_file(&named(&file)).is_empty());
    fs::write(&file, good.replace("\"deny\"", "\"allow\"")).unwrap();
    let done = named(&file);
    assert_eq!(done.code(), Some(1));
    let failures = of_file(&done);
    assert_eq!((failures.len(), failures[0]["decision"].as_str()), (1, Some("deny")));
    assert_eq!(failures[0]["rule"], "git.push.force");
    for broken in ["[[test]]\ncommand = 1\n", "[[test]]\ncommand = \"ls\"\nexpect = \"perhaps\"\n", "= ="] {
        fs::write(&file, broken).unwrap();
        assert_eq!(named(&file).code(), Some(2), "{broken}");
    }
}

#[test]
fn shells_and_the_manual_know_every_subcommand() {
    let sandbox = Sandbox::new().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&sandbox, &["completions", shell]).success().unwrap();
        for verb in ["install", "doctor", "log", "rules"] {
            assert!(script.contains(verb), "{shell} {verb}");
        }
    }
    let bash = sandbox.write("completions.bash", run(&sandbox, &["completions", "bash"]).stdout).unwrap();
    sandbox.program("bash").arg("-n").arg(bash).run().unwrap().success().unwrap();
    let page = run(&sandbox, &["man"]).success().unwrap();
    assert!(page.contains(".TH hookguard") && page.contains("doctor"), "{page}");
    assert!(run(&sandbox, &["man", "log"]).success().unwrap().contains("\\-\\-since"));
    assert_eq!(run(&sandbox, &["man", "nothing"]).code(), Some(2));
}

#[test]
fn rules_of_the_configuration_are_shown_as_they_count() {
    let sandbox = Sandbox::new().unwrap();
    let text = "version = 1\n[rules]\n\"git.stash.drop\" = \"deny\"\n[[rule]]\nid = \"team.no_plan\"\nlevel = \"ask\"\n\
                program = [\"terraform\"]\nsub = [\"plan\"]\nreason = \"Plans are made by the pipeline.\"\ninstead = \"Open one.\"\n";
    sandbox.write("project/hookguard.toml", text).unwrap();
    let listed = run(&sandbox, &["rules"]).stdout;
    let line = |id: &str| listed.lines().find(|line| line.starts_with(id)).unwrap_or_default().to_owned();
    assert!(line("git.stash.drop").contains("deny* "), "{listed}");
    assert!(line("team.no_plan").contains("ask   Plans are made"), "{listed}");
    let shown = run(&sandbox, &["rules", "show", "git.stash.drop"]).stdout;
    assert!(shown.starts_with("git.stash.drop  (deny, set here; its own level is ask)"), "{shown}");
    let shown = run(&sandbox, &["rules", "show", "team.no_plan"]).stdout;
    assert!(shown.contains("its subcommand is one of `plan`"), "{shown}");
    run(&sandbox, &["rules", "--write", "AGENTS.md"]);
    let written = fs::read_to_string(sandbox.project().join("AGENTS.md")).unwrap();
    assert!(written.contains("Plans are made by the pipeline. (team.no_plan)"), "{written}");
}
