//! Metadata of snapshots, which does not affect their ids.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fcp::confined::program_files::replace;
use serde::{Deserialize, Serialize};

use super::{Store, exclusive, failed};
use crate::reply::{Answer, Failure, ManifestStats};

/// Metadata of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// Number of files.
    pub files: u64,
    /// Their total size, in bytes.
    pub total_bytes: u64,
    /// The executable files.
    pub executable: Vec<String>,
    /// The roots it was made from.
    pub roots: Vec<String>,
    /// A label given by people.
    pub label: Option<String>,
    /// Whether it is never removed.
    pub pinned: bool,
    /// Creation time, in seconds since 1970.
    pub created_at: u64,
    /// The snapshot from which an edit made it.
    pub derived_from: Option<String>,
    /// SHA-256 of the patch that made it.
    pub patch: Option<String>,
}

impl Meta {
    /// The numbers of its contents.
    pub const fn stats(&self) -> ManifestStats {
        ManifestStats {
            files: self.files,
            total_bytes: self.total_bytes,
        }
    }

    /// Whether a captured file is executable.
    pub fn is_executable(&self, path: &str) -> bool {
        self.executable
            .binary_search_by(|own| own.as_str().cmp(path))
            .is_ok()
    }

    /// Whether it was made from a root.
    pub fn is_of(&self, root: &Path) -> bool {
        self.roots.iter().any(|own| Path::new(own) == root)
    }
}

/// The current time, in seconds since 1970.
pub fn stamp() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

impl Store {
    /// The metadata of a snapshot, by the hex digits of its id.
    pub fn meta(&self, hex: &str) -> Answer<Option<Meta>> {
        match fs::read(self.dir.join("meta").join(hex)) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|problem| {
                Failure::internal(format!(
                    "the store is corrupt: metadata of {hex}: {problem}"
                ))
            }),
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(problem) => Err(failed("reading metadata")(problem)),
        }
    }

    /// Adds metadata. If the snapshot has some already, only a new root and a new label are added.
    pub(super) fn add_meta(&self, hex: &str, new: Meta) -> Answer<()> {
        self.change_meta(hex, |known| match known {
            None => Some(new),
            Some(mut known) => {
                let before = known.clone();
                for root in new.roots {
                    if !known.roots.contains(&root) {
                        known.roots.push(root);
                    }
                }
                known.label = new.label.or(known.label);
                (known != before).then_some(known)
            }
        })
    }

    /// Changes metadata; `None` leaves it unchanged.
    pub fn change_meta(
        &self,
        hex: &str,
        change: impl FnOnce(Option<Meta>) -> Option<Meta>,
    ) -> Answer<()> {
        let lock = exclusive(&self.dir.join("locks/meta"))?;
        if let Some(meta) = change(self.meta(hex)?) {
            let text = serde_json::to_vec(&meta)
                .map_err(|problem| Failure::internal(problem.to_string()))?;
            replace(&self.dir.join("meta").join(hex), &text, true)
                .map_err(failed("writing metadata"))?;
        }
        drop(lock);
        Ok(())
    }
}
