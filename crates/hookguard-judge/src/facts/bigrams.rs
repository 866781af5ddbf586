//! Which pairs of bytes a text holds: most phrases of a long list are ruled out by one without a search.

/// The pairs of bytes of a text, each by a bit; two pairs may share one.
#[derive(Debug, Clone)]
pub(super) struct Bigrams([u64; 64]);

const fn slot(first: u8, second: u8) -> usize {
    ((first as usize) << 4 ^ (second as usize)) & 4095
}

impl Bigrams {
    /// Those of `text`.
    pub(super) fn of(text: &str) -> Bigrams {
        let mut bits = [0u64; 64];
        for pair in text.as_bytes().windows(2) {
            if let [first, second] = pair {
                let slot = slot(*first, *second);
                if let Some(word) = bits.get_mut(slot / 64) {
                    *word |= 1 << (slot % 64);
                }
            }
        }
        Bigrams(bits)
    }

    /// Whether the text may hold the two bytes side by side; where not, it does not.
    pub(super) fn has(&self, first: u8, second: u8) -> bool {
        let slot = slot(first, second);
        self.0.get(slot / 64).is_some_and(|word| word & 1 << (slot % 64) != 0)
    }

    /// Whether the text may hold `phrase`; where not, it does not.
    pub(super) fn may_hold(&self, phrase: &str) -> bool {
        phrase.as_bytes().windows(2).all(|pair| match pair {
            [first, second] => self.has(*first, *second),
            _ => true,
        })
    }

    /// Those of `phrases` that `text` holds.
    pub(super) fn present<'a>(&self, phrases: &'a [&'a str], text: &str) -> Vec<&'a str> {
        phrases.iter().copied().filter(|phrase| self.may_hold(phrase) && text.contains(phrase)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_never_ruled_out() {
        let text = "running 3 tests\nテスト: 42 passed";
        let pairs = Bigrams::of(text);
        for phrase in ["running", "3 tests", "passed", "テスト", "n", ""] {
            assert!(pairs.may_hold(phrase), "{phrase}");
        }
        assert!(!pairs.may_hold("failed"));
        assert_eq!(pairs.present(&["failed", "passed", "tests"], text), ["passed", "tests"]);
    }
}
