//! Buckets: which way a copy goes, and how much a deletion takes.

use crate::call::Call;
use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

/// Whether an operand names something in the cloud and not a file here.
fn is_remote(call: &Call<'_>, at: usize) -> bool {
    let Some(word) = call.operands.get(at) else { return false };
    let text = Text::from(*word);
    let start = text.prefix();
    if start.contains("://") {
        return true;
    }
    match call.program {
        // `remote:path`
        "rclone" => start.split('/').next().is_some_and(|first| first.contains(':')),
        "mc" => !start.starts_with(['.', '/', '~']) && start.contains('/'),
        _ => false,
    }
}

/// A copy to the cloud: the last operand is there.
pub(crate) fn uploads(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let last = call.operands.len().checked_sub(1)?;
    hit(is_remote(call, last)
        || Text::from(call.operands[last]).has_unknown() && !is_remote(call, last.saturating_sub(1)))
}

/// The verb, after `storage` where there is one.
fn verb<'r>(call: &Call<'r>) -> Option<&'r str> {
    match call.program {
        "gcloud" if call.operand(0) == Some("storage") => call.operand(1),
        "gcloud" => None,
        "b2" | "s5cmd" | "azcopy" | "rclone" | "mc" | "s3cmd" | "gsutil" => call.operand(0),
        _ => None,
    }
}

/// Everything in a bucket, or below a prefix.
pub(crate) fn empties_bucket(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let whole = call.has_any(&["-r", "-R", "--recursive", "--force", "--all-versions", "-a", "--dangerous"]);
    let dry = call.has_any(&["--dry-run", "-n"]);
    hit(!dry
        && match verb(call)? {
            "rb" | "purge" | "delete-bucket" | "bucket" => true,
            "rm" | "del" | "remove" => {
                whole || call.operands.iter().any(|word| word.has_glob() || word.prefix().contains('*'))
            }
            "delete" => call.program == "rclone" || whole,
            "mirror" | "rsync" => false,
            _ => false,
        })
}

/// A write, or a deletion of one object.
pub(crate) fn writes_bucket(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    hit(match verb(call)? {
        "rm" | "del" | "remove" | "delete" | "deletefile" | "rmdir" | "mb" | "setacl" | "acl" | "iam" | "lifecycle"
        | "put" | "upload-file" => true,
        "cp" | "mv" | "rsync" | "copy" | "sync" | "copyto" | "moveto" | "move" | "mirror" => {
            uploads(scene, at).is_some()
        }
        _ => false,
    })
}
