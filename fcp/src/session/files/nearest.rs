//! Files with names similar to a missing one.

use std::path::{Component, Path, PathBuf};

use super::{FileError, Root};
use crate::value::{nearest, nearest_word};

/// The most entries of a folder that are scanned.
const SCANNED: usize = 10_000;
/// The most names returned.
const ANSWERED: usize = 3;

impl Root {
    /// Paths of existing files, best first, with the caller's spelling up to the missing part.
    pub(super) fn nearest(&self, path: &str) -> Vec<String> {
        let parts: Vec<_> = Path::new(path).components().collect();
        let mut known = PathBuf::new();
        for (at, part) in parts.iter().enumerate() {
            let Component::Normal(name) = part else {
                known.push(part);
                continue;
            };
            let next = known.join(name);
            if next.to_str().is_some_and(|next| self.is_there(next)) {
                known = next;
                continue;
            }
            let rest: PathBuf = parts.iter().skip(at + 1).collect();
            let wanted = name.to_string_lossy();
            return self.like(&known, &wanted, &rest);
        }
        Vec::new()
    }

    /// A folder next to the missing one at this path, with a similar name.
    pub(super) fn nearest_folder(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let wanted = path.file_name()?.to_string_lossy();
        let parent = path.parent().unwrap_or(Path::new(""));
        let entries = self.folder(parent.to_str()?)?.entries().ok()?;
        let folders = entries.take(SCANNED).flatten();
        let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names: Vec<String> = folders
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        let near = nearest_word(&wanted, names.iter().map(String::as_str))?;
        Some(parent.join(near).to_str()?.to_owned())
    }

    /// Returns whether something exists at this path. Parts above the root count as existing: the
    /// whole path led inside.
    fn is_there(&self, path: &str) -> bool {
        match self.resolve(path) {
            Ok(target) => target.dir.symlink_metadata(&target.name).is_ok(),
            Err(error) => matches!(
                error,
                FileError::LeavesRoot { .. } | FileError::IsFolder { .. }
            ),
        }
    }

    fn like(&self, folder: &Path, wanted: &str, rest: &Path) -> Vec<String> {
        let Some(dir) = folder.to_str().and_then(|folder| self.folder(folder)) else {
            return Vec::new();
        };
        let Ok(entries) = dir.entries() else {
            return Vec::new();
        };
        let names: Vec<String> = entries
            .take(SCANNED)
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.contains(super::save::MARK))
            .collect();
        nearest(wanted, names.iter().map(String::as_str), names.len())
            .into_iter()
            .filter_map(|name| {
                folder
                    .join(name)
                    .join(rest)
                    .to_str()
                    .map(|path| path.trim_end_matches('/').to_owned())
            })
            .filter(|path| {
                self.resolve(path)
                    .is_ok_and(|target| target.metadata(path).is_ok_and(|meta| meta.is_some()))
            })
            .take(ANSWERED)
            .collect()
    }
}
