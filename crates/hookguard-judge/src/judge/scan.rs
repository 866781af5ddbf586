//! One pass over a text for the words of all judges, then their patterns by sets of bits.

use super::fold::fold;
use super::lexicon::{GROUPS, HASH, Kind, Lexicon, List, NUMBER, Node, Rule, Within, Word};

/// A text, folded and cut into sentences.
#[derive(Debug)]
pub(crate) struct Text {
    folded: String,
    sentences: Vec<Sentence>,
    /// What stands between quotes, or as code inside a line, in order.
    quotes: Vec<(usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sentence {
    from: usize,
    to: usize,
    voice: Voice,
    /// Whether it ends in a question mark.
    asks: bool,
}

/// Whose words a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// The writer's own.
    Own,
    /// Perhaps the writer's own: a block that is no program, or a quoted line. It gives signals, and no advice.
    Shown,
    /// A program, in a fence that names its language. It counts only where words of the whole text are looked for.
    Code,
}

/// What one judge's patterns find.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) signal: bool,
    pub(crate) bypass: bool,
    pub(crate) advice: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bits([u64; GROUPS / 64]);

impl Bits {
    const NONE: Bits = Bits([0; GROUPS / 64]);

    fn set(&mut self, group: u16) {
        self.0[usize::from(group) / 64] |= 1 << (group % 64);
    }
    fn has(&self, group: u16) -> bool {
        self.0[usize::from(group) / 64] & (1 << (group % 64)) != 0
    }
    fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }
    fn are_none(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }
}

/// A word of a group that stands somewhere.
#[derive(Debug, Clone, Copy)]
struct Hit {
    group: u16,
    from: usize,
    to: usize,
    /// Whether it stands outside of quotes.
    loud: bool,
}

/// What a sentence holds.
struct Holds {
    sentence: Sentence,
    /// Groups that have a word in it.
    any: Bits,
    /// Groups that have one outside of quotes.
    loud: Bits,
    hits: (usize, usize),
}

impl Text {
    /// Folds and cuts `text`.
    pub(crate) fn of(text: &str) -> Text {
        let mut out = Text { folded: fold(text), sentences: Vec::new(), quotes: Vec::new() };
        let folded = std::mem::take(&mut out.folded);
        let mut fence: Option<Voice> = None;
        let mut from = 0;
        for line in folded.split_inclusive('\n') {
            let bare = line.trim();
            let to = from + line.trim_end().len();
            if let Some(named) = bare.strip_prefix("```").or_else(|| bare.strip_prefix("~~~")) {
                let prose = matches!(named.trim(), "" | "text" | "txt" | "md" | "markdown" | "plain" | "plaintext");
                fence = match fence {
                    Some(_) => None,
                    None => Some(if prose { Voice::Shown } else { Voice::Code }),
                };
            } else if let Some(voice) = fence {
                out.sentences.push(Sentence { from, to, voice, asks: false });
            } else if !bare.is_empty() {
                let voice = if bare.starts_with('>') { Voice::Shown } else { Voice::Own };
                out.line(folded.as_bytes(), from, to, voice);
            }
            from += line.len();
        }
        out.folded = folded;
        out
    }

    /// Cuts a line into sentences, and finds what it quotes. A quote ends with its line, so that a single mark (an inch) does
    /// not turn the rest of the text around.
    fn line(&mut self, text: &[u8], from: usize, to: usize, voice: Voice) {
        let mut start = from;
        let mut quote: Option<(u8, usize)> = None;
        let mut at = from;
        while at < to {
            let byte = text[at];
            match (byte, quote) {
                (b'"' | b'`' | b'\'', Some((mark, opened))) if mark == byte => {
                    self.quotes.push((opened, at));
                    quote = None;
                }
                (b'"' | b'`', None) => quote = Some((byte, at)),
                (b'\'', None) if opens(text, from, at, to) => quote = Some((byte, at)),
                (b'.' | b'!' | b'?', None) => {
                    let after = at + 1 + text[at + 1..to].iter().take_while(|byte| b"\")*.!?".contains(byte)).count();
                    // "1. " begins an item, and ends nothing.
                    let number = text[start..at].iter().all(|byte| byte.is_ascii_digit() || *byte == b' ');
                    if !number && (after == to || text[after] == b' ') {
                        let asks = text[at..after].contains(&b'?');
                        self.sentences.push(Sentence { from: start, to: after, voice, asks });
                        (start, at) = (after, after);
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if let Some((_, opened)) = quote {
            self.quotes.push((opened, to));
        }
        if start < to && text[start..to].iter().any(|byte| !byte.is_ascii_punctuation() && *byte != b' ') {
            let asks = text[start..to].ends_with(b"?\"");
            self.sentences.push(Sentence { from: start, to, voice, asks });
        }
    }

    /// What the patterns of `lexicon` find, for its judges in order.
    pub(crate) fn hear(&self, lexicon: &Lexicon<'_>, judges: usize) -> Vec<Heard> {
        let mut hits = Vec::new();
        let mut quotes = self.quotes.iter().copied().peekable();
        let mut sentences: Vec<Holds> = Vec::with_capacity(self.sentences.len());
        let (mut own, mut all, mut loud) = (Bits::NONE, Bits::NONE, Bits::NONE);
        for sentence in &self.sentences {
            let first = hits.len();
            let mut holds = Holds { sentence: *sentence, any: Bits::NONE, loud: Bits::NONE, hits: (first, first) };
            lexicon.find(&self.folded.as_bytes()[..sentence.to], sentence.from, |word, from, to| {
                while quotes.next_if(|quote| quote.1 < from).is_some() {}
                let quoted = quotes.peek().is_some_and(|quote| quote.0 < from);
                let is_loud = !quoted && sentence.voice == Voice::Own;
                for group in lexicon.list(word.groups) {
                    hits.push(Hit { group: *group, from, to, loud: is_loud });
                    holds.any.set(*group);
                    if is_loud {
                        holds.loud.set(*group);
                    }
                }
            });
            if sentence.asks {
                for group in lexicon.list(lexicon.questions) {
                    holds.any.set(*group);
                    holds.loud.set(*group);
                }
            }
            holds.hits.1 = hits.len();
            if holds.any.are_none() {
                // Sentences without a word still part those beside them.
                sentences.push(holds);
                continue;
            }
            all.add(&holds.any);
            if sentence.voice != Voice::Code {
                own.add(&holds.any);
            }
            if sentence.voice == Voice::Own {
                loud.add(&holds.loud);
            }
            sentences.push(holds);
        }
        let whole = Whole { sentences: &sentences, hits: &hits, own, all, loud };
        let mut heard = vec![Heard::default(); judges];
        // Advice first: a bypass may yield to it.
        for kind in [Kind::Advice, Kind::Signal, Kind::Bypass] {
            for rule in lexicon.rules.iter().filter(|rule| rule.kind == kind) {
                let Some(of) = heard.get_mut(usize::from(rule.judge)) else { continue };
                let known = match kind {
                    Kind::Advice => of.advice,
                    Kind::Signal => of.signal,
                    Kind::Bypass => of.bypass || rule.yields && of.advice,
                };
                if known || !self.matches(lexicon, rule, &whole) {
                    continue;
                }
                match kind {
                    Kind::Advice => of.advice = true,
                    Kind::Signal => of.signal = true,
                    Kind::Bypass => of.bypass = true,
                }
            }
        }
        heard
    }

    fn matches(&self, lexicon: &Lexicon<'_>, rule: &Rule, whole: &Whole<'_>) -> bool {
        let strict = rule.kind == Kind::Advice;
        let all = lexicon.list(rule.all);
        let then = lexicon.list(rule.then);
        // Most rules end here: what stands nowhere stands in no sentence.
        let anywhere = if strict { &whole.loud } else { &whole.all };
        if !all.iter().chain(then).all(|group| anywhere.has(*group)) {
            return false;
        }
        if lexicon.list(rule.never).iter().any(|group| whole.own.has(*group)) {
            return false;
        }
        let none = lexicon.list(rule.none);
        let fits = |bits: &Bits, any: &Bits| {
            all.iter().all(|group| bits.has(*group)) && !none.iter().any(|group| any.has(*group))
        };
        if rule.within == Within::Text {
            return fits(anywhere, &whole.own)
                && (then.is_empty() || whole.sentences.iter().any(|of| follows(then, rule.gap, strict, whole, of)))
                && self.meets(lexicon, rule, 0, self.folded.len());
        }
        let near = rule.within == Within::Near;
        whole.sentences.iter().enumerate().any(|(at, of)| {
            if of.any.are_none() || of.sentence.voice == Voice::Code || strict && of.sentence.voice != Voice::Own {
                return false;
            }
            let next = whole.sentences.get(at + 1).filter(|next| near && next.sentence.voice == of.sentence.voice);
            let (mut bits, mut any) = (if strict { of.loud } else { of.any }, of.any);
            if let Some(next) = next {
                bits.add(if strict { &next.loud } else { &next.any });
                any.add(&next.any);
            }
            fits(&bits, &any)
                && (then.is_empty()
                    || follows(then, rule.gap, strict, whole, of)
                    || next.is_some_and(|next| follows(then, rule.gap, strict, whole, next)))
                && self.meets(lexicon, rule, of.sentence.from, next.map_or(of.sentence.to, |next| next.sentence.to))
        })
    }

    /// Whether the rule's regular expression, if it has one, matches there. One that cannot be compiled matches nothing.
    fn meets(&self, lexicon: &Lexicon<'_>, rule: &Rule, from: usize, to: usize) -> bool {
        let Some(regex) = rule.regex.and_then(|at| lexicon.regexes.get(usize::from(at))) else {
            return rule.regex.is_none();
        };
        regex_lite::Regex::new(regex).is_ok_and(|regex| regex.is_match(self.folded[from..to].trim()))
    }
}

/// All that was found in a text.
struct Whole<'a> {
    sentences: &'a [Holds],
    hits: &'a [Hit],
    /// Groups of all sentences that are no program.
    own: Bits,
    /// Groups of all.
    all: Bits,
    /// Groups that stand outside of quotes.
    loud: Bits,
}

/// Whether words of the groups follow one another in the sentence.
fn follows(groups: &[u16], gap: u8, strict: bool, whole: &Whole<'_>, of: &Holds) -> bool {
    let hits = &whole.hits[of.hits.0..of.hits.1];
    let mut ends: Option<Vec<usize>> = None;
    for group in groups {
        let fits = |hit: &&Hit| {
            hit.group == *group
                && (hit.loud || !strict)
                && ends
                    .as_ref()
                    .is_none_or(|ends| ends.iter().any(|end| hit.from >= *end && hit.from - end <= usize::from(gap)))
        };
        let next: Vec<usize> = hits.iter().filter(fits).map(|hit| hit.to).collect();
        if next.is_empty() {
            return false;
        }
        ends = Some(next);
    }
    true
}

impl Lexicon<'_> {
    pub(crate) fn list(&self, list: List) -> &[u16] {
        self.lists.get(usize::from(list.at)..usize::from(list.at) + usize::from(list.len)).unwrap_or_default()
    }

    /// Tells every word of `text[from..]` with its place. `text` ends where the sentence does.
    fn find(&self, text: &[u8], from: usize, mut tell: impl FnMut(&Word, usize, usize)) {
        let mut inside = false;
        for at in from..text.len() {
            let byte = text[at];
            // A word begins at a letter that follows none, at a sign, and at every character that is not ASCII.
            if byte.is_ascii_alphanumeric() {
                if std::mem::replace(&mut inside, true) {
                    continue;
                }
            } else {
                inside = byte == b'_';
                if byte == b' ' || byte & 0xC0 == 0x80 {
                    continue;
                }
            }
            self.start(byte, text, at, &mut tell);
            if byte.is_ascii_hexdigit() {
                self.start(HASH, text, at, &mut tell);
                if byte.is_ascii_digit() {
                    self.start(NUMBER, text, at, &mut tell);
                }
            }
        }
    }

    /// Tells the words with this first byte that stand at `from`.
    fn start(&self, first: u8, text: &[u8], from: usize, tell: &mut impl FnMut(&Word, usize, usize)) {
        let at = self.starts.get(usize::from(first)).copied().unwrap_or_default();
        if let Some(node) = usize::from(at).checked_sub(1).and_then(|at| self.nodes.get(at)).copied()
            && let Some(to) = meets(first, text, from)
        {
            self.walk(node, text, from, to, tell);
        }
    }

    /// Tells the words below `node`, of which `text[from..to]` has been met.
    fn walk(
        &self,
        mut node: Node,
        text: &[u8],
        from: usize,
        mut to: usize,
        tell: &mut impl FnMut(&Word, usize, usize),
    ) {
        loop {
            let word = usize::from(node.word);
            for word in self.words.get(word..word + usize::from(node.ends)).unwrap_or_default() {
                if !word.whole || text.get(to).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_') {
                    tell(word, from, to);
                }
            }
            let kid = usize::from(node.kid);
            let Some(kids) = self.nodes.get(kid..kid + usize::from(node.kids)) else { return };
            let Some(&byte) = text.get(to) else { return };
            // A number, a hash and a blank meet more than one byte; they come first.
            let mut next = None;
            for kid in kids {
                if kid.byte <= b' ' {
                    if let Some(to) = meets(kid.byte, text, to) {
                        self.walk(*kid, text, from, to, tell);
                    }
                } else if kid.byte >= byte {
                    next = Some(*kid).filter(|kid| kid.byte == byte);
                    break;
                }
            }
            let Some(kid) = next else { return };
            (node, to) = (kid, to + 1);
        }
    }
}

/// Where a byte of a word ends in the text if it stands at `at`.
fn meets(byte: u8, text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    match byte {
        b' ' => {
            let blanks = rest.iter().take(4).take_while(|byte| b" -`*\"'_".contains(byte)).count();
            (blanks > 0).then_some(at + blanks)
        }
        NUMBER => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
            // None of anything is no number of them: "0 failed".
            (!rest[..digits].iter().all(|byte| *byte == b'0')).then_some(at + digits)
        }
        HASH => {
            let len = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            let ends = rest.get(len).is_none_or(|next| !next.is_ascii_alphanumeric());
            // "defaced" is a word, and 20260101 a date.
            let told = rest[..len].iter().any(u8::is_ascii_digit) && rest[..len].iter().any(u8::is_ascii_lowercase);
            ((7..=40).contains(&len) && ends && told).then_some(at + len)
        }
        letter => (rest.first() == Some(&letter)).then_some(at + 1),
    }
}

/// Whether the apostrophe at `at` opens a quote: it stands before a word and after none, and its like closes it.
fn opens(text: &[u8], from: usize, at: usize, to: usize) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    let free = at == from || !word(&text[at - 1]);
    let rest = &text[at + 1..to];
    free && rest.first().is_some_and(word)
        && rest
            .iter()
            .enumerate()
            .skip(1)
            .any(|(place, byte)| *byte == b'\'' && rest.get(place + 1).is_none_or(|next| !word(next)))
}
