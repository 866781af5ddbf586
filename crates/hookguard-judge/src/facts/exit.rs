//! Which command of a line an exit code speaks of: a pipe shows its last command's, `;` and `||` hide what stood before.

use hookguard_shell::syntax::{Compound, Kind, Mark, Node, Script, parse};

/// What is known of how a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Exit {
    /// It went well.
    Well,
    /// It failed.
    Failed,
    /// Its exit code is hidden or was not given.
    #[default]
    Unknown,
    /// It goes on in the background.
    Background,
}

/// A simple command of the line's own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Where its first word starts.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    pub(super) exit: Exit,
    /// The list of `&&` that it stands in: whoever went well there, all before did.
    pub(super) chain: usize,
    /// Its exit code would show in that of its list: it is not hidden by a pipe, `!` or `||`.
    pub(super) seen: bool,
}

/// The simple commands of `text` with how each ended, by the line's own `exit` and by what it printed of `$?`.
pub(super) fn places(text: &str, exit: Exit, output: &str) -> Vec<Place> {
    let script = parse(text);
    let mut walk =
        Walk { text, output, script: &script, found: Vec::new(), chains: 0, fail_fast: false, pipefail: false };
    walk.list(0, script.nodes.len(), exit);
    walk.found
}

/// Whether the only joints of `text` are `&&`: then each of its commands went well where the whole did.
pub(super) fn only_and(text: &str) -> bool {
    let joints = [Kind::Pipe, Kind::Or, Kind::Sequence, Kind::Background, Kind::Mark(Mark::Not)];
    !parse(text).nodes.iter().any(|node| joints.contains(&node.kind) || matches!(node.kind, Kind::Open(_)))
}

/// One pass over a text, with what `set -e` and `pipefail` are where it stands.
struct Walk<'a> {
    text: &'a str,
    output: &'a str,
    script: &'a Script,
    found: Vec<Place>,
    chains: usize,
    fail_fast: bool,
    pipefail: bool,
}

/// A piece of an and-or list: its nodes, and what joins it to the one before.
struct Piece {
    from: usize,
    to: usize,
    joint: Option<Kind>,
}

impl<'a> Walk<'a> {
    fn node(&self, at: usize) -> Option<&'a Node> {
        self.script.nodes.get(at)
    }

    fn list(&mut self, from: usize, to: usize, exit: Exit) {
        let items = self.split(from, to, &[Kind::Sequence, Kind::Background]);
        for (nth, item) in items.iter().enumerate() {
            let after = items.get(nth + 1);
            let background = matches!(self.node(item.to).map(|node| node.kind), Some(Kind::Background)) && item.to < to;
            let last = after.is_none();
            let first_found = self.found.len();
            let shown = after.and_then(|next| self.shown(next, nth + 2 == items.len(), exit));
            let own = match (background, last) {
                (true, _) => Exit::Background,
                (_, true) => exit,
                _ if self.fail_fast && exit == Exit::Well => Exit::Well,
                _ => Exit::Unknown,
            };
            self.and_or(item, own, exit, last || background);
            if let Some((which, shown)) = shown {
                self.tell(first_found, which, shown);
            }
        }
    }

    /// Nodes from `from` to `to`, split at the joints `at` on this level.
    fn split(&self, from: usize, to: usize, at: &[Kind]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let (mut start, mut here, mut joint) = (from, from, None);
        while here < to {
            let Some(node) = self.node(here) else { break };
            if at.contains(&node.kind) {
                if start < here {
                    pieces.push(Piece { from: start, to: here, joint });
                }
                joint = Some(node.kind);
                start = here + 1;
            }
            here = (node.next as usize).max(here + 1);
        }
        if start < to {
            pieces.push(Piece { from: start, to, joint });
        }
        pieces
    }

    fn and_or(&mut self, item: &Piece, exit: Exit, whole: Exit, exact: bool) {
        let pieces = self.split(item.from, item.to, &[Kind::And, Kind::Or]);
        self.chains += 1;
        let chain = self.chains;
        let mut exits = vec![Exit::Unknown; pieces.len()];
        // Under `set -e` a list goes on where one fails that is not its last.
        let mut left = if exact || pieces.len() == 1 { exit } else { Exit::Unknown };
        for nth in (0..pieces.len()).rev() {
            let by_or = pieces.get(nth).is_some_and(|piece| piece.joint == Some(Kind::Or));
            let single = nth == 0;
            if let Some(slot) = exits.get_mut(nth) {
                *slot = match (left, by_or, single) {
                    (Exit::Background, ..) => Exit::Background,
                    (known, _, true) => known,
                    (Exit::Well, false, _) => Exit::Well,
                    (Exit::Failed, true, _) => Exit::Failed,
                    _ => Exit::Unknown,
                };
            }
            left = match (left, by_or) {
                (Exit::Well, false) => Exit::Well,
                (Exit::Failed, true) => Exit::Failed,
                (Exit::Background, _) => Exit::Background,
                _ => Exit::Unknown,
            };
            // `… || exit 1`: the line would not have gone well.
            if by_or && whole == Exit::Well && pieces.get(nth).is_some_and(|piece| self.gives_up(piece)) {
                left = Exit::Well;
            }
        }
        // What stands before an `||` does not hand its result on, and what stands behind it may not have run.
        let hidden = pieces.iter().rposition(|piece| piece.joint == Some(Kind::Or));
        for (nth, piece) in pieces.iter().enumerate() {
            let seen = hidden.is_none_or(|or| nth > or);
            self.pipeline(piece, exits.get(nth).copied().unwrap_or_default(), chain, seen);
        }
    }

    fn pipeline(&mut self, piece: &Piece, exit: Exit, chain: usize, seen: bool) {
        let elements = self.split(piece.from, piece.to, &[Kind::Pipe]);
        let mut from = piece.from;
        let mut inverted = false;
        while let Some(Kind::Mark(mark)) = self.node(from).map(|node| node.kind) {
            inverted ^= mark == Mark::Not;
            from += 1;
        }
        let exit = match (inverted, exit) {
            (true, Exit::Well) => Exit::Failed,
            (true, Exit::Failed) => Exit::Well,
            (_, other) => other,
        };
        for (nth, element) in elements.iter().enumerate() {
            let last = nth + 1 == elements.len();
            let own = match exit {
                Exit::Background => Exit::Background,
                _ if last => exit,
                Exit::Well if self.pipefail => Exit::Well,
                _ => Exit::Unknown,
            };
            self.element(element, own, chain, seen && (last || self.pipefail) && !inverted);
        }
    }

    fn element(&mut self, element: &Piece, exit: Exit, chain: usize, seen: bool) {
        let mut at = element.from;
        while let Some(Kind::Mark(_)) = self.node(at).map(|node| node.kind) {
            at += 1;
        }
        let Some(node) = self.node(at) else { return };
        let inside = (node.next as usize).max(at + 1);
        match node.kind {
            Kind::Simple => {
                let words = self.words(at);
                self.options(&words);
                let (start, end) = (node.start as usize, node.end as usize);
                self.found.push(Place { start, end, exit, chain, seen });
            }
            Kind::Open(Compound::Subshell | Compound::Group) => {
                let before = (self.fail_fast, self.pipefail);
                self.list(at + 1, inside.saturating_sub(1), exit);
                if node.kind == Kind::Open(Compound::Subshell) {
                    (self.fail_fast, self.pipefail) = before;
                }
            }
            Kind::Open(_) => {
                let hidden = if exit == Exit::Background { exit } else { Exit::Unknown };
                for inner in at + 1..inside {
                    if let Some(node) = self.node(inner).filter(|node| node.kind == Kind::Simple) {
                        self.chains += 1;
                        let (start, end) = (node.start as usize, node.end as usize);
                        self.found.push(Place { start, end, exit: hidden, chain: self.chains, seen: false });
                    }
                }
            }
            _ => {}
        }
    }

    /// The words of the simple command at `at`, as written.
    fn words(&self, at: usize) -> Vec<&'a str> {
        let Some(simple) = self.node(at) else { return Vec::new() };
        let (mut here, end) = (at + 1, simple.next as usize);
        let mut words = Vec::new();
        while here < end {
            let Some(node) = self.node(here) else { break };
            if matches!(node.kind, Kind::Word(_)) {
                words.extend(self.text.get(node.start as usize..node.end as usize));
            }
            here = (node.next as usize).max(here + 1);
        }
        words
    }

    fn options(&mut self, words: &[&str]) {
        if words.first() != Some(&"set") {
            return;
        }
        for word in words.iter().skip(1) {
            self.pipefail |= *word == "pipefail";
            self.fail_fast |= word.starts_with('-') && !word.starts_with("--") && word.contains('e');
            self.fail_fast &= *word != "+e";
        }
    }

    /// Whether `piece` ends the line: `exit 1`, `false`, `{ echo …; exit 1; }`.
    fn gives_up(&self, piece: &Piece) -> bool {
        (piece.from..piece.to).any(|at| {
            self.node(at).is_some_and(|node| node.kind == Kind::Simple)
                && matches!(self.words(at).as_slice(), ["exit" | "return", code] if *code != "0")
        })
    }

    /// What the item `next` shows of the one before it: which command of the pipe, and how it ended.
    fn shown(&self, next: &Piece, last: bool, whole: Exit) -> Option<(Which, Exit)> {
        let node = self.node(next.from)?;
        if node.kind != Kind::Simple {
            return None;
        }
        let words = self.words(next.from);
        let told = |word: &&&str| word.contains("$?") || word.contains("PIPESTATUS[0]");
        let word = words.iter().find(told)?;
        let which = if word.contains("PIPESTATUS[0]") { Which::First } else { Which::Last };
        if matches!(words.first(), Some(&"exit" | &"return" | &"test" | &"[")) {
            return last.then_some((which, whole));
        }
        if !matches!(words.first(), Some(&"echo" | &"printf")) {
            return None;
        }
        let bare = word.trim_matches(['"', '\'']);
        let before = bare.find('$').and_then(|at| bare.get(..at))?;
        let digits = |text: &str| -> Option<i32> {
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            text.get(..end)?.parse().ok()
        };
        let code = match before.is_empty() {
            true => self.output.lines().rev().find_map(|line| line.trim().parse().ok())?,
            false => {
                self.output.rfind(before).and_then(|at| digits(self.output.get(at + before.len()..)?.trim_start()))?
            }
        };
        Some((which, if code == 0 { Exit::Well } else { Exit::Failed }))
    }

    fn tell(&mut self, from: usize, which: Which, exit: Exit) {
        let end = self.found.len();
        let at = match which {
            Which::Last => end.checked_sub(1),
            // The first of the last pipe: those that a pipe hides stand directly before its last.
            Which::First => {
                let hidden = |at: &usize| self.found.get(*at).is_some_and(|place| !place.seen);
                let first = (from..end.saturating_sub(1)).rev().take_while(hidden).last();
                first.or_else(|| end.checked_sub(1))
            }
        };
        if let Some(place) = at.filter(|at| *at >= from).and_then(|at| self.found.get_mut(at)) {
            place.exit = exit;
        }
    }
}

/// A command of a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    First,
    Last,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How the command that starts with `of` ended.
    fn of(text: &str, of: &str, exit: Exit, output: &str) -> Exit {
        let places = places(text, exit, output);
        places.iter().find(|place| text[place.start..].starts_with(of)).unwrap_or_else(|| panic!("{text}")).exit
    }

    #[test]
    fn an_exit_code_speaks_of_some() {
        use Exit::{Background, Failed, Unknown, Well};
        for (text, exit, output, want) in [
            ("T", Well, "", Well),
            ("T", Failed, "", Failed),
            ("T", Unknown, "", Unknown),
            ("a && T", Well, "", Well),
            ("T && b", Well, "", Well),
            ("T && b", Failed, "", Unknown),
            ("T; b", Well, "", Unknown),
            ("a; T", Well, "", Well),
            ("a\nT", Failed, "", Failed),
            ("T | tail -3", Well, "", Unknown),
            ("a | T", Well, "", Well),
            ("set -o pipefail; T | tail -3", Well, "", Well),
            ("set -euo pipefail\nT | tail -3\nb", Well, "", Well),
            ("set -e; T; b", Well, "", Well),
            ("T || true", Well, "", Unknown),
            ("T || b", Failed, "", Failed),
            ("T || exit 1; b", Well, "", Well),
            ("T || { echo no; exit 2; }; b", Well, "", Well),
            ("a || true && T", Well, "", Well),
            ("! T", Well, "", Failed),
            ("T &", Well, "", Background),
            ("a && T & b", Well, "", Background),
            ("(cd web && T)", Well, "", Well),
            ("(T; b) && c", Well, "", Unknown),
            ("{ a; T; }", Well, "", Well),
            ("if T; then b; fi", Well, "", Unknown),
            ("for i in 1 2; do T; done", Well, "", Unknown),
            ("T; echo $?", Well, "all\n1\n", Failed),
            ("T; echo \"exit: $?\"", Well, "ok\nexit: 0", Well),
            ("T > log 2>&1; echo rc=$?", Well, "rc=2", Failed),
            ("T | tee log; echo \"${PIPESTATUS[0]}\"", Well, "ok\n0", Well),
            ("T | tee log; exit ${PIPESTATUS[0]}", Well, "", Well),
            ("T | tee log; exit ${PIPESTATUS[0]}", Failed, "", Failed),
            ("time T", Well, "", Well),
        ] {
            assert_eq!(of(text, "T", exit, output), want, "{text}");
        }
    }
}
