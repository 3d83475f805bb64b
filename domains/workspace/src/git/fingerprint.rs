//! The fingerprint: HEAD, index and status of a repository at one moment.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use fcp::confined::is_temporary;
use fcp::confined::program_files::Folder;
use fcp::threads::lock;

use super::index::is_whole;
use super::repository::{Repository, Seen};
use super::run::{Running, start};
use crate::identity::{Blob, Fingerprint};
use crate::reply::{Answer, Failure};

/// The number of indexes whose trees are remembered.
const MOST_TREES: usize = 16;

/// A fingerprint, and the names of files at that moment.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The names.
    pub listing: Listing,
}

/// The names of a work tree's files, as far as they are known without asking git.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The names in the index, each with a NUL at its end; `None` if the index moved.
    pub tracked: Option<Arc<[u8]>>,
    /// Untracked files that are not ignored, and folders in which git looks for more, which end in
    /// `/`.
    pub untracked: Vec<OsString>,
    /// A time before git looked at any file.
    pub since: Instant,
}

/// Takes a fingerprint, at most three times while HEAD or the index moves.
pub fn fingerprint(repository: &Repository) -> Answer<Taken> {
    for _ in 0..3 {
        let before = Moment::of(repository);
        let taken = take(repository, &before);
        if Moment::of(repository) == before {
            return taken;
        }
    }
    let message = "HEAD or the index keeps moving; ask again when the other git command has ended";
    Err(Failure::changed(message))
}

/// Takes a fingerprint once. Git is asked for HEAD only if its files do not show the commit.
fn take(repository: &Repository, moment: &Moment) -> Answer<Taken> {
    let since = Instant::now();
    let commit = moment.commit();
    let status = repository.run(["status", "--porcelain=v1", "-z"])?;
    let head = match commit {
        Some(_) => None,
        None => Some(repository.run(["rev-parse", "--verify", "-q", "HEAD"])?),
    };
    let index_oid = tree_of_index(repository)?;
    let head_oid = match head.map(Running::end).transpose()? {
        Some(head) if head.status.success() => String::from_utf8_lossy(&head.out).trim().to_owned(),
        _ => commit.unwrap_or_default(),
    };
    let status = lasting(status.output()?);
    let fingerprint = Fingerprint {
        head_oid,
        index_oid,
        status_hash: Blob::of(&status).hex(),
    };
    let listing = Listing {
        tracked: repository.tracked(moment.index),
        untracked: untracked(&status, &repository.root),
        since,
    };
    Ok(Taken {
        fingerprint,
        listing,
    })
}

/// The paths after `?? ` in the output of `git status --porcelain=v1 -z`, and the folders in place of
/// tracked files, whose files it does not show.
fn untracked(status: &[u8], root: &Path) -> Vec<OsString> {
    let mut entries = status.split(|byte| *byte == 0);
    let mut found = Vec::new();
    while let Some(entry) = entries.next() {
        let [x, y, b' ', path @ ..] = entry else {
            continue;
        };
        let path = || OsString::from_vec(path.to_vec());
        if [x, y].iter().any(|letter| matches!(letter, b'R' | b'C')) {
            // The path that it was renamed or copied from is next.
            entries.next();
        }
        let is_folder = || fs::symlink_metadata(root.join(path())).is_ok_and(|is| is.is_dir());
        if *x == b'?' {
            found.push(path());
        } else if *y == b'D' && is_folder() {
            let mut folder = path();
            folder.push("/");
            found.push(folder);
        }
    }
    found
}

/// Whether an untracked path is a temporary file of a server, or in one.
pub fn is_passing(path: &[u8]) -> bool {
    let mut names = path.split(|byte| *byte == b'/');
    names.any(|name| str::from_utf8(name).is_ok_and(is_temporary))
}

/// A status without the temporary files that servers write next to their targets.
fn lasting(status: Vec<u8>) -> Vec<u8> {
    if memchr::memmem::find(&status, b"/.fcp-").is_none()
        && memchr::memmem::find(&status, b" .fcp-").is_none()
    {
        return status;
    }
    let mut entries = status.split_inclusive(|byte| *byte == 0);
    let mut kept = Vec::with_capacity(status.len());
    while let Some(entry) = entries.next() {
        match entry {
            [b'?', b'?', b' ', path @ ..]
                if is_passing(path.strip_suffix(b"\0").unwrap_or(path)) => {}
            [b'R' | b'C', _, ..] | [_, b'R' | b'C', ..] => {
                kept.extend_from_slice(entry);
                // The path that it was renamed or copied from, which may begin with any letters.
                kept.extend_from_slice(entries.next().unwrap_or_default());
            }
            entry => kept.extend_from_slice(entry),
        }
    }
    kept
}

/// The tree of the index. It depends only on the index's bytes, so it is made once for each index.
fn tree_of_index(repository: &Repository) -> Answer<String> {
    let index = match fs::read(&repository.index) {
        Ok(index) => Some(index),
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => None,
        Err(problem) => {
            return Err(Failure::internal(format!(
                "the index cannot be read: {problem}"
            )));
        }
    };
    let hash = index.as_deref().map(Blob::of);
    let mut known = lock(&repository.trees);
    if let Some((_, tree)) = known.iter().find(|(own, _)| *own == hash) {
        return Ok(tree.clone());
    }
    if index.as_deref().is_some_and(|index| !is_whole(index)) {
        return Err(Failure::internal(format!(
            "the index {} is damaged: it was cut off; `git reset` makes a new one",
            repository.index.display()
        )));
    }
    let tree = write_tree(repository, index.as_deref())?;
    known.truncate(MOST_TREES - 1);
    known.insert(0, (hash, tree.clone()));
    Ok(tree)
}

/// The tree of an index, made from a copy of it and in a directory of ours.
fn write_tree(repository: &Repository, index: Option<&[u8]>) -> Answer<String> {
    let folder = temporary(&repository.environment.tmp, "index")?;
    let copy = folder.path().join("index");
    if let Some(index) = index {
        fs::write(&copy, index).map_err(|problem| {
            Failure::internal(format!("the index cannot be copied: {problem}"))
        })?;
    }
    let mut command = repository.git();
    command
        .env("GIT_INDEX_FILE", &copy)
        .env("GIT_OBJECT_DIRECTORY", folder.path())
        .env(
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            quoted(&repository.objects),
        )
        .arg("write-tree");
    let ended = start(command, Vec::new())?.end()?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.out).trim().to_owned());
    }
    let mut command = repository.git();
    command
        .env("GIT_INDEX_FILE", &copy)
        .args(["ls-files", "-u", "-z"]);
    let unmerged = start(command, Vec::new())?.end()?;
    if unmerged.status.success() && !unmerged.out.is_empty() {
        return Ok(String::new());
    }
    let reason = ended.complaints.trim().lines().next().unwrap_or_default();
    Err(Failure::internal(format!(
        "git write-tree failed: {reason}"
    )))
}

/// A new directory for temporary files.
pub fn temporary(within: &Path, purpose: &str) -> Answer<Folder> {
    Folder::within(within, purpose).map_err(|problem| {
        Failure::internal(format!(
            "making a temporary directory in the state directory failed: {problem}"
        ))
    })
}

/// A path in a colon-separated list.
fn quoted(path: &Path) -> OsString {
    let bytes = path.as_os_str().as_bytes();
    if !bytes.contains(&b':') && !bytes.starts_with(b"\"") {
        return path.as_os_str().to_owned();
    }
    let mut out = vec![b'"'];
    for byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.push(b'"');
    OsString::from_vec(out)
}

/// HEAD and index, in as far as files show that they moved.
#[derive(PartialEq, Eq)]
struct Moment {
    head: Vec<u8>,
    branch: Vec<u8>,
    index: Option<Seen>,
    refs: [Option<Seen>; 2],
}

impl Moment {
    /// The commit of HEAD, if it is detached or its branch has a file. Only git reads packed refs.
    fn commit(&self) -> Option<String> {
        let oid = |bytes: &[u8]| {
            let text = str::from_utf8(bytes).ok()?.trim_ascii_end();
            let is_oid = matches!(text.len(), 40 | 64)
                && text
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            is_oid.then(|| text.to_owned())
        };
        match self.head.starts_with(b"ref: refs/heads/") {
            true => oid(&self.branch),
            false => oid(&self.head),
        }
    }

    fn of(repository: &Repository) -> Self {
        let head = fs::read(repository.git_dir.join("HEAD")).unwrap_or_default();
        let reference = String::from_utf8_lossy(&head);
        let reference = reference.trim().strip_prefix("ref: ").unwrap_or_default();
        // Without a reference that is a directory, which has no content.
        let branch = fs::read(repository.common_dir.join(reference)).unwrap_or_default();
        let refs = ["packed-refs", "reftable/tables.list"];
        Self {
            head,
            branch,
            index: Seen::of(&repository.index),
            refs: refs.map(|file| Seen::of(&repository.common_dir.join(file))),
        }
    }
}
