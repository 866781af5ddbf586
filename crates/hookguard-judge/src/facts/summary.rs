//! What a runner says of itself: read from its output, for where the exit code is hidden, and against where it is not.

use super::bigrams::Bigrams;

/// What an output says of the run that printed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// A summary counts failures, or says that it failed: it counts against any exit code.
    pub(super) failed: bool,
    /// Something in it looks like a failure: it counts where no exit code says otherwise.
    pub(super) trouble: bool,
    /// A summary says that all went well.
    pub(super) passed: bool,
    /// A linter, a build or a layout check says that it has nothing to say.
    pub(super) clean: bool,
    /// It says that nothing was run, or all of it skipped.
    pub(super) nothing: bool,
    /// The line that says so.
    pub(super) line: Option<String>,
}

impl Summary {
    /// Whether it says that tests ran and went well.
    pub(super) fn is_green(&self) -> bool {
        self.passed && !self.failed && !self.trouble && !self.nothing
    }

    /// Whether it says that something failed.
    pub(super) fn is_red(&self) -> bool {
        self.failed || self.trouble
    }
}

/// How much of an output is read, from its end: summaries stand there.
const MAX_BYTES: usize = 16 * 1024;

/// Says that a whole run failed, wherever it stands in a line (lower case).
const FAILED: &[&str] = &[
    "build failed",
    "build failure",
    "** test failed **",
    "failures!",
    "some tests failed",
    "test run failed",
    "tests failed:",
    "test failed",
    "--- fail:",
    "result: fail",
    "test result: failed",
    "could not compile",
    "tests did not pass",
    "compilation failed",
    "there were failures",
    "there were errors",
    "fail\u{9}",
    "not all tests passed",
    "suite failed",
];

/// Looks like trouble, wherever it stands in a line (lower case).
const TROUBLE: &[&str] = &[
    "traceback (most recent call last)",
    "assertionerror",
    "panicked at",
    "panic:",
    "error[e",
    "error ts",
    "segmentation fault",
    "command not found",
    "npm err!",
    "elifecycle",
    "modulenotfounderror",
    "compilation error",
    "compileerror",
    "syntaxerror",
    "internalerror",
    "fatal error",
    "undefined reference",
    "cannot find module",
    "timed out",
    "timeout:",
    "process completed with exit code",
    "exited with code 1",
    "core dumped",
    "out of memory",
    "keyboardinterrupt",
    "no such file or directory",
    "connection refused",
    "permission denied",
    "exit status 1",
    "exit status 2",
    "unhandled exception",
    "uncaught",
    "] error ",
    "aborted",
    "internal server error",
    "bad gateway",
    "http/1.1 5",
    "http/2 5",
    "call to a member function",
    "compile error",
    "compilation of",
    "failed to ",
];

/// A line starts so (lower case): one test failed, or the whole thing.
const FAILING_START: &[&str] = &[
    "failed ",
    "failed:",
    "fail ",
    "fail:",
    "fail\u{9}",
    "error:",
    "error ",
    "fatal:",
    "e   ",
    "✕",
    "✗",
    "×",
    "❌",
    "✘",
    "⨯",
    "✖",
    "not ok ",
    "killed",
    "terminated",
    "[error]",
    "errored",
    "err ",
    "e: ",
    "!!",
    "*** error",
    "error in ",
];

/// Says that a whole run went well.
const PASSED: &[&str] = &[
    "build successful",
    "build success",
    "** test succeeded **",
    "all tests passed",
    "all tests successful",
    "test run successful",
    "result: pass",
    "all specs passed",
    "all tests pass",
    "tests passed",
    "congratulations :)",
    "session tests was successful",
    "all green",
    "self-test ok",
    "selftest ok",
    "all tests completed successfully",
    "all scenarios passed",
    "test suite passed",
    "all passed",
    "tests: ok",
    "run completed successfully",
    "completed: success",
    "conclusion: success",
    "run successful",
];

/// Says that there is nothing to say against it.
const CLEAN: &[&str] = &[
    "all matched files use prettier",
    "no issues found",
    "all checks passed",
    "found 0 errors",
    "0 problems",
    "no errors",
    "no offenses",
    "would be left unchanged",
    "already formatted",
    "0 errors",
    "finished `",
    "finished dev",
    "finished release",
    "compiled successfully",
    "checked ",
    "configuration is valid",
    "test is successful",
    "is valid",
];

/// Says that nothing ran.
const NOTHING: &[&str] = &[
    "no tests ran",
    "no tests found",
    "no test files found",
    "collected 0 items",
    "no tests to run",
    "ran 0 tests",
    "no tests were",
    "no specs found",
    "no test cases",
    "0 tests executed",
    "nothing to test",
    "no tests executed",
    "no tests matched",
    "no tests match",
    "did not match any test",
    "no test suite found",
    "no testsuites",
    "tests run: 0,",
    "test run with 0 tests",
    "no tests specified",
    "running 0 tests",
    "all tests skipped",
    "no test is available",
    "no test matches",
    "no tests collected",
    "0 examples,",
    "warning: testing: no tests",
    "collected 0 tests",
];

const FAIL_WORDS: &[&str] =
    &["failed", "fail", "fails", "failing", "failure", "failures", "errored", "crashed", "broken", "timedout"];
const ERROR_WORDS: &[&str] = &["error", "errors", "err"];
const PASS_WORDS: &[&str] =
    &["passed", "pass", "passes", "passing", "ok", "succeeded", "success", "successful", "successes"];
const TOTAL_WORDS: &[&str] = &[
    "tests",
    "test",
    "examples",
    "example",
    "runs",
    "scenarios",
    "scenario",
    "specs",
    "spec",
    "assertions",
    "checks",
    "cases",
    "total",
];
const SKIP_WORDS: &[&str] = &["skipped", "skip", "skips", "ignored", "pending", "disabled", "todo", "deselected"];

/// What was counted over all lines.
#[derive(Debug, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    total: u64,
    skipped: u64,
    /// Files and suites, where no tests are counted.
    suites: u64,
    /// Said to have run, without how: `Ran 5 tests in 0.9s`.
    announced: u64,
    /// Said that none failed, without how many there were.
    none_failed: bool,
    counted: bool,
    zero: bool,
}

/// A piece of a line: a number, a word, or what stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Number(u64),
    Word(&'a str),
    Mark(char),
}

/// The phrases that an output holds at all.
struct Held {
    failed: Vec<&'static str>,
    trouble: Vec<&'static str>,
    passed: Vec<&'static str>,
    clean: Vec<&'static str>,
    nothing: Vec<&'static str>,
}

/// Reads `output`.
pub(super) fn read(output: &str) -> Summary {
    let mut from = output.len().saturating_sub(MAX_BYTES);
    while !output.is_char_boundary(from) {
        from += 1;
    }
    let tail = without_colours(output.get(from..).unwrap_or_default());
    let lower = tail.to_lowercase();
    let pairs = Bigrams::of(&lower);
    let held = Held {
        failed: pairs.present(FAILED, &lower),
        trouble: pairs.present(TROUBLE, &lower),
        passed: pairs.present(PASSED, &lower),
        clean: pairs.present(CLEAN, &lower),
        nothing: pairs.present(NOTHING, &lower),
    };
    let mut summary = Summary::default();
    let mut counts = Counts::default();
    let mut best = (0, 0);
    for (nth, line) in lower.split(['\n', '\r']).enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let weight = one(line, &held, &mut summary, &mut counts);
        if weight > 0 && weight >= best.0 {
            best = (weight, nth);
        }
    }
    if best.0 > 0 {
        summary.line = tail.split(['\n', '\r']).nth(best.1).map(|line| clip(line.trim(), 80));
    }
    summary.failed |= counts.failed > 0;
    let announced = (summary.passed || counts.none_failed) && counts.announced > counts.skipped;
    let ran = counts.passed > 0 || counts.total > counts.skipped || announced || !counts.counted && counts.suites > 0;
    if counts.counted && !ran {
        summary.passed = false;
        summary.nothing = counts.zero || counts.skipped > 0 || counts.total == 0;
    } else if ran && !summary.failed {
        summary.passed = true;
        summary.nothing = false;
    }
    summary
}

/// Reads one line (lower case); how telling it is.
fn one(line: &str, held: &Held, summary: &mut Summary, counts: &mut Counts) -> u8 {
    let any = |of: &[&str]| of.iter().any(|phrase| line.contains(phrase));
    let mut weight = 0;
    if any(&held.nothing) && !line.contains("(0 fail") {
        counts.zero = true;
        summary.nothing = true;
        weight = 2;
    }
    let starts = || FAILING_START.iter().any(|start| line.starts_with(start));
    if any(&held.failed) {
        summary.failed = true;
        weight = 4;
    } else if any(&held.trouble)
        || starts() && !is_counted_zero(line) && !line.contains("# skip") && !line.contains("# todo")
    {
        summary.trouble = true;
        weight = weight.max(1);
    }
    if any(&held.clean) {
        summary.clean = true;
        weight = weight.max(1);
    }
    if any(&held.passed) && !line.contains("not ") {
        summary.passed = true;
        weight = weight.max(3);
    }
    let bare = matches!(line, "ok" | "pass" | "passed" | "passed!" | "success" | "green" | "ok.")
        || ["ok (", "ok\u{9}", "ok ", "pass ", "pass:", "--- pass"].iter().any(|start| line.starts_with(start))
        || [" ok", ": ok", " passed", " pass"].iter().any(|end| line.ends_with(end));
    // go: a package that has none of the tests asked for.
    let empty = line.ends_with("[no test files]") || line.ends_with("[no tests to run]");
    if empty {
        counts.zero = true;
        summary.nothing |= !summary.passed;
    } else if bare {
        summary.passed = true;
        summary.nothing = false;
        weight = weight.max(2);
    }
    weight.max(count(line, summary, counts))
}

/// Counts what a line counts: `3 passed, 1 failed`, `Failures: 0`, `# pass 12`.
fn count(line: &str, summary: &mut Summary, counts: &mut Counts) -> u8 {
    if !line.bytes().any(|byte| byte.is_ascii_digit()) || line.contains("0 remaining") {
        return 0;
    }
    // `00:03 +11 -1: Some tests failed.`
    let pieces = pieces(line);
    let suites =
        ["test suites", "test files", "suites:", "test file", "files "].iter().any(|start| line.starts_with(start));
    let (mut passed, mut failed, mut errors, mut skipped, mut total) = (None, None, None, None, None);
    for (nth, piece) in pieces.iter().enumerate() {
        let Piece::Number(number) = *piece else { continue };
        let after = |by: usize| pieces.get(nth + by).copied();
        let before = |by: usize| nth.checked_sub(by).and_then(|at| pieces.get(at)).copied();
        // `Failures: 0`, `PASS=5`, `# pass 12`, `failed 0,`
        let behind = match (before(1), before(2)) {
            (Some(Piece::Mark(':' | '=' | ']')), Some(Piece::Word(word))) => Some(word),
            (Some(Piece::Word(word)), _) if !matches!(after(1), Some(Piece::Word(_))) => Some(word),
            _ => None,
        };
        let ahead =
            match (after(1), after(2), after(3)) {
                (Some(Piece::Word(word)), Some(Piece::Word(next)), _)
                    if TOTAL_WORDS.contains(&word) || matches!(word, "of" | "features" | "steps") =>
                {
                    if is_status(next) { Some(next) } else { Some(word) }
                }
                (Some(Piece::Word(word)), ..) => Some(word),
                (Some(Piece::Mark('(')), Some(Piece::Word(word)), _) if is_status(word) => Some(word),
                _ => None,
            };
        // `1 of 3 failed`, `2 out of 12 tests failed`: the number before counts.
        let of = matches!((after(1), after(2)), (Some(Piece::Word("of")), Some(Piece::Number(_))))
            || matches!((after(1), after(2)), (Some(Piece::Word("out")), Some(Piece::Word("of"))));
        let told = if of {
            pieces.iter().skip(nth).find_map(|piece| match piece {
                Piece::Word(word) if is_status(word) => Some(*word),
                _ => None,
            })
        } else {
            None
        };
        let whole =
            matches!((before(1), before(2)), (Some(Piece::Word("of")), Some(Piece::Number(_) | Piece::Word("out"))));
        let counted = behind.filter(|word| TOTAL_WORDS.contains(word) || *word == "run");
        let Some(word) = told
            .or(behind.filter(|word| is_status(word)))
            .or(ahead.filter(|word| is_status(word)))
            .or(counted)
            .or(ahead)
        else {
            continue;
        };
        let slot = match word {
            _ if whole => &mut total,
            word if FAIL_WORDS.contains(&word) => &mut failed,
            word if ERROR_WORDS.contains(&word) => &mut errors,
            word if PASS_WORDS.contains(&word) => &mut passed,
            word if SKIP_WORDS.contains(&word) => &mut skipped,
            word if TOTAL_WORDS.contains(&word) || word == "run" => &mut total,
            _ => continue,
        };
        *slot = Some(slot.unwrap_or(0).max(number));
    }
    // `100% tests passed`
    let percent = line.contains("% tests passed") || line.contains("% passed");
    if percent {
        passed = Some(u64::from(failed.is_none_or(|failed| failed == 0)));
    }
    let with_errors = errors.filter(|_| {
        failed.is_some()
            || passed.is_some()
            || total.is_some()
            || line.starts_with("found ")
            || line.starts_with("errors")
            || line.contains("error(s)")
            || line.starts_with(|c: char| c.is_ascii_digit() || c == '✖')
    });
    let failures = failed.unwrap_or(0) + with_errors.unwrap_or(0);
    counts.failed += failures;
    if failures > 0 {
        return 4;
    }
    if passed.is_none() && failed.is_none() && skipped.is_none() && total.is_none() {
        return 0;
    }
    if suites {
        counts.suites += passed.unwrap_or(0);
        return 1;
    }
    // `Ran 5 tests in 0.9s`, `running 3 tests`: how many, not how it went.
    let only_total = passed.is_none() && failed.is_none() && skipped.is_none();
    if only_total && !line.starts_with("ok") {
        if total == Some(0) && !line.starts_with("running") {
            counts.counted = true;
            counts.zero = true;
        }
        if line.contains("completed") && total > Some(0) {
            summary.passed = true;
            return 2;
        }
        counts.announced += total.unwrap_or(0);
        return u8::from(total > Some(0));
    }
    counts.none_failed |= failed == Some(0) && passed.is_none() && total.is_none();
    counts.counted = true;
    counts.passed += passed.unwrap_or(0);
    counts.skipped += skipped.unwrap_or(0);
    let all = passed.or(total).unwrap_or(0);
    counts.total += all.max(total.unwrap_or(0));
    counts.zero |= all == 0;
    3
}

fn is_status(word: &str) -> bool {
    [FAIL_WORDS, ERROR_WORDS, PASS_WORDS, SKIP_WORDS].iter().any(|words| words.contains(&word))
}

/// `fail: 0`, `failed 0`: it says that nothing failed.
fn is_counted_zero(line: &str) -> bool {
    matches!(
        pieces(line).as_slice(),
        [Piece::Word(_), Piece::Number(0), ..] | [Piece::Word(_), Piece::Mark(':'), Piece::Number(0), ..]
    )
}

fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next().filter(|_| found.len() < 64) {
        let length = if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, tail) = rest.split_at(end);
            // `0.41s`, `8.2`: no count.
            let decimal = tail.starts_with('.') && tail.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
            let (_, fraction) = tail.split_at(usize::from(decimal));
            let more = if decimal {
                fraction.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(fraction.len()) + 1
            } else {
                0
            };
            if !decimal && let Ok(number) = digits.parse() {
                found.push(Piece::Number(number));
            }
            end + more
        } else if c.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push(Piece::Word(rest.split_at(end).0));
            end
        } else {
            if !c.is_whitespace() {
                found.push(Piece::Mark(c));
            }
            c.len_utf8()
        };
        rest = rest.split_at(length.min(rest.len())).1;
    }
    found
}

/// A text without the escapes of a terminal.
fn without_colours(line: &str) -> std::borrow::Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return line.into();
    }
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
        } else if chars.next() == Some('[') {
            for c in chars.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        }
    }
    out.into()
}

/// The start of `text`, at most `most` characters.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text).trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
