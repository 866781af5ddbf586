//! One session of Claude Code at a terminal, with somebody who watches and answers.

use std::time::{Duration, Instant};

use anyhow::ensure;

use super::slots::Slot;
use crate::Invocation;
use crate::fake_model::{FakeModel, Request};
use crate::terminal::{Live, squeezed};

/// How long the screen may take to show something.
const DEADLINE: Duration = Duration::from_secs(60);

/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How much of the screen's history is shown when a test fails.
const SHOWN: usize = 4000;

/// A session that runs, until dropped.
#[derive(Debug)]
pub struct Attended {
    live: Live,
    model: FakeModel,
    _slot: Slot,
}

impl Attended {
    pub(super) fn start(agent: Invocation, model: FakeModel, slot: Slot) -> anyhow::Result<Attended> {
        Ok(Attended { live: Live::start(&agent.into_command())?, model, _slot: slot })
    }

    /// Waits until the screen has shown this text; blanks don't count. Fails where it takes too long or the agent ends.
    pub fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        let (started, text) = (Instant::now(), squeezed(text));
        while !self.live.shown().contains(&text) {
            let shown = self.live.shown();
            let from = shown.char_indices().rev().nth(SHOWN).map_or(0, |(at, _)| at);
            ensure!(self.live.runs()?, "the agent ended, and {text:?} was never shown: {}", &shown[from..]);
            ensure!(started.elapsed() < DEADLINE, "{text:?} was not shown: {}", &shown[from..]);
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Types these keys.
    pub fn type_in(&mut self, keys: &str) -> anyhow::Result<()> {
        self.live.type_in(keys)
    }

    /// What its model was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        self.model.requests()
    }
}
