//! Files of a snapshot that differ from a base.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::identity::Blob;

/// The change of a file.
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
    pub path: String,
    /// Its change.
    pub status: FileStatus,
    /// Its path in the base, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its content in the snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Its content in the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_blob: Option<String>,
}

/// Numbers of different files.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ChangeStats {
    /// Added ones.
    pub added: u64,
    /// Modified ones.
    pub modified: u64,
    /// Deleted ones.
    pub deleted: u64,
    /// Renamed ones.
    pub renamed: u64,
}

/// Files that differ from a base.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Changes {
    /// The base: a commit or a snapshot; empty if there was no commit.
    pub base: String,
    /// The files, by path.
    pub files: Vec<ChangedFile>,
    /// Their number.
    pub stats: ChangeStats,
}

/// Pairs deleted and added files with equal content as renamed, in the order of their paths.
pub fn pair(files: &mut BTreeMap<String, ChangedFile>) {
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
