//! Lines out of a stream that comes in blocks, in bounded memory: a longer one is counted and passed over.

/// Longer than any record that was seen (a picture in one is some megabytes); what is longer is not kept.
pub const MAX_LINE_BYTES: usize = 16 << 20;

/// The splitter.
#[derive(Debug, Default)]
pub struct Lines {
    rest: Vec<u8>,
    /// The line that is coming in is too long already.
    passing: bool,
    too_long: u64,
}

impl Lines {
    /// Takes the next bytes of the stream, and gives every line that is complete by now, without its end. Empty ones are
    /// left out.
    pub fn feed(&mut self, mut bytes: &[u8], each: &mut dyn FnMut(&[u8])) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            bytes = rest;
            if self.rest.is_empty() && !self.passing {
                // The usual case: the whole line lies in the block.
                if line.len() <= MAX_LINE_BYTES {
                    give(line, each)
                } else {
                    self.too_long += 1
                }
                continue;
            }
            self.keep(line);
            self.finish(each);
        }
        self.keep(bytes);
    }

    /// The stream has ended: a last line without an end is one too.
    pub fn finish(&mut self, each: &mut dyn FnMut(&[u8])) {
        if std::mem::take(&mut self.passing) {
            self.too_long += 1;
        } else {
            give(&self.rest, each);
        }
        self.rest.clear();
        // One long line is no reason to hold on to its memory.
        self.rest.shrink_to(1 << 20);
    }

    /// How many lines were too long.
    pub fn too_long(&self) -> u64 {
        self.too_long
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.passing {
            return;
        }
        if self.rest.len() + bytes.len() > MAX_LINE_BYTES {
            self.passing = true;
            self.rest = Vec::new();
        } else {
            self.rest.extend_from_slice(bytes);
        }
    }
}

fn give(line: &[u8], each: &mut dyn FnMut(&[u8])) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if !line.is_empty() {
        each(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], block: usize) -> (Vec<Vec<u8>>, u64) {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for bytes in text.chunks(block) {
            lines.feed(bytes, &mut |line| found.push(line.to_vec()));
        }
        lines.finish(&mut |line| found.push(line.to_vec()));
        (found, lines.too_long())
    }

    #[test]
    fn lines_are_the_same_whatever_the_block() {
        for block in [1, 2, 3, 7, 100] {
            let (found, too_long) = read(b"one\n\ntwo\r\nthree\nhalf", block);
            assert_eq!(found, [&b"one"[..], b"two", b"three", b"half"]);
            assert_eq!(too_long, 0);
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_counted_and_not_kept() {
        let huge = vec![b'x'; MAX_LINE_BYTES + 1];
        let text = [b"a\n".to_vec(), huge.clone(), b"\nb\n".to_vec(), huge].concat();
        for block in [1 << 16, text.len()] {
            let (found, too_long) = read(&text, block);
            assert_eq!((found.len(), too_long), (2, 2));
        }
        let mut lines = Lines::default();
        for _ in 0..40 {
            lines.feed(&vec![b'x'; 1 << 20], &mut |_| panic!("no line"));
        }
        assert!(lines.rest.capacity() <= MAX_LINE_BYTES, "{}", lines.rest.capacity());
    }
}
