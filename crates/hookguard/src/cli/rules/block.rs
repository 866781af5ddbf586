//! The rules in an agent's instructions: a block between two marks, and nothing else touched. A rule that the model knows
//! needs no refusal.

use hookguard_core::Level;

use super::Listed;

const BEGIN: &str = "<!-- hookguard: begin; made by `hookguard rules --write`, changes in here are lost -->";
const END: &str = "<!-- hookguard: end -->";
/// How both marks begin, in this version and any other.
const MARK: &str = "<!-- hookguard: ";

/// The block's content: a line for each reason, for a model pays for every word. What to do instead is said at a refusal.
pub(super) fn made(rules: &[Listed]) -> String {
    let of = |level: Level| {
        let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
        for rule in rules.iter().filter(|listed| listed.level == level).map(|listed| listed.rule) {
            match lines.iter_mut().find(|(reason, _)| *reason == rule.reason) {
                Some((_, ids)) => ids.push(rule.id),
                None => lines.push((rule.reason, vec![rule.id])),
            }
        }
        let line = |(reason, ids): &(&str, Vec<&str>)| format!("- {reason} ({})", ids.join(", "));
        lines.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    format!(
        "## What hookguard refuses\n\nCalls of which one of these is true are refused before they run. Do not try them, nor ways around \
         them; `hookguard rules show ID` says what to do instead.\n\n{}\n\nOf these your user must be told first: what you want to \
         run, and why.\n\n{}",
        of(Level::Deny),
        of(Level::Ask)
    )
}

/// The document with the block: where one stands, in its place; else at the end.
///
/// # Errors
/// The marks do not stand in it once each, in order.
pub(super) fn with(document: Option<&str>, content: &str) -> Result<String, &'static str> {
    let text = document.unwrap_or_default();
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = format!("{BEGIN}\n{content}\n{END}\n").replace('\n', newline);
    Ok(match found(text)? {
        Some((begin, end)) => format!("{}{block}{}", &text[..begin], &text[end..]),
        None if text.is_empty() => block,
        // A blank line of ours goes in front; without() takes it out again.
        None if text.ends_with('\n') => format!("{text}{newline}{block}"),
        None => format!("{text}{newline}{newline}{block}"),
    })
}

/// The document without the block, `None` where nothing is left.
///
/// # Errors
/// As for [`with`].
pub(super) fn without(document: Option<&str>) -> Result<Option<String>, &'static str> {
    let Some(text) = document else { return Ok(None) };
    let Some((begin, end)) = found(text)? else { return Ok(Some(text.to_owned())) };
    let before = &text[..begin];
    let before = before.strip_suffix('\n').map_or(before, |shorter| shorter.strip_suffix('\r').unwrap_or(shorter));
    let left = format!("{before}{}", &text[end..]);
    Ok((!left.is_empty()).then_some(left))
}

/// From the first mark to behind the line of the second.
fn found(text: &str) -> Result<Option<(usize, usize)>, &'static str> {
    let marks: Vec<usize> = text.match_indices(MARK).map(|(at, _)| at).collect();
    match marks.as_slice() {
        [] => Ok(None),
        [begin, end] if text[begin + MARK.len()..].starts_with("begin") && text[*end..].starts_with(END) => {
            let behind = end + END.len();
            let line_end =
                if text[behind..].starts_with("\r\n") { 2 } else { usize::from(text[behind..].starts_with('\n')) };
            Ok(Some((*begin, behind + line_end)))
        }
        _ => Err("the marks of hookguard's block do not stand in it once each, in order; take them out by hand"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out_again() {
        for before in ["# Mine\n", "# Mine\r\n\r\ntext\r\n", "\n", "a\n\n\n"] {
            let first = with(Some(before), "one\ntwo").unwrap();
            assert!(first.starts_with(before) && first.contains("two"), "{first:?}");
            assert_eq!(first.contains("\r\n"), before.contains("\r\n"));
            assert_eq!(with(Some(&first), "one\ntwo").unwrap(), first, "twice is once");
            let newer = with(Some(&first), "three").unwrap();
            assert!(newer.contains("three") && !newer.contains("two"));
            assert_eq!(without(Some(&newer)).unwrap().as_deref(), Some(before));
        }
        let alone = with(None, "x").unwrap();
        assert_eq!(without(Some(&alone)).unwrap(), None);
        assert_eq!(without(Some("no block\n")).unwrap().as_deref(), Some("no block\n"));
        assert_eq!(without(None).unwrap(), None);
        // What others write around it stays.
        let between = format!("{}after\n", with(Some("before\n"), "x").unwrap());
        assert_eq!(without(Some(&between)).unwrap().as_deref(), Some("before\nafter\n"));
    }

    #[test]
    fn marks_that_do_not_pair_are_left_alone() {
        for text in [BEGIN, END, &format!("{END}\n{BEGIN}\n"), &format!("{BEGIN}\n{BEGIN}\n{END}\n")] {
            assert!(with(Some(text), "x").is_err() && without(Some(text)).is_err(), "{text}");
        }
    }
}
