//! Deployments by names: of remotes, scripts, environments.

use hookguard_shell::Runs;

use crate::call::{Call, bare};
use crate::rule::Hit;
use crate::scene::Scene;
use crate::tables::{DEPLOY_VERBS, HARMLESS_FLAGS, HARMLESS_PARTS, MIGRATE_VERBS};
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// A deployment whose PROD word names where to, and not what.
pub(crate) fn to_production(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    match call.program {
        "gcloud" | "az" | "doctl" | "nx" | "turbo" => {
            // These have many verbs of one name; only real deployments count.
            let deploys = [
                "** deploy",
                "builds submit",
                "app deploy",
                "webapp up",
                "** deployment *",
                "run deploy",
                "run *:deploy",
            ];
            hit(deploys.iter().any(|sub| call.sub(sub).is_some()))
        }
        "docker" => hit(call.sub("stack deploy").is_some()),
        // Of what is installed the name says nothing; where to is an option.
        "helm" | "fastlane" | "terraform" | "tofu" | "terragrunt" => {
            let options =
                call.options.iter().filter_map(|option| option.value_or_next()).any(|text| scene.lists().prod(text));
            let set = call.command.assignments.iter().any(|set| scene.lists().prod(Text::from(&set.value)));
            let lane =
                call.program == "fastlane" && call.operands.iter().any(|word| scene.lists().prod(Text::from(*word)));
            hit(options || set || lane || chose_production(scene, at))
        }
        _ => hit(true),
    }
}

/// Subcommands that choose where every later command of the same program goes.
const CHOICES: &[(&str, &[&str])] = &[
    ("firebase", &["use", "target:apply"]),
    ("gcloud", &["config set", "config configurations activate"]),
    ("az", &["account set"]),
    ("sf", &["config set", "alias set"]),
    ("sfdx", &["config:set", "force:config:set"]),
    ("pulumi", &["stack select"]),
    ("terraform", &["workspace select"]),
    ("heroku", &["git:remote"]),
    ("supabase", &["link"]),
    ("railway", &["environment", "link"]),
    ("vercel", &["switch", "link"]),
    ("netlify", &["link", "switch"]),
    ("eb", &["use"]),
    ("fly", &["orgs switch"]),
    ("doctl", &["auth switch"]),
    ("cf", &["target"]),
    ("argocd", &["context"]),
];

/// Whether an earlier command of the text chose production for this program.
pub(crate) fn chose_production(scene: &Scene<'_>, at: usize) -> bool {
    let program = scene.calls[at].program;
    let Some((_, subs)) = CHOICES.iter().find(|(name, _)| *name == program) else { return false };
    scene.calls[scene.before(at)].iter().any(|before| {
        before.program == program
            && subs.iter().any(|sub| before.sub(sub).is_some())
            && before.command.argv.iter().skip(1).any(|word| scene.lists().prod(Text::from(word)))
    })
}

/// A push to a remote whose name says production.
pub(crate) fn push_to_production(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let remote = call.operand(1)?;
    hit(call.operands.len() > 1 && scene.lists().is_prod(remote) && !remote.contains("://"))
}

/// The words of a script's name: split at what is no letter or digit.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(|char: char| !char.is_alphanumeric()).filter(|part| !part.is_empty())
}

fn has_part(name: &str, table: &[&str]) -> bool {
    parts(name).any(|part| table.iter().any(|word| word.eq_ignore_ascii_case(part)))
}

/// The longest name of a file, in words, that is taken for what it does: `deploy.sh` deploys, `deploy_log_parser_v2.py`
/// only tells of it.
const MAX_NAME_PARTS: usize = 3;

/// The name of the script that a command runs, without its folder and ending.
fn script_name(call: &Call<'_>) -> Option<String> {
    let name = match call.command.runs.as_ref()? {
        Runs::File { path, .. } => {
            let path = Text::from(path).known_parts().into_owned();
            let base = bare(&path);
            let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
            if parts(stem).count() > MAX_NAME_PARTS || has_part(stem, &["publish", "ship"]) {
                return None;
            }
            stem.to_owned()
        }
        Runs::Script { name: Some(name) } => Text::from(name).known_parts().into_owned(),
        _ => return None,
    };
    Some(name)
}

fn only_looks(call: &Call<'_>, name: &str) -> bool {
    has_part(name, HARMLESS_PARTS)
        || call.command.argv.iter().any(|word| word.as_literal().is_some_and(|word| HARMLESS_FLAGS.contains(&word)))
        || matches!(call.program, "bash" | "sh" | "zsh" | "make") && call.has("-n")
}

/// The task that a runner is told to run, where its first operand is one.
fn task_name<'r>(call: &Call<'r>) -> Option<&'r str> {
    // What follows `--` is for the task.
    let named = &call.operands[..call.dashes.unwrap_or(call.operands.len()).min(call.operands.len())];
    let task = named.iter().filter_map(|word| word.as_literal()).find(|word| has_part(word, DEPLOY_VERBS))?;
    // A subcommand of the runner itself is no task of the project.
    let own = matches!(
        call.operand(0),
        Some(
            "add"
                | "remove"
                | "install"
                | "publish"
                | "npm"
                | "run"
                | "exec"
                | "dlx"
                | "x"
                | "create"
                | "init"
                | "info"
                | "why"
        )
    );
    // Of these the first operand is the task, and what follows are its arguments: `pnpm test --grep deploy`.
    let checks = matches!(call.program, "npm" | "pnpm" | "yarn" | "bun" | "composer" | "deno" | "hatch" | "poe")
        && call.operand(0).is_some_and(|first| has_part(first, &["test", "lint", "build", "check"]));
    let ran = call.command.runs.is_none() || matches!(call.command.runs, Some(Runs::Script { .. }));
    (!own && !checks && ran && !task.contains(['/', '@', '=', ' '])).then_some(task)
}

/// A task that deploys or releases, with a PROD word in its name or its arguments.
pub(crate) fn task_to_production(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let name = task_name(call)?;
    let argument = call.command.argv.iter().skip(1).any(|word| scene.lists().prod(Text::from(word)));
    hit(argument && !only_looks(call, name))
}

/// A task that deploys or releases.
pub(crate) fn task(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let name = task_name(call)?;
    hit(!only_looks(call, name))
}

/// A script that deploys, releases or migrates, with a PROD word in its name, its arguments or its environment.
pub(crate) fn script_to_production(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let name = script_name(call)?;
    let verb = has_part(&name, DEPLOY_VERBS) || has_part(&name, MIGRATE_VERBS);
    if !verb || only_looks(call, &name) {
        return None;
    }
    let argument = call.command.argv.iter().skip(1).any(|word| scene.lists().prod(Text::from(word)));
    let environment =
        call.command.assignments.iter().any(|set| set.name != "NODE_ENV" && scene.lists().prod(Text::from(&set.value)));
    hit(scene.lists().is_prod(&name) || argument || environment)
}

/// A script that deploys or releases.
pub(crate) fn script(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let name = script_name(call)?;
    hit(has_part(&name, DEPLOY_VERBS) && !only_looks(call, &name))
}

/// A migration with a PROD word in its environment, its options or its database.
pub(crate) fn migrates_production(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let framework = matches!(
        call.program,
        "alembic"
            | "flyway"
            | "liquibase"
            | "prisma"
            | "knex"
            | "sequelize"
            | "sequelize-cli"
            | "mix"
            | "typeorm"
            | "drizzle-kit"
            | "dbmate"
            | "migrate"
            | "goose"
            | "sqlx"
            | "diesel"
            | "rails"
            | "rake"
            | "artisan"
            | "manage.py"
            | "supabase"
            | "dotnet"
            | "console"
    );
    let verb = |word: &&hookguard_shell::Word| {
        let word = Text::from(*word).known_parts();
        has_part(&word, MIGRATE_VERBS) || framework && matches!(&*word, "upgrade" | "downgrade" | "push" | "up")
    };
    let script = call.operands.first().and_then(|word| word.as_literal()).map(bare);
    let remote_run = matches!(call.program, "heroku" | "fly" | "flyctl" | "railway" | "eb" | "aptible" | "scalingo");
    let runs = remote_run || matches!(script, Some("artisan" | "manage.py" | "console" | "ace")) || framework;
    if !runs || !(call.operands.iter().any(verb) || call.program == "migrate") || call.has_any(HARMLESS_FLAGS) {
        return None;
    }
    let argument = call.command.argv.iter().skip(1).any(|word| scene.lists().prod(Text::from(word)));
    let environment = call.command.assignments.iter().any(|set| scene.lists().prod(Text::from(&set.value)));
    hit(argument || environment)
}
