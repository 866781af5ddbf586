//! One-liners in other languages: their file and process calls become commands in the shell's vocabulary.
//!
//! Not an interpreter: the tokens are walked once, in order, as if every branch and every function were taken; literals,
//! names bound to them and the usual ways to build a path are followed, all else is unknown.

mod arguments;
mod calls;
mod effects;
mod eval;
mod expression;
mod lexer;
mod methods;
mod powershell;
mod process;
mod tcl;
mod value;

use super::Reader;
use super::simple::Call;
use super::source::encode;
use crate::command::{Runs, Span, Step, Word};

/// Languages whose calls are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    JavaScript,
    Perl,
    Ruby,
    Php,
}

/// The language that a program runs, by its bare name.
fn by_name(name: &str) -> Option<Language> {
    Some(match name {
        "python" | "python2" | "pypy" | "pypy3" | "ipython" => Language::Python,
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" | "zx" => Language::JavaScript,
        "perl" | "perl5" => Language::Perl,
        "ruby" | "jruby" | "rails" => Language::Ruby,
        "php" => Language::Php,
        _ if name.starts_with("python3") => Language::Python,
        _ if name.starts_with("php") => Language::Php,
        _ => return None,
    })
}

impl Reader {
    /// Reads code in another language.
    pub(super) fn foreign(&mut self, call: &Call<'_>, code: &Word, language: &str, step: Step) {
        self.foreign_by(call, code, language, step, call.name);
    }

    /// The same, with another name for who runs it.
    pub(super) fn foreign_by(&mut self, call: &Call<'_>, code: &Word, language: &str, step: Step, by: &str) {
        let Some(language) = by_name(language) else {
            if matches!(call.name, "expect" | "tclsh") {
                self.tcl(call, code, step);
            }
            self.commands[call.index].runs = Some(Runs::Unknown);
            return;
        };
        self.language(call, code, language, step, by);
    }

    fn language(&mut self, call: &Call<'_>, code: &Word, language: Language, step: Step, by: &str) {
        if !code.parts.iter().any(|part| !matches!(part, crate::command::Part::Unknown(_))) && !code.parts.is_empty() {
            self.commands[call.index].runs = Some(Runs::Unknown);
            return;
        }
        self.commands[call.index].runs = Some(Runs::Partly);
        let (text, holes) = encode(code);
        if !self.pay(1 + text.len() / 16) || !self.enter() {
            return;
        }
        let span = self.context.span;
        let own: Span = self.commands[call.index].span;
        self.context.span = span.or(Some(own));
        let mark = self.state.mark();
        self.within(step, by, |reader| eval::run(reader, call, &text, holes, language));
        self.state.roll_back(mark);
        self.context.span = span;
        self.leave();
    }
}
