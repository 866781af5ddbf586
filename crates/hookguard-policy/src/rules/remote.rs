//! Other machines: whether a command there only looks.

use hookguard_shell::{Runs, Stdin};

use crate::effects::effect;
use crate::glob::like;
use crate::rule::Hit;
use crate::scene::Scene;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// Whether what runs on another machine is what deletes there; single files in temporary folders are less.
pub(crate) fn destroys(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let found = scene.effects[at].iter().find(|one| {
        let tree = one.kind & effect::DELETE_TREE != 0 && !one.path.prefix().starts_with("/tmp/");
        let system = one.kind & (effect::DELETE | 1 << 7 | 1 << 8) != 0
            && ["/etc/", "/usr/", "/boot/", "/dev/sd", "/dev/nvme"]
                .iter()
                .any(|place| one.path.prefix().starts_with(place));
        let disk = one.kind & effect::WRITE != 0 && one.path.prefix().starts_with("/dev/") && one.classes != 0;
        let disk = disk
            && !["/dev/null", "/dev/std", "/dev/fd", "/dev/tty", "/dev/shm"]
                .iter()
                .any(|place| one.path.prefix().starts_with(place));
        tree || system || disk
    })?;
    Some(Hit { evidence: found.path.display(), ..Hit::default() })
}

/// Subcommands of other programs that only look.
const READER_SUBS: &[(&str, &[&str])] = &[
    (
        "docker",
        &[
            "ps",
            "images",
            "logs",
            "inspect",
            "stats",
            "top",
            "version",
            "info",
            "port",
            "diff",
            "events",
            "system df",
            "compose ps",
            "compose logs",
            "compose config",
            "compose top",
            "container ls",
            "image ls",
            "volume ls",
            "network ls",
            "exec",
        ],
    ),
    ("docker-compose", &["ps", "logs", "config", "top"]),
    ("podman", &["ps", "images", "logs", "inspect", "stats"]),
    ("kubectl", &["get", "describe", "logs", "top", "version", "cluster-info", "api-resources", "explain"]),
    (
        "systemctl",
        &[
            "status",
            "is-active",
            "is-enabled",
            "is-failed",
            "is-system-running",
            "list-units",
            "list-unit-files",
            "list-timers",
            "show",
            "cat",
        ],
    ),
    ("service", &["* status"]),
    (
        "git",
        &["status", "log", "diff", "show", "branch", "rev-parse", "remote", "describe", "ls-files", "blame", "fetch"],
    ),
    ("supervisorctl", &["status", "tail *"]),
    ("pm2", &["list", "ls", "status", "logs", "show *", "describe *", "monit"]),
    ("crontab", &[]),
    ("apt", &["list", "show", "search", "policy"]),
    ("dpkg", &[]),
    ("ip", &["addr", "a", "route", "link", "addr show", "neigh", "r"]),
    ("nft", &["list *"]),
    ("ufw", &["status"]),
    ("psql", &[]),
    ("mysql", &[]),
    (
        "redis-cli",
        &["info", "ping", "get", "dbsize", "ttl", "keys", "scan", "type", "client list", "client info", "memory usage"],
    ),
    ("snap", &["list", "info", "version"]),
    ("tailscale", &["status", "ip", "version", "netcheck"]),
    ("npm", &["ls", "list", "-v", "view"]),
    ("zpool", &["status", "list"]),
    ("zfs", &["list", "get"]),
];

/// Anything on another machine that does more than look.
pub(crate) fn changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.argv.is_empty() && call.command.redirects.is_empty() {
        return None;
    }
    if call.command.place.elevated {
        return hit(true);
    }
    let writes = scene.effects[at].iter().any(|one| {
        one.kind & !(effect::READ | effect::SEND) != 0
            && !matches!(one.path.known(), Some("/dev/null" | "/dev/stdout" | "/dev/stderr"))
    });
    let script =
        matches!(call.command.runs, Some(Runs::File { .. } | Runs::Script { .. } | Runs::Unknown | Runs::Interactive));
    let fixed = match call.program {
        "sed" => call.has("-i"),
        "curl" => {
            call.values(&["-X", "--request"])
                .next()
                .is_some_and(|method| !matches!(method.known(), Some("GET" | "HEAD")))
                || call.has_any(&["-d", "--data*", "-F", "-T", "-o", "-O"])
        }
        "crontab" => !call.has("-l"),
        "dpkg" | "rpm" => super::system::packages_change(scene, at).is_some(),
        _ => false,
    };
    let reads = crate::tables::REMOTE_READERS.contains(&call.program)
        || call.program == "crontab"
        || call.program == "dpkg"
        || matches!(call.program, "psql" | "mysql" | "mariadb" | "sqlite3")
        || READER_SUBS
            .iter()
            .any(|(program, subs)| *program == call.program && subs.iter().any(|verb| call.sub(verb).is_some()))
        || call.has_any(&["--version", "--help"]);
    hit(writes || script || fixed || !reads)
}

/// Hosts that only speak git.
const GIT_HOSTS: &[&str] = &["git@*", "*github.com", "*gitlab.com", "*bitbucket.org"];

/// `ssh` without a command: a session or a tunnel.
pub(crate) fn shell(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.has_any(&["-V", "-Q", "-G", "-O=check"]) || call.operands.is_empty() {
        return None;
    }
    let git = call.operand(0).is_some_and(|host| GIT_HOSTS.iter().any(|pattern| like(pattern, host)));
    // What comes on a pipe or as text was read as commands; a file was not.
    let read = !matches!(call.command.stdin, Stdin::Inherited | Stdin::File(_));
    let session = call.operands.len() == 1 && !git && (!read || call.has_any(&["-N", "-L", "-R", "-D"]));
    hit(session || call.has("-t") && call.command.runs == Some(Runs::Interactive))
}
