//! What git itself wrote, and what is said of it.

use std::path::PathBuf;

use super::*;
use crate::world::tests::git;

fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(folder.path()).unwrap().join("main");
    fs::create_dir_all(top.join("src")).unwrap();
    git(&top, &["init", "-q", "-b", "main"]);
    fs::write(top.join("src/a.rs"), "a\n").unwrap();
    fs::write(top.join("b.md"), "b\n").unwrap();
    git(&top, &["add", "."]);
    git(&top, &["commit", "-qm", "one"]);
    (folder, top)
}

#[test]
fn what_is_committed_is_known_without_git() {
    let (_folder, top) = repository();
    let is = |whole, held| committed(&top, whole, held).is_some();
    assert!(is(false, false) && is(true, false));
    assert!(!is(false, true), "no other name holds it");
    git(&top, &["branch", "backup"]);
    assert!(is(true, true));
    fs::write(top.join("new.txt"), "x").unwrap();
    assert!(is(false, true) && !is(true, true), "not tracked");
    fs::remove_file(top.join("new.txt")).unwrap();
    fs::create_dir_all(top.join("src/node_modules/x")).unwrap();
    fs::write(top.join("src/node_modules/x/i.js"), "x").unwrap();
    assert!(is(true, true), "a build brings it back");
    fs::write(top.join("b.md"), "changed\n").unwrap();
    assert!(!is(false, false), "changed");
    git(&top, &["add", "b.md"]);
    assert!(!is(false, false), "in the index only");
    git(&top, &["commit", "-qm", "two"]);
    assert!(is(true, false) && !is(true, true), "the backup is one behind");
    git(&top, &["repack", "-adq"]);
    git(&top, &["prune-packed"]);
    git(&top, &["pack-refs", "--all"]);
    assert!(is(true, false), "in a pack");
    git(&top, &["update-index", "--index-version", "4"]);
    assert!(is(true, false), "version 4");
    git(&top, &["checkout", "-q", "--detach"]);
    assert!(is(true, true), "the branch holds it");
    git(&top, &["commit", "-q", "--allow-empty", "-m", "three"]);
    assert!(is(false, false) && !is(true, false), "nothing names it");
    fs::remove_file(top.join("b.md")).unwrap();
    assert!(!is(false, false), "gone");
}

#[test]
fn another_work_tree_points_back() {
    let (folder, top) = repository();
    let tree = fs::canonicalize(folder.path()).unwrap().join("tree");
    git(&top, &["worktree", "add", "-q", tree.to_str().unwrap(), "-b", "topic"]);
    let lies = |path: &Path| in_work_trees(&top.join("src"), &[path.to_str().unwrap().to_owned()]).is_some();
    assert!(lies(&tree.join("src/a.rs")) && lies(&tree.join("new/deep/file")));
    assert!(!lies(&top.join("b.md")), "the main one");
    assert!(!lies(&folder.path().join("file")));
    std::os::unix::fs::symlink("/etc/hosts", tree.join("hosts")).unwrap();
    std::os::unix::fs::symlink("/etc", tree.join("etc")).unwrap();
    assert!(!lies(&tree.join("hosts")) && !lies(&tree.join("etc/x")));
    // A file that says so is not enough.
    let fake = folder.path().join("fake");
    fs::create_dir(&fake).unwrap();
    fs::copy(tree.join(".git"), fake.join(".git")).unwrap();
    assert!(!lies(&fake.join("x")));
    assert!(committed(&tree, true, false).is_none(), "the links are not tracked");
    fs::remove_file(tree.join("hosts")).unwrap();
    fs::remove_file(tree.join("etc")).unwrap();
    assert!(committed(&tree, true, false).is_some());
    // Seen from the other.
    assert!(in_work_trees(&tree, &[tree.join("x").to_str().unwrap().to_owned()]).is_some());
}

#[test]
fn the_beginning_of_what_zlib_wrote_is_read() {
    // Made with Python: zlib.compress of "tree tree tree tree", at levels 9 and 0.
    let fixed = [120, 218, 43, 41, 74, 77, 85, 40, 65, 33, 0, 71, 199, 7, 33];
    let plain = [
        120, 1, 1, 19, 0, 236, 255, 116, 114, 101, 101, 32, 116, 114, 101, 101, 32, 116, 114, 101, 101, 32, 116, 114,
        101, 101, 71, 199, 7, 33,
    ];
    for bytes in [&fixed[..], &plain] {
        assert_eq!(beginning(bytes, 100).as_deref(), Some(&b"tree tree tree tree"[..]));
        assert_eq!(beginning(bytes, 6).as_deref(), Some(&b"tree t"[..]));
    }
    for end in 0..fixed.len() - 5 {
        assert_eq!(beginning(&fixed[..end], 100), None, "{end}");
    }
    assert_eq!(beginning(b"no zlib at all", 5), None);
}
