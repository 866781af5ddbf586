//! Every rule's examples and suggestions, and what `decide` promises.

use hookguard_core::{Change, Decision, Dialect, Event, EventKind, FileChange, ToolCall};

use super::*;

const ROOT: &str = "/home/dev/acme";

fn context() -> Context<'static> {
    Context { home: Some("/home/dev"), user: Some("dev"), root: Some(ROOT), cwd: Some(ROOT), ..Context::default() }
}

fn tool(call: ToolCall) -> Outcome {
    let mut event = Event::new(EventKind::PreTool, "test", "PreToolUse", b"");
    event.tool = Some(call);
    decide(&event, &context())
}

fn shell(command: &str) -> Outcome {
    tool(ToolCall::shell(command))
}

/// The examples that can be written in a pack.
fn examples(list: &[&'static str]) -> impl Iterator<Item = &'static str> {
    list.iter().copied().filter(|text| !text.starts_with("# an example of"))
}

#[test]
fn every_example_is_decided_as_its_rule_says() {
    let mut wrong = Vec::new();
    for rule in builtin() {
        for (list, level) in [(rule.examples.deny, Decision::Deny), (rule.examples.ask, Decision::Ask)] {
            for example in examples(list) {
                let outcome = shell(example);
                let own = outcome.findings.iter().any(|finding| finding.rule == rule.id);
                if !own || outcome.verdict.decision < level {
                    wrong.push(format!(
                        "{}: {level} `{example}` gives {} {}",
                        rule.id, outcome.verdict.decision, outcome.verdict.rule
                    ));
                }
            }
        }
        for example in examples(rule.examples.allow) {
            let outcome = shell(example);
            if outcome.verdict.decision > Decision::Allow {
                wrong.push(format!(
                    "{}: allow `{example}` gives {} {}",
                    rule.id, outcome.verdict.decision, outcome.verdict.rule
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_example_stands_under_its_rules_own_level() {
    for rule in builtin() {
        let other = if rule.level == Decision::Deny { rule.examples.ask } else { rule.examples.deny };
        assert!(other.is_empty(), "{}: an example of another level", rule.id);
    }
}

#[test]
fn every_suggested_command_gives_no_opinion() {
    let mut wrong = Vec::new();
    for rule in builtin() {
        for suggestion in rule.instead.split('`').skip(1).step_by(2) {
            let outcome = shell(suggestion);
            if outcome.verdict.decision > Decision::Allow {
                wrong.push(format!(
                    "{}: `{suggestion}` gives {} {}",
                    rule.id, outcome.verdict.decision, outcome.verdict.rule
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn texts_are_one_short_sentence_each() {
    for rule in builtin() {
        for text in [rule.reason, rule.instead] {
            assert!(text.len() <= 260 && text.ends_with(['.', '`']), "{}: {text}", rule.id);
            assert!(!text.contains('\n'), "{}: {text}", rule.id);
        }
    }
}

#[test]
fn names_are_lowercase_words_with_dots() {
    for rule in builtin() {
        assert!(rule.id.contains('.'), "{}", rule.id);
        assert!(
            rule.id.chars().all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || matches!(char, '.' | '_')),
            "{}",
            rule.id
        );
    }
}

#[test]
fn a_harmless_command_is_an_explicit_allow_and_an_unknown_tool_no_opinion() {
    assert_eq!(shell("ls -la").verdict.decision, Decision::Allow);
    let other = ToolCall::Other { name: "todo_write".into(), input: "{}".into() };
    assert_eq!(tool(other).verdict.decision, Decision::None);
}

#[test]
fn only_what_is_about_to_happen_is_decided() {
    use strum::IntoEnumIterator;
    for kind in EventKind::iter() {
        let mut event = Event::new(kind, "test", "x", b"");
        event.tool = Some(ToolCall::shell("git push -f"));
        let decided = decide(&event, &context()).verdict.decision;
        let before = matches!(kind, EventKind::PreTool | EventKind::PermissionRequest);
        assert_eq!(decided, if before { Decision::Deny } else { Decision::None }, "{kind}");
    }
}

#[test]
fn edits_of_guard_files_are_denied_by_whichever_tool() {
    let change = |path: &str, change: Change| FileChange { path: path.into(), change, added: String::new() };
    let patch = |command: &str, path: &str| {
        command.replace('@', &format!("*** Begin Patch\n*** Update File: {path}\n+{{}}\n*** End Patch"))
    };
    for call in [
        ToolCall::Edit { files: vec![change("/home/dev/acme/.claude/settings.local.json", Change::Write)] },
        ToolCall::Edit { files: vec![change("~/.codex/hooks.json", Change::Delete)] },
        ToolCall::Edit { files: vec![change("a.txt", Change::Move { to: ".cursor/hooks.json".into() })] },
        ToolCall::shell(patch("apply_patch <<'E'\n@\nE", ".claude/settings.json")),
        ToolCall::shell(patch("cd .claude && apply_patch <<E\n@\nE", "settings.json")),
        ToolCall::shell(patch("apply_patch '@'", ".claude/settings.json")),
        ToolCall::shell(patch("P='@'; apply''_patch \"$P\"", ".claude/settings.json")),
        ToolCall::shell(patch("apply_patch <<< '@'", ".claude/settings.json")),
    ] {
        let verdict = tool(call.clone()).verdict;
        assert_eq!((verdict.decision, &*verdict.rule), (Decision::Deny, "guard.settings"), "{call:?}");
    }
    for quoted in ["cat > docs/x.md <<'E'\napply_patch\n@\nE", "git commit -F - <<'E'\nhow apply_patch works:\n@\nE"] {
        let verdict = tool(ToolCall::shell(patch(quoted, ".claude/settings.json"))).verdict;
        assert_eq!(verdict.decision, Decision::Allow, "{quoted}: {verdict:?}");
    }
    assert_eq!(&*tool(ToolCall::shell("apply_patch < p.diff")).verdict.rule, "shell.unknown_patch");
    let harmless = ToolCall::Edit { files: vec![change("src/settings.json", Change::Write)] };
    assert_eq!(tool(harmless).verdict.decision, Decision::None);
}

#[test]
fn other_tools_are_decided_by_the_same_rules() {
    let mcp = |tool: &str, args: &str| ToolCall::Mcp { server: "s".into(), tool: tool.into(), args: args.into() };
    let read = |path: &str| ToolCall::Read { paths: vec![path.into()] };
    let fetch = |url: &str| ToolCall::Fetch { url: url.into() };
    for (call, decision, rule) in [
        (mcp("run", r#"{"command":"git push -f"}"#), Decision::Deny, "git.push.force"),
        (mcp("run", r#"{"command":["rm","-rf","/"]}"#), Decision::Deny, "fs.delete.root"),
        (mcp("write_file", r#"{"path":".claude/settings.json","content":"{}"}"#), Decision::Deny, "guard.settings"),
        (mcp("delete_directory", r#"{"path":"/home/dev"}"#), Decision::Deny, "fs.delete.home"),
        (mcp("query", r#"{"sql":"DROP TABLE users"}"#), Decision::Deny, "db.sql.destroy"),
        (mcp("delete_repository", "{}"), Decision::Deny, "forge.tool_delete"),
        (mcp("merge_pull_request", "{}"), Decision::Ask, "forge.tool_change"),
        (mcp("drop_database", "{}"), Decision::Deny, "cloud.tool_delete"),
        (mcp("deploy_site", "{}"), Decision::Ask, "cloud.tool_change"),
        (mcp("query", r#"{"sql":"SELECT 'DROP TABLE users'"}"#), Decision::None, ""),
        (mcp("note", r#"{"text":"rm -rf /"}"#), Decision::None, ""),
        (mcp("note", "no json"), Decision::None, ""),
        (read("/home/dev/.ssh/id_rsa"), Decision::Deny, "secrets.read"),
        (read(".env"), Decision::Ask, "secrets.read.env_file"),
        (read("src/main.rs"), Decision::None, ""),
        (fetch("https://x.example/?api_key=0123456789abcdef"), Decision::Ask, "secrets.url"),
        (fetch("https://x.example/docs?page=2"), Decision::None, ""),
    ] {
        let verdict = tool(call.clone()).verdict;
        assert_eq!((verdict.decision, &*verdict.rule), (decision, rule), "{call:?}");
    }
}

#[test]
fn powershell_is_read_as_far_as_it_goes() {
    let powershell = |command: &str| {
        tool(ToolCall::Shell { command: command.into(), cwd: None, dialect: Dialect::PowerShell, patch: Vec::new() })
            .verdict
    };
    assert_eq!(powershell(r"Remove-Item -Recurse -Force C:\Users\dev").decision, Decision::Deny);
    assert_eq!(powershell("git push --force").decision, Decision::Deny);
    assert_eq!(powershell("Get-ChildItem | Where-Object { $_.Name -eq 'a' }").decision, Decision::Allow);
}

#[test]
fn guard_paths_of_this_machine_are_guarded() {
    let paths = ["/opt/hg/hookguard-1.2".to_owned()];
    let context = Context { guard_paths: &paths, ..context() };
    let mut event = Event::new(EventKind::PreTool, "test", "x", b"");
    event.tool = Some(ToolCall::shell("cp /dev/null /opt/hg/hookguard-1.2"));
    assert_eq!(&*decide(&event, &context).verdict.rule, "guard.settings");
}

#[test]
fn the_branch_is_asked_once_and_only_where_it_can_be_trusted() {
    let lease = |command: &str, context: &Context<'_>| {
        let mut event = Event::new(EventKind::PreTool, "test", "x", b"");
        event.tool = Some(ToolCall::shell(command));
        decide(&event, context)
    };
    let question = Question::Branch { dir: ROOT.into() };
    let first = lease("git push --force-with-lease", &context());
    assert_eq!((first.verdict.decision, first.questions), (Decision::Ask, vec![question.clone()]));
    for (branch, expected) in [(Some("fix/x"), Decision::Allow), (Some("main"), Decision::Deny), (None, Decision::Ask)]
    {
        let mut answers = Answers::default();
        answers.insert(question.clone(), branch.map(str::to_owned));
        let context = Context { answers: Some(&answers), ..context() };
        let second = lease("git push --force-with-lease", &context);
        assert_eq!((second.verdict.decision, second.questions.len()), (expected, 0), "{branch:?}");
        let switched = lease("git switch main && git push --force-with-lease", &context);
        assert_eq!(switched.verdict.decision, Decision::Ask, "after a switch no answer counts");
    }
    assert!(lease("git switch main && git push --force-with-lease", &context()).questions.is_empty());
    let branch = |one: &Question| matches!(one, Question::Branch { .. });
    assert!(!lease("bash x.sh; git push --force-with-lease", &context()).questions.iter().any(branch));
}

#[test]
fn lines_before_an_error_are_judged_and_long_texts_asked_about() {
    assert_eq!(shell("rm -rf ~\nif true; then").verdict.decision, Decision::Deny);
    assert_eq!(&*shell("ls\nif true; then").verdict.rule, "shell.unparseable");
    let long = format!("echo {}", "x".repeat(hookguard_shell::MAX_TEXT_BYTES));
    assert_eq!(&*shell(&long).verdict.rule, "shell.too_long");
    let many = "ls;".repeat(crate::scene::MAX_LOOK + 1);
    assert_eq!(&*shell(&many).verdict.rule, "shell.too_long");
    let twisted = format!("{} sh a", "cat a a >> a; ".repeat(500));
    assert_eq!(shell(&twisted).verdict.decision, Decision::Ask);
    assert_eq!(shell(&format!("{many} git push -f")).verdict.decision, Decision::Deny);
}
