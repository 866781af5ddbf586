//! What Codex CLI is, as data. Each fact: codex-cli 0.171.0, run on 2026-11-30 (`protocols/claude-codex.md`, sections 2 to
//! 4), unless it says otherwise.

use hookguard_adapter::{
    Detection, Effects, EventRow, MatcherSupport, Profile, Reactions, Registration, Scope, SettingsPlace, Silence,
    Source, Support, TimeUnit, Timeout, ToolFamily, ToolRow, TranscriptPlace, Trusting, Unhooked,
};
use hookguard_core::{Dialect, EventKind};

/// The event of the legacy `notify` program: its payload is the last argument, and nobody reads an answer.
pub(crate) const NOTIFY: &str = "notify";

/// Codex's own settings.
pub(crate) const CONFIG: &str = "config.toml";

pub(crate) static PROFILE: Profile = Profile {
    id: "codex",
    name: "Codex CLI",
    source: Source { document: "protocols/claude-codex.md", agent_version: "0.171.0", verified_on: "2026-11-30" },
    detection: Detection { binaries: &["codex"], folders: &[".codex"], marks: &[] },
    variables: &[],
    home_variable: Some("CODEX_HOME"),
    events: EVENTS,
    tools: TOOLS,
    settings: &[
        SettingsPlace { scope: Scope::User, folder: ".codex", path: "hooks.json" },
        // May hold hooks too; the user's word on which hooks may run stands there as well (`trust.rs`).
        SettingsPlace { scope: Scope::User, folder: ".codex", path: CONFIG },
        SettingsPlace { scope: Scope::Project, folder: ".codex", path: "hooks.json" },
        SettingsPlace { scope: Scope::Project, folder: ".codex", path: CONFIG },
    ],
    transcripts: &[TranscriptPlace { folder: ".codex", below: "sessions", start: "rollout-", end: ".jsonl" }],
    trusting: Some(Trusting {
        until: "installed but not trusted: nothing runs until you review it in /hooks",
        how: "Open codex, enter /hooks, and trust hookguard's entries.",
    }),
    unhooked: &[
        Unhooked {
            what: "text typed into a process that already runs (write_stdin): a shell started that way is not seen",
            advice: "bare shells and read-eval loops need a human's word",
            typed: true,
            ends: false,
        },
        Unhooked {
            what: "the end of an `apply_patch` in a shell heredoc, and of a long command that is never polled",
            advice: "both are seen before they run; what they did is read from the transcript at the next stop",
            typed: false,
            ends: true,
        },
        Unhooked {
            what: "the provider's own web search",
            advice: "switch it off with web_search = \"disabled\"",
            typed: false,
            ends: false,
        },
    ],
};

// Never ask, allow, continue or suppressOutput: each of them, or an unknown key, voids the answer and the tool runs (3a).
// A rewrite needs `allow`, so there is none.
const PRE: Effects = Effects { deny: Support::Yes, context: Support::Yes, note: Support::Yes, ..Effects::NONE };

const EVENTS: &[EventRow] = &[
    event("PreToolUse", EventKind::PreTool, Some(tool(10)), PRE),
    event(
        "PostToolUse",
        EventKind::PostTool,
        Some(tool(30)),
        // `block` replaces the tool's output by the reason; added context stands beside it (3b).
        Effects { deny: Support::Yes, feedback: Support::Yes, ..Effects::NONE },
    ),
    // Silence is the question itself: the agent asks its user.
    event(
        "PermissionRequest",
        EventKind::PermissionRequest,
        None,
        Effects { deny: Support::Yes, ask: Support::Yes, ..Effects::NONE },
    ),
    event("Stop", EventKind::Stop, Some(plain(600)), STOP),
    event("SubagentStop", EventKind::SubagentStop, Some(plain(600)), STOP),
    event("UserPromptSubmit", EventKind::Prompt, Some(plain(10)), Effects { context: Support::Yes, ..Effects::NONE }),
    event("SessionStart", EventKind::SessionStart, Some(plain(10)), Effects { context: Support::Yes, ..Effects::NONE }),
    // More than 3 seconds are cut to 3, with a warning to the user (2).
    event("SessionEnd", EventKind::SessionEnd, Some(plain(3)), Effects::NONE),
    event("SubagentStart", EventKind::Other, Some(plain(10)), Effects::NONE),
    event("Interrupt", EventKind::Other, None, Effects::NONE),
    event("PreCompact", EventKind::Other, None, Effects::NONE),
    event("PostCompact", EventKind::Other, None, Effects::NONE),
    EventRow { by_argument: true, ..event(NOTIFY, EventKind::Notification, None, Effects::NONE) },
];

const STOP: Effects = Effects { resume: Support::Yes, note: Support::Yes, ..Effects::NONE };

const fn event(native: &'static str, kind: EventKind, registered: Option<Registration>, effects: Effects) -> EventRow {
    EventRow {
        native,
        kind,
        by_argument: false,
        registered,
        silence: Silence::Empty,
        effects,
        by_class: &[],
        reactions: Reactions::PROCEEDS,
    }
}

const fn tool(seconds: u32) -> Registration {
    Registration { matcher: MatcherSupport::All("*"), ..plain(seconds) }
}

const fn plain(seconds: u32) -> Registration {
    let timeout = Timeout { value: seconds, unit: TimeUnit::Seconds };
    Registration { matcher: MatcherSupport::None, timeout, block_on_failure: false }
}

const TOOLS: &[ToolRow] = &[
    // Whatever the model called (exec_command, shell, code mode), the hook sees `Bash` (2).
    ToolRow { native: "Bash", family: ToolFamily::Shell { command: "command", cwd: None, dialect: Dialect::Posix } },
    ToolRow { native: "apply_patch", family: ToolFamily::Patch { text: "command" } },
    ToolRow { native: "view_image", family: ToolFamily::Read { path: "path" } },
];
