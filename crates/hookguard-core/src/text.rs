//! Text cut to what an agent passes on.

/// How long a message to a model may be, in bytes. Agents cut or divert longer ones (Codex at about 10 KB, Claude Code
/// at about 10,000 characters for context; `protocols/claude-codex.md` 3h), and a model needs no more.
pub const MAX_MESSAGE_BYTES: usize = 2048;

/// `text`, cut at a character's boundary to at most `max` bytes, with an ellipsis where something is missing.
pub fn clip(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let mut end = max.saturating_sub('…'.len_utf8());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}

/// The head and the tail of `text` where it has more than `most` bytes, at characters' boundaries, with `gap` between them.
pub fn cut(text: &str, most: usize, gap: &str) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let half = most.saturating_sub(gap.len()) / 2;
    let head = (0..=half).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail = (text.len() - half..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{}{gap}{}", &text[..head], &text[tail..])
}

/// Whether a terminal obeys `char`, doesn't show it, or shows what is beside it otherwise than it stands: controls, marks of
/// no width, and marks of the direction of writing.
pub fn is_unseen(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
