//! What a decision is made from besides the event, and what it gives.

use hookguard_core::{Decision, Mode, Verdict};
use hookguard_shell::Reading;
use serde::Serialize;

use crate::settings::Settings;

/// What the binary knows and the event does not say. All paths are absolute and normalised; nothing here was read from
/// inside the project.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The user's home folder.
    pub home: Option<&'a str>,
    /// The user's name.
    pub user: Option<&'a str>,
    /// The project's root.
    pub root: Option<&'a str>,
    /// The agent's working directory, if the event names none.
    pub cwd: Option<&'a str>,
    /// The folder for temporary files, where it is not one of the usual ones.
    pub tmpdir: Option<&'a str>,
    /// Files and folders of hookguard's own (binary, state, configuration) on this machine, which only humans may change.
    pub guard_paths: &'a [String],
    /// What the configuration changes; by default nothing.
    pub settings: &'a Settings<'a>,
    /// Whether the agent can type into a process that runs without the guard seeing it.
    pub unseen_input: bool,
    /// Answers to the questions of an earlier round; `None` in the first.
    pub answers: Option<&'a Answers>,
}

/// What one round of deciding gives.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The strictest of the findings, or none.
    pub verdict: Verdict,
    /// Whether the verdict is enforced, or only computed and logged.
    pub mode: Mode,
    /// What the world could answer to make the verdict milder or stricter. Empty when the verdict is final.
    pub questions: Vec<Question>,
    /// Everything that any rule found, in the order of the text.
    pub findings: Vec<Finding>,
    /// How the command line was read, if the event had one.
    pub reading: Option<Reading>,
}

/// What one rule found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// What it says.
    pub decision: Decision,
    /// Why, in one sentence to the model.
    pub reason: String,
    /// What to do instead, in one sentence to the model.
    pub instead: String,
    /// What it saw: the command, or the path.
    pub evidence: String,
    /// Which command of the reading it is about.
    pub command: Option<usize>,
    /// The rule is only observed: this is logged, and changes nothing.
    pub observed: bool,
}

/// A question about the world.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Which branch is checked out in the work tree that holds this folder?
    Branch {
        /// The folder.
        dir: String,
    },
    /// Is a merge, rebase, cherry-pick or revert unfinished in the work tree that holds this folder? Its name, if so.
    Unfinished {
        /// The folder.
        dir: String,
    },
    /// Where does this path lead when links are followed? Answered only where that is another place.
    Real {
        /// The path, absolute.
        path: String,
    },
    /// Does git have all that lies at these paths, as it lies there? Answered only where it is so: tracked and unchanged,
    /// or not there, or in a folder that a build brings back.
    Kept {
        /// The paths, absolute.
        paths: Vec<String>,
    },
    /// Does each of these branches point to a commit that another branch, remote branch or tag of the repository points to, or
    /// not exist? Answered only where it is so.
    Held {
        /// A folder of the work tree.
        dir: String,
        /// The branches.
        branches: Vec<String>,
    },
    /// Is all that git tracks in the work tree that holds this folder committed, as it lies there? Answered only where it is so.
    Committed {
        /// The folder.
        dir: String,
        /// And nothing lies in it that git does not track, but for folders that a build brings back.
        whole: bool,
        /// And the commit that is checked out is that of another branch, remote branch or tag.
        held: bool,
    },
    /// Does each of these paths lie in another work tree of the repository that holds this folder? Answered only where it is so.
    WorkTree {
        /// The folder.
        dir: String,
        /// The paths, absolute.
        paths: Vec<String>,
    },
    /// What does this script hold? Answered only where it is the agent's: changed in this session, or not as git has it.
    Script {
        /// The file, absolute.
        path: String,
        /// It is answered only where an edit of this session's changed it: else it is somebody else's.
        edited: bool,
    },
}

impl Question {
    /// Whether an answer can make a verdict milder; others can only make it stricter.
    pub fn may_settle(&self) -> bool {
        match self {
            Question::Branch { .. }
            | Question::Unfinished { .. }
            | Question::Kept { .. }
            | Question::Held { .. }
            | Question::Committed { .. }
            | Question::WorkTree { .. } => true,
            Question::Real { .. } | Question::Script { .. } => false,
        }
    }
}

/// Answers to questions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    answers: Vec<(Question, Option<String>)>,
}

impl Answers {
    /// Adds an answer; `None` where the world does not say.
    pub fn insert(&mut self, question: Question, answer: Option<String>) {
        self.answers.push((question, answer));
    }

    /// The answer to `question`, if it was asked and there is one.
    pub fn get(&self, question: &Question) -> Option<&str> {
        self.answers.iter().find(|(asked, _)| asked == question).and_then(|(_, answer)| answer.as_deref())
    }

    /// Whether nothing was asked yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The scripts that the world has shown: path and text.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.answers.iter().filter_map(|(question, answer)| match (question, answer) {
            (Question::Script { path, .. }, Some(text)) => Some((path.as_str(), text.as_str())),
            _ => None,
        })
    }

    /// Whether `question` was put before, with or without an answer.
    pub fn was_asked(&self, question: &Question) -> bool {
        self.answers.iter().any(|(asked, _)| asked == question)
    }
}
