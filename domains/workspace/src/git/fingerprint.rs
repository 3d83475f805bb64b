//! The fingerprint: HEAD, index and status of a repository at one moment.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::repository::{Repository, Seen};
use super::run::start;
use crate::failure::{Answer, Failure};
use crate::hash::Blob;
use crate::store::Scratch;

/// State of HEAD, index and work tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint {
    /// The commit of HEAD; empty if there is none yet.
    #[schemars(regex(pattern = "^([0-9a-f]{40}|[0-9a-f]{64})?$"))]
    pub head_oid: String,
    /// The tree of the index; empty while a merge is unresolved.
    #[schemars(regex(pattern = "^([0-9a-f]{40}|[0-9a-f]{64})?$"))]
    pub index_oid: String,
    /// SHA-256 of what `git status --porcelain=v1 -z` prints.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub status_hash: String,
}

/// Takes a fingerprint, three times at most while HEAD or index move.
pub fn fingerprint(repository: &Repository, scratch: &Scratch) -> Answer<Fingerprint> {
    for _ in 0..3 {
        let before = Moment::of(repository);
        let taken = take(repository, scratch);
        if Moment::of(repository) == before {
            return taken;
        }
    }
    let message = "HEAD or the index keeps moving; ask again when the other git command has ended";
    Err(Failure::changed(message))
}

fn take(repository: &Repository, scratch: &Scratch) -> Answer<Fingerprint> {
    let mut head = repository.git();
    head.args(["rev-parse", "--verify", "-q", "HEAD"]);
    let mut status = repository.git();
    status.args(["status", "--porcelain=v1", "-z"]);
    let status = start(status, None)?;
    let head = start(head, None)?;
    let index_oid = write_tree(repository, scratch)?;
    let head = head.end()?;
    let head_oid = match head.success {
        true => String::from_utf8_lossy(&head.out).trim().to_owned(),
        false => String::new(),
    };
    let status_hash = Blob::of(&status.output()?).hex();
    Ok(Fingerprint {
        head_oid,
        index_oid,
        status_hash,
    })
}

/// The tree of the index, made on a copy of it and into a directory of ours.
fn write_tree(repository: &Repository, scratch: &Scratch) -> Answer<String> {
    let folder = scratch.folder("index")?;
    let copy = folder.path().join("index");
    match fs::copy(&repository.index, &copy) {
        Ok(_) => {}
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => {}
        Err(problem) => {
            return Err(Failure::internal(format!(
                "the index cannot be copied: {problem}"
            )));
        }
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
    let ended = start(command, None)?.end()?;
    if ended.success {
        return Ok(String::from_utf8_lossy(&ended.out).trim().to_owned());
    }
    let mut command = repository.git();
    command
        .env("GIT_INDEX_FILE", &copy)
        .args(["ls-files", "-u", "-z"]);
    let unmerged = start(command, None)?.end()?;
    if unmerged.success && !unmerged.out.is_empty() {
        return Ok(String::new());
    }
    let reason = ended.err.lines().next().unwrap_or_default();
    Err(Failure::internal(format!(
        "git write-tree failed: {reason}"
    )))
}

/// A path in a list that colons separate.
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

/// HEAD and index, as far as files show that they moved.
#[derive(PartialEq, Eq)]
struct Moment {
    head: Vec<u8>,
    branch: Vec<u8>,
    files: Vec<Option<Seen>>,
}

impl Moment {
    fn of(repository: &Repository) -> Self {
        let head = fs::read(repository.git_dir.join("HEAD")).unwrap_or_default();
        let reference = String::from_utf8_lossy(&head);
        let reference = reference
            .trim()
            .strip_prefix("ref: ")
            .unwrap_or_default()
            .trim()
            .to_owned();
        let branch = repository.common_dir.join(&reference);
        let branch = if reference.is_empty() {
            Vec::new()
        } else {
            fs::read(branch).unwrap_or_default()
        };
        let files = [
            repository.index.clone(),
            repository.common_dir.join("packed-refs"),
            repository.common_dir.join("reftable/tables.list"),
        ];
        Self {
            head,
            branch,
            files: files.iter().map(|file| Seen::of(file)).collect(),
        }
    }
}
