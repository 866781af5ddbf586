//! Seeded mutations of shell texts: pieces cut, doubled, swapped, and grammar put between them.

/// The texts that mutations start from.
pub(crate) fn seeds() -> Vec<String> {
    let tricky = include_str!("../shell_tricky.txt");
    let body: Vec<&str> = tricky.lines().skip_while(|line| line.starts_with('#')).collect();
    let mut seeds: Vec<String> = body
        .join("\n")
        .split("%%\n")
        .filter_map(|block| {
            let (_, rest) = block.trim_start_matches('\n').split_once('\n')?;
            Some(rest.split("\n--").next()?.to_owned())
        })
        .collect();
    for table in [
        include_str!("../readings/first.txt"),
        include_str!("../readings/words.txt"),
        include_str!("../readings/state.txt"),
        include_str!("../readings/wrappers.txt"),
        include_str!("../readings/rows.txt"),
        include_str!("../readings/programs.txt"),
        include_str!("../readings/languages.txt"),
        include_str!("../readings/places.txt"),
    ] {
        seeds.extend(table.split("%%\n").filter_map(|case| Some(case.split("\n--\n").next()?.to_owned())));
    }
    seeds.retain(|seed| !seed.trim().is_empty());
    seeds
}

/// Pieces of grammar.
const PIECES: [&str; 56] = [
    "'",
    "\"",
    "`",
    "\\",
    "$(",
    ")",
    "${",
    "}",
    "$((",
    "))",
    "<(",
    ">(",
    "<<E\n",
    "\nE\n",
    "<<-'E'\n",
    "<<<",
    ";",
    "\n",
    "&&",
    "||",
    "|",
    "&",
    "(",
    "{ ",
    "; }",
    "if ",
    "then ",
    "fi",
    "while ",
    "do ",
    "done",
    "case x in ",
    ";;",
    "esac",
    "f() { ",
    "$x",
    "\"$@\"",
    "${x:-",
    "${x/a/",
    "$'\\x41'",
    "*",
    "?",
    "[a",
    "]",
    "{a,b}",
    "{1..3}",
    "~",
    "=",
    "x=(",
    "#",
    "!",
    "[[ ",
    " ]]",
    "\t",
    "é",
    "-c ",
];

/// A generator of texts (xorshift: the same texts for the same seed).
pub(crate) struct Mutator {
    state: u64,
}

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Mutator { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % limit.max(1) as u64) as usize
    }

    /// The next text.
    pub(crate) fn text(&mut self, seeds: &[String]) -> String {
        let mut text = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.place(&text);
            match self.below(5) {
                0 => text.insert_str(at, PIECES[self.below(PIECES.len())]),
                1 => {
                    let end = self.place(&text).clamp(at, text.len());
                    let end = (at..=end.min(at + 8)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(at);
                    text.replace_range(at..end, "");
                }
                2 => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.place(other);
                    text.insert_str(at, &other[from..]);
                }
                3 => {
                    let tail = text.split_off(at);
                    text.insert_str(0, &tail);
                }
                _ => {
                    let copy = text[at..].to_owned();
                    text.push_str(&copy);
                }
            }
            // Long enough for what nests, short enough to read many.
            let end = (0..=text.len().min(600)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
        }
        text
    }

    /// A boundary between characters.
    fn place(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
    }
}
