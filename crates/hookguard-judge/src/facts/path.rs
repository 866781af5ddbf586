//! What a file is, by its path: documentation, a test, configuration, code.

/// What a changed file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Documentation, pictures, logs, scratch: no verification speaks of it.
    Idle,
    /// A test, or what tests use.
    Test,
    /// Configuration, manifests, pipelines.
    Config,
    /// Code of the product.
    Code,
}

const DOCUMENTS: &[&str] = &[
    "md", "mdx", "markdown", "rst", "adoc", "asciidoc", "asc", "org", "tex", "pdf", "docx", "odt", "pptx", "txt",
    "rtf", "drawio", "puml", "mmd",
];
const IDLE: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "woff", "woff2", "ttf", "mp3", "mp4", "wav", "log", "out",
    "tmp", "bak", "orig", "diff", "patch", "lcov",
];
const CONFIG: &[&str] = &[
    "yaml",
    "yml",
    "toml",
    "json",
    "jsonc",
    "json5",
    "ini",
    "cfg",
    "conf",
    "env",
    "properties",
    "lock",
    "xml",
    "tf",
    "tfvars",
    "hcl",
    "gradle",
    "kts",
    "csproj",
    "sln",
    "props",
    "cmake",
    "nix",
    "mk",
    "editorconfig",
    "plist",
    "service",
    "timer",
    "sum",
    "mod",
    "bazel",
    "bzl",
];
/// Names that say it, in lower case, without an ending.
const IDLE_NAMES: &[&str] = &[
    "changelog",
    "license",
    "licence",
    "copying",
    "notice",
    "authors",
    "contributors",
    "codeowners",
    "readme",
    "contributing",
    "security",
    "maintainers",
    "todo",
    "handover",
    "history",
    "news",
    "thanks",
    "credits",
    "backlog",
];
const IDLE_FILES: &[&str] = &[
    ".gitignore",
    ".gitattributes",
    ".editorconfig",
    ".mailmap",
    ".gitkeep",
    ".hgignore",
    ".ignore",
    ".npmignore",
    ".git-blame-ignore-revs",
];
const CONFIG_FILES: &[&str] = &[
    "dockerfile",
    "containerfile",
    "makefile",
    "gnumakefile",
    "justfile",
    "procfile",
    "jenkinsfile",
    "vagrantfile",
    "gemfile",
    "rakefile",
    "podfile",
    "brewfile",
    "cmakelists.txt",
    "requirements.txt",
    "go.mod",
    "go.sum",
    "build.sbt",
    "pipfile",
    ".env",
    "caddyfile",
    "fastfile",
    ".dockerignore",
    "build",
    "workspace",
];
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "e2e",
    "cypress",
    "testdata",
    "fixtures",
    "__snapshots__",
    "__mocks__",
    "testing",
    "testlib",
];

/// What the file at `path` is.
pub(super) fn class(path: &str) -> Class {
    let lower = path.replace('\\', "/").to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let folders: Vec<&str> =
        lower.rsplit_once('/').map(|(folders, _)| folders.split('/').collect()).unwrap_or_default();
    let scratch = lower.starts_with("/tmp/")
        || lower.starts_with("/var/tmp/")
        || lower.starts_with("/dev/")
        || lower.starts_with("$tmpdir");
    let built = folders
        .iter()
        .any(|folder| matches!(*folder, "node_modules" | ".venv" | "__pycache__" | ".git" | ".cache" | "target"));
    if scratch
        || built
        || IDLE.contains(&end)
        || IDLE_FILES.contains(&name)
        || IDLE_NAMES.contains(&stem.split(['-', '_']).next().unwrap_or(stem)) && !is_code_ending(end)
    {
        return Class::Idle;
    }
    if CONFIG_FILES.contains(&name)
        || name.starts_with("dockerfile")
        || name.starts_with("requirements") && end == "txt"
        || name.starts_with(".env")
    {
        return Class::Config;
    }
    let product = folders
        .iter()
        .any(|folder| matches!(*folder, "src" | "app" | "lib" | "internal" | "components" | "pages" | "pkg" | "cmd"));
    let documents = folders.iter().any(|folder| matches!(*folder, "docs" | "doc" | "documentation")) && !product;
    if documents || DOCUMENTS.contains(&end) || lower.contains(".github/issue_template") {
        return Class::Idle;
    }
    if is_test(path, name, stem, &folders) {
        return Class::Test;
    }
    if CONFIG.contains(&end) { Class::Config } else { Class::Code }
}

fn is_code_ending(end: &str) -> bool {
    !end.is_empty() && !DOCUMENTS.contains(&end)
}

fn is_test(path: &str, name: &str, stem: &str, folders: &[&str]) -> bool {
    let by_folder = folders.iter().any(|folder| TEST_FOLDERS.contains(folder));
    let by_name = stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem.ends_with("-test")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name.contains(".cy.")
        || stem == "conftest"
        || stem == "tests"
        || name.ends_with(".snap")
        || name.ends_with(".feature")
        || name.ends_with(".bats");
    // `CartTest.java`, `CartTests.cs`, `CartIT.java`: by the case of the letters.
    let cased = path.rsplit('/').next().unwrap_or(path);
    let cased = cased.rsplit_once('.').map_or(cased, |(stem, _)| stem);
    let by_case = cased.ends_with("Test")
        || cased.ends_with("Tests")
        || cased.ends_with("Spec")
        || cased.ends_with("TestCase")
        || cased.strip_suffix("IT").is_some_and(|rest| rest.ends_with(|c: char| c.is_lowercase()));
    by_folder || by_name || by_case
}

/// Whether `text`, added to the file at `path`, is comments and nothing else.
pub(super) fn is_comment(path: &str, text: &str) -> bool {
    let end =
        path.rsplit('/').next().unwrap_or(path).rsplit_once('.').map(|(_, end)| end.to_lowercase()).unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut any, mut block, mut docstring) = (false, false, None::<&str>);
    let hash = matches!(
        end.as_str(),
        "py" | "rb"
            | "sh"
            | "bash"
            | "zsh"
            | "yml"
            | "yaml"
            | "toml"
            | "pl"
            | "pm"
            | "r"
            | "ex"
            | "exs"
            | "jl"
            | "tf"
            | "nix"
            | "cfg"
            | "conf"
            | "ini"
            | "mk"
            | "properties"
            | "cmake"
            | "tcl"
            | "coffee"
            | "cr"
            | "nim"
            | ""
    );
    let dashes = matches!(end.as_str(), "sql" | "lua" | "hs" | "elm" | "ada" | "adb" | "vhd");
    let markup = matches!(end.as_str(), "html" | "xml" | "vue" | "svelte" | "htm" | "jsp" | "erb" | "twig" | "xhtml");
    let slashes = !hash && !dashes || matches!(end.as_str(), "php" | "tf" | "sql");
    for line in lines {
        any = true;
        // A statement behind the mark of a comment was taken out of the program.
        let statement = line.ends_with([';', '{', '}'])
            && line.starts_with(['/', '#', '-'])
            && !line.starts_with("///")
            && !line.starts_with("/*");
        if statement {
            return false;
        }
        if block {
            block = !(line.ends_with("*/") || line.ends_with("-->") || line.ends_with("-}"));
            continue;
        }
        if let Some(quote) = docstring {
            docstring = (!line.ends_with(quote)).then_some(quote);
            continue;
        }
        let opens = |open: &str, close: &str| line.starts_with(open).then(|| !line.contains(close));
        if slashes
            && line.starts_with("//")
            && !line.starts_with("//go:")
            && !line.starts_with("// @ts-")
            && !line.starts_with("//nolint")
            || hash && line.starts_with('#') && !line.starts_with("#!") && !line.starts_with("#[")
            || dashes && line.starts_with("--")
            || end == "php" && line.starts_with('#') && !line.starts_with("#[")
            || matches!(end.as_str(), "erl" | "tex" | "m") && line.starts_with('%')
            || matches!(end.as_str(), "clj" | "cljs" | "el" | "lisp" | "asm" | "scm") && line.starts_with(';')
            || slashes && line.starts_with('*') && (line.len() == 1 || line.starts_with("* ") || line.starts_with("*/"))
        {
            continue;
        }
        if let Some(open) = opens("/*", "*/").filter(|_| slashes || matches!(end.as_str(), "css" | "scss")) {
            // `/* … */ code`
            if !open && !line.ends_with("*/") {
                return false;
            }
            block = open;
            continue;
        }
        if let Some(open) = opens("<!--", "-->").filter(|_| markup) {
            block = open;
            continue;
        }
        if let Some(open) = opens("{-", "-}").filter(|_| end == "hs" || end == "elm") {
            block = open;
            continue;
        }
        if let Some(quote) = ["\"\"\"", "'''"].into_iter().find(|quote| line.starts_with(quote)).filter(|_| end == "py")
        {
            let rest = line.get(3..).unwrap_or_default();
            if rest.contains(quote) {
                continue;
            }
            docstring = Some(quote);
            continue;
        }
        return false;
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_it_is() {
        for (path, want) in [
            ("README.md", Class::Idle),
            ("docs/setup/index.html", Class::Idle),
            ("guide/intro.adoc", Class::Idle),
            ("CHANGELOG", Class::Idle),
            ("LICENSE-MIT", Class::Idle),
            (".gitignore", Class::Idle),
            ("/tmp/probe.py", Class::Idle),
            ("assets/logo.svg", Class::Idle),
            ("notes.txt", Class::Idle),
            ("requirements-dev.txt", Class::Config),
            ("CMakeLists.txt", Class::Config),
            ("Dockerfile.prod", Class::Config),
            (".github/workflows/ci.yml", Class::Config),
            ("Cargo.toml", Class::Config),
            ("go.mod", Class::Config),
            ("deploy/web.yaml", Class::Config),
            ("tests/test_cart.py", Class::Test),
            ("src/cart.test.ts", Class::Test),
            ("src/test/java/shop/CartTest.java", Class::Test),
            ("Shop.Tests/CartTests.cs", Class::Test),
            ("spec/models/cart_spec.rb", Class::Test),
            ("cart_test.go", Class::Test),
            ("conftest.py", Class::Test),
            ("src/docs/Viewer.tsx", Class::Code),
            ("src/latest.rs", Class::Code),
            ("src/history.ts", Class::Code),
            ("cart.c", Class::Code),
            ("styles/menu.css", Class::Code),
            ("web\\app\\main.cs", Class::Code),
        ] {
            assert_eq!(class(path), want, "{path}");
        }
    }

    #[test]
    fn comments_are_known_by_the_language() {
        for (path, text, want) in [
            ("a.rs", "// why\n/// what", true),
            ("a.rs", "// why\nlet x = 1;", false),
            ("a.rs", "// flush(&mut out);", false),
            ("a.c", "/* 44.1 kHz */", true),
            ("a.c", "/* a\n   b\n */", true),
            ("a.c", "/* a */ x = 1;", false),
            ("a.java", "/**\n * Closes it.\n */", true),
            ("a.py", "# why", true),
            ("a.py", "\"\"\"Opens the file.\"\"\"", true),
            ("a.py", "\"\"\"Opens\nthe file.\n\"\"\"", true),
            ("a.py", "x = 1  # why", false),
            ("a.rs", "#[inline]", false),
            ("a.c", "#include <x.h>", false),
            ("a.sql", "-- why", true),
            ("a.lua", "-- why\nreturn 1", false),
            ("a.html", "<!-- why -->", true),
            ("a.css", "/* why */", true),
            ("a.sh", "#!/bin/sh", false),
            ("a.yml", "# why", true),
            ("a.ts", "", false),
            ("a.clj", ";; why", true),
            ("a.js", "* 2", true),
        ] {
            assert_eq!(is_comment(path, text), want, "{path}: {text}");
        }
    }
}
