//! What a command was: a test, a commit, a deployment … by its words, never by a substring of its text.

mod edits;
mod forge;
mod programs;
mod rows;
mod scripts;
mod tasks;
mod vcs;

use super::Evidence;

pub(super) use edits::changed_files;
pub(super) use tasks::words_of;

/// What a command was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A test runner.
    Test(Evidence),
    /// A test runner that runs nothing: `--no-run`, `--collect-only`, `--list`.
    Listed,
    /// A build.
    Build,
    /// A linter or a type check.
    Lint,
    /// A check of the layout only.
    FormatCheck,
    /// A check of configuration: `nginx -t`, `terraform plan`, `actionlint`.
    ConfigCheck,
    /// A commit, or what makes one.
    Commit,
    /// A push.
    Push,
    /// A pull request made or merged.
    Request,
    /// A package, an image, a release handed out.
    Publish,
    /// Something rolled out.
    Deploy,
    /// A migration on production.
    Migrate,
    /// A pipeline elsewhere watched.
    Watch,
    /// A log read.
    Log,
    /// A program run, a request made, files compared.
    Run,
    /// Something read only.
    Look,
    /// Files changed.
    Edit,
    /// Files laid out anew, and nothing else about them.
    Format,
    /// Dependencies changed.
    Dependencies,
    /// Others' commits brought in.
    Merge,
    /// Changes taken out of the work tree.
    TakeOut,
    /// Changes put back.
    PutBack,
    /// A repository made.
    NewRepository,
    /// Paths staged for a commit.
    Stage,
    /// Anything else: it proves nothing and changes nothing that counts.
    Other,
}

impl Kind {
    /// Whether it changes what others share.
    pub(super) fn is_share(self) -> bool {
        matches!(self, Kind::Commit | Kind::Push | Kind::Request | Kind::Publish | Kind::Deploy | Kind::Migrate)
    }
}

/// A command's words: the program's bare name, then its arguments as far as they are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) program: &'a str,
    /// The program as written.
    pub(super) written: &'a str,
    pub(super) args: &'a [String],
    /// `NAME=value` in its environment.
    pub(super) set: &'a [(String, String)],
    /// Whether it runs on another machine.
    pub(super) remote: bool,
    /// What it reads on standard input, where the text says so.
    pub(super) input: &'a str,
}

/// Options before a subcommand that take a value.
const VALUED: &[&str] = &[
    "-C",
    "-c",
    "-n",
    "--namespace",
    "--context",
    "-R",
    "--repo",
    "--prefix",
    "-w",
    "--workspace",
    "--filter",
    "-F",
    "--cwd",
    "--dir",
    "-f",
    "--file",
    "-p",
    "--project",
    "-P",
    "--profile",
    "--config",
    "--manifest-path",
    "-pl",
    "--kubeconfig",
    "--project-name",
    "-e",
    "-s",
    "-i",
    "-H",
    "--env-file",
    "-l",
    "--scope",
    "--project-directory",
];

impl<'a> Words<'a> {
    /// Its arguments that are no options, nor the values of those that stand before the first one.
    pub(super) fn operands(&self) -> Vec<&'a str> {
        let mut found: Vec<&'a str> = Vec::new();
        let mut skip = false;
        for (nth, arg) in self.args.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            if arg.starts_with('-') || arg.starts_with('+') && found.is_empty() {
                // `make -j 4 check`, `pnpm -w test`: the value is skipped only where something is left behind it.
                let jobs = arg == "-j" && self.args.get(nth + 1).is_some_and(|next| next.parse::<u32>().is_ok());
                skip = found.is_empty() && (jobs || VALUED.contains(&arg.as_str())) && self.args.len() > nth + 2;
                continue;
            }
            found.push(arg);
        }
        found
    }

    /// Whether one of `flags` is given, alone or with `=value`.
    pub(super) fn has(&self, flags: &[&str]) -> bool {
        self.args.iter().any(|arg| {
            let name = arg.split_once('=').map_or(arg.as_str(), |(name, _)| name);
            flags.contains(&name)
        })
    }

    /// The value of an option, behind it or behind a `=`.
    pub(super) fn value(&self, flags: &[&str]) -> Option<&'a str> {
        self.args.iter().enumerate().find_map(|(nth, arg)| match arg.split_once('=') {
            Some((name, value)) if flags.contains(&name) => Some(value),
            _ if flags.contains(&arg.as_str()) => self.args.get(nth + 1).map(String::as_str),
            _ => None,
        })
    }

    /// Whether production is named: in a word, or in the environment.
    pub(super) fn on_production(&self) -> bool {
        let named = |text: &str| {
            words_of(text).iter().any(|word| matches!(word.as_str(), "prod" | "production" | "live" | "prd"))
        };
        self.args.iter().any(|arg| named(arg)) || self.set.iter().any(|(name, value)| named(value) || named(name))
    }

    /// Whether it only says what it would do.
    fn is_dry(&self) -> bool {
        self.has(&[
            "--dry-run",
            "--dryrun",
            "--dry",
            "--noop",
            "--no-op",
            "--what-if",
            "--whatif",
            "--simulate",
            "--help",
        ])
    }
}

/// What the command of `words` was.
pub(super) fn kind(words: &Words<'_>) -> Kind {
    let found = of(words);
    if found.is_share() && words.is_dry() {
        return Kind::Look;
    }
    // On another machine, what changes something there is a deployment.
    if words.remote
        && matches!(found, Kind::Edit | Kind::Run | Kind::Build | Kind::Merge | Kind::Dependencies | Kind::TakeOut)
    {
        return if programs::changes_a_host(words) { Kind::Deploy } else { found };
    }
    found
}

fn of(words: &Words<'_>) -> Kind {
    if matches!(words.args, [only] if matches!(only.as_str(), "--version" | "-V" | "-v" | "version")) {
        return Kind::Look;
    }
    if let Some(kind) = vcs::kind(words) {
        return kind;
    }
    if matches!(words.program, "curl" | "wget" | "http" | "xh")
        && let Some(kind) = forge::request(words)
    {
        return kind;
    }
    if let Some(kind) = edits::kind(words) {
        return kind;
    }
    if let Some(kind) = programs::kind(words) {
        return kind;
    }
    scripts::kind(words)
}

#[cfg(test)]
mod tests;
