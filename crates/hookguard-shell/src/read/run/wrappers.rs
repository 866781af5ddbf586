//! The table of programs that run their arguments: which options take values, and where the inner command starts.

use super::super::glance::Glance;
use super::options::Options;

/// Where the inner command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    /// The operands are its words.
    Words,
    /// The operands, with blanks between them, are shell code.
    Code,
    /// Each operand is shell code.
    Codes,
    /// One operand is shell code, several are words: a terminal's program.
    Program,
    /// Only an option's value is code; operands are none.
    Option,
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrapper {
    pub(super) name: &'static str,
    /// The subcommands that run something; empty where the program itself does.
    pub(super) sub: &'static [&'static str],
    pub(super) options: Options,
    /// The command starts behind the first of these words; empty where it starts at the first operand.
    pub(super) marker: &'static [&'static str],
    /// Operands before the command.
    pub(super) skip: usize,
    pub(super) inner: Inner,
    /// It runs what it runs with other rights.
    pub(super) elevated: bool,
}

const NONE: Options = Options { short: "", long: &[], code: &[], assigns: false };

/// A wrapper without subcommands whose operands are the command.
const fn row(name: &'static str, short: &'static str, long: &'static [&'static str]) -> Wrapper {
    Wrapper {
        name,
        sub: &[],
        marker: &[],
        options: Options { short, long, ..NONE },
        skip: 0,
        inner: Inner::Words,
        elevated: false,
    }
}

/// A wrapper that runs something in some of its subcommands only.
const fn sub(
    name: &'static str,
    sub: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
) -> Wrapper {
    Wrapper { sub, ..row(name, short, long) }
}

const fn skip(count: usize, wrapper: Wrapper) -> Wrapper {
    Wrapper { skip: count, ..wrapper }
}

const fn elevated(wrapper: Wrapper) -> Wrapper {
    Wrapper { elevated: true, ..wrapper }
}

const fn assigns(wrapper: Wrapper) -> Wrapper {
    Wrapper { options: Options { assigns: true, ..wrapper.options }, ..wrapper }
}

const fn code(options: &'static [&'static str], wrapper: Wrapper) -> Wrapper {
    Wrapper { options: Options { code: options, ..wrapper.options }, ..wrapper }
}

const fn marker(words: &'static [&'static str], wrapper: Wrapper) -> Wrapper {
    Wrapper { marker: words, ..wrapper }
}

const fn inner(kind: Inner, wrapper: Wrapper) -> Wrapper {
    Wrapper { inner: kind, ..wrapper }
}

/// A terminal that starts a program: what stands behind `-e` or its like.
const fn terminal(name: &'static str, behind: &'static [&'static str]) -> Wrapper {
    marker(behind, inner(Inner::Program, row(name, "", &[])))
}

/// Programs that run their arguments, sorted by name; several rows of one name have different subcommands.
pub(super) static WRAPPERS: &[Wrapper] = &[
    terminal("alacritty", &["-e", "--command"]),
    sub("asdf", &["exec"], "", &[]),
    row("authbind", "", &[]),
    skip(
        1,
        sub(
            "aws-vault",
            &["exec"],
            "dp",
            &["--duration", "--region", "--mfa-token", "--backend", "--prompt", "--profile"],
        ),
    ),
    row("builtin", "", &[]),
    sub("bun", &["x"], "", &["--bun"]),
    sub("bundle", &["exec"], "", &["--gemfile"]),
    sub("bundler", &["exec"], "", &["--gemfile"]),
    row("bunx", "p", &["--package"]),
    row("busybox", "", &[]),
    row("caffeinate", "tw", &[]),
    inner(
        Inner::Option,
        code(
            &["-s", "--shell"],
            sub("cargo", &["watch"], "wixCd", &["--watch", "--ignore", "--exec", "--workdir", "--delay"]),
        ),
    ),
    row("catchsegv", "", &[]),
    marker(&["--"], sub("chamber", &["exec"], "rb", &["--retries", "--backend"])),
    row("chpst", "ugbmnolpfcstrP", &[]),
    row("chronic", "", &[]),
    skip(1, row("chroot", "", &["--userspec", "--groups"])),
    skip(1, row("chrt", "pTPD", &["--pid", "--sched-runtime", "--sched-period", "--sched-deadline"])),
    row("command", "", &[]),
    inner(
        Inner::Codes,
        row(
            "concurrently",
            "ncprsml",
            &[
                "--names",
                "--prefix",
                "--prefix-colors",
                "--restart-tries",
                "--restart-after",
                "--success",
                "--max-processes",
                "--kill-signal",
                "--name-separator",
                "--hide",
                "--default-input-target",
            ],
        ),
    ),
    sub("conda", &["run"], "np", &["--name", "--prefix", "--cwd"]),
    row("cpulimit", "lpe", &["--limit", "--pid", "--exe"]),
    assigns(row("cross-env", "", &[])),
    assigns(inner(Inner::Code, row("cross-env-shell", "", &[]))),
    row("daemonize", "acelopuE", &[]),
    row("dbus-run-session", "", &["--config-file", "--dbus-daemon"]),
    marker(&["--"], sub("devbox", &["run", "shell"], "ce", &["--config", "--env"])),
    skip(1, sub("direnv", &["exec"], "", &[])),
    elevated(row("doas", "uC", &[])),
    inner(
        Inner::Option,
        code(&["--command"], sub("doppler", &["run"], "cpt", &["--config", "--project", "--token", "--mount"])),
    ),
    sub("doppler", &["run"], "cpt", &["--config", "--project", "--token", "--mount"]),
    sub("dotenv", &["run"], "ef", &["--file"]),
    row("dotenv", "efvo", &["--file", "--env"]),
    sub("dotenvx", &["run"], "fe", &["--env-file", "--env"]),
    row("dumb-init", "r", &["--rewrite"]),
    row("eatmydata", "", &[]),
    inner(Inner::Option, code(&["-s"], row("entr", "", &[]))),
    row("entr", "", &[]),
    assigns(code(
        &["-S", "--split-string"],
        row("env", "uC", &["--unset", "--chdir", "--argv0", "--block-signal", "--default-signal", "--ignore-signal"]),
    )),
    row("env-cmd", "fer", &["--file", "--environments", "--rc-file"]),
    skip(1, row("envdir", "", &[])),
    row("exec", "a", &[]),
    row("fakeroot", "lsib", &["--lib", "--faked"]),
    skip(1, row("faketime", "", &[])),
    row("firejail", "", &[]),
    skip(1, code(&["-c", "--command"], row("flock", "wE", &["--timeout", "--wait", "--conflict-exit-code"]))),
    sub("fnm", &["exec"], "", &["--using"]),
    inner(Inner::Program, row("foot", "cfLtTaWw", &[])),
    terminal("gnome-terminal", &["--", "-e", "-x", "--command", "--execute"]),
    skip(1, row("gosu", "", &[])),
    skip(1, row("gtimeout", "ks", &["--kill-after", "--signal"])),
    marker(&["--"], sub("guix", &["shell", "environment"], "", &[])),
    sub("hatch", &["run"], "e", &["--env"]),
    inner(
        Inner::Codes,
        row(
            "hyperfine",
            "wmMrpcsnNSPD",
            &[
                "--warmup",
                "--min-runs",
                "--max-runs",
                "--runs",
                "--prepare",
                "--cleanup",
                "--setup",
                "--command-name",
                "--export-json",
                "--export-markdown",
                "--export-csv",
                "--shell",
                "--parameter-scan",
                "--parameter-list",
                "--style",
                "--time-unit",
                "--input",
                "--output",
            ],
        ),
    ),
    sub("infisical", &["run"], "", &["--env", "--path", "--projectId", "--token"]),
    row("ionice", "cnpPu", &["--class", "--classdata", "--pid", "--pgid", "--uid"]),
    marker(
        &["--command", "-c"],
        row("just", "fd", &["--shell", "--shell-arg", "--justfile", "--working-directory", "--dotenv-path", "--set"]),
    ),
    inner(Inner::Program, row("kitty", "cdToe", &["--config", "--directory", "--title", "--class", "--override"])),
    terminal("konsole", &["-e"]),
    marker(&["--"], sub("lerna", &["exec"], "", &["--scope", "--ignore", "--concurrency"])),
    row("lima", "", &[]),
    row("linux32", "", &[]),
    row("linux64", "", &[]),
    row("ltrace", "aAeFlnoprsuwxDE", &[]),
    sub("mamba", &["run"], "np", &["--name", "--prefix", "--cwd"]),
    sub("micromamba", &["run"], "np", &["--name", "--prefix", "--cwd"]),
    inner(Inner::Option, code(&["-c", "--command"], sub("mise", &["exec", "x"], "Cj", &["--cd", "--jobs"]))),
    marker(&["--"], sub("mise", &["exec", "x"], "Cj", &["--cd", "--jobs"])),
    skip(1, row("newgrp", "", &[])),
    row("nice", "n", &["--adjustment"]),
    marker(&["-c", "--command"], sub("nix", &["develop", "shell", "run"], "", &[])),
    sub("nix", &["run"], "", &[]),
    inner(Inner::Option, code(&["--run", "--command"], row("nix-shell", "pAI", &[]))),
    inner(
        Inner::Option,
        code(
            &["--exec", "-x"],
            row("nodemon", "ewdiC", &["--ext", "--watch", "--delay", "--ignore", "--signal", "--config"]),
        ),
    ),
    sub("nodenv", &["exec"], "", &[]),
    row("nohup", "", &[]),
    inner(
        Inner::Option,
        code(&["-c", "--call"], sub("npm", &["exec", "x"], "pw", &["--package", "--workspace", "--prefix"])),
    ),
    sub("npm", &["exec", "x"], "pw", &["--package", "--workspace", "--prefix"]),
    inner(Inner::Option, code(&["-c", "--call"], row("npx", "pw", &["--package", "--workspace", "--prefix"]))),
    row("npx", "pw", &["--package", "--workspace", "--prefix"]),
    row("nsenter", "tSGr", &["--target", "--setuid", "--setgid"]),
    skip(1, sub("nvm", &["exec", "run"], "", &[])),
    marker(&["--"], sub("op", &["run"], "", &["--env-file", "--account"])),
    sub("pdm", &["run"], "p", &["--project", "--site-packages"]),
    sub("perf", &["stat", "record", "trace"], "eoFcCrpt", &["--event", "--output", "--repeat"]),
    sub("pipenv", &["run"], "", &["--python"]),
    sub("pipx", &["run"], "", &["--spec", "--python"]),
    sub("pixi", &["run"], "e", &["--environment", "--manifest-path"]),
    elevated(row("pkexec", "", &["--user"])),
    inner(
        Inner::Option,
        code(&["-c", "--shell-mode"], sub("pnpm", &["exec", "dlx"], "CF", &["--dir", "--filter", "--package"])),
    ),
    sub("pnpm", &["exec", "dlx"], "CF", &["--dir", "--filter", "--package"]),
    row("pnpx", "", &["--package"]),
    sub("poetry", &["run"], "CP", &["--directory", "--project"]),
    row("prlimit", "p", &["--pid"]),
    row("proot", "rbqwv", &[]),
    row("proxychains", "f", &[]),
    row("proxychains4", "f", &[]),
    sub("pyenv", &["exec"], "", &[]),
    sub("railway", &["run"], "es", &["--environment", "--service"]),
    sub("rbenv", &["exec"], "", &[]),
    row("rlwrap", "abBcCDefghHilmMnNoOpPqrRsStTUwz", &[]),
    sub("rr", &["record"], "o", &[]),
    row("rtk", "", &[]),
    marker(&["--"], sub("rtx", &["exec", "x"], "", &[])),
    elevated(row("run0", "u", &["--user", "--unit", "--property", "--slice", "--nice", "--chdir"])),
    elevated(skip(
        1,
        code(
            &["-c", "--command"],
            row("runuser", "ugGsw", &["--user", "--group", "--supp-group", "--shell", "--whitelist-environment"]),
        ),
    )),
    skip(1, sub("rustup", &["run"], "", &[])),
    terminal("rxvt", &["-e"]),
    sub("rye", &["run"], "p", &["--pyproject"]),
    skip(
        1,
        code(
            &["-c", "--command"],
            row(
                "script",
                "EIoOBTmt",
                &["--echo", "--log-in", "--log-io", "--log-out", "--log-timing", "--logging-format", "--output-limit"],
            ),
        ),
    ),
    inner(Inner::Code, row("sem", "j", &["--jobs", "--id", "--semaphorename", "--timeout"])),
    row("setarch", "", &[]),
    row(
        "setpriv",
        "",
        &[
            "--reuid",
            "--regid",
            "--groups",
            "--inh-caps",
            "--ambient-caps",
            "--bounding-set",
            "--securebits",
            "--pdeathsig",
        ],
    ),
    row("setsid", "", &[]),
    skip(1, inner(Inner::Code, code(&["-c"], row("sg", "", &[])))),
    row("softlimit", "acdfilmoprst", &[]),
    skip(1, inner(Inner::Code, sub("sops", &["exec-env"], "", &[]))),
    row("ssh-agent", "aEtP", &[]),
    row("sshpass", "pfdPe", &[]),
    row("stdbuf", "ioe", &["--input", "--output", "--error"]),
    row("strace", "abeEIoOpPsSuUX", &["--output", "--attach", "--trace", "--string-limit"]),
    elevated(skip(
        2,
        inner(
            Inner::Option,
            code(
                &["-c", "--command", "--session-command"],
                row("su", "gGsTw", &["--group", "--supp-group", "--shell", "--whitelist-environment"]),
            ),
        ),
    )),
    elevated(skip(1, row("su-exec", "", &[]))),
    elevated(assigns(row(
        "sudo",
        "ugpCcrtThDRUaA",
        &[
            "--user",
            "--group",
            "--prompt",
            "--close-from",
            "--host",
            "--chdir",
            "--chroot",
            "--role",
            "--type",
            "--other-user",
            "--command-timeout",
        ],
    ))),
    row("systemd-inhibit", "", &["--what", "--who", "--why", "--mode"]),
    row(
        "systemd-run",
        "EpuGtPHMd",
        &[
            "--unit",
            "--property",
            "--slice",
            "--setenv",
            "--uid",
            "--gid",
            "--nice",
            "--working-directory",
            "--description",
            "--on-active",
            "--on-calendar",
            "--machine",
            "--host",
        ],
    ),
    skip(1, row("taskset", "p", &[])),
    marker(&["--"], sub("teller", &["run"], "c", &["--config"])),
    terminal("terminator", &["-e", "-x", "--command", "--execute"]),
    row("time", "fo", &["--format", "--output"]),
    skip(1, row("timeout", "ks", &["--kill-after", "--signal"])),
    row("tini", "pe", &[]),
    row("torsocks", "uapi", &[]),
    row("toybox", "", &[]),
    row("trickle", "udwltLN", &[]),
    row("ts", "LDNOS", &[]),
    row("tsocks", "", &[]),
    row("unbuffer", "", &[]),
    row(
        "unshare",
        "SGRwl",
        &["--root", "--wd", "--setuid", "--setgid", "--map-user", "--map-group", "--propagation", "--setgroups"],
    ),
    terminal("urxvt", &["-e"]),
    sub(
        "uv",
        &["run", "tool run"],
        "pwn",
        &[
            "--python",
            "--with",
            "--with-editable",
            "--with-requirements",
            "--extra",
            "--group",
            "--project",
            "--directory",
            "--env-file",
            "--index-url",
            "--package",
            "--from",
            "--only-group",
            "--no-group",
            "--index",
        ],
    ),
    row("uvx", "pw", &["--python", "--with", "--from", "--index-url", "--with-editable", "--index"]),
    row("valgrind", "", &[]),
    sub("volta", &["run"], "", &["--node", "--npm", "--yarn", "--pnpm"]),
    inner(Inner::Code, row("watch", "nq", &["--interval", "--equexit"])),
    row(
        "watchexec",
        "wefidsNo",
        &[
            "--watch",
            "--exts",
            "--filter",
            "--ignore",
            "--debounce",
            "--delay-run",
            "--signal",
            "--on-busy-update",
            "--shell",
            "--env",
            "--workdir",
            "--project-origin",
            "--stop-signal",
            "--stop-timeout",
        ],
    ),
    row("winpty", "", &[]),
    row("wsl", "du", &["--distribution", "--user", "--cd"]),
    terminal("x-terminal-emulator", &["-e"]),
    terminal("xfce4-terminal", &["-e", "-x", "--command", "--execute"]),
    terminal("xterm", &["-e"]),
    row(
        "xvfb-run",
        "efnpsw",
        &["--error-file", "--auth-file", "--server-num", "--xauth-protocol", "--server-args", "--wait"],
    ),
    sub("yarn", &["dlx", "exec"], "p", &["--package", "--cwd"]),
];

/// The rows of a name.
pub(super) fn find(name: &str) -> &'static [Wrapper] {
    static GLANCE: Glance = glance();
    if !GLANCE.may_hold(name) {
        return &[];
    }
    let start = WRAPPERS.partition_point(|row| row.name < name);
    let end = start + WRAPPERS[start..].iter().take_while(|row| row.name == name).count();
    &WRAPPERS[start..end]
}

const fn glance() -> Glance {
    let (mut all, mut at) = (Glance::NONE, 0);
    while at < WRAPPERS.len() {
        all = all.with(WRAPPERS[at].name);
        at += 1;
    }
    all
}

/// Whether a test has taken this row out of the table.
#[cfg(not(test))]
pub(super) fn is_missing(_row: &Wrapper) -> bool {
    false
}

#[cfg(test)]
pub(super) use tests::is_missing;

#[cfg(test)]
mod tests;
