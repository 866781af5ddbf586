//! What the process knows of its user and machine. The only place that reads the environment on the hook path.

use std::path::{Path, PathBuf};

use hookguard_adapter::{Profile, Scope};
use hookguard_judge::backend::GUARD_VARIABLES;

use crate::agents::AGENTS;
use crate::config::managed_file;

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
    /// The folder of the user's configuration of hookguard.
    pub(crate) config: Option<PathBuf>,
    /// The administrator's configuration.
    pub(crate) managed: PathBuf,
    /// What only humans may change: hookguard's binary, state and configuration.
    pub(crate) guard_paths: Vec<String>,
}

impl Surroundings {
    /// As the process finds them.
    pub(crate) fn of_process() -> Surroundings {
        let home = absolute("HOME");
        let below_home = |variable: &str, folder: &str| {
            absolute(variable).or_else(|| home.as_ref().map(|home| format!("{home}/{folder}")))
        };
        let (state, config) = (below_home("XDG_STATE_HOME", STATE), below_home("XDG_CONFIG_HOME", CONFIG));
        let mut found = Surroundings {
            user: std::env::var("USER").ok().filter(|user| !user.is_empty()),
            tmpdir: absolute("TMPDIR"),
            cwd: std::env::current_dir().ok().and_then(|path| text(&path)),
            home,
            ..Surroundings::with_folders(state, config, std::env::current_exe().ok().and_then(|path| text(&path)))
        };
        found.guard_paths.extend(moved_settings());
        let behind = found.behind_links();
        found.guard_paths.extend(behind);
        found
    }

    /// As somebody with this home folder would find them whose environment says nothing else: for questions about another
    /// machine. Only the working directory is this process's own.
    pub(crate) fn of_home(home: &str) -> Surroundings {
        let home = home.trim_end_matches('/');
        let below_home = |folder: &str| Some(format!("{home}/{folder}"));
        Surroundings {
            user: home.rsplit('/').next().map(str::to_owned),
            home: Some(home.to_owned()),
            cwd: std::env::current_dir().ok().and_then(|path| text(&path)),
            ..Surroundings::with_folders(below_home(STATE), below_home(CONFIG), None)
        }
    }

    fn with_folders(state: Option<String>, config: Option<String>, binary: Option<String>) -> Surroundings {
        let own = |base: String| format!("{base}/hookguard");
        let (state, config) = (state.map(own), config.map(own));
        Surroundings {
            managed: managed_file(),
            guard_paths: [binary, state.clone(), config.clone()].into_iter().flatten().collect(),
            config: config.map(PathBuf::from),
            state: state.map(PathBuf::from),
            ..Surroundings::default()
        }
    }

    /// The same where only humans may change `named` too: files that the configuration's scripts and judges are, below `root` where they
    /// are named from there.
    pub(crate) fn guarding(&self, named: &[&str], root: Option<&str>) -> Surroundings {
        let place = |name: &&str| {
            let below = ["$CLAUDE_PROJECT_DIR/", "${CLAUDE_PROJECT_DIR}/", "./"]
                .iter()
                .find_map(|start| name.strip_prefix(start));
            let home = name.strip_prefix("~/").or_else(|| name.strip_prefix("$HOME/"));
            match (home, name.starts_with('/')) {
                (Some(rest), _) => Some(format!("{}/{rest}", self.home.as_deref()?)),
                (None, true) => Some((*name).to_owned()),
                (None, false) => Some(format!("{}/{}", root?, below.unwrap_or(name))),
            }
        };
        // The system's programs are guarded as such.
        let own = |path: &String| !["/bin/", "/usr/", "/dev/"].iter().any(|start| path.starts_with(start));
        let mut surroundings = self.clone();
        surroundings.guard_paths.extend(named.iter().filter_map(place).filter(own));
        surroundings
    }

    /// Files that stand behind a link: what is written to them is the agent's settings, or ours.
    fn behind_links(&self) -> Vec<String> {
        let of_agents = AGENTS.iter().flat_map(|adapter| adapter.profile().settings);
        let of_agents = of_agents
            .filter(|place| place.scope == Scope::User)
            .filter_map(|place| Some(Path::new(self.home.as_ref()?).join(place.folder).join(place.path)));
        let own = self.config.iter().map(|folder| folder.join("config.toml"));
        let linked = own.chain(of_agents).filter(|path| std::fs::read_link(path).is_ok());
        linked.filter_map(|path| text(&std::fs::canonicalize(path).ok()?)).collect()
    }

    /// Whether there are traces of an agent on this machine: its program on PATH, or its folder in the home folder.
    pub(crate) fn finds(&self, profile: &Profile) -> bool {
        let in_home = |folder: &&str| self.home.as_ref().is_some_and(|home| Path::new(home).join(folder).is_dir());
        profile.detection.folders.iter().any(in_home) || program(profile).is_some()
    }
}

/// The settings files of agents whose folder a variable names: by its own name no table knows it.
fn moved_settings() -> impl Iterator<Item = String> {
    AGENTS.iter().map(|adapter| adapter.profile()).flat_map(|profile| {
        let folder = profile.home_variable.and_then(absolute);
        let users = profile.settings.iter().filter(|place| place.scope == Scope::User);
        users.filter_map(move |place| Some(format!("{}/{}", folder.as_ref()?, place.path)))
    })
}

/// An agent's program, where it is on PATH.
pub(crate) fn program(profile: &Profile) -> Option<PathBuf> {
    profile.detection.binaries.iter().find_map(|name| which::which(name).ok())
}

/// Where state and configuration lie below the home folder, where no variable says otherwise.
const STATE: &str = ".local/state";
const CONFIG: &str = ".config";

fn absolute(variable: &str) -> Option<String> {
    let value = std::env::var(variable).ok()?;
    let trimmed = value.trim_end_matches('/');
    trimmed.starts_with('/').then(|| trimmed.to_owned())
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

/// Whether this process belongs to a judge that hookguard has started, by the variables that its children get
/// ([`GUARD_VARIABLES`]): then nothing is put to judges. Nothing else is switched off by them.
pub(crate) fn in_a_judge() -> bool {
    GUARD_VARIABLES.into_iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
