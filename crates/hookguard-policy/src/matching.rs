//! Whether a rule matches a command.

use hookguard_shell::{Place, Runs};

use crate::call::Call;
use crate::effects::{Effect, folder};
use crate::glob::like;
use crate::path_names::touches;
use crate::paths::World;
use crate::rule::{Hit, Rule, When};
use crate::scene::Scene;
use crate::settings::Lists;
use crate::text::Text;

/// What is at once known of a command: most rules are about something else.
pub(crate) struct Sight {
    /// Kinds of effects on files.
    effects: u32,
    runs: u32,
    place: u32,
}

impl Sight {
    /// Of the command at `at`.
    pub(crate) fn of(scene: &Scene<'_>, at: usize) -> Sight {
        let (command, effects) = (scene.command(at), &scene.effects[at]);
        Sight {
            effects: effects.iter().fold(0, |kinds, effect| kinds | effect.kind),
            runs: runs(command.runs.as_ref()),
            place: place(&command.place),
        }
    }

    /// Whether `rule` may be about the command.
    pub(crate) fn may_match(&self, rule: &Rule) -> bool {
        let one_of = |asked: u32, seen: u32| asked == 0 || asked & seen != 0;
        let when = &rule.when;
        one_of(when.effects, self.effects) && one_of(when.runs, self.runs) && one_of(when.place, self.place)
    }
}

/// What `rule`, which may match by [`Sight`], sees in the command at `at`, if it matches.
pub(crate) fn matches(rule: &Rule, scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let (when, call) = (&rule.when, &scene.calls[at]);
    let effect = match when.effects {
        0 => None,
        _ => {
            let cwd = folder(&scene.command(at).cwd);
            let about = |effect: &&Effect<'_>| {
                fits(when, effect)
                    && (when.path_like.is_empty()
                        || is_where(when, &effect.path.marked(scene.reading), cwd, scene.world))
            };
            Some(scene.effects[at].iter().find(about)?)
        }
    };
    let skipped = subcommand(when, call)?;
    let flags = when.flags_any.is_empty() || call.has_any(when.flags_any);
    if !flags || !when.flags_all.iter().all(|flag| call.has(flag)) || call.has_any(when.flags_none) {
        return None;
    }
    if !when.env.is_empty() && !when.env.iter().any(|spec| call.env(spec)) {
        return None;
    }
    if !operands(when, call, skipped) {
        return None;
    }
    if when.stdin_from != 0 && scene.code(at).unwrap_or_else(|| scene.input(at)) & when.stdin_from == 0 {
        return None;
    }
    if !when.prod_in.is_empty()
        && !prod(when, call, &scene.context.settings.lists)
        && !crate::rules::deploy::chose_production(scene, at)
    {
        return None;
    }
    if let Some(regex) = &when.regex
        && !regex.is_match(&call.line())
    {
        return None;
    }
    let mut hit = Hit::default();
    if let Some(effect) = effect {
        hit.evidence = effect.display();
    }
    match rule.computed {
        None => Some(hit),
        Some(computed) => {
            let mut found = computed(scene, at)?;
            if found.evidence.is_empty() {
                found.evidence = hit.evidence;
            }
            Some(found)
        }
    }
}

/// Whether an effect is of a kind and on a path that `when` is about.
pub(crate) fn fits(when: &When, effect: &Effect<'_>) -> bool {
    when.effects & effect.kind != 0
        && (when.classes == 0 || when.classes & effect.classes != 0)
        && when.classes_not & effect.classes == 0
}

/// Whether a path lies where `when` says.
pub(crate) fn is_where(when: &When, path: &str, cwd: Option<&str>, world: &World<'_>) -> bool {
    when.path_like.is_empty() || when.path_like.iter().any(|pattern| touches(path, cwd, pattern, world))
}

/// How many operands the subcommand takes up, if the call has one that `when` is about.
fn subcommand(when: &When, call: &Call<'_>) -> Option<usize> {
    if when.sub_not.iter().any(|names| call.sub_of(names).is_some()) {
        return None;
    }
    if when.sub.is_empty() { Some(0) } else { when.sub.iter().find_map(|names| call.sub_of(names)) }
}

fn operands(when: &When, call: &Call<'_>, skipped: usize) -> bool {
    let rest = call.operands.get(skipped..).unwrap_or_default();
    let one_like = |patterns: &[&str]| {
        !patterns.is_empty()
            && rest.iter().any(|word| {
                let text = Text::from(*word).known_parts();
                patterns.iter().any(|pattern| like(pattern, &text))
            })
    };
    if !when.operand_kind.is_empty() && !one_like(when.operand_kind) || one_like(when.operand_not) {
        return false;
    }
    match when.operand_count {
        Some((least, most)) => (usize::from(least)..=usize::from(most)).contains(&rest.len()),
        None => true,
    }
}

/// The bit of what a command runs, in the order of [`crate::pack::RUNS`].
fn runs(runs: Option<&Runs>) -> u32 {
    match runs {
        None | Some(Runs::Opened) => 0,
        Some(Runs::Unknown) => 1,
        Some(Runs::Stdin) => 1 << 1,
        Some(Runs::File { .. }) => 1 << 2,
        Some(Runs::Script { .. }) => 1 << 3,
        Some(Runs::Interactive) => 1 << 4,
        Some(Runs::Partly) => 1 << 5,
    }
}

/// The bits of where a command runs, in the order of [`crate::pack::PLACES`].
fn place(place: &Place) -> u32 {
    let (remote, container) = (place.remote.is_some(), place.container.is_some());
    u32::from(!remote && !container)
        | u32::from(remote) << 1
        | u32::from(container) << 2
        | u32::from(place.elevated) << 3
}

/// Whether a PROD word stands in one of the places that `when` names.
fn prod(when: &When, call: &Call<'_>, lists: &Lists<'_>) -> bool {
    let named = |place: &&str| match *place {
        "operands" => call.operands.iter().any(|word| lists.prod(Text::from(*word))),
        "program" => call.command.argv.first().is_some_and(|word| lists.prod(Text::from(word))),
        option if option.starts_with('-') => call.values(&[option]).any(|text| lists.prod(text)),
        variable => match variable.strip_prefix('$') {
            Some(name) => call
                .command
                .assignments
                .iter()
                .any(|assignment| like(name, &assignment.name) && lists.prod(Text::from(&assignment.value))),
            None => false,
        },
    };
    when.prod_in.iter().any(named)
}
