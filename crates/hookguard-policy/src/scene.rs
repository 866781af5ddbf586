//! All commands of a reading with what is known of each, as computed rules look at them.

use std::cell::Cell;

use hookguard_shell::{Command, Reading, Stdin, Step, Via};

use crate::call::Call;
use crate::context::Context;
use crate::effects::{Effect, Traces, effects};
use crate::links::Links;
use crate::paths::{World, components};
use crate::settings::Lists;
use crate::sketch::Sketch;

/// How many commands before or after one are looked at for what they have to do with it. A text with more of them is asked
/// about anyway ([`crate::decide()`]); the bound keeps a hostile one from costing the square of its length.
pub(crate) const MAX_LOOK: usize = 500;

/// How many steps of data are followed in one text. Files that are written from themselves over and over would else cost
/// a power of their number.
const MAX_FLOW_STEPS: u32 = 20_000;

/// A reading, its calls and their effects, one of each a command.
#[derive(Debug)]
pub(crate) struct Scene<'r> {
    pub(crate) reading: &'r Reading,
    pub(crate) calls: Vec<Call<'r>>,
    pub(crate) effects: Vec<Vec<Effect<'r>>>,
    pub(crate) world: &'r World<'r>,
    pub(crate) context: &'r Context<'r>,
    /// How many more steps of data may be followed in this text.
    steps: Cell<u32>,
}

impl<'r> Scene<'r> {
    /// Looks at all commands of `reading`.
    pub(crate) fn new(reading: &'r Reading, world: &'r World<'r>, context: &'r Context<'r>) -> Scene<'r> {
        let calls: Vec<Call<'r>> = reading.commands.iter().map(|command| Call::new(reading, command)).collect();
        let mut traces = Traces::default();
        let effects = calls.iter().map(|call| effects(call, world, &mut traces)).collect();
        Scene { reading, calls, effects, world, context, steps: Cell::new(MAX_FLOW_STEPS) }
    }

    /// Names that rules share.
    pub(crate) fn lists(&self) -> &'r Lists<'r> {
        &self.context.settings.lists
    }

    /// The command at `at`.
    pub(crate) fn command(&self, at: usize) -> &'r Command {
        &self.reading.commands[at]
    }

    /// Takes one step of following data; whether there was one left.
    pub(crate) fn step(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether data went further than it was followed.
    pub(crate) fn lost_track(&self) -> bool {
        self.steps.get() == 0
    }

    /// The commands before the one at `at`, as far back as is looked.
    pub(crate) fn before(&self, at: usize) -> std::ops::Range<usize> {
        at.saturating_sub(MAX_LOOK)..at.min(self.calls.len())
    }

    /// The commands around the one at `at`, as far as is looked.
    pub(crate) fn around(&self, at: usize) -> std::ops::Range<usize> {
        at.saturating_sub(MAX_LOOK)..self.calls.len().min(at + MAX_LOOK)
    }

    /// The commands that read the output of the command at `at` through a pipe.
    pub(crate) fn readers(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.around(at)
            .filter(move |&reader| matches!(&self.command(reader).stdin, Stdin::Pipe(from) if from.contains(&at)))
    }

    /// The commands in substitutions inside the words of the command at `at`.
    pub(crate) fn inside(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let outer = self.command(at);
        self.around(at).filter(move |&inner| {
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
    let folder = context.root.or(cwd);
    let root = folder.map(components).filter(fit);
    World {
        links: Links::new(context, folder.filter(|_| root.is_some())),
        home,
        root,
        tmpdir: context.tmpdir.map(components).filter(|parts| parts.len() > 1),
        guard_paths: context.guard_paths.iter().map(|path| components(path)).collect(),
        artefacts: Sketch::of_patterns(context.settings.lists.artefacts),
        settings: context.settings,
    }
}
