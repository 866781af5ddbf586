//! Texts built to cost too much: a megabyte of each nasty shape, in bounded time and without overflowing the stack.

#![expect(clippy::disallowed_methods, reason = "a test of how long reading takes needs a clock")]

use std::time::{Duration, Instant};

use hookguard_shell::{Env, read, syntax};

/// What one text may take in a release build, on a processor of its own; debug builds are about twenty times slower.
const LIMIT: Duration = if cfg!(debug_assertions) { Duration::from_millis(2_000) } else { Duration::from_millis(100) };

/// Tries before a time counts: the machine has other things to do.
const TRIES: usize = 5;

/// Less in a debug build, which everybody runs.
const MEGABYTE: usize = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 20 };

/// Shapes: what is repeated to a megabyte, and what stands before, between the halves, and behind.
const REPEATED: [&str; 64] = [
    "(",
    "((",
    "( (",
    "$(",
    "\"$(",
    "$((",
    "{ ",
    "{",
    "if ",
    "if a; then ",
    "while a; do ",
    "${a:-",
    "\"${a:-",
    "[[ ! ",
    "[[ ( ",
    "[[ a && ",
    "{a,",
    "{a,b}",
    "{1..9}",
    "`",
    "\\`",
    "`\\`",
    "a;",
    "a&&",
    "a|",
    "a&",
    "a\n",
    ";",
    "&",
    "|",
    ")",
    "}",
    "\\",
    "'",
    "\"",
    "$'",
    "$\"",
    "<(",
    "a=(",
    "a[",
    "a[a[",
    "${a[",
    "$[",
    "f() { ",
    "f() ",
    "function f ",
    "case a in ",
    "case a in a) ",
    "for a in ",
    "<<E ",
    "cat <<E\n",
    "<<<",
    ">a ",
    "2>&1 ",
    "! ",
    "time ",
    "coproc ",
    "@(",
    "!(",
    "#",
    "~",
    "a='",
    "\t",
    "é",
];

#[test]
fn a_megabyte_of_each_shape_is_read_in_time() {
    let mut slow = Vec::new();
    let mut check = |name: &str, text: &str| slow.extend(measure(name, text));
    for shape in REPEATED {
        let half = shape.repeat(MEGABYTE / 2 / shape.len());
        check(&format!("{shape:?} open"), &shape.repeat(MEGABYTE / shape.len()));
        let close = closing(shape).repeat(MEGABYTE / 2 / shape.len());
        check(&format!("{shape:?} closed"), &format!("{half}a{close}"));
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn long_flat_texts_are_read_in_time() {
    let mut slow = Vec::new();
    let mut check = |name: &str, text: &str| slow.extend(measure(name, text));
    check("one word", &"x".repeat(MEGABYTE));
    check("one quoted word", &format!("echo \"{}\"", "x".repeat(MEGABYTE)));
    check("arguments", &format!("echo {}", "x ".repeat(MEGABYTE / 2)));
    check("variables", &format!("echo {}", "$x".repeat(MEGABYTE / 2)));
    check("quoted variables", &format!("echo \"{}\"", "$x ".repeat(MEGABYTE / 3)));
    check("digits", &"1".repeat(MEGABYTE));
    let heredocs: String = (0..20_000).map(|n| format!("cat <<E{n}\nx\nE{n}\n")).collect();
    check("heredocs one by one", &heredocs);
    let asked: String = (0..20_000).map(|n| format!("<<E{n} ")).collect();
    let bodies: String = (0..20_000).map(|n| format!("x\nE{n}\n")).collect();
    check("heredocs of one line", &format!("cat {asked}\n{bodies}"));
    check("heredocs that never end", &format!("cat {asked}\n{}", "x\n".repeat(MEGABYTE / 4)));
    check("assignments", &(0..60_000).map(|n| format!("a{n}=$a{n}x;")).collect::<String>());
    check("doubling variable", &"a=$a$a;".repeat(MEGABYTE / 7));
    check(
        "doubling function",
        &format!(
            "f0() {{ a; }};{} f60",
            (1..61).map(|n| format!("f{n}() {{ f{0}; f{0}; }};", n - 1)).collect::<String>()
        ),
    );
    check("functions", &(0..30_000).map(|n| format!("f{n}() {{ a; }};f{n};")).collect::<String>());
    check("eval of eval", &format!("{} rm", "eval ".repeat(MEGABYTE / 5)));
    check("sudo of sudo", &format!("{} rm", "sudo ".repeat(MEGABYTE / 5)));
    check(
        "loops",
        &format!(
            "{}rm $a$b$c{}",
            "for a in 1 2 3 4 5 6 7 8 9; do for b in $a 2 3 4 5 6; do ".repeat(2_000),
            "done; done;".repeat(2_000)
        ),
    );
    check("pipes", &format!("{} cat", "cat | ".repeat(MEGABYTE / 6)));
    check("echo to sh", &format!("{} cat", "echo a | sh;".repeat(20_000)));
    check("python", &format!("python -c '{}'", "os.system(".repeat(20_000)));
    check("python lists", &format!("python -c '{}'", "[(".repeat(60_000)));
    check("perl", &format!("perl -e '{}'", "{unlink ".repeat(30_000)));
    check("node", &format!("node -e '{}'", "a(x=>".repeat(50_000)));
    check("awk", &format!("awk '{}'", "system(\"a\" | ".repeat(16_000)));
    check("sed", &format!("sed '{}'", "s/a/b/e;".repeat(30_000)));
    check("exported", &format!("{} {}", "export a=1;".repeat(200), "b;".repeat(100_000)));
    check("crontab", &format!("crontab <<E\n{}E\n", "* * * * * a\n".repeat(20_000)));
    assert!(slow.is_empty(), "{slow:#?}");
}

fn closing(shape: &str) -> &'static str {
    match shape.trim() {
        "(" | "$(" | "<(" | "@(" | "!(" | "a=(" => ")",
        "((" | "( (" | "$((" => "))",
        "\"$(" => ")\"",
        "{" | "{a," | "f() {" => "}",
        "if" | "if a; then" => "; fi",
        "while a; do" => "; done",
        "${a:-" => "}",
        "\"${a:-" => "}\"",
        "a[" | "a[a[" | "$[" => "]",
        "${a[" => "]}",
        "[[ !" | "[[ (" | "[[ a &&" => " ]]",
        _ => "",
    }
}

/// What took too long of a text: the syntax of all of it, or the reading of as much as is read at all.
fn measure(name: &str, text: &str) -> Vec<String> {
    let mut slow = Vec::new();
    let parsed = fastest(|| syntax::parse(text).nodes.len());
    if parsed >= LIMIT {
        slow.push(format!("{name}: parsed in {parsed:?}"));
    }
    let mut end = text.len().min(hookguard_shell::MAX_TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let env = Env { cwd: Some("/home/dev/acme"), home: Some("/home/dev"), vars: &[], known: &[] };
    let mut commands = 0;
    let took = fastest(|| {
        commands = read(&text[..end], &env).commands.len();
        commands
    });
    assert!(commands <= hookguard_shell::MAX_COMMANDS, "{name}: {commands} commands");
    if took >= LIMIT {
        slow.push(format!("{name}: {commands} commands read in {took:?}"));
    }
    slow
}

/// The least time of a few tries.
fn fastest(mut run: impl FnMut() -> usize) -> Duration {
    let mut least = Duration::MAX;
    for _ in 0..TRIES {
        let began = on_processor();
        std::hint::black_box(run());
        least = least.min(on_processor().saturating_sub(began));
        if least < LIMIT {
            break;
        }
    }
    least
}

/// How long this thread has been on a processor, where the system says so; else the time of a clock.
fn on_processor() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok().map(Duration::from_nanos))
        .unwrap_or_else(|| start.elapsed())
}
