//! `snapshot.changes`

use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::threads::lock;

use crate::git::{objects, tree};
use crate::identity::Blob;
use crate::reading::changes::{ChangeStats, ChangedFile, Changes, FileStatus, pair};
use crate::reading::diff::batch;
use crate::reply::{Failure, Immutable};
use crate::session::Workspace;

/// The most git objects whose hashes are kept.
const MOST_OBJECTS: usize = 100_000;

/// List the files of a snapshot that differ from its HEAD commit, or from another snapshot.
///
/// Against HEAD no file is deleted, as a snapshot may be of a part. A rename is one of identical bytes.
///
/// ```json
/// {"snapshot_id": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(
    name = "snapshot.changes",
    alias = "snapshot_changes",
    read_only,
    idempotent
)]
pub fn snapshot_changes(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// The snapshot.
    snapshot_id: String,
    /// Another snapshot to compare with; the HEAD commit of the snapshot if left out.
    base_snapshot_id: Option<String>,
    /// Pair deleted and added files of identical bytes.
    #[fcp(default = false)]
    renames: bool,
) -> Result<Immutable<Changes>, Failure> {
    let at = workspace.served(repo_root.as_deref())?;
    let (snapshot, _) = workspace.snapshot(&snapshot_id, at)?;
    let mut base_files: BTreeMap<String, Blob> = BTreeMap::new();
    let partial = base_snapshot_id.is_none();
    let base = match base_snapshot_id {
        Some(id) => {
            let (base, _) = workspace.snapshot(&id, at)?;
            base_files.extend(
                base.entries
                    .iter()
                    .map(|entry| (entry.path.to_string(), entry.blob)),
            );
            id
        }
        None => {
            let head = &snapshot.fingerprint.head_oid;
            let (repository, _) = workspace.open_root(at)?;
            let mut files = tree(&repository, head, "")?;
            files.retain(|path, _| snapshot.find(path).is_some());
            let limit = workspace.limits.file;
            // An object never changes, so each is read once.
            let mut known = lock(&workspace.objects);
            files.retain(|path, file| {
                let blob = known.get(&file.oid).copied();
                base_files.extend(blob.map(|blob| (path.clone(), blob)));
                blob.is_none()
            });
            let files: Vec<_> = files.into_iter().collect();
            let mut rest = files.as_slice();
            while !rest.is_empty() {
                let (files, more) = batch(rest, |(_, file)| Ok(file.size))?;
                rest = more;
                for (_, file) in files {
                    limit.check(&file.oid, file.size)?;
                }
                let oids: Vec<&str> = files.iter().map(|(_, file)| file.oid.as_str()).collect();
                let contents = objects(&repository, &oids, limit)?;
                for ((path, file), content) in files.iter().zip(&contents) {
                    let blob = Blob::of(content);
                    base_files.insert(path.clone(), blob);
                    if known.len() >= MOST_OBJECTS {
                        known.clear();
                    }
                    known.insert(file.oid.clone(), blob);
                }
            }
            head.clone()
        }
    };
    let mut files: BTreeMap<String, ChangedFile> = BTreeMap::new();
    let mut add = |path: &str, now: Option<Blob>, before: Option<Blob>| {
        let file = ChangedFile {
            path: path.to_owned(),
            status: match (now, before) {
                (None, _) => FileStatus::Deleted,
                (_, None) => FileStatus::Added,
                _ => FileStatus::Modified,
            },
            from: None,
            blob: now.map(|blob| blob.to_string()),
            base_blob: before.map(|blob| blob.to_string()),
        };
        files.insert(path.to_owned(), file);
    };
    for entry in &snapshot.entries {
        let before = base_files.remove(&*entry.path);
        if before != Some(entry.blob) {
            add(&entry.path, Some(entry.blob), before);
        }
    }
    if !partial {
        for (path, blob) in base_files {
            add(&path, None, Some(blob));
        }
    }
    if renames {
        pair(&mut files);
    }
    let mut stats = ChangeStats::default();
    for file in files.values() {
        *match file.status {
            FileStatus::Added => &mut stats.added,
            FileStatus::Modified => &mut stats.modified,
            FileStatus::Deleted => &mut stats.deleted,
            FileStatus::Renamed => &mut stats.renamed,
        } += 1;
    }
    Ok(Immutable::of(
        &snapshot.id,
        Changes {
            base,
            files: files.into_values().collect(),
            stats,
        },
    ))
}
