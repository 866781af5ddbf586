//! Programs that change files: editors of streams, codemods, fixers, formatters, and what moves or removes.

use super::{Kind, Words};

/// A program that lays out or repairs source, by what its flags make of it.
struct Fixer {
    program: &'static str,
    /// Its subcommand; empty where it has none.
    sub: &'static str,
    /// Flags by which it writes.
    writes: &'static [&'static str],
    /// Flags by which it only looks.
    looks: &'static [&'static str],
    /// What it does without either.
    bare: Kind,
    /// What it is when it writes.
    written: Kind,
    /// What it is when it looks.
    looked: Kind,
}

const fn layout(
    program: &'static str,
    sub: &'static str,
    writes: &'static [&'static str],
    looks: &'static [&'static str],
) -> Fixer {
    // A layouter without a flag that makes it write writes by itself.
    let bare = if writes.is_empty() { Kind::Format } else { Kind::FormatCheck };
    Fixer { program, sub, writes, looks, bare, written: Kind::Format, looked: Kind::FormatCheck }
}

const fn repair(program: &'static str, sub: &'static str, writes: &'static [&'static str]) -> Fixer {
    Fixer { program, sub, writes, looks: &["--dry-run"], bare: Kind::Lint, written: Kind::Edit, looked: Kind::Lint }
}

const CHECK: &[&str] =
    &["--check", "-check", "--check-only", "--diff", "-d", "--dry-run", "--verify", "--lint", "-l", "-c"];

const FIXERS: &[Fixer] = &[
    layout("prettier", "", &["--write", "-w"], &["--check", "-c", "-l", "--list-different"]),
    layout("black", "", &[], &["--check", "--diff"]),
    layout("isort", "", &[], &["--check", "--check-only", "-c", "--diff"]),
    layout("ruff", "format", &[], &["--check", "--diff"]),
    layout("cargo", "fmt", &[], &["--check", "-l"]),
    layout("rustfmt", "", &[], &["--check", "-l"]),
    layout("gofmt", "", &["-w"], CHECK),
    layout("gofumpt", "", &["-w"], CHECK),
    layout("goimports", "", &["-w"], CHECK),
    layout("go", "fmt", &[], &[]),
    layout("clang-format", "", &["-i"], &["-n", "--dry-run"]),
    layout("dart", "format", &[], &["--set-exit-if-changed", "--output"]),
    layout("flutter", "format", &[], &["--set-exit-if-changed"]),
    layout("dotnet", "format", &[], &["--verify-no-changes"]),
    layout("mix", "format", &[], &["--check-formatted"]),
    layout("php-cs-fixer", "fix", &[], &["--dry-run"]),
    layout("phpcbf", "", &[], &[]),
    layout("pint", "", &[], &["--test"]),
    layout("ktlint", "", &["-F", "--format"], &[]),
    layout("scalafmt", "", &[], &["--check", "--test", "--list"]),
    layout("terraform", "fmt", &[], &["-check", "--check"]),
    layout("tofu", "fmt", &[], &["-check", "--check"]),
    layout("shfmt", "", &["-w"], CHECK),
    layout("swiftformat", "", &[], &["--lint", "--dryrun"]),
    layout("swift-format", "", &["-i"], &[]),
    layout("stylua", "", &[], &["--check"]),
    layout("ormolu", "", &["-i", "--mode"], &[]),
    layout("fourmolu", "", &["-i", "--mode"], &[]),
    layout("zig", "fmt", &[], &["--check"]),
    layout("buf", "format", &["-w"], &[]),
    layout("taplo", "fmt", &[], &["--check"]),
    layout("yapf", "", &["-i"], CHECK),
    layout("autopep8", "", &["-i", "--in-place"], &[]),
    layout("google-java-format", "", &["-i", "--replace"], &[]),
    layout("nixfmt", "", &[], &["--check"]),
    layout("elm-format", "", &[], &["--validate"]),
    layout("dprint", "fmt", &[], &[]),
    layout("dprint", "check", &["-"], &[]),
    layout("biome", "format", &["--write", "--apply"], &[]),
    layout("treefmt", "", &[], &["--fail-on-change", "--ci"]),
    layout("deno", "fmt", &[], &["--check"]),
    repair("eslint", "", &["--fix"]),
    repair("biome", "check", &["--write", "--apply", "--fix"]),
    repair("biome", "lint", &["--write", "--apply", "--fix"]),
    repair("oxlint", "", &["--fix"]),
    repair("stylelint", "", &["--fix"]),
    repair("tslint", "", &["--fix"]),
    repair("standard", "", &["--fix"]),
    repair("xo", "", &["--fix"]),
    repair("rubocop", "", &["-a", "-A", "--autocorrect", "--auto-correct", "--autocorrect-all", "-x"]),
    repair("standardrb", "", &["--fix"]),
    repair("ruff", "check", &["--fix", "--fix-only", "--unsafe-fixes"]),
    repair("ruff", "", &["--fix"]),
    repair("autoflake", "", &["-i", "--in-place"]),
    repair("cargo", "clippy", &["--fix"]),
    repair("clang-tidy", "", &["--fix", "-fix"]),
    repair("golangci-lint", "run", &["--fix"]),
    repair("ast-grep", "", &["-U", "--update-all"]),
    repair("sg", "", &["-U", "--update-all"]),
    repair("semgrep", "", &["--autofix", "--fix"]),
    repair("swiftlint", "", &["--fix"]),
    repair("ansible-lint", "", &["--fix"]),
    repair("markdownlint", "", &["--fix"]),
    repair("credo", "", &["--fix"]),
];

/// Programs that change source by being run, whatever their flags.
const CHANGERS: &[(&str, &str)] = &[
    ("jscodeshift", ""),
    ("codemod", ""),
    ("comby", ""),
    ("pyupgrade", ""),
    ("patch", ""),
    ("apply_patch", ""),
    ("ed", ""),
    ("ex", ""),
    ("rename", ""),
    ("cargo", "fix"),
    ("dart", "fix"),
    ("go", "generate"),
    ("go", "fix"),
    ("swift", "fix"),
    ("protoc", ""),
    ("buf", "generate"),
    ("sqlc", "generate"),
    ("openapi-generator", ""),
    ("openapi-generator-cli", ""),
    ("graphql-codegen", ""),
    ("plop", ""),
    ("hygen", ""),
    ("ng", "generate"),
    ("nest", "generate"),
    ("rails", "generate"),
    ("rails", "g"),
    ("prisma", "generate"),
    ("dotnet", "new"),
    ("cargo", "init"),
    ("upgrade", ""),
];

const DEPENDENCIES: &[(&str, &[&str])] = &[
    ("npm", &["update", "up", "uninstall", "remove", "rm", "un", "dedupe"]),
    ("pnpm", &["add", "update", "up", "remove", "rm", "upgrade"]),
    ("yarn", &["add", "up", "upgrade", "remove"]),
    ("bun", &["add", "update", "remove"]),
    ("deno", &["add", "remove"]),
    ("cargo", &["add", "update", "remove", "rm", "upgrade"]),
    ("go", &["get"]),
    ("poetry", &["add", "update", "remove", "lock"]),
    ("uv", &["add", "remove", "lock"]),
    ("pdm", &["add", "update", "remove", "lock"]),
    ("pipenv", &["install", "update", "lock", "uninstall"]),
    ("bundle", &["add", "update", "lock", "remove"]),
    ("composer", &["require", "update", "remove", "upgrade"]),
    ("dotnet", &["add"]),
    ("mix", &["deps.update"]),
    ("flutter", &["pub"]),
    ("ncu", &["-u"]),
];

/// `None` where the program changes no files.
pub(super) fn kind(words: &Words<'_>) -> Option<Kind> {
    let operands = words.operands();
    let sub = operands.first().copied().unwrap_or_default();
    let short = |letter: char| {
        words
            .args
            .iter()
            .any(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg.chars().take(5).any(|c| c == letter))
    };
    match words.program {
        "sed" | "gsed" => {
            return Some(if words.has(&["--in-place"]) || in_place(words) { Kind::Edit } else { Kind::Look });
        }
        "perl" | "ruby" if words.args.iter().any(|arg| arg == "-e" || short_code(arg)) && short('i') => {
            return Some(Kind::Edit);
        }
        "awk" | "gawk" => return Some(if words.has(&["-i"]) { Kind::Edit } else { Kind::Look }),
        "mv" | "cp" | "rm" | "tee" | "truncate" | "unlink" | "trash" => return Some(Kind::Edit),
        "2to3" => return Some(if words.has(&["-w", "--write"]) { Kind::Edit } else { Kind::Look }),
        "rector" => return Some(if words.is_dry() { Kind::Lint } else { Kind::Edit }),
        "npm" | "pnpm" if sub == "audit" => {
            return Some(if operands.contains(&"fix") { Kind::Dependencies } else { Kind::Lint });
        }
        // With a name it changes the manifest, without one it installs what that says.
        "npm" if matches!(sub, "install" | "i") => {
            return Some(if operands.len() > 1 && !words.has(&["-g", "--global", "--no-save"]) {
                Kind::Dependencies
            } else {
                Kind::Other
            });
        }
        // It commits and tags.
        "npm" | "yarn" | "pnpm" if sub == "version" && operands.len() > 1 => {
            return Some(if words.has(&["--no-git-tag-version"]) { Kind::Edit } else { Kind::Commit });
        }
        _ => {}
    }
    if let Some((_, subs)) = DEPENDENCIES.iter().find(|(program, _)| *program == words.program)
        && (subs.contains(&sub) || words.has(&["-u"]) && subs.contains(&"-u"))
    {
        return Some(Kind::Dependencies);
    }
    let fits = |program: &str, of: &str| program == words.program && (of.is_empty() || of == sub);
    if let Some(fixer) = FIXERS.iter().find(|fixer| fits(fixer.program, fixer.sub)) {
        // isort in the guise of a linter: `ruff check --select I --fix` only orders imports.
        let imports = words.program == "ruff" && words.value(&["--select"]) == Some("I");
        return Some(match (words.has(fixer.looks), words.has(fixer.writes)) {
            (true, _) => fixer.looked,
            (_, true) if imports => Kind::Format,
            (_, true) => fixer.written,
            _ => fixer.bare,
        });
    }
    CHANGERS.iter().any(|(program, of)| fits(program, of)).then_some(Kind::Edit)
}

/// `-i`, `-i.bak`, `-Ei`, `-ni`.
fn in_place(words: &Words<'_>) -> bool {
    words.args.iter().any(|arg| {
        let Some(flags) = arg.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else { return false };
        let before = flags.find('i').and_then(|at| flags.get(..at));
        before.is_some_and(|before| before.chars().all(|c| "nErsuz".contains(c)))
    })
}

/// `-pe`, `-pie`, `-i.bak -ne`: options of perl that end in code.
fn short_code(arg: &str) -> bool {
    arg.starts_with('-') && !arg.starts_with("--") && arg.contains('e')
}

/// The files that a command which changes files names; empty where it names none.
pub(in super::super) fn changed_files(words: &Words<'_>) -> Vec<String> {
    let all = words.args.iter().skip_while(|arg| arg.starts_with('-'));
    let is_path = |arg: &&String| {
        let last = arg.rsplit('/').next().unwrap_or(arg);
        let named = last
            .rsplit_once('.')
            .is_some_and(|(_, end)| (1..=10).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphanumeric()));
        !arg.starts_with('-')
            && !arg.contains([' ', '\n', '(', '\\'])
            && (named || arg.contains('/') && !is_substitution(arg))
    };
    match words.program {
        // The last one is where it goes; what is copied stays as it is.
        "cp" => all.filter(|arg| !arg.starts_with('-')).last().cloned().into_iter().collect(),
        "mv" | "rm" | "git" | "hg" | "svn" | "tee" => {
            let rest = words.args.iter().filter(|arg| !arg.starts_with('-'));
            let skip = usize::from(!matches!(words.program, "mv" | "rm" | "tee"));
            rest.skip(skip).cloned().collect()
        }
        "apply_patch" => patched(words.input),
        _ => words.args.iter().filter(is_path).cloned().collect(),
    }
}

/// The files that an envelope of patches names.
fn patched(text: &str) -> Vec<String> {
    const MARKS: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
    let of = |line: &str| MARKS.iter().find_map(|mark| line.strip_prefix(mark)).map(|path| path.trim().to_owned());
    text.lines().filter_map(of).collect()
}

/// `s/a/b/`
fn is_substitution(arg: &str) -> bool {
    let mut chars = arg.chars();
    matches!(chars.next(), Some('s' | 'y'))
        && chars.next().is_some_and(|c| !c.is_alphanumeric() && c != '.' && c != '-' && c != '_')
}
