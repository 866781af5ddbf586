//! `hookguard sample`: a call as an agent would report it, to try `hookguard hook` with.

use hookguard_core::{Change, Event, FileChange, Prompt, PromptAuthor, Stop, ToolCall};

use super::exit;
use super::output::{Usage, print};
use crate::agents;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The agent
    agent: String,
    /// The event, as the agent spells it
    event: String,
    /// A shell command that the agent is about to run
    #[arg(long, value_name = "TEXT", group = "subject")]
    command: Option<String>,
    /// A file that the agent is about to write
    #[arg(long, value_name = "FILE", group = "subject")]
    write: Option<String>,
    /// A prompt of the user
    #[arg(long, value_name = "TEXT", group = "subject")]
    prompt: Option<String>,
    /// The assistant's last message, at stop
    #[arg(long, value_name = "TEXT", group = "subject")]
    message: Option<String>,
    /// The agent's working directory [default: the current one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let adapter = agents::by_id(&arguments.agent)
        .ok_or_else(|| Usage(format!("no agent is called {:?}; known are: {}", arguments.agent, agents::ids())))?;
    let profile = adapter.profile();
    let row = profile.event(&arguments.event).ok_or_else(|| {
        let known: Vec<_> = profile.events.iter().map(|row| row.native).collect();
        Usage(format!("{} has no event {:?}; known are: {}", profile.name, arguments.event, known.join(", ")))
    })?;
    let mut event = Event::new(row.kind, profile.id, row.native, b"");
    event.session = Some("00000000-0000-4000-8000-000000000001".to_owned());
    event.cwd = arguments.cwd.clone().or_else(|| Surroundings::of_process().cwd);
    event.tool = match (&arguments.command, &arguments.write) {
        (Some(command), _) => Some(ToolCall::shell(command.as_str())),
        (None, Some(path)) => Some(ToolCall::Edit {
            files: vec![FileChange { path: path.clone(), change: Change::Write, added: "text".to_owned() }],
        }),
        (None, None) => None,
    };
    event.call_id = event.tool.as_ref().map(|_| "sample-1".to_owned());
    event.prompt = arguments.prompt.clone().map(|text| Prompt { text, author: PromptAuthor::User });
    event.stop = arguments.message.clone().map(|text| Stop {
        active: Some(false),
        last_message: Some(text),
        background_tasks: 0,
    });
    let sample = adapter
        .sample(&event)
        .ok_or_else(|| Usage(format!("{} reports no such call on standard input", profile.name)))?;
    print(&sample)?;
    Ok(exit::OK)
}
