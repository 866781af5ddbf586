//! Where paths lie, and what sort of file they are.

use super::*;
use crate::glob::STAR;
use crate::pack;

fn world() -> World<'static> {
    World { home: Some(components("/home/dev")), root: Some(components("/home/dev/acme")), ..World::default() }
}

fn names(classes: Classes) -> Vec<&'static str> {
    pack::CLASSES.iter().enumerate().filter(|(at, _)| classes & (1 << at) != 0).map(|(_, name)| *name).collect()
}

#[test]
fn the_bits_are_the_names() {
    assert_eq!(names(ROOT | UNKNOWN_ROOT | GIT_HOOK), ["root", "unknown_root", "git_hook"]);
    assert_eq!(names(EMPTY | CREATED | PROJECT | GUARD), ["project", "guard", "created", "empty"]);
    assert_eq!(names(CACHE | ACCESS_FILE | NULL | DEVICE), ["device", "null", "cache", "access_file"]);
}

#[test]
fn a_home_below_a_temporary_folder_is_a_home() {
    let world = World { home: Some(components("/tmp/h")), root: Some(components("/tmp/p")), ..World::default() };
    assert_eq!(names(world.classes("/tmp/h", None)), ["home", "secret_folder"]);
    assert_eq!(names(world.classes("/tmp/p/src", None)), ["project"]);
    assert_eq!(names(world.classes("/tmp/x", None)), ["temp"]);
}

#[test]
fn where_paths_lie() {
    let star = |text: &str| text.replace('*', &STAR.to_string()).replace('?', &ANYTHING.to_string());
    let rows: &[(&str, &[&str])] = &[
        ("/", &["root"]),
        ("/*", &["root", "glob"]),
        ("/home", &["home", "project_root", "guard"]),
        ("/etc/hosts", &["system"]),
        (".", &["project_root"]),
        ("./*", &["project_root", "glob"]),
        ("*", &["project_root", "bare_glob", "glob"]),
        ("src", &["project"]),
        ("build/../src", &["project"]),
        ("packages/*/dist", &["project", "artefact", "glob"]),
        ("node_modules/x", &["project", "artefact"]),
        ("x.egg-info", &["project", "artefact"]),
        ("/tmp", &["temp_root"]),
        ("/tmp/*", &["temp_root", "glob"]),
        ("/tmp/x-?", &["temp", "unknown"]),
        ("/tmp/?", &["temp_root", "unknown"]),
        ("/tmp/../home/dev/notes", &["below_home"]),
        ("/var/folders/zz/h7s_0000gn/T/tmp.x", &["temp"]),
        ("/var/folders/zz/h7s_0000gn/T", &["temp_root"]),
        ("/var/folders/zz/h7s_0000gn/C/x", &["system"]),
        ("/c/Users/dev/AppData/Local/Temp/x", &["temp"]),
        ("C:/Users/dev/AppData/Local/Temp/x", &["temp"]),
        ("C:/Users/dev/AppData/Local/x", &["outside"]),
        ("/dev/null", &["null"]),
        ("/dev/sda1", &["system", "device"]),
        ("?", &["unknown"]),
        ("?/", &["unknown", "unknown_root"]),
        ("?/*", &["unknown", "unknown_root", "glob"]),
        ("?/src", &["unknown"]),
        ("/?", &["unknown", "unknown_root"]),
        (".git", &["project", "git_folder"]),
        (".git/hooks/pre-push", &["project", "git_hook"]),
        (".git/hooks/pre-push.sample", &["project"]),
        (".github", &["project"]),
        ("/home/dev/.bashrc", &["below_home", "start_file"]),
        ("/home/dev/.ssh/id_rsa", &["below_home", "secret"]),
        ("/home/dev/.ssh/id_rsa.pub", &["below_home"]),
        (".en*", &["project", "env_file", "glob"]),
        (".env.example", &["project", "file"]),
        (".claude/*.json", &["project", "guard", "glob", "file"]),
        (".claude", &["project", "guard_folder"]),
        ("data/backup.sql", &["project", "data", "file"]),
    ];
    for (path, expected) in rows {
        let mut got = names(world().classes(&star(path), Some("/home/dev/acme")));
        got.retain(|name| expected.contains(name) || *name != "file");
        let mut missing: Vec<_> = expected.iter().filter(|name| !got.contains(name) && **name != "guard").collect();
        missing.retain(|name| **name != "file");
        assert!(missing.is_empty(), "{path}: {got:?} lacks {missing:?}");
        let more: Vec<_> = got.iter().filter(|name| !expected.contains(name)).collect();
        assert!(more.is_empty(), "{path}: {more:?} too much");
    }
}
