//! Code from elsewhere: unknown, decoded, or with its other end on another machine.

use hookguard_shell::{Runs, Stdin, Step};

use crate::flow::source::{DECODER, NETWORK};
use crate::rule::Hit;
use crate::scene::Scene;
use crate::tables::SHELL_SETUPS;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// Shells and interpreters that read commands from their input.
const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "ash",
    "python",
    "python3",
    "perl",
    "ruby",
    "php",
    "node",
    "powershell",
    "pwsh",
];

/// A shell whose input or output is an address.
pub(crate) fn reverse_shell(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let address = call.command.redirects.iter().any(|redirect| {
        let target = redirect.target.prefix();
        target.starts_with("/dev/tcp/") || target.starts_with("/dev/udp/")
    });
    if address && (SHELLS.contains(&call.program) || matches!(call.program, "exec" | "")) {
        return hit(true);
    }
    let texts = || call.command.argv.iter().skip(1).map(|word| Text::from(word).known_parts());
    match call.program {
        "nc" | "ncat" | "netcat" => {
            let runs = call.has_any(&["-e", "-c", "--exec", "--sh-exec", "--lua-exec"]);
            let from_shell = match &call.command.stdin {
                Stdin::Pipe(from) => from.iter().any(|from| SHELLS.contains(&scene.calls[*from].program)),
                _ => false,
            };
            hit(runs || from_shell)
        }
        "socat" => hit(texts().any(|text| {
            let text = text.to_ascii_uppercase();
            text.starts_with("EXEC:") || text.starts_with("SYSTEM:")
        })),
        "python" | "python2" | "python3" | "perl" | "ruby" | "php" | "node" => hit(texts().any(|text| {
            let connects =
                ["socket", "Socket", "fsockopen", "net.connect", "TCPSocket"].iter().any(|word| text.contains(word));
            let shell = ["/bin/sh", "/bin/bash", "pty.spawn"].iter().any(|word| text.contains(word));
            connects && shell
        })),
        _ => None,
    }
}

/// Code that the text does not show, unless it is a tool's set-up of the user's own shell or a file of the project.
pub(crate) fn unknown_code(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    // A script's own variables are no secret: the file is there to be read, and what it hides is found by other rules.
    if call.command.via.iter().any(|via| via.step == Step::Script) {
        return None;
    }
    let sources = scene.code(at)?;
    if sources & (NETWORK | DECODER) != 0 {
        return None;
    }
    let mut from: Vec<usize> = scene.inside(at).collect();
    if let Stdin::Pipe(list) = &call.command.stdin {
        from.extend(list);
    }
    let setups = !from.is_empty() && from.iter().all(|from| is_setup(scene, *from));
    let local_input = call.command.runs == Some(Runs::Stdin)
        && match &call.command.stdin {
            Stdin::File(_) => true,
            Stdin::Pipe(list) => list.iter().all(|from| is_local_file(scene, *from)),
            Stdin::Text(word) => word.as_literal().is_some(),
            Stdin::Inherited => true,
        };
    let checks = matches!(call.program, "bash" | "sh" | "zsh" | "dash") && call.has("-n");
    hit(!setups && !local_input && !checks)
}

fn is_setup(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    SHELL_SETUPS.contains(&call.program)
        || call.sub("** completion").is_some()
        || call.sub("** completion *").is_some()
        || call.sub("** shellenv").is_some()
        || call.sub("completions *").is_some()
        || call.sub("** env").is_some()
        || call.sub("** init *").is_some()
        || call.sub("** init").is_some()
        || call.sub("docker-env").is_some()
}

/// `cat` of files whose names are known: scripts that can be read.
fn is_local_file(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    match call.program {
        "cat" => call.operands.iter().all(|word| !word.has_unknown()),
        // What only answers questions is no code.
        "yes" | "true" => true,
        _ => false,
    }
}

/// Text that a one-liner decodes and runs.
pub(crate) fn runs_decoded(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let decodes = [
        "b64decode",
        "base64_decode",
        "atob(",
        "'base64'",
        "\"base64\"",
        "unpack(",
        "decode64",
        "fromhex",
        "'hex'",
        "\"hex\"",
        "decode_base64",
        "rot13",
        "zlib.decompress",
        "gzinflate",
        "codecs.decode",
        "fromCharCode",
        "String.from_char",
    ];
    let runs = [
        "exec(",
        "eval(",
        "eval ",
        "Function(",
        "system(",
        "execSync(",
        "popen(",
        "os.system",
        "subprocess",
        "instance_eval",
        "vm.run",
        "compile(",
        "spawn(",
    ];
    let code =
        |text: &str| decodes.iter().any(|word| text.contains(word)) && runs.iter().any(|word| text.contains(word));
    let own = call.command.argv.iter().skip(1).any(|word| code(&Text::from(word).known_parts()));
    let input = match &call.command.stdin {
        Stdin::Text(word) => {
            matches!(call.command.runs, Some(Runs::Opened | Runs::Partly | Runs::Stdin | Runs::Unknown))
                && code(&Text::from(word).known_parts())
        }
        _ => false,
    };
    hit(own || input)
}
