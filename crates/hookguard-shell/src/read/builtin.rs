//! Builtins that change what is read later: `cd`, `export`, `set --`, `read`, `eval`, `trap`, `alias` and their like.

use std::rc::Rc;

use super::glance::Glance;
use super::simple::Call;
use super::state::{self, Alias, Value, Variable};
use super::walk::{Input, Out};
use super::{Reader, later, path};
use crate::command::{Cwd, Part, Runs, Stdin, Step, Unknown, Word};

/// A builtin: gives its output.
type Builtin = fn(&mut Reader, &Call<'_>) -> Out;

/// The builtins by name, sorted.
const BUILTINS: [(&str, Builtin); 26] = [
    (".", Reader::source_file),
    ("alias", Reader::define_alias),
    ("cd", Reader::cd),
    ("chdir", Reader::cd),
    ("declare", Reader::declare),
    ("dirs", Reader::silent),
    ("eval", Reader::eval),
    ("export", Reader::declare),
    ("getopts", Reader::read_variables),
    ("hash", Reader::hash),
    ("let", Reader::let_),
    ("local", Reader::declare),
    ("mapfile", Reader::read_variables),
    ("popd", Reader::popd),
    ("pushd", Reader::pushd),
    ("read", Reader::read_variables),
    ("readarray", Reader::read_variables),
    ("readonly", Reader::declare),
    ("set", Reader::set),
    ("shift", Reader::shift),
    ("source", Reader::source_file),
    ("trap", Reader::trap),
    ("typeset", Reader::declare),
    ("unalias", Reader::unalias),
    ("unset", Reader::unset),
    ("wait", Reader::silent),
];

impl Reader {
    /// Runs a builtin that changes the shell; `None` where the name is none.
    pub(super) fn builtin(&mut self, call: &Call<'_>) -> Option<Out> {
        static GLANCE: Glance = Glance::of_rows(&BUILTINS);
        if !GLANCE.may_hold(call.name) {
            return None;
        }
        let index = BUILTINS.binary_search_by(|(name, _)| (*name).cmp(call.name)).ok()?;
        Some(BUILTINS[index].1(self, call))
    }

    fn silent(&mut self, _: &Call<'_>) -> Out {
        Out::default()
    }

    /// `hash -p FILE NAME`: the name runs the file.
    fn hash(&mut self, call: &Call<'_>) -> Out {
        if let [_, option, file, names @ ..] = call.argv
            && option.as_literal() == Some("-p")
            && let Some(file) = file.as_literal()
        {
            for name in names.iter().filter_map(Word::as_literal) {
                self.state.make_program(
                    name.to_owned(),
                    if super::run::is_system(file) { path::base_name(file) } else { file },
                );
            }
        }
        Out::default()
    }

    fn cd(&mut self, call: &Call<'_>) -> Out {
        let target = operands(call).next();
        let folder = self.target(target);
        if !self.fixed || self.choice == 0 || self.alternatives <= 1 {
            self.move_to(folder);
        }
        Out::default()
    }

    /// Goes to one folder; where a command stands for several alternatives, each of them adds its own.
    fn move_to(&mut self, folder: Vec<Cwd>) {
        if self.choice == 0 || self.fixed {
            self.state.go(folder);
            return;
        }
        let mut all = self.state.folders().to_vec();
        all.extend(folder);
        self.state.go(all);
    }

    /// Where `cd TARGET` leads.
    fn target(&mut self, target: Option<&Word>) -> Vec<Cwd> {
        let Some(target) = target else {
            return vec![
                self.lookup("HOME").as_literal().map_or(Cwd::Unknown, |home| Cwd::Known(path::normalize(home))),
            ];
        };
        let from = self.folder_before();
        match target.as_literal() {
            Some("-") => self.state.previous().unwrap_or_else(|| vec![Cwd::Unknown]),
            Some(text) => vec![path::join(&from, text)],
            None => vec![Cwd::Unknown],
        }
    }

    /// The folder from which the current alternative starts.
    fn folder_before(&self) -> Cwd {
        if self.choice > 0 && !self.fixed {
            // The first alternative has moved on already.
            let before = self.state.previous().unwrap_or_default();
            return before.get(self.choice % before.len().max(1)).cloned().unwrap_or(Cwd::Unknown);
        }
        self.state.folder(self.choice).clone()
    }

    fn pushd(&mut self, call: &Call<'_>) -> Out {
        let target = operands(call).next();
        self.state.push_folder();
        let folder = match target {
            Some(target) => self.target(Some(target)),
            None => vec![Cwd::Unknown],
        };
        self.move_to(folder);
        Out::default()
    }

    fn popd(&mut self, _: &Call<'_>) -> Out {
        let folder = self.state.pop_folder().unwrap_or_else(|| vec![Cwd::Unknown]);
        self.move_to(folder);
        Out::default()
    }

    /// `declare`, `export`, `local`, `readonly`: assignments among the arguments.
    fn declare(&mut self, call: &Call<'_>) -> Out {
        let mut export = call.name == "export";
        for word in &call.argv[1..] {
            let Some(Part::Literal(first)) = word.parts.first() else { continue };
            if first.starts_with(['-', '+']) {
                export |= first.starts_with('-') && first.contains('x');
                continue;
            }
            let name = match first.find('=') {
                Some(equals) => {
                    let mut value = Word::default();
                    if equals + 1 < first.len() {
                        value.parts.push(Part::Literal(first[equals + 1..].to_owned()));
                    }
                    value.parts.extend(word.parts[1..].iter().cloned());
                    let name = first[..equals].trim_end_matches('+');
                    self.set_alternative(name, Value::Text(value));
                    name
                }
                None => first.as_str(),
            };
            if export {
                self.state.export(name);
                if later::holds_code(name) {
                    let value = self.lookup(name);
                    self.run_later(call.index, name, &value);
                }
            }
        }
        Out::default()
    }

    /// Sets a variable; where a command stands for several alternatives, each of them adds its own value.
    fn set_alternative(&mut self, name: &str, value: Value) {
        if self.choice > 0
            && !self.fixed
            && let Some(old) = self.state.variable(name)
        {
            let mut variable = old.clone();
            if !variable.values.contains(&value) && variable.values.len() < state::MAX_ALTERNATIVES {
                variable.values.push(value);
            }
            self.state.put(name, Some(variable));
            return;
        }
        self.state.set(name, value);
    }

    fn unset(&mut self, call: &Call<'_>) -> Out {
        for name in operands(call).filter_map(Word::as_literal) {
            if self.state.function(name).is_some() {
                self.state.define(name, None);
            } else {
                self.state.set(name, Value::Text(Word::default()));
            }
        }
        Out::default()
    }

    fn let_(&mut self, call: &Call<'_>) -> Out {
        for word in &call.argv[1..] {
            if let Some((name, _)) = word.prefix().split_once('=') {
                self.state.set(name.trim(), Value::Text(state::unknown(Unknown::Number)));
            }
        }
        Out::default()
    }

    fn set(&mut self, call: &Call<'_>) -> Out {
        let dashes = call.argv.iter().position(|word| word.as_literal() == Some("--"));
        if let Some(dashes) = dashes {
            self.state.set_arguments(Some(Rc::new(call.argv[dashes + 1..].to_vec())));
        } else if let Some(word) = call.argv.get(1)
            && !word.prefix().starts_with(['-', '+'])
        {
            self.state.set_arguments(Some(Rc::new(call.argv[1..].to_vec())));
        }
        Out::default()
    }

    fn shift(&mut self, call: &Call<'_>) -> Out {
        let count = match call.argv.get(1) {
            Some(word) => word.as_literal().and_then(|text| text.parse::<usize>().ok()),
            None => Some(1),
        };
        let shifted = match (self.state.arguments(), count) {
            (Some(arguments), Some(count)) => Some(Rc::new(arguments.get(count..).unwrap_or_default().to_vec())),
            _ => None,
        };
        let cost = shifted.as_ref().map_or(0, |arguments| arguments.len());
        if self.pay(cost) {
            self.state.set_arguments(shifted);
        }
        Out::default()
    }

    /// `read X`: a line of the input.
    fn read_variables(&mut self, call: &Call<'_>) -> Out {
        let mut values = &call.argv[1..];
        let mut names = Vec::new();
        let mut array = false;
        while let Some((word, rest)) = values.split_first() {
            values = rest;
            let Some(text) = word.as_literal() else { continue };
            if text == "--" {
                continue;
            }
            if text.len() > 1 && text.starts_with('-') {
                array |= text.ends_with('a');
                if text.ends_with('a') && call.name == "read" {
                    continue;
                }
                let valued: &[char] = if call.name == "read" {
                    &['p', 'd', 'n', 'N', 't', 'u', 'i']
                } else {
                    &['d', 'n', 'O', 's', 'u', 'c', 'C']
                };
                if text.ends_with(valued) {
                    values = rest.get(1..).unwrap_or_default();
                }
                continue;
            }
            names.push(text.to_owned());
        }
        let all = array || call.name != "read";
        let items = self.items(call.input);
        if all {
            let name = names.first().map_or("MAPFILE", String::as_str).to_owned();
            let list = items.unwrap_or_else(|item| vec![item]);
            self.state.set(&name, Value::List(list));
            return Out::default();
        }
        if names.is_empty() {
            names.push("REPLY".to_owned());
        }
        match items {
            Ok(lines) if names.len() == 1 => self.bind_items(&names[0], lines),
            Ok(lines) => {
                // Several names share each line: each gets its fields, the last the rest.
                let last = names.len() - 1;
                for (position, name) in names.iter().enumerate() {
                    let column = lines.iter().map(|line| field(line, position, position == last)).collect();
                    self.bind_items(name, column);
                }
            }
            Err(item) => {
                for name in &names {
                    self.state.put(name, Some(Variable { values: vec![Value::Text(item.clone())], exported: false }));
                }
            }
        }
        Out::default()
    }

    /// The lines of an input, if they are known; else a word that stands for any of them.
    pub(super) fn items(&mut self, input: &Input) -> Result<Vec<Word>, Word> {
        let commands = match &input.stdin {
            Stdin::Pipe(commands) => commands.clone(),
            _ => Vec::new(),
        };
        if let Some(text) = &input.text
            && !text.parts.is_empty()
            && !text.parts.iter().all(|part| matches!(part, Part::Unknown(Unknown::Substitution { .. })))
        {
            return Ok(lines(text));
        }
        let roots = self.roots(&commands);
        Err(state::unknown(Unknown::Item { roots, commands }))
    }

    fn eval(&mut self, call: &Call<'_>) -> Out {
        let words = &call.argv[1..];
        let words = if words.first().and_then(Word::as_literal) == Some("--") { &words[1..] } else { words };
        let code = joined(words);
        self.run_code(call, &code, Step::Code, None, call.input.clone(), true)
    }

    /// `trap CODE SIGNAL…`
    fn trap(&mut self, call: &Call<'_>) -> Out {
        let operands: Vec<&Word> = operands(call).collect();
        if operands.len() >= 2 {
            self.state.traps.push((operands[0].clone(), self.context.clone()));
            if let Some((_, context)) = self.state.traps.last_mut() {
                context.span = context.span.or(Some(self.commands[call.index].span));
            }
            self.commands[call.index].runs = Some(Runs::Opened);
            if operands[0].has_unknown() && operands[0].parts.len() == 1 {
                self.commands[call.index].runs = Some(Runs::Unknown);
            }
        }
        Out::default()
    }

    /// Runs the handlers that were set.
    pub(super) fn run_traps(&mut self) {
        for (code, context) in std::mem::take(&mut self.state.traps) {
            let outer = std::mem::replace(&mut self.context, context);
            if code.as_literal() != Some("-") {
                self.code(&code, Step::Trap, "trap", Input::default(), false);
            }
            self.context = outer;
        }
    }

    fn define_alias(&mut self, call: &Call<'_>) -> Out {
        let span = self.commands[call.index].span;
        let line = self.context.span.is_none().then_some(span.end);
        for text in operands(call).filter_map(Word::as_literal) {
            if let Some((name, value)) = text.split_once('=') {
                self.state.set_alias(name, Some(Alias { text: value.to_owned(), line }));
            }
        }
        Out::default()
    }

    fn unalias(&mut self, call: &Call<'_>) -> Out {
        for name in operands(call).filter_map(Word::as_literal) {
            self.state.set_alias(name, None);
        }
        Out::default()
    }

    /// `source FILE ARGS`
    fn source_file(&mut self, call: &Call<'_>) -> Out {
        let Some(file) = call.argv.get(1) else { return Out::default() };
        let args = call.argv[2..].to_vec();
        self.run_file(call, file, args, "bash", true)
    }
}

/// The words behind the options.
pub(super) fn operands<'c>(call: &Call<'c>) -> impl Iterator<Item = &'c Word> + use<'c> {
    let mut options = true;
    call.argv.iter().skip(1).filter(move |word| {
        if !options {
            return true;
        }
        match word.as_literal() {
            Some("--") => {
                options = false;
                false
            }
            Some(text) => {
                let option = text.len() > 1 && text.starts_with('-');
                options = option;
                !option
            }
            None => {
                options = false;
                true
            }
        }
    })
}

/// Words with blanks between them, as `eval` and `ssh` see them.
pub(super) fn joined(words: &[Word]) -> Word {
    let mut parts: Vec<Part> = Vec::new();
    let lit = |parts: &mut Vec<Part>, text: &str| match parts.last_mut() {
        Some(Part::Literal(last)) => last.push_str(text),
        _ => parts.push(Part::Literal(text.to_owned())),
    };
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            lit(&mut parts, " ");
        }
        for part in &word.parts {
            match part {
                Part::Literal(text) | Part::Glob(text) => lit(&mut parts, text),
                Part::Unknown(_) => parts.push(part.clone()),
            }
        }
    }
    Word { parts }
}

/// A text's lines.
pub(super) fn lines(text: &Word) -> Vec<Word> {
    let mut lines = vec![Word::default()];
    for part in &text.parts {
        let Part::Literal(text) = part else {
            if let Some(line) = lines.last_mut() {
                line.parts.push(part.clone());
            }
            continue;
        };
        for (index, piece) in text.split(['\n', '\0']).enumerate() {
            if index > 0 {
                lines.push(Word::default());
            }
            if !piece.is_empty()
                && let Some(line) = lines.last_mut()
            {
                line.parts.push(Part::Literal(piece.to_owned()));
            }
        }
    }
    lines.retain(|line| !line.parts.is_empty());
    lines
}

/// One field of a line.
fn field(line: &Word, position: usize, rest: bool) -> Word {
    let mut fields = super::fields::Fields::default();
    fields.unquoted(line);
    let words = fields.finish();
    if rest && words.len() > position + 1 {
        return joined(&words[position..]);
    }
    words.get(position).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted_by_name() {
        assert!(super::BUILTINS.is_sorted_by(|left, right| left.0 < right.0));
    }
}
