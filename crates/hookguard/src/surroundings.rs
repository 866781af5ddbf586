//! What the process knows of its user and machine. The only place that reads the environment on the hook path.

use std::path::{Path, PathBuf};

/// The user, the folders and the binary. Nothing of it is looked up in a user database: a static binary can't.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    /// The home folder, if it is set and absolute.
    pub(crate) home: Option<String>,
    /// The user's name.
    pub(crate) user: Option<String>,
    /// The folder for temporary files, if one is set.
    pub(crate) tmpdir: Option<String>,
    /// The process's working directory; none if it has been deleted.
    pub(crate) cwd: Option<String>,
    /// hookguard's state folder; none means no log and no queue.
    pub(crate) state: Option<PathBuf>,
    /// What only humans may change: hookguard's binary, state and configuration.
    pub(crate) guard_paths: Vec<String>,
}

impl Surroundings {
    /// As the process finds them.
    pub(crate) fn of_process() -> Surroundings {
        let home = absolute("HOME");
        let below_home = |variable: &str, folder: &str| {
            absolute(variable)
                .or_else(|| home.as_ref().map(|home| format!("{home}/{folder}")))
                .map(|base| format!("{base}/hookguard"))
        };
        let state = below_home("XDG_STATE_HOME", ".local/state");
        let config = below_home("XDG_CONFIG_HOME", ".config");
        let binary = std::env::current_exe().ok().and_then(|path| text(&path));
        Surroundings {
            user: std::env::var("USER").ok().filter(|user| !user.is_empty()),
            tmpdir: absolute("TMPDIR"),
            cwd: std::env::current_dir().ok().and_then(|path| text(&path)),
            guard_paths: [binary, state.clone(), config].into_iter().flatten().collect(),
            state: state.map(PathBuf::from),
            home,
        }
    }
}

fn absolute(variable: &str) -> Option<String> {
    let value = std::env::var(variable).ok()?;
    let trimmed = value.trim_end_matches('/');
    trimmed.starts_with('/').then(|| trimmed.to_owned())
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}
