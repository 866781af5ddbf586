//! What an added text is: a stub, a test switched off, an expectation, lines for a log.

use super::bigrams::Bigrams;

/// The line of `text` that is a stub: it says itself that what belongs here is not there.
pub(super) fn stub(text: &str) -> Option<&str> {
    let lower = text.to_lowercase();
    let pairs = Bigrams::of(&lower);
    if pairs.present(FAILS, &lower).is_empty()
        && pairs.present(PROVISIONAL, &lower).is_empty()
        && pairs.present(MADE_UP, &lower).is_empty()
    {
        return None;
    }
    // What others are to fill in is no stub but a contract.
    if ["abc", "abstract", "protocol", "interface ", "class base", "@abstractmethod", "trait "]
        .iter()
        .any(|word| contains_word(&lower, word))
    {
        return None;
    }
    text.lines().find(|line| is_stub(&line.to_lowercase())).or_else(|| hollow(text))
}

/// Calls that do nothing but fail, as each language writes them.
const FAILS: &[&str] = &[
    "todo!(",
    "unimplemented!(",
    "raise notimplementederror",
    "raise notimplemented",
    "notimplementedexception",
    "todo(\"",
    "= todo()",
    "notimplementederror(",
    "fatalerror(\"not impl",
    "fatalerror(\"todo",
    "panic(\"not impl",
    "panic(\"todo",
    "panic(\"unimpl",
    "panic!(\"not impl",
    "panic!(\"todo",
    "unsupportedoperationexception(\"not",
    "unsupportedoperationexception(\"todo",
    "@throw \"not impl",
    "die(\"todo",
    "abort(\"todo",
    "raise \"not implemented",
    "raise \"todo",
    "error \"not implemented",
    "error \"todo",
    "undefined -- todo",
    "assert(false, \"todo",
    "nyi",
    "not_implemented()",
    "unimplementederror(",
    "\"not implemented\"",
    "'not implemented'",
    "\"not yet implemented",
    "'not yet implemented",
];

/// Words beside a value that say that it is not the real one.
const PROVISIONAL: &[&str] = &[
    "todo",
    "fixme",
    "for now",
    "placeholder",
    "stub",
    "real implementation",
    "real data",
    "real api",
    "replace with",
    "hardcoded",
    "hard-coded",
    "dummy",
    "not implemented",
    "implement later",
    "later",
    "pour l'instant",
    "pour le moment",
    "provisoire",
    "à faire",
    "vorläufig",
    "vorerst",
    "platzhalter",
    "später",
    "de momento",
    "por ahora",
    "provisional",
    "más adelante",
    "pendiente",
    "仮",
    "ダミー",
    "後で",
    "未実装",
    "暂时",
    "临时",
    "占位",
    "之后再",
    "待实现",
    "待办",
    "假数据",
];

/// Parts of names of made-up data.
const MADE_UP: &[&str] = &["_data", "mock_", "mockdata", "fake_", "dummy_"];

fn is_stub(line: &str) -> bool {
    if FAILS.iter().any(|call| match *call {
        "nyi" => contains_word(line, "nyi"),
        call => line.contains(call),
    }) {
        return true;
    }
    let (code, remark) = parted(line);
    let provisional = PROVISIONAL.iter().any(|word| remark.contains(word));
    let mocks = contains_word(code, "mock")
        || contains_word(code, "fake")
        || contains_word(code, "dummy")
        || contains_word(code, "stub");
    let constant = is_constant(code);
    // A TODO alone, in the place of the code: `// TODO: mail the receipt`.
    let alone = code.is_empty()
        && (remark.contains("todo:") || remark.contains("todo ") || remark.contains("fixme"))
        && ["implement", "missing", "not yet", "fehlt", "manque", "falta", "実装", "实现"]
            .iter()
            .any(|word| remark.contains(word));
    let handed_out = code.contains("return") || code.contains("=>");
    let made_up = mocks && handed_out && MADE_UP.iter().any(|name| code.contains(name));
    provisional && (constant || mocks) || alone || made_up
}

/// The opening line of a function of which the body is a remark that it is to come, and a constant.
fn hollow(text: &str) -> Option<&str> {
    const BRANCHES: &[&str] =
        &["if", "else", "elif", "for", "while", "match", "switch", "case", "catch", "except", "when"];
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let found = lines.windows(3).find(|three| {
        let [opening, remark, value] =
            [0, 1, 2].map(|at| three.get(at).copied().unwrap_or_default().trim().to_lowercase());
        let first = opening.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
        let opens = opening.contains('(') && opening.ends_with([':', '{']) && !BRANCHES.contains(&first);
        let (code, remark) = parted(&remark);
        let to_come = code.is_empty() && PROVISIONAL.iter().any(|word| remark.contains(word));
        opens && to_come && is_constant(parted(&value).0)
    });
    found.and_then(|three| three.first().copied())
}

/// A line's code, and the remark behind it.
fn parted(line: &str) -> (&str, &str) {
    let comment = ["//", "#", "/*", "--", "<!--", "%"].iter().filter_map(|mark| line.find(mark)).min();
    match comment {
        Some(at) => (line.get(..at).unwrap_or_default().trim(), line.get(at..).unwrap_or_default()),
        None => (line.trim(), ""),
    }
}

/// Whether the code does nothing, or gives the same each time.
fn is_constant(code: &str) -> bool {
    code.ends_with("pass") || code.ends_with("...") || returns_constant(code)
}

/// `return []`, `return 42;`, `=> null`
fn returns_constant(code: &str) -> bool {
    let after = code.rfind("return").map(|at| at + 6).or_else(|| code.rfind("=>").map(|at| at + 2));
    let Some(value) = after.and_then(|at| code.get(at..)) else { return false };
    let value = value.trim().trim_end_matches([';', '}', ')', ' ']);
    let literal = value.is_empty()
        || value.starts_with(['"', '\'', '[', '{'])
        || value.chars().next().is_some_and(|c| c.is_ascii_digit());
    literal
        || matches!(
            value,
            "null"
                | "none"
                | "nil"
                | "true"
                | "false"
                | "undefined"
                | "ok(()"
                | "ok("
                | "vec![]"
                | "default::default("
                | "some("
                | "\"\""
                | "0"
        )
}

/// Whether `text` holds `word` with nothing of a name around it (`_` parts names).
fn contains_word(text: &str, word: &str) -> bool {
    let bound = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|text| text.chars().next());
        bound(before) && (bound(after) || word.ends_with(' '))
    })
}

/// Whether `text`, added to a test, switches tests off.
pub(super) fn switches_off(text: &str) -> bool {
    const MARKS: &[&str] = &[
        "@pytest.mark.skip",
        "@pytest.mark.xfail",
        "pytest.skip(",
        "pytest.xfail(",
        "@unittest.skip",
        "@unittest.expectedfailure",
        "self.skiptest(",
        ".skip(",
        "it.todo(",
        "test.todo(",
        "xit(",
        "xdescribe(",
        "xtest(",
        "xcontext ",
        "test.fixme(",
        "test.fail(",
        "it.failing(",
        "test.failing(",
        "@ignore",
        "@disabled",
        "#[ignore",
        "t.skip(",
        "t.skipnow(",
        "t.skipf(",
        "marktestskipped(",
        "marktestincomplete(",
        "->skip(",
        "->todo(",
        "@tag :skip",
        "@tag skip",
        "xctskip",
        "[ignore",
        "skip = \"",
        "skip=\"",
        "fact(skip",
        "theory(skip",
        "assert.ignore(",
        "gtest_skip(",
        "disabled_",
        "pending \"",
        "pending '",
        "skip \"",
        "skip '",
        "skip: true",
        "skip: \"",
        ", skip: ",
        "@skip",
        "set_tests_properties",
        "pend(\"",
        "xfail",
        "skip: '",
        "@test skip",
        "todo_skip",
        "skip_on_",
        "testthat::skip(",
        "#[should_panic",
        "retries: ",
        ".retry(",
        "flaky(",
    ];
    let lower = text.to_lowercase();
    let marks = Bigrams::of(&lower).present(MARKS, &lower);
    lower.lines().map(str::trim).any(|line| {
        let comment = ["//", "#", "--", "/*"].iter().any(|mark| line.starts_with(mark)) && !line.starts_with("#[");
        if comment {
            return comments_out(line);
        }
        // `retries: 0`, and conditions on a platform, switch nothing off.
        let marked = marks.iter().any(|mark| line.contains(mark));
        marked && !line.contains("skipif") && !line.contains("retries: 0") && !line.contains("#[should_panic(")
    })
}

/// A test or an assertion behind the mark of a comment.
fn comments_out(line: &str) -> bool {
    let code = line.trim_start_matches(['/', '#', '-', '*', ' ']);
    [
        "assert ",
        "assert!",
        "assert(",
        "assert_",
        "asserteq",
        "expect(",
        "it(",
        "test(",
        "def test_",
        "fn test_",
        "@test",
        "self.assert",
        "$this->assert",
        "func test",
        "t.error",
    ]
    .iter()
    .any(|start| code.starts_with(start))
}

/// Whether `text` is expectations and nothing else.
pub(super) fn only_expects(text: &str) -> bool {
    const CALLS: &[&str] = &["assert", "expect", "should", "->tobe", ".to.", "eq(", "require.equal", "want", "equal("];
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let line = line.to_lowercase();
            CALLS.iter().any(|call| line.contains(call))
                && !["def ", "fn ", "function ", "it(", "test(", "func ", "describe("]
                    .iter()
                    .any(|start| line.starts_with(start) || line.contains(&format!(" {start}")))
        })
}

/// Whether `text` only writes to a log, counts or traces: it changes no behaviour.
pub(super) fn only_logs(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "log",
        "logger",
        "console",
        "print",
        "println",
        "eprintln",
        "debug",
        "trace",
        "tracing",
        "info",
        "warn",
        "dbg",
        "fmt.print",
        "slog",
        "syslog",
        "error_log",
        "puts",
        "p ",
        "nslog",
        "os_log",
        "metrics",
        "self.log",
        "this.log",
        "self.logger",
        "this.logger",
        "$this->logger",
        "_logger",
        "_log",
        "rails.logger",
        "var_dump",
        "system.out",
        "timber",
        "span.",
        "statsd",
        "counter",
    ];
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let line = line.to_lowercase();
            let name = STARTS.iter().find_map(|start| line.strip_prefix(start));
            name.is_some_and(|rest| rest.contains('(') || rest.starts_with(' ')) && !line.contains(" = ")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_say_so() {
        for text in [
            "fn send() { todo!() }",
            "unimplemented!(\"sms\")",
            "def sms(self):\n    raise NotImplementedError",
            "throw new Error(\"not implemented\")",
            "throw new NotImplementedException();",
            "fun sms(): Nothing = TODO(\"sms\")",
            "fatalError(\"not implemented\")",
            "panic(\"not implemented\")",
            "return []; // TODO: ask the service",
            "return 42  # placeholder",
            "const rates = () => MOCK_RATES // until the service is there, later",
            "return FAKE_DATA",
            "def total(): pass  # TODO",
            "return []  # 仮の値",
            "// TODO: implement the retry",
            "fn price(&self) -> u32 {\n    // TODO: ask the shop\n    return 10;\n}",
            "def weather(place):\n    # placeholder\n    return \"sunny\"",
        ] {
            assert!(stub(text).is_some(), "{text}");
        }
        for text in [
            "class Base(ABC):\n    def run(self):\n        raise NotImplementedError",
            "return [] // nothing to show",
            "let total = items.iter().sum();",
            "const mock = jest.fn()",
            "todo_list.push(item)",
            "// TODO: a faster way",
            "return todoItems;",
            "retry_later(job)",
            "int main(void) {\n    run();\n    // TODO: free the buffers\n    return 0;\n}",
            "if (empty(list)) {\n    // TODO: log it\n    return 0;\n}",
        ] {
            assert!(stub(text).is_none(), "{text}");
        }
    }

    #[test]
    fn tests_are_switched_off_in_many_ways() {
        for text in [
            "@pytest.mark.skip(reason=\"flaky\")",
            "it.skip('adds', () => {",
            "xit('adds'",
            "@Ignore",
            "@Disabled(\"later\")",
            "#[ignore]",
            "t.Skip(\"flaky\")",
            "it.todo('adds')",
            "// expect(total).toBe(3)",
            "# assert total == 3",
            "[Ignore(\"flaky\")]",
            "$this->markTestSkipped('flaky');",
            "@tag :skip",
            "test.fixme('adds')",
            "# def test_total():",
        ] {
            assert!(switches_off(text), "{text}");
        }
        for text in [
            "it('skips blank lines', () => {",
            "assert skip_blank(x) == y",
            "// adds two numbers",
            "@pytest.mark.skipif(sys.platform == 'win32', reason='posix')",
            "iterator.next()",
        ] {
            assert!(!switches_off(text), "{text}");
        }
    }

    #[test]
    fn expectations_and_logs_stand_alone() {
        assert!(only_expects("assert cart.total() == 41"));
        assert!(only_expects("expect(total).toBe(41)"));
        assert!(!only_expects("def test_total():\n    assert cart.total() == 41"));
        assert!(!only_expects("total = cart.total()"));
        assert!(only_logs("logger.info(\"state %s\", state)"));
        assert!(only_logs("println!(\"{state:?}\");"));
        assert!(!only_logs("login(user)\nstate = 1"));
        assert!(!only_logs("let x = log(y);"));
    }
}
