//! Secrets: whether they are shown, and whether they leave the machine.

use hookguard_shell::{Part, Stdin, Step, Unknown};

use crate::call::Call;
use crate::effects::{effect, folder};
use crate::flow::source::{ENVIRONMENT, SECRET};
use crate::glob::like;
use crate::paths::class::{ENV_FILE, SECRET as SECRET_CLASS, SECRET_FOLDER};
use crate::rule::Hit;
use crate::scene::Scene;
use crate::tables::SECRET_VARIABLES;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

fn in_substitution(scene: &Scene<'_>, at: usize) -> bool {
    scene.command(at).via.iter().any(|via| via.step == Step::Substitution)
}

/// A file of secrets whose text is shown or copied.
pub(crate) fn shown(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if scene.hides(at) || scene.unseen(at) {
        return None;
    }
    let by_redirect_only =
        scene.effects[at].iter().filter(|one| one.classes & ENV_FILE != 0).all(|one| one.by_redirect);
    // What reads a file on its input and is no copier, such as `docker login < x`, uses it and shows nothing.
    if by_redirect_only && !crate::tables::COPIERS.contains(&call.program) {
        return None;
    }
    // A template that is copied over the real file is no secret; the other way round it is.
    hit(scene.effects[at].iter().any(|one| one.kind & effect::READ != 0 && one.classes & ENV_FILE != 0))
}

/// A copy of secrets that no rule on sending is about.
pub(crate) fn stays_here(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    hit(sent(scene, at).is_none() && !matches!(scene.calls[at].program, "gh"))
}

/// All variables printed where they can be seen.
pub(crate) fn environment_shown(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    if !scene.dumps_environment(at) || scene.unseen(at) || quiet_chain(scene, at) {
        return None;
    }
    let to_file = scene.effects[at].iter().any(|one| one.by_redirect && one.kind & effect::READ == 0);
    hit(!(in_substitution(scene, at) && to_file))
}

/// Whether every way the output takes ends in something that hides it.
fn quiet_chain(scene: &Scene<'_>, at: usize) -> bool {
    let mut reader = scene.readers(at).next();
    for _ in 0..8 {
        match reader {
            Some(next) if scene.hides(next) || picks_plain(&scene.calls[next]) => return true,
            Some(next) => reader = scene.readers(next).next(),
            None => return false,
        }
    }
    false
}

/// Options of grep and rg that leave what a pattern picks as it is.
const PICK_OPTIONS: &[&str] = &["-E", "-e", "-n", "-w", "-x", "-o", "-m", "--color"];

/// Whether a filter lets through only lines of variables that are no secret: by a whole name (`^TZ=`, `^(A|B)=`), or by one of
/// those that are nobody's own.
fn picks_plain(call: &Call<'_>) -> bool {
    if !matches!(call.program, "grep" | "egrep" | "rg")
        || !call.options.iter().all(|option| PICK_OPTIONS.iter().any(|spec| option.is(spec)))
    {
        return false;
    }
    let given: Vec<Text<'_>> = call.values(&["-e"]).collect();
    let mut patterns = given;
    if patterns.is_empty() {
        patterns.extend(call.operands.first().map(|word| Text::from(*word)));
    }
    let plain = |name: &str| {
        let (anchored, whole) = (name.starts_with('^'), name.split_once('=').map(|(name, _)| name));
        let bare = whole.unwrap_or(name).trim_start_matches('^');
        let word = !bare.is_empty() && bare.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        word && !is_secret_name(&bare.to_ascii_uppercase())
            && (anchored && whole.is_some() || crate::tables::PLAIN_VARIABLES.contains(&bare))
    };
    let all_plain = |pattern: &str| {
        let group = pattern.strip_prefix("^(").and_then(|rest| rest.split_once(')')).filter(|(_, rest)| *rest == "=");
        match group {
            Some((names, _)) => names.split('|').all(|name| plain(&format!("^{name}="))),
            None => pattern.replace("\\|", "|").split('|').all(plain),
        }
    };
    !patterns.is_empty() && patterns.iter().all(|pattern| pattern.known().is_some_and(all_plain))
}

fn is_secret_name(name: &str) -> bool {
    SECRET_VARIABLES.iter().any(|pattern| like(pattern, name))
}

/// A variable with a secret printed where it can be seen.
pub(crate) fn variable_shown(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.program == "printenv" {
        return hit(call.operands.iter().any(|word| word.as_literal().is_some_and(is_secret_name))
            && !scene.unseen(at)
            && !in_substitution(scene, at));
    }
    let given = match &call.command.stdin {
        Stdin::Text(word) if call.program == "cat" => Text::from(word).variables().any(is_secret_name),
        _ => false,
    };
    let named = given || call.command.argv.iter().skip(1).any(|word| Text::from(word).variables().any(is_secret_name));
    if !named {
        return None;
    }
    let piped = scene.readers(at).next().is_some();
    let harmless_reader = scene
        .readers(at)
        .all(|reader| scene.hides(reader) || !crate::tables::COPIERS.contains(&scene.calls[reader].program));
    let to_file = scene.effects[at].iter().any(|one| one.by_redirect);
    let used = piped && harmless_reader || to_file || in_substitution(scene, at);
    hit(!used && !scene.unseen(at))
}

/// What shows a secret, by program: subcommands.
const MANAGERS: &[(&str, &[&str])] = &[
    (
        "aws",
        &[
            "secretsmanager get-secret-value",
            "secretsmanager batch-get-secret-value",
            "ssm get-parameter*",
            "configure export-credentials",
            "configure get *secret*",
            "configure get *token*",
            "iam create-access-key",
            "sts get-session-token",
            "sts assume-role",
        ],
    ),
    (
        "gcloud",
        &[
            "secrets versions access",
            "auth print-access-token",
            "auth print-identity-token",
            "auth application-default print-access-token",
        ],
    ),
    (
        "az",
        &[
            "keyvault secret show",
            "keyvault secret download",
            "account get-access-token",
            "storage account keys list",
            "** keys list",
            "** list-keys",
        ],
    ),
    ("vault", &["kv get", "read", "print token", "token lookup"]),
    ("bao", &["kv get", "read"]),
    ("op", &["read", "item get", "get item", "document get", "signin", "inject"]),
    ("pass", &["show", "*/*", "-c"]),
    ("gopass", &["show", "cat"]),
    ("doppler", &["secrets", "secrets get", "secrets download"]),
    ("bw", &["get", "list items", "export", "unlock"]),
    ("rbw", &["get"]),
    ("lpass", &["show", "export"]),
    ("infisical", &["secrets", "export", "secrets get"]),
    ("sops", &["decrypt", "exec-env"]),
    ("ansible-vault", &["view", "decrypt", "edit"]),
    ("chamber", &["read", "export", "env"]),
    ("vercel", &["env pull"]),
    ("heroku", &["config", "config:get *", "pg:credentials:url", "auth:token"]),
    ("keepassxc-cli", &["show", "export", "clip"]),
    ("akeyless", &["get-secret-value"]),
    ("berglas", &["access"]),
    ("credstash", &["get", "getall"]),
    ("npm", &["config get *token*", "config get *auth*", "token list"]),
    ("aws-vault", &["export"]),
    ("fly", &["auth token", "tokens create *"]),
    ("railway", &["variables"]),
    ("netlify", &["env:list", "env:get *"]),
    ("conjur", &["variable get"]),
];

/// A secret manager asked for a value.
pub(crate) fn from_manager(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if call.has_any(&["--help", "-h"]) {
        return None;
    }
    if matches!(call.program, "kubectl" | "oc") {
        return hit(reads_secret_object(call));
    }
    if call.program == "sops" && call.has_any(&["-d", "--decrypt"]) {
        return hit(true);
    }
    let (_, subs) = MANAGERS.iter().find(|(program, _)| *program == call.program)?;
    let asked = subs.iter().any(|sub| call.sub(sub).is_some());
    if call.program == "heroku" && call.sub("config:get *").is_some() {
        return hit(call.operands.iter().skip(1).any(|word| word.as_literal().is_none_or(is_secret_name)));
    }
    // A short-lived token that goes straight into a header or a login is shown to nobody.
    let passed_on = || {
        (call.sub("** print-*-token").is_some()
            || call.sub("** get-access-token").is_some()
            || call.program == "aws" && call.sub("sts *").is_some())
            && (in_substitution(scene, at) || scene.unseen(at))
    };
    hit(asked && !passed_on())
}

/// `kubectl get secret NAME -o …`
fn reads_secret_object(call: &Call<'_>) -> bool {
    let kind = |word: &&hookguard_shell::Word| {
        let text = Text::from(*word).known_parts();
        text.split([',', '/']).any(|kind| matches!(kind, "secret" | "secrets"))
    };
    let output = call.values(&["-o", "--output"]).any(|format| !matches!(format.known(), Some("name" | "wide")));
    call.sub("get").is_some() && call.operands.iter().skip(1).any(kind) && (output || call.has("--template"))
        || call.sub("extract secret*").is_some()
}

/// Of some programs only these subcommands send.
const SENDING_SUBS: &[(&str, &[&str])] = &[
    ("aws", &["s3 cp", "s3 mv", "s3 sync", "s3api put-object", "sns publish", "sqs send-message", "lambda invoke"]),
    ("gcloud", &["storage *", "pubsub topics publish"]),
    (
        "gh",
        &[
            "gist create",
            "issue create",
            "issue comment",
            "pr create",
            "pr comment",
            "release upload",
            "release create",
            "api",
        ],
    ),
    ("glab", &["snippet create", "issue create", "issue note", "mr note", "api"]),
    ("openssl", &["s_client"]),
    ("docker", &["push"]),
    ("kubectl", &["cp"]),
    ("tailscale", &["file cp"]),
    ("redis-cli", &["-h"]),
];

fn sends(call: &Call<'_>) -> bool {
    if crate::tables::SENDERS.binary_search(&call.program).is_err() {
        return false;
    }
    match SENDING_SUBS.iter().find(|(program, _)| *program == call.program) {
        Some((_, subs)) => subs.iter().any(|sub| call.sub(sub).is_some()),
        None => !is_local_address(call),
    }
}

/// Whether every address in the call is this machine's own.
fn is_local_address(call: &Call<'_>) -> bool {
    let address = |word: &&hookguard_shell::Word| {
        let text = word.prefix();
        let bare = text.trim_start_matches("http://").trim_start_matches("https://");
        ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal"].iter().any(|host| bare.starts_with(host))
    };
    matches!(call.program, "curl" | "wget" | "http" | "https" | "xh" | "nc" | "ncat")
        && !call.operands.is_empty()
        && call.operands.iter().any(address)
}

/// Secrets or the environment that leave the machine.
pub(crate) fn sent(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let secret = SECRET | ENVIRONMENT;
    // A program that writes to an address itself.
    let to_address = call.command.redirects.iter().any(|redirect| {
        redirect.target.prefix().starts_with("/dev/tcp/") || redirect.target.prefix().starts_with("/dev/udp/")
    });
    if to_address {
        return hit(scene.output(at) & secret != 0);
    }
    if !sends(call) {
        return None;
    }
    let key = SECRET_CLASS | ENV_FILE;
    let packed = |one: &crate::effects::Effect<'_>| {
        one.kind & effect::SEND != 0 && (one.classes & key != 0 || one.classes & SECRET_FOLDER != 0)
            || one.by_redirect && one.kind & effect::READ != 0 && one.classes & key != 0
    };
    if scene.effects[at].iter().any(packed) || scene.input(at) & secret != 0 {
        return hit(true);
    }
    let written = scene.effects[at].iter().any(|one| one.kind & effect::SEND != 0 && holds_secret(scene, at, one.path));
    // An identity file, a header of a login, a certificate are no data.
    let harmless = ["-i", "--key", "--cert", "-E", "-u", "--user", "--cacert", "-F", "-K"];
    let words = call.command.argv.iter().skip(1).any(|word| scene.word(word) & secret != 0);
    let options = call.options.iter().filter_map(|option| Some((option, option.value?))).any(|(option, value)| {
        let names_file = !harmless[..5].iter().any(|spec| option.is(spec));
        names_file && sends_file(scene, at, value)
    });
    let operands =
        call.operands.iter().any(|word| sends_file(scene, at, Text::from(*word)) || leaks_later(scene, at, word));
    let values = call.options.iter().filter_map(|option| option.value).any(|value| leaks_later(scene, at, value.word));
    hit(written || words || options || operands || values)
}

/// `@file`, `name=@file`, `<file`: a file that a sender reads.
fn sends_file(scene: &Scene<'_>, at: usize, text: Text<'_>) -> bool {
    let start = text.prefix();
    let Some(mark) = start
        .find(['@', '<'])
        .filter(|mark| *mark == 0 || start[..*mark].ends_with('=') || start[..*mark].ends_with(':'))
    else {
        return false;
    };
    let file = text.after(mark + 1);
    let classes = scene.world.classes(&file.marked(scene.reading), folder(&scene.command(at).cwd));
    classes & (SECRET_CLASS | ENV_FILE) != 0 || holds_secret(scene, at, file)
}

/// Whether an earlier command of the text wrote secrets into a file.
fn holds_secret(scene: &Scene<'_>, at: usize, file: Text<'_>) -> bool {
    let Some(name) = file.known().filter(|name| !name.is_empty()) else { return false };
    scene.before(at).any(|earlier| {
        let wrote = scene.effects[earlier]
            .iter()
            .any(|one| one.kind & (effect::WRITE | effect::APPEND) != 0 && one.path.known() == Some(name));
        let packs = scene.calls[earlier].values(&["-f", "--file"]).any(|target| target.known() == Some(name))
            || scene.calls[earlier].operands.iter().any(|word| word.as_literal() == Some(name));
        let from_keys = scene.effects[earlier].iter().any(|one| {
            one.kind & (effect::SEND | effect::READ) != 0
                && one.classes & (SECRET_CLASS | ENV_FILE | SECRET_FOLDER) != 0
        });
        wrote && scene.output(earlier) & (SECRET | ENVIRONMENT) != 0 || (wrote || packs) && from_keys
    })
}

/// A variable that the text filled from a secret before, where the reading does not say which.
fn leaks_later(scene: &Scene<'_>, at: usize, word: &hookguard_shell::Word) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Unknown(Unknown::Substitution { commands }) => {
            commands.iter().any(|from| scene.output(*from) & (SECRET | ENVIRONMENT) != 0)
        }
        Part::Unknown(Unknown::Process) => scene.inside(at).any(|inner| {
            matches!(scene.command(inner).stdin, Stdin::Inherited) && scene.output(inner) & (SECRET | ENVIRONMENT) != 0
        }),
        _ => false,
    })
}
