//! The files of a folder, in an order independent of the machine.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The maximum number of files of a kind.
pub const FILES: usize = 10_000;

/// The maximum size of a file, in bytes.
pub const FILE_BYTES: u64 = 8 << 20;

/// The maximum depth of nested folders.
const DEPTH: usize = 64;

/// A folder that files are read from.
pub(crate) struct Folder {
    /// Its path as configured, for listings.
    pub named: PathBuf,
    /// Its actual path.
    pub place: PathBuf,
}

/// A file found below a folder.
pub(crate) struct Found {
    /// Its path relative to the folder, with `/` as separator.
    pub rest: String,
    /// Its actual path.
    pub path: PathBuf,
}

/// The regular `.json` files of a folder, sorted by path; with `deep`, those of subfolders too.
///
/// Links are followed if their target is inside the folder.
pub(crate) fn below(root: &Folder, deep: bool, warnings: &mut Vec<String>) -> Vec<Found> {
    let Ok(inside) = root.place.canonicalize() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut folders = vec![(String::new(), inside.clone(), 0)];
    let mut seen = Vec::new();
    while let Some((above, folder, depth)) = folders.pop() {
        // A link to a parent folder would lead to a cycle.
        if seen.contains(&folder) {
            continue;
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                warnings.push(format!("{} cannot be read: {error}", folder.display()));
                continue;
            }
        };
        seen.push(folder);
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                warnings.push(format!(
                    "{} has a name that is not UTF-8",
                    entry.path().display()
                ));
                continue;
            };
            let rest = format!("{above}{name}");
            let Ok(path) = entry.path().canonicalize() else {
                continue;
            };
            if !path.starts_with(&inside) {
                warnings.push(format!("{rest} leads outside"));
            } else if path.is_dir() && deep && depth < DEPTH {
                folders.push((format!("{rest}/"), path, depth + 1));
            } else if path.is_file() && name.ends_with(".json") {
                found.push(Found { rest, path });
            }
        }
    }
    found.sort_by(|one, other| one.rest.cmp(&other.rest));
    if found.len() > FILES {
        warnings.push(format!(
            "only the first {FILES} files of {} are served",
            root.named.display()
        ));
        found.truncate(FILES);
    }
    found
}

/// The text of a file, or why there is none: it is too large, unreadable or not UTF-8.
pub(crate) fn text(found: &Found) -> Result<String, String> {
    let file = fs::File::open(&found.path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(format!("is larger than {} MiB", FILE_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())
}

/// A path in listings: the folder as configured, and the relative path.
pub(crate) fn shown(root: &Path, rest: &str) -> String {
    let root = root.to_string_lossy().replace('\\', "/");
    format!("{}/{rest}", root.trim_end_matches('/'))
}
