//! `cargo xtask hook-order`: which functions run in a hook, for the linker to put them together (`crates/hookguard/hook.ld`).
//!
//! The program has 7 MB, and a hook runs 400 functions of it. Strewn, they touch 50 stretches of 64 KB, and each is a page
//! fault of 2 to 3 us; together, a dozen (measured 2026-11-30: 1.50 and 1.13 of `/bin/true`). The list needs no care: a
//! function that is missing in it lies somewhere else, and one that is gone is passed over.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::bench_hook::rules_of_a_user;
use crate::workspace::{Workspace, print};

const SCRIPT: &str = "crates/hookguard/hook.ld";

/// Write the linker's list of the functions that run in a hook.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A release build with its symbols (`CARGO_PROFILE_RELEASE_STRIP=none cargo build --release --package hookguard`)
    #[arg(long, value_name = "PATH")]
    binary: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let workspace = Workspace::load()?;
    let binary = arguments.binary.canonicalize().with_context(|| format!("no {}", arguments.binary.display()))?;
    let home = tempfile::TempDir::with_prefix("hookguard-order-")?;
    let mut hot = BTreeSet::new();
    for (agent, event, payload) in calls() {
        hot.extend(functions(&binary, home.path(), agent, event, &payload)?);
    }
    let mut stop = BTreeSet::new();
    for (agent, event, payload) in turn() {
        stop.extend(functions(&binary, home.path(), agent, event, &payload)?);
    }
    let config = home.path().join(".config/hookguard");
    std::fs::create_dir_all(&config)?;
    std::fs::write(config.join("config.toml"), rules_of_a_user())?;
    let (agent, event, payload) = &calls()[0];
    let anew = functions(&binary, home.path(), agent, event, payload)?;
    std::thread::sleep(std::time::Duration::from_millis(200));
    functions(&binary, home.path(), agent, event, payload)?;
    hot.extend(functions(&binary, home.path(), agent, event, payload)?);
    let stop: BTreeSet<String> = stop.difference(&hot).cloned().collect();
    let anew: BTreeSet<String> = anew.difference(&hot).filter(|name| !stop.contains(*name)).cloned().collect();
    let script = script([&hot, &stop, &anew], &objects()?);
    std::fs::write(workspace.root().join(SCRIPT), script).with_context(|| format!("failed to write {SCRIPT}"))?;
    print(&format!(
        "{} functions in a hook, {} more at a stop, {} more where a configuration is read",
        hot.len(),
        stop.len(),
        anew.len()
    ));
    Ok(())
}

/// A call of a hook: the agent, the event, the payload.
type Call = (&'static str, &'static str, Value);

fn call(event: &str, more: Value) -> Value {
    let mut payload = json!({ "session_id": "s", "cwd": "/home/dev/project", "hook_event_name": event });
    if let (Some(payload), Value::Object(more)) = (payload.as_object_mut(), more) {
        payload.extend(more);
    }
    payload
}

fn shell(command: &str) -> Value {
    json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t" })
}

/// A turn and its stop, at which no judge has anything to say.
fn turn() -> Vec<Call> {
    let mut edit = json!({ "tool_name": "Edit", "tool_use_id": "u", "tool_response": {} });
    edit["tool_input"] =
        json!({ "file_path": "/home/dev/project/a.rs", "old_string": "a", "new_string": "let b = a();\n" });
    let mut after = shell("cargo test --workspace && git commit -am 'a: b'");
    after["tool_response"] = json!({ "stdout": "test result: ok. 12 passed; 0 failed; 0 ignored", "stderr": "" });
    let said = "The table has a column for the price. It is read as the others are; `load_rows` looks at the schema.";
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": said.repeat(10) });
    vec![
        ("claude", "UserPromptSubmit", call("UserPromptSubmit", json!({ "prompt": "Add the price, then commit it." }))),
        ("claude", "PostToolUse", call("PostToolUse", edit)),
        ("claude", "PostToolUse", call("PostToolUse", after)),
        ("claude", "Stop", call("Stop", stop)),
    ]
}

/// Calls of all kinds, none of which has anything to be told.
fn calls() -> Vec<Call> {
    let everyday = "cargo test --workspace --quiet && git status --short | head -20";
    let script = "for f in src/*.rs; do grep -n 'TODO' \"$f\" | sed 's/^/x: /' || true; done\ncd web && npm run build > out.log 2>&1; \
                  git -C x diff --stat; python3 -c 'print(1)'; VAR=1 make test $(cat list)";
    let edit = json!({ "tool_name": "Edit", "tool_input": { "file_path": "/home/dev/project/a.rs", "old_string": "a", "new_string": "b" },
        "tool_use_id": "t" });
    let read =
        json!({ "tool_name": "Read", "tool_input": { "file_path": "/home/dev/project/a.rs" }, "tool_use_id": "t" });
    let mut after = shell("ls");
    after["tool_response"] = json!({ "stdout": "x", "stderr": "" });
    vec![
        ("claude", "PreToolUse", call("PreToolUse", shell(everyday))),
        ("codex", "PreToolUse", call("PreToolUse", shell(everyday))),
        ("claude", "PreToolUse", call("PreToolUse", shell(script))),
        ("claude", "PreToolUse", call("PreToolUse", edit)),
        ("claude", "PreToolUse", call("PreToolUse", read)),
        ("claude", "PostToolUse", call("PostToolUse", after)),
    ]
}

/// The functions that run in a call, by their names in the binary.
fn functions(
    binary: &Path,
    home: &Path,
    agent: &str,
    event: &str,
    payload: &Value,
) -> anyhow::Result<BTreeSet<String>> {
    let (input, out) = (home.join("call.json"), home.join("callgrind.out"));
    std::fs::write(&input, payload.to_string())?;
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--demangle=no"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(binary)
        .args(["hook", agent, event])
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(std::fs::File::open(&input)?)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("failed to start valgrind (apt-get install valgrind)")?;
    ensure!(status.success(), "the hook failed");
    Ok(names(&std::fs::read_to_string(&out)?))
}

/// The functions in callgrind's output: `fn=(7) NAME` and `cfn=(7) NAME`.
fn names(callgrind: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
        let name = rest.split_once(") ")?.1.trim();
        // Of a recursion callgrind numbers the levels.
        let bare = name.rsplit_once('\'').filter(|(_, level)| level.bytes().all(|byte| byte.is_ascii_digit()));
        Some(bare.map_or(name, |(bare, _)| bare).to_owned())
    };
    callgrind.lines().filter_map(name).collect()
}

/// The object files of the C library by the functions that they hold.
fn objects() -> anyhow::Result<BTreeMap<String, String>> {
    let printed = |program: &str, arguments: &[&str]| -> anyhow::Result<String> {
        let done =
            Command::new(program).args(arguments).output().with_context(|| format!("failed to start {program}"))?;
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    };
    let library = printed("cc", &["-print-file-name=libc.a"])?;
    let listed = printed("nm", &["--print-file-name", "--defined-only", &library])?;
    // `/usr/lib/libc.a:malloc.o:0000 T malloc`
    let row = |line: &str| {
        let object = line.split(':').nth(1)?.to_owned();
        let mut words = line.rsplit(' ');
        let (name, kind) = (words.next()?.to_owned(), words.next()?);
        matches!(kind, "T" | "t" | "W" | "i").then_some((name, object))
    };
    Ok(listed.lines().filter_map(row).collect())
}

fn script(groups: [&BTreeSet<String>; 3], objects: &BTreeMap<String, String>) -> String {
    let mut out = String::from(
        "/* Written by `cargo xtask hook-order`, which says why: the functions that run in a hook, then those of a stop and\n   \
         those that read a configuration, before everything else. For lld and GNU ld. */\n\
         SECTIONS\n{\n  .text.hook :\n  {\n    *(.text.main)\n",
    );
    for functions in groups {
        let patterns: BTreeSet<String> = functions.iter().filter_map(|name| pattern(name)).collect();
        for pattern in patterns {
            // Writing to a string can't fail.
            let _ = writeln!(out, "    *(.text.{pattern} .text.unlikely.{pattern})");
        }
        let of_library: BTreeSet<&String> = functions.iter().filter_map(|name| objects.get(name)).collect();
        for object in of_library {
            let _ = writeln!(out, "    *libc.a:{object}(.text .text.*)");
        }
    }
    out.push_str("  }\n}\nINSERT BEFORE .text;\n");
    out
}

/// The linker's pattern for a function of Rust: hashes, which change with every build, left out.
fn pattern(name: &str) -> Option<String> {
    let bare = if name.starts_with("_ZN") {
        // Seventeen characters: `h` and 16 digits.
        format!("{}17h*", name.rsplit_once("17h")?.0)
    } else if name.starts_with("_R") {
        let mut bare = String::new();
        let mut rest = name;
        while let Some((before, after)) = rest.split_once("Cs") {
            bare.push_str(before);
            bare.push_str("Cs*");
            rest = after.split_once('_').map_or("", |(_, rest)| rest);
            bare.push('_');
        }
        bare + rest + "*"
    } else {
        return None;
    };
    // A dollar is no letter of a linker's pattern.
    Some(bare.replace('$', "?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_patterns() {
        let out = "fn=(1) main\ncfn=(2) _ZN9hookguard4hook3run17h0123456789abcdefE'2\nfn=(2)\n";
        let found: Vec<String> = names(out).into_iter().collect();
        assert_eq!(found, ["_ZN9hookguard4hook3run17h0123456789abcdefE", "main"]);
        assert_eq!(pattern(&found[0]).as_deref(), Some("_ZN9hookguard4hook3run17h*"));
        assert_eq!(pattern("_ZN3a$LT$b17h0123456789abcdefE.llvm.7").as_deref(), Some("_ZN3a?LT?b17h*"));
        assert_eq!(
            pattern("_RNvMNtCsab12_5alloc6stringCsx_3std").as_deref(),
            Some("_RNvMNtCs*_5alloc6stringCs*_3std*")
        );
        assert_eq!(pattern("malloc"), None);
    }
}
