//! The escapes of `$'…'`, `echo -e` and `printf`.

/// Where the escapes stand: they differ in how octal numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `$'…'`, `printf`'s format: `\NNN`.
    Ansi,
    /// `echo -e`, `%b`: `\0NNN`.
    Echo,
}

/// The text with its escapes taken out; bytes that are no UTF-8 become U+FFFD.
pub(super) fn unescape(raw: &str, style: Style) -> String {
    if !raw.contains('\\') {
        return raw.to_owned();
    }
    let bytes = raw.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 >= bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let escape = bytes[at + 1];
        at += 2;
        match escape {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'e' | b'E' => out.push(27),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\\' | b'?' => out.push(escape),
            b'\'' | b'"' if style == Style::Ansi => out.push(escape),
            b'c' if style == Style::Echo => break,
            b'c' => {
                if let Some(&control) = bytes.get(at) {
                    out.push(control & 0x1F);
                    at += 1;
                }
            }
            b'x' => match number(bytes, &mut at, 16, 2) {
                Some(value) => out.push(value as u8),
                None => out.extend(b"\\x"),
            },
            b'u' | b'U' => {
                let digits = if escape == b'u' { 4 } else { 8 };
                match number(bytes, &mut at, 16, digits) {
                    Some(value) => {
                        let char = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                        out.extend(char.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                    None => out.extend([b'\\', escape]),
                }
            }
            b'0'..=b'7' => {
                if style == Style::Ansi {
                    at -= 1;
                } else if escape != b'0' {
                    out.extend([b'\\', escape]);
                    continue;
                }
                out.push(number(bytes, &mut at, 8, 3).unwrap_or(0) as u8);
            }
            _ => out.extend([b'\\', escape]),
        }
    }
    // A NUL ends what bash keeps of `$'…'`; nothing of it can reach an argument.
    if style == Style::Ansi
        && let Some(nul) = out.iter().position(|&byte| byte == 0)
    {
        out.truncate(nul);
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Up to `most` digits at `at`.
fn number(bytes: &[u8], at: &mut usize, radix: u32, most: usize) -> Option<u32> {
    let start = *at;
    let mut value = 0u32;
    while *at < bytes.len() && *at - start < most {
        let Some(digit) = char::from(bytes[*at]).to_digit(radix) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        *at += 1;
    }
    (*at > start).then_some(value)
}
