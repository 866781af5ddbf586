//! The backends in their order, under one deadline, until every open judge has an answer.

use std::time::{Duration, Instant};

use hookguard_judge::answer::{self, Answered};
use hookguard_judge::backend::{Backend, Failure, Kind};
use hookguard_judge::layer1::Layer;
use hookguard_judge::prompt::{Material, Prompt, Request};
use hookguard_judge::text::{MAX_TEXT_BYTES, cut};
use hookguard_judge::verdict::{Outcome, outcome};
use hookguard_judge::{Facts, Judge};

use super::panel::Panel;
use super::{Asked, Ruling, Says, Try, breaker, builtin, cache, http, process};
use crate::ancestors::is_below_a_hook;

/// With less time than this nobody is asked any more.
const LEAST: Duration = Duration::from_millis(50);

/// Asks about the judges in `open`. Each has a ruling afterwards: a failure where nobody answered.
pub(super) fn ask(panel: &Panel<'_>, open: &[&Judge<'_>], text: &str, facts: &Facts, until: Instant) -> Asked {
    let started = Instant::now();
    let material = Material::of(text, facts);
    let mut chain = Chain {
        panel,
        material: &material,
        rulings: vec![None; open.len()],
        asked: Asked { redactions: material.redactions().clone(), cached: true, ..Asked::default() },
        nested: None,
    };
    let backends = &panel.settings.backends;
    for (at, backend) in backends.iter().enumerate() {
        if chain.rulings.iter().all(Option::is_some) {
            break;
        }
        if backend.kind == Kind::Builtin {
            chain.builtin(open, text, facts);
            break;
        }
        let last = backends[at + 1..].iter().all(|later| later.kind == Kind::Builtin);
        chain.model(backend, open, until, last);
    }
    let mut asked = chain.asked;
    asked.cached &= asked.backend.is_some();
    let answered = open.iter().zip(chain.rulings);
    asked.rulings = answered
        .map(|(judge, ruling)| ruling.unwrap_or_else(|| Ruling::new(judge, Says::Fail, Layer::Judge)))
        .collect();
    asked.latency_ms = millis(started.elapsed());
    asked
}

struct Chain<'a> {
    panel: &'a Panel<'a>,
    material: &'a Material,
    rulings: Vec<Option<Ruling>>,
    asked: Asked,
    /// Whether a hook above has started this process, once that is known.
    nested: Option<bool>,
}

impl Chain<'_> {
    fn builtin(&mut self, open: &[&Judge<'_>], text: &str, facts: &Facts) {
        let text = cut(text, MAX_TEXT_BYTES);
        for (judge, ruling) in open.iter().zip(&mut self.rulings) {
            ruling.get_or_insert_with(|| builtin(judge, &text, facts, self.panel.settings.on_prose));
        }
        self.asked.cached = false;
        self.answered_by(&Backend::new(Kind::Builtin));
    }

    fn answered_by(&mut self, backend: &Backend) {
        self.asked.backend = Some(backend.name());
        self.asked.model = backend.model().map(str::to_owned);
    }

    fn failed(&mut self, backend: &Backend, failure: &Failure) {
        let why = match backend.model() {
            Some(model) => format!("model {model}: {failure}"),
            None => failure.to_string(),
        };
        tracing::debug!(backend = backend.name(), why, "no verdict");
        self.asked.tries.push(Try { backend: backend.name(), why });
    }

    /// Asks one backend about all judges that have no ruling yet.
    fn model(&mut self, backend: &Backend, open: &[&Judge<'_>], until: Instant, last: bool) {
        let state = self.panel.state;
        for (judge, ruling) in open.iter().zip(&mut self.rulings).filter(|(_, ruling)| ruling.is_none()) {
            let kept = state.and_then(|state| cache::read(state, judge, backend, self.material));
            *ruling = kept.and_then(|kept| ruled(judge, &kept));
        }
        let waiting: Vec<usize> = (0..open.len()).filter(|at| self.rulings[*at].is_none()).collect();
        if waiting.len() < open.len() && self.asked.backend.is_none() {
            self.answered_by(backend);
        }
        if waiting.is_empty() {
            return;
        }
        let judges: Vec<&Judge<'_>> = waiting.iter().map(|at| open[*at]).collect();
        if let Some(why) = state.and_then(|state| breaker::passed_over(state, &backend.name())) {
            return self.failed(backend, &Failure::NotAsked(why));
        }
        if backend.kind.starts_a_program() && *self.nested.get_or_insert_with(is_below_a_hook) {
            let why = "a hook above this one has started this agent: a judge starts no judges".to_owned();
            return self.failed(backend, &Failure::NotAsked(why));
        }
        let now = Instant::now();
        let left = until.saturating_duration_since(now);
        if left < LEAST {
            return self.failed(backend, &Failure::NotAsked("no time was left".to_owned()));
        }
        let most = if last { left } else { left / 2 };
        let most = backend.timeout_ms.map_or(most, |given| most.min(Duration::from_millis(given)));
        self.asked.cached = false;
        let answer = once(backend, &judges, self.material, now + most);
        self.asked.injection_suspected |= answer.injection_suspected;
        let read = answer.said.and_then(|said| Ok(answer::read(&said, &judges, self.material.text())?));
        let failure = match read {
            Ok(read) => {
                self.asked.ladder = Some(read.rung);
                self.asked.coerced |= read.coerced;
                for (at, answered) in waiting.iter().zip(&read.by_judge) {
                    self.rulings[*at] = ruled(open[*at], answered);
                    if let (Some(state), Some(_)) = (state, &self.rulings[*at]) {
                        cache::write(state, open[*at], backend, self.material, answered);
                    }
                }
                let unclear = waiting.iter().filter(|at| self.rulings[**at].is_none());
                let unclear: Vec<&str> = unclear.map(|at| open[*at].id).collect();
                if unclear.len() < waiting.len() {
                    self.answered_by(backend);
                }
                (!unclear.is_empty()).then(|| (unclear.len() == waiting.len(), Failure::Incomplete(unclear.join(", "))))
            }
            Err(failure) => Some((true, failure)),
        };
        let broken = failure.as_ref().is_some_and(|(broken, _)| *broken);
        if let Some(state) = state {
            self.asked.notes.extend(breaker::note(state, &backend.name(), broken));
        }
        if let Some((_, failure)) = failure {
            self.failed(backend, &failure);
        }
    }
}

/// What a judge's fields come to; `None` where they leave it open.
fn ruled(judge: &Judge<'_>, answered: &Answered) -> Option<Ruling> {
    let says = match outcome(judge, &answered.fields) {
        Outcome::Violation => Says::Violation,
        Outcome::Allow => Says::Allow,
        Outcome::Fail => return None,
    };
    let fields = answered.fields.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
    Some(Ruling { fields, reason: answered.reason.clone(), ..Ruling::new(judge, says, Layer::Judge) })
}

/// A backend's own words to one question.
pub(crate) struct Said {
    pub(crate) said: Result<String, Failure>,
    pub(crate) injection_suspected: bool,
}

/// Puts one question to one backend that is a model.
pub(crate) fn once(backend: &Backend, judges: &[&Judge<'_>], material: &Material, until: Instant) -> Said {
    let prompt = match prompt(judges, material) {
        Ok(prompt) => prompt,
        Err(failure) => return Said { said: Err(failure), injection_suspected: false },
    };
    let said = match backend.kind {
        Kind::Builtin => Err(Failure::NotAsked("it is no model".to_owned())),
        Kind::Claude | Kind::Codex | Kind::Command => process::ask(backend, &prompt, judges, material, until),
        Kind::Openai => http::ask(backend, &prompt, judges.len(), until),
    };
    Said { said, injection_suspected: prompt.injection_suspected }
}

/// The question, with a key of its own.
pub(crate) fn prompt(judges: &[&Judge<'_>], material: &Material) -> Result<Prompt, Failure> {
    let mut nonce = [0; 16];
    // Without randomness the markers could be forged: then nobody is asked.
    getrandom::fill(&mut nonce).map_err(|error| Failure::NotAsked(format!("there is no randomness: {error}")))?;
    Ok(Request { judges, material, nonce }.write())
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
