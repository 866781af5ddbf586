//! Sessions of the real Claude Code and the real Codex with a scripted model.

mod asking;
mod driver;
mod failing;
mod guard;
mod install;
mod judges;
mod policies;
mod recursion;
mod released;
mod replayed;
mod scripts;
mod session;
mod settings;
mod skipping;
mod spellings;
mod truth;

use hookguard_integration::agents::{Mode, skipped};

/// Runs a scenario in one mode, unless the developer has left the real agents out.
fn in_mode(name: &str, mode: Mode, scenario: fn(Mode) -> anyhow::Result<()>) -> anyhow::Result<()> {
    if skipped(&format!("{name}, {mode}")) {
        return Ok(());
    }
    scenario(mode)
}

/// Makes three tests of a scenario: `scenario::claude`, `scenario::codex_direct`, `scenario::codex_code`.
macro_rules! in_each_mode {
    ($($scenario:ident),+ $(,)?) => {$(
        mod $scenario {
            use hookguard_integration::agents::Mode;

            use crate::real_agents::in_mode;

            #[test]
            fn claude() -> anyhow::Result<()> {
                in_mode(stringify!($scenario), Mode::Claude, super::$scenario)
            }

            #[test]
            fn codex_direct() -> anyhow::Result<()> {
                in_mode(stringify!($scenario), Mode::CodexDirect, super::$scenario)
            }

            #[test]
            fn codex_code() -> anyhow::Result<()> {
                in_mode(stringify!($scenario), Mode::CodexCode, super::$scenario)
            }
        }
    )+};
}
use in_each_mode;
