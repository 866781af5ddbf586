//! Databases: the statements that reach a client, and tools that reset.

use hookguard_shell::{Runs, Stdin};

use crate::call::Call;
use crate::effects::folder;
use crate::glob::like;
use crate::paths::class::{ARTEFACT, TEMP};
use crate::rule::Hit;
use crate::rules::sql::{Loss, loss};
use crate::scene::Scene;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// Options that give a statement.
const STATEMENT_OPTIONS: &[&str] =
    &["-c", "--command", "-e", "--execute", "-q", "--query", "-Q", "-cmd", "--init-command", "-s", "--eval"];
/// Options that give a file of statements.
const FILE_OPTIONS: &[&str] = &["-f", "--file", "-i", "-init"];
/// Clients whose operands are statements.
const BY_OPERAND: &[&str] = &[
    "sqlite3",
    "sqlite",
    "duckdb",
    "litecli",
    "bq",
    "wrangler",
    "turso",
    "clickhouse",
    "cockroach",
    "trino",
    "influx",
    "heroku",
    "supabase",
];

/// Whether the call has its client read statements at all.
fn is_client(call: &Call<'_>) -> bool {
    match call.program {
        "wrangler" => call.sub("d1 execute").is_some(),
        "bq" => call.sub("query").is_some(),
        "supabase" => call.sub("db execute").is_some() || call.sub("db query").is_some(),
        "prisma" => call.sub("db execute").is_some(),
        "heroku" => call.sub("pg:psql").is_some(),
        "turso" => call.sub("db shell").is_some(),
        "rails" | "manage.py" => call.sub("dbconsole").is_some() || call.sub("dbshell").is_some(),
        "fly" | "pscale" => call.sub("** shell").is_some() || call.sub("postgres connect").is_some(),
        _ => true,
    }
}

/// The statements that the text gives the client at `at`, and whether it also gets some that the text does not show.
fn statements(scene: &Scene<'_>, at: usize) -> (Vec<String>, bool) {
    let call = &scene.calls[at];
    let mut texts: Vec<String> = Vec::new();
    let mut hidden = false;
    for text in call.values(STATEMENT_OPTIONS) {
        if text.has_unknown() && text.known_parts().trim_matches('\u{E002}').is_empty() {
            hidden = true;
        }
        texts.push(text.known_parts().into_owned());
    }
    if BY_OPERAND.contains(&call.program) {
        texts.extend(call.operands.iter().skip(1).map(|word| Text::from(*word).known_parts().into_owned()));
    }
    if call.values(FILE_OPTIONS).any(|file| !matches!(file.known(), Some("-" | "/dev/stdin"))) {
        hidden = true;
    }
    // What a client reads from another file: sqlite3, psql, mysql.
    let reads = [".read ", "\\i ", "\\ir ", "source ", "\\. ", "@"];
    hidden |= texts.iter().any(|text| reads.iter().any(|start| text.trim_start().starts_with(start)));
    match &call.command.stdin {
        Stdin::Text(word) => texts.push(Text::from(word).known_parts().into_owned()),
        Stdin::File(file) => hidden |= file.as_literal() != Some("/dev/null"),
        Stdin::Pipe(from) => {
            for &from in from {
                match piped(scene, from) {
                    Some(text) => texts.push(text),
                    None => hidden |= !restores(scene, from),
                }
            }
        }
        Stdin::Inherited => {}
    }
    (texts, hidden)
}

/// What `echo` or `printf` gives into a pipe.
fn piped(scene: &Scene<'_>, from: usize) -> Option<String> {
    let call = scene.calls.get(from)?;
    match call.program {
        "echo" | "printf" => {
            let words: Vec<String> =
                call.command.argv.iter().skip(1).map(|word| Text::from(word).known_parts().into_owned()).collect();
            Some(words.join(" ").replace("\\n", "\n"))
        }
        "cat" | "tee" => match &call.command.stdin {
            Stdin::Text(word) => Some(Text::from(word).known_parts().into_owned()),
            _ => None,
        },
        "yes" => Some(String::new()),
        _ => None,
    }
}

/// Whether what is piped in is a dump made by the same text.
fn restores(scene: &Scene<'_>, from: usize) -> bool {
    matches!(scene.calls.get(from).map(|call| call.program), Some("pg_dump" | "mysqldump"))
}

/// Whether the database is one of memory or of a temporary folder.
fn is_throwaway(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    if !matches!(call.program, "sqlite3" | "sqlite" | "duckdb" | "litecli") {
        return false;
    }
    let Some(file) = call.operands.first() else { return true };
    let text = Text::from(*file);
    if text.known().is_some_and(|name| name.is_empty() || name.contains(":memory:")) {
        return true;
    }
    scene.world.classes(&text.marked(scene.reading), folder(&call.command.cwd)) & (TEMP | ARTEFACT) != 0
}

/// Whether a name, an address or a variable says that this is about a test.
fn is_test(call: &Call<'_>) -> bool {
    let word = |text: &str| {
        text.split(|char: char| !char.is_alphanumeric())
            .any(|part| matches!(part.to_ascii_lowercase().as_str(), "test" | "tests" | "testing"))
    };
    let statement = |text: &Text<'_>| text.known_parts().contains(' ');
    let operand = call.operands.iter().any(|operand| {
        let text = Text::from(*operand);
        !statement(&text) && word(&text.known_parts())
    });
    let option = call
        .options
        .iter()
        .filter_map(|option| option.value_or_next())
        .any(|text| !statement(&text) && word(&text.known_parts()));
    let set = call.command.assignments.iter().any(|set| word(&Text::from(&set.value).known_parts()));
    operand || option || set
}

fn worst(scene: &Scene<'_>, at: usize) -> (Loss, bool) {
    let (texts, hidden) = statements(scene, at);
    (texts.iter().map(|text| loss(text)).max().unwrap_or(Loss::None), hidden)
}

/// A table, database or all rows.
pub(crate) fn destroys(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if !is_client(call) || is_throwaway(scene, at) || is_test(call) {
        return None;
    }
    hit(worst(scene, at).0 == Loss::All)
}

/// Some rows, a test database, or statements that the text does not show.
pub(crate) fn changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if !is_client(call) || is_throwaway(scene, at) {
        return None;
    }
    let (loss, hidden) = worst(scene, at);
    hit(loss == Loss::Some || hidden || loss == Loss::All && is_test(call))
}

/// The JavaScript that reaches the mongo shell, and whether a file does.
fn mongo(scene: &Scene<'_>, at: usize) -> (String, bool) {
    let call = &scene.calls[at];
    let mut text: String = call.values(&["--eval"]).map(|text| text.known_parts().into_owned()).collect();
    let file = call.operands.iter().any(|word| word.prefix().ends_with(".js")) || call.has_any(&["-f", "--file"]);
    match &call.command.stdin {
        Stdin::Text(word) => text.push_str(&Text::from(word).known_parts()),
        Stdin::Pipe(from) => text.extend(from.iter().filter_map(|from| piped(scene, *from))),
        _ => {}
    }
    text.retain(|char| !char.is_whitespace());
    (text, file)
}

/// A database, a collection or all documents.
pub(crate) fn mongo_destroys(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let (text, _) = mongo(scene, at);
    let lost = [
        "dropDatabase(",
        ".drop()",
        ".drop({",
        "deleteMany({})",
        "deleteMany()",
        ".remove({})",
        ".remove()",
        "dropUser(",
        "dropAllUsers(",
    ];
    hit(lost.iter().any(|call| text.contains(call)) && !is_test(&scene.calls[at]))
}

/// Some documents, or a script.
pub(crate) fn mongo_changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let (text, file) = mongo(scene, at);
    let changed =
        ["delete", ".remove(", "updateMany(", "replaceOne(", "dropIndex", "drop", "renameCollection", "shutdownServer"];
    let call =
        |name: &&str| text.match_indices(*name).any(|(at, _)| text[..at].ends_with('.') || name.starts_with('.'));
    hit(file || changed.iter().any(call))
}

/// `FLUSHALL` or `FLUSHDB`, as the command or on the input.
pub(crate) fn redis_flushes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let flush = |word: &str| word.eq_ignore_ascii_case("flushall") || word.eq_ignore_ascii_case("flushdb");
    let on_input = |text: &str| text.lines().any(|line| line.split_whitespace().next().is_some_and(flush));
    let input = match &call.command.stdin {
        Stdin::Text(word) => on_input(&Text::from(word).known_parts()),
        Stdin::Pipe(from) => from.iter().filter_map(|from| piped(scene, *from)).any(|text| on_input(&text)),
        _ => false,
    };
    hit(call.operand(0).is_some_and(flush) || input)
}

fn drops(call: &Call<'_>) -> bool {
    match call.program {
        "mysqladmin" => call.operands.iter().any(|word| word.as_literal() == Some("drop")),
        _ => !call.operands.is_empty() && !call.has_any(&["--help", "-?", "--version"]),
    }
}

/// A database or role that is dropped.
pub(crate) fn drop_tool(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(drops(call) && !is_test(call))
}

/// A test database that is dropped.
pub(crate) fn drop_tool_test(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(drops(call) && is_test(call))
}

/// Subcommands that reset, by program.
const RESET_SUBS: &[(&str, &[&str])] = &[
    ("prisma", &["migrate reset"]),
    ("knex", &["migrate:rollback --all"]),
    ("drizzle-kit", &["drop"]),
    ("alembic", &["downgrade base"]),
    ("flyway", &["clean"]),
    ("liquibase", &["dropAll", "drop-all"]),
    ("dbmate", &["drop"]),
    ("goose", &["reset", "** reset", "down-to 0", "** down-to 0"]),
    ("migrate", &["drop", "** drop"]),
    ("dotnet", &["ef database drop", "ef database update 0"]),
    ("wp", &["db drop", "db reset", "db clean", "site empty"]),
    ("drush", &["sql:drop", "sql-drop", "site:install"]),
    ("diesel", &["database reset", "database drop", "setup --reset"]),
    ("sqlx", &["database drop", "database reset", "db drop", "db reset"]),
    ("sea-orm-cli", &["migrate fresh", "migrate reset", "migrate refresh"]),
    ("mikro-orm", &["schema:drop", "schema:fresh", "migration:fresh"]),
    ("atlas", &["schema clean"]),
    ("hasura", &["metadata clear"]),
    ("edgedb", &["database drop", "database wipe", "branch wipe", "branch drop"]),
    ("gel", &["database drop", "branch wipe", "branch drop"]),
    ("flask", &["db downgrade base", "drop-db", "reset-db"]),
    ("payload", &["migrate:fresh", "migrate:reset"]),
    ("django-admin", &["flush"]),
];

/// Where frameworks take their task from: the first operand, or the one after the script.
fn tasks<'r>(call: &Call<'r>) -> Vec<&'r str> {
    let script = matches!(call.program, "php" | "python" | "python3" | "node" | "sail" | "herd" | "lando" | "ddev");
    let known = |name: &str| {
        matches!(
            crate::call::bare(name),
            "artisan" | "manage.py" | "console" | "ace" | "ace.js" | "yii" | "cake" | "doctrine" | "wp" | "drush"
        )
    };
    let skip = usize::from(script);
    if script && !call.operand(0).is_some_and(known) && !matches!(call.program, "sail") {
        return Vec::new();
    }
    call.operands.iter().skip(skip).filter_map(|word| word.as_literal()).collect()
}

fn resets(call: &Call<'_>) -> bool {
    if call.has_any(&["--help", "-h", "--dry-run", "--pretend"]) {
        return false;
    }
    let first = tasks(call);
    let by_task = first.iter().take(3).any(|task| crate::tables::RESET_TASKS.iter().any(|pattern| like(pattern, task)));
    let by_sub = RESET_SUBS.iter().filter(|(program, _)| *program == call.program).any(|(_, subs)| {
        subs.iter().any(|sub| match sub.split_once(" --") {
            Some((sub, flag)) => call.sub(sub).is_some() && call.has(&format!("--{flag}")),
            None => call.sub(sub).is_some(),
        })
    });
    let prisma_push = call.program == "prisma" && call.has_any(&["--accept-data-loss", "--force-reset"]);
    let zero = first.first() == Some(&"migrate") && first.last() == Some(&"zero");
    let supabase =
        call.program == "supabase" && call.sub("db reset").is_some() && call.has_any(&["--linked", "--db-url"]);
    by_task || by_sub || prisma_push || zero || supabase
}

/// Tables or a database dropped by a framework.
pub(crate) fn orm_resets(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(resets(call) && !is_test(call))
}

const CHANGE_SUBS: &[(&str, &[&str])] = &[
    ("prisma", &["migrate deploy", "db push", "migrate resolve"]),
    ("supabase", &["db reset", "db push", "migration repair", "migration down"]),
    ("alembic", &["downgrade", "stamp"]),
    ("knex", &["migrate:rollback", "migrate:down"]),
    ("drizzle-kit", &["push", "push:*"]),
    ("flyway", &["undo", "repair"]),
    ("liquibase", &["rollback*"]),
    ("dbmate", &["rollback", "down"]),
    ("goose", &["down", "** down", "** down-to *", "** redo"]),
    ("migrate", &["down", "** down", "force", "** force *"]),
    ("dotnet", &["ef migrations remove", "ef database update"]),
    ("wp", &["db import", "db query", "search-replace"]),
    ("drush", &["sql:sync", "sql-sync", "updatedb"]),
    ("diesel", &["migration revert", "migration redo"]),
    ("sqlx", &["migrate revert"]),
    ("sea-orm-cli", &["migrate down"]),
    ("hasura", &["migrate apply --down"]),
    ("atlas", &["schema apply", "migrate down"]),
    ("sqitch", &["revert", "rebase"]),
    ("phinx", &["rollback"]),
    ("flask", &["db downgrade"]),
    ("aerich", &["downgrade"]),
];

/// A step back, a local reset, or a change of a shared database.
pub(crate) fn orm_changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if resets(call) {
        return hit(is_test(call));
    }
    if call.has_any(&["--help", "-h", "--dry-run", "--pretend", "--sql"]) {
        return None;
    }
    let by_task =
        tasks(call).iter().take(2).any(|task| crate::tables::CHANGE_TASKS.iter().any(|pattern| like(pattern, task)));
    let by_sub = CHANGE_SUBS
        .iter()
        .filter(|(program, _)| *program == call.program)
        .any(|(_, subs)| subs.iter().any(|sub| call.sub(sub).is_some()));
    hit(by_task || by_sub)
}

/// A restore that first drops, or that takes the database's own state away.
pub(crate) fn restores_over(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(match call.program {
        "pg_restore" => {
            call.has_any(&["--clean", "-c", "--create", "-C"])
                && !call.has_any(&["-l", "--list"])
                && call.has_any(&["-d", "--dbname"])
        }
        "mongorestore" => call.has("--drop"),
        "etcdctl" | "consul" => {
            call.sub("del").is_some() || call.sub("kv delete").is_some() || call.sub("snapshot restore").is_some()
        }
        "neo4j-admin" => call.sub("** load").is_some() || call.sub("** restore").is_some(),
        "pg_resetwal" | "pg_rewind" | "mysqlimport" => true,
        _ => false,
    })
}

/// A script whose name says that it resets or drops a database.
pub(crate) fn script_resets(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let Some(Runs::Script { name: Some(name) }) = &scene.command(at).runs else { return None };
    let name = Text::from(name).known_parts().to_ascii_lowercase();
    let has = |words: &[&str]| name.split(|char: char| !char.is_alphanumeric()).any(|part| words.contains(&part));
    hit(has(&["db", "database", "prisma", "schema", "migrate", "migration", "postgres", "mysql", "mongo"])
        && has(&["reset", "drop", "wipe", "nuke", "fresh", "destroy", "truncate", "clean", "flush", "purge"])
        && !has(&["test", "tests"]))
}
