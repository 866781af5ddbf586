//! Byte strings in one slice, found without decoding the others.
//!
//! ```text
//! count    u32, little endian
//! ends     count x u32: where each string ends, counted from the first one's start
//! strings  one after the other
//! ```

/// A table in its bytes. One that is cut or garbled has fewer entries, and never reads past its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a>(pub(crate) &'a [u8]);

impl<'a> Table<'a> {
    /// The bytes of a table of `strings`.
    pub(crate) fn of<'s>(strings: impl Iterator<Item = &'s [u8]>) -> Vec<u8> {
        let (mut ends, mut all) = (Vec::new(), Vec::new());
        for string in strings {
            all.extend_from_slice(string);
            ends.extend_from_slice(&u32::try_from(all.len()).unwrap_or(u32::MAX).to_le_bytes());
        }
        let count = u32::try_from(ends.len() / 4).unwrap_or(u32::MAX);
        [&count.to_le_bytes()[..], &ends, &all].concat()
    }

    /// How many strings it has.
    pub(crate) fn len(self) -> usize {
        self.number(0)
    }

    /// The string at `at`.
    pub(crate) fn get(self, at: usize) -> Option<&'a [u8]> {
        if at >= self.len() {
            return None;
        }
        let from = if at == 0 { 0 } else { self.number(at) };
        let strings = self.0.get(4 + 4 * self.len()..)?;
        strings.get(from..self.number(at + 1))
    }

    /// Where `string` stands in a table whose strings are sorted.
    pub(crate) fn find(self, string: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle)?.cmp(string) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The number at the position `at`, counted in numbers; 0 past the end.
    fn number(self, at: usize) -> usize {
        let bytes = self.0.get(4 * at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| usize::try_from(u32::from_le_bytes(*bytes)).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found() {
        let strings: [&[u8]; 4] = [b"", b"a", b"git push", b"z"];
        let bytes = Table::of(strings.into_iter());
        let table = Table(&bytes);
        assert_eq!(table.len(), 4);
        for (at, string) in strings.into_iter().enumerate() {
            assert_eq!((table.get(at), table.find(string)), (Some(string), Some(at)));
        }
        assert_eq!((table.get(4), table.find(b"git")), (None, None));
        assert_eq!(Table(&[]).len(), 0);
        for end in 0..bytes.len() {
            let cut = Table(&bytes[..end]);
            assert!((0..9).all(|at| cut.get(at).is_none_or(|string| string.len() < 9)), "cut at {end}");
        }
        assert_eq!(Table(&[0xff; 40]).get(3), None);
    }
}
