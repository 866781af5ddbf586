//! `hookguard allow`: a human's word for a call that was refused because nobody could be asked.

use std::fmt::Write;

use hookguard_core::clip;
use serde::Serialize;

use super::output::{Usage, json, print, say, visible, visible_lines};
use super::{exit, human};
use crate::agents;
use crate::state::codes::{self, Code, Refusal};
use crate::state::now_ms;
use crate::surroundings::Surroundings;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The code that the agent was told; without one, what waits is shown
    code: Option<String>,
    /// Write what waits as JSON
    #[arg(long, conflicts_with = "code")]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let surroundings = Surroundings::of_process();
    let state = surroundings
        .state
        .as_deref()
        .ok_or_else(|| Usage("there is no state folder: neither HOME nor XDG_STATE_HOME is set".to_owned()))?;
    let Some(code) = &arguments.code else {
        codes::sweep(&surroundings);
        return list(&codes::open(state), arguments.json);
    };
    if let Some(why) = human::missing() {
        say(&format!("refused: {why}.\nOpen a terminal of your own, outside of any agent, and run it there."));
        return Ok(exit::DENIED);
    }
    let code = tidy(code);
    match codes::grant(state, &code) {
        Ok(granted) => {
            print(&allowed(&granted)?)?;
            Ok(exit::OK)
        }
        Err(Refusal::Unknown) => Err(Usage(format!(
            "no call waits under {}; `hookguard allow` shows what does. Codes are looked for in {}: an agent that runs as \
             another user, or with another XDG_STATE_HOME, keeps them elsewhere",
            visible(&code),
            state.display()
        ))
        .into()),
        Err(Refusal::Expired) => Err(Usage(format!(
            "{code} has expired: it is more than a day old. Have the agent try its call again; the code is the same"
        ))
        .into()),
        Err(Refusal::Used) => Err(Usage(format!(
            "{code} was used: its call has passed, once. Have the agent try again; it is refused again, and can be allowed again"
        ))
        .into()),
        Err(Refusal::Failed(why)) => Err(anyhow::anyhow!("failed to keep your word: {why}")),
    }
}

/// A code as people type it: in any case, with hyphens, with letters that look like its digits.
fn tidy(code: &str) -> String {
    let digit = |char: char| match char.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        char => char,
    };
    code.chars().filter(|char| !matches!(char, '-' | ' ')).map(digit).collect()
}

fn allowed(code: &Code) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let agent = name(&code.asked.agent);
    writeln!(out, "{} may pass once, within an hour, exactly as it is here:\n", code.asked.code)?;
    writeln!(out, "{}\n", indented(&code.asked.subject))?;
    if let Some(cwd) = &code.asked.cwd {
        writeln!(out, "  in    {}", visible(cwd))?;
    }
    writeln!(out, "  by    {agent}")?;
    writeln!(out, "  rule  {}: {}\n", visible(&code.asked.rule), visible(&code.asked.reason))?;
    writeln!(out, "Tell {agent} to try it again.")?;
    Ok(out)
}

fn name(agent: &str) -> String {
    agents::by_id(agent).map_or_else(|| visible(agent).into_owned(), |adapter| adapter.profile().name.to_owned())
}

fn indented(text: &str) -> String {
    visible_lines(text).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// How much of a call is shown in the list, in bytes.
const MAX_LISTED: usize = 200;

/// What waits, for programs.
#[derive(Serialize)]
struct Listed<'a> {
    code: &'a str,
    /// When it was last refused, in milliseconds since 1970 (UTC).
    t: u64,
    agent: &'a str,
    session: Option<&'a str>,
    cwd: Option<&'a str>,
    tool: &'a str,
    subject: &'a str,
    rule: &'a str,
    reason: &'a str,
    /// Whether a human has allowed it, and it has not passed yet.
    allowed: bool,
}

fn list(codes: &[Code], as_json: bool) -> anyhow::Result<u8> {
    let now = now_ms();
    if as_json {
        let listed: Vec<Listed<'_>> = codes.iter().map(|code| listed(code, now)).collect();
        print(&json(&listed)?)?;
        return Ok(exit::OK);
    }
    if codes.is_empty() {
        say("nothing waits");
        return Ok(exit::OK);
    }
    let mut out = String::new();
    for code in codes {
        let asked = &code.asked;
        let allowed = if code.is_granted(now) { "  (allowed, and not tried again yet)" } else { "" };
        writeln!(out, "{}  {} ago  {}  {}{allowed}", asked.code, ago(now, code.t), name(&asked.agent), asked.rule)?;
        writeln!(out, "        {}", visible(&clip(&asked.subject, MAX_LISTED)))?;
        if let Some(cwd) = &asked.cwd {
            writeln!(out, "        in {}", visible(cwd))?;
        }
    }
    print(&out)?;
    say("`hookguard allow CODE` lets one pass, once");
    Ok(exit::OK)
}

fn listed(code: &Code, now: u64) -> Listed<'_> {
    let asked = &code.asked;
    Listed {
        code: &asked.code,
        t: code.t,
        agent: &asked.agent,
        session: asked.session.as_deref(),
        cwd: asked.cwd.as_deref(),
        tool: &asked.tool,
        subject: &asked.subject,
        rule: &asked.rule,
        reason: &asked.reason,
        allowed: code.is_granted(now),
    }
}

fn ago(now: u64, then: u64) -> String {
    match now.saturating_sub(then) / 1000 {
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}
