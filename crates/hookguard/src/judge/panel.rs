//! All judges about one turn: layer 1 for each, and the chain of backends for those that stay open.

use std::path::Path;
use std::time::{Duration, Instant};

use hookguard_judge::backend::JudgeMode;
use hookguard_judge::layer1::{Layer, Settled, settle_all};
use hookguard_judge::text::{MAX_TEXT_BYTES, cut};
use hookguard_judge::{Facts, Judge};

use super::{Asked, Ruling, Says, builtin, chain};
use hookguard_config::Judges;

/// Who is asked, and where is kept what was answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel<'a> {
    pub(crate) settings: &'a Judges,
    /// hookguard's state folder, for answers to the same question and for backends that fail; none keeps nothing.
    pub(crate) state: Option<&'a Path>,
}

impl Panel<'_> {
    /// What `judges` say of a turn with this text and these facts, by `until` at the latest. One that is off says nothing.
    pub(crate) fn rule(&self, judges: &[&Judge<'_>], text: &str, facts: &Facts, until: Instant) -> Asked {
        let short = cut(text, MAX_TEXT_BYTES);
        let judges = judges.iter().filter(|judge| self.settings.mode(judge.id) != JudgeMode::Off);
        let judges: Vec<&Judge<'_>> = judges.copied().collect();
        let settled: Vec<(&Judge<'_>, Settled)> =
            judges.iter().copied().zip(settle_all(&judges, &short, facts)).collect();
        let open: Vec<&Judge<'_>> = settled
            .iter()
            .filter(|(judge, settled)| {
                matches!(settled, Settled::Open { .. }) && !self.settings.is_words_only(judge.id)
            })
            .map(|(judge, _)| *judge)
            .collect();
        let mut asked = if open.is_empty() { Asked::default() } else { self.ask(&open, text, facts, until) };
        let mut answers = std::mem::take(&mut asked.rulings).into_iter();
        let rulings = settled.iter().filter_map(|(judge, settled)| match settled {
            Settled::Allow(layer) => Some(Ruling::new(judge, Says::Allow, *layer)),
            Settled::Violation => Some(self.by_mode(Ruling::new(judge, Says::Violation, Layer::Facts))),
            Settled::Open { .. } if self.settings.is_words_only(judge.id) => {
                Some(self.by_mode(builtin(judge, &short, facts, self.settings.on_prose)))
            }
            Settled::Open { .. } => answers.next(),
        });
        asked.rulings = rulings.collect();
        asked
    }

    /// The same of judges that are known to be open.
    pub(crate) fn ask(&self, open: &[&Judge<'_>], text: &str, facts: &Facts, until: Instant) -> Asked {
        let until = until.min(Instant::now() + Duration::from_millis(self.settings.deadline_ms));
        let mut asked = chain::ask(self, open, text, facts, until);
        asked.rulings = asked.rulings.into_iter().map(|ruling| self.by_mode(ruling)).collect();
        asked
    }

    fn by_mode(&self, ruling: Ruling) -> Ruling {
        match (ruling.says, self.settings.mode(&ruling.judge)) {
            (Says::Violation, JudgeMode::Advise) => Ruling { says: Says::Advise, ..ruling },
            _ => ruling,
        }
    }
}
