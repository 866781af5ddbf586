//! fish's grammar, rewritten into the shell's, so that code for fish is read as what it does.
//!
//! One pass over the text: `(x)` becomes `$(x)`, blocks that end in `end` get the shell's own words, `and`, `or` and `not`
//! stand before commands as they do, and quotes are written the other way. What has no counterpart becomes something that
//! nobody can read, never something harmless.

/// The text of fish code as the shell would have it.
pub(super) fn as_shell(text: &str) -> String {
    let mut out = Rewriter { text, at: 0, out: String::with_capacity(text.len() + text.len() / 4), depth: 0 };
    while out.at < text.len() {
        out.list();
        // A `)` that nothing opened: the shell can't read it either.
        if out.take(")") {
            out.out.push(')');
        }
    }
    out.out
}

/// How deep substitutions are followed; the parser behind asks about what is deeper.
const MAX_DEPTH: usize = 64;

/// What `end` ends, and what stands between its head and its body.
struct Block {
    end: &'static str,
    body: Option<&'static str>,
}

struct Rewriter<'t> {
    text: &'t str,
    at: usize,
    out: String,
    depth: usize,
}

impl<'t> Rewriter<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take(&mut self, start: &str) -> bool {
        let found = self.rest().starts_with(start);
        self.at += if found { start.len() } else { 0 };
        found
    }

    /// Commands up to the end or a `)`.
    fn list(&mut self) {
        let mut blocks: Vec<Block> = Vec::new();
        // Whether a command may begin here, and whether nothing stands behind the last `;` or the head of a block.
        let (mut start, mut empty) = (true, true);
        while let Some(char) = self.rest().chars().next() {
            match char {
                ')' => break,
                ' ' | '\t' | '\r' => {
                    self.at += 1;
                    self.out.push(' ');
                }
                '\n' | ';' => {
                    self.at += 1;
                    if char == '\n' || !empty {
                        self.out.push(char);
                    }
                    if let Some(body) = blocks.last_mut().and_then(|block| block.body.take()) {
                        self.out.push_str(body);
                    }
                    (start, empty) = (true, true);
                }
                '#' if self.out.ends_with([' ', '\n', ';']) || self.out.is_empty() => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                '|' | '&' => {
                    let joined = ["&&", "||", "&|", "&>>", "&>"].into_iter().find(|sign| self.take(sign));
                    let sign = joined.unwrap_or(if char == '|' { "|" } else { "&" });
                    self.at += usize::from(joined.is_none());
                    self.out.push_str(if sign == "&|" { "|&" } else { sign });
                    start |= !sign.starts_with("&>");
                    empty |= sign == "&";
                }
                _ if start => {
                    let before = self.out.len();
                    start = self.command(&mut blocks);
                    empty = empty && (self.out.len() == before || self.out.ends_with(":; "));
                }
                _ => self.word(),
            }
        }
    }

    /// The first word of a command; whether another may follow as one.
    fn command(&mut self, blocks: &mut Vec<Block>) -> bool {
        let length = self.rest().find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(self.rest().len());
        let name = &self.rest()[..length];
        let ends =
            self.rest()[length..].chars().next().is_none_or(|char| char.is_whitespace() || ";)&|#".contains(char));
        if !ends || name.is_empty() {
            self.word();
            return false;
        }
        let mut open = |out: &mut String, head: &str, end, body| {
            out.push_str(head);
            blocks.push(Block { end, body });
        };
        self.at += length;
        match name {
            "if" => open(&mut self.out, "if ", "fi", Some(" then :; ")),
            "while" => open(&mut self.out, "while ", "done", Some(" do :; ")),
            "for" => {
                open(&mut self.out, "for", "done", Some(" do :; "));
                return false;
            }
            "begin" => open(&mut self.out, "{ :; ", "}", None),
            "switch" => {
                open(&mut self.out, "{ : ", "}", None);
                return false;
            }
            "function" => {
                let head = self.function_head();
                open(&mut self.out, &head, "}", None);
            }
            "else" => {
                let spaces = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
                let after = &self.rest()[spaces..];
                if after.strip_prefix("if").is_some_and(|after| after.starts_with(|char: char| char.is_whitespace())) {
                    self.at += spaces + 2;
                    self.out.push_str("elif ");
                    if let Some(block) = blocks.last_mut() {
                        block.body = Some(" then :; ");
                    }
                } else {
                    self.out.push_str("else :; ");
                }
            }
            "case" => {
                self.out.push_str(": ");
                return false;
            }
            "end" => {
                match blocks.pop() {
                    // Its head was its last command: nothing ended it yet.
                    Some(Block { end, body: Some(body) }) => {
                        self.out.push(';');
                        self.out.push_str(body);
                        self.out.push_str(end);
                    }
                    Some(block) => self.out.push_str(block.end),
                    None => self.out.push(':'),
                }
                return false;
            }
            "and" | "or" => {}
            "not" => self.out.push_str("! "),
            "set" => {
                self.set();
                return false;
            }
            // `alias NAME BODY` makes a command that the shell would not know.
            "alias" => {
                self.out.push_str("eval $__fish_alias ");
                return false;
            }
            // Without a file it reads its input.
            "source" if matches!(self.ahead().as_slice(), [] | ["-"]) => {
                self.out.push_str("fish");
                return false;
            }
            name => {
                self.out.push_str(name);
                return false;
            }
        }
        true
    }

    /// The words up to the end of the command, as they stand.
    fn ahead(&self) -> Vec<&'t str> {
        let (mut words, mut at) = (Vec::new(), self.at);
        let (mut from, mut nested, mut quote) = (None, 0_usize, None);
        let mut chars = self.rest().char_indices().peekable();
        while let Some((offset, char)) = chars.next() {
            at = self.at + offset;
            let ends = quote.is_none() && nested == 0;
            if ends && (char.is_whitespace() || ";)&|".contains(char)) {
                words.extend(from.take().map(|from| &self.text[from..at]));
                if !matches!(char, ' ' | '\t' | '\r') {
                    return words;
                }
                continue;
            }
            from = from.or(Some(at));
            at += char.len_utf8();
            match (quote, char) {
                (_, '\\') => at += chars.next().map_or(0, |(_, char)| char.len_utf8()),
                (Some(open), char) if open == char => quote = None,
                (None, '\'' | '"') => quote = Some(char),
                (None, '(') => nested += 1,
                (None, ')') => nested = nested.saturating_sub(1),
                _ => {}
            }
        }
        words.extend(from.map(|from| &self.text[from..at]));
        words
    }

    /// `function NAME OPTIONS`, up to its end.
    fn function_head(&mut self) -> String {
        let words = self.ahead();
        if let Some(last) = words.last() {
            self.at = last.as_ptr() as usize - self.text.as_ptr() as usize + last.len();
        }
        let plain = |name: &&&str| name.chars().all(|char| char.is_ascii_alphanumeric() || "_-.".contains(char));
        // What an event calls is run.
        let called =
            words.iter().any(|word| word.starts_with("--on-") || matches!(*word, "-e" | "-v" | "-p" | "-j" | "-s"));
        match words.first().filter(plain) {
            Some(name) if !called => format!("{name}() {{ :; "),
            _ => "{ :; ".to_owned(),
        }
    }

    /// `set NAME VALUE` gives a variable one value; all else makes it unknown.
    fn set(&mut self) {
        let words = self.ahead();
        let flags = words.iter().take_while(|word| word.starts_with('-')).count();
        let given = |long: &[&str], letters: &[char]| {
            words[..flags].iter().any(|flag| long.contains(flag) || !flag.starts_with("--") && flag.contains(letters))
        };
        if given(&["--query", "--names"], &['q', 'n']) {
            self.out.push_str(": ");
            return;
        }
        let Some(first) = words.get(flags) else {
            self.out.push_str("printenv; : ");
            return;
        };
        // `x[1]` is an element.
        let name = first.split('[').next().unwrap_or(first);
        if name.is_empty() || !name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_') {
            self.out.push_str("eval $__fish_set ");
            return;
        }
        self.at = name.as_ptr() as usize - self.text.as_ptr() as usize + name.len();
        let changes = given(&["--append", "--prepend", "--erase", "--show"], &['a', 'p', 'e', 'S']);
        if words.len() == flags + 2 && !changes && name == *first {
            self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
            self.out.push_str(name);
            self.out.push('=');
        } else {
            self.out.push_str("read ");
            self.out.push_str(name);
            self.out.push_str("; : ");
        }
    }

    /// One word, or a sign that stands for itself.
    fn word(&mut self) {
        while let Some(char) = self.rest().chars().next() {
            match char {
                '\'' => self.single(),
                '"' => self.double(),
                '\\' => self.escape(),
                '`' => {
                    self.at += 1;
                    self.out.push_str("\\`");
                }
                '(' => {
                    self.at += 1;
                    self.substitution();
                }
                '$' => self.variable(),
                '{' if self.rest().starts_with("{$") => self.braced(),
                ')' | ';' | '\n' | '|' | '&' | ' ' | '\t' | '\r' => return,
                _ => {
                    self.at += char.len_utf8();
                    self.out.push(char);
                    if matches!(char, '<' | '>') {
                        // `>&2` is no end of a command.
                        if self.take("&") {
                            self.out.push('&');
                        }
                        return;
                    }
                }
            }
        }
    }

    /// A substitution, behind its bracket.
    fn substitution(&mut self) {
        if self.depth == MAX_DEPTH {
            self.out.push('(');
            return;
        }
        self.depth += 1;
        // The blank keeps `((` from being arithmetic.
        self.out.push_str("$( ");
        self.list();
        self.depth -= 1;
        if self.take(")") {
            self.out.push(')');
        }
    }

    fn variable(&mut self) {
        self.at += 1;
        if self.take("(") {
            self.substitution();
        } else if self.rest().starts_with('$') {
            // The variable that another one names.
            self.at += self.rest().len() - self.rest().trim_start_matches('$').len();
            self.out.push_str("${!__fish_named}");
        } else {
            self.out.push('$');
        }
    }

    /// `{$name}` is the variable alone.
    fn braced(&mut self) {
        let inner = &self.rest()[2..];
        let length = inner.find(|char: char| !char.is_ascii_alphanumeric() && char != '_').unwrap_or(inner.len());
        if length > 0 && inner[length..].starts_with('}') {
            self.out.push_str("${");
            self.out.push_str(&inner[..=length]);
            self.at += length + 3;
        } else {
            self.at += 1;
            self.out.push('{');
        }
    }

    /// `'…'`, in which `\'` and `\\` are escapes.
    fn single(&mut self) {
        self.at += 1;
        self.out.push('\'');
        while let Some(char) = self.rest().chars().next() {
            self.at += char.len_utf8();
            match char {
                '\'' => {
                    self.out.push('\'');
                    return;
                }
                '\\' if self.take("'") => self.out.push_str("'\\''"),
                '\\' if self.take("\\") => self.out.push('\\'),
                char => self.out.push(char),
            }
        }
    }

    /// `"…"`, in which backticks are themselves.
    fn double(&mut self) {
        self.at += 1;
        self.out.push('"');
        while let Some(char) = self.rest().chars().next() {
            match char {
                '$' => self.variable(),
                '\\' => {
                    self.at += 1;
                    self.out.push('\\');
                    let next = self.rest().chars().next();
                    self.at += next.map_or(0, char::len_utf8);
                    if next == Some('`') {
                        self.out.push('\\');
                        self.out.push('\\');
                    }
                    self.out.extend(next);
                }
                '`' => {
                    self.at += 1;
                    self.out.push_str("\\`");
                }
                char => {
                    self.at += char.len_utf8();
                    self.out.push(char);
                    if char == '"' {
                        return;
                    }
                }
            }
        }
    }

    /// A backslash outside of quotes; some name a character by its number.
    fn escape(&mut self) {
        let rest = self.rest();
        let digits = |from: usize, most: usize, radix: u32| {
            let count = rest[from..].chars().take(most).take_while(|char| char.is_digit(radix)).count();
            (count > 0).then_some(from + count)
        };
        let length = match rest.as_bytes().get(1) {
            Some(b'x' | b'X') => digits(2, 2, 16),
            Some(b'u') => digits(2, 4, 16),
            Some(b'U') => digits(2, 8, 16),
            Some(b'0'..=b'7') => digits(1, 3, 8),
            Some(b'n' | b't' | b'r' | b'e' | b'a' | b'b' | b'f' | b'v') => Some(2),
            _ => None,
        };
        if let Some(length) = length {
            self.at += length;
            self.out.push_str("$'");
            self.out.push_str(&rest[..length].replace('X', "x"));
            self.out.push('\'');
        } else {
            let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            self.at += length;
            self.out.push_str(&rest[..length]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::as_shell;

    #[test]
    fn blocks_and_substitutions() {
        for (fish, shell) in [
            ("echo a; ls", "echo a; ls"),
            ("for p in $PATH; echo $p; end", "for p in $PATH; do :;  echo $p; done"),
            (
                "if test -e x; rm x; else if true; ls; else; pwd; end",
                "if  test -e x; then :;  rm x; elif  true; then :;  ls; else :;  pwd; fi",
            ),
            ("while true\n ls\nend", "while  true\n do :;  ls\ndone"),
            ("echo (count (ls))", "echo $( count $( ls))"),
            ("set out (ls /tmp); echo $out", "out=$( ls /tmp); echo $out"),
            ("set -l x a b", "read x; :  a b"),
            ("set -e x[1]; set; set $n 1", "read x; : [1]; printenv; : ; eval $__fish_set  $n 1"),
            ("set -q X; and echo $X; or begin; ls; end", ":  -q X;  echo $X;  { :;  ls; }"),
            ("function f --description 'a b'; rm $argv; end; f", "f() { :;  rm $argv; }; f"),
            ("function f --on-event x; ls; end", "{ :;  ls; }"),
            ("switch $x; case a; ls; end", "{ :  $x; :  a; ls; }"),
            ("echo 'it\\'s' \"a`b`\" >&2 &", "echo 'it'\\''s' \"a\\`b\\`\" >&2 &"),
            ("rm {$HOME}/x \\x2f $$name", "rm ${HOME}/x $'\\x2f' ${!__fish_named}name"),
            ("ls # rm\n ls", "ls \n ls"),
            ("curl x | source; source y", "curl x | fish; source y"),
            ("ls &| cat; not ls | grep x", "ls |& cat; !  ls | grep x"),
        ] {
            assert_eq!(as_shell(fish), shell, "{fish}");
        }
    }

    #[test]
    fn hostile_texts_end() {
        for piece in [
            "(",
            "(set a ",
            "function f (",
            "set x \n",
            "if ",
            "'",
            "\"$(",
            "\\",
            "{$",
            "$$",
            "end ",
            "\\x",
            "é(#",
            "&|",
        ] {
            let text = piece.repeat(20_000);
            let shell = as_shell(&text);
            assert!(shell.len() < 20 * text.len(), "{piece}: {} of {}", shell.len(), text.len());
        }
    }
}
