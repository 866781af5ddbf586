//! What the policy sees in a command line before any rule looks at it: the files that each command touches, and their classes.

use serde::Serialize;

use crate::context::Context;
use crate::pack::{CLASSES, EFFECTS};
use crate::scene::{self, Scene};
use hookguard_shell::Reading;

/// One effect on one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touch {
    /// What happens to it, one of [`EFFECTS`].
    pub effect: &'static str,
    /// The path, as far as it is known.
    pub path: String,
    /// Whether a redirect does it, and not the program.
    pub redirect: bool,
    /// What sort of path it is, each with why.
    pub classes: Vec<Class>,
}

/// One class of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// The class, one of [`CLASSES`].
    pub name: &'static str,
    /// Why the path is of it, as a fragment.
    pub why: String,
}

/// What each command of `reading` touches, one list a command. `cwd` is where the text runs.
pub fn touches(reading: &Reading, cwd: Option<&str>, context: &Context<'_>) -> Vec<Vec<Touch>> {
    let world = scene::world(context, cwd);
    let scene = Scene::new(reading, &world, context);
    let named = |bits: u32, names: &'static [&'static str]| {
        names.iter().enumerate().filter(move |(at, _)| bits & (1 << at) != 0).map(|(_, name)| *name)
    };
    let of = |effect: &crate::effects::Effect<'_>| Touch {
        effect: named(effect.kind, EFFECTS).next().unwrap_or("other"),
        path: effect.path.word.display().get(effect.path.skip..).unwrap_or_default().to_owned(),
        redirect: effect.by_redirect,
        classes: named(effect.classes, CLASSES).map(|name| Class { name, why: why(name, cwd, context) }).collect(),
    };
    scene.effects.iter().map(|effects| effects.iter().map(of).collect()).collect()
}

/// Why a path is of a class: measured by which folder, or by which sort of name.
fn why(class: &str, cwd: Option<&str>, context: &Context<'_>) -> String {
    let folder = |text: &str, folder: Option<&str>| folder.map_or(text.to_owned(), |folder| format!("{text} {folder}"));
    let root = context.root.or(cwd);
    match class {
        "root" => "it is /".to_owned(),
        "system" => "it lies in a folder of the system".to_owned(),
        "home" => folder("it is the home folder, or above it:", context.home),
        "below_home" => folder("it lies below the home folder", context.home),
        "project_root" => folder("it is the project's root, or above it:", root),
        "project" => folder("it lies in the project", root),
        "temp_root" => "it is a folder for temporary files".to_owned(),
        "temp" => "it lies in a folder for temporary files".to_owned(),
        "outside" => "it lies in none of the known folders".to_owned(),
        "device" => "it is a device".to_owned(),
        "null" => "it is a device that keeps nothing".to_owned(),
        "unknown" => "a part of it, or the folder it starts from, is not known".to_owned(),
        "unknown_root" => "if its unknown parts are empty, it is /".to_owned(),
        "artefact" => "its name is that of something a build or an install makes".to_owned(),
        "litter" => "its name is that of a log, a backup or the like".to_owned(),
        "env_file" => "its name is that of a file of settings and secrets (.env)".to_owned(),
        "secret" => "its name or place is that of a key or a password".to_owned(),
        "secret_folder" => "keys or passwords lie in it".to_owned(),
        "start_file" => "a shell or a session runs it at its start".to_owned(),
        "guard" => "it is a file of hookguard's, or an agent's hook settings".to_owned(),
        "guard_folder" => "files of hookguard's, or an agent's hook settings, lie in it".to_owned(),
        "git_folder" => "it is git's own folder, or a part without which there is no history".to_owned(),
        "git_hook" => "git runs it as a hook".to_owned(),
        "data" => "its name is that of a database or another file of data".to_owned(),
        "cache" => "it is a cache of a program, in the home folder".to_owned(),
        "access_file" => "it says who may enter the machine, or become another".to_owned(),
        "bare_glob" => "it is a pattern that takes all that is in the folder".to_owned(),
        "glob" => "it has a pattern in it".to_owned(),
        "file" => "it has the name of a file, with an extension".to_owned(),
        "created" => "the same text has made it".to_owned(),
        "remote" => "it lies on another machine".to_owned(),
        "empty" => "it is empty".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_says_why() {
        for class in CLASSES {
            assert!(!why(class, None, &Context::default()).is_empty(), "{class}");
        }
    }

    #[test]
    fn effects_and_classes_are_named() {
        let context = Context { home: Some("/home/dev"), root: Some("/home/dev/acme"), ..Context::default() };
        let env = hookguard_shell::Env { cwd: context.root, home: context.home, vars: &[], known: &[] };
        let reading = hookguard_shell::read("cat .env > /tmp/x", &env);
        let touches = touches(&reading, context.root, &context);
        let told: Vec<_> = touches[0].iter().map(|of| (of.effect, of.path.as_str(), of.redirect)).collect();
        assert_eq!(told, [("read", ".env", false), ("write", "/tmp/x", true)]);
        let classes: Vec<_> = touches[0][0].classes.iter().map(|class| class.name).collect();
        assert!(classes.contains(&"project") && classes.contains(&"env_file"), "{classes:?}");
        assert!(touches[0][0].classes[0].why.ends_with("/home/dev/acme"), "{:?}", touches[0][0].classes);
    }
}
