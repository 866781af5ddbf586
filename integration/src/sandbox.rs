//! A throw-away HOME, state folder and git project, and everything that runs in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Finished, Invocation, binary};

/// What git needs to commit; the main branch has the same name on every machine.
const GITCONFIG: &str = "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n\
                         [commit]\n\tgpgsign = false\n";

/// The programs that agents, hooks and tests start; their folders make up PATH.
const PROGRAMS: [&str; 3] = ["node", "git", "bash"];

/// A fresh machine for one test: `home`, `project` (a git repository with one commit) and nothing of the real user.
///
/// It lies in cargo's target folder and not in the system's temporary one, for there agents and policies behave
/// differently: Codex makes no helper programs, and a recursive delete is harmless. TMPDIR is a folder of its own.
/// Both are removed at the end; `HOOKGUARD_KEEP_SANDBOX=1` keeps them, to look at after a failure.
#[derive(Debug)]
pub struct Sandbox {
    _folders: [TempDir; 2],
    root: PathBuf,
    env: BTreeMap<OsString, OsString>,
}

impl Sandbox {
    /// Makes one.
    pub fn new() -> anyhow::Result<Sandbox> {
        let all = binary::builds_folder()?.join("sandboxes");
        std::fs::create_dir_all(&all)?;
        let mut folder = tempfile::Builder::new().prefix("").tempdir_in(all)?;
        // In the system's place for such: agents make sockets in it, whose paths must be short.
        let mut temporary = tempfile::Builder::new().prefix("hookguard-").tempdir()?;
        let keep = std::env::var_os("HOOKGUARD_KEEP_SANDBOX").is_some();
        folder.disable_cleanup(keep);
        temporary.disable_cleanup(keep);
        let root = folder.path().canonicalize()?;
        let env = BTreeMap::from([
            ("HOME".into(), root.join("home").into()),
            ("TMPDIR".into(), temporary.path().into()),
            ("PATH".into(), search_path()?),
            ("SHELL".into(), "/bin/bash".into()),
            ("LANG".into(), "C.UTF-8".into()),
            ("TERM".into(), "dumb".into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
            // Outside `project` there is no repository, although the workspace's own lies above.
            ("GIT_CEILING_DIRECTORIES".into(), root.clone().into()),
        ]);
        let sandbox = Sandbox { _folders: [folder, temporary], root, env };
        for folder in [sandbox.home(), sandbox.project(), sandbox.claude_home(), sandbox.codex_home()] {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(sandbox.home().join(".gitconfig"), GITCONFIG)?;
        sandbox.git(["init", "--quiet"])?;
        sandbox.git(["commit", "--quiet", "--allow-empty", "--message", "start"])?;
        Ok(sandbox)
    }

    /// The folder that holds all of it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// HOME.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The project that the agent works in.
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// `CLAUDE_CONFIG_DIR`: the place that Claude Code would take by itself.
    pub fn claude_home(&self) -> PathBuf {
        self.home().join(".claude")
    }

    /// `CODEX_HOME`: the place that Codex would take by itself.
    pub fn codex_home(&self) -> PathBuf {
        self.home().join(".codex")
    }

    /// Where hookguard keeps its state here: no `XDG_STATE_HOME` is set.
    pub fn state(&self) -> PathBuf {
        self.home().join(".local/state/hookguard")
    }

    /// The whole environment that programs get here.
    pub fn env(&self) -> &BTreeMap<OsString, OsString> {
        &self.env
    }

    /// Puts a program on the search path of all that runs here.
    pub fn put_on_path(&mut self, program: &Path) -> anyhow::Result<()> {
        let folder = self.root.join("bin");
        std::fs::create_dir_all(&folder)?;
        let name = program.file_name().context("failed to find the program's name")?;
        std::os::unix::fs::symlink(program, folder.join(name))?;
        let path = self.env.entry("PATH".into()).or_default();
        let folders = std::iter::once(folder).chain(std::env::split_paths(path));
        *path = std::env::join_paths(folders)?;
        Ok(())
    }

    /// A program to be run in the project with this environment.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Invocation {
        Invocation::new(program).envs(&self.env).cwd(self.project())
    }

    /// The built `hookguard`, to be run in the project, with the agents' folders named as the agents name them.
    pub fn hookguard<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> anyhow::Result<Invocation> {
        let program = self.program(binary::hookguard()?).args(args);
        Ok(program.env("CLAUDE_CONFIG_DIR", self.claude_home()).env("CODEX_HOME", self.codex_home()))
    }

    /// Runs `hookguard hook AGENT EVENT` on a payload.
    pub fn hook(&self, agent: &str, event: &str, payload: impl Into<Vec<u8>>) -> anyhow::Result<Finished> {
        self.hookguard(["hook", agent, event])?.stdin(payload).run()
    }

    /// Runs git in the project and gives what it printed, trimmed.
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> anyhow::Result<String> {
        let printed = self.program("git").args(args).run()?.success().context("failed to run git")?;
        Ok(printed.trim().to_owned())
    }

    /// A bare remote `origin` that has diverged: only a forced push of `main` would change it. Gives its commit.
    pub fn diverged_remote(&self) -> anyhow::Result<String> {
        let remote = self.root.join("remote.git");
        self.git([OsStr::new("init"), "--quiet".as_ref(), "--bare".as_ref(), remote.as_ref()])?;
        self.git([OsStr::new("remote"), "add".as_ref(), "origin".as_ref(), remote.as_ref()])?;
        self.git(["push", "--quiet", "origin", "main"])?;
        self.git(["commit", "--quiet", "--amend", "--allow-empty", "--message", "rewritten"])?;
        self.remote_commit()
    }

    /// The commit that the remote's `main` points to now.
    pub fn remote_commit(&self) -> anyhow::Result<String> {
        self.git(["--git-dir", "../remote.git", "rev-parse", "main"])
    }

    /// Writes a file below the root, and the folders above it.
    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> anyhow::Result<PathBuf> {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().context("failed to find the file's folder")?)?;
        std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
        Ok(path)
    }

    /// The decision log: every line of every `*.jsonl` below the state's `log` folder, oldest file first.
    ///
    /// Empty where nothing was logged yet; an error where a line is no JSON, for a torn line is a fault.
    pub fn decisions(&self) -> anyhow::Result<Vec<Value>> {
        let Ok(folder) = std::fs::read_dir(self.state().join("log")) else { return Ok(Vec::new()) };
        let files = folder.map(|entry| Ok(entry?.path())).collect::<std::io::Result<BTreeSet<PathBuf>>>()?;
        let mut lines = Vec::new();
        for file in files.iter().filter(|file| file.extension() == Some("jsonl".as_ref())) {
            for line in std::fs::read_to_string(file)?.lines() {
                lines.push(serde_json::from_str(line).with_context(|| format!("failed to read the log line {line}"))?);
            }
        }
        Ok(lines)
    }
}

/// The folders of the programs that are needed, in place of the user's own PATH.
fn search_path() -> anyhow::Result<OsString> {
    let mut folders = Vec::new();
    for program in PROGRAMS {
        // One that is missing is told by whoever starts it: not every test needs node.
        if let Ok(path) = which::which(program)
            && let Some(folder) = path.parent()
            && !folders.iter().any(|known| known == folder)
        {
            folders.push(folder.to_owned());
        }
    }
    folders.extend(["/usr/bin", "/bin"].map(PathBuf::from));
    Ok(std::env::join_paths(folders)?)
}
