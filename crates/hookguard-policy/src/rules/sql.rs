//! Reading SQL far enough to tell what a statement loses: strings and comments are data, words are compared.

/// How much a text of SQL takes away; the order is the order of loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loss {
    /// It reads, adds, or changes by a condition.
    None,
    /// Rows go by a condition, or all rows change.
    Some,
    /// A table, a database or all rows of a table.
    All,
}

/// The words of each statement, in upper case; strings become `'`.
fn statements(sql: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut chars = sql.chars().peekable();
    let mut word = String::new();
    let finish = |word: &mut String, all: &mut Vec<Vec<String>>| {
        if !word.is_empty()
            && let Some(last) = all.last_mut()
        {
            last.push(std::mem::take(word));
        }
    };
    while let Some(char) = chars.next() {
        match char {
            '\'' => {
                finish(&mut word, &mut all);
                skip_quoted(&mut chars, '\'');
                word.push('\'');
                finish(&mut word, &mut all);
            }
            '"' | '`' => {
                finish(&mut word, &mut all);
                let name: String = quoted(&mut chars, char);
                word.push('"');
                word.push_str(&name);
                finish(&mut word, &mut all);
            }
            '-' if chars.peek() == Some(&'-') => {
                finish(&mut word, &mut all);
                for inner in chars.by_ref() {
                    if inner == '\n' {
                        break;
                    }
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                finish(&mut word, &mut all);
                let mut before = ' ';
                for inner in chars.by_ref() {
                    if before == '*' && inner == '/' {
                        break;
                    }
                    before = inner;
                }
            }
            '$' if chars.peek() == Some(&'$') => {
                // A dollar-quoted body runs only when it is called; `DO $$ … $$` runs at once, so its words count.
                chars.next();
                finish(&mut word, &mut all);
            }
            ';' => {
                finish(&mut word, &mut all);
                all.push(Vec::new());
            }
            char if char.is_alphanumeric() || matches!(char, '_' | '.' | '\u{E002}') => {
                word.extend(char.to_uppercase())
            }
            char if char.is_whitespace() => finish(&mut word, &mut all),
            sign => {
                finish(&mut word, &mut all);
                word.push(sign);
                finish(&mut word, &mut all);
            }
        }
    }
    finish(&mut word, &mut all);
    all
}

fn skip_quoted(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, quote: char) {
    quoted(chars, quote);
}

fn quoted(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, quote: char) -> String {
    let mut text = String::new();
    while let Some(char) = chars.next() {
        if char == quote {
            if chars.peek() == Some(&quote) {
                chars.next();
            } else {
                break;
            }
        } else if char == '\\' && quote == '\'' {
            chars.next();
        } else {
            text.push(char);
        }
    }
    text
}

/// Kinds of objects whose loss is no loss of data.
const NO_DATA: &[&str] = &[
    "INDEX",
    "VIEW",
    "TRIGGER",
    "FUNCTION",
    "PROCEDURE",
    "POLICY",
    "RULE",
    "CAST",
    "AGGREGATE",
    "OPERATOR",
    "EXTENSION",
    "TEMPORARY",
    "TEMP",
];

fn loss_of(words: &[String]) -> Loss {
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    // `EXPLAIN DELETE …` runs nothing; `WITH … DELETE` and `BEGIN DELETE` do.
    if word(0) == "EXPLAIN" && !words.iter().any(|word| word == "ANALYZE") {
        return Loss::None;
    }
    let begins = |at: usize| {
        at == 0 || matches!(word(at - 1), "BEGIN" | ")" | "THEN" | "DO" | "ELSE" | "\"" | "EXECUTE" | "(" | "LOOP")
    };
    for at in 0..words.len() {
        let loss = match word(at) {
            "DROP" if begins(at) && NO_DATA.contains(&word(at + 1)) => Loss::Some,
            "DROP" if begins(at) => Loss::All,
            "DROP" if word(0) == "ALTER" && matches!(word(at + 1), "COLUMN" | "PARTITION") => Loss::All,
            "TRUNCATE" if begins(at) && at + 1 < words.len() => Loss::All,
            "DELETE" if begins(at) && word(at + 1) == "FROM" => deletion(&words[at..]),
            "DELETE" if begins(at) && at + 1 < words.len() => deletion(&words[at..]),
            "UPDATE" if begins(at) => match condition(&words[at..]) {
                Some(condition) if !always_true(condition) => Loss::None,
                _ => Loss::Some,
            },
            _ => Loss::None,
        };
        if loss != Loss::None {
            return loss;
        }
    }
    Loss::None
}

fn deletion(words: &[String]) -> Loss {
    match condition(words) {
        Some(condition) if !always_true(condition) => Loss::Some,
        // `DELETE FROM a USING b WHERE …` has a condition; without any everything goes.
        _ => Loss::All,
    }
}

fn condition(words: &[String]) -> Option<&[String]> {
    let at = words.iter().position(|word| word == "WHERE")?;
    Some(&words[at + 1..])
}

/// `1=1`, `true`, `'a'='a'`, `id = id`, or anything `OR` such a thing.
fn always_true(words: &[String]) -> bool {
    let end =
        words.iter().position(|word| matches!(word.as_str(), "RETURNING" | "LIMIT" | "ORDER")).unwrap_or(words.len());
    words[..end].split(|word| word == "OR").any(|part| {
        let bare: Vec<&str> = part.iter().map(String::as_str).filter(|word| !matches!(*word, "(" | ")")).collect();
        match bare.as_slice() {
            ["TRUE"] | ["1"] => true,
            [left, "=", right] => left == right,
            [_, "IS", "NOT", "NULL"] => false,
            _ => false,
        }
    })
}

/// How much `sql` takes away.
pub(crate) fn loss(sql: &str) -> Loss {
    statements(sql).iter().map(|words| loss_of(words)).max().unwrap_or(Loss::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_statements_lose() {
        for sql in [
            "drop table users",
            "BEGIN; DROP SCHEMA x CASCADE; COMMIT",
            "truncate a, b",
            "DELETE FROM users",
            "delete from users where 1=1",
            "DELETE FROM a WHERE true",
            "alter table a drop column b",
            "/* x */ DROP TABLE a",
            "with x as (select 1) delete from a",
            "DELETE FROM a WHERE id=1 OR 'x'='x'",
        ] {
            assert_eq!(loss(sql), Loss::All, "{sql}");
        }
        for sql in ["delete from a where id = 3", "UPDATE a SET b = 1", "drop index i"] {
            assert_eq!(loss(sql), Loss::Some, "{sql}");
        }
        for sql in [
            "select 'drop table x'",
            "-- DROP TABLE x\nselect 1",
            "comment on table a is 'never TRUNCATE'",
            "update a set b=1 where c=2",
            "create table dropped(a int)",
            "select truncate(1.5, 0)",
            "insert into log values ('DELETE FROM a')",
            "select \"delete\" from a",
            "explain delete from a",
            "grant delete on a to b",
        ] {
            assert_eq!(loss(sql), Loss::None, "{sql}");
        }
    }
}
