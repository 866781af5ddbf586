//! What the disk says of a repository, and what that changes: work that git has, branches held elsewhere, other work trees.

use hookguard_core::{Decision, Event, EventKind, ToolCall};

use crate::disk_tests::{ROOT, script, shell};
use crate::*;

#[test]
fn what_git_has_may_go() {
    use Decision::{Allow, Ask, Deny};
    let of = |paths: &[&str]| Question::Kept { paths: paths.iter().map(|path| format!("{ROOT}/{path}")).collect() };
    let says = |paths: &[&str]| [(of(paths), "3")];
    let kept = |one: &Question| matches!(one, Question::Kept { .. });
    for (command, paths, expected) in [
        ("rm -rf src/old", &["src/old"][..], Allow),
        ("rm -rf src/old", &["src"], Ask),
        ("git status && rm -rf docs src/old && echo done", &["docs", "src/old"], Allow),
        ("rm -rf node_modules src/old", &["src/old"], Allow),
        ("rm -rf docs .git", &["docs"], Deny),
        ("git checkout -- src/a.rs", &["src/a.rs"], Allow),
        ("git checkout src/a.rs", &["src/a.rs"], Allow),
        ("git -C src restore a.rs", &["src/a.rs"], Allow),
        ("mkdir -p /tmp/b && cp src/a.rs /tmp/b/ && git checkout -- src/a.rs", &["src/a.rs"], Allow),
        ("git diff | tee /tmp/a.diff; rm -rf /tmp/b; git checkout -- src/a.rs", &["src/a.rs"], Allow),
        ("timeout 9 git checkout -- src/a.rs && rtk git status", &["src/a.rs"], Allow),
        ("rtk git checkout -- src/a.rs", &["src/a.rs"], Allow),
        ("env GIT_WORK_TREE=/x git checkout -- src/a.rs", &["src/a.rs"], Ask),
        // What a commit has may overwrite what was staged.
        ("git checkout HEAD~1 -- src/a.rs", &["src/a.rs"], Ask),
        ("git restore -SW src/a.rs", &["src/a.rs"], Ask),
        ("git restore --source HEAD~1 src/a.rs", &["src/a.rs"], Ask),
        ("git checkout -f main", &["src/a.rs"], Ask),
    ] {
        assert_eq!(shell(command, &says(paths)).verdict.decision, expected, "{command}");
    }
    // Nobody asks where something in the text could change the answer, or where the path is not known.
    for command in [
        "mv notes.txt src/old && rm -rf src/old",
        "git rm --cached -r src/old; rm -rf src/old",
        "./generate.sh; rm -rf src/old",
        "tool src/old; rm -rf src/old",
        "cp notes.txt src/old/; rm -rf src/old",
        "cp notes.txt \"$X\"; rm -rf src/old",
        "ln -s $PWD/src /tmp/s; cp notes.txt /tmp/s/old; rm -rf src/old",
        "mkdir -p src/old/new && rm -rf src/old",
        "git diff | tee src/old/x; rm -rf src/old",
        "timeout 9 make; rm -rf src/old",
        "env; nice tool; rm -rf src/old",
        "for f in a b; do rm -rf src/old; cp $f src/old; done",
        "rm -rf src/ol*",
        "rm -rf \"src/$X\"",
        "cd \"$X\" && rm -rf src",
        "ssh web 'rm -rf src/old'",
        "docker run -v .:/w -w /w x rm -rf src/old",
    ] {
        let context = Context { home: Some("/home/dev"), root: Some(ROOT), cwd: Some(ROOT), ..Context::default() };
        let mut event = Event::new(EventKind::PreTool, "test", "PreToolUse", b"");
        event.tool = Some(ToolCall::shell(command));
        let outcome = decide(&event, &context);
        assert!(!outcome.questions.iter().any(kept), "{command}: {:?}", outcome.questions);
        assert!(outcome.verdict.decision >= Ask, "{command}");
    }
}

#[test]
fn a_branch_that_is_held_elsewhere_may_go() {
    use Decision::{Allow, Ask};
    let of = |branches: &[&str]| Question::Held {
        dir: ROOT.into(),
        branches: branches.iter().map(|branch| (*branch).to_owned()).collect(),
    };
    for (command, branches, expected) in [
        ("git branch -D topic", &["topic"][..], Allow),
        ("git branch -D topic", &["other"], Ask),
        ("git switch main && git branch -D a b", &["a", "b"], Allow),
        ("git branch -f backup HEAD", &["backup"], Allow),
        ("git branch -M new", &["new"], Allow),
        ("git branch -M old new", &["new"], Allow),
        ("git branch -rD origin/topic", &["origin/topic"], Ask),
        ("git branch -D \"$X\"", &[""], Ask),
        // Something in the text could change what holds it.
        ("git checkout -B topic origin/main", &["topic"], Allow),
        (
            "git checkout -q -B topic && git apply x.patch && for a in b c; do git cherry-pick $a; done",
            &["topic"],
            Allow,
        ),
        ("BASE=$(git merge-base main x); git checkout -q -B topic $BASE", &["topic"], Allow),
        ("git switch -C topic", &["topic"], Allow),
        ("git -C . switch --force-create topic", &["topic"], Allow),
        ("git branch backup && git branch -D topic", &["topic"], Allow),
        ("git checkout -fB topic", &["topic"], Ask),
        ("git checkout -B topic -- x", &["other"], Ask),
        ("git checkout --ignore-other-worktrees -B topic", &["topic"], Ask),
        ("git switch -f -C topic", &["topic"], Ask),
        ("git checkout -B \"$X\"", &[""], Ask),
        ("for a in b c; do git checkout -B topic; git cherry-pick $a; done", &["topic"], Ask),
        ("while read a; do git branch -D topic; git tag -d x; done", &["topic"], Ask),
        ("f() { git branch -D topic; }; f; git tag -d x; f", &["topic"], Ask),
        ("./x.sh; git checkout -B topic", &["topic"], Ask),
        ("wsl git branch -D topic", &["topic"], Ask),
        ("git fetch --prune && git branch -D topic", &["topic"], Ask),
        ("git switch -C main origin/main && git branch -D topic", &["topic"], Ask),
        ("git switch -q -c other && git branch -D topic", &["topic"], Allow),
        ("git worktree remove ../topic; git branch -D topic", &["topic"], Allow),
        ("git worktree add -B main ../topic; git branch -D topic", &["topic"], Ask),
        ("git init -q . && git branch -D topic", &["topic"], Allow),
        ("git init -q . && git commit -m x && git branch -D topic", &["topic"], Ask),
        ("git branch -D other; git branch -D topic", &["topic"], Ask),
    ] {
        assert_eq!(shell(command, &[(of(branches), "refs/heads/x")]).verdict.decision, expected, "{command}");
    }
}

#[test]
fn a_sourced_script_is_read_before_an_answer_counts() {
    use Decision::{Allow, Ask};
    let held = (Question::Held { dir: ROOT.into(), branches: vec!["topic".into()] }, "refs/heads/x");
    let text = ". ./vars.sh\ngit checkout -q -B topic $BASE";
    for (vars, expected) in [("BASE=1234567\n", Allow), ("BASE=1234567\ngit tag -d v1\n", Ask)] {
        assert_eq!(shell(text, &[script("vars.sh", vars), held.clone()]).verdict.decision, expected, "{vars}");
    }
    let (says, run) = ([script("x.sh", "git log\n"), held.clone()], "bash x.sh; git branch -D topic");
    assert_eq!(shell(run, &says).verdict.decision, Allow);
    assert_eq!(shell("python x.py; git branch -D topic", std::slice::from_ref(&held)).verdict.decision, Ask);
    let written = "printf 'git log\\n' > /tmp/x.sh; sh /tmp/x.sh; git branch -D topic";
    assert_eq!(shell(written, std::slice::from_ref(&held)).verdict.decision, Allow);
    assert_eq!(shell(text, &[held]).verdict.decision, Ask, "nobody knows what it holds");
}

#[test]
fn what_is_committed_may_be_overwritten() {
    use Decision::{Allow, Ask};
    let at = |dir: &str, whole, held| Question::Committed { dir: dir.into(), whole, held };
    let (files, whole, all) = (at(ROOT, false, false), at(ROOT, true, false), at(ROOT, true, true));
    let spike = at("/home/dev/acme/../spike", true, false);
    for (command, says, expected) in [
        ("git reset --hard", &files, Allow),
        ("git status && git reset -q --hard HEAD", &files, Allow),
        ("git reset --hard origin/main && git cherry-pick 1234567", &all, Allow),
        ("git branch backup && git reset --hard HEAD~2", &all, Allow),
        ("git reset --hard origin/main", &files, Ask),
        ("git fetch && git reset --hard origin/main", &all, Ask),
        ("make; git reset --hard", &files, Ask),
        ("git add new.txt && git reset --hard", &files, Ask),
        ("git switch topic && git reset --hard origin/main", &all, Ask),
        ("git branch -m other && git reset --hard origin/main", &all, Ask),
        ("git reset --hard --recurse-submodules", &files, Ask),
        ("for a in b c; do git cherry-pick $a; git reset --hard; done", &files, Ask),
        ("wsl git reset --hard", &files, Ask),
        ("git checkout HEAD -- src/a.rs", &whole, Allow),
        ("git restore -SW src/a.rs && make", &whole, Allow),
        ("git restore --source HEAD~1 src/a.rs", &whole, Allow),
        ("git checkout HEAD -- src/a.rs", &files, Ask),
        ("echo x > src/a.rs; git checkout HEAD -- src/a.rs", &whole, Ask),
        ("git worktree remove --force ../spike", &spike, Allow),
        ("git worktree remove --force ../other", &spike, Ask),
        ("touch ../spike/x; git worktree remove --force ../spike", &spike, Ask),
        ("git worktree remove --force ../spike ../other", &spike, Ask),
    ] {
        assert_eq!(shell(command, &[(says.clone(), "1234567")]).verdict.decision, expected, "{command}");
    }
    assert_eq!(shell("git worktree remove --force /tmp/spike", &[]).verdict.decision, Allow);
}

#[test]
fn another_work_tree_of_the_repository_is_the_projects() {
    use Decision::{Allow, Ask, Deny};
    let of = |paths: &[&str]| Question::WorkTree {
        dir: ROOT.into(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
    };
    let (file, two) = (of(&["/home/dev/wt/a.rs"]), of(&["/home/dev/wt/a.rs", "/home/dev/wt/b.rs"]));
    for (command, says, expected) in [
        ("cp src/a.rs /home/dev/wt/a.rs", &file, Allow),
        ("git add . && git commit -m x && cp src/a.rs /home/dev/wt/a.rs", &file, Allow),
        ("tee /home/dev/wt/a.rs /home/dev/wt/b.rs < x", &two, Allow),
        ("tee /home/dev/wt/a.rs /home/dev/wt/b.rs < x", &file, Ask),
        ("ln -s ~ /home/dev/wt/x; cp src/a.rs /home/dev/wt/a.rs", &file, Ask),
        ("git worktree add ../wt; cp src/a.rs /home/dev/wt/a.rs", &file, Ask),
        ("./x.sh; cp src/a.rs /home/dev/wt/a.rs", &file, Ask),
        ("wsl cp src/a.rs /home/dev/wt/a.rs", &file, Ask),
        ("echo x > /home/dev/wt/.git", &of(&["/home/dev/wt/.git"]), Ask),
        ("echo x > /home/dev/.bashrc", &of(&["/home/dev/.bashrc"]), Deny),
        ("echo x > /home/dev/wt/.claude/settings.json", &of(&["/home/dev/wt/.claude/settings.json"]), Deny),
        ("rm -rf /home/dev/wt/src", &of(&["/home/dev/wt/src"]), Deny),
        ("rm -f /home/dev/wt/a.rs && git status", &file, Allow),
        ("rm /home/dev/wt/a.rs /home/dev/wt/b.rs", &file, Ask),
        ("shred /home/dev/wt/a.rs", &file, Ask),
        ("rm /home/dev/wt/app.db", &of(&["/home/dev/wt/app.db"]), Ask),
        ("rm /home/dev/wt/.git", &of(&["/home/dev/wt/.git"]), Ask),
        ("ln -s ~ /home/dev/wt; rm /home/dev/wt/a.rs", &file, Ask),
    ] {
        assert_eq!(shell(command, &[(says.clone(), "/home/dev/acme/.git")]).verdict.decision, expected, "{command}");
    }
}

#[test]
fn a_folder_that_git_removes_is_what_it_has() {
    let says = [(Question::Kept { paths: vec![format!("{ROOT}/old")] }, "3")];
    for (command, expected) in [
        ("git add src && git rm -r old", Decision::Allow),
        ("git rm -r old", Decision::Allow),
        ("git rm -rf old", Decision::Ask),
        ("git rm -r older", Decision::Ask),
    ] {
        assert_eq!(shell(command, &says).verdict.decision, expected, "{command}");
    }
}
