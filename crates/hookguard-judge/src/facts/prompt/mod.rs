//! What the user's prompt says, as flags: verification waived, a bug reported, only a part ordered …
//!
//! Small lexicons of word groups, one file a language. What leads to a block (a bug is reported) is read strictly, what excuses
//! (a waiver) generously.

mod de;
mod en;
mod es;
mod fr;
mod ja;
mod words;
mod zh;

use super::bigrams::Bigrams;
use words::{Head, Sentence, is_unspaced, sentences};

/// Alternatives of word groups ([`words`]).
type Groups = &'static [&'static str];

/// Those of them that a text may hold.
type Held = Vec<Head>;

/// The word groups of one language.
struct Lexicon<G = Groups> {
    /// Whether its words stand apart.
    spaced: bool,
    /// Something misbehaves, whatever else is said.
    symptom: G,
    /// It misbehaves, if nothing new is ordered.
    hint: G,
    /// It is to be repaired.
    repair: G,
    /// What is repaired that is no behaviour: spelling, layout, warnings.
    trivial: G,
    /// Something new or other is ordered: the first words of a sentence.
    order: G,
    /// What is done with the work at its end: no order of its own (`commit`).
    handout: G,
    /// Words of an order that are names too, unless an article follows: `search results vanished`.
    name: G,
    article: G,
    /// What else may follow an order: `sync to disk`.
    particle: G,
    /// Words that open a statement: another word before an article is an order (`restart the worker`).
    opener: G,
    /// How it should be, rather than how it is.
    wish: G,
    /// But it is not.
    contrast: G,
    /// Verification is not wanted.
    waiver: G,
    /// What makes that mean something else: `without breaking the tests`, `do not commit without tests`.
    no_waiver: G,
    /// The user has reproduced it, or does not want it reproduced.
    reproduced: G,
    /// A workaround is ordered.
    workaround: G,
    /// Only a part, or only a plan, is ordered.
    limited: G,
    /// A stub or made-up data are ordered.
    stub: G,
    /// The expectation of a test is to be changed.
    expectation: G,
    /// Files were changed, as a report says it.
    edited: G,
    /// Nothing was run, as a report says it.
    not_run: G,
}

const LEXICONS: [&Lexicon; 6] = [&en::LEXICON, &fr::LEXICON, &de::LEXICON, &es::LEXICON, &ja::LEXICON, &zh::LEXICON];

impl Lexicon {
    /// The lexicon with no more of each than may stand in `text`.
    fn held_by(&self, text: &str, pairs: &Bigrams, sentences: &[Sentence<'_>]) -> Lexicon<Held> {
        let held = |groups: Groups| words::heads(groups, self.spaced, text, pairs, sentences);
        Lexicon {
            spaced: self.spaced,
            symptom: held(self.symptom),
            hint: held(self.hint),
            repair: held(self.repair),
            trivial: held(self.trivial),
            order: held(self.order),
            handout: held(self.handout),
            name: held(self.name),
            article: held(self.article),
            particle: held(self.particle),
            opener: held(self.opener),
            wish: held(self.wish),
            contrast: held(self.contrast),
            waiver: held(self.waiver),
            no_waiver: held(self.no_waiver),
            reproduced: held(self.reproduced),
            workaround: held(self.workaround),
            limited: held(self.limited),
            stub: held(self.stub),
            expectation: held(self.expectation),
            edited: held(self.edited),
            not_run: held(self.not_run),
        }
    }
}

impl Lexicon<Held> {
    fn find_in(&self, sentence: &Sentence<'_>, groups: &[Head]) -> bool {
        if self.spaced { sentence.has(groups) } else { sentence.holds(groups) }
    }

    /// Whether a repair is ordered, by none of the words at `named`: `the fix` is a name.
    fn repairs(&self, sentence: &Sentence<'_>, named: &[usize]) -> bool {
        if !self.spaced {
            return sentence.holds(&self.repair);
        }
        (0..sentence.words.len()).any(|at| sentence.starts(at, &self.repair) && !named.contains(&at))
    }

    /// Which clauses of the sentence start with one of the words of an order, behind what is polite: the first one, and any.
    fn orders(&self, sentence: &Sentence<'_>, names: &[usize]) -> (bool, bool) {
        let patterns = &self.order;
        if !self.spaced {
            let ordered = sentence.holds(patterns);
            return (ordered, ordered);
        }
        const POLITE: &[&str] = &[
            "please", "can", "could", "would", "you", "now", "then", "and", "just", "also", "let", "s", "we", "need",
            "to", "i", "d", "want", "like", "quickly", "so", "next", "first", "ok", "okay", "hi", "hey", "hello", "go",
            "ahead", "help", "me", "bitte", "und", "dann", "kannst", "du", "jetzt", "mal", "noch", "il", "te", "plaît",
            "puis", "et", "peux", "tu", "pourrais", "abord", "ensuite", "por", "favor", "y", "luego", "puedes",
            "ahora", "primero",
        ];
        let ordered = |start: &usize| {
            let polite = sentence.words.iter().skip(*start).take_while(|word| POLITE.contains(word)).count();
            let named = names.contains(start);
            !named && sentence.starts(*start, patterns) || polite > 0 && sentence.starts(start + polite, patterns)
        };
        (sentence.clauses.first().is_some_and(ordered), sentence.clauses.iter().any(ordered))
    }
}

/// How much of a prompt is read, in bytes: the ledger keeps as much.
const MAX_BYTES: usize = 4000;

/// What a prompt says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) waived: bool,
    pub(super) bug: bool,
    /// And nothing in the prompt speaks against it: enough to block on.
    pub(super) surely: bool,
    /// Something that is no repair is ordered, and no bug reported.
    pub(super) other: bool,
    /// Something is asked, and nothing ordered.
    pub(super) asked: bool,
    pub(super) reproduced: bool,
    pub(super) workaround: bool,
    pub(super) limited: bool,
    pub(super) stub: bool,
    pub(super) expectation: bool,
}

/// Reads a prompt.
pub(super) fn flags(prompt: &str) -> Flags {
    let text = lowered(prompt);
    let sentences = sentences(&text);
    let unspaced = is_unspaced(&text);
    let pairs = Bigrams::of(&text);
    let spoken: Vec<_> = LEXICONS
        .iter()
        .filter(|lexicon| lexicon.spaced || unspaced)
        .map(|lexicon| lexicon.held_by(&text, &pairs, &sentences))
        .collect();
    let mut flags = Flags::default();
    let (mut symptom, mut hint, mut repair, mut trivial, mut order) = (false, false, false, false, false);
    for sentence in &sentences {
        let any = |of: fn(&Lexicon<Held>) -> &Held| spoken.iter().any(|lexicon| lexicon.find_in(sentence, of(lexicon)));
        flags.waived |= any(|lexicon| &lexicon.waiver) && !any(|lexicon| &lexicon.no_waiver);
        flags.reproduced |= any(|lexicon| &lexicon.reproduced);
        flags.workaround |= any(|lexicon| &lexicon.workaround);
        flags.limited |= any(|lexicon| &lexicon.limited);
        flags.stub |= any(|lexicon| &lexicon.stub);
        flags.expectation |= any(|lexicon| &lexicon.expectation);
        let is_name = |start: &usize| {
            spoken.iter().any(|lexicon| sentence.starts(*start, &lexicon.name))
                && !spoken.iter().any(|lexicon| {
                    sentence.starts(start + 1, &lexicon.article) || sentence.starts(start + 1, &lexicon.particle)
                })
        };
        let names: Vec<usize> = sentence.clauses.iter().copied().filter(is_name).collect();
        let commands = spoken.iter().any(|lexicon| {
            let opens = sentence.starts(0, &lexicon.opener) || sentence.starts(0, &lexicon.article);
            lexicon.spaced && !opens && sentence.starts(1, &lexicon.article)
        });
        let gerund = sentence.words.first().is_some_and(|word| word.ends_with("ing"));
        let opened = gerund || spoken.iter().any(|lexicon| sentence.starts(0, &lexicon.opener));
        let (leads, orders) = spoken
            .iter()
            .map(|lexicon| lexicon.orders(sentence, &names))
            .fold((commands && !opened, commands && !opened), |one, other| (one.0 || other.0, one.1 || other.1));
        let led = spoken.iter().any(|lexicon| lexicon.spaced && lexicon.orders(sentence, &names).0);
        let handed_out = spoken.iter().any(|lexicon| sentence.starts(0, &lexicon.handout));
        let orders = orders && !handed_out;
        let articled = |at: &usize| spoken.iter().any(|lexicon| sentence.starts(at - 1, &lexicon.article));
        let named: Vec<usize> = (1..sentence.words.len()).filter(articled).collect();
        let repairs = spoken.iter().any(|lexicon| lexicon.repairs(sentence, &named));
        // `Upgrade the linter and fix what it finds`: what leads is no repair.
        order |= orders && (!repairs || led);
        repair |= repairs;
        trivial |= any(|lexicon| &lexicon.trivial);
        // What follows the order, or stands under its condition, is how it should be.
        let ordered = leads || orders && is_conditional(sentence);
        let wishes = any(|lexicon| &lexicon.wish);
        let contrasts = wishes && any(|lexicon| &lexicon.contrast);
        if (!wishes || contrasts) && (!ordered || repairs) {
            symptom |= contrasts && !ordered || any(|lexicon| &lexicon.symptom);
            hint |= any(|lexicon| &lexicon.hint);
        }
    }
    flags.bug = if trivial { symptom && !order } else { symptom || repair || hint && !order };
    flags.surely = flags.bug && !trivial && (!order || repair && (symptom || hint));
    flags.other = !flags.bug && (order || trivial);
    flags.asked = !order && !repair && !trivial && sentences.iter().any(is_question);
    flags
}

/// Whether the sentence asks to be told something, by its first word: `can you ...` asks for work.
fn is_question(sentence: &Sentence<'_>) -> bool {
    const FIRST: &[&str] = &[
        "what", "what's", "why", "how", "which", "where", "when", "who", "whose", "is", "are", "was", "were", "does",
        "do", "did", "has", "have", "pourquoi", "comment", "quel", "quelle", "quels", "quelles", "où", "qui",
        "combien", "est", "que", "qu", "warum", "wieso", "weshalb", "wie", "was", "welche", "welcher", "welches", "wo",
        "wann", "wer", "ist", "sind", "gibt", "hat", "haben", "woran", "wofür", "qué", "cómo", "cuál", "cuáles",
        "dónde", "cuándo", "cuánto", "cuántos", "quién", "hay", "es",
    ];
    const ANYWHERE: &[&str] =
        &["なぜ", "どう", "どこ", "どの", "何", "いくつ", "ですか", "为什么", "怎么", "什么", "哪", "多少", "是否"];
    sentence.words.first().is_some_and(|word| FIRST.contains(word))
        || ANYWHERE.iter().any(|word| sentence.text.contains(word))
}

/// Whether the sentence starts with a condition: `if the request fails, …`.
fn is_conditional(sentence: &Sentence<'_>) -> bool {
    const CONDITIONS: &[&str] = &[
        "if", "when", "whenever", "once", "while", "in", "wenn", "falls", "sobald", "bei", "si", "quand", "lorsque",
        "lorsqu", "dès", "en", "cuando",
    ];
    sentence.words.first().is_some_and(|word| CONDITIONS.contains(word))
}

/// Whether a report says that files were changed, and whether it says that nothing was run.
pub(super) fn report(report: &str) -> (bool, bool) {
    let text = lowered(report);
    let pairs = Bigrams::of(&text);
    let sentences = sentences(&text);
    let mut told = (false, false);
    for lexicon in LEXICONS.map(|lexicon| lexicon.held_by(&text, &pairs, &sentences)) {
        for sentence in &sentences {
            told.0 |= lexicon.find_in(sentence, &lexicon.edited);
            told.1 |= lexicon.find_in(sentence, &lexicon.not_run);
        }
    }
    told
}

/// The start of a text in lower case, with one kind of apostrophe; and where Japanese says that something is made anew, not that
/// it is repaired, by another word.
fn lowered(text: &str) -> String {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end)
        .unwrap_or_default()
        .to_lowercase()
        .replace('’', "'")
        .replace("り直", "り替え")
        .replace("き直", "き替え")
        .replace("見直", "見なお")
}

#[cfg(test)]
mod tests;
