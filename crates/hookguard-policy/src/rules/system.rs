//! The machine itself: power, processes, users, services, packages, settings.

use hookguard_shell::Stdin;

use crate::call::Call;
use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

fn sub(call: &Call<'_>, verbs: &[&str]) -> bool {
    verbs.iter().any(|verb| call.sub(verb).is_some())
}

/// Shutting down, restarting, ending the session. In a container it ends the container.
pub(crate) fn power(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.place.container.is_some() || call.has_any(&["--help", "--version", "--show"]) {
        return None;
    }
    hit(match call.program {
        "shutdown" => !call.has("-c"),
        "reboot" | "halt" | "poweroff" | "pm-suspend" | "rtcwake" => true,
        "kexec" => call.has("-e"),
        "init" | "telinit" => call.operand(0).is_some_and(|level| matches!(level, "0" | "1" | "6" | "s" | "S")),
        "systemctl" => sub(
            call,
            &[
                "poweroff",
                "reboot",
                "halt",
                "kexec",
                "suspend",
                "hibernate",
                "hybrid-sleep",
                "rescue",
                "emergency",
                "isolate *",
                "exit",
                "soft-reboot",
                "default",
            ],
        ),
        "loginctl" => sub(call, &["terminate-*", "kill-*"]),
        "pmset" => sub(call, &["sleepnow", "shutdown", "restart"]),
        "osascript" => call.command.argv.iter().any(|word| {
            let text = Text::from(word).known_parts().to_ascii_lowercase();
            ["shut down", "restart", "log out", "sleep"].iter().any(|verb| text.contains(&format!("to {verb}")))
        }),
        _ => false,
    })
}

/// All processes, process 1, or all of a user.
pub(crate) fn kills_everything(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.program == "killall5" {
        return hit(true);
    }
    if call.program == "kill" {
        let words: Vec<&str> = call.command.argv.iter().skip(1).filter_map(|word| word.as_literal()).collect();
        let lists = words.first().is_some_and(|first| matches!(*first, "-l" | "-L" | "--list"));
        // After a signal, `-1` is all processes; alone it is the signal.
        let all = words.iter().enumerate().any(|(at, word)| *word == "-1" && (at > 0 || words.len() == 1));
        let first = words
            .iter()
            .enumerate()
            .any(|(at, word)| *word == "1" && !(at > 0 && matches!(words[at - 1], "-s" | "-n" | "--signal")));
        return hit(!lists && (all || first));
    }
    let user = call.has_any(&["-u", "-U", "--user", "--euid", "--uid"]);
    let everything = call.operands.iter().any(|word| matches!(word.as_literal(), Some("." | ".*" | "")));
    hit(user && call.operands.is_empty()
        || everything
        || call.has_any(&["-u", "-U"]) && call.program != "pkill" && call.operands.len() <= 1)
}

/// Processes by the name of a runtime, or by a name that is not known.
pub(crate) fn kills_runtime(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.has_any(&["-l", "--list", "-L"]) && call.operands.is_empty() {
        return None;
    }
    if call.program == "taskkill" {
        return hit(true);
    }
    let runtime = |word: &&hookguard_shell::Word| {
        let text = Text::from(*word);
        let name = text.known_parts();
        let name = name.trim_start_matches('^').trim_end_matches('$');
        text.has_unknown() && name.trim_matches('\u{E002}').is_empty()
            || crate::tables::RUNTIMES.iter().any(|runtime| runtime.eq_ignore_ascii_case(name))
    };
    hit(call.program == "killall" && !call.operands.is_empty() && call.operands.iter().any(&runtime)
        || call.operands.iter().any(runtime))
}

/// A function that calls itself twice, one of them into the background.
pub(crate) fn fork_bomb(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let own = &call.command.via;
    if call.program.is_empty() {
        return None;
    }
    // A call of a function inside itself, with its own output as its input.
    let inside = own.iter().any(|via| via.step == hookguard_shell::Step::Function && via.program == call.program);
    let doubled = match &call.command.stdin {
        Stdin::Pipe(from) => from.iter().any(|from| scene.calls[*from].program == call.program),
        _ => false,
    };
    hit(doubled && (inside || call.program == ":"))
}

/// Jobs for later.
pub(crate) fn schedules(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(match call.program {
        "crontab" => {
            !call.operands.is_empty()
                || call.has("-e")
                || !matches!(call.command.stdin, Stdin::Inherited)
                || call.command.argv.iter().any(|word| word.as_literal() == Some("-"))
        }
        _ => false,
    })
}

/// A protection switched off.
pub(crate) fn firewall_off(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(match call.program {
        "iptables" | "ip6tables" => {
            call.has_any(&["-F", "--flush", "-X", "--delete-chain"])
                || call.has("-P=INPUT") && call.operands.iter().any(|word| word.as_literal() == Some("ACCEPT"))
        }
        "nft" => sub(call, &["flush *", "delete *"]),
        "ufw" => sub(call, &["disable", "reset"]) || sub(call, &["--force reset"]),
        "firewall-cmd" => call.has_any(&["--panic-off", "--remove-*", "--set-default-zone=trusted"]),
        "pfctl" => call.has_any(&["-d", "-F"]),
        "setenforce" => call.operand(0).is_some_and(|value| value == "0" || value.eq_ignore_ascii_case("permissive")),
        "netsh" => call.command.argv.iter().any(|word| word.as_literal() == Some("off")),
        "csrutil" => sub(call, &["disable"]),
        "spctl" => call.has_any(&["--master-disable", "--global-disable"]),
        "auditctl" => call.has("-D") || call.has("-e=0"),
        "aa-teardown" => true,
        _ => false,
    })
}

/// Users and their rights.
pub(crate) fn users(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.place.container.is_some() {
        return None;
    }
    hit(match call.program {
        "userdel" | "deluser" | "groupdel" | "delgroup" => !call.operands.is_empty(),
        "usermod" => true,
        "passwd" => {
            call.has_any(&["-d", "-l", "-u", "--delete", "--lock", "--unlock"])
                || !call.operands.is_empty() && !call.has_any(&["-S", "--status"])
        }
        "chpasswd" => true,
        "dscl" => {
            call.operands.iter().any(|word| matches!(word.as_literal(), Some("-delete" | "delete")))
                || call.has("-delete")
        }
        "sysadminctl" => call
            .command
            .argv
            .iter()
            .any(|word| word.prefix().starts_with("-deleteUser") || word.prefix().starts_with("-resetPassword")),
        "visudo" => !call.has_any(&["-c", "--check"]),
        _ => false,
    })
}

/// `launchctl` on a whole session.
pub(crate) fn ends_session(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let whole = call.operands.iter().skip(1).filter_map(|word| word.as_literal()).any(|domain| {
        let parts = domain.split('/').count();
        (domain.starts_with("gui") || domain.starts_with("user") || domain.starts_with("system")) && parts <= 2
    });
    hit(sub(call, &["reboot"]) || whole)
}

/// Any command with other rights, as it was reached.
pub(crate) fn elevated(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let command = scene.command(at);
    // In a container and on another machine other rules speak; a check of the rights themselves changes nothing.
    let checks = matches!(scene.calls[at].program, "true" | ":");
    hit(!command.argv.is_empty() && command.place.remote.is_none() && command.place.container.is_none() && !checks)
}

/// A shell with other rights, where no command is given.
pub(crate) fn elevates(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.place.container.is_some() || call.command.place.remote.is_some() {
        return None;
    }
    let checks = call.has_any(&["-v", "-k", "-K", "-l", "--list", "--validate"]) && call.operands.is_empty();
    let only_true = call.operands.len() == 1 && call.operand(0) == Some("true");
    hit(!checks && !only_true)
}

/// Verbs that change a service.
const SERVICE_VERBS: &[&str] = &[
    "start",
    "stop",
    "restart",
    "reload",
    "kill",
    "enable",
    "disable",
    "mask",
    "unmask",
    "daemon-reload",
    "set-default",
    "set-property",
    "edit",
    "revert",
    "try-restart",
    "reload-or-restart",
    "condrestart",
    "force-reload",
];

/// A service that is stopped, started or changed.
pub(crate) fn service_changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.place.container.is_some() {
        return None;
    }
    hit(match call.program {
        "systemctl" | "rc-service" | "sv" | "supervisorctl" | "initctl" => call
            .operands
            .iter()
            .take(2)
            .filter_map(|word| word.as_literal())
            .any(|verb| SERVICE_VERBS.contains(&verb) || matches!(verb, "shutdown" | "down" | "up")),
        "service" => {
            call.operands.iter().skip(1).filter_map(|word| word.as_literal()).any(|verb| SERVICE_VERBS.contains(&verb))
        }
        "launchctl" => sub(
            call,
            &[
                "load",
                "unload",
                "bootout",
                "bootstrap",
                "kickstart",
                "remove",
                "stop",
                "start",
                "enable",
                "disable",
                "kill",
            ],
        ),
        "brew" => {
            sub(call, &["services start", "services stop", "services restart", "services kill", "services cleanup"])
        }
        "snap" => sub(call, &["stop", "start", "restart"]),
        "net" | "sc" | "nssm" => sub(call, &["stop", "start", "delete", "config", "remove"]),
        _ => false,
    })
}

/// System packages that are installed, removed or changed.
pub(crate) fn packages_change(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.place.container.is_some()
        || call.has_any(&["--dry-run", "-s", "--simulate", "--help", "--just-print", "--assumeno"])
    {
        return None;
    }
    hit(match call.program {
        "pacman" => {
            call.has_any(&["-S", "-R", "-U", "--sync", "--remove", "--upgrade"])
                && !call.has_any(&["-s", "-i", "-l", "-p"])
        }
        "dpkg" => call.has_any(&["-i", "-r", "-P", "--install", "--remove", "--purge", "--configure"]),
        "rpm" => call.has_any(&["-i", "-U", "-e", "-F", "--install", "--erase", "--upgrade"]) && !call.has("-q"),
        "nix-env" => call.has_any(&["-i", "-e", "-u", "--install", "--uninstall", "--upgrade"]),
        "apk" => sub(call, &["add", "del", "upgrade", "fix"]),
        "emerge" => !call.has_any(&["-p", "--pretend", "-s", "--search"]) && !call.operands.is_empty(),
        "softwareupdate" => call.has_any(&["-i", "--install"]),
        _ => sub(
            call,
            &[
                "install",
                "remove",
                "purge",
                "upgrade",
                "dist-upgrade",
                "full-upgrade",
                "autoremove",
                "update",
                "refresh",
                "uninstall",
                "downgrade",
                "erase",
                "reinstall",
                "localinstall",
                "groupinstall",
                "clean",
                "autoclean",
                "in",
                "rm",
                "up",
            ],
        ),
    })
}

/// Global packages of a JavaScript package manager.
pub(crate) fn npm_global(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let changes = || {
        sub(
            call,
            &[
                "install",
                "i",
                "add",
                "uninstall",
                "remove",
                "rm",
                "un",
                "r",
                "update",
                "up",
                "upgrade",
                "link",
                "unlink",
                "in",
                "ci",
                "isntall",
            ],
        )
    };
    let global = call.has_any(&["-g", "--global", "--location=global"]);
    let yarn = call.program == "yarn" && sub(call, &["global add", "global remove", "global upgrade"]);
    // `npm link` without a name registers the project for all others.
    hit(global && changes() || yarn)
}

/// A setting of the machine.
pub(crate) fn settings_change(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.command.place.container.is_some() {
        return None;
    }
    hit(match call.program {
        "sysctl" => {
            call.has_any(&["-w", "-p", "--write", "--load", "--system"])
                || call.operands.iter().any(|word| word.prefix().contains('='))
        }
        "mount" => call.operands.len() > 1 || call.has_any(&["-a", "-o"]),
        "modprobe" => !call.has_any(&["-n", "--dry-run", "-c", "--show-depends"]),
        "umount" | "swapoff" | "swapon" | "rmmod" | "insmod" | "grub-install" | "update-grub" | "useradd"
        | "adduser" | "groupadd" => !call.has_any(&["--help", "--show", "-s", "--version"]),
        "hostnamectl" | "timedatectl" | "localectl" => sub(call, &["set-*", "hostname *"]),
        "nvram" => call.operands.iter().any(|word| word.prefix().contains('=')) || call.has_any(&["-c", "-d"]),
        "efibootmgr" => call.has_any(&["-b", "-B", "-c", "-o", "-n"]),
        "bcdedit" => call.operands.len() > 1,
        "defaults" => sub(call, &["write", "delete", "rename", "import"]),
        "scutil" | "networksetup" => {
            call.has("--set") || call.command.argv.iter().any(|word| word.prefix().starts_with("-set"))
        }
        "ip" => sub(call, &["* set", "* add", "* del", "* delete", "* flush", "* replace", "* change", "link set *"]),
        "ifconfig" => call.operands.len() > 1,
        "route" => sub(call, &["add", "del", "delete", "flush", "change"]),
        "nmcli" => sub(
            call,
            &[
                "* up",
                "* down",
                "* delete",
                "* modify",
                "* add",
                "* off",
                "* on",
                "networking off",
                "radio * off",
                "device disconnect",
            ],
        ),
        "resolvectl" => sub(call, &["dns *", "domain *", "revert *"]),
        "tc" => sub(call, &["* add", "* del", "* replace"]),
        _ => false,
    })
}
