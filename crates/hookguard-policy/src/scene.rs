//! All commands of a reading with what is known of each, as computed rules look at them.

use hookguard_shell::{Command, Reading, Stdin, Step, Via};

use crate::call::Call;
use crate::context::Context;
use crate::effects::{Effect, Traces, effects};
use crate::paths::{World, components};

/// A reading, its calls and their effects, one of each a command.
#[derive(Debug)]
pub(crate) struct Scene<'r> {
    pub(crate) reading: &'r Reading,
    pub(crate) calls: Vec<Call<'r>>,
    pub(crate) effects: Vec<Vec<Effect<'r>>>,
    pub(crate) world: &'r World<'r>,
    pub(crate) context: &'r Context<'r>,
}

impl<'r> Scene<'r> {
    /// Looks at all commands of `reading`.
    pub(crate) fn new(reading: &'r Reading, world: &'r World<'r>, context: &'r Context<'r>) -> Scene<'r> {
        let calls: Vec<Call<'r>> = reading.commands.iter().map(|command| Call::new(reading, command)).collect();
        let mut traces = Traces::default();
        let effects = calls.iter().map(|call| effects(call, world, &mut traces)).collect();
        Scene { reading, calls, effects, world, context }
    }

    /// The command at `at`.
    pub(crate) fn command(&self, at: usize) -> &'r Command {
        &self.reading.commands[at]
    }

    /// The commands that read the output of the command at `at` through a pipe.
    pub(crate) fn readers(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.reading
            .commands
            .iter()
            .enumerate()
            .filter(move |(_, command)| matches!(&command.stdin, Stdin::Pipe(from) if from.contains(&at)))
            .map(|(reader, _)| reader)
    }

    /// The commands in substitutions inside the words of the command at `at`.
    pub(crate) fn inside(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let outer = self.command(at);
        (0..self.calls.len()).filter(move |&inner| {
            let command = self.command(inner);
            let deeper = command.via.len() > outer.via.len() && command.via.starts_with(&outer.via);
            inner != at
                && deeper
                && outer.span.start <= command.span.start
                && command.span.end <= outer.span.end
                && command.via[outer.via.len()..]
                    .first()
                    .is_some_and(|via| matches!(via.step, Step::Substitution | Step::ProcessSubstitution))
        })
    }

    /// Whether a step of the way to the command at `at` is taken by `program`.
    pub(crate) fn through(&self, at: usize, program: &str) -> bool {
        self.command(at).via.iter().any(|via: &Via| via.program == program)
    }
}

/// The folders that classes are measured by, from a context.
pub(crate) fn world<'a>(context: &'a Context<'a>, cwd: Option<&'a str>) -> World<'a> {
    let home = context.home.map(components).filter(|parts| !parts.is_empty());
    // A project is never the home folder, a folder above it, or `/`: nothing may be loosened by such a root.
    let fit = |root: &Vec<&str>| !root.is_empty() && !home.as_ref().is_some_and(|home| home.starts_with(root));
    let root = context.root.or(cwd).map(components).filter(fit);
    World {
        home,
        root,
        tmpdir: context.tmpdir.map(components).filter(|parts| parts.len() > 1),
        guard_paths: context.guard_paths,
    }
}
