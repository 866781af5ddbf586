//! Makefiles: the recipes that a `make` runs, as shell code.

use super::super::builtin::lines;
use super::options;
use crate::command::{Part, Word};

/// How many targets one `make` is followed to.
const MAX_TARGETS: usize = 200;

/// A rule: its targets, what they need, and the lines of its recipe.
#[derive(Debug, Default)]
struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<Word>,
}

/// The recipes that `targets` (the first rule's, if there are none) need, its variables as the shell writes them. `set`: what
/// the command line sets instead of the makefile.
pub(super) fn recipes(text: &Word, targets: &[&Word], set: &Word) -> Word {
    let (settings, rules) = read(text);
    let mut wanted: Vec<String> = targets.iter().map(|word| word.as_literal().unwrap_or("%").to_owned()).collect();
    if wanted.is_empty() {
        let first = rules.iter().find(|rule| rule.targets.iter().any(|target| !target.starts_with('.')));
        wanted.extend(first.and_then(|rule| rule.targets.first()).cloned());
    }
    let mut taken = vec![false; rules.len()];
    let mut at = 0;
    while at < wanted.len().min(MAX_TARGETS) {
        let name = wanted[at].clone();
        at += 1;
        let exact = rules.iter().any(|rule| rule.targets.contains(&name));
        for (rule, taken) in rules.iter().zip(&mut taken) {
            let is_it = |target: &String| *target == name || may_be(target, &name, exact);
            if !*taken && rule.targets.iter().any(is_it) {
                *taken = true;
                wanted.extend(rule.needs.iter().cloned());
            }
        }
    }
    let mut code = settings;
    for part in &set.parts {
        match part {
            Part::Literal(text) => push(text, &mut code),
            other => code.parts.push(other.clone()),
        }
    }
    for rule in rules.iter().zip(&taken).filter(|(_, taken)| **taken).flat_map(|(rule, _)| &rule.recipe) {
        let start = rule.prefix().len() - rule.prefix().trim_start_matches(['@', '-', '+', ' ', '\t']).len();
        // Each line has a shell of its own: the next one is not where a `cd` went.
        let moves = rule.prefix().contains("cd ");
        push(if moves { "(" } else { "" }, &mut code);
        as_shell(&options::tail(rule, start), &mut code);
        push(if moves { "\n)\n" } else { "\n" }, &mut code);
    }
    code
}

/// Whether a target that is no plain name may be the one that is wanted.
fn may_be(target: &str, name: &str, exact: bool) -> bool {
    if name == "%" || target.contains('$') {
        return true;
    }
    match target.split_once('%') {
        Some((start, end)) => !exact && name.starts_with(start) && name.ends_with(end),
        None => target == ".DEFAULT" && !exact,
    }
}

/// The settings of a makefile as assignments of the shell, and its rules.
fn read(text: &Word) -> (Word, Vec<Rule>) {
    let mut settings = Word::default();
    let mut rules: Vec<Rule> = Vec::new();
    for line in lines(&joined(text)) {
        let first = line.prefix();
        if first.starts_with('\t') {
            if let Some(rule) = rules.last_mut() {
                rule.recipe.push(options::tail(&line, 1));
            }
            continue;
        }
        if first.trim_start().starts_with('#') {
            continue;
        }
        let colon = first.find(':');
        let equals = first.find('=');
        match (colon, equals) {
            (colon, Some(equals))
                if colon
                    .is_none_or(|colon| equals < colon || first[colon..equals].trim_start_matches(':').is_empty()) =>
            {
                setting(&line, equals, &mut settings);
            }
            (Some(colon), _) => {
                let (targets, after) = first.split_at(colon);
                let needs = after.trim_start_matches(':').split(';').next().unwrap_or_default();
                let mut rule = Rule {
                    targets: names(targets),
                    needs: names(needs).into_iter().filter(|name| name != "|").collect(),
                    recipe: Vec::new(),
                };
                // `target: needs ; recipe`
                if let Some(semicolon) = first.find(';').filter(|semicolon| *semicolon > colon) {
                    rule.recipe.push(options::tail(&line, semicolon + 1));
                }
                rules.push(rule);
            }
            // A function of make's, alone on its line.
            _ if first.contains("$(shell ") => {
                push(": \"", &mut settings);
                as_shell(&line, &mut settings);
                push("\"\n", &mut settings);
            }
            _ => {}
        }
    }
    (settings, rules)
}

fn names(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A text whose lines that end in a backslash are joined with the next.
fn joined(text: &Word) -> Word {
    let join = |text: &String| text.replace("\\\r\n", " ").replace("\\\n\t", " ").replace("\\\n", " ");
    let parts = text.parts.iter().map(|part| match part {
        Part::Literal(text) => Part::Literal(join(text)),
        other => other.clone(),
    });
    Word { parts: parts.collect() }
}

/// `NAME := value` as `NAME="value"`.
fn setting(line: &Word, equals: usize, out: &mut Word) {
    let name = line.prefix()[..equals].trim_end_matches([':', '?', '+', '!', ' ', '\t']).trim();
    let name = name.strip_prefix("export ").or(name.strip_prefix("override ")).unwrap_or(name).trim();
    let is_name = !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name || name == "SHELL" || name == "MAKE" {
        return;
    }
    let value = options::tail(line, equals + 1);
    // `NAME != command`
    if line.prefix()[..equals].ends_with('!') {
        push(&format!("{name}=$("), out);
        as_shell(&value, out);
        push(")\n", out);
        return;
    }
    let blank = value.prefix().len() - value.prefix().trim_start().len();
    let mut quoted = Word::default();
    for part in options::tail(&value, blank).parts {
        match part {
            Part::Literal(text) => {
                push(&text.replace('\\', "\\\\").replace('"', "\\\"").replace('`', "\\`"), &mut quoted)
            }
            other => quoted.parts.push(other),
        }
    }
    push(&format!("{name}=\""), out);
    as_shell(&quoted, out);
    push("\"\n", out);
}

/// Text of a makefile as the shell gets it: `$(X)` is a variable of make, `$(shell X)` a command's output, `$$x` the
/// shell's own.
fn as_shell(text: &Word, out: &mut Word) {
    for part in &text.parts {
        let Part::Literal(text) = part else {
            out.parts.push(part.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some(at) = rest.find('$') {
            push(&rest[..at], out);
            rest = &rest[at + 1..];
            let close = if rest.starts_with('{') { '}' } else { ')' };
            if let Some(after) = rest.strip_prefix('$') {
                push("$", out);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("(shell ") {
                push("$(", out);
                rest = after;
            } else if let Some(name) = rest.strip_prefix(['(', '{'])
                && let Some(end) = name.find(close)
                && name[..end].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            {
                // What make itself sets.
                match &name[..end] {
                    "MAKE" => push("make", out),
                    "RM" => push("rm -f", out),
                    "CURDIR" => push("$PWD", out),
                    name => push(&format!("${{{name}}}"), out),
                }
                rest = &name[end + 1..];
            } else {
                push("$", out);
            }
        }
        push(rest, out);
    }
}

fn push(text: &str, out: &mut Word) {
    match out.parts.last_mut() {
        Some(Part::Literal(last)) => last.push_str(text),
        _ => out.parts.push(Part::Literal(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_target_needs() {
        let text = "OUT := build/x\nall: test\n\t@echo all\ntest: lint\n\tcargo test \\\n\t  --all\nlint:\n\tcargo clippy\nclean:\n\trm -r $(OUT)\n%.o: %.c\n\tcc $<\n";
        let of = |targets: &[&str]| {
            let words: Vec<Word> = targets.iter().map(|name| Word::literal(*name)).collect();
            recipes(&Word::literal(text), &words.iter().collect::<Vec<_>>(), &Word::default()).display()
        };
        let out = "OUT=\"build/x\"\n";
        assert_eq!(of(&[]), format!("{out}echo all\ncargo test    --all\ncargo clippy\n"));
        assert_eq!(of(&["lint"]), format!("{out}cargo clippy\n"));
        assert_eq!(of(&["clean"]), format!("{out}rm -r ${{OUT}}\n"));
        assert_eq!(of(&["a.o"]), format!("{out}cc $<\n"));
        assert_eq!(of(&["none"]), out);
    }
}
