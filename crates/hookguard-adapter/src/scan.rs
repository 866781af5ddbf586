//! Where a JSON object ends in a stream, seen while it comes in: an agent may never close the pipe.

/// Payloads longer than this, in bytes, are not read.
pub const MAX_PAYLOAD_BYTES: usize = 32 * 1024 * 1024;

/// How deep a payload may nest: the depth at which serde_json itself gives up, so that both agree.
pub const MAX_DEPTH: u32 = 127;

/// What is known of the stream so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The object is not complete.
    More,
    /// It is, and this many bytes long, counted from the stream's start.
    Complete(usize),
    /// It can't become one; why, as a fragment.
    Hopeless(&'static str),
}

/// Looks for the end of one JSON object, fed with the stream's bytes as they come. It only counts brackets and strings;
/// whether the object is good JSON is the parser's business.
#[derive(Debug, Clone, Default)]
pub struct Scanner {
    seen: usize,
    depth: u32,
    in_string: bool,
    escaped: bool,
    mark: usize,
}

impl Scanner {
    /// Takes the next bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8]) -> Progress {
        let mut at = 0;
        while at < bytes.len() {
            if self.in_string {
                if self.escaped {
                    self.escaped = false;
                    at += 1;
                    continue;
                }
                match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
                    None => break,
                    Some(step) => {
                        at += step;
                        if bytes[at] == b'"' {
                            self.in_string = false
                        } else {
                            self.escaped = true
                        }
                        at += 1;
                    }
                }
                continue;
            }
            let byte = bytes[at];
            if self.depth == 0 && !self.is_prelude(byte, self.seen + at) {
                return Progress::Hopeless("it is not a JSON object");
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Progress::Hopeless("it nests too deep");
                    }
                }
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Progress::Complete(self.seen + at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.seen += bytes.len();
        if self.seen > MAX_PAYLOAD_BYTES { Progress::Hopeless("it is over 32 MB") } else { Progress::More }
    }

    /// Whether `byte`, `at` bytes into the stream and outside the object, may stand there: blanks, a byte order mark, and
    /// the brace that opens it.
    fn is_prelude(&mut self, byte: u8, at: usize) -> bool {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if at == self.mark && MARK.get(at) == Some(&byte) {
            self.mark += 1;
            return true;
        }
        matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'{')
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(bytes: &[u8]) -> Progress {
        Scanner::default().feed(bytes)
    }

    #[test]
    fn ends_where_the_object_ends() {
        assert_eq!(whole(br#" {"a":"}\"{","b":[{}]} trailing"#), Progress::Complete(22));
        assert_eq!(whole(b"\xef\xbb\xbf{}"), Progress::Complete(5));
        assert_eq!(whole(br#"{"a":"#), Progress::More);
        assert_eq!(whole(b""), Progress::More);
        for not_an_object in [&b"[1]"[..], b"1", b"\"a\"", b"null", b"garbage", b"\xbb{}"] {
            assert!(matches!(whole(not_an_object), Progress::Hopeless(_)), "{not_an_object:?}");
        }
        assert!(matches!(whole(&b"{\"a\":".repeat(10_000)), Progress::Hopeless(_)));
    }

    #[test]
    fn too_long_is_hopeless() {
        let mut scanner = Scanner::default();
        assert_eq!(scanner.feed(b"{\"a\":\""), Progress::More);
        let megabyte = vec![b'x'; 1 << 20];
        let last = (0..33).map(|_| scanner.feed(&megabyte)).last();
        assert!(matches!(last, Some(Progress::Hopeless(_))));
    }

    proptest! {
        /// However the pipe cuts it.
        #[test]
        fn chunks_change_nothing(text in r#"[ \n]{0,2}\{("a":"(\\"|[{}x\[])*"){0,1}\}[ x]{0,3}"#, size in 1usize..7) {
            let mut scanner = Scanner::default();
            let mut last = Progress::More;
            for chunk in text.as_bytes().chunks(size) {
                last = scanner.feed(chunk);
                if last != Progress::More {
                    break;
                }
            }
            prop_assert_eq!(last, whole(text.as_bytes()));
        }
    }
}
