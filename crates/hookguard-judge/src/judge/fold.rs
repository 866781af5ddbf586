//! A text as words are compared: lower case, without accents, with one kind of quote, dash, blank and full stop, and without
//! what nobody sees. Words of judges are folded by the same function, so that both sides always agree.

/// From U+00C0 on, sixty-four letters; `*` is a sign, which stays, `+` stands for two letters.
const LATIN_1: &[u8; 64] = b"aaaaaa+ceeeeiiiidnooooo*ouuuuy++aaaaaa+ceeeeiiiidnooooo*ouuuuy+y";
/// From U+0100 on, all of Latin Extended-A.
const LATIN_A: &[u8; 128] =
    b"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooo++rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
/// From U+FF66 on: half-width katakana in their full width.
const KATAKANA: &str =
    "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";
/// Traditional characters and their simplified form, in order. Japanese shares some: both sides are folded, so that is no loss.
#[rustfmt::skip]
static TRADITIONAL: [(char, char); 84] = [
    ('佈', '布'), ('併', '并'), ('倉', '仓'), ('個', '个'), ('們', '们'), ('儘', '尽'), ('儲', '储'), ('兩', '两'),
    ('刪', '删'), ('創', '创'), ('動', '动'), ('務', '务'), ('匯', '汇'), ('問', '问'), ('啟', '启'), ('單', '单'),
    ('圍', '围'), ('實', '实'), ('將', '将'), ('對', '对'), ('導', '导'), ('幾', '几'), ('庫', '库'), ('後', '后'),
    ('從', '从'), ('復', '复'), ('應', '应'), ('擇', '择'), ('據', '据'), ('於', '于'), ('時', '时'), ('暫', '暂'),
    ('會', '会'), ('樣', '样'), ('檔', '档'), ('權', '权'), ('沒', '没'), ('減', '减'), ('測', '测'), ('滿', '满'),
    ('為', '为'), ('無', '无'), ('現', '现'), ('環', '环'), ('產', '产'), ('當', '当'), ('發', '发'), ('確', '确'),
    ('碼', '码'), ('種', '种'), ('範', '范'), ('簡', '简'), ('線', '线'), ('縮', '缩'), ('繼', '继'), ('續', '续'),
    ('處', '处'), ('試', '试'), ('話', '话'), ('該', '该'), ('認', '认'), ('誤', '误'), ('請', '请'), ('證', '证'),
    ('讓', '让'), ('較', '较'), ('輸', '输'), ('這', '这'), ('進', '进'), ('過', '过'), ('遞', '递'), ('遠', '远'),
    ('選', '选'), ('錯', '错'), ('長', '长'), ('開', '开'), ('間', '间'), ('關', '关'), ('頁', '页'), ('項', '项'),
    ('題', '题'), ('顯', '显'), ('餘', '余'), ('驗', '验'),
];

/// How long a line must be for its end to be a mere wrap.
const WRAPPED: usize = 50;

/// Folds `text`. What comes out is never much longer than what went in.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut line = 0;
    loop {
        // Most of a text is ASCII; it is taken in runs.
        let plain = rest.bytes().take_while(|byte| byte.is_ascii() && *byte != b'\n' && *byte != b'\r').count();
        let from = out.len();
        out.push_str(&rest[..plain]);
        out[from..].make_ascii_lowercase();
        line += plain;
        rest = &rest[plain..];
        let Some(next) = rest.chars().next() else { return out };
        rest = &rest[next.len_utf8()..];
        match next {
            '\r' => {}
            '\n' => {
                let wraps = line >= WRAPPED
                    && rest.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
                    && !out.ends_with(['.', '!', '?', ':', '|']);
                out.push(if wraps { ' ' } else { '\n' });
                line = 0;
            }
            other => {
                line += other.len_utf8();
                fold_char(other, &mut out);
            }
        }
    }
}

fn fold_char(char: char, out: &mut String) {
    let code = u32::from(char);
    match code {
        0x00C0..=0x017F => latin(code, char, out),
        // Dashes, quotes, blanks.
        0x2010..=0x2015 | 0x2212 | 0xFE58 | 0xFF0D => out.push('-'),
        0x2018..=0x201B | 0x2032 | 0x00B4 | 0xFF07 => out.push('\''),
        0x201C..=0x201F | 0x00AB | 0x00BB | 0x2039 | 0x203A | 0x2033 | 0xFF02 | 0x300C..=0x300F => out.push('"'),
        0x00A0 | 0x2000..=0x200A | 0x202F | 0x205F | 0x3000 => out.push(' '),
        0x2026 => out.push_str("..."),
        // Not seen: soft hyphen, zero width, marks of direction, accents of their own, variation selectors.
        0x00AD | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x2069 | 0xFEFF | 0x0300..=0x036F | 0xFE00..=0xFE0F => {}
        // East Asian stops end a word and need no blank after them.
        0x3002 | 0xFF61 => out.push_str(". "),
        0x3001 | 0xFF64 => out.push_str(", "),
        0xFF01 => out.push_str("! "),
        0xFF1F => out.push_str("? "),
        0xFF0C => out.push_str(", "),
        0xFF1A => out.push_str(": "),
        0xFF1B => out.push_str("; "),
        0xFF03..=0xFF5E => {
            out.extend(char::from_u32(code - 0xFEE0).map(|ascii| ascii.to_ascii_lowercase()));
        }
        0xFF66..=0xFF9D => out.extend(KATAKANA.chars().nth((code - 0xFF66) as usize)),
        0xFF9E | 0xFF9F => voice(code - 0xFF9D, out),
        // Letters of mathematics, which look like any others: fourteen alphabets of fifty-two.
        0x1D400..=0x1D6A3 => {
            let at = (code - 0x1D400) % 26;
            out.extend(char::from_u32(u32::from('a') + at));
        }
        0x4E00..=0x9FFF => out.push(simplified(char)),
        0x3040..=0x30FF => out.push(char),
        _ => out.extend(char.to_lowercase()),
    }
}

fn latin(code: u32, char: char, out: &mut String) {
    let letter = if code < 0x100 { LATIN_1[(code - 0xC0) as usize] } else { LATIN_A[(code - 0x100) as usize] };
    match letter {
        b'*' => out.push(char),
        b'+' => out.push_str(match code {
            0xC6 | 0xE6 => "ae",
            0xDE | 0xFE => "th",
            0xDF => "ss",
            _ => "oe",
        }),
        letter => out.push(char::from(letter)),
    }
}

/// A half-width mark of voice goes into the kana before it: the next but one code, or the one after.
fn voice(by: u32, out: &mut String) {
    if let Some(last) = out.chars().next_back().filter(|last| ('カ'..='ホ').contains(last)) {
        out.pop();
        out.push(char::from_u32(u32::from(last) + by).unwrap_or(last));
    }
}

fn simplified(char: char) -> char {
    TRADITIONAL.binary_search_by_key(&char, |(from, _)| *from).map_or(char, |at| TRADITIONAL[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_is_alike() {
        for (text, folded) in [
            ("L\u{2019}étape «Déploiement»", "l'etape \"deploiement\""),
            ("Straße, Größe, œuvre, Æ", "strasse, grosse, oeuvre, ae"),
            ("e\u{301}te\u{301}", "ete"),
            ("ｃｏｍｍｉｔ　します。次", "commit します. 次"),
            ("com\u{200b}mit\u{202e}", "commit"),
            ("ﾃﾞﾌﾟﾛｲ", "デプロイ"),
            ("𝐜𝐨𝐦𝐦𝐢𝐭 𝑃𝑢𝑠ℎ", "commit pusℎ"),
            ("下個會話繼續", "下个会话继续"),
            ("İstanbul ŽŠČ", "istanbul zsc"),
            ("Q１：Ａ", "q1: a"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn folding_twice_changes_nothing() {
        let text = "Ich committe das „jetzt“ — ＯＫ？\r\nNächster Schritt…\n\n- ﾌﾟｯｼｭ\n𝓅ush";
        let once = fold(text);
        assert_eq!(fold(&once), once);
    }

    #[test]
    fn a_wrapped_line_goes_on() {
        let wrapped = "I have moved all of the constants to a file of their own and\nwill push it now.\nNext line";
        assert_eq!(fold(wrapped).lines().count(), 2);
        assert_eq!(fold("- done\n- next").lines().count(), 2);
    }
}
