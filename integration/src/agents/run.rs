//! One session of a real agent with a scripted model.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, bail};

use super::attended::Attended;
use super::{Agent, Mode, OFFLINE, claude, codex, install, slots};
use crate::fake_model::{FakeModel, Kind, Request, Script, Speaker};
use crate::{Finished, Sandbox};

/// After this long an agent is ended. A session takes 2 to 6 seconds; a loaded machine may need a multiple.
const DEADLINE: Duration = Duration::from_secs(90);

/// How many characters of a tool's result are shown when a test fails.
const SHOWN: usize = 600;

/// What the user asks where the test does not care: the script does not listen.
const PROMPT: &str = "Please do it.";

/// Whether Codex runs hooks that its user has not reviewed. Claude Code knows no such thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Yes, for this session: the review is the user's act and no part of most tests.
    Bypassed,
    /// No, as for a user who has just installed and not yet reviewed.
    Unreviewed,
}

/// A session about to run in a sandbox.
#[derive(Debug)]
pub struct AgentRun<'a> {
    mode: Mode,
    sandbox: &'a Sandbox,
    script: Script,
    prompt: String,
    trust: Trust,
    resumed: bool,
    deadline: Duration,
}

/// A session that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The agent's own end and output.
    pub agent: Finished,
    /// What its model was asked, in order.
    pub requests: Vec<Request>,
}

impl<'a> AgentRun<'a> {
    /// A session with this script.
    pub fn new(mode: Mode, sandbox: &'a Sandbox, script: Script) -> AgentRun<'a> {
        AgentRun {
            mode,
            sandbox,
            script,
            prompt: PROMPT.to_owned(),
            trust: Trust::Bypassed,
            resumed: false,
            deadline: DEADLINE,
        }
    }

    /// Sets what the user asks.
    #[must_use]
    pub fn prompt(mut self, prompt: &str) -> AgentRun<'a> {
        self.prompt = prompt.to_owned();
        self
    }

    /// Sets whether hooks that nobody reviewed run (Codex).
    #[must_use]
    pub fn trust(mut self, trust: Trust) -> AgentRun<'a> {
        self.trust = trust;
        self
    }

    /// Goes on with the last session of the sandbox's project: another turn of its user.
    #[must_use]
    pub fn resumed(mut self) -> AgentRun<'a> {
        self.resumed = true;
        self
    }

    /// Sets the deadline.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> AgentRun<'a> {
        self.deadline = deadline;
        self
    }

    /// Runs it, when no more than one other agent runs.
    ///
    /// Fails where the agent could not be installed or started, or asked its model for something that the script or
    /// the server does not have.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let program = self.sandbox.program(install::installed(self.mode.agent())?).envs(OFFLINE);
        let _slot = slots::take(&install::cache()?)?;
        let model = FakeModel::start(self.script)?;
        let invocation = match self.mode.agent() {
            Agent::Claude => claude::invocation(program, self.mode, self.sandbox, &model),
            Agent::Codex => codex::invocation(program, self.mode, self.trust, self.sandbox, &model),
        };
        let resume: &[&str] = match (self.resumed, self.mode.agent()) {
            (false, _) => &[],
            (true, Agent::Claude) => &["--continue"],
            (true, Agent::Codex) => &["resume", "--last"],
        };
        let agent = invocation.args(resume).arg(self.prompt).deadline(self.deadline).run()?;
        let outcome = Outcome { agent, requests: model.requests() };
        let faults = outcome.requests.iter().filter_map(|request| match &request.kind {
            Kind::Fault(why) => Some(format!("{}: {why}", request.path)),
            Kind::Turn(_) | Kind::Auxiliary | Kind::Inquiry => None,
        });
        let faults: Vec<String> = faults.collect();
        if !faults.is_empty() {
            bail!("{}: the fake model could not answer: {}\n{outcome}", self.mode, faults.join("; "));
        }
        Ok(outcome)
    }

    /// Starts Claude Code at a terminal, as a user does who stays to answer.
    pub fn attended(self) -> anyhow::Result<Attended> {
        let program = self.sandbox.program(install::installed(Agent::Claude)?).envs(OFFLINE);
        let slot = slots::take(&install::cache()?)?;
        let model = FakeModel::start(self.script)?;
        let claude = claude::attended(program, self.mode, self.sandbox, &model)?.arg(self.prompt);
        Attended::start(claude, model, slot)
    }
}

impl Outcome {
    /// The request that took the script's turn with this number, from 0: what the model knew when it said it.
    pub fn turn(&self, number: usize) -> anyhow::Result<&Request> {
        let turn = self.requests.iter().find(|request| request.kind == Kind::Turn(number));
        turn.with_context(|| format!("the session has no turn {number}: {self}"))
    }

    /// What the model learned of the call that it made in this turn: the tool's result, or why there is none.
    pub fn result_of(&self, number: usize) -> anyhow::Result<&str> {
        let result = self.turn(number + 1)?.by(Speaker::Tool).last();
        result.with_context(|| format!("the model was told no result of turn {number}: {self}"))
    }
}

/// The session in short, for the message of a test that fails: requests alone are tens of kilobytes.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finished { exit, stderr, elapsed, .. } = &self.agent;
        writeln!(f, "the agent ended with {exit:?} after {elapsed:?}")?;
        for request in &self.requests {
            writeln!(f, "{} {:?}", request.path, request.kind)?;
            if let Some(result) = request.by(Speaker::Tool).last() {
                writeln!(f, "  told: {}", result.chars().take(SHOWN).collect::<String>())?;
            }
            writeln!(f, "  says: {:?}", request.answer)?;
        }
        write!(f, "{stderr}")
    }
}
