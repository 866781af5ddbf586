//! Disks: whether what is formatted or changed is a device or an image file.

use crate::call::Call;
use crate::effects::folder;
use crate::paths::class::{ARTEFACT, DEVICE, PROJECT, SYSTEM, TEMP, UNKNOWN};
use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// The classes of the operands that can be a disk or an image.
fn targets(scene: &Scene<'_>, at: usize) -> u32 {
    let call: &Call<'_> = &scene.calls[at];
    let named = |word: &&hookguard_shell::Word| {
        let text = Text::from(*word);
        text.prefix().contains('/')
            || text.has_unknown()
            || text.prefix().ends_with(".img")
            || text.prefix().ends_with(".raw")
    };
    call.operands.iter().filter(|word| named(word)).fold(0, |all, word| {
        all | scene.world.classes(&Text::from(*word).marked(scene.reading), folder(&call.command.cwd))
    })
}

/// A device, or something that may be one.
pub(crate) fn on_device(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    if scene.calls[at].program == "hdparm" && !scene.calls[at].has("--security-*") {
        return None;
    }
    hit(targets(scene, at) & (DEVICE | SYSTEM | UNKNOWN) != 0)
}

/// An image file of the project.
pub(crate) fn on_image(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let targets = targets(scene, at);
    hit(targets & PROJECT != 0 && targets & (TEMP | ARTEFACT | DEVICE | UNKNOWN) == 0)
}

/// A change of a device's partitions.
pub(crate) fn partitions(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let only_looks =
        call.operands.iter().any(|word| matches!(word.as_literal(), Some("print" | "unit" | "align-check")));
    hit(!only_looks && targets(scene, at) & (DEVICE | UNKNOWN) != 0)
}

/// Verbs after which a volume is gone, by program.
const LOST: &[(&str, &[&str])] = &[
    ("zpool", &["destroy", "labelclear", "remove", "offline"]),
    ("zfs", &["destroy", "rollback"]),
    ("btrfs", &["subvolume delete", "device remove", "device delete"]),
    ("cryptsetup", &["luksFormat", "luksErase", "erase", "luksKillSlot", "luksRemoveKey", "reencrypt", "format"]),
    ("dmsetup", &["remove", "remove_all", "wipe_table"]),
    (
        "diskutil",
        &[
            "erase*",
            "partitionDisk",
            "zeroDisk",
            "secureErase",
            "randomDisk",
            "apfs delete*",
            "apfs eraseVolume",
            "reformat",
            "cs delete*",
            "splitPartition",
            "mergePartitions",
            "appleRAID delete",
        ],
    ),
    ("tmutil", &["delete", "deletelocalsnapshots", "disable"]),
    ("nvme", &["format", "sanitize", "delete-ns"]),
    ("ceph", &["osd purge", "osd destroy", "osd pool delete", "fs rm"]),
];

/// A volume, pool or file system that is destroyed.
pub(crate) fn volume_lost(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if let Some((_, verbs)) = LOST.iter().find(|(program, _)| *program == call.program) {
        return hit(verbs.iter().any(|verb| call.sub(verb).is_some()) && !call.has("-n"));
    }
    hit(match call.program {
        "lvremove" | "vgremove" | "pvremove" | "lvreduce" | "vgreduce" | "pvcreate" | "zerofree" => {
            !call.has_any(&["-t", "--test", "--help"])
        }
        "mdadm" => call.has_any(&["--zero-superblock", "--create", "-C", "--remove", "--stop"]),
        "diskpart" => true,
        "format" => call.operand(0).is_some_and(|drive| drive.ends_with(':')),
        _ => false,
    })
}
