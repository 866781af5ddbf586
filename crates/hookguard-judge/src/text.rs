//! The text of a turn, as much of it as a judge reads.

/// How much a judge reads, in bytes.
pub const MAX_TEXT_BYTES: usize = 4000;

const GAP: &str = "\n[...]\n";

/// The head and the tail of `text` where it has more than `most` bytes, at characters' boundaries.
pub fn cut(text: &str, most: usize) -> String {
    hookguard_core::cut(text, most, GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer1::{Layer, Settled, settle};
    use crate::{Facts, judge};

    #[test]
    fn head_and_tail_are_kept_at_characters() {
        for filling in ["a", "é", "説", "🎉", "e\u{301}", "a🎉"] {
            for lead in 0..5 {
                let text = format!("{}{}END", "-".repeat(lead), filling.repeat(4000));
                let cut = cut(&text, MAX_TEXT_BYTES);
                assert!(cut.len() <= MAX_TEXT_BYTES, "{filling}");
                let (head, tail) = cut.split_once(GAP).unwrap();
                assert!(text.starts_with(head) && text.ends_with(tail) && tail.ends_with("END"), "{filling}");
                assert!(head.len() + 4 > MAX_TEXT_BYTES / 2 - GAP.len(), "{filling}: {}", head.len());
            }
        }
    }

    #[test]
    fn what_fits_is_left_whole() {
        let full = "説".repeat(MAX_TEXT_BYTES / 3);
        assert_eq!(cut(&full, MAX_TEXT_BYTES), full);
        assert_eq!(cut("説明", 0), GAP);
    }

    /// Evidence at the start and an announcement at the end are both still there; what the cut goes through makes no sentence
    /// with what stands on its other side.
    #[test]
    fn sentences_at_the_cut() {
        let commit = &judge::builtin()[0];
        let settled = |text: &str| settle(commit, &cut(text, MAX_TEXT_BYTES), &Facts::unknown());
        let filling = "The table has a row for each file and a column for its size.\n".repeat(100);
        assert_eq!(settled(&format!("All PASS.\n{filling}I'll push it now.")), Settled::Allow(Layer::Bypass));
        assert_eq!(settled(&format!("It is done.\n{filling}I'll push it now.")), Settled::Open { advice: true });
        let half = (MAX_TEXT_BYTES - GAP.len()) / 2;
        let head = format!("{:>1$}", "I'll", half);
        let tail = format!("{:<1$}", "push it", half);
        let parted = settled(&format!("{head}{}{tail}", "x".repeat(MAX_TEXT_BYTES)));
        assert_ne!(parted, Settled::Open { advice: true });
    }
}
