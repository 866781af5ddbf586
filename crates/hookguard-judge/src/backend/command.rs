//! Any command as a judge.

use serde_json::{Value, json};

use super::{Backend, CommandInput, Failure, Finished, words};
use crate::judge::Judge;
use crate::prompt::{Material, Prompt};

/// What stands on the command's standard input.
pub fn input(backend: &Backend, prompt: &Prompt, judges: &[&Judge<'_>], material: &Material) -> String {
    match backend.input {
        CommandInput::Text => format!("{}\n{}\n", prompt.system, prompt.user),
        CommandInput::Json => {
            let judges = judges.iter().map(|judge| {
                let fields: Vec<&str> = judge.fields.iter().map(|field| field.name).collect();
                json!({ "id": judge.id, "fields": fields })
            });
            let input = json!({
                "system": prompt.system, "user": prompt.user, "schema": prompt.schema,
                "judges": judges.collect::<Vec<Value>>(), "text": material.text(), "facts": material.facts(),
            });
            format!("{input}\n")
        }
    }
}

/// The answer in what it printed.
///
/// # Errors
/// It failed: then what it printed is no verdict.
pub fn read(ran: &Finished<'_>) -> Result<String, Failure> {
    match ran.exit {
        0 => Ok(ran.answer.to_owned()),
        code => Err(Failure::Ended { how: format!("exit code {code}"), words: words(ran.talk) }),
    }
}
