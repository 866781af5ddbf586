//! Runners' summaries, good and bad, as they print them.

use super::read;

/// They went well.
const GREEN: &[&str] = &[
    "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n\nrunning 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored",
    "     Summary [   0.312s] 12 tests run: 12 passed, 1 skipped",
    "============ 54 passed, 2 skipped, 1 xfailed in 2.20s ============",
    "Ran 5 tests in 0.9s\n\nOK",
    "Ran 5 tests in 0.9s\n\nOK (skipped=1)",
    "Test Suites: 3 passed, 3 total\nTests:       29 passed, 29 total\nSnapshots:   0 total\nTime:        1.5 s",
    " Test Files  9 passed (9)\n      Tests  207 passed (207)",
    "  12 passing (30ms)\n  1 pending",
    "  12 tests passed",
    "# tests 5\n# suites 1\n# pass 5\n# fail 0\n# cancelled 0\n# skipped 0\n# duration_ms 61",
    "ℹ tests 5\nℹ pass 5\nℹ fail 0",
    "  4 passed (3.1s)",
    "  ✔  All specs passed!                        00:12       8        8        -        -        -",
    "ok  \tshop/cart\t0.204s\n?   \tshop/cmd\t[no test files]",
    "PASS\nok  \tshop/cart\t(cached)",
    "OK (15 tests, 32 assertions)",
    "  Tests:    12 passed (30 assertions)\n  Duration: 0.9s",
    "14 examples, 0 failures",
    "5 runs, 10 assertions, 0 failures, 0 errors, 0 skips",
    "[INFO] Tests run: 64, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
    "BUILD SUCCESSFUL in 22s\n48 tests completed",
    "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 61 ms - Shop.Tests.dll",
    "Finished in 0.1 seconds\n5 tests, 0 failures",
    "100% tests passed, 0 tests failed out of 12",
    "All tests passed (22 assertions in 7 test cases)",
    "[==========] 5 tests from 2 test suites ran. (0 ms total)\n[  PASSED  ] 5 tests.",
    "1..3\nok 1 adds\nok 2 removes\nok 3 lists",
    "Executed 3 tests, with 0 failures (0 unexpected) in 0.104 (0.110) seconds",
    "00:03 +12: All tests passed!",
    "[info] Passed: Total 12, Failed 0, Errors 0, Passed 12",
    "[info] Tests: succeeded 12, failed 0, canceled 0, ignored 0, pending 0",
    "Ran 5 tests containing 12 assertions.\n0 failures, 0 errors.",
    "ok | 5 passed | 0 failed (12ms)",
    " 16 pass\n 0 fail\nRan 16 tests across 4 files. [88.00ms]",
    "All 12 tests passed (0.01s)",
    "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]",
    "t/01-load.t .. ok\nAll tests successful.\nFiles=3, Tests=12,  1 wallclock secs\nResult: PASS",
    "Executed 12 of 12 SUCCESS (0.1 secs / 0.08 secs)",
    "3 scenarios (3 passed)\n12 steps (12 passed)",
    "PASS: t_open\nPASS: t_close\n# TOTAL: 27\n# PASS:  27\n# FAIL:  0",
    "Ok:                 12\nFail:               0",
    "Done. PASS=5 WARN=0 ERROR=0 SKIP=0 TOTAL=5",
    "\u{1b}[32m✓\u{1b}[0m cart adds\n\u{1b}[1mTests\u{1b}[22m  \u{1b}[32m31 passed\u{1b}[39m (31)",
    "Alle Module gebaut.\n===== 7 passed in 0.21s =====\nFertig.",
    "テストを実行します\nTests: 31 passed, 31 total\n完了",
    "Suite result: ok. 5 passed; 0 failed; 0 skipped; finished in 1.2ms",
    "  congratulations :) (12.30 seconds)",
    "** TEST SUCCEEDED **",
];

/// Something failed.
const RED: &[&str] = &[
    "failures:\n    codec::reads_empty\n\ntest result: FAILED. 17 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
    "error[E0308]: mismatched types\nerror: could not compile `shop` (lib test) due to 1 previous error",
    "     Summary [   0.312s] 12 tests run: 11 passed, 1 failed, 0 skipped",
    "FAILED tests/test_a.py::test_b - assert 1 == 2\n3 failed, 51 passed in 1.9s",
    "ERROR tests/test_a.py\n!!!!!!! Interrupted: 1 error during collection !!!!!!!\n1 error in 0.12s",
    "Ran 5 tests in 0.9s\n\nFAILED (errors=1)",
    "Tests:       2 failed, 18 passed, 20 total",
    " Tests  2 failed | 30 passed (32)",
    "  11 passing (30ms)\n  1 failing",
    "# pass 4\n# fail 1",
    "  1 failed\n    cart.spec.ts:9 adds up\n  3 passed (4.0s)",
    "  ✖  1 of 3 failed (33%)                      00:12",
    "--- FAIL: TestSum (0.01s)\nFAIL\nFAIL\tshop/sum\t0.2s",
    "ok  \tshop/a\t0.1s\nFAIL\tshop/b [build failed]",
    "FAILURES!\nTests: 8, Assertions: 19, Failures: 2.",
    "14 examples, 2 failures",
    "5 runs, 10 assertions, 0 failures, 1 errors, 0 skips",
    "[ERROR] Tests run: 64, Failures: 2, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
    "> Task :test FAILED\n48 tests completed, 2 failed\nBUILD FAILED in 9s",
    "Failed!  - Failed:     2, Passed:    10, Skipped:     0, Total:    12",
    "5 tests, 1 failure",
    "92% tests passed, 1 tests failed out of 12",
    "test cases: 3 | 2 passed | 1 failed",
    "[  FAILED  ] 1 test, listed below:",
    "1..3\nok 1 adds\nnot ok 2 removes",
    "Executed 11 tests, with 2 failures (0 unexpected) in 0.104 seconds",
    "00:03 +11 -1: Some tests failed.",
    "[info] Tests: succeeded 11, failed 1, canceled 0",
    "2 failures, 0 errors.",
    "FAILED | 4 passed | 1 failed (12ms)",
    " 15 pass\n 1 fail",
    "2 out of 12 tests failed (0.01s)",
    "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]",
    "Result: FAIL",
    "Executed 12 of 12 (1 FAILED) (0.1 secs)",
    "3 scenarios (1 failed, 2 passed)",
    "# TOTAL: 27\n# PASS:  26\n# FAIL:  1",
    "Done. PASS=4 WARN=0 ERROR=1 SKIP=0 TOTAL=5",
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "bash: pytest: command not found",
    "** TEST FAILED **",
    "make: *** [Makefile:12: test] Error 1\nFAIL: t_seek",
    "✖ 3 problems (2 errors, 1 warning)",
    "Found 3 errors in 2 files (checked 12 source files)",
];

/// Nothing ran.
const NOTHING: &[&str] = &[
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out",
    "no tests ran in 0.01s",
    "collected 0 items",
    "collected 5 items / 5 deselected\n5 deselected in 0.10s",
    "5 skipped in 0.10s",
    "No test files found, exiting with code 0",
    "No tests found, exiting with code 0",
    "Ran 0 tests in 0.000s\n\nOK",
    "Tests:       5 skipped, 5 total",
    "?   \tshop/cmd\t[no test files]",
    "ok  \tshop/cart\t0.004s [no tests to run]",
    "0 examples, 0 failures",
    "0 passing (1ms)",
    "[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0",
    "No tests executed!",
    "5 examples, 0 failures, 5 pending",
    "# tests 0\n# pass 0\n# fail 0",
];

/// Nothing is said.
const SILENT: &[&str] =
    &["", "tests/shop/test_cart.py ....", "Compiling shop v0.1.0", "> shop@1.0.0 test\n> jest", "collecting ... "];

#[test]
fn green_is_green() {
    for output in GREEN {
        assert!(read(output).is_green(), "{output}\n{:?}", read(output));
    }
}

#[test]
fn red_is_red() {
    for output in RED {
        let summary = read(output);
        assert!(summary.is_red() && !summary.is_green(), "{output}\n{summary:?}");
    }
}

#[test]
fn nothing_is_nothing() {
    for output in NOTHING {
        let summary = read(output);
        assert!(summary.nothing && !summary.is_green() && !summary.is_red(), "{output}\n{summary:?}");
    }
}

#[test]
fn silence_is_neither() {
    for output in SILENT {
        let summary = read(output);
        assert!(!summary.is_green() && !summary.is_red() && !summary.nothing, "{output}\n{summary:?}");
    }
}

#[test]
fn the_telling_line_is_kept() {
    assert_eq!(read("collected 3 items\n\n3 passed in 0.1s\nbye").line.as_deref(), Some("3 passed in 0.1s"));
}
