//! `snapshot.changes`

use std::collections::BTreeMap;

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Workspace;
use crate::failure::Failure;
use crate::git::{objects, tree};
use crate::hash::Blob;
use crate::reply::Immutable;

/// Objects that are read from git at a time.
const BATCH: usize = 256;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// The base lacks it.
    Added,
    /// Its content differs.
    Modified,
    /// Only the base has it.
    Deleted,
    /// It has another name, and the same content.
    Renamed,
}

/// A file that differs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangedFile {
    /// Its path.
    path: String,
    /// What became of it.
    status: FileStatus,
    /// Its path in the base, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// Its content in the snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    blob: Option<String>,
    /// Its content in the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_blob: Option<String>,
}

/// How many files differ.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ChangeStats {
    /// Added ones.
    added: u64,
    /// Modified ones.
    modified: u64,
    /// Deleted ones.
    deleted: u64,
    /// Renamed ones.
    renamed: u64,
}

/// Files that differ from a base.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Changes {
    /// The base: a commit or a snapshot; empty if there was no commit.
    base: String,
    /// The files, by path.
    files: Vec<ChangedFile>,
    /// How many there are.
    stats: ChangeStats,
}

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
    let path = &workspace.roots[at].path;
    let (snapshot, _) = workspace.store.snapshot(&snapshot_id, path)?;
    let mut base_files: BTreeMap<String, Blob> = BTreeMap::new();
    let partial = base_snapshot_id.is_none();
    let base = match base_snapshot_id {
        Some(id) => {
            let (base, _) = workspace.store.snapshot(&id, path)?;
            base_files.extend(
                base.entries
                    .iter()
                    .map(|entry| (entry.path.clone(), entry.blob)),
            );
            id
        }
        None => {
            let head = &snapshot.fingerprint.head_oid;
            let (repository, _) = workspace.open_root(at)?;
            let mut files = tree(&repository, head, "")?;
            files.retain(|path, _| snapshot.find(path).is_some());
            let files: Vec<(String, String)> = files
                .into_iter()
                .map(|(path, file)| (path, file.oid))
                .collect();
            for batch in files.chunks(BATCH) {
                let oids: Vec<&str> = batch.iter().map(|(_, oid)| oid.as_str()).collect();
                let contents = objects(&repository, &oids, workspace.limits.file)?;
                let paths = batch.iter().map(|(path, _)| path.clone());
                base_files.extend(paths.zip(contents.iter().map(|content| Blob::of(content))));
            }
            head.clone()
        }
    };
    let mut files: BTreeMap<String, ChangedFile> = BTreeMap::new();
    for entry in &snapshot.entries {
        let before = base_files.remove(&entry.path);
        if before == Some(entry.blob) {
            continue;
        }
        let status = if before.is_some() {
            FileStatus::Modified
        } else {
            FileStatus::Added
        };
        let (path, blob) = (entry.path.clone(), Some(entry.blob.to_string()));
        let base_blob = before.map(|blob| blob.to_string());
        files.insert(
            path.clone(),
            ChangedFile {
                path,
                status,
                from: None,
                blob,
                base_blob,
            },
        );
    }
    if !partial {
        for (path, blob) in base_files {
            let (status, base_blob) = (FileStatus::Deleted, Some(blob.to_string()));
            files.insert(
                path.clone(),
                ChangedFile {
                    path,
                    status,
                    from: None,
                    blob: None,
                    base_blob,
                },
            );
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

/// Pairs files of one content, in the order of their paths.
fn pair(files: &mut BTreeMap<String, ChangedFile>) {
    let empty = Blob::of(b"").to_string();
    let mut gone: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files
        .values()
        .rev()
        .filter(|file| file.status == FileStatus::Deleted)
    {
        if let Some(blob) = file.base_blob.clone().filter(|blob| *blob != empty) {
            gone.entry(blob).or_default().push(file.path.clone());
        }
    }
    let mut taken = Vec::new();
    for file in files
        .values_mut()
        .filter(|file| file.status == FileStatus::Added)
    {
        let from = file
            .blob
            .as_ref()
            .and_then(|blob| gone.get_mut(blob))
            .and_then(Vec::pop);
        if let Some(from) = from {
            file.status = FileStatus::Renamed;
            file.base_blob.clone_from(&file.blob);
            file.from = Some(from.clone());
            taken.push(from);
        }
    }
    for path in taken {
        files.remove(&path);
    }
}
