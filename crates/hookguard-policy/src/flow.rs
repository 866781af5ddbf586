//! Where data comes from and where it goes: pipes, substitutions, files that the same text writes.

use hookguard_shell::{Part, RedirectKind, Runs, Stdin, Unknown, Word};

use crate::effects::effect;
use crate::paths::class;
use crate::scene::Scene;
use crate::tables;
use crate::text::Text;

/// What data holds, bit by bit, in the order of [`crate::pack::SOURCES`].
pub(crate) mod source {
    pub(crate) const NETWORK: u32 = 1;
    pub(crate) const DECODER: u32 = 1 << 1;
    pub(crate) const SECRET: u32 = 1 << 2;
    pub(crate) const ENVIRONMENT: u32 = 1 << 3;
    pub(crate) const GENERATED: u32 = 1 << 4;
    pub(crate) const UNKNOWN: u32 = 1 << 5;
}
use source::{DECODER, ENVIRONMENT, GENERATED, NETWORK, SECRET};

/// How far data is followed back: pipes in substitutions in pipes.
const MAX_STEPS: usize = 24;

impl Scene<'_> {
    /// What the output of the command at `at` holds.
    pub(crate) fn output(&self, at: usize) -> u32 {
        self.output_of(at, MAX_STEPS)
    }

    fn output_of(&self, at: usize, steps: usize) -> u32 {
        let (Some(call), Some(steps), true) = (self.calls.get(at), steps.checked_sub(1), self.step()) else {
            return source::UNKNOWN;
        };
        if tables::NETWORK_READERS.contains(&call.program) {
            return NETWORK;
        }
        let input = self.input_of(at, steps);
        if self.is_decoder(at) {
            return DECODER | input;
        }
        if self.hides(at) {
            return GENERATED | (input & (NETWORK | DECODER));
        }
        let mut sources = input;
        let mut named = false;
        for read in self.effects[at].iter().filter(|one| one.kind & (effect::READ | effect::SEND) != 0) {
            named = true;
            if read.classes & (class::SECRET | class::ENV_FILE) != 0 || self.is_key_folder(at, read.classes) {
                sources |= SECRET;
            }
            sources |= self.file(at, read.path, steps);
        }
        for word in call.command.argv.iter().skip(1) {
            sources |= self.word_of(word, steps);
        }
        if self.dumps_environment(at) {
            return sources | ENVIRONMENT;
        }
        // What copies its input, or a file of the project, makes nothing of its own.
        let copies = named || matches!(call.program, "cat" | "tee" | "echo" | "printf" | "") || input != 0;
        if copies && tables::COPIERS.contains(&call.program) { sources } else { sources | GENERATED }
    }

    /// A whole folder of keys that is packed or copied.
    fn is_key_folder(&self, at: usize, classes: u32) -> bool {
        let packs = matches!(self.calls[at].program, "tar" | "zip" | "7z" | "rsync" | "scp" | "cp" | "cpio" | "bsdtar");
        packs && classes & (class::SECRET_FOLDER | class::HOME) != 0
    }

    /// What the input of the command at `at` holds.
    pub(crate) fn input(&self, at: usize) -> u32 {
        self.input_of(at, MAX_STEPS)
    }

    fn input_of(&self, at: usize, steps: usize) -> u32 {
        match &self.command(at).stdin {
            Stdin::Inherited => 0,
            Stdin::Pipe(from) => from.iter().fold(0, |all, &from| all | self.output_of(from, steps)),
            Stdin::Text(word) => self.word_of(word, steps),
            Stdin::File(word) => self.file(at, Text::from(word), steps),
        }
    }

    /// What a word brings with it besides its own text.
    pub(crate) fn word(&self, word: &Word) -> u32 {
        self.word_of(word, MAX_STEPS)
    }

    fn word_of(&self, word: &Word, steps: usize) -> u32 {
        let Some(steps) = steps.checked_sub(1) else { return source::UNKNOWN };
        let mut sources = 0;
        for part in &word.parts {
            let Part::Unknown(Unknown::Substitution { commands } | Unknown::Item { commands, .. }) = part else {
                continue;
            };
            for &from in commands {
                sources |= self.output_of(from, steps);
            }
        }
        sources
    }

    /// What a file holds that an earlier command of the text wrote.
    fn file(&self, at: usize, path: Text<'_>, steps: usize) -> u32 {
        let (Some(path), Some(steps)) = (path.known(), steps.checked_sub(1)) else { return 0 };
        if path.is_empty() || path.starts_with('-') {
            return 0;
        }
        let mut sources = 0;
        for earlier in self.before(at) {
            let wrote = self.effects[earlier]
                .iter()
                .any(|one| one.kind & (effect::WRITE | effect::APPEND) != 0 && same_file(one.path.known(), path));
            if wrote {
                sources |= self.output_of(earlier, steps);
                // A copy or a move takes along what the file holds.
                if matches!(self.calls[earlier].program, "cp" | "mv" | "install" | "ln") {
                    for source in &self.calls[earlier].operands {
                        if source.as_literal() != Some(path) {
                            sources |= self.file(earlier, Text::from(*source), steps);
                        }
                    }
                }
            } else if self.downloads_as(earlier, path) {
                sources |= NETWORK;
            }
        }
        sources
    }

    /// Whether a command saves something from the network under the last part of its address.
    fn downloads_as(&self, at: usize, path: &str) -> bool {
        let call = &self.calls[at];
        let saves = match call.program {
            "wget" | "wget2" | "aria2c" | "axel" => !call.has_any(&["-O", "--output-document", "-o"]),
            "curl" => call.has_any(&["-O", "--remote-name", "--remote-name-all", "-J"]),
            _ => false,
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        let named = |text: &str| text.split(['?', '#']).next().and_then(|bare| bare.rsplit('/').next()) == Some(name);
        saves && call.operands.iter().any(|word| word.as_literal().is_some_and(named))
    }

    /// What the code holds that the command at `at` runs; `None` where it runs none that is unknown.
    pub(crate) fn code(&self, at: usize) -> Option<u32> {
        let command = self.command(at);
        let words = || command.argv.iter().fold(0, |all, word| all | self.word(word));
        match command.runs.as_ref()? {
            Runs::Opened | Runs::Partly | Runs::Script { .. } | Runs::Interactive => None,
            Runs::Stdin => Some(self.input(at)),
            Runs::Unknown => Some(words() | self.input(at)),
            Runs::File { path, .. } => {
                let process = path.parts.iter().any(|part| matches!(part, Part::Unknown(Unknown::Process)));
                let inner = if process { self.inside(at).fold(0, |all, inner| all | self.output(inner)) } else { 0 };
                // Its own input, under a name.
                let input = if matches!(path.as_literal(), Some("/dev/stdin" | "-")) { self.input(at) } else { 0 };
                Some(inner | input | words() | self.file(at, Text::from(path), MAX_STEPS))
            }
        }
    }

    fn is_decoder(&self, at: usize) -> bool {
        let call = &self.calls[at];
        match call.program {
            "base64" | "base32" | "basenc" | "gbase64" => call.has_any(&["-d", "-D", "--decode"]),
            "xxd" => call.has("-r"),
            "openssl" => call.has("-d") || call.has("-decode"),
            "gzip" | "bzip2" | "xz" | "zstd" | "lz4" => call.has_any(&["-d", "--decompress"]),
            "gunzip" | "zcat" | "gzcat" | "bzcat" | "bunzip2" | "xzcat" | "unxz" | "zstdcat" | "uudecode" | "rev" => {
                true
            }
            _ => false,
        }
    }

    /// Whether a command shows nothing of what it reads: counts, or names only.
    pub(crate) fn hides(&self, at: usize) -> bool {
        let call = &self.calls[at];
        match call.program {
            "wc" | "sha256sum" | "sha1sum" | "md5sum" | "shasum" | "cksum" | "b2sum" | "true" | ":" => true,
            "grep" | "egrep" | "fgrep" | "rg" => {
                call.has_any(&["-c", "-q", "-l", "--count", "--quiet", "--silent", "--files-with-matches"])
            }
            "cut" => call.has("-d==") && call.has("-f=1"),
            "awk" | "gawk" | "mawk" => {
                call.has("-F==") && call.operand(0).is_some_and(|script| script.replace(' ', "") == "{print$1}")
            }
            "sed" => call
                .operand(0)
                .is_some_and(|script| (script.contains("=.*/") || script.contains("=.*$/")) && !script.contains('\\')),
            _ => false,
        }
    }

    /// Whether the command prints all variables.
    pub(crate) fn dumps_environment(&self, at: usize) -> bool {
        let call = &self.calls[at];
        let bare = call.operands.is_empty();
        match call.program {
            // With operands `env` runs a program; `printenv NAME` prints one.
            "env" => bare && call.command.runs.is_none() && call.command.assignments.is_empty() && !call.has("-i"),
            "printenv" => bare,
            "set" => {
                call.command.argv.len() == 1 && !self.readers(at).any(|reader| self.calls[reader].program.is_empty())
            }
            "export" => bare && (call.has("-p") || call.command.argv.len() == 1),
            "declare" | "typeset" => bare && call.has_any(&["-p", "-x"]),
            _ => false,
        }
    }

    /// Whether what the command at `at` prints stays unseen: it goes into something that hides it, or into no terminal.
    pub(crate) fn unseen(&self, at: usize) -> bool {
        let to_file = self.command(at).redirects.iter().any(|redirect| {
            matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
                && redirect.target.as_literal() == Some("/dev/null")
        });
        let mut readers = self.readers(at).peekable();
        let piped = readers.peek().is_some();
        to_file || piped && readers.all(|reader| self.hides(reader) || self.takes_password(reader))
    }

    /// Whether a command takes a password on its input: a login.
    fn takes_password(&self, at: usize) -> bool {
        let call = &self.calls[at];
        call.has_any(&["--password-stdin", "--with-token", "--stdin", "--body-file"]) || call.sub("** login").is_some()
    }
}

/// Whether two paths are the same but for a leading `./`.
fn same_file(known: Option<&str>, path: &str) -> bool {
    known.is_some_and(|known| known.trim_start_matches("./") == path.trim_start_matches("./"))
}
