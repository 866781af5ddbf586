//! `hookguard explain`: how a command line is read, what each rule finds, and what each agent would be told.

use std::fmt::Write;

use hookguard_adapter::Adapter;
use hookguard_core::{Decision, Event, Fitted, Mode, Told};
use hookguard_policy::explain::{Touch, touches};
use hookguard_policy::{Finding, Outcome, Question};
use hookguard_shell::{Command, Cwd, Reading, Runs, Step, Via};
use serde::Serialize;

use super::check::{PlaceArguments, code, event};
use super::output::{json, print, visible, visible_lines};
use crate::agents::AGENTS;
use crate::config::{self, Read};
use crate::hook::release::releasable;
use crate::pipeline::{Place, capabilities, context, decide_at, fitted};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The command line
    command: String,
    /// Write everything as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = arguments.place.surroundings();
    let event = event(&arguments.command, surroundings.cwd.clone());
    let read = arguments.place.read(&surroundings)?;
    let policy = read.as_ref().map_or(&hookguard_config::BUILTIN, config::of_read);
    let place = arguments.place.place(&surroundings, &event, policy);
    let outcome = decide_at(&event, &place);
    let explained = Explained::new(&event, &outcome, &place, read.as_ref());
    print(&if arguments.json { json(&explained)? } else { explained.text()? })?;
    Ok(code(outcome.verdict.decision))
}

/// Everything there is to say of a command line.
#[derive(Serialize)]
struct Explained<'a> {
    project: Option<&'a str>,
    home: Option<&'a str>,
    mode: Mode,
    commands: Vec<Reached>,
    errors: Vec<Error>,
    findings: Vec<Found<'a>>,
    verdict: &'a hookguard_core::Verdict,
    /// What a look at the disk could settle, and did not.
    questions: &'a [Question],
    agents: Vec<Answer>,
}

/// A command that can be reached.
#[derive(Serialize)]
struct Reached {
    /// How it is reached, outermost first.
    via: Vec<String>,
    argv: Vec<String>,
    assignments: Vec<String>,
    redirects: Vec<String>,
    cwd: Option<String>,
    /// Where it runs, if not here, and as whom, if not as oneself.
    place: Vec<String>,
    /// What it runs itself, where that is not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<&'static str>,
    span: [usize; 2],
    files: Vec<Touch>,
}

#[derive(Serialize)]
struct Error {
    at: usize,
    what: &'static str,
}

/// What a rule found, and why it has the level that it has.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    /// Where the rule's level was set: `built in`, or the place in a file.
    origin: String,
}

/// What one agent is told, with or without a human present.
#[derive(Serialize)]
struct Answer {
    agent: &'static str,
    attended: Vec<bool>,
    told: Told,
    /// The hook's standard output.
    stdout: String,
}

impl<'a> Explained<'a> {
    fn new(event: &Event<'_>, outcome: &'a Outcome, place: &'a Place<'_>, read: Option<&Read>) -> Explained<'a> {
        let empty = Reading::default();
        let reading = outcome.reading.as_ref().unwrap_or(&empty);
        let files = touches(reading, event.cwd.as_deref(), &context(place, None));
        let found = |finding: &'a Finding| Found { origin: origin(finding.rule, read), finding };
        Explained {
            project: place.root.as_deref(),
            home: place.surroundings.home.as_deref(),
            mode: outcome.mode,
            commands: reading.commands.iter().zip(files).map(|(command, files)| reached(command, files)).collect(),
            errors: reading.errors.iter().map(|error| Error { at: error.at, what: error.what }).collect(),
            findings: outcome.findings.iter().map(found).collect(),
            verdict: &outcome.verdict,
            questions: if place.look { &[] } else { &outcome.questions },
            agents: AGENTS.iter().flat_map(|adapter| answers(*adapter, event, outcome)).collect(),
        }
    }
}

/// A question in a line: its name, and what it is about.
fn asked(question: &Question) -> String {
    let value = serde_json::to_value(question).unwrap_or_default();
    let parts = value.as_object().into_iter().flatten().map(|(name, about)| {
        let about = about.as_object().into_iter().flatten().map(|(_, value)| match value.as_str() {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        });
        format!("{name} {}", about.collect::<Vec<_>>().join(" "))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Where the level of a rule was set.
fn origin(rule: &str, read: Option<&Read>) -> String {
    let set = read.and_then(|read| Some((read, read.stack.levels.get(rule)?.origin.as_ref()?)));
    set.map_or("built in".to_owned(), |(read, origin)| {
        format!("{}:{}", read.path(origin.layer).display(), read.stack.place(origin))
    })
}

fn reached(command: &Command, files: Vec<Touch>) -> Reached {
    let mut place = Vec::new();
    place.extend(command.place.remote.as_ref().map(|host| format!("on {}", host.display())));
    place.extend(command.place.container.as_ref().map(|_| "in a container".to_owned()));
    place.extend(command.place.elevated.then(|| "with other rights".to_owned()));
    Reached {
        via: command.via.iter().map(step).collect(),
        argv: command.argv.iter().map(hookguard_shell::Word::display).collect(),
        assignments: command.assignments.iter().map(|set| format!("{}={}", set.name, set.value.display())).collect(),
        redirects: command
            .redirects
            .iter()
            .map(|redirect| format!("{} {}", sign(redirect.kind), redirect.target.display()))
            .collect(),
        cwd: match &command.cwd {
            Cwd::Known(cwd) => Some(cwd.clone()),
            Cwd::Unknown => None,
        },
        place,
        runs: command.runs.as_ref().and_then(runs),
        span: [command.span.start, command.span.end],
        files,
    }
}

fn sign(kind: hookguard_shell::RedirectKind) -> &'static str {
    use hookguard_shell::RedirectKind::{Append, Read, ReadWrite, Write};
    match kind {
        Read => "<",
        Write => ">",
        Append => ">>",
        ReadWrite => "<>",
    }
}

/// What a command runs that is not among the commands.
fn runs(runs: &Runs) -> Option<&'static str> {
    Some(match runs {
        Runs::Opened => return None,
        Runs::Partly => "code of which only a part is read",
        Runs::File { .. } => "a file that is not read here",
        Runs::Script { .. } => "a script of the project",
        Runs::Stdin => "whatever comes on its input",
        Runs::Unknown => "code that the text does not tell",
        Runs::Interactive => "what is typed later",
    })
}

/// `bash (code)`, `xargs (for each)`, `sudo`, `$(…)`
fn step(via: &Via) -> String {
    let how = match via.step {
        Step::Substitution => "$(…)",
        Step::ProcessSubstitution => "<(…)",
        Step::Wrapper => "",
        Step::ForEach => "for each",
        Step::Code => "code",
        Step::Input => "input",
        Step::WrittenFile => "written file",
        Step::Script => "script",
        Step::Function => "function",
        Step::Trap => "trap",
    };
    match (via.program.as_str(), how) {
        ("", how) => how.to_owned(),
        (program, "") => program.to_owned(),
        (program, how) => format!("{program} ({how})"),
    }
}

/// What an agent would see, with and without a human present.
fn answers(adapter: &dyn Adapter, event: &Event<'_>, outcome: &Outcome) -> Vec<Answer> {
    let profile = adapter.profile();
    let Some(row) = profile.events.iter().find(|row| row.kind == event.kind) else { return Vec::new() };
    let mut answers: Vec<Answer> = Vec::new();
    for attended in [true, false] {
        let event = Event { agent: profile.id, native_event: row.native.to_owned(), attended, ..event.clone() };
        let mut outcome = outcome.clone();
        if releasable(&event, &capabilities(adapter, &event), &outcome) {
            // The hook makes the code from the call.
            outcome.verdict.release = Some("CODE".to_owned());
        }
        let Fitted { told, .. } = fitted(adapter, &event, &outcome);
        let stdout = adapter.render(&event, &fitted(adapter, &event, &outcome)).stdout;
        match answers.last_mut() {
            Some(last) if last.told == told && last.stdout == stdout => last.attended.push(attended),
            _ => answers.push(Answer { agent: profile.name, attended: vec![attended], told, stdout }),
        }
    }
    answers
}

impl Explained<'_> {
    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        writeln!(out, "project  {}", visible(self.project.unwrap_or("none")))?;
        writeln!(out, "reads as")?;
        for (index, command) in self.commands.iter().enumerate() {
            command.write(&mut out, index + 1)?;
        }
        for Error { at, what } in &self.errors {
            writeln!(out, "  !   {what} at byte {at}")?;
        }
        writeln!(out, "finds")?;
        for Found { finding, origin } in &self.findings {
            let of = finding.command.map_or_else(String::new, |index| format!(" in {}", index + 1));
            let observed = if finding.observed { ", only observed" } else { "" };
            writeln!(
                out,
                "  {} {}{of}: {}\n      {}",
                finding.decision,
                visible(finding.rule),
                visible(&finding.evidence),
                visible(&finding.reason)
            )?;
            writeln!(out, "      instead: {}", visible(&finding.instead))?;
            writeln!(out, "      level: {} ({}{observed})", finding.decision, visible(origin))?;
        }
        if self.findings.is_empty() {
            writeln!(out, "  nothing")?;
        }
        if !self.questions.is_empty() {
            writeln!(out, "  the disk was not looked at, and could say more of:")?;
        }
        for question in self.questions {
            writeln!(out, "      {}", visible(&asked(question)))?;
        }
        let mode = if self.mode == Mode::Observe { " (only observed)" } else { "" };
        let decision = match self.verdict.decision {
            Decision::None => Decision::Allow,
            decision => decision,
        };
        writeln!(out, "verdict  {decision} {}{mode}", visible(&self.verdict.rule))?;
        for answer in &self.agents {
            answer.write(&mut out)?;
        }
        Ok(out)
    }
}

impl Reached {
    fn write(&self, out: &mut String, number: usize) -> std::fmt::Result {
        let chain: String = self.via.iter().map(|step| format!("{step} → ")).collect();
        let words: Vec<&str> =
            self.assignments.iter().chain(&self.argv).chain(&self.redirects).map(String::as_str).collect();
        write!(out, "  {number:<3} {}{}", visible(&chain), visible(&words.join(" ")))?;
        let mut about: Vec<&str> = self.place.iter().map(String::as_str).collect();
        if self.cwd.is_none() {
            about.push("in an unknown folder");
        }
        if !about.is_empty() {
            write!(out, "  ({})", visible(&about.join(", ")))?;
        }
        writeln!(out)?;
        if let Some(runs) = self.runs {
            writeln!(out, "        runs {runs}")?;
        }
        for Touch { effect, path, redirect, classes } in &self.files {
            let by = if *redirect { ", by redirect" } else { "" };
            writeln!(out, "        {effect} {}{by}", visible(path))?;
            if classes.is_empty() {
                writeln!(out, "          of no class: neither its place nor its name is known")?;
            }
            for class in classes {
                writeln!(out, "          {}: {}", class.name, visible(&class.why))?;
            }
        }
        Ok(())
    }
}

impl Answer {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let how = match self.attended.as_slice() {
            [true] => ", a human present",
            [false] => ", nobody present",
            _ => "",
        };
        let (verb, text) = match &self.told {
            Told::Nothing => ("nothing: it goes on as usual", ""),
            Told::Context(text) | Told::Feedback(text) => ("to go on, and", text.as_str()),
            Told::Ask(text) => ("to ask its user", text.as_str()),
            Told::Deny(text) => ("not to run it", text.as_str()),
            Told::Rewrite { command, .. } => ("to run instead", command.as_str()),
            Told::Resume(text) => ("to go on", text.as_str()),
        };
        writeln!(out, "tells {}{how}\n  {verb}", self.agent)?;
        for line in visible_lines(text).lines() {
            writeln!(out, "    {line}")?;
        }
        Ok(())
    }
}
