//! From booleans to violation, allow or fail, by Kleene's three-valued logic.

use std::collections::BTreeMap;

use crate::judge::Judge;

/// What a backend said of a judge's fields, by their names. One that is not here is unknown.
pub type Said = BTreeMap<String, bool>;

/// What the fields come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All of `block_if` hold and none of `unless`.
    Violation,
    /// One of `block_if` does not hold, or one of `unless` does, whatever the unknown ones are.
    Allow,
    /// What is unknown could change it.
    Fail,
}

/// What `said` comes to by the judge's rule: `block_if` all true, and `unless` none.
///
/// A field that is unknown reads as false where the judge says so (`optional`, `missing_is_violation`), and stays unknown
/// otherwise. A judge without `block_if` has no rule: it fails, where "nothing is required" would be a violation of everything.
pub fn outcome(judge: &Judge<'_>, said: &Said) -> Outcome {
    let read = |name: &&str| said.get(*name).copied().or_else(|| reads_as_false(judge, name));
    let holds = judge.block_if.iter().map(read);
    let vetoes = judge.unless.iter().map(|name| read(name).map(|value| !value));
    match all(holds.chain(vetoes)) {
        _ if judge.block_if.is_empty() => Outcome::Fail,
        Some(true) => Outcome::Violation,
        Some(false) => Outcome::Allow,
        None => Outcome::Fail,
    }
}

fn reads_as_false(judge: &Judge<'_>, name: &str) -> Option<bool> {
    let field = judge.fields.iter().find(|field| field.name == name)?;
    (field.optional || field.missing_is_violation).then_some(false)
}

/// Kleene's conjunction: one false is false, whatever is unknown.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let values: Vec<Option<bool>> = values.collect();
    if values.contains(&Some(false)) {
        return Some(false);
    }
    (!values.contains(&None)).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_judges::{commit, scope};
    use Outcome::{Allow, Fail, Violation};

    /// `n=T v=- f=F`: T true, F false, - not there.
    fn said(text: &str) -> Said {
        let name = |letter: &str| match letter {
            "n" => "new_proposal",
            "v" => "verification_reported",
            "d" => "direction_query",
            "f" => "future_step_description",
            "r" => "retraction_or_quote",
            "a" => "asks_first",
            other => panic!("{other}"),
        };
        let pair = |word: &str| {
            let (letter, value) = word.split_once('=').unwrap();
            (value != "-").then(|| (name(letter).to_owned(), value == "T"))
        };
        text.split_whitespace().filter_map(pair).collect()
    }

    #[test]
    fn the_table_of_kleene() {
        // No field reads as false here: the logic itself.
        let mut plain = commit();
        plain.fields.iter_mut().for_each(|field| field.missing_is_violation = false);
        for (text, want) in [
            ("n=F v=T d=T f=T", Allow),
            ("n=F v=F d=F f=F", Allow),
            ("n=F", Allow),
            ("n=T v=T d=- f=-", Allow),
            ("n=T v=- d=T f=-", Allow),
            ("n=T v=F d=F f=T", Allow),
            ("n=T v=F d=F f=F", Violation),
            ("n=T v=- d=F f=F", Fail),
            ("n=T v=F d=- f=F", Fail),
            ("n=T", Fail),
            ("v=T", Allow),
            ("d=T f=F", Allow),
            ("v=F d=F f=F", Fail),
            ("", Fail),
        ] {
            assert_eq!(outcome(&plain, &said(text)), want, "{text}");
        }
    }

    #[test]
    fn a_missing_verification_is_none() {
        for (text, want) in [
            ("n=T v=- d=T f=F", Allow),
            ("n=T v=- d=T f=-", Allow),
            ("n=T v=- d=F f=F", Violation),
            ("n=T v=F d=- f=F", Fail),
            ("n=T v=- d=- f=T", Allow),
            ("n=T v=- d=- f=F", Fail),
            ("", Fail),
            ("n=F", Allow),
        ] {
            assert_eq!(outcome(&commit(), &said(text)), want, "{text}");
        }
    }

    #[test]
    fn a_missing_retraction_is_none() {
        for (text, want) in [
            ("n=T r=T", Allow),
            ("n=T r=F", Violation),
            ("n=T r=-", Violation),
            ("n=F r=-", Allow),
            ("n=- r=T", Allow),
            ("n=- r=F", Fail),
            ("", Fail),
        ] {
            assert_eq!(outcome(&scope(), &said(text)), want, "{text}");
        }
    }

    #[test]
    fn an_added_field_never_makes_a_failure() {
        let mut judge = scope();
        judge.fields.push(crate::judge::Field {
            name: "asks_first",
            about: "",
            optional: true,
            missing_is_violation: false,
        });
        judge.unless.push("asks_first");
        for (text, want) in [("n=T r=F", Violation), ("n=T r=F a=T", Allow), ("n=F", Allow), ("r=F", Fail)] {
            assert_eq!(outcome(&judge, &said(text)), want, "{text}");
        }
    }

    #[test]
    fn a_judge_without_a_rule_fails() {
        let mut judge = scope();
        judge.block_if.clear();
        assert_eq!(outcome(&judge, &said("n=T r=F")), Fail);
    }
}
