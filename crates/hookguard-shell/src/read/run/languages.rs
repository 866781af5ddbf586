//! Interpreters of other languages: which options hold code, which take values, what is a file, when the input is code.

use super::super::Reader;
use super::super::glance::Glance;
use super::super::output::known_text;
use super::super::redirects::push_literal;
use super::super::simple::Call;
use super::super::walk::Out;
use super::options::tail;
use crate::command::{Part, Runs, Stdin, Step, Word};

/// An interpreter.
struct Interpreter {
    names: &'static [&'static str],
    language: &'static str,
    /// Letters of short options whose value is code.
    code: &'static str,
    /// Long options whose value is code.
    long_code: &'static [&'static str],
    /// Subcommands whose operand is code.
    sub_code: &'static [&'static str],
    /// Letters of short options with another value.
    values: &'static str,
    /// Long options with another value in the next word.
    long_values: &'static [&'static str],
    /// The option that names a module to run: what follows is its own.
    module: Option<&'static str>,
}

const INTERPRETERS: [Interpreter; 10] = [
    Interpreter {
        names: &["python", "pypy", "ipython"],
        language: "python",
        code: "c",
        long_code: &[],
        sub_code: &[],
        values: "WX",
        long_values: &["--check-hash-based-pycs"],
        module: Some("-m"),
    },
    Interpreter {
        names: &["node", "nodejs", "tsx", "ts-node"],
        language: "node",
        code: "ep",
        long_code: &["--eval", "--print"],
        sub_code: &[],
        values: "rC",
        long_values: &["--require", "--import", "--loader", "--experimental-loader", "--env-file", "--conditions"],
        module: None,
    },
    Interpreter {
        names: &["deno"],
        language: "deno",
        code: "",
        long_code: &[],
        sub_code: &["eval"],
        values: "cL",
        long_values: &["--config", "--ext", "--import-map"],
        module: None,
    },
    Interpreter {
        names: &["bun"],
        language: "bun",
        code: "ep",
        long_code: &["--eval", "--print"],
        sub_code: &[],
        values: "rc",
        long_values: &["--preload", "--config", "--cwd"],
        module: None,
    },
    Interpreter {
        names: &["perl"],
        language: "perl",
        code: "eE",
        long_code: &[],
        sub_code: &[],
        values: "IMm",
        long_values: &[],
        module: None,
    },
    Interpreter {
        names: &["ruby", "jruby"],
        language: "ruby",
        code: "e",
        long_code: &[],
        sub_code: &[],
        values: "IrCEKF",
        long_values: &["--encoding"],
        module: None,
    },
    Interpreter {
        names: &["rails"],
        language: "rails",
        code: "",
        long_code: &[],
        sub_code: &["runner", "r"],
        values: "e",
        long_values: &["--environment"],
        module: None,
    },
    Interpreter {
        names: &["php"],
        language: "php",
        code: "rBRE",
        long_code: &["--run"],
        sub_code: &[],
        values: "dcfzS",
        long_values: &["--define", "--php-ini"],
        module: None,
    },
    // Code that nobody here reads: it is known that there is some.
    Interpreter {
        names: &["expect"],
        language: "",
        code: "c",
        long_code: &[],
        sub_code: &[],
        values: "",
        long_values: &[],
        module: None,
    },
    Interpreter {
        names: &[
            "lua", "luajit", "Rscript", "julia", "groovy", "tclsh", "guile", "racket", "elixir", "ghc", "clojure",
            "scala",
        ],
        language: "",
        code: "eE",
        long_code: &["--eval", "-e"],
        sub_code: &[],
        values: "l",
        long_values: &[],
        module: None,
    },
];

const fn glance() -> Glance {
    let (mut all, mut row) = (Glance::NONE, 0);
    while row < INTERPRETERS.len() {
        let mut at = 0;
        while at < INTERPRETERS[row].names.len() {
            all = all.with(INTERPRETERS[row].names[at]);
            at += 1;
        }
        row += 1;
    }
    all
}

impl Reader {
    /// `python -c CODE`, `node FILE`, `ruby < …`; `None` where the program is no interpreter.
    pub(super) fn interpreter(&mut self, call: &Call<'_>) -> Option<Out> {
        // `python3.12` is `python`; no name of the table ends in a digit but by its version.
        let base = call.name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        static GLANCE: Glance = glance();
        if !GLANCE.may_hold(base) {
            return None;
        }
        let row = INTERPRETERS.iter().find(|row| row.names.contains(&base))?;
        let argv = call.argv;
        let mut at = 1;
        let mut codes: Vec<Word> = Vec::new();
        let mut silent = false;
        while let Some(word) = argv.get(at) {
            let text = word.prefix();
            if text == "--" {
                at += 1;
                break;
            }
            if row.sub_code.contains(&text) && codes.is_empty() {
                at += 1;
                while argv.get(at).is_some_and(|word| word.prefix().starts_with('-') && word.prefix().len() > 1) {
                    at += 1;
                }
                codes.extend(argv.get(at).cloned());
                break;
            }
            if row.module == Some(text) || row.module.is_some_and(|module| text.starts_with(module)) {
                // A module's own arguments; its input is data. The code that `timeit` times is code.
                if text.ends_with("timeit") || argv.get(at + 1).and_then(Word::as_literal) == Some("timeit") {
                    for code in argv.iter().skip(at + 1).filter(|word| word.prefix().contains('(')) {
                        self.foreign(call, code, row.language, Step::Code);
                    }
                }
                return Some(self.unknown_out(call.index, call.want));
            }
            if !text.starts_with('-') || text.len() == 1 {
                break;
            }
            at += 1;
            if text.starts_with("--") {
                let (name, value) = match text.find('=') {
                    Some(equals) => (&text[..equals], Some(tail(word, equals + 1))),
                    None => (text, None),
                };
                silent |= matches!(name, "--version" | "--help" | "--check" | "--lint" | "--syntax-check" | "--test");
                if row.long_code.contains(&name) {
                    at += usize::from(value.is_none());
                    let code = value.or_else(|| argv.get(at - 1).cloned());
                    codes.extend(code.map(|code| if name == "--print" { printing(&code) } else { code }));
                } else if row.long_values.contains(&name) && value.is_none() {
                    at += 1;
                }
                continue;
            }
            for (offset, letter) in text.char_indices().skip(1) {
                let after = offset + letter.len_utf8();
                let is_code = row.code.contains(letter);
                // Perl's `-i.bak`, `-0777`, `-l012`: what is glued to them is theirs.
                if row.language == "perl" && matches!(letter, 'i' | '0' | 'F' | 'C' | 'x') && letter != 'i' {
                    if letter == 'F' || letter == 'C' || letter == 'x' {
                        break;
                    }
                    continue;
                }
                if row.language == "perl" && letter == 'i' {
                    let rest = &text[after..];
                    if rest.starts_with('.') || rest.starts_with('~') {
                        break;
                    }
                    continue;
                }
                silent |=
                    matches!((row.language, letter), (_, 'v' | 'V' | 'h')) && !matches!(row.language, "ruby" | "perl");
                silent |= matches!((row.language, letter), ("perl" | "ruby", 'c') | ("php", 'l' | 'i' | 'm'));
                if !is_code && !row.values.contains(letter) {
                    continue;
                }
                let value = if after < text.len() || word.parts.len() > 1 {
                    Some(tail(word, after))
                } else if is_code || !matches!(row.language, "perl") {
                    at += 1;
                    argv.get(at - 1).cloned()
                } else {
                    None
                };
                if is_code {
                    codes.extend(value.map(|code| if letter == 'p' { printing(&code) } else { code }));
                }
                break;
            }
            // What stands behind Python's `-c CODE` is the code's own.
            if !codes.is_empty() && row.language == "python" {
                break;
            }
        }
        if !codes.is_empty() {
            let given = argv.get(at..).unwrap_or_default();
            for code in codes {
                let code = if row.language == "perl" { with_arguments(code, given) } else { code };
                self.foreign(call, &code, row.language, Step::Code);
            }
            return Some(self.unknown_out(call.index, call.want));
        }
        if silent {
            return Some(self.unknown_out(call.index, call.want));
        }
        Some(self.program_file(call, row.language, at))
    }

    /// A file, or code on the input.
    fn program_file(&mut self, call: &Call<'_>, language: &str, at: usize) -> Out {
        const RUNNERS: [&str; 3] = ["deno", "bun", "rails"];
        let mut rest = call.argv.get(at..).unwrap_or_default();
        if RUNNERS.contains(&language) {
            match rest.first().and_then(Word::as_literal) {
                Some("run") if language == "deno" => {
                    let skip = rest[1..]
                        .iter()
                        .take_while(|word| word.prefix().starts_with('-') && word.prefix().len() > 1)
                        .count();
                    rest = &rest[1 + skip..];
                }
                Some(text) if language == "bun" && (text.ends_with(".ts") || text.ends_with(".js")) => {}
                Some("-") => {}
                _ => return self.package_script(call),
            }
        }
        match rest.first() {
            Some(file) if !matches!(file.as_literal(), Some("-" | "/dev/stdin")) => {
                let (file, args) = (file.clone(), rest[1..].to_vec());
                self.run_file(call, &file, args, if language.is_empty() { "other" } else { language }, false)
            }
            _ => {
                if let Some(text) = known_text(call.input) {
                    self.foreign(call, &text, language, Step::Input);
                    return self.unknown_out(call.index, call.want);
                }
                self.commands[call.index].runs = match &call.input.stdin {
                    Stdin::Inherited => Some(Runs::Interactive),
                    Stdin::File(file) if file.as_literal() == Some("/dev/null") => None,
                    _ => Some(Runs::Stdin),
                };
                self.unknown_out(call.index, call.want)
            }
        }
    }
}

/// Code whose value is printed (`node -p`).
fn printing(code: &Word) -> Word {
    let mut out = Word::literal("console.log(");
    for part in &code.parts {
        match part {
            Part::Literal(text) => push_literal(&mut out, text),
            other => out.parts.push(other.clone()),
        }
    }
    push_literal(&mut out, ")");
    out
}

/// `exec @ARGV` with the words that `@ARGV` holds by then: `perl -e 'alarm shift; exec @ARGV' 10 make`.
fn with_arguments(code: Word, given: &[Word]) -> Word {
    let Some((head, tail)) = code.as_literal().and_then(|text| text.rsplit_once("@ARGV")) else { return code };
    // `exec { $ARGV[0] } @ARGV` names the program once more.
    let named = head.trim_end().strip_suffix('}').and_then(|head| head.rsplit_once('{'));
    let head = named.map_or(head, |(head, _)| head);
    if !["exec", "system"].iter().any(|verb| head.trim_end_matches([' ', '(']).ends_with(verb)) {
        return code;
    }
    let taken = head.matches("shift").count();
    let args: Vec<&Word> = given.iter().skip_while(|word| word.as_literal() == Some("--")).skip(taken).collect();
    // In a function `shift` takes from what that is given; what else touches the list changes it.
    let rest = head.replace("shift @ARGV", "").replace("shift(@ARGV)", "");
    if args.is_empty() || rest.contains("ARGV") || ["sub ", "unshift"].iter().any(|word| head.contains(word)) {
        return Word::literal(format!("{head}@ARGV{tail}"));
    }
    let mut out = Word::literal(head);
    push_literal(&mut out, if head.ends_with('(') { "" } else { "(" });
    for word in args {
        push_literal(&mut out, "'");
        for part in &word.parts {
            match part {
                Part::Literal(text) | Part::Glob(text) => {
                    push_literal(&mut out, &text.replace('\\', "\\\\").replace('\'', "\\'"));
                }
                other => out.parts.push(other.clone()),
            }
        }
        push_literal(&mut out, "', ");
    }
    push_literal(&mut out, if head.ends_with('(') { "" } else { ")" });
    push_literal(&mut out, tail);
    out
}
