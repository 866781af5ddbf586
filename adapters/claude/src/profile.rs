//! What Claude Code is, as data. Each fact: Claude Code 2.1.332, run on 2026-11-30 (`protocols/claude-codex.md`, sections
//! 2 to 4), unless it says otherwise.

use hookguard_adapter::{
    Detection, Effects, EventRow, MatcherSupport, Profile, Reactions, Registration, Scope, SettingsPlace, Silence,
    Source, Support, TimeUnit, Timeout, ToolFamily, ToolRow, TranscriptPlace, Unhooked,
};
use hookguard_core::{Dialect, EventKind, Reaction, ToolClass};

pub(crate) const ROOT: &str = "CLAUDE_PROJECT_DIR";
pub(crate) const ATTENDED: &str = "CLAUDE_CODE_SESSION_ATTENDED";

/// What install says about the entry that blocks when the hook itself fails.
pub(crate) const RECOVERY: &str = "If hookguard's binary is ever gone, Claude Code refuses every tool: the entry says onFailure: block. \
     To recover, start `claude --setting-sources ''`, which reads no settings file, or delete the entries that name hookguard.";

pub(crate) static PROFILE: Profile = Profile {
    id: "claude",
    name: "Claude Code",
    source: Source { document: "protocols/claude-codex.md", agent_version: "2.1.332", verified_on: "2026-11-30" },
    detection: Detection { binaries: &["claude"], folders: &[".claude"], marks: &["CLAUDECODE"] },
    variables: &[ROOT, ATTENDED],
    home_variable: Some("CLAUDE_CONFIG_DIR"),
    events: EVENTS,
    tools: TOOLS,
    settings: &[
        SettingsPlace { scope: Scope::User, folder: ".claude", path: "settings.json" },
        SettingsPlace { scope: Scope::Project, folder: ".claude", path: "settings.json" },
        SettingsPlace { scope: Scope::Local, folder: ".claude", path: "settings.local.json" },
    ],
    // A subagent's lies in a folder beside its session's (`SubagentStop.json`).
    transcripts: &[TranscriptPlace { folder: ".claude", below: "projects", start: "", end: ".jsonl" }],
    trusting: None,
    unhooked: &[Unhooked {
        what: "calls that Claude Code rejects before it asks for a permission (an unknown tool, an Edit whose text is not there)",
        advice: "nothing runs, so nothing is lost",
        typed: false,
        ends: false,
    }],
};

const PRE: Effects = Effects {
    deny: Support::Yes,
    // Without a human `ask` is a refusal anyway (3a), and ours says whom to turn to.
    ask: Support::Attended,
    // `updatedInput` alone: the usual permission flow stays (3a).
    rewrite: Support::No,
    context: Support::Yes,
    note: Support::Yes,
    ..Effects::NONE
};

const EVENTS: &[EventRow] = &[
    EventRow {
        // Only a shell's command may be replaced: `updatedInput` replaces all the arguments of the tool.
        by_class: &[(ToolClass::Shell, Effects { rewrite: Support::Yes, ..PRE })],
        ..event("PreToolUse", EventKind::PreTool, Some(tool(10, true)), PRE)
    },
    // Snippets in slash commands and skills: a refusal takes the place of the output (3f). `ask` was only seen without a human.
    event(
        "PreSkillShellCommand",
        EventKind::PreTool,
        Some(tool(10, false)),
        Effects { deny: Support::Yes, ..Effects::NONE },
    ),
    event(
        "PostToolUse",
        EventKind::PostTool,
        Some(tool(30, false)),
        Effects { deny: Support::Yes, feedback: Support::Yes, note: Support::Yes, ..Effects::NONE },
    ),
    event("PostToolUseFailure", EventKind::PostTool, Some(tool(30, false)), Effects::NONE),
    event("PostToolBatch", EventKind::ToolBatch, None, Effects::NONE),
    // Silence is the question itself: the agent asks its user.
    event(
        "PermissionRequest",
        EventKind::PermissionRequest,
        None,
        Effects { deny: Support::Yes, ask: Support::Yes, ..Effects::NONE },
    ),
    event("Stop", EventKind::Stop, Some(plain(600)), STOP),
    event("SubagentStop", EventKind::SubagentStop, Some(plain(600)), STOP),
    event("StopFailure", EventKind::Other, None, Effects::NONE),
    event("UserPromptSubmit", EventKind::Prompt, Some(plain(10)), Effects { context: Support::Yes, ..Effects::NONE }),
    event("SessionStart", EventKind::SessionStart, Some(plain(10)), Effects { context: Support::Yes, ..Effects::NONE }),
    event("SessionEnd", EventKind::SessionEnd, Some(plain(5)), Effects::NONE),
    event("SubagentStart", EventKind::Other, Some(plain(10)), Effects::NONE),
    event("Notification", EventKind::Notification, None, Effects::NONE),
];

const STOP: Effects = Effects { resume: Support::Yes, note: Support::Yes, ..Effects::NONE };

const fn event(native: &'static str, kind: EventKind, registered: Option<Registration>, effects: Effects) -> EventRow {
    // `onFailure: block` turns the reactions before a tool round (3a); a broken hook is otherwise passed over.
    let reactions = match registered {
        Some(Registration { block_on_failure: true, .. }) => {
            Reactions { crash: Reaction::Blocks, timeout: Reaction::Blocks, missing: Reaction::Blocks }
        }
        _ => Reactions::PROCEEDS,
    };
    EventRow {
        native,
        kind,
        by_argument: false,
        registered,
        silence: Silence::Empty,
        effects,
        by_class: &[],
        reactions,
    }
}

const fn tool(seconds: u32, block_on_failure: bool) -> Registration {
    Registration { matcher: MatcherSupport::All("*"), timeout: in_seconds(seconds), block_on_failure }
}

const fn plain(seconds: u32) -> Registration {
    Registration { matcher: MatcherSupport::None, timeout: in_seconds(seconds), block_on_failure: false }
}

const fn in_seconds(value: u32) -> Timeout {
    Timeout { value, unit: TimeUnit::Seconds }
}

const TOOLS: &[ToolRow] = &[
    ToolRow { native: "Bash", family: ToolFamily::Shell { command: "command", cwd: None, dialect: Dialect::Posix } },
    ToolRow {
        native: "PowerShell",
        family: ToolFamily::Shell { command: "command", cwd: None, dialect: Dialect::PowerShell },
    },
    ToolRow { native: "Write", family: ToolFamily::Write { path: "file_path", text: "content" } },
    ToolRow { native: "Edit", family: ToolFamily::Edit { path: "file_path", text: "new_string" } },
    ToolRow { native: "NotebookEdit", family: ToolFamily::Edit { path: "notebook_path", text: "new_source" } },
    ToolRow { native: "Read", family: ToolFamily::Read { path: "file_path" } },
    ToolRow { native: "WebFetch", family: ToolFamily::Fetch { url: "url" } },
];
