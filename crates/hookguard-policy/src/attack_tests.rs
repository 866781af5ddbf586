//! What attackers tried: other spellings, other tools, other ways to the same files.

use hookguard_core::{Change, Decision, Event, EventKind, FileChange, ToolCall};

use super::*;

const ROOT: &str = "/home/dev/acme";

fn decided(call: ToolCall, context: &Context<'_>) -> Decision {
    let mut event = Event::new(EventKind::PreTool, "test", "PreToolUse", b"");
    event.tool = Some(call);
    decide(&event, context).verdict.decision
}

fn context() -> Context<'static> {
    Context { home: Some("/home/dev"), user: Some("dev"), root: Some(ROOT), cwd: Some(ROOT), ..Context::default() }
}

/// All whose decision is another one.
fn wrong(expected: Decision, commands: &[&str]) -> Vec<String> {
    let decided = commands.iter().map(|command| (command, decided(ToolCall::shell(*command), &context())));
    decided.filter(|(_, found)| *found != expected).map(|(command, found)| format!("{found}: {command}")).collect()
}

#[test]
fn other_spellings_of_the_same_command() {
    let deny = wrong(
        Decision::Deny,
        &[
            "cp /bin/rm /tmp/zz && /tmp/zz -rf ~",
            "cp /usr/bin/rm . && ./rm -rf ~",
            "ln -s /bin/rm ./clean; ./clean -rf ~",
            "install -m755 /bin/rm /tmp/t/ && /tmp/t/rm -rf ~",
            "hash -p /bin/rm ls; ls -rf ~",
            "bash --rcfile <(echo 'rm -rf ~') -i",
            "echo 'rm -rf ~' > /tmp/rc; bash --init-file /tmp/rc -i",
            "ENV='$(rm -rf ~)' sh -i",
            "export PS1='$(rm -rf ~)'; bash -i",
            "PS4='`rm -rf ~`' bash -x x.sh",
            "make SHELL='rm -rf ~ #'",
            "make --eval '$(shell rm -rf ~)'",
            "make --eval 'x: ; rm -rf ~' x",
            "git clone 'ext::sh -c rm% -rf% ~' x",
            "git-push -f origin topic",
            "/usr/lib/git-core/git-push --force",
            "git send-pack --force origin topic",
            "git send-pack origin +topic",
            "hub push --force origin topic",
            "gh repo sync acme/x --force",
        ],
    );
    let ask = wrong(
        Decision::Ask,
        &[
            "make SHELL=/tmp/evil test",
            "hub push --force-with-lease",
            "jj git push --deleted",
            "sl push --force",
            "gt submit --force",
            "git-reset --hard",
        ],
    );
    let allow = wrong(
        Decision::Allow,
        &[
            "cp /bin/ls /tmp/zz && /tmp/zz -la",
            "hash -r",
            "PS1='$ ' bash -c 'ls'",
            "PS1='$(git branch)> '",
            "make SHELL=/bin/bash test",
            "make SHELL=bash",
            "git-push origin topic",
            "git send-pack origin topic",
            "hub clone acme/x /tmp/x",
            "jj git push -b topic",
            "gh repo sync acme/x",
            "git clone https://example.com/x.git /tmp/x",
        ],
    );
    assert!(deny.is_empty() && ask.is_empty() && allow.is_empty(), "{deny:#?}\n{ask:#?}\n{allow:#?}");
}

#[test]
fn other_writers_of_the_guards_files() {
    let deny = wrong(
        Decision::Deny,
        &[
            "tar -C .claude -xf x.tar",
            "tar xf x.tar -C .claude",
            "tar --extract --file x.tar --directory=.claude",
            "cd .claude && tar xzf ../x.tgz",
            "unzip -o x.zip -d .claude",
            "7z x a.7z -o.claude",
            "cpio -idD .claude < x.cpio",
            "patch .claude/settings.json < x.diff",
            "patch -o .claude/settings.json a x.diff",
            "git apply <<'P'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nP",
            "cat > /tmp/p.diff <<'P'\n--- a/x\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nP\ngit apply /tmp/p.diff",
            "patch -p1 -d .claude < x.diff",
            "ed -s .claude/settings.json <<'E'\n1d\nw\nE",
            "ex -s .claude/settings.json",
            "vim -es .claude/settings.json -c wq",
            "wget -P .claude https://x.example/settings.json",
            "curl -O --output-dir .claude https://x.example/settings.json",
            "cd .claude && curl -O https://x.example/settings.json",
            "cd .claude && wget https://x.example/settings.json",
            "cp -r other/. .claude/",
            "cp other/* .claude",
            "rsync -a other/ .claude/",
            "rsync -a other/ .claude",
            "git clone https://x.example/y.git .claude",
            "git worktree add .claude main",
            "mkdir .claude/settings.json",
            "mkdir -p ~/.codex/hooks.json",
            "mkfifo .claude/settings.json",
            "touch .claude/settings.local.json",
            "split -b 1 x .claude/settings",
            "xxd -r x .claude/settings.json",
            "docker cp c:/x .claude/settings.json",
            "setfacl -m u::--- .claude/settings.json",
            "chattr -i .claude/settings.json",
            "chattr +i .claude/settings.json",
            "find .claude -name settings.json -exec sed -i s/a/b/ {} +",
            "find . -name settings.local.json -exec sed -i s/a/b/ {} +",
            "find . -path '*/.claude/*' | xargs sed -i s/a/b/",
            "gcc x.c -o ~/.local/bin/hookguard",
            "go build -o ~/.local/bin/hookguard ./x",
            "rustc -o ~/.local/bin/hookguard x.rs",
            "kill $(pgrep hookguard)",
            "kill -9 $(pidof hookguard)",
            "pgrep hookguard | xargs kill",
            "ps aux | grep hookguard | awk '{print $2}' | xargs kill -9",
            "pkill hookg",
            "echo '{}' > $CODEX_HOME/hooks.json",
            "echo '{}' > \"$CLAUDE_CONFIG_DIR/settings.json\"",
            "cp x ${CODEX_HOME:-$HOME/.codex}/config.toml",
            "rm -f $CLAUDE_CONFIG_DIR/settings.json",
        ],
    );
    let allow = wrong(
        Decision::Allow,
        &[
            "tar xzf x.tgz",
            "tar -C build -xf x.tar",
            "tar czf /tmp/claude.tgz .claude/commands",
            "unzip x.zip -d dist",
            "patch -p1 < x.diff",
            "git apply fix.patch",
            "git apply <<'P'\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-a\n+b\nP",
            "cp -r commands .claude/",
            "cp review.md .claude/commands/",
            "rsync -a src/ dist/",
            "cp -r x/. .",
            "git worktree add ../wt topic",
            "mkdir -p src/hooks .claude/commands",
            "touch src/a.rs",
            "gcc x.c -o build/x",
            "go build -o bin/app ./cmd/app",
            "curl -O https://x.example/a.json",
            "wget https://x.example/a.tgz",
            "find . -name '*.rs' -exec sed -i s/a/b/ {} +",
            "find . -name '*.json' | xargs prettier --write",
            "kill $(pgrep node-app)",
            "kill 1234",
            "echo $CODEX_HOME",
            "cat $CLAUDE_CONFIG_DIR/settings.json",
            "vim --version",
            "mkdir -p /tmp/x && touch /tmp/x/y",
        ],
    );
    assert!(deny.is_empty() && allow.is_empty(), "{deny:#?}\n{allow:#?}");
}

#[test]
fn a_bare_shell_is_asked_about_where_it_can_be_typed_into_unseen() {
    let unseen = Context { unseen_input: true, ..context() };
    for (command, expected) in [
        ("bash", Decision::Ask),
        ("bash -i", Decision::Ask),
        ("python3", Decision::Ask),
        ("node", Decision::Ask),
        ("env X=1 zsh", Decision::Ask),
        ("bash -c ls", Decision::Allow),
        ("python3 x.py", Decision::Allow),
        ("bash < /dev/null", Decision::Allow),
        ("python3 --version", Decision::Allow),
    ] {
        assert_eq!(decided(ToolCall::shell(command), &unseen), expected, "{command}");
        assert_eq!(decided(ToolCall::shell(command), &context()), Decision::Allow, "{command}");
    }
}

fn other(name: &str, input: &str) -> ToolCall {
    ToolCall::Other { name: name.into(), input: input.into() }
}

fn mcp(tool: &str, args: &str) -> ToolCall {
    ToolCall::Mcp { server: "x".into(), tool: tool.into(), args: args.into() }
}

#[test]
fn tools_that_no_profile_lists() {
    use Decision::{Ask, Deny};
    for (call, expected) in [
        (other("delete_file", r#"{"path":".claude/settings.json"}"#), Deny),
        (other("move_file", r#"{"source":".claude/settings.json","destination":"x.json"}"#), Deny),
        (other("move_file", r#"{"source":"x.json","destination":".claude/settings.json"}"#), Deny),
        (other("rename", r#"{"old_path":"x.json","new_path":".codex/hooks.json"}"#), Deny),
        (other("write_files", r#"{"files":[{"path":"a.txt"},{"path":".claude/settings.json"}]}"#), Deny),
        (other("create_file", r#"{"filePath":"/home/dev/.codex/config.toml"}"#), Deny),
        (other("delete_files", r#"{"files":["a.txt",".cursor/hooks.json"]}"#), Deny),
        (other("read_file", r#"{"path":"~/.ssh/id_rsa"}"#), Deny),
        (other("read_many_files", r#"{"paths":["a.txt","/home/dev/.aws/credentials"]}"#), Deny),
        (other("Grep", r#"{"pattern":"KEY","path":"/home/dev/.ssh"}"#), Deny),
        (other("Grep", r#"{"pattern":"KEY","path":"/home/dev/.ssh/id_rsa","output_mode":"content"}"#), Deny),
        (other("NotebookRead", r#"{"notebook_path":"/home/dev/.aws/credentials"}"#), Deny),
        (mcp("run", r#"{"command":"rm","args":["-rf","/home/dev"]}"#), Deny),
        (mcp("run", r#"{"command":["rm","-rf","~"]}"#), Deny),
        (mcp("delete_file", r#"{"path":"/home/dev/.claude/settings.json"}"#), Deny),
        (mcp("delete_directory", r#"{"path":"src"}"#), Ask),
    ] {
        assert_eq!(decided(call.clone(), &context()), expected, "{call:?}");
    }
    for call in [
        other("todo_write", r#"{"todos":[{"content":"delete .claude/settings.json","status":"pending"}]}"#),
        other("delete_file", r#"{"path":"src/a.rs"}"#),
        other("move_file", r#"{"source":"a.rs","destination":"b.rs"}"#),
        other("read_file", r#"{"path":"src/a.rs"}"#),
        other("Grep", r#"{"pattern":"rm -rf ~","path":"src","glob":"*.rs"}"#),
        other("Grep", r#"{"pattern":"x"}"#),
        other("Glob", r#"{"pattern":"**/*.ts","path":"/home/dev/acme"}"#),
        other("WebSearch", r#"{"query":"how to DROP TABLE users"}"#),
        other("Task", r#"{"description":"x","prompt":"DELETE FROM users; rm -rf ~"}"#),
        other("broken", "not json"),
        mcp("run", r#"{"command":"ls","args":["-la"]}"#),
    ] {
        assert!(decided(call.clone(), &context()) <= Decision::Allow, "{call:?}");
    }
}

#[test]
fn what_checks_the_code_is_changed_with_a_word_of_the_users() {
    let edit = |path: &str, change: Change| ToolCall::Edit {
        files: vec![FileChange { path: path.into(), change, added: String::new() }],
    };
    for path in [
        ".eslintrc.json",
        "web/eslint.config.mjs",
        "ruff.toml",
        ".golangci.yml",
        "clippy.toml",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        "/home/dev/acme/.pre-commit-config.yaml",
    ] {
        for change in [Change::Write, Change::Update, Change::Delete] {
            assert_eq!(decided(edit(path, change), &context()), Decision::Ask, "{path}");
        }
    }
    for path in ["src/eslint.ts", "docs/workflows/ci.yml", "package.json", "node_modules/x/.eslintrc", "src/ruff.rs"] {
        assert!(decided(edit(path, Change::Update), &context()) <= Decision::Allow, "{path}");
    }
    assert!(decided(edit("ruff.toml", Change::Create), &context()) <= Decision::Allow);
}

#[test]
fn a_second_name_is_the_file_itself() {
    let denied = [
        "ln -s ~/.config/hookguard/config.toml s && cp obs.toml s",
        "ln -s /etc/passwd s; tee s < new",
        "ln ~/.config/hookguard/config.toml h2",
        "link ~/.codex/hooks.json h2",
        "cp -l ~/.ssh/authorized_keys k",
        "ln -t . ~/.claude/settings.json",
        "cp ~/.cargo/bin/hookguard hg",
        "cp \"$(command -v hookguard)\" hg",
        "ln -s $(which hookguard) hg",
        "rm $(which hookguard)",
        "chmod -x \"$(which hookguard)\"",
        "hookguard hook claude SessionEnd < event.json",
    ];
    assert_eq!(wrong(Decision::Deny, &denied), [""; 0]);
    let harmless =
        ["ln -s ../shared lib", "ln a.txt b.txt", "cp -l a b", "ln -sf target/release/app bin/app", "which hookguard"];
    assert_eq!(wrong(Decision::Allow, &harmless), [""; 0]);
}

#[test]
fn more_paths_than_are_looked_up_are_asked_about() {
    let many = (0..300).fold(String::from("touch"), |all, at| all + &format!(" f{at}"));
    assert_eq!(wrong(Decision::Ask, &[&format!("{many}; cp x s")]), [""; 0]);
    let some = (0..100).fold(String::from("cat"), |all, at| all + &format!(" f{at}"));
    assert_eq!(wrong(Decision::Allow, &[&some]), [""; 0]);
}
