//! The last calls of a transcript, so that each is told once however often it is written down. Bounded.

use std::collections::VecDeque;

use hookguard_core::ToolCall;

/// How many calls are remembered: a call and its end stand close together.
const MAX_CALLS: usize = 500;
/// How many calls of scripts are held back.
const MAX_HELD: usize = 100;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The ids of calls that were told, and whether their end was.
    told: VecDeque<(String, bool)>,
    /// Calls that stand in a script, with the script's id: it may not come to them, and then they have no id of their own.
    held: VecDeque<(String, ToolCall)>,
    /// Calls of scripts that were told without an id.
    early: VecDeque<ToolCall>,
}

impl Memory {
    /// Whether a call with this id was not told yet; from now on it was.
    pub(super) fn is_new(&mut self, id: &str) -> bool {
        if self.told.iter().any(|(known, _)| known == id) {
            return false;
        }
        push(&mut self.told, (id.to_owned(), false), MAX_CALLS);
        true
    }

    /// Whether a call was told whose end was not.
    pub(super) fn waits_for_end(&self, id: &str) -> bool {
        self.told.iter().any(|(known, ended)| known == id && !ended)
    }

    pub(super) fn has_ended(&mut self, id: &str) {
        if let Some((_, ended)) = self.told.iter_mut().find(|(known, _)| known == id) {
            *ended = true;
        }
    }

    /// Holds a call of the script `id` back.
    pub(super) fn hold(&mut self, id: &str, tool: ToolCall) {
        push(&mut self.held, (id.to_owned(), tool), MAX_HELD);
    }

    /// What is still held of the script `id`.
    pub(super) fn take_held_of(&mut self, id: &str) -> Vec<ToolCall> {
        let (of, others): (VecDeque<_>, VecDeque<_>) = self.held.drain(..).partition(|(script, _)| script == id);
        self.held = others;
        of.into_iter().map(|(_, tool)| tool).collect()
    }

    /// All that is held.
    pub(super) fn take_held(&mut self) -> Vec<ToolCall> {
        self.held.drain(..).map(|(_, tool)| tool).collect()
    }

    /// Remembers that a call of a script was told without an id: it may run later all the same.
    pub(super) fn tell(&mut self, tool: &ToolCall) {
        push(&mut self.early, tool.clone(), MAX_HELD);
    }

    /// A call has run: what is to be told of it, unless it was told already. It is held back no longer. A patch that stands in
    /// a command is told as the command, for so hooks see it.
    pub(super) fn untold(&mut self, ran: ToolCall) -> Option<ToolCall> {
        if let Some(at) = self.held.iter().position(|(_, held)| same(held, &ran)) {
            return match (self.held.remove(at), &ran) {
                (Some((_, command @ ToolCall::Shell { .. })), ToolCall::Edit { .. }) => Some(command),
                _ => Some(ran),
            };
        }
        let early = self.early.iter().position(|early| same(early, &ran));
        match early.map(|at| self.early.remove(at)) {
            Some(_) => None,
            None => Some(ran),
        }
    }
}

/// Whether a call of a script is what ran: the text of a command is its own, a patch is told by its last file's name.
fn same(of_script: &ToolCall, ran: &ToolCall) -> bool {
    match (of_script, ran) {
        (ToolCall::Shell { patch, .. }, ToolCall::Edit { .. }) if patch.is_empty() => false,
        (ToolCall::Shell { command, .. }, ToolCall::Shell { command: ran, .. }) => command == ran,
        (ToolCall::Shell { patch: files, .. } | ToolCall::Edit { files }, ToolCall::Edit { files: ran }) => {
            files.len() == ran.len()
                && files.iter().all(|file| ran.iter().any(|ran| ran.path.ends_with(file.path.trim_start_matches("./"))))
        }
        _ => false,
    }
}

fn push<T>(queue: &mut VecDeque<T>, value: T, most: usize) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(value);
}
