//! Who judges: the built-in judges and the user's own, by the configuration.

use hookguard_config::Judges;
use hookguard_judge::judge::{self, JudgeFile};
use hookguard_judge::{Judge, Verification};

/// The judges' files, read.
#[derive(Debug)]
pub(crate) struct Bench {
    own: Vec<JudgeFile>,
}

impl Bench {
    /// The user's own files; those that can't be used are told of elsewhere, and left out here.
    pub(crate) fn of(configured: &Judges) -> Bench {
        Bench { own: configured.files.iter().filter_map(|file| judge::parse(&file.text).ok()).collect() }
    }

    /// All judges, whatever their mode.
    pub(crate) fn judges(&self) -> Vec<Judge<'_>> {
        judge::builtin().into_iter().chain(self.own.iter().filter_map(|file| judge::judge(file).ok())).collect()
    }
}

/// What counts as verification.
pub(crate) fn verification(configured: &Judges) -> Verification {
    let own = configured.verification.iter().map(|own| (own.command.clone(), own.kind));
    Verification { required: configured.required.clone(), own: own.collect() }
}
