//! Files of other projects, if they are available.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints even if the test runner captures output, which it hides for passing tests.
pub fn say(text: &str) {
    // If standard error is closed, nobody reads it.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A folder of files that are not part of the project, if it exists: in the folder named by
/// `FCP_DATA`, or in a `shared/data` next to the project. If it does not exist, prints loudly that
/// the test checked nothing.
///
/// # Panics
/// There is such data, without this folder: the test would check nothing although it could.
#[must_use]
pub fn data(folder: &str) -> Option<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let above = package.iter().flat_map(|package| package.ancestors());
    let beside = above.map(|above| above.join("shared/data"));
    let named = std::env::var_os("FCP_DATA").map(PathBuf::from);
    let mut places = named.into_iter().chain(beside);
    let found = places.find(|place| place.is_dir());
    let found = found.map(|data| data.join(folder));
    if let Some(found) = found.as_ref().filter(|found| !found.is_dir()) {
        panic!("{} is missing", found.display());
    }
    if found.is_none() {
        say(&format!(
            "NOTHING WAS CHECKED: there is no shared/data/{folder} next to the project; FCP_DATA may name the folder above {folder}"
        ));
    }
    found
}

/// Every file below a folder with one of these extensions, in order. Unreadable folders count as
/// empty.
#[must_use]
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ends = |end: &std::ffi::OsStr| extensions.iter().any(|own| end == *own);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(ends) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Every file with one of these extensions in a folder of [`data`]; empty, with a loud note, if
/// that does not exist.
#[must_use]
pub fn others(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    data(folder).map_or_else(Vec::new, |found| files(&found, extensions))
}
