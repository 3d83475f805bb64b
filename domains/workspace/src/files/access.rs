//! Files of a work tree: [`fcp::confined`], with git's own files closed.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use fcp::confined::{self, Closed, RefusalKind};
pub use fcp::confined::{
    Commit, Dirs, Expect, Kind, Loaded, Place, Planned, Root, Stat, Walked, above, below,
    may_empty, now, walk,
};
use fcp::tool::Most;

use super::is_closed;
use crate::identity::Blob;
use crate::reply::{Answer, Code, Failure};

/// Opens a root, with git's directories closed.
pub fn open_root(path: &Path, git_dirs: &[PathBuf]) -> Answer<Root> {
    let (dirs, names) = (git_dirs, is_closed);
    Ok(Root::open(path, Closed { dirs, names })?)
}

/// Metadata of a place; `None` if there is nothing.
pub fn stat(root: &Root, path: &str) -> Answer<Option<Stat>> {
    root.stat(path).map_err(reading(path))
}

/// The error of a file that the system does not let us read.
pub fn reading(path: &str) -> impl Fn(io::Error) -> Failure {
    move |problem| Failure::disk(path, "reading", &problem)
}

/// Reads a regular file.
pub fn load(dirs: &mut Dirs<'_>, path: &str, limit: Most) -> Answer<Loaded> {
    confined::load(dirs, path, limit.most).map_err(|refusal| match refusal.kind {
        RefusalKind::TooLarge { actual, .. } => limit.over(path, actual).into(),
        _ => refusal.into(),
    })
}

/// Reads a file that was there when the call looked for it. `doing` is what is done with it.
pub fn load_found(dirs: &mut Dirs<'_>, path: &str, limit: Most, doing: &str) -> Answer<Loaded> {
    load(dirs, path, limit).map_err(|failure| match failure.code {
        Code::NotFound => {
            Failure::changed(format!("{path} went away while it was {doing}; ask again"))
        }
        _ => failure,
    })
}

/// Opens a regular file.
pub fn open(root: &Root, path: &str) -> Answer<File> {
    Ok(confined::open(root, path)?)
}

/// Starts to change files, while no other server changes this root: the journal is locked.
pub fn begin(root: &Root, journal: File) -> Answer<Commit<'_>> {
    Ok(Commit::begin(root, journal, digest)?)
}

/// Completes or reverses the writes of a killed server.
pub fn recover(root: &Root, journal: &mut File) -> Answer<()> {
    Ok(confined::recover(root, journal, digest)?)
}

fn digest(content: &[u8]) -> confined::Digest {
    Blob::of(content).0
}

/// Rejects changes that are in a git directory of any repository, also of one that git does not
/// know here, or that would make one: its configuration names programs, which git would start.
/// `planned` is whether a file will be at or below a path.
pub fn not_in_git_dir<'p>(
    root: &Root,
    paths: impl IntoIterator<Item = &'p str>,
    planned: impl Fn(&str) -> bool,
) -> Answer<()> {
    let is_there =
        |path: String| -> Answer<bool> { Ok(stat(root, &path)?.is_some() || planned(&path)) };
    let mut checked = HashSet::new();
    for dir in paths.into_iter().flat_map(above) {
        if !checked.insert(dir) {
            continue;
        }
        is_own(root, dir)?;
        // As git recognizes one. A file in place of the directory makes room for it.
        if is_there(format!("{dir}/HEAD"))?
            && is_there(format!("{dir}/objects"))?
            && is_there(format!("{dir}/refs"))?
        {
            return Err(Failure::denied(format!(
                "{dir} is a git directory, which is closed to changes"
            )));
        }
    }
    Ok(())
}

/// Rejects a place in another repository: no tool lists or captures its files, so no change could be taken back.
pub fn not_nested(root: &Root, path: &str) -> Answer<()> {
    above(path).try_for_each(|dir| is_own(root, dir))
}

/// Rejects the directory of another repository.
fn is_own(root: &Root, dir: &str) -> Answer<()> {
    match stat(root, &format!("{dir}/.git"))? {
        None => Ok(()),
        Some(_) => Err(Failure::denied(format!(
            "{dir} is a repository of its own, whose files are not read or changed from here; serve it with --root"
        ))),
    }
}

/// Whether a directory is or contains another repository.
pub fn is_nested(root: &Root, path: &str, files: &[Walked]) -> bool {
    let git = |file: &Walked| file.path.rsplit('/').next().is_some_and(is_closed);
    let own = root.closes_below(path)
        || root
            .stat(&format!("{path}/.git"))
            .is_ok_and(|stat| stat.is_some());
    own || files.iter().any(git)
}
