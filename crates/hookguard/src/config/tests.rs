//! What is kept between calls, and that nothing of it is believed that somebody else could have written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use hookguard_core::Mode;

use super::*;

/// A user with a state folder and a project.
struct Machine {
    folder: tempfile::TempDir,
    surroundings: Surroundings,
    root: String,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("project")).unwrap();
        let surroundings = Surroundings {
            state: Some(path("state")),
            config: Some(path("config")),
            managed: path("managed.toml"),
            ..Surroundings::default()
        };
        let root = path("project").to_str().unwrap().to_owned();
        Machine { folder, surroundings, root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file that was last changed a while ago.
    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }

    /// Lets the marks of what was written settle.
    fn settle(&self) {
        std::thread::sleep(Duration::from_millis(150));
    }

    fn level(&self, rule: &str) -> Option<Level> {
        let policy = of_hook(&self.surroundings, Some(&self.root));
        policy.settings.levels.iter().find(|(id, _)| *id == rule).map(|(_, level)| *level)
    }

    fn cached(&self) -> PathBuf {
        cache::file(&self.path("state"), Some(&self.root))
    }
}

const DENY_DROP: &str = "version = 1\n[rules]\n\"git.stash.drop\" = \"deny\"\n";
const ASK_FORCE: &str = "version = 1\n[rules]\n\"git.push.force\" = \"ask\"\n";

#[test]
fn without_files_nothing_is_read_or_written() {
    let machine = Machine::new();
    let policy = of_hook(&machine.surroundings, Some(&machine.root));
    assert!(std::ptr::eq(policy, &hookguard_config::BUILTIN));
    assert!(!machine.path("state").exists());
}

#[test]
fn what_was_compiled_is_used_until_a_file_changes() {
    let machine = Machine::new();
    machine.write("config/config.toml", DENY_DROP);
    assert_eq!(machine.level("git.stash.drop"), Some(Level::Deny));
    assert!(!machine.cached().exists(), "a file that was just written may change again within its time stamp");
    machine.settle();
    assert_eq!(machine.level("git.stash.drop"), Some(Level::Deny));
    let made = fs::metadata(machine.cached()).unwrap();
    assert_eq!(made.permissions().mode() & 0o777, 0o600);
    assert_eq!(machine.level("git.stash.drop"), Some(Level::Deny));
    assert_eq!(fs::metadata(machine.cached()).unwrap().modified().unwrap(), made.modified().unwrap());

    // The same length, and the time stamp set back: the file's own change is seen all the same.
    let path = machine.path("config/config.toml");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    machine.write("config/config.toml", &DENY_DROP.replace("deny", "warn"));
    fs::File::options().write(true).open(&path).unwrap().set_modified(before).unwrap();
    assert_eq!(machine.level("git.stash.drop"), Some(Level::Warn));
    machine.write("config/config.toml", ASK_FORCE);
    assert_eq!(machine.level("git.push.force"), Some(Level::Ask));
    fs::remove_file(machine.path("config/config.toml")).unwrap();
    assert_eq!(machine.level("git.push.force"), None);
}

#[test]
fn a_cache_that_is_broken_or_not_our_own_changes_no_verdict() {
    let machine = Machine::new();
    machine.write("config/config.toml", ASK_FORCE);
    machine.settle();
    assert_eq!(machine.level("git.push.force"), Some(Level::Ask));
    let good = fs::read(machine.cached()).unwrap();
    // A cache that says that nothing is changed, made for just these files: what an agent would plant.
    let sources = sources::of(&machine.surroundings, Some(&machine.root), Some(&machine.path("state"))).unwrap();
    let loose = compile(&stack(&bottom(), Vec::new()), Vec::new(), Vec::new());
    let planted = hookguard_config::seal(&hookguard_config::Key::of(&sources), &loose);
    for (what, bytes, mode) in [
        ("empty", Vec::new(), 0o600),
        ("cut", good[..good.len() / 2].to_vec(), 0o600),
        ("garbage", vec![0xa5; 4096], 0o600),
        ("writable by the group", planted.clone(), 0o660),
        ("readable by all", planted.clone(), 0o604),
    ] {
        fs::write(machine.cached(), bytes).unwrap();
        fs::set_permissions(machine.cached(), Permissions::from_mode(mode)).unwrap();
        assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "{what}");
    }
    let elsewhere = machine.path("planted");
    fs::write(&elsewhere, &planted).unwrap();
    fs::set_permissions(&elsewhere, Permissions::from_mode(0o600)).unwrap();
    fs::remove_file(machine.cached()).unwrap();
    symlink(&elsewhere, machine.cached()).unwrap();
    assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "a link");
    if rustix::process::geteuid().is_root() {
        fs::remove_file(machine.cached()).unwrap();
        fs::copy(&elsewhere, machine.cached()).unwrap();
        std::os::unix::fs::chown(machine.cached(), Some(65_534), None).unwrap();
        assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "another user's");
    }
}

#[test]
fn a_state_folder_that_can_not_be_written_changes_no_verdict() {
    let machine = Machine::new();
    machine.write("config/config.toml", ASK_FORCE);
    machine.write("state", "a file, where the folder should be");
    machine.settle();
    assert_eq!(machine.level("git.push.force"), Some(Level::Ask));
}

#[test]
fn nothing_is_kept_in_a_state_folder_inside_the_project() {
    let mut machine = Machine::new();
    machine.surroundings.state = Some(machine.path("project/.state"));
    machine.write("project/hookguard.toml", ASK_FORCE);
    let path = machine.path("project/hookguard.toml");
    trust::pin(&machine.path("project/.state"), &path, ASK_FORCE.as_bytes()).unwrap();
    machine.settle();
    assert_eq!(machine.level("git.push.force"), None, "a pin in the project is nobody's word");
    assert!(!machine.path("project/.state/config").exists());
}

#[test]
fn a_broken_file_is_replaced_by_its_last_good_version() {
    for (file, trusted) in [("config/config.toml", false), ("managed.toml", false), ("project/hookguard.toml", true)] {
        let machine = Machine::new();
        machine.write(file, ASK_FORCE);
        if trusted {
            trust::pin(&machine.path("state"), &machine.path(file), ASK_FORCE.as_bytes()).unwrap();
        }
        assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "{file}");
        machine.write(file, "version = 1\n[rules\n");
        for _ in 0..2 {
            let policy = of_hook(&machine.surroundings, Some(&machine.root));
            assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "{file}");
            let [notice] = policy.notices.as_slice() else { panic!("{file}: {:?}", policy.notices) };
            assert!(
                notice.text.contains("2:7") && notice.text.contains("its last good version stands"),
                "{}",
                notice.text
            );
            machine.settle();
        }
        machine.write(file, "version = 1\n");
        assert_eq!(machine.level("git.push.force"), None, "{file}: repaired");
        assert!(of_hook(&machine.surroundings, Some(&machine.root)).notices.is_empty(), "{file}");
    }
    let machine = Machine::new();
    machine.write("config/config.toml", "version = 1\n[rules\n");
    let policy = of_hook(&machine.surroundings, Some(&machine.root));
    assert!(policy.settings.levels.is_empty(), "without a last good version the file is as if it were not there");
    assert!(policy.notices[0].text.contains("the policy without it stands"), "{}", policy.notices[0].text);
}

#[test]
fn people_are_told_once() {
    let machine = Machine::new();
    machine.write("config/config.toml", "version = 2\n");
    let state = machine.path("state");
    let told = |text: &str| {
        machine.write("config/config.toml", text);
        let policy = of_hook(&machine.surroundings, Some(&machine.root));
        tell(Some(&state), &policy.notices, hookguard_core::EventKind::PreTool).len()
    };
    assert_eq!(
        [told("version = 2\n"), told("version = 2\n"), told("version = 3\n"), told("version = 1\n")],
        [1, 0, 1, 0]
    );
    let policy = of_hook(&machine.surroundings, Some(&machine.root));
    assert!(policy.notices.is_empty());
    let notices = [Notice { key: "k".into(), text: "t".into() }];
    use hookguard_core::EventKind::{PreTool, SessionStart};
    assert_eq!((tell(None, &notices, PreTool).len(), tell(None, &notices, SessionStart).len()), (0, 1));
}

#[test]
fn a_project_loosens_only_with_the_users_word_for_just_this_content() {
    let machine = Machine::new();
    let loose = "version = 1\nmode = \"observe\"\n[rules]\n\"git.push.force\" = \"ask\"\n";
    machine.write("project/hookguard.toml", loose);
    assert_eq!(machine.level("git.push.force"), None);
    let file = machine.path("project/hookguard.toml");
    machine.settle();
    assert_eq!(machine.level("git.push.force"), None);
    trust::pin(&machine.path("state"), &file, loose.as_bytes()).unwrap();
    assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "the pin counts at once, whatever was compiled");
    assert_eq!(of_hook(&machine.surroundings, Some(&machine.root)).settings.mode, Mode::Observe);
    machine.write("project/hookguard.toml", &format!("{loose}# more\n"));
    assert_eq!(machine.level("git.push.force"), None, "another content was not trusted");
    machine.write("project/hookguard.toml", loose);
    assert!(trust::unpin(&machine.path("state"), &file).unwrap());
    assert_eq!(machine.level("git.push.force"), None);

    let hash = ContentHash::of(loose.as_bytes());
    machine.write("managed.toml", &format!("version = 1\ntrusted = [\"{hash}\"]\n"));
    assert_eq!(machine.level("git.push.force"), Some(Level::Ask), "the administrator's word");
}

#[test]
fn a_hang_in_a_files_place_is_a_fault() {
    let machine = Machine::new();
    fs::create_dir_all(machine.path("config")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        machine.path("config/config.toml"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let before = SystemTime::now();
    let policy = of_hook(&machine.surroundings, Some(&machine.root));
    assert!(policy.notices[0].text.contains("it is no file"), "{:?}", policy.notices);
    assert!(before.elapsed().unwrap() < Duration::from_secs(2));
}
