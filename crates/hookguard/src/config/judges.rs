//! Files of judges that the configuration names: read when it is compiled, and looked at again at each stop.

use std::path::{Path, PathBuf};

use hookguard_config::{JudgeFile, Judges, Layer, Notice, Origin, Policy, may_name};
use hookguard_judge::judge::distinct;

use super::sources::content;
use super::{Read, cache, compiled, in_use, read, sources, state, state_by_name};
use crate::cli::output::visible;
use crate::surroundings::Surroundings;

/// The files that can be used, and what is wrong with the others: where each is named, and why it does not count.
pub(crate) fn files(read: &Read) -> (Vec<JudgeFile>, Vec<(&Origin, String)>) {
    let (mut files, mut faults) = (Vec::<JudgeFile>::new(), Vec::new());
    for (name, origin) in &read.stack.judging.files {
        let found = file(read, origin.layer, name);
        if found.as_ref().is_ok_and(|file| files.iter().any(|other| other.path == file.path)) {
            continue;
        }
        let ids = |file: &JudgeFile| distinct(files.iter().map(|file| file.id.as_str()).chain([file.id.as_str()]));
        match found.and_then(|file| ids(&file).map(|()| file).map_err(|fault| fault.to_string())) {
            Ok(file) => files.push(file),
            Err(why) => faults.push((origin, format!("the judge {name} does not count: {why}"))),
        }
    }
    (files, faults)
}

/// The judge's file `name`, as the configuration file of `layer` names it.
fn file(read: &Read, layer: Layer, name: &str) -> Result<JudgeFile, String> {
    let from = read.path(layer);
    let path = path(from, name);
    if !may_name(layer, name) || layer.is_projects() && leads_out(from, &path) {
        return Err("a project's judges lie in the project: name it from there".to_owned());
    }
    let bytes = content(&path)?.ok_or("it is not there")?;
    let text = String::from_utf8(bytes).map_err(|_| "it is no UTF-8".to_owned())?;
    let id = hookguard_judge::judge::parse(&text).map_err(|fault| fault.to_string())?.id;
    let words_only = layer.is_projects() && !read.stack.trusted.contains(&layer);
    Ok(JudgeFile { path: path.to_string_lossy().into_owned(), text, id, words_only })
}

/// Whether a link leads from the folder of the file at `from` to elsewhere: what is said of a file must not tell what stands
/// in another.
fn leads_out(from: &Path, path: &Path) -> bool {
    let (Some(folder), Ok(target)) = (from.parent().and_then(|folder| folder.canonicalize().ok()), path.canonicalize())
    else {
        return false;
    };
    !target.starts_with(folder)
}

/// Where a judge's file lies: from the folder of the file that names it.
fn path(from: &Path, name: &str) -> PathBuf {
    from.parent().unwrap_or(Path::new("/")).join(name)
}

/// What people should know of the files that can't be used.
pub(super) fn notices(read: &Read) -> impl Iterator<Item = Notice> {
    files(read).1.into_iter().map(|(origin, what)| {
        let place = read.stack.place(origin);
        let text = format!("{}:{place}: {what}", read.path(origin.layer).display());
        let text = visible(&text).into_owned();
        Notice { key: text.clone(), text }
    })
}

/// What a configuration that was just read says of judges.
pub(crate) fn of(read: &Read) -> Judges {
    Judges::of(&read.stack.judging, files(read).0)
}

/// What is said of judges at a stop: as it was compiled, or compiled anew where one of the files has changed since.
pub(crate) fn at_stop(surroundings: &Surroundings, root: Option<&str>, policy: &Policy) -> Judges {
    let judges = policy.judges();
    let same = |file: &JudgeFile| {
        content(Path::new(&file.path)).ok().flatten().is_some_and(|bytes| bytes == file.text.as_bytes())
    };
    if judges.files.iter().all(same) {
        return judges;
    }
    let compiled = compiled(&read(surroundings, root));
    if let (Some(sources), Some(state)) =
        (sources::of(surroundings, root, state_by_name(surroundings, root)), state(surroundings, root))
    {
        cache::store(&cache::file(state, root), &sources, &compiled);
    }
    in_use(compiled).judges()
}
