//! Files that are run: `./scripts/deploy.sh prod`, `python tools/repro.py`, `bin/rails test`; and programs nobody knows.

use super::super::Evidence;
use super::{Kind, Words, tasks};

const INTERPRETERS: &[&str] = &[
    "python",
    "python3",
    "python2",
    "pypy3",
    "py",
    "node",
    "nodejs",
    "tsx",
    "ts-node",
    "ruby",
    "php",
    "perl",
    "lua",
    "luajit",
    "java",
    "kotlin",
    "groovy",
    "Rscript",
    "R",
    "julia",
    "bash",
    "sh",
    "zsh",
    "fish",
    "dash",
    "elixir",
    "escript",
    "iex",
    "erl",
    "ghci",
    "runghc",
    "runhaskell",
    "ocaml",
    "scala",
    "guile",
    "racket",
    "sbcl",
    "emacs",
    "pwsh",
    "powershell",
    "osascript",
    "tclsh",
    "wish",
    "swipl",
    "octave",
    "bun",
    "deno",
    "dotnet-script",
    "irb",
    "ipython",
];

/// Whether a file of this name is source.
pub(super) fn is_source(name: &str) -> bool {
    matches!(
        name.rsplit_once('.').map(|(_, end)| end),
        Some(
            "py" | "js"
                | "ts"
                | "tsx"
                | "jsx"
                | "rb"
                | "php"
                | "rs"
                | "go"
                | "java"
                | "kt"
                | "c"
                | "h"
                | "cpp"
                | "cs"
                | "swift"
                | "ex"
                | "exs"
                | "scala"
        )
    )
}

pub(super) fn kind(words: &Words<'_>) -> Kind {
    let code = words
        .args
        .iter()
        .position(|arg| matches!(arg.as_str(), "-c" | "-e" | "-r" | "--eval" | "-ne" | "-pe" | "--execute" | "eval"));
    if INTERPRETERS.contains(&words.program) {
        if words.args.is_empty() && words.input.is_empty() {
            return Kind::Other;
        }
        let text = code.and_then(|at| words.args.get(at + 1)).map_or(words.input, String::as_str);
        if !text.is_empty() {
            return match text {
                _ if writes_files(text) => Kind::Edit,
                _ if only_prints(text) => Kind::Look,
                _ => Kind::Run,
            };
        }
        let file = words.args.iter().position(|arg| !arg.starts_with('-'));
        let Some(at) = file else { return Kind::Other };
        let name = words.args.get(at).map(String::as_str).unwrap_or_default();
        return file_kind(words, name, words.args.get(at + 1..).unwrap_or_default());
    }
    file_kind(words, words.written, words.args)
}

/// A file that is run, or a program that nobody knows, with its arguments.
fn file_kind(words: &Words<'_>, path: &str, args: &[String]) -> Kind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if matches!(name, "manage.py" | "artisan" | "console" | "rails" | "setup.py" | "spark" | "cake" | "craft" | "wp") {
        let sub = args.iter().find(|arg| !arg.starts_with('-')).map(String::as_str).unwrap_or_default();
        return match sub {
            "test" => Kind::Test(tasks::evidence_of(args, Evidence::Unit)),
            "migrate" | "db:migrate" | "doctrine:migrations:migrate" => {
                if words.on_production() {
                    Kind::Migrate
                } else {
                    Kind::Run
                }
            }
            "makemigrations" | "startapp" | "makemessages" => Kind::Edit,
            "check" | "showmigrations" => Kind::Lint,
            "upload" => Kind::Publish,
            "sdist" | "bdist_wheel" | "build" | "install" | "develop" | "collectstatic" => Kind::Build,
            _ => Kind::Run,
        };
    }
    // A compiled test, a script of tests: by its own name.
    let named = tasks::kind(stem).or_else(|| {
        args.iter().find(|arg| !arg.starts_with('-')).filter(|_| is_runner(name)).and_then(|arg| tasks::kind(arg))
    });
    // `upload.py photo.png` tries out what the project does; `upload` alone, or of a package, hands something out.
    let tried = tasks::words_of(stem) == ["upload"] && args.iter().any(|arg| !arg.starts_with('-'));
    let dry = args
        .iter()
        .any(|arg| matches!(arg.as_str(), "--dry-run" | "--help" | "-h" | "--check" | "--plan" | "--list" | "-n"));
    match named {
        Some(share) if share.is_share() && !tried => {
            if dry {
                Kind::Look
            } else {
                Kind::Deploy
            }
        }
        Some(Kind::Edit | Kind::Format) if dry => Kind::Look,
        Some(kind @ (Kind::Test(_) | Kind::Edit | Kind::Lint | Kind::Build | Kind::Format | Kind::FormatCheck)) => kind,
        _ => Kind::Run,
    }
}

/// A project's own front door, whose first argument is a task: `./run test`, `./x.py test`, `bin/ci unit`.
fn is_runner(name: &str) -> bool {
    matches!(
        name,
        "run"
            | "x.py"
            | "x"
            | "do"
            | "go"
            | "dev"
            | "ci"
            | "run.sh"
            | "dev.sh"
            | "task"
            | "tasks.py"
            | "cli.sh"
            | "manage"
            | "mach"
            | "ctl"
            | "b"
            | "tool.sh"
            | "build.sh"
            | "run.py"
            | "dev.py"
    )
}

/// Whether the code of a one-liner does nothing but print what stands in it: that runs nothing of the project's.
fn only_prints(code: &str) -> bool {
    const WORDS: &[&str] = &["print", "println", "printf", "puts", "echo", "say", "console", "log", "end", "flush"];
    let (mut bare, mut quote) = (String::with_capacity(code.len()), None);
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        match quote {
            // What a double quote holds may be more than text.
            Some('`' | '"') if c == '$' || c == '#' => return false,
            Some(_) if c == '\\' => drop(chars.next()),
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            None => bare.push(c),
        }
    }
    let word = |word: &str| WORDS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit());
    bare.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| !part.is_empty()).all(word)
}

/// Whether the code of a one-liner writes files.
fn writes_files(code: &str) -> bool {
    const CALLS: &[&str] = &[
        ".write(",
        "write_text(",
        "write_bytes(",
        "writeFile",
        "File.write",
        "file_put_contents",
        "os.remove(",
        "os.rename(",
        "os.replace(",
        "shutil.",
        "unlink(",
        "writelines(",
        "renameSync",
        "appendFile",
        "fs.rm",
        "FileUtils.",
        "File.delete",
        "rename(",
        "inplace=True",
    ];
    let to_streams = |call: &str| {
        call == ".write("
            && (code.contains("stdout.write(") || code.contains("stderr.write("))
            && !code.contains("open(")
    };
    CALLS.iter().any(|call| code.contains(call) && !to_streams(call))
}
