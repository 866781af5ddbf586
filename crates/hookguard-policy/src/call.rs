//! The words of a command as its program reads them: subcommands, options with their values, operands.

use hookguard_shell::{Command, Reading, Word};

use crate::glob::{ANYTHING, like};
use crate::rule::{Known, Program};
use crate::text::Text;

/// The longest subcommand that a pattern names.
const MAX_SUB_NAMES: usize = 6;

/// A command with its words sorted.
#[derive(Debug)]
pub(crate) struct Call<'r> {
    pub(crate) command: &'r Command,
    /// The reading that the command stands in.
    pub(crate) reading: &'r Reading,
    /// The program's bare name; empty where there is none or it is not known.
    pub(crate) program: &'r str,
    pub(crate) known: &'static Known,
    pub(crate) spec: &'static Program,
    pub(crate) options: Vec<Opt<'r>>,
    pub(crate) operands: Vec<&'r Word>,
    /// How many of the operands name the subcommand whose table `spec` is.
    pub(crate) sub_words: usize,
    /// How many operands stand before `--`, if it is there.
    pub(crate) dashes: Option<usize>,
}

/// An option as it was given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opt<'r> {
    pub(crate) name: Name<'r>,
    /// Its value: attached, or the next word where the option is known to take one.
    pub(crate) value: Option<Text<'r>>,
    /// The word that follows, for options of which is not known whether they take a value.
    next: Option<&'r Word>,
    /// It stands before the subcommand of a program whose own options do ([`Program::own_first`]).
    own: bool,
}

/// An option's name without its dashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name<'r> {
    Short(char),
    Long(&'r str),
}

/// The name in an option as tables write it.
fn name_of(spec: &str) -> Name<'_> {
    let dashes = spec.bytes().take_while(|byte| *byte == b'-').count();
    let bare = &spec[dashes..];
    let mut chars = bare.chars();
    match (dashes >= 2, chars.next(), chars.next()) {
        (false, Some(char), None) => Name::Short(char),
        _ => Name::Long(bare),
    }
}

impl<'r> Opt<'r> {
    /// The value, or the word that may be it.
    pub(crate) fn value_or_next(&self) -> Option<Text<'r>> {
        self.value.or(self.next.map(Text::from))
    }

    /// Whether the name begins as that in `spec` does: of most pairs it does not.
    fn begins_as(&self, spec: &str) -> bool {
        let first = spec.bytes().find(|byte| *byte != b'-');
        let own = match self.name {
            Name::Short(char) => u8::try_from(char).ok(),
            Name::Long(name) => name.bytes().next(),
        };
        match (first, own) {
            (Some(first), Some(own)) if first.is_ascii() && own.is_ascii() && first != b'*' => {
                first.eq_ignore_ascii_case(&own)
            }
            _ => true,
        }
    }

    /// Whether this is the option `spec` (`-f`, `--force`; with a value `--env=prod*`, a name may hold `*`).
    pub(crate) fn is(&self, spec: &str) -> bool {
        if !self.begins_as(spec) {
            return false;
        }
        let (name, value) = match spec.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (spec, None),
        };
        // A short option of the program is not the subcommand's of that letter; with the value that is asked for, it is meant.
        if self.own && value.is_none() && matches!(self.name, Name::Short(_)) {
            return false;
        }
        let same = match (name_of(name), self.name) {
            (Name::Long(pattern), Name::Long(given)) if pattern.contains('*') => like(pattern, given),
            (Name::Long(known), Name::Long(given)) => known.eq_ignore_ascii_case(given),
            (known, given) => known == given,
        };
        same && match (value, self.value_or_next()) {
            (None, _) => true,
            (Some(pattern), Some(text)) => like(pattern, &text.known_parts()),
            (Some(_), None) => false,
        }
    }
}

/// The bare name of a program: the last part of its path, without `.exe`.
pub(crate) fn bare(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".exe").unwrap_or(name)
}

impl<'r> Call<'r> {
    /// Sorts the words of `command`.
    pub(crate) fn new(reading: &'r Reading, command: &'r Command) -> Call<'r> {
        let program = command.argv.first().and_then(Word::as_program).map(bare).unwrap_or_default();
        let known = Known::of(program);
        let mut call = Call {
            command,
            reading,
            program,
            known,
            spec: known.own(),
            options: Vec::new(),
            operands: Vec::new(),
            sub_words: 0,
            dashes: None,
        };
        let mut words = command.argv.iter().skip(1).peekable();
        while let Some(word) = words.next() {
            let start = word.prefix();
            if call.spec.plus && start.starts_with('+') && call.dashes.is_none() {
                call.options.push(Opt { name: Name::Long(start), value: None, next: None, own: false });
                continue;
            }
            let ended = call.dashes.is_some() || call.spec.options_first && call.operands.len() > call.sub_words;
            if ended || !start.starts_with('-') || start == "-" && word.parts.len() == 1 {
                if call.operands.is_empty() && call.spec.own_first {
                    call.options.iter_mut().for_each(|option| option.own = true);
                }
                call.operands.push(word);
                call.enter_subcommand();
            } else if word.as_literal() == Some("--") {
                call.dashes = Some(call.operands.len());
            } else if start.starts_with("--") || call.spec.one_dash {
                if call.long(word, start, words.peek().copied()) {
                    words.next();
                }
            } else if call.short(word, start, words.peek().copied()) {
                words.next();
            }
        }
        call
    }

    /// Takes the table of a subcommand once its name was read.
    fn enter_subcommand(&mut self) {
        let spec = match self.operands.as_slice() {
            [only] => only.as_literal().and_then(|only| self.known.sub(only, None)),
            [first, second] => match (first.as_literal(), second.as_literal()) {
                (Some(first), second @ Some(_)) => self.known.sub(first, second),
                _ => None,
            },
            _ => None,
        };
        if let Some(spec) = spec {
            self.spec = spec;
            self.sub_words = self.operands.len();
        }
    }

    /// Reads a long option; whether the next word is its value.
    fn long(&mut self, word: &'r Word, start: &'r str, next: Option<&'r Word>) -> bool {
        let bare = start.trim_start_matches('-');
        let (given, value) = match bare.split_once('=') {
            Some((given, _)) => (given, Some(Text::from(word).after(start.len() - bare.len() + given.len() + 1))),
            // An unknown rest belongs to the value, or nobody can say what the option is.
            None => (bare, None),
        };
        let name = if self.spec.longs.contains(&given) {
            given
        } else {
            // An abbreviation, as the tool completes it.
            let mut fits = self.spec.longs.iter().filter(|long| given.len() >= 2 && long.starts_with(given));
            fits.next().copied().unwrap_or(given)
        };
        let name = if self.spec.one_dash && name.chars().count() == 1 {
            Name::Short(name.chars().next().unwrap_or_default())
        } else {
            Name::Long(name)
        };
        self.add(name, value, next)
    }

    /// Reads a bundle of short options; whether the next word is the last one's value.
    fn short(&mut self, word: &'r Word, start: &'r str, next: Option<&'r Word>) -> bool {
        let whole = word.parts.len() <= 1;
        for (at, char) in start.char_indices().skip(1) {
            let end = at + char.len_utf8();
            let last = end == start.len();
            if self.spec.values.iter().any(|spec| name_of(spec) == Name::Short(char)) {
                let value = (!last || !whole).then(|| Text::from(word).after(end));
                return self.add(Name::Short(char), value, next);
            }
            if char == '=' {
                // `-o=value`: the value of what stood before.
                if let Some(option) = self.options.last_mut() {
                    option.value = Some(Text::from(word).after(end));
                }
                return false;
            }
            // A program without a table may take the rest of the bundle as the first one's value: `-oprod`.
            let loose = at == 1 && self.spec.values.is_empty() && !(last && whole);
            let value = loose.then(|| Text::from(word).after(end));
            let next = if last { next } else { None };
            self.options.push(Opt { name: Name::Short(char), value, next, own: false });
        }
        false
    }

    fn add(&mut self, name: Name<'r>, value: Option<Text<'r>>, next: Option<&'r Word>) -> bool {
        let takes = value.is_none()
            && self.spec.values.iter().any(|spec| match (name_of(spec), name) {
                (Name::Long(known), Name::Long(given)) => known == given,
                (known, given) => known == given,
            });
        let value = if takes { next.map(Text::from) } else { value };
        self.options.push(Opt { name, value, next, own: false });
        takes && next.is_some()
    }

    /// Whether one of the options is `spec`.
    pub(crate) fn has(&self, spec: &str) -> bool {
        self.options.iter().any(|option| option.is(spec))
    }

    /// Whether one of the options is one of `specs`.
    pub(crate) fn has_any(&self, specs: &[&str]) -> bool {
        specs.iter().any(|spec| self.has(spec))
    }

    /// The values of all options that are one of `specs`.
    pub(crate) fn values<'s>(&'s self, specs: &'s [&'s str]) -> impl Iterator<Item = Text<'r>> + 's {
        self.options
            .iter()
            .filter(move |option| specs.iter().any(|spec| option.is(spec)))
            .filter_map(Opt::value_or_next)
    }

    /// How many operands the subcommand `pattern` takes up, if the call has it: names separated by blanks, `*` inside a
    /// name, `**` for any names.
    pub(crate) fn sub(&self, pattern: &str) -> Option<usize> {
        if !self.may_begin(pattern) {
            return None;
        }
        let mut names: [&str; MAX_SUB_NAMES] = [""; MAX_SUB_NAMES];
        let mut count = 0;
        for (slot, name) in names.iter_mut().zip(pattern.split(' ')) {
            *slot = name;
            count += 1;
        }
        self.sub_of(&names[..count])
    }

    /// The same for a pattern that is split already.
    pub(crate) fn sub_of(&self, names: &[&str]) -> Option<usize> {
        if names.first().is_some_and(|first| !self.may_begin(first)) {
            return None;
        }
        self.sub_at(names, 0)
    }

    /// Whether the first operand may be like the first name of a pattern: mostly they begin with other letters.
    fn may_begin(&self, pattern: &str) -> bool {
        match (pattern.as_bytes().first(), self.operand(0).map(|text| text.as_bytes().first())) {
            (None | Some(b'*'), _) => true,
            (Some(first), Some(Some(own))) => first.eq_ignore_ascii_case(own),
            (Some(_), _) => false,
        }
    }

    fn sub_at(&self, names: &[&str], from: usize) -> Option<usize> {
        let Some((first, rest)) = names.split_first() else { return Some(from) };
        if *first == "**" {
            return (from..=self.operands.len()).find_map(|at| self.sub_at(rest, at));
        }
        if like(first, self.operands.get(from)?.as_literal()?) { self.sub_at(rest, from + 1) } else { None }
    }

    /// The known text of operand `at`.
    pub(crate) fn operand(&self, at: usize) -> Option<&'r str> {
        self.operands.get(at).and_then(|word| word.as_literal())
    }

    /// Whether the variable `name` is set for the command, to a value like `pattern` if there is one.
    pub(crate) fn env(&self, spec: &str) -> bool {
        let (name, pattern) = match spec.split_once('=') {
            Some((name, pattern)) => (name, Some(pattern)),
            None => (spec, None),
        };
        self.command.assignments.iter().any(|assignment| {
            like(name, &assignment.name)
                && pattern.is_none_or(|pattern| like(pattern, &Text::from(&assignment.value).known_parts()))
        })
    }

    /// The command as it would run, its words joined by blanks, with nothing where a text is not known.
    pub(crate) fn line(&self) -> String {
        let words: Vec<_> = self.command.argv.iter().map(|word| Text::from(word).known_parts()).collect();
        words.join(" ").replace(ANYTHING, "")
    }

    /// The command for people: its words, cut to a readable length.
    pub(crate) fn display(&self) -> String {
        let mut out = String::new();
        for word in &self.command.argv {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&word.display());
            if out.len() > 200 {
                return hookguard_core::clip(&out, 200);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use hookguard_shell::{Cwd, Place, Span, Stdin};

    use super::*;

    fn command(words: &[&str]) -> Command {
        Command {
            argv: words.iter().map(|word| Word::literal(*word)).collect(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            stdin: Stdin::Inherited,
            cwd: Cwd::Unknown,
            place: Place::default(),
            runs: None,
            via: Vec::new(),
            repeats: false,
            span: Span::default(),
        }
    }

    #[test]
    fn options_as_tools_read_them() {
        let push = command(&["/usr/bin/git", "-C", "x", "push", "--forc", "-qu", "origin", "main"]);
        let none = Reading::default();
        let push = Call::new(&none, &push);
        assert_eq!(push.program, "git");
        assert!(push.has("--force") && push.has("-q") && push.has("-u") && !push.has("--force-with-lease"));
        assert_eq!(push.sub("push"), Some(1));
        assert_eq!(push.operands.len(), 3);
        assert!(!push.has("-C") && push.has("-C=x"), "git's own -C is not the subcommand's");

        let sed = command(&["sed", "-i", "", "s/a/b/", "x"]);
        let sed = Call::new(&none, &sed);
        assert_eq!((sed.sub_words, sed.operands.len()), (1, 3), "the empty word belongs to -i");

        let commit = command(&["git", "commit", "-anm", "-f", "--", "-f"]);
        let commit = Call::new(&none, &commit);
        assert!(commit.has("-n") && !commit.has("-f"));
        assert_eq!(commit.operands.len(), 2);

        let apply = command(&["terraform", "-chdir=infra/prod", "apply", "-auto-approve"]);
        let apply = Call::new(&none, &apply);
        assert!(apply.has("-auto-approve") && apply.has("-chdir=*prod") && !apply.has("-a"));

        let other = command(&["deployer", "-o", "prod", "--env=live", "go"]);
        let other = Call::new(&none, &other);
        assert!(other.has("-o=prod") && other.has("--env=live"));
    }

    #[test]
    fn subcommands_by_pattern() {
        let call = command(&["gcloud", "sql", "instances", "delete", "x"]);
        let none = Reading::default();
        let call = Call::new(&none, &call);
        assert_eq!(call.sub("** delete"), Some(3));
        assert_eq!(call.sub("sql * delete"), Some(3));
        assert_eq!(call.sub("sql delete"), None);
    }
}
