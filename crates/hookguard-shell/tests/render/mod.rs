//! Readings as text, for the tables in `readings/`.

use std::fmt::Write as _;

use hookguard_shell::{Command, Cwd, Part, Reading, RedirectKind, Runs, Stdin, Step, Unknown, Word};

/// A reading, one command a line, then its errors.
pub(crate) fn render(reading: &Reading) -> Vec<String> {
    let mut lines: Vec<String> = reading.commands.iter().map(|found| command(reading, found)).collect();
    lines.extend(reading.errors.iter().map(|error| format!("!{}", error.what)));
    lines
}

fn command(reading: &Reading, command: &Command) -> String {
    let mut words: Vec<String> = Vec::new();
    if !command.via.is_empty() {
        let via: Vec<String> = command
            .via
            .iter()
            .map(|via| {
                let step = match via.step {
                    Step::Substitution => "$",
                    Step::ProcessSubstitution => "<",
                    Step::Wrapper => "",
                    Step::ForEach => "each:",
                    Step::Code => "code:",
                    Step::Input => "input:",
                    Step::WrittenFile => "file:",
                    Step::Script => "script:",
                    Step::Function => "function:",
                    Step::Trap => "trap:",
                };
                format!("{step}{}", via.program)
            })
            .collect();
        words.push(format!("[{}]", via.join(",")));
    }
    if let Some(host) = &command.place.remote {
        words.push(format!("remote:{}", word(host)));
    }
    if let Some(container) = &command.place.container {
        let mounts: Vec<String> =
            container.mounts.iter().map(|(host, inside)| format!("{}={}", word(host), word(inside))).collect();
        words.push(format!(
            "container:{}{}{}",
            mounts.join(","),
            if container.lasting { "+lasting" } else { "" },
            if container.privileged { "+privileged" } else { "" }
        ));
    }
    if command.place.elevated {
        words.push("elevated".to_owned());
    }
    words.extend(
        command.assignments.iter().map(|assignment| format!("{}={}", assignment.name, word(&assignment.value))),
    );
    words.extend(command.argv.iter().map(word));
    for redirect in &command.redirects {
        let sign = match redirect.kind {
            RedirectKind::Read => "<",
            RedirectKind::Write => ">",
            RedirectKind::Append => ">>",
            RedirectKind::ReadWrite => "<>",
        };
        words.push(format!("{sign}{}", word(&redirect.target)));
    }
    match &command.stdin {
        Stdin::Inherited => {}
        Stdin::Pipe(commands) => {
            let names: Vec<String> = commands
                .iter()
                .map(|&index| reading.commands[index].argv.first().map_or("-".to_owned(), word))
                .collect();
            words.push(format!("|{}", names.join(",")));
        }
        Stdin::Text(text) => words.push(format!("<<{}", word(text))),
        Stdin::File(_) => {}
    }
    match &command.cwd {
        Cwd::Known(folder) if folder == "/home/dev/acme" => {}
        Cwd::Known(folder) => words.push(format!("@{folder}")),
        Cwd::Unknown => words.push("@?".to_owned()),
    }
    match &command.runs {
        None | Some(Runs::Opened) => {}
        Some(Runs::Partly) => words.push("=partly".to_owned()),
        Some(Runs::File { path, args }) => {
            words.push(format!("=file:{}", word(path)));
            words.extend(args.iter().map(word));
        }
        Some(Runs::Script { name }) => {
            words.push(format!("=script:{}", name.as_ref().map(word).unwrap_or_default()));
        }
        Some(Runs::Stdin) => words.push("=stdin".to_owned()),
        Some(Runs::Unknown) => words.push("=unknown".to_owned()),
        Some(Runs::Interactive) => words.push("=interactive".to_owned()),
    }
    words.join(" ")
}

fn word(word: &Word) -> String {
    let mut out = String::new();
    for part in &word.parts {
        match part {
            Part::Literal(text) => {
                out.push_str(&text.replace(' ', "·").replace('\t', "→").replace('\n', "⏎"));
            }
            Part::Glob(text) => {
                let _ = write!(out, "‹{text}›");
            }
            Part::Unknown(Unknown::Variable { name, required: false }) => {
                let _ = write!(out, "${name}");
            }
            Part::Unknown(Unknown::Variable { name, required: true }) => {
                let _ = write!(out, "$?{name}");
            }
            Part::Unknown(Unknown::Substitution { .. }) => out.push_str("$()"),
            Part::Unknown(Unknown::Process) => out.push_str("<()"),
            Part::Unknown(Unknown::Item { roots, .. }) => {
                let roots: Vec<String> = roots.iter().map(self::word).collect();
                let _ = write!(out, "{{{}}}", roots.join(","));
            }
            Part::Unknown(Unknown::Number) => out.push_str("$#"),
            Part::Unknown(Unknown::Other) => out.push_str("$_"),
        }
    }
    if out.is_empty() { "''".to_owned() } else { out }
}
