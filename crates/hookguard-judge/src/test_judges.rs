//! Two judges for this crate's tests, with the fields of the built-in ones and words of their own.

use crate::judge::{FactRules, Field, Judge, Lexicon, When, Words};

fn judge(id: &'static str, prompt: &'static str, fields: Vec<Field<'static>>) -> Judge<'static> {
    Judge {
        id,
        title: "",
        event: When::Stop,
        prompt,
        block_if: vec![fields[0].name],
        unless: fields[1..].iter().map(|field| field.name).collect(),
        fields,
        message: "",
        alternative: "",
        facts: FactRules::default(),
        words: Words::Own(Lexicon::default()),
    }
}

fn field(name: &'static str, about: &'static str, missing_is_violation: bool) -> Field<'static> {
    Field { name, about, optional: false, missing_is_violation }
}

/// Four fields.
pub(crate) fn commit() -> Judge<'static> {
    let fields = vec![
        field("new_proposal", "a change to shared state is proposed for now", false),
        field("verification_reported", "a verification with a good result is reported", true),
        field("direction_query", "the user is asked to decide", false),
        field("future_step_description", "a later step is described", false),
    ];
    judge("commit-before-verify", "Is shared state about to be changed?", fields)
}

/// Two fields.
pub(crate) fn scope() -> Judge<'static> {
    let fields = vec![
        field("new_proposal", "work is put off", false),
        field("retraction_or_quote", "only quoted or withdrawn", true),
    ];
    judge("scope-check", "Is work put off?", fields)
}
