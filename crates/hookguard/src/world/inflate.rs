//! The beginning of what zlib compressed (RFC 1950, 1951): enough to read the first lines of an object of git's.

/// The longest code of a symbol, in bits.
const MAX_BITS: usize = 15;
/// Base and extra bits of the lengths of copies, from symbol 257.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];
/// In which order the lengths of the codes for lengths stand.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The first `wanted` bytes of what `bytes` holds, or all if it is less; `None` where it ends before, or is no zlib.
pub(super) fn beginning(bytes: &[u8], wanted: usize) -> Option<Vec<u8>> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    if first & 0xF != 8 || second & 0x20 != 0 || (u16::from(first) << 8 | u16::from(second)) % 31 != 0 {
        return None;
    }
    let mut bits = Bits { bytes: &bytes[2..], at: 0 };
    let mut out = Vec::with_capacity(wanted + 258);
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out)?,
            1 => {
                let mut lengths = [8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                codes(&mut bits, &mut out, &Codes::new(&lengths), &Codes::new(&[5; 30]), wanted)?;
            }
            2 => {
                let (symbols, distances) = dynamic(&mut bits)?;
                codes(&mut bits, &mut out, &symbols, &distances, wanted)?;
            }
            _ => return None,
        }
        if last || out.len() >= wanted {
            out.truncate(wanted);
            return Some(out);
        }
    }
}

/// Bits, from the lowest of each byte.
struct Bits<'b> {
    bytes: &'b [u8],
    /// The next, in bits.
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u8) -> Option<usize> {
        let mut value = 0;
        for shift in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value |= usize::from(byte >> (self.at % 8) & 1) << shift;
            self.at += 1;
        }
        Some(value)
    }
}

/// A canonical Huffman code.
struct Codes {
    /// How many codes there are of each length.
    counts: [usize; MAX_BITS + 1],
    /// The symbols in the order of their codes.
    symbols: Vec<usize>,
}

impl Codes {
    fn new(lengths: &[u8]) -> Codes {
        let mut counts = [0; MAX_BITS + 1];
        lengths.iter().for_each(|length| counts[usize::from(*length)] += 1);
        counts[0] = 0;
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|symbol| lengths[*symbol] > 0).collect();
        symbols.sort_by_key(|symbol| lengths[*symbol]);
        Codes { counts, symbols }
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for length in 1..=MAX_BITS {
            code |= bits.take(1)?;
            let count = self.counts[length];
            if code < first + count {
                return self.symbols.get(index + code.checked_sub(first)?).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>) -> Option<()> {
    let at = bits.at.div_ceil(8);
    let length = usize::from(u16::from_le_bytes(bits.bytes.get(at..at + 2)?.try_into().ok()?));
    let end = at + 4 + length;
    // What lies behind is not needed: the end may be cut off.
    out.extend_from_slice(bits.bytes.get(at + 4..end.min(bits.bytes.len()))?);
    bits.at = end * 8;
    Some(())
}

fn dynamic(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    let (symbols, distances, given) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
    let mut lengths = [0; 19];
    for place in &ORDER[..given] {
        lengths[*place] = u8::try_from(bits.take(3)?).ok()?;
    }
    let code = Codes::new(&lengths);
    let mut lengths: Vec<u8> = Vec::with_capacity(symbols + distances);
    while lengths.len() < symbols + distances {
        let (value, times) = match code.next(bits)? {
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (u8::try_from(length).ok()?, 1),
        };
        lengths.extend(std::iter::repeat_n(value, times));
    }
    Some((Codes::new(&lengths[..symbols]), Codes::new(lengths.get(symbols..symbols + distances)?)))
}

fn codes(bits: &mut Bits<'_>, out: &mut Vec<u8>, symbols: &Codes, distances: &Codes, wanted: usize) -> Option<()> {
    while out.len() < wanted {
        match symbols.next(bits)? {
            byte @ 0..=255 => out.push(u8::try_from(byte).ok()?),
            256 => break,
            symbol => {
                let (base, extra) = *LENGTHS.get(symbol - 257)?;
                let length = usize::from(base) + bits.take(extra)?;
                let distance = match distances.next(bits)? {
                    near @ 0..=3 => near + 1,
                    far @ 4..=29 => {
                        let extra = u8::try_from(far / 2 - 1).ok()?;
                        ((2 + far % 2) << extra) + 1 + bits.take(extra)?
                    }
                    _ => return None,
                };
                let start = out.len().checked_sub(distance)?;
                for at in start..start + length {
                    out.push(out[at]);
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_zlib_wrote_is_read() {
        // Made with Python: zlib.compress of "tree tree tree tree", at levels 9 and 0.
        let fixed = [120, 218, 43, 41, 74, 77, 85, 40, 65, 33, 0, 71, 199, 7, 33];
        let plain = [
            120, 1, 1, 19, 0, 236, 255, 116, 114, 101, 101, 32, 116, 114, 101, 101, 32, 116, 114, 101, 101, 32, 116,
            114, 101, 101, 71, 199, 7, 33,
        ];
        for bytes in [&fixed[..], &plain] {
            assert_eq!(beginning(bytes, 100).as_deref(), Some(&b"tree tree tree tree"[..]));
            assert_eq!(beginning(bytes, 6).as_deref(), Some(&b"tree t"[..]));
        }
        for end in 0..fixed.len() - 5 {
            assert_eq!(beginning(&fixed[..end], 100), None, "{end}");
        }
        assert_eq!(beginning(b"no zlib at all", 5), None);
    }

    #[test]
    fn no_bytes_make_it_fail() {
        let mut seed = 7_u32;
        for _ in 0..20_000 {
            let mut bytes = vec![120, 218];
            for _ in 0..60 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                bytes.push((seed >> 24) as u8);
            }
            let out = beginning(&bytes, 200);
            assert!(out.is_none_or(|out| out.len() <= 200));
        }
    }
}
