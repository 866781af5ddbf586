//! Commands that run elsewhere: over `ssh`, in a container, in a pod.

use super::super::Reader;
use super::super::builtin::joined;
use super::super::path;
use super::super::simple::Call;
use super::super::state::Value;
use super::super::walk::Out;
use super::options::{self, Options, Read, tail};
use crate::command::{Container, Cwd, Place, Runs, Step, Word};

const SSH: Options = Options { short: "BbcDEeFIiJLlmOopPQRSWw", long: &[], code: &[], assigns: false };

/// Its `-M` names a port, where ssh's stands alone.
const AUTOSSH: Options = Options { short: "BbcDEeFIiJLlMmOopPQRSWw", ..SSH };

const SCP: Options = Options { short: "cDFiJloPSX", long: &[], code: &[], assigns: false };

const RSYNC: Options = Options {
    short: "eBMfT",
    long: &[
        "--rsh",
        "--rsync-path",
        "--exclude",
        "--include",
        "--filter",
        "--files-from",
        "--exclude-from",
        "--bwlimit",
    ],
    code: &[],
    assigns: false,
};

/// Global options of the container programs, before the subcommand.
const DOCKER: Options = Options {
    short: "cHlfp",
    long: &[
        "--config",
        "--context",
        "--host",
        "--log-level",
        "--file",
        "--project-name",
        "--project-directory",
        "--env-file",
        "--profile",
        "--url",
        "--connection",
        "--namespace",
        "--address",
    ],
    code: &[],
    assigns: false,
};

/// Options of their `run` and `exec`.
const RUN: Options = Options {
    short: "acehlmpuvw",
    long: &[
        "--add-host",
        "--annotation",
        "--attach",
        "--blkio-weight",
        "--cap-add",
        "--cap-drop",
        "--cgroup-parent",
        "--cgroupns",
        "--cidfile",
        "--cpu-period",
        "--cpu-quota",
        "--cpu-shares",
        "--cpus",
        "--cpuset-cpus",
        "--detach-keys",
        "--device",
        "--dns",
        "--dns-search",
        "--domainname",
        "--entrypoint",
        "--env",
        "--env-file",
        "--expose",
        "--gpus",
        "--group-add",
        "--health-cmd",
        "--health-interval",
        "--hostname",
        "--index",
        "--ip",
        "--ipc",
        "--isolation",
        "--label",
        "--label-file",
        "--link",
        "--log-driver",
        "--log-opt",
        "--mac-address",
        "--memory",
        "--memory-swap",
        "--mount",
        "--name",
        "--net",
        "--network",
        "--network-alias",
        "--pid",
        "--pids-limit",
        "--platform",
        "--publish",
        "--pull",
        "--restart",
        "--runtime",
        "--security-opt",
        "--shm-size",
        "--stop-signal",
        "--stop-timeout",
        "--storage-opt",
        "--sysctl",
        "--tmpfs",
        "--ulimit",
        "--user",
        "--userns",
        "--uts",
        "--volume",
        "--volume-driver",
        "--volumes-from",
        "--workdir",
    ],
    code: &[],
    assigns: false,
};

const KUBECTL: Options = Options {
    short: "ncfsl",
    long: &[
        "--namespace",
        "--container",
        "--context",
        "--cluster",
        "--kubeconfig",
        "--server",
        "--user",
        "--token",
        "--image",
        "--filename",
        "--pod-running-timeout",
        "--overrides",
        "--labels",
        "--env",
        "--port",
        "--restart",
        "--image-pull-policy",
        "--target",
        "--profile",
        "--request-timeout",
        "--as",
    ],
    code: &[],
    assigns: false,
};

/// Options of `ssh` whose value is a command that runs on this machine.
const LOCAL_COMMANDS: [&str; 4] = ["proxycommand", "localcommand", "knownhostscommand", "match exec"];

impl Reader {
    pub(super) fn ssh(&mut self, call: &Call<'_>) -> Out {
        let options = if call.name == "autossh" { &AUTOSSH } else { &SSH };
        let mut read = options::read(call.argv, 1, options);
        let Some(host) = call.argv.get(read.rest).cloned() else {
            self.ssh_options(call, &read);
            return Out::default();
        };
        // Options may stand behind the host too.
        let more = options::read(call.argv, read.rest + 1, &SSH);
        read.seen.extend(more.seen);
        self.ssh_options(call, &read);
        let rest = call.argv.get(more.rest..).unwrap_or_default();
        let place = Place { remote: Some(host), container: None, elevated: false };
        if rest.is_empty() {
            if call.argv.iter().any(|word| matches!(word.as_literal(), Some("-N" | "-O" | "-G" | "-Q" | "-W"))) {
                return Out::default();
            }
            return self.elsewhere(place, Cwd::Unknown, |reader| reader.run_input(call, Vec::new()));
        }
        let code = joined(rest);
        self.elsewhere(place, Cwd::Unknown, |reader| {
            reader.run_code(call, &code, Step::Code, None, call.input.clone(), false)
        })
    }

    /// `-o ProxyCommand=…` and its like: commands of this machine.
    fn ssh_options(&mut self, call: &Call<'_>, read: &Read) {
        for (name, value) in &read.seen {
            let Some(value) = value.as_ref().filter(|_| name == "o") else { continue };
            let text = value.prefix();
            let Some(end) = text.find(['=', ' ']) else { continue };
            if LOCAL_COMMANDS.contains(&text[..end].to_ascii_lowercase().as_str()) {
                let code = tail(value, end + 1);
                self.run_code(call, &code, Step::Code, None, call.input.clone(), false);
            }
        }
    }

    pub(super) fn scp(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &SCP);
        self.ssh_options(call, &read);
        if let Some(program) = read.value(&["S"]) {
            self.run_code(call, &program.clone(), Step::Code, None, call.input.clone(), false);
        }
        // sftp's `!command` runs here.
        if call.name == "sftp" { self.console(call) } else { self.unknown_out(call.index, call.want) }
    }

    pub(super) fn rsync(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &RSYNC);
        for name in [["e", "rsh"], ["rsync-path", "rsync-path"]] {
            if let Some(code) = read.value(&name).cloned()
                && !matches!(code.as_literal(), Some("ssh" | "rsync"))
            {
                self.run_code(call, &code, Step::Code, None, call.input.clone(), false);
            }
        }
        self.unknown_out(call.index, call.want)
    }

    /// `docker`, `podman` and their like, with `exec`, `run` and `compose`.
    pub(super) fn docker(&mut self, call: &Call<'_>) -> Out {
        let mut read = options::read(call.argv, 1, &DOCKER);
        let mut compose = call.name.ends_with("-compose");
        while let Some(word) = call.argv.get(read.rest)
            && let Some(group @ ("compose" | "container")) = word.as_literal()
        {
            compose |= group == "compose";
            read = options::read(call.argv, read.rest + 1, &DOCKER);
        }
        let sub = call.argv.get(read.rest).and_then(Word::as_literal).unwrap_or("");
        let exec = match sub {
            "exec" => true,
            "run" | "create" => false,
            _ => return self.unknown_out(call.index, call.want),
        };
        let read = options::read(call.argv, read.rest + 1, &RUN);
        let mut words = call.argv.get(read.rest + 1..).unwrap_or_default().to_vec();
        if let Some(entry) = read.value(&["entrypoint"]) {
            words.insert(0, entry.clone());
        }
        let container = Container {
            mounts: mounts(&read),
            lasting: exec || compose,
            privileged: read.has(&["privileged"])
                || ["pid", "userns", "ipc"]
                    .iter()
                    .any(|name| read.value(&[name]).and_then(Word::as_literal) == Some("host")),
        };
        let folder = match read.value(&["w", "workdir"]).and_then(Word::as_literal) {
            Some(folder) if folder.starts_with('/') => Cwd::Known(path::normalize(folder)),
            _ => Cwd::Unknown,
        };
        self.inside(call, container, folder, words)
    }

    pub(super) fn kubectl(&mut self, call: &Call<'_>) -> Out {
        let read = options::read(call.argv, 1, &KUBECTL);
        let sub = call.argv.get(read.rest).and_then(Word::as_literal).unwrap_or("");
        if !matches!(sub, "exec" | "run" | "debug") {
            return self.unknown_out(call.index, call.want);
        }
        let rest = call.argv.get(read.rest + 1..).unwrap_or_default();
        let words = match rest.iter().position(|word| word.as_literal() == Some("--")) {
            Some(dashes) => rest[dashes + 1..].to_vec(),
            None if sub == "exec" => {
                // The old form: POD COMMAND.
                let read = options::read(call.argv, read.rest + 1, &KUBECTL);
                let after = options::read(call.argv, read.rest + 1, &KUBECTL);
                call.argv.get(after.rest..).unwrap_or_default().to_vec()
            }
            None => Vec::new(),
        };
        let container = Container { mounts: Vec::new(), lasting: true, privileged: false };
        self.inside(call, container, Cwd::Unknown, words)
    }

    /// Programs that run a command in a machine or container of a name: `lxc exec NAME -- …`, `vagrant ssh -c …`.
    pub(super) fn machine(&mut self, call: &Call<'_>) -> Out {
        const SUBS: [(&str, &str); 9] = [
            ("lxc", "exec"),
            ("incus", "exec"),
            ("multipass", "exec"),
            ("limactl", "shell"),
            ("colima", "ssh"),
            ("distrobox", "enter"),
            ("toolbox", "run"),
            ("heroku", "run"),
            ("machinectl", "shell"),
        ];
        let argv = call.argv;
        let sub = argv.get(1).and_then(Word::as_literal).unwrap_or("");
        if !SUBS.contains(&(call.name, sub)) {
            return self.unknown_out(call.index, call.want);
        }
        let options = match call.name {
            "heroku" => Options { short: "ars", long: &["--app", "--remote", "--size"], ..SSH },
            "toolbox" => Options { short: "cdr", long: &["--container", "--distro", "--release"], ..SSH },
            "distrobox" => Options { short: "na", long: &["--name", "--additional-flags"], ..SSH },
            "limactl" => Options { short: "", long: &["--workdir", "--shell"], ..SSH },
            "multipass" => Options { short: "d", long: &["--working-directory"], ..SSH },
            "machinectl" => Options { short: "EMH", long: &["--uid", "--setenv", "--machine", "--host"], ..SSH },
            _ => Options { short: "", long: &["--cwd", "--env", "--user", "--group", "--mode"], ..SSH },
        };
        let read = options::read(argv, 2, &options);
        let dashes = argv.iter().position(|word| word.as_literal() == Some("--"));
        // The machine's name is the first operand, unless an option gives it.
        let option = read.value(&["a", "app", "c", "container", "n", "name"]).cloned();
        let named =
            !matches!(call.name, "heroku" | "toolbox" | "colima") && dashes.is_none_or(|dashes| read.rest < dashes);
        let operand = if named { argv.get(read.rest).cloned() } else { None };
        let words = match dashes {
            Some(dashes) => &argv[dashes + 1..],
            None if named => argv.get(options::read(argv, read.rest + 1, &options).rest..).unwrap_or_default(),
            None => argv.get(read.rest..).unwrap_or_default(),
        };
        let name = option.or(operand).unwrap_or_else(|| Word::literal(call.name));
        let place = Place { remote: Some(name), container: None, elevated: false };
        self.commands[call.index].runs = Some(Runs::Opened);
        if call.name == "heroku" {
            // Its words are put together and given to a shell there.
            let code = joined(words);
            return self.elsewhere(place, Cwd::Unknown, |reader| {
                reader.run_code(call, &code, Step::Code, None, call.input.clone(), false)
            });
        }
        let words = words.to_vec();
        self.elsewhere(place, Cwd::Unknown, |reader| {
            reader.run_words(call, Step::Wrapper, words, call.input, call.want)
        })
    }

    /// `vagrant ssh -c CODE`, `gcloud compute ssh NAME --command=CODE`, `fly ssh console -C CODE`.
    pub(super) fn remote_option(&mut self, call: &Call<'_>) -> Out {
        let is_ssh = call.argv.iter().any(|word| word.as_literal() == Some("ssh"));
        let mut words = call.argv.iter().skip(1);
        while let Some(word) = words.next().filter(|_| is_ssh) {
            let code = match word.prefix() {
                "-c" | "--command" | "-C" => words.next().cloned(),
                text if text.starts_with("--command=") => Some(tail(word, "--command=".len())),
                _ => None,
            };
            if let Some(code) = code {
                let place = Place { remote: Some(Word::literal(call.name)), container: None, elevated: false };
                return self.elsewhere(place, Cwd::Unknown, |reader| {
                    reader.run_code(call, &code, Step::Code, None, call.input.clone(), false)
                });
            }
        }
        self.unknown_out(call.index, call.want)
    }

    fn inside(&mut self, call: &Call<'_>, container: Container, folder: Cwd, words: Vec<Word>) -> Out {
        if words.is_empty() {
            return self.unknown_out(call.index, call.want);
        }
        self.commands[call.index].runs = Some(Runs::Opened);
        let place = Place { container: Some(container), ..self.context.place.clone() };
        self.elsewhere(place, folder, |reader| reader.run_words(call, Step::Wrapper, words, call.input, call.want))
    }

    /// Runs something in another place, from another folder; what it sets stays there.
    fn elsewhere(&mut self, place: Place, folder: Cwd, run: impl FnOnce(&mut Self) -> Out) -> Out {
        let elevated = self.context.place.elevated;
        let outer = std::mem::replace(&mut self.context.place, Place { elevated: place.elevated || elevated, ..place });
        let mark = self.state.mark();
        self.state.go(vec![folder]);
        self.state.set("OLDPWD", Value::Text(Word::default()));
        let out = run(self);
        self.state.roll_back(mark);
        self.context.place = outer;
        out
    }
}

/// The folders of the host that a container sees.
fn mounts(read: &Read) -> Vec<(Word, Word)> {
    let mut mounts = Vec::new();
    for (name, value) in &read.seen {
        let Some(value) = value else { continue };
        match name.as_str() {
            "v" | "volume" => {
                if let Some((host, inside)) = split_colon(value)
                    && is_path(&host)
                {
                    mounts.push((host, inside));
                }
            }
            "mount" => {
                let text = value.display();
                let field = |names: &[&str]| {
                    text.split(',').find_map(|field| {
                        let (name, value) = field.split_once('=')?;
                        names.contains(&name).then(|| Word::literal(value))
                    })
                };
                if let (Some(host), Some(inside)) =
                    (field(&["source", "src"]), field(&["target", "dst", "destination"]))
                    && is_path(&host)
                {
                    mounts.push((host, inside));
                }
            }
            _ => {}
        }
    }
    mounts
}

/// Whether the host's side of a mount is a folder, and no volume's name.
fn is_path(word: &Word) -> bool {
    let text = word.prefix();
    text.starts_with(['/', '.', '~']) || word.has_unknown()
}

/// `HOST:INSIDE[:options]`.
fn split_colon(word: &Word) -> Option<(Word, Word)> {
    let mut host = Word::default();
    for (index, part) in word.parts.iter().enumerate() {
        if let crate::command::Part::Literal(text) = part
            && let Some(colon) = text.find(':')
        {
            if colon > 0 {
                host.parts.push(crate::command::Part::Literal(text[..colon].to_owned()));
            }
            let mut inside = Word { parts: word.parts[index..].to_vec() };
            inside = tail(&inside, colon + 1);
            if let Some(crate::command::Part::Literal(text)) = inside.parts.last_mut()
                && let Some(options) = text.find(':')
            {
                text.truncate(options);
            }
            return Some((host, inside));
        }
        host.parts.push(part.clone());
    }
    None
}
