//! The syntax layer against 97 readings of bash (`shell_tricky.txt`; its head tells the notation).
//!
//! Redirects stand behind all commands of their pipeline, as in the file.

#![expect(clippy::unwrap_used, reason = "a test")]

use hookguard_shell::syntax::{Kind, Node, RedirectOp, Script, parse};

const FILE: &str = include_str!("shell_tricky.txt");

#[test]
fn tricky_texts_read_as_bash_reads_them() {
    let mut blocks = 0;
    let mut wrong = Vec::new();
    let body = FILE.lines().skip_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n") + "\n";
    for block in body.split("\n%%\n").flat_map(|block| block.split("%%\n")) {
        let Some((title, rest)) = block.trim_start_matches('\n').split_once('\n') else { continue };
        let title = title.trim_end();
        let (text, expected) = match rest.strip_prefix("--\n") {
            Some(expected) => ("", expected),
            None => rest.split_once("\n--\n").or_else(|| rest.strip_suffix("\n--").map(|text| (text, ""))).unwrap(),
        };
        blocks += 1;
        let mut found = Listing::of(text);
        let mut expected: Vec<&str> = expected.lines().filter(|line| *line != "%%").collect();
        if expected.first().is_some_and(|line| *line == "!err") {
            expected.remove(0);
            if parse(text).errors.is_empty() {
                found.insert(0, "no error".to_owned());
            }
        } else if let Some(error) = parse(text).errors.first() {
            found.insert(0, format!("error: {} at {}", error.what, error.at));
        }
        if found != expected {
            wrong.push(format!("{title}\n  text {text:?}\n  found {found:?}\n  expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {blocks} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(blocks, 97);
}

/// A script as the file lists it.
struct Listing<'s> {
    text: &'s str,
    script: &'s Script,
    lines: Vec<String>,
}

impl Listing<'_> {
    fn of(text: &str) -> Vec<String> {
        let script = parse(text);
        let mut listing = Listing { text, script: &script, lines: Vec::new() };
        listing.list(0, script.nodes.len());
        listing.lines
    }

    /// Lists the statements from `at` to `end`: commands at once, redirects when their pipeline ends.
    fn list(&mut self, mut at: usize, end: usize) {
        let mut redirects: Vec<Vec<String>> = vec![Vec::new()];
        while at < end {
            let node = self.script.nodes[at];
            match node.kind {
                Kind::Simple => {
                    let mut own = Vec::new();
                    self.simple(at, &mut own);
                    redirects.last_mut().unwrap().extend(own);
                    at = node.next as usize;
                    continue;
                }
                Kind::Sequence | Kind::Background | Kind::And | Kind::Or | Kind::Mark(_) => {
                    let own = std::mem::take(redirects.last_mut().unwrap());
                    self.lines.extend(own);
                }
                Kind::Open(_) => redirects.push(Vec::new()),
                Kind::Close(_) => {
                    let own = redirects.pop().unwrap();
                    self.lines.extend(own);
                }
                Kind::Redirect(_) => {
                    let mut own = Vec::new();
                    self.redirect(at, &mut own);
                    redirects.last_mut().unwrap().extend(own);
                    at = node.next as usize;
                    continue;
                }
                Kind::Word(_) => {
                    self.nested(at);
                    at = node.next as usize;
                    continue;
                }
                Kind::HereText => {
                    at = node.next as usize;
                    continue;
                }
                // Expansions inside of arithmetic.
                Kind::Substitution | Kind::Param | Kind::Backtick | Kind::Arithmetic | Kind::Subscript => {
                    self.nested_part(at);
                    at = node.next as usize;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        for own in redirects {
            self.lines.extend(own);
        }
    }

    fn simple(&mut self, at: usize, redirects: &mut Vec<String>) {
        let node = self.script.nodes[at];
        let words: Vec<String> = self
            .children(at)
            .filter(|&child| matches!(self.script.nodes[child].kind, Kind::Word(_)))
            .map(|word| self.word(word))
            .collect();
        if !words.is_empty() {
            self.lines.push(words.join(" "));
        }
        let mut child = at + 1;
        while child < node.next as usize {
            match self.script.nodes[child].kind {
                Kind::Redirect(_) => self.redirect(child, redirects),
                _ => self.nested(child),
            }
            child = self.script.nodes[child].next as usize;
        }
    }

    fn redirect(&mut self, at: usize, redirects: &mut Vec<String>) {
        let node = self.script.nodes[at];
        let Kind::Redirect(op) = node.kind else { return };
        self.nested(at);
        let target = self.word(at + 1);
        match op {
            RedirectOp::Read | RedirectOp::DupIn => {}
            RedirectOp::HereDoc | RedirectOp::HereDocTabs => {
                let body = self
                    .children(at)
                    .find(|&child| self.script.nodes[child].kind == Kind::Body)
                    .map(|body| self.script.nodes[body].start as usize)
                    .filter(|&body| body > 0);
                redirects.push(format!("<<:{}", body.map(|body| self.parts(body)).unwrap_or_default()));
                if let Some(body) = body {
                    let before = self.lines.len();
                    self.nested(body);
                    redirects.extend(self.lines.split_off(before));
                }
            }
            RedirectOp::HereString => redirects.push(format!("<<:{target}")),
            RedirectOp::DupOut if target.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {}
            _ => redirects.push(format!(">:{target}")),
        }
    }

    fn children(&self, at: usize) -> impl Iterator<Item = usize> + use<'_> {
        let end = self.script.nodes[at].next as usize;
        let mut child = at + 1;
        std::iter::from_fn(move || {
            let this = child;
            (this < end).then(|| {
                child = self.script.nodes[this].next as usize;
                this
            })
        })
    }

    /// Lists the commands that stand inside a node.
    fn nested(&mut self, at: usize) {
        for child in self.children(at).collect::<Vec<_>>() {
            self.nested_part(child);
        }
    }

    fn nested_part(&mut self, at: usize) {
        let node = self.script.nodes[at];
        match node.kind {
            Kind::Substitution | Kind::FunSub | Kind::ProcessIn | Kind::ProcessOut => {
                self.list(at + 1, node.next as usize);
            }
            Kind::Backtick => {
                let inner = &self.script.inner[node.start as usize];
                let mut listing = Listing { text: &inner.text, script: &inner.script, lines: Vec::new() };
                listing.list(0, inner.script.nodes.len());
                self.lines.extend(listing.lines);
            }
            _ => self.nested(at),
        }
    }

    fn word(&self, at: usize) -> String {
        let node = self.script.nodes[at];
        let text = if node.next as usize == at + 1 { self.span(node) } else { self.parts(at) };
        if text.is_empty() { "''".to_owned() } else { text }
    }

    fn parts(&self, at: usize) -> String {
        let mut out = String::new();
        for child in self.children(at) {
            let node = self.script.nodes[child];
            match node.kind {
                Kind::Lit | Kind::Quoted | Kind::ExtGlob => out.push_str(&self.span(node)),
                Kind::Ansi => out.push_str(&ansi(&self.span(node))),
                Kind::Double => out.push_str(&self.parts(child)),
                Kind::ProcessIn => out.push_str("<()"),
                Kind::ProcessOut => out.push_str(">()"),
                Kind::Array => out.push_str("()"),
                _ => out.push('$'),
            }
        }
        out
    }

    fn span(&self, node: Node) -> String {
        self.text[node.start as usize..node.end as usize].replace(' ', "·").replace('\t', "→").replace('\n', "⏎")
    }
}

/// The few escapes that the file has; the evaluating layer has its own tests.
fn ansi(raw: &str) -> String {
    raw.replace("\\x72", "r").replace("\\x6d", "m").replace("\\t", "→").replace("\\'", "'")
}
