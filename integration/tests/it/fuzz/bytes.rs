//! Seeded mutations of bytes: pieces cut, doubled, moved, taken from another seed, and pieces of the grammar put in.

/// A generator of inputs (xorshift: the same inputs for the same seed).
pub(super) struct Mutator {
    state: u64,
    pieces: &'static [&'static [u8]],
}

/// Long enough for what nests, short enough to read many.
const MAX_BYTES: usize = 4096;

impl Mutator {
    /// A generator that puts `pieces` into what it changes.
    pub(super) fn new(seed: u64, pieces: &'static [&'static [u8]]) -> Mutator {
        Mutator { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, pieces }
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % limit.max(1) as u64) as usize
    }

    /// The next input.
    pub(super) fn bytes(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len() + 1);
            match self.below(7) {
                0 | 1 => {
                    let piece = self.pieces[self.below(self.pieces.len())];
                    bytes.splice(at..at, piece.iter().copied());
                }
                2 => {
                    let end = (at + self.below(12)).min(bytes.len());
                    bytes.drain(at..end);
                }
                3 => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.below(other.len() + 1);
                    bytes.splice(at..at, other[from..].iter().copied());
                }
                4 => bytes.rotate_left(at),
                5 => {
                    let byte = self.below(256) as u8;
                    if let Some(place) = bytes.get_mut(at) {
                        *place = byte;
                    }
                }
                _ => {
                    let piece = self.pieces[self.below(self.pieces.len())];
                    let many = piece.repeat(1 + self.below(200));
                    bytes.splice(at..at, many);
                }
            }
            bytes.truncate(MAX_BYTES);
        }
        bytes
    }
}
